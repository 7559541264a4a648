//! Scenario files of format 1 in the words of format 2.

use toml_edit::{Item, Value};
use tricorne_drill::scenario::{Entry, Upgrade, inline};
use tricorne_game::{Choices, Place};

use crate::movement::terrain::Outline;
use crate::rulebook::Rulebook;

pub(super) fn upgrade(file: &mut Upgrade, choices: &Choices) {
    let mut head = file.head();
    head.rename("blurb", "story");
    length(&mut head);
    file.table([72.0, 48.0]);
    grounds(file, choices);
    armies(file);
    let seats = seats(file);
    file.list(&["units"], "unit");
    file.each("unit", |_, unit| {
        unit.rename("type", "kind");
        unit.rename("owner", "seat");
        unit.rename("army", "side");
        if let Some(n) = unit.value("seat").and_then(Value::as_integer)
            && let Some((side, name)) = usize::try_from(n).ok().and_then(|n| seats.get(n))
        {
            match name {
                Some(name) => unit.set("seat", name.as_str()),
                // The only seat of its side, which the file does not name.
                None => drop(unit.take("seat")),
            }
            if !unit.has("side") {
                unit.set_after("id", "side", side.as_str());
            }
        }
        arrives(unit);
    });
    objectives(file);
}

/// The option `turn_limit` is how long the battle lasts.
fn length(head: &mut Entry<'_>) {
    let Some(mut options) = head.take_table("options") else { return };
    let limit = options.get("turn_limit").and_then(Item::as_integer);
    if let Some(limit) = limit.filter(|limit| *limit > 0)
        && !head.has("turns")
    {
        options.remove("turn_limit");
        head.set("turns", limit);
        head.was("turns", &["options".into(), "turn_limit".into()]);
    }
    head.keep("options", options);
}

fn grounds(file: &mut Upgrade, choices: &Choices) {
    let rules = Rulebook::with(choices).or_else(|_| Rulebook::with(&Choices::default())).ok();
    file.list(&[], "terrain");
    file.each("terrain", |i, piece| {
        let Some(kind) = piece.word("kind") else { return };
        let shape = rules.as_ref().and_then(|rules| rules.ground.kind.get(&kind)).map(|kind| kind.shape);
        if !piece.has("id") {
            piece.set_first("id", format!("{kind}-{}", i + 1));
        }
        piece.lie(&["points"], shape == Some(Outline::Line));
    });
}

/// `[armies.red]` and `[armies.black]` become `[[side]]`.
fn armies(file: &mut Upgrade) {
    if file.head().has("side") {
        return;
    }
    let mut armies = file.head().take_table("armies").unwrap_or_default();
    for army in ["red", "black"] {
        let given = match armies.remove(army).map(Item::into_table) {
            Some(Ok(table)) => Some(table),
            Some(Err(other)) => {
                armies.insert(army, other);
                None
            }
            None => None,
        };
        let from = [Place::from("armies"), army.into()];
        let from = given.is_some().then_some(&from[..]);
        file.push("side", given.unwrap_or_default(), from, |side| {
            side.set_first("id", army);
            side.rename("edge", "home");
            if let Some(anew) = side.value("zone").and_then(zone) {
                side.set("zone", anew);
            }
        });
    }
    file.head().keep("armies", armies);
}

/// Two corners, or a list of areas whose rectangles are two corners.
fn zone(old: &Value) -> Option<Value> {
    let list = old.as_array()?;
    if list.len() == 2 && list.iter().all(Value::is_array) {
        return Some(inline(&format!("[{{ rect = {} }}]", corners(old)?)));
    }
    let mut anew = list.clone();
    for area in anew.iter_mut() {
        let table = area.as_inline_table_mut()?;
        if let Some(rect) = table.get("rect").and_then(corners) {
            table.insert("rect", inline(&rect));
        }
    }
    Some(Value::Array(anew))
}

/// `[[x, y], [x, y]]` as west, south, east and north.
fn corners(pair: &Value) -> Option<String> {
    let number = |v: &Value| v.as_float().or_else(|| v.as_integer().map(|n| n as f64));
    let point = |n: usize| {
        let point = pair.as_array()?.get(n)?.as_array().filter(|p| p.len() == 2)?;
        Some([number(point.get(0)?)?, number(point.get(1)?)?])
    };
    let (a, b) = (point(0)?, point(1)?);
    Some(format!("[{}, {}, {}, {}]", a[0].min(b[0]), a[1].min(b[1]), a[0].max(b[0]), a[1].max(b[1])))
}

/// The seats by their numbers, each with its side and, where the file has it, its name.
fn seats(file: &mut Upgrade) -> Vec<(String, Option<String>)> {
    file.list(&["seats", "general", "generals"], "seat");
    let mut of: Vec<String> = Vec::new();
    file.each("seat", |_, seat| {
        seat.rename("army", "side");
        of.push(seat.word("side").unwrap_or_default());
    });
    let mut named: Vec<(String, Option<String>)> = Vec::new();
    file.each("seat", |i, seat| {
        let side = of[i].clone();
        let colour = if side == "black" { "Black" } else { "Red" };
        let nth = of[..i].iter().filter(|o| **o == side).count() + 1;
        let alone = of.iter().filter(|o| **o == side).count() == 1;
        let usual = if alone { colour.to_owned() } else { format!("{colour} {nth}") };
        let mut name = seat.word("name").unwrap_or(usual);
        // Units name their seat, so each has a name of its own.
        if named.iter().any(|(of, other)| *of == side && other.as_ref() == Some(&name)) {
            name = format!("{name} ({nth})");
            seat.set("name", name.as_str());
        }
        if !seat.has("name") {
            seat.set_after("side", "name", name.as_str());
        }
        named.push((side, Some(name)));
    });
    for side in ["red", "black"] {
        if !named.iter().any(|(of, _)| of == side) {
            named.push((side.to_owned(), None));
        }
    }
    named
}

fn arrives(unit: &mut Entry<'_>) {
    let Some(old) = unit.value("arrives").and_then(Value::as_inline_table).cloned() else {
        if let Some(mut table) = unit.take_table("arrives") {
            if let Some(anew) = table.get("zone").and_then(Item::as_value).and_then(zone) {
                table.insert("zone", Item::Value(anew));
            }
            unit.put("arrives", Item::Table(table));
        }
        return;
    };
    if let Some(anew) = old.get("zone").and_then(zone) {
        let mut table = old;
        table.insert("zone", anew);
        unit.set("arrives", Value::InlineTable(table));
    }
}

/// `hold = { … }`, `seize = { … }` and `occupy = { … }` become kinds.
fn objectives(file: &mut Upgrade) {
    file.list(&["objectives"], "objective");
    file.each("objective", |_, aim| {
        for kind in ["hold", "seize", "occupy"] {
            let Some(said) = aim.take_table(kind) else { continue };
            aim.set_first("kind", kind);
            for (key, item) in &said {
                let Some(value) = item.as_value() else { continue };
                let text = value.clone().decorated("", "").to_string();
                match key {
                    "radius" => aim.set("within", value.clone()),
                    "score" => aim.set("points", value.clone()),
                    "area" => aim.set("zone", inline(&format!("[{{ polygon = {text} }}]"))),
                    other => aim.set(other, value.clone()),
                }
            }
            for (new, old) in
                [("within", "radius"), ("points", "score"), ("zone", "area"), ("at", "at"), ("from", "from")]
            {
                aim.came_from_under(new, kind, old);
            }
        }
    });
}
