//! `tricorne lab compare`: scenario files on the same seeds.

use std::path::PathBuf;

use clap::Args;
use tricorne_agents::Level;
use tricorne_lab::{Names, Study};

use super::comparison::Comparison;
use super::run::StudyArgs;
use super::{ending, names};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// Scenario files fought on the same seeds, battle by battle beside the first of them.
#[derive(Args)]
pub struct Compare {
    /// Scenario files or ids, two or more; the others are compared with the first (`-` reads one from standard input)
    #[arg(required = true, num_args = 2.., value_name = "SCENARIO")]
    scenarios: Vec<String>,
    #[command(flatten)]
    study: StudyArgs,
    /// The two players; one name stands for both
    #[arg(long, value_delimiter = ',', default_value = "subaltern", value_name = "A,B", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// Draw it: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Compare {
    /// Fights them.
    pub fn run(self) -> Outcome {
        files::outputs(self.study.json, [self.plot.as_deref()])?;
        self.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let mut studies: Vec<(String, Study, Names)> = Vec::new();
        for name in &self.scenarios {
            let study = self.study.study(name, &self.players)?;
            let (system, _) = load::scenario(name)?;
            let names = names(system, &study.scenario, &study.choices)?;
            if names.sides.len() != 2 {
                return Err(Failure::wrong(format!("{name}: has {} sides, not two", names.sides.len())));
            }
            if let Some((_, first, _)) = studies.first()
                && first.ruleset != study.ruleset
            {
                return Err(Failure::wrong(format!(
                    "{name}: is of {}, {} of {}; only battles of one rulebook can be compared",
                    study.ruleset, first.scenario.name, first.ruleset
                )));
            }
            studies.push((study.scenario.name.clone(), study, names));
        }
        let what = "scenarios compared".to_owned();
        let id = self.scenarios.join(" ");
        Comparison { what, vary: None, id, studies, args: &self.study, plot: self.plot.as_deref() }.run()
    }
}
