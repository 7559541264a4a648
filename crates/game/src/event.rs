//! What happened: events with faces, modifiers and clauses. Stories are told from them, never stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::JsonSchema;
use crate::{Seat, UnitId};

/// A number that goes into a total, with its reason and its clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Modifier {
    /// How much.
    pub value: i32,
    /// Why, in a few words.
    pub reason: String,
    /// The clause of the rulebook.
    pub clause: String,
}

impl Modifier {
    /// A modifier under `clause`.
    pub fn new(value: i32, reason: &str, clause: &str) -> Self {
        Self { value, reason: reason.into(), clause: clause.into() }
    }
}

/// The sum of the modifiers: the only place where they are added up.
pub fn total(modifiers: &[Modifier]) -> i32 {
    modifiers.iter().map(|m| m.value).sum()
}

/// One thing that happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Event {
    /// A message id of the system's own: `fire`, `pinning`, `retreat`. The story book tells it in words.
    pub what: String,
    /// How it came out, if that matters for the telling: `passed`, `failed`, `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// To whom: the unit it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<UnitId>,
    /// And the other unit, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whom: Option<UnitId>,
    /// The faces rolled, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<u8>,
    /// What each die needed, or the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<i32>,
    /// What was added to the roll, each with its reason and clause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
    /// The modified total made, or the hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<i32>,
    /// Anything else the telling needs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, Value>,
    /// The clauses applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The seats that may know; empty means everyone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<Seat>,
}

impl Event {
    /// An event under a clause.
    pub fn new(what: &str, clause: &str) -> Self {
        Self { what: what.into(), clauses: vec![clause.into()], ..Self::default() }
    }

    /// The unit it is about.
    #[must_use]
    pub fn who(mut self, unit: UnitId) -> Self {
        self.who = Some(unit);
        self
    }

    /// The other unit.
    #[must_use]
    pub fn whom(mut self, unit: UnitId) -> Self {
        self.whom = Some(unit);
        self
    }

    /// The faces rolled.
    #[must_use]
    pub fn faces(mut self, faces: &[u8]) -> Self {
        self.faces = faces.into();
        self
    }

    /// What was needed.
    #[must_use]
    pub fn needed(mut self, needed: i32) -> Self {
        self.needed = Some(needed);
        self
    }

    /// What was made.
    #[must_use]
    pub fn made(mut self, made: i32) -> Self {
        self.made = Some(made);
        self
    }

    /// How it came out.
    #[must_use]
    pub fn outcome(mut self, outcome: &str) -> Self {
        self.outcome = Some(outcome.into());
        self
    }

    /// What was added.
    #[must_use]
    pub fn modifiers(mut self, modifiers: Vec<Modifier>) -> Self {
        self.modifiers = modifiers;
        self
    }

    /// A further clause.
    #[must_use]
    pub fn clause(mut self, clause: &str) -> Self {
        self.clauses.push(clause.into());
        self
    }

    /// A named fact for the telling.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.into(), value.into());
        self
    }

    /// Only these seats may know.
    #[must_use]
    pub fn only(mut self, seats: &[Seat]) -> Self {
        self.only = seats.into();
        self
    }

    /// What the dice are, as far as faces, need and result tell; none where they are no more than their faces.
    pub fn dice(&self) -> Option<DiceRead> {
        let (needed, made) = (self.needed?, self.made?);
        if self.faces.is_empty() {
            return None;
        }
        let faces = || self.faces.iter().map(|face| i32::from(*face));
        let hits = faces().filter(|face| *face >= needed).count();
        let sum = faces().sum::<i32>() + total(&self.modifiers);
        // Hits are fewer than a sum could be: only where both readings fit is the number of dice asked.
        let each = usize::try_from(made) == Ok(hits) && (made != sum || self.faces.len() > 2);
        Some(if each { DiceRead::Hits } else { DiceRead::Sum })
    }

    /// Whether a seat may know; a spectator (`None`) knows only what everyone does.
    pub fn known_to(&self, seat: Option<Seat>) -> bool {
        self.only.is_empty() || seat.is_some_and(|s| self.only.contains(&s))
    }
}

/// What dice are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiceRead {
    /// Each hits or misses.
    Hits,
    /// Each wards a hit off or does not.
    Saves,
    /// They are added up.
    Sum,
}

/// Where rules write what happened. A log that is off costs nothing: events are not even built.
#[derive(Clone, Debug, Default)]
pub struct Log {
    on: bool,
    events: Vec<Event>,
}

impl Log {
    /// A log that keeps events.
    pub fn on() -> Self {
        Self { on: true, events: Vec::new() }
    }

    /// A log that keeps nothing.
    pub fn off() -> Self {
        Self::default()
    }

    /// Whether anybody listens.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Writes an event, building it only if somebody listens.
    pub fn say(&mut self, event: impl FnOnce() -> Event) {
        if self.on {
            self.events.push(event());
        }
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Drops the events from a place on: an action that could not be carried out has not happened.
    pub(crate) fn forget(&mut self, from: usize) {
        self.events.truncate(from);
    }

    /// Takes the events out.
    pub fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}
