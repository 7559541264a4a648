//! `tricorne lab`: many battles.

mod balance;
mod bench;
mod calibrate;
mod compare;
mod comparison;
mod conduct;
mod hostile;
mod ladder;
mod learn;
mod load;
mod mind;
mod regret;
mod run;
mod sweep;
mod tune;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use tricorne_game::{AnySystem, Choices, Source};
use tricorne_lab::{Ledger, Names, Plate, Row, Study, StudyError};

use crate::commands::until_ctrl_c;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::ChoiceArgs;

/// Many battles.
#[derive(Args)]
pub struct Lab {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Many battles of a scenario between two programs, sides swapped every other battle
    Run(run::Run),
    /// Vary an option or a number and see what it does
    Sweep(sweep::Sweep),
    /// Two scenario files, or more, fought on the same seeds
    Compare(compare::Compare),
    /// All players against each other, and how strong each is
    Ladder(ladder::Ladder),
    /// How even scenarios are between equal players, and what would make them so
    Balance(balance::Balance),
    /// What programs do over many battles, not only who wins
    Conduct(conduct::Conduct),
    /// What a player's answers cost it against the best that could be found
    Regret(regret::Regret),
    /// What positions are worth, learnt from battles
    Learn(learn::Learn),
    /// How well positions foretell who wins, beside the first school's judgement and the floor
    Calibrate(calibrate::Calibrate),
    /// Weights made better by self-play, and written only if they win
    Tune(tune::Tune),
    /// Speed of random play, scenario by scenario, on one core
    Bench(bench::Bench),
    /// Many battles at once over WebSocket, against a server started for it
    Load(load::Load),
}

impl Lab {
    /// Does the job.
    pub fn run(self) -> Outcome {
        match self.job {
            Job::Run(args) => args.run(),
            Job::Sweep(args) => args.run(),
            Job::Compare(args) => args.run(),
            Job::Ladder(args) => args.run(),
            Job::Balance(args) => args.run(),
            Job::Conduct(args) => args.run(),
            Job::Regret(args) => args.run(),
            Job::Learn(args) => args.run(),
            Job::Calibrate(args) => args.run(),
            Job::Tune(args) => args.run(),
            Job::Bench(args) => args.run(),
            Job::Load(args) => args.run(),
        }
    }
}

/// How a report over several scenarios is fought and told.
#[derive(Args)]
struct ReportArgs {
    /// The seed of the first battle of each match
    #[arg(long, default_value = "1")]
    seed: String,
    /// Cores to use; all of them if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How long a program of your own (exec:COMMAND) has for each decision
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = crate::commands::clock)]
    clock: Duration,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// Write the Markdown table to this file as well (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw it: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Where everything goes that is written.
    fn outputs(&self) -> Outcome {
        files::outputs(self.json, [self.markdown.as_deref(), self.plot.as_deref()])
    }
}

/// No machine has more cores; each thread takes memory whether it has work or not.
const MOST_THREADS: usize = 1024;

/// Where battles are fought: on how many cores, with a bar on a terminal, until Ctrl-C.
struct Bench {
    threads: usize,
    stop: Arc<AtomicBool>,
    bar: ProgressBar,
}

impl Bench {
    /// A bench for so many battles in all.
    fn new(threads: Option<usize>, battles: u64) -> Result<Self, Failure> {
        if let Some(wrong) = threads.filter(|n| !(1..=MOST_THREADS).contains(n)) {
            return Err(Failure::wrong(format!(
                "--threads {wrong}: name at least one and at most {MOST_THREADS}"
            )));
        }
        let stop = until_ctrl_c()?;
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        // Drawn on stderr, and only if that is a terminal.
        let bar = ProgressBar::new(battles).with_style(style);
        Ok(Self { threads: threads.unwrap_or_else(cores), stop, bar })
    }

    /// Fights a study, with the rows in hand already, and keeps further ones in the ledger.
    fn fight(
        &self,
        study: &Study,
        rows: &mut Vec<Row>,
        mut ledger: Option<&mut Ledger>,
    ) -> Result<(), StudyError> {
        let first = rows.len() as u64;
        self.bar.inc(first.min(study.battles));
        if first >= study.battles {
            rows.truncate(usize::try_from(study.battles).unwrap_or(usize::MAX));
            return Ok(());
        }
        tricorne_lab::run(study, first, self.threads, &self.stop, &mut |row| {
            if let Some(ledger) = &mut ledger {
                ledger.add(&row)?;
            }
            rows.push(row);
            self.bar.inc(1);
            Ok(())
        })
    }

    /// Fights a study whose rows are kept nowhere.
    fn rows(&self, study: &Study) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        self.fight(study, &mut rows, None).map_err(failed)?;
        Ok(rows)
    }
}

/// A study that came to nothing.
fn failed(why: StudyError) -> Failure {
    match why {
        StudyError::Stopped => Failure::No("stopped".into()),
        StudyError::Rows(why) if why.pipe_closed => Failure::PipeClosed,
        StudyError::Refused { .. } => Failure::No(why.to_string()),
        other => Failure::wrong(other),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Names of a scenario's sides and units, for people.
fn names(system: &dyn AnySystem, scenario: &Source, choices: &Choices) -> Result<Names, Failure> {
    let view = tricorne_game::ready(system, scenario, choices)?.1.view(None);
    let units = view.units.iter().map(|u| {
        let name = if u.name.is_empty() { &u.kind } else { &u.name };
        (u.id.to_string(), format!("{name} ({})", u.id))
    });
    Ok(Names {
        title: view.title.clone(),
        sides: view.sides.iter().map(|s| s.name.clone()).collect(),
        units: units.collect(),
    })
}

/// The forms a file name may end in; another is wrong usage. Standard output has the first.
fn ending(path: &Path, known: &[&'static str]) -> Result<&'static str, Failure> {
    files::form(path, None, known, "its name should end")
}

/// Draws a plate to a file, as SVG or PNG by its name.
fn draw(path: &Path, plate: &Plate) -> Outcome {
    let svg = plate.svg();
    match ending(path, &["svg", "png"])? {
        "png" => files::write(path, &crate::left_out::png(&svg, 1720).map_err(Failure::wrong)?),
        _ => files::write(path, svg.as_bytes()),
    }
}
