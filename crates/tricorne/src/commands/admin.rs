//! `tricorne admin`: what a keeper does to people and games, beside a server that runs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tricorne_server::{Office, OfficeError};

use super::{json, say};
use crate::failure::{Failure, Outcome};

/// Keep a club's server in order: tables closed, people banned, passwords given anew, data exported or deleted
#[derive(Args)]
pub struct Admin {
    /// Where the games are kept: sqlite:FILE or postgres://…
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db", global = true)]
    database: String,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Close a table: nothing more is played at it
    Close {
        /// The game's id, as in its link
        game: String,
    },
    /// Ban a person: they are logged out and can't log in
    Ban {
        /// Their name
        name: String,
    },
    /// Let a banned person in again
    Unban {
        /// Their name
        name: String,
    },
    /// Give a person a new password, told here once; they are logged out everywhere
    ResetPassword {
        /// Their name
        name: String,
    },
    /// Delete a person: name, password, sessions, what they said; their battles stay without their name
    Delete {
        /// Their name
        name: String,
    },
    /// Everything that is kept about a person, as JSON
    Export {
        /// Their name
        name: String,
        /// The file to write; without it, to the terminal
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl Admin {
    /// Does it.
    pub fn run(self) -> Outcome {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let office = Office::open(&self.database).await.map_err(failed)?;
            let done = work(&office, self.what).await;
            office.close().await;
            done
        })
    }
}

async fn work(office: &Office, what: What) -> Outcome {
    match what {
        What::Close { game } => {
            office.close_game(&game).await.map_err(failed)?;
            say(&format!("{game} is closed"))
        }
        What::Ban { name } => {
            office.ban(&name, true).await.map_err(failed)?;
            say(&format!("{name} is banned"))
        }
        What::Unban { name } => {
            office.ban(&name, false).await.map_err(failed)?;
            say(&format!("{name} may come again"))
        }
        What::ResetPassword { name } => {
            let password = office.reset_password(&name).await.map_err(failed)?;
            say(&format!("the password of {name} is now: {password}"))
        }
        What::Delete { name } => {
            office.delete_person(&name).await.map_err(failed)?;
            say(&format!("{name} is deleted"))
        }
        What::Export { name, output } => {
            let kept = office.export_person(&name).await.map_err(failed)?;
            match output {
                Some(file) => {
                    let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
                    std::fs::write(&file, text)
                        .map_err(|e| Failure::wrong(format!("{}: {e}", file.display())))
                }
                None => json(&kept),
            }
        }
    }
}

fn failed(e: OfficeError) -> Failure {
    match e {
        OfficeError::Nobody(_) => Failure::No(e.to_string()),
        other => Failure::wrong(other),
    }
}
