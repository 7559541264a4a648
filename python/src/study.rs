//! Studies for Python: the laboratory's own battles and rows, fought with the interpreter let go.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::json;
use tricorne_agents::Level;
use tricorne_game::army::MusterCall;
use tricorne_game::{Choices, Purpose, Side};
use tricorne_lab::{Match, Row, Share, StudyError, Vary};

use crate::plain::handed;
use crate::refused::{fault, study as failed, wrong};
use crate::rulebooks;

/// Rows between two looks at whether somebody pressed Ctrl-C.
const LOOK: u64 = 16;

/// Whether somebody pressed Ctrl-C, asked from where the interpreter has been let go.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough for `attach`"
)]
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// A study: one scenario, two players, many battles.
#[pyclass(module = "tricorne.lab", frozen)]
pub struct Study {
    study: tricorne_lab::Study,
}

#[pymethods]
impl Study {
    /// A study of a scenario, by its id or its text.
    #[new]
    #[pyo3(signature = (name, text, players, battles, seed, options, data, muster = None))]
    #[expect(clippy::too_many_arguments, reason = "what a study is made of")]
    fn new(
        py: Python<'_>,
        name: &str,
        text: Option<String>,
        players: [String; 2],
        battles: u64,
        seed: &str,
        options: BTreeMap<String, String>,
        data: BTreeMap<String, String>,
        muster: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let (system, scenario) = rulebooks::scenario(py, name, text)?;
        let choices = rulebooks::choices(py, system, options, data)?;
        let level = |name: &String| name.parse::<Level>().map_err(|e| wrong(py, e));
        if battles == 0 {
            return Err(wrong(py, "battles = 0: fight at least one"));
        }
        let call = |points: f64| MusterCall { points: Some(points), ..MusterCall::default() };
        let study = tricorne_lab::Study {
            ruleset: system.about().id.into(),
            scenario,
            muster: muster.map(|points| points.map(call)),
            choices,
            players: [level(&players[0])?, level(&players[1])?],
            battles,
            seed: rulebooks::seed(py, seed)?,
        };
        // What can't be set up is told before a cluster is busy with it.
        if study.muster.is_none() {
            tricorne_game::ready(system, &study.scenario, &study.choices).map_err(|e| fault(py, &e))?;
        }
        Ok(Self { study })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let class = py.get_type::<Self>().into_any();
        let s = &self.study;
        let Choices { options, data } = s.choices.clone();
        let players = s.players.map(|p| p.to_string());
        let points = |call: &MusterCall| call.points.unwrap_or_default();
        let muster = s.muster.as_ref().map(|calls| [points(&calls[0]), points(&calls[1])]);
        let whole = (
            s.scenario.name.clone(),
            Some(s.scenario.text.clone()),
            players,
            s.battles,
            s.seed.to_string(),
            options,
            data,
            muster,
        );
        Ok((class, whole.into_pyobject(py)?.into_any()))
    }

    /// A short name of what is studied; rows carry it.
    #[getter]
    fn digest(&self) -> String {
        self.study.digest()
    }

    /// How many battles.
    #[getter]
    fn battles(&self) -> u64 {
        self.study.battles
    }

    /// The rule system's id.
    #[getter]
    fn ruleset(&self) -> &str {
        &self.study.ruleset
    }

    /// The scenario's name.
    #[getter]
    fn scenario(&self) -> &str {
        &self.study.scenario.name
    }

    /// The two players.
    #[getter]
    fn players(&self) -> [String; 2] {
        self.study.players.map(|p| p.to_string())
    }

    /// The sides, in the order of the scenario.
    #[getter]
    fn sides(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let system = rulebooks::system(py, &self.study.ruleset)?;
        let battle = system.set_up(&self.study.scenario, &self.study.choices, Purpose::Scenario);
        let view = battle.map_err(|e| fault(py, &e))?.view(None);
        Ok(view.sides.into_iter().map(|s| s.name).collect())
    }

    /// The same study with another number of battles.
    fn of(&self, battles: u64) -> Self {
        Self { study: tricorne_lab::Study { battles, ..self.study.clone() } }
    }

    /// The same study with one thing varied: a list of (value, study), as `tricorne lab sweep --vary` reads it.
    fn varied(&self, py: Python<'_>, vary: &str) -> PyResult<Vec<(String, Self)>> {
        let vary: Vary = vary.parse().map_err(|e: String| wrong(py, e))?;
        let system = rulebooks::system(py, &self.study.ruleset)?;
        let mut all = Vec::new();
        for value in &vary.values {
            let study = vary.with(&self.study, system, value).map_err(|e| wrong(py, e))?;
            if study.muster.is_none() {
                tricorne_game::ready(system, &study.scenario, &study.choices).map_err(|e| fault(py, &e))?;
            }
            all.push((value.clone(), Self { study }));
        }
        Ok(all)
    }

