//! What the sheet says in words (WBK-SHEET-01 to 04): the rows of `sheet.toml`, with the numbers of the charts and as
//! played under the options chosen.

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_game::army::ReferenceChart;
use tricorne_game::{Choices, OptionBook, Source, Tag};

use super::reference::chart;
use crate::options::{Options, ValuePlusOne};
use crate::tables::rulebook::{self, Rulebook};
use crate::tables::words;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    #[serde(rename = "format")]
    _format: u32,
    heading: Vec<Heading>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    title: String,
    row: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    what: String,
    says: String,
    clauses: Vec<String>,
    /// Readings under which it is printed.
    #[serde(default)]
    when: BTreeMap<String, String>,
}

/// A value made better or worse, with the source's sign (WBK-SHEET-03): what helps is plus, whatever it does to the number.
pub(super) fn step(name: &str, by: i32, value: i32, becomes: i32) -> String {
    let sign = if by < 0 { '−' } else { '+' };
    format!("{name} {sign}{} ({value}+ becomes {becomes}+)", by.unsigned_abs())
}

fn bonus(name: &str, by: i32, value: i32, options: &Options) -> String {
    let becomes = match options.value_plus_one {
        ValuePlusOne::Easier => value - by,
        ValuePlusOne::Harder => value + by,
    };
    step(name, by, value, becomes.max(options.best_value))
}

struct Press<'a> {
    book: &'a Rulebook,
    options: &'a Options,
    charts: toml::Table,
}

impl Press<'_> {
    /// What stands between braces.
    fn told(&self, inside: &str) -> Option<String> {
        let regulars = self.book.profile("RI")?;
        let by = |place: &str| words::number(&self.charts, place).map(|n| n as i32);
        match inside.split_once(' ') {
            Some(("fighting", place)) => Some(bonus("Fighting", by(place)?, regulars.fighting, self.options)),
            Some(("firing", place)) => Some(bonus("Firing", by(place)?, regulars.firing, self.options)),
            _ => words::told(&self.charts, inside),
        }
    }

    fn filled(&self, text: &str) -> String {
        words::filled(text, |inside| self.told(inside))
    }
}

/// How a row is marked: a house rule, or a reading away from its default (WBK-SHEET-04).
fn marks(clauses: &[String], choices: &Choices, readings: &OptionBook) -> String {
    let book = rulebook::book();
    let mut marks = String::new();
    let found = clauses.iter().filter_map(|id| book.clause(&format!("WBK-{id}")));
    if found.clone().any(|clause| clause.tag == Tag::House) {
        marks.push_str(" (house)");
    }
    for option in found.filter_map(|clause| clause.option.as_deref()) {
        if let (Some(value), Some(spec)) = (choices.options.get(option), readings.get(option))
            && spec.default != *value
        {
            marks.push_str(&format!(" ({}: {})", option.replace('_', " "), value.replace('_', " ")));
        }
    }
    marks
}

/// The headings of WBK-SHEET-02.
pub(super) fn headings(book: &Rulebook, options: &Options, choices: &Choices) -> Option<Vec<ReferenceChart>> {
    let sheet: Sheet = Source::new("sheet.toml", rulebook::file(choices, "sheet.toml")).parse().ok()?;
    let press = Press { book, options, charts: rulebook::charts_table(choices) };
    let readings = rulebook::options();
    let print = |heading: Heading| {
        let rows: Vec<Vec<String>> = heading
            .row
            .iter()
            .filter(|row| {
                row.when.iter().all(|(option, value)| {
                    let played =
                        choices.options.get(option).or(readings.get(option).map(|spec| &spec.default));
                    played == Some(value)
                })
            })
            .map(|row| {
                let clauses = row.clauses.join(" ");
                let marks = marks(&row.clauses, choices, readings);
                vec![press.filled(&row.what), format!("{} {clauses}{marks}", press.filled(&row.says))]
            })
            .collect();
        let first = heading.row.first().and_then(|row| row.clauses.first());
        chart(&heading.title, &[], &format!("WBK-{}", first.map_or("SHEET-02", String::as_str)), rows)
    };
    Some(sheet.heading.into_iter().map(print).collect())
}
