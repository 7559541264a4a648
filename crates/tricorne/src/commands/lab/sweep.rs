//! `tricorne lab sweep`: one thing varied.

use std::path::PathBuf;

use clap::Args;
use tricorne_agents::Level;
use tricorne_lab::Vary;

use super::comparison::Comparison;
use super::run::StudyArgs;
use super::{ending, names};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// One thing varied, the same seeds for each value.
#[derive(Args)]
pub struct Sweep {
    /// A scenario's id, or a scenario file (`-` reads one from standard input)
    scenario: String,
    #[command(flatten)]
    study: StudyArgs,
    /// What to vary: OPTION=V1,V2, or scenario:PATH=V1,V2 (scenario:unit.I1.leadership=5,6,7), or
    /// FILE.toml:PATH=V1,V2 for a number of the rulebook (profiles.toml:RI.firing=4,5,6), or points=24:24,30:24 for
    /// armies of so many points a side, mustered by chance in place of the scenario's. The first value is what the others
    /// are compared with
    #[arg(long, value_name = "WHAT=VALUES")]
    vary: Vary,
    /// The two players; one name stands for both
    #[arg(long, value_delimiter = ',', default_value = "subaltern", value_name = "A,B", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// Draw it: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Sweep {
    /// Fights them.
    pub fn run(self) -> Outcome {
        files::outputs(self.study.json, [self.plot.as_deref()])?;
        self.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let study = self.study.study(&self.scenario, &self.players)?;
        let (system, _) = load::scenario(&self.scenario)?;
        let wrong = |why: String| Failure::wrong(format!("--vary: {why}"));
        let mut studies = Vec::new();
        for value in &self.vary.values {
            let study = self.vary.with(&study, system, value).map_err(wrong)?;
            // A value that can't be set up is found before the first battle.
            let names = names(system, &study.scenario, &study.choices).map_err(|failure| match failure {
                Failure::Wrong(why) => Failure::wrong(format!("--vary {}={value}: {why}", self.vary.place)),
                other => other,
            })?;
            studies.push((value.clone(), study, names));
        }
        let what = format!("{} varied", self.vary.place);
        let id = self.scenario.clone();
        let vary = Some(self.vary.place.to_string());
        Comparison { what, vary, id, studies, args: &self.study, plot: self.plot.as_deref() }.run()
    }
}
