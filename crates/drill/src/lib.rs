//! What every rulebook of horse and musket needs, said once, in the words of the trade.
//!
//! A rulebook stands on this kit and supplies only what is its own:
//!
//! - [`question`]: a decision is a type. It says who is asked and in which words, which answers there are, how an answer
//!   is judged and how it is carried out. [`Umpired`] turns a rulebook's questions into a
//!   [`Battle`](tricorne_game::Battle): `pending`, `legal`, `check`, `preview`, `sample`, `candidates` and `apply` are
//!   written here and nowhere else, so that no rulebook can let them drift.
//! - [`Reasons`]: (value, reason, clause), summed in one place; no line is ever dropped.
//! - [`Test`] and [`Pool`]: dice with their reasons. Each rolls, tells its event and gives its exact odds from one
//!   definition.
//! - [`chart`]: numbers that stand in the rulebook's TOML with their clause.
//! - [`options!`]: one line a reading.
//! - [`system!`] and [`books!`]: a rulebook on the shelf, from its rooms and its files.
//! - [`fall_back`]: the beaten straight away, or aside where that is barred.
//! - [`steer`]: the legal answer nearest to where a player points, over a rulebook's judge.
//! - [`armies`], [`sheet`], [`drafting`]: armies of one's own, what goes on paper and what an editor needs, from data.
//! - [`Wardrobe`]: what armies wear and carry, from the rulebook's `uniforms.toml`.
//! - [`judgement`]: what programs weigh has a name in code and a weight in the rulebook's TOML.
//!
//! ```
//! use tricorne_chance::{Scripted, Script};
//! use tricorne_drill::{Reasons, Test};
//!
//! let mut reasons = Reasons::default();
//! reasons.add(1, "the colours are with them", "TOY-MORALE-02");
//! reasons.add(-2, "shot at from the flank", "TOY-MORALE-03");
//! let test = Test::of(1, 6).needing(4).with(reasons);
//! assert_eq!(test.made(5), 4);
//! assert!((test.chance() - 2.0 / 6.0).abs() < 1e-12); // a 5 or a 6
//!
//! let mut dice = Scripted::new(["5".parse::<Script>().unwrap()]);
//! let rolled = test.roll("morale", &mut dice);
//! assert!(rolled.passed && rolled.made == 4);
//! ```

pub mod armies;
mod asks;
pub mod chart;
pub mod drafting;
mod falling_back;
pub mod judgement;
mod options;
mod pages;
mod pool;
pub mod question;
mod reasons;
mod rules;
pub mod scenario;
pub mod sheet;
pub mod steer;
mod system;
mod test;
mod umpired;
mod uniforms;
pub mod words;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use asks::Asks;
pub use chart::Line;
pub use falling_back::{Way, fall_back};
pub use judgement::{Mind, Terms};
pub use options::{OptionValue, readings};
#[doc(hidden)]
pub use options::{names, read_option};
pub use pages::{page, published};
pub use pool::Pool;
pub use question::{Answers, Now, Question};
pub use reasons::{Reason, Reasons};
pub use rules::Rules;
#[doc(hidden)]
pub use system::compiled_in;
pub use test::{Rolled, Test};
pub use umpired::Umpired;
pub use uniforms::Wardrobe;

#[doc(hidden)]
pub use serde as __serde;
#[doc(hidden)]
pub use serde_json as __json;
#[doc(hidden)]
pub use tricorne_chance as __chance;
#[doc(hidden)]
pub use tricorne_game as __game;
#[doc(hidden)]
pub use tricorne_table as __table;

use tricorne_game::Illegal;

/// What is made of a refusal: the whole of it for whoever wants to know why, nothing for whoever only looks for what is
/// legal. A search is refused far more often than it finds, and words are dear.
pub trait Refusal: Sized {
    /// A refusal under a clause.
    fn of(clause: &str, why: impl FnOnce() -> String) -> Self;
}

impl Refusal for Illegal {
    fn of(clause: &str, why: impl FnOnce() -> String) -> Self {
        Self::new(clause, why())
    }
}

/// A refusal that nobody reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread;

impl Refusal for Unread {
    fn of(_: &str, _: impl FnOnce() -> String) -> Self {
        Self
    }
}

/// [`refuse`], its words put only if somebody reads them.
pub fn deny<T, E: Refusal>(clause: &str, why: impl FnOnce() -> String) -> Result<T, E> {
    Err(E::of(clause, why))
}

/// A refusal under a clause: `return refuse("TOY-MOVE-03", "a line wheels about its end")`.
pub fn refuse<T>(clause: &str, why: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal::new(clause, why))
}
