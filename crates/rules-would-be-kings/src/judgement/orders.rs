//! What each order is worth to a unit: the chance that it is obeyed times what it is expected to bring.

use tricorne_game::Term;

use super::footing::Footing;
use super::ideas::Idea;
use super::place::{Officer, Prey, Verdict};
use super::stakes::ease;
use crate::action::{Action, Declare};
use crate::battle::Fray;
use crate::movement::Pace;
use crate::options::{DeclareDetail, DoubleTarget, LeaveCloseOrder};
use crate::state::{Layout, Order};

/// Orders weighed so far, and what getting up from the ground costs each of them.
struct Sheet {
    all: Vec<Idea>,
    down: f64,
}

impl Sheet {
    /// An order that ends lying low.
    fn add(&mut self, idea: Idea) {
        self.all.push(idea.with("getting up", -self.down));
    }
}

fn order(declare: Declare) -> Idea {
    Idea::of(Action::Declare(declare))
}

impl Fray {
    /// The declarations worth weighing, each with its value over Standing To. They are still to be judged.
    pub(crate) fn order_ideas(&self, officer: &Officer) -> Vec<Idea> {
        let u = officer.u;
        let unit = self.unit(u);
        let options = &self.field.options;
        let late = options.declare_detail == DeclareDetail::ActionOnly;
        let down = if unit.gone_to_ground { self.worth_of_lying(officer) } else { 0.0 };
        let mut sheet = Sheet { all: vec![order(Declare::plain(Order::StandTo))], down };
        self.fire_orders(officer, late, &mut sheet);
        let pace = f64::from(self.pace(u)) / 1000.0;
        let obeys = |order: Order| self.order_chance(u, order);
        let best_attack = self.attack_orders(officer, pace, late, &mut sheet);
        let here = officer.here();
        let walk = officer.best_walk(pace, Pace::Move, 3);
        let gain = walk.map_or(f64::NEG_INFINITY, |(there, trouble)| there.sum() - trouble - here.sum());
        let on_foot = unit.garrison.is_none() && !unit.close_order && !self.card(u).is_crewed();
        if let Some((there, trouble)) = walk {
            let likely = obeys(Order::Move);
            let idea = order(Declare::plain(Order::Move)).with("the trouble of it", -likely * trouble);
            sheet.add(idea.going(&here, &there, likely));
            if unit.close_order && options.leave_close_order == LeaveCloseOrder::WithMove {
                // A block that has nobody to fear moves faster in open order.
                let faster = f64::from(self.card(u).pace) / 1000.0 / pace.max(0.5);
                let open = order(Declare { open_out: true, ..Declare::plain(Order::Move) }).and(
                    Term::new("Close Order given up", -self.worth_of_block(officer, true)).by("WBK-CLOSE-10"),
                );
                sheet.all.push(open.going(&here, &there, likely * faster));
            }
            if on_foot {
                self.quick_orders(officer, pace, (&here, &there, gain), best_attack, &mut sheet);
            }
        }
        if unit.close_order && options.leave_close_order != LeaveCloseOrder::WithMove {
            let value = 0.3 * gain.max(0.0) - self.worth_of_block(officer, true);
            let leave = order(Declare::plain(Order::LeaveCloseOrder));
            let term = Term::new("Close Order given up", obeys(Order::LeaveCloseOrder) * value);
            sheet.all.push(leave.and(term.by("WBK-CLOSE-10")));
        }
        if self.card(u).closes && !unit.close_order && unit.garrison.is_none() {
            let value = obeys(Order::FormCloseOrder) * self.worth_of_block(officer, false);
            let term = Term::new("Close Order", value).by("WBK-CLOSE-10");
            sheet.all.push(order(Declare::plain(Order::FormCloseOrder)).and(term));
        }
        if !unit.gone_to_ground && (self.card(u).ignores_ground() || self.card(u).fieldcraft) {
            let value = obeys(Order::GoToGround) * (self.worth_of_lying(officer) - 0.02);
            let term = Term::new("lying low", value).by("WBK-GTG-04");
            sheet.all.push(order(Declare::plain(Order::GoToGround)).and(term));
        }
        sheet.all
    }

