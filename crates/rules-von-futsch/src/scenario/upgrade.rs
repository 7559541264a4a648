//! Scenario files of format 1 in the words of format 2.

use tricorne_drill::scenario::{Entry, Upgrade, inline};
use tricorne_game::{Choices, Place, written};

use crate::model::ground::GroundKind;
use crate::rulebook::Rulebook;

pub(super) fn upgrade(file: &mut Upgrade, choices: &Choices) {
    let mut head = file.head();
    head.rename("about", "story");
    // Data that can't be read is refused when the battle is set up; until then the usual table will do.
    let own = if choices.data.is_empty() { None } else { crate::charts::read(choices).ok() };
    file.table(own.as_ref().map_or(&Rulebook::own().profiles, |(own, _)| own).usual_table());
    grounds(file);
    sides(file);
    file.list(&["units"], "unit");
    file.list(&["commanders"], "commander");
    for list in ["unit", "commander"] {
        file.each(list, |_, entry| {
            let side = match entry.word("side").as_deref() {
                Some("Red") => Some("red"),
                Some("Black") => Some("black"),
                Some(_) => None,
                None => match entry.word("id").and_then(|id| id.chars().next()) {
                    Some('R' | 'r') => Some("red"),
                    Some('B' | 'b') => Some("black"),
                    _ => None,
                },
            };
            if let Some(side) = side {
                entry.set_after("id", "side", side);
            }
        });
    }
    objective(file);
}

fn grounds(file: &mut Upgrade) {
    file.list(&[], "terrain");
    file.each("terrain", |i, piece| {
        let kind = piece.word("kind").and_then(|kind| written::<GroundKind>(&kind.into()).ok());
        if let Some(kind) = kind {
            piece.usually("id", format!("{} {}", kind.name(), i + 1));
        }
        piece.lie(&[], false);
        piece.rename("polygon", "outline");
    });
}

/// `[red]` and `[black]` become `[[side]]`.
fn sides(file: &mut Upgrade) {
    if file.head().has("side") {
        return;
    }
    for (key, name) in [("red", "Red"), ("black", "Black")] {
        let given = file.head().take_table(key);
        let from = [Place::from(key)];
        let from = given.is_some().then_some(&from[..]);
        file.push("side", given.unwrap_or_default(), from, |side| {
            side.usually("name", name);
            side.set_first("id", key);
        });
    }
}

/// `[objective]` becomes the one `[[objective]]`.
fn objective(file: &mut Upgrade) {
    let Some(given) = file.head().take_table("objective") else { return };
    file.push("objective", given, Some(&["objective".into()]), |aim| {
        aim.rename("attacker", "side");
        if aim.word("side").is_some_and(|side| side.chars().next().is_some_and(char::is_uppercase)) {
            let side = aim.word("side").unwrap_or_default().to_lowercase();
            aim.set("side", side);
        }
        if aim.word("kind").as_deref() == Some("convoy") {
            exit(aim);
        }
    });
}

fn exit(aim: &mut Entry<'_>) {
    let mut zone = String::from("edge = \"north\"");
    for key in ["from", "to"] {
        if let Some(value) = aim.text(key) {
            zone.push_str(&format!(", {key} = {value}"));
            aim.take(key);
        }
    }
    aim.set("zone", inline(&format!("[{{ {zone} }}]")));
    aim.came_from("zone", "from");
}
