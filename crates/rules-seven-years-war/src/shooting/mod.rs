//! Shooting (SYW-SHOOT).

pub(crate) mod aim;
pub(crate) mod bounce;
pub(crate) mod effect;
pub(crate) mod next_shot;
pub(crate) mod shots;
