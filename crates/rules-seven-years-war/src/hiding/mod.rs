//! Hidden units and ambush (SYW-VIS, SYW-HIDE).

pub(crate) mod go_on;
pub(crate) mod hidden;
pub(crate) mod lurk;
pub(crate) mod watch;
