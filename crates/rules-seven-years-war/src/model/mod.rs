//! What stands on the table: units, groups, stands and formations, measured and seen (part 2 of the rulebook).

pub(crate) mod contact;
pub(crate) mod field;
pub(crate) mod footprints;
pub(crate) mod group;
pub(crate) mod ids;
pub(crate) mod kinds;
pub(crate) mod ranks;
pub(crate) mod room;
pub(crate) mod sight;
pub(crate) mod sight_between;
pub(crate) mod stands;
pub(crate) mod state;
pub(crate) mod telling;
pub(crate) mod unit;
