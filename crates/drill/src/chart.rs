//! Charts as data: a number of the rulebook stands in its TOML with what it is for and the clause that gives it.
//!
//! ```
//! use serde::Deserialize;
//! use tricorne_drill::{Line, Reasons, chart};
//!
//! #[derive(Deserialize)]
//! struct Melee { uphill: Line, in_flank: Line }
//!
//! let text = r#"
//!     uphill = { value = 1, reason = "from higher ground", clause = "TOY-MELEE-04" }
//!     in_flank = { value = -2, reason = "taken in flank", clause = "TOY-MELEE-05" }
//! "#;
//! let melee: Melee = toml::from_str(text).unwrap();
//! let mut reasons = Reasons::new();
//! reasons.line(&melee.uphill);
//! reasons.line_if(true, &melee.in_flank);
//! assert_eq!(reasons.sum(), -1);
//!
//! let rows = chart::lines(&toml::from_str(text).unwrap());
//! assert_eq!((rows[0].0.as_str(), rows[0].1.signed()), ("in_flank", "−2".to_owned()));
//! ```

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;
use tricorne_game::{Choices, Fault, Place, Source, written};

/// No number of a data file is larger: no table is so wide, nothing so dear.
const LARGEST: f64 = 2_000.0;
/// Nobody throws more dice at once.
const MOST_DICE: f64 = 100.0;

/// Data files of somebody's own, in place of the rulebook's: every number is one that a table can hold, so that none can keep
/// others waiting. What it means is for the rulebook to judge.
pub fn own_files(choices: &Choices) -> Result<(), Fault> {
    choices.data.iter().try_for_each(|(name, text)| {
        let file = Source::new(name.as_str(), text.as_str());
        ordinary(&file, &mut Vec::new(), &Value::Table(file.table()?))
    })
}

fn ordinary(file: &Source, way: &mut Vec<Place>, value: &Value) -> Result<(), Fault> {
    let mut inside = |step: Place, value: &Value| {
        way.push(step);
        ordinary(file, way, value)?;
        way.pop();
        Ok(())
    };
    let number = match value {
        Value::Table(table) => {
            return table.iter().try_for_each(|(key, value)| inside(key.as_str().into(), value));
        }
        Value::Array(array) => {
            return array.iter().enumerate().try_for_each(|(i, value)| inside(i.into(), value));
        }
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => return Ok(()),
    };
    let thrown = way.iter().any(|step| matches!(step, Place::Key(key) if key.contains("dice")));
    let most = if thrown { MOST_DICE } else { LARGEST };
    if number.is_finite() && number.abs() <= most {
        return Ok(());
    }
    Err(file.fault(way, format!("is {number}; no number here is larger than {most}")))
}

/// A number of a chart: a modifier, a threshold, a range, a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The number.
    pub value: i32,
    /// What it is for, in the words the log and the sheet print.
    pub reason: &'static str,
    /// The clause that gives it.
    pub clause: &'static str,
}

impl Line {
    /// The number with its sign, as a sheet prints it: `+1`, `−2`, `0`.
    pub fn signed(&self) -> String {
        match self.value {
            0 => "0".into(),
            n if n > 0 => format!("+{n}"),
            n => format!("−{}", n.unsigned_abs()),
        }
    }
}

/// As a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    value: i32,
    reason: String,
    clause: String,
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(d)?;
        let kept = |text: &str| kept(text).map_err(serde::de::Error::custom);
        Ok(Self { value: written.value, reason: kept(&written.reason)?, clause: kept(&written.clause)? })
    }
}

/// How many different words of charts one process keeps: the rulebooks' own and those of players' files together.
const MOST_WORDS: usize = 20_000;
/// How long one may be.
const LONGEST: usize = 160;

/// Words of charts are kept for as long as the process lives, so that reasons are cheap to copy. The same words are kept
/// once, and players' own data files cannot make them grow without end.
fn kept(text: &str) -> Result<&'static str, String> {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    if text.len() > LONGEST {
        return Err(format!(
            "the words of a chart's line have at most {LONGEST} letters, these have {}",
            text.len()
        ));
    }
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = words.get(text) {
        return Ok(known);
    }
    if words.len() >= MOST_WORDS {
        return Err("this program has read too many different charts since it started; start it again".into());
    }
    let word: &'static str = Box::leak(text.to_owned().into_boxed_str());
    words.insert(word);
    Ok(word)
}

/// Every line of a data file with its place in it (`melee.uphill`), for sheets and for the test that changes each.
pub fn lines(file: &toml::Table) -> Vec<(String, Line)> {
    fn walk(place: &str, value: &toml::Value, out: &mut Vec<(String, Line)>) {
        let inner = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
        match value {
            toml::Value::Table(table) => match written::<Line>(value) {
                Ok(line) => out.push((place.to_owned(), line)),
                Err(_) => table.iter().for_each(|(key, value)| walk(&inner(key), value, out)),
            },
            toml::Value::Array(array) => {
                array.iter().enumerate().for_each(|(i, value)| walk(&inner(&i.to_string()), value, out));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk("", &toml::Value::Table(file.clone()), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_kept_once() {
        let (one, other) = (kept("from higher ground").unwrap(), kept("from higher ground").unwrap());
        assert!(std::ptr::eq(one, other));
    }

    #[test]
    fn numbers_that_no_table_holds_are_refused_by_their_place() {
        let own = |text: &str| {
            let data = [("charts.toml".to_owned(), text.to_owned())].into();
            own_files(&Choices { data, ..Choices::default() })
        };
        assert!(own("[tests]\ndice = 2\n[score]\nbudget = 400\nrows = [1, -2.5]").is_ok());
        for (text, place) in [
            ("[tests]\ndice = 4000000000", "tests.dice"),
            ("[weapon.gun]\ndice = 101", "weapon.gun.dice"),
            ("[march]\nrear = -1e9", "march.rear"),
            ("reach = nan", "reach"),
        ] {
            let fault = own(text).unwrap_err();
            assert_eq!((fault.file.as_str(), fault.place().as_str()), ("charts.toml", place), "{fault}");
        }
        assert!(own("[rows]\nall = [1, 1e300]").is_err());
    }

    #[test]
    fn a_line_that_lacks_its_clause_is_refused() {
        let wrong = toml::from_str::<toml::Table>("uphill = { value = 1, reason = 'higher' }").unwrap();
        assert!(written::<Line>(&wrong["uphill"]).is_err());
        assert!(lines(&wrong).is_empty());
    }
}
