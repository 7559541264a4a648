//! Which orders are worth a general's attempts, by what a group could do on them and the odds of being heard.

use tricorne_game::InOrder;

use super::survey::{Friend, Mission, Survey};
use super::{First, Weighed};
use crate::action::Action;
use crate::judgement::command::ORDERS;
use crate::model::ids::GeneralIx;
use crate::model::state::Order;
use crate::rulebook::Arm;

impl First<'_> {
    /// Attempts of generals (SYW-ORDER-06 to -20).
    pub(crate) fn weigh_command(&self, all: &mut Weighed) {
        let side = self.s.phasing;
        all.push((Action::Done, 0.05));
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
                if !(general.cinc || group.command == Some(i)) {
                    continue;
                }
                let times =
                    general.addressed.iter().find(|a| a.whom == group.id && a.group).map_or(0, |a| a.times);
                if times >= 2 {
                    continue;
                }
                let chance = self.attempt_chance(i, &self.members(f.g), Some(order));
                let action = Action::Change { general: general.id, group: group.id, order };
                all.push((action, gain * chance));
            }
            self.weigh_cures(&survey, i, all);
        }
        keep_best(all, 12);
    }

    /// Disorder cured and runners rallied.
    fn weigh_cures(&self, survey: &Survey, i: GeneralIx, all: &mut Weighed) {
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
                let back = f.worth / 0.3 * 0.6;
                let chance = self.attempt_chance(i, &members, None) * self.rally_chance(f.g);
                all.push((rally, back * chance));
                continue;
            }
            let near = f.nearest.map_or(200.0, |n| n.1);
            for &u in &self.members(f.g) {
                if self.unit(u).disordered && group.command.is_some() {
                    let action = Action::Cure { general: general.id, unit: self.unit(u).id };
                    let danger = if near < 25.0 { 0.14 } else { 0.07 };
                    let chance = self.attempt_chance(i, &[u], None);
                    all.push((action, self.worth(u) * danger * chance));
                }
            }
        }
    }

    /// Groups without a general help themselves (SYW-ORDER-15, -18).
    pub(crate) fn weigh_uncommanded(&self, all: &mut Weighed) {
        all.push((Action::Done, 0.05));
        let survey = self.survey(self.s.phasing);
        for g in self.may_order_themselves() {
            let Some(f) = survey.friends.iter().find(|f| f.g == g) else { continue };
            let now = self.order_worth(&survey, f, f.order);
            for order in ORDERS {
                if order != f.order {
                    let gain = self.order_worth(&survey, f, order) - now;
                    all.push((Action::SelfOrder { group: self.group(g).id, order }, gain * 0.5));
                }
            }
        }
        for u in self.may_cure_themselves() {
            all.push((Action::SelfCure { unit: self.unit(u).id }, self.worth(u) * 0.05));
        }
        keep_best(all, 8);
    }

    /// What it is worth to a group to be on an order now.
    pub(crate) fn order_worth(&self, survey: &Survey, f: &Friend, order: Order) -> f64 {
        let near = f.nearest.map_or(300.0, |n| n.1);
        let keeps = self.keeps_ground(survey, f);
        let bulk = 1.0 + f.worth / 20.0;
        match order {
            Order::Rout => return -5.0,
            Order::Retreat => {
                // Worn out and close to the enemy, it is better saved.
                let (started, left) = self.group_strength(f.g);
                let spent = left * 5 <= started * 2;
                return if spent && near < 25.0 { 0.3 } else { -1.5 * bulk };
            }
            Order::Reserve => {
                let behind = f
                    .nearest
                    .is_some_and(|(k, far)| far < 50.0 && self.off_front(f, survey.foes[k].at) > 100.0);
                let shut_in = f.arm != Arm::Artillery
                    && near > 22.0
                    && self.mission(survey, f) != Mission::None
                    && self.behind_friends(survey, f);
                return if behind && near > 20.0 {
                    1.5
                } else if shut_in {
                    // On Reserve it can march round those before it.
                    0.9 * survey.push
                } else if f.arm == Arm::Artillery && self.only_off_arc(survey, f) {
                    1.0
                } else {
                    -0.6 * bulk
                };
            }
            Order::Advance | Order::Stand => {}
        }
        let advance = order == Order::Advance;
        let mission = self.mission(survey, f);
        let worth = match f.arm {
            Arm::Artillery => {
                let target =
                    self.in_arc_within(survey, f, f.long) || (near <= f.greatest && survey.push < 0.9);
                let fires = self.in_arc_within(survey, f, f.greatest);
                match (advance, target) {
                    (true, true) => -2.0,
                    (true, false) => survey.push * 1.3,
                    (false, true) => 2.5,
                    (false, false) => {
                        if fires {
                            0.6
                        } else {
                            0.0
                        }
                    }
                }
            }
            Arm::Infantry => {
                let in_range = near <= f.long + 0.5 && self.has_target(survey, f, f.long + 0.5);
                // Those who are coming are better met standing.
                let coming = f.nearest.is_some_and(|(k, far)| {
                    far < 40.0
                        && self.group(self.unit(survey.foes[k].u).group).order == Order::Advance
                        && survey.foes[k].massed
                });
                match (advance, in_range) {
                    (true, true) => 0.3,
                    (false, true) => 3.0,
                    (true, false) if keeps => -1.5,
                    (true, false) if mission == Mission::None || self.behind_friends(survey, f) => -0.5,
                    (true, false) => survey.push * if f.light { 1.0 } else { 1.8 },
                    (false, false) => (if coming { 2.6 } else { 0.2 }) + if keeps { 1.5 } else { 0.0 },
                }
            }
            Arm::Cavalry => {
                let charge = self.charge_hope(survey, f);
                if advance {
                    if charge <= 0.0 && self.behind_friends(survey, f) {
                        -1.0
                    } else if charge > 0.0 {
                        0.5 + charge
                    } else if near > 24.0 || self.has_flank_to_go_for(survey, f) {
                        survey.push * 2.0
                    } else {
                        -1.0
                    }
                } else {
                    0.5 + if keeps { 1.0 } else { 0.0 }
                }
            }
        };
        worth * bulk
    }

    /// Whether horse has an enemy's flank to ride for.
    fn has_flank_to_go_for(&self, survey: &Survey, f: &Friend) -> bool {
        match self.mission(survey, f) {
            Mission::Enemy(k) => {
                let foe = &survey.foes[k];
                self.flank_places(survey, foe, 20.0).iter().any(|p| p.distance(f.at) > 12.0)
            }
            _ => false,
        }
    }

    /// Whether friends in close order stand so near ahead that an advance would run up on them (SYW-ORDER-35).
    fn behind_friends(&self, survey: &Survey, f: &Friend) -> bool {
        let way = tricorne_table::angle::forward(f.facing);
        let strip = f
            .bounds
            .join(&tricorne_table::Bounds { min: f.bounds.min + way * 16.0, max: f.bounds.max + way * 16.0 });
        survey.friends.iter().any(|o| {
            o.g != f.g
                && !o.light
                && o.arm != Arm::Artillery
                && o.order != Order::Advance
                && o.bounds.meets(&strip)
                && (o.at - f.at).dot(way) > 0.0
        })
    }

    /// The best charge a group could hope for now, by a glance at who is near and ahead.
    pub(crate) fn charge_hope(&self, survey: &Survey, f: &Friend) -> f64 {
        let mut best: f64 = -1.0;
        for foe in &survey.foes {
            let reach = f.speed - 1.0;
            if foe.bounds.gap_squared(&f.bounds) > reach * reach
                || self.off_front(f, foe.at) > 55.0
                || self.friends_on_the_way(survey, f, foe.at)
            {
                continue;
            }
            for &u in &self.members(f.g) {
                let from = self.charge_direction(u, foe.u);
                best = best.max(self.charge_worth_of(f.g, u, foe.u, from));
            }
        }
        best
    }
}

/// Keeps the best so many.
pub(crate) fn keep_best(all: &mut Weighed, n: usize) {
    all.put_in_order(|a, b| b.1.total_cmp(&a.1));
    all.truncate(n);
}
