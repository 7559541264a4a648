//! The quick judgement of programs: what is worth weighing at each decision and how well it looks, how the battle
//! stands, and what a seat may imagine of what it can't know. No scenario is known by name here.

mod bought;
mod command;
mod fight;
pub(crate) mod first;
mod ground;
mod hold;
mod imagined;
mod march;
mod mind;
mod odds;
mod orders;
mod rides;
mod set_up;
mod shots;
mod standing;
mod survey;
#[cfg(test)]
mod tests;
mod threat;

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Asks, Rules};
use tricorne_game::{Because, InOrder, Proposal, Term};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::questions::Questions;

pub use mind::{OfficersMind, mind, standard};

/// What speaks for an answer and against it, in points of the army lists.
pub(crate) type Why = SmallVec<[Term; 6]>;

/// A reason in words, with the clause it rests on where there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(&'static str, Option<&'static str>);

impl From<&'static str> for Words {
    fn from(words: &'static str) -> Self {
        Self(words, None)
    }
}

impl From<(&'static str, &'static str)> for Words {
    fn from((words, clause): (&'static str, &'static str)) -> Self {
        Self(words, Some(clause))
    }
}

/// An answer with what it is worth, in points of the army lists.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub action: Action,
    pub worth: f64,
    /// Of what the worth is made, where it is made of several things.
    pub why: Why,
}

/// Answers that are weighed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighed(Vec<Said>);

impl Weighed {
    /// An answer, and the one thing that speaks for it.
    pub fn push(&mut self, action: Action, worth: f64, why: impl Into<Words>) {
        let Words(why, clause) = why.into();
        let why = SmallVec::from_slice(&[Term { why, weight: worth, clause }]);
        self.0.push(Said { action, worth, why });
    }

    /// An answer, and all that speaks for it and against it.
    pub fn say(&mut self, action: Action, why: Why) {
        self.0.push(Said { action, worth: why.iter().map(|term| term.weight).sum(), why });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops what is worth less.
    pub fn at_least(&mut self, worth: f64) {
        self.0.retain(|s| s.worth >= worth);
    }

    /// Keeps the best so many.
    pub fn keep_best(&mut self, n: usize) {
        self.0.put_in_order(|a, b| b.worth.total_cmp(&a.worth));
        self.0.truncate(n);
    }
}

/// A worth in points as a promise between 0 and 1.
fn promise(worth: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-worth / 6.0))
}

impl SevenYearsBattle {
    /// The answers a sensible officer would weigh, the best-looking first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        let mut all = Weighed::default();
        self.weigh(&question, &mut all);
        all.0.put_in_order(|a, b| b.worth.total_cmp(&a.worth));
        let mut proposals: Vec<Proposal<Action>> = Vec::with_capacity(most.clamp(1, all.0.len().max(1)));
        for said in all.0 {
            if proposals.len() >= most.max(1) {
                break;
            }
            if self.is_sound(&question, &said.action) {
                proposals.push(Proposal::new(said.action, promise(said.worth)));
            }
        }
        if proposals.is_empty() {
            proposals.push(Proposal::new(question.any(self, whim), 0.1));
        }
        proposals
    }

    /// The most promising of them; the others are not judged.
    pub(crate) fn foremost_of(&self, _most: usize, whim: &mut Whim) -> Option<Action> {
        let question = self.question()?;
        let mut all = Weighed::default();
        self.weigh(&question, &mut all);
        all.0.put_in_order(|a, b| b.worth.total_cmp(&a.worth));
        let mut best: Option<(f64, Action)> = None;
        for said in all.0 {
            // A greater worth has no smaller promise, but for the last bit of a rounding.
            let promise = promise(said.worth);
            let better = best.as_ref().is_none_or(|(most, _)| promise.total_cmp(most).is_gt());
            if better && self.is_sound(&question, &said.action) {
                best = Some((promise, said.action));
            }
        }
        Some(best.map_or_else(|| question.any(self, whim), |(_, action)| action))
    }

    /// Whether what was weighed is legal: a march is found by judging it; all else is judged here.
    fn is_sound(&self, question: &Questions, action: &Action) -> bool {
        matches!(action, Action::Move { .. }) || question.check(self, action).is_ok()
    }

    /// See [`tricorne_game::Battle::because`].
    pub(crate) fn reasons_for(&self, action: &Action) -> Vec<Because> {
        let Some(question) = self.question() else { return Vec::new() };
        let mut all = Weighed::default();
        self.weigh(&question, &mut all);
        let said = all.0.into_iter().find(|said| said.action == *action);
        said.map(|said| Because::strongest(said.why)).unwrap_or_default()
    }

    fn weigh(&self, question: &Questions, all: &mut Weighed) {
        match question {
            Questions::KeepCounter(_)
            | Questions::TableSide(_)
            | Questions::KeepBack(_)
            | Questions::Deploy(_) => {
                self.weigh_set_up(question, all);
            }
            Questions::Command(_) => self.weigh_command(all),
            Questions::Uncommanded(_) => self.weigh_uncommanded(all),
            Questions::Movement(_) => self.weigh_movement(all),
            Questions::Retreats(_) => self.weigh_retreats(all),
            Questions::Losses(_) | Questions::MakeRoom(_) | Questions::Successor(_) | Questions::Begin(_) => {
                all.push(Action::Done, 0.0, "as usual");
            }
            Questions::ComeBack(q) => self.weigh_return(q.group, all),
            Questions::Facing(q) => self.weigh_facing(q.group, all),
            Questions::Halt(q) => self.weigh_halt(q.group, all),
            Questions::Shooting(_) => self.weigh_shooting(all),
            _ => self.weigh_answer(question, all),
        }
    }
}