    /// The study without one unit of a side, for each that can be left at home: (units, names, study).
    fn handicaps(&self, py: Python<'_>, side: u8) -> PyResult<Vec<Without>> {
        let system = rulebooks::system(py, &self.study.ruleset)?;
        let all =
            tricorne_lab::handicaps(system, &self.study.scenario, &self.study.choices, Side(side.min(1)));
        let without = |h: tricorne_lab::Handicap| {
            let study = tricorne_lab::Study { scenario: h.scenario, ..self.study.clone() };
            (h.without, h.names, Self { study })
        };
        Ok(all.into_iter().map(without).collect())
    }

    /// Fights `count` battles from number `first` on, on so many threads, and hands back their rows in order.
    #[pyo3(signature = (first, count, threads = 1))]
    fn fight(&self, py: Python<'_>, first: u64, count: u64, threads: usize) -> PyResult<Rows> {
        let part = tricorne_lab::Study { battles: first.saturating_add(count), ..self.study.clone() };
        let stop = AtomicBool::new(false);
        let mut rows = Vec::new();
        let mut pressed = None;
        let mut take = |row: Row| {
            let look = row.battle.is_multiple_of(LOOK);
            rows.push(row);
            if look && let Err(error) = signals() {
                pressed = Some(error);
                return Err(StudyError::Stopped);
            }
            Ok(())
        };
        let fought = py.detach(|| tricorne_lab::run(&part, first, threads, &stop, &mut take));
        match (fought, pressed) {
            (_, Some(error)) => Err(error),
            (Err(why), None) => Err(failed(py, why)),
            (Ok(()), None) => Ok(Rows { study: self.study.clone(), rows }),
        }
    }

    /// No rows yet.
    fn no_rows(&self) -> Rows {
        Rows { study: self.study.clone(), rows: Vec::new() }
    }

    fn __repr__(&self) -> String {
        let [a, b] = self.players();
        format!(
            "<Study {} of {}: {a} against {b}, {} battles>",
            self.digest(),
            self.scenario(),
            self.battles()
        )
    }
}

/// Units left at home, their names, and the study without them.
type Without = (Vec<String>, Vec<String>, Study);

/// What came of battles, a row each.
#[pyclass(module = "tricorne.lab")]
pub struct Rows {
    study: tricorne_lab::Study,
    rows: Vec<Row>,
}

