//! A program in a seat.

use serde::Serialize;
use serde_json::Value;
use tricorne_chance::{Seed, Whim};
use tricorne_game::{AnyBattle, Battle, School, Seat};

use crate::field::{AnyField, Field};
use crate::level::Level;
use crate::outside::Envoy;
use crate::stopwatch::Timing;
use crate::verdict::Verdict;
use crate::{general, subaltern};

/// A program in a seat.
#[derive(Clone, Debug)]
pub struct Player {
    level: Level,
    /// Whoever speaks for it with a program of somebody else's.
    envoy: Option<Envoy>,
    /// Decisions that a subaltern took for that program.
    stood_in: u64,
    whim: Whim,
    timing: Timing,
}

/// What a program thought about a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// Its answer.
    pub action: Value,
    /// What it weighed, best first; empty if it took any answer.
    pub candidates: Vec<Candidate>,
    /// Battles tried out in thought.
    pub tries: u32,
    /// Decisions taken in those battles.
    pub decisions: u64,
    /// Why a subaltern answered in its place, if so: a program of somebody else's that gave no answer that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stood_in: Option<String>,
}

/// An answer that was weighed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The answer.
    pub action: Value,
    /// How well it looked at first sight; see [`tricorne_game::Proposal::promise`].
    pub promise: f64,
    /// How it came out when tried, from -1 (lost) to 1 (won); none if it was not tried.
    pub value: Option<f64>,
    /// How often it was tried.
    pub visits: u32,
}

impl Player {
    /// A program for a seat. The seed is the battle's: the same battle is played the same way again.
    pub fn new(level: Level, seed: Seed, seat: Seat) -> Self {
        let envoy = match level {
            Level::Outside(outsider) => Some(Envoy::new(outsider)),
            _ => None,
        };
        Self { level, envoy, stood_in: 0, whim: Whim::new(seed, u64::from(seat.0)), timing: Timing::Wall }
    }

    /// The same program, its time told another way.
    #[must_use]
    pub fn timed_by(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// Its answer to the pending decision.
    pub fn choose<B: Battle>(&mut self, battle: &B) -> B::Action {
        if let Some(Ok(action)) = self.outside(battle) {
            // What passed the check is an action of this battle.
            if let Ok(action) = serde_json::from_value(action) {
                return action;
            }
        }
        let best = self.weigh(battle).and_then(Verdict::best);
        best.unwrap_or_else(|| battle.sample(&mut self.whim))
    }

    /// Its answer, for a battle of any system.
    pub fn choose_any(&mut self, battle: &dyn AnyBattle) -> Value {
        self.think_any(battle).action
    }

    /// Its answer, and what it thought of it and of the others.
    pub fn think_any(&mut self, battle: &dyn AnyBattle) -> Thought {
        let stood_in = match self.outside(battle) {
            None => None,
            Some(Ok(action)) => {
                return Thought { action, candidates: Vec::new(), tries: 0, decisions: 0, stood_in: None };
            }
            Some(Err(why)) => Some(format!("{}: {why}; a subaltern answers in its place", self.level)),
        };
        let verdict = match self.level {
            Level::Random => None,
            _ => self.weigh(&AnyField(battle.boxed_clone())),
        };
        let Some(verdict) = verdict.filter(|v| !v.weighed.is_empty()) else {
            let action = battle.sample(&mut self.whim);
            return Thought { action, candidates: Vec::new(), tries: 0, decisions: 0, stood_in };
        };
        let candidates: Vec<Candidate> = verdict
            .weighed
            .iter()
            .map(|w| Candidate {
                action: battle.written(&w.order),
                promise: w.promise,
                value: w.value(),
                visits: w.visits,
            })
            .collect();
        let action = candidates[0].action.clone();
        Thought { action, candidates, tries: verdict.tries, decisions: verdict.decisions, stood_in }
    }

    /// How many decisions a subaltern has taken in the place of a program that gave no answer that counts.
    pub fn stood_in(&self) -> u64 {
        self.stood_in
    }

    /// What a program of somebody else's answers, if this is one: a legal answer, or why there is none.
    fn outside(&mut self, battle: &dyn AnyBattle) -> Option<Result<Value, String>> {
        let answer = self.envoy.as_mut()?.answer(battle, &mut self.whim);
        self.stood_in += u64::from(answer.is_err());
        Some(answer)
    }

    /// What it makes of the decision; none if it does not weigh.
    fn weigh<F: Field>(&mut self, field: &F) -> Option<Verdict<F::Order>> {
        let school = self.level.school();
        if school == School::Present {
            return self.weigh_as_is(field);
        }
        let mut heeding = field.clone();
        heeding.heed(&school);
        self.weigh_as_is(&heeding)
    }

    fn weigh_as_is<F: Field>(&mut self, field: &F) -> Option<Verdict<F::Order>> {
        match self.level {
            Level::Random => None,
            Level::Subaltern | Level::Ensign | Level::Outside(_) => {
                Some(subaltern::weigh(field, &mut self.whim))
            }
            Level::General(budget) | Level::Brigadier(budget) => {
                Some(general::think(field, field.seat()?, budget, self.timing, &mut self.whim))
            }
        }
    }
}
