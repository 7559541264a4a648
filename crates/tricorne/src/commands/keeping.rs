//! `tricorne backup` and `tricorne restore`: everything a server keeps, in one file.

use std::path::PathBuf;

use clap::Args;
use tricorne_store::{Copied, StoreError};

use super::say;
use crate::failure::{Failure, Outcome};

/// Copy everything a server keeps into one file; it may go on serving meanwhile
#[derive(Args)]
pub struct Backup {
    /// Where the games are kept: sqlite:FILE or postgres://…
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db")]
    database: String,
    /// The file to make; it must not be there yet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Backup {
    /// Makes the copy.
    pub fn run(self) -> Outcome {
        let copied = on_a_runtime(tricorne_store::backup(&self.database, &self.output))?;
        say(&format!("{} is complete: {}", self.output.display(), counted(copied)))
    }
}

/// Put a copy made by `tricorne backup` into an empty database, SQLite or PostgreSQL
#[derive(Args)]
pub struct Restore {
    /// The copy
    file: PathBuf,
    /// Where it goes: sqlite:FILE (not there yet) or postgres://… (no games in it)
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db")]
    database: String,
}

impl Restore {
    /// Puts the copy in place.
    pub fn run(self) -> Outcome {
        let copied = on_a_runtime(tricorne_store::restore(&self.file, &self.database))?;
        say(&format!("restored: {}", counted(copied)))
    }
}

fn counted(Copied { games, actions, users }: Copied) -> String {
    format!("{games} games with {actions} actions, {users} names")
}

fn on_a_runtime<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work).map_err(Failure::wrong)
}
