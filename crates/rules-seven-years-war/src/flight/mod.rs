//! Rout and pursuit (SYW-ROUT, SYW-PURSUE).

pub(crate) mod pack;
pub(crate) mod pursuit;
pub(crate) mod rally;
pub(crate) mod rout;
pub(crate) mod surrender;
