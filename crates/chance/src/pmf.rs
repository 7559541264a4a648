//! Exact probabilities of sums and pools.

use smallvec::SmallVec;

use crate::Bins;

/// Probability of each total of `count` dice of `sides` sides, from the lowest total (`count`) upwards.
pub fn sum_pmf(count: usize, sides: u8) -> Vec<f64> {
    let mut pmf = vec![1.0];
    for _ in 0..count {
        let mut next = vec![0.0; pmf.len() + usize::from(sides) - 1];
        for (total, p) in pmf.iter().enumerate() {
            for face in 0..usize::from(sides) {
                next[total + face] += p / f64::from(sides);
            }
        }
        pmf = next;
    }
    pmf
}

/// Every way `count` dice can fall into `bins`, with its probability.
pub fn multinomial(count: usize, bins: &Bins) -> Vec<(SmallVec<[u16; 3]>, f64)> {
    let shares: SmallVec<[f64; 3]> =
        (0..bins.ranges.len()).map(|i| f64::from(bins.width(i)) / f64::from(bins.sides)).collect();
    let mut ways = Vec::new();
    let mut counts: SmallVec<[u16; 3]> = SmallVec::new();
    fill(count, 1.0, &shares, 1.0, &mut counts, &mut ways);
    ways
}

/// Deals `left` dice to the bins from `counts.len()` on; `rest` is the share of faces not yet spoken for.
fn fill(
    left: usize,
    rest: f64,
    shares: &[f64],
    weight: f64,
    counts: &mut SmallVec<[u16; 3]>,
    ways: &mut Vec<(SmallVec<[u16; 3]>, f64)>,
) {
    let Some(&share) = shares.get(counts.len()) else {
        ways.push((counts.clone(), weight));
        return;
    };
    let p = if rest > 0.0 { (share / rest).min(1.0) } else { 0.0 };
    for (k, chance) in binomial(left, p).into_iter().enumerate() {
        if chance > 0.0 {
            counts.push(k as u16);
            fill(left - k, rest - share, shares, weight * chance, counts, ways);
            counts.pop();
        }
    }
}

/// Probability of 0 to `n` successes of probability `p`.
fn binomial(n: usize, p: f64) -> SmallVec<[f64; 24]> {
    if p >= 1.0 {
        return (0..=n).map(|k| f64::from(u8::from(k == n))).collect();
    }
    let odds = p / (1.0 - p);
    let mut term = (0..n).fold(1.0, |q, _| q * (1.0 - p));
    let mut pmf = SmallVec::new();
    for k in 0..=n {
        pmf.push(term);
        term *= odds * (n - k) as f64 / (k + 1) as f64;
    }
    pmf
}
