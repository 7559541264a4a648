//! Weights from answers: what comes of answers tells how much is to be made of each thing that speaks for them.
//!
//! At some decisions of battles between equals, each answer that was proposed is fought out a few times on the same dice.
//! Each weight made a little larger shows which answers it speaks for. How what came of answers hangs on what speaks for
//! them is then a matter of least squares, and the weights go that way. Battles won and lost say little about any one
//! weight; here every decision says something about all of them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tricorne_chance::Seed;

use crate::learn::solve;
use crate::left_out::{FOLDS, least_missed};
use crate::regret::{Doubt, Inquiry, regret};
use crate::study::{Study, StudyError, seed_after};
use crate::tune::{SMALL, Tried, Tuning, weight};

/// Proposals fought out at a decision at most.
const PROPOSALS: usize = 10;

/// How much larger a weight is made to see what it speaks for.
const LARGER: f64 = 0.1;

/// No weight changes by more than this factor in one step: beyond it what was seen near by says little.
const AT_MOST: f64 = 3.0;

/// How strongly steps are held back, as a share of how much the answers tell; the one that does best on battles left out is
/// taken.
const RIDGES: [f64; 6] = [0.003, 0.01, 0.03, 0.1, 0.3, 1.0];

/// How a step asks after answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Asking {
    /// Battles for one step.
    pub battles: u64,
    /// Decisions of each battle.
    pub decisions: usize,
    /// How often each answer is fought out.
    pub tries: u32,
    /// Turns it is fought out for.
    pub turns: u32,
}

impl Tuning {
    /// Takes a step by answers; says how much of what came of answers in battles left out is foretold better by it, as a
    /// share.
    pub(crate) fn ask(
        &self,
        asking: &Asking,
        tried: &mut Tried,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<f64, StudyError> {
        let now = self.judgement(&tried.weights);
        let steps: Vec<f64> = self.moved.iter().map(|name| LARGER * size(weight(&now, name))).collect();
        let mut minds = vec![Arc::new(now.clone())];
        for (name, step) in self.moved.iter().zip(&steps) {
            let mut larger = tried.weights.clone();
            *larger.entry(name.clone()).or_default() += step;
            minds.push(Arc::new(self.judgement(&larger)));
        }
        let mut scenes = Vec::new();
        let each = (asking.battles / self.scenarios.len().max(1) as u64).max(1);
        for (k, scenario) in self.scenarios.iter().enumerate() {
            let first = (tried.steps * self.scenarios.len() as u64 + k as u64) * each;
            let inquiry = Inquiry {
                study: Study {
                    ruleset: self.ruleset.clone(),
                    scenario: scenario.clone(),
                    muster: None,
                    choices: self.choices.clone(),
                    players: [self.player; 2],
                    battles: each,
                    seed: seed_after(self.seed, first),
                },
                decisions: asking.decisions,
                proposals: PROPOSALS,
                others: 0,
                tries: asking.tries,
                turns: Some(asking.turns),
                heeding: Some(Arc::new(now.clone())),
                minds: minds.clone(),
            };
            scenes.extend(regret(&inquiry, threads, stop, &|| {})?.iter().filter_map(Scene::of));
        }
        tried.steps += 1;
        let Some((go, better)) = taught(&scenes) else { return Ok(0.0) };
        for ((name, step), go) in self.moved.iter().zip(&steps).zip(go) {
            let was = weight(&now, name);
            let is = was + go * step;
            let held = if was.abs() < SMALL {
                is.clamp(was - SMALL, was + SMALL)
            } else {
                // The sign of a weight is what its name says, so it stays.
                was * (is / was).clamp(1.0 / AT_MOST, AT_MOST)
            };
            tried.weights.insert(name.clone(), held);
        }
        Ok(better)
    }
}

fn size(weight: f64) -> f64 {
    weight.abs().max(SMALL)
}

/// The answers of a decision, each less the average of all of them.
struct Scene {
    /// Answers of one battle are left out together.
    battle: Seed,
    answers: Vec<Weighed>,
}

/// What came of an answer, what it promised, and how much more by each weight made larger.
struct Weighed {
    came: f64,
    promise: f64,
    slopes: Vec<f64>,
}

impl Scene {
    fn of(doubt: &Doubt) -> Option<Self> {
        let known = |promises: &[Option<f64>]| {
            let promise = promises.first().copied().flatten()?;
            // What another mind would not even propose is left as it is.
            let slopes = promises[1..].iter().map(|p| p.map_or(0.0, |p| p - promise)).collect();
            Some((promise, slopes))
        };
        let mut answers: Vec<Weighed> = doubt
            .tried
            .iter()
            .filter_map(|answer| {
                let (promise, slopes) = known(&answer.minded)?;
                Some(Weighed { came: f64::midpoint(answer.won[0], answer.won[1]), promise, slopes })
            })
            .collect();
        if answers.len() < 2 {
            return None;
        }
        let n = answers.len() as f64;
        let mean = |of: &dyn Fn(&Weighed) -> f64| answers.iter().map(of).sum::<f64>() / n;
        let (came, promise) = (mean(&|a| a.came), mean(&|a| a.promise));
        let slopes: Vec<f64> = (0..answers[0].slopes.len()).map(|k| mean(&|a| a.slopes[k])).collect();
        for answer in &mut answers {
            answer.came -= came;
            answer.promise -= promise;
            for (slope, mean) in answer.slopes.iter_mut().zip(&slopes) {
                *slope -= mean;
            }
        }
        Some(Self { battle: doubt.seed, answers })
    }
}

/// How many of its steps each weight should go, and by what share less is left unexplained in battles left out; nothing
/// where going any way makes it worse.
fn taught(scenes: &[Scene]) -> Option<(Vec<f64>, f64)> {
    let mut battles: Vec<Seed> = scenes.iter().map(|s| s.battle).collect();
    battles.sort_unstable();
    battles.dedup();
    let fold = |scene: &Scene| battles.partition_point(|b| *b < scene.battle) as u64 % FOLDS;
    let none = vec![0.0; scenes.first()?.answers.first()?.slopes.len()];
    let all: Vec<&Scene> = scenes.iter().collect();
    let (least, missed) = least_missed(&all, fold, |taken, left_out| {
        if taken.is_empty() || left_out.is_empty() {
            return None;
        }
        let sums = Sums::of(taken);
        let steps = std::iter::once(none.clone()).chain(RIDGES.map(|ridge| sums.step(ridge)));
        Some(steps.map(|step| unexplained(left_out, sums.scale, &step)).collect())
    })?;
    // The first of them stays as it is.
    let ridge = RIDGES[least.checked_sub(1)?];
    Some((Sums::of(&all).step(ridge), 1.0 - missed[least] / missed[0]))
}

/// What is left of what came of answers when promise has been taken off it.
fn unexplained(scenes: &[&Scene], scale: f64, step: &[f64]) -> f64 {
    let off = |a: &Weighed| {
        let more: f64 = a.slopes.iter().zip(step).map(|(slope, go)| slope * go).sum();
        a.came - scale * (a.promise + more)
    };
    scenes.iter().flat_map(|s| &s.answers).map(|a| off(a) * off(a)).sum()
}

/// The sums that least squares go by.
struct Sums {
    /// What a promise of 1 comes to.
    scale: f64,
    /// The lower half of how what weights speak for goes together.
    together: Vec<f64>,
    /// How it goes together with what promise does not explain.
    towards: Vec<f64>,
}

impl Sums {
    fn of(scenes: &[&Scene]) -> Self {
        let answers = || scenes.iter().flat_map(|s| &s.answers);
        let squares: f64 = answers().map(|a| a.promise * a.promise).sum();
        let scale = answers().map(|a| a.promise * a.came).sum::<f64>() / squares.max(1e-12);
        let n = answers().next().map_or(0, |a| a.slopes.len());
        let (mut together, mut towards) = (vec![0.0; n * n], vec![0.0; n]);
        for a in answers() {
            let off = a.came - scale * a.promise;
            for i in 0..n {
                if a.slopes[i] == 0.0 {
                    continue;
                }
                towards[i] += scale * a.slopes[i] * off;
                for j in 0..=i {
                    together[i * n + j] += scale * scale * a.slopes[i] * a.slopes[j];
                }
            }
        }
        Self { scale, together, towards }
    }

