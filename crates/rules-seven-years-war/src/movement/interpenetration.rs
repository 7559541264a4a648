//! Passing through friends (SYW-INTER).

use tricorne_game::Log;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Groups, Order};
use crate::morale::disorder::Disorder;
use crate::options::LightMassedDisorder;
use crate::questions::{Passed, Questions};

impl SevenYearsBattle {
    /// What passing does to both (SYW-INTER-01 to -08, -12).
    pub(crate) fn passages(&mut self, passed: &[(UnitIx, UnitIx)], log: &mut Log) {
        let mut choosing = Groups::new();
        for &(u, f) in passed {
            self.passage(u, f, &mut choosing, log);
        }
        self.in_order(&mut choosing);
        for &g in choosing.iter().rev() {
            self.ask(Passed { group: g });
        }
        // Whoever lies in wait does not stay hidden while others make up their minds (SYW-VIS-04).
        if !choosing.is_empty() {
            self.ask_first(|q| matches!(q, Questions::Lurk(_)));
        }
    }

    fn passage(&mut self, u: UnitIx, f: UnitIx, choosing: &mut Groups, log: &mut Log) {
        let (mover, other) = (self.unit(u).group, self.unit(f).group);
        if mover == other {
            return;
        }
        let whom = self.unit(f).id;
        log.say(|| self.unit_event("passed_through", "SYW-INTER-01", u).whom(whom));
        let lights = (!self.is_massed(u), !self.is_massed(f));
        match self.group(mover).order {
            Order::Rout => {
                // SYW-INTER-02, -08
                if !matches!(self.group(other).order, Order::Rout | Order::Retreat) {
                    self.set_order(other, Order::Stand, Some("because routers had run through"), log);
                }
                self.disorder(f, Disorder::RoutersThrough, log);
            }
            Order::Retreat => {
                // SYW-INTER-03, -12
                if !lights.0 {
                    self.disorder(u, Disorder::RetreatThrough, log);
                    self.disorder(f, Disorder::RetreatThrough, log);
                }
            }
            _ => match lights {
                (true, true) => {}
                (false, false) => {
                    // SYW-INTER-06, -07
                    for (g, why) in [
                        (mover, "after passing through friends"),
                        (other, "after friends had passed through"),
                    ] {
                        if !matches!(self.group(g).order, Order::Rout | Order::Retreat) {
                            self.set_order(g, Order::Reserve, Some(why), log);
                        }
                    }
                    self.disorder(u, Disorder::LinesPassed, log);
                    self.disorder(f, Disorder::LinesPassed, log);
                }
                _ => {
                    // SYW-INTER-04, -05, -12
                    for g in [mover, other] {
                        self.choose_after_passage(g, choosing);
                    }
                    if self.fixed.options.light_massed_disorder == LightMassedDisorder::Both {
                        self.disorder(u, Disorder::LightsThrough, log);
                        self.disorder(f, Disorder::LightsThrough, log);
                    }
                }
            },
        }
    }

    fn choose_after_passage(&self, g: GroupIx, choosing: &mut Groups) {
        if matches!(self.group(g).order, Order::Advance | Order::Reserve) && !choosing.contains(&g) {
            choosing.push(g);
        }
    }
}
