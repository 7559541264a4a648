//! Tuning: weights made better by self-play, and taken only if they win.
//!
//! All weights are moved at once, each a little up or down by chance, and two players that differ by just that fight
//! pairs of battles with the same dice and sides swapped; the weights then follow the winner (SPSA, as chess engines are
//! tuned). Or they follow what came of answers ([`Asking`]). What comes of it is tried against what there was on fresh seeds
//! until it is clear which is better (a sequential test, SPRT). After each step the state can be written as JSON and gone
//! on with.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tricorne_agents::{Level, Player, Timing};
use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::{Battle, Choices, Judgement, Log, Side, Source, System};
use tricorne_shelf::Visitor;

use crate::lesson::each;
use crate::rivals::Rivals;
use crate::run::{MOST_DECISIONS, fields};
use crate::study::{StudyError, seed_after};
use crate::weigh::Asking;

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The rule system's id.
    pub ruleset: String,
    /// The scenarios, taken in turn.
    pub scenarios: Vec<Source>,
    /// House rules and data.
    pub choices: Choices,
    /// The weights to begin with.
    pub base: Judgement,
    /// Which of them are moved: `weighs.NAME`, `worth.NAME`.
    pub moved: Vec<String>,
    /// Who plays.
    pub player: Level,
    /// Pairs of battles for one step.
    pub pairs: u64,
    /// How far weights are moved for a trial, as a share of what they are.
    pub reach: f64,
    /// What a step goes by.
    pub by: Teacher,
    /// The seed of the first battle.
    pub seed: Seed,
}

/// What a step goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Teacher {
    /// Who won of two that differ by the step alone.
    Itself,
    /// What came of answers.
    Answers(Asking),
    /// Who won against others.
    Rivals(Rivals),
}

/// How far tuning has come: all that is needed to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// What is tuned, in short: another tuning does not go on from here.
    pub tuning: String,
    /// Steps taken.
    pub steps: u64,
    /// The weights that are moved, as they are now.
    pub weights: BTreeMap<String, f64>,
    /// The test of them against those there were.
    pub test: Test,
}

/// A sequential test: pairs of battles so far, and what the new weights scored in each, from -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Pairs fought.
    pub pairs: u64,
    /// The sum of scores.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The new weights are better.
    Better,
    /// They are not.
    NoBetter,
    /// Not clear yet.
    Open,
}

/// Log-likelihood beyond which a test is over: wrong once in twenty times.
const CLEAR: f64 = 2.944;

/// Elo that would be worth having.
const WORTHWHILE: f64 = 15.0;

/// Fewest pairs before a test may end.
const FEWEST: u64 = 20;

/// The smallest weight that a share is taken of.
pub(crate) const SMALL: f64 = 0.05;

