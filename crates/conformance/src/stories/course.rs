//! What a reader stumbles over only because he remembers what he read before: the dead that act, and news told twice.

use std::collections::{BTreeMap, BTreeSet};

use tricorne_game::view::UnitView;
use tricorne_game::{Event, UnitId};

/// Sentences that are the last to be told of troops.
const LAST_WORDS: [&str; 10] = [
    "Nothing was left of",
    "nobody was left",
    "had nobody left",
    "fell to the last man",
    "broke and left the table",
    "broke up and vanished",
    "broke and ran for good",
    "destroyed each other",
    "fell into the enemy's hands",
    "surrendered",
];

/// News in the forms it is told in, `#` for a number. What is told in one form is not told in another in the same action:
/// two losses are two, but a loss and "a loss of two" are one.
const NEWS: [(&str, &[&str]); 7] = [
    ("a disorder", &["fell into disorder", " Disorder."]),
    ("a loss", &["A loss of", " lost "]),
    ("a return", &["came back", "came on to the table again"]),
    ("a halt", &[" halted", " came to a stand", " to Stand", " would not charge"]),
    ("an order", &["They obeyed", "and chose ", " went from "]),
    ("a way back", &["inches back", "inch back", " went back", " fell back"]),
    ("the turn's end", &["The turn ended", "The turn is over", "Turn # was over"]),
];

/// What has been read of a battle so far.
#[derive(Debug, Default)]
pub struct Course {
    /// Who is gone for good.
    gone: BTreeSet<UnitId>,
    /// Who has been told to leave the table.
    left: BTreeSet<String>,
}

impl Course {
    /// Reads the lines of one action, with what everybody sees after it.
    pub fn read(&mut self, told: &[(&Event, String)], units: &[UnitView]) -> Vec<(String, String)> {
        let names: BTreeMap<UnitId, &str> = units.iter().map(|u| (u.id, u.name.as_str())).collect();
        self.gone.retain(|&gone| !units.iter().any(|u| u.id == gone && u.on_table));
        let mut faults = Vec::new();
        let mut news: BTreeMap<(&str, String), &str> = BTreeMap::new();
        let mut before = "";
        let mut just_gone: BTreeSet<String> = BTreeSet::new();
        let mut to_go: BTreeMap<UnitId, f64> = BTreeMap::new();
        for (event, line) in told {
            let last = LAST_WORDS.iter().any(|words| line.contains(words));
            // Of names that begin alike the longest is meant: the second battery, not the first.
            let subject = names.values().copied().chain(just_gone.iter().map(String::as_str));
            let subject = subject.filter(|name| begins_with(line, name)).max_by_key(|name| name.len());
            let gone = |name: &str| {
                just_gone.contains(name) || self.gone.iter().any(|unit| names.get(unit) == Some(&name))
            };
            if let Some(name) = subject.filter(|name| !last && gone(name)) {
                faults.push((format!("the dead act: `{name}`"), line.clone()));
            }
            if event.faces.is_empty() && before == line {
                faults.push(("a line told twice".into(), line.clone()));
            }
            before = line;
            if let Some(fault) = another_way_back(event, line, &mut to_go) {
                faults.push((fault, line.clone()));
            }
            if line.contains("left the table") {
                self.left.insert(about_who(event, &names));
            }
            let back = line.contains("on to the table again") || line.contains("on their way back");
            if back && !self.left.contains(&about_who(event, &names)) {
                faults.push(("a return of those who never left".into(), line.clone()));
            }
            let plain = without_numbers(line);
            for (what, forms) in NEWS {
                let Some(form) = forms.iter().find(|form| plain.contains(**form)) else { continue };
                if news.insert((what, about(event, &names)), form).is_some_and(|before| before != *form) {
                    faults.push((format!("told twice in one action: {what}"), line.clone()));
                }
            }
            if last {
                self.gone.extend(event.who);
                just_gone.insert(about_who(event, &names));
            }
        }
        faults
    }
}

