//! What a card is used for: whom to wake, when to play a King, whom to force by a Jack, whom Queens and events fall on.

use tricorne_chance::Playing;
use tricorne_game::{Proposal, Side};

use super::answers::say;
use super::promise;
use crate::action::Action;
use crate::brief::Objective;
use crate::events::EventCard;
use crate::field::{Field, bits};
use crate::model::measure::Decimal;
use crate::model::{Kind, Nr, Quality};

/// Points to be won as a promise. Whom waking harms is left asleep: passing is better.
fn waking(points: f64) -> f64 {
    if points <= 0.0 { 0.03 } else { 0.2 + 0.7 * points / (points + 12.0) }
}

/// How far off the enemy is still to be reckoned with closely.
const REACH: f64 = 25.0;

impl Field {
    /// How far off somebody is whom a unit might strike at once.
    fn striking(&self, u: Nr) -> f64 {
        match self.kind(u) {
            Kind::Infantry => 13.0,
            Kind::Skirmish => 15.0,
            Kind::Heavy => 20.0,
            Kind::Light => 23.0,
            Kind::Artillery => 37.0,
            Kind::Wagon => 0.0,
        }
    }

    /// What waking a unit now is worth, in points: the best it could do, more than waiting with its fire in hand. Where
    /// only strikes are asked for, those who could strike nobody are worth nothing.
    fn urgency(&self, u: Nr, strikes: bool) -> f64 {
        let unit = self.unit(u);
        let w = self.weighs();
        if unit.shaken {
            // A rally that can't be passed drives it further off, or off for good (VF-SHAKEN-10).
            let nerve = self.nerve(u, self.lost(u), false);
            let mishap = if unit.mishap { 0.3 } else { 1.0 } * self.morale_point(self.side(u));
            let price = self.price(u);
            return w.rally * price * nerve.steady - 0.05 * price * nerve.wavers - mishap * nerve.routs;
        }
        let gap = self.enemy_gap(u);
        if unit.disordered {
            return w.reform * self.left_of(u) * if gap < 18.0 { w.reform_near } else { 1.0 };
        }
        if let Objective::Convoy { wagon, .. } = self.b.objective
            && wagon == u
        {
            return 20.0;
        }
        if strikes && gap > self.striking(u) {
            return 0.0;
        }
        if gap > REACH.max(self.striking(u)) {
            // A long way off: it can only march.
            return if self.kind(u) == Kind::Wagon || self.may_sit(self.side(u)) {
                0.1
            } else {
                w.far_march * w.hunt
            };
        }
        let all = self.weigh_actions(u);
        let stand = all.iter().find(|(action, _)| *action == Action::Stand).map_or(0.0, |(_, worth)| *worth);
        let Some((best, worth)) = all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return 0.0 };
        // Horse that only wants to come nearer is kept in hand.
        let waits = best == Action::March && self.kind(u).is_cavalry();
        (worth - stand) * if waits { w.waits } else { 1.0 }
    }

    /// What waking a group is worth. Out of command it may only shoot for certain (VF-CMD-10, -12).
    fn group_urgency(&self, group: u64, strikes: bool) -> f64 {
        let sum: f64 = bits(self.fresh(group)).map(|u| self.urgency(u, strikes)).sum();
        let shoots = bits(group).all(|u| matches!(self.kind(u), Kind::Artillery | Kind::Skirmish));
        match self.in_command(group) {
            true => sum,
            false if shoots => sum * self.weighs().unled_fire,
            false => sum * self.weighs().unled,
        }
    }

    /// Which group or commander to wake.
    pub(crate) fn propose_activations(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Pass, 0.05)];
        for group in self.open_groups(side) {
            if let Some(first) = bits(self.fresh(group)).next() {
                let action = Action::Activate(self.spec(first).id);
                all.push(say(action, waking(self.group_urgency(group, false) - self.weighs().wake)));
            }
        }
        for c in self.loose_chiefs(side).filter(|&c| !self.commander(c).turn.activated) {
            let away = self.uncommanded(c, self.commander(c).at());
            // A ride is worth a card when it brings troops back into command; nobody is woken to stay where he is.
            let nearer =
                self.seats_behind(c).into_iter().map(|at| self.uncommanded(c, at)).fold(away, f64::min);
            let won = away - nearer;
            let worth = if won > 0.1 { waking(self.weighs().command * won) } else { 0.02 };
            all.push(say(Action::Activate(self.chief(c).id), worth));
        }
        all
    }

    /// What the best of a side's groups that may be woken is worth.
    fn best_waking(&self, side: Side, strikes: bool) -> f64 {
        self.open_groups(side).into_iter().map(|group| self.group_urgency(group, strikes)).fold(0.0, f64::max)
    }

    /// A King in hand waits for a moment that is worth it (VF-TURN-10), but not for the Joker with which it is lost.
    pub(crate) fn propose_king(&self, side: Side, play: Action, wait: Action) -> Vec<Proposal<Action>> {
        let left = self.s.deck.left();
        let jokers = left.iter().filter(|card| matches!(card, Playing::Joker(_))).count() as f64;
        let risk = jokers / (left.len().max(1) as f64);
        let wanted = self.weighs().king * (1.0 - 5.0 * risk).max(0.0);
        let best = self.best_waking(side, wait == Action::Pass);
        vec![say(play, promise(best)), say(wait, promise(wanted))]
    }

    pub(crate) fn propose_jack(&self, side: Side) -> Vec<Proposal<Action>> {
        let w = self.weighs();
        let mut all = vec![say(Action::Own, waking(self.best_waking(side, false))), say(Action::Pass, 0.05)];
        // A group that can hurt nobody yet wastes its turn when it is forced, and may not even be let forward.
        for group in self.open_groups(side.enemy()) {
            let Some(first) = bits(self.fresh(group)).next() else { continue };
            let strike = |u: Nr| {
                let shot = self.best_shot(u).map_or(0.0, |shot| shot.worth);
                let charge = self.best_charge(u).map_or(0.0, |(_, worth)| 0.66 * worth);
                shot.max(charge).max(0.0)
            };
            let now: f64 = bits(self.fresh(group)).map(strike).sum();
            let soon: f64 = bits(self.fresh(group))
                .filter(|&u| !self.unit(u).shaken)
                .map(|u| self.left_of(u) * ((30.0 - self.enemy_gap(u)) / 20.0).clamp(0.0, 1.0))
                .sum();
            // A Shaken one has to test, and may run (VF-SHAKEN-08).
            let broken: f64 = bits(self.fresh(group)).map(|u| (-self.urgency_of_shaken(u)).max(0.0)).sum();
            let worth = w.jack * 0.3 * soon + broken - now;
            all.push(say(Action::Force(self.spec(first).id), waking(worth)));
        }
        all
    }

    /// What a Shaken unit's owner gains by its rally; nothing for others.
    fn urgency_of_shaken(&self, u: Nr) -> f64 {
        if self.unit(u).shaken { self.urgency(u, false) } else { 0.0 }
    }

    pub(crate) fn propose_queen(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Pass, 0.1)];
        for u in self.present_of(side).filter(|&u| self.judge_restore(side, u).is_ok()) {
            let lost = f64::from(self.lost(u).min(2));
            let figure = self.price(u) / f64::from(self.spec(u).start.max(1));
            let saved = self.past_threshold(u, self.lost(u))
                && !self.past_threshold(u, self.lost(u).saturating_sub(2));
            let near = if self.enemy_gap(u) < 20.0 { 1.3 } else { 1.0 };
            let worth = lost * figure * near + if saved { 0.15 * self.price(u) } else { 0.0 };
            all.push(say(Action::Restore(self.spec(u).id), promise(worth)));
        }
        all
    }

    pub(crate) fn propose_event(&self, side: Side, card: EventCard) -> Vec<Proposal<Action>> {
        let mut all = Vec::new();
        for action in self.event_choices(side, card) {
            let Action::Choose { unit, .. } = &action else { continue };
            let Ok(u) = self.named(*unit) else { continue };
            let value = self.left_of(u);
            let near = self.enemy_within(self.side(u), &self.unit(u).body, 14_000);
            let worth = match card {
                // A test falls hardest on those that are near breaking.
                EventCard::CryOfTreason => {
                    let nerve = self.nerve(u, self.lost(u), false);
                    let mishap = if self.unit(u).mishap { 0.0 } else { self.morale_point(self.side(u)) };
                    value * 0.3 * nerve.wavers + nerve.routs * (mishap + 0.5 * value)
                }
                EventCard::Deserters => {
                    let figures = if self.spec(u).quality == Quality::Poor { 2 } else { 1 };
                    self.loss(u, figures, false).0
                }
                EventCard::Stragglers => {
                    f64::from(self.lost(u).min(2)) * self.price(u) / f64::from(self.spec(u).start.max(1))
                }
                // Somebody who may act again: whoever has most to do.
                EventCard::SecondWind => self.urgency(u, false),
                EventCard::PowderCart | EventCard::DrummerBoy => value * if near { 0.3 } else { 0.12 },
                EventCard::LostGalloper | EventCard::BurstGun => value * if near { 0.25 } else { 0.1 },
                EventCard::DinnerHour => bits(self.group_of(u)).map(|o| self.left_of(o)).sum::<f64>() * 0.1,
                EventCard::ForcedMarch => self.group_urgency(self.group_of(u), false),
                _ => value * 0.1,
            };
            if card == EventCard::DrummerBoy {
                let facing = self.facing_the_enemy(u);
                let turned =
                    Action::Choose { unit: *unit, commander: None, facing: Some(Decimal::of(facing)) };
                all.push(say(turned, promise(worth + 0.5)));
            }
            all.push(say(action, promise(worth)));
        }
        all.push(say(Action::Pass, 0.05));
        all
    }
}
