//! Dice, pools and decks, asked for in the language of the rules.
//!
//! Rules never touch a random number generator. They ask a [`Chance`] for what the rulebook names: so many
//! dice of which each face matters ([`Chance::faces`]), a total ([`Chance::sum`]), a pool of which only the
//! counts matter ([`Chance::pool`]), a card ([`Deck::draw`]). Three kinds of chance answer:
//!
//! * [`Seeded`] rolls, the same on every machine, with a stream of its own for each purpose;
//! * [`Scripted`] hands out the dice and cards of a rule case, in order;
//! * [`enumerate()`] walks every outcome with its exact probability.
//!
//! Because the same resolution code runs on all three, the odds shown before a roll are the odds rolled.
//!
//! ```
//! use tricorne_chance::{Bins, Chance, Script, Scripted, Seeded, enumerate};
//!
//! /// Twelve muskets that hit on 5 or 6, as a rulebook would say it.
//! fn volley(chance: &mut dyn Chance) -> usize {
//!     chance.pool("fire", 12, &Bins::at_least(5)).hits()
//! }
//!
//! assert_eq!(volley(&mut Seeded::new(7)), volley(&mut Seeded::new(7))); // rolled, the same on every machine
//! let dice = "fire: 6 5 1 1 1 1 1 1 1 1 1 1".parse::<Script>().unwrap();
//! assert_eq!(volley(&mut Scripted::new([dice])), 2); // scripted, for a rule case
//! let odds = enumerate(1_000, |chance| volley(chance)).unwrap();
//! assert!((odds.mean(|&hits| hits as f64) - 4.0).abs() < 1e-9); // counted exactly
//! ```

mod card;
mod deck;
mod enumerating;
mod pmf;
mod scripted;
mod seeded;
mod tally;
mod whim;
mod witness;

pub use card::{Colour, Playing, Rank, Suit};
pub use deck::{Card, Deck};
pub use enumerating::{Enumerating, Odds, enumerate};
pub use pmf::{multinomial, sum_pmf};
pub use scripted::{Script, ScriptError, Scripted};
pub use seeded::{Seed, SeedError, Seeded, fingerprint};
pub use tally::{Bins, Faces, Sum, Tally};
pub use whim::Whim;
pub use witness::{Draw, Drawn, Witness};

/// What a draw is for: `"fire"`, `"pinning"`, `"turn card"`. Logs and scripts name draws by it.
pub type Purpose = &'static str;

/// A source of dice and cards. See the crate documentation for the three kinds.
pub trait Chance {
    /// Rolls `count` dice of `sides` sides of which each face matters, in order.
    fn faces(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces;

    /// Rolls `count` dice of `sides` sides of which only the total matters.
    fn sum(&mut self, purpose: Purpose, count: usize, sides: u8) -> Sum;

    /// Rolls `count` dice of which only the number that falls into each of `bins` matters.
    fn pool(&mut self, purpose: Purpose, count: usize, bins: &Bins) -> Tally;

    /// Picks one of `count` equally likely things; `label` names the n-th for scripts and logs.
    /// Returns `None` when there is nothing to pick from.
    fn pick(&mut self, purpose: Purpose, count: usize, label: &dyn Fn(usize) -> String) -> Option<usize>;

    /// What went wrong with this source, if anything did (a script that ran out). A source with a fault goes
    /// on answering, so that rules need not know; whoever drives the battle looks here and discards the result.
    fn fault(&self) -> Option<String> {
        None
    }

    /// One die of six.
    fn d6(&mut self, purpose: Purpose) -> u8 {
        self.faces(purpose, 1, 6)[0]
    }
}
