//! Journals: the scenario, the choices, the seed and every action, with a hash of the state after each.
//!
//! A journal is JSON lines: a header, a line an action, and an end line with a digest of all before it. It holds
//! the whole scenario text, so it replays on a machine that has never seen the file. See `docs/journals.md` for the
//! format and how journals of older formats are read.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::{Seed, Seeded};

use crate::source::unread;
use crate::{About, AnySystem, Choices, Ending, Fault, Refusal, Seat, Source, StateHash, Umpire};

/// The journal format this program writes.
pub const FORMAT: u32 = 2;

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The journal format.
    pub format: u32,
    /// The rule system's id.
    pub ruleset: String,
    /// The revision of its rules.
    pub revision: u32,
    /// The scenario file's name.
    pub scenario_name: String,
    /// The scenario, as its TOML text.
    pub scenario_text: String,
    /// Options and data files of the players' own.
    #[serde(default)]
    pub choices: Choices,
    /// The seed of every die and card, up to the first of `reseeds`.
    pub seed: Seed,
    /// Seeds that the dice and cards were taken from later, in order. A battle that goes on where another was left has
    /// the other's actions and seed, and dice of its own from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reseeds: Vec<Reseed>,
    /// Who played each seat, if known.
    #[serde(default)]
    pub players: Vec<String>,
    /// The state before the first action.
    pub start: StateHash,
}

impl Header {
    /// A header for a battle about to be fought.
    pub fn new(about: About, scenario: &Source, choices: &Choices, seed: Seed, start: StateHash) -> Self {
        Self {
            format: FORMAT,
            ruleset: about.id.into(),
            revision: about.revision,
            scenario_name: scenario.name.clone(),
            scenario_text: scenario.text.clone(),
            choices: choices.clone(),
            seed,
            reseeds: Vec::new(),
            players: Vec::new(),
            start,
        }
    }

    /// The scenario as a file.
    pub fn scenario(&self) -> Source {
        Source::new(self.scenario_name.clone(), self.scenario_text.clone())
    }

    /// The seed of the dice to come after the last action: the one that must be kept secret until the end.
    pub fn last_seed(&self) -> Seed {
        self.reseeds.last().map_or(self.seed, |r| r.seed)
    }

    /// New dice, if they are taken from another seed after so many actions.
    pub(crate) fn chance_after(&self, actions: usize) -> Option<Seeded> {
        self.reseeds.iter().rfind(|r| r.after == actions).map(|r| Seeded::new(r.seed))
    }

    /// Whether each reseed comes after the one before it and none after the last of so many actions.
    fn check_reseeds(&self, actions: usize) -> Result<(), JournalError> {
        let wrong = self.reseeds.windows(2).any(|pair| pair[0].after >= pair[1].after)
            || self.reseeds.iter().any(|r| r.after > actions);
        if wrong {
            Err(JournalError::Altered(format!(
                "its reseeds do not follow one another within its {actions} actions"
            )))
        } else {
            Ok(())
        }
    }
}

/// Where the dice and cards begin to come from another seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reseed {
    /// After how many actions.
    pub after: usize,
    /// The seed.
    pub seed: Seed,
}

/// One action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Who decided.
    pub seat: Seat,
    /// What.
    pub action: Value,
    /// The state afterwards.
    pub hash: StateHash,
    /// Why somebody else answered for the player of that seat; see [`Umpire::act_for`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How the players ended a battle that the rules would have let go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreed {
    /// A draw: it was offered and accepted.
    Draw,
}

impl Agreed {
    /// As an ending. No clause of a rulebook brought it about.
    pub fn ending(self) -> Ending {
        match self {
            Agreed::Draw => Ending {
                winner: None,
                grade: "draw".into(),
                reason: "a draw was offered and accepted".into(),
                scores: Vec::new(),
                clause: String::new(),
            },
        }
    }
}

#[derive(Serialize, Deserialize)]
struct End {
    /// How many actions.
    actions: usize,
    /// BLAKE3 of every byte before this line.
    digest: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Tricorne(Box<Header>),
    Do(Entry),
    Agreed(Agreed),
    End(End),
}

/// A battle written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// What was fought.
    pub header: Header,
    /// What was done.
    pub entries: Vec<Entry>,
    /// What the players agreed on after it, if that ended the battle.
    pub agreed: Option<Agreed>,
}

