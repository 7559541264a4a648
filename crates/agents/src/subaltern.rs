//! Quick judgement: the answer that looks best at first sight.

use tricorne_chance::Whim;
use tricorne_game::InOrder;

use crate::field::Field;
use crate::verdict::{Verdict, Weighed};

/// How many proposals a subaltern weighs.
const PROPOSALS: usize = 48;

/// The proposals as they look, the most promising first.
pub fn weigh<F: Field>(field: &F, whim: &mut Whim) -> Verdict<F::Order> {
    let mut weighed: Vec<Weighed<F::Order>> = field
        .proposals(PROPOSALS, whim)
        .into_iter()
        .map(|p| Weighed { order: p.action, promise: p.promise, visits: 0, total: 0.0 })
        .collect();
    weighed.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
    Verdict { weighed, tries: 0, decisions: 0 }
}

/// The most promising of at most `most` proposals; the first of equals.
pub fn choose<F: Field>(field: &F, most: usize, whim: &mut Whim) -> Option<F::Order> {
    let mut best = None;
    for proposal in field.proposals(most, whim) {
        if best.as_ref().is_none_or(|(promise, _)| proposal.promise > *promise) {
            best = Some((proposal.promise, proposal.action));
        }
    }
    best.map(|(_, order)| order)
}
