//! Fights every scenario over many seeds and prints decisions a second: `cargo run --release --example battles [SEEDS]`.

use std::time::Instant;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::AllTheKingsMen;

/// Processor time used so far, where the system tells; a busy machine then measures like an idle one.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(200);
    for scenario in AllTheKingsMen.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let (start, used) = (Instant::now(), processor_seconds());
        let (mut decisions, mut grades) = (0_u64, std::collections::BTreeMap::<String, u32>::new());
        for seed in 0..seeds {
            let set_up = AllTheKingsMen.set_up(&source, &Choices::default(), Purpose::Scenario);
            let mut battle = match set_up {
                Ok(battle) => battle,
                Err(fault) => {
                    eprintln!("{fault}");
                    std::process::exit(2);
                }
            };
            let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
            battle.begin(&mut chance, &mut log);
            while battle.ending().is_none() {
                let action = battle.sample(&mut whim);
                if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
                    eprintln!("{} seed {seed}: {action:?}: {illegal}", scenario.id);
                    std::process::exit(1);
                }
                decisions += 1;
            }
            if let Some(ending) = battle.ending() {
                let winner = ending
                    .winner
                    .map_or("nobody".into(), |w| if w.0 == 0 { "red".to_owned() } else { "black".into() });
                *grades.entry(format!("{winner}: {} ({})", ending.grade, ending.clause)).or_default() += 1;
            }
        }
        let seconds = match (used, processor_seconds()) {
            (Some(before), Some(after)) => after - before,
            _ => start.elapsed().as_secs_f64(),
        };
        println!(
            "{}: {seeds} battles, {decisions} decisions, {:.0} a second of processor time",
            scenario.id,
            decisions as f64 / seconds
        );
        for (grade, n) in grades {
            println!("    {n:4} {grade}");
        }
    }
}
