//! The format of scenario files, and of the positions of rule cases.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tricorne_game::Side;
use tricorne_game::case::Scalar;
use tricorne_table::Edge;

use crate::state::{Character, IMPERIAL, Layout, NATIVE};

/// A side by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// The Imperial side.
    Imperial,
    /// The Native side.
    Native,
}

impl SideName {
    /// As a number.
    pub fn side(self) -> Side {
        match self {
            SideName::Imperial => IMPERIAL,
            SideName::Native => NATIVE,
        }
    }
}

/// A scenario or position file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SetUpFile {
    /// The format of the file: 1.
    pub format: Option<u32>,
    /// `would-be-kings`.
    pub ruleset: Option<String>,
    /// What the scenario is called.
    pub title: Option<String>,
    /// Anything worth saying.
    pub notes: Option<String>,
    /// How many rounds are played.
    pub rounds: Option<u8>,
    /// The side with the first turn.
    pub first: Option<SideName>,
    /// The table's size in inches.
    pub table: Option<TableFile>,
    /// Options that differ from the default.
    pub options: BTreeMap<String, Scalar>,
    /// The ground.
    pub terrain: Vec<TerrainFile>,
    /// The units, in the order of their numbers.
    pub unit: Vec<UnitFile>,
    /// Field forces of the rulebook, by id, added to the units.
    pub forces: Option<ForcesFile>,
    /// What a force may cost.
    pub limits: Option<LimitsFile>,
    /// Free deployment: units without a place are placed by the players.
    pub deployment: Option<DeploymentFile>,
    /// The table edges the sides come from.
    pub home: Option<HomeFile>,
    /// Arrival points P1 to P6.
    pub arrival: Vec<ArrivalFile>,
    /// How it is won.
    pub victory: VictoryFile,
    /// A position: whose turn it is.
    pub active: Option<SideName>,
    /// A position: the round.
    pub round: Option<u8>,
    /// A position: 1 for the first turn of the round, 2 for the second.
    pub turn: Option<u8>,
    /// A position: points scored so far for rounds and markers held.
    pub score: Option<ScoreFile>,
    /// A position: program units to come, next first.
    pub pool: Vec<String>,
}

/// The table.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct TableFile {
    pub width: f64,
    pub height: f64,
}

/// A piece of ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerrainFile {
    /// Its name on the map.
    pub id: String,
    /// `tall grass`, `stone wall`, `building` …: a kind of terrain.toml.
    pub kind: String,
    /// Corners of an area, or points of a line.
    pub at: Vec<[f64; 2]>,
    /// The level of a hill.
    pub level: Option<u8>,
    /// A steep hill is difficult.
    #[serde(default)]
    pub steep: bool,
    /// How many models a building holds.
    pub capacity: Option<u8>,
}

/// A unit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)]
pub struct UnitFile {
    /// Its name on the table, at most 16 letters.
    pub id: String,
    /// Whose it is.
    pub side: Option<SideName>,
    /// Its troop type: `RI`, `TC`, `FGu` …
    pub kind: String,
    /// What people call it.
    pub name: String,
    /// Upgrades and downgrades by name.
    pub upgrades: Vec<String>,
    /// Its weapon, where the troop type leaves a choice.
    pub weapon: Option<String>,
    /// Models, if not the usual number.
    pub models: Option<u8>,
    /// Leadership when it is fixed.
    pub leadership: Option<u8>,
    /// The leader's character when Leadership is fixed.
    pub character: Option<Character>,
    /// Where its anchor stands.
    pub at: Option<[f64; 2]>,
    /// `cluster`, `line`; `gun` for crewed weapons.
    pub layout: Option<Layout>,
    /// Degrees clockwise from north.
    pub facing: Option<u16>,
    /// The building it holds.
    pub garrison: Option<String>,
    /// A position: where each model stands.
    pub places: Vec<[f64; 2]>,
    /// A position: Pinned markers.
    pub pinned: u8,
    /// A position: gone to ground.
    pub gone_to_ground: bool,
    /// A position: in Close Order.
    pub close_order: bool,
    /// A position: the leader has fallen.
    pub leaderless: bool,
    /// A position: the commander is in it (WBK-LEAD-09).
    pub commander: bool,
    /// A position: has acted this turn.
    pub activated: bool,
    /// A position: `destroyed`, `routed`, `off_table` or `exited`.
    pub lost: Option<LostFile>,
    /// A position: came back once already.
    pub returned: bool,
    /// A position: jammed, and may not fire this turn.
    pub jammed: bool,
    /// A position: the first double 1 has been ignored.
    pub charm_spent: bool,
    /// A position: hits kept against it this turn.
    pub carried: u8,
}

