//! Lessons: positions from many battles, with what came of them. What a judgement is learnt from, and what it is held to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tricorne_agents::{Level, Player, Timing};
use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::{Battle, Choices, Judgement, Log, School, Seat, SeatInfo, Side, Source, System};
use tricorne_shelf::Visitor;

use crate::run::{MOST_DECISIONS, at_once, fields};
use crate::study::{StudyError, seed_after};

/// Battles to take positions from.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The rule system's id.
    pub ruleset: String,
    /// The scenarios, each fought equally often.
    pub scenarios: Vec<Source>,
    /// House rules and data.
    pub choices: Choices,
    /// Who plays all seats.
    pub player: Level,
    /// The weights that the standing of a position is reckoned by, and that the player goes by; the rulebook's if none.
    pub judgement: Option<Arc<Judgement>>,
    /// Battles of each scenario.
    pub battles: u64,
    /// Positions of each battle.
    pub moments: usize,
    /// The seed of the first battle.
    pub seed: Seed,
    /// How often one position of a battle is fought out again on other dice; 0 for never.
    pub replays: u32,
    /// Of every so many battles one position is.
    pub replay_every: u64,
}

/// A position in a battle.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The battle it is from, counted through all scenarios.
    pub battle: u64,
    /// What it is judged by, for the first side.
    pub features: Vec<f64>,
    /// The chance of the first side by the present judgement, from 0 to 1.
    pub said: f64,
    /// The chance by the first school.
    pub first: f64,
    /// What came of it: 1 if the first side won, 0 if the other, a half if nobody.
    pub result: f64,
    /// What came of it on other dice, on average, where it was fought out again.
    pub replayed: Option<f64>,
}

/// The positions of a lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// What positions are judged by.
    pub names: Vec<&'static str>,
    /// Them, in the order of the battles.
    pub all: Vec<Moment>,
}

/// Fights the battles of a lesson. What comes out does not depend on the number of threads.
pub fn moments(
    lesson: &Lesson,
    threads: usize,
    stop: &AtomicBool,
    fought: &(dyn Fn() + Sync),
) -> Result<Moments, StudyError> {
    tricorne_shelf::visit(&lesson.ruleset, Take { lesson, threads, stop, fought })
        .unwrap_or_else(|| Err(StudyError::Ruleset(lesson.ruleset.clone())))
}

struct Take<'a> {
    lesson: &'a Lesson,
    threads: usize,
    stop: &'a AtomicBool,
    fought: &'a (dyn Fn() + Sync),
}

impl Visitor for Take<'_> {
    type Out = Result<Moments, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Take { lesson, threads, stop, fought } = self;
        let fields = fields(system, &lesson.scenarios, &lesson.choices)?;
        let all = lesson.battles * fields.len() as u64;
        let taken = each(all, threads, stop, &|battle| {
            let of = taken(lesson, &fields[(battle / lesson.battles) as usize], battle, stop);
            fought();
            of
        })?;
        let mut names = Vec::new();
        let mut moments = Vec::new();
        for (of, found) in taken {
            if names.is_empty() {
                names = of;
            }
            moments.extend(found);
        }
        Ok(Moments { names, all: moments })
    }
}

/// Does something for each number from 0 over several threads; what came of it, in order. Stopped, or at the first failure,
/// it ends early.
pub(crate) fn each<T: Send>(
    count: u64,
    threads: usize,
    stop: &AtomicBool,
    job: &(dyn Fn(u64) -> Result<T, StudyError> + Sync),
) -> Result<Vec<T>, StudyError> {
    let next = AtomicU64::new(0);
    let done: Mutex<BTreeMap<u64, Result<T, StudyError>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..at_once(threads, count) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        break;
                    }
                    let of = job(n);
                    let failed = of.is_err();
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert(n, of);
                    if failed {
                        break;
                    }
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let whole = done.len() as u64 == count;
    let all: Vec<T> = done.into_values().collect::<Result<_, _>>()?;
    if whole { Ok(all) } else { Err(StudyError::Stopped) }
}

/// Fights a battle to its end between equal players; `see` is shown each decision.
fn fight<B: Battle>(
    lesson: &Lesson,
    battle: &mut B,
    seed: Seed,
    stop: &AtomicBool,
    see: &mut dyn FnMut(u64, &B),
) -> Result<f64, StudyError> {
    let mut chance = Seeded::new(seed);
    let mut log = Log::off();
    battle.begin(&mut chance, &mut log);
    play_on(lesson, battle, seed, &mut chance, stop, see)
}

