//! All questions of a rulebook as one type.

use serde_json::Value;
use tricorne_chance::Whim;
use tricorne_game::{AnyBattle, Illegal, Preview, Seat, StateHash, Steer, UnitId, Wish};
use tricorne_table::Pose;

#[cfg(doc)]
use crate::question::Question;
use crate::question::{Answers, Now};
use crate::rules::Rules;
use crate::umpired::Umpired;

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
