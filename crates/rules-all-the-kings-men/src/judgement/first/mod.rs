//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts and the ways round obstacles; a better
//! way of reckoning is written beside them, not into them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod choices;
mod plans;
mod survey;

use std::ops::Deref;

use tricorne_chance::Whim;
use tricorne_drill::{Asks, Question, Rules};
use tricorne_game::{InOrder, Proposal, Seat, Side};

use super::pools;
use crate::action::Action;
use crate::battle::Questions;
use crate::field::{Engagement, Objective};
use crate::rulebook::Kind;
use crate::state::{Outcome, UnitNo};

/// The battle as the first school judges it.
pub(crate) struct First<'a>(pub(crate) &'a Engagement);

impl Deref for First<'_> {
    type Target = Engagement;

    fn deref(&self) -> &Engagement {
        self.0
    }
}

/// Points of troops as a promise between 0 and 1.
fn promise(value: f64) -> f64 {
    // A smooth S without platform maths.
    let x = value / 10.0;
    0.5 + 0.5 * x / (1.0 + x.abs())
}

impl First<'_> {
    /// How a battle stands for a seat.
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let army = self.army_of(seat);
        if let Some(Outcome { winner, .. }) = self.state.outcome {
            return match winner {
                Some(w) if w == army => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
        }
        let limit = self.options().turn_limit;
        let left = if limit == 0 { 4.0 } else { f64::from(limit.saturating_sub(u32::from(self.state.turn))) };
        let mut sum = 4.0 * self.balance(army) + self.nerve(army) - self.nerve(army.enemy());
        // What has been scored already counts as it will at the end.
        let scored = |a: Side| f64::from(self.state.scored[a.index()]);
        sum += 0.04 * (scored(army) - scored(army.enemy()));
        for objective in &self.field.objectives {
            sum += self.hold_on(objective, army, left) - self.hold_on(objective, army.enemy(), left);
        }
        let command = |a: Side| -> f64 {
            self.seats_of(a)
                .map(|s| &self.state.generals[s.index()])
                .map(|g| if g.present() { 0.02 * f64::from(g.rating) } else { 0.0 })
                .sum()
        };
        sum += command(army) - command(army.enemy());
        0.97 * sum / (1.0 + sum.abs())
    }

    /// How far an army is from breaking (ATKM-ROUT-04): 0 on the brink, 1 at full strength.
    fn nerve(&self, army: Side) -> f64 {
        let began = f64::from(self.state.began[army.index()].max(1));
        let spare = f64::from(self.units_left(army)) / began - self.rules().breaking.army_share;
        (spare / (1.0 - self.rules().breaking.army_share).max(0.01)).clamp(0.0, 1.0)
    }

    /// What an army's grip on a thing fought over is worth, the more the nearer the end.
    fn hold_on(&self, objective: &Objective, army: Side, turns_left: f64) -> f64 {
        let late = (1.0 - turns_left / 8.0).clamp(0.2, 1.0);
        let (at, radius, weight) = match objective {
            Objective::Hold { at, radius, score } => (*at, *radius, 0.04 * f64::from(*score) * late),
            Objective::Seize { area } => {
                let b = area.bounds();
                (area.centroid(), b.width().min(b.depth()) / 2.0, 1.6 * late)
            }
            Objective::Occupy { area, from, score } => {
                let b = area.bounds();
                let wait = f64::from(from.saturating_sub(self.state.turn));
                let times = (turns_left + 1.0 - wait).max(0.0);
                (area.centroid(), b.width().min(b.depth()) / 2.0, 0.04 * f64::from(*score) * times)
            }
        };
        let rules = self.rules();
        let mut grip: f64 = 0.0;
        for (_, u) in self.of_army(army).filter(|(_, u)| !u.is_mob()) {
            let gap = (u.middle(rules).distance(at) - radius).max(0.0);
            let near = (1.0 - gap / 24.0).max(0.0);
            let men = f64::from(u.n) / f64::from(u.n0.max(1));
            // Each further unit adds half of what is still open.
            grip += (1.0 - grip) * 0.6 * near * near * men;
        }
        weight * grip
    }

    /// What each answer to a question is worth.
    fn weigh(&self, question: &Questions, whim: &mut Whim) -> Vec<(f64, Action)> {
        match question {
            Questions::Deploy(q) => {
                // Foot first, skirmishers last.
                let order = |no: &UnitNo| match self.unit(*no).kind {
                    Kind::Infantry => 0,
                    Kind::FootArtillery | Kind::HorseArtillery => 1,
                    Kind::Cavalry => 2,
                    Kind::Skirmisher => 3,
                };
                let next = self.waiting_of(q.seat).min_by_key(order);
                next.map_or_else(Vec::new, |no| self.propose_places(no, whim))
            }
            Questions::PlaceGeneral(q) => self.propose_general_places(q.seat),
            Questions::Arrive(q) => self.propose_places(q.unit, whim),
            Questions::Successor(q) => self.propose_beside(q.seat, self.joinable(q.seat).collect()),
            Questions::Gifts(q) => self.propose_gifts(q.seat(self)),
            Questions::Disorder(q) => self.propose_disorder(q.seat(self), q.army),
            Questions::Beneficiary(_) => self.propose_seat(true),
            Questions::Next(_) => self.propose_seat(false),
            Questions::Choose(q) => self.propose_unit(q.seat),
            Questions::Act(q) => self.propose_part(&q.0),
            Questions::Pursue(q) => self.propose_pursuit(q.unit, q.mob),
            Questions::Refuge(q) => self.propose_beside(q.seat, self.refuges(q.seat).collect()),
            Questions::Ride(q) => self.propose_ride(q.seat),
        }
    }

    /// Answers a sensible officer would weigh, the best first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        let weighed = self.weigh(&question, whim).into_iter();
        let mut all: Vec<Proposal<Action>> =
            weighed.map(|(value, action)| Proposal::new(action, promise(value))).collect();
        debug_assert!(all.iter().all(|p| self.check(&p.action).is_ok()), "an illegal proposal: {all:?}");
        all.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
        all.truncate(most.max(1));
        if all.is_empty() {
            all.push(Proposal::new(question.wander(self, whim), 0.3));
        }
        all
    }
}
