//! What goes on paper, from data: `sheet.toml` of a rulebook holds the charts of its quick-reference sheet and the rules that
//! a roster reminds of. The words stand there; the numbers between their braces come from the charts as played.
//!
//! A chart has a `title`, the `clause` it rests on, a `head`, and its rows: one for `each` entry of a table of the data
//! files (`each = "terrain.kind"` with `cells`), those that the rulebook works out itself (`of`), and those written out
//! (`row`). A row, or a chart, may ask for a reading (`when = { option = "value" }`, or `"!value"` for any other); a chart
//! without rows is left out. `[say.NAME]` puts words for values: `{say sight}` is the text under the row's own `sight`, or
//! under the option of that name as it is played; `"*"` stands for any other value and `""` for none.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};
use tricorne_game::army::{ReferenceChart, ReferenceSheet};
use tricorne_game::view::Note;
use tricorne_game::{Book, Choices, Fault, InOrder, OptionBook, Source, Tag};

use crate::words::{self, Numbers};

/// As a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "format")]
    _format: u32,
    #[serde(default)]
    say: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    need: Vec<Need>,
    #[serde(alias = "heading")]
    chart: Vec<Chart>,
}

type When = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chart {
    title: String,
    /// That of its first row, if it has none of its own.
    clause: Option<String>,
    #[serde(default)]
    head: Vec<String>,
    each: Option<String>,
    /// The entries of `each` in this order, rather than as the file is sorted.
    #[serde(default)]
    order: Vec<String>,
    #[serde(default)]
    cells: Vec<String>,
    of: Option<String>,
    #[serde(default)]
    row: Vec<Row>,
    #[serde(default)]
    when: When,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Row {
    Plain(Vec<String>),
    Under { cells: Vec<String>, when: When },
    Said(Said),
}

/// A row of two that names its clauses, without the letters before the first dash.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    what: String,
    says: String,
    clauses: Vec<String>,
    #[serde(default)]
    when: When,
}

/// A rule that some troops need at hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Need {
    label: String,
    /// In words; those of the clause itself where there are none.
    says: Option<String>,
    clause: String,
    /// What an army must have for it; nothing for rules that everybody needs.
    #[serde(default, rename = "for")]
    of: Vec<String>,
}

/// Tells what stands between braces, given the row of an `each`; none for what it does not know.
pub type Told<'a> = dyn Fn(&Numbers, &str, Option<&Table>) -> Option<String> + 'a;

/// What a rulebook brings to its sheet.
pub struct Press<'a> {
    /// The text of `sheet.toml`.
    pub text: &'a str,
    /// The data files as played.
    pub numbers: Numbers,
    /// The rulebook's options, and what was chosen.
    pub options: &'a OptionBook,
    /// What was chosen.
    pub choices: &'a Choices,
    /// Its clauses.
    pub book: &'a Book,
    /// What only the rulebook can tell between braces, given the row of an `each`.
    pub told: &'a Told<'a>,
    /// The rows of charts that it works out itself, by their `of`.
    pub rows: &'a dyn Fn(&str) -> Vec<Vec<String>>,
}

/// Words that are made of other words, and those of others, end here: a file may name words that name themselves.
const DEEPEST: usize = 8;

