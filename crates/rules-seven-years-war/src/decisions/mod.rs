//! What is asked, what is legal, what an answer does (part 5 of the rulebook).

pub(crate) mod action;
pub(crate) mod battle;
pub(crate) mod courses;
pub(crate) mod judge;
pub(crate) mod preview;
pub(crate) mod sample;
