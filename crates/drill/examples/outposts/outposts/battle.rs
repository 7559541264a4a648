//! The battle: what stays, what changes, and what goes on between two questions.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tricorne_chance::Whim;
use tricorne_drill::{Asks, Now, Rules, questions, refuse};
use tricorne_game::view::{Detail, Livery, View};
use tricorne_game::{Ending, Event, Illegal, Proposal, Seat, Side, Sight, UnitId};
use tricorne_table::Point;

use super::order::Order;
use super::pick::Pick;
use super::reaction::Reaction;
use super::{Charts, Options};

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Gives a company its order.
    Pick(UnitId),
    /// Ends the turn.
    EndTurn,
    /// Marches there.
    March(Point),
    /// Fires at it.
    Fire(UnitId),
    /// Does nothing.
    Wait,
    /// Stands to be tested.
    Stand,
    /// Gives ground.
    GiveGround,
    /// Gives the battle up.
    Concede,
}

questions! {
    /// Everything a player is asked.
    pub enum Questions for Skirmish { Pick, Order, Reaction }
}

#[derive(Clone, Debug, Serialize)]
pub struct Company {
    pub id: UnitId,
    pub side: u8,
    pub men: u8,
    pub at: [f64; 2],
    pub done: bool,
}

impl Company {
    pub fn place(&self) -> Point {
        Point::from(self.at)
    }
}

/// What stays as it is.
#[derive(Debug)]
pub struct Field {
    pub title: String,
    pub sides: Vec<String>,
    pub liveries: [Livery; 2],
    pub names: Vec<String>,
    pub starts: Vec<u8>,
    pub size: [f64; 2],
    pub options: Options,
    pub charts: Charts,
}

/// What changes. A company without men is gone.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    pub round: u8,
    pub active: u8,
    pub units: Vec<Company>,
    pub asked: Option<Questions>,
}

#[derive(Clone, Debug)]
pub struct Skirmish {
    pub field: Arc<Field>,
    pub s: State,
}

impl Skirmish {
    /// A company on the table, by its name in an answer.
    pub fn find(&self, id: UnitId, clause: &str) -> Result<usize, Illegal> {
        match self.s.units.iter().position(|u| u.id == id && u.men > 0) {
            Some(u) => Ok(u),
            None => refuse(clause, format!("there is no company {id} on the table")),
        }
    }

    pub fn standing_of(&self, side: u8) -> impl Iterator<Item = usize> + '_ {
        (0..self.s.units.len()).filter(move |&u| self.s.units[u].side == side && self.s.units[u].men > 0)
    }

    pub fn gap(&self, a: usize, b: usize) -> f64 {
        self.s.units[a].place().distance(self.s.units[b].place())
    }

    /// Whether a company may stand there (OUT-MARCH-02).
    pub fn room(&self, me: usize, at: Point) -> bool {
        let others = (0..self.s.units.len()).filter(|&u| u != me && self.s.units[u].men > 0);
        let room = f64::from(self.field.charts.room.value);
        others.map(|u| self.s.units[u].place().distance(at)).all(|gap| gap >= room)
    }

    pub fn on_table(&self, at: Point) -> bool {
        (0.0..=self.field.size[0]).contains(&at.x) && (0.0..=self.field.size[1]).contains(&at.y)
    }

    fn men(&self, side: u8) -> i32 {
        self.standing_of(side).map(|u| i32::from(self.s.units[u].men)).sum()
    }
}

impl Rules for Skirmish {
    type Action = Action;
    type State = State;
    type Questions = Questions;
    const OVER: &'static str = "OUT-TURN-03";

    fn begin(&mut self, now: &mut Now<'_>) {
        now.say(|| Event::new("round", "OUT-TURN-01").with("round", 1));
    }

    fn question(&self) -> Option<Questions> {
        if self.ending().is_some() { None } else { self.s.asked.clone() }
    }

