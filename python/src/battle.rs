//! A battle in Python's hands: the umpire, asked as every page, bot and tool asks.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use serde_json::{Value, json};
use tricorne_agents::{Level, Player};
use tricorne_chance::Whim;
use tricorne_game::journal::Journal;
use tricorne_game::view::View;
use tricorne_game::{AnyBattle, Event, Seat, Story, Umpire, UnitId};
use tricorne_picture::{Style, Theme, svg};

use crate::plain::{handed, python, value};
use crate::refused::{fault, journal, over, refused, wrong};
use crate::rulebooks;

/// Paths that the odds are enumerated along before they are sampled.
const PATHS: usize = 20_000;

/// The stream of choices that belong to nobody at the table, as in the engine.
const ASIDE: u64 = 99;

/// A battle: who must decide, what is legal, what happens.
#[pyclass(module = "tricorne")]
pub struct Battle {
    umpire: Umpire,
}

impl Battle {
    fn board(&self) -> &dyn AnyBattle {
        self.umpire.battle()
    }

    fn told(&self, events: &[Event], seat: Option<Seat>) -> Vec<String> {
        let view = self.board().view(seat);
        let story = Story::new(self.umpire.system().stories(), &view).told_to(seat);
        story.tell_all(events).into_iter().map(|(_, told)| told.whole).collect()
    }

    fn seat(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<Option<Seat>> {
        let seats = self.board().seats();
        match seat.map(Seat) {
            Some(seat) if !seats.iter().any(|s| s.seat == seat) => {
                let last = seats.len().saturating_sub(1);
                Err(wrong(py, format!("there is no seat {}; seats are 0 to {last}", seat.0)))
            }
            seat => Ok(seat),
        }
    }

    fn decides(&self, py: Python<'_>) -> PyResult<Seat> {
        self.board().seat().ok_or_else(|| over(py))
    }
}

/// A view drawn.
fn drawn(view: &View, width: u32, dark: bool, unit: Option<UnitId>) -> String {
    let theme = if dark { Theme::Dark } else { Theme::Light };
    svg(view, &Style { theme, chosen: unit, ..Style::wide(width) })
}

fn wide(py: Python<'_>, width: u32) -> PyResult<u32> {
    if (200..=6000).contains(&width) {
        Ok(width)
    } else {
        Err(wrong(py, format!("a picture is from 200 to 6000 pixels wide, not {width}")))
    }
}

#[pymethods]
impl Battle {
    /// Begins a battle: `text` is a scenario file's, or none for a shipped scenario of that name.
    #[staticmethod]
    #[pyo3(signature = (name, text, seed, options, data))]
    fn begin(
        py: Python<'_>,
        name: &str,
        text: Option<String>,
        seed: &str,
        options: BTreeMap<String, String>,
        data: BTreeMap<String, String>,
    ) -> PyResult<Self> {
        let (system, file) = rulebooks::scenario(py, name, text)?;
        let choices = rulebooks::choices(py, system, options, data)?;
        let seed = rulebooks::seed(py, seed)?;
        let umpire = py.detach(|| Umpire::begin(system, &file, &choices, seed));
        Ok(Self { umpire: umpire.map_err(|e| fault(py, &e))? })
    }

    /// The battle of a journal, after its first `at` actions or after all; every hash is verified.
    #[staticmethod]
    #[pyo3(signature = (text, at = None))]
    fn load(py: Python<'_>, text: &[u8], at: Option<usize>) -> PyResult<Self> {
        let kept = Journal::read(text).map_err(|e| journal(py, &e))?;
        let system = rulebooks::system(py, &kept.header.ruleset)?;
        let umpire = py.detach(|| kept.replay(system, at));
        Ok(Self { umpire: umpire.map_err(|e| journal(py, &e))? })
    }

