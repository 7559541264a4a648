//! Before the first turn: armies bought, ground diced for, troops placed (SYW-DEPLOY, SYW-POINTS, SYW-TERRGEN).

pub(crate) mod buy_ground;
pub(crate) mod defenders_ground;
pub(crate) mod deploy;
pub(crate) mod enlist;
pub(crate) mod keep_back;
pub(crate) mod laying_out;
pub(crate) mod muster;
pub(crate) mod placing;
pub(crate) mod preparation;
pub(crate) mod rotate;
pub(crate) mod table_side;
