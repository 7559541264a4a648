//! Dice for each private, as T5 and T6 give them: whole numbers and exact fractions.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer};

/// So many dice for so many privates. Two thirds of 12 are 8 and not 9, so it is no floating number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    dice: u16,
    privates: u16,
}

impl Share {
    pub(crate) const NONE: Share = Share { dice: 0, privates: 1 };
    /// The most dice a chart gives for one private.
    const MOST: u16 = 6;

    /// The dice of so many men; a fraction is rounded up (ATKM-DICE-06).
    pub(crate) fn of(self, men: u8) -> i32 {
        i32::from((u16::from(men) * self.dice).div_ceil(self.privates))
    }

    /// What each private is given, in words: `2 dice`, `⅔ of a die`; none if it is just one.
    pub(crate) fn told(self) -> Option<String> {
        match self.dice.cmp(&self.privates) {
            Ordering::Equal => None,
            Ordering::Greater => Some(format!("{self} dice")),
            Ordering::Less => Some(format!("{self} of a die")),
        }
    }

    /// The greater of two.
    pub(crate) fn max(self, other: Share) -> Share {
        if self.dice * other.privates >= other.dice * self.privates { self } else { other }
    }

    fn new(dice: u16, privates: u16) -> Option<Share> {
        let fits = (1..=12).contains(&privates) && dice <= Self::MOST * privates;
        fits.then_some(Share { dice, privates })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.dice / self.privates, self.dice % self.privates);
        let twelfths = 12 * u32::from(rest) / u32::from(self.privates);
        let exact = 12 * u32::from(rest) % u32::from(self.privates) == 0;
        let sign = match twelfths {
            3 => "¼",
            4 => "⅓",
            6 => "½",
            8 => "⅔",
            9 => "¾",
            _ => "",
        };
        match (whole, rest) {
            (whole, 0) => write!(f, "{whole}"),
            (0, _) if exact && !sign.is_empty() => f.write_str(sign),
            (whole, _) if exact && !sign.is_empty() => write!(f, "{whole}{sign}"),
            _ => write!(f, "{}/{}", self.dice, self.privates),
        }
    }
}

/// As a file writes it: `2`, `0.5`, `"2/3"`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Fraction(String),
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let share = match Written::deserialize(d)? {
            Written::Number(n) => {
                let quarters = (n * 4.0).round();
                let exact = (n * 4.0 - quarters).abs() < 1e-9 && (0.0..=24.0).contains(&quarters);
                exact.then(|| Share::new(quarters as u16, 4)).flatten()
            }
            Written::Fraction(text) => text.split_once('/').and_then(|(dice, privates)| {
                Share::new(dice.trim().parse().ok()?, privates.trim().parse().ok()?)
            }),
        };
        share.ok_or_else(|| {
            serde::de::Error::custom(
                "dice per private are 0 to 6, whole or in quarters, or a fraction in quotes: 1, 1.5, \"2/3\"",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Share {
        toml::from_str::<std::collections::BTreeMap<String, Share>>(&format!("x = {text}")).unwrap()["x"]
    }

    #[test]
    fn shares_round_up_and_are_exact() {
        let dice = |text: &str, men: [u8; 5]| men.map(|n| share(text).of(n));
        assert_eq!(dice("\"2/3\"", [12, 11, 10, 9, 5]), [8, 8, 7, 6, 4]);
        assert_eq!(dice("\"1/3\"", [12, 11, 10, 9, 5]), [4, 4, 4, 3, 2]);
        assert_eq!(dice("0.75", [12, 11, 10, 9, 8]), [9, 9, 8, 7, 6]);
        assert_eq!(dice("1.5", [6, 5, 4, 3, 2]), [9, 8, 6, 5, 3]);
    }

    #[test]
    fn they_are_printed_as_charts_print_them() {
        let printed =
            ["2", "0.5", "1.5", "0.75", "\"2/3\"", "\"1/3\"", "\"2/5\""].map(|t| share(t).to_string());
        assert_eq!(printed, ["2", "½", "1½", "¾", "⅔", "⅓", "2/5"]);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for wrong in ["0.3", "-1", "7", "\"2/0\"", "\"two\""] {
            let read = toml::from_str::<std::collections::BTreeMap<String, Share>>(&format!("x = {wrong}"));
            assert!(read.is_err(), "{wrong}");
        }
    }
}
