//! The charts a player needs: `sheet.toml` with the numbers as played. No number is typed here.

use toml::{Table, Value};
use tricorne_drill::sheet::Press;
use tricorne_drill::words::{Numbers, number, range};
use tricorne_game::army::ReferenceSheet;
use tricorne_game::view::Note;
use tricorne_game::{Choices, written};

use crate::rulebook::{SHEET, Throw, book, data_files, options};

/// The sheet; none if the data a player brought can't be read.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    crate::rulebook::Rulebook::of(choices).ok()?;
    press(choices, |press| press.sheet("Seven Years War, 15mm").ok())
}

/// The rules that troops need, as the rulebook comes.
pub(super) fn needs(has: &dyn Fn(&str) -> bool) -> Option<Vec<Note>> {
    press(&Choices::default(), |press| press.needs(has).ok())
}

fn press<T>(choices: &Choices, print: impl FnOnce(&Press<'_>) -> Option<T>) -> Option<T> {
    let told = |numbers: &Numbers, inside: &str, row: Option<&Table>| match (inside.split_once(' '), row) {
        (Some(("throw", place)), _) => numbers.at(place).and_then(|t| written::<Throw>(t).ok()).map(throw),
        (Some(("slower", key)), Some(row)) => slower(row.get(key)?.as_array()?),
        (None, Some(row)) if inside == "arms" => {
            let code = row.get("weapon").and_then(Value::as_str)?;
            Some(numbers.told(&format!("weapons.{code}.name"), None).unwrap_or_else(|| "–".into()))
        }
        (None, Some(row)) if inside == "stands" => Some(sizes(row.get("sizes")?.as_array()?)),
        (None, Some(row)) if inside == "price" => {
            let code = row.get("id").and_then(Value::as_str)?;
            numbers.told(&format!("points.troops.{code}"), None)
        }
        _ => None,
    };
    print(&Press {
        text: SHEET,
        numbers: Numbers::of(&data_files(), choices),
        options: options(),
        choices,
        book: book(),
        told: &told,
        rows: &|_| Vec::new(),
    })
}

fn throw(t: Throw) -> String {
    if t.base > 0.0 { format!("{} + D{}", t.base, t.die) } else { format!("D{}", t.die) }
}

/// What a factor takes off speed, as the source has it: 4/3 is `−1/4`.
fn slower(factor: &[Value]) -> Option<String> {
    let (over, under) = (number(factor.first()?)?, number(factor.get(1)?)?);
    Some(if over > under { format!("−{}/{over}", over - under) } else { "full".into() })
}

/// How many stands a unit may have: `1–10`, or `3–4, 6`.
fn sizes(all: &[Value]) -> String {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for n in all.iter().filter_map(Value::as_integer) {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == n => run.1 = n,
            _ => runs.push((n, n)),
        }
    }
    runs.iter().map(|&(low, high)| range(low, high)).collect::<Vec<_>>().join(", ")
}
