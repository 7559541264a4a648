//! Quick judgement: the answer that looks best at first sight. Which that is stands in [`first_sight`].

use tricorne_chance::Whim;
use tricorne_game::first_sight;

use crate::field::Field;
use crate::verdict::{Verdict, Weighed};

/// The proposals as they look, the most promising first.
pub fn weigh<F: Field>(field: &F, whim: &mut Whim) -> Verdict<F::Order> {
    let mut proposals = field.proposals(first_sight::PROPOSALS, whim);
    first_sight::put_in_order(&mut proposals);
    let weighed = proposals
        .into_iter()
        .map(|p| Weighed { order: p.action, promise: p.promise, visits: 0, total: 0.0 })
        .collect();
    Verdict { weighed, tries: 0, decisions: 0 }
}

/// The most promising of at most `most` proposals, for those who have no time for all of a subaltern's.
pub fn choose<F: Field>(field: &F, most: usize, whim: &mut Whim) -> Option<F::Order> {
    field.first_sight(most, whim)
}
