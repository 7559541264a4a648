//! What a position is worth, learnt from battles: logistic regression of who won on the features of the position.

use std::collections::BTreeMap;

use serde::Serialize;
use toml_edit::DocumentMut;
use tricorne_game::Judgement;

use crate::left_out::{FOLDS, least_missed};
use crate::lesson::{Moment, Moments};

/// Chances are kept this far from certainty, so that one surprise does not weigh more than everything else.
const DOUBT: f64 = 1e-4;

/// How strongly weights are held back, as a share of the positions; the one that does best on battles left out is taken.
const RIDGES: [f64; 5] = [1e-4, 1e-3, 3e-3, 1e-2, 3e-2];

/// What was learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learnt {
    /// What each feature is worth, in log-odds.
    pub worth: BTreeMap<String, f64>,
    /// How far each feature lies from nothing as a rule (root mean square): what a weight is times this says how much it
    /// tells.
    pub spread: BTreeMap<String, f64>,
    /// How strongly weights were held back.
    pub ridge: f64,
    /// Battles and positions learnt from.
    pub battles: usize,
    /// Positions learnt from.
    pub positions: usize,
    /// How well winners are foretold in battles that were held out.
    pub held_out: HeldOut,
}

/// Log-loss on battles that were held out; lower is better, and 0.693 is a coin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// Positions.
    pub positions: usize,
    /// By the weights learnt.
    pub learnt: f64,
    /// By the weights as they were.
    pub before: f64,
    /// By the first school.
    pub first: f64,
}

/// Why nothing could be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NothingToLearn {
    /// The system has no features.
    NoFeatures,
    /// Too few battles.
    TooFew,
}

impl std::fmt::Display for NothingToLearn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NothingToLearn::NoFeatures => "this system has no features to learn the worth of",
            NothingToLearn::TooFew => "too few battles: at least ten must be fought",
        })
    }
}

/// Learns what features are worth. The last fifth of the battles is held out.
pub fn learn(moments: &Moments) -> Result<Learnt, NothingToLearn> {
    if moments.names.is_empty() {
        return Err(NothingToLearn::NoFeatures);
    }
    let (kept, held): (Vec<&Moment>, Vec<&Moment>) =
        moments.all.iter().partition(|m| m.battle % FOLDS != FOLDS - 1);
    let battles = kept.chunk_by(|a, b| a.battle == b.battle).count();
    if battles < 8 || held.is_empty() {
        return Err(NothingToLearn::TooFew);
    }
    let fold = |m: &Moment| (m.battle / FOLDS) % FOLDS;
    let chosen = least_missed(&kept, fold, |taken, left_out| {
        let missed = |ridge| {
            let weights = fit(taken, ridge);
            left_out.iter().map(|m| loss(chance(&m.features, &weights), m.result)).sum()
        };
        Some(RIDGES.map(missed).to_vec())
    });
    let ridge = chosen.map_or(RIDGES[1], |(least, _)| RIDGES[least]);
    let weights = fit(&kept, ridge);
    let named = |numbers: &[f64]| {
        moments.names.iter().map(|n| (*n).to_owned()).zip(numbers.iter().copied()).collect()
    };
    Ok(Learnt {
        worth: named(&weights.iter().map(|w| (w * 1e4).round() / 1e4).collect::<Vec<_>>()),
        spread: named(&spreads(&kept)),
        ridge,
        battles,
        positions: kept.len(),
        held_out: HeldOut {
            positions: held.len(),
            learnt: mean_loss(&held, |m| chance(&m.features, &weights)),
            before: mean_loss(&held, |m| m.said),
            first: mean_loss(&held, |m| m.first),
        },
    })
}

/// A chance from log-odds.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// Log-odds of a chance.
pub(crate) fn log_odds(chance: f64) -> f64 {
    let p = chance.clamp(DOUBT, 1.0 - DOUBT);
    libm::log(p / (1.0 - p))
}

fn chance(features: &[f64], weights: &[f64]) -> f64 {
    logistic(features.iter().zip(weights).map(|(x, w)| x * w).sum())
}

/// How much a chance that was said is surprised by what came (cross-entropy); `came` may be an average.
pub(crate) fn loss(said: f64, came: f64) -> f64 {
    let p = said.clamp(DOUBT, 1.0 - DOUBT);
    -(came * libm::log(p) + (1.0 - came) * libm::log(1.0 - p))
}

pub(crate) fn mean_loss(moments: &[&Moment], said: impl Fn(&Moment) -> f64) -> f64 {
    moments.iter().map(|m| loss(said(m), m.result)).sum::<f64>() / moments.len().max(1) as f64
}

fn spreads(moments: &[&Moment]) -> Vec<f64> {
    let count = moments.first().map_or(0, |m| m.features.len());
    let square = |i: usize| moments.iter().map(|m| m.features[i] * m.features[i]).sum::<f64>();
    (0..count).map(|i| (square(i) / moments.len().max(1) as f64).sqrt()).collect()
}

