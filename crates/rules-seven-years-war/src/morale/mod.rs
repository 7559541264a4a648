//! Losses, disorder and the tests that follow (SYW-CAS, SYW-DIS, SYW-MORALE).

pub(crate) mod casualties;
pub(crate) mod tests;
