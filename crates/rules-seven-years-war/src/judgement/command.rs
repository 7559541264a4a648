//! The command sub-phase: generals spend their attempts by what a group would gain and the odds of being heard.

use smallvec::SmallVec;

use crate::action::Action;
use crate::judgement::Weighed;
use crate::judgement::survey::{Friend, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::model::state::Order;

pub(super) const ORDERS: [Order; 3] = [Order::Advance, Order::Stand, Order::Reserve];

impl SevenYearsBattle {
    /// Attempts of generals (SYW-ORDER-06 to -20).
    pub(crate) fn weigh_command(&self, all: &mut Weighed) {
        let side = self.s.phasing;
        all.push(Action::Done, 0.05, "nothing to be gained");
        let survey = self.survey(side);
        let gains = self.gains_by_orders(&survey, |f, order| self.order_worth(&survey, f, order));
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = &self.s.generals[usize::from(i)];
            if general.side != side || general.attempts == 0 || !general.is_present() {
                continue;
            }
            for &(k, order, gain) in &gains {
                let f = &survey.friends[k];
                let group = self.group(f.g);
                if !self.commands(i, f) {
                    continue;
                }
                let times =
                    general.addressed.iter().find(|a| a.whom == group.id && a.group).map_or(0, |a| a.times);
                if times >= 2 {
                    continue;
                }
                let chance = self.attempt_chance(i, &self.members(f.g), Some(order));
                if chance < self.mind.weighs.least_chance {
                    continue;
                }
                let action = Action::Change { general: general.id, group: group.id, order };
                all.push(
                    action,
                    gain * chance,
                    ("what the order would gain, by the odds of being heard", "SYW-ORDER-09"),
                );
            }
            self.weigh_cures(&survey, i, all);
            self.weigh_joins(&survey, i, all);
        }
        all.keep_best(12);
    }

    /// The order by which each group would gain most, by what either school gives for it; once for all generals.
    pub(super) fn gains_by_orders(
        &self,
        survey: &Survey,
        worth: impl Fn(&Friend, Order) -> f64,
    ) -> SmallVec<[(usize, Order, f64); 24]> {
        let gain = |(k, f): (usize, &Friend)| {
            let now = worth(f, f.order);
            let others = ORDERS.iter().filter(|&&o| o != f.order);
            let best = others.map(|&o| (k, o, worth(f, o) - now)).max_by(|a, b| a.2.total_cmp(&b.2));
            best.filter(|g| g.2 > 0.1)
        };
        let friends = survey.friends.iter().enumerate();
        let ready = friends.filter(|(_, f)| !self.group_in_melee(f.g) && f.order != Order::Rout);
        ready.filter_map(gain).collect()
    }

    /// Whether a group is a general's to order (SYW-GEN-12, SYW-ORDER-16).
    fn commands(&self, i: GeneralIx, f: &Friend) -> bool {
        let group = self.group(f.g);
        group.command == Some(i)
            || (self.general(i).cinc && (group.command.is_some() || group.order == Order::Retreat))
    }

    /// Disorder cured and runners rallied.
    fn weigh_cures(&self, survey: &Survey, i: GeneralIx, all: &mut Weighed) {
        let w = &self.mind.weighs;
        let general = &self.s.generals[usize::from(i)];
        for f in &survey.friends {
            let group = self.group(f.g);
            if !(general.cinc || group.command == Some(i)) {
                continue;
            }
            if group.order == Order::Rout {
                let members = self.members(f.g);
                let rally = Action::Rally { general: general.id, group: group.id };
                // Runners count as lost already (SYW-WIN-02): a rally brings them back whole.
                let back = f.worth / 0.3 * w.rally;
                let chance = self.attempt_chance(i, &members, None) * self.rally_chance(f.g);
                all.push(rally, back * chance, ("runners brought back", "SYW-ROUT-16"));
                continue;
            }
            let near = f.nearest.map_or(200.0, |n| n.1);
            for &u in &self.members(f.g) {
                // Disorder by the ground comes back at once (SYW-DIS-04).
                if self.unit(u).disordered && group.command.is_some() && !self.in_bad_ground(u) {
                    let action = Action::Cure { general: general.id, unit: self.unit(u).id };
                    let share = if near < 25.0 { w.cure_near } else { w.cure_far };
                    let chance = self.attempt_chance(i, &[u], None);
                    if chance >= w.least_chance {
                        all.push(action, self.worth(u) * share * chance, ("disorder cured", "SYW-DIS-05"));
                    }
                }
            }
        }
    }

    /// A handful of stands on Reserve beside others of the brigade joins them (SYW-ORDER-20): fewer orders, steadier
    /// nerve.
    fn weigh_joins(&self, survey: &Survey, i: GeneralIx, all: &mut Weighed) {
        for f in survey.friends.iter().filter(|f| f.order == Order::Reserve && f.stands <= 3) {
            if !self.commands(i, f) {
                continue;
            }
            for o in &survey.friends {
                let beside = o.g != f.g
                    && o.order == Order::Reserve
                    && o.arm == f.arm
                    && o.bounds.gap_squared(&f.bounds) <= 1.0;
                if beside {
                    let (general, group) = (self.general(i).id, self.group(f.g).id);
                    let chance = self.attempt_chance(i, &self.members(f.g), None);
                    let join = Action::Join { general, group, to: self.group(o.g).id };
                    all.push(join, 0.05 * f.worth * chance, ("too few to stand alone", "SYW-ORDER-20"));
                }
            }
        }
    }

    /// Groups without a general help themselves (SYW-ORDER-15, -18).
    pub(crate) fn weigh_uncommanded(&self, all: &mut Weighed) {
        all.push(Action::Done, 0.05, "nothing to be gained");
        let survey = self.survey(self.s.phasing);
        for g in self.may_order_themselves() {
            let Some(f) = survey.friends.iter().find(|f| f.g == g) else { continue };
            let now = self.order_worth(&survey, f, f.order);
            for order in ORDERS {
                if order != f.order {
                    let gain = self.order_worth(&survey, f, order) - now;
                    let action = Action::SelfOrder { group: self.group(g).id, order };
                    all.push(action, gain * 0.5, ("what the order would gain", "SYW-ORDER-15"));
                }
            }
        }
        for u in self.may_cure_themselves() {
            all.push(
                Action::SelfCure { unit: self.unit(u).id },
                self.worth(u) * 0.05,
                ("disorder cured", "SYW-DIS-05"),
            );
        }
        all.keep_best(8);
    }
}
