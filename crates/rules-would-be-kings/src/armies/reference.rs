//! The sheet a player needs (WBK-SHEET-01 to 04): `sheet.toml` as played. No number is typed here.

use tricorne_drill::sheet::Press;
use tricorne_drill::words::{Numbers, number, range};
use tricorne_game::army::ReferenceSheet;
use tricorne_game::view::Note;
use tricorne_game::{Choices, in_words};

use super::{signed, upgrade_points};
use crate::options::{Options, ValuePlusOne};
use crate::tables::rulebook::{self, Rulebook, Upgrade};

/// The charts under some options; none when the options or the files of the choices can't be read.
pub(crate) fn reference(title: &str, choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::with(choices).ok()?;
    let options: Options = rulebook::options().resolve(&choices.options).ok()?;
    press(&book, &options, choices, |press| press.sheet(title).ok())
}

/// The rules that troops need at hand.
pub(super) fn needs(book: &Rulebook, has: &dyn Fn(&str) -> bool) -> Option<Vec<Note>> {
    let choices = Choices::default();
    let options: Options = rulebook::options().resolve(&choices.options).ok()?;
    press(book, &options, &choices, |press| press.needs(has).ok())
}

fn press<T>(
    book: &Rulebook,
    options: &Options,
    choices: &Choices,
    print: impl FnOnce(&Press<'_>) -> Option<T>,
) -> Option<T> {
    let bonus = |numbers: &Numbers, name: &str, place: &str| {
        let regulars = book.profile("RI")?;
        let by = number(numbers.at(place)?)? as i32;
        let value = if name == "Firing" { regulars.firing } else { regulars.fighting };
        let becomes = match options.value_plus_one {
            ValuePlusOne::Easier => value - by,
            ValuePlusOne::Harder => value + by,
        };
        Some(step(name, by, value, becomes.max(options.best_value)))
    };
    let hits = &book.charts.hits;
    let told =
        |numbers: &Numbers, inside: &str, row: Option<&toml::Table>| match (inside.split_once(' '), row) {
            (Some(("fighting", place)), _) => bonus(numbers, "Fighting", place),
            (Some(("firing", place)), _) => bonus(numbers, "Firing", place),
            (Some(("horse", "short")), _) => Some(hits.on_horse(hits.short).to_string()),
            (Some(("horse", "long")), _) => Some(hits.on_horse(hits.long).to_string()),
            (None, Some(row)) if inside == "arms" => Some(arms(row)),
            (None, Some(row)) if inside == "passing" => Some(passing(row).into()),
            _ => None,
        };
    print(&Press {
        text: rulebook::file(choices, "sheet.toml"),
        numbers: rulebook::numbers(choices),
        options: rulebook::options(),
        choices,
        book: rulebook::book(),
        told: &told,
        rows: &|of| match of {
            "characters" => characters(book),
            "upgrades" => book.upgrades.iter().map(|u| upgrade(book, u)).collect(),
            _ => Vec::new(),
        },
    })
}

/// A value made better or worse, with the source's sign (WBK-SHEET-03): what helps is plus, whatever it does to the number.
fn step(name: &str, by: i32, value: i32, becomes: i32) -> String {
    format!("{name} {} ({value}+ becomes {becomes}+)", signed(by))
}

/// The weapons that troops may have.
fn arms(row: &toml::Table) -> String {
    let all = row.get("weapons").and_then(toml::Value::as_array).into_iter().flatten();
    all.filter_map(toml::Value::as_str).collect::<Vec<_>>().join(" or ")
}

/// What a piece of ground is to those who pass.
fn passing(row: &toml::Table) -> &'static str {
    let is = |key: &str| row.get(key).and_then(toml::Value::as_bool) == Some(true);
    let says = |key: &str, word: &str| row.get(key).and_then(toml::Value::as_str) == Some(word);
    let found = [
        (is("impassable"), "nobody enters"),
        (says("sight", "building"), "foot garrison it"),
        (says("shape", "obstacle"), "halts a move"),
        (is("difficult"), "difficult"),
    ];
    found.iter().find(|(holds, _)| *holds).map_or("open", |(_, what)| what)
}

fn characters(book: &Rulebook) -> Vec<Vec<String>> {
    let row = |c: &rulebook::CharacterRow| {
        vec![range(c.from.into(), c.to.into()), c.name.name().to_owned(), c.effect.clone()]
    };
    book.characters.iter().map(row).collect()
}

/// The weapons that an upgrade gives: to whom, where they differ, and what must be taken first.
fn arms_given(u: &Upgrade) -> Vec<String> {
    let same = u.weapon.values().all(|arm| u.weapon.values().next() == Some(arm));
    let given = |code: &String| {
        let arm = u.weapon.get(code)?;
        let first = u.needs.get(code).map(|first| format!(" (with {first})")).unwrap_or_default();
        Some(if same { format!("{arm}{first}") } else { format!("{code} {arm}{first}") })
    };
    let mut all: Vec<String> = u.who.iter().filter_map(given).collect();
    all.dedup();
    all
}

fn upgrade(book: &Rulebook, u: &Upgrade) -> Vec<String> {
    let mut points = signed(u.points);
    for code in u.points_by.keys() {
        points = format!("{points} ({code} {})", signed(upgrade_points(u, code)));
    }
    let mut effects = Vec::new();
    // With the source's sign (WBK-SHEET-03), on the number of the first troops that may have it.
    let first = u.who.iter().find_map(|code| book.profile(code));
    for (name, by, value) in [
        ("Firing", u.firing, first.map_or(0, |p| p.firing)),
        ("Fighting", u.fighting, first.map_or(0, |p| p.fighting)),
    ] {
        if by != 0 {
            effects.push(step(name, -by, value, value + by));
        }
    }
    if u.discipline != 0 {
        effects.push(format!("Discipline {}", signed(u.discipline)));
    }
    if u.veteran {
        effects.push(format!("Leadership is the best of {} dice", in_words(book.charts.forces.veteran_dice)));
    }
    if u.fieldcraft {
        effects.push("may go to ground".into());
    }
    effects.extend(arms_given(u));
    effects.extend(u.becomes.values().filter_map(|code| book.profile(code)).map(|p| p.name.clone()));
    effects.dedup();
    vec![u.name.clone(), points, u.who.join(", "), effects.join("; ")]
}
