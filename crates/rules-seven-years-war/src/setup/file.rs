//! What set-up files say: the words of every rulebook, and those of these rules.

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_drill::scenario::{Dialect, Nothing, Piece, Scenario, UnitEntry, Upgrade};
use tricorne_game::{Choices, UnitId};
use tricorne_table::Edge;

use crate::JsonSchema;
use crate::model::state::{Formation, Order, SubPhase};
use crate::rulebook::Cover;

/// The words of Seven Years War.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Dialect for Words {
    const RULESET: &'static str = "seven-years-war";
    const UNTITLED: &'static str = "Seven Years War";
    const WITHOUT: &'static [&'static str] = &[
        "seat",
        "arrival",
        "unit.seat",
        "unit.arrives",
        "side.zone",
        "side.livery",
        "side.briefing",
        "terrain.width",
        "objective.name",
        "objective.side",
        "objective.zone",
        "objective.at",
    ];
    type Head = HeadWords;
    type Side = SideWords;
    type Seat = Nothing;
    type Ground = GroundWords;
    type Unit = UnitWords;
    type Objective = ObjectiveWords;

    fn upgrade(file: &mut Upgrade, choices: &Choices) {
        super::upgrade::upgrade(file, choices);
    }
}

/// At the head.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeadWords {
    /// Percentage of stands lost that breaks an army.
    pub break_percent: Option<u32>,
    /// Groups, where their units do not say all.
    pub group: Vec<GroupFile>,
    /// The generals.
    pub general: Vec<GeneralFile>,
    /// Where in the battle a position is.
    pub now: Option<NowFile>,
    /// How troops are placed.
    pub deployment: Option<DeploymentFile>,
}

/// A set-up file as read: a scenario, or the position of a rule case. Armies and ground may be added to it at the table.
pub type File = Scenario<Words>;
/// A unit of it.
pub type UnitFile = UnitEntry<UnitWords>;
/// A piece of its ground.
pub type PieceFile = Piece<GroundWords>;

impl HeadWords {
    /// Generals who have names of their own. An id that is none is found out when the general is set down.
    pub fn general_names(&self) -> BTreeMap<UnitId, String> {
        let named = |g: &GeneralFile| Some((g.id.parse().ok()?, g.name.clone().filter(|n| !n.is_empty())?));
        self.general.iter().filter_map(named).collect()
    }
}

/// For a side.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideWords {
    /// The nation whose list and counters it uses.
    pub nation: Option<String>,
}

/// For a piece of ground: hill, wood, town, marsh, scrub, stream, river, crossing, hedge, wall, earthwork, barricade, abatis,
/// road.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundWords {
    /// The cover it gives.
    pub cover: Option<Cover>,
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
    pub edge: Option<Edge>,
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

/// For a unit, whose `kind` is a troop type by code or name, or the code of an army list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnitWords {
    /// Army list code, where `kind` is the troop type and not a code.
    pub code: Option<String>,
    /// Its group; a group of its own when left out.
    pub group: Option<String>,
    /// Its general, or `none`.
    pub command: Option<String>,
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
    /// His name: `Seydlitz`. His army and rank when left out.
    pub name: Option<String>,
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

/// For an objective.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectiveWords {
    /// The side that holds it now.
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
