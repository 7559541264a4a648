//! The sentences of a system, as its `story.toml` has them.

use std::collections::BTreeMap;

use crate::{Event, Fault, Place, Source};

/// A system's sentences, from its `story.toml`: `fire = "{who} fires at {whom}: {pool}."`. The key is the event's
/// id, or `id.outcome` for a telling of its own. An empty sentence is not told, nor one of which nothing is left because what
/// it was about is not there (`{?because They halted {because}.}`).
///
/// Placeholders:
///
/// | written | told |
/// |---|---|
/// | `{who}`, `{whom}` | the units, by name |
/// | `{faces}`, `{needed}`, `{made}`, `{outcome}` | as they are |
/// | `{least}` | what each die needed: `4+`, and `6` where nothing is above it |
/// | `{sum}` | dice added up: the faces and every modifier with its clause, the total, what was needed |
/// | `{pool}` | dice that hit or miss: why so many, the faces, what each needed, the hits |
/// | `{aimed}` | the same where the modifiers are of what each needed; why so many is `dice_why` of the event's data |
/// | `{saves}` | the same of dice that ward hits off |
/// | `{distance}` | anything in the event's data: a number to a tenth, a unit by name |
/// | `{losses man\|men}` | a number with its noun: `no men`, `one man`, `five men`, `14 men` |
/// | `{losses =falls\|fall}` | only the form that agrees with the number |
/// | `{facing as compass}` | degrees clockwise from north as a point of the compass: `south-east` |
/// | `{?cost , at a cost of {cost}}` | the text, if there is such a thing and it is neither nothing nor none |
/// | `{~; {hits hit\|hits} to a man}` | the text, which is of the dice: where they are not told, nor is it |
///
/// Two lists stand beside the sentences: `headings`, events that only announce what comes, the weightiest first, and
/// `notable`, events (or `id.outcome`) that whoever tells of a whole battle would not leave out.
#[derive(Clone, Debug, Default)]
pub struct StoryBook {
    pub(super) lines: BTreeMap<String, String>,
    /// Events that only announce what comes, the weightiest first (`headings = ["turn", "phase"]` in the file).
    pub(super) headings: Vec<String>,
    /// Events that are worth telling again (`notable = ["rout", "pinning.failed"]`).
    pub(super) notable: Vec<String>,
}

impl StoryBook {
    /// Reads `story.toml`.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        fn flatten(
            prefix: &str,
            table: toml::Table,
            lines: &mut BTreeMap<String, String>,
        ) -> Result<(), String> {
            for (key, value) in table {
                let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
                match value {
                    toml::Value::String(text) => {
                        lines.insert(key, text);
                    }
                    toml::Value::Table(inner) => flatten(&key, inner, lines)?,
                    _ => return Err(key),
                }
            }
            Ok(())
        }
        let mut table = source.table()?;
        let (headings, notable) =
            (taken(source, &mut table, "headings")?, taken(source, &mut table, "notable")?);
        let mut lines = BTreeMap::new();
        flatten("", table, &mut lines).map_err(|key| {
            let place: Vec<Place> = key.split('.').map(Place::from).collect();
            source.fault(&place, "must be a sentence in quotes")
        })?;
        let told = |what: &str| {
            lines.contains_key(what) || lines.keys().any(|key| key.starts_with(&format!("{what}.")))
        };
        for (list, names) in [("headings", &headings), ("notable", &notable)] {
            if let Some(what) = names.iter().find(|what| !told(what.split('.').next().unwrap_or_default())) {
                return Err(source.fault(
                    &[list.into()],
                    format!("no sentence tells `{what}`; write one, or leave it out"),
                ));
            }
        }
        Ok(Self { lines, headings, notable })
    }

    /// Whether an event is worth telling again.
    pub(super) fn is_notable(&self, event: &Event) -> bool {
        let outcome = event.outcome.as_deref().unwrap_or_default();
        self.notable.iter().any(|what| match what.split_once('.') {
            Some((what, came)) => *what == event.what && came == outcome,
            None => *what == event.what,
        })
    }

    /// How weighty a heading is, the lower the weightier; none if the event is none.
    pub(super) fn heading(&self, event: &Event) -> Option<usize> {
        self.headings.iter().position(|what| *what == event.what)
    }

    /// The sentence for an event, if there is one.
    pub fn line(&self, event: &Event) -> Option<&str> {
        let outcome = event.outcome.as_deref().unwrap_or_default();
        let own = self.lines.get(&format!("{}.{outcome}", event.what));
        let own = own.or_else(|| self.lines.get(&event.what)).map(String::as_str);
        own.or_else(|| (event.what == crate::umpire::STOOD_IN).then_some("the program {why}"))
    }
}

/// The names in one of the lists beside the sentences.
fn taken(source: &Source, table: &mut toml::Table, list: &str) -> Result<Vec<String>, Fault> {
    let fault = || source.fault(&[list.into()], "must be a list of events by name, as [\"turn\", \"phase\"]");
    match table.remove(list) {
        None => Ok(Vec::new()),
        Some(toml::Value::Array(names)) => {
            names.iter().map(|name| name.as_str().map(str::to_owned).ok_or_else(fault)).collect()
        }
        Some(_) => Err(fault()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_events_that_nobody_tells_is_a_fault() {
        for text in ["notable = ['rout']\nfire = 'Fire.'", "headings = 'turn'\nturn = 'Turn.'"] {
            let fault = StoryBook::read(&Source::new("story.toml", text)).unwrap_err().to_string();
            assert!(fault.contains("story.toml"), "{fault}");
        }
    }
}
