//! `tricorne admin`: what a keeper does to people and games, beside a server that runs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tricorne_server::{Office, OfficeError};

use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;

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
    /// Begin a season: a time whose battles and club evenings are looked at together
    Season {
        /// What it is called
        title: String,
        /// The rule system
        #[arg(long)]
        ruleset: String,
        /// Its first day, as 2026-09-01
        #[arg(long, value_name = "DAY", value_parser = day)]
        from: i64,
        /// Its last day
        #[arg(long, value_name = "DAY", value_parser = day)]
        to: i64,
    },
    /// Forget a season; its evenings stay
    DropSeason {
        /// Its id, as in its link
        id: String,
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
        super::keeping::there(&self.database)?;
        if let What::Export { output: Some(file), .. } = &self.what {
            files::outputs(false, [Some(file.as_path())])?;
        }
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
        What::Season { title, ruleset, from, to } => {
            if !tricorne_shelf::systems().iter().any(|system| system.about().id == ruleset) {
                return Err(Failure::wrong(format!(
                    "there are no rules `{ruleset}`; see `tricorne rulesets`"
                )));
            }
            let id = office.add_season(&title, &ruleset, from, to + DAY).await.map_err(failed)?;
            say(&format!("the season is at /api/seasons/{id}"))
        }
        What::DropSeason { id } => {
            office.drop_season(&id).await.map_err(failed)?;
            say(&format!("the season {id} is forgotten"))
        }
        What::Export { name, output } => {
            let kept = office.export_person(&name).await.map_err(failed)?;
            match output {
                Some(file) => {
                    let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
                    files::write(&file, text.as_bytes())
                }
                None => json(&kept),
            }
        }
    }
}

/// A day, in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

/// When a day begins (UTC), in milliseconds since 1970.
fn day(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is no day; write it as 2026-09-01");
    let mut parts = text.split('-').map(str::parse::<i64>);
    let (Some(Ok(year)), Some(Ok(month)), Some(Ok(date)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(wrong());
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month - 1).ok().and_then(|months| lengths.get(..months));
    let length = usize::try_from(month - 1).ok().and_then(|month| lengths.get(month));
    match (before, length) {
        (Some(before), Some(length)) if (1..=*length).contains(&date) && (1970..=9999).contains(&year) => {
            let leaps = |year: i64| year / 4 - year / 100 + year / 400;
            let years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
            Ok((years + before.iter().sum::<i64>() + date - 1) * DAY)
        }
        _ => Err(wrong()),
    }
}

fn failed(e: OfficeError) -> Failure {
    match e {
        OfficeError::Nobody(_) => Failure::No(e.to_string()),
        other => Failure::wrong(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_where_the_calendar_says() {
        assert_eq!(day("1970-01-01"), Ok(0));
        assert_eq!(day("2000-03-01"), Ok(951_868_800_000));
        assert_eq!(day("2026-11-16"), Ok(1_794_787_200_000));
        for wrong in ["2026-02-29", "2026-13-01", "2026-00-10", "16.11.2026", "2026-11", "1969-01-01", ""] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }
}
