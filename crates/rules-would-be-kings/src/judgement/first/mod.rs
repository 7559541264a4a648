//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts, the ways round obstacles, the scenario's
//! aims (`aims`, `who_is_ahead`, `share_out`) and what units count in them, who acts first, what hides whom, and how
//! proposals are put in order; a better way of reckoning is written beside them, not into them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod orders;
mod place;
mod stakes;
mod walks;

use std::ops::Deref;

use tricorne_chance::Whim;
use tricorne_drill::judgement::decided;
use tricorne_game::{Proposal, Seat, Side};

use super::{Eager, WEIGHED, odds};
use crate::action::{Action, Charge, Form, Half};
use crate::attack::after_melee::AfterMelee;
use crate::battle::{Asked, Fray};
use crate::movement::{Pace, bearing};
use crate::state::{IMPERIAL, NATIVE, No};
use place::Officer;
use stakes::Stakes;

/// Who acts first.
const EAGER: Eager = Eager { shoots: 3.0, strikes: 2.0, others: 1.0, pinned: 0.0, near: 0.005 };

/// The battle as the first school judges it.
pub(crate) struct First<'a>(pub(crate) &'a Fray);

impl Deref for First<'_> {
    type Target = Fray;

    fn deref(&self) -> &Fray {
        self.0
    }
}

