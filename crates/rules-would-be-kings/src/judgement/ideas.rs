//! An answer with what speaks for it and against it: the sum is its value.

use arrayvec::ArrayVec;

use super::place::Verdict;
use crate::action::Action;

/// An answer and what is made of it, term by term.
#[derive(Clone, Debug)]
pub(crate) struct Idea {
    pub(crate) action: Action,
    pub(crate) why: ArrayVec<(&'static str, f64), 8>,
}

impl Idea {
    /// An answer nothing speaks for or against.
    pub(crate) fn of(action: Action) -> Self {
        Self { action, why: ArrayVec::new() }
    }

    /// With one thing more; nothing is left out for being small, but what is nothing is.
    pub(crate) fn with(mut self, what: &'static str, value: f64) -> Self {
        if value != 0.0 {
            let _ = self.why.try_push((what, value));
        }
        self
    }

    /// With what another place is worth over this one, so far as it is likely.
    pub(crate) fn going(self, here: &Verdict, there: &Verdict, likely: f64) -> Self {
        self.with("what it can do from there", likely * (there.chance - here.chance))
            .with("what threatens it there", likely * (there.danger - here.danger))
            .with("the ground to be held", likely * (there.goal - here.goal))
            .with("the way off the table", likely * (there.exit - here.exit))
    }

    /// All of it together.
    pub(crate) fn value(&self) -> f64 {
        self.why.iter().map(|w| w.1).sum()
    }
}

/// Answers with their values alone.
pub(crate) fn valued(ideas: Vec<Idea>) -> Vec<(f64, Action)> {
    ideas.into_iter().map(|idea| (idea.value(), idea.action)).collect()
}
