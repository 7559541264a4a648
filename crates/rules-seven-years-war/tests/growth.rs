//! How the cost of a decision grows with the armies, and whether every scenario comes to its end. Both take their time
//! and measure it, so they run only when asked for:
//!
//!     cargo test --release -p tricorne-rules-seven-years-war --test all growth -- --ignored --nocapture

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Log, Purpose, Source, System};
use tricorne_rules_seven_years_war::{Battle, SevenYearsWar};

/// A battle of so many units a side, at the same density whatever their number: ten units to 90 cm of front.
fn field(units: usize) -> String {
    let width = (9.0 * units as f64).max(120.0);
    let mut text = format!(
        "format = 1\nruleset = \"seven-years-war\"\ntitle = \"{units} a side\"\ntable = [{width}, 120]\n\
         sides = [{{ id = \"a\", nation = \"prussian\", edge = \"south\" }}, {{ id = \"b\", nation = \"austrian\", edge = \"north\" }}]\n"
    );
    let mut terrain = String::new();
    for k in 0..units / 10 {
        let x = width * (k as f64 + 0.5) / (units as f64 / 10.0);
        let _ = writeln!(
            terrain,
            "  {{ id = \"W{k}\", kind = \"wood\", rect = [{}, 50, {}, 66] }},\n  {{ id = \"H{k}\", kind = \"hill\", level = 0, rect = [{}, 54, {}, 70] }},",
            x - 40.0,
            x - 22.0,
            x + 4.0,
            x + 30.0
        );
    }
    let _ = writeln!(text, "terrain = [\n{terrain}]");
    let kinds: [(&str, f64, u8); 10] = [
        ("MI", 8.0, 4),
        ("MI", 8.0, 4),
        ("MC", 16.0, 4),
        ("MI", 8.0, 4),
        ("HI", 8.0, 4),
        ("LI", 16.0, 4),
        ("MA", 4.0, 1),
        ("MI", 8.0, 4),
        ("LC", 16.0, 4),
        ("HC", 16.0, 4),
    ];
    let (mut rows, mut generals) = (String::new(), String::new());
    for (s, side) in ["a", "b"].into_iter().enumerate() {
        let brigades = (units / 8).max(1);
        let (mut x, mut row) = (2.0, 0);
        for n in 0..units {
            let entry = kinds[n % 10];
            if x + entry.1 > width - 2.0 {
                (x, row) = (2.0, row + 1);
            }
            let back = 28.0 - 8.0 * f64::from(row);
            let y = if s == 0 { back } else { 120.0 - back };
            let _ = writeln!(
                rows,
                "  {{ id = \"{side}{n}\", side = \"{side}\", kind = \"{}\", stands = {}, at = [{}, {y}], command = \"{}{}\" }},",
                entry.0,
                entry.2,
                x + entry.1 * 0.5,
                side.to_uppercase(),
                n % brigades
            );
            x += entry.1 + 0.5;
        }
        let y = if s == 0 { 3.1 } else { 116.9 };
        for b in 0..=brigades {
            let at = width * (b as f64 + 0.5) / (brigades as f64 + 1.0);
            let name = if b == brigades { "C".to_owned() } else { b.to_string() };
            let _ = writeln!(
                generals,
                "  {{ id = \"{}{name}\", side = \"{side}\", at = [{at:.1}, {y}], cinc = {} }},",
                side.to_uppercase(),
                b == brigades
            );
        }
    }
    let _ = writeln!(text, "generals = [\n{generals}]\nunits = [\n{rows}]");
    text
}

fn set_up(text: &str) -> Battle {
    SevenYearsWar
        .set_up(&Source::new("field.toml", text), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|fault| panic!("{fault}"))
}

/// Plays one battle at random; how many decisions it took, none if it did not end.
fn play(fresh: &Battle, seed: u64, most: u64) -> Option<u64> {
    let mut battle = fresh.clone();
    let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
    battle.begin(&mut chance, &mut log);
    for n in 0..most {
        if battle.ending().is_some() {
            return Some(n);
        }
        let action = battle.sample(&mut whim);
        battle
            .apply(&action, &mut chance, &mut log)
            .unwrap_or_else(|e| panic!("seed {seed}, decision {n}, {action:?}: {e}"));
    }
    None
}

#[test]
fn fields_of_every_size_are_fair() {
    for units in [10, 20, 30, 40] {
        let fresh = set_up(&field(units));
        assert!(play(&fresh, 1, 60).is_none(), "{units} a side fight for a while");
    }
}

#[test]
#[ignore = "measures speed"]
fn cost_of_a_decision() {
    for units in [10, 20, 30, 40] {
        let fresh = set_up(&field(units));
        let (start, mut decisions, mut battles) = (Instant::now(), 0, 0);
        while start.elapsed() < Duration::from_secs(8) {
            decisions += play(&fresh, battles, 100_000).unwrap_or(100_000);
            battles += 1;
        }
        let rate = decisions as f64 / start.elapsed().as_secs_f64();
        println!("{units:>3} a side: {rate:>9.0} decisions/s, {} a battle", decisions / battles.max(1));
    }
}

#[test]
#[ignore = "takes minutes"]
fn every_scenario_ends_for_two_hundred_seeds() {
    for scenario in SevenYearsWar.scenarios() {
        let fresh = set_up(scenario.text);
        let (mut ended, mut decisions) = (0, 0);
        for seed in 0..200 {
            let n = play(&fresh, seed, 50_000);
            assert!(n.is_some(), "{} with seed {seed} does not end", scenario.id);
            ended += 1;
            decisions += n.unwrap_or(0);
        }
        println!("{}: {ended} of 200 ended, {} decisions each", scenario.id, decisions / 200);
    }
}
