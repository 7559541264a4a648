//! Close combat and break-through (SYW-MELEE, SYW-BREAK).

pub(crate) mod break_through;
pub(crate) mod counting;
pub(crate) mod fight;
pub(crate) mod next_melee;
pub(crate) mod overlaps;
