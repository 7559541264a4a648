//! What many rows come to.

use std::collections::BTreeMap;
use tricorne_game::InOrder;

use serde::Serialize;
use tricorne_game::Side;

use crate::study::{Row, UnitLoss};

/// A share of a number of battles, with the interval it lies in with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// 97.5 % of a normal distribution lie below this many standard deviations.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// Wilson's interval for `won` of `of`. A draw counts as half a battle won, which makes the interval a little wider
    /// than it need be.
    pub fn wilson(won: f64, of: u64) -> Self {
        if of == 0 {
            return Self { share: 0.5, low: 0.0, high: 1.0 };
        }
        let n = of as f64;
        let p = won / n;
        let centre = p + Z * Z / (2.0 * n);
        let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).max(0.0).sqrt();
        let over = 1.0 + Z * Z / n;
        Self { share: p, low: ((centre - reach) / over).max(0.0), high: ((centre + reach) / over).min(1.0) }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |p: f64| 100.0 * p;
        write!(f, "{:.1} % ({:.1} to {:.1})", percent(self.share), percent(self.low), percent(self.high))
    }
}

/// An average with the interval it lies in with a confidence of 95 %, and where the middle of the numbers lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The average.
    pub mean: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// As many numbers are below as above.
    pub median: f64,
    /// The smallest number.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    /// Of these numbers, which come in steps of `step`: a turn, a figure, half a battle.
    ///
    /// Where all numbers are the same they show no spread, and yet a battle not fought may differ. None of *n* did, so by
    /// Wilson's interval up to z²/(n + z²) of them may: the interval is never narrower than that share of a step.
    pub fn of(numbers: impl Iterator<Item = f64>, step: f64) -> Self {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.put_in_order(f64::total_cmp);
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else { return Self::default() };
        let n = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / n;
        let squares: f64 = sorted.iter().map(|x| (x - mean) * (x - mean)).sum();
        let seen = if sorted.len() > 1 { Z * (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
        let error = seen.max(step * Share::wilson(0.0, sorted.len() as u64).high);
        let half = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[half - 1], sorted[half])
        } else {
            sorted[half]
        };
        Self { mean, low: mean - error, high: mean + error, median, least, most }
    }

    /// The same, of numbers that can't lie elsewhere: neither can their average.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.min(high), ..self }
    }
}

/// How battles ended that ended alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// The grade of the ending.
    pub grade: String,
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// The clause that ended it.
    pub clause: String,
    /// How often.
    pub battles: u64,
    /// The reason in one of them.
    pub example: String,
}

/// What a unit lost, over all battles it was in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitLosses {
    /// The unit.
    pub unit: String,
    /// Its side.
    pub side: Side,
    /// Figures or stands at the start, on average.
    pub strength: f64,
    /// Figures or stands lost.
    pub lost: Spread,
    /// How often it was gone at the end: destroyed, fled or never come.
    pub gone: Share,
    /// How often it had marched off by its exit, which is no loss.
    pub marched_off: Share,
}

/// What the battles of a study came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Battles fought.
    pub battles: u64,
    /// Battles won by each of the two players.
    pub won: [u64; 2],
    /// Battles nobody won.
    pub drawn: u64,
    /// The first player's share, a draw counted as half.
    pub first_player: Share,
    /// The share of the side that is listed first, a draw counted as half.
    pub first_side: Share,
    /// Turns a battle.
    pub turns: Spread,
    /// Decisions a battle.
    pub decisions: Spread,
    /// Decisions that a subaltern took in the place of each player.
    pub stood_in: [u64; 2],
    /// What decided them, most often first.
    pub decided: Vec<Decided>,
    /// What each unit lost, side by side, in the order of the scenario file.
    pub losses: Vec<UnitLosses>,
}

/// Sums up rows.
pub fn summary(rows: &[Row]) -> Summary {
    let battles = rows.len() as u64;
    let count = |f: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| f(r)).count() as u64;
    let won = [0, 1].map(|p| count(&|r| r.won_by == Some(p)));
    let drawn = count(&|r| r.winner.is_none());
    let first_side = count(&|r| r.winner.is_some_and(|w| w.index() == 0));
    let half = drawn as f64 / 2.0;
    Summary {
        battles,
        won,
        drawn,
        first_player: Share::wilson(won[0] as f64 + half, battles),
        first_side: Share::wilson(first_side as f64 + half, battles),
        turns: Spread::of(rows.iter().map(|r| f64::from(r.turns)), 1.0),
        decisions: Spread::of(rows.iter().map(|r| r.decisions as f64), 1.0),
        stood_in: [0, 1].map(|p| rows.iter().map(|r| r.stood_in[p]).sum()),
        decided: decided(rows),
        losses: losses(rows),
    }
}

