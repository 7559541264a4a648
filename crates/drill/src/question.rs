//! A decision is a type: who is asked and in which words, the answers, how one is judged, how it is carried out.
//!
//! A rulebook writes a [`Question`] for each of its decisions, one file each, lists them once with
//! [`questions!`](crate::questions), and implements [`Rules`] for its battle. [`Umpired`](crate::Umpired) does the rest.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::{Detail, View};
use tricorne_game::{
    AnyBattle, Because, Ending, Event, Frailty, Illegal, Log, Pending, Preview, Proposal, School, Seat, Side,
    Sight, Space, StateHash, Steer, UnitId, Wish, first_sight,
};
use tricorne_table::Pose;

use crate::umpired::Umpired;

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

/// All questions of a rulebook as one type; written by [`questions!`](crate::questions).
pub trait Asks<R: Rules>: Clone {
    /// See [`tricorne_game::Battle::read_action`]. This and the next three are written out by [`questions!`](crate::questions), so
    /// that they are compiled once, with the rulebook, and not anew in every crate that fights its battles.
    fn read(answer: &Value) -> Result<R::Action, String>;
    /// See [`tricorne_game::Battle::write_action`].
    fn written(answer: &R::Action) -> Value;
    /// See [`tricorne_game::Battle::hash`].
    fn hash(state: &R::State) -> StateHash;
    /// See [`tricorne_game::Battle::as_any_battle`].
    fn as_any(battle: &Umpired<R>) -> &dyn AnyBattle;
    /// See [`Question::kind`].
    fn kind(&self, rules: &R) -> &'static str;
    /// See [`Question::clause`].
    fn clause(&self, rules: &R) -> &'static str;
    /// See [`Question::seat`].
    fn seat(&self, rules: &R) -> Seat;
    /// See [`Question::unit`].
    fn unit(&self, rules: &R) -> Option<UnitId>;
    /// See [`Question::prompt`].
    fn prompt(&self, rules: &R) -> String;
    /// See [`Question::answers`].
    fn answers(&self, rules: &R, out: &mut Answers<R::Action>);
    /// Whether an answer is legal.
    fn check(&self, rules: &R, answer: &R::Action) -> Result<(), Illegal>;
    /// See [`Question::only`].
    fn only(&self, rules: &R) -> Option<R::Action>;
    /// See [`Question::open`].
    fn open(&self, rules: &R) -> bool;
    /// See [`Question::lapse`].
    fn lapse(self, rules: &mut R, now: &mut Now<'_>);
    /// See [`Question::phase`].
    fn phase(&self, rules: &R) -> &'static str;
    /// Judges an answer and says where the unit it is about would stand.
    fn end(&self, rules: &R, answer: &R::Action) -> Result<Option<Pose>, Illegal>;
    /// Judges an answer and says what it would come to.
    fn preview(&self, rules: &R, answer: &R::Action) -> Result<Preview, Illegal>;
    /// Judges an answer and carries it out.
    fn answer(self, rules: &mut R, answer: &R::Action, now: &mut Now<'_>) -> Result<(), Illegal>;
    /// Finds an answer at random, as [`Umpired`] samples them, and carries it out.
    fn stray(self, rules: &mut R, whim: &mut Whim, now: &mut Now<'_>) -> Result<R::Action, Illegal>;
    /// See [`Question::usual`].
    fn usual(&self, rules: &R) -> R::Action;
    /// See [`Question::wander`].
    fn wander(&self, rules: &R, whim: &mut Whim) -> R::Action;
    /// Some legal answer, for whoever has none in mind: one at random, or the usual one.
    fn any(&self, rules: &R, whim: &mut Whim) -> R::Action {
        let answer = self.wander(rules, whim);
        if self.check(rules, &answer).is_ok() { answer } else { self.usual(rules) }
    }
    /// See [`Question::ways`].
    fn ways(&self, rules: &R, most: usize, whim: &mut Whim, out: &mut Vec<R::Action>);
    /// See [`Question::steer`].
    fn steer(&self, rules: &R, wish: &Wish) -> Steer<R::Action>;
    /// See [`Question::courses`].
    fn courses(&self, rules: &R, unit: UnitId) -> Vec<(String, R::Action)>;
    /// See [`Question::weigh`].
    fn weigh(&self, rules: &R, most: usize, whim: &mut Whim) -> Vec<(f64, R::Action)>;
}

/// A battle under a rulebook: what is asked now, what goes on between questions, and what can be seen of it.
pub trait Rules: Clone + Send + Sync + 'static {
    /// An answer to a question. Its JSON form is what pages, bots, journals and rule cases write.
    type Action: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;

    /// All that changes in the course of a battle; what the state hash covers.
    type State: Serialize;

    /// Its questions, as [`questions!`](crate::questions) writes them.
    type Questions: Asks<Self>;

    /// Rolls what is rolled before the first question and goes on to it.
    fn begin(&mut self, now: &mut Now<'_>);

    /// The question that waits for an answer; none once the battle is over.
    fn question(&self) -> Option<Self::Questions>;

    /// The waiting question has a legal answer and waits no longer; what the answer does comes next. Rulebooks that
    /// keep their questions on a stack take it off here.
    fn answered(&mut self) {}

    /// Goes on after an answer until somebody must decide or the battle is over.
    fn proceed(&mut self, now: &mut Now<'_>) {
        while self.step(now) {}
    }

    /// One thing of all that goes on between two questions; says whether there may be more. Where a rulebook can stop
    /// between two of them, what the dice may bring is counted with equal positions made one on the way; one that cannot
    /// does everything at once.
    fn step(&mut self, now: &mut Now<'_>) -> bool;

    /// The ending, once there is one.
    fn ending(&self) -> Option<Ending>;

    /// Whether an action gives the battle up. That is legal whenever a seat is asked, and never listed, so that no
    /// program picks it.
    fn gives_up(_action: &Self::Action) -> bool {
        false
    }

    /// A seat gives the battle up.
    fn concede(&mut self, _seat: Seat, _now: &mut Now<'_>) {}

    /// The clause that says the battle is over, for whoever wants to go on.
    const OVER: &'static str;

    /// The side whose turn it is, where sides take turns.
    fn whose_turn(&self) -> Option<Side> {
        None
    }

    /// What a seat may know: as it is drawn, or plain, without figures and overlays (see
    /// [`tricorne_game::Battle::plain_view`]).
    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View;

    /// The changing part.
    fn state(&self) -> &Self::State;

    /// Everything about the position as readable JSON.
    fn facts(&self) -> Value;

    /// From now on programs' judgement goes by this school; see [`tricorne_game::Battle::heed`].
    fn heed(&mut self, _school: &School) {}

    /// How weak an officer of a rank is; see [`tricorne_game::Battle::frailty`].
    fn frailty(&self, rank: &str) -> Frailty {
        Frailty::usual(rank)
    }

    /// What [`Rules::standing`] is reckoned from, by name; see [`tricorne_game::Battle::features`].
    fn features(&self, _seat: Seat) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// How the position stands for a seat's side, from -1 to 1.
    fn standing(&self, seat: Seat) -> f64;

    /// Up to `most` legal answers that a sensible officer would weigh, the best-looking first.
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Self::Action>>;

    /// The most promising of them, the first of equals; see [`tricorne_game::Battle::first_sight`]. A rulebook that need not
    /// judge the others says it sooner.
    fn foremost(&self, most: usize, whim: &mut Whim) -> Option<Self::Action> {
        first_sight::best(self.proposals(most, whim)).map(|proposal| proposal.action)
    }

    /// See [`Battle::because`].
    fn because(&self, _action: &Self::Action) -> Vec<Because> {
        Vec::new()
    }

    /// The unit or group that an answer names; see [`tricorne_game::Battle::about`].
    fn about(_action: &Self::Action) -> Option<UnitId> {
        None
    }

    /// The battle as a seat may imagine it.
    #[must_use]
    fn imagined(&self, _seat: Seat, _whim: &mut Whim) -> Self {
        self.clone()
    }

    /// The battle with nothing on the table that a seat does not know of.
    #[must_use]
    fn as_seen(&self, _seat: Seat) -> Self {
        self.clone()
    }

    /// The legal answer nearest to where a player points.
    fn steer(&self, wish: &Wish) -> Steer<Self::Action> {
        match self.question() {
            Some(question) => question.steer(self, wish),
            None => Steer::refused(Illegal::new(Self::OVER, "the battle is over")),
        }
    }

    /// Whether one unit sees another.
    fn sight(&self, _from: UnitId, _to: UnitId, _eye: Option<Seat>) -> Option<Sight> {
        None
    }

    /// What kind of course a listed answer is, in a word or two; none for those that are no course of a unit.
    fn course(_action: &Self::Action) -> Option<&'static str> {
        None
    }

    /// A typical answer of each kind that a player might think of for this unit.
    fn courses(&self, unit: UnitId) -> Vec<(String, Self::Action)> {
        self.question().map(|question| question.courses(self, unit)).unwrap_or_default()
    }

    /// What must hold between any two actions and does not.
    fn broken_invariants(&self) -> Vec<String>;

    /// Who must decide what, or the ending; a view shows it too. Written once; not to be replaced.
    fn pending(&self) -> Pending {
        match (self.ending(), self.question()) {
            (None, Some(question)) => Pending::Decision {
                seat: question.seat(self),
                kind: question.kind(self).into(),
                unit: question.unit(self),
                prompt: question.prompt(self),
            },
            (Some(ending), _) => Pending::Over(ending),
            // A rulebook that neither asks nor has ended has lost its way; nobody wins by that.
            (None, None) => Pending::Over(Ending {
                winner: None,
                grade: "draw".into(),
                reason: "nothing is left to decide".into(),
                scores: Vec::new(),
                clause: Self::OVER.into(),
            }),
        }
    }

    /// Whether an action answers the waiting question legally. Written once; not to be replaced.
    fn check(&self, action: &Self::Action) -> Result<(), Illegal> {
        match self.question() {
            Some(_) if Self::gives_up(action) => Ok(()),
            Some(question) => question.check(self, action),
            None => Err(Illegal::new(Self::OVER, "the battle is over")),
        }
    }
}

/// Lists the questions of a rulebook and makes one type of them. Each name is a type that implements [`Question`].
///
/// ```ignore
/// questions! {
///     /// Everything a player is asked.
///     pub enum Questions for Skirmish { Activate, March, Volley }
/// }
/// ```
#[macro_export]
macro_rules! questions {
    ($(#[$doc:meta])* $vis:vis enum $Questions:ident for $Rules:ty { $($Asked:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, $crate::__serde::Serialize)]
        #[serde(crate = "tricorne_drill::__serde")]
        #[allow(missing_docs, reason = "each is a type with a documentation of its own")]
        $vis enum $Questions { $($Asked($Asked)),+ }

        $(impl From<$Asked> for $Questions {
            fn from(question: $Asked) -> Self {
                Self::$Asked(question)
            }
        })+

        impl $crate::Asks<$Rules> for $Questions {
            fn read(answer: &$crate::__json::Value) -> Result<<$Rules as $crate::Rules>::Action, String> {
                $crate::__serde::Deserialize::deserialize(answer)
                    .map_err(|e: $crate::__json::Error| $crate::__game::plain(&e.to_string()))
            }

            fn written(answer: &<$Rules as $crate::Rules>::Action) -> $crate::__json::Value {
                $crate::__json::to_value(answer).unwrap_or_default()
            }

            fn hash(state: &<$Rules as $crate::Rules>::State) -> $crate::__game::StateHash {
                $crate::__game::StateHash::of(state)
            }

            // Here and nowhere else: a battle for those who do not know its type is compiled once.
            #[inline(never)]
            fn as_any(battle: &$crate::Umpired<$Rules>) -> &dyn $crate::__game::AnyBattle {
                battle
            }

            fn kind(&self, rules: &$Rules) -> &'static str {
                match self { $(Self::$Asked(q) => $crate::Question::kind(q, rules)),+ }
            }

            fn clause(&self, rules: &$Rules) -> &'static str {
                match self { $(Self::$Asked(q) => $crate::Question::clause(q, rules)),+ }
            }

            fn seat(&self, rules: &$Rules) -> $crate::__game::Seat {
                match self { $(Self::$Asked(q) => $crate::Question::seat(q, rules)),+ }
            }

            fn unit(&self, rules: &$Rules) -> Option<$crate::__game::UnitId> {
                match self { $(Self::$Asked(q) => $crate::Question::unit(q, rules)),+ }
            }

            fn prompt(&self, rules: &$Rules) -> String {
                match self { $(Self::$Asked(q) => $crate::Question::prompt(q, rules)),+ }
            }

            fn answers(
                &self,
                rules: &$Rules,
                out: &mut $crate::Answers<<$Rules as $crate::Rules>::Action>,
            ) {
                match self { $(Self::$Asked(q) => $crate::Question::answers(q, rules, out)),+ }
            }

            fn check(
                &self,
                rules: &$Rules,
                answer: &<$Rules as $crate::Rules>::Action,
            ) -> Result<(), $crate::__game::Illegal> {
                match self { $(Self::$Asked(q) => $crate::Question::judge(q, rules, answer).map(|_| ())),+ }
            }

            fn only(&self, rules: &$Rules) -> Option<<$Rules as $crate::Rules>::Action> {
                match self { $(Self::$Asked(q) => $crate::Question::only(q, rules)),+ }
            }

            fn open(&self, rules: &$Rules) -> bool {
                match self { $(Self::$Asked(q) => $crate::Question::open(q, rules)),+ }
            }

            fn lapse(self, rules: &mut $Rules, now: &mut $crate::Now<'_>) {
                match self { $(Self::$Asked(q) => $crate::Question::lapse(q, rules, now)),+ }
            }

            fn phase(&self, rules: &$Rules) -> &'static str {
                match self { $(Self::$Asked(q) => $crate::Question::phase(q, rules)),+ }
            }

            fn end(
                &self,
                rules: &$Rules,
                answer: &<$Rules as $crate::Rules>::Action,
            ) -> Result<Option<$crate::__table::Pose>, $crate::__game::Illegal> {
                match self {
                    $(Self::$Asked(q) => $crate::Question::judge(q, rules, answer)
                        .map(|judged| $crate::Question::end(q, rules, &judged))),+
                }
            }

            fn preview(
                &self,
                rules: &$Rules,
                answer: &<$Rules as $crate::Rules>::Action,
            ) -> Result<$crate::__game::Preview, $crate::__game::Illegal> {
                match self {
                    $(Self::$Asked(q) => $crate::Question::judge(q, rules, answer)
                        .map(|judged| $crate::Question::preview(q, rules, &judged))),+
                }
            }

            fn answer(
                self,
                rules: &mut $Rules,
                answer: &<$Rules as $crate::Rules>::Action,
                now: &mut $crate::Now<'_>,
            ) -> Result<(), $crate::__game::Illegal> {
                match self {
                    $(Self::$Asked(q) => {
                        let judged = $crate::Question::judge(&q, rules, answer)?;
                        $crate::question::settle(q, rules, judged, now);
                    })+
                }
                Ok(())
            }

            fn stray(
                self,
                rules: &mut $Rules,
                whim: &mut $crate::__chance::Whim,
                now: &mut $crate::Now<'_>,
            ) -> Result<<$Rules as $crate::Rules>::Action, $crate::__game::Illegal> {
                match self {
                    $(Self::$Asked(q) => {
                        let (answer, judged) = $crate::question::at_random(&q, rules, whim)?;
                        $crate::question::settle(q, rules, judged, now);
                        Ok(answer)
                    })+
                }
            }

            fn usual(&self, rules: &$Rules) -> <$Rules as $crate::Rules>::Action {
                match self { $(Self::$Asked(q) => $crate::Question::usual(q, rules)),+ }
            }

            fn wander(
                &self,
                rules: &$Rules,
                whim: &mut $crate::__chance::Whim,
            ) -> <$Rules as $crate::Rules>::Action {
                match self { $(Self::$Asked(q) => $crate::Question::wander(q, rules, whim)),+ }
            }

            fn ways(
                &self,
                rules: &$Rules,
                most: usize,
                whim: &mut $crate::__chance::Whim,
                out: &mut Vec<<$Rules as $crate::Rules>::Action>,
            ) {
                match self { $(Self::$Asked(q) => $crate::Question::ways(q, rules, most, whim, out)),+ }
            }

            fn steer(
                &self,
                rules: &$Rules,
                wish: &$crate::__game::Wish,
            ) -> $crate::__game::Steer<<$Rules as $crate::Rules>::Action> {
                match self { $(Self::$Asked(q) => $crate::Question::steer(q, rules, wish)),+ }
            }

            fn courses(
                &self,
                rules: &$Rules,
                unit: $crate::__game::UnitId,
            ) -> Vec<(String, <$Rules as $crate::Rules>::Action)> {
                match self { $(Self::$Asked(q) => $crate::Question::courses(q, rules, unit)),+ }
            }

            fn weigh(
                &self,
                rules: &$Rules,
                most: usize,
                whim: &mut $crate::__chance::Whim,
            ) -> Vec<(f64, <$Rules as $crate::Rules>::Action)> {
                match self { $(Self::$Asked(q) => $crate::Question::weigh(q, rules, most, whim)),+ }
            }
        }
    };
}
