//! Names of things: units, sides, seats.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A unit's name on the table, as a scenario gives it: `I1`, `A`, `hussars`. At most 16 bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(ArrayString<16>);

impl UnitId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UnitId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match ArrayString::from(text) {
            Ok(name) if !text.is_empty() => Ok(Self(name)),
            _ => Err(format!("`{text}` is no unit id; use 1 to 16 letters or digits")),
        }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl PartialEq<str> for UnitId {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

#[cfg(feature = "schemas")]
impl JsonSchema for UnitId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UnitId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "minLength": 1, "maxLength": 16 })
    }
}

/// One of the two (or more) sides of a battle, in the order the system lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Side(pub u8);

impl Side {
    /// The other one of two.
    #[must_use]
    pub fn enemy(self) -> Side {
        Side(1 - self.0.min(1))
    }

    /// As an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One decision maker. With two players seat and side are the same number; a team has several seats on a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// As an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