/// How a unit was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum LostFile {
    Destroyed,
    Routed,
    OffTable,
    Exited,
    ToCome,
}

/// Field forces by id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ForcesFile {
    pub imperial: Option<String>,
    pub native: Option<String>,
}

/// Limits of the forces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsFile {
    /// Points for each side.
    pub points: Option<i32>,
    /// False to allow any force.
    #[serde(default = "yes")]
    pub enforce: bool,
}

fn yes() -> bool {
    true
}

/// Free deployment.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct DeploymentFile {
    pub imperial: Option<EdgeName>,
    pub native: Option<EdgeName>,
    /// How deep the strips are.
    pub depth: Option<f64>,
}

/// The edges the sides come from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct HomeFile {
    pub imperial: Option<EdgeName>,
    pub native: Option<EdgeName>,
}

/// A table edge by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum EdgeName {
    North,
    East,
    South,
    West,
}

impl EdgeName {
    pub(crate) fn edge(self) -> Edge {
        match self {
            EdgeName::North => Edge::North,
            EdgeName::East => Edge::East,
            EdgeName::South => Edge::South,
            EdgeName::West => Edge::West,
        }
    }
}

/// An arrival point: with an id, or a place that is then called `P1`, `P2` …
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ArrivalFile {
    Named { id: Option<String>, at: [f64; 2] },
    Bare([f64; 2]),
}

/// Points scored so far.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct ScoreFile {
    pub imperial: i16,
    pub native: i16,
}

/// How a scenario is won. Everything is added up; the higher score wins.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VictoryFile {
    /// A lead of this or less is a draw.
    pub draw_margin: i32,
    /// Edges a side's units leave over, scoring their points.
    pub exit: Vec<ExitFile>,
    /// What a side scores for each enemy unit lost.
    pub lost: Vec<LostWorthFile>,
    /// What a side scores for each enemy unit still on the table at the end.
    pub left: Vec<PointsFile>,
    /// Places to hold.
    pub marker: Vec<MarkerFile>,
    /// What holding them is worth.
    pub markers: MarkersFile,
    /// Buildings to garrison.
    pub garrison: Vec<GarrisonFile>,
    /// Buildings whose capture ends the battle.
    pub storm: Vec<StormFile>,
    /// Points, and the end, when no enemy is left.
    pub annihilation: Vec<PointsFile>,
}

/// An exit edge.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExitFile {
    /// Whose units leave by it.
    pub side: SideName,
    /// Which edge.
    pub edge: EdgeName,
    /// From where along the edge.
    pub from: Option<f64>,
    /// To where.
    pub to: Option<f64>,
    /// A unit at half its models or fewer scores half.
    #[serde(default)]
    pub halved_scores_half: bool,
    /// Points more for a crewed weapon.
    #[serde(default)]
    pub crewed_bonus: i32,
}

/// What a lost enemy is worth.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LostWorthFile {
    /// The side that scores.
    pub side: SideName,
    /// `full`, `half` or a number.
    pub points: WorthFile,
}

/// `full`, `half` or a number.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum WorthFile {
    Number(i32),
    Name(WorthName),
}

/// A share of the lost unit's points.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum WorthName {
    Full,
    Half,
}

/// Points for a side.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PointsFile {
    pub side: SideName,
    pub points: i32,
}

/// A marker.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct MarkerFile {
    pub id: String,
    pub at: [f64; 2],
}

/// What markers are worth.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarkersFile {
    /// How near a model must be.
    pub within: f64,
    /// Points at the end of each round.
    pub each_round: i32,
    /// From which round on.
    pub from_round: u8,
    /// Points at the end of the battle.
    pub at_end: i32,
}

impl Default for MarkersFile {
    fn default() -> Self {
        Self { within: 3.0, each_round: 0, from_round: 1, at_end: 0 }
    }
}

/// A building to hold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GarrisonFile {
    /// The side that scores.
    pub side: SideName,
    /// The building's id.
    pub building: String,
    /// Points at the end of each round.
    #[serde(default)]
    pub each_round: i32,
    /// Points more at the end of the last round.
    #[serde(default)]
    pub at_end: i32,
}

/// A building whose capture ends the battle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct StormFile {
    pub side: SideName,
    pub building: String,
    pub points: i32,
}
