//! What a scenario file, or the position of a rule case, may say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tricorne_game::Side;

use crate::model::ground::GroundKind;
use crate::model::{Formation, Kind, Level, Quality};
use crate::state::{BLACK, Fate, Initiative, RED};

/// A side's part of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideFile {
    /// What it is called.
    pub name: Option<String>,
    /// Points game: the army list's code, `FR`.
    pub list: Option<String>,
    /// Points game: the entries bought, each as often as it is bought; `FR3@1` puts one under wing commander 1.
    pub entries: Vec<String>,
    /// Points game: wagons.
    pub wagons: u8,
    /// Points game: wing commanders.
    pub wing_commanders: u8,
    /// Position: Kings held.
    pub kings: Vec<String>,
    /// Position: points of army morale already lost, besides those of units marked `mishap` or `gone`.
    pub morale_lost: u8,
    /// The break point, where it is not to be counted from the units.
    pub break_point: Option<u8>,
}

/// The table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableFile {
    /// West to east, in inches.
    pub width: f64,
    /// South to north.
    pub height: f64,
}

/// A piece of ground: a rectangle or a polygon.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerrainFile {
    /// Its name.
    pub id: Option<String>,
    /// What it is.
    pub kind: GroundKind,
    /// Two opposite corners: `[x, y, x, y]`.
    pub rect: Option<[f64; 4]>,
    /// Its corners in order.
    pub polygon: Option<Vec<[f64; 2]>>,
    /// An obstacle that is hard cover.
    #[serde(default)]
    pub hard: bool,
}

/// A unit. Everything after `name` has a default.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitFile {
    /// Its id.
    pub id: String,
    /// `red` or `black`; from the first letter of the id when left out.
    pub side: Option<SideName>,
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub name: Option<String>,
    /// Normal unless said.
    #[serde(default)]
    pub quality: Quality,
    /// The midpoint of its front edge.
    pub at: [f64; 2],
    /// Degrees clockwise from north; towards the enemy's edge unless said.
    pub facing: Option<f64>,
    /// Line, cloud, unlimbered or wagon unless said.
    pub formation: Option<Formation>,
    /// Its regiment.
    pub regiment: Option<String>,
    /// Its wing.
    pub wing: Option<String>,
    /// Whether it has colours; only converged grenadiers, skirmishers and wagons have none unless said.
    pub colours: Option<bool>,
    /// Figures left.
    pub strength: Option<u8>,
    /// Figures at full strength.
    pub start: Option<u8>,
    /// Position: has been activated this turn.
    #[serde(default)]
    pub activated: bool,
    /// Position: disordered.
    #[serde(default)]
    pub disordered: bool,
    /// Position: marked routed.
    #[serde(default)]
    pub routed: bool,
    /// Position: Shaken (and so disordered).
    #[serde(default)]
    pub shaken: bool,
    /// Position: holds its fire.
    #[serde(default)]
    pub held_fire: bool,
    /// Position: has already cost its army a point.
    #[serde(default)]
    pub mishap: bool,
    /// Position: its colours or guns are lost.
    #[serde(default)]
    pub colours_lost: bool,
    /// Position: trophies it has taken.
    #[serde(default)]
    pub trophies: u8,
    /// Position: a gun silenced by a burst this turn.
    #[serde(default)]
    pub silenced: bool,
    /// Position: the Lost galloper is on its group.
    #[serde(default)]
    pub lost_galloper: bool,
    /// Position: the Forced march is on its group.
    #[serde(default)]
    pub forced_march: bool,
    /// Position, under `base_removal = remove_empty`: stands on one base; by its figures unless said.
    pub one_base: Option<bool>,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
    /// Position: its place in a regimental square.
    pub regimental_square: Option<InSquareFile>,
}

/// A place in a regimental square.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InSquareFile {
    /// From the left, from 0.
    pub index: u8,
    /// Of how many battalions.
    pub of: u8,
    /// Whether the rear is open.
    #[serde(default)]
    pub open_rear: bool,
    /// The id of the battalion at the left.
    pub anchor: String,
}

/// Red or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Home edge y = 0.
    #[serde(alias = "Red")]
    Red,
    /// Home edge y = H.
    #[serde(alias = "Black")]
    Black,
}

impl SideName {
    pub(crate) fn side(self) -> Side {
        match self {
            SideName::Red => RED,
            SideName::Black => BLACK,
        }
    }
}

