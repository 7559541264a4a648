//! A rulebook under the protocol: everything an umpire does, written once for all of them.

use std::ops::{Deref, DerefMut};

use serde_json::Value;
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::{Detail, View};
use tricorne_game::{
    AnyBattle, Battle, Because, Ending, Frailty, Illegal, Legal, Log, Pending, Preview, Proposal, School,
    Seat, Side, Sight, StateHash, Steer, UnitId, Wish,
};

use crate::asks::Asks;
use crate::question::{Answers, Now, TRIES};
use crate::rules::Rules;

/// A battle under a rulebook. What a rulebook supplies is its questions; who is asked, what is legal and what an answer
/// does follow from them here, and a rulebook has no way to say otherwise.
#[derive(Clone, Debug)]
pub struct Umpired<R>(R);

impl<R> Umpired<R> {
    /// A battle about to be fought.
    pub fn new(rules: R) -> Self {
        Self(rules)
    }

    /// The battle under its rules, with nobody to umpire it.
    pub fn into_rules(self) -> R {
        self.0
    }
}

impl<R> Deref for Umpired<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.0
    }
}

impl<R> DerefMut for Umpired<R> {
    fn deref_mut(&mut self) -> &mut R {
        &mut self.0
    }
}

impl<R: Rules> Umpired<R> {
    fn over() -> Illegal {
        Illegal::new(R::OVER, "the battle is over")
    }

    /// The answer itself, without what follows of itself.
    fn take(&mut self, action: &R::Action, now: &mut Now<'_>) -> Result<(), Illegal> {
        let question = self.0.question().ok_or_else(Self::over)?;
        if R::gives_up(action) {
            let seat = question.seat(&self.0);
            self.0.concede(seat, now);
            return Ok(());
        }
        question.answer(&mut self.0, action, now)
    }

    /// The listed answers that are legal, and the spaces.
    fn open(&self, question: &R::Questions) -> Answers<R::Action> {
        let mut answers = Answers::default();
        question.answers(&self.0, &mut answers);
        answers.listed.retain(|answer| question.check(&self.0, answer).is_ok());
        answers
    }
}

impl<R: Rules> Battle for Umpired<R> {
    type Action = R::Action;
    type State = R::State;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let mut now = Now { chance, log };
        self.0.begin(&mut now);
        self.0.proceed(&mut now);
    }

    fn pending(&self) -> Pending {
        self.0.pending()
    }

    fn seat(&self) -> Option<Seat> {
        self.0.question().map(|question| question.seat(&self.0))
    }

    fn whose_turn(&self) -> Option<Side> {
        self.0.whose_turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.0.ending()
    }

    fn legal(&self) -> Legal<R::Action> {
        let Some(question) = self.0.question() else { return Legal::listed(Vec::new()) };
        let Answers { listed, spaces } = self.open(&question);
        Legal { listed, spaces }
    }

    fn check(&self, action: &R::Action) -> Result<(), Illegal> {
        self.0.check(action)
    }

    fn preview(&self, action: &R::Action) -> Result<Preview, Illegal> {
        match self.0.question() {
            Some(_) if R::gives_up(action) => Ok(Preview::default()),
            Some(question) => question.preview(&self.0, action),
            None => Err(Self::over()),
        }
    }

    fn sample(&self, whim: &mut Whim) -> R::Action {
        let question = self.0.question().expect("a decision is pending");
        for _ in 0..TRIES {
            let answer = question.wander(&self.0, whim);
            if question.check(&self.0, &answer).is_ok() {
                return answer;
            }
        }
        question.usual(&self.0)
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<R::Action> {
        let Some(question) = self.0.question() else { return Vec::new() };
        let mut found = self.open(&question).listed;
        if found.len() < n {
            let mut ways = Vec::new();
            question.ways(&self.0, n - found.len(), whim, &mut ways);
            for way in ways {
                if found.len() >= n {
                    break;
                }
                if !found.contains(&way) && question.check(&self.0, &way).is_ok() {
                    found.push(way);
                }
            }
        }
        if found.is_empty() {
            found.push(question.usual(&self.0));
        }
        found.truncate(n.max(1));
        found
    }

    fn apply(&mut self, action: &R::Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        self.take(action, &mut Now { chance, log })?;
        self.0.proceed(&mut Now { chance, log });
        Ok(())
    }

    fn stray(
        &mut self,
        whim: &mut Whim,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<R::Action, Illegal> {
        let question = self.0.question().ok_or_else(Self::over)?;
        let action = question.stray(&mut self.0, whim, &mut Now { chance, log })?;
        self.0.proceed(&mut Now { chance, log });
        Ok(action)
    }

    fn answer(&mut self, action: &R::Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        self.take(action, &mut Now { chance, log })
    }

    fn step(&mut self, chance: &mut dyn Chance, log: &mut Log) -> bool {
        self.0.step(&mut Now { chance, log })
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.0.seen(seat, Detail::Drawn)
    }

    fn plain_view(&self, seat: Option<Seat>) -> View {
        self.0.seen(seat, Detail::Plain)
    }

    fn state(&self) -> &R::State {
        self.0.state()
    }

    fn facts(&self) -> Value {
        self.0.facts()
    }

    fn hash(&self) -> StateHash {
        R::Questions::hash(self.0.state())
    }

    fn read_action(action: &Value) -> Result<R::Action, String> {
        R::Questions::read(action)
    }

    fn write_action(action: &R::Action) -> Value {
        R::Questions::written(action)
    }

    fn heed(&mut self, school: &School) {
        self.0.heed(school);
    }

    fn frailty(&self, rank: &str) -> Frailty {
        self.0.frailty(rank)
    }

    fn features(&self, seat: Seat) -> Vec<(&'static str, f64)> {
        self.0.features(seat)
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.0.standing(seat)
    }

    fn because(&self, action: &R::Action) -> Vec<Because> {
        self.0.because(action)
    }

    fn about(action: &R::Action) -> Option<UnitId> {
        R::about(action)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<R::Action>> {
        self.0.proposals(most, whim)
    }

    fn first_sight(&self, most: usize, whim: &mut Whim) -> Option<R::Action> {
        self.0.foremost(most, whim).or_else(|| Some(Battle::sample(self, whim)))
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        Self(self.0.imagined(seat, whim))
    }

    fn as_seen(&self, seat: Seat) -> Self {
        Self(self.0.as_seen(seat))
    }

    fn as_any_battle(&self) -> &dyn AnyBattle {
        R::Questions::as_any(self)
    }

    fn steer(&self, wish: &Wish) -> Steer<R::Action> {
        self.0.steer(wish)
    }

    fn sight(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight> {
        self.0.sight(from, to, eye)
    }

    fn courses(&self, unit: UnitId) -> Vec<(String, R::Action)> {
        self.0.courses(unit)
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.0.broken_invariants()
    }
}
