//! Generals: counters, rides, risks, successors (SYW-GEN).

pub(crate) mod along;
pub(crate) mod counters;
pub(crate) mod staff;