/// The weights under which the results are likeliest, held back by `ridge` (Newton's method). Without a bias: what is good
/// for one side is as bad for the other.
pub(crate) fn fit(moments: &[&Moment], ridge: f64) -> Vec<f64> {
    let spread = spreads(moments);
    let used: Vec<usize> = (0..spread.len()).filter(|&i| spread[i] > 1e-9).collect();
    let (n, size) = (moments.len().max(1) as f64, used.len());
    let mut weights = vec![0.0; size];
    let mut scaled = vec![0.0; size];
    for _ in 0..60 {
        let mut gradient: Vec<f64> = weights.iter().map(|w| ridge * w).collect();
        let mut curve = vec![0.0; size * size];
        for m in moments {
            for (x, &i) in scaled.iter_mut().zip(&used) {
                *x = m.features[i] / spread[i];
            }
            let p = chance(&scaled, &weights);
            let (off, steep) = ((p - m.result) / n, p * (1.0 - p) / n);
            for i in 0..size {
                gradient[i] += off * scaled[i];
                for j in 0..=i {
                    curve[i * size + j] += steep * scaled[i] * scaled[j];
                }
            }
        }
        for i in 0..size {
            curve[i * size + i] += ridge;
        }
        let step = solve(curve, gradient);
        let far = step.iter().fold(0.0_f64, |far, s| far.max(s.abs()));
        for (w, s) in weights.iter_mut().zip(&step) {
            *w -= s;
        }
        if far < 1e-8 {
            break;
        }
    }
    let mut all = vec![0.0; spread.len()];
    for (w, &i) in weights.iter().zip(&used) {
        all[i] = w / spread[i];
    }
    all
}

/// Solves a system of equations whose matrix is symmetric and positive (Cholesky); its lower half is given.
pub(crate) fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let sum = a[i * n + j] - (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum::<f64>();
            a[i * n + j] = if i == j { sum.max(1e-12).sqrt() } else { sum / a[j * n + j] };
        }
    }
    for i in 0..n {
        b[i] = (b[i] - (0..i).map(|k| a[i * n + k] * b[k]).sum::<f64>()) / a[i * n + i];
    }
    for i in (0..n).rev() {
        b[i] = (b[i] - (i + 1..n).map(|k| a[k * n + i] * b[k]).sum::<f64>()) / a[i * n + i];
    }
    b
}

/// The text of a `judgement.toml` with these weights in place of its own; comments and order stay. A name that is not
/// there yet is put at the end of its table.
pub fn rewritten(text: &str, weights: &Judgement) -> Result<String, String> {
    let mut file: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| e.to_string())?;
    for (table, weights) in [("worth", &weights.worth), ("weighs", &weights.weighs)] {
        if weights.is_empty() {
            continue;
        }
        let item = file.entry(table).or_insert_with(toml_edit::table);
        let table = item.as_table_mut().ok_or_else(|| format!("[{table}] is no table"))?;
        for (name, weight) in weights {
            let mut value = toml_edit::Value::from(*weight);
            match table.get_mut(name).and_then(toml_edit::Item::as_value_mut) {
                Some(old) if old.as_float() == Some(*weight) => {}
                Some(old) => {
                    *value.decor_mut() = old.decor().clone();
                    *old = value;
                }
                None => {
                    table.insert(name, toml_edit::Item::Value(value));
                }
            }
        }
    }
    Ok(file.to_string())
}

#[cfg(test)]
mod tests {
    use tricorne_chance::{Seed, Whim};

    use super::*;

    /// Positions of battles that go by known weights.
    fn known(battles: u64, weights: &[f64]) -> Moments {
        let mut whim = Whim::new(Seed::from(5), 0);
        let mut all = Vec::new();
        for battle in 0..battles {
            let features: Vec<f64> = weights.iter().map(|_| whim.between(-2.0, 2.0)).collect();
            let p = chance(&features, weights);
            let result = f64::from(u8::from(whim.chance(p)));
            all.push(Moment { battle, features, said: 0.5, first: 0.5, result, replayed: None });
        }
        Moments { names: vec!["men", "hill", "nothing"], all }
    }

    #[test]
    fn what_battles_were_decided_by_is_found_again() {
        let moments = known(20_000, &[1.5, -0.5, 0.0]);
        let learnt = learn(&moments).unwrap();
        for (name, weight) in [("men", 1.5), ("hill", -0.5), ("nothing", 0.0)] {
            assert!((learnt.worth[name] - weight).abs() < 0.1, "{name}: {}", learnt.worth[name]);
        }
        let held = learnt.held_out;
        assert!(held.learnt < 0.5 && (held.before - 0.693).abs() < 0.001, "{held:?}");
        assert_eq!(learn(&moments).unwrap(), learnt, "the same battles teach the same");
    }

    #[test]
    fn a_feature_that_never_shows_is_worth_nothing() {
        let mut moments = known(500, &[1.0, 0.0, 0.0]);
        for m in &mut moments.all {
            m.features[2] = 0.0;
        }
        assert_eq!(learn(&moments).unwrap().worth["nothing"], 0.0);
        assert_eq!(learn(&known(5, &[1.0, 0.0, 0.0])), Err(NothingToLearn::TooFew));
        assert_eq!(learn(&Moments::default()), Err(NothingToLearn::NoFeatures));
    }

    #[test]
    fn a_file_keeps_its_comments_and_its_order() {
        let text = "# Mine.\n[worth]\n# Men.\nmen = 1.0 # so much\nhill = 2\n\n[weighs]\npress = 0.5\n";
        let worth = BTreeMap::from([("men".into(), 1.25), ("hill".into(), -0.5), ("ford".into(), 0.1)]);
        let new = rewritten(text, &Judgement { worth, ..Judgement::default() }).unwrap();
        let right = "# Mine.\n[worth]\n# Men.\nmen = 1.25 # so much\nhill = -0.5\nford = 0.1\n\n[weighs]\npress = 0.5\n";
        assert_eq!(new, right);
        assert!(rewritten("[worth", &Judgement::default()).is_err());
    }
}
