//! The format of set-up files, as people write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_game::case::Scalar;

use crate::model::state::{EdgeName, Formation, ObjectiveKind, Order, SubPhase};
use crate::rulebook::Cover;

/// A set-up file: a scenario, or the position of a rule case.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SetUpFile {
    /// The format of the file: 1.
    pub format: Option<u32>,
    /// The rule system's id.
    pub ruleset: Option<String>,
    /// The scenario's title.
    pub title: Option<String>,
    /// One line about it.
    pub blurb: Option<String>,
    /// Options of the scenario's own; choices made for a battle go over them.
    pub options: BTreeMap<String, Scalar>,
    /// Width and depth in centimetres.
    pub table: Option<[f64; 2]>,
    /// Length of the battle in turns.
    pub turns: Option<u32>,
    /// Percentage of stands lost that breaks an army.
    pub break_percent: Option<u32>,
    /// The side that attacks and phases first.
    pub first: Option<String>,
    /// The two sides, the host first.
    pub sides: Vec<SideFile>,
    /// The ground.
    pub terrain: Vec<PieceFile>,
    /// Groups, where their units do not say all.
    pub groups: Vec<GroupFile>,
    /// The units.
    pub units: Vec<UnitFile>,
    /// The generals.
    pub generals: Vec<GeneralFile>,
    /// Where in the battle a position is.
    pub now: Option<NowFile>,
    /// What wins points.
    pub objectives: Vec<ObjectiveFile>,
    /// How troops are placed.
    pub deployment: Option<DeploymentFile>,
}

/// A side.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideFile {
    /// Its id, used by units and generals.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// The nation whose list and counters it uses.
    pub nation: Option<String>,
    /// The long table edge it fights from.
    pub edge: Option<EdgeName>,
}

/// A piece of ground.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PieceFile {
    /// Its id.
    pub id: String,
    /// Hill, wood, town, marsh, scrub, stream, river, crossing, hedge, wall, earthwork, barricade, abatis, road.
    pub kind: String,
    /// Type of ground, 0 to 4.
    pub level: Option<u8>,
    /// The cover it gives.
    pub cover: Option<Cover>,
    /// Corners of an area or points of a line.
    pub points: Vec<[f64; 2]>,
    /// An area as two opposite corners.
    pub rect: Option<[f64; 4]>,
    /// The ridge of a hill.
    pub ridge: Vec<[f64; 2]>,
    /// The side that paid for it, if it is a work.
    pub owner: Option<String>,
}

/// A group.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroupFile {
    /// Its id, used by units.
    pub id: String,
    /// Its order.
    pub order: Option<Order>,
    /// Its general, or `none`.
    pub command: Option<String>,
    /// Has made its move of this phase.
    pub moved: bool,
    /// Has passed its test to charge.
    pub charging: bool,
    /// Targets of a charge already declared: charging unit and target.
    pub aims: Vec<[String; 2]>,
    /// What is left of its move, in centimetres.
    pub left: Option<f64>,
    /// Was on Stand when the phase began.
    pub began_on_stand: Option<bool>,
    /// Fallen back this phase, in centimetres of its move.
    pub fell_back: f64,
    /// Evaded this phase.
    pub evaded: bool,
    /// The group it pursues.
    pub pursuing: Option<String>,
    /// Off the table: where it left.
    pub off: Option<OffFile>,
    /// On a flank march, off the table.
    pub flank_march: bool,
    /// The edge a flank march comes by: east, west, or either when left out.
    pub edge: Option<EdgeName>,
}

/// Where a group left the table.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OffFile {
    /// The place on the edge.
    pub at: [f64; 2],
    /// Pursuers were behind it.
    pub followed: bool,
    /// It left in rout.
    pub routed: bool,
    /// Tries made.
    pub tries: u8,
}