/// Somebody who had so far to go and came to rest further back, or less far, with no word why.
fn another_way_back(event: &Event, line: &str, to_go: &mut BTreeMap<UnitId, f64>) -> Option<String> {
    let number = |key: &str| event.data.get(key).and_then(serde_json::Value::as_f64);
    let who = event.who?;
    if [" had to give ground", " had to run"].iter().any(|words| line.contains(words)) {
        to_go.extend(number("inches").map(|inches| (who, inches)));
        return None;
    }
    if ![" inches back", " inch back"].iter().any(|words| line.contains(words)) {
        return None;
    }
    let (wanted, went) = (to_go.remove(&who)?, number("distance")?);
    let explained = event.data.get("because").and_then(|b| b.as_str()).is_some_and(|b| !b.is_empty());
    ((wanted - went).abs() > 0.05 && !explained)
        .then(|| "a way back that is not as long as its dice, without a reason".into())
}

/// The line with `#` for every number.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for letter in line.chars() {
        match letter {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}

/// Whether a line's subject is `name`.
fn begins_with(line: &str, name: &str) -> bool {
    let subject = line.strip_prefix("The ").unwrap_or(line);
    let name = name.strip_prefix("The ").or(name.strip_prefix("the ")).unwrap_or(name);
    !name.is_empty() && subject.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ',', '.', ':']))
}

/// Whom news is about: who suffers it, if it is done to somebody.
fn about(event: &Event, names: &BTreeMap<UnitId, &str>) -> String {
    let whom = event.whom.and_then(|unit| names.get(&unit)).map(|name| (*name).to_owned());
    whom.unwrap_or_else(|| about_who(event, names))
}

fn about_who(event: &Event, names: &BTreeMap<UnitId, &str>) -> String {
    let troops = event.data.get("troops").and_then(|t| t.as_str());
    let who = event.who.and_then(|unit| names.get(&unit).copied());
    troops.or(who).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(Event, &str)]) -> Vec<String> {
        let told: Vec<(&Event, String)> = lines.iter().map(|(e, line)| (e, (*line).to_owned())).collect();
        Course::default().read(&told, &[]).into_iter().map(|(fault, _)| fault).collect()
    }

    fn of(troops: &str) -> Event {
        Event::default().with("troops", troops)
    }

    #[test]
    fn the_dead_do_not_act() {
        let end = (of("Buffs"), "The Buffs surrendered.");
        assert!(read(&[(of("Buffs"), "The Buffs turned red."), end.clone()]).is_empty());
        assert!(!read(&[end.clone(), (of("Buffs"), "The Buffs turned red.")]).is_empty());
        assert!(read(&[end, (of("Guards"), "The Guards turned red.")]).is_empty());
    }

    #[test]
    fn a_way_back_is_as_long_as_its_dice_or_told_why() {
        let unit = |event: Event| event.who("B1".parse().unwrap());
        let flight = || (unit(Event::default().with("inches", 12)), "Buffs had to run for twelve inches.");
        let rest = |why: &str| {
            let event = unit(Event::default().with("distance", 17.6).with("because", why));
            (event, "Buffs came to rest 17.6 inches back.")
        };
        assert!(!read(&[flight(), rest("")]).is_empty());
        assert!(read(&[flight(), rest("on until clear of friends")]).is_empty());
    }

    #[test]
    fn nobody_comes_back_who_never_left() {
        let back = (of("Buffs"), "The Buffs came on to the table again.");
        assert!(!read(std::slice::from_ref(&back)).is_empty());
        assert!(read(&[(of("Buffs"), "The Buffs left the table in retreat."), back]).is_empty());
    }

    #[test]
    fn news_is_told_once() {
        let shot = (of("Buffs"), "The Guards shot at the Buffs: 6. Disorder.");
        assert!(!read(&[shot.clone(), (of("Buffs"), "The Buffs fell into disorder.")]).is_empty());
        assert!(read(&[shot, (of("Guards"), "The Guards fell into disorder.")]).is_empty());
        let line = (of("Buffs"), "The Buffs made room.");
        assert!(!read(&[line.clone(), line]).is_empty());
    }
}
