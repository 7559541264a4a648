//! Writes a scenario file of format 2, line by line.

use std::fmt::{Display, Write as _};

use tricorne_game::army::Army;
use tricorne_table::Point;

/// A scenario file in the making.
///
/// ```
/// use tricorne_drill::scenario::Scribe;
/// use tricorne_table::Point;
///
/// let mut file = Scribe::begun("toy", "The ford");
/// file.value("turns", 8).entry("unit").text("id", "R1").place("at", Point::new(3.0, 4.5));
/// assert_eq!(
///     file.written(),
///     "format = 2\nruleset = \"toy\"\ntitle = \"The ford\"\nturns = 8\n\n[[unit]]\nid = \"R1\"\nat = [3, 4.5]\n"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Scribe(String);

impl Scribe {
    /// A file with its head.
    pub fn begun(ruleset: &str, title: &str) -> Self {
        let mut file = Self(String::new());
        file.value("format", 2).text("ruleset", ruleset).text("title", title);
        file
    }

    /// The file of two armies against each other.
    pub fn pitched(ruleset: &str, [one, other]: &[Army; 2]) -> Self {
        Self::begun(ruleset, &format!("{} against {}", one.name, other.name))
    }

    /// A key with a number or anything else that is written as it is.
    pub fn value(&mut self, key: &str, value: impl Display) -> &mut Self {
        let _ = writeln!(self.0, "{key} = {value}");
        self
    }

    /// A key with words.
    pub fn text(&mut self, key: &str, words: &str) -> &mut Self {
        self.value(key, toml::Value::from(words))
    }

    /// A key with words, where there are any.
    pub fn some(&mut self, key: &str, words: Option<&str>) -> &mut Self {
        match words.filter(|words| !words.is_empty()) {
            Some(words) => self.text(key, words),
            None => self,
        }
    }

    /// A key with a place.
    pub fn place(&mut self, key: &str, at: Point) -> &mut Self {
        self.value(key, spot(at))
    }

    /// A key with places.
    pub fn places(&mut self, key: &str, all: &[Point]) -> &mut Self {
        let all: Vec<String> = all.iter().map(|&at| spot(at)).collect();
        self.value(key, format!("[{}]", all.join(", ")))
    }

    /// The table's size.
    pub fn table(&mut self, [width, height]: [f64; 2]) -> &mut Self {
        self.value("table", format!("{{ width = {width}, height = {height} }}"))
    }

    /// The next entry of an array; what follows belongs to it.
    pub fn entry(&mut self, array: &str) -> &mut Self {
        let _ = writeln!(self.0, "\n[[{array}]]");
        self
    }

    /// Entries or tables that somebody else has written.
    pub fn with(&mut self, entries: &str) -> &mut Self {
        if !entries.trim().is_empty() {
            let _ = writeln!(self.0, "\n{}", entries.trim());
        }
        self
    }

    /// The file.
    pub fn written(self) -> String {
        self.0
    }
}

fn spot(at: Point) -> String {
    format!("[{}, {}]", at.x, at.y)
}
