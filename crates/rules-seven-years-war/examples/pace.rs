//! How many random decisions a second: `cargo run --release --example pace -- 5`.

use std::time::Instant;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_seven_years_war::SevenYearsWar;

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(5.0);
    for scenario in SevenYearsWar.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let (mut decisions, mut battles, start) = (0u64, 0u64, Instant::now());
        while start.elapsed().as_secs_f64() < seconds / SevenYearsWar.scenarios().len() as f64 {
            let mut battle = match SevenYearsWar.set_up(&source, &Choices::default(), Purpose::Scenario) {
                Ok(battle) => battle,
                Err(fault) => {
                    println!("{fault}");
                    return;
                }
            };
            let (mut chance, mut whim, mut log) = (Seeded::new(battles), Whim::new(battles, 0), Log::off());
            battle.begin(&mut chance, &mut log);
            while battle.ending().is_none() {
                let action = battle.sample(&mut whim);
                if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
                    println!("{} {battles}: {action:?}: {illegal}", scenario.id);
                    return;
                }
                decisions += 1;
                if decisions % 100_000 == 0 && decisions / (battles + 1) > 200_000 {
                    println!("{} battle {battles} does not end: {:?}", scenario.id, battle.pending());
                    return;
                }
            }
            battles += 1;
        }
        let rate = decisions as f64 / start.elapsed().as_secs_f64();
        println!("{}: {battles} battles, {decisions} decisions, {rate:.0} a second", scenario.id);
    }
}
