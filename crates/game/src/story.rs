//! Events told in words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::view::View;
use crate::{Event, Fault, Seat, Source, UnitId, total};

/// A system's sentences, from its `story.toml`: `fire = "{who} fires at {whom}: {roll}."`. The key is the event's
/// id, or `id.outcome` for a telling of its own.
///
/// Placeholders: `{who}`, `{whom}`, `{faces}`, `{needed}`, `{made}`, `{outcome}`, `{sum}` (the faces and every
/// modifier with its clause, and the total), and any name in the event's data.
#[derive(Clone, Debug, Default)]
pub struct StoryBook {
    lines: BTreeMap<String, String>,
}

impl StoryBook {
    /// Reads `story.toml`.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        fn flatten(prefix: &str, table: toml::Table, lines: &mut BTreeMap<String, String>) {
            for (key, value) in table {
                let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
                match value {
                    toml::Value::String(text) => {
                        lines.insert(key, text);
                    }
                    toml::Value::Table(inner) => flatten(&key, inner, lines),
                    _ => {}
                }
            }
        }
        let mut lines = BTreeMap::new();
        flatten("", source.parse()?, &mut lines);
        Ok(Self { lines })
    }

    /// The sentence for an event, if there is one.
    pub fn line(&self, event: &Event) -> Option<&str> {
        let outcome = event.outcome.as_deref().unwrap_or_default();
        let own = self.lines.get(&format!("{}.{outcome}", event.what));
        own.or_else(|| self.lines.get(&event.what)).map(String::as_str)
    }
}

/// Who is told.
enum Listener {
    /// The umpire, who knows everything.
    Umpire,
    /// A seat, or a spectator.
    Seat(Option<Seat>),
}

/// Tells events of one battle.
pub struct Story<'a> {
    book: &'a StoryBook,
    names: BTreeMap<UnitId, String>,
    listener: Listener,
}

impl<'a> Story<'a> {
    /// Tells with the names a view gives; everything, secrets included (the umpire's story).
    pub fn new(book: &'a StoryBook, view: &View) -> Self {
        let names = view.units.iter().map(|u| {
            let name = if u.name.is_empty() || u.name == u.id.as_str() {
                u.id.to_string()
            } else {
                format!("{} {}", u.id, u.name)
            };
            (u.id, name)
        });
        Self { book, names: names.collect(), listener: Listener::Umpire }
    }

    /// Only what a seat (or a spectator) may know.
    #[must_use]
    pub fn told_to(mut self, seat: Option<Seat>) -> Self {
        self.listener = Listener::Seat(seat);
        self
    }

    /// An event in a sentence; none if the listener may not know of it.
    pub fn tell(&self, event: &Event) -> Option<String> {
        if matches!(self.listener, Listener::Seat(seat) if !event.known_to(seat)) {
            return None;
        }
        let mut text = match self.book.line(event) {
            Some(line) => self.fill(line, event),
            None => self.plain(event),
        };
        if !event.clauses.is_empty() {
            text.push_str(&format!(" [{}]", event.clauses.join(", ")));
        }
        Some(text)
    }

    fn name(&self, unit: Option<UnitId>) -> String {
        unit.map_or_else(String::new, |u| self.names.get(&u).cloned().unwrap_or_else(|| u.to_string()))
    }

    fn fill(&self, line: &str, event: &Event) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((key, tail)) = after.split_once('}') else {
                text.push('{');
                rest = after;
                continue;
            };
            text.push_str(&self.value(key, event));
            rest = tail;
        }
        text + rest
    }

    fn value(&self, key: &str, event: &Event) -> String {
        match key {
            "who" => self.name(event.who),
            "whom" => self.name(event.whom),
            "faces" => faces(&event.faces),
            "needed" => event.needed.map_or_else(String::new, |n| n.to_string()),
            "made" => event.made.map_or_else(String::new, |n| n.to_string()),
            "outcome" => event.outcome.clone().unwrap_or_default(),
            "sum" => sum(event),
            name => match event.data.get(name) {
                Some(Value::String(text)) => {
                    match text.parse::<UnitId>().ok().filter(|u| self.names.contains_key(u)) {
                        Some(unit) => self.name(Some(unit)),
                        None => text.clone(),
                    }
                }
                Some(Value::Number(n)) => number(n.as_f64().unwrap_or_default()),
                Some(other) => other.to_string(),
                None => format!("{{{name}}}"),
            },
        }
    }

    /// An event without a sentence of its own, told from its parts.
    fn plain(&self, event: &Event) -> String {
        let mut text = format!("{} {}", event.what.replace('_', " "), self.name(event.who));
        if event.whom.is_some() {
            text.push_str(&format!(" → {}", self.name(event.whom)));
        }
        if !event.faces.is_empty() {
            text.push_str(&format!(": {}", sum(event)));
        }
        for (name, value) in &event.data {
            text.push_str(&format!(", {} {value}", name.replace('_', " ")));
        }
        if let Some(outcome) = &event.outcome {
            text.push_str(&format!(": {outcome}"));
        }
        text
    }
}

fn number(n: f64) -> String {
    format!("{n:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn faces(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// `6+5 = 11, −5 casualties [WBK-PIN-06], +1 Discipline [WBK-PIN-07]: 7 against 8`.
fn sum(event: &Event) -> String {
    let mut text = event.faces.iter().map(u8::to_string).collect::<Vec<_>>().join("+");
    let rolled: i32 = event.faces.iter().map(|&f| i32::from(f)).sum();
    if event.faces.len() > 1 {
        text.push_str(&format!(" = {rolled}"));
    }
    for m in &event.modifiers {
        let sign = if m.value < 0 { '−' } else { '+' };
        text.push_str(&format!(", {sign}{} {} [{}]", m.value.abs(), m.reason, m.clause));
    }
    if !event.modifiers.is_empty() {
        text.push_str(&format!(": {}", event.made.unwrap_or(rolled + total(&event.modifiers))));
    }
    if let Some(needed) = event.needed {
        text.push_str(&format!(" against {needed}"));
    }
    text
}
