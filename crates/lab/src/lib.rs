//! The laboratory: many battles at once.

mod bench;

pub use bench::{Figures, bench};
