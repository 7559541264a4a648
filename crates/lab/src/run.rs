//! The battles of a study over all cores. What comes out does not depend on how many there are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use tricorne_agents::{Player, Timing};
use tricorne_chance::Seeded;
use tricorne_game::army::MusterCall;
use tricorne_game::{Battle, Log, Purpose, SeatInfo, Side, Source, System};
use tricorne_shelf::Visitor;

use crate::study::{Row, Study, StudyError, UnitLoss};

/// A battle that takes more decisions than this is called off as a draw. No shipped scenario comes near.
const MOST_DECISIONS: u64 = 1_000_000;

/// Fights the battles of a study from number `first` on and hands each row on, in the order of the battles. When
/// `stop` is set, battles under way are left and no more begun.
pub fn run(
    study: &Study,
    first: u64,
    threads: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(Row) -> Result<(), StudyError>,
) -> Result<(), StudyError> {
    tricorne_shelf::visit(&study.ruleset, Run { study, first, threads, stop, take })
        .unwrap_or_else(|| Err(StudyError::Ruleset(study.ruleset.clone())))
}

struct Run<'a> {
    study: &'a Study,
    first: u64,
    threads: usize,
    stop: &'a AtomicBool,
    take: &'a mut dyn FnMut(Row) -> Result<(), StudyError>,
}

impl Visitor for Run<'_> {
    type Out = Result<(), StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Run { study, first, threads, stop, take } = self;
        let fresh = match study.muster {
            None => Some(system.set_up(&study.scenario, &study.choices, Purpose::Scenario)?),
            Some(_) => None,
        };
        let next = AtomicU64::new(first);
        let (rows, done) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let (rows, fresh, next) = (rows.clone(), &fresh, &next);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let battle = next.fetch_add(1, Ordering::Relaxed);
                        if battle >= study.battles {
                            break;
                        }
                        let ready = match fresh {
                            Some(fresh) => Ok(fresh.clone()),
                            None => pitched(system, study, battle),
                        };
                        let row = ready.and_then(|ready| fight(study, ready, battle, stop));
                        if rows.send((battle, row)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(rows);
            let mut waiting = BTreeMap::new();
            let mut due = first;
            for (battle, row) in done {
                waiting.insert(battle, row);
                while let Some(row) = waiting.remove(&due) {
                    row.and_then(&mut *take).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                    due += 1;
                }
            }
            if due < study.battles { Err(StudyError::Stopped) } else { Ok(()) }
        })
    }
}

/// A battle between two armies mustered by chance.
fn pitched<S: System>(system: S, study: &Study, number: u64) -> Result<S::Battle, StudyError> {
    let mut chance = Seeded::new(study.seed_of(number));
    let calls = study.muster.clone().unwrap_or_default();
    let mut army = |call: &MusterCall| system.muster(call, &mut chance).map_err(StudyError::Muster);
    let armies = [army(&calls[0])?, army(&calls[1])?];
    let terrain = system.random_terrain(None, &mut chance).map_err(StudyError::Muster)?;
    let text = system.pitch(&armies, &terrain, None).map_err(StudyError::Muster)?;
    Ok(system.set_up(&Source::new("mustered armies", text), &study.choices, Purpose::Scenario)?)
}

/// Fights one battle of a study.
fn fight<B: Battle>(study: &Study, mut battle: B, number: u64, stop: &AtomicBool) -> Result<Row, StudyError> {
    let seed = study.seed_of(number);
    let mut chance = Seeded::new(seed);
    let mut log = Log::off();
    battle.begin(&mut chance, &mut log);
    let seats = battle.view(None).seats;
    let level = |side: Side| study.players[study.player_of(number, side)];
    // Every core is busy here and nobody waits: a general's time is the processor's.
    let player = |s: &SeatInfo| Player::new(level(s.side), seed, s.seat).timed_by(Timing::Processor);
    let mut players: Vec<Player> = seats.iter().map(player).collect();
    let mut decisions = 0;
    while let Some(seat) = battle.seat() {
        if stop.load(Ordering::Relaxed) {
            return Err(StudyError::Stopped);
        }
        if decisions == MOST_DECISIONS {
            break;
        }
        let action = players[seat.index()].choose(&battle);
        if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
            return Err(StudyError::Refused { seed, why: format!("{action:?}: {illegal}") });
        }
        decisions += 1;
    }
    let ending = battle.ending();
    let view = battle.view(None);
    let units = view.units.iter().map(|u| {
        let (left, strength) = u.strength;
        let lost = strength.saturating_sub(left);
        UnitLoss { unit: u.id.to_string(), side: u.side, strength, lost, on_table: u.on_table }
    });
    let winner = ending.as_ref().and_then(|e| e.winner);
    let sides = view.sides.len().max(2);
    Ok(Row {
        battle: number,
        seed,
        players: (0..sides).map(|s| level(Side(s as u8)).to_string()).collect(),
        winner,
        won_by: winner.map(|side| study.player_of(number, side)),
        grade: ending.as_ref().map_or_else(|| "called off".into(), |e| e.grade.clone()),
        reason: ending.as_ref().map_or_else(|| "it took too many decisions".into(), |e| e.reason.clone()),
        clause: ending.as_ref().map(|e| e.clause.clone()).unwrap_or_default(),
        scores: ending.map(|e| e.scores).unwrap_or_default(),
        turns: view.clock.turn,
        decisions,
        units: units.collect(),
    })
}
