//! Files people write, and errors that name the line and the remedy.

use std::fmt;

use serde::de::DeserializeOwned;
use toml_edit::{Document, Item};

use crate::written::{Misread, written};

/// A step on the way to a place in a TOML file: a key, or the n-th of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A key of a table.
    Key(String),
    /// An element of an array, from 0.
    Nth(usize),
}

impl From<&str> for Place {
    fn from(key: &str) -> Self {
        Place::Key(key.into())
    }
}

impl From<usize> for Place {
    fn from(n: usize) -> Self {
        Place::Nth(n)
    }
}

/// A text file with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name, as the user gave it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What is wrong with a file: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// Line and column from 1, where known.
    pub at: Option<(usize, usize)>,
    /// The way to the place: `units`, 3, `kind`.
    pub path: Vec<Place>,
    /// What is wrong and what was expected.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.place())?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The place in the file's own terms: `units[3].kind`.
    pub fn place(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            match step {
                Place::Key(key) if text.is_empty() => text.push_str(key),
                Place::Key(key) => {
                    text.push('.');
                    text.push_str(key);
                }
                Place::Nth(n) => text.push_str(&format!("[{n}]")),
            }
        }
        text
    }

    /// The same fault of a part that stands under `prefix` in a larger file.
    #[must_use]
    pub fn within(&self, file: &Source, prefix: &[Place]) -> Fault {
        let path: Vec<Place> = prefix.iter().chain(&self.path).cloned().collect();
        file.fault(&path, self.problem.clone())
    }
}

impl Source {
    /// A text with its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Parses TOML; an error names the line. Letters that a screen obeys instead of showing are refused wherever they stand.
    pub fn table(&self) -> Result<toml::Table, Fault> {
        let table: toml::Table = self.text.parse().map_err(|e: toml::de::Error| Fault {
            file: self.name.clone(),
            at: e.span().map(|s| self.line_of(s.start)),
            path: Vec::new(),
            problem: readable(plain(e.message())),
        })?;
        texts(&table, &mut |place, text| {
            let mut letters = text.chars().filter(|letter| !matches!(letter, '\n' | '\r' | '\t'));
            letters.find(|&letter| is_obeyed(letter)).map_or(Ok(()), |letter| {
                let code = u32::from(letter);
                Err(self
                    .fault(place, format!("has a letter that no screen shows (U+{code:04X}); take it out")))
            })
        })?;
        Ok(table)
    }

    /// Parses TOML into a typed value; an error names the line and the place.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let table = toml::Value::Table(self.table()?);
        written(&table).map_err(|wrong| self.misread(&[], &wrong))
    }

    /// The fault of a part that could not be read; it stands at `place`.
    pub fn misread(&self, place: &[Place], wrong: &Misread) -> Fault {
        let path: Vec<Place> = place.iter().cloned().chain(wrong.path()).collect();
        self.fault(&path, wrong.problem.as_str())
    }

    /// A fault at a place in the file.
    pub fn fault(&self, place: &[Place], problem: impl Into<String>) -> Fault {
        let problem = readable(problem.into());
        Fault { file: self.name.clone(), at: self.find(place), path: place.to_vec(), problem }
    }

    /// Line and column (from 1) of a byte.
    fn line_of(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..byte.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        (line, before.chars().rev().take_while(|&c| c != '\n').count() + 1)
    }

    /// Where a place is: the deepest step of it that the file has.
    fn find(&self, place: &[Place]) -> Option<(usize, usize)> {
        let document = Document::parse(self.text.as_str()).ok()?;
        let mut item: &Item = document.as_item();
        let mut found = None;
        let mut value: Option<&toml_edit::Value> = None;
        for step in place {
            // Inside an inline array or table we walk values, outside we walk items.
            let (next_item, next_value) = match (value, step) {
                (None, Place::Key(key)) => {
                    let table = item.as_table_like()?;
                    if let Some((k, _)) = table.get_key_value(key) {
                        found = k.span().or(found);
                    }
                    (table.get(key), None)
                }
                (None, Place::Nth(n)) => match item {
                    Item::ArrayOfTables(tables) => {
                        found = tables.get(*n).and_then(toml_edit::Table::span).or(found);
                        let Some(table) = tables.get(*n) else { break };
                        // A table in an array of tables is no Item of its own; go on by its remaining keys.
                        return self
                            .find_in_table(table, &place[position(place, step) + 1..])
                            .or_else(|| found.clone().map(|s| self.line_of(s.start)));
                    }
                    other => (None, other.as_array().and_then(|a| a.get(*n))),
                },
                (Some(v), Place::Key(key)) => (None, v.as_inline_table().and_then(|t| t.get(key))),
                (Some(v), Place::Nth(n)) => (None, v.as_array().and_then(|a| a.get(*n))),
            };
            if let Some(v) = next_value {
                found = v.span().or(found);
                value = Some(v);
            } else if let Some(i) = next_item {
                found = found.or_else(|| i.span());
                item = i;
                value = i.as_value();
            } else {
                break;
            }
        }
        found.map(|span| self.line_of(span.start))
    }

    fn find_in_table(&self, table: &toml_edit::Table, place: &[Place]) -> Option<(usize, usize)> {
        let Some(Place::Key(key)) = place.first() else { return None };
        let (k, item) = table.get_key_value(key)?;
        let mut span = k.span();
        let mut value = item.as_value();
        for step in &place[1..] {
            value = match (value?, step) {
                (v, Place::Key(key)) => v.as_inline_table().and_then(|t| t.get(key)),
                (v, Place::Nth(n)) => v.as_array().and_then(|a| a.get(*n)),
            };
            span = value.and_then(toml_edit::Value::span).or(span);
        }
        span.map(|s| self.line_of(s.start))
    }
}

