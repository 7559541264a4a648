//! What changes in the course of a battle, and the fixed things it is fought with.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_game::{Ending, Side, UnitId};
use tricorne_table::{Edge, Pose, Table, angle};

use crate::JsonSchema;
use crate::generals::counters::General;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::options::Options;
use crate::rulebook::Rulebook;
use crate::sequence::turn::Task;
use crate::terrain::ground::Piece;

pub use crate::model::group::{Aim, Chase, Deferred, GaveWay, Group, GroupPhase, Left};
pub use crate::model::unit::{Cached, Guard, OPEN, Presence, Stand, Unit, UnitInfo, UnitPhase};

/// A unit never has more stands than this (SYW-ARMY-08).
pub const MOST_STANDS: usize = 10;

/// A list of units short enough to stay off the heap.
pub type Units = SmallVec<[UnitIx; 12]>;
/// A list of groups short enough to stay off the heap.
pub type Groups = SmallVec<[GroupIx; 12]>;

/// One of the five orders (SYW-ORDER-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Advance,
    Reserve,
    Stand,
    Retreat,
    Rout,
}

impl Order {
    /// Those that a general, or a group by itself, may give.
    pub const GIVEN: [Self; 4] = [Self::Advance, Self::Reserve, Self::Stand, Self::Retreat];

    /// Its name in logs and facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Advance => "advance",
            Self::Reserve => "reserve",
            Self::Stand => "stand",
            Self::Retreat => "retreat",
            Self::Rout => "rout",
        }
    }

    /// What people call it.
    pub fn called(self) -> &'static str {
        match self {
            Self::Advance => "Advance",
            Self::Reserve => "Reserve",
            Self::Stand => "Stand",
            Self::Retreat => "Retreat",
            Self::Rout => "Rout",
        }
    }
}

/// How a unit's stands are drawn up (SYW-MODEL-06 to -14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    #[default]
    Line,
    /// Two ranks of cavalry or lights.
    DeepLine,
    #[serde(rename = "column_1")]
    Column1,
    #[serde(rename = "column_2")]
    Column2,
    Square,
    /// Turned to face a charge in flank or rear.
    Turned,
    /// Running.
    Routed,
}

impl Formation {
    /// Its name in logs and facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::DeepLine => "deep_line",
            Self::Column1 => "column_1",
            Self::Column2 => "column_2",
            Self::Square => "square",
            Self::Turned => "turned",
            Self::Routed => "routed",
        }
    }

    /// What a unit forms, as a story tells it.
    pub fn called(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::DeepLine => "a line two deep",
            Self::Column1 => "a column one wide",
            Self::Column2 => "a column two wide",
            Self::Square => "square",
            Self::Turned => "a column to face the charge",
            Self::Routed => "a crowd",
        }
    }

    /// A line of any depth.
    pub fn is_line(self) -> bool {
        matches!(self, Self::Line | Self::DeepLine)
    }

    /// A column of either width.
    pub fn is_column(self) -> bool {
        matches!(self, Self::Column1 | Self::Column2)
    }
}

/// From which side a charge comes (SYW-FLANK-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Front,
    Left,
    Right,
    Rear,
}

impl Direction {
    /// Its name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Left => "left flank",
            Self::Right => "right flank",
            Self::Rear => "rear",
        }
    }

    /// The side one faces who turns so far.
    pub fn at(turn: f64) -> Self {
        match (turn / 90.0).round().rem_euclid(4.0) {
            t if t < 0.5 => Self::Front,
            t if t < 1.5 => Self::Right,
            t if t < 2.5 => Self::Rear,
            _ => Self::Left,
        }
    }

    /// How far one turns to face it.
    pub fn turn(self) -> f64 {
        match self {
            Self::Front => 0.0,
            Self::Left => 270.0,
            Self::Right => 90.0,
            Self::Rear => 180.0,
        }
    }
}

/// A pair that has met, with what was true when it did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Contact {
    pub attacker: UnitIx,
    pub defender: UnitIx,
    pub from: Direction,
    /// The piece that the defender lined when they met and the attacker came across: a work, or a mere obstacle
    /// (SYW-MELEE-22, -34).
    pub across: Option<u8>,
    /// Stands swung in, when the contact is partial (SYW-CHARGE-16); 0 when it is whole.
    pub partial: u8,
    /// Degrees still to pivot, clockwise positive (SYW-CHARGE-17).
    pub swing: f64,
    /// Fought in this sub-phase already.
    pub fought: bool,
    /// Stands have fallen in another melee since it was mustered; it is fought all the same (SYW-MELEE-25).
    pub torn: bool,
    /// The attacker charged in this phase, or broke through or pursued into it.
    pub charge: bool,
    /// Stands in contact and overlaps of attacker and defender when the sub-phase began (SYW-MELEE-25).
    pub count: [u8; 2],
    pub overlap: [bool; 2],
    /// Their orders then; none while they have not been counted in this sub-phase.
    pub orders: Option<[Order; 2]>,
}

/// Friends who ran or were wiped out in this phase (SYW-MORALE-06, -07).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disaster {
    pub group: GroupIx,
    /// Groups of their side that saw it, from where they stood at that moment.
    pub seen_by: Groups,
}

/// What is fixed about a side.
#[derive(Clone, Debug)]
pub struct SideInfo {
    pub id: String,
    pub name: String,
    pub nation: usize,
}

