//! What stands on the table: kinds, qualities, formations, commanders (ledger 2.2, 2.3).

pub mod formation;
pub mod ground;
pub mod measure;
pub mod one_base;
pub mod sight;
use serde::{Deserialize, Serialize};
use tricorne_game::{Side, UnitId};

use crate::JsonSchema;
use crate::rulebook::{Pace, Profiles};

/// What a unit is (VF-MODEL-09 to -13, -15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A battalion.
    #[serde(alias = "inf", alias = "battalion")]
    Infantry,
    /// A squadron of heavy cavalry.
    #[serde(alias = "cavH", alias = "heavy_cavalry", alias = "cavalry")]
    Heavy,
    /// A squadron of light cavalry.
    #[serde(alias = "cavL", alias = "light_cavalry")]
    Light,
    /// A gun and its crew.
    #[serde(alias = "art", alias = "gun")]
    Artillery,
    /// A cloud of skirmishers.
    #[serde(alias = "sk", alias = "skirmishers")]
    Skirmish,
    /// A wagon.
    Wagon,
}

impl Kind {
    /// Heavy or light.
    pub fn is_cavalry(self) -> bool {
        matches!(self, Kind::Heavy | Kind::Light)
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Infantry => "infantry",
            Kind::Heavy => "heavy",
            Kind::Light => "light",
            Kind::Artillery => "artillery",
            Kind::Skirmish => "skirmish",
            Kind::Wagon => "wagon",
        }
    }

    /// Figures at full strength.
    pub fn start(self, p: &Profiles) -> u8 {
        match self {
            Kind::Infantry => p.figures.battalion,
            Kind::Heavy | Kind::Light => p.figures.squadron,
            Kind::Artillery => p.figures.artillery,
            Kind::Skirmish => p.figures.skirmish,
            Kind::Wagon => p.figures.wagon,
        }
    }

    /// The formations it may take (VF-MOVE-18, VF-MODEL-26).
    pub fn formations(self) -> &'static [Formation] {
        match self {
            Kind::Infantry => &[Formation::Line, Formation::Column, Formation::Square],
            Kind::Heavy | Kind::Light => &[Formation::Line, Formation::Column],
            Kind::Artillery => &[Formation::Unlimbered, Formation::Limbered],
            Kind::Skirmish => &[Formation::Cloud],
            Kind::Wagon => &[Formation::Wagon],
        }
    }
}

/// How good it is (VF-MODEL-15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Picked troops.
    #[serde(alias = "E")]
    Elite,
    /// Most.
    #[default]
    #[serde(alias = "N")]
    Normal,
    /// Militia and the like.
    #[serde(alias = "P")]
    Poor,
}

impl Quality {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Quality::Elite => "elite",
            Quality::Normal => "normal",
            Quality::Poor => "poor",
        }
    }
}

/// How a unit stands (ledger 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    /// Two bases wide.
    Line,
    /// One base wide.
    Column,
    /// Two bases back to back, or part of a regimental square.
    Square,
    /// Skirmishers.
    Cloud,
    /// A gun on its limber.
    Limbered,
    /// A gun ready to fire.
    Unlimbered,
    /// A wagon.
    Wagon,
}

impl Formation {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Formation::Line => "line",
            Formation::Column => "column",
            Formation::Square => "square",
            Formation::Cloud => "cloud",
            Formation::Limbered => "limbered",
            Formation::Unlimbered => "unlimbered",
            Formation::Wagon => "wagon",
        }
    }
}

/// A place in a regimental square (VF-MODEL-24, -25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InSquare {
    /// From the left, from 0.
    pub index: u8,
    /// Of how many.
    pub of: u8,
    /// Whether the rear is left open.
    pub open_rear: bool,
    /// The anchor's number: which square it is.
    pub anchor: Nr,
}

/// A unit's number: its place in the scenario, which is also the order in which ties fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Nr(pub u8);

/// A commander's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cr(pub u8);

/// What does not change about a unit.
#[derive(Clone, Debug)]
pub struct UnitSpec {
    /// Its id.
    pub id: UnitId,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// How good.
    pub quality: Quality,
    /// Figures at full strength.
    pub start: u8,
    /// Whether there are colours to lose (VF-CAPTURE-05).
    pub colours: bool,
    /// Its regiment, if it belongs to one.
    pub regiment: Option<u8>,
    /// Its wing, if it is assigned to one.
    pub wing: Option<u8>,
}

impl UnitSpec {
    /// The move of its kind (VF-MOVE-06).
    pub fn pace(&self, p: &Profiles, formation: Formation) -> Pace {
        match (self.kind, formation) {
            (Kind::Infantry, _) => p.moves.infantry,
            (Kind::Heavy | Kind::Light, _) => p.moves.cavalry,
            (Kind::Artillery, Formation::Limbered) => p.moves.limbered,
            (Kind::Artillery, _) => p.moves.unlimbered,
            (Kind::Skirmish, _) => p.moves.skirmish,
            (Kind::Wagon, _) => p.moves.wagon,
        }
    }
}

/// The level of a commander (VF-ARMY-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Of one regiment.
    Regimental,
    /// Of a wing.
    Wing,
    /// Of everybody.
    Army,
}

impl Level {
    /// The side of his base (VF-MODEL-14).
    pub fn base(self, p: &Profiles) -> f64 {
        let side = match self {
            Level::Regimental => p.commander_base.regimental,
            Level::Wing => p.commander_base.wing,
            Level::Army => p.commander_base.army,
        };
        side.get()
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Level::Regimental => "regimental",
            Level::Wing => "wing",
            Level::Army => "army",
        }
    }
}

/// What does not change about a commander.
#[derive(Clone, Debug)]
pub struct CommanderSpec {
    /// His id.
    pub id: UnitId,
    /// His name.
    pub name: String,
    /// Whose he is.
    pub side: Side,
    /// His level.
    pub level: Level,
    /// His regiment or wing.
    pub body: Option<u8>,
}

impl CommanderSpec {
    /// Whether a unit is under him (VF-ARMY-04, -05).
    pub fn is_over(&self, unit: &UnitSpec) -> bool {
        self.side == unit.side
            && match self.level {
                Level::Army => true,
                Level::Wing => self.body.is_some() && unit.wing == self.body,
                Level::Regimental => self.body.is_some() && unit.regiment == self.body,
            }
    }
}
