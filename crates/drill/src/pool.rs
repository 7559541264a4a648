//! A pool: many dice, each of which hits or misses by itself.

use tricorne_chance::{Bins, Chance, Tally, multinomial};
use tricorne_game::Event;

use crate::Reasons;

/// So many dice by their reasons, each hitting at so much or more. The dice of a pool are told as hits, never as a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    by: Reasons,
    bins: Bins,
}

impl Pool {
    /// Six-sided dice that hit at `needed` or more; as many as the reasons come to, never fewer than none.
    pub fn of(by: Reasons, needed: i32) -> Self {
        Self::sorted(by, Bins::at_least(needed))
    }

    /// Dice sorted into bins of any kind, the first of which are hits.
    pub fn sorted(by: Reasons, bins: Bins) -> Self {
        Self { by, bins }
    }

    /// How many dice.
    pub fn dice(&self) -> usize {
        usize::try_from(self.by.sum()).unwrap_or(0)
    }

    /// Why so many.
    pub fn reasons(&self) -> &Reasons {
        &self.by
    }

    /// What one die needs to hit.
    pub fn needed(&self) -> i32 {
        self.bins.ranges.first().map_or(0, |&(least, _)| i32::from(least))
    }

    /// Rolls it.
    pub fn roll(&self, purpose: &'static str, chance: &mut dyn Chance) -> Tally {
        chance.pool(purpose, self.dice(), &self.bins)
    }

    /// The event that tells it: faces, what each needed, and hits.
    pub fn event(&self, what: &str, clause: &str, struck: &Tally) -> Event {
        Event::new(what, clause)
            .faces(&struck.faces)
            .modifiers(self.by.told())
            .needed(self.needed())
            .made(struck.hits() as i32)
    }

    /// The probability of each number of hits, from none to all.
    pub fn odds(&self) -> Vec<f64> {
        let mut odds = vec![0.0; self.dice() + 1];
        for (counts, p) in multinomial(self.dice(), &self.bins) {
            if let Some(way) = counts.first().and_then(|&hits| odds.get_mut(usize::from(hits))) {
                *way += p;
            }
        }
        odds
    }

    /// The hits to be expected.
    pub fn expected(&self) -> f64 {
        self.odds().iter().enumerate().map(|(hits, p)| hits as f64 * p).sum()
    }
}

#[cfg(test)]
mod tests {
    use tricorne_chance::enumerate;

    use super::*;

    #[test]
    fn its_odds_are_those_of_its_own_roll() {
        for (dice, needed) in [(0, 4), (1, 6), (5, 3), (12, 5), (7, 7)] {
            let mut by = Reasons::new();
            by.add(dice, "muskets", "TOY-01");
            let pool = Pool::of(by, needed);
            let rolled = enumerate(100_000, |chance| pool.roll("fire", chance).hits()).unwrap();
            for (hits, p) in pool.odds().into_iter().enumerate() {
                assert!((rolled.chance_of(|&h| h == hits) - p).abs() < 1e-12, "{dice} dice at {needed}");
            }
            assert!((rolled.mean(|&h| h as f64) - pool.expected()).abs() < 1e-12);
        }
    }

    #[test]
    fn fewer_than_none_is_none() {
        let mut by = Reasons::new();
        by.add(-3, "all gone", "TOY-02");
        assert_eq!(Pool::of(by, 4).dice(), 0);
    }
}