/// What is wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalError {
    /// It stops before its end: so many whole actions are there.
    Truncated {
        /// Whole actions before the cut.
        actions: usize,
    },
    /// It is no journal, or one of a format this program does not know.
    Unreadable(String),
    /// Its bytes are not those that were written.
    Altered(String),
    /// Playing it again gives something else.
    Differs {
        /// The action, from 1; 0 is the set-up.
        action: usize,
        /// What is different.
        why: String,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Truncated { actions } => write!(
                f,
                "the journal is cut off after {actions} whole actions: its end line is missing; get the whole file, or \
                 keep what there is with `tricorne replay FILE --salvage -o KEPT`"
            ),
            JournalError::Unreadable(why) => write!(f, "not a journal that this program reads: {why}"),
            JournalError::Altered(why) => write!(f, "the journal does not verify: {why}"),
            JournalError::Differs { action, why } => {
                write!(f, "the journal does not verify: at action {action}, {why}")
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// The journal as JSON lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut push = |line: Line| {
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
        };
        push(Line::Tricorne(Box::new(self.header.clone())));
        for entry in &self.entries {
            push(Line::Do(entry.clone()));
        }
        if let Some(agreed) = self.agreed {
            push(Line::Agreed(agreed));
        }
        let end = End { actions: self.entries.len(), digest: blake3::hash(text.as_bytes()).to_string() };
        text.push_str(&serde_json::to_string(&Line::End(end)).unwrap_or_default());
        text.push('\n');
        text
    }

    /// Reads a journal and checks its digest.
    pub fn read(bytes: &[u8]) -> Result<Self, JournalError> {
        let bytes = &*as_written(bytes);
        let Some((body, end)) = split_end(bytes)? else {
            let text = String::from_utf8_lossy(bytes);
            let lines: Vec<&str> = text.lines().collect();
            if !lines.first().is_some_and(|l| l.starts_with("{\"tricorne\"")) {
                return Err(JournalError::Unreadable("it does not start with a Tricorne header line".into()));
            }
            let whole = lines.iter().filter(|l| matches!(serde_json::from_str(l), Ok(Line::Do(_)))).count();
            return Err(JournalError::Truncated { actions: whole });
        };
        if blake3::hash(body).to_string() != end.digest {
            return Err(JournalError::Altered(
                "its digest does not match its text; some byte was changed (what holds of it can be kept with `tricorne \
                 replay FILE --salvage -o KEPT`)"
                    .into(),
            ));
        }
        let Self { header, entries, agreed } = read_lines(body)?;
        if entries.len() != end.actions {
            return Err(JournalError::Altered(format!(
                "{} actions where the end line says {}",
                entries.len(),
                end.actions
            )));
        }
        header.check_reseeds(entries.len())?;
        Ok(Self { header, entries, agreed })
    }

    /// What can be read of a journal that is cut off or was changed, and what is wrong with it, if anything is: the header
    /// and every action before the first that can't be read. Playing them tells which of them still hold.
    pub fn salvage(bytes: &[u8]) -> Result<(Self, Option<JournalError>), JournalError> {
        let bytes = &*as_written(bytes);
        let wrong = match Self::read(bytes) {
            Ok(whole) => return Ok((whole, None)),
            Err(wrong) => wrong,
        };
        let mut lines = Lines::default();
        let mut text = bytes;
        while let Some(end) = text.iter().position(|&b| b == b'\n') {
            if lines.add(&text[..end]).is_err() {
                break;
            }
            text = &text[end + 1..];
        }
        let Ok(mut read) = lines.journal() else { return Err(wrong) };
        read.keep(read.entries.len());
        read.header.check_reseeds(read.entries.len())?;
        Ok((read, Some(wrong)))
    }

    /// Keeps so many of its actions; what was agreed after the last one goes with it.
    pub fn keep(&mut self, actions: usize) {
        if actions < self.entries.len() {
            self.entries.truncate(actions);
            self.agreed = None;
        }
        self.header.reseeds.retain(|r| r.after <= self.entries.len());
    }

    /// Whether its hashes are those of the rules as this program has them. Between revisions the state may have another
    /// form, so hashes say nothing; what can be said is whether every action is still legal.
    pub fn is_of(&self, system: &dyn AnySystem) -> bool {
        self.header.revision == system.about().revision
    }

    /// Plays the journal again, up to `upto` actions. Every hash is verified, unless the journal [is
    /// of](Journal::is_of) another revision of the rules: then every action must be legal.
    pub fn replay(
        &self,
        system: &'static dyn AnySystem,
        upto: Option<usize>,
    ) -> Result<Umpire, JournalError> {
        let differs = |action, why: String| JournalError::Differs { action, why };
        let upto = upto.unwrap_or(usize::MAX);
        let mut header = self.header.clone();
        // Whoever goes on from there must not run into dice that are known.
        header.reseeds.retain(|r| r.after <= upto);
        let mut umpire =
            Umpire::begin_again(system, &header).map_err(|fault: Fault| differs(0, fault.to_string()))?;
        let made_by = || {
            let now = system.about().revision;
            if now == self.header.revision {
                String::new()
            } else {
                format!(" (written under revision {} of the rules, played under {now})", self.header.revision)
            }
        };
        let hashed = self.is_of(system);
        let start = umpire.battle().hash();
        if hashed && start != self.header.start {
            return Err(differs(0, format!("the set-up hashes to {start} instead of {}", self.header.start)));
        }
        for (i, entry) in self.entries.iter().enumerate().take(upto) {
            let done = match &entry.note {
                None => umpire.act(entry.seat, &entry.action),
                Some(note) => umpire.act_for(entry.seat, &entry.action, note),
            };
            let turned = done.map_err(|refusal: Refusal| {
                differs(i + 1, format!("{} is refused: {refusal}{}", entry.action, made_by()))
            })?;
            if hashed && turned.hash != entry.hash {
                let why = format!("the state hashes to {} instead of {}", turned.hash, entry.hash);
                return Err(differs(i + 1, why));
            }
        }
        if let Some(agreed) = self.agreed.filter(|_| upto >= self.entries.len()) {
            umpire.agree(agreed).map_err(|refusal| {
                differs(self.entries.len(), format!("what was agreed is refused: {refusal}"))
            })?;
        }
        Ok(umpire)
    }
}

