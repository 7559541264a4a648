//! `tricorne lab bench`: the speed figures.

use std::time::Duration;

use clap::Args;
use tricorne_agents::Level;
use tricorne_lab::{Figures, bench};

use crate::commands::lists::find;
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::table::columns;

/// Speed of play on one core.
#[derive(Args)]
pub struct Bench {
    /// Only one rule system
    #[arg(long, value_name = "R")]
    ruleset: Option<String>,
    /// Seconds to measure each scenario for
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Who plays all seats
    #[arg(long, default_value = "random")]
    player: Level,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Bench {
    /// Measures.
    pub fn run(self) -> Outcome {
        let ids: Vec<&str> = match &self.ruleset {
            Some(id) => vec![find(id)?.about().id],
            None => tricorne_shelf::systems().iter().map(|s| s.about().id).collect(),
        };
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            return Err(Failure::wrong(format!("--seconds {}: measure for up to an hour", self.seconds)));
        }
        let each = Duration::from_secs_f64(self.seconds.max(0.01));
        let mut all: Vec<Figures> = Vec::new();
        for id in ids {
            if let Some(figures) = bench(id, self.player, each) {
                all.extend(figures?);
            }
        }
        if self.json {
            return json(&all);
        }
        let heading =
            ["scenario", "decisions/s", "battles/s", "decisions/battle", "clone", "state", "encoded"];
        let thinks = all.iter().any(|f| f.answer_ms.is_some());
        let answers = ["99 % answered in", "longest"].map(String::from);
        let mut rows = vec![heading.map(String::from).to_vec()];
        rows[0].extend(answers.into_iter().filter(|_| thinks));
        rows.extend(all.iter().map(|f| {
            let mut row = vec![
                f.id.clone(),
                format!("{:.0}", f.decisions_per_second),
                format!("{:.1}", f.battles_per_second),
                format!("{:.0}", f.decisions_per_battle),
                format!("{:.2} µs", f.clone_ns / 1000.0),
                format!("{:.1} KiB", f.state_bytes as f64 / 1024.0),
                format!("{:.1} KiB", f.encoded_bytes as f64 / 1024.0),
            ];
            row.extend(f.answer_ms.iter().flatten().map(|ms| format!("{ms:.1} ms")));
            row
        }));
        say(columns(&rows).trim_end())
    }
}