fn play_on<B: Battle>(
    lesson: &Lesson,
    battle: &mut B,
    seed: Seed,
    chance: &mut Seeded,
    stop: &AtomicBool,
    see: &mut dyn FnMut(u64, &B),
) -> Result<f64, StudyError> {
    let mut log = Log::off();
    let player = |s: &SeatInfo| {
        let player = Player::new(lesson.player, seed, s.seat).timed_by(Timing::Processor);
        match &lesson.judgement {
            Some(own) => player.heeding(own),
            None => player,
        }
    };
    let mut players: Vec<Player> = battle.view(None).seats.iter().map(player).collect();
    let mut decisions = 0;
    while let Some(seat) = battle.seat().filter(|_| decisions < MOST_DECISIONS) {
        if stop.load(Ordering::Relaxed) {
            return Err(StudyError::Stopped);
        }
        see(decisions, battle);
        let action = players[seat.index()].choose(battle);
        battle
            .apply(&action, chance, &mut log)
            .map_err(|illegal| StudyError::Refused { seed, why: format!("{action:?}: {illegal}") })?;
        decisions += 1;
    }
    Ok(match battle.ending().and_then(|e| e.winner) {
        Some(Side(0)) => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    })
}

/// The positions of one battle.
fn taken<B: Battle>(
    lesson: &Lesson,
    fresh: &B,
    number: u64,
    stop: &AtomicBool,
) -> Result<(Vec<&'static str>, Vec<Moment>), StudyError> {
    let seed = seed_after(lesson.seed, number);
    // Apart from the whims of the players.
    let mut whim = Whim::new(seed, 1 << 32);
    let mut kept: Vec<B> = Vec::with_capacity(lesson.moments);
    let mut battle = fresh.clone();
    let mut draw = Whim::new(seed, (1 << 32) + 1);
    let result = fight(lesson, &mut battle, seed, stop, &mut |decision, battle| {
        // Each position of the battle is as likely to be kept as any other (Vitter's reservoir).
        let place = draw.below(decision as usize + 1);
        if kept.len() < lesson.moments {
            kept.push(battle.clone());
        } else if let Some(old) = kept.get_mut(place) {
            old.clone_from(battle);
        }
    })?;
    let again = match (lesson.replays, number % lesson.replay_every.max(1)) {
        (1.., 0) => Some(whim.below(kept.len())),
        _ => None,
    };
    let seats = battle.view(None).seats;
    let eye = seats.iter().find(|s| s.side == Side(0)).map_or(Seat(0), |s| s.seat);
    let school = lesson.judgement.clone().map_or(School::Present, School::Own);
    let mut names = Vec::new();
    let mut found = Vec::new();
    for (i, position) in kept.into_iter().enumerate() {
        let replayed =
            if again == Some(i) { Some(replayed(lesson, &position, &mut whim, stop)?) } else { None };
        let mut seen = position.imagined(eye, &mut whim);
        let features = seen.features(eye);
        names = features.iter().map(|(name, _)| *name).collect();
        seen.heed(&school);
        let said = chance_of(seen.standing(eye));
        seen.heed(&School::First);
        let first = chance_of(seen.standing(eye));
        let features = features.into_iter().map(|(_, value)| value).collect();
        found.push(Moment { battle: number, features, said, first, result, replayed });
    }
    Ok((names, found))
}

/// What comes of a position on other dice, on average.
fn replayed<B: Battle>(
    lesson: &Lesson,
    position: &B,
    whim: &mut Whim,
    stop: &AtomicBool,
) -> Result<f64, StudyError> {
    let mut sum = 0.0;
    for _ in 0..lesson.replays {
        let seed = whim.seed();
        let mut chance = Seeded::new(seed);
        sum += play_on(lesson, &mut position.clone(), seed, &mut chance, stop, &mut |_, _| {})?;
    }
    Ok(sum / f64::from(lesson.replays))
}

/// A standing as a chance of winning.
fn chance_of(standing: f64) -> f64 {
    f64::midpoint(standing.clamp(-1.0, 1.0), 1.0)
}
