//! What a program makes of a decision.

/// Answers weighed, the best first.
#[derive(Clone, Debug)]
pub struct Verdict<O> {
    /// The answers.
    pub weighed: Vec<Weighed<O>>,
    /// Battles tried out in thought.
    pub tries: u32,
    /// Decisions taken in those battles.
    pub decisions: u64,
}

/// An answer that was weighed.
#[derive(Clone, Debug)]
pub struct Weighed<O> {
    /// The answer.
    pub order: O,
    /// How well it looked at first sight.
    pub promise: f64,
    /// How often it was tried.
    pub visits: u32,
    /// The sum of how it came out.
    pub total: f64,
}

impl<O> Weighed<O> {
    /// How it came out on average; none if it was never tried.
    pub fn value(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.total / f64::from(self.visits))
    }
}

impl<O> Verdict<O> {
    /// The best answer.
    pub fn best(self) -> Option<O> {
        self.weighed.into_iter().next().map(|w| w.order)
    }
}
