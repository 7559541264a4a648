//! Scenario files of format 1 in the words of format 2.

use toml_edit::{Item, Table, Value};
use tricorne_drill::scenario::{Entry, Upgrade, inline};
use tricorne_game::{Choices, Place};

use crate::scenario::survey::usual_edges;
use crate::tables::rulebook::{GroundShape, Rulebook};

const SIDES: [&str; 2] = ["imperial", "native"];

pub(super) fn upgrade(file: &mut Upgrade, choices: &Choices) {
    let mut head = file.head();
    head.rename("rounds", "turns");
    head.rename("notes", "story");
    file.table([72.0, 48.0]);
    grounds(file, choices);
    sides(file);
    arrivals(file);
    file.list(&[], "unit");
    victory(file);
}

fn grounds(file: &mut Upgrade, choices: &Choices) {
    let book = Rulebook::with(choices).unwrap_or_else(|_| Rulebook::standard());
    file.list(&[], "terrain");
    file.each("terrain", |_, piece| {
        let kind = piece.word("kind").and_then(|kind| book.ground.get(&kind));
        piece.lie(&["at"], kind.is_some_and(|kind| kind.shape != GroundShape::Area));
    });
}

/// `[home]`, `[deployment]` and `[forces]` become `[[side]]`.
fn sides(file: &mut Upgrade) {
    let mut head = file.head();
    if head.has("side") {
        return;
    }
    let mut part = |name: &str| head.take_table(name).unwrap_or_default();
    let (mut home, mut forces) = (part("home"), part("forces"));
    let free = head.has("deployment");
    let mut deployment = head.take_table("deployment").unwrap_or_default();
    let depth = deployment.remove("depth");
    let named = !home.is_empty() || !deployment.is_empty();
    let size = if free && !named { table_size(&mut head) } else { None };
    let usual = usual_edges(size).map(|edge| serde_json::json!(edge));
    for (i, side) in SIDES.into_iter().enumerate() {
        let (own, edge, force) = (home.remove(side), deployment.remove(side), forces.remove(side));
        file.push("side", Table::new(), None, |entry| {
            entry.set("id", side);
            if let Some(edge) = value(own.as_ref()).or_else(|| value(edge.as_ref())) {
                entry.set("home", edge);
            }
            moved(entry, "home", &["home", side]);
            if free {
                let usual = || Value::from(usual[i].as_str().unwrap_or_default());
                let along = value(edge.as_ref()).or_else(|| value(own.as_ref())).unwrap_or_else(usual);
                let deep = value(depth.as_ref()).map_or_else(String::new, |d| format!(", depth = {d}"));
                entry.set("zone", inline(&format!("[{{ edge = {along}{deep} }}]")));
                let from = if depth.is_some() { "depth" } else { side };
                moved(entry, "zone", &["deployment", from]);
            }
            if let Some(force) = value(force.as_ref()) {
                entry.set("force", force);
                moved(entry, "force", &["forces", side]);
            }
        });
    }
    let mut head = file.head();
    for (name, left) in [("home", home), ("deployment", deployment), ("forces", forces)] {
        // What nobody knows is for the reader to refuse.
        head.keep(name, left);
    }
}

/// The size of the table, which stays as it is.
fn table_size(head: &mut Entry<'_>) -> Option<[f64; 2]> {
    let table = head.take_table("table")?;
    let inches = |key: &str| {
        let size = value(table.get(key))?;
        size.as_float().or_else(|| size.as_integer().map(|inches| inches as f64))
    };
    let size = inches("width").zip(inches("height")).map(|(width, height)| [width, height]);
    head.put("table", Item::Table(table));
    size
}

fn moved(entry: &mut Entry<'_>, key: &str, from: &[&str]) {
    entry.was(key, &from.iter().map(|&step| Place::from(step)).collect::<Vec<_>>());
}

fn value(item: Option<&Item>) -> Option<Value> {
    item?.as_value().map(|value| value.clone().decorated("", ""))
}

/// An arrival may be a bare place.
fn arrivals(file: &mut Upgrade) {
    let mut head = file.head();
    if let Some(list) = head.value("arrival").and_then(Value::as_array).cloned()
        && list.iter().any(Value::is_array)
    {
        let named = list.iter().map(|entry| match entry {
            Value::Array(at) => inline(&format!("{{ at = {} }}", at.to_string().trim())),
            other => other.clone(),
        });
        head.set("arrival", Value::Array(named.collect()));
    }
    file.list(&[], "arrival");
    file.each("arrival", |i, arrival| arrival.usually("id", format!("P{}", i + 1)));
}

/// `[victory]` with its lists becomes `draw_margin`, `[markers]` and `[[objective]]`.
fn victory(file: &mut Upgrade) {
    let mut head = file.head();
    let Some(mut victory) = head.take_table("victory") else { return };
    for key in ["draw_margin", "markers"] {
        if let Some(item) = victory.remove(key) {
            head.put(key, item);
            head.was(key, &["victory".into(), key.into()]);
        }
    }
    for kind in ["exit", "garrison", "marker", "storm", "lost", "left", "annihilation"] {
        for (i, table) in Entry::lists(&mut victory, kind).into_iter().enumerate() {
            let from = ["victory".into(), kind.into(), i.into()];
            file.push("objective", table, Some(&from), |entry| {
                entry.set_first("kind", kind);
                entry.rename("building", "terrain");
                entry.rename("id", "name");
                entry.rename("at_end", "points");
                if kind == "exit" {
                    let mut zone = String::new();
                    for key in ["edge", "from", "to"] {
                        let comma = if zone.is_empty() { "" } else { ", " };
                        if let Some(value) = entry.text(key) {
                            zone.push_str(&format!("{comma}{key} = {value}"));
                            entry.take(key);
                        }
                    }
                    entry.set("zone", inline(&format!("[{{ {zone} }}]")));
                    entry.came_from("zone", "edge");
                }
                if kind == "lost" && entry.word("points").is_some() {
                    entry.rename("points", "share");
                }
            });
        }
    }
    file.head().keep("victory", victory);
}
