//! Tuning for Python: the laboratory's own (`tricorne lab tune`), its state the same JSON, byte for byte. Here it steps
//! on this process's threads; for a cluster the pairs of battles of a step or of the test are handed out one by one.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use serde_json::json;
use tricorne_agents::Level;
use tricorne_game::{AnySystem, Judgement, Source};
use tricorne_lab::{Trial, Tried};

use crate::plain::handed;
use crate::refused::{fault, study as failed, wrong};
use crate::rulebooks;

/// Weights of judgement moved by self-play.
#[pyclass(module = "tricorne.tuning", frozen)]
pub struct Tuning {
    tuning: tricorne_lab::Tuning,
    /// The weights that were given in place of the rulebook's: a file's name and text.
    given: Option<(String, String)>,
}

#[pymethods]
impl Tuning {
    /// What is tuned, and how.
    #[new]
    #[pyo3(signature = (ruleset, scenarios, only, pairs, reach, player, seed, options, data, judgement = None))]
    #[expect(clippy::too_many_arguments, reason = "what a tuning is made of")]
    fn new(
        py: Python<'_>,
        ruleset: &str,
        scenarios: Vec<(String, Option<String>)>,
        only: Vec<String>,
        pairs: u64,
        reach: f64,
        player: &str,
        seed: &str,
        options: BTreeMap<String, String>,
        data: BTreeMap<String, String>,
        judgement: Option<(String, String)>,
    ) -> PyResult<Self> {
        let system = rulebooks::system(py, ruleset)?;
        if pairs == 0 || !(reach > 0.0 && reach < 1.0) {
            let why = format!(
                "pairs = {pairs}, reach = {reach}: a step needs at least one pair of battles and a reach between 0 and 1"
            );
            return Err(wrong(py, why));
        }
        let standard = system.judgement();
        let mut base = standard.ok_or_else(|| wrong(py, format!("{ruleset} has no weights as data")))?;
        if let Some((name, text)) = &judgement {
            let file = Source::new(name.clone(), text.clone());
            base = Judgement::read(&file, &base).map_err(|e| fault(py, &e))?;
        }
        let tuning = tricorne_lab::Tuning {
            ruleset: ruleset.to_owned(),
            scenarios: files(py, system, scenarios)?,
            choices: rulebooks::choices(py, system, options, data)?,
            moved: moved(py, &base, only)?,
            base,
            player: player.parse::<Level>().map_err(|e| wrong(py, e))?,
            pairs,
            reach,
            by: tricorne_lab::Teacher::Itself,
            seed: rulebooks::seed(py, seed)?,
        };
        for file in &tuning.scenarios {
            tricorne_game::ready(system, file, &tuning.choices).map_err(|e| fault(py, &e))?;
        }
        Ok(Self { tuning, given: judgement })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let t = &self.tuning;
        let scenarios: Vec<_> = t.scenarios.iter().map(|s| (s.name.clone(), Some(s.text.clone()))).collect();
        let whole = (
            t.ruleset.clone(),
            scenarios,
            t.moved.clone(),
            t.pairs,
            t.reach,
            t.player.to_string(),
            t.seed.to_string(),
            t.choices.options.clone(),
            t.choices.data.clone(),
            self.given.clone(),
        );
        Ok((py.get_type::<Self>().into_any(), whole.into_pyobject(py)?.into_any()))
    }

    /// A short name of all that decides how it goes; the state carries it.
    #[getter]
    fn digest(&self) -> String {
        self.tuning.digest()
    }

    /// Pairs of battles for one step.
    #[getter]
    fn pairs(&self) -> u64 {
        self.tuning.pairs
    }

    /// The state to begin with.
    fn begin(&self, py: Python<'_>) -> PyResult<String> {
        text(py, &self.tuning.begin())
    }

    /// Takes the next step on so many threads of this process, and hands back the state after it.
    fn step(&self, py: Python<'_>, state: &str, threads: usize) -> PyResult<String> {
        let mut tried = self.read(py, state)?;
        let stop = AtomicBool::new(false);
        py.detach(|| self.tuning.step(&mut tried, threads, &stop)).map_err(|e| failed(py, e))?;
        text(py, &tried)
    }

