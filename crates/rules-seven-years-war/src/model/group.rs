//! A group: its order, its charge, its flight, and what it has done in a phase (SYW-GROUP).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_game::{Side, UnitId};
use tricorne_table::{Edge, Point};

use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Direction, Order, Units};
use crate::rulebook::Arm;

/// One unit's part in a declared charge (SYW-CHARGE-04).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Aim {
    pub unit: UnitIx,
    pub target: UnitIx,
    /// Wheel before going straight ahead, clockwise positive.
    pub wheel: f64,
    pub from: Direction,
    /// How far the target was when the charge was declared (SYW-SHOOT-46).
    pub gap: f64,
    /// How far the stands that make no contact ride on (SYW-MOVE-17); 0 for not at all.
    pub ride_on: f64,
}

impl Aim {
    /// At an enemy who is met already.
    pub fn met(unit: UnitIx, target: UnitIx, from: Direction) -> Self {
        Self { unit, target, wheel: 0.0, from, gap: 0.0, ride_on: 0.0 }
    }
}

/// Where a group went over the edge (SYW-OFF).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Left {
    pub at: Point,
    pub edge: Edge,
    pub followed: bool,
    pub routed: bool,
    pub tries: u8,
    /// A flank march that has not come yet, and the edges it may come by.
    pub march: bool,
    pub either: bool,
    /// It has not been on the table yet: a flank march, or a group that found no room when it was deployed.
    pub fresh: bool,
    /// It may come but there was no room last time (SYW-OFF-11).
    pub ready: bool,
    /// A try was made in this movement sub-phase.
    pub tried: bool,
}

/// A retreat or rout put off to the next movement (SYW-PURSUE-10), and the way it goes where that is settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Deferred {
    FallBack { distance: f64, way: Option<f64> },
    Rout { way: Option<f64> },
}

/// An evasion that is settled when the charge goes home (SYW-EVADE-09, -18).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chase {
    pub by: GroupIx,
    /// How much farther off they are than when the charge was declared, by fall-back and evade: a charger whose gap was so
    /// much less than what is left of its move catches them.
    pub gone: f64,
    /// They had to go, before massed troops in easy ground (SYW-EVADE-11).
    pub had_to: bool,
}

/// How lights got out of the way (SYW-EVADE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum GaveWay {
    FellBack,
    Evaded,
}

/// A group: what orders are given to and what tests morale (SYW-GROUP).
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub id: UnitId,
    pub side: Side,
    pub arm: Arm,
    pub order: Order,
    /// Its general; none is un-commanded (SYW-ARMY-23).
    pub command: Option<GeneralIx>,
    pub units: Units,
    /// How it gave way in the phase before, if it did (for `fallback_no_shoot_span`).
    pub gave_way_before: Option<GaveWay>,
    pub pursuing: Option<GroupIx>,
    /// Pursuit has gone beyond its first move (SYW-PURSUE-05).
    pub pursued: bool,
    pub off: Option<Left>,
    pub deferred: Option<Deferred>,
    /// It fought as the enemy of pursuers that ran into it in a pursuit move (SYW-PURSUE-10).
    pub met_pursuers: bool,
    /// Starting stands and killed stands of units that were of it and have gone (SYW-CAS-07).
    pub ghosts_started: u8,
    /// How far each general was when this sub-phase began (SYW-MORALE-13); noted before anything happens to it.
    pub near: Option<SmallVec<[f64; 8]>>,
    /// What it has done in this phase.
    pub phase: GroupPhase,
}

/// What a group has done and suffered in a phase; it goes with the phase.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GroupPhase {
    /// Has made its move.
    pub moved: bool,
    /// The share of its greatest speed already used.
    pub used: f64,
    /// Halted: by ambush, or because it had to.
    pub halted: bool,
    /// Was on Stand when the phase began (SYW-ORDER-27).
    pub began_on_stand: bool,
    pub tested_charge: bool,
    pub charging: bool,
    pub aims: SmallVec<[Aim; 4]>,
    /// Distance to the nearest known enemy at the start.
    pub began_gap: f64,
    /// Fallen back by SYW-EVADE, in centimetres of its move.
    pub fell_back: f64,
    pub evaded: bool,
    /// Lost stands to shooting in this sub-phase or by ambush, and must test.
    pub shot_losses: bool,
    /// Stands lost and killed in melee, melees won and lost and whether it fought at all.
    pub melee_lost: u8,
    pub melee_killed: u8,
    pub melees_won: u8,
    pub melees_lost: u8,
    pub fought: bool,
    /// From where each enemy it fought had met it, and the way he faced (SYW-MORALE-43); who met others fights to his front.
    pub met: SmallVec<[(Direction, f64); 4]>,
    /// Shot at by guns at short range (SYW-MORALE-18).
    pub short_guns: bool,
    /// Enemy units that shot at it (SYW-MORALE-16).
    pub shot_by: Units,
    pub saw_friends: bool,
    /// Retreat move made; rout move made.
    pub fled: bool,
    /// Tried to change its own order (SYW-ORDER-15).
    pub self_tried: bool,
    /// Went to Retreat by a test (SYW-CHARGE-09).
    pub gave_way: bool,
    /// Its test for being charged came to no better than going to Retreat (SYW-SHOOT-48).
    pub shrank: bool,
    /// Had to fall back and could not move at all (SYW-FLANK-11).
    pub pinned: bool,
    /// Evaded before a charge that may still catch it (SYW-EVADE-09).
    pub chased: SmallVec<[Chase; 1]>,
    /// Must still answer the charges of these groups before they come home (option `charge_answer_time`).
    pub late_answers: SmallVec<[GroupIx; 1]>,
}
