//! The charts a player needs: `sheet.toml` with the numbers as played. No number is typed here.

use tricorne_drill::Line;
use tricorne_drill::sheet::Press;
use tricorne_drill::words::{Numbers, capital};
use tricorne_game::army::ReferenceSheet;
use tricorne_game::view::Note;
use tricorne_game::{Choices, written};

use crate::rulebook::{Kind, Rulebook, SHEET, Throw, book, data_files, options};

/// The sheet; none if the data a player brought can't be read.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::of(choices).ok()?;
    press(&book, choices, |press| press.sheet("Seven Years War, 15mm").ok())
}

/// The rules that troops need, as the rulebook comes.
pub(super) fn needs(has: &dyn Fn(&str) -> bool) -> Option<Vec<Note>> {
    let choices = Choices::default();
    press(&*Rulebook::of(&choices).ok()?, &choices, |press| press.needs(has).ok())
}

fn press<T>(rules: &Rulebook, choices: &Choices, print: impl FnOnce(&Press<'_>) -> Option<T>) -> Option<T> {
    let numbers = Numbers::of(&data_files(), choices);
    let c = &rules.charts;
    let told =
        |numbers: &Numbers, inside: &str, row: Option<&toml::Table>| match (inside.split_once(' '), row) {
            (Some(("throw", place)), _) => {
                numbers.at(place).and_then(|t| written::<Throw>(t).ok()).map(throw)
            }
            (None, Some(row)) if inside == "arms" => {
                let code = row.get("weapon").and_then(toml::Value::as_str)?;
                Some(numbers.told(&format!("weapons.{code}.name"), None).unwrap_or_default())
            }
            _ => None,
        };
    let rows = |of: &str| match of {
        "shot modifiers" => modifiers(&c.shot_modifiers.all()),
        "melee modifiers" => modifiers(&c.melee_modifiers.all()),
        "morale modifiers" => modifiers(&c.morale_modifiers.all()),
        "distances" => lines(&c.distances.all(), ""),
        "tries" => lines(&c.least.all(), "+"),
        _ => numbers.file("points").map(|file| points(rules, file)).unwrap_or_default(),
    };
    print(&Press {
        text: SHEET,
        numbers: numbers.clone(),
        options: options(),
        choices,
        book: book(),
        told: &told,
        rows: &rows,
    })
}

fn throw(t: Throw) -> String {
    if t.base > 0.0 { format!("{} + D{}", t.base, t.die) } else { format!("D{}", t.die) }
}

/// Modifiers: the numbers of the charts as played, in the clauses' own words for when they count.
fn modifiers(lines: &[Line]) -> Vec<Vec<String>> {
    let row = |line: &Line| {
        let when = book().clause(line.clause).and_then(|c| condition(&c.statement())).map(without_clauses);
        vec![when.unwrap_or_else(|| capital(line.reason)), line.signed()]
    };
    let mut rows: Vec<_> = lines.iter().map(row).collect();
    // Two lines of one clause are one row: soft cover, and hard cover from guns.
    rows.dedup();
    rows
}

/// Numbers without a sign, each with what it is for.
fn lines(lines: &[Line], after: &str) -> Vec<Vec<String>> {
    lines.iter().map(|line| vec![capital(line.reason), format!("{}{after}", line.value)]).collect()
}

/// When a modifier applies, out of its clause: `Long range: -1.`, `+2: the enemy fled.`, `-2 for each melee lost.`
fn condition(statement: &str) -> Option<String> {
    let signed = |text: &str| {
        let mut letters = text.chars();
        matches!(letters.next(), Some('+' | '-')) && letters.next().is_some_and(|c| c.is_ascii_digit())
    };
    if signed(statement) {
        return statement.split_once(' ').map(|(_, when)| capital(when.trim_end_matches('.')));
    }
    let (before, after) = statement.split_once(": ")?;
    if !signed(after) {
        return None;
    }
    // The number is the first word; what follows it belongs to the condition.
    let rest = after.split_once([' ', ',', '.']).map_or("", |(_, rest)| rest.trim().trim_end_matches('.'));
    Some(capital(&if rest.is_empty() { before.to_owned() } else { format!("{before}; {rest}") }))
}

/// A condition without the clauses it points to in brackets: those are for the ledger.
fn without_clauses(text: String) -> String {
    let mut kept = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(" (") {
        kept.push_str(before);
        match after.split_once(')') {
            Some((inside, tail)) if inside.starts_with("SYW-") => rest = tail,
            _ => {
                kept.push_str(" (");
                rest = after;
            }
        }
    }
    kept + rest
}

/// Prices, line by line of the file: troops beside everything else. What is added to a stand's price has its sign.
fn points(book: &Rulebook, file: &toml::Table) -> Vec<Vec<String>> {
    let priced = |headings: &[&str]| -> Vec<[String; 2]> {
        let mut lines = Vec::new();
        let tables = headings.iter().filter_map(|&h| Some((h, file.get(h)?.as_table()?)));
        for (heading, name, price) in
            tables.flat_map(|(h, table)| table.iter().map(move |(name, price)| (h, name, price)))
        {
            let price = match price {
                toml::Value::Float(x) if heading == "grades" => {
                    format!("{}{}", if *x < 0.0 { '−' } else { '+' }, x.abs())
                }
                toml::Value::Table(t) => {
                    let number = |key: &str| t.get(key).map(ToString::to_string).unwrap_or_default();
                    format!("{} for each {} cm", number("points"), number("per"))
                }
                other => other.to_string(),
            };
            let kind = Kind::ALL.into_iter().find(|k| k.code() == name);
            let name = kind.map_or_else(|| name.replace('_', " "), |k| book.profile(k).name.clone());
            lines.push([name, price]);
        }
        lines
    };
    let (troops, mut others) = (priced(&["troops"]), priced(&["grades", "generals", "works"]));
    let ground = |key: &str| file.get("terrain").and_then(|t| t.get(key)).map(ToString::to_string);
    let wide = ground("wide").unwrap_or_default();
    for (what, key) in [
        ("a hill".to_owned(), "hill"),
        (format!("a hill over {wide} cm wide"), "hill_wide"),
        ("a wood, each level".to_owned(), "wood_per_level"),
        (format!("a wood over {wide} cm wide, besides"), "wood_wide"),
        ("a town".to_owned(), "town"),
    ] {
        others.push([what, ground(key).unwrap_or_default()]);
    }
    (0..troops.len().max(others.len()))
        .map(|n| {
            let pair = |lines: &[[String; 2]]| lines.get(n).cloned().unwrap_or_default();
            pair(&troops).into_iter().chain(pair(&others)).collect()
        })
        .collect()
}
