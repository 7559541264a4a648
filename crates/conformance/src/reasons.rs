//! Why an officer would answer so: told in every system, by clauses that are there.

use tricorne_chance::Whim;
use tricorne_game::{Battle, Because, Choices, System};

use crate::battles::fight;

/// Asks, in a random battle of each scenario, why the best answers are proposed: a few reasons, each a number and words,
/// the strongest first, and any clause one of the rulebook's. Some decisions have none, in no scenario may all; and in every
/// system some reason rests on a clause.
pub fn officers_say_why<S: System>(system: S, seed: u64) {
    let book = System::book(&system);
    let mut by_clause = 0_usize;
    for scenario in system.scenarios() {
        let (mut asked, mut told) = (0_usize, 0_usize);
        let mut whim = Whim::new(seed, 3);
        fight(system, scenario, &Choices::default(), seed, |battle, _, n| {
            if n % 5 != 0 {
                return;
            }
            for proposal in battle.proposals(3, &mut whim) {
                let reasons = battle.because(&proposal.action);
                let at = || format!("{} seed {seed}, decision {n}, {:?}", scenario.id, proposal.action);
                assert!(reasons.len() <= Because::MOST, "{}: {reasons:?}", at());
                assert!(
                    reasons.is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()),
                    "{}: the strongest first: {reasons:?}",
                    at()
                );
                for because in &reasons {
                    assert!(because.weight.is_finite() && !because.why.is_empty(), "{}: {because:?}", at());
                    if let Some(clause) = &because.clause {
                        assert!(book.clause(clause).is_some(), "{}: no clause {clause}", at());
                        by_clause += 1;
                    }
                }
                asked += 1;
                told += usize::from(!reasons.is_empty());
            }
        });
        assert!(told > 0, "{}: {asked} answers were proposed, and nobody could say why", scenario.id);
    }
    assert!(by_clause > 0, "no reason rests on a clause");
}
