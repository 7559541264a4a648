//! Losses, disorder and the tests that follow (SYW-CAS, SYW-DIS, SYW-MORALE).

pub(crate) mod casualties;
pub(crate) mod falling_back;
pub(crate) mod tests;
