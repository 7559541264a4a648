//! Many battles side by side for Python: stepped on all cores while the interpreter does something else, observed into
//! arrays that `NumPy` looks at without a copy.

use std::collections::BTreeMap;
use std::sync::Mutex;

use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2,
    PyReadwriteArray3,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::{Seat, Side};
use tricorne_picture::{Style, svg};

use crate::answer::{self, ANSWER};
use crate::engagement::{Answers, Came, Engagement, Sheet, Terms, engagement};
use crate::plain::{handed, python, value};
use crate::refused::{fault, over, wrong};
use crate::rows::{self, DECISION, GROUND, UNIT};
use crate::rulebooks;

/// More battles than this at a time are a mistake.
const MOST: usize = 65_536;

/// Many battles of one scenario, side by side.
#[pyclass(module = "tricorne")]
pub struct Field {
    battles: Vec<Box<dyn Engagement>>,
    /// How many battles each place has begun.
    rounds: Vec<u64>,
    seed: Seed,
    terms: Terms,
    threads: usize,
    arrays: Arrays,
}

/// What an observation of all battles is written into, and what a step came to.
struct Arrays {
    units: Py<PyArray3<f32>>,
    ground: Py<PyArray3<f32>>,
    decision: Py<PyArray2<f32>>,
    answers: Py<PyArray3<f32>>,
    mask: Py<PyArray2<i8>>,
    seat: Py<PyArray1<i64>>,
    side: Py<PyArray1<i64>>,
    advice: Py<PyArray1<i64>>,
    rewards: Py<PyArray2<f32>>,
    over: Py<PyArray1<bool>>,
    broken_off: Py<PyArray1<bool>>,
}

impl Arrays {
    fn new(py: Python<'_>, n: usize, terms: &Terms) -> Self {
        Self {
            units: PyArray3::zeros(py, [n, terms.units, UNIT], false).unbind(),
            ground: PyArray3::zeros(py, [n, terms.ground, GROUND], false).unbind(),
            decision: PyArray2::zeros(py, [n, DECISION], false).unbind(),
            answers: PyArray3::zeros(py, [n, terms.answers, ANSWER], false).unbind(),
            mask: PyArray2::zeros(py, [n, terms.answers], false).unbind(),
            seat: PyArray1::zeros(py, [n], false).unbind(),
            side: PyArray1::zeros(py, [n], false).unbind(),
            advice: PyArray1::zeros(py, [n], false).unbind(),
            rewards: PyArray2::zeros(py, [n, 2], false).unbind(),
            over: PyArray1::zeros(py, [n], false).unbind(),
            broken_off: PyArray1::zeros(py, [n], false).unbind(),
        }
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("units", self.units.bind(py))?;
        dict.set_item("ground", self.ground.bind(py))?;
        dict.set_item("decision", self.decision.bind(py))?;
        dict.set_item("answers", self.answers.bind(py))?;
        dict.set_item("mask", self.mask.bind(py))?;
        dict.set_item("seat", self.seat.bind(py))?;
        dict.set_item("side", self.side.bind(py))?;
        dict.set_item("advice", self.advice.bind(py))?;
        dict.set_item("rewards", self.rewards.bind(py))?;
        dict.set_item("over", self.over.bind(py))?;
        dict.set_item("broken_off", self.broken_off.bind(py))?;
        Ok(dict)
    }
}

/// The arrays while they are written to: nobody in Python may hold one of them for writing meanwhile.
struct Open<'py> {
    units: PyReadwriteArray3<'py, f32>,
    ground: PyReadwriteArray3<'py, f32>,
    decision: PyReadwriteArray2<'py, f32>,
    answers: PyReadwriteArray3<'py, f32>,
    mask: PyReadwriteArray2<'py, i8>,
    seat: PyReadwriteArray1<'py, i64>,
    side: PyReadwriteArray1<'py, i64>,
    advice: PyReadwriteArray1<'py, i64>,
    rewards: PyReadwriteArray2<'py, f32>,
    over: PyReadwriteArray1<'py, bool>,
    broken_off: PyReadwriteArray1<'py, bool>,
}

