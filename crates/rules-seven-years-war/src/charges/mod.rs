//! Charges, evading, and charges in flank or rear (SYW-CHARGE, SYW-EVADE, SYW-FLANK).

pub(crate) mod carry;
pub(crate) mod charge;
pub(crate) mod closing;
pub(crate) mod direction;
pub(crate) mod evade;
pub(crate) mod flank;
pub(crate) mod keeping_up;
pub(crate) mod lights;
pub(crate) mod meet_flank;
pub(crate) mod misaligned;
pub(crate) mod oblique;
pub(crate) mod up_to_hidden;
