//! Dice in words: added up, or as those of them that did it.

use serde_json::Value;

use super::Manner;
use super::words::{counted, number};
use crate::{Event, total};

/// The number that a name stands for.
pub(super) fn quantity(key: &str, event: &Event) -> Option<f64> {
    match key {
        "made" => event.made.map(f64::from),
        "needed" => event.needed.map(f64::from),
        "dice" if !event.data.contains_key("dice") => Some(event.faces.len() as f64),
        name => event.data.get(name).and_then(Value::as_f64),
    }
}

/// The least face that does it. There is nothing above a six.
pub(super) fn least(needed: i32) -> String {
    if needed == 6 { "6".into() } else { format!("{needed}+") }
}

pub(super) fn faces(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// `6+5 = 11, −5 casualties [WBK-PIN-06], +1 Discipline [WBK-PIN-07]: 7 against 8`; in brief `7 against 8`.
pub(super) fn sum(event: &Event, manner: Manner) -> String {
    let rolled: i32 = event.faces.iter().map(|&f| i32::from(f)).sum();
    let made = event.made.unwrap_or(rolled + total(&event.modifiers));
    let mut text = String::new();
    if manner == Manner::Whole {
        text = event.faces.iter().map(u8::to_string).collect::<Vec<_>>().join("+");
        if event.faces.len() > 1 {
            text.push_str(&format!(" = {rolled}"));
        }
        for m in &event.modifiers {
            let sign = if m.value < 0 { '−' } else { '+' };
            text.push_str(&format!(", {sign}{} {} [{}]", m.value.abs(), m.reason, m.clause));
        }
        if !event.modifiers.is_empty() {
            text.push_str(&format!(": {}", number(f64::from(made))));
        }
    } else {
        text.push_str(&number(f64::from(if event.modifiers.is_empty() { rolled } else { made })));
    }
    if let Some(needed) = event.needed {
        text.push_str(&format!(" against {needed}"));
    }
    text
}

/// `12 dice (+8 muskets [WBK-FIRE-02], +4 volley [WBK-VOLLEY-04]), hitting on 5+: 6 5 2 1 …, two hits`. What the dice do,
/// and what one and many of them that did it are called.
pub(super) fn pool(event: &Event, [doing, one, many]: [&str; 3], manner: Manner) -> String {
    let mut text = how_many(event);
    text.push_str(&reasons(event, manner));
    if let Some(needed) = event.needed {
        text.push_str(&format!(", {doing} on {}", least(needed)));
    }
    text + &came(event, one, many, manner)
}

/// `six dice (half, skirmishing [WBK-SKIRM-03]), hitting on 4+ (−1 volley [WBK-VOLLEY-04]): 6 5 2 1 …, two hits`: the
/// modifiers are of what each die needed, never of how many there were.
pub(super) fn aimed(event: &Event, manner: Manner) -> String {
    let mut text = how_many(event);
    if let Some(why) = event.data.get("dice_why").and_then(Value::as_str) {
        text.push_str(&format!(" ({})", manner.said(why)));
    }
    if let Some(needed) = event.needed {
        text.push_str(&format!(", hitting on {}{}", least(needed), reasons(event, manner)));
    }
    text + &came(event, "hit", "hits", manner)
}

fn how_many(event: &Event) -> String {
    counted(quantity("dice", event).unwrap_or(event.faces.len() as f64), "die", "dice")
}

/// Every modifier with its reason and clause, in brackets; none in brief.
fn reasons(event: &Event, manner: Manner) -> String {
    if event.modifiers.is_empty() || manner != Manner::Whole {
        return String::new();
    }
    let why = event.modifiers.iter().map(|m| {
        let sign = if m.value < 0 { '−' } else { '+' };
        format!("{sign}{} {} [{}]", m.value.abs(), m.reason, m.clause)
    });
    format!(" ({})", why.collect::<Vec<_>>().join(", "))
}

/// The faces, and how many of them did it; in brief the latter alone.
fn came(event: &Event, one: &str, many: &str, manner: Manner) -> String {
    let mut parts = Vec::new();
    if manner == Manner::Whole && !event.faces.is_empty() {
        parts.push(faces(&event.faces));
    }
    if let Some(made) = event.made {
        parts.push(counted(f64::from(made), one, many));
    }
    match parts.join(", ") {
        none if none.is_empty() => none,
        // Nobody threw: how many it would have taken is told all the same, as it was.
        _ if manner == Manner::Whole && event.faces.is_empty() => format!(", {}", parts.concat()),
        told => format!(": {told}"),
    }
}
