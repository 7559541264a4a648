//! Fights random battles of every scenario and prints decisions per second.
//! `cargo run --release -p tricorne-rules-von-futsch --example bench [BATTLES [check]]`; `check` looks after every
//! action whether the position is sound.

use std::time::Instant;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_von_futsch::VonFutsch;

fn main() {
    let battles: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(200);
    let checked = std::env::args().nth(2).is_some_and(|word| word == "check");
    let (mut all, mut seconds) = (0_usize, 0.0);
    for scenario in VonFutsch.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let start = Instant::now();
        let (mut decisions, mut wins, mut turns) = (0_usize, [0_u32; 3], 0.0);
        for seed in 0..battles {
            let mut battle = match VonFutsch.set_up(&source, &Choices::default(), Purpose::Scenario) {
                Ok(battle) => battle,
                Err(fault) => {
                    eprintln!("{fault}");
                    std::process::exit(2);
                }
            };
            let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
            battle.begin(&mut chance, &mut log);
            while battle.seat().is_some() {
                let action = battle.sample(&mut whim);
                if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
                    eprintln!("{} seed {seed}: {action:?}: {illegal}", scenario.id);
                    std::process::exit(1);
                }
                decisions += 1;
                if checked && let Some(broken) = battle.broken_invariants().first() {
                    eprintln!("{} seed {seed}: {broken} after {action:?}", scenario.id);
                    std::process::exit(1);
                }
                if decisions > 5_000_000 {
                    eprintln!("{} seed {seed} does not end", scenario.id);
                    std::process::exit(1);
                }
            }
            let winner = battle.ending().and_then(|e| e.winner).map_or(2, tricorne_game::Side::index);
            wins[winner] += 1;
            turns += f64::from(battle.state().turn);
        }
        let took = start.elapsed().as_secs_f64();
        all += decisions;
        seconds += took;
        println!(
            "{:<18} {battles} battles, {decisions} decisions, {:.0} a second; red {} black {} neither {}; {:.1} turns",
            scenario.id,
            decisions as f64 / took,
            wins[0],
            wins[1],
            wins[2],
            turns / battles as f64,
        );
    }
    println!("{:.0} decisions a second", all as f64 / seconds);
}
