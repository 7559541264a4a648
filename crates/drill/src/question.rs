//! A decision is a type: who is asked and in which words, the answers, how one is judged, how it is carried out.
//!
//! A rulebook writes a [`Question`] for each of its decisions, one file each, lists them once with
//! [`questions!`](crate::questions), and implements [`Rules`] for its battle. [`Umpired`](crate::Umpired) does the rest.

use tricorne_chance::{Chance, Whim};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Space, Steer, UnitId, Wish};
use tricorne_table::Pose;

use crate::rules::Rules;

/// The moment something happens: the dice it is rolled with and the log it is told to.
pub struct Now<'a> {
    /// Dice and cards.
    pub chance: &'a mut dyn Chance,
    /// Where it is told.
    pub log: &'a mut Log,
}

impl Now<'_> {
    /// Tells what happened, if anybody listens.
    pub fn say(&mut self, event: impl FnOnce() -> Event) {
        self.log.say(event);
    }
}

/// The answers to a question: those that can be listed, and spaces of those with a place or a path in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers<A> {
    pub(crate) listed: Vec<A>,
    pub(crate) spaces: Vec<Space>,
}

impl<A> Default for Answers<A> {
    fn default() -> Self {
        Self { listed: Vec::new(), spaces: Vec::new() }
    }
}

impl<A> Answers<A> {
    /// An answer that can be listed. Those that are not legal now are struck out by the kit.
    pub fn list(&mut self, answer: A) {
        self.listed.push(answer);
    }

    /// Several.
    pub fn list_all(&mut self, answers: impl IntoIterator<Item = A>) {
        self.listed.extend(answers);
    }

    /// Those that can be listed, as the question listed them.
    pub fn listed(&self) -> &[A] {
        &self.listed
    }

    /// The spaces named so far.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// A family of answers with a place or a path in them.
    pub fn space(&mut self, action: &str, unit: Option<UnitId>, allowance: Option<f64>, shape: &str) {
        self.spaces.push(Space { action: action.into(), unit, allowance, shape: shape.into() });
    }
}

/// One decision of a rulebook.
pub trait Question<R: Rules>: Clone {
    /// A legal answer, with all that judging it has worked out.
    type Judged;

    /// Its short name, for programs and files: `declare`, `move`, `follow_up`.
    fn kind(&self, rules: &R) -> &'static str;

    /// The clause that asks it.
    fn clause(&self, rules: &R) -> &'static str;

    /// Who decides.
    fn seat(&self, rules: &R) -> Seat;

    /// The unit it is about, if it is about one.
    fn unit(&self, _rules: &R) -> Option<UnitId> {
        None
    }

    /// What is asked, in a sentence.
    fn prompt(&self, rules: &R) -> String;

    /// Every answer that can be listed, legal or not, and the spaces of the others.
    fn answers(&self, rules: &R, out: &mut Answers<R::Action>);

    /// Judges an answer: the one place where this decision's legality is said.
    fn judge(&self, rules: &R, answer: &R::Action) -> Result<Self::Judged, Illegal>;

    /// Carries a judged answer out.
    fn carry_out(self, rules: &mut R, judged: Self::Judged, now: &mut Now<'_>);

    /// The answer that is always legal and does least: what happens when nobody chooses.
    fn usual(&self, rules: &R) -> R::Action;

    /// The answer, where there is but one: a rulebook takes it in [`proceed`](Rules::proceed) without asking.
    fn only(&self, _rules: &R) -> Option<R::Action> {
        None
    }

    /// Whether anybody is asked: not where but one answer is left, or where what it was about is gone. Rulebooks whose
    /// questions wait their turn look at it when the turn has come, in [`proceed`](Rules::proceed).
    fn open(&self, rules: &R) -> bool {
        self.only(rules).is_none()
    }

    /// What happens when it is not [`open`](Question::open): its only answer is carried out, if it has one.
    fn lapse(self, rules: &mut R, now: &mut Now<'_>) {
        let judged = self.only(rules).map(|answer| self.judge(rules, &answer));
        if let Some(Ok(judged)) = judged {
            self.carry_out(rules, judged, now);
        }
    }

    /// The part of the turn it belongs to, for people.
    fn phase(&self, _rules: &R) -> &'static str {
        ""
    }

