//! The laboratory: many battles at once, and what they come to.
//!
//! A [`Study`] is a scenario, two players, a number of battles and a seed. [`run()`] fights them over all cores and hands
//! out a [`Row`] for each, in order; nothing in a row depends on the number of cores. [`summary()`] sums rows up,
//! [`Ledger`] keeps them in a file that a stopped study goes on with, [`Plate`] draws them.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tricorne_agents::Level;
//! use tricorne_lab::{Study, run, summary};
//!
//! let (system, scenario) = tricorne_shelf::scenario("the-disputed-valley").unwrap();
//! let study = Study {
//!     ruleset: system.about().id.into(),
//!     scenario,
//!     muster: None,
//!     choices: Default::default(),
//!     players: [Level::Subaltern, Level::Random],
//!     battles: 4,
//!     seed: 1.into(),
//! };
//! let mut rows = Vec::new();
//! run(&study, 0, 2, &AtomicBool::new(false), &mut |row| {
//!     rows.push(row);
//!     Ok(())
//! })
//! .unwrap();
//! assert_eq!(summary(&rows).battles, 4);
//! ```

mod balance;
mod bench;
mod calibrate;
mod conduct;
mod ladder;
mod learn;
mod left_out;
mod lesson;
#[cfg(feature = "parquet")]
mod parquet;
mod plate;
mod regret;
mod report;
mod rivals;
mod rows;
mod run;
mod study;
mod summary;
mod tune;
mod vary;
mod watched;
mod weigh;

pub use balance::{EVEN, Effect, Handicap, handicaps, mirrored};
pub use bench::{Figures, bench};
pub use calibrate::{Bin, Calibration, Losses, Replayed, calibrate};
pub use conduct::{Conduct, Conducts, Taken, conduct};
pub use ladder::{Elo, Match, elo};
pub use learn::{HeldOut, Learnt, NothingToLearn, learn, rewritten};
pub use lesson::{Lesson, Moment, Moments, moments};
#[cfg(feature = "parquet")]
pub use parquet::{rows_parquet, units_parquet};
pub use plate::{COLOURS, Dot, Panel, Plate, Scale};
pub use regret::{Cost, Doubt, Inquiry, Tried as Answer, costs, regret};
pub use report::{Names, plate};
pub use rivals::Rivals;
pub use rows::{COLUMNS, Ledger, RowsError, UNIT_COLUMNS, rows_csv, units_csv};
pub use run::run;
pub use study::{Row, Study, StudyError, UnitLoss};
pub use summary::{Decided, Share, Spread, Summary, UnitLosses, summary};
pub use tune::{Teacher, Trial, Tried, Tuning, Verdict};
pub use vary::{Place, Vary};
pub use weigh::Asking;