impl Press<'_> {
    /// The sheet as written. No number is left out because the file it stands in is broken.
    fn read(&self) -> Result<Written, Fault> {
        if let Some(fault) = self.numbers.fault() {
            return Err(fault.clone());
        }
        Source::new("sheet.toml", self.text).parse()
    }

    /// The sheet as played.
    pub fn sheet(&self, title: &str) -> Result<ReferenceSheet, Fault> {
        let written = self.read()?;
        let charts = written.chart.iter().filter_map(|chart| self.chart(chart, &written)).collect();
        Ok(ReferenceSheet { title: title.into(), charts })
    }

    /// The rules that an army needs which has these things, in the order of the file.
    pub fn needs(&self, has: &dyn Fn(&str) -> bool) -> Result<Vec<Note>, Fault> {
        let written = self.read()?;
        let needed = written.need.iter().filter(|n| n.of.is_empty() || n.of.iter().any(|thing| has(thing)));
        let note = |need: &Need| {
            let says = match &need.says {
                Some(says) => self.filled(says, None, &written),
                None => {
                    self.book.clause(&need.clause).map(tricorne_game::Clause::statement).ok_or_else(|| {
                        let why =
                            format!("`{}` names {}, which is no clause of the book", need.label, need.clause);
                        Source::new("sheet.toml", self.text).fault(&["need".into()], why)
                    })?
                }
            };
            Ok(Note::new(&need.label, says, Some(&need.clause)))
        };
        needed.map(note).collect()
    }

    fn played(&self, option: &str) -> Option<&str> {
        let chosen = self.choices.options.get(option);
        chosen.or(self.options.get(option).map(|spec| &spec.default)).map(String::as_str)
    }

    fn holds(&self, when: &When) -> bool {
        when.iter().all(|(option, value)| match (value.strip_prefix('!'), self.played(option)) {
            (Some(other), Some(played)) => played != other,
            (None, Some(played)) => played == value,
            (_, None) => false,
        })
    }

    fn filled(&self, text: &str, row: Option<&Table>, written: &Written) -> String {
        self.filled_within(text, row, written, DEEPEST)
    }

    fn filled_within(&self, text: &str, row: Option<&Table>, written: &Written, deep: usize) -> String {
        words::filled(text, &|inside| {
            if let Some(name) = inside.strip_prefix("say ") {
                return self.says(name, row, written, deep.checked_sub(1)?);
            }
            let own = (self.told)(&self.numbers, inside, row).or_else(|| self.numbers.told(inside, row));
            own.or_else(|| self.played(inside).map(str::to_owned))
        })
    }

    /// The words for a value of the row, or of an option.
    fn says(&self, name: &str, row: Option<&Table>, written: &Written, deep: usize) -> Option<String> {
        let texts = written.say.get(name)?;
        let of_row = row.and_then(|row| row.get(name)).and_then(words::said);
        let value = of_row.or_else(|| self.played(name).map(str::to_owned));
        let text = match &value {
            Some(value) => texts.get(value).or_else(|| texts.get("*")),
            None => texts.get(""),
        };
        text.map(|text| self.filled_within(text, row, written, deep))
    }

    fn chart(&self, chart: &Chart, written: &Written) -> Option<ReferenceChart> {
        if !self.holds(&chart.when) {
            return None;
        }
        let entries =
            chart.each.as_deref().map(|place| self.entries(place, &chart.order)).unwrap_or_default();
        let mut rows: Vec<Vec<String>> = entries
            .iter()
            .map(|entry| {
                let cell = |cell: &String| self.filled(cell, Some(entry), written).trim().to_owned();
                chart.cells.iter().map(cell).collect()
            })
            .collect();
        rows.extend(chart.of.as_deref().map(self.rows).unwrap_or_default());
        let cells = |cells: &[String]| {
            cells.iter().map(|cell| self.filled(cell, None, written).trim().to_owned()).collect()
        };
        for row in &chart.row {
            match row {
                Row::Plain(plain) => rows.push(cells(plain)),
                Row::Under { cells: under, when } if self.holds(when) => rows.push(cells(under)),
                Row::Said(said) if self.holds(&said.when) => {
                    let says = format!(
                        "{} {}{}",
                        self.filled(&said.says, None, written).trim(),
                        said.clauses.join(" "),
                        self.marks(&said.clauses)
                    );
                    rows.push(vec![self.filled(&said.what, None, written).trim().to_owned(), says]);
                }
                Row::Under { .. } | Row::Said(_) => {}
            }
        }
        // What is said beside a table fills the first columns only.
        for row in &mut rows {
            row.resize(row.len().max(chart.head.len()), String::new());
        }
        let first = chart.row.iter().find_map(|row| match row {
            Row::Said(said) => said.clauses.first().map(|clause| self.whole(clause)),
            _ => None,
        });
        (!rows.is_empty()).then(|| ReferenceChart {
            title: chart.title.clone(),
            head: chart.head.iter().map(|cell| self.filled(cell, None, written)).collect(),
            rows,
            clause: chart.clause.clone().or(first).unwrap_or_default(),
        })
    }

    /// The entries of a table of the data files, each with its `id`; `readings` are the options played otherwise than by
    /// default.
    fn entries(&self, place: &str, order: &[String]) -> Vec<Table> {
        if place == "readings" {
            let spec = |spec: &tricorne_game::OptionSpec| {
                let value = self.played(&spec.id)?;
                (*value != spec.default).then(|| {
                    let text = |text: &str| Value::from(text);
                    let clauses = spec.clauses.iter().map(|c| text(c)).collect::<Vec<_>>();
                    [("id", text(&spec.id)), ("value", text(value)), ("about", text(&spec.about))]
                        .into_iter()
                        .chain([("clauses", Value::Array(clauses))])
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect()
                })
            };
            return self.options.specs.iter().filter_map(spec).collect();
        }
        let named = |id: String, value: &Value| {
            let mut row = match value {
                Value::Table(table) => table.clone(),
                other => Table::from_iter([("value".to_owned(), other.clone())]),
            };
            row.entry("id").or_insert(Value::from(id));
            row
        };
        let listed = |table: &Table, all: bool| -> Vec<Table> {
            let entries = table.iter().filter(|(_, value)| all || value.is_table());
            entries.map(|(id, value)| named(id.clone(), value)).collect()
        };
        let mut all = match (self.numbers.file(place), self.numbers.at(place)) {
            // Of a whole file its tables, not its `format` and single numbers.
            (Some(file), _) => listed(file, false),
            (None, Some(Value::Table(table))) => listed(table, true),
            (None, Some(Value::Array(array))) => {
                array.iter().enumerate().map(|(n, value)| named((n + 1).to_string(), value)).collect()
            }
            (None, _) => Vec::new(),
        };
        let rank =
            |row: &Table| order.iter().position(|id| row.get("id").and_then(Value::as_str) == Some(id));
        all.put_in_order_of(|row| rank(row).unwrap_or(order.len()));
        all
    }

    /// A clause with the letters that all of the book have.
    fn whole(&self, clause: &str) -> String {
        let letters = self.book.clauses.first().and_then(|c| c.id.split_once('-')).map_or("", |id| id.0);
        format!("{letters}-{clause}")
    }

    /// How a row is marked: a house rule, or a reading away from its default.
    fn marks(&self, clauses: &[String]) -> String {
        let mut marks = String::new();
        let found = clauses.iter().filter_map(|id| self.book.clause(&self.whole(id)));
        if found.clone().any(|clause| clause.tag == Tag::House) {
            marks.push_str(" (house)");
        }
        for option in found.filter_map(|clause| clause.option.as_deref()) {
            if let (Some(value), Some(spec)) = (self.choices.options.get(option), self.options.get(option))
                && spec.default != *value
            {
                marks.push_str(&format!(" ({}: {})", option.replace('_', " "), value.replace('_', " ")));
            }
        }
        marks
    }
}
