//! The course of a turn: its sub-phases, and what follows from shooting and close combat (SYW-SEQ).

pub(crate) mod aftermath;
pub(crate) mod begin;
pub(crate) mod turn;
