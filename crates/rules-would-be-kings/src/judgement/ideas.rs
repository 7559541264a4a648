//! An answer with what speaks for it and against it: the sum is its value.

use arrayvec::ArrayVec;
use tricorne_game::Term;

use super::place::Verdict;
use crate::action::Action;

/// An answer and what is made of it, term by term.
#[derive(Clone, Debug)]
pub(crate) struct Idea {
    pub(crate) action: Action,
    pub(crate) why: ArrayVec<Term, 8>,
}

impl Idea {
    /// An answer nothing speaks for or against.
    pub(crate) fn of(action: Action) -> Self {
        Self { action, why: ArrayVec::new() }
    }

    /// With one thing more; nothing is left out for being small, but what is nothing is.
    pub(crate) fn with(self, what: &'static str, value: f64) -> Self {
        self.and(Term::new(what, value))
    }

    /// The same with a term that a clause makes count.
    pub(crate) fn and(mut self, term: Term) -> Self {
        if term.weight != 0.0 {
            let _ = self.why.try_push(term);
        }
        self
    }

    /// With what another place is worth over this one, so far as it is likely.
    pub(crate) fn going(self, here: &Verdict, there: &Verdict, likely: f64) -> Self {
        // Said so that it can stand after *for it* where it speaks for it, and after *against it* where not.
        let word =
            |better, worse, gain: f64| Term::new(if gain > 0.0 { better } else { worse }, likely * gain);
        let terms = [
            word("what it can do from there", "what it can do where it stands", there.chance - here.chance),
            word("it is safer there", "what threatens it there", there.danger - here.danger),
            word("the ground to be held", "the ground it leaves", there.goal - here.goal),
            word("the way off the table", "it is farther from its way off", there.exit - here.exit),
        ];
        terms.into_iter().fold(self, Self::and)
    }

    /// All of it together.
    pub(crate) fn value(&self) -> f64 {
        self.why.iter().map(|term| term.weight).sum()
    }
}

/// Answers with their values alone.
pub(crate) fn valued(ideas: Vec<Idea>) -> Vec<(f64, Action)> {
    ideas.into_iter().map(|idea| (idea.value(), idea.action)).collect()
}