impl Test {
    fn add(&mut self, score: f64) {
        self.pairs += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// The log-likelihood of being worthwhile against being no better, by the spread of the pairs themselves.
    pub fn likelihood(&self) -> f64 {
        if self.pairs < 2 {
            return 0.0;
        }
        let n = self.pairs as f64;
        let mean = self.sum / n;
        let spread = ((self.squares / n - mean * mean) * n / (n - 1.0)).max(1e-3);
        // A share of points as Elo has it, from -1 to 1.
        let hoped = 2.0 / (1.0 + libm::pow(10.0, -WORTHWHILE / 400.0)) - 1.0;
        n / spread * hoped * (mean - hoped / 2.0)
    }

    /// What it has come to.
    pub fn verdict(&self) -> Verdict {
        match self.likelihood() {
            _ if self.pairs < FEWEST => Verdict::Open,
            l if l >= CLEAR => Verdict::Better,
            l if l <= -CLEAR => Verdict::NoBetter,
            _ => Verdict::Open,
        }
    }

    /// Points that the new weights took, from 0 to 1.
    pub fn share(&self) -> f64 {
        f64::midpoint(self.sum / self.pairs.max(1) as f64, 1.0)
    }
}

impl Tuning {
    /// A short name of all that decides how it goes.
    pub fn digest(&self) -> String {
        let mut whole = vec![serde_json::json!([
            self.ruleset,
            tricorne_shelf::system(&self.ruleset).map_or(0, |s| s.about().revision),
            self.scenarios.iter().map(|s| &s.text).collect::<Vec<_>>(),
            self.choices,
            self.base,
            self.moved,
            self.player.to_string(),
            self.pairs,
            self.reach,
            self.seed,
        ])];
        whole.extend(match &self.by {
            Teacher::Itself => None,
            Teacher::Answers(asking) => Some(serde_json::json!(asking)),
            Teacher::Rivals(Rivals { levels, battles, held }) => {
                let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
                Some(serde_json::json!([levels, battles, held]))
            }
        });
        let whole = whole.iter().map(ToString::to_string).collect::<String>();
        blake3::hash(whole.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Where it begins.
    pub fn begin(&self) -> Tried {
        let weights = self.moved.iter().map(|name| (name.clone(), weight(&self.base, name))).collect();
        Tried { tuning: self.digest(), steps: 0, weights, test: Test::default() }
    }

    /// The weights as they would be written.
    pub fn judgement(&self, weights: &BTreeMap<String, f64>) -> Judgement {
        let mut all = self.base.clone();
        for (name, value) in weights {
            let (table, name) = name.split_once('.').unwrap_or(("weighs", name));
            let table = if table == "worth" { &mut all.worth } else { &mut all.weighs };
            table.insert(name.to_owned(), *value);
        }
        all
    }

    /// Takes the next step.
    pub fn step(&self, tried: &mut Tried, threads: usize, stop: &AtomicBool) -> Result<f64, StudyError> {
        match &self.by {
            Teacher::Answers(asking) => self.ask(asking, tried, threads, stop),
            Teacher::Rivals(rivals) => self.vie(rivals, tried, threads, stop),
            Teacher::Itself => {
                let scores = self.fight(tried, Trial::Step, 0..self.pairs, threads, stop)?;
                Ok(self.learn(tried, &scores))
            }
        }
    }

    /// Fights more pairs of the test, on seeds that no step has met.
    pub fn test(
        &self,
        tried: &mut Tried,
        pairs: u64,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Verdict, StudyError> {
        let more = tried.test.pairs..tried.test.pairs + pairs;
        let scores = match &self.by {
            Teacher::Rivals(rivals) => self.vie_in_test(rivals, tried, more, threads, stop)?,
            _ => self.fight(tried, Trial::Test, more, threads, stop)?,
        };
        Ok(Self::tested(tried, &scores))
    }

    /// What the weights on trial scored in some of its pairs. All of a step's pairs are then learnt from together
    /// ([`Tuning::learn`]), those of a test are added to it in order ([`Tuning::tested`]); who fights them where is all one.
    pub fn fight(
        &self,
        tried: &Tried,
        trial: Trial,
        pairs: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, StudyError> {
        const FRESH: u64 = 1 << 40;
        let (begin, sides) = match trial {
            Trial::Step => {
                let stride = self.stride(tried);
                let moved = |by: f64| Arc::new(self.judgement(&stride.from(&tried.weights, by)));
                (tried.steps * self.pairs, [moved(stride.reach), moved(-stride.reach)])
            }
            Trial::Test => (FRESH, [Arc::new(self.judgement(&tried.weights)), Arc::new(self.base.clone())]),
        };
        let count = pairs.end.saturating_sub(pairs.start);
        self.pairs(begin.wrapping_add(pairs.start), count, &sides, threads, stop)
    }

    /// Ends a step all of whose pairs scored so.
    pub fn learn(&self, tried: &mut Tried, scores: &[f64]) -> f64 {
        let stride = self.stride(tried);
        let score = scores.iter().sum::<f64>() / self.pairs.max(1) as f64;
        for (name, weight) in &mut tried.weights {
            *weight += stride.pace * stride.reach * score * stride.moves[name];
        }
        tried.steps += 1;
        score
    }

    /// Adds further pairs of the test that scored so.
    pub fn tested(tried: &mut Tried, scores: &[f64]) -> Verdict {
        for score in scores {
            tried.test.add(*score);
        }
        tried.test.verdict()
    }

    /// The stride of the next step; how far and how fast both shrink with time as Spall advises.
    fn stride(&self, tried: &Tried) -> Stride {
        let k = tried.steps as f64;
        let mut whim = Whim::new(self.seed, (1 << 33) + tried.steps);
        let one = |name: &String| {
            let size = weight(&self.base, name).abs().max(SMALL);
            (name.clone(), if whim.chance(0.5) { size } else { -size })
        };
        Stride {
            reach: self.reach / libm::pow(k + 1.0, 0.101),
            pace: libm::pow(10.0 / (k + 10.0), 0.602),
            moves: tried.weights.keys().map(one).collect(),
        }
    }

    /// What the first of two judgements scored in each pair of battles from number `first` on.
    fn pairs(
        &self,
        first: u64,
        count: u64,
        sides: &[Arc<Judgement>; 2],
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, StudyError> {
        tricorne_shelf::visit(&self.ruleset, Pairs { tuning: self, first, count, sides, threads, stop })
            .unwrap_or_else(|| Err(StudyError::Ruleset(self.ruleset.clone())))
    }
}

/// Whose pairs of battles are fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The next step's: the weights moved one way against the weights moved the other.
    Step,
    /// The test's: the weights so far against those it began with.
    Test,
}

/// A step before it is taken.
struct Stride {
    reach: f64,
    pace: f64,
    /// Which way each weight goes, and how much a whole reach would be.
    moves: BTreeMap<String, f64>,
}

impl Stride {
    fn from(&self, weights: &BTreeMap<String, f64>, by: f64) -> BTreeMap<String, f64> {
        weights.iter().map(|(name, w)| (name.clone(), w + by * self.moves[name])).collect()
    }
}

pub(crate) fn weight(judgement: &Judgement, name: &str) -> f64 {
    let (table, name) = name.split_once('.').unwrap_or(("weighs", name));
    let table = if table == "worth" { &judgement.worth } else { &judgement.weighs };
    table.get(name).copied().unwrap_or(0.0)
}

struct Pairs<'a> {
    tuning: &'a Tuning,
    first: u64,
    count: u64,
    sides: &'a [Arc<Judgement>; 2],
    threads: usize,
    stop: &'a AtomicBool,
}

impl Visitor for Pairs<'_> {
    type Out = Result<Vec<f64>, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Pairs { tuning, first, count, sides, threads, stop } = self;
        let fields = fields(system, &tuning.scenarios, &tuning.choices)?;
        each(count, threads, stop, &|n| {
            let pair = first + n;
            let field = &fields[(pair % fields.len().max(1) as u64) as usize];
            let seed = seed_after(tuning.seed, pair);
            let contender =
                |mind: &Arc<Judgement>| Contender { level: tuning.player, mind: Some(Arc::clone(mind)) };
            let [ours, theirs] = sides.each_ref().map(contender);
            let mut score = 0.0;
            for swapped in [false, true] {
                score += fought(field.clone(), seed, [&ours, &theirs], swapped, stop)?;
            }
            Ok(score / 2.0)
        })
    }
}

/// Who fights, and by which weights if not by the rulebook's.
pub(crate) struct Contender {
    pub(crate) level: Level,
    pub(crate) mind: Option<Arc<Judgement>>,
}

/// One battle: 1 if the first of the two won, -1 if the other.
pub(crate) fn fought<B: Battle>(
    mut battle: B,
    seed: Seed,
    sides: [&Contender; 2],
    swapped: bool,
    stop: &AtomicBool,
) -> Result<f64, StudyError> {
    let (mut chance, mut log) = (Seeded::new(seed), Log::off());
    battle.begin(&mut chance, &mut log);
    let whose = |side: Side| (side.index() + usize::from(swapped)) % 2;
    let seats = battle.view(None).seats;
    let mut players: Vec<Player> = seats
        .iter()
        .map(|s| {
            let Contender { level, mind } = sides[whose(s.side)];
            let player = Player::new(*level, seed, s.seat).timed_by(Timing::Processor);
            match mind {
                Some(mind) => player.heeding(mind),
                None => player,
            }
        })
        .collect();
    let mut decisions = 0;
    while let Some(seat) = battle.seat().filter(|_| decisions < MOST_DECISIONS) {
        if stop.load(Ordering::Relaxed) {
            return Err(StudyError::Stopped);
        }
        let action = players[seat.index()].choose(&battle);
        battle
            .apply(&action, &mut chance, &mut log)
            .map_err(|illegal| StudyError::Refused { seed, why: format!("{action:?}: {illegal}") })?;
        decisions += 1;
    }
    Ok(match battle.ending().and_then(|e| e.winner) {
        Some(winner) if whose(winner) == 0 => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(share: f64, pairs: u64) -> Test {
        let mut whim = Whim::new(Seed::from(2), 0);
        let mut test = Test::default();
        for _ in 0..pairs {
            let battle = |whim: &mut Whim| if whim.chance(share) { 1.0 } else { -1.0 };
            test.add(f64::midpoint(battle(&mut whim), battle(&mut whim)));
            if test.verdict() != Verdict::Open {
                break;
            }
        }
        test
    }

    #[test]
    fn a_test_ends_when_it_is_clear() {
        assert_eq!(tested(0.60, 5_000).verdict(), Verdict::Better);
        assert_eq!(tested(0.40, 5_000).verdict(), Verdict::NoBetter);
        assert!(tested(0.75, 5_000).pairs < tested(0.55, 5_000).pairs, "the clearer the sooner");
        assert_eq!(tested(1.0, 10).verdict(), Verdict::Open, "a few pairs prove nothing");
    }

    #[test]
    fn a_share_is_of_points() {
        let mut test = Test::default();
        test.add(1.0);
        test.add(0.0);
        assert_eq!(test.share(), 0.75);
    }
}
