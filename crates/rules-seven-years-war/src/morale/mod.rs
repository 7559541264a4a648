//! Losses, disorder and the tests that follow (SYW-CAS, SYW-DIS, SYW-MORALE).

pub(crate) mod casualties;
pub(crate) mod disorder;
pub(crate) mod falling_back;
pub(crate) mod losses;
pub(crate) mod resolution;
pub(crate) mod tests;
