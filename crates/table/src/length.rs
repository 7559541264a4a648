//! Inches and centimetres, never mixed up.

use std::fmt;
use std::ops::{Add, Mul, Sub};

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
    pub fn symbol(self) -> &'static str {
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

/// A length in inches.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Inches(pub f64);

/// A length in centimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Centimetres(pub f64);

impl Inches {
    /// The same length in centimetres.
    pub fn to_centimetres(self) -> Centimetres {
        Centimetres(self.0 * CENTIMETRES_PER_INCH)
    }
}

impl Centimetres {
    /// The same length in inches.
    pub fn to_inches(self) -> Inches {
        Inches(self.0 / CENTIMETRES_PER_INCH)
    }
}

macro_rules! arithmetic {
    ($length:ident, $unit:expr) => {
        impl Add for $length {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $length {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Mul<f64> for $length {
            type Output = Self;
            fn mul(self, by: f64) -> Self {
                Self(self.0 * by)
            }
        }
        impl fmt::Display for $length {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&$unit.show(self.0))
            }
        }
    };
}

arithmetic!(Inches, LengthUnit::Inch);
arithmetic!(Centimetres, LengthUnit::Centimetre);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_only_when_asked() {
        assert_eq!(Inches(10.0).to_centimetres(), Centimetres(25.4));
        assert_eq!(Centimetres(25.4).to_inches(), Inches(10.0));
        assert_eq!(LengthUnit::Inch.per(LengthUnit::Inch), 1.0);
    }

    #[test]
    fn shows_its_sign() {
        assert_eq!((Inches(4.0) + Inches(0.5)).to_string(), "4.5″");
        assert_eq!(Centimetres(12.0).to_string(), "12 cm");
    }
}
