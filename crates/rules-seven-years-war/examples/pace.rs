//! How many random decisions a second: `cargo run --release --example pace -- 6`.

use std::fmt::Write;
use std::time::Instant;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_seven_years_war::SevenYearsWar;

/// Thirty units a side in ten groups, three generals and a C-in-C each, hills and woods between them.
fn thirty_a_side() -> String {
    let mut text = String::from(
        "format = 1\ntitle = \"Thirty a side\"\ntable = [240, 150]\nturns = 12\nfirst = \"p\"\n\
         [[sides]]\nid = \"p\"\nnation = \"prussian\"\nedge = \"south\"\n\
         [[sides]]\nid = \"a\"\nnation = \"austrian\"\nedge = \"north\"\n\
         [[terrain]]\nid = \"H1\"\nkind = \"hill\"\npoints = [[60, 60], [100, 60], [100, 90], [60, 90]]\n\
         [[terrain]]\nid = \"W1\"\nkind = \"wood\"\npoints = [[140, 60], [170, 60], [170, 85], [140, 85]]\n",
    );
    for (side, code, edge, facing) in
        [("p", ["P-MUS", "P-DRAG", "P-FUS"], 1.0, 0), ("a", ["A-MUS", "A-DRAG", "A-HUNG"], -1.0, 180)]
    {
        let y = |row: f64| if edge > 0.0 { 40.0 - row } else { 110.0 + row };
        for (g, x, cinc) in [("1", 60.0, false), ("2", 120.0, false), ("3", 180.0, false), ("C", 122.0, true)]
        {
            let _ = write!(
                text,
                "[[generals]]\nid = \"{side}{g}\"\nside = \"{side}\"\nat = [{x}, {}]\ncinc = {cinc}\n",
                y(if cinc { 36.0 } else { 30.0 })
            );
        }
        for group in 0..10 {
            let (row, column) = (group / 5, group % 5);
            let kind = code[group % 3];
            let horse = kind.ends_with("DRAG");
            let width = if horse { 12.5 } else { 8.5 };
            for unit in 0..3 {
                let x = 25.0 + f64::from(column as u32) * 44.0 + f64::from(unit) * width;
                let front = y(f64::from(row as u32) * 12.0 + if horse { 5.0 } else { 0.0 });
                let _ = write!(
                    text,
                    "[[units]]\nid = \"{side}{group}{unit}\"\nside = \"{side}\"\ncode = \"{kind}\"\ngroup = \"{side}g{group}\"\n\
                     command = \"{side}{}\"\nat = [{x}, {front}]\nfacing = {facing}\nstands = {}\n",
                    column / 2 + 1,
                    if horse { 3 } else { 4 }
                );
            }
        }
    }
    text
}

fn pace(name: &str, text: &str, seconds: f64) {
    let source = Source::new(name, text);
    let set = match SevenYearsWar.set_up(&source, &Choices::default(), Purpose::Scenario) {
        Ok(battle) => battle,
        Err(fault) => {
            println!("{fault}");
            return;
        }
    };
    let (mut decisions, mut battles, start) = (0u64, 0u64, Instant::now());
    while start.elapsed().as_secs_f64() < seconds {
        let mut battle = set.clone();
        let (mut chance, mut whim, mut log) = (Seeded::new(battles), Whim::new(battles, 0), Log::off());
        battle.begin(&mut chance, &mut log);
        while battle.ending().is_none() {
            let action = battle.sample(&mut whim);
            if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
                println!("{name} {battles}: {action:?}: {illegal}");
                return;
            }
            decisions += 1;
        }
        battles += 1;
    }
    let rate = decisions as f64 / start.elapsed().as_secs_f64();
    println!("{name}: {battles} battles, {decisions} decisions, {rate:.0} a second");
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(8.0);
    for scenario in SevenYearsWar.scenarios() {
        pace(scenario.id, scenario.text, seconds / 4.0);
    }
    pace("thirty-a-side", &thirty_a_side(), seconds / 4.0);
}
