//! The odds told are the odds rolled.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim, enumerate};
use tricorne_game::{Battle, Choices, Log, Prospect, Purpose, Source, StateHash, System, odds};

/// Exchanges with more paths than this are sampled and not enumerated.
const PATHS: usize = 4_000;

/// A chance of about one in a million to call right odds wrong, for each comparison.
const SIGMAS: f64 = 4.9;

/// Rolls of each exchange: a hundred thousand where there is time for it.
fn rolls() -> u32 {
    if std::env::var_os("TRICORNE_FULL").is_some() { 100_000 } else { 10_000 }
}

/// Takes actions of random battles, has their odds told, and compares with ten thousand rolls of the same action (a
/// hundred thousand with `TRICORNE_FULL` set). `want` exchanges are compared in all, and one or two that are too deep
/// to enumerate, whose odds are from sampling with a stated error.
pub fn odds_match_rolls<S: System>(system: S, seed: u64, want: usize) {
    let mut compared = 0;
    let mut deepest = 0;
    // A few yes-or-no rolls are enough; after them only exchanges with several outcomes are worth the rolls.
    let mut shallow = 3;
    let mut sampled = 2;
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
            if whim.chance(0.34) {
                let seed = seed + compared as u64;
                match compare(&battle, &action, least, sampled > 0, seed) {
                    Compared::Exact(ways) => {
                        compared += 1;
                        deepest = deepest.max(ways);
                        shallow -= i32::from(ways < 8);
                    }
                    Compared::Sampled => sampled -= 1,
                    Compared::NotWorthIt => {}
                }
            }
            battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert!(compared >= want / 2, "only {compared} exchanges could be enumerated");
    assert!(deepest > 10, "no exchange worth the name: at most {deepest} outcomes");
}

enum Compared {
    /// Enumerated, with so many outcomes.
    Exact(usize),
    /// Too deep to enumerate.
    Sampled,
    /// Too few outcomes.
    NotWorthIt,
}

/// Each outcome that was rolled: how often, and the battle after it.
type Rolled<B> = BTreeMap<StateHash, (u32, B)>;

fn compare<B: Battle>(battle: &B, action: &B::Action, least: usize, deep: bool, seed: u64) -> Compared {
    let exact = enumerate(PATHS, |chance| {
        let mut after = battle.clone();
        let _ = after.apply(action, chance, &mut Log::off());
        after.hash()
    });
    match &exact {
        Some(odds) if odds.ways.len() < least => return Compared::NotWorthIt,
        None if !deep => return Compared::NotWorthIt,
        _ => {}
    }
    let told = odds(battle, action, PATHS).unwrap_or_else(|e| panic!("{action:?}: {e}"));
    assert_eq!(told.exact, exact.is_some(), "{action:?}: whether the odds are exact");
    assert_eq!(told.exact, told.error == 0.0, "{action:?}: sampled odds state their error");
    let mut rolled: Rolled<B> = BTreeMap::new();
    let mut chance = Seeded::new(seed);
    for _ in 0..rolls() {
        let mut after = battle.clone();
        let _ = after.apply(action, &mut chance, &mut Log::off());
        rolled.entry(after.hash()).or_insert((0, after)).0 += 1;
    }
    units_match(battle, action, &told, &rolled);
    let Some(exact) = exact else { return Compared::Sampled };
    assert!((exact.chance_of(|_| true) - 1.0).abs() < 1e-9, "{action:?}: the odds do not add up to one");
    let exact: BTreeMap<StateHash, f64> = exact.ways.iter().copied().collect();
    for hash in rolled.keys() {
        assert!(exact.contains_key(hash), "{action:?}: rolled an outcome that was not enumerated");
    }
    let outcomes: Vec<(f64, u32)> =
        exact.iter().map(|(hash, p)| (*p, rolled.get(hash).map_or(0, |r| r.0))).collect();
    let off = deviation(&outcomes);
    assert!(off < SIGMAS, "{action:?}: outcomes as rolled are {off:.1} deviations from the odds");
    Compared::Exact(exact.len())
}

