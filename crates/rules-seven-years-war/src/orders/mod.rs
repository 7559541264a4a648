//! The five orders: how they are given and what they let a group do (SYW-ORDER).

pub(crate) mod address;
pub(crate) mod allowed;
pub(crate) mod change;
pub(crate) mod command;
pub(crate) mod ending;
pub(crate) mod give;
pub(crate) mod halt;
pub(crate) mod halts;
pub(crate) mod retreat;
pub(crate) mod retreats;
pub(crate) mod uncommanded;
