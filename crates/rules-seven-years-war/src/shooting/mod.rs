//! Shooting (SYW-SHOOT).

pub(crate) mod aim;
pub(crate) mod shots;