/// A unit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnitFile {
    /// Its id.
    pub id: String,
    /// Its name; that of the army list when left out.
    pub name: Option<String>,
    /// Its side; the first when left out.
    pub side: Option<String>,
    /// Army list code.
    pub code: Option<String>,
    /// Troop type, by code or name.
    pub kind: Option<String>,
    /// Its group; a group of its own when left out.
    pub group: Option<String>,
    /// Its general, or `none`.
    pub command: Option<String>,
    /// The middle of its front.
    pub at: Option<[f64; 2]>,
    /// Degrees clockwise from north; towards the enemy when left out.
    pub facing: Option<f64>,
    /// Its formation.
    pub formation: Formation,
    /// Which side a turned unit turned to.
    pub turned: Option<String>,
    /// Stands now.
    pub stands: Option<u8>,
    /// Stands at the start.
    pub started: Option<u8>,
    /// Stands lost.
    pub lost: Option<u8>,
    /// Drill: well, normal, badly.
    pub drill: Option<String>,
    /// Morale: high, normal, poor.
    pub morale: Option<String>,
    /// Weapon of T2.
    pub weapon: Option<String>,
    /// Poor shots.
    pub poor_shots: Option<bool>,
    /// Militia upgraded to normal drill.
    pub upgraded_drill: bool,
    /// Militia upgraded to shoot at short range.
    pub upgraded_shots: bool,
    /// Who may share its group.
    pub tag: Option<String>,
    /// Depth of its stands.
    pub depth: Option<f64>,
    /// The order of its group.
    pub order: Option<Order>,
    /// Disordered.
    pub disordered: bool,
    /// Has shot today.
    pub fired: Option<bool>,
    /// Shot in this phase.
    pub fired_phase: bool,
    /// Shot in the phase before.
    pub fired_before: bool,
    /// Moved in this phase.
    pub moved: bool,
    /// Moved in the phase before.
    pub moved_before: bool,
    /// Was charged in this phase.
    pub charged: bool,
    /// Charged in this phase.
    pub charging: bool,
    /// Surrendered.
    pub surrendered: bool,
    /// Hidden.
    pub hidden: bool,
    /// The piece of ground that hides it.
    pub terrain: Option<String>,
    /// Points for one stand; worked out when left out.
    pub points: Option<f64>,
    /// Exact places of stands: right, forward, turn, and rank where it is not plain from the place.
    pub stand_places: Vec<Vec<f64>>,
}

/// A general.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GeneralFile {
    /// His id.
    pub id: String,
    /// His side.
    pub side: Option<String>,
    /// The C-in-C.
    pub cinc: bool,
    /// The middle of his front.
    pub at: Option<[f64; 2]>,
    /// Degrees clockwise from north.
    pub facing: Option<f64>,
    /// His counter: `Ab+`.
    pub counter: Option<String>,
    /// Attempts left.
    pub attempts: Option<u8>,
    /// Depth of his stand, 1.5 to 4.
    pub depth: Option<f64>,
    /// The wing commander he serves under, where there are several.
    pub wing: Option<String>,
}

/// Where in the battle a position is.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NowFile {
    /// The turn.
    pub turn: Option<u32>,
    /// The side whose phase it is.
    pub side: Option<String>,
    /// The sub-phase.
    pub step: Option<SubPhase>,
    /// Command dice are rolled already.
    pub rolled: bool,
}

/// An objective.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveFile {
    /// What must be done.
    pub kind: ObjectiveKind,
    /// The piece of ground.
    pub terrain: String,
    /// What it is worth.
    pub points: f64,
    /// How near, for `last_within`.
    #[serde(default)]
    pub distance: f64,
    /// The side that holds it now.
    #[serde(default)]
    pub held: Option<String>,
}

/// How troops are placed.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeploymentFile {
    /// Players place them by SYW-DEPLOY.
    pub free: bool,
    /// What each side may spend on an army that it buys at the table; units and generals are then left out (U2).
    pub points: Option<f64>,
    /// The ground is diced for (U3), on top of what the file has.
    pub random_terrain: bool,
    /// The defender may give up troops for ground (U7).
    pub buy_terrain: bool,
}
