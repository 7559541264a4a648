//! A ladder: all players against each other, and how strong each is (Elo) with an interval.

use serde::Serialize;
use tricorne_chance::{Seed, Whim};
use tricorne_game::InOrder;

use crate::summary::Share;

/// What two players came to against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// The first, by number.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// What the first scored in each battle: 1, a half or 0.
    #[serde(skip)]
    pub scores: Vec<f64>,
    /// Its share.
    pub share: Share,
}

impl Match {
    /// A match with what the first player scored in each battle.
    pub fn new(first: usize, second: usize, scores: Vec<f64>) -> Self {
        let share = Share::wilson(scores.iter().sum(), scores.len() as u64);
        Self { first, second, scores, share }
    }
}

/// A player's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// Points; the average of all players is 1000, and 400 more means ten to one.
    pub points: f64,
    /// The lower end of the interval (95 %).
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Times the battles are drawn anew for the intervals.
const RESAMPLED: usize = 400;

/// The likeliest strength of each of `players`, with intervals from drawing the battles anew (bootstrap). One drawn
/// battle is added to each match, so that a player who won them all is not infinitely strong; and where all battles of a
/// match came out the same, they are drawn from among a win and a loss more, for the next one may not.
pub fn elo(players: usize, matches: &[Match]) -> Vec<Elo> {
    let sums = |m: &Match| (m.first, m.second, m.scores.iter().sum::<f64>(), m.scores.len() as f64);
    let best = likeliest(players, &matches.iter().map(sums).collect::<Vec<_>>());
    let mut whim = Whim::new(Seed::from(1), 0);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLED); players];
    let pools: Vec<Vec<f64>> = matches
        .iter()
        .map(|m| {
            let alike = m.scores.windows(2).all(|two| two[0] == two[1]);
            let more: &[f64] = if alike { &[1.0, 0.0] } else { &[] };
            [&m.scores[..], more].concat()
        })
        .collect();
    for _ in 0..RESAMPLED {
        let again = matches.iter().zip(&pools).map(|(m, pool)| {
            let score = m.scores.iter().filter_map(|_| whim.one_of(pool)).sum::<f64>();
            (m.first, m.second, score, m.scores.len() as f64)
        });
        let again: Vec<_> = again.collect();
        for (all, points) in drawn.iter_mut().zip(likeliest(players, &again)) {
            all.push(points);
        }
    }
    let within = |mut all: Vec<f64>, points: f64| {
        all.put_in_order(f64::total_cmp);
        let at = |q: f64| all.get((q * all.len() as f64) as usize).copied().unwrap_or(points);
        Elo { points, low: at(0.025), high: at(0.975) }
    };
    drawn.into_iter().zip(best).map(|(all, points)| within(all, points)).collect()
}

/// Strengths under which these results are likeliest (Bradley and Terry's model, by Hunter's iteration).
fn likeliest(players: usize, results: &[(usize, usize, f64, f64)]) -> Vec<f64> {
    let mut strength = vec![1.0_f64; players];
    for _ in 0..3_000 {
        let mut won = vec![0.0; players];
        let mut met = vec![0.0; players];
        for &(a, b, score, battles) in results {
            won[a] += score + 0.5;
            won[b] += battles - score + 0.5;
            let weight = (battles + 1.0) / (strength[a] + strength[b]);
            met[a] += weight;
            met[b] += weight;
        }
        let next: Vec<f64> =
            (0..players).map(|p| if met[p] > 0.0 { won[p] / met[p] } else { strength[p] }).collect();
        let mean = next.iter().map(|s| libm::log(*s)).sum::<f64>() / players.max(1) as f64;
        let scale = libm::exp(-mean);
        let moved = next.iter().zip(&strength).map(|(n, s)| (n * scale / s - 1.0).abs()).fold(0.0, f64::max);
        strength = next.into_iter().map(|s| s * scale).collect();
        if moved < 1e-9 {
            break;
        }
    }
    strength.into_iter().map(|s| 1000.0 + 400.0 * libm::log10(s)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_to_one_is_191_points() {
        let scores = [vec![1.0; 750], vec![0.0; 250]].concat();
        let elo = elo(2, &[Match::new(0, 1, scores)]);
        // 400 log10(3) = 190.8; the drawn battle added pulls it in by a hair.
        let apart = elo[0].points - elo[1].points;
        assert!((apart - 190.8).abs() < 1.0, "{apart}");
        assert!((elo[0].points + elo[1].points - 2000.0).abs() < 1e-6);
        assert!(elo[0].low < elo[0].points && elo[0].points < elo[0].high && elo[0].low > elo[1].high);
    }

    #[test]
    fn who_won_them_all_has_an_interval_too() {
        let elo = elo(2, &[Match::new(0, 1, vec![1.0; 20])]);
        assert!(elo[0].high - elo[0].low > 50.0 && elo[1].high - elo[1].low > 50.0, "{elo:?}");
    }

    #[test]
    fn strengths_follow_through_a_third_player() {
        let three_to_one = || [vec![1.0; 300], vec![0.0; 100]].concat();
        let elo = elo(3, &[Match::new(0, 1, three_to_one()), Match::new(1, 2, three_to_one())]);
        assert!((elo[0].points - elo[2].points - 381.7).abs() < 3.0, "{elo:?}");
        assert!((elo[1].points - 1000.0).abs() < 1e-3);
    }
}
