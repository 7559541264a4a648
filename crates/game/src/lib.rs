//! The protocol between the umpire and the players, and what is built on it: journals, scenario files, rule
//! cases, stories.
//!
//! One loop drives everything, be it a page, a bot, a test or a million-battle study:
//!
//! ```text
//! battle.pending()                  who must decide, and what; or how it ended
//! battle.legal()                    the answers: listed where they are finite, spaces where they are not
//! battle.check(action)              Ok, or the clause that forbids it and why
//! battle.apply(action, chance, log) the same check, then the rule; a refused action changes nothing
//! battle.view(seat)                 what that seat may know, every shape computed
//! ```
//!
//! A rule system implements [`System`] (its rulebook and how a battle is set up) and [`Battle`] (a battle being
//! fought). Everything above works on those two, typed where speed matters, or through [`AnySystem`] and
//! [`AnyBattle`] where a system is picked at run time.
//!
//! ```
//! use tricorne_game::{Book, Event, Source, StoryBook};
//!
//! // A rulebook's clauses, and the sentences in which its events are told.
//! let book = Book::read("- **TOY-FIRE-01** Muskets carry twelve inches. *(src)*").unwrap();
//! assert!(book.clause("TOY-FIRE-01").is_some());
//! let stories = StoryBook::read(&Source::new("story.toml", "fire = '{who} fired: {pool}.'")).unwrap();
//! let volley = Event::new("fire", "TOY-FIRE-01").faces(&[6, 2, 5]).needed(5).made(2);
//! assert!(stories.line(&volley).is_some_and(|line| line.contains("{pool}")));
//! ```

mod advice;
pub mod army;
mod battle;
mod book;
pub mod case;
pub mod drafting;
mod erased;
mod event;
pub mod first_sight;
mod forecast;
mod frailty;
mod hash;
mod id;
pub mod journal;
mod near;
mod odds;
mod options;
mod order;
mod reach;
mod ready;
mod remark;
mod school;
mod source;
mod story;
mod system;
mod umpire;
pub mod view;
pub mod ways;
mod written;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use advice::{Because, Course, Proposal, Sight, Steer, Term, Wish};
pub use battle::{Battle, Ending, Illegal, Legal, Pending, Preview, Space};
pub use book::{Book, BookError, Clause, Tag};
pub use erased::{AnyBattle, AnySystem, LegalValue, Order, Refusal, system_of};
pub use event::{DiceRead, Event, Log, Modifier, total};
pub use forecast::{Effort, Forecast, Roll, RollWay, forecast, rolls};
pub use frailty::{Frailties, Frailty, Lapse};
pub use hash::StateHash;
pub use id::{Seat, Side, UnitId};
pub use near::{did_you_mean, nearest};
pub use odds::{Change, Prospect, UnitProspect, Way, odds};
pub use options::{Choices, OptionBook, OptionSpec};
pub use order::InOrder;
pub use reach::Reach;
pub use ready::{as_played, ready};
pub use remark::{Remark, Remarks};
pub use school::{Judgement, School, Temper};
pub use source::{Fault, Place, Source, plain, texts, unread};
pub use story::{HeldHeadings, Story, StoryBook, Telling, capitalised, compass, in_words, side_in_words};
pub use system::{About, Purpose, ScenarioText, SeatInfo, System};
pub use umpire::{Turned, Umpire};
pub use written::{Misread, written};
