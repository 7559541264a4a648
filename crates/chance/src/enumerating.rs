//! Every outcome of an exchange with its exact probability.
//!
//! The resolution is run once for each way its draws can fall. A pool of twelve dice is one draw with thirteen
//! outcomes, not six to the twelfth, so an exchange of two pools is a hundred and some runs.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{Bins, Chance, Faces, Purpose, Sum, Tally, multinomial, sum_pmf};

/// Every way a pool can fall.
type PoolWays = Arc<[(SmallVec<[u16; 3]>, f64)]>;

/// The outcomes of a draw with their probabilities.
#[derive(Debug)]
enum Ways {
    Faces { count: usize, sides: u8 },
    Sum(Vec<f64>),
    Pool(PoolWays),
    Pick(usize),
}

impl Ways {
    fn len(&self) -> usize {
        match self {
            Ways::Faces { count, sides } => usize::from(*sides).pow(*count as u32),
            Ways::Sum(pmf) => pmf.len(),
            Ways::Pool(ways) => ways.len(),
            Ways::Pick(count) => *count,
        }
    }

    fn weight(&self, i: usize) -> f64 {
        match self {
            Ways::Faces { .. } | Ways::Pick(_) => 1.0 / self.len() as f64,
            Ways::Sum(pmf) => pmf[i],
            Ways::Pool(ways) => ways[i].1,
        }
    }
}

/// The chance handed to a resolution by [`enumerate()`]: it answers along one path through the tree of outcomes.
#[derive(Debug, Default)]
pub struct Enumerating {
    path: Vec<(Ways, usize)>,
    depth: usize,
    weight: f64,
    /// Pools met so far: the second of an exchange comes up again for each outcome of the first.
    pools: Vec<(usize, Bins, PoolWays)>,
}

impl Enumerating {
    fn step(&mut self, ways: impl FnOnce() -> Ways) -> (&Ways, usize) {
        if self.depth == self.path.len() {
            self.path.push((ways(), 0));
        }
        let (ways, choice) = &self.path[self.depth];
        self.weight *= ways.weight(*choice);
        self.depth += 1;
        (ways, *choice)
    }

    fn pool_ways(pools: &mut Vec<(usize, Bins, PoolWays)>, count: usize, bins: &Bins) -> PoolWays {
        if let Some((_, _, ways)) = pools.iter().find(|(n, b, _)| *n == count && b == bins) {
            return Arc::clone(ways);
        }
        let ways: PoolWays = multinomial(count, bins).into();
        // A deep tree of ever new pools is not worth remembering.
        if pools.len() < 32 {
            pools.push((count, bins.clone(), Arc::clone(&ways)));
        }
        ways
    }

    /// Whether anything was drawn on this path yet.
    pub fn has_drawn(&self) -> bool {
        self.depth > 0
    }

