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
pub mod think;
pub mod watch;

use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use tricorne_agents::{Budget, Level};
use tricorne_game::{Event, HeldHeadings, Story, Umpire};

use crate::failure::{Failure, Outcome};
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
pub fn tell(umpire: &Umpire, events: &[Event], log: LogKind, held: &mut HeldHeadings) -> Outcome {
    match log {
        LogKind::None => Ok(()),
        LogKind::Story => {
            let story = Story::of(umpire.system().stories(), umpire.battle());
            story.tell_on(events, held).iter().try_for_each(|line| say(line))
        }
        LogKind::Events => events.iter().try_for_each(|e| say(&serde_json::to_string(e).unwrap_or_default())),
    }
}

/// A clock for each decision: `500ms`, `5s`.
pub fn clock(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(Budget::Time(time)) => Ok(time),
        _ => Err(format!("`{text}` is no time; write 500ms, 5s or the like")),
    }
}

/// Players as they go to a battle: those of somebody else's by this clock, and started once to see whether they can be.
/// What they write to stderr is `heard` where one battle is watched, not where many are fought.
pub fn ready_players(players: &[Level], clock: Duration, heard: bool) -> Result<Vec<Level>, Failure> {
    let ready = |level: &Level| match level.by_clock(clock) {
        Level::Outside(outsider) => {
            outsider.try_out().map_err(|why| Failure::wrong(format!("{outsider}: {why}")))?;
            Ok(Level::Outside(if heard { outsider.heard() } else { outsider }))
        }
        ours => Ok(ours),
    };
    players.iter().map(ready).collect()
}
