//! What changes in the course of a battle.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use tricorne_chance::{Deck, Playing};
use tricorne_game::{Seat, Side};
use tricorne_table::{Frame, Point, Rect};

use crate::rulebook::{Colour, Rulebook};
use crate::setup::deploy::Opening;
pub use crate::unit::{Presence, Quality, Unit};
pub(crate) use crate::unit::{gap, nearest};

/// The most seats at a table.
pub(crate) const MOST_SEATS: usize = 6;
/// A unit, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnitNo(u8);

impl UnitNo {
    /// The most units there can be.
    pub(crate) const MOST: usize = u8::MAX as usize;

    /// The unit at a place in the list.
    pub(crate) fn at(place: usize) -> Self {
        Self(place as u8)
    }

    /// Its place in the list.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Rectangles of bases on the table.
pub(crate) type Solids = ArrayVec<Rect, 14>;

/// A general and the seat he sits in.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct General {
    /// His army.
    pub army: Side,
    /// 1, 2 or 3.
    pub rating: u8,
    /// Where he stands.
    pub at: Point,
    /// Whether he has been placed.
    pub placed: bool,
    /// Killed, and not yet replaced.
    pub killed: bool,
    /// Whether he is Commanding General.
    pub commander: bool,
    /// Command points in hand.
    pub points: u8,
}

impl General {
    /// On the table.
    pub fn present(&self) -> bool {
        self.placed && !self.killed
    }

    /// The ground his base covers.
    pub(crate) fn base(&self, rules: &Rulebook) -> Rect {
        base_at(rules, self.at)
    }
}

/// A general's base at a place.
pub(crate) fn base_at(rules: &Rulebook, at: Point) -> Rect {
    let [w, d] = rules.base.general;
    base_rect(Point::new(0.0, 1.0), 0.0, at, w, d)
}

/// A base about a place, with the directions of a unit already worked out.
pub(crate) fn base_rect(forward: Point, facing: f64, at: Point, width: f64, depth: f64) -> Rect {
    Rect::in_frame(&Frame { at, forward }, facing, Point::ORIGIN, width, depth)
}

/// What a special card does for the activation it gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Benefit {
    /// An ordinary activation.
    #[default]
    None,
    /// Full movement.
    Jack,
    /// No downgrade.
    Queen,
    /// The general may move instead.
    King,
    /// Two activations.
    Ace,
}

/// A card being settled.
#[derive(Clone, Debug, Serialize)]
pub struct Play {
    /// The card.
    pub card: Playing,
    /// The army it serves.
    pub army: Side,
    /// Seats still to act, in order; the first is acting.
    pub queue: ArrayVec<Seat, MOST_SEATS>,
    /// Activations left to the first of them.
    pub left: u8,
    /// Who gets a special card's effect.
    pub beneficiary: Option<Seat>,
    /// Units activated on this card, and by whom.
    pub used: ArrayVec<(UnitNo, Seat), 8>,
}

/// A unit being activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
// The parts may come in several orders and each at most once, so each is remembered by itself.
#[allow(clippy::struct_excessive_bools)]
pub struct Activation {
    /// Who activates it.
    pub seat: Seat,
    /// Which unit.
    pub unit: UnitNo,
    /// Its colour before (ATKM-RES-03).
    pub began: Colour,
    /// Command points paid.
    pub paid: u8,
    /// The card's benefit.
    pub benefit: Benefit,
    /// It has fired.
    pub fired: bool,
    /// It has moved.
    pub moved: bool,
    /// It has changed formation.
    pub changed: bool,
    /// It has rearranged its ranks (`rank_change` free).
    pub dressed: bool,
    /// It has fought.
    pub fought: bool,
    /// It fired after moving or changing, so that only the end is left (ATKM-ACT-03).
    pub fired_last: bool,
    /// It went apart into parts, which all end this activation together (ATKM-ADV-02).
    pub split: bool,
}

