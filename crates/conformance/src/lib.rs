//! Tests written once that every rule system is put through.
//!
//! A system's crate calls these from its own `tests/`, so a failure names the system:
//!
//! ```ignore
//! #[test]
//! fn random_battles_end() { tricorne_conformance::battles(WouldBeKings, 0..20); }
//! ```
//!
//! Each function panics with the scenario, the seed and the action at which something broke.

mod battles;
mod charts;
mod clauses;
mod files;
mod formats;
mod journals;
mod odds;
mod readings;
mod reasons;
mod recorded;
mod secrets;
mod stories;

pub use battles::{Fought, actions, battles, fight};
pub use charts::charts_matter;
pub use clauses::{answers_are_listed, case_files, cases, clauses_shown, follow};
pub use files::{options_take_their_values, schemas_are_fresh};
pub use formats::old_files_go_the_same_way;
pub use journals::journals;
pub use odds::odds_match_rolls;
pub use readings::every_reading_is_fought;
pub use reasons::officers_say_why;
pub use recorded::{record, same_events};
pub use secrets::views_leak_nothing;
pub use stories::stories_read_well;
