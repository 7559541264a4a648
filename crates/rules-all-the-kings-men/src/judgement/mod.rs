//! An officer's judgement at first sight (what a subaltern plays by): how a battle stands, and which answers are worth
//! weighing. Everything is reckoned in points of troops by the odds of the very charts; nothing knows a scenario by
//! name. Whatever is proposed has passed the one judge.

mod because;
mod choices;
pub(crate) mod first;
mod ideas;
mod memory;
mod places;
mod plans;
mod pools;
mod reckoning;
mod rides;
mod survey;
pub(crate) mod terms;
mod worth;

use tricorne_chance::Whim;
use tricorne_drill::{Asks, Rules};
use tricorne_game::{InOrder, Proposal};

use crate::action::Action;
use crate::battle::Questions;
use crate::field::Engagement;

/// Points of troops as a promise between 0 and 1.
fn promise(value: f64) -> f64 {
    // A smooth S without platform maths.
    let x = value / 10.0;
    0.5 + 0.5 * x / (1.0 + x.abs())
}

impl Engagement {
    /// Answers a sensible officer would weigh, the best first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        self.best_of(&question, question.weigh(self, most, whim), most, whim)
    }

    /// What either school has weighed, the best first.
    fn best_of(
        &self,
        question: &Questions,
        weighed: Vec<(f64, Action)>,
        most: usize,
        whim: &mut Whim,
    ) -> Vec<Proposal<Action>> {
        let weighed = weighed.into_iter();
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
