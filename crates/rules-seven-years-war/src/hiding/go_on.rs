//! Moves that are nobody's to give again go on when hidden enemies hold their fire (SYW-VIS-06).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::Now;

use crate::action::Leg;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Order, Units};
use crate::sequence::turn::Task;

/// What is left of a move that came upon hidden enemies. Moves by order have none: their owner moves the group again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Rest {
    /// A charge, from wherever each unit has got to.
    Charge,
    /// A unit that goes along with its group's charge.
    Along {
        unit: UnitIx,
        legs: SmallVec<[Leg; 2]>,
        left: f64,
    },
    /// Chargers after a target that has got away.
    Follow,
    Pursuit {
        prey: GroupIx,
        left: f64,
        through: Units,
    },
    FallBack {
        left: f64,
        way: f64,
    },
    Rout {
        left: f64,
        way: f64,
    },
    /// Lights that fall back or evade, and what of their move they may still spend on it.
    GiveWay {
        left: f64,
        way: f64,
        allowance: f64,
    },
    BreakThrough {
        unit: UnitIx,
        left: f64,
    },
}

impl SevenYearsBattle {
    /// Goes on with it when all who lie there have been asked. It is to be called before they are.
    pub(crate) fn then_goes_on(&mut self, group: GroupIx, rest: Rest) {
        self.s.tasks.push(Task::GoOn { group, rest, halted: false });
    }

    /// Adds to the way lights are to go on who have come upon hidden enemies already; whether they have.
    pub(crate) fn gives_way_once_more(&mut self, light: GroupIx, more: f64, move_left: f64) -> bool {
        self.s.tasks.iter_mut().any(|task| match task {
            Task::GoOn { group, rest: Rest::GiveWay { left, allowance, .. }, .. } if *group == light => {
                *left += more;
                *allowance += move_left;
                true
            }
            _ => false,
        })
    }

    /// Whether a group is to go on by itself.
    pub(crate) fn will_go_on(&self, g: GroupIx) -> bool {
        self.s.tasks.iter().any(|t| matches!(t, Task::GoOn { group, .. } if *group == g))
    }

    /// Somebody has shot from hiding: what is left of the move is lost (SYW-VIS-04).
    pub(crate) fn goes_no_farther(&mut self, g: GroupIx) {
        for task in &mut self.s.tasks {
            if let Task::GoOn { group, halted, .. } = task {
                *halted |= *group == g;
            }
        }
    }

    /// Hidden enemies have held their fire, or have halted the group.
    pub(crate) fn go_on(&mut self, g: GroupIx, rest: Rest, halted: bool, now: &mut Now<'_>) {
        let advances = self.group(g).order == Order::Advance && !self.members(g).is_empty();
        match rest {
            // Halted or not, it has broken through.
            Rest::BreakThrough { unit, left } => {
                self.ride_farther(unit, if halted { 0.0 } else { left }, now.log);
            }
            _ if halted => {}
            Rest::Along { unit, legs, left } if self.unit(unit).is_known() => {
                self.rides_along(unit, legs, left, now);
            }
            Rest::Charge if advances => self.ride_home(g, now),
            Rest::Follow if advances && self.members(g).iter().all(|&u| self.charge_left(u) > 0.05) => {
                let aims = self.group(g).phase.aims.clone();
                self.follow(g, &aims, now);
            }
            Rest::Pursuit { prey, left, through } if self.group(g).pursuing == Some(prey) => {
                self.pursuit_move(g, prey, left, through, now);
            }
            Rest::FallBack { left, way } if self.group(g).order == Order::Retreat => {
                let stuck = self.group(g).phase.pinned;
                self.fall_back(g, left, Some(way), now.log);
                self.group_mut(g).phase.pinned &= stuck;
            }
            Rest::GiveWay { left, way, allowance } if self.can_evade(g) => {
                self.give_way_farther(g, way, [left, allowance], now);
            }
            Rest::Rout { left, way } if self.group(g).order == Order::Rout => {
                self.run_on(g, way, left, now);
            }
            _ => {}
        }
    }
}