/// One battle with its part of every array.
struct Lot<'a> {
    place: usize,
    battle: &'a mut Box<dyn Engagement>,
    round: &'a mut u64,
    sheet: Sheet<'a>,
    seat: &'a mut i64,
    side: &'a mut i64,
    advice: &'a mut i64,
    rewards: &'a mut [f32],
    over: &'a mut bool,
    broken_off: &'a mut bool,
}

impl Lot<'_> {
    fn begin(&mut self, seed: Seed, places: usize) -> Result<(), String> {
        let number = self.place as u64 + *self.round * places as u64;
        *self.round += 1;
        self.battle.begin(after(seed, number), number)
    }

    /// Begins anew until a learner must decide: a scenario may be over before he is asked.
    fn begun(&mut self, seed: Seed, places: usize) -> Result<(), String> {
        for _ in 0..64 {
            self.begin(seed, places)?;
            if self.battle.seat().is_some() {
                return Ok(());
            }
        }
        Err("64 battles in a row ended before the learner was asked".into())
    }

    fn step(&mut self, answer: usize, seed: Seed, places: usize) -> Result<(), String> {
        let Came { rewards, over, broken_off } = self.battle.take(answer)?;
        self.rewards.copy_from_slice(&rewards);
        (*self.over, *self.broken_off) = (over, broken_off);
        if over || broken_off {
            self.begun(seed, places)?;
        }
        self.show();
        Ok(())
    }

    fn show(&mut self) {
        let Some(seat) = self.battle.seat() else { return };
        self.battle.show(seat, &mut self.sheet);
        *self.seat = i64::from(seat.0);
        *self.side = side_of(&**self.battle, seat);
        *self.advice = self.battle.advised() as i64;
    }
}

fn side_of(battle: &dyn Engagement, seat: Seat) -> i64 {
    battle.seats().iter().find(|s| s.seat == seat).map_or(0, |s| i64::from(s.side.0))
}

/// The n-th seed after this one, as the laboratory counts them.
fn after(seed: Seed, n: u64) -> Seed {
    let mut bytes = seed.0;
    let mut low = [0; 8];
    low.copy_from_slice(&bytes[..8]);
    bytes[..8].copy_from_slice(&u64::from_le_bytes(low).wrapping_add(n).to_le_bytes());
    Seed(bytes)
}

impl Field {
    fn place(&self, py: Python<'_>, place: usize) -> PyResult<&dyn Engagement> {
        match self.battles.get(place) {
            Some(battle) => Ok(&**battle),
            None => Err(wrong(py, format!("there is no battle {place}; there are {}", self.battles.len()))),
        }
    }

    /// Does something with every battle and its part of the arrays, on all threads, the interpreter let go.
    fn each(
        &mut self,
        py: Python<'_>,
        job: impl Fn(&mut Lot<'_>) -> Result<(), String> + Sync,
    ) -> PyResult<()> {
        let mut open = self.arrays.open(py)?;
        let mut lots = open.lots(&mut self.battles, &mut self.rounds, &self.terms)?;
        let threads = self.threads.min(lots.len().div_ceil(2)).max(1);
        let failed = py.detach(|| {
            if threads == 1 {
                return lots.iter_mut().find_map(|lot| job(lot).err().map(|why| (lot.place, why)));
            }
            // A few battles at a time: some take ten times as long as others.
            let queue = Mutex::new(lots.chunks_mut(4));
            let failed = Mutex::new(None);
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        loop {
                            let next = queue.lock().ok().and_then(|mut queue| queue.next());
                            let Some(some) = next else { break };
                            for lot in some {
                                if let Err(why) = job(lot)
                                    && let Ok(mut failed) = failed.lock()
                                {
                                    failed.get_or_insert((lot.place, why));
                                }
                            }
                        }
                    });
                }
            });
            failed.into_inner().unwrap_or_default()
        });
        match failed {
            Some((place, why)) => Err(wrong(py, format!("battle {place}: {why}"))),
            None => Ok(()),
        }
    }
}

