//! Hunts broken invariants.
use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, Story, System};
use tricorne_rules_seven_years_war::SevenYearsWar;
fn main() {
    let n: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(20);
    let mut kinds = std::collections::BTreeMap::new();
    for scenario in SevenYearsWar.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        'seed: for seed in 0..n {
            let mut battle = SevenYearsWar.set_up(&source, &Choices::default(), Purpose::Scenario).unwrap();
            let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::on());
            battle.begin(&mut chance, &mut log);
            let mut k = 0;
            while battle.ending().is_none() {
                let action = battle.sample(&mut whim);
                log.take();
                *kinds.entry(battle.pending().kind().to_owned()).or_insert(0u64) += 1;
                if let Err(e) = battle.apply(&action, &mut chance, &mut log) {
                    println!("{} {seed} {k}: REFUSED {action:?} {e}", scenario.id);
                    continue 'seed;
                }
                let broken = battle.broken_invariants();
                if !broken.is_empty() {
                    println!("{} {seed} {k}: {broken:?} after {action:?}", scenario.id);
                    let view = battle.view(None);
                    let story = Story::new(SevenYearsWar.stories(), &view);
                    for e in log.events() {
                        if let Some(t) = story.tell(e) {
                            println!("      {t}");
                        }
                    }
                    continue 'seed;
                }
                k += 1;
            }
        }
    }
    println!("{kinds:?}");
}
