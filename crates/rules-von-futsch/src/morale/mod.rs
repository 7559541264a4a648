//! Morale tests, retreats, disorder, rallying and reforming (ledger 4.5, 4.10).

pub(crate) mod bearing;
pub(crate) mod face;
pub(crate) mod hindrance;
pub(crate) mod reform;
pub(crate) mod retreat;
use tricorne_chance::Chance;
use tricorne_drill::{Reasons, Test};
use tricorne_game::Log;

use crate::field::Field;
use crate::model::{Nr, Quality};
use crate::options::{BreakCount, RallyPenalty, ShakenModifier, ShakenPass};
use crate::questions::Face;

/// How a test came out (VF-MORALE-06 to -08).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Steady,
    Wavers,
    Routs,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Steady => "steady",
            Outcome::Wavers => "wavers",
            Outcome::Routs => "routs",
        }
    }
}

impl Field {
    /// The modifiers of a test with so many figures lost (VF-MORALE-05, VF-SHAKEN-04, -09).
    pub(crate) fn morale_reasons(&self, u: Nr, lost: u8, becoming_shaken: bool) -> Reasons {
        let m = &self.p().morale;
        let mut list = Reasons::default();
        match self.spec(u).quality {
            Quality::Elite => list.line(&m.elite),
            Quality::Poor => list.line(&m.poor),
            Quality::Normal => {}
        }
        if self.army_commander_with(u).is_some() {
            list.line(&m.army_commander);
        }
        let shaken =
            becoming_shaken || (self.unit(u).shaken && self.o().rally_penalty == RallyPenalty::Always);
        let replaced = shaken && self.o().shaken_modifier == ShakenModifier::InsteadOfHalf;
        if self.share_lost(u, lost, m.half) && !replaced {
            list.line(&m.half_lost);
        }
        if shaken {
            list.line(&m.shaken);
        }
        list
    }

    /// What a total of a test comes to (VF-MORALE-06 to -08).
    pub(crate) fn outcome(&self, made: i32) -> Outcome {
        if made >= self.p().morale.steady {
            Outcome::Steady
        } else if made >= self.p().morale.waver {
            Outcome::Wavers
        } else {
            Outcome::Routs
        }
    }

    /// The die of a test and what comes of it (VF-MORALE-04), with its reason in words.
    pub(crate) fn roll_test(
        &mut self,
        u: Nr,
        becoming_shaken: bool,
        because: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Outcome {
        let reasons = self.morale_reasons(u, self.lost(u), becoming_shaken);
        let test = Test::of(1, 6).needing(self.p().morale.steady).with(reasons);
        let rolled = test.roll("morale", chance);
        let outcome = self.outcome(rolled.made);
        let id = self.spec(u).id;
        log.say(|| {
            test.event(if becoming_shaken { "shaken_test" } else { "morale" }, "VF-MORALE-04", &rolled)
                .clause(if becoming_shaken { "VF-SHAKEN-03" } else { "VF-MORALE-05" })
                .who(id)
                .outcome(outcome.name())
                .with("because", because)
        });
        if outcome == Outcome::Steady {
            if becoming_shaken {
                // VF-SHAKEN-06
                self.unit_mut(u).shaken = self.o().shaken_pass == ShakenPass::Stays;
            } else {
                self.unit_mut(u).shaken = false; // VF-SHAKEN-11
            }
        } else if becoming_shaken {
            self.unit_mut(u).shaken = true;
        }
        outcome
    }

    /// A test and its retreat. True if the unit is steady.
    pub(crate) fn test(
        &mut self,
        u: Nr,
        cause: Option<Nr>,
        becoming_shaken: bool,
        because: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> bool {
        let outcome = self.roll_test(u, becoming_shaken, because, chance, log);
        if outcome == Outcome::Steady {
            return true;
        }
        self.give_way(u, outcome, cause, false, chance, log);
        false
    }

    /// A Shaken unit tests instead of anything else (VF-SHAKEN-08 to -10).
    pub(crate) fn rally(&mut self, u: Nr, chance: &mut dyn Chance, log: &mut Log) {
        let outcome = self.roll_test(u, false, "to rally", chance, log);
        if outcome == Outcome::Steady {
            if self.o().rally_reforms {
                self.restore_order(u);
            } else {
                self.end_rout(u);
            }
            self.ask(Face { unit: u });
            return;
        }
        self.give_way(u, outcome, None, false, chance, log);
    }

    /// A unit is in order again.
    pub(crate) fn restore_order(&mut self, u: Nr) {
        let unit = self.unit_mut(u);
        unit.shaken = false;
        unit.disordered = false;
        self.end_rout(u);
    }

    /// The routed mark comes off: it has reformed or rallied (VF-MORALE-09, VF-ARMYMORALE-03).
    fn end_rout(&mut self, u: Nr) {
        let was_routed = std::mem::take(&mut self.unit_mut(u).routed);
        if was_routed && self.o().break_count == BreakCount::WhileRouted && self.unit(u).mishap {
            self.unit_mut(u).mishap = false;
            let side = self.side(u).index();
            self.s.morale_lost[side] = self.s.morale_lost[side].saturating_sub(1);
        }
    }
}
