//! Prints how many decisions a second random battles take, the size of the state and the time of a clone.

use std::time::Instant;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_would_be_kings::WouldBeKings;

fn main() {
    let mut all = (0_usize, 0.0);
    for scenario in WouldBeKings.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let begin = match WouldBeKings.set_up(&source, &Choices::default(), Purpose::Scenario) {
            Ok(battle) => battle,
            Err(fault) => {
                eprintln!("{fault}");
                return;
            }
        };
        let started = Instant::now();
        let mut decisions = 0;
        for seed in 0..100 {
            let mut battle = begin.clone();
            let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
            battle.begin(&mut chance, &mut log);
            while battle.ending().is_none() {
                let action = battle.sample(&mut whim);
                if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
                    eprintln!("{}: {action:?}: {illegal}", scenario.id);
                    return;
                }
                decisions += 1;
            }
        }
        let took = started.elapsed().as_secs_f64();
        all = (all.0 + decisions, all.1 + took);
        println!("{:20} {decisions:>7} decisions, {:>9.0} a second", scenario.id, decisions as f64 / took);
        let started = Instant::now();
        for _ in 0..10_000 {
            std::hint::black_box(begin.clone());
        }
        println!("{:20} clone {:.0} ns", "", started.elapsed().as_secs_f64() * 1e5);
    }
    println!("all {:.0} decisions a second", all.0 as f64 / all.1);
    println!("state {} bytes", std::mem::size_of::<tricorne_rules_would_be_kings::State>());
}
