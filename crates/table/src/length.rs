//! Inches and centimetres, never mixed up.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::measure::round_to;

const CENTIMETRES_PER_INCH: f64 = 2.54;

/// What the lengths of a rule system are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LengthUnit {
    /// 25.4 millimetres.
    Inch,
    /// 10 millimetres.
    Centimetre,
}

impl LengthUnit {
    /// The sign put after a number.
    fn symbol(self) -> &'static str {
        match self {
            Self::Inch => "″",
            Self::Centimetre => " cm",
        }
    }

    /// A bare number of this unit as a player reads it, to the hundredth.
    pub fn show(self, length: f64) -> String {
        format!("{}{}", round_to(length, 0.01), self.symbol())
    }

    /// How many of `other` one of this unit is.
    pub fn per(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Inch, Self::Centimetre) => CENTIMETRES_PER_INCH,
            (Self::Centimetre, Self::Inch) => 1.0 / CENTIMETRES_PER_INCH,
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_only_when_asked() {
        assert_eq!(LengthUnit::Inch.per(LengthUnit::Centimetre), 2.54);
        assert_eq!(LengthUnit::Inch.per(LengthUnit::Inch), 1.0);
    }

    #[test]
    fn shows_its_sign() {
        assert_eq!(LengthUnit::Inch.show(4.5), "4.5″");
        assert_eq!(LengthUnit::Centimetre.show(12.0), "12 cm");
    }
}