    fn step(&self, ridge: f64) -> Vec<f64> {
        let n = self.towards.len();
        let told: f64 = (0..n).map(|i| self.together[i * n + i]).sum::<f64>() / n.max(1) as f64;
        let mut held = self.together.clone();
        for i in 0..n {
            held[i * n + i] += ridge * told + 1e-12;
        }
        solve(held, self.towards.clone())
    }
}

#[cfg(test)]
mod tests {
    use tricorne_chance::Whim;

    use super::*;

    /// Decisions whose answers come to what two weights say, of which one is known too low and the other too high.
    fn scenes(count: u64, noise: f64) -> Vec<Scene> {
        let mut whim = Whim::new(Seed::from(3), 0);
        let mut scene = |battle: u64| {
            let answers = (0..4).map(|_| {
                let (a, b) = (whim.between(-1.0, 1.0), whim.between(-1.0, 1.0));
                let came = 0.1 * (2.0 * a + 0.5 * b) + whim.between(-noise, noise);
                Weighed { came, promise: a + b, slopes: vec![0.1 * a, 0.1 * b, 0.0] }
            });
            Scene { battle: Seed::from(battle), answers: answers.collect() }
        };
        (0..count).map(|n| scene(n / 3)).collect()
    }

    #[test]
    fn weights_go_where_answers_came_out_better() {
        let (go, better) = taught(&scenes(600, 0.1)).unwrap();
        // By what share of each other they are worth: promise says 1 to 1, what came of it 4 to 1.
        let ratio = (1.0 + 0.1 * go[0]) / (1.0 + 0.1 * go[1]);
        assert!((3.0..5.5).contains(&ratio), "{go:?}");
        assert!(go[2].abs() < 1e-9, "{go:?}: nothing speaks for the third");
        assert!(better > 0.1, "{better}");
    }

    #[test]
    fn nothing_is_learnt_from_noise() {
        let mut all = scenes(300, 0.0);
        let mut whim = Whim::new(Seed::from(9), 0);
        for answer in all.iter_mut().flat_map(|s| &mut s.answers) {
            answer.came = whim.between(-1.0, 1.0);
        }
        let learnt = taught(&all);
        assert!(learnt.is_none_or(|(_, better)| better < 0.02), "{:?}", taught(&all));
    }
}
