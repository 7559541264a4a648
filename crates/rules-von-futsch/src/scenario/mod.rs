//! Set-up, scenarios, victory (ledger 4.12, 4.14).

mod aim;
pub(crate) mod deploy;
pub(crate) mod deployment;
pub(crate) mod file;
mod moment;
pub(crate) mod purchase;
pub(crate) mod setup;
mod start;
mod upgrade;
pub(crate) mod victory;