    /// Fire and Volley: what the charts give, at the range as it is.
    fn fire_orders(&self, officer: &Officer, late: bool, sheet: &mut Sheet) {
        let u = officer.u;
        let unit = self.unit(u);
        let weapon = &self.card(u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let mut best = [0.0_f64; 2];
        for e in &officer.prey {
            if officer.gap(officer.stands(), e) > far + 4.0 || unit.silent > 0 {
                continue;
            }
            let gap = self.firing_gap(u, e.v);
            if gap > far + 0.01 {
                continue;
            }
            let short = gap <= weapon.short;
            let value = officer.weighs.fire * if short { e.short } else { e.long };
            let volley = unit.close_order && short;
            let kind = if volley { Order::Volley } else { Order::Fire };
            best[usize::from(volley)] = best[usize::from(volley)].max(value);
            if !late {
                sheet.add(order(Declare::at(kind, self.id(e.v))).with("what the fire should do", value));
            }
        }
        if late {
            for (value, kind) in best.into_iter().zip([Order::Fire, Order::Volley]) {
                if value > 0.0 {
                    sheet.add(order(Declare::plain(kind)).with("what the fire should do", value));
                }
            }
        }
    }

    /// Attacks in reach; returns the best of them.
    fn attack_orders(&self, officer: &Officer, pace: f64, late: bool, sheet: &mut Sheet) -> f64 {
        let u = officer.u;
        let obeys = self.order_chance(u, Order::Attack);
        let mut best: Option<(f64, Idea)> = None;
        for e in &officer.prey {
            if !e.attack.is_finite() || officer.gap(officer.stands(), e) > pace + 5.0 {
                continue;
            }
            if !self.within(u, e.v, pace) {
                continue;
            }
            let declare =
                if late { Declare::plain(Order::Attack) } else { Declare::at(Order::Attack, self.id(e.v)) };
            let idea = Self::attack_idea(officer, e, order(declare), obeys);
            let value = idea.value();
            if !late {
                sheet.add(idea.clone());
            }
            if best.as_ref().is_none_or(|b| value > b.0) {
                best = Some((value, idea));
            }
        }
        let value = best.as_ref().map_or(f64::NEG_INFINITY, |b| b.0);
        if let Some((_, idea)) = best.filter(|_| late) {
            sheet.add(idea);
        }
        value
    }

    /// What an attack is worth, with what leaving this ground for the enemy's means.
    pub(crate) fn attack_idea(officer: &Officer, e: &Prey, idea: Idea, likely: f64) -> Idea {
        let w = officer.weighs;
        let fight = if e.attack > 0.0 { e.attack * officer.bold * w.attack } else { e.attack };
        let there = Footing::bare(e.at);
        let aims = officer.aims_of(&there).aims() - officer.aims_of(&officer.footing).aims();
        let peril = officer.peril(&there, Some(e.v)) - officer.peril(&officer.footing, Some(e.v));
        idea.with("the fight it would be", likely * fight)
            // What the enemy would do to us if we let it come, it can't do once it is beaten or locked.
            .with("what it would do to us", likely * w.forestall * officer.threat(&officer.footing, e))
            .with("friends who follow", likely * w.together * e.friends * e.toll)
            .with("the ground to be held", likely * w.ground_won * aims)
            .with("others in reach there", -likely * w.exposed * peril.max(0.0))
            .and(Term::new("shelter given up", -likely * w.shelter * officer.shelter()).by("WBK-FIRE-22"))
    }

    /// At the Double and Skirmish.
    fn quick_orders(
        &self,
        officer: &Officer,
        pace: f64,
        (at, there, gain): (&Verdict, &Verdict, f64),
        best_attack: f64,
        sheet: &mut Sheet,
    ) {
        let u = officer.u;
        let w = officer.weighs;
        let options = &self.field.options;
        let here = officer.stands();
        let obeys = self.order_chance(u, Order::Double);
        // A walk of the same kind with the die's average on top, and contact for those who may.
        let further = (pace + 3.5) / pace.max(0.5) * w.double;
        let run = gain.max(0.0) * further;
        let mut contact: Option<(f64, &Prey, f64)> = None;
        if self.doubles_in(u) && !best_attack.is_finite() {
            for e in officer.prey.iter().filter(|e| e.attack.is_finite()) {
                let gap = officer.gap(here, e);
                if gap > pace + 8.0 || gap < pace - 3.0 {
                    continue;
                }
                let needed = (self.gap_under(u, e.v, pace + 6.5) - pace).ceil().max(1.0);
                let reaches = ((7.0 - needed) / 6.0).clamp(0.0, 1.0);
                if reaches <= 0.0 {
                    continue;
                }
                let value = Self::attack_idea(officer, e, Idea::of(Action::Stay), reaches).value();
                if contact.is_none_or(|(best, _, _)| value > best) {
                    contact = Some((value, e, reaches));
                }
            }
        }
        let charge = contact.filter(|c| c.0 > 0.0);
        let double = order(Declare::plain(Order::Double));
        let running = |idea: Idea| idea.going(at, there, obeys * further);
        match charge {
            Some((_, e, reaches)) if options.double_target == DoubleTarget::DeclareFirst => {
                let named = order(Declare::at(Order::Double, self.id(e.v)));
                sheet.add(Self::attack_idea(officer, e, named, obeys * reaches));
                if gain > 0.0 {
                    sheet.add(running(double));
                }
            }
            Some((value, e, reaches)) if value >= run => {
                let idea = Self::attack_idea(officer, e, double, obeys * reaches);
                sheet.add(idea.with("it could run there instead", obeys * w.either * run));
            }
            Some((value, ..)) => {
                sheet.add(running(double).with("it could charge instead", obeys * w.either * value));
            }
            None if gain > 0.0 => sheet.add(running(double)),
            None => {}
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
        let shot = shot.fold(0.0, f64::max) * w.skirmish_fire / free;
        let likely = if gain > 0.0 { obeys * w.skirmish_walk } else { 0.0 };
        let skirmish =
            order(Declare::plain(Order::Skirmish)).with("what half its fire should do", obeys * shot);
        sheet.add(skirmish.going(at, there, likely));
    }

    /// What Close Order is worth here for the next enemy turn and our next: blows met better, volleys, against the
    /// fire it draws and the pace it costs.
    fn worth_of_block(&self, officer: &Officer, formed: bool) -> f64 {
        let (u, w) = (officer.u, officer.weighs);
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
                let prize = self.prize(stakes, e.v);
                let blow = |sides| {
                    let brawl = self.brawl(sides);
                    self.brawl_value(stakes, (e.v, u), [&prize, &officer.prize], &brawl).0
                };
                let now = blow(sides);
                // The other way: formed if loose, loose if formed.
                let by = self.plus_one(chart.fighting) * if formed { -1 } else { 1 };
                sides[1].value = self.rolled_against(sides[1].value + by);
                sides[0].dice = if formed { self.unit(e.v).models } else { sides[0].dice.min(unit.models) };
                let other = blow(sides);
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
        let threats = w.block * saved + w.volley * volley;
        threats - w.drawn_fire * drawn - w.block_pace - if threats < 0.05 { 0.2 } else { 0.0 }
    }

    /// What lying low is worth here: long fire that can't come, against blows met with half.
    fn worth_of_lying(&self, officer: &Officer) -> f64 {
        let w = officer.weighs;
        let land = &self.field.land;
        let here = officer.stands();
        let unit = self.unit(officer.u);
        let (mut spared, mut risked) = (0.0_f64, 0.0_f64);
        for e in &officer.prey {
            let gap = officer.gap(here, e);
            let (cover, defended) = officer.footing.against(land, e.at, e.level);
            if gap > e.short_reach() && gap <= e.bite_reach() {
                spared = spared.max(e.long_bite() * self.cover_share(cover, false));
            }
            if e.charge > 0.0 && gap <= e.charge + 2.0 {
                risked = risked.max(e.maul(defended) * 0.6);
            }
        }
        let holds = if officer.task().is_some() { 1.0 } else { 0.6 };
        let loose = matches!(unit.layout, Layout::Cluster | Layout::Line);
        if loose { w.lie_low * spared * holds - w.lie_low_risk * risked } else { 0.0 }
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
                let weight = (e.short + e.maul(false) + 0.05) * ease(officer.gap(officer.stands(), e), 6.0);
                let aim = way.unit().map_or(0.0, |w| w.dot(ahead));
                weight * if aim >= 0.0 { 1.0 + 0.3 * aim } else { aim }
            })
            .sum()
    }
}
