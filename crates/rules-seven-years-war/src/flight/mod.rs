//! Rout and pursuit (SYW-ROUT, SYW-PURSUE).

pub(crate) mod pursuit;
pub(crate) mod rout;
