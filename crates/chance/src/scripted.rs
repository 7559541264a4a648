//! The dice and cards of a rule case, handed out in order.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use crate::{Bins, Chance, Faces, Purpose, Sum, Tally};

/// One line of a script: `"fire: 5 6 2 1"`, `"card: KH"`, or bare `"4 4"` for whatever is asked next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    purpose: Option<String>,
    items: VecDeque<String>,
}

/// A script line with nothing to hand out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError(String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "script line `{}` has no dice or cards; write for example \"fire: 5 6 2\" or \"card: KH\"",
            self.0
        )
    }
}

impl std::error::Error for ScriptError {}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(line: &str) -> Result<Self, ScriptError> {
        let (purpose, rest) = match line.split_once(':') {
            Some((purpose, rest)) => (Some(purpose.trim().to_owned()), rest),
            None => (None, line),
        };
        let separators = |c: char| c.is_whitespace() || c == ',' || c == '|';
        let items: VecDeque<String> =
            rest.split(separators).filter(|s| !s.is_empty()).map(str::to_owned).collect();
        if items.is_empty() { Err(ScriptError(line.into())) } else { Ok(Self { purpose, items }) }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(purpose) = &self.purpose {
            write!(f, "{purpose}: ")?;
        }
        f.write_str(&self.items.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
    }
}

/// Chance that follows a script. A line with a purpose must be asked for that purpose and be used up by that one
/// draw; a line without hands its items to whatever asks. The first disagreement is kept as the fault.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    lines: VecDeque<Script>,
    used: usize,
    fault: Option<String>,
    /// Turns over the filler dice given after a fault, so that a rule that rolls until something happens ends.
    filler: u8,
}

impl Scripted {
    /// Chance that hands out these lines.
    pub fn new(lines: impl IntoIterator<Item = Script>) -> Self {
        Self { lines: lines.into_iter().collect(), ..Self::default() }
    }

    /// Adds lines at the end, as a case does from step to step.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = Script>) {
        self.lines.extend(lines);
    }

    /// What nobody asked for, as it would be written in a script.
    pub fn left_over(&self) -> Vec<String> {
        self.lines.iter().map(Script::to_string).collect()
    }

    fn complain(&mut self, text: String) {
        self.fault.get_or_insert(text);
    }

    /// Takes `count` items for a draw: a whole named line, or items of bare lines.
    fn take(&mut self, purpose: Purpose, count: usize) -> Option<Vec<String>> {
        if self.fault.is_some() {
            return None;
        }
        self.used += 1;
        let mut taken = Vec::with_capacity(count);
        while taken.len() < count {
            match self.lines.front_mut() {
                None => {
                    let (had, draw) = (taken.len(), self.used);
                    self.complain(format!(
                        "the script is too short: draw {draw} asks for {count} for `{purpose}` and {had} are left; \
                         add a line \"{purpose}: …\""
                    ));
                    return None;
                }
                Some(Script { purpose: None, items }) => {
                    taken.extend(items.pop_front());
                    if items.is_empty() {
                        self.lines.pop_front();
                    }
                }
                Some(Script { purpose: Some(named), items }) => {
                    if named == purpose && items.len() == count && taken.is_empty() {
                        taken.extend(items.drain(..));
                        self.lines.pop_front();
                    } else {
                        let (line, missing) = (self.lines[0].to_string(), count - taken.len());
                        self.complain(format!(
                            "the rules ask for {missing} for `{purpose}`, but the next script line is \"{line}\""
                        ));
                        return None;
                    }
                }
            }
        }
        Some(taken)
    }

    fn roll(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces {
        if count == 0 {
            return Faces::new();
        }
        if let Some(items) = self.take(purpose, count) {
            let faces: Option<Faces> =
                items.iter().map(|i| i.parse().ok().filter(|f| (1..=sides).contains(f))).collect();
            if let Some(faces) = faces {
                return faces;
            }
            self.complain(format!(
                "`{}` for `{purpose}` are not {count} faces of a d{sides}",
                items.join(" ")
            ));
        }
        (0..count)
            .map(|_| {
                self.filler = self.filler % sides.max(1) + 1;
                self.filler
            })
            .collect()
    }
}

impl Chance for Scripted {
    fn faces(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces {
        self.roll(purpose, count, sides)
    }

    fn sum(&mut self, purpose: Purpose, count: usize, sides: u8) -> Sum {
        let faces = self.roll(purpose, count, sides);
        Sum { total: faces.iter().map(|&f| i32::from(f)).sum(), faces }
    }

    fn pool(&mut self, purpose: Purpose, count: usize, bins: &Bins) -> Tally {
        Tally::sort(self.roll(purpose, count, bins.sides), bins)
    }

    fn pick(&mut self, purpose: Purpose, count: usize, label: &dyn Fn(usize) -> String) -> Option<usize> {
        if count == 0 {
            return None;
        }
        if let Some(items) = self.take(purpose, 1) {
            let found = (0..count).find(|&i| label(i).eq_ignore_ascii_case(&items[0]));
            if found.is_some() {
                return found;
            }
            let some: Vec<String> = (0..count.min(8)).map(label).collect();
            self.complain(format!(
                "`{}` for `{purpose}` is not among what is left to draw ({}{})",
                items[0],
                some.join(" "),
                if count > 8 { " …" } else { "" }
            ));
        }
        Some(0)
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripted(lines: &[&str]) -> Scripted {
        Scripted::new(lines.iter().map(|l| l.parse().unwrap()))
    }

    #[test]
    fn named_lines_answer_their_own_draw() {
        let mut chance = scripted(&["fire: 5 6 2", "3 4", "1"]);
        assert_eq!(chance.pool("fire", 3, &Bins::at_least(5)).hits(), 2);
        assert_eq!(chance.sum("pinning", 2, 6).total, 7);
        assert_eq!(chance.d6("double"), 1);
        assert_eq!(chance.fault(), None);
        assert!(chance.left_over().is_empty());
    }

    #[test]
    fn a_bare_line_may_serve_several_draws() {
        let mut chance = scripted(&["3 4 5"]);
        assert_eq!(chance.sum("pinning", 2, 6).total, 7);
        assert_eq!(chance.left_over(), ["5"]);
    }

    #[test]
    fn faults_say_what_was_asked_and_what_was_there() {
        let mut short = scripted(&["fire: 5"]);
        short.faces("fire", 2, 6);
        assert!(short.fault().unwrap().contains("ask for 2 for `fire`, but the next script line is"));
        let mut wrong = scripted(&["melee: 5 5"]);
        wrong.faces("fire", 2, 6);
        assert!(wrong.fault().unwrap().contains("next script line is \"melee: 5 5\""));
        let mut out = scripted(&[]);
        out.faces("fire", 2, 6);
        assert!(out.fault().unwrap().contains("too short"));
        let mut face = scripted(&["fire: 7"]);
        face.faces("fire", 1, 6);
        assert!(face.fault().unwrap().contains("not 1 faces of a d6"));
    }

    #[test]
    fn after_a_fault_dice_still_come_and_differ() {
        let mut chance = scripted(&[]);
        let faces = chance.faces("fire", 6, 6);
        assert_eq!(faces.as_slice(), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn no_dice_need_no_line() {
        let mut chance = scripted(&[]);
        assert!(chance.faces("fire", 0, 6).is_empty());
        assert_eq!(chance.fault(), None);
    }
}
