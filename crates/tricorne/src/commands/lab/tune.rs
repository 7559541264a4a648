//! `tricorne lab tune`: weights made better by self-play.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::AnySystem;
use tricorne_lab::{Asking, Rivals, Teacher, Tried, Tuning, Verdict};

use super::learn::{Book, scenarios};
use super::mind::{standard, weights};
use super::{Bench, failed};
use crate::commands::lists::find;
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::ChoiceArgs;

/// Decisions of a battle whose answers are fought out, and how often each.
const ASKED: usize = 8;
const TRIES: u32 = 4;

/// Weights made better by self-play, and written only if they win a sequential test on fresh seeds.
#[derive(Args)]
pub struct Tune {
    /// The rule system
    ruleset: String,
    /// Only these of its scenarios; all that are shipped if none is named
    scenarios: Vec<String>,
    /// Only these weights, as weighs.NAME or worth.NAME; all of [weighs] if none is named
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    only: Vec<String>,
    /// Steps to take
    #[arg(long, default_value_t = 200)]
    steps: u64,
    /// Pairs of battles for each step: the same dice, sides swapped
    #[arg(long, default_value_t = 8)]
    pairs: u64,
    /// How far weights are moved for a trial, as a share of what they are
    #[arg(long, default_value_t = 0.2)]
    reach: f64,
    /// Learn from answers that are fought out, in this many battles for each step, instead of from who won
    #[arg(long, value_name = "BATTLES")]
    answers: Option<u64>,
    /// Turns that answers are fought out for; what stands then is judged
    #[arg(long, default_value_t = 1, requires = "answers")]
    turns: u32,
    /// Learn from battles against these players instead of against itself
    #[arg(long, value_delimiter = ',', value_name = "PLAYER,…", conflicts_with = "answers")]
    against: Vec<Level>,
    /// Battles against them for each step
    #[arg(long, default_value_t = 8_000, requires = "against")]
    battles: u64,
    /// Battles to try each length of such a step by
    #[arg(long, default_value_t = 2_000, requires = "against")]
    held: u64,
    /// Pairs of battles for the test at most; undecided by then is not better
    #[arg(long, default_value_t = 2_000)]
    test: u64,
    /// Who plays
    #[arg(long, default_value = "subaltern")]
    player: Level,
    /// Weights to begin with in place of the rulebook's
    #[arg(long, value_name = "FILE")]
    judgement: Option<PathBuf>,
    /// The seed of the first battle
    #[arg(long, default_value = "200000")]
    seed: String,
    /// Where it has come to is kept here after each step; the same command goes on from it
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Write the weights to this file in place of the rulebook's own
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Cores to use; all of them if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Tune {
    /// Tunes, tests, writes.
    pub fn run(self) -> Outcome {
        files::no_dash(&self.state, "what is kept after each step goes to a file; name one with --state")?;
        files::outputs(self.json, [self.output.as_deref(), Some(&self.state)])?;
        let system = find(&self.ruleset)?;
        let tuning = self.tuning(system)?;
        let book = Book::of(system, self.output.as_deref())?;
        let mut tried = self.kept(&tuning)?;
        let bench = Bench::new(self.threads, self.steps)?;
        bench.bar.set_message(tuning.ruleset.clone());
        bench.bar.inc(tried.steps.min(self.steps));
        while tried.steps < self.steps {
            let better =
                tuning.step(&mut tried, bench.threads, &bench.stop).map_err(|why| self.stopped(why))?;
            if !self.against.is_empty() {
                // A share, so that whoever watches sees when no step brings anything any more.
                let told = format!("step {}: {:+.1} % of the points", tried.steps, better * 100.0);
                bench.bar.suspend(|| files::remark(&told));
            }
            self.keep(&tried)?;
            bench.bar.inc(1);
        }
        bench.bar.set_message("test");
        bench.bar.set_length(self.test);
        bench.bar.set_position(tried.test.pairs);
        let mut verdict = tried.test.verdict();
        while verdict == Verdict::Open && tried.test.pairs < self.test {
            let more = (self.test - tried.test.pairs).min(10);
            verdict =
                tuning.test(&mut tried, more, bench.threads, &bench.stop).map_err(|why| self.stopped(why))?;
            self.keep(&tried)?;
            bench.bar.set_position(tried.test.pairs);
        }
        bench.bar.finish_and_clear();
        let better = verdict == Verdict::Better;
        let mut weights = tuning.judgement(&tried.weights);
        for weight in weights.weighs.values_mut().chain(weights.worth.values_mut()) {
            *weight = (*weight * 1e4).round() / 1e4;
        }
        if better {
            book.write(&weights)?;
        }
        if self.json {
            return json(&json!({
                "ruleset": tuning.ruleset,
                "steps": tried.steps,
                "test": tried.test,
                "share": tried.test.share(),
                "likelihood": tried.test.likelihood(),
                "verdict": verdict,
                "weights": tried.weights,
            }));
        }
        for (name, weight) in &tried.weights {
            say(&format!("{name} = {weight:.4}"))?;
        }
        say(&format!(
            "{}; tested over {} pairs of battles: {:.1} % of the points, log-likelihood {:.2}: {}",
            if tried.steps == 1 { "1 step".to_owned() } else { format!("{} steps", tried.steps) },
            tried.test.pairs,
            tried.test.share() * 100.0,
            tried.test.likelihood(),
            if better { "better, and written" } else { "not shown to be better, so nothing was written" }
        ))
    }

    fn tuning(&self, system: &dyn AnySystem) -> Result<Tuning, Failure> {
        if self.answers == Some(0) {
            return Err(Failure::wrong("--answers needs at least one battle"));
        }
        if !self.against.is_empty() && (self.battles < 4 || self.held == 0) {
            return Err(Failure::wrong(
                "a step against others needs at least four battles, and one for each length",
            ));
        }
        if self.pairs == 0 || !(self.reach > 0.0 && self.reach < 1.0) {
            return Err(Failure::wrong(
                "a step needs at least one pair of battles and a reach between 0 and 1",
            ));
        }
        let base = match &self.judgement {
            Some(path) => (*weights(system, path)?).clone(),
            None => standard(system)?,
        };
        let known: Vec<String> = base
            .weighs
            .keys()
            .map(|name| format!("weighs.{name}"))
            .chain(base.worth.keys().map(|name| format!("worth.{name}")))
            .collect();
        if let Some(wrong) = self.only.iter().find(|name| !known.contains(name)) {
            let hint = tricorne_game::did_you_mean(wrong, known.iter().map(String::as_str), "");
            let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
            return Err(Failure::wrong(format!("--only {wrong}: there is no such weight{hint}")));
        }
        let moved = match &self.only[..] {
            [] => known.into_iter().filter(|name| name.starts_with("weighs.")).collect(),
            only => only.to_vec(),
        };
        Ok(Tuning {
            ruleset: system.about().id.into(),
            scenarios: scenarios(system, &self.scenarios)?,
            choices: self.choices.choices(system)?,
            base,
            moved,
            player: self.player,
            pairs: self.pairs,
            reach: self.reach,
            by: match self.answers {
                Some(battles) => {
                    Teacher::Answers(Asking { battles, decisions: ASKED, tries: TRIES, turns: self.turns })
                }
                None if self.against.is_empty() => Teacher::Itself,
                None => Teacher::Rivals(Rivals {
                    levels: self.against.clone(),
                    battles: self.battles,
                    held: self.held,
                }),
            },
            seed: self.seed.parse::<Seed>().map_err(Failure::wrong)?,
        })
    }

    /// Where it has come to, or the beginning.
    fn kept(&self, tuning: &Tuning) -> Result<Tried, Failure> {
        if !self.state.is_file() {
            return Ok(tuning.begin());
        }
        let wrong = |why: &str| Failure::wrong(format!("{}: {why}", self.state.display()));
        let tried: Tried = serde_json::from_str(&files::read_text(&self.state)?)
            .map_err(|e| wrong(&format!("is no state of a tuning: {e}")))?;
        if tried.tuning != tuning.digest() {
            return Err(wrong("belongs to another tuning; name another file, or remove this one"));
        }
        Ok(tried)
    }

    /// Keeps it, so that a kill leaves this or what was kept before.
    fn keep(&self, tried: &Tried) -> Outcome {
        files::put(&self.state, serde_json::to_string_pretty(tried).unwrap_or_default().as_bytes())
    }

    fn stopped(&self, why: tricorne_lab::StudyError) -> Failure {
        match why {
            tricorne_lab::StudyError::Stopped => {
                Failure::No(format!("stopped; the same command goes on from {}", self.state.display()))
            }
            other => failed(other),
        }
    }
}
