//! The ground: what it costs, hides and covers (SYW-TERR).

pub(crate) mod ground;
pub(crate) mod pace;
pub(crate) mod works;