    /// How likely the path is as far as it was walked: of all paths together, 1.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Moves to the next path; false when all have been walked.
    fn advance(&mut self) -> bool {
        self.depth = 0;
        self.weight = 1.0;
        while let Some((ways, choice)) = self.path.last_mut() {
            if *choice + 1 < ways.len() {
                *choice += 1;
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Chance for Enumerating {
    fn faces(&mut self, _: Purpose, count: usize, sides: u8) -> Faces {
        if count == 0 {
            return Faces::new();
        }
        let (_, mut choice) = self.step(|| Ways::Faces { count, sides });
        let sides = usize::from(sides);
        (0..count)
            .map(|_| {
                let face = choice % sides + 1;
                choice /= sides;
                face as u8
            })
            .collect()
    }

    fn sum(&mut self, _: Purpose, count: usize, sides: u8) -> Sum {
        let total = if count == 0 { 0 } else { self.step(|| Ways::Sum(sum_pmf(count, sides))).1 + count };
        Sum { total: total as i32, faces: Faces::new() }
    }

    fn pool(&mut self, _: Purpose, count: usize, bins: &Bins) -> Tally {
        let counts = if count == 0 {
            SmallVec::from_elem(0, bins.ranges.len())
        } else {
            if self.depth == self.path.len() {
                let ways = Self::pool_ways(&mut self.pools, count, bins);
                self.path.push((Ways::Pool(ways), 0));
            }
            let (ways, choice) = self.step(|| Ways::Pick(0));
            match ways {
                Ways::Pool(ways) => ways[choice].0.clone(),
                _ => SmallVec::from_elem(0, bins.ranges.len()),
            }
        };
        Tally { counts, faces: Faces::new() }
    }

    fn pick(&mut self, _: Purpose, count: usize, _: &dyn Fn(usize) -> String) -> Option<usize> {
        (count > 0).then(|| self.step(|| Ways::Pick(count)).1)
    }
}

/// An exact distribution: each different outcome once, with its probability, in the order of the outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds<T> {
    /// Outcomes and their probabilities; they add up to one.
    pub ways: Vec<(T, f64)>,
}

impl<T> Odds<T> {
    /// The probability that `holds` is true of the outcome.
    pub fn chance_of(&self, holds: impl Fn(&T) -> bool) -> f64 {
        self.ways.iter().filter(|(t, _)| holds(t)).map(|(_, p)| p).sum()
    }

    /// The expected value of `measure`.
    pub fn mean(&self, measure: impl Fn(&T) -> f64) -> f64 {
        self.ways.iter().map(|(t, p)| measure(t) * p).sum()
    }

    /// The distribution of something that follows from the outcome.
    pub fn map<U: Ord>(&self, f: impl Fn(&T) -> U) -> Odds<U> {
        Odds::gather(self.ways.iter().map(|(t, p)| (f(t), *p)).collect())
    }
}

impl<T: Ord> Odds<T> {
    fn gather(mut ways: Vec<(T, f64)>) -> Self {
        ways.sort_by(|a, b| a.0.cmp(&b.0));
        ways.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
        Self { ways }
    }
}

/// Runs `resolve` along every path of its draws and gathers equal outcomes. Returns `None` when there are more
/// than `limit` paths: the exchange is too deep and wants sampling instead.
pub fn enumerate<T: Ord>(limit: usize, mut resolve: impl FnMut(&mut Enumerating) -> T) -> Option<Odds<T>> {
    let mut chance = Enumerating { weight: 1.0, ..Enumerating::default() };
    // Most exchanges have few different outcomes: those are added up as they come, in order. The rest waits.
    let mut few: Vec<(T, f64)> = Vec::new();
    let mut rest: Vec<(T, f64)> = Vec::new();
    let mut walked = 0;
    loop {
        let outcome = resolve(&mut chance);
        let weight = chance.weight;
        match few.binary_search_by(|(known, _)| known.cmp(&outcome)) {
            Ok(at) => few[at].1 += weight,
            Err(at) if few.len() < FEW => few.insert(at, (outcome, weight)),
            Err(_) => rest.push((outcome, weight)),
        }
        walked += 1;
        if !chance.advance() {
            if rest.is_empty() {
                return Some(Odds { ways: few });
            }
            few.append(&mut rest);
            return Some(Odds::gather(few));
        }
        if walked >= limit {
            return None;
        }
    }
}

/// So many different outcomes are kept in order while they come.
const FEW: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeded;

    #[test]
    fn a_pool_is_binomial() {
        let odds = enumerate(100, |c| c.pool("fire", 12, &Bins::at_least(5)).hits()).unwrap();
        assert_eq!(odds.ways.len(), 13);
        assert!((odds.mean(|&h| h as f64) - 4.0).abs() < 1e-12);
        assert!((odds.chance_of(|_| true) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn two_bins_are_counted_together() {
        let odds =
            enumerate(1_000, |c| c.pool("fire", 3, &Bins::at_least_and_ones(5)).counts.to_vec()).unwrap();
        // Three dice, no hit, three ones: (1/6)^3.
        assert!((odds.chance_of(|c| c[..] == [0, 3]) - 1.0 / 216.0).abs() < 1e-15);
    }

    #[test]
    fn later_draws_may_depend_on_earlier_ones() {
        let odds =
            enumerate(100, |c| if c.d6("first") == 6 { c.sum("second", 2, 6).total } else { 0 }).unwrap();
        assert!((odds.chance_of(|&t| t == 12) - 1.0 / 216.0).abs() < 1e-15);
        assert!((odds.chance_of(|&t| t == 0) - 5.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn many_outcomes_are_gathered_too() {
        let odds = enumerate(1_000, |c| c.faces("three", 3, 6).iter().copied().max()).unwrap();
        assert_eq!(odds.ways.len(), 6);
        let odds = enumerate(1_000, |c| c.faces("three", 3, 6).to_vec()).unwrap();
        assert_eq!(odds.ways.len(), 216);
        assert!(odds.ways.windows(2).all(|w| w[0].0 < w[1].0), "out of order");
        assert!(odds.ways.iter().all(|(_, p)| (p - 1.0 / 216.0).abs() < 1e-15));
        // Each comes twice, once among the few and once in the rest.
        let odds = enumerate(2_000, |c| (c.faces("three", 3, 6).to_vec(), c.d6("more") > 6)).unwrap();
        assert_eq!(odds.ways.len(), 216);
        assert!((odds.chance_of(|_| true) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn too_deep_is_said() {
        assert!(enumerate(10, |c| c.faces("fire", 2, 6).to_vec()).is_none());
    }

    #[test]
    fn enumerated_odds_agree_with_rolled_dice() {
        fn exchange(c: &mut dyn Chance) -> usize {
            let fire = c.pool("fire", 9, &Bins::at_least(4)).hits();
            let saved = c.pool("save", fire, &Bins::at_least(5)).hits();
            (fire - saved) + usize::from(c.sum("test", 2, 6).total < 7)
        }
        let odds = enumerate(10_000, |c| exchange(c)).unwrap();
        let mut seeded = Seeded::new(11);
        let n = 100_000;
        let mut seen = [0.0; 12];
        for _ in 0..n {
            seen[exchange(&mut seeded)] += 1.0;
        }
        for (outcome, p) in odds.ways {
            let error = 5.0 * (p * (1.0 - p) / f64::from(n)).sqrt();
            assert!((seen[outcome] / f64::from(n) - p).abs() <= error, "{outcome}: {p}");
        }
    }
}
