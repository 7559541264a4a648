//! Every value of every option is fought with, to the end.

use std::collections::BTreeMap;

use tricorne_game::{Choices, System};

use crate::fight;

/// Fights a random battle for every value of every option, each on a scenario of its own in turn, and holds the
/// invariants at every decision. `skip` names scenarios that are too long for this.
pub fn every_reading_is_fought<S: System>(system: S, skip: &[&str]) {
    let scenarios: Vec<_> = system.scenarios().iter().filter(|s| !skip.contains(&s.id)).collect();
    assert!(!scenarios.is_empty(), "no scenario left to fight");
    let mut turn = 0;
    for spec in &system.options().specs {
        for value in std::iter::once(&spec.default).chain(&spec.others) {
            let value = if value == "number" { "3" } else { value };
            let options = BTreeMap::from([(spec.id.clone(), value.to_owned())]);
            let choices = Choices { options, ..Choices::default() };
            let scenario = scenarios[turn % scenarios.len()];
            turn += 1;
            fight(system, scenario, &choices, turn as u64, |battle, action, n| {
                let broken = tricorne_game::Battle::broken_invariants(battle);
                assert!(
                    broken.is_empty(),
                    "{} = {value}, {} decision {n} ({action:?}): {broken:?}",
                    spec.id,
                    scenario.id
                );
            });
        }
    }
}
