//! Moves: paths walked, friends passed, stands left behind in melee (SYW-MOVE, SYW-INTER).

pub(crate) mod advance;
pub(crate) mod at_random;
pub(crate) mod course;
pub(crate) mod detachment;
pub(crate) mod groups;
pub(crate) mod interpenetration;
pub(crate) mod next_move;
pub(crate) mod obstacles;
pub(crate) mod passed;
pub(crate) mod rearrange;
pub(crate) mod set_aside;
pub(crate) mod steps;
pub(crate) mod walk;
