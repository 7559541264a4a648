//! A test: dice added up with their reasons, against what is needed.

use tricorne_chance::{Chance, Faces, sum_pmf};
use tricorne_game::Event;

use crate::Reasons;

/// So many dice, the reasons that are added, and the total that is needed. It rolls, tells its event and gives its exact
/// odds; all three read the same definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    dice: usize,
    sides: u8,
    needed: Option<Needed>,
    reasons: Reasons,
}

/// What a total must be to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    AtLeast(i32),
    AtMost(i32),
}

/// A test that was rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The faces, in order; empty in an enumeration, which goes by sums.
    pub faces: Faces,
    /// Their sum.
    pub natural: i32,
    /// The sum with every reason.
    pub made: i32,
    /// Whether what was needed was made; true where nothing was.
    pub passed: bool,
}

impl Test {
    /// So many dice of so many sides, nothing added and nothing needed.
    pub fn of(dice: usize, sides: u8) -> Self {
        Self { dice, sides, needed: None, reasons: Reasons::new() }
    }

    /// The least total that passes.
    #[must_use]
    pub fn needing(mut self, needed: i32) -> Self {
        self.needed = Some(Needed::AtLeast(needed));
        self
    }

    /// The greatest total that passes.
    #[must_use]
    pub fn at_most(mut self, needed: i32) -> Self {
        self.needed = Some(Needed::AtMost(needed));
        self
    }

    /// What is added.
    #[must_use]
    pub fn with(mut self, reasons: Reasons) -> Self {
        self.reasons = reasons;
        self
    }

    /// What is added.
    pub fn reasons(&self) -> &Reasons {
        &self.reasons
    }

    /// The total that a natural sum makes.
    pub fn made(&self, natural: i32) -> i32 {
        natural + self.reasons.sum()
    }

    fn passes(&self, made: i32) -> bool {
        match self.needed {
            None => true,
            Some(Needed::AtLeast(least)) => made >= least,
            Some(Needed::AtMost(most)) => made <= most,
        }
    }

    /// Rolls it.
    pub fn roll(&self, purpose: &'static str, chance: &mut dyn Chance) -> Rolled {
        let sum = chance.sum(purpose, self.dice, self.sides);
        let made = self.made(sum.total);
        Rolled { faces: sum.faces, natural: sum.total, made, passed: self.passes(made) }
    }

    /// Reads faces that were rolled elsewhere: dice that serve two tests.
    pub fn read(&self, faces: &[u8]) -> Rolled {
        let natural = faces.iter().map(|&f| i32::from(f)).sum();
        let made = self.made(natural);
        Rolled { faces: faces.into(), natural, made, passed: self.passes(made) }
    }

    /// The event that tells it.
    pub fn event(&self, what: &str, clause: &str, rolled: &Rolled) -> Event {
        let event = Event::new(what, clause)
            .faces(&rolled.faces)
            .modifiers(self.reasons.told())
            .made(rolled.made)
            .outcome(if rolled.passed { "passed" } else { "failed" });
        match self.needed {
            Some(Needed::AtLeast(needed) | Needed::AtMost(needed)) => event.needed(needed),
            None => event,
        }
    }

    /// Every total with its probability, the least first.
    pub fn odds(&self) -> Vec<(i32, f64)> {
        let least = self.made(self.dice as i32);
        sum_pmf(self.dice, self.sides).into_iter().enumerate().map(|(i, p)| (least + i as i32, p)).collect()
    }

    /// The probability that it passes. One and two dice are counted without a list: judgement asks this often.
    pub fn chance(&self) -> f64 {
        match self.needed {
            None => 1.0,
            Some(Needed::AtLeast(needed)) => self.reaching(needed),
            Some(Needed::AtMost(most)) => 1.0 - self.reaching(most + 1),
        }
    }

    /// The probability of so much or more.
    fn reaching(&self, needed: i32) -> f64 {
        let (least, sides) = (needed - self.reasons.sum(), i32::from(self.sides));
        if self.dice == 1 {
            return f64::from((sides + 1 - least).clamp(0, sides)) / f64::from(sides);
        }
        if self.dice == 2 {
            let ways: i32 = (1..=sides).map(|one| (sides + 1 - (least - one)).clamp(0, sides)).sum();
            return f64::from(ways) / f64::from(sides * sides);
        }
        self.odds().into_iter().filter(|&(made, _)| made >= needed).map(|(_, p)| p).sum()
    }
}

#[cfg(test)]
mod tests {
    use tricorne_chance::enumerate;

    use super::*;

    #[test]
    fn its_odds_are_those_of_its_own_roll() {
        for dice in 1..4 {
            for needed in -2..22 {
                let mut reasons = Reasons::new();
                reasons.add(2, "steady", "TOY-01");
                let test = Test::of(dice, 6).needing(needed).with(reasons);
                let rolled = enumerate(100_000, |chance| test.roll("test", chance).passed).unwrap();
                let passed = rolled.chance_of(|&passed| passed);
                assert!((passed - test.chance()).abs() < 1e-12, "{dice} dice, {needed} needed");
                let test = test.at_most(needed);
                let rolled = enumerate(100_000, |chance| test.roll("test", chance).passed).unwrap();
                let passed = rolled.chance_of(|&passed| passed);
                assert!((passed - test.chance()).abs() < 1e-12, "{dice} dice, {needed} at most");
            }
        }
    }

    #[test]
    fn it_is_told_as_it_was_rolled() {
        let test = Test::of(2, 6).needing(7);
        let event = test.event("rally", "TOY-02", &test.read(&[3, 3]));
        assert_eq!((event.made, event.needed, event.outcome.as_deref()), (Some(6), Some(7), Some("failed")));
    }
}
