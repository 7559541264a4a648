//! Other people's programs in a seat: `exec:COMMAND`.
//!
//! The umpire starts the command and talks with it by lines of JSON (`docs/bots.md`). What it says is never trusted: an
//! answer is checked like anybody's, a line may only be so long, and each decision has its clock. A program that fails
//! loses that decision to a subaltern, and whoever drives the battle is told why.

mod child;
mod envoy;

use std::fmt;
use std::time::Duration;

pub use child::send_outsiders_away;
pub(crate) use envoy::Envoy;

/// A program of somebody else's: a command and its clock. It is small and copied freely, so its words are kept for as long
/// as the process lives; commands come from whoever started us, never from strangers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Outsider {
    /// The command as it was written.
    command: &'static str,
    /// The program and its arguments.
    words: &'static [String],
    /// How long it may take for one decision, by the clock on the wall.
    clock: Duration,
    /// Whether what it writes to stderr is seen.
    heard: bool,
}

impl Outsider {
    /// What a program has for a decision that nobody has told.
    pub const USUAL_CLOCK: Duration = Duration::from_secs(5);

    /// A program by its command line: words apart by spaces, kept together by quotes. No shell reads it.
    pub fn new(command: &str) -> Result<Self, String> {
        let words = words(command)?;
        if words.is_empty() {
            return Err("`exec:` names no command; write exec:python3 bot.py".into());
        }
        let (command, words) = (command.to_owned().leak(), words.leak());
        Ok(Self { command, words, clock: Self::USUAL_CLOCK, heard: false })
    }

    /// The same program by another clock.
    #[must_use]
    pub fn by_clock(self, clock: Duration) -> Self {
        Self { clock, ..self }
    }

    /// The same program, with what it writes to stderr passed on to ours.
    #[must_use]
    pub fn heard(self) -> Self {
        Self { heard: true, ..self }
    }

    /// Whether it can be started at all: a wrong name is better told before the battle than at each decision of it.
    pub fn try_out(&self) -> Result<(), String> {
        child::Child::start(self).map(drop)
    }
}

impl fmt::Display for Outsider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exec:{}", self.command)
    }
}

impl fmt::Debug for Outsider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} by {:?}", self.clock)
    }
}

/// The words of a command line.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(q) = quote {
        return Err(format!("`exec:{command}`: a {q} is opened and never closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words() {
        assert_eq!(words("python3  bot.py -v").unwrap(), ["python3", "bot.py", "-v"]);
        assert_eq!(words("sh -c 'echo \"a b\"' ''").unwrap(), ["sh", "-c", "echo \"a b\"", ""]);
        assert!(words("sh -c 'oh").unwrap_err().contains("never closed"));
        assert!(Outsider::new("  ").unwrap_err().contains("names no command"));
        assert_eq!(Outsider::new("python3 bot.py").unwrap().to_string(), "exec:python3 bot.py");
    }
}
