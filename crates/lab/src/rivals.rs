//! Weights from battles against others: all of them are moved at once, each a little up or down by chance, and who wins
//! tells of each which way it should go.
//!
//! Where a step by pairs follows eight battles, this one looks at some ten thousand first: every battle says something
//! about every weight, so the slope of all of them is known as well as that of one would be. Then it tries how far to go
//! that way, on battles of their own, and stays where it is if nothing on the way wins more.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tricorne_agents::Level;
use tricorne_chance::{Seed, Whim};
use tricorne_game::{Judgement, System};
use tricorne_shelf::Visitor;

use crate::lesson::each;
use crate::run::fields;
use crate::study::{StudyError, seed_after};
use crate::tune::{Contender, SMALL, Tried, Tuning, fought};

/// How far a step may go the way that was found, all weights together, in times of how far each was moved to find it.
const LENGTHS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// No weight changes by more than this factor in one step: beyond it what was seen near by says little.
const AT_MOST: f64 = 3.0;

/// Battles of a step, of its test and of its lengths have seeds of their own.
const FOR_LENGTHS: u64 = 1 << 41;
const FOR_TEST: u64 = 1 << 42;

/// Whom a step is fought against, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rivals {
    /// They take turns.
    pub levels: Vec<Level>,
    /// Battles to find the way by.
    pub battles: u64,
    /// Battles for each length that is tried.
    pub held: u64,
}

/// A battle to be fought: by which weights, against whom, where.
struct Bout<'a> {
    mind: Arc<Judgement>,
    rival: &'a Contender,
    scenario: usize,
    seed: Seed,
    swapped: bool,
}

/// How a weight has come out: what it brings to make it larger, and how surely that is known.
struct Slope {
    brings: f64,
    unsure: f64,
}

impl Slope {
    /// Less where it may be chance, and nothing where it is likely to be.
    fn held_back(&self) -> f64 {
        let sure = 1.0 - (self.unsure / self.brings).powi(2);
        if sure > 0.0 { self.brings * sure } else { 0.0 }
    }
}

