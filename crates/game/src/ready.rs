//! A scenario made ready for a battle: what players chose goes over what the file says, and what would lie off the
//! table is refused.

use std::collections::BTreeMap;

use toml_edit::{Document, Item, Value};

use crate::view::View;
use crate::{AnyBattle, AnySystem, Choices, Fault, Place, Purpose, Source};

/// The scenario as it will be fought, and the battle set up from it.
///
/// An option that a key of the file says in other words (`army_break_percent` and `break_percent`) is obeyed: the key
/// is blanked, its line stays, and the text that comes back is what a journal keeps. An option that the file leaves no
/// room for is refused, for it would be printed as played and not be heard.
///
/// A battle fought before is not made ready again; its journal has the text that it was fought with.
pub fn ready(
    system: &dyn AnySystem,
    file: &Source,
    choices: &Choices,
) -> Result<(Source, Box<dyn AnyBattle>), Fault> {
    let file = obeyed(system, file, choices)?;
    let battle = system.set_up(&file, choices, Purpose::Scenario)?;
    objectives_on_the_table(&file, &battle.view(None))?;
    Ok((file, battle))
}

/// The options a battle is fought with: what its scenario file says, and over that what was chosen. Those at their default
/// are not among them, nor any that the system does not know.
pub fn as_played(
    system: &dyn AnySystem,
    file: &Source,
    choices: &Choices,
) -> Result<BTreeMap<String, String>, Fault> {
    let document = file.table()?;
    let own = document.get("options").and_then(toml::Value::as_table).into_iter().flatten();
    let in_words = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut played: BTreeMap<_, _> = own.map(|(name, value)| (name.clone(), in_words(value))).collect();
    played.extend(choices.options.clone());
    played.retain(|name, value| system.options().check(name, value).is_ok());
    Ok(played)
}

/// The file with every key blanked that a chosen option stands instead of.
pub(crate) fn obeyed(system: &dyn AnySystem, file: &Source, choices: &Choices) -> Result<Source, Fault> {
    let mut text = file.text.clone();
    let Ok(document) = Document::parse(file.text.as_str()) else { return Ok(file.clone()) };
    // Keys may stand under older names; what was blanked is blanked in the file as it is written.
    let anew = system.upgraded(file).ok().flatten();
    let anew = anew.as_deref().and_then(|text| Document::parse(text).ok());
    let own = |id: &str| document.get("options").and_then(|o| o.get(id)).is_some();
    for spec in &system.options().specs {
        let chosen = choices.options.get(&spec.id);
        if chosen.is_none() && !own(&spec.id) {
            continue;
        }
        for path in spec.instead_of.iter().chain(&spec.unless) {
            let written = at(&document, path);
            let renamed = || spec.unless.contains(path) && path.contains('.');
            if written.is_none() && !(renamed() && anew.as_ref().is_some_and(|anew| at(anew, path).is_some()))
            {
                continue;
            }
            let place: Vec<Place> = path.split('.').map(Place::from).collect();
            let Some(chosen) = chosen else {
                // Both in the one file: the author must say which.
                let why = format!("says the same as `{path}`, which is in the file too; keep one of them");
                return Err(file.fault(&["options".into(), spec.id.as_str().into()], why));
            };
            if spec.unless.contains(path) {
                let why = format!(
                    "is laid down by this scenario, so the option `{}` has no say in it; leave the option out, or take \
                     `{path}` out of a copy of the file",
                    spec.id
                );
                return Err(file.fault(&place, format!("{why} (chosen: {chosen})")));
            }
            if let Some((key, value)) = written {
                blank(&mut text, key.start..value.end);
            }
        }
    }
    Ok(Source::new(file.name.clone(), text))
}

type Span = std::ops::Range<usize>;

/// Where the key and the value of a path are.
fn at(document: &Document<&str>, path: &str) -> Option<(Span, Span)> {
    let (way, last) = path.rsplit_once('.').map_or(("", path), |(way, last)| (way, last));
    let mut table = document.as_table() as &dyn toml_edit::TableLike;
    let mut steps = way.split('.').filter(|s| !s.is_empty());
    while let Some(step) = steps.next() {
        table = match table.get(step)? {
            // One of a list: `side.0.zone`.
            toml_edit::Item::ArrayOfTables(tables) => tables.get(steps.next()?.parse().ok()?)?,
            item => item.as_table_like()?,
        };
    }
    let (key, item) = table.get_key_value(last)?;
    Some((key.span()?, item.span()?))
}

/// Spaces instead of letters, so that every other line keeps its number.
fn blank(text: &mut String, span: Span) {
    let spaces: String = text[span.clone()].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    text.replace_range(span, &spaces);
}

/// An objective nobody can reach decides nothing.
fn objectives_on_the_table(file: &Source, view: &View) -> Result<(), Fault> {
    let (wide, deep) = (view.table.width, view.table.height);
    for token in view.tokens.iter().filter(|t| t.kind == "objective") {
        let (x, y) = (token.at.x, token.at.y);
        if (0.0..=wide).contains(&x) && (0.0..=deep).contains(&y) {
            continue;
        }
        let place = point(file, [x, y]).unwrap_or_default();
        let name = if token.label == token.kind { String::new() } else { format!(" `{}`", token.label) };
        return Err(file.fault(
            &place,
            format!(
                "the objective{name} at [{x}, {y}] is off the table, which is {wide} by {deep}; nobody could reach it"
            ),
        ));
    }
    Ok(())
}

/// The way to the first `[x, y]` of the file with these numbers.
fn point(file: &Source, at: [f64; 2]) -> Option<Vec<Place>> {
    let document = Document::parse(file.text.as_str()).ok()?;
    let mut way = Vec::new();
    in_item(document.as_item(), at, &mut way).then_some(way)
}

fn in_item(item: &Item, at: [f64; 2], way: &mut Vec<Place>) -> bool {
    match item {
        Item::Value(value) => in_value(value, at, way),
        Item::Table(table) => in_table(table, at, way),
        Item::ArrayOfTables(tables) => tables.iter().enumerate().any(|(n, table)| {
            way.push(n.into());
            in_table(table, at, way) || way.pop().is_none()
        }),
        Item::None => false,
    }
}

fn in_table(table: &toml_edit::Table, at: [f64; 2], way: &mut Vec<Place>) -> bool {
    table.iter().any(|(key, item)| {
        way.push(key.into());
        in_item(item, at, way) || way.pop().is_none()
    })
}

fn in_value(value: &Value, at: [f64; 2], way: &mut Vec<Place>) -> bool {
    let number = |v: &Value| v.as_float().or_else(|| v.as_integer().map(|n| n as f64));
    match value {
        Value::Array(array) if array.len() == 2 && array.iter().filter_map(number).eq(at) => true,
        Value::Array(array) => array.iter().enumerate().any(|(n, inner)| {
            way.push(n.into());
            in_value(inner, at, way) || way.pop().is_none()
        }),
        Value::InlineTable(table) => table.iter().any(|(key, inner)| {
            way.push(key.into());
            in_value(inner, at, way) || way.pop().is_none()
        }),
        _ => false,
    }
}
