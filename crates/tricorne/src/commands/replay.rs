//! `tricorne replay`: a journal played again, every hash verified.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tricorne_game::HeldHeadings;

use super::battle::told;
use super::{LogKind, json, say, tell};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// Play a journal again and verify every hash.
#[derive(Args)]
pub struct Replay {
    /// The journal (`-` reads it from standard input)
    file: PathBuf,
    /// How much is told
    #[arg(long, value_enum, default_value = "none")]
    log: LogKind,
    /// Stop after so many actions
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Keep what can be read of a journal that was cut off
    #[arg(long)]
    salvage: bool,
    /// The result as JSON, and nothing else on stdout
    #[arg(long)]
    json: bool,
}

impl Replay {
    /// Plays it.
    pub fn run(self) -> Outcome {
        let (system, journal) = load::journal(&self.file, self.salvage)?;
        if let Some(at) = self.at.filter(|&at| at > journal.entries.len()) {
            return Err(Failure::wrong(format!(
                "--at {at}: the journal has {} actions",
                journal.entries.len()
            )));
        }
        let umpire = journal.replay(system, self.at).map_err(|e| match Failure::from(e) {
            Failure::No(why) => Failure::No(format!("{}: {why}", files::name(&self.file))),
            other => other,
        })?;
        let log = if self.json { LogKind::None } else { self.log };
        let mut held = HeldHeadings::default();
        tell(&umpire, umpire.prologue(), log, &mut held)?;
        for turned in umpire.turned() {
            tell(&umpire, &turned.events, log, &mut held)?;
        }
        let (actions, hash) = (umpire.turned().len(), umpire.battle().hash());
        let ending = umpire.ending();
        if self.json {
            return json(
                &json!({ "verified": journal.is_of(system), "actions": actions, "hash": hash, "ending": ending }),
            );
        }
        if let Some(ending) = ending {
            say(&told(&ending, &umpire, log))?;
        }
        if !journal.is_of(system) {
            let (then, now) = (journal.header.revision, system.about().revision);
            return say(&format!(
                "played, not verified: {actions} actions, all legal; it was written under revision {then} of the rules, \
                 these are revision {now}, so its hashes cannot be compared"
            ));
        }
        say(&format!("verified: {actions} actions, final hash {hash}"))
    }
}
