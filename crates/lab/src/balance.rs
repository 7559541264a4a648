//! How even a scenario is between equal players, and which unit left at home would make it so.

use serde::Serialize;
use toml_edit::{DocumentMut, Item, TableLike, Value};
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Choices, Purpose, Side, Source};

use crate::summary::Share;

/// Worse than this, a scenario is not even.
pub const EVEN: (f64, f64) = (0.4, 0.6);

/// A scenario without something.
#[derive(Clone, Debug, PartialEq)]
pub struct Handicap {
    /// What stays at home: the units' ids.
    pub without: Vec<String>,
    /// Their names for people.
    pub names: Vec<String>,
    /// The scenario without it.
    pub scenario: Source,
}

/// What a handicap does to the share of the side listed first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// What stays at home.
    pub without: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// The share of the side listed first.
    pub first_side: Share,
}

/// Whether the two sides of a scenario have the same troops, and stand to each other as in a mirror or turned about the
/// middle of the table. Programs are best compared there.
pub fn mirrored(view: &View) -> bool {
    let troops = |side: Side| {
        let mut kinds: Vec<(&str, u32)> =
            view.units.iter().filter(|u| u.side == side).map(|u| (u.kind.as_str(), u.strength.1)).collect();
        kinds.sort_unstable();
        kinds
    };
    let (wide, tall) = (view.table.width, view.table.height);
    let stands = |turned: bool| {
        view.units.iter().filter(|u| u.on_table).all(|u| {
            let x = if turned { wide - u.at.x } else { u.at.x };
            let y = tall - u.at.y;
            view.units.iter().any(|o| {
                let near = (o.at.x - x).abs() < 0.1 && (o.at.y - y).abs() < 0.1;
                o.side != u.side && o.kind == u.kind && near
            })
        })
    };
    !view.units.is_empty() && troops(Side(0)) == troops(Side(1)) && (stands(true) || stands(false))
}

/// Every way of leaving one entry of the scenario file out that takes units from `side`, and from nobody else. What an
/// entry is, the file says: a unit of its own or an entry of an army list. Where leaving it out breaks the scenario's
/// own rules it is no handicap.
pub fn handicaps(system: &dyn AnySystem, scenario: &Source, choices: &Choices, side: Side) -> Vec<Handicap> {
    let units = |file: &Source| -> Option<Vec<(String, Side, String)>> {
        let battle = system.set_up(file, choices, Purpose::Scenario).ok()?;
        let name = |u: &tricorne_game::view::UnitView| {
            if u.name.is_empty() { format!("{} {}", u.kind, u.id) } else { u.name.clone() }
        };
        Some(battle.view(None).units.iter().map(|u| (u.id.to_string(), u.side, name(u))).collect())
    };
    let Some(all) = units(scenario) else { return Vec::new() };
    let Ok(document) = scenario.text.parse::<DocumentMut>() else { return Vec::new() };
    let mut found: Vec<Handicap> = Vec::new();
    for place in entries(&document) {
        let mut less = document.clone();
        if leave_out(&mut less, &place).is_none() {
            continue;
        }
        let file = Source::new(scenario.name.clone(), less.to_string());
        let Some(left) = units(&file) else { continue };
        let count = |units: &[(String, Side, String)], mine: bool| {
            units.iter().filter(|u| (u.1 == side) == mine).count()
        };
        if count(&left, false) != count(&all, false) || count(&left, true) >= count(&all, true) {
            continue;
        }
        // Ids may be given anew where the file gives none, so what is missing is told by how many of a name there are.
        let mut spare = left.clone();
        let gone: Vec<&(String, Side, String)> = all
            .iter()
            .filter(|u| match spare.iter().position(|s| s.2 == u.2 && s.1 == u.1) {
                Some(i) => {
                    spare.swap_remove(i);
                    false
                }
                None => true,
            })
            .collect();
        let handicap = Handicap {
            without: gone.iter().map(|u| u.0.clone()).collect(),
            names: gone.iter().map(|u| u.2.clone()).collect(),
            scenario: file,
        };
        // Two entries of one army list are the same handicap.
        if !handicap.without.is_empty() && !found.iter().any(|h| h.names == handicap.names) {
            found.push(handicap);
        }
    }
    found
}

/// The way to an entry of a list: keys, then its number.
type Entry = (Vec<String>, usize);

/// Entries of the lists at the top of a file and one table down, the tables of a list included.
fn entries(document: &DocumentMut) -> Vec<Entry> {
    let mut all = Vec::new();
    for (key, item) in document.iter() {
        let path = vec![key.to_owned()];
        match item {
            Item::Table(table) => {
                for (inner, item) in table {
                    let path = vec![key.to_owned(), inner.to_owned()];
                    all.extend((0..length(item)).map(|n| (path.clone(), n)));
                }
            }
            other => all.extend((0..length(other)).map(|n| (path.clone(), n))),
        }
        for (i, table) in item.as_array_of_tables().into_iter().flatten().enumerate() {
            for (inner, item) in table {
                let path = vec![key.to_owned(), i.to_string(), inner.to_owned()];
                all.extend((0..length(item)).map(|n| (path.clone(), n)));
            }
        }
    }
    all
}

fn length(item: &Item) -> usize {
    match item {
        Item::ArrayOfTables(tables) => tables.len(),
        Item::Value(Value::Array(array)) => array.len(),
        _ => 0,
    }
}

fn leave_out(document: &mut DocumentMut, (path, n): &Entry) -> Option<()> {
    let (last, before) = path.split_last()?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut keys = before.iter();
    while let Some(key) = keys.next() {
        table = match table.get_mut(key)? {
            Item::ArrayOfTables(tables) => tables.get_mut(keys.next()?.parse().ok()?)?,
            item => item.as_table_like_mut()?,
        };
    }
    match table.get_mut(last)? {
        Item::ArrayOfTables(tables) => {
            tables.remove(*n);
        }
        Item::Value(Value::Array(array)) => {
            array.remove(*n);
        }
        _ => return None,
    }
    Some(())
}
