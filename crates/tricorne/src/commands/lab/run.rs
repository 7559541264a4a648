//! `tricorne lab run`: many battles of one scenario.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_lab::{Ledger, Names, Row, Study, StudyError, Summary};

use super::{Bench, draw, ending, failed, names};
use crate::commands::{json, ready_players, say, tell_stood_in};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::{self, ChoiceArgs};
use crate::table::columns;

/// What every study needs but its scenario.
#[derive(Args)]
pub struct StudyArgs {
    /// How many battles
    #[arg(long, default_value_t = 100)]
    pub battles: u64,
    /// The seed of the first battle; each further one has the next
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// Cores to use; all of them if not said
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// How long a program of your own (exec:COMMAND) has for each decision
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = crate::commands::clock)]
    pub clock: Duration,
    #[command(flatten)]
    pub choices: ChoiceArgs,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

impl StudyArgs {
    /// The study of a scenario between two players; one name stands for both.
    pub fn study(&self, scenario: &str, players: &[Level]) -> Result<Study, Failure> {
        let (system, scenario) = load::scenario(scenario)?;
        let ready = ready_players(players, self.clock, false)?;
        let players = match &ready[..] {
            [both] => [*both; 2],
            [a, b] => [*a, *b],
            more => {
                return Err(Failure::wrong(format!(
                    "--players names {} players; name two, as in --players subaltern,random",
                    more.len()
                )));
            }
        };
        if self.battles == 0 {
            return Err(Failure::wrong("--battles 0: fight at least one"));
        }
        super::mind::fits(system, &players)?;
        Ok(Study {
            ruleset: system.about().id.into(),
            scenario,
            muster: None,
            choices: self.choices.choices(system)?,
            players,
            battles: self.battles,
            seed: self.seed.parse::<Seed>().map_err(Failure::wrong)?,
        })
    }
}

/// Many battles of a scenario.
#[derive(Args)]
pub struct Run {
    /// A scenario's id, or a scenario file (`-` reads one from standard input)
    scenario: String,
    #[command(flatten)]
    study: StudyArgs,
    /// The two players: a rank from recruit to general (with a budget: general:100ms, general:400it), random, a rank by
    /// weights of your own (subaltern@FILE), or a program of your own (exec:COMMAND)
    #[arg(long, value_delimiter = ',', default_value = "subaltern,random", value_name = "A,B", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// Write a row for each battle: .csv (as it goes, and --resume goes on with it) or .parquet (at the end); `-` writes
    /// CSV to standard output
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// Go on with the rows of a study that was stopped
    #[arg(long, requires = "rows")]
    resume: bool,
    /// Write what each unit lost in each battle: .csv or .parquet
    #[arg(long, value_name = "FILE")]
    units: Option<PathBuf>,
    /// Draw who won, how long it took and what each unit lost: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Run {
    /// Fights them.
    pub fn run(self) -> Outcome {
        let (rows, units, plot) = (self.rows.as_deref(), self.units.as_deref(), self.plot.as_deref());
        files::outputs(self.study.json, [rows, units, plot])?;
        let study = self.study.study(&self.scenario, &self.players)?;
        let (system, _) = load::scenario(&self.scenario)?;
        let names = names(system, &study.scenario, &study.choices)?;
        let form = self.rows.as_deref().map(|p| ending(p, &["csv", "parquet"])).transpose()?;
        self.units.as_deref().map(|p| ending(p, &["csv", "parquet"])).transpose()?;
        self.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let mut rows = Vec::new();
        let mut ledger = match (&self.rows, form) {
            (Some(path), _) if files::is_standard(path) && self.resume => {
                return Err(Failure::wrong("--resume goes on with a file; name it with --rows FILE.csv"));
            }
            (Some(path), _) if files::is_standard(path) => {
                Some(Ledger::standard_output(&study).map_err(|why| failed(why.into()))?)
            }
            (Some(path), Some("csv")) if self.resume => {
                let (ledger, kept) = Ledger::resume(path, &study).map_err(Failure::wrong)?;
                rows = kept;
                Some(ledger)
            }
            (Some(path), Some("csv")) => Some(Ledger::begin(path, &study).map_err(Failure::wrong)?),
            (Some(path), _) if self.resume => {
                let why = "only a .csv file can be gone on with; it is written as the battles end";
                return Err(Failure::wrong(format!("{}: {why}", path.display())));
            }
            _ => None,
        };
        let before = rows.len() as u64;
        let bench = Bench::new(self.study.threads, study.battles)?;
        let start = Instant::now();
        let outcome = bench.fight(&study, &mut rows, ledger.as_mut());
        let seconds = start.elapsed().as_secs_f64();
        bench.bar.finish_and_clear();
        let stopped = match outcome {
            Ok(()) => false,
            Err(StudyError::Stopped) => true,
            Err(other) => return Err(failed(other)),
        };
        let summary = tricorne_lab::summary(&rows);
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.study.json {
            json(&json!({
                "id": self.scenario,
                "study": study.digest(),
                "players": study.players.map(|p| p.to_string()),
                "sides": names.sides,
                "seed": study.seed,
                "stopped": stopped,
                "seconds": seconds,
                "summary": summary,
                "rows": rows,
            }))
        } else if summary.battles > 0 {
            let fought = summary.battles.saturating_sub(before);
            tell(&study, &names, &summary).and_then(|()| match fought {
                0 => Ok(()),
                _ => say(&format!(
                    "{:.1} battles a second on {} threads",
                    fought as f64 / seconds,
                    bench.threads.min(usize::try_from(fought).unwrap_or(usize::MAX))
                )),
            })
        } else {
            Ok(())
        };
        self.keep(&study, &names, &rows, &summary)?;
        if let Some(path) = self.rows.as_deref().filter(|p| !files::is_standard(p)) {
            files::wrote(path);
        }
        told?;
        if stopped {
            let how = if ledger.is_some() {
                "the same command with --resume goes on"
            } else {
                "with --rows FILE.csv a study can be gone on with"
            };
            return Err(Failure::No(format!(
                "stopped after {} of {} battles; {how}",
                rows.len(),
                study.battles
            )));
        }
        Ok(())
    }

