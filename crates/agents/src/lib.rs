//! Players that are programs.
//!
//! A program decides from what the battle's protocol offers to anybody ([`tricorne_game::Battle::sample`],
//! [`tricorne_game::Battle::proposals`] and their kin), and from what its seat may know: it searches in
//! [`tricorne_game::Battle::imagined`] battles, never in the umpire's own. It has a whim of its own and never sees the
//! battle's dice.
//!
//! ```
//! use tricorne_agents::{Level, Player};
//! use tricorne_chance::Seeded;
//! use tricorne_game::{Battle, Choices, Log, Purpose, Seat, Source, System};
//! use tricorne_rules_would_be_kings::WouldBeKings;
//!
//! let scenario = WouldBeKings.scenarios()[0];
//! let file = Source::new(scenario.id, scenario.text);
//! let mut battle = WouldBeKings.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
//! let (mut dice, mut log) = (Seeded::new(7), Log::off());
//! battle.begin(&mut dice, &mut log);
//! // Quick judgement against any legal answer.
//! let levels = [Level::Subaltern, Level::Random];
//! let mut players = [0, 1].map(|seat| Player::new(levels[usize::from(seat)], 7.into(), Seat(seat)));
//! while let Some(seat) = battle.seat() {
//!     let answer = players[usize::from(seat.0)].choose(&battle);
//!     battle.apply(&answer, &mut dice, &mut log).unwrap();
//! }
//! assert!(battle.ending().is_some());
//! ```

mod budget;
mod field;
mod first;
mod frailty;
mod general;
mod level;
mod outside;
mod player;
mod search;
mod stopwatch;
mod subaltern;
mod taught;
mod verdict;

pub use level::{Budget, Level, Rank};
pub use outside::{Outsider, send_outsiders_away};
pub use player::{Candidate, Player, Thought};
pub use stopwatch::Timing;
pub use taught::Taught;
