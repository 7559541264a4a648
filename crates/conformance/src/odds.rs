//! Enumerated odds are the odds that are rolled.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim, enumerate};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, StateHash, System};

/// Exchanges deeper than this are left to sampling.
const PATHS: usize = 4_000;

/// Takes actions of random battles, works out every outcome exactly by enumerating the rule that resolves it, and
/// compares with ten thousand rolls of the same action. `want` exchanges are compared in all.
pub fn odds_match_rolls<S: System>(system: S, seed: u64, want: usize) {
    let mut compared = 0;
    let mut deepest = 0;
    // A few yes-or-no rolls are enough; after them only exchanges with several outcomes are worth the rolls.
    let mut shallow = 3;
    for (i, scenario) in system.scenarios().iter().enumerate() {
        let source = Source::new(scenario.id, scenario.text);
        let mut battle =
            system.set_up(&source, &Choices::default(), Purpose::Scenario).unwrap_or_else(|f| panic!("{f}"));
        let (mut chance, mut log, mut whim) = (Seeded::new(seed), Log::off(), Whim::new(seed, 4));
        battle.begin(&mut chance, &mut log);
        let share = want * (i + 1) / system.scenarios().len();
        while battle.ending().is_none() && compared < share {
            let action = battle.sample(&mut whim);
            // One action in three, so that the exchanges come from all over the battle.
            let least = if shallow > 0 { 2 } else { 8 };
            if whim.chance(0.34)
                && let Some(ways) = compare(&battle, &action, least, seed + compared as u64)
            {
                compared += 1;
                deepest = deepest.max(ways);
                shallow -= i32::from(ways < 8);
            }
            battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert!(compared >= want / 2, "only {compared} exchanges could be enumerated");
    assert!(deepest > 10, "no exchange worth the name: at most {deepest} outcomes");
}

/// Compares one action; the number of its outcomes, or none if there are fewer than `least` or it is too deep.
fn compare<B: Battle>(battle: &B, action: &B::Action, least: usize, seed: u64) -> Option<usize> {
    const ROLLS: u32 = 10_000;
    let odds = enumerate(PATHS, |chance| {
        let mut after = battle.clone();
        let _ = after.apply(action, chance, &mut Log::off());
        after.hash()
    })?;
    if odds.ways.len() < least {
        return None;
    }
    assert!((odds.chance_of(|_| true) - 1.0).abs() < 1e-9, "{action:?}: the odds do not add up to one");
    let mut seen: BTreeMap<StateHash, f64> = BTreeMap::new();
    let mut chance = Seeded::new(seed);
    for _ in 0..ROLLS {
        let mut after = battle.clone();
        let _ = after.apply(action, &mut chance, &mut Log::off());
        *seen.entry(after.hash()).or_default() += 1.0 / f64::from(ROLLS);
    }
    let exact: BTreeMap<StateHash, f64> = odds.ways.iter().copied().collect();
    for hash in seen.keys() {
        assert!(exact.contains_key(hash), "{action:?}: rolled an outcome that was not enumerated");
    }
    for (hash, p) in &exact {
        let rolled = seen.get(hash).copied().unwrap_or_default();
        let error = 6.0 * (p * (1.0 - p) / f64::from(ROLLS)).sqrt() + 1.0 / f64::from(ROLLS);
        assert!((rolled - p).abs() <= error, "{action:?}: exact {p}, rolled {rolled}");
    }
    Some(exact.len())
}
