//! Calibration: how well a judgement foretells who wins, beside the first school's and beside what can be known at all.

use serde::Serialize;

use crate::learn::{fit, log_odds, logistic, loss, mean_loss};
use crate::lesson::{Moment, Moments};
use crate::plate::{Dot, Panel, Plate, Scale};
use crate::summary::Share;

/// Parts that chances from 0 to 1 are cut into.
const BINS: usize = 10;

/// How well positions were judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Positions judged.
    pub positions: usize,
    /// Log-loss over all of them: lower is better, 0.693 is a coin.
    pub log_loss: Losses,
    /// The same over the positions that were fought out again, against what came of them on average, and the floor.
    pub replayed: Option<Replayed>,
    /// How often what was said came, by the present judgement.
    pub present: Vec<Bin>,
    /// By the first school.
    pub first: Vec<Bin>,
}

/// Log-loss of each judgement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Losses {
    /// The present one, or one's own.
    pub present: f64,
    /// The first school's.
    pub first: f64,
    /// The first school's, its log-odds stretched as fits these very positions best.
    pub first_at_best: f64,
}

/// What replaying positions showed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Replayed {
    /// Positions fought out again.
    pub positions: usize,
    /// How often each.
    pub times: u32,
    /// Log-loss over them.
    pub log_loss: Losses,
    /// What even the best judgement would be surprised by: the entropy of what came.
    pub floor: f64,
    /// Its interval (95 %).
    pub floor_low: f64,
    /// Its interval.
    pub floor_high: f64,
    /// The share of the gap between the first school, stretched as fits best, and the floor that is closed.
    pub closed: f64,
}

/// Positions of which about the same was said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// Positions.
    pub positions: u64,
    /// The chance that was said, on average.
    pub said: f64,
    /// How often it came.
    pub came: Share,
}

/// Judges a judgement by positions; `times` is how often some were fought out again.
pub fn calibrate(moments: &Moments, times: u32) -> Calibration {
    let all: Vec<&Moment> = moments.all.iter().collect();
    let stretch = stretch(&all);
    let at_best = |m: &Moment| logistic(stretch * log_odds(m.first));
    let again: Vec<&Moment> = all.iter().copied().filter(|m| m.replayed.is_some()).collect();
    let over = |said: &dyn Fn(&Moment) -> f64| {
        let losses = again.iter().map(|m| loss(said(m), m.replayed.unwrap_or(0.5)));
        losses.sum::<f64>() / again.len().max(1) as f64
    };
    let replayed = (!again.is_empty()).then(|| {
        let log_loss =
            Losses { present: over(&|m| m.said), first: over(&|m| m.first), first_at_best: over(&at_best) };
        let entropies: Vec<f64> = again.iter().map(|m| entropy(m.replayed.unwrap_or(0.5), times)).collect();
        let n = entropies.len() as f64;
        let floor = entropies.iter().sum::<f64>() / n;
        let square = entropies.iter().map(|e| (e - floor) * (e - floor)).sum::<f64>() / (n - 1.0).max(1.0);
        let give = 1.96 * (square / n).sqrt();
        let gap = log_loss.first_at_best - floor;
        Replayed {
            positions: again.len(),
            times,
            log_loss,
            floor,
            floor_low: floor - give,
            floor_high: floor + give,
            closed: if gap > 0.0 { (log_loss.first_at_best - log_loss.present) / gap } else { 0.0 },
        }
    });
    Calibration {
        positions: all.len(),
        log_loss: Losses {
            present: mean_loss(&all, |m| m.said),
            first: mean_loss(&all, |m| m.first),
            first_at_best: mean_loss(&all, at_best),
        },
        replayed,
        present: bins(&all, |m| m.said),
        first: bins(&all, |m| m.first),
    }
}

/// The entropy of what came with this average in so many tries. Few tries look surer than they are, so it is corrected
/// (Miller and Madow).
fn entropy(came: f64, times: u32) -> f64 {
    if came <= 0.0 || came >= 1.0 {
        return 0.0;
    }
    let plain = -(came * libm::log(came) + (1.0 - came) * libm::log(1.0 - came));
    plain + 0.5 / f64::from(times.max(1))
}

/// What the first school's log-odds are best multiplied by.
fn stretch(moments: &[&Moment]) -> f64 {
    let alone: Vec<Moment> =
        moments.iter().map(|m| Moment { features: vec![log_odds(m.first)], ..(*m).clone() }).collect();
    fit(&alone.iter().collect::<Vec<_>>(), 1e-6).first().copied().unwrap_or(1.0)
}

