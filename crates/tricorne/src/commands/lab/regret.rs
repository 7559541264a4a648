//! `tricorne lab regret`: what a player's answers cost it.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_lab::{Cost, Doubt, Inquiry, Study, costs, regret};

use super::{Bench, ReportArgs, failed, names};
use crate::commands::{json, ready_players, say};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// Rows of a table that are shown.
const ROWS: usize = 24;

/// What the first player's answers cost it: at some decisions other answers are fought out as well, on the same dice. The
/// best is chosen by one half of the tries and measured by the other.
#[derive(Args)]
pub struct Regret {
    /// The scenario to fight
    scenario: String,
    /// The player looked into, and its opponent
    #[arg(long, value_delimiter = ',', default_value = "subaltern,ensign", value_name = "A,B", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// Battles, sides swapped every other battle
    #[arg(long, default_value_t = 40)]
    battles: u64,
    /// Decisions of each battle that are looked into
    #[arg(long, default_value_t = 6)]
    decisions: usize,
    /// Proposals tried at each
    #[arg(long, default_value_t = 8)]
    proposals: usize,
    /// Answers tried that nobody proposed, of as many kinds as are open
    #[arg(long, default_value_t = 6)]
    others: usize,
    /// How often each is fought out
    #[arg(long, default_value_t = 16)]
    tries: u32,
    /// Turns it is fought out for, what stands then is judged; to the end if not said
    #[arg(long, value_name = "N")]
    turns: Option<u32>,
    #[command(flatten)]
    report: ReportArgs,
}

/// What was found.
#[derive(Serialize)]
struct Found {
    kinds: Vec<(String, Cost)>,
    choices: Vec<(String, Cost)>,
    doubts: Vec<Doubt>,
}

impl Regret {
    /// Looks into them.
    pub fn run(self) -> Outcome {
        let players = ready_players(&self.players, self.report.clock, false)?;
        let [a, b] = players[..] else {
            return Err(Failure::wrong("--players takes two, as in subaltern,ensign"));
        };
        if self.battles == 0 || self.decisions == 0 || self.tries < 2 {
            return Err(Failure::wrong("at least one of --battles and of --decisions, and two --tries"));
        }
        if self.report.plot.is_some() {
            return Err(Failure::wrong("--plot: there is nothing to draw here"));
        }
        self.report.outputs()?;
        let seed: Seed = self.report.seed.parse().map_err(Failure::wrong)?;
        let (system, scenario) = load::scenario(&self.scenario)?;
        let choices = self.report.choices.choices(system)?;
        super::mind::fits(system, &self.players)?;
        let title = names(system, &scenario, &choices)?.title;
        let bench = Bench::new(self.report.threads, self.battles)?;
        let inquiry = Inquiry {
            study: Study {
                ruleset: system.about().id.into(),
                scenario,
                muster: None,
                choices,
                players: [a, b],
                battles: self.battles,
                seed,
            },
            decisions: self.decisions,
            proposals: self.proposals,
            others: self.others,
            tries: self.tries,
            turns: self.turns,
            heeding: None,
            minds: Vec::new(),
        };
        let doubts = regret(&inquiry, bench.threads, &bench.stop, &|| bench.bar.inc(1)).map_err(failed)?;
        bench.bar.finish_and_clear();
        let kinds = costs(&doubts, |d| d.kind.clone());
        let choices = costs(&doubts, Doubt::choice);
        let text = format!(
            "## {title}: what {a} loses against {b}\n\n{}\n{}",
            table("decision", &kinds),
            table("what was chosen, and what would have been better", &choices)
        );
        // What came of it first: a file that can't be written takes nothing else with it.
        let told =
            if self.report.json { json(&Found { kinds, choices, doubts }) } else { say(text.trim_end()) };
        if let Some(path) = &self.report.markdown {
            files::write(path, text.as_bytes())?;
        }
        told
    }
}

/// The dearest first: in all, how often, and each time.
fn table(what: &str, costs: &[(String, Cost)]) -> String {
    let mut out = format!("| {what} | times | lost in each, in 100 battles | in all |\n|---|---|---|---|\n");
    for (name, cost) in costs.iter().take(ROWS) {
        let Cost { times, lost, error } = cost;
        let _ = writeln!(
            out,
            "| {} | {times} | {:.1} ± {:.1} | {:.1} |",
            name.replace('_', " "),
            100.0 * lost,
            196.0 * error,
            100.0 * lost * *times as f64
        );
    }
    out
}
