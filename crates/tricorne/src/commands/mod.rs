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

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use tricorne_agents::{Budget, Level};
use tricorne_game::{Event, HeldHeadings, Seat, Story, Umpire};

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
        files::remark(text);
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").map_err(files::unsaid)
}

/// Prints a value as JSON and nothing else.
pub fn json(value: &impl Serialize) -> Outcome {
    say(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// How a result is told: `--json` prints it alone, so what else is asked for is refused.
pub fn log_kind(json: bool, log: Option<LogKind>, usual: LogKind) -> Result<LogKind, Failure> {
    match log {
        Some(LogKind::Story | LogKind::Events) if json => {
            Err(Failure::wrong("--json prints the result and nothing else; leave out --json or --log"))
        }
        _ if json => Ok(LogKind::None),
        log => Ok(log.unwrap_or(usual)),
    }
}

/// A battle as it is told, event by event.
pub struct Teller {
    log: LogKind,
    /// Headings that nothing stands under so far.
    pub held: HeldHeadings,
    /// Why a subaltern answered last in the place of whom.
    stood_in: BTreeMap<Vec<Seat>, String>,
}

impl Teller {
    /// One that tells in the way asked for.
    pub fn new(log: LogKind) -> Self {
        Self { log, held: HeldHeadings::default(), stood_in: BTreeMap::new() }
    }

    /// Tells events.
    pub fn tell(&mut self, umpire: &Umpire, events: &[Event]) -> Outcome {
        match self.log {
            LogKind::None => Ok(()),
            LogKind::Story => {
                let story = Story::of(umpire.system().stories(), umpire.battle());
                let news: Vec<&Event> = events.iter().filter(|event| self.is_news(event)).collect();
                story.tell_on(news, &mut self.held).iter().try_for_each(|line| say(line))
            }
            LogKind::Events => {
                events.iter().try_for_each(|e| say(&serde_json::to_string(e).unwrap_or_default()))
            }
        }
    }

    /// A program that is asked no more has a subaltern answer for it hundreds of times, which is told once.
    fn is_news(&mut self, event: &Event) -> bool {
        let why = event.data.get("why").and_then(serde_json::Value::as_str);
        match why.filter(|_| event.what == "stood_in") {
            Some(why) => self.stood_in.insert(event.only.clone(), why.to_owned()).as_deref() != Some(why),
            None => true,
        }
    }
}

/// What is set when somebody presses Ctrl-C. Pressed twice, the program ends without waiting for what it is about.
pub fn until_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(Failure::wrong)?;
    Ok(stop)
}

/// How often a subaltern answered in the place of a program that gave no answer that counts.
pub fn tell_stood_in<P: std::fmt::Display>(times: impl IntoIterator<Item = (P, u64)>) -> Outcome {
    times.into_iter().filter(|(_, times)| *times > 0).try_for_each(|(player, times)| {
        say(&format!("a subaltern answered in the place of {player} {times} times"))
    })
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
