//! What a player may answer.

use serde::{Deserialize, Serialize};
use tricorne_game::{Seat, UnitId};
use tricorne_table::Point;

use crate::JsonSchema;
use crate::formations::{Formation, Spread};

/// Points given to a Lieutenant General (ATKM-CMD-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gift {
    /// His seat.
    pub to: Seat,
    /// How many.
    pub points: u8,
}

/// A part of split light infantry (ATKM-ADV-02).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its privates.
    pub n: u8,
    /// Its centre.
    pub at: Point,
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// D1: places a unit.
    Deploy {
        /// Which.
        unit: UnitId,
        /// Its origin.
        at: Point,
        /// Its facing.
        facing: f64,
        /// Its shape.
        shape: Formation,
        /// How skirmishers spread; a line if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spread: Option<Spread>,
    },
    /// D2: places the seat's general.
    PlaceGeneral {
        /// The centre of his base.
        at: Point,
    },
    /// D3, D11: sets the general touching a unit.
    SetGeneral {
        /// The unit.
        beside: UnitId,
    },
    /// D4: hands out command points; an empty list keeps them all.
    Give(Vec<Gift>),
    /// D5, D6: the unit that loses its turn.
    Disorder {
        /// Which.
        unit: UnitId,
    },
    /// D7: who has the effect of a Jack, Queen, King or Ace.
    Benefit {
        /// His seat.
        seat: Seat,
    },
    /// Who acts next on the card (`teammate_order`: `commander_decides`).
    Next {
        /// His seat.
        seat: Seat,
    },
    /// D8: activates a unit.
    Activate {
        /// Which.
        unit: UnitId,
    },
    /// D8: lets the activation go.
    Pass,
    /// D9, D13: rides the general.
    MoveGeneral {
        /// Where to.
        to: Point,
    },
    /// D13: the general stays.
    Stay,
    /// D10: moves.
    Move {
        /// The ends of the legs; none turns on the spot.
        path: Vec<Point>,
        /// The facing at the end; as before if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<f64>,
        /// How skirmishers spread at the end; as before if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spread: Option<Spread>,
    },
    /// D10: changes formation.
    Change {
        /// The new shape.
        shape: Formation,
    },
    /// D10: light infantry goes apart (ATKM-ADV-02).
    Split {
        /// The parts, all the men together.
        parts: Vec<Part>,
    },
    /// D10: parts of light infantry form again (ATKM-ADV-02).
    Gather {
        /// The other parts.
        with: Vec<UnitId>,
        /// The shape, line or column.
        shape: Formation,
    },
    /// D10: fires.
    Fire {
        /// At whom.
        target: UnitId,
    },
    /// D10: charges.
    Charge {
        /// Whom.
        target: UnitId,
        /// The ends of the legs; on the last the charger slides until it touches.
        path: Vec<Point>,
        /// The facing on the last leg; as before if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<f64>,
    },
    /// D10: a mob falls in again.
    Reform {
        /// Into what.
        shape: Formation,
        /// Facing where; as before if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<f64>,
    },
    /// D10: nothing more.
    End,
    /// D10: takes the choice of unit back.
    Withdraw,
    /// D12: rides after the mob (ATKM-ADV-08).
    Pursue,
    /// D12: lets it go.
    Decline,
    /// Gives the battle up (ATKM-END-04).
    Concede,
}

impl Action {
    /// The unit that it names, whom it is about.
    pub fn about(&self) -> Option<UnitId> {
        match self {
            Action::Deploy { unit, .. }
            | Action::Disorder { unit }
            | Action::Activate { unit }
            | Action::Fire { target: unit }
            | Action::Charge { target: unit, .. } => Some(*unit),
            _ => None,
        }
    }

    /// The clause that speaks of such an answer, for when it comes out of place.
    pub(crate) fn clause(&self) -> &'static str {
        match self {
            Action::Deploy { .. } => "ATKM-SETUP-07",
            Action::PlaceGeneral { .. } => "ATKM-GEN-04",
            Action::SetGeneral { .. } => "ATKM-GEN-10",
            Action::Give(_) => "ATKM-CMD-06",
            Action::Disorder { .. } => "ATKM-CARD-16",
            Action::Benefit { .. } => "ATKM-CARD-03",
            Action::Next { .. } => "ATKM-TEAM-08",
            Action::Activate { .. } => "ATKM-TEAM-07",
            Action::Pass => "ATKM-TURN-10",
            Action::MoveGeneral { .. } => "ATKM-GEN-06",
            Action::Stay => "ATKM-TURN-13",
            Action::Pursue | Action::Decline => "ATKM-ADV-08",
            Action::Withdraw => "ATKM-ACT-09",
            Action::Concede => "ATKM-END-04",
            _ => "ATKM-ACT-01",
        }
    }
}