    /// Fights so many more pairs of the test on threads of this process, and hands back the state after them.
    fn test(&self, py: Python<'_>, state: &str, pairs: u64, threads: usize) -> PyResult<String> {
        let mut tried = self.read(py, state)?;
        let stop = AtomicBool::new(false);
        py.detach(|| self.tuning.test(&mut tried, pairs, threads, &stop)).map_err(|e| failed(py, e))?;
        text(py, &tried)
    }

    /// What the weights on trial scored in `count` pairs from number `first` on: those of the step that is next, or
    /// those of the test.
    fn fight(
        &self,
        py: Python<'_>,
        state: &str,
        testing: bool,
        first: u64,
        count: u64,
    ) -> PyResult<Vec<f64>> {
        let tried = self.read(py, state)?;
        let trial = if testing { Trial::Test } else { Trial::Step };
        let pairs = first..first.saturating_add(count);
        py.detach(|| self.tuning.fight(&tried, trial, pairs, 1, &AtomicBool::new(false)))
            .map_err(|e| failed(py, e))
    }

    /// The state after a step whose pairs scored so.
    fn learned(&self, py: Python<'_>, state: &str, scores: Vec<f64>) -> PyResult<String> {
        let mut tried = self.read(py, state)?;
        if scores.len() as u64 != self.tuning.pairs {
            return Err(wrong(py, format!("{} scores for {} pairs", scores.len(), self.tuning.pairs)));
        }
        self.tuning.learn(&mut tried, &scores);
        text(py, &tried)
    }

    /// The state after further pairs of the test that scored so.
    fn tested(&self, py: Python<'_>, state: &str, scores: Vec<f64>) -> PyResult<String> {
        let mut tried = self.read(py, state)?;
        tricorne_lab::Tuning::tested(&mut tried, &scores);
        text(py, &tried)
    }

    /// What a state says: steps, weights, the test with its share of the points, likelihood and verdict.
    fn told<'py>(&self, py: Python<'py>, state: &str) -> PyResult<Bound<'py, PyAny>> {
        let tried = self.read(py, state)?;
        handed(
            py,
            &json!({
                "ruleset": self.tuning.ruleset,
                "steps": tried.steps,
                "test": tried.test,
                "share": tried.test.share(),
                "likelihood": tried.test.likelihood(),
                "verdict": tried.test.verdict(),
                "weights": tried.weights,
            }),
        )
    }
}

impl Tuning {
    fn read(&self, py: Python<'_>, state: &str) -> PyResult<Tried> {
        let tried: Tried =
            serde_json::from_str(state).map_err(|e| wrong(py, format!("is no state of a tuning: {e}")))?;
        if tried.tuning != self.tuning.digest() {
            return Err(wrong(py, "belongs to another tuning; name another file, or remove this one"));
        }
        Ok(tried)
    }
}

/// As the command line writes it.
fn text(py: Python<'_>, tried: &Tried) -> PyResult<String> {
    serde_json::to_string_pretty(tried).map_err(|e| wrong(py, e))
}

/// The scenarios that are named, all that are shipped if none is.
fn files(
    py: Python<'_>,
    system: &'static dyn AnySystem,
    named: Vec<(String, Option<String>)>,
) -> PyResult<Vec<Source>> {
    if named.is_empty() {
        return Ok(system.scenarios().iter().map(|s| Source::new(s.id, s.text)).collect());
    }
    let id = system.about().id;
    let one = |(name, text): (String, Option<String>)| {
        let (of, file) = rulebooks::scenario(py, &name, text)?;
        if of.about().id == id { Ok(file) } else { Err(wrong(py, format!("{name} is not of {id}"))) }
    };
    named.into_iter().map(one).collect()
}

/// The weights to move: those that are named, all of `weighs` if none is.
fn moved(py: Python<'_>, base: &Judgement, only: Vec<String>) -> PyResult<Vec<String>> {
    let weighs: Vec<String> = base.weighs.keys().map(|name| format!("weighs.{name}")).collect();
    if only.is_empty() {
        return Ok(weighs);
    }
    let worth = base.worth.keys().map(|name| format!("worth.{name}"));
    let known: Vec<String> = weighs.into_iter().chain(worth).collect();
    if let Some(strange) = only.iter().find(|name| !known.contains(name)) {
        let hint = tricorne_game::did_you_mean(strange, known.iter().map(String::as_str), "");
        return Err(wrong(py, format!("only = {strange}: there is no such weight. {hint}")));
    }
    Ok(only)
}
