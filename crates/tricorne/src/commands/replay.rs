//! `tricorne replay`: a journal played again, every hash verified.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tricorne_game::journal::Journal;
use tricorne_game::{AnySystem, Umpire};

use super::battle::told;
use super::{LogKind, Teller, json, log_kind, say};
use crate::failure::Outcome;
use crate::{files, load};

/// Play a journal again and verify every hash.
#[derive(Args)]
pub struct Replay {
    /// The journal (`-` reads it from standard input)
    file: PathBuf,
    /// How much is told; only the result if not said
    #[arg(long, value_enum)]
    log: Option<LogKind>,
    /// Stop after so many actions
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Play what can be read of a journal that was cut off or changed, as far as it holds; with -o it is kept
    #[arg(long)]
    salvage: bool,
    /// Write what was played as a whole journal (`-`: standard output, and what is told to stderr)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The result as JSON, and nothing else on stdout
    #[arg(long)]
    json: bool,
}

impl Replay {
    /// Plays it.
    pub fn run(self) -> Outcome {
        let log = log_kind(self.json, self.log, LogKind::None)?;
        files::outputs(self.json, [self.output.as_deref()])?;
        if let Some(path) = &self.output {
            files::can_take_a_journal(path)?;
        }
        let (system, journal, lost) = if self.salvage {
            load::salvaged(&self.file)?
        } else {
            load::journal(&self.file).map(|(system, journal)| (system, journal, None))?
        };
        load::within(&journal, self.at)?;
        let umpire = journal.replay(system, self.at).map_err(|e| load::of_file(&self.file, e))?;
        let told = self.told(system, &journal, &umpire, log, lost);
        if let Some(path) = &self.output {
            let mut kept = journal;
            kept.keep(umpire.turned().len());
            files::write(path, kept.to_text().as_bytes())?;
        }
        told
    }

    fn told(
        &self,
        system: &dyn AnySystem,
        journal: &Journal,
        umpire: &Umpire,
        log: LogKind,
        lost: Option<String>,
    ) -> Outcome {
        let mut teller = Teller::new(log);
        teller.tell(umpire, umpire.prologue())?;
        for turned in umpire.turned() {
            teller.tell(umpire, &turned.events)?;
        }
        let (actions, hash) = (umpire.turned().len(), umpire.battle().hash());
        let ending = umpire.ending();
        if self.json {
            return json(&json!({
                "verified": journal.is_of(system),
                "actions": actions,
                "hash": hash,
                "ending": ending,
                "lost": lost,
            }));
        }
        if let Some(lost) = lost {
            let kept =
                if self.output.is_some() { "" } else { "; -o FILE writes what holds as a whole journal" };
            say(&format!("not whole: {lost}{kept}"))?;
        }
        if let Some(ending) = ending {
            say(&told(&ending, umpire, log))?;
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
