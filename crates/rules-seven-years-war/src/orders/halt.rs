//! A group that must halt before the enemy: does it go to Stand, or test to charge (SYW-ORDER-28, -32)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Log, Preview, Steer, UnitId, Wish};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::{Aim, Order};
use crate::questions::asks;
use crate::rulebook::Arm;

/// It must halt: Stand, or test to charge?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Halt {
    pub group: GroupIx,
}

/// Why a group halts and goes to Stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halted {
    EnemyAhead,
    EnemyInRange,
    RatherThanCharge,
    NoWayOn,
}

/// Why a group that meets friends, or the edge of the table, goes no further (SYW-ORDER-35, SYW-OFF-01).
pub(crate) const FRIENDS_AHEAD: &str = "because friends stood in the way";
pub(crate) const EDGE_AHEAD: &str = "because the edge of the table was ahead";

impl SevenYearsBattle {
    /// A group halts and goes to Stand.
    pub(crate) fn halt(&mut self, g: GroupIx, why: Halted, log: &mut Log) {
        let guns = self.group(g).arm == Arm::Artillery;
        let missiles = self.group(g).arm != Arm::Cavalry
            && self.members(g).iter().any(|&u| self.fixed.book.ranges(self.info(u).weapon).greatest() > 0.0);
        let ahead = match (guns, missiles) {
            (true, _) => "SYW-ORDER-30",
            (false, true) => "SYW-ORDER-28",
            (false, false) => "SYW-ORDER-32",
        };
        let (clause, because) = match why {
            Halted::EnemyAhead => (ahead, "because the enemy was straight ahead"),
            Halted::EnemyInRange => {
                (if guns { "SYW-ORDER-27" } else { "SYW-ORDER-31" }, "for the enemy was in range")
            }
            Halted::RatherThanCharge => (ahead, "rather than charge"),
            Halted::NoWayOn => ("SYW-ORDER-36", "for there was no way on"),
        };
        log.say(|| self.group_event("halt", clause, g).with("because", because));
        self.set_order(g, Order::Stand, None, log);
    }
}

impl Halt {
    fn named(&self, b: &SevenYearsBattle, group: UnitId) -> Result<(), Illegal> {
        if b.known_group(group) == Some(self.group) {
            return Ok(());
        }
        refuse("SYW-ORDER-32", format!("{} must answer for its halt", b.group(self.group).id))
    }
}

impl Question<SevenYearsBattle> for Halt {
    /// Whom it tests to charge; none: it goes to Stand.
    type Judged = Option<SmallVec<[Aim; 4]>>;

    asks!("halt", group);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} must halt: Stand, or test to charge?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        let group = b.group(self.group);
        group.order == Order::Advance
            && !group.phase.tested_charge
            && group.off.is_none()
            && b.find_charge(self.group, 0).is_some()
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        let group = b.group(self.group);
        if group.order == Order::Advance && group.off.is_none() {
            b.halt(self.group, Halted::EnemyAhead, now.log);
        }
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(self.usual(b));
        out.list_all(b.charge_proposals(self.group));
        out.space("charge", None, None, "targets for several units, with wheels");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Stand { group } => self.named(b, *group).map(|()| None),
            Action::Charge { group, targets } => {
                self.named(b, *group)?;
                b.judge_charge(self.group, targets).map(Some)
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, aims: Self::Judged, now: &mut Now<'_>) {
        match aims {
            Some(aims) => b.declare(self.group, aims, now),
            None => b.halt(self.group, Halted::RatherThanCharge, now.log),
        }
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        Action::Stand { group: b.group(self.group).id }
    }

    fn preview(&self, b: &SevenYearsBattle, aims: &Self::Judged) -> Preview {
        b.preview_charge(aims.as_deref().unwrap_or_default())
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        let from = whim.below(b.s.units.len().max(1));
        let charge = if whim.chance(0.7) { b.find_charge(self.group, from) } else { None };
        charge.unwrap_or_else(|| self.usual(b))
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        let mine = wish.unit.and_then(|id| b.known_unit(id)).filter(|&u| b.unit(u).group == self.group);
        match mine.or_else(|| b.members(self.group).first().copied()) {
            Some(u) => b.steer_charge(self.group, u, wish),
            None => Steer::refused(self.other(b)),
        }
    }
}
