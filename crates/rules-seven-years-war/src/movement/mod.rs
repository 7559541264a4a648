//! Moves: paths walked, friends passed, stands left behind in melee (SYW-MOVE, SYW-INTER).

pub(crate) mod course;
pub(crate) mod detachment;
pub(crate) mod groups;
pub(crate) mod interpenetration;
pub(crate) mod obstacles;
pub(crate) mod walk;