/// A commander.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommanderFile {
    /// His id.
    pub id: String,
    /// `red` or `black`; from the first letter of the id when left out.
    pub side: Option<SideName>,
    /// What he is called.
    pub name: Option<String>,
    /// Regimental, wing or army.
    pub level: Level,
    /// His regiment.
    pub regiment: Option<String>,
    /// His wing.
    pub wing: Option<String>,
    /// The centre of his base; not needed when attached.
    pub at: Option<[f64; 2]>,
    /// The unit he is attached to.
    pub attached: Option<String>,
    /// Position: has been activated this turn.
    #[serde(default)]
    pub activated: bool,
    /// Position: commands no one this turn.
    #[serde(default)]
    pub dazed: bool,
    /// Position: has the gout this turn.
    #[serde(default)]
    pub gout: bool,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
}

/// Who wins at the limit.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum ObjectiveFile {
    /// An ordered foot or horse unit near a point, and no enemy there.
    Hold {
        /// The point.
        at: [f64; 2],
        /// How near.
        within: f64,
        /// What the place is called: `the ford`.
        #[serde(default)]
        name: Option<String>,
    },
    /// Ordered infantry of the attacker in a piece, or so many ordered units past a line.
    Storm {
        /// Who attacks.
        attacker: SideName,
        /// The piece of ground.
        terrain: String,
        /// How many units.
        units: usize,
        /// The line, as a y.
        beyond: f64,
    },
    /// A wagon leaves by the north edge.
    Convoy {
        /// Who leads it.
        attacker: SideName,
        /// Which wagon.
        wagon: String,
        /// Where the exit begins, as an x.
        from: f64,
        /// Where it ends.
        to: f64,
        /// What the exit is called: `the road to Danzig`.
        #[serde(default)]
        name: Option<String>,
    },
}

/// Position: a melee about to be fought.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeleeFile {
    /// The charger.
    pub attacker: String,
    /// The charged.
    pub defender: String,
    /// 1 or 2.
    #[serde(default = "one")]
    pub round: u8,
    /// The side of the defender in contact; worked out from where the attacker stands when left out.
    pub aspect: Option<AspectName>,
    /// The attacker has the benefit of charging; yes in the first round unless said.
    pub charging: Option<bool>,
    /// The defender countercharged.
    #[serde(default)]
    pub countercharged: bool,
    /// The defender is in hard cover.
    #[serde(default)]
    pub cover: bool,
}

fn one() -> u8 {
    1
}

/// A side of a unit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AspectName {
    /// Its front.
    Front,
    /// Its left flank.
    #[serde(alias = "flank")]
    Left,
    /// Its right flank.
    Right,
    /// Its rear.
    Rear,
}

/// Position: at what moment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A side may activate something, as by a 2 to 10.
    Activate,
    /// The King window and then the next card.
    Draw,
    /// The start of a turn.
    Turn,
    /// The end of a turn.
    End,
}

/// A scenario, or the position of a rule case.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The format: 1. A position may leave it out.
    #[serde(default = "format_one")]
    pub format: u32,
    /// The rule system's id. A position may leave it out.
    pub ruleset: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What it is about.
    #[serde(default)]
    pub about: String,
    /// The last turn.
    pub turns: Option<u32>,
    /// The table; 72 by 48 unless said.
    pub table: Option<TableFile>,
    /// Options that differ from the default.
    #[serde(default)]
    pub options: std::collections::BTreeMap<String, tricorne_game::case::Scalar>,
    /// Red.
    #[serde(default)]
    pub red: SideFile,
    /// Black.
    #[serde(default)]
    pub black: SideFile,
    /// The ground, later pieces on top.
    #[serde(default)]
    pub terrain: Vec<TerrainFile>,
    /// The units, in the order of their numbers.
    #[serde(default, rename = "unit", alias = "units")]
    pub units: Vec<UnitFile>,
    /// The commanders.
    #[serde(default, rename = "commander", alias = "commanders")]
    pub commanders: Vec<CommanderFile>,
    /// Who wins at the limit.
    pub objective: Option<ObjectiveFile>,
    /// A points game: forces from the lists, terrain by dice, deployment in turns.
    #[serde(default)]
    pub points_game: bool,
    /// Position: the turn; 1 unless said.
    pub turn: Option<u32>,
    /// Position: at what moment; `activate` unless said.
    pub moment: Option<Moment>,
    /// Position: whose activation it is; Red's unless said.
    pub active: Option<SideName>,
    /// Position: the unit that has been named and must say what it does.
    pub acting: Option<String>,
    /// Position: the result of the initiative check of the acting group.
    pub initiative: Option<Initiative>,
    /// Position: a melee about to be fought.
    pub melee: Option<MeleeFile>,
    /// Position: the last card drawn.
    pub last_card: Option<String>,
    /// Position: cards spent this turn.
    #[serde(default)]
    pub spent: Vec<String>,
    /// Position: event cards discarded.
    #[serde(default)]
    pub events_spent: Vec<String>,
    /// Position: effects that last this turn: `cloudburst`, `bank_of_smoke`, `heavy_clay`.
    #[serde(default)]
    pub spells: Vec<String>,
}

fn format_one() -> u32 {
    1
}
