//! The quick judgement of programs: how the position stands, and which answers a sensible officer would weigh.
//!
//! Everything is reckoned in points of the army lists (section 3.5), by the odds of the very charts in the data:
//! `odds` has the distributions, `worth` what losses, volleys, melees and charges come to, `survey` what a unit has to
//! reckon with, `place` what a place is worth to it, `acts` what it does, `aside` how it makes room, `cards` whom to wake, `staff` what commanders
//! do, `answers` the proposals for each decision, `features` how the position stands. What is weighed has its names in
//! `weights`, and how much in the rulebook's `judgement.toml`.
//!
//! There are no secrets in this game: hands are open, and the order of the decks is not in the state. So a seat imagines
//! the battle as it is.

mod acts;
mod answers;
mod aside;
mod because;
mod cards;
mod features;
pub(crate) mod first;
mod odds;
mod place;
mod staff;
mod survey;
mod way;
pub(crate) mod weights;
mod worth;

/// A worth in points as a promise between 0 and 1.
pub(crate) fn promise(points: f64) -> f64 {
    0.5 + 0.5 * points / (points.abs() + 20.0)
}
