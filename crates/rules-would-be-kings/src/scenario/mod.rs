//! Scenarios (WBK-SCEN): the file, setting a battle up from it, free deployment.

pub mod deployment;
pub mod setup;
pub mod survey;
mod upgrade;
pub mod words;
