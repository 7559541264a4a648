//! `tricorne lab`: many battles.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::json;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_lab::{Figures, Study, bench, run, summary};

use super::{json, say};
use crate::commands::lists::find;
use crate::failure::{Failure, Outcome};
use crate::load::{self, ChoiceArgs};
use crate::table::columns;

/// Many battles.
#[derive(Args)]
pub struct Lab {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Speed of random play, scenario by scenario, on one core
    Bench(Bench),
    /// Many battles of a scenario between two programs, sides swapped every other battle
    Run(Run),
}

/// Many battles of a scenario.
#[derive(Args)]
struct Run {
    /// A scenario's id, or a scenario file
    scenario: String,
    /// The two players
    #[arg(long, value_delimiter = ',', default_value = "subaltern,random")]
    players: Vec<Level>,
    /// How many battles
    #[arg(long, default_value_t = 100)]
    battles: u64,
    /// The seed of the first battle; each further one has the next
    #[arg(long, default_value = "1")]
    seed: String,
    /// Cores to use; all of them if not said
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Run {
    fn run(self) -> Outcome {
        let (system, scenario) = load::scenario(&self.scenario)?;
        let choices = self.choices.choices(system)?;
        let players: [Level; 2] = self.players.clone().try_into().map_err(|p: Vec<Level>| {
            Failure::wrong(format!("--players names {} players; name two, as in --players a,b", p.len()))
        })?;
        let study = Study {
            ruleset: system.about().id.into(),
            scenario,
            choices,
            players,
            battles: self.battles,
            seed: self.seed.parse::<Seed>().map_err(Failure::wrong)?,
        };
        let threads = self.threads.unwrap_or_else(cores);
        let mut rows = Vec::new();
        let start = std::time::Instant::now();
        run(&study, 0, threads, &AtomicBool::new(false), &mut |row| rows.push(row))
            .map_err(Failure::wrong)?;
        let seconds = start.elapsed().as_secs_f64();
        let summary = summary(&rows);
        if self.json {
            return json(&json!({
                "id": self.scenario,
                "players": study.players.map(|p| p.to_string()),
                "seed": study.seed,
                "seconds": seconds,
                "summary": summary,
            }));
        }
        let [a, b] = study.players;
        let percent = |s: tricorne_lab::Share| {
            format!("{:.1} % ({:.1} to {:.1})", s.share * 100.0, s.low * 100.0, s.high * 100.0)
        };
        say(&format!(
            "{a} beats {b} in {} of {} battles, loses {}, draws {}: share {}",
            summary.won[0],
            summary.battles,
            summary.won[1],
            summary.drawn,
            percent(summary.first_player)
        ))?;
        say(&format!("the side listed first: share {}", percent(summary.first_side)))?;
        say(&format!(
            "{:.1} turns and {:.0} decisions a battle; {:.1} battles a second on {threads} threads",
            summary.turns,
            summary.decisions,
            summary.battles as f64 / seconds
        ))?;
        summary.endings.iter().try_for_each(|(grade, n)| say(&format!("{n:>6} {grade}")))
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Speed of random play.
#[derive(Args)]
struct Bench {
    /// Only one rule system
    #[arg(long, value_name = "R")]
    ruleset: Option<String>,
    /// Seconds to measure each scenario for
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Lab {
    /// Does the job.
    pub fn run(self) -> Outcome {
        match self.job {
            Job::Bench(args) => args.run(),
            Job::Run(args) => args.run(),
        }
    }
}

impl Bench {
    fn run(self) -> Outcome {
        let ids: Vec<&str> = match &self.ruleset {
            Some(id) => vec![find(id)?.about().id],
            None => tricorne_shelf::systems().iter().map(|s| s.about().id).collect(),
        };
        let each = Duration::from_secs_f64(self.seconds.clamp(0.01, 3600.0));
        let mut all: Vec<Figures> = Vec::new();
        for id in ids {
            if let Some(figures) = bench(id, each) {
                all.extend(figures?);
            }
        }
        if self.json {
            return json(&all);
        }
        let heading =
            ["scenario", "decisions/s", "battles/s", "decisions/battle", "clone", "state", "encoded"];
        let mut rows = vec![heading.map(String::from).to_vec()];
        rows.extend(all.iter().map(|f| {
            vec![
                f.id.clone(),
                format!("{:.0}", f.decisions_per_second),
                format!("{:.1}", f.battles_per_second),
                format!("{:.0}", f.decisions_per_battle),
                format!("{:.2} µs", f.clone_ns / 1000.0),
                format!("{:.1} KiB", f.state_bytes as f64 / 1024.0),
                format!("{:.1} KiB", f.encoded_bytes as f64 / 1024.0),
            ]
        }));
        say(columns(&rows).trim_end())
    }
}
