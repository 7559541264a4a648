//! `tricorne lab learn`: what positions are worth, learnt from battles.

use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::{AnySystem, Judgement, Source};
use tricorne_lab::{Learnt, Lesson, learn, moments, rewritten};

use super::mind::{standard, weights};
use super::{Bench, failed};
use crate::commands::lists::find;
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::load::{self, ChoiceArgs};
use crate::{files, table::columns};

/// The battles that a judgement is learnt from or held to.
#[derive(Args)]
pub struct LessonArgs {
    /// The rule system
    pub ruleset: String,
    /// Only these of its scenarios; all that are shipped if none is named
    pub scenarios: Vec<String>,
    /// Battles of each scenario
    #[arg(long, default_value_t = 400)]
    pub battles: u64,
    /// Positions of each battle
    #[arg(long, default_value_t = 8)]
    pub positions: usize,
    /// Who plays all seats
    #[arg(long, default_value = "subaltern")]
    pub player: Level,
    /// Weights to go by in place of the rulebook's
    #[arg(long, value_name = "FILE")]
    pub judgement: Option<PathBuf>,
    /// Cores to use; all of them if not said
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub choices: ChoiceArgs,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

impl LessonArgs {
    /// The lesson, from a seed on.
    pub fn lesson(&self, seed: &str) -> Result<(&'static dyn AnySystem, Lesson), Failure> {
        let system = find(&self.ruleset)?;
        if self.battles == 0 || self.positions == 0 {
            return Err(Failure::wrong("at least one battle and one position of it are needed"));
        }
        let lesson = Lesson {
            ruleset: system.about().id.into(),
            scenarios: scenarios(system, &self.scenarios)?,
            choices: self.choices.choices(system)?,
            player: self.player,
            judgement: self.judgement.as_deref().map(|path| weights(system, path)).transpose()?,
            battles: self.battles,
            moments: self.positions,
            seed: seed.parse::<Seed>().map_err(Failure::wrong)?,
            replays: 0,
            replay_every: 1,
        };
        Ok((system, lesson))
    }

    /// Battles in all.
    pub fn count(lesson: &Lesson) -> u64 {
        lesson.battles * lesson.scenarios.len() as u64
    }
}

/// Scenarios of one system by name; all that are shipped if none is named.
pub fn scenarios(system: &dyn AnySystem, names: &[String]) -> Result<Vec<Source>, Failure> {
    let id = system.about().id;
    if names.is_empty() {
        return Ok(system.scenarios().iter().map(|s| Source::new(s.id, s.text)).collect());
    }
    let one = |name: &String| {
        let (of, file) = load::scenario(name)?;
        if of.about().id == id { Ok(file) } else { Err(Failure::wrong(format!("{name} is not of {id}"))) }
    };
    names.iter().map(one).collect()
}

/// What positions are worth, learnt from battles and written into the rulebook's judgement.toml.
#[derive(Args)]
pub struct Learn {
    #[command(flatten)]
    lesson: LessonArgs,
    /// The seed of the first battle; each further one has the next
    #[arg(long, default_value = "100000")]
    seed: String,
    /// Write the weights to this file in place of the rulebook's own (rulebooks/RULESET/judgement.toml, from the folder of
    /// the source)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Learn {
    /// Fights, learns, writes.
    pub fn run(self) -> Outcome {
        files::outputs(self.lesson.json, [self.output.as_deref()])?;
        let (system, lesson) = self.lesson.lesson(&self.seed)?;
        standard(system)?;
        let book = Book::of(system, self.output.as_deref())?;
        let bench = Bench::new(self.lesson.threads, LessonArgs::count(&lesson))?;
        bench.bar.set_message(lesson.ruleset.clone());
        let found = moments(&lesson, bench.threads, &bench.stop, &|| bench.bar.inc(1)).map_err(failed)?;
        bench.bar.finish_and_clear();
        let learnt = learn(&found).map_err(Failure::wrong)?;
        let weights = Judgement { worth: learnt.worth.clone(), ..Judgement::default() };
        book.write(&weights)?;
        if self.lesson.json { json(&learnt) } else { tell(&learnt) }
    }
}

/// The file that weights are written to.
pub struct Book {
    path: PathBuf,
    text: String,
}

impl Book {
    /// A file of one's own, or the rulebook's, if we are where its source is.
    pub fn of(system: &dyn AnySystem, own: Option<&Path>) -> Result<Self, Failure> {
        let id = system.about().id;
        let path = match own {
            Some(path) => path.to_owned(),
            None => {
                let path = Path::new("rulebooks").join(id).join("judgement.toml");
                if !path.is_file() {
                    return Err(Failure::wrong(format!(
                        "there is no {} here; say where the weights go with -o FILE",
                        path.display()
                    )));
                }
                path
            }
        };
        let shipped = || {
            let files = system.data_files();
            let text =
                files.iter().find(|(name, _)| *name == "judgement.toml").map(|(_, text)| (*text).to_owned());
            text.unwrap_or_default()
        };
        let text = if path.is_file() { files::read_text(&path)? } else { shipped() };
        Ok(Self { path, text })
    }

    /// Writes weights into it; comments and order stay.
    pub fn write(&self, weights: &Judgement) -> Outcome {
        let text = rewritten(&self.text, weights)
            .map_err(|why| Failure::wrong(format!("{}: {why}", self.path.display())))?;
        files::write(&self.path, text.as_bytes())
    }
}

fn tell(learnt: &Learnt) -> Outcome {
    let mut rows = vec![["feature", "worth", "as a rule"].map(String::from).to_vec()];
    rows.extend(learnt.worth.iter().map(|(name, worth)| {
        let spread = learnt.spread.get(name).copied().unwrap_or(0.0);
        vec![name.clone(), format!("{worth:+.4}"), format!("{:+.3}", worth * spread)]
    }));
    say(columns(&rows).trim_end())?;
    let held = learnt.held_out;
    say(&format!(
        "learnt from {} positions of {} battles; log-loss on {} positions of battles held out: {:.4} (before {:.4}, the \
         first school {:.4}, a coin 0.6931)",
        learnt.positions, learnt.battles, held.positions, held.learnt, held.before, held.first
    ))
}
