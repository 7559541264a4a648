//! What a player may answer. The JSON forms are part of the published format.

use serde::{Deserialize, Serialize};
use tricorne_game::UnitId;
use tricorne_table::Point;

use crate::JsonSchema;
use crate::state::{Layout, Order};

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Activate a unit (T1).
    Activate(UnitId),
    /// End the turn (T1).
    EndTurn,
    /// Declare an action (T2).
    Declare(Declare),
    /// Go along a path (T4).
    Go(Go),
    /// Enter a building, by its id.
    Enter(String),
    /// Stay put.
    NoMove,
    /// Attack At the Double, or the target of an Attack that was declared without one.
    Charge(Charge),
    /// Which half of a Skirmish comes first.
    Skirmish(Half),
    /// Fire at a unit.
    Shoot(UnitId),
    /// Hold the fire of a Skirmish.
    HoldFire,
    /// Form Close Order.
    Form(Form),
    /// Follow up the beaten enemy (T6b).
    FollowUp,
    /// Strike another enemy instead (T6b).
    Strike(UnitId),
    /// Take over what the loser defended (T6b).
    Occupy(Occupy),
    /// Stay where the melee was won (T6b).
    Stay,
    /// Whether an Inspiring leader's Rally is rolled again (T9).
    Reroll(bool),
    /// Place a unit in free deployment.
    Place(Place),
    /// Name the unit the commander is in (WBK-LEAD-09).
    Command(UnitId),
    /// Give the battle up. Legal whenever a side is asked, and never listed.
    Concede,
}

impl Action {
    /// The unit that it names, whom it is about.
    pub fn about(&self) -> Option<UnitId> {
        match self {
            Action::Activate(unit)
            | Action::Charge(Charge { target: unit, .. })
            | Action::Shoot(unit)
            | Action::Strike(unit)
            | Action::Place(Place { unit, .. })
            | Action::Command(unit) => Some(*unit),
            Action::Declare(declare) => declare.target,
            _ => None,
        }
    }
}

/// A declared action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Declare {
    /// Which.
    pub action: Order,
    /// At whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<UnitId>,
    /// Where the anchor goes before the last straight slide of an Attack, at most 3 places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waypoints: Vec<Point>,
    /// A Move out of Close Order (WBK-CLOSE-14).
    #[serde(default, skip_serializing_if = "is_false")]
    pub open_out: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Declare {
    /// An action without further detail.
    pub fn plain(action: Order) -> Self {
        Self { action, target: None, waypoints: Vec::new(), open_out: false }
    }

    /// An action at a target.
    pub fn at(action: Order, target: UnitId) -> Self {
        Self { target: Some(target), ..Self::plain(action) }
    }
}

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Go {
    /// The ends of the anchor's legs, at most 8.
    pub path: Vec<Point>,
    /// How the models stand at the end; as before when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Which way the unit faces at the end, in whole degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<u16>,
}

/// An attack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// At whom.
    pub target: UnitId,
    /// Where the anchor goes first, at most 3 places.
    #[serde(default)]
    pub waypoints: Vec<Point>,
}

/// The halves of a Skirmish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// The move first.
    Move,
    /// The fire first.
    Fire,
    /// Neither.
    Skip,
}

/// Forming Close Order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Which way the block faces.
    pub facing: u16,
    /// Where its anchor goes to make room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Point>,
}

/// Taking over what the loser defended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Occupy {
    /// The building.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building: Option<String>,
    /// The anchor at the obstacle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Point>,
    /// `cluster` or `line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Which way the unit faces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<u16>,
}

/// Placing a unit in free deployment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Which unit.
    pub unit: UnitId,
    /// Its anchor.
    pub at: Point,
    /// How its models stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Which way it faces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<u16>,
}
