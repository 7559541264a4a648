//! `tricorne lab`: many battles.

use std::time::Duration;

use clap::{Args, Subcommand};
use tricorne_lab::{Figures, bench};

use super::{json, say};
use crate::commands::lists::find;
use crate::failure::Outcome;
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