fn decided(rows: &[Row]) -> Vec<Decided> {
    let mut all: BTreeMap<(&str, Option<Side>, &str), (u64, &str)> = BTreeMap::new();
    for row in rows {
        all.entry((&row.grade, row.winner, &row.clause)).or_insert((0, &row.reason)).0 += 1;
    }
    let mut all: Vec<Decided> = all
        .into_iter()
        .map(|((grade, winner, clause), (battles, example))| Decided {
            grade: grade.into(),
            winner,
            clause: clause.into(),
            battles,
            example: example.into(),
        })
        .collect();
    all.put_in_order_of(|d| std::cmp::Reverse(d.battles));
    all
}

fn losses(rows: &[Row]) -> Vec<UnitLosses> {
    let mut order: Vec<(&str, Side)> = Vec::new();
    let mut all: BTreeMap<(&str, Side), Vec<&UnitLoss>> = BTreeMap::new();
    for unit in rows.iter().flat_map(|r| &r.units) {
        let key = (unit.unit.as_str(), unit.side);
        all.entry(key)
            .or_insert_with(|| {
                order.push(key);
                Vec::new()
            })
            .push(unit);
    }
    order.put_in_order_of(|(_, side)| *side);
    let of = |(unit, side): (&str, Side)| {
        let met = &all[&(unit, side)];
        let n = met.len() as u64;
        UnitLosses {
            unit: unit.into(),
            side,
            strength: met.iter().map(|m| f64::from(m.strength)).sum::<f64>() / n as f64,
            lost: Spread::of(met.iter().map(|m| f64::from(m.lost)), 1.0),
            gone: Share::wilson(met.iter().filter(|m| m.is_gone()).count() as f64, n),
            marched_off: Share::wilson(met.iter().filter(|m| m.marched_off).count() as f64, n),
        }
    };
    order.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_as_in_the_books() {
        // 10 of 20 and 0 of 10, from Newcombe's tables.
        let even = Share::wilson(10.0, 20);
        assert!((even.low - 0.2993).abs() < 5e-4 && (even.high - 0.7007).abs() < 5e-4, "{even:?}");
        let none = Share::wilson(0.0, 10);
        assert!(none.low == 0.0 && (none.high - 0.2775).abs() < 5e-4, "{none:?}");
        assert_eq!(Share::wilson(0.0, 0).high, 1.0);
    }

    #[test]
    fn a_spread_has_its_middle() {
        let spread = Spread::of([4.0, 1.0, 2.0, 9.0].into_iter(), 1.0);
        assert_eq!((spread.mean, spread.median, spread.least, spread.most), (4.0, 3.0, 1.0, 9.0));
        // Standard deviation 3.559, standard error 1.780.
        assert!((spread.high - 7.488).abs() < 1e-3, "{spread:?}");
        assert_eq!(Spread::of(std::iter::empty(), 1.0), Spread::default());
    }

    #[test]
    fn an_interval_is_never_of_no_width() {
        // Nothing differed in 100 battles: up to 3.7 in 100 may (Wilson, 0 of 100).
        let same = Spread::of(std::iter::repeat_n(6.0, 100), 1.0);
        assert!((same.high - 6.037).abs() < 1e-3 && (same.low - 5.963).abs() < 1e-3, "{same:?}");
        let one = Spread::of(std::iter::once(6.0), 1.0);
        assert!(one.low < 5.5 && one.high > 6.5, "{one:?}");
        let share = Spread::of([0.0, 1.0].into_iter(), 1.0);
        assert!(share.low < 0.0 && share.high > 1.0, "{share:?}");
        let share = share.within(-1.0, 1.0);
        assert!(share.low >= -1.0 && share.high == 1.0 && share.mean == 0.5, "{share:?}");
        let half = Spread::of(std::iter::repeat_n(0.0, 10), 0.5);
        assert!((half.high - 0.1388).abs() < 1e-3, "{half:?}");
    }
}
