//! Reasons: every number that goes into a total, with why and by which clause.

use smallvec::SmallVec;
use tricorne_game::Modifier;

use crate::Line;

/// A number that goes into a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How much.
    pub value: i32,
    /// Why, in a few words.
    pub reason: &'static str,
    /// The clause of the rulebook.
    pub clause: &'static str,
}

/// The numbers that make up one total. Built once, summed once, and shown in the log and the odds as they are. However
/// many there are, none is dropped; the usual dozen needs no memory from the heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons(SmallVec<[Reason; 8]>);

impl Reasons {
    /// No reasons yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a number; nothing, if it is nothing.
    pub fn add(&mut self, value: i32, reason: &'static str, clause: &'static str) {
        if value != 0 {
            self.note(value, reason, clause);
        }
    }

    /// Adds a number that is told even when it is nothing.
    pub fn note(&mut self, value: i32, reason: &'static str, clause: &'static str) {
        self.0.push(Reason { value, reason, clause });
    }

    /// Adds a line of a chart; nothing, if it is worth nothing.
    pub fn line(&mut self, line: &Line) {
        self.add(line.value, line.reason, line.clause);
    }

    /// Adds a line of a chart if it applies.
    pub fn line_if(&mut self, applies: bool, line: &Line) {
        if applies {
            self.line(line);
        }
    }

    /// Adds a line of a chart so many times: `2 for each rank`.
    pub fn line_times(&mut self, times: i32, line: &Line) {
        self.add(times * line.value, line.reason, line.clause);
    }

    /// The same where one is told in other words than many: `a melee won`, `melees won`.
    pub fn line_count(&mut self, times: i32, line: &Line, one: &'static str) {
        self.add(times * line.value, if times == 1 { one } else { line.reason }, line.clause);
    }

    /// Adds all of another list.
    pub fn extend(&mut self, others: &Reasons) {
        self.0.extend_from_slice(&others.0);
    }

    /// The sum: the only place where reasons are added up.
    pub fn sum(&self) -> i32 {
        self.0.iter().map(|r| r.value).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each in the order it was added.
    pub fn iter(&self) -> impl Iterator<Item = &Reason> {
        self.0.iter()
    }

    /// As an event holds them.
    pub fn told(&self) -> Vec<Modifier> {
        self.iter().map(|r| Modifier::new(r.value, r.reason, r.clause)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reason_is_dropped_however_many_there_are() {
        let mut reasons = Reasons::new();
        for _ in 0..40 {
            reasons.add(1, "one more", "TOY-01");
        }
        assert_eq!(reasons.sum(), 40);
        assert_eq!(reasons.told().len(), 40);
    }

    #[test]
    fn nothing_is_not_told_unless_it_is_noted() {
        let mut reasons = Reasons::new();
        reasons.add(0, "nothing", "TOY-01");
        assert!(reasons.is_empty());
        reasons.note(0, "level ground", "TOY-03");
        assert_eq!((reasons.sum(), reasons.told().len()), (0, 1));
    }
}
