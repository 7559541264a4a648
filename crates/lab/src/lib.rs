//! The laboratory: many battles at once.

mod bench;
mod run;
mod study;
mod summary;

pub use bench::{Figures, bench};
pub use run::run;
pub use study::{Row, Study, StudyError, UnitLoss};
pub use summary::{Share, Summary, summary};