    fn step(&mut self, now: &mut Now<'_>) -> bool {
        while self.s.asked.is_none() && self.ending().is_none() {
            if self.standing_of(self.s.active).any(|u| !self.s.units[u].done) {
                self.s.asked = Some(Pick.into());
                return false;
            }
            self.s.active ^= 1;
            for unit in &mut self.s.units {
                unit.done = false;
            }
            if self.s.active == 0 {
                self.s.round += 1;
                let round = self.s.round;
                if round <= self.field.options.rounds {
                    now.say(|| Event::new("round", "OUT-TURN-01").with("round", round));
                }
            }
        }
        if let Some(ending) = self.ending() {
            let winner = ending.winner.map_or("", |side| &self.field.sides[side.index()]);
            now.say(|| {
                Event::new("over", Self::OVER)
                    .outcome(&ending.grade)
                    .with("winner", winner)
                    .with("reason", ending.reason.as_str())
            });
        }
        false
    }

    fn ending(&self) -> Option<Ending> {
        let men = [self.men(0), self.men(1)];
        if men[0] > 0 && men[1] > 0 && self.s.round <= self.field.options.rounds {
            return None;
        }
        let winner = match men[0].cmp(&men[1]) {
            std::cmp::Ordering::Equal => None,
            more => Some(Side(u8::from(more.is_lt()))),
        };
        Some(Ending {
            winner,
            grade: if winner.is_some() { "victory" } else { "draw" }.into(),
            reason: format!("{} men against {}", men[0], men[1]),
            scores: men.map(f64::from).to_vec(),
            clause: Self::OVER.into(),
        })
    }

    fn gives_up(action: &Action) -> bool {
        *action == Action::Concede
    }

    fn concede(&mut self, seat: Seat, _: &mut Now<'_>) {
        self.s.units.retain(|u| u.side != seat.0);
    }

    fn whose_turn(&self) -> Option<Side> {
        Some(Side(self.s.active))
    }

    fn seen(&self, seat: Option<Seat>, _: Detail) -> View {
        super::view::view(self, seat)
    }

    fn state(&self) -> &State {
        &self.s
    }

    fn facts(&self) -> Value {
        let units = self
            .s
            .units
            .iter()
            .map(|u| (u.id.to_string(), json!({ "men": u.men, "at": u.at, "done": u.done })));
        json!({ "round": self.s.round, "units": units.collect::<serde_json::Map<_, _>>() })
    }

    fn standing(&self, seat: Seat) -> f64 {
        let (mine, theirs) = (f64::from(self.men(seat.0)), f64::from(self.men(seat.0 ^ 1)));
        (mine - theirs) / (mine + theirs).max(1.0)
    }

    /// First sight: fire where it tells, otherwise close in.
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        let mut answers = Vec::new();
        question.ways(self, most, whim, &mut answers);
        let mut listed = tricorne_drill::Answers::default();
        question.answers(self, &mut listed);
        answers.extend(listed.listed().iter().cloned());
        answers.retain(|a| self.check(a).is_ok());
        let promise = |a: &Action| match a {
            Action::Fire(_) => 0.9,
            Action::Pick(_) => 0.8,
            Action::March(_) => 0.6,
            Action::Stand => 0.5,
            Action::GiveGround => 0.4,
            _ => 0.1,
        };
        let mut proposals: Vec<_> =
            answers.into_iter().map(|a| Proposal::new(a.clone(), promise(&a))).collect();
        proposals.sort_by(|a, b| b.promise.total_cmp(&a.promise));
        proposals.truncate(most.max(1));
        proposals
    }

    fn about(action: &Action) -> Option<UnitId> {
        match action {
            Action::Pick(unit) | Action::Fire(unit) => Some(*unit),
            _ => None,
        }
    }

    fn sight(&self, from: UnitId, to: UnitId, _: Option<Seat>) -> Option<Sight> {
        let (a, b) = (self.find(from, "OUT-FIRE-01").ok()?, self.find(to, "OUT-FIRE-01").ok()?);
        let line = [self.s.units[a].place(), self.s.units[b].place()];
        Some(Sight { clear: true, line, why: None })
    }

    fn courses(&self, unit: UnitId) -> Vec<(String, Action)> {
        vec![("pick".into(), Action::Pick(unit)), ("wait".into(), Action::Wait)]
    }

    fn broken_invariants(&self) -> Vec<String> {
        let on_table = |u: &&Company| u.men > 0 && !self.on_table(u.place());
        self.s.units.iter().filter(on_table).map(|u| format!("{} is off the table", u.id)).collect()
    }
}
