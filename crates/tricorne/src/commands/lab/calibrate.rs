//! `tricorne lab calibrate`: how well positions foretell who wins.

use std::path::PathBuf;

use clap::Args;
use tricorne_lab::{Calibration, calibrate, moments};

use super::learn::LessonArgs;
use super::{Bench, draw, ending, failed};
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::{files, table::columns};

/// How well positions foretell who wins: log-loss and calibration beside the first school's, and beside the floor that
/// comes from fighting positions out again on other dice.
#[derive(Args)]
pub struct Calibrate {
    #[command(flatten)]
    lesson: LessonArgs,
    /// The seed of the first battle: not one that was learnt from
    #[arg(long, default_value = "5000000")]
    seed: String,
    /// How often a position is fought out again; 0 for no floor
    #[arg(long, value_name = "N", default_value_t = 16)]
    replays: u32,
    /// One position of every so many battles is
    #[arg(long, value_name = "N", default_value_t = 4)]
    every: u64,
    /// Draw it: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Calibrate {
    /// Fights and judges.
    pub fn run(self) -> Outcome {
        files::outputs(self.lesson.json, [self.plot.as_deref()])?;
        self.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        if self.every == 0 {
            return Err(Failure::wrong("--every 0: of how many battles is one position fought out again?"));
        }
        let (system, mut lesson) = self.lesson.lesson(&self.seed)?;
        lesson.replays = self.replays;
        lesson.replay_every = self.every;
        let bench = Bench::new(self.lesson.threads, LessonArgs::count(&lesson))?;
        bench.bar.set_message(lesson.ruleset.clone());
        let found = moments(&lesson, bench.threads, &bench.stop, &|| bench.bar.inc(1)).map_err(failed)?;
        bench.bar.finish_and_clear();
        let calibration = calibrate(&found, self.replays);
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.lesson.json { json(&calibration) } else { tell(&calibration) };
        if let Some(path) = &self.plot {
            let foot = format!(
                "{} battles of each of {} scenarios between {}s, seeds from {}. tricorne lab calibrate",
                lesson.battles,
                lesson.scenarios.len(),
                lesson.player,
                self.seed
            );
            draw(path, &calibration.plate(system.about().title, foot))?;
        }
        told
    }
}

fn tell(found: &Calibration) -> Outcome {
    let all = found.log_loss;
    say(&format!(
        "log-loss over {} positions: {:.4}; the first school {:.4}, at its best scale {:.4}; a coin 0.6931",
        found.positions, all.present, all.first, all.first_at_best
    ))?;
    if let Some(r) = found.replayed {
        say(&format!(
            "over {} positions fought out {} times each: {:.4}; the first school {:.4}, at its best scale {:.4}; the floor \
             {:.4} ({:.4} to {:.4}); of the gap {:.0} % closed",
            r.positions,
            r.times,
            r.log_loss.present,
            r.log_loss.first,
            r.log_loss.first_at_best,
            r.floor,
            r.floor_low,
            r.floor_high,
            r.closed * 100.0
        ))?;
    }
    let mut rows =
        vec![["said", "positions", "came", "by the first school", "positions"].map(String::from).to_vec()];
    for (i, (now, then)) in found.present.iter().zip(&found.first).enumerate() {
        let came =
            |bin: &tricorne_lab::Bin| if bin.positions > 0 { bin.came.to_string() } else { "–".into() };
        rows.push(vec![
            format!("{} to {} %", i * 10, i * 10 + 10),
            now.positions.to_string(),
            came(now),
            came(then),
            then.positions.to_string(),
        ]);
    }
    say(columns(&rows).trim_end())
}