/// A letter that clears a screen, rings its bell or turns round what follows, instead of being shown.
fn is_obeyed(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What looks at a text and where it stands.
pub type Look<'a> = &'a mut dyn FnMut(&[Place], &str) -> Result<(), Fault>;

/// Shows every text of a file with its place, and every key with that of its table, until one is refused.
pub fn texts(table: &toml::Table, look: Look<'_>) -> Result<(), Fault> {
    fn among(table: &toml::Table, way: &mut Vec<Place>, look: Look<'_>) -> Result<(), Fault> {
        for (key, value) in table {
            look(way, key)?;
            way.push(key.as_str().into());
            within(value, way, look)?;
            way.pop();
        }
        Ok(())
    }
    fn within(value: &toml::Value, way: &mut Vec<Place>, look: Look<'_>) -> Result<(), Fault> {
        match value {
            toml::Value::String(text) => look(way, text),
            toml::Value::Array(all) => all.iter().enumerate().try_for_each(|(n, value)| {
                way.push(n.into());
                within(value, way, look)?;
                way.pop();
                Ok(())
            }),
            toml::Value::Table(table) => among(table, way, look),
            _ => Ok(()),
        }
    }
    among(table, &mut Vec::new(), look)
}

/// A complaint about JSON in the same words.
pub fn unread(e: &serde_json::Error) -> String {
    let message = e.to_string();
    // A line of a file is all that was read: what is said of its lines would mislead.
    let message = match (e.line(), message.rsplit_once(" at line ")) {
        (1, Some((what, _))) => format!("{what} at letter {}", e.column()),
        _ => message,
    };
    readable(plain(&message))
}

/// A reader's complaint in words that people have who know no programming.
pub fn plain(message: &str) -> String {
    const WORDS: [(&str, &str); 23] = [
        ("expected map with a single key", "expected a word, or a table with one key"),
        ("expected variant identifier", "expected a word"),
        ("expected field identifier", "expected a key"),
        ("expected ident", "expected true, false or null"),
        ("expected value", "expected a value"),
        ("expected f64", "expected a number"),
        ("expected f32", "expected a number"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected i8", "expected a whole number from -128 to 127"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected usize", "expected a whole number, 0 or more"),
        ("expected i16", "expected a whole number"),
        ("expected i32", "expected a whole number"),
        ("expected i64", "expected a whole number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table of keys and values"),
        ("an array of length", "a list of"),
        ("a tuple of size", "a list of"),
        ("floating point `", "the number `"),
        ("integer `", "the whole number `"),
    ];
    // `expected struct UnitFile` names a thing of the program's.
    const THINGS: [(&str, &str); 4] = [
        ("expected internally tagged enum ", "expected a table of keys and values"),
        ("expected adjacently tagged enum ", "expected a table of keys and values"),
        ("expected struct ", "expected a table of keys and values"),
        ("expected enum ", "expected a word, or a table with one key"),
    ];
    let mut text = message.to_owned();
    for (theirs, ours) in WORDS {
        text = text.replace(theirs, ours);
    }
    for (theirs, ours) in THINGS {
        if let Some((before, after)) = text.split_once(theirs) {
            let rest = after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            text = format!("{before}{ours}{rest}");
        }
    }
    text
}

fn position(place: &[Place], step: &Place) -> usize {
    place.iter().position(|p| std::ptr::eq(p, step)).unwrap_or(0)
}

/// A word that nobody would read to its end, out of somebody's file, is cut short, and what no screen shows is marked.
fn readable(mut problem: String) -> String {
    const LONGEST: usize = 100;
    if problem.chars().any(is_obeyed) {
        problem = problem.replace(is_obeyed, "\u{fffd}");
    }
    if problem.split_whitespace().all(|word| word.len() <= LONGEST) {
        return problem;
    }
    let cut = |word: &str| match word.char_indices().nth(LONGEST / 2) {
        Some((end, _)) if word.len() > LONGEST => format!("{}…", &word[..end]),
        _ => word.to_owned(),
    };
    problem.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "format = 1\n\n[[units]]\nid = \"A\"\n\n[[units]]\nid = \"B\"\nkind = \"XX\"\nat = [\n 1, 2]\n";

    #[test]
    fn faults_name_the_line() {
        let source = Source::new("x.toml", TEXT);
        let fault = source.fault(&["units".into(), 1.into(), "kind".into()], "unknown");
        assert_eq!(fault.to_string(), "x.toml:8:1: units[1].kind: unknown");
        assert_eq!(source.fault(&["units".into(), 1.into(), "models".into()], "missing").at, Some((6, 1)));
        assert_eq!(source.fault(&["units".into(), 1.into(), "at".into(), 1.into()], "far").at, Some((10, 5)));
    }

    #[test]
    fn a_word_without_end_is_cut_short() {
        let source = Source::new("x.toml", TEXT);
        let said = |word: &str| {
            source.fault(&[], format!("no side is called `{word}`; name one of red, blue")).problem
        };
        assert_eq!(said("green"), "no side is called `green`; name one of red, blue");
        let long = said(&"ä".repeat(3_000));
        assert!(long.starts_with("no side is called `ä") && long.ends_with("… name one of red, blue"));
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn what_no_screen_shows_is_refused_and_never_told() {
        for (text, line) in [
            ("title = \"a\\u001b[2J\"", 1),
            ("title = \"a\"\n[[units]]\nid = \"A\"\nname = \"\\u202Ebaf\"", 4),
            ("\"a\\u0007\" = 1", 0),
        ] {
            let fault = Source::new("x.toml", text).table().unwrap_err();
            assert!(fault.problem.contains("no screen shows (U+"), "{fault}");
            assert_eq!(fault.at.map_or(0, |(line, _)| line), line, "{fault}");
            assert!(!fault.to_string().chars().any(is_obeyed), "{fault:?}");
        }
        let lines = Source::new("x.toml", "story = \"\"\"\nOne line,\r\nand \tanother.\n\"\"\"").table();
        assert!(lines.is_ok(), "{lines:?}");
        assert_eq!(Source::new("x.toml", "").fault(&[], "`\u{1b}[2J`").problem, "`\u{fffd}[2J`");
    }

    #[test]
    fn complaints_are_in_plain_words() {
        #[derive(Debug, serde::Deserialize)]
        #[allow(dead_code)]
        struct Thing {
            at: Option<[f64; 2]>,
            turns: Option<u8>,
            inner: Option<Inner>,
            way: Option<Way>,
        }
        #[derive(Debug, serde::Deserialize)]
        struct Inner {}
        #[derive(Debug, serde::Deserialize)]
        enum Way {}
        for (text, said) in [
            ("at = [\"x\", 2]", "invalid type: string \"x\", expected a number"),
            ("turns = -1", "invalid value: the whole number `-1`, expected a whole number from 0 to 255"),
            ("turns = 2.5", "expected a whole number from 0 to 255"),
            ("inner = 3", "expected a table of keys and values"),
            ("way = 3", "expected a word, or a table with one key"),
        ] {
            let fault = Source::new("x.toml", text).parse::<Thing>().unwrap_err();
            assert!(fault.problem.contains(said), "{fault}");
        }
    }

    #[test]
    fn syntax_errors_name_the_line() {
        let fault = Source::new("x.toml", "a = 1\nb = = 2\n").table().unwrap_err();
        assert_eq!(fault.at.map(|(line, _)| line), Some(2));
    }
}
