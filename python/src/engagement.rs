//! One battle as an environment: answers by their number, programs in the seats that nobody learns in, the next battle
//! begun where one ends. Typed inside, for speed, and of any system outside.

use serde_json::Value;
use tricorne_agents::{Level, Player};
use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::view::View;
use tricorne_game::{Battle, Choices, Fault, Log, Proposal, Purpose, Seat, SeatInfo, Side, Source, System};
use tricorne_shelf::Visitor;

use crate::answer::{self, ANSWER};
use crate::rows;

/// Keeps the choices of this room apart from those of the programs in the seats, which count from 0.
const ROOM: u64 = 1 << 40;

/// Where answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// What a sensible officer would weigh, each with its promise.
    Proposals,
    /// Any legal answers: all that can be listed, then places and paths.
    Candidates,
}

/// How battles are to be fought and shown.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Rows for units.
    pub units: usize,
    /// Rows for ground.
    pub ground: usize,
    /// Rows for answers.
    pub answers: usize,
    /// Where answers come from.
    pub by: Answers,
    /// Whether the promise of an answer is shown.
    pub promise: bool,
    /// The program in the seats of the other side; none where all seats are the learner's.
    pub against: Option<Level>,
    /// The learner's side; none changes sides from battle to battle.
    pub side: Option<Side>,
    /// A battle that takes more decisions of the learner's is broken off.
    pub most: u32,
}

/// What an observation is written into: one battle's part of each array.
pub struct Sheet<'a> {
    /// Units, ground, the decision, answers.
    pub units: &'a mut [f32],
    /// Ground.
    pub ground: &'a mut [f32],
    /// Where the battle stands.
    pub decision: &'a mut [f32],
    /// The answers.
    pub answers: &'a mut [f32],
    /// Which of them there are.
    pub mask: &'a mut [i8],
}

/// What a step came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Came {
    /// For each side: 1 won, -1 lost, 0 drawn or not over.
    pub rewards: [f32; 2],
    /// The battle is over.
    pub over: bool,
    /// It was broken off.
    pub broken_off: bool,
}

/// A battle as an environment.
pub trait Engagement: Send + Sync {
    /// Begins the battle of this number of the run with this seed.
    fn begin(&mut self, seed: Seed, number: u64) -> Result<(), String>;
    /// The learner's seat that must decide; none when the battle is over.
    fn seat(&self) -> Option<Seat>;
    /// Who sits at the table.
    fn seats(&self) -> &[SeatInfo];
    /// Takes the answer of this number for the seat that must decide, and lets programs answer until a learner must.
    fn take(&mut self, answer: usize) -> Result<Came, String>;
    /// The same with an answer that need not be among those shown, as JSON.
    fn apply(&mut self, action: &Value) -> Result<Came, String>;
    /// Writes what a seat may know; answers are shown to the seat that must decide.
    fn show(&self, seat: Seat, sheet: &mut Sheet<'_>);
    /// How many answers there are.
    fn answers(&self) -> usize;
    /// The most promising answer: what a subaltern would take where answers are proposals.
    fn advised(&self) -> usize;
    /// An answer as JSON.
    fn written(&self, answer: usize) -> Value;
    /// What a seat may know, in words and shapes.
    fn view(&self, seat: Option<Seat>) -> View;
    /// The hash of the state.
    fn hash(&self) -> String;
    /// Another of the same.
    fn doubled(&self) -> Box<dyn Engagement>;
}

/// An engagement of a system whose type is known.
#[derive(Clone)]
struct Fought<S: System> {
    fresh: S::Battle,
    battle: S::Battle,
    terms: Terms,
    seed: Seed,
    chance: Seeded,
    seats: Vec<SeatInfo>,
    programs: Vec<Option<Player>>,
    answers: Vec<Proposal<<S::Battle as Battle>::Action>>,
    taken: u32,
    broken_off: bool,
}

struct Muster<'a> {
    file: &'a Source,
    choices: &'a Choices,
    terms: Terms,
}

impl Visitor for Muster<'_> {
    type Out = Result<Box<dyn Engagement>, Fault>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let (file, _) = tricorne_game::ready(&system, self.file, self.choices)?;
        let fresh = system.set_up(&file, self.choices, Purpose::Scenario)?;
        let seats = fresh.view(None).seats;
        let seed = Seed::from(0);
        Ok(Box::new(Fought::<S> {
            battle: fresh.clone(),
            fresh,
            terms: self.terms,
            seed,
            chance: Seeded::new(seed),
            programs: seats.iter().map(|_| None).collect(),
            seats,
            answers: Vec::new(),
            taken: 0,
            broken_off: false,
        }))
    }
}

/// Sets an engagement up; it is begun by [`Engagement::begin`].
pub fn engagement(
    ruleset: &str,
    file: &Source,
    choices: &Choices,
    terms: Terms,
) -> Result<Box<dyn Engagement>, Fault> {
    tricorne_shelf::visit(ruleset, Muster { file, choices, terms })
        .unwrap_or_else(|| Err(file.fault(&["ruleset".into()], format!("there is no ruleset `{ruleset}`"))))
}

impl<S: System> Fought<S> {
    /// Choices of this room at this moment. They begin anew with each decision, so that nothing that was drawn for one
    /// seat's secrets shifts what another is shown.
    fn whim(&self) -> Whim {
        Whim::new(self.seed, ROOM + u64::from(self.taken))
    }

