//! A program in a seat.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tricorne_chance::{Chance, Seed, Whim, fingerprint};
use tricorne_game::{AnyBattle, Battle, Frailty, Judgement, Lapse, Log, School, Seat, Temper, first_sight};

use crate::field::{AnyField, Field};
use crate::general::Manner;
use crate::level::{Level, Rank};
use crate::outside::Envoy;
use crate::stopwatch::Timing;
use crate::verdict::Verdict;
use crate::{first, frailty, general, subaltern};

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
    /// Whether it thinks on one core only.
    alone: bool,
    /// What its judgement goes by.
    school: School,
    /// What its lapses are drawn from: the same all battle long.
    seed: Seed,
    /// How weak it is at the game it was asked about; none before that.
    frailty: Option<Frailty>,
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
        let whim = Whim::new(seed, u64::from(seat.0));
        Self {
            level,
            envoy,
            stood_in: 0,
            seed: whim.clone().seed(),
            whim,
            timing: Timing::Wall,
            alone: false,
            school: schooled(level, None),
            frailty: None,
        }
    }

    /// The same program, its lapses drawn from a name of the battle: for those who begin a player anew for each decision,
    /// with a seed of its own. What it forgets must stay forgotten for a turn.
    #[must_use]
    pub fn in_battle(self, name: &str, seat: Seat) -> Self {
        Self { seed: lapses_of(name, seat), ..self }
    }

    /// The same program by weights of its own in place of the rulebook's.
    #[must_use]
    pub fn heeding(self, judgement: &Arc<Judgement>) -> Self {
        Self { school: schooled(self.level, Some(judgement)), ..self }
    }

    /// The same program, its time told another way.
    #[must_use]
    pub fn timed_by(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// The same program, on one core: a server has others to serve.
    #[must_use]
    pub fn on_one_core(self) -> Self {
        Self { alone: true, ..self }
    }

    /// Its answer to the pending decision.
    pub fn choose<B: Battle>(&mut self, battle: &B) -> B::Action {
        if let Some(Ok(action)) = self.outside(battle.as_any_battle()) {
            // What passed the check is an action of this battle.
            if let Ok(action) = B::read_action(&action) {
                return action;
            }
        }
        if self.level == Level::Subaltern && self.school == School::Present {
            // He takes what looks best; how the rest looks is for those who ask what he thought.
            if let Some(action) = subaltern::choose(battle, first_sight::PROPOSALS, &mut self.whim) {
                return action;
            }
        }
        let best = self.weigh(battle).and_then(Verdict::best);
        best.unwrap_or_else(|| battle.sample(&mut self.whim))
    }

    /// Answers the pending decision; refused only if the answer is, and then the battle is as it was.
    pub fn answer<B: Battle>(
        &mut self,
        battle: &mut B,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<(), String> {
        if self.level == Level::Random {
            return battle.stray(&mut self.whim, chance, log).map(|_| ()).map_err(|why| why.to_string());
        }
        let action = self.choose(battle);
        battle.apply(&action, chance, log).map_err(|why| format!("{action:?}: {why}"))
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
        if self.level == Level::Random {
            return None;
        }
        let school = match self.level.rank().filter(|rank| rank.is_frail()) {
            Some(rank) => self.slipping(field, rank),
            None => self.school.clone(),
        };
        if school == School::Present {
            return self.weigh_as_is(field);
        }
        let mut heeding = field.clone();
        heeding.heed(&school);
        let mut verdict = self.weigh_as_is(&heeding)?;
        if let School::Own(own) = school
            && own.lapse.seed.is_some()
        {
            frailty::muddle(&own.lapse, field, &mut verdict, &mut self.whim);
        }
        Some(verdict)
    }

    /// What its judgement goes by in this turn, with what slips it.
    fn slipping<F: Field>(&mut self, field: &F, rank: Rank) -> School {
        let own = match &self.school {
            School::Own(own) => (**own).clone(),
            _ => Judgement::default(),
        };
        let frailty = *self.frailty.get_or_insert_with(|| {
            let mut heeding = field.clone();
            heeding.heed(&self.school);
            heeding.frailty(rank.name())
        });
        if frailty == Frailty::default() {
            return self.school.clone();
        }
        let lapse = Lapse { frailty, seed: Some(self.seed), turn: field.turn() };
        School::Own(Arc::new(Judgement { lapse, ..own }))
    }

    fn weigh_as_is<F: Field>(&mut self, field: &F) -> Option<Verdict<F::Order>> {
        let seat = field.seat()?;
        let (level, timing) = (self.level, self.timing);
        if let Level::Brigadier(budget) = level {
            return Some(first::think(field, seat, budget, timing, &mut self.whim));
        }
        if let Some(budget) = level.budget() {
            let manner = Manner { budget, timing, temper: level.temper(), alone: self.alone };
            return Some(general::think(field, seat, manner, &mut self.whim));
        }
        Some(subaltern::weigh(field, &mut self.whim))
    }
}

/// What a program's judgement goes by: its level's school, by its own temper and weights if it has any.
fn schooled(level: Level, own: Option<&Arc<Judgement>>) -> School {
    let school = own.map_or_else(|| level.school(), |own| School::Own(Arc::clone(own)));
    match (level.temper(), school) {
        (Temper::Even, school) => school,
        (temper, School::Own(own)) => School::Own(Arc::new(Judgement { temper, ..(*own).clone() })),
        (temper, _) => School::Own(Arc::new(Judgement { temper, ..Judgement::default() })),
    }
}

/// What lapses are drawn from where a battle has a name.
fn lapses_of(name: &str, seat: Seat) -> Seed {
    Seed::from(fingerprint(name.bytes().chain([seat.0])))
}