/// What the odds say of each unit, against what the rolls did to it.
fn units_match<B: Battle>(battle: &B, action: &B::Action, told: &Prospect, rolled: &Rolled<B>) {
    let seat = battle.seat();
    let views: Vec<_> = rolled.values().map(|(n, after)| (*n, after.view(seat))).collect();
    let of = f64::from(rolls());
    for unit in &told.units {
        let sum: f64 = unit.strength.iter().map(|s| s.1).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{action:?}: the strengths of {} add up to {sum}", unit.unit);
        let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
        for (n, view) in &views {
            if let Some(u) = view.units.iter().find(|u| u.id == unit.unit) {
                *seen.entry(u.strength.0).or_default() += n;
            }
        }
        // A unit that some outcomes hide from this seat is not counted there; its odds are of the rest.
        if seen.values().sum::<u32>() != rolls() {
            continue;
        }
        if told.exact {
            let outcomes: Vec<(f64, u32)> =
                unit.strength.iter().map(|(s, p)| (*p, seen.remove(s).unwrap_or(0))).collect();
            assert!(seen.is_empty(), "{action:?}: {} had strengths not told: {seen:?}", unit.unit);
            let off = deviation(&outcomes);
            assert!(off < SIGMAS, "{action:?}: the strength of {} is {off:.1} deviations off", unit.unit);
        } else {
            for (strength, p) in &unit.strength {
                let share = f64::from(seen.get(strength).copied().unwrap_or(0)) / of;
                let error = (told.error * told.error + share * (1.0 - share) / of).sqrt() + 1.0 / of;
                let off = (share - p).abs() / error;
                assert!(off < SIGMAS, "{action:?}: {} at {strength}: told {p}, rolled {share}", unit.unit);
            }
        }
    }
}

/// How far counts are from their odds, in standard deviations: the chi-squared statistic, made normal by Wilson's and
/// Hilferty's cube root. Outcomes expected less than five times go together.
fn deviation(outcomes: &[(f64, u32)]) -> f64 {
    let of: f64 = outcomes.iter().map(|o| f64::from(o.1)).sum();
    let mut rare = (0.0, 0.0);
    let mut bins: Vec<(f64, f64)> = Vec::new();
    for &(p, n) in outcomes {
        if p * of < 5.0 {
            rare = (rare.0 + p * of, rare.1 + f64::from(n));
        } else {
            bins.push((p * of, f64::from(n)));
        }
    }
    if rare.0 > 0.0 {
        // Still rare all together: beside the likeliest.
        match bins.iter_mut().max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some(bin) if rare.0 < 5.0 => *bin = (bin.0 + rare.0, bin.1 + rare.1),
            _ => bins.push(rare),
        }
    }
    if bins.len() < 2 {
        return 0.0;
    }
    let chi: f64 = bins.iter().map(|(expected, n)| (n - expected) * (n - expected) / expected).sum();
    let free = bins.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * free);
    (libm::cbrt(chi / free) - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_odds_pass_and_wrong_ones_do_not() {
        // A thousandth of the rolls of a die go astray: nothing to see. Two hundredths: plain.
        let counts = |astray: u32| [16_666 + astray, 16_667, 16_667, 16_667, 16_667, 16_666 - astray];
        let outcomes = |astray| counts(astray).map(|n| (1.0 / 6.0, n));
        assert!(deviation(&outcomes(100)) < SIGMAS);
        assert!(deviation(&outcomes(2_000)) > SIGMAS);
        // The upper 0.1 % of chi-squared with 5 degrees begins at 20.5, which is 3.09 deviations.
        let off = 20.515_f64 * 10_000.0 / 2.0;
        let n = |by: f64| (10_000.0 + by) as u32;
        let by = off.sqrt();
        let outcomes = [n(by), n(-by), 10_000, 10_000, 10_000, 10_000].map(|n| (1.0 / 6.0, n));
        assert!((deviation(&outcomes) - 3.09).abs() < 0.1, "{}", deviation(&outcomes));
        assert_eq!(deviation(&[(1.0, 10)]), 0.0);
    }
}