impl Activation {
    /// An activation with nothing done yet.
    pub(crate) fn new(seat: Seat, unit: UnitNo, began: Colour, paid: u8, benefit: Benefit) -> Self {
        Self {
            seat,
            unit,
            began,
            paid,
            benefit,
            fired: false,
            moved: false,
            changed: false,
            dressed: false,
            fought: false,
            fired_last: false,
            split: false,
        }
    }

    /// Whether any part has been carried out.
    pub fn begun(&self) -> bool {
        self.fired || self.moved || self.changed || self.dressed || self.fought
    }
}

/// What the battle waits for, or does next by itself: the states of the ledger's part 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Stage {
    /// Before anything is rolled.
    Muster,
    /// D1: a unit is placed.
    Deploy,
    /// D2: generals are placed.
    PlaceGenerals,
    /// 5: a turn begins.
    TurnStart,
    /// D3: a killed general's successor.
    Replace,
    /// D14: units that come this turn; the one whose owner is asked.
    Arrive(Option<UnitNo>),
    /// 6: command dice.
    Command,
    /// D4: gifts of an army.
    Gifts(Side),
    /// 9: the next card.
    Draw,
    /// D5, D6: a unit of this army is disordered.
    Disorder(Side),
    /// D7: who benefits.
    Beneficiary,
    /// Who acts next (`teammate_order`: `commander_decides`).
    Order,
    /// D8: which unit.
    Choose,
    /// D10: what it does.
    Act,
    /// D12: pursuit of a mob.
    Pursue(UnitNo),
    /// 16: an activation ends.
    Finish,
    /// 20: a turn ends.
    TurnEnd,
    /// D13: generals ride, so many have.
    Ride(u8),
    /// 21: scores.
    Reckon,
    /// Finished.
    Over,
}

/// How well a battle was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// With three quarters of the army left.
    Decisive,
    /// Won.
    Victory,
    /// Just.
    Marginal,
    /// Neither.
    Draw,
}

/// Why a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The other army routed.
    Rout,
    /// Both did.
    MutualRout,
    /// The other side conceded.
    Conceded,
    /// The limit was reached and the scores decide.
    Scores,
    /// The limit was reached, or there were turns without a loss, and the objective decides.
    Objective,
    /// With no limit, turns without a loss, and the scores decide (ATKM-END-06).
    Quiet,
    /// With no limit, nobody has fallen at all (ATKM-END-10).
    Bloodless,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Who won.
    pub winner: Option<Side>,
    /// How well.
    pub grade: Grade,
    /// Why.
    pub cause: Cause,
}

/// Everything that changes.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// From 1; 0 before the first.
    pub turn: u16,
    /// What comes next.
    pub stage: Stage,
    /// All units, gone ones too.
    pub units: Vec<Unit>,
    /// All generals, by seat.
    pub generals: ArrayVec<General, MOST_SEATS>,
    /// The 28 cards.
    pub deck: Deck<Playing>,
    /// The card being settled.
    pub play: Option<Play>,
    /// The unit being activated.
    pub activation: Option<Activation>,
    /// Generals whose owner must move them out of an enemy's way, by seat.
    pub overrun: ArrayVec<Seat, MOST_SEATS>,
    /// Next to benefit of a special card, by army (`special_beneficiary` rotate).
    pub rotation: [u8; 2],
    /// Units each army began with.
    pub began: [u16; 2],
    /// Privates each army began with.
    pub began_privates: [u16; 2],
    /// Points in units each army began with.
    pub began_points: [i32; 2],
    /// Scenario scores.
    pub scored: [i32; 2],
    /// Turns in a row without a loss.
    pub quiet: u8,
    /// Whether a private fell or ran this turn.
    pub blood: bool,
    /// Whether a unit was lost since the last test for army rout.
    pub loss: bool,
    /// How far the deployment zone has grown for each army's next unit.
    pub grown: [u8; 2],
    /// The army that places next.
    pub placing: Side,
    /// A unit whose owner is asked where to set it up, and a place it has: found once, when it comes to that.
    #[serde(skip)]
    pub(crate) opening: Option<Opening>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}
