//! Before the first turn: armies bought, ground diced for, troops placed (SYW-DEPLOY, SYW-POINTS, SYW-TERRGEN).

pub(crate) mod defenders_ground;
pub(crate) mod laying_out;
pub(crate) mod muster;
pub(crate) mod placing;
pub(crate) mod preparation;
