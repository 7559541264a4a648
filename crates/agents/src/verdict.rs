//! What a program makes of a decision.

use tricorne_game::InOrder;

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
    /// Adds what another found of the same answers, in the same order.
    pub fn add(&mut self, other: Self) {
        self.tries += other.tries;
        self.decisions += other.decisions;
        for (sum, one) in self.weighed.iter_mut().zip(other.weighed) {
            sum.visits += one.visits;
            sum.total += one.total;
        }
    }

    /// The best first: by how often it was tried, then by value, then by promise.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let key = |w: &Weighed<O>| (w.visits, w.value().unwrap_or(-1.0), w.promise);
        self.weighed.put_in_order(|a, b| {
            let (a, b) = (key(a), key(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
        });
        self
    }

    /// The best answer.
    pub fn best(self) -> Option<O> {
        self.weighed.into_iter().next().map(|w| w.order)
    }
}
