//! What scenario files, and the positions of rule cases, say in these rules besides the words of every rulebook.

use serde::{Deserialize, Serialize};
use tricorne_drill::scenario::{Dialect, Nothing, Scenario, UnitEntry, Upgrade};
use tricorne_game::{Choices, Side};

use crate::JsonSchema;
use crate::state::{Character, IMPERIAL, Layout, NATIVE};

/// The words of The Men Who Would Be Kings.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Dialect for Words {
    const RULESET: &'static str = "would-be-kings";
    const SIDES: Option<[&'static str; 2]> = Some(["imperial", "native"]);
    const WITHOUT: &'static [&'static str] =
        &["seat", "unit.seat", "unit.arrives", "side.name", "side.livery", "side.briefing", "terrain.width"];
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

/// A file as read.
pub type File = Scenario<Words>;
/// A unit of it.
pub type UnitFile = UnitEntry<UnitWords>;

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

/// At the head.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeadWords {
    /// What a force may cost.
    pub limits: Option<LimitsWords>,
    /// A lead of this or less is a draw.
    pub draw_margin: i32,
    /// What holding the markers is worth.
    pub markers: MarkersWords,
    /// A position: whose turn it is.
    pub active: Option<SideName>,
    /// A position: the round.
    pub round: Option<u8>,
    /// A position: 1 for the first turn of the round, 2 for the second.
    pub turn: Option<u8>,
    /// A position: points scored so far for rounds and markers held.
    pub score: Option<ScoreWords>,
    /// A position: program units to come, next first.
    pub pool: Vec<String>,
}

/// Limits of the forces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsWords {
    /// Points for each side.
    pub points: Option<i32>,
    /// False to allow any force.
    #[serde(default = "yes")]
    pub enforce: bool,
}

fn yes() -> bool {
    true
}

/// What markers are worth.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarkersWords {
    /// How near a model must be.
    pub within: f64,
    /// Points at the end of each round.
    pub each_round: i32,
    /// From which round on.
    pub from_round: u8,
    /// Points at the end of the battle.
    pub at_end: i32,
}

impl Default for MarkersWords {
    fn default() -> Self {
        Self { within: 3.0, each_round: 0, from_round: 1, at_end: 0 }
    }
}

/// Points scored so far.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct ScoreWords {
    pub imperial: i16,
    pub native: i16,
}

/// For a side.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideWords {
    /// A field force of the rulebook, by id, added to its units.
    pub force: Option<String>,
}

/// For a piece of ground.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundWords {
    /// A steep hill is difficult.
    pub steep: bool,
    /// How many models a building holds.
    pub capacity: Option<u8>,
    /// What people call it, without an article: `storehouse`.
    pub name: String,
}

/// For a unit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)]
pub struct UnitWords {
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
    /// `cluster`, `line`; `gun` for crewed weapons.
    pub layout: Option<Layout>,
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
    pub lost: Option<LostWord>,
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
pub enum LostWord {
    Destroyed,
    Routed,
    OffTable,
    Exited,
    ToCome,
}

/// For an objective. Everything is added up; the higher score wins.
///
/// | kind | who scores | what for |
/// |---|---|---|
/// | `exit` | `side`, by units that leave over `zone`, a stretch of an edge | their points |
/// | `lost` | `side`, for each enemy unit lost | `points`, or a `share` of what it cost |
/// | `left` | `side`, for each enemy unit on the table at the end | `points` |
/// | `marker` | whoever holds the place `at` | what `[markers]` says |
/// | `garrison` | `side`, in the building `terrain` | `each_round`, and `points` at the end |
/// | `storm` | `side`, on taking the building `terrain`; the battle ends | `points` |
/// | `annihilation` | `side`, when no enemy is left; the battle ends | `points` |
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectiveWords {
    /// `exit`: a unit at half its models or fewer scores half.
    pub halved_scores_half: bool,
    /// `exit`: points more for a crewed weapon.
    pub crewed_bonus: i32,
    /// `lost`: the share of the lost unit's points.
    pub share: Option<Share>,
    /// `garrison`: points at the end of each round.
    pub each_round: i32,
}

/// A share of the lost unit's points.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Share {
    Full,
    Half,
}
