//! One module a command.

pub mod admin;
pub mod army;
pub mod battle;
pub mod case;
pub mod doctor;
pub mod engine;
pub mod keeping;
pub mod lab;
pub mod lists;
pub mod odds;
pub mod picture;
pub mod replay;
pub mod rules;
pub mod serve;
pub mod sheet;
pub mod shell;
pub mod terrain;
pub mod watch;

use std::io::Write;

use serde::Serialize;
use tricorne_game::{Event, Story, Umpire};

use crate::failure::Outcome;
use crate::files;

/// How much of a battle is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogKind {
    /// Only the result
    None,
    /// Sentences with every die and clause
    #[default]
    Story,
    /// One JSON object an event
    Events,
}

/// Prints to stdout, or to stderr where stdout carries a file; a closed pipe is no fault.
pub fn say(text: &str) -> Outcome {
    if files::aside() {
        eprintln!("{text}");
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(())
}

/// Prints a value as JSON and nothing else.
pub fn json(value: &impl Serialize) -> Outcome {
    say(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// Tells events in the way asked for.
pub fn tell(umpire: &Umpire, events: &[Event], log: LogKind) -> Outcome {
    match log {
        LogKind::None => Ok(()),
        LogKind::Story => {
            let view = umpire.battle().view(None);
            let story = Story::new(umpire.system().stories(), &view);
            story.tell_all(events).iter().try_for_each(|(_, line)| say(line))
        }
        LogKind::Events => events.iter().try_for_each(|e| say(&serde_json::to_string(e).unwrap_or_default())),
    }
}
