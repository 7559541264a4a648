//! Generals: counters, rides, risks, successors (SYW-GEN).

pub(crate) mod along;
pub(crate) mod counters;
pub(crate) mod go_along;
pub(crate) mod keep_counter;
pub(crate) mod staff;
pub(crate) mod successor;
