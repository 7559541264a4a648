//! Part 3: the tables of the rulebook, read from its data files, and forces made from them.

pub mod charts;
pub mod forces;
pub mod rulebook;
