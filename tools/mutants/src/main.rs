//! Breaks the rules of a system one place at a time and asks whether a rule case notices (see the README).

mod places;
mod workshop;

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Parser;

use places::Mutant;
use workshop::{Fate, Workshop};

/// Breaks the rules of a system one place at a time and lists what no rule case notices.
#[derive(Parser)]
#[command(name = "mutants")]
struct Wish {
    /// Whose rules: would-be-kings, all-the-kings-men, von-futsch, seven-years-war
    system: String,
    /// Only so many, drawn by lot
    #[arg(long)]
    sample: Option<usize>,
    /// The lot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only rooms or files whose path begins so, beneath `src`
    #[arg(long)]
    room: Option<String>,
    /// Only this one, by its number
    #[arg(long)]
    mutant: Option<u32>,
}

fn main() -> ExitCode {
    match trial(&Wish::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("mutants: {why}");
            ExitCode::from(2)
        }
    }
}

fn trial(wish: &Wish) -> Result<(), String> {
    let workshop = Workshop::of(&wish.system)?;
    let all = workshop.build()?;
    let chosen = choose(&all, wish);
    if chosen.is_empty() {
        return Err("there is no such mutant; leave out --room or --mutant to see them all".to_owned());
    }
    eprintln!("mutants: {} of {}", chosen.len(), all.len());
    let fates = workshop.hold_to_cases(&chosen)?;
    for (mutant, fate) in &fates {
        match fate {
            Fate::Lived { cases } => println!("{}  {}", workshop.place(mutant), came_by(*cases)),
            Fate::Told(by) if wish.mutant.is_some() => println!("{}  told by {by}", workshop.place(mutant)),
            Fate::Told(_) => {}
        }
    }
    let lived: Vec<usize> = fates
        .iter()
        .filter_map(|(_, fate)| if let Fate::Lived { cases } = fate { Some(*cases) } else { None })
        .collect();
    println!(
        "{}: of {} mutants {} told ({:.1} %), {} lived, {} of them where no case comes by",
        wish.system,
        fates.len(),
        fates.len() - lived.len(),
        100.0 * (fates.len() - lived.len()) as f64 / fates.len() as f64,
        lived.len(),
        lived.iter().filter(|cases| **cases == 0).count(),
    );
    Ok(())
}

fn came_by(cases: usize) -> String {
    match cases {
        0 => "no case comes by".to_owned(),
        1 => "one case comes by".to_owned(),
        _ => format!("{cases} cases come by"),
    }
}

/// Those that are asked for, and of these so many by lot.
fn choose<'a>(all: &'a [Mutant], wish: &Wish) -> Vec<&'a Mutant> {
    let mut asked: Vec<&Mutant> = all
        .iter()
        .filter(|mutant| wish.mutant.is_none_or(|number| number == mutant.number))
        .filter(|mutant| wish.room.as_ref().is_none_or(|room| mutant.file.starts_with(room.as_str())))
        .collect();
    if let Some(sample) = wish.sample {
        asked.sort_by_key(|mutant| lot(wish.seed, mutant));
        asked.truncate(sample);
        let drawn: BTreeSet<u32> = asked.iter().map(|mutant| mutant.number).collect();
        asked = all.iter().filter(|mutant| drawn.contains(&mutant.number)).collect();
    }
    asked
}

/// A number by which mutants are drawn. It hangs on the place and not on the count, so that a change elsewhere leaves the
/// sample much as it was.
fn lot(seed: u64, mutant: &Mutant) -> u64 {
    let text = format!("{seed} {} {} {} {}", mutant.file, mutant.function, mutant.lines.0, mutant.what);
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
}