/// What changes about a side.
#[derive(Clone, Debug, Serialize)]
pub struct Army {
    /// The long edge it fights from.
    pub edge: Edge,
    pub started: u16,
    /// Points of the whole army, for SYW-WIN-06.
    pub points: f64,
    /// Counters not in use, by number from 1.
    pub counters: SmallVec<[u8; 12]>,
    /// Counters of lost generals.
    pub spent: SmallVec<[u8; 4]>,
    pub generals_lost: u8,
    pub cincs_lost: u8,
    pub ability: u8,
    pub initiative: u8,
    pub die: u8,
    pub conceded: bool,
    /// Strips along the side edges it may deploy in.
    pub strips: u8,
    pub may_march: bool,
    /// The brigade placed last (SYW-DEPLOY-09).
    pub kept_back: Option<GeneralIx>,
    /// What it bought at the table (U2), and the works that are still to be laid out.
    pub bought: Option<crate::points::Army>,
    pub works: SmallVec<[(crate::points::Work, f64); 2]>,
    /// The price of the ground it gave up troops for (SYW-POINTS-06), which both sides can reckon.
    pub ground: crate::points::Points,
}

/// The six sub-phases (SYW-SEQ-02), and the time before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubPhase {
    SetUp,
    Command,
    Movement,
    Shooting,
    Reply,
    Charges,
    Combat,
}

impl SubPhase {
    pub fn name(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::Command => "command",
            Self::Movement => "movement",
            Self::Shooting => "shooting",
            Self::Reply => "reply",
            Self::Charges => "charges",
            Self::Combat => "combat",
        }
    }
}

/// All that changes.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    pub turn: u32,
    /// Whose phase it is, and who phases first.
    pub phasing: Side,
    pub attacker: Side,
    pub initiative: Side,
    pub step: SubPhase,
    pub armies: [Army; 2],
    pub units: Vec<Unit>,
    pub groups: Vec<Group>,
    pub generals: Vec<General>,
    pub contacts: SmallVec<[Contact; 8]>,
    pub disasters: Vec<Disaster>,
    /// What is being done and what comes after it: the last is next.
    pub tasks: Vec<Task>,
    /// Ground diced for and bought at the table (U3, U7), and works laid out there.
    pub country: Option<crate::terrain_generation::Country>,
    pub works: Vec<crate::deployment::muster::Laid>,
    /// What enemies have had in sight of ground that hides somebody, and where each unit last looked from (SYW-HIDE-05).
    pub seen: Vec<crate::hiding::watch::Seen>,
    pub watched: Vec<Option<Pose>>,
    /// Side that last had a stand near each objective that asks for it.
    pub held: SmallVec<[Option<Side>; 2]>,
    /// Stands whose overlap was counted this sub-phase: unit, stand, against whom (SYW-MELEE-12).
    pub overlaps: SmallVec<[(UnitIx, u8, UnitIx); 8]>,
    /// Margins of this sub-phase's melees: winner, loser, by how much.
    pub margins: SmallVec<[(UnitIx, UnitIx, i32); 8]>,
    /// Generals driven off while the last answer was carried out (SYW-GEN-25); it is told of each once.
    #[serde(skip)]
    pub driven_off: SmallVec<[GeneralIx; 2]>,
    pub ending: Option<Ending>,
}

/// What wins points at the end (SYW-WIN-05).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectiveKind {
    /// More massed stands whose centre is on it.
    MassedOn,
    /// More stands in it.
    MoreIn,
    /// The side that last had a stand within a distance.
    LastWithin,
}

/// An objective of a scenario.
#[derive(Clone, Debug)]
pub struct Objective {
    pub kind: ObjectiveKind,
    pub piece: usize,
    pub points: f64,
    pub distance: f64,
}

/// Everything that does not change.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub book: Arc<Rulebook>,
    pub options: Options,
    pub title: String,
    pub table: Table,
    pub sides: [SideInfo; 2],
    pub infos: Vec<UnitInfo>,
    /// Generals who have names of their own.
    pub general_names: BTreeMap<UnitId, String>,
    pub pieces: Vec<Piece>,
    pub objectives: Vec<Objective>,
    pub turns: u32,
    pub break_percent: u32,
    /// Deployment is decided at the table (U8, U9).
    pub free: bool,
    /// What is bought and diced for at the table (U2, U3, U7).
    pub muster: Option<Arc<crate::deployment::muster::Muster>>,
    /// Counters given in the file, so that none is drawn (positions).
    pub counters_given: bool,
}

/// Rounds to the grain of the table: 0.01 and 0.1 degree (SYW-MODEL-02).
pub fn grain(pose: Pose) -> Pose {
    Pose { at: pose.at.round_to(0.01), facing: angle::normalise(tricorne_table::round_to(pose.facing, 0.1)) }
}

/// Lengths are compared with a hundredth of slack (SYW-MODEL-02).
pub const SLACK: f64 = 0.01;

/// What floats lose where places turn and slide: a length that comes to just the slack is within it on every bearing.
const HAIR: f64 = 1e-6;

/// Whether a distance is within a limit (SYW-MODEL-02).
pub fn within(distance: f64, limit: f64) -> bool {
    distance <= limit + SLACK + HAIR
}