fn bins(moments: &[&Moment], said: impl Fn(&Moment) -> f64) -> Vec<Bin> {
    let mut sums = [(0_u64, 0.0, 0.0); BINS];
    for m in moments {
        let p = said(m);
        let bin = &mut sums[((p * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + 1, bin.1 + p, bin.2 + m.result);
    }
    let bin = |(n, said, came): (u64, f64, f64)| Bin {
        positions: n,
        said: said / n.max(1) as f64,
        came: Share::wilson(came, n),
    };
    sums.into_iter().map(bin).collect()
}

impl Calibration {
    /// A plate of it.
    pub fn plate(&self, title: &str, foot: String) -> Plate {
        let dot = |label: &str, value: f64, colour| Dot {
            label: label.into(),
            value,
            low: value,
            high: value,
            text: format!("{value:.3}"),
            colour,
        };
        let (losses, over) = match &self.replayed {
            Some(r) => (r.log_loss, format!("{} positions, fought out {} times each", r.positions, r.times)),
            None => (self.log_loss, format!("{} positions", self.positions)),
        };
        let mut rows = vec![
            dot("this judgement", losses.present, 0),
            dot("the first school, at its best scale", losses.first_at_best, 1),
            dot("the first school as it is", losses.first, 1),
        ];
        rows.extend(self.replayed.map(|r| Dot {
            low: r.floor_low,
            high: r.floor_high,
            ..dot("the floor", r.floor, 2)
        }));
        let bins = |bins: &[Bin], colour| {
            let row = |(i, bin): (usize, &Bin)| Dot {
                label: format!("said {} to {} %", i * 100 / BINS, (i + 1) * 100 / BINS),
                value: bin.came.share,
                low: bin.came.low,
                high: bin.came.high,
                text: format!("came {:.0} % of {}", bin.came.share * 100.0, bin.positions),
                colour,
            };
            bins.iter().enumerate().filter(|(_, bin)| bin.positions > 0).map(row).collect::<Vec<_>>()
        };
        let panel = |title: &str, rows| Panel::Dots {
            title: title.into(),
            scale: Scale::SHARE,
            mark: None,
            rows,
            bars: false,
        };
        let scale = Scale { from: 0.0, to: 0.8, step: 0.1, percent: false };
        Plate {
            title: title.into(),
            subtitle: "How well positions foretell who wins".into(),
            panels: vec![
                Panel::Dots {
                    title: format!("Log-loss, lower is better: {over}"),
                    scale,
                    mark: Some(core::f64::consts::LN_2),
                    rows,
                    bars: true,
                },
                panel("How often the first side won, by what was said", bins(&self.present, 0)),
                panel("… and by the first school", bins(&self.first, 1)),
            ],
            foot,
        }
    }
}

#[cfg(test)]
mod tests {
    use tricorne_chance::{Seed, Whim};

    use super::*;

    /// Positions with a known chance, judged rightly by the present school and halfway by the first.
    fn known(times: u32) -> Moments {
        let mut whim = Whim::new(Seed::from(9), 0);
        let all = (0..4000).map(|battle| {
            let p = whim.between(0.02, 0.98);
            let came = (0..times).filter(|_| whim.chance(p)).count() as f64 / f64::from(times);
            Moment {
                battle,
                features: vec![log_odds(p)],
                said: p,
                first: logistic(log_odds(p) * 0.5 + whim.between(-1.5, 1.5)),
                result: f64::from(u8::from(whim.chance(p))),
                replayed: Some(came),
            }
        });
        Moments { names: vec!["odds"], all: all.collect() }
    }

    #[test]
    fn a_right_judgement_is_at_the_floor_and_calibrated() {
        let found = calibrate(&known(16), 16);
        let again = found.replayed.unwrap();
        assert!((again.floor - again.log_loss.present).abs() < 0.012, "{again:?}");
        assert!((again.closed - 1.0).abs() < 0.1, "{again:?}");
        assert!(
            again.log_loss.first_at_best < again.log_loss.first
                && found.log_loss.present < found.log_loss.first
        );
        for bin in &found.present {
            assert!(bin.came.low <= bin.said + 0.02 && bin.said - 0.02 <= bin.came.high, "{bin:?}");
        }
        assert!(found.plate("Toy", String::new()).svg().contains("the floor"));
    }

    #[test]
    fn without_replays_there_is_no_floor() {
        let mut moments = known(4);
        for m in &mut moments.all {
            m.replayed = None;
        }
        assert_eq!(calibrate(&moments, 0).replayed, None);
    }
}
