//! Players that are programs.
//!
//! A program decides from what the battle's protocol offers to anybody ([`tricorne_game::Battle::sample`],
//! [`tricorne_game::Battle::proposals`] and their kin), and from what its seat may know: it searches in
//! [`tricorne_game::Battle::imagined`] battles, never in the umpire's own. It has a whim of its own and never sees the
//! battle's dice.

mod budget;
mod field;
mod first;
mod frailty;
mod general;
mod level;
mod outside;
mod player;
mod stopwatch;
mod subaltern;
mod taught;
mod verdict;

pub use level::{Budget, Level, Rank};
pub use outside::Outsider;
pub use player::{Candidate, Player, Thought};
pub use stopwatch::Timing;
pub use taught::Taught;