    /// What is waited for: `{"decision": {seat, kind, unit, prompt}}` or `{"over": {winner, grade, reason, …}}`.
    #[getter]
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.board().pending())
    }

    /// The seat that must decide; none when the battle is over.
    #[getter(seat)]
    fn whose(&self) -> Option<u8> {
        self.board().seat().map(|s| s.0)
    }

    /// Whether the battle is over.
    #[getter(over)]
    fn is_over(&self) -> bool {
        self.board().seat().is_none()
    }

    /// How it ended; none while it goes on.
    #[getter]
    fn ending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.board().ending())
    }

    /// Who sits at the table.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.board().seats())
    }

    /// The rule system's id.
    #[getter]
    fn ruleset(&self) -> &'static str {
        self.umpire.system().about().id
    }

    /// How many actions have been taken.
    #[getter]
    fn actions(&self) -> usize {
        self.umpire.turned().len()
    }

    /// The hash of the state, the same on every machine.
    #[getter]
    fn hash(&self) -> String {
        self.board().hash().to_string()
    }

    /// The legal answers: `listed`, and `spaces` where a place or a path is in them.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.board().legal())
    }

    /// Raises `Illegal` with the clause if the answer is not legal.
    fn check(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.decides(py)?;
        self.board().check(&value(action)?).map_err(|e| refused(py, e))
    }

    /// What an answer would come to, as far as no die is in it.
    fn preview<'py>(&self, py: Python<'py>, action: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.decides(py)?;
        handed(py, &self.board().preview(&value(action)?).map_err(|e| refused(py, e))?)
    }

    /// Every outcome of an answer with its probability; exact where it can be enumerated along `limit` paths.
    #[pyo3(signature = (action, limit = PATHS))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'_, PyAny>,
        limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.decides(py)?;
        let action = value(action)?;
        let prospect = py.detach(|| self.board().odds(&action, limit.min(1_000_000)));
        handed(py, &prospect.map_err(|e| refused(py, e))?)
    }

    /// Takes an answer, for the seat that must decide or for the one named; what happened, in sentences.
    #[pyo3(signature = (action, seat = None))]
    fn apply(
        &mut self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        seat: Option<u8>,
    ) -> PyResult<Vec<String>> {
        let seat = match self.seat(py, seat)? {
            Some(seat) => seat,
            None => self.decides(py)?,
        };
        let action = value(action)?;
        let umpire = &mut self.umpire;
        py.detach(|| umpire.act(seat, &action).map(|_| ())).map_err(|e| refused(py, e))?;
        let events = self.umpire.turned().last().map_or(&[][..], |t| &t.events);
        Ok(self.told(events, Some(seat)))
    }

    /// What a seat may know, every shape computed; without a seat, what a spectator may.
    #[pyo3(signature = (seat = None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.board().view(self.seat(py, seat)?))
    }

    /// Everything, secrets included: for tools that run both sides.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.board().facts())
    }

    /// What happened from action `start` on, in sentences, as a seat or a spectator may know it.
    #[pyo3(signature = (seat = None, start = 0))]
    fn story(&self, py: Python<'_>, seat: Option<u8>, start: usize) -> PyResult<Vec<String>> {
        let seat = self.seat(py, seat)?;
        let early = if start == 0 { self.umpire.prologue() } else { &[] };
        let later = self.umpire.turned().iter().skip(start).flat_map(|t| &t.events);
        let events: Vec<Event> = early.iter().chain(later).cloned().collect();
        Ok(self.told(&events, seat))
    }

    /// The answers so far, each with its seat, as the journal has them.
    #[getter]
    fn taken<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all: Vec<Value> =
            self.umpire.turned().iter().map(|t| json!({ "seat": t.seat, "action": t.action })).collect();
        handed(py, &all)
    }

    /// The journal so far: JSON lines that `tricorne replay` verifies anywhere.
    fn journal(&self) -> String {
        self.umpire.journal().to_text()
    }

    /// The same battle a second time; what is done in one does not touch the other.
    #[pyo3(name = "clone")]
    fn doubled(&self) -> Self {
        Self { umpire: self.umpire.clone() }
    }

    fn __copy__(&self) -> Self {
        self.doubled()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.doubled()
    }

    /// Steps back so that only the first `to` actions have been taken.
    fn undo(&mut self, py: Python<'_>, to: usize) -> PyResult<()> {
        let done = self.umpire.turned().len();
        if to > done {
            return Err(wrong(py, format!("only {done} actions have been taken")));
        }
        self.umpire.step_back(to).map_err(|e| fault(py, &e))
    }

    /// What a program would answer, and what it thought of it and of the others.
    #[pyo3(signature = (level = "subaltern", seed = 1))]
    fn think<'py>(&self, py: Python<'py>, level: &str, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        let level: Level = level.parse().map_err(|e: String| wrong(py, e))?;
        let seat = self.decides(py)?;
        let thought = py.detach(|| Player::new(level, seed.into(), seat).think_any(self.board()));
        handed(py, &thought)
    }

    /// A legal answer at random.
    #[pyo3(signature = (seed = 1))]
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        self.decides(py)?;
        python(py, &self.board().sample(&mut Whim::new(seed, ASIDE)))
    }

    /// Up to `n` different legal answers, the listed ones first.
    #[pyo3(signature = (n = 16, seed = 1))]
    fn candidates<'py>(&self, py: Python<'py>, n: usize, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        self.decides(py)?;
        handed(py, &self.board().candidates(n.min(1000), &mut Whim::new(seed, ASIDE)))
    }

    /// Lets programs decide until the battle is over, or for `most` decisions; how many they took.
    #[pyo3(signature = (levels, seed = 1, most = None))]
    fn play(
        &mut self,
        py: Python<'_>,
        levels: Vec<String>,
        seed: u64,
        most: Option<usize>,
    ) -> PyResult<usize> {
        let seats = self.board().seats();
        let mut players = Vec::new();
        for (n, seat) in seats.iter().enumerate() {
            let Some(level) = levels.get(n.min(levels.len().saturating_sub(1))) else {
                return Err(wrong(py, "name a level for the seats, as in [\"subaltern\", \"random\"]"));
            };
            let level: Level = level.parse().map_err(|e: String| wrong(py, e))?;
            players.push(Player::new(level, seed.into(), seat.seat));
        }
        let mut taken = 0;
        while most.is_none_or(|most| taken < most) {
            // Somebody may have pressed Ctrl-C meanwhile.
            py.check_signals()?;
            let Some(seat) = self.board().seat() else { break };
            let umpire = &mut self.umpire;
            let player = &mut players[seat.index()];
            py.detach(|| {
                let action = player.choose_any(umpire.battle());
                umpire.act(seat, &action).map(|_| ())
            })
            .map_err(|e| refused(py, e))?;
            taken += 1;
        }
        Ok(taken)
    }

    /// The table drawn as SVG, as a seat or a spectator sees it.
    #[pyo3(signature = (seat = None, width = 1000, dark = false, unit = None))]
    fn picture(
        &self,
        py: Python<'_>,
        seat: Option<u8>,
        width: u32,
        dark: bool,
        unit: Option<&str>,
    ) -> PyResult<String> {
        let unit = unit.map(str::parse).transpose().map_err(|e: String| wrong(py, e))?;
        let view = self.board().view(self.seat(py, seat)?);
        Ok(drawn(&view, wide(py, width)?, dark, unit))
    }

    /// At most `most` pictures of the battle so far, evenly spread, as a seat or a spectator sees them: each with the
    /// number of actions before it and what had just happened.
    #[pyo3(signature = (seat = None, most = 40, width = 800, dark = false))]
    fn film(
        &self,
        py: Python<'_>,
        seat: Option<u8>,
        most: usize,
        width: u32,
        dark: bool,
    ) -> PyResult<Vec<(usize, String, String)>> {
        let (seat, width) = (self.seat(py, seat)?, wide(py, width)?);
        let last = self.umpire.turned().len();
        let shown: Vec<usize> = match most.clamp(1, 400).min(last + 1) {
            1 => vec![last],
            most => (0..most).map(|n| n * last / (most - 1)).collect(),
        };
        let draw = || {
            let mut frames = Vec::new();
            for (n, battle) in self.umpire.walk().enumerate().filter(|(n, _)| shown.contains(n)) {
                let events = match n {
                    0 => self.umpire.prologue(),
                    n => &self.umpire.turned()[n - 1].events,
                };
                let view = battle.view(seat);
                let story = Story::new(self.umpire.system().stories(), &view).told_to(seat);
                let caption: Vec<String> =
                    story.tell_all(events).into_iter().map(|(_, told)| told.whole).collect();
                frames.push((n, drawn(&view, width, dark, None), caption.join(" ")));
            }
            frames
        };
        Ok(py.detach(draw))
    }

    fn _repr_svg_(&self) -> String {
        drawn(&self.board().view(None), 1000, false, None)
    }

    fn __repr__(&self) -> String {
        let title = self.board().view(None).title;
        let actions = self.umpire.turned().len();
        match self.board().ending() {
            Some(ending) => format!("<Battle {title:?}, over after {actions} actions: {}>", ending.reason),
            None => format!("<Battle {title:?} after {actions} actions>"),
        }
    }
}
