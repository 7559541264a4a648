//! First sight: which of the proposals a subaltern takes. Whoever supposes how others will answer supposes that they
//! answer as he would, so his choice stands here, where the programs and the forecasts find the same one.
//!
//! ```
//! use tricorne_game::{Proposal, first_sight};
//! let proposals = [("hold", 0.5), ("charge", 0.75), ("fire", 0.75)].map(|(a, p)| Proposal::new(a, p));
//! assert_eq!(first_sight::best(proposals).unwrap().action, "charge"); // the first of equals
//! ```

use tricorne_chance::Whim;

use crate::{Battle, InOrder, Proposal};

/// How many proposals a subaltern weighs.
pub const PROPOSALS: usize = 48;

/// What a subaltern would answer to the pending decision. Only a whim that shaped the proposals can have him answer
/// otherwise.
pub fn answer<B: Battle>(battle: &B, whim: &mut Whim) -> Option<B::Action> {
    battle.first_sight(PROPOSALS, whim)
}

/// See [`Battle::proposals`]; any legal answer where it has none, so never empty while a decision is pending.
pub fn proposals<B: Battle>(battle: &B, most: usize, whim: &mut Whim) -> Vec<Proposal<B::Action>> {
    let mut proposals = battle.proposals(most, whim);
    if proposals.is_empty() {
        proposals.push(Proposal::new(battle.sample(whim), 0.0));
    }
    proposals
}

/// The most promising; the first of equals.
pub fn best<A>(proposals: impl IntoIterator<Item = Proposal<A>>) -> Option<Proposal<A>> {
    let better = |best: Proposal<A>, next: Proposal<A>| {
        if next.promise.total_cmp(&best.promise).is_gt() { next } else { best }
    };
    proposals.into_iter().reduce(better)
}

/// The most promising first, equals as they were proposed: [`best`] leads.
pub fn put_in_order<A>(proposals: &mut [Proposal<A>]) {
    proposals.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_one_that_leads() {
        let mut next = 7_u32;
        for len in 0..60 {
            let mut proposals: Vec<Proposal<usize>> = (0..len)
                .map(|n| {
                    next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    Proposal::new(n, f64::from(next >> 30) - 1.0)
                })
                .collect();
            let best = best(proposals.clone());
            put_in_order(&mut proposals);
            assert_eq!(best.as_ref(), proposals.first());
        }
    }
}