impl Arrays {
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Open<'py>> {
        Ok(Open {
            units: self.units.bind(py).try_readwrite()?,
            ground: self.ground.bind(py).try_readwrite()?,
            decision: self.decision.bind(py).try_readwrite()?,
            answers: self.answers.bind(py).try_readwrite()?,
            mask: self.mask.bind(py).try_readwrite()?,
            seat: self.seat.bind(py).try_readwrite()?,
            side: self.side.bind(py).try_readwrite()?,
            advice: self.advice.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            over: self.over.bind(py).try_readwrite()?,
            broken_off: self.broken_off.bind(py).try_readwrite()?,
        })
    }
}

impl Open<'_> {
    fn lots<'a>(
        &'a mut self,
        battles: &'a mut [Box<dyn Engagement>],
        rounds: &'a mut [u64],
        terms: &Terms,
    ) -> PyResult<Vec<Lot<'a>>> {
        let mut units = self.units.as_slice_mut()?.chunks_exact_mut(terms.units * UNIT);
        let mut ground = self.ground.as_slice_mut()?.chunks_exact_mut(terms.ground * GROUND);
        let mut decision = self.decision.as_slice_mut()?.chunks_exact_mut(DECISION);
        let mut answers = self.answers.as_slice_mut()?.chunks_exact_mut(terms.answers * ANSWER);
        let mut mask = self.mask.as_slice_mut()?.chunks_exact_mut(terms.answers);
        let mut seat = self.seat.as_slice_mut()?.iter_mut();
        let mut side = self.side.as_slice_mut()?.iter_mut();
        let mut advice = self.advice.as_slice_mut()?.iter_mut();
        let mut rewards = self.rewards.as_slice_mut()?.chunks_exact_mut(2);
        let mut over = self.over.as_slice_mut()?.iter_mut();
        let mut broken_off = self.broken_off.as_slice_mut()?.iter_mut();
        let lots = battles.iter_mut().zip(rounds).enumerate().map_while(|(place, (battle, round))| {
            Some(Lot {
                place,
                battle,
                round,
                sheet: Sheet {
                    units: units.next()?,
                    ground: ground.next()?,
                    decision: decision.next()?,
                    answers: answers.next()?,
                    mask: mask.next()?,
                },
                seat: seat.next()?,
                side: side.next()?,
                advice: advice.next()?,
                rewards: rewards.next()?,
                over: over.next()?,
                broken_off: broken_off.next()?,
            })
        });
        Ok(lots.collect())
    }
}

#[pymethods]
impl Field {
    /// Sets up `battles` battles side by side.
    #[new]
    #[pyo3(signature = (
        name, text, options, data, *, battles, against = None, side = None, units = 64, ground = 64, answers = 48,
        by = "proposals", promise = true, most = 20_000, threads = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all of them by name, in Python")]
    fn new(
        py: Python<'_>,
        name: &str,
        text: Option<String>,
        options: BTreeMap<String, String>,
        data: BTreeMap<String, String>,
        battles: usize,
        against: Option<&str>,
        side: Option<u8>,
        units: usize,
        ground: usize,
        answers: usize,
        by: &str,
        promise: bool,
        most: u32,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let (system, file) = rulebooks::scenario(py, name, text)?;
        let choices = rulebooks::choices(py, system, options, data)?;
        let within = |what: &str, n: usize, most: usize| {
            if (1..=most).contains(&n) {
                Ok(n)
            } else {
                Err(wrong(py, format!("{what} = {n}: it is from 1 to {most}")))
            }
        };
        let terms = Terms {
            units: within("units", units, 1024)?,
            ground: within("ground", ground, 1024)?,
            answers: within("answers", answers, 1024)?,
            by: match by {
                "proposals" => Answers::Proposals,
                "candidates" => Answers::Candidates,
                other => {
                    return Err(wrong(py, format!("by = {other:?}: it is \"proposals\" or \"candidates\"")));
                }
            },
            promise,
            against: against.map(str::parse::<Level>).transpose().map_err(|e| wrong(py, e))?,
            side: match side {
                None => None,
                Some(side @ 0..=1) => Some(Side(side)),
                Some(side) => {
                    return Err(wrong(py, format!("side = {side}: it is 0, 1 or None for both in turn")));
                }
            },
            most: most.max(1),
        };
        let n = within("battles", battles, MOST)?;
        let first =
            engagement(system.about().id, &file, &choices, terms.clone()).map_err(|e| fault(py, &e))?;
        let view = first.view(None);
        if view.units.len() > units {
            let why = format!(
                "{} units begin this battle; give units = {} or more",
                view.units.len(),
                view.units.len()
            );
            return Err(wrong(py, why));
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut battles: Vec<Box<dyn Engagement>> = (1..n).map(|_| first.doubled()).collect();
        battles.push(first);
        let arrays = Arrays::new(py, n, &terms);
        let threads = threads.unwrap_or(cores).max(1);
        Ok(Self { battles, rounds: vec![0; n], seed: Seed::from(0), terms, threads, arrays })
    }

    /// The names of the columns of each array.
    #[staticmethod]
    fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let [units, ground, decision] = rows::columns();
        let all = [units, ground, decision, answer::columns()];
        let names = ["units", "ground", "decision", "answers"];
        handed(py, &names.into_iter().zip(all).collect::<BTreeMap<_, _>>())
    }