/// Splits off the end line; `None` if the file stops before one. A file that was cut stops inside a line or after a
/// whole action; anything else at the end is a changed byte.
fn split_end(bytes: &[u8]) -> Result<Option<(&[u8], End)>, JournalError> {
    // Quotes are escaped everywhere else, so the marker can only be the end line's.
    const MARK: &[u8] = b"{\"end\":";
    if let Some(start) = bytes.windows(MARK.len()).rposition(|w| w == MARK) {
        let (body, last) = bytes.split_at(start);
        let mut values = serde_json::Deserializer::from_slice(last).into_iter::<Line>();
        return match values.next() {
            Some(Ok(Line::End(end))) => match &last[values.byte_offset()..] {
                b"\n" => Ok(Some((body, end))),
                b"" => Ok(None),
                _ => Err(JournalError::Altered("something stands after its end line".into())),
            },
            Some(Err(e)) if e.is_eof() => Ok(None),
            Some(Err(e)) => Err(altered_or_foreign(bytes, &e)),
            Some(Ok(_)) | None => Ok(None),
        };
    }
    let Some(whole) = bytes.strip_suffix(b"\n") else { return Ok(None) };
    let last = whole.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    match serde_json::from_slice::<Line>(last) {
        Ok(_) => Ok(None),
        Err(e) => Err(altered_or_foreign(bytes, &e)),
    }
}

fn altered_or_foreign(bytes: &[u8], e: &serde_json::Error) -> JournalError {
    if bytes.starts_with(b"{\"tricorne\"") {
        JournalError::Altered(format!("its last line can't be read: {}", unread(e)))
    } else {
        JournalError::Unreadable("it does not start with a Tricorne header line".into())
    }
}

/// The bytes as they were written: a file that was mailed may have been given a mark before its first letter, and other ends
/// of its lines. No line of a journal has either, so that nothing else goes with them.
fn as_written(bytes: &[u8]) -> Cow<'_, [u8]> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.windows(2).any(|pair| pair == b"\r\n") {
        bytes.iter().copied().filter(|&b| b != b'\r').collect()
    } else {
        bytes.into()
    }
}

/// What has been read so far.
#[derive(Default)]
struct Lines {
    read: usize,
    header: Option<Header>,
    entries: Vec<Entry>,
    agreed: Option<Agreed>,
}

impl Lines {
    fn add(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let first = self.read == 0;
        self.read += 1;
        if line.is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(line).map_err(|e| self.unreadable(unread(&e)))?;
        let value = if first { upgrade(value)? } else { value };
        match serde_json::from_value(value).map_err(|e| self.unreadable(unread(&e)))? {
            Line::Tricorne(_) if self.header.is_some() => Err(self.unreadable("a second header".into())),
            Line::Tricorne(header) => {
                self.header = Some(*header);
                Ok(())
            }
            Line::Do(_) if self.agreed.is_some() => {
                Err(self.unreadable("an action after the battle was ended by agreement".into()))
            }
            Line::Do(entry) => {
                self.entries.push(entry);
                Ok(())
            }
            Line::Agreed(how) => {
                self.agreed = Some(how);
                Ok(())
            }
            Line::End(_) => Ok(()),
        }
    }

    fn unreadable(&self, why: String) -> JournalError {
        JournalError::Unreadable(format!("line {}: {why}", self.read))
    }

    fn journal(self) -> Result<Journal, JournalError> {
        let Self { header, entries, agreed, .. } = self;
        let missing = || JournalError::Unreadable("line 1: the header line is missing".into());
        Ok(Journal { header: header.ok_or_else(missing)?, entries, agreed })
    }
}

fn read_lines(body: &[u8]) -> Result<Journal, JournalError> {
    let mut lines = Lines::default();
    body.split(|&b| b == b'\n').try_for_each(|line| lines.add(line))?;
    lines.journal()
}

/// Brings the header of an older format up to date. Format 1 had no reseeds; that they may be missing is all there is
/// to the step from 1 to 2.
fn upgrade(mut header: Value) -> Result<Value, JournalError> {
    let format = header.pointer("/tricorne/format").and_then(Value::as_u64);
    match format {
        Some(f) if f == u64::from(FORMAT) => Ok(header),
        Some(1) => {
            header["tricorne"]["format"] = FORMAT.into();
            Ok(header)
        }
        Some(f) => Err(JournalError::Unreadable(format!(
            "it is of format {f}, this program reads up to {FORMAT}; use a newer Tricorne"
        ))),
        None => Err(JournalError::Unreadable("its header has no format number".into())),
    }
}
