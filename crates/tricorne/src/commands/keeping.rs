//! `tricorne backup`, `tricorne restore` and `tricorne check-games`: everything a server keeps, in one file, and whether a
//! release goes on with it.

use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_server::{CheckedGame, Fate, Office};
use tricorne_store::{Copied, StoreError};

use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;

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
        files::no_dash(&self.output, "a copy is a file of SQLite; name it, as in -o club-copy.db")?;
        there(&self.database)?;
        can_be_made(&self.output)?;
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
        files::no_dash(&self.file, "a copy is a file of SQLite; name it")?;
        if !self.file.is_file() {
            return Err(Failure::wrong(format!("{}: there is no such file", self.file.display())));
        }
        if let Some(file) = sqlite_file(&self.database) {
            can_be_made(&file)?;
        }
        let copied = on_a_runtime(tricorne_store::restore(&self.file, &self.database))?;
        say(&format!("restored: {}", counted(copied)))
    }
}

/// What would become of every game being played, if this release went on with it: run it with the new one before an upgrade
#[derive(Args)]
pub struct CheckGames {
    /// Where the games are kept: sqlite:FILE or postgres://…
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db")]
    database: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl CheckGames {
    /// Plays every game again, in a copy: nothing is changed where it is kept.
    pub fn run(self) -> Outcome {
        there(&self.database)?;
        let copy = std::env::temp_dir().join(format!("tricorne-check-{}.db", std::process::id()));
        let checked = self.checked(&copy);
        for end in ["", "-wal", "-shm"] {
            let mut file = copy.clone().into_os_string();
            file.push(end);
            let _ = std::fs::remove_file(file);
        }
        let checked = checked?;
        if self.json {
            json(&checked)?;
        } else {
            for game in &checked {
                let fate = match game.fate {
                    Fate::GoesOn => "goes on".to_owned(),
                    Fate::GoesOnAnew => format!("goes on, taken over from revision {}", game.revision),
                    Fate::Cannot => format!("can't go on: {}", game.why.as_deref().unwrap_or_default()),
                };
                say(&format!(
                    "{}  {} ({}, {} actions): {fate}",
                    game.id, game.title, game.ruleset, game.actions
                ))?;
            }
        }
        match checked.iter().filter(|game| game.fate == Fate::Cannot).count() {
            0 if self.json => Ok(()),
            0 => say(&format!("{} games are being played, and all of them go on", checked.len())),
            some => {
                Err(Failure::No(format!("{some} of {} games can't go on under this release", checked.len())))
            }
        }
    }

    fn checked(&self, copy: &Path) -> Result<Vec<CheckedGame>, Failure> {
        on_a_runtime(tricorne_store::backup(&self.database, copy))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let office = Office::open(&format!("sqlite:{}", copy.display())).await.map_err(Failure::wrong)?;
            let checked = office.check_games(tricorne_shelf::systems()).await.map_err(Failure::wrong);
            office.close().await;
            checked
        })
    }
}

/// The file of a database, if it is one of SQLite.
fn sqlite_file(database: &str) -> Option<PathBuf> {
    let rest = database.strip_prefix("sqlite:")?;
    let file = rest.strip_prefix("//").unwrap_or(rest).split('?').next().unwrap_or_default();
    (!file.is_empty() && file != ":memory:").then(|| file.into())
}

/// Refuses to look for games in a file that is not there: SQLite would make it.
pub fn there(database: &str) -> Outcome {
    match sqlite_file(database) {
        Some(file) if !file.exists() => Err(Failure::wrong(format!(
            "{}: there is no such file; say where the games are kept with --database sqlite:FILE or postgres://…",
            file.display()
        ))),
        _ => Ok(()),
    }
}

/// Whether a new file can be made there.
fn can_be_made(file: &Path) -> Outcome {
    if file.exists() {
        return Err(Failure::wrong(format!("{}: is there already; name a new file", file.display())));
    }
    files::can_be_written(file)
}

fn counted(Copied { games, actions, users }: Copied) -> String {
    format!("{games} games with {actions} actions, {users} names")
}

fn on_a_runtime<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work).map_err(Failure::wrong)
}
