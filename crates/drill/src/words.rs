//! Words with numbers of the data files in them: `{close_order.minimum} models`, `{signed melee.uphill} in melee`. A number
//! stands once, in its chart; what is printed beside it names its place.
//!
//! ```
//! use tricorne_drill::words::{Numbers, filled};
//!
//! let charts = "[melee]\nuphill = { value = -1, reason = 'uphill', clause = 'TOY-MELEE-04' }\n[near]\nwall = 2.0";
//! let numbers = Numbers::default().with("charts", toml::from_str(charts).unwrap());
//! let told = |text: &str| filled(text, &|inside| numbers.told(inside, None));
//! assert_eq!(told("{signed melee.uphill} to the die, within {near.wall}\" of a wall"), "−1 to the die, within 2\" of a wall");
//! assert_eq!(told("nobody knows {near.ditch}"), "nobody knows {near.ditch}");
//! let charts = "[[score]]\nat_least = 4\n[[score]]\nat_least = 5\n[[score]]\nat_least = 7\n[[weapon]]\nname = 'Field Gun'\ndice = 2";
//! let numbers = numbers.with("tables", toml::from_str(charts).unwrap());
//! let row = toml::from_str("at_least = 5").unwrap();
//! assert_eq!(numbers.told("band tables.score", Some(&row)).as_deref(), Some("5–6"));
//! assert_eq!(numbers.told("weapon.field_gun.dice", None).as_deref(), Some("2"));
//! ```

use toml::{Table, Value};
use tricorne_game::{Choices, Fault, Source};

/// Fills the braces of a text; what nobody knows stays as it is written.
pub fn filled(text: &str, told: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, beyond) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(&told(inside).unwrap_or_else(|| format!("{{{inside}}}")));
        rest = beyond;
    }
    out + rest
}

/// The first letter made a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// A number with its sign: `+1`, `−2`, `0`.
pub fn signed(n: f64) -> String {
    match n {
        n if n > 0.0 => format!("+{n}"),
        n if n < 0.0 => format!("−{}", n.abs()),
        _ => "0".into(),
    }
}

/// Lower case, with a dash for anything but letters and digits: `napoleonic-france`.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// The data files of a rulebook as played, by their names without `.toml`.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    files: Vec<(String, Table)>,
    /// What is wrong with the first that can't be read.
    fault: Option<Fault>,
}

impl Numbers {
    /// A rulebook's files, a player's own in their place. Nothing is printed from them while one can't be read; see
    /// [`Numbers::fault`].
    pub fn of(files: &[(&str, &str)], choices: &Choices) -> Self {
        let mut numbers = Self::default();
        for (name, own) in files {
            let text = choices.data.get(*name).map_or(*own, String::as_str);
            match Source::new(*name, text).table() {
                Ok(table) => numbers.files.push((name.trim_end_matches(".toml").to_owned(), table)),
                Err(fault) => numbers.fault = numbers.fault.or(Some(fault)),
            }
        }
        numbers
    }

    /// What is wrong with the first file that can't be read.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// With a file as it is given here.
    #[must_use]
    pub fn with(mut self, name: &str, file: Table) -> Self {
        self.files.retain(|known| known.0 != name);
        self.files.push((name.to_owned(), file));
        self
    }

    /// A whole file.
    pub fn file(&self, name: &str) -> Option<&Table> {
        self.files.iter().find(|f| f.0 == name).map(|f| &f.1)
    }

    /// What stands at a place: `charts.melee.uphill`, or `melee.uphill` where only one file has it.
    pub fn at(&self, place: &str) -> Option<&Value> {
        let (file, rest) = place.split_once('.').unwrap_or((place, ""));
        let under = self.file(file).and_then(|file| down(file, rest));
        under.or_else(|| self.files.iter().find_map(|f| down(&f.1, place)))
    }

