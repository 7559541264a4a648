//! `tricorne odds`: what an action may come to.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json as value};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{AnyBattle, Effort, Forecast, Log, Prospect, Refusal, Umpire, forecast};

use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::{self, ChoiceArgs};

/// Paths enumerated before sampling takes over.
const LIMIT: usize = 60_000;

/// The exact odds of an action.
#[derive(Args)]
pub struct OddsArgs {
    /// A scenario's id or file, a journal, or a rule case (its position); `-` reads one from standard input
    what: String,
    /// After so many actions of the journal
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// An action as JSON; several are taken one after another, and the odds are those of the last
    #[arg(long = "do", value_name = "JSON", required = true)]
    actions: Vec<String>,
    /// The seed of dice rolled by the earlier actions, and before a scenario begins; 1 if not said
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl OddsArgs {
    /// Works them out.
    pub fn run(self) -> Outcome {
        let seed: Seed = self.seed.as_deref().unwrap_or("1").parse().map_err(Failure::wrong)?;
        let mut battle = self.battle(seed)?;
        let mut actions = Vec::new();
        for text in &self.actions {
            let action: Value = serde_json::from_str(text)
                .map_err(|e| Failure::wrong(format!("--do {text}: not JSON: {e}")))?;
            actions.push(action);
        }
        let mut chance = Seeded::new(seed);
        let Some((last, early)) = actions.split_last() else { return Ok(()) };
        for action in early {
            let refused = |e| Failure::No(format!("{action}: {e}"));
            battle.apply(action, &mut chance, &mut Log::off()).map_err(refused)?;
        }
        let refused = |e: Refusal| Failure::No(format!("{last}: {e}"));
        let seat = battle.seat().ok_or_else(|| refused(Refusal::Over))?;
        let odds = battle.odds(last, LIMIT).map_err(refused)?;
        let told = forecast(&*battle, seat, last, Effort::PATIENT).map_err(refused)?;
        if self.json {
            let mut all = serde_json::to_value(&odds).unwrap_or_default();
            all["samples"] = value!(told.samples);
            all["supposed"] = value!(told.supposed);
            all["rolls"] = value!(told.rolls);
            return json(&all);
        }
        print(&odds)?;
        print_rolls(&told)
    }

    fn battle(&self, seed: Seed) -> Result<Box<dyn AnyBattle>, Failure> {
        let path = Path::new(&self.what);
        if files::is_there(path) {
            let bytes = files::read_bytes(path)?;
            if bytes.starts_with(b"{") {
                self.chosen("a journal")?;
                let (system, journal, _) = load::salvaged(path)?;
                load::within(&journal, self.at)?;
                return Ok(journal.replay(system, self.at)?.battle().boxed_clone());
            }
            if let Some(battle) = load::case_position(path)? {
                self.chosen("a rule case")?;
                self.no_at()?;
                return Ok(battle);
            }
        }
        self.no_at()?;
        let (system, file) = load::scenario(&self.what)?;
        let choices = self.choices.choices(system)?;
        Ok(Umpire::begin(system, &file, &choices, seed)?.battle().boxed_clone())
    }
}

impl OddsArgs {
    /// Refuses options for what has its own, and a seed where nothing is rolled by it.
    fn chosen(&self, what: &str) -> Outcome {
        self.choices.none_for(what)?;
        match &self.seed {
            Some(seed) if self.actions.len() < 2 => Err(Failure::wrong(format!(
                "--seed {seed}: nothing is rolled before the odds of {what}'s next action; leave it out"
            ))),
            _ => Ok(()),
        }
    }

    fn no_at(&self) -> Outcome {
        match self.at {
            Some(at) => Err(Failure::wrong(format!(
                "--at {at}: needs a journal; `tricorne battle … --journal FILE` writes one"
            ))),
            None => Ok(()),
        }
    }
}

fn print(odds: &Prospect) -> Outcome {
    say(&if odds.exact && odds.ways.len() == 1 && odds.units.is_empty() {
        "exact: nothing changes for any unit".to_owned()
    } else if odds.exact {
        "exact".to_owned()
    } else {
        format!("sampled: too many ways to walk them all; within {:.1} % (95 %)", odds.error * 196.0)
    })?;
    for unit in &odds.units {
        say(&format!(
            "{}: loses {:.3} on average, leaves the table {:.2} %",
            unit.unit,
            unit.mean_loss,
            unit.gone * 100.0
        ))?;
        for (strength, chance) in &unit.strength {
            let bar = "█".repeat((chance * 40.0).round() as usize);
            say(&format!("  {strength:>3} left {:>6.2} % {bar}", chance * 100.0))?;
        }
        for (state, chance) in &unit.gains {
            say(&format!("  {state} {:.2} %", chance * 100.0))?;
        }
    }
    Ok(())
}

/// What is rolled for, one thing after another, as the page tells it.
fn print_rolls(told: &Forecast) -> Outcome {
    let rolls: Vec<_> =
        told.rolls.iter().filter(|r| r.ways.len() > 1 || r.ways.iter().any(|w| w.chance < 1.0)).collect();
    if let Some(samples) = told.samples.filter(|_| !rolls.is_empty()) {
        let supposed = if told.supposed { ", if the other side meets it as a subaltern would" } else { "" };
        say(&format!("what is rolled for, from {samples} samples{supposed}:"))?;
    } else if !rolls.is_empty() {
        say("what is rolled for:")?;
    }
    for roll in rolls {
        let unit = |u: Option<_>, before: &str| u.map_or_else(String::new, |u| format!("{before}{u}"));
        say(&format!("{}{}{}", roll.what.replace('_', " "), unit(roll.who, " "), unit(roll.whom, " → ")))?;
        for way in &roll.ways {
            let made = way.made.map(|n| n.to_string());
            let came = way.outcome.iter().map(|o| o.replace('_', " "));
            let name: Vec<String> = came.chain(made).collect();
            let chance = if way.give > 0.0 {
                format!("about {:.1} % (±{:.1})", way.chance * 100.0, way.give * 100.0)
            } else {
                format!("{:.2} %", way.chance * 100.0)
            };
            say(&format!("  {:<20} {chance}", name.join(" ")))?;
        }
    }
    Ok(())
}
