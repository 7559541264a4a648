//! Dice (DICE), fire (FIRE) and melee (MELEE).

pub(crate) mod exchange;
pub(crate) mod fire;
pub(crate) mod melee;
pub(crate) mod pursue;
