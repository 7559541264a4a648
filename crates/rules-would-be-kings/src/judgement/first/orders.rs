//! What each order is worth to a unit: the chance that it is obeyed times what it is expected to bring.

use super::First;
use super::place::{Officer, Prey};
use super::stakes::ease;
use crate::action::{Action, Declare};
use crate::movement::Pace;
use crate::options::{DeclareDetail, DoubleTarget, LeaveCloseOrder};
use crate::state::{Layout, No, Order};

impl First<'_> {
    /// The declarations worth weighing, each with its value over Standing To. They are still to be judged.
    pub(crate) fn order_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        let u = officer.u;
        let unit = self.unit(u);
        let options = &self.field.options;
        let late = options.declare_detail == DeclareDetail::ActionOnly;
        let mut all: Vec<(f64, Action)> = Vec::new();
        let down = if unit.gone_to_ground { self.worth_of_cover(officer) } else { 0.0 };
        let mut add = |value: f64, declare: Declare| all.push((value, Action::Declare(declare)));
        add(0.0, Declare::plain(Order::StandTo));

        // Fire: what the charts give, at the range as it is.
        let (fire, volley) = (Declare::plain(Order::Fire), Declare::plain(Order::Volley));
        let weapon = &self.card(u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let mut shots = (0.0_f64, 0.0_f64);
        for e in &officer.prey {
            if officer.gap(officer.stands(), e) > far + 4.0 || unit.silent > 0 {
                continue;
            }
            let gap = self.firing_gap(u, e.v);
            if gap > far + 0.01 {
                continue;
            }
            let short = gap <= weapon.short;
            let value = if short { e.short } else { e.long };
            if unit.close_order && short {
                shots.1 = shots.1.max(value);
                if !late {
                    add(value - down, Declare::at(Order::Volley, self.id(e.v)));
                }
            } else {
                shots.0 = shots.0.max(value);
                if !late {
                    add(value - down, Declare::at(Order::Fire, self.id(e.v)));
                }
            }
        }
        if late {
            if shots.0 > 0.0 {
                add(shots.0 - down, fire);
            }
            if shots.1 > 0.0 {
                add(shots.1 - down, volley);
            }
        }

        let pace = f64::from(self.pace(u)) / 1000.0;
        let obeys = |order: Order| self.order_chance(u, order);
        let best_attack = self.attack_orders(officer, pace, late, down, &mut add);
        let gain = officer.walk_gain(pace, Pace::Move, 3);
        let on_foot = unit.garrison.is_none() && !unit.close_order && !self.card(u).is_crewed();
        if gain.is_finite() {
            add(obeys(Order::Move) * gain - down, Declare::plain(Order::Move));
            if unit.close_order && options.leave_close_order == LeaveCloseOrder::WithMove {
                // A block that has nobody to fear moves faster in open order.
                let faster = f64::from(self.card(u).pace) / 1000.0 / pace.max(0.5);
                let value = obeys(Order::Move) * gain * faster - self.worth_of_block(officer, true);
                add(value, Declare { open_out: true, ..Declare::plain(Order::Move) });
            }
            if on_foot {
                self.quick_orders(officer, pace, gain, down, best_attack, &mut add);
            }
        }
        if unit.close_order && options.leave_close_order != LeaveCloseOrder::WithMove {
            let value = 0.3 * gain.max(0.0) - self.worth_of_block(officer, true);
            add(obeys(Order::LeaveCloseOrder) * value, Declare::plain(Order::LeaveCloseOrder));
        }
        if self.card(u).closes && !unit.close_order && unit.garrison.is_none() {
            let value = self.worth_of_block(officer, false);
            add(obeys(Order::FormCloseOrder) * value, Declare::plain(Order::FormCloseOrder));
        }
        if !unit.gone_to_ground && (self.card(u).ignores_ground() || self.card(u).fieldcraft) {
            let value = self.worth_of_cover(officer) - 0.02;
            add(obeys(Order::GoToGround) * value, Declare::plain(Order::GoToGround));
        }
        all
    }

    /// Attacks in reach; returns the best of them.
    fn attack_orders(
        &self,
        officer: &Officer,
        pace: f64,
        late: bool,
        down: f64,
        add: &mut impl FnMut(f64, Declare),
    ) -> f64 {
        let u = officer.u;
        let obeys = self.order_chance(u, Order::Attack);
        let aims = officer.aims(officer.stands());
        let mut best = f64::NEG_INFINITY;
        for e in &officer.prey {
            if !e.attack.is_finite() || officer.gap(officer.stands(), e) > pace + 5.0 {
                continue;
            }
            if !self.within(u, e.v, pace) {
                continue;
            }
            let value = obeys * self.attack_value(officer, e, aims) - down;
            best = best.max(value);
            if !late {
                add(value, Declare::at(Order::Attack, self.id(e.v)));
            }
        }
        if late && best.is_finite() {
            add(best, Declare::plain(Order::Attack));
        }
        best
    }

    /// What an attack is worth, with what leaving this ground for the enemy's means to the aims.
    pub(crate) fn attack_value(&self, officer: &Officer, e: &Prey, aims: f64) -> f64 {
        let bold = officer.stakes.bold[self.unit(officer.u).side.index()];
        let value = if e.attack > 0.0 { e.attack * bold } else { e.attack };
        // What the enemy would do to us if we let it come, it can't do once it is beaten or locked.
        value + 0.3 * e.maul + 0.6 * (officer.aims(e.at) - aims)
    }

    /// At the Double and Skirmish.
    fn quick_orders(
        &self,
        officer: &Officer,
        pace: f64,
        gain: f64,
        down: f64,
        best_attack: f64,
        add: &mut impl FnMut(f64, Declare),
    ) {
        let u = officer.u;
        let options = &self.field.options;
        let here = officer.stands();
        let obeys = self.order_chance(u, Order::Double);
        let aims = officer.aims(here);
        // A walk of the same kind with the die's average on top, and contact for those who may.
        let run = gain.max(0.0) * (pace + 3.5) / pace.max(0.5) * 0.95;
        let mut contact: Option<(f64, No)> = None;
        if self.doubles_in(u) && !best_attack.is_finite() {
            for e in officer.prey.iter().filter(|e| e.attack.is_finite()) {
                let gap = officer.gap(here, e);
                if gap > pace + 8.0 || gap < pace - 3.0 {
                    continue;
                }
                let needed = (self.gap_under(u, e.v, pace + 6.5) - pace).ceil().max(1.0);
                let reaches = ((7.0 - needed) / 6.0).clamp(0.0, 1.0);
                let value = reaches * self.attack_value(officer, e, aims);
                if contact.is_none_or(|(best, _)| value > best) {
                    contact = Some((value, e.v));
                }
            }
        }
        let named = options.double_target == DoubleTarget::DeclareFirst;
        let charge = contact.map_or(0.0, |c| c.0);
        if named {
            if let Some((value, v)) = contact.filter(|c| c.0 > 0.0) {
                add(obeys * value - down, Declare::at(Order::Double, self.id(v)));
            }
            add(obeys * run - down, Declare::plain(Order::Double));
        } else {
            add(
                obeys * (run.max(charge) + 0.25 * run.min(charge.max(0.0))) - down,
                Declare::plain(Order::Double),
            );
        }

        let obeys = self.order_chance(u, Order::Skirmish);
        let weapon = &self.card(u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let shot = officer.prey.iter().map(|e| {
            let gap = officer.gap(here, e);
            let half = pace * 0.5;
            if gap <= weapon.short + half {
                e.short
            } else if gap <= far + half {
                e.long
            } else {
                0.0
            }
        });
        let free = self.order_chance(u, Order::Fire).max(0.1);
        let shot = shot.fold(0.0, f64::max) * 0.45 / free;
        add(obeys * (shot + 0.5 * gain.max(0.0)) - down, Declare::plain(Order::Skirmish));
    }

    /// What Close Order is worth here for the next enemy turn and our next: blows met better, volleys, against the
    /// fire it draws and the pace it costs.
    fn worth_of_block(&self, officer: &Officer, formed: bool) -> f64 {
        let u = officer.u;
        let stakes = officer.stakes;
        let chart = &self.field.rulebook.charts.close_order;
        let here = officer.stands();
        let unit = self.unit(u);
        let weapon = &self.card(u).weapon;
        let (mut saved, mut drawn, mut volley) = (0.0_f64, 0.0_f64, 0.0_f64);
        for e in &officer.prey {
            let gap = officer.gap(here, e);
            if e.charge > 0.0 && gap <= e.charge + 7.0 {
                let mut sides = self.fighters(e.v, u, None);
                let now = self.brawl_value(stakes, e.v, u, &self.brawl(sides));
                // The other way: formed if loose, loose if formed.
                let by = self.plus_one(chart.fighting) * if formed { -1 } else { 1 };
                sides[1].value = self.rolled_against(sides[1].value + by);
                sides[0].dice = if formed { self.unit(e.v).models } else { sides[0].dice.min(unit.models) };
                let other = self.brawl_value(stakes, e.v, u, &self.brawl(sides));
                let (loose, block) = if formed { (other, now) } else { (now, other) };
                let comes = if gap <= e.charge { 0.7 } else { 0.35 };
                saved = saved.max((loose.max(0.0) - block.max(0.0)) * comes);
            }
            if gap <= e.bite_reach() {
                drawn = drawn.max(e.worst_bite() * 0.35);
            }
            if gap <= weapon.short {
                volley = volley.max(e.short * 0.35);
            }
        }
        let threats = saved + volley;
        threats - drawn - 0.15 - if threats < 0.05 { 0.2 } else { 0.0 }
    }

    /// What lying low is worth here: long fire that can't come, against blows met with half.
    fn worth_of_cover(&self, officer: &Officer) -> f64 {
        let here = officer.stands();
        let unit = self.unit(officer.u);
        let cover = self.field.land.cover_at(here);
        let (mut spared, mut risked) = (0.0_f64, 0.0_f64);
        for e in &officer.prey {
            let gap = officer.gap(here, e);
            if gap > e.short_reach() && gap <= e.bite_reach() {
                spared = spared.max(e.long_bite() * self.cover_share(cover, false));
            }
            if e.charge > 0.0 && gap <= e.charge + 2.0 {
                risked = risked.max(e.maul * 0.6);
            }
        }
        let holds = if officer.stakes.task[officer.u.index()].is_some() { 1.0 } else { 0.6 };
        let loose = matches!(unit.layout, Layout::Cluster | Layout::Line);
        if loose { spared * 0.6 * holds - risked } else { 0.0 }
    }

    /// Whether the fire or the move of a Skirmish comes first.
    pub(crate) fn skirmish_values(&self, officer: &Officer) -> [f64; 2] {
        let u = officer.u;
        let half = self.inches();
        let weapon = &self.card(u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let (mut now, mut then) = (0.0_f64, 0.0_f64);
        for e in &officer.prey {
            let gap = officer.gap(officer.stands(), e);
            let at = |gap: f64| {
                if gap <= weapon.short {
                    e.short
                } else if gap <= far {
                    e.long
                } else {
                    0.0
                }
            };
            if gap <= far + 2.0 && self.may_fire(u, e.v, false).is_ok() {
                now = now.max(at(gap));
            }
            then = then.max(at((gap - half * 0.9).max(0.0)));
        }
        [then * 0.9, now]
    }

    /// How well a facing of Close Order meets the enemies there are.
    pub(crate) fn facing_value(officer: &Officer, facing: u16) -> f64 {
        let ahead = crate::model::base::forward(facing);
        officer
            .prey
            .iter()
            .map(|e| {
                let way = e.at - officer.stands();
                let weight = (e.short + e.maul + 0.05) * ease(officer.gap(officer.stands(), e), 6.0);
                let aim = way.unit().map_or(0.0, |w| w.dot(ahead));
                weight * if aim >= 0.0 { 1.0 + 0.3 * aim } else { aim }
            })
            .sum()
    }
}
