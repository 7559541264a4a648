//! What many rows come to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::study::Row;

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
    /// Wilson's interval for `won` of `of`. A draw counts as half a battle won.
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
    /// Turns a battle, on average.
    pub turns: f64,
    /// Decisions a battle, on average.
    pub decisions: f64,
    /// How often each grade came, most often first.
    pub endings: Vec<(String, u64)>,
}

/// Sums up rows.
pub fn summary(rows: &[Row]) -> Summary {
    let battles = rows.len() as u64;
    let count = |f: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| f(r)).count() as u64;
    let won = [0, 1].map(|p| count(&|r| r.won_by == Some(p)));
    let drawn = count(&|r| r.winner.is_none());
    let first_side = count(&|r| r.winner.is_some_and(|w| w.index() == 0));
    let mean = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).sum::<f64>() / (battles.max(1) as f64);
    let mut endings: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        *endings.entry(&row.grade).or_default() += 1;
    }
    let mut endings: Vec<(String, u64)> = endings.into_iter().map(|(g, n)| (g.to_owned(), n)).collect();
    endings.sort_by_key(|e| std::cmp::Reverse(e.1));
    let half = drawn as f64 / 2.0;
    Summary {
        battles,
        won,
        drawn,
        first_player: Share::wilson(won[0] as f64 + half, battles),
        first_side: Share::wilson(first_side as f64 + half, battles),
        turns: mean(&|r| f64::from(r.turns)),
        decisions: mean(&|r| r.decisions as f64),
        endings,
    }
}
