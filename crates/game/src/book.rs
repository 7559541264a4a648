//! A rulebook's text: the clauses, as the rule help shows them and logs cite them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// The source says so.
    Source,
    /// The source can be read in more than one way; an option holds the others.
    Reading,
    /// The source is silent; a house rule fills the hole.
    House,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tag::Source => "rule",
            Tag::Reading => "reading",
            Tag::House => "house rule",
        })
    }
}

/// One clause of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clause {
    /// `WBK-FIRE-06`.
    pub id: String,
    /// The heading it stands under.
    pub section: String,
    /// The statement, in Markdown.
    pub text: String,
    /// The same without Markdown's marks and without the tag, to be shown as it is.
    pub plain: String,
    /// Where it comes from.
    pub tag: Tag,
    /// The option that switches it, if one does.
    pub option: Option<String>,
}

/// All clauses of a rulebook, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// In the order of the text.
    pub clauses: Vec<Clause>,
}

/// A clause text that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError(pub String);

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Reads `clauses.md`: each clause is a list item that starts with its id in bold and carries a tag in
    /// italics, `*(src)*`, `*(reading: option)*` or `*(house)*`; a table that follows it belongs to it.
    pub fn read(markdown: &str) -> Result<Self, BookError> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut section = String::new();
        let mut open = false;
        for (n, line) in markdown.lines().enumerate() {
            let wrong = |what: String| BookError(format!("clauses.md:{}: {what}", n + 1));
            if let Some(heading) = line.strip_prefix('#') {
                heading.trim_start_matches('#').trim().clone_into(&mut section);
                open = false;
            } else if let Some((id, text)) = clause_start(line) {
                if clauses.iter().any(|c| c.id == id) {
                    return Err(wrong(format!(
                        "clause {id} stands twice; give one of them a number of its own"
                    )));
                }
                let (tag, option) = tag_of(text).ok_or_else(|| {
                    let remedy = "end it with *(src)*, *(house)* or *(reading: `option`)*";
                    wrong(format!("clause {id} has no tag; {remedy}"))
                })?;
                clauses.push(Clause {
                    id: id.into(),
                    section: section.clone(),
                    text: text.trim().into(),
                    plain: String::new(),
                    tag,
                    option,
                });
                open = true;
            } else if open && (line.starts_with('|') || line.starts_with("  ") || line.trim().is_empty()) {
                if let Some(clause) = clauses.last_mut() {
                    clause.text.push('\n');
                    clause.text.push_str(line);
                }
            } else {
                open = false;
            }
        }
        for clause in &mut clauses {
            clause.text.truncate(clause.text.trim_end().len());
            clause.plain = plain(&clause.text);
        }
        Ok(Self { clauses })
    }

    /// The clause of that id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|c| c.id.eq_ignore_ascii_case(id))
    }
}

impl Clause {
    /// What it says, without the remark that may follow its tag: for paper, where room is dear.
    pub fn statement(&self) -> String {
        let told = ["*(src)*", "*(house)*", "*(reading:"].iter().filter_map(|tag| self.text.find(tag)).min();
        plain(told.and_then(|end| self.text.get(..end)).unwrap_or(&self.text))
    }
}

/// Markdown as plain words: no tags, no stars of emphasis, no backticks; tables stay as they are written.
fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let (mut code, mut slanted) = (false, false);
    let mut rest = markdown;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if c == '`' {
            code = !code;
            rest = after;
            continue;
        }
        if c == '*' && !code {
            if let Some(end) = after.strip_prefix('(').and_then(|_| after.find(")*")) {
                // A tag, and one of the two spaces about it.
                rest = after.get(end + 2..).unwrap_or_default();
                if out.ends_with(' ') || out.is_empty() {
                    rest = rest.strip_prefix(' ').unwrap_or(rest);
                }
                continue;
            }
            if let Some(strong) = after.strip_prefix('*') {
                rest = strong;
                continue;
            }
            // A star between two words is a times sign; one at the edge of a word leans on it.
            let before_word = out.chars().next_back().is_some_and(char::is_alphanumeric);
            let opens = !before_word && after.starts_with(|next: char| !next.is_whitespace());
            let closes = slanted && !out.ends_with(char::is_whitespace);
            if closes || (!slanted && opens) {
                slanted = !slanted;
                rest = after;
                continue;
            }
        }
        out.push(c);
        rest = after;
    }
    out.trim().to_owned()
}

fn clause_start(line: &str) -> Option<(&str, &str)> {
    let (id, text) = line.strip_prefix("- **")?.split_once("**")?;
    let parts: Vec<&str> = id.split('-').collect();
    let shape = parts.len() == 3
        && parts[0].bytes().all(|b| b.is_ascii_uppercase())
        && parts[1].bytes().all(|b| b.is_ascii_uppercase())
        && parts[2].bytes().all(|b| b.is_ascii_digit());
    shape.then_some((id, text))
}

fn tag_of(text: &str) -> Option<(Tag, Option<String>)> {
    if let Some((_, rest)) = text.split_once("*(reading:") {
        let option = rest.split('`').nth(1).map(str::to_owned);
        return Some((Tag::Reading, option));
    }
    let house = text.find("*(house)*");
    let source = text.find("*(src)*");
    match (source, house) {
        (Some(_), _) => Some((Tag::Source, None)),
        (None, Some(_)) => Some((Tag::House, option_named(text))),
        (None, None) => None,
    }
}

/// A house clause may have a switch too: "option `name`".
fn option_named(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("option `")?;
    rest.split('`').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_keep_their_section_tag_and_table() {
        let text = "## Fire\n\n- **X-FIRE-01** One die. *(src)*\n- **X-FIRE-02** Two. *(reading: `two`)* why\n\n| a |\n|---|\n\nprose\n- **X-FIRE-03** Three. *(house)* option `three`: on\n";
        let book = Book::read(text).unwrap();
        assert_eq!(book.clauses.len(), 3);
        assert_eq!(book.clauses[0].section, "Fire");
        assert_eq!(book.clauses[1].option.as_deref(), Some("two"));
        assert!(book.clauses[1].text.contains("| a |"));
        assert!(!book.clauses[1].text.contains("prose"));
        assert_eq!((book.clauses[2].tag, book.clauses[2].option.as_deref()), (Tag::House, Some("three")));
    }

    #[test]
    fn plain_words_have_no_marks() {
        let text = "## Fire\n\n- **X-A-01** A *square* is `2*w` wide, **not** w*h. *(src)* the drawing is ours.\n\
                    - **X-A-02** Long range: -1. *(reading: `long`)* `minus` default.\n- **X-A-03** *Foot* fire. *(house)*\n";
        let book = Book::read(text).unwrap();
        let plain: Vec<&str> = book.clauses.iter().map(|c| c.plain.as_str()).collect();
        assert_eq!(
            plain,
            [
                "A square is 2*w wide, not w*h. the drawing is ours.",
                "Long range: -1. minus default.",
                "Foot fire."
            ]
        );
        assert_eq!(book.clauses[0].statement(), "A square is 2*w wide, not w*h.");
        assert_eq!(book.clauses[1].statement(), "Long range: -1.");
    }

    #[test]
    fn a_clause_must_have_a_tag_and_stand_once() {
        let broken = Book::read("# Fire\n\n- **X-FIRE-01** One die.\n").unwrap_err().to_string();
        assert!(broken.starts_with("clauses.md:3: clause X-FIRE-01 has no tag; "), "{broken}");
        assert!(Book::read("- **X-A-01** a *(src)*\n- **X-A-01** b *(src)*\n").is_err());
    }
}