    /// Lets programs answer until a learner's seat must decide, and finds the learner's answers.
    fn go_on(&mut self) -> Result<(), String> {
        self.answers.clear();
        while let Some(seat) = self.battle.seat() {
            let Some(program) = self.programs.get_mut(seat.index()).and_then(Option::as_mut) else {
                self.answers = self.proposed(seat);
                return Ok(());
            };
            let action = program.choose(&self.battle);
            self.battle
                .apply(&action, &mut self.chance, &mut Log::off())
                .map_err(|e| format!("a program's answer was refused, which is a defect: {action:?}: {e}"))?;
        }
        Ok(())
    }

    /// What the seat may choose from. It is found in the battle as the seat may imagine it; where something had to be
    /// imagined, what would be refused in the real one is left out.
    fn proposed(&self, seat: Seat) -> Vec<Proposal<<S::Battle as Battle>::Action>> {
        let most = self.terms.answers;
        let mut whim = self.whim();
        let mut before = whim.clone();
        let imagined = self.battle.imagined(seat, &mut whim);
        let untouched = before.seed() == whim.clone().seed();
        let mut answers = match self.terms.by {
            Answers::Proposals => imagined.proposals(most, &mut whim),
            Answers::Candidates => {
                let all = imagined.candidates(most, &mut whim);
                all.into_iter().map(|action| Proposal::new(action, 0.0)).collect()
            }
        };
        answers.truncate(most);
        if !untouched {
            answers.retain(|p| self.battle.check(&p.action).is_ok());
        }
        if answers.is_empty() {
            answers.push(Proposal::new(self.battle.sample(&mut whim), 0.0));
        }
        answers
    }

    /// The seat that is asked answers, and what is to be decided next is made ready.
    fn answered(&mut self, action: &<S::Battle as Battle>::Action) -> Result<Came, String> {
        self.battle
            .apply(action, &mut self.chance, &mut Log::off())
            .map_err(|e| format!("{action:?}: {e}"))?;
        self.taken += 1;
        self.go_on()?;
        self.broken_off = self.taken >= self.terms.most && self.battle.seat().is_some();
        Ok(self.came())
    }

    fn came(&self) -> Came {
        let mut came = Came { broken_off: self.broken_off, ..Came::default() };
        if let Some(ending) = self.battle.ending() {
            came.over = true;
            if let Some(winner) = ending.winner {
                came.rewards = [-1.0; 2];
                came.rewards[winner.index().min(1)] = 1.0;
            }
        }
        came
    }
}

impl<S: System> Engagement for Fought<S> {
    fn begin(&mut self, seed: Seed, number: u64) -> Result<(), String> {
        self.seed = seed;
        self.chance = Seeded::new(seed);
        self.battle = self.fresh.clone();
        self.battle.begin(&mut self.chance, &mut Log::off());
        self.taken = 0;
        self.broken_off = false;
        let learner = self.terms.side.unwrap_or(Side((number % 2) as u8));
        for (program, seat) in self.programs.iter_mut().zip(&self.seats) {
            let level = self.terms.against.filter(|_| seat.side != learner);
            *program = level.map(|level| Player::new(level, seed, seat.seat));
        }
        self.go_on()
    }

    fn seat(&self) -> Option<Seat> {
        if self.broken_off { None } else { self.battle.seat() }
    }

    fn seats(&self) -> &[SeatInfo] {
        &self.seats
    }

    fn take(&mut self, answer: usize) -> Result<Came, String> {
        if self.seat().is_none() {
            return Err("the battle is over; reset it".into());
        }
        let Some(chosen) = self.answers.get(answer) else {
            let last = self.answers.len().saturating_sub(1);
            return Err(format!("there is no answer {answer} here; the mask allows 0 to {last}"));
        };
        let action = chosen.action.clone();
        self.answered(&action)
    }

    fn apply(&mut self, action: &Value) -> Result<Came, String> {
        if self.seat().is_none() {
            return Err("the battle is over; reset it".into());
        }
        let action = serde_json::from_value(action.clone()).map_err(|e| e.to_string())?;
        self.answered(&action)
    }

    fn show(&self, seat: Seat, sheet: &mut Sheet<'_>) {
        let view = self.battle.plain_view(Some(seat));
        let roll = rows::write(&view, sheet.units, sheet.ground, sheet.decision);
        let asked = self.seat() == Some(seat);
        let about = match &view.pending {
            tricorne_game::Pending::Decision { unit: Some(unit), .. } if asked => roll.row(unit.as_str()),
            _ => None,
        };
        let shown = if asked { &self.answers[..] } else { &[] };
        let mut lines = sheet.answers.chunks_exact_mut(ANSWER);
        for (p, line) in shown.iter().zip(&mut lines) {
            let promise = if self.terms.promise { p.promise as f32 } else { 0.0 };
            answer::write(&p.action, promise, about, &roll, line);
        }
        lines.for_each(|line| line.fill(0.0));
        for (n, cell) in sheet.mask.iter_mut().enumerate() {
            *cell = i8::from(n < shown.len());
        }
    }

    fn answers(&self) -> usize {
        self.answers.len()
    }

    fn advised(&self) -> usize {
        let mut best = 0;
        for (n, p) in self.answers.iter().enumerate() {
            if p.promise > self.answers[best].promise {
                best = n;
            }
        }
        best
    }

    fn written(&self, answer: usize) -> Value {
        self.answers.get(answer).and_then(|p| serde_json::to_value(&p.action).ok()).unwrap_or_default()
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.battle.view(seat)
    }

    fn hash(&self) -> String {
        self.battle.hash().to_string()
    }

    fn doubled(&self) -> Box<dyn Engagement> {
        Box::new(self.clone())
    }
}
