//! Lengths and angles as the umpire keeps them: whole thousandths (VF-MODEL-01).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tricorne_table::{Point, Pose};

/// A length in thousandths of an inch, or an angle in thousandths of a degree.
pub type Mils = i32;

/// Rounded half away from zero to three decimals.
pub fn mils(value: f64) -> Mils {
    let scaled = value * 1000.0;
    let scaled = scaled + 1e-6_f64.copysign(scaled);
    // `round` is a call of its own where processors of any age are to run it.
    let whole = scaled as Mils;
    let rest = scaled - f64::from(whole);
    if rest >= 0.5 {
        whole.saturating_add(1)
    } else if rest <= -0.5 {
        whole.saturating_sub(1)
    } else {
        whole
    }
}

/// Thousandths as a number.
pub fn exact(mils: Mils) -> f64 {
    f64::from(mils) / 1000.0
}

/// A length or an angle as an action says it: a number with up to three decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(pub Mils);

impl Decimal {
    /// The nearest.
    pub fn of(value: f64) -> Self {
        Self(mils(value))
    }

    /// As a number.
    pub fn get(self) -> f64 {
        exact(self.0)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(d)?;
        if value.is_finite() && value.abs() <= 100_000.0 {
            Ok(Self::of(value))
        } else {
            Err(serde::de::Error::custom(format!("{value} is no length or angle on a table")))
        }
    }
}

#[cfg(feature = "schemas")]
impl crate::JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": -100_000, "maximum": 100_000 })
    }
}

/// A pose in thousandths: the midpoint of the front edge and the facing (VF-MODEL-06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// East.
    pub x: Mils,
    /// North.
    pub y: Mils,
    /// Facing, clockwise from north, in `[0, 360000)`.
    pub t: Mils,
}

impl Place {
    /// The nearest to a pose.
    pub fn of(pose: Pose) -> Self {
        Self { x: mils(pose.at.x), y: mils(pose.at.y), t: turn(mils(pose.facing)) }
    }

    /// As a pose.
    pub fn pose(self) -> Pose {
        Pose { at: self.at(), facing: exact(self.t) }
    }

    /// How far it is from one place to another, in inches.
    pub fn gap(self, other: Self) -> f64 {
        self.at().distance(other.at())
    }

    /// Where.
    pub fn at(self) -> Point {
        Point::new(exact(self.x), exact(self.y))
    }
}

/// An angle brought into `[0, 360000)`.
pub fn turn(t: Mils) -> Mils {
    t.rem_euclid(360_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_zero() {
        assert_eq!(mils(1.0005), 1001);
        assert_eq!(mils(-1.0005), -1001);
        assert_eq!(mils(12.000_49), 12_000);
        assert_eq!(turn(-30_000), 330_000);
    }
}
