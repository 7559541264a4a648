//! Rout and pursuit (SYW-ROUT, SYW-PURSUE).

pub(crate) mod after_melee;
pub(crate) mod facing;
pub(crate) mod meet_guns;
pub(crate) mod meeting;
pub(crate) mod pack;
pub(crate) mod pursuit;
pub(crate) mod pursuits;
pub(crate) mod rally;
pub(crate) mod rout;
pub(crate) mod surrender;

#[cfg(test)]
mod tests;