#[pymethods]
impl Rows {
    #[new]
    fn new(py: Python<'_>, study: &Study, bytes: &[u8]) -> PyResult<Self> {
        let rows = serde_json::from_slice(bytes).map_err(|e| wrong(py, format!("no rows: {e}")))?;
        Ok(Self { study: study.study.clone(), rows })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let bytes = serde_json::to_vec(&self.rows).map_err(|e| wrong(py, e))?;
        let study = Study { study: self.study.clone() };
        let args = (study.into_pyobject(py)?, PyBytes::new(py, &bytes)).into_pyobject(py)?;
        Ok((py.get_type::<Self>().into_any(), args.into_any()))
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// Adds further rows of the same study.
    fn extend(&mut self, py: Python<'_>, more: &Rows) -> PyResult<()> {
        if more.study.digest() != self.study.digest() {
            return Err(wrong(py, "rows of another study"));
        }
        self.rows.extend(more.rows.iter().cloned());
        Ok(())
    }

    /// The study they belong to.
    #[getter]
    fn digest(&self) -> String {
        self.study.digest()
    }

    /// As `tricorne lab run --rows` writes them, byte for byte.
    #[pyo3(signature = (headed = true))]
    fn csv<'py>(&self, py: Python<'py>, headed: bool) -> Bound<'py, PyBytes> {
        PyBytes::new(py, tricorne_lab::rows_csv(&self.study, &self.rows, headed).as_bytes())
    }

    /// As `tricorne lab run --units` writes them, byte for byte.
    fn units_csv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, tricorne_lab::units_csv(&self.study, &self.rows).as_bytes())
    }

    /// Column by column: the columns of the Parquet file that `tricorne lab run` writes.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = || self.rows.iter();
        let digest = self.study.digest();
        let one_up = |n: Option<u64>| n.map(|n| n + 1);
        let dict = PyDict::new(py);
        let player = |side: usize| rows().map(move |r| r.players.get(side).cloned().unwrap_or_default());
        let score = |side: usize| rows().map(move |r| r.scores.get(side).copied());
        dict.set_item("study", PyList::new(py, rows().map(|_| &digest))?)?;
        dict.set_item("battle", PyList::new(py, rows().map(|r| r.battle))?)?;
        dict.set_item("seed", PyList::new(py, rows().map(|r| r.seed.to_string()))?)?;
        dict.set_item("player_1", PyList::new(py, player(0))?)?;
        dict.set_item("player_2", PyList::new(py, player(1))?)?;
        dict.set_item("winner", PyList::new(py, rows().map(|r| one_up(r.winner.map(|w| u64::from(w.0)))))?)?;
        dict.set_item("won_by", PyList::new(py, rows().map(|r| one_up(r.won_by.map(|p| p as u64))))?)?;
        dict.set_item("grade", PyList::new(py, rows().map(|r| &r.grade))?)?;
        dict.set_item("clause", PyList::new(py, rows().map(|r| &r.clause))?)?;
        dict.set_item("reason", PyList::new(py, rows().map(|r| &r.reason))?)?;
        dict.set_item("score_1", PyList::new(py, score(0))?)?;
        dict.set_item("score_2", PyList::new(py, score(1))?)?;
        dict.set_item("turns", PyList::new(py, rows().map(|r| r.turns))?)?;
        dict.set_item("decisions", PyList::new(py, rows().map(|r| r.decisions))?)?;
        Ok(dict)
    }

    /// What each unit lost in each battle, column by column.
    fn unit_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all: Vec<_> = self.rows.iter().flat_map(|r| r.units.iter().map(move |u| (r, u))).collect();
        let digest = self.study.digest();
        let dict = PyDict::new(py);
        dict.set_item("study", PyList::new(py, all.iter().map(|_| &digest))?)?;
        dict.set_item("battle", PyList::new(py, all.iter().map(|(r, _)| r.battle))?)?;
        dict.set_item("unit", PyList::new(py, all.iter().map(|(_, u)| &u.unit))?)?;
        dict.set_item("side", PyList::new(py, all.iter().map(|(_, u)| u64::from(u.side.0) + 1))?)?;
        dict.set_item("strength", PyList::new(py, all.iter().map(|(_, u)| u.strength))?)?;
        dict.set_item("lost", PyList::new(py, all.iter().map(|(_, u)| u.lost))?)?;
        dict.set_item("on_table", PyList::new(py, all.iter().map(|(_, u)| u.on_table))?)?;
        dict.set_item("marched_off", PyList::new(py, all.iter().map(|(_, u)| u.marched_off))?)?;
        Ok(dict)
    }

    /// What the rows come to: shares with their intervals, turns, what decided it, losses.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &tricorne_lab::summary(&self.rows))
    }

    /// What the first player scored in each battle: 1, a half or 0.
    fn scores(&self) -> Vec<f64> {
        self.rows.iter().map(|r| r.won_by.map_or(0.5, |p| if p == 0 { 1.0 } else { 0.0 })).collect()
    }

    /// What the side listed first scored in each battle.
    fn side_scores(&self) -> Vec<f64> {
        self.rows.iter().map(|r| r.winner.map_or(0.5, |w| if w == Side(0) { 1.0 } else { 0.0 })).collect()
    }
}

/// A file of rows (CSV) that a study is written to as it goes, and gone on with when it was stopped.
#[pyclass(module = "tricorne.lab")]
pub struct Ledger {
    ledger: tricorne_lab::Ledger,
}

#[pymethods]
impl Ledger {
    /// Begins a file, or opens one that a stopped study left: the ledger and the rows it has.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, study: &Study, resume: bool) -> PyResult<(Self, Rows)> {
        let rows_wrong = |e| failed(py, StudyError::Rows(e));
        let (ledger, rows) = if resume {
            tricorne_lab::Ledger::resume(&path, &study.study).map_err(rows_wrong)?
        } else {
            (tricorne_lab::Ledger::begin(&path, &study.study).map_err(rows_wrong)?, Vec::new())
        };
        Ok((Self { ledger }, Rows { study: study.study.clone(), rows }))
    }

    /// Adds rows.
    fn add(&mut self, py: Python<'_>, rows: &Rows) -> PyResult<()> {
        for row in &rows.rows {
            self.ledger.add(row).map_err(|e| failed(py, StudyError::Rows(e)))?;
        }
        Ok(())
    }
}

/// How strong each of so many players is, from matches (first, second, what the first scored in each battle).
#[pyfunction]
pub fn elo(
    py: Python<'_>,
    players: usize,
    matches: Vec<(usize, usize, Vec<f64>)>,
) -> PyResult<Bound<'_, PyAny>> {
    if matches.iter().any(|m| m.0 >= players || m.1 >= players) {
        return Err(wrong(py, format!("a match names a player that is none of the {players}")));
    }
    let matches: Vec<Match> = matches.into_iter().map(|(a, b, scores)| Match::new(a, b, scores)).collect();
    let strengths = py.detach(|| tricorne_lab::elo(players, &matches));
    handed(py, &json!({ "elo": strengths, "matches": matches }))
}

/// A share of battles with Wilson's interval.
#[pyfunction]
pub fn share(py: Python<'_>, won: f64, of: u64) -> PyResult<Bound<'_, PyAny>> {
    handed(py, &Share::wilson(won, of))
}
