//! What troops are: arm, class, type, weapon, drill and grade (T1 to T5).

use serde::{Deserialize, Serialize};

use crate::rulebook::Rulebook;

/// The arm of service (SYW-GROUP-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    Infantry,
    Cavalry,
    Artillery,
}

/// The formation class of T1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    Massed,
    Light,
}

/// The thirteen troop types of T1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    HC,
    MC,
    LC,
    LCa,
    HI,
    MI,
    #[serde(rename = "MIL")]
    Mil,
    LI,
    #[serde(rename = "RIF")]
    Rif,
    HA,
    MA,
    #[serde(rename = "HOW")]
    How,
    LA,
}

/// What a unit shoots with (T2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weapon {
    None,
    Musket,
    LightMusket,
    MilitiaMusket,
    Rifle,
    HeavyGun,
    MediumGun,
    LightGun,
    Howitzer,
    MountedBow,
    Bow,
    Spear,
}

impl Weapon {
    /// Guns shoot by SYW-SHOOT-31 to -34, everything else as small arms.
    pub fn is_gun(self) -> bool {
        matches!(self, Self::HeavyGun | Self::MediumGun | Self::LightGun | Self::Howitzer)
    }
}

/// Drill grade (SYW-ARMY-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drill {
    Well,
    #[default]
    Normal,
    #[serde(alias = "poorly")]
    Badly,
}

impl Drill {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Normal => "normal",
            Self::Badly => "badly",
        }
    }
}

/// Morale grade (SYW-ARMY-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    High,
    #[default]
    Normal,
    #[serde(alias = "low")]
    Poor,
}

impl Grade {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Normal => "normal",
            Self::Poor => "poor",
        }
    }
}

impl Kind {
    pub const ALL: [Kind; 13] = [
        Self::HC,
        Self::MC,
        Self::LC,
        Self::LCa,
        Self::HI,
        Self::MI,
        Self::Mil,
        Self::LI,
        Self::Rif,
        Self::HA,
        Self::MA,
        Self::How,
        Self::LA,
    ];

    /// The short code of T11.
    pub fn code(self) -> &'static str {
        match self {
            Self::HC => "HC",
            Self::MC => "MC",
            Self::LC => "LC",
            Self::LCa => "LCa",
            Self::HI => "HI",
            Self::MI => "MI",
            Self::Mil => "MIL",
            Self::LI => "LI",
            Self::Rif => "RIF",
            Self::HA => "HA",
            Self::MA => "MA",
            Self::How => "HOW",
            Self::LA => "LA",
        }
    }

    /// A type by its code or its name in T1.
    pub fn named(text: &str, book: &Rulebook) -> Option<Kind> {
        if text.eq_ignore_ascii_case("RI") {
            return Some(Self::Rif);
        }
        Self::ALL
            .into_iter()
            .find(|k| k.code() == text)
            .or_else(|| Self::ALL.into_iter().find(|k| k.code().eq_ignore_ascii_case(text)))
            .or_else(|| Self::ALL.into_iter().find(|k| book.profile(*k).name.eq_ignore_ascii_case(text)))
    }

    /// Light Infantry and Riflemen.
    pub fn is_light_infantry(self) -> bool {
        matches!(self, Self::LI | Self::Rif)
    }

    /// Light Cavalry, the shock kind included.
    pub fn is_light_cavalry(self) -> bool {
        matches!(self, Self::LC | Self::LCa)
    }
}
