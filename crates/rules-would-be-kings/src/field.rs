//! What does not change in a battle: the rulebook, the readings, the ground, the rosters, the scenario.

use std::sync::Arc;

use tricorne_game::{Side, UnitId};
use tricorne_table::{Edge, Point};

use crate::model::ground::Land;
use crate::options::{Options, SideSwitch};
use crate::state::{Character, IMPERIAL, NATIVE, Roster};
use crate::tables::rulebook::{Class, Drill, Rulebook, Weapon};

/// A unit's card: its profile with its upgrades worked in.
#[derive(Clone, Debug)]
#[allow(missing_docs, clippy::struct_excessive_bools)]
pub struct Card {
    pub id: UnitId,
    pub side: Side,
    pub name: String,
    /// The code of its troop type.
    pub kind: String,
    /// The name of its troop type.
    pub kind_name: String,
    pub class: Class,
    pub drill: Drill,
    /// Whether it is Regular Infantry, who alone form Close Order.
    pub closes: bool,
    pub start: u8,
    pub points: i32,
    /// Basic move, in thousandths of an inch.
    pub pace: i32,
    pub firing: i32,
    pub fighting: i32,
    pub discipline: i32,
    pub weapon: Arc<Weapon>,
    pub fieldcraft: bool,
    pub veteran: bool,
    pub upgrades: Vec<String>,
    /// Leadership and character the scenario gives.
    pub leadership: u8,
    pub character: Character,
    /// Whether its models stand on mounted bases (WBK-MOD-05).
    pub mounted: bool,
}

impl Card {
    /// Whether it is a crewed weapon.
    #[inline]
    pub fn is_crewed(&self) -> bool {
        self.class == Class::Crewed
    }

    /// Tribal Infantry: nothing slows them (WBK-MOVE-08).
    #[inline]
    pub fn ignores_ground(&self) -> bool {
        self.class == Class::Infantry && self.drill == Drill::Tribal
    }

    /// A unit named for people.
    pub fn called(&self) -> String {
        if self.name.is_empty() { self.id.to_string() } else { format!("{} {}", self.id, self.name) }
    }
}

/// A place where units arrive.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Arrival {
    pub id: String,
    pub at: Point,
}

/// An edge a side's units may leave over.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Exit {
    pub side: Side,
    pub edge: Edge,
    pub from: f64,
    pub to: f64,
    pub halved_scores_half: bool,
    pub crewed_bonus: i32,
}

/// What a lost unit is worth to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Worth {
    Full,
    Half,
    Points(i32),
}

/// A marker to hold.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Marker {
    pub id: String,
    pub at: Point,
}

/// How a scenario is won.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Victory {
    pub draw_margin: i32,
    pub exits: Vec<Exit>,
    /// By the side that scores.
    pub lost: Vec<(Side, Worth)>,
    pub left: Vec<(Side, i32)>,
    pub markers: Vec<Marker>,
    pub marker_within: f64,
    pub marker_each_round: i32,
    pub marker_from_round: u8,
    pub marker_at_end: i32,
    /// Side, building, points for each round, points more at the end.
    pub garrisons: Vec<(Side, usize, i32, i32)>,
    /// Side, building, points: an immediate end.
    pub storms: Vec<(Side, usize, i32)>,
    /// Side, points: an immediate end when no enemy is left.
    pub annihilations: Vec<(Side, i32)>,
}

/// The strips of free deployment (WBK-SCEN-04).
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Strips {
    pub edges: [Edge; 2],
    pub depth: [f64; 2],
}

/// Everything that stays as it is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Field {
    pub rulebook: Arc<Rulebook>,
    pub options: Options,
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub land: Land,
    pub cards: Roster<Card>,
    pub arrivals: Vec<Arrival>,
    pub rounds: u8,
    pub first: Side,
    pub victory: Victory,
    pub strips: Option<Strips>,
    /// Sides that have any unit at all: a side without can't be wiped out.
    pub present: [bool; 2],
    /// Where each side runs to when there is nothing to run from.
    pub home: [Edge; 2],
}

impl Field {
    /// The side the program works, if one is.
    pub fn program(&self) -> Option<Side> {
        match self.options.solo {
            SideSwitch::Off => None,
            SideSwitch::Imperial => Some(IMPERIAL),
            SideSwitch::On | SideSwitch::Native => Some(NATIVE),
        }
    }

    /// Whether a side's lost tribal units may return.
    pub fn returns(&self, side: Side) -> bool {
        match self.options.theoretical_strength {
            SideSwitch::Off => false,
            SideSwitch::On => true,
            SideSwitch::Imperial => side == IMPERIAL,
            SideSwitch::Native => side == NATIVE,
        }
    }
}