    fn __len__(&self) -> usize {
        self.battles.len()
    }

    /// The arrays that every step writes into; always the same ones.
    #[getter]
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.arrays.dict(py)
    }

    /// Who sits at the table.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.place(py, 0)?.seats())
    }

    /// Begins every battle: the first with this seed, each further one with the next.
    fn reset(&mut self, py: Python<'_>, seed: &str) -> PyResult<()> {
        self.seed = rulebooks::seed(py, seed)?;
        self.rounds.fill(0);
        let (seed, places) = (self.seed, self.battles.len());
        self.each(py, |lot| {
            lot.rewards.fill(0.0);
            (*lot.over, *lot.broken_off) = (false, false);
            lot.begun(seed, places)?;
            lot.show();
            Ok(())
        })
    }

    /// Takes an answer in every battle; where one ends the next is begun, and what is shown is its beginning.
    fn step(&mut self, py: Python<'_>, answers: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let answers = answers.as_slice()?.to_vec();
        let places = self.battles.len();
        if answers.len() != places {
            return Err(wrong(py, format!("{} answers for {places} battles", answers.len())));
        }
        // All or nothing: a wrong answer leaves every battle as it was.
        for (place, (&answer, battle)) in answers.iter().zip(&self.battles).enumerate() {
            let there = battle.answers();
            if there == 0 {
                return Err(wrong(py, format!("battle {place} has not begun; reset first")));
            }
            if usize::try_from(answer).map_or(true, |answer| answer >= there) {
                let last = there - 1;
                let why = format!("battle {place}: there is no answer {answer}; the mask allows 0 to {last}");
                return Err(wrong(py, why));
            }
        }
        let seed = self.seed;
        self.each(py, |lot| lot.step(answers[lot.place] as usize, seed, places))
    }

    /// Begins one battle with a seed of its own, without looking at it.
    fn begin(&mut self, py: Python<'_>, place: usize, seed: &str, number: u64) -> PyResult<()> {
        self.place(py, place)?;
        let seed = rulebooks::seed(py, seed)?;
        let battle = &mut self.battles[place];
        py.detach(|| battle.begin(seed, number)).map_err(|e| wrong(py, e))
    }

    /// Takes an answer in one battle, which stays at its end if it ends: what each side gets, over, broken off.
    fn take(&mut self, py: Python<'_>, place: usize, answer: i64) -> PyResult<([f32; 2], bool, bool)> {
        if self.place(py, place)?.seat().is_none() {
            return Err(over(py));
        }
        let battle = &mut self.battles[place];
        let answer = usize::try_from(answer).unwrap_or(usize::MAX);
        let came = py.detach(|| battle.take(answer)).map_err(|e| wrong(py, e))?;
        Ok((came.rewards, came.over, came.broken_off))
    }

    /// Takes an answer in one battle that need not be among those shown, in the form that `Battle.apply` takes.
    fn apply(
        &mut self,
        py: Python<'_>,
        place: usize,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<([f32; 2], bool, bool)> {
        if self.place(py, place)?.seat().is_none() {
            return Err(over(py));
        }
        let (battle, action) = (&mut self.battles[place], value(action)?);
        let came = py.detach(|| battle.apply(&action)).map_err(|e| wrong(py, e))?;
        Ok((came.rewards, came.over, came.broken_off))
    }

    /// What a seat may know of one battle, in arrays of its own.
    fn observe<'py>(&self, py: Python<'py>, place: usize, seat: u8) -> PyResult<Bound<'py, PyDict>> {
        let battle = self.place(py, place)?;
        if !battle.seats().iter().any(|s| s.seat == Seat(seat)) {
            return Err(wrong(py, format!("there is no seat {seat}")));
        }
        let terms = &self.terms;
        let units = PyArray2::<f32>::zeros(py, [terms.units, UNIT], false);
        let ground = PyArray2::<f32>::zeros(py, [terms.ground, GROUND], false);
        let decision = PyArray1::<f32>::zeros(py, [DECISION], false);
        let answers = PyArray2::<f32>::zeros(py, [terms.answers, ANSWER], false);
        let mask = PyArray1::<i8>::zeros(py, [terms.answers], false);
        {
            let (mut a, mut b, mut c) = (units.readwrite(), ground.readwrite(), decision.readwrite());
            let (mut d, mut e) = (answers.readwrite(), mask.readwrite());
            let mut sheet = Sheet {
                units: a.as_slice_mut()?,
                ground: b.as_slice_mut()?,
                decision: c.as_slice_mut()?,
                answers: d.as_slice_mut()?,
                mask: e.as_slice_mut()?,
            };
            py.detach(|| battle.show(Seat(seat), &mut sheet));
        }
        let dict = PyDict::new(py);
        dict.set_item("units", units)?;
        dict.set_item("ground", ground)?;
        dict.set_item("decision", decision)?;
        dict.set_item("answers", answers)?;
        dict.set_item("mask", mask)?;
        Ok(dict)
    }

    /// The learner's seat that must decide in a battle; none when it is over.
    fn seat(&self, py: Python<'_>, place: usize) -> PyResult<Option<u8>> {
        Ok(self.place(py, place)?.seat().map(|s| s.0))
    }

    /// How many answers there are in a battle.
    fn count(&self, py: Python<'_>, place: usize) -> PyResult<usize> {
        Ok(self.place(py, place)?.answers())
    }

    /// The answer that looks best at first sight.
    fn advised(&self, py: Python<'_>, place: usize) -> PyResult<usize> {
        Ok(self.place(py, place)?.advised())
    }

    /// An answer in a battle, in the form that `Battle.apply` takes.
    fn answer<'py>(&self, py: Python<'py>, place: usize, answer: usize) -> PyResult<Bound<'py, PyAny>> {
        let battle = self.place(py, place)?;
        if answer >= battle.answers() {
            return Err(wrong(py, format!("there is no answer {answer}; there are {}", battle.answers())));
        }
        python(py, &battle.written(answer))
    }

    /// What a seat (or a spectator) may know of a battle.
    #[pyo3(signature = (place, seat = None))]
    fn view<'py>(&self, py: Python<'py>, place: usize, seat: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        handed(py, &self.place(py, place)?.view(seat.map(Seat)))
    }

    /// A battle drawn, as a spectator sees it.
    #[pyo3(signature = (place, width = 800))]
    fn picture(&self, py: Python<'_>, place: usize, width: u32) -> PyResult<String> {
        Ok(svg(&self.place(py, place)?.view(None), &Style::wide(width.clamp(200, 6000))))
    }

    /// The hash of a battle's state.
    fn hash(&self, py: Python<'_>, place: usize) -> PyResult<String> {
        Ok(self.place(py, place)?.hash())
    }

    /// Puts a copy of one battle in the place of another.
    fn copy(&mut self, py: Python<'_>, from: usize, to: usize) -> PyResult<()> {
        let double = self.place(py, from)?.doubled();
        self.place(py, to)?;
        self.battles[to] = double;
        Ok(())
    }
}
