//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts, the ways round obstacles, sums by weights
//! that are given (`brief_by`, `balance`, `prizes`), how far an army is from breaking and its grip on what is fought
//! over, and where units start, generals ride and points go; a better way of reckoning is written beside them, not into
//! them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod choices;
mod plans;
mod survey;

use std::ops::Deref;

use tricorne_chance::Whim;
use tricorne_drill::judgement::decided;
use tricorne_drill::{Asks, Question, Rules};
use tricorne_game::{Proposal, Seat, Side};

use super::pools;
use crate::action::Action;
use crate::battle::Questions;
use crate::field::Engagement;
use crate::state::Outcome;
use survey::WEIGHS;

/// The battle as the first school judges it.
pub(crate) struct First<'a>(pub(crate) &'a Engagement);

impl Deref for First<'_> {
    type Target = Engagement;

    fn deref(&self) -> &Engagement {
        self.0
    }
}

impl First<'_> {
    /// How a battle stands for a seat.
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let army = self.army_of(seat);
        if let Some(Outcome { winner, .. }) = self.state.outcome {
            return decided(winner, army);
        }
        let limit = self.options().turn_limit;
        let left = if limit == 0 { 4.0 } else { f64::from(limit.saturating_sub(u32::from(self.state.turn))) };
        let mut sum = 4.0 * self.balance(army, &WEIGHS) + self.nerve(army) - self.nerve(army.enemy());
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

    /// What each answer to a question is worth.
    fn weigh(&self, question: &Questions, whim: &mut Whim) -> Vec<(f64, Action)> {
        match question {
            Questions::Disorder(q) => self.propose_disorder(q.seat(self), q.army),
            Questions::Beneficiary(_) => self.propose_seat(true),
            Questions::Next(_) => self.propose_seat(false),
            Questions::Choose(q) => self.propose_unit(q.seat),
            Questions::Act(q) => self.propose_part(&q.0),
            Questions::Pursue(q) => self.propose_pursuit(q.unit, q.mob),
            // Where units start and generals stand, and who is given points, both schools judge alike.
            _ => question.weigh(self, 0, whim),
        }
    }

    /// Answers a sensible officer would weigh, the best first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        self.best_of(&question, self.weigh(&question, whim), most, whim)
    }
}