    /// Where the unit it is about would stand after a judged answer, if anywhere: what steering aims by.
    fn end(&self, _rules: &R, _judged: &Self::Judged) -> Option<Pose> {
        None
    }

    /// What a judged answer would come to, before it is taken.
    fn preview(&self, _rules: &R, _judged: &Self::Judged) -> Preview {
        Preview::default()
    }

    /// An answer at random, with a place or path in it where there are such, legal or not: it is asked for again a few
    /// times while it is not, and [`usual`](Question::usual) is taken after that. Rulebooks whose answers have places in
    /// them say how to pick one.
    fn wander(&self, rules: &R, whim: &mut Whim) -> R::Action {
        let mut answers = Answers::default();
        self.answers(rules, &mut answers);
        while !answers.listed.is_empty() {
            let answer = answers.listed.swap_remove(whim.below(answers.listed.len()));
            if self.judge(rules, &answer).is_ok() {
                return answer;
            }
        }
        self.usual(rules)
    }

    /// An answer at random together with what judging it has worked out, if it is legal: [`wander`](Question::wander) and
    /// [`judge`](Question::judge), which a question that finds its answers by judging them has no need to do twice.
    fn chance_upon(&self, rules: &R, whim: &mut Whim) -> Option<(R::Action, Self::Judged)> {
        let answer = self.wander(rules, whim);
        let judged = self.judge(rules, &answer).ok()?;
        Some((answer, judged))
    }

    /// Some answers with a place or a path in them that are worth considering, at most about `most`, legal or not.
    fn ways(&self, _rules: &R, _most: usize, _whim: &mut Whim, _out: &mut Vec<R::Action>) {}

    /// The legal answer nearest to where a player points.
    fn steer(&self, rules: &R, _wish: &Wish) -> Steer<R::Action> {
        let why = format!("nothing is moved by hand in `{}`", self.kind(rules));
        Steer::refused(Illegal::new(self.clause(rules), why))
    }

    /// A typical answer of each kind that a player might think of for this unit, legal or not, with its name.
    fn courses(&self, rules: &R, unit: UnitId) -> Vec<(String, R::Action)> {
        if self.unit(rules) != Some(unit) {
            return Vec::new();
        }
        let mut answers = Answers::default();
        self.answers(rules, &mut answers);
        let mut all: Vec<(String, R::Action)> = Vec::new();
        for answer in answers.listed {
            let Some(name) = R::course(&answer) else { continue };
            // The first of a kind stands for it, a legal one before others.
            match all.iter_mut().find(|(known, _)| known == name) {
                None => all.push((name.to_owned(), answer)),
                Some((_, kept)) if self.judge(rules, kept).is_err() && self.judge(rules, &answer).is_ok() => {
                    *kept = answer;
                }
                Some(_) => {}
            }
        }
        all
    }

    /// What a sensible officer would give for some of its answers, legal or not, in any measure that is greater for the
    /// better ones; for [`Rules::proposals`].
    fn weigh(&self, _rules: &R, _most: usize, _whim: &mut Whim) -> Vec<(f64, R::Action)> {
        Vec::new()
    }

    /// The refusal of an action that answers another question.
    fn other(&self, rules: &R) -> Illegal {
        let why = format!("that is no answer to `{}`: {}", self.kind(rules), self.prompt(rules));
        Illegal::new(self.clause(rules), why)
    }
}

/// How often a random answer is tried before the usual one is taken.
pub(crate) const TRIES: usize = 4;

/// A legal answer at random, with all that judging it has worked out.
#[doc(hidden)]
pub fn at_random<R: Rules, Q: Question<R>>(
    question: &Q,
    rules: &R,
    whim: &mut Whim,
) -> Result<(R::Action, Q::Judged), Illegal> {
    for _ in 0..TRIES {
        if let Some(found) = question.chance_upon(rules, whim) {
            return Ok(found);
        }
    }
    let answer = question.usual(rules);
    let judged = question.judge(rules, &answer)?;
    Ok((answer, judged))
}

/// Carries a judged answer out. Not inlined: what an answer does is much code, and it is carried out from two places.
#[doc(hidden)]
#[inline(never)]
pub fn settle<R: Rules, Q: Question<R>>(question: Q, rules: &mut R, judged: Q::Judged, now: &mut Now<'_>) {
    rules.answered();
    question.carry_out(rules, judged, now);
}