    fn keep(&self, study: &Study, names: &Names, rows: &[Row], summary: &Summary) -> Outcome {
        let parquet = |p: &Path| p.extension().is_some_and(|e| e == "parquet");
        if let Some(path) = self.rows.as_deref().filter(|p| parquet(p)) {
            crate::left_out::rows_parquet(path, study, rows).map_err(Failure::wrong)?;
        }
        match self.units.as_deref() {
            Some(path) if parquet(path) => {
                crate::left_out::units_parquet(path, study, rows).map_err(Failure::wrong)?;
                files::wrote(path);
            }
            Some(path) => files::write(path, tricorne_lab::units_csv(study, rows).as_bytes())?,
            None => {}
        }
        match &self.plot {
            Some(path) => draw(path, &tricorne_lab::plate(study, names, rows, summary)),
            None => Ok(()),
        }
    }
}

fn tell(study: &Study, names: &Names, summary: &Summary) -> Outcome {
    let [a, b] = study.players;
    say(&format!("{}: {a} against {b}, {} battles", names.title, summary.battles))?;
    if a != b {
        say(&format!(
            "{a} wins {}, {b} {}, drawn {}: share {}",
            summary.won[0], summary.won[1], summary.drawn, summary.first_player
        ))?;
    }
    say(&format!("{}: share {}", names.side(0), summary.first_side))?;
    let (turns, decisions) = (summary.turns, summary.decisions);
    say(&format!(
        "{:.1} turns (from {:.0} to {:.0}, half within {:.0}), {:.0} decisions a battle",
        turns.mean, turns.least, turns.most, turns.median, decisions.mean
    ))?;
    tell_stood_in(study.players.iter().zip(summary.stood_in))?;
    say("what decided it:")?;
    for d in &summary.decided {
        let who = d.winner.map_or("nobody", |w| names.side(w.index()));
        say(&format!("{:>6}  {who}: {} [{}], for example: {}", d.battles, d.grade, d.clause, d.example))?;
    }
    // Only some scenarios have an exit.
    let marched_off = summary.losses.iter().any(|u| u.marched_off.share > 0.0);
    let mut heads = ["unit", "side", "strength", "lost", "gone at the end"].map(String::from).to_vec();
    heads.extend(marched_off.then(|| "marched off".to_owned()));
    let mut table = vec![heads];
    table.extend(summary.losses.iter().map(|u| {
        let mut row = vec![
            names.units.get(&u.unit).cloned().unwrap_or_else(|| u.unit.clone()),
            names.side(u.side.index()).to_owned(),
            format!("{:.0}", u.strength),
            format!("{:.2} ({:.2} to {:.2})", u.lost.mean, u.lost.low.max(0.0), u.lost.high),
            u.gone.to_string(),
        ];
        row.extend(marched_off.then(|| u.marched_off.to_string()));
        row
    }));
    say(columns(&table).trim_end())
}