impl Tuning {
    /// Takes a step by battles against others; says what share of the points it brings, by the battles it was chosen by.
    pub(crate) fn vie(
        &self,
        rivals: &Rivals,
        tried: &mut Tried,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<f64, StudyError> {
        let slopes = self.slopes(rivals, tried, threads, stop)?;
        let way: Vec<f64> = slopes.iter().map(Slope::held_back).collect();
        let length = way.iter().map(|d| d * d).sum::<f64>().sqrt();
        let mut steps = vec![tried.weights.clone()];
        if length > 0.0 {
            let go = |times: f64| way.iter().map(|d| times * d / length).collect::<Vec<f64>>();
            steps.extend(LENGTHS.map(|times| self.moved_by(&tried.weights, &go(times))));
        }
        let minds: Vec<Arc<Judgement>> = steps.iter().map(|step| Arc::new(self.judgement(step))).collect();
        let first = FOR_LENGTHS + tried.steps * rivals.held;
        let shares = self.shares(rivals, &minds, first, rivals.held, threads, stop)?;
        let best = (0..shares.len()).fold(0, |best, i| if shares[i] > shares[best] { i } else { best });
        tried.steps += 1;
        tried.weights = steps.swap_remove(best);
        Ok(shares[best] - shares[0])
    }

    /// What each pair of test battles says: what the new weights scored against a rival less what the old ones did.
    pub(crate) fn vie_in_test(
        &self,
        rivals: &Rivals,
        tried: &Tried,
        pairs: std::ops::Range<u64>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, StudyError> {
        let minds = [Arc::new(self.judgement(&tried.weights)), Arc::new(self.base.clone())];
        let first = FOR_TEST + pairs.start;
        let count = pairs.end.saturating_sub(pairs.start);
        let scores = self.bouts(rivals, count * 2, threads, stop, &|rivals, n| {
            self.bout(rivals, Arc::clone(&minds[(n % 2) as usize]), first + n / 2)
        })?;
        Ok(scores.chunks(2).map(|two| two[0] - two[1]).collect())
    }

    fn slopes(
        &self,
        rivals: &Rivals,
        tried: &Tried,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Slope>, StudyError> {
        let trials = (rivals.battles / 2).max(2);
        let first = tried.steps * trials;
        let signs = |n: u64| {
            let mut whim = Whim::new(seed_after(self.seed, first + n), 1 << 34);
            tried.weights.keys().map(move |_| if whim.chance(0.5) { 1.0 } else { -1.0 }).collect::<Vec<f64>>()
        };
        // Both ways on the same dice: what they differ by is what the weights did.
        let scores = self.bouts(rivals, trials * 2, threads, stop, &|contenders, n| {
            let signs = signs(n / 2);
            let way = if n % 2 == 0 { 1.0 } else { -1.0 };
            let moved = self.moved_by(&tried.weights, &signs.iter().map(|s| s * way).collect::<Vec<f64>>());
            self.bout(contenders, Arc::new(self.judgement(&moved)), first + n / 2)
        })?;
        let mut sums = vec![0.0; tried.weights.len()];
        let mut squares = 0.0;
        for (n, two) in scores.chunks(2).enumerate() {
            let differ = (two[0] - two[1]) / 2.0;
            squares += differ * differ;
            if differ != 0.0 {
                for (sum, sign) in sums.iter_mut().zip(signs(n as u64)) {
                    *sum += sign * differ;
                }
            }
        }
        let n = trials as f64;
        let unsure = (squares / n / n).sqrt();
        Ok(sums.iter().map(|sum| Slope { brings: sum / n, unsure }).collect())
    }

    /// Weights so many reaches further, each in its own proportion; one near nought by a fixed amount.
    fn moved_by(&self, weights: &BTreeMap<String, f64>, by: &[f64]) -> BTreeMap<String, f64> {
        let go = |(name, was): (&String, f64), by: f64| {
            let is = if was.abs() < SMALL {
                was + SMALL * (self.reach * by).clamp(-1.0, 1.0)
            } else {
                was * libm::exp(self.reach * by).clamp(1.0 / AT_MOST, AT_MOST)
            };
            (name.clone(), is)
        };
        weights.iter().zip(by).map(|((name, &was), &by)| go((name, was), by)).collect()
    }

    /// The share of the points, from 0 to 1, that each of several judgements takes on the same battles.
    fn shares(
        &self,
        rivals: &Rivals,
        minds: &[Arc<Judgement>],
        first: u64,
        battles: u64,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, StudyError> {
        let count = minds.len() as u64;
        let scores = self.bouts(rivals, battles * count, threads, stop, &|rivals, n| {
            self.bout(rivals, Arc::clone(&minds[(n % count) as usize]), first + n / count)
        })?;
        let mut shares = vec![0.0; minds.len()];
        for (n, score) in scores.iter().enumerate() {
            shares[n % minds.len()] += (score + 1.0) / 2.0 / battles.max(1) as f64;
        }
        Ok(shares)
    }

    /// Battle number `n`: rivals, scenarios and sides in turn.
    fn bout<'a>(&self, rivals: &'a [Contender], mind: Arc<Judgement>, n: u64) -> Bout<'a> {
        let (levels, scenarios) = (rivals.len().max(1) as u64, self.scenarios.len().max(1) as u64);
        Bout {
            mind,
            rival: &rivals[(n % levels) as usize],
            scenario: (n / levels % scenarios) as usize,
            seed: seed_after(self.seed, n),
            swapped: n / levels / scenarios % 2 == 1,
        }
    }

    /// Fights some battles; what the weights on trial scored in each, from -1 to 1.
    fn bouts(
        &self,
        rivals: &Rivals,
        count: u64,
        threads: usize,
        stop: &AtomicBool,
        bout: &(dyn for<'b> Fn(&'b [Contender], u64) -> Bout<'b> + Sync),
    ) -> Result<Vec<f64>, StudyError> {
        let base = Arc::new(self.base.clone());
        // Who goes by the rulebook goes by the weights there were; the first school by its own.
        let rival = |&level: &Level| Contender { level, mind: level.rank().map(|_| Arc::clone(&base)) };
        let rivals: Vec<Contender> = rivals.levels.iter().map(rival).collect();
        tricorne_shelf::visit(
            &self.ruleset,
            Melee { tuning: self, rivals: &rivals, count, threads, stop, bout },
        )
        .unwrap_or_else(|| Err(StudyError::Ruleset(self.ruleset.clone())))
    }
}

struct Melee<'a> {
    tuning: &'a Tuning,
    rivals: &'a [Contender],
    count: u64,
    threads: usize,
    stop: &'a AtomicBool,
    bout: &'a (dyn for<'b> Fn(&'b [Contender], u64) -> Bout<'b> + Sync),
}

impl Visitor for Melee<'_> {
    type Out = Result<Vec<f64>, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Melee { tuning, rivals, count, threads, stop, bout } = self;
        let fields = fields(system, &tuning.scenarios, &tuning.choices)?;
        each(count, threads, stop, &|n| {
            let Bout { mind, rival, scenario, seed, swapped } = bout(rivals, n);
            let ours = Contender { level: tuning.player, mind: Some(mind) };
            fought(fields[scenario].clone(), seed, [&ours, rival], swapped, stop)
        })
    }
}