    /// What stands between braces: a place, looked for in a row of a table first, then in the files; before it, how it is
    /// told: `signed`, `half`, `share` (`1/4`), `maybe` (a dash where there is none), `plain` (blanks for underscores, a
    /// minus for a hyphen), `capital`, `bare` (a clause without the letters of its book), `band` (the scores of a row of a
    /// chart, `5–6`).
    pub fn told(&self, inside: &str, row: Option<&Table>) -> Option<String> {
        let find = |place: &str| row.and_then(|row| down(row, place)).or_else(|| self.at(place));
        let Some((how, place)) = inside.split_once(' ') else { return find(inside).and_then(said) };
        match how {
            "signed" => find(place).and_then(number).map(signed),
            "half" => find(place).and_then(number).map(|n| (n / 2.0).to_string()),
            "band" => band(self.at(place)?.as_array()?, row?),
            "share" => find(place)?.as_array().and_then(|pair| {
                let (over, under) = (number(pair.first()?)?, number(pair.get(1)?)?);
                Some(if (under - 1.0).abs() < 1e-9 { over.to_string() } else { format!("{over}/{under}") })
            }),
            "maybe" => Some(find(place).and_then(said).unwrap_or_else(|| "–".into())),
            "plain" => find(place).and_then(said).map(|text| match text.parse() {
                Ok(n) if n < 0.0 => signed(n),
                _ => text.replace('_', " "),
            }),
            "capital" => find(place).and_then(said).map(|text| capital(&text)),
            "bare" => find(place).and_then(said).map(|text| match text.split_once('-') {
                Some((_, clause)) => clause.to_owned(),
                None => text,
            }),
            _ => None,
        }
    }
}

fn named(step: &str) -> impl Fn(&str) -> bool {
    move |name| name.to_lowercase().replace(' ', "_") == step
}

fn down<'a>(table: &'a Table, place: &str) -> Option<&'a Value> {
    let mut steps = place.split('.');
    let first = table.get(steps.next()?)?;
    steps.try_fold(first, |at, step| match at {
        Value::Array(all) => match step.parse::<usize>() {
            Ok(n) => all.get(n),
            // One that has a name is found by it too: `weapon.field_gun.dice`.
            Err(_) => all.iter().find(|one| one.get("name").and_then(Value::as_str).is_some_and(named(step))),
        },
        _ => at.get(step),
    })
}

/// The scores that a row is for, in a chart of rows that count `at_least` so much, up to the next one: `4`, `5–6`, `10+`. The
/// row without a number is for all that is left below.
fn band(chart: &[Value], row: &Table) -> Option<String> {
    let least = |row: &Table| row.get("at_least").and_then(Value::as_integer);
    let all = || chart.iter().filter_map(Value::as_table).filter_map(least);
    let Some(low) = least(row) else {
        return all().min().map(|lowest| format!("{} or less", minus(lowest - 1)));
    };
    Some(match all().filter(|next| *next > low).min() {
        Some(next) => range(low, next - 1),
        None => format!("{}+", minus(low)),
    })
}

/// Whole numbers from one to another: `4`, `5–6`, `−2 to 1`.
pub fn range(low: i64, high: i64) -> String {
    match low {
        _ if low == high => minus(low),
        0.. => format!("{low}–{high}"),
        _ => format!("{} to {}", minus(low), minus(high)),
    }
}

/// A number that is below nothing has the sign that is as wide as a plus.
fn minus(n: i64) -> String {
    if n < 0 { format!("−{}", n.unsigned_abs()) } else { n.to_string() }
}

/// The number of a value, or of a chart's line.
pub fn number(value: &Value) -> Option<f64> {
    let value = value.get("value").unwrap_or(value);
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}

/// A value in words.
pub fn said(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Boolean(is) => Some(is.to_string()),
        Value::Array(all) => Some(all.iter().filter_map(said).collect::<Vec<_>>().join(", ")),
        _ => number(value).map(|n| n.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_names_itself() {
        let choices =
            Choices { data: [("charts.toml".into(), "[hits\n".into())].into(), ..Choices::default() };
        let numbers = Numbers::of(&[("charts.toml", "[hits]\nshort = 1"), ("forces.toml", "")], &choices);
        let fault = numbers.fault().map(ToString::to_string).unwrap_or_default();
        assert!(fault.starts_with("charts.toml:1:"), "{fault}");
        assert!(Numbers::of(&[("charts.toml", "[hits]")], &Choices::default()).fault().is_none());
    }
}