impl First<'_> {
    /// See [`tricorne_game::Battle::standing`].
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = if seat.0 == IMPERIAL.0 { IMPERIAL } else { NATIVE };
        if let Some(ending) = self.how_it_ended() {
            return decided(ending.winner, side);
        }
        let stakes = self.stakes(side);
        let gone = f64::from(self.state.round.max(1)) / f64::from(self.field.rounds.max(1));
        // What is held early may be lost again; what is scored stays.
        let mut lead = stakes.banked + (stakes.lead - stakes.banked) * (0.2 + 0.65 * gone);
        lead += (self.strength(IMPERIAL) - self.strength(NATIVE)) * 0.6 * (1.2 - gone).clamp(0.1, 1.0);
        for u in self.on_table() {
            let owner = self.unit(u).side;
            let sign = if owner == IMPERIAL { 1.0 } else { -1.0 };
            if let Some((far, _)) = self.exit_distance(owner, self.unit(u).anchor.point()) {
                let turns = far / self.stride(u);
                let time = Self::in_time(stakes.left, turns);
                lead += sign * stakes.scale * self.exit_worth(u) * time * stakes::ease(turns, 10.0) * 0.7;
            }
            if self.field.options.one_leader_only && self.unit(u).commander {
                lead += sign * 1.5;
            }
        }
        let lead = if side == IMPERIAL { lead } else { -lead };
        // The same lead weighs more the less time is left to turn it.
        (lead / (lead.abs() + 9.0 - 5.0 * gone)).clamp(-0.98, 0.98)
    }

    /// See [`tricorne_game::Battle::proposals`].
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let weighed = most.clamp(1, WEIGHED);
        let Some(question) = self.state.asked else { return Vec::new() };
        let all = self.weigh(question, weighed, whim);
        self.best_of(question, all, weighed, |action| self.or_round(question, action))
    }

    /// What each answer to a question is worth.
    fn weigh(&self, question: Asked, most: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        match question {
            Asked::Commanding(q) => {
                let worth = |u: No| {
                    let card = self.card(u);
                    let safe = if card.is_crewed() { -3.0 } else { 0.0 };
                    (f64::from(card.points + card.discipline) + safe, Action::Command(self.id(u)))
                };
                q.units(self).map(worth).collect()
            }
            Asked::Placing(q) => self.weigh_places(q.0, whim),
            Asked::Picking(_) => self.picks(&EAGER, whim),
            Asked::Declaring(_) => self.with_officer(|officer| self.order_values(officer)),
            Asked::Marching(q) => self.with_officer(|officer| {
                let mut all = self.move_values(officer, q, most);
                if q.pace == Pace::Double {
                    all.extend(self.charge_values(officer));
                }
                all
            }),
            Asked::Skirmishing(_) => {
                let [moves, fires] = self.with_officer(|officer| self.skirmish_values(officer));
                vec![
                    (moves, Action::Skirmish(Half::Move)),
                    (fires + 0.001, Action::Skirmish(Half::Fire)),
                    (-1.0, Action::Skirmish(Half::Skip)),
                ]
            }
            Asked::Shooting(_) => self.with_officer(|officer| self.shot_values(officer)),
            Asked::Charging(_) => self.with_officer(|officer| self.charge_values(officer)),
            Asked::Forming(_) => self.with_officer(|officer| self.form_values(officer)),
            Asked::AfterMelee(q) => self.with_officer(|officer| self.victor_values(officer, &q)),
            Asked::Rerolling(q) => {
                let test = self.rally_test(self.acting());
                let routs: f64 = test
                    .odds()
                    .into_iter()
                    .map(|(made, p)| {
                        let lost = made < self.leadership(self.acting());
                        if lost && self.is_rout(made, made - test.reasons().sum()) { p } else { 0.0 }
                    })
                    .sum();
                let lost = self.is_rout(q.made.into(), q.natural.into());
                let leave = if lost { -2.0 } else { 0.0 };
                vec![(test.chance() - 2.0 * routs, Action::Reroll(true)), (leave, Action::Reroll(false))]
            }
        }
    }

    /// What the acting unit's officer makes of something.
    pub(crate) fn with_officer<T>(&self, judge: impl FnOnce(&Officer) -> T) -> T {
        let u = self.acting();
        let stakes = self.stakes(self.unit(u).side);
        judge(&Officer::new(self, &stakes, u))
    }

    pub(crate) fn charge_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        let aims = officer.aims(officer.stands());
        let reach = self.inches();
        officer
            .prey
            .iter()
            .filter(|e| e.attack.is_finite() && self.within(officer.u, e.v, reach))
            .map(|e| {
                let action = Action::Charge(Charge { target: self.id(e.v), waypoints: Vec::new() });
                (self.attack_value(officer, e, aims), action)
            })
            .collect()
    }

    pub(crate) fn shot_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        let weapon = &self.card(officer.u).weapon;
        let mut all: Vec<(f64, Action)> = officer
            .prey
            .iter()
            .map(|e| {
                let gap = officer.gap(officer.stands(), e);
                let value = if gap <= weapon.short { e.short } else { e.long };
                (value.max(0.01), Action::Shoot(self.id(e.v)))
            })
            .collect();
        all.push((0.0, Action::HoldFire));
        all
    }

    pub(crate) fn form_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        let here = officer.stands();
        let mut facings: Vec<u16> = officer.prey.iter().map(|e| bearing(e.at - here)).collect();
        facings.push(self.unit(officer.u).facing);
        facings.extend((0..24).map(|turn| turn * 15));
        facings
            .into_iter()
            .map(|facing| (Self::facing_value(officer, facing), Action::Form(Form { facing, at: None })))
            .collect()
    }

    /// After a won melee: follow up, strike, take over, or stay.
    pub(crate) fn victor_values(&self, officer: &Officer, won: &AfterMelee) -> Vec<(f64, Action)> {
        let mut all = vec![(0.0, Action::Stay)];
        for e in &officer.prey {
            let action = if e.v == won.loser { Action::FollowUp } else { Action::Strike(self.id(e.v)) };
            if e.attack.is_finite() {
                all.push((e.attack, action));
            }
        }
        // A building is shelter, and may be what the battle is about.
        let building = won.defended.and_then(|p| self.field.land.pieces[usize::from(p)].area());
        let value = building
            .map_or(0.15, |area| 0.2 + officer.aims(area.centroid()) - officer.aims(officer.stands()));
        all.extend(won.occupation(self, officer.u).map(|action| (value, action)));
        all
    }

    /// Free deployment: a unit and a place in the strip, spread out, near the aims and where its weapon tells.
    pub(crate) fn weigh_places(&self, side: Side, whim: &mut Whim) -> Vec<(f64, Action)> {
        let Some(u) = self.waiting(side).next() else {
            return Vec::new();
        };
        let stakes: Stakes = self.stakes(side);
        let officer = Officer::new(self, &stakes, u);
        self.places_for(u, whim, |at| officer.value(at, false))
    }
}
