//! The battles of a study over all cores. What comes out does not depend on how many there are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use toml_edit::{Item, Value};
use tricorne_agents::{Player, Timing};
use tricorne_chance::Seeded;
use tricorne_game::army::MusterCall;
use tricorne_game::{Battle, Choices, Log, Purpose, SeatInfo, Side, Source, System};
use tricorne_shelf::Visitor;

use crate::study::{Row, Study, StudyError, UnitLoss};

/// A battle that takes more decisions than this is called off as a draw. No shipped scenario comes near.
pub(crate) const MOST_DECISIONS: u64 = 1_000_000;

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
            None => Some(set_up(system, &study.scenario, &study.choices)?),
            Some(_) => None,
        };
        let order = order(&study.scenario.text);
        let next = AtomicU64::new(first);
        let (rows, done) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..at_once(threads, study.battles.saturating_sub(first)) {
                let (rows, fresh, next, order) = (rows.clone(), &fresh, &next, &order);
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
                        let row = ready.and_then(|ready| fight(study, ready, battle, order, stop));
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

/// As many threads as are asked for, but none that would find nothing to do.
pub(crate) fn at_once(threads: usize, jobs: u64) -> usize {
    threads.min(usize::try_from(jobs).unwrap_or(usize::MAX)).max(1)
}

/// A battle made ready as every other is, and typed.
pub(crate) fn set_up<S: System>(
    system: S,
    file: &Source,
    choices: &Choices,
) -> Result<S::Battle, StudyError> {
    let (file, _) = tricorne_game::ready(&system, file, choices)?;
    Ok(system.set_up(&file, choices, Purpose::Scenario)?)
}

/// Battles made ready, one of each scenario.
pub(crate) fn fields<S: System>(
    system: S,
    scenarios: &[Source],
    choices: &Choices,
) -> Result<Vec<S::Battle>, StudyError> {
    scenarios.iter().map(|file| set_up(system, file, choices)).collect()
}

/// The ids of a scenario file, in its order. Which of them are units' is nobody's business here.
fn order(text: &str) -> BTreeMap<String, usize> {
    fn item(item: &Item, all: &mut Vec<String>) {
        match item {
            Item::Value(inner) => value(inner, all),
            Item::Table(inner) => table(inner, all),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|inner| table(inner, all)),
            Item::None => {}
        }
    }
    fn table(table: &toml_edit::Table, all: &mut Vec<String>) {
        all.extend(table.get("id").and_then(Item::as_str).map(str::to_owned));
        table.iter().for_each(|(_, inner)| item(inner, all));
    }
    fn value(inner: &Value, all: &mut Vec<String>) {
        match inner {
            Value::Array(array) => array.iter().for_each(|inner| value(inner, all)),
            Value::InlineTable(table) => {
                all.extend(table.get("id").and_then(Value::as_str).map(str::to_owned));
                table.iter().for_each(|(_, inner)| value(inner, all));
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    if let Ok(document) = toml_edit::Document::parse(text) {
        table(document.as_table(), &mut all);
    }
    all.into_iter().enumerate().rev().map(|(n, id)| (id, n)).collect()
}

/// What a unit that left by its exit is marked with.
const EXITED: &str = "exited";

/// A battle between two armies mustered by chance.
fn pitched<S: System>(system: S, study: &Study, number: u64) -> Result<S::Battle, StudyError> {
    let mut chance = Seeded::new(study.seed_of(number));
    let calls = study.muster.clone().unwrap_or_default();
    let mut army = |call: &MusterCall| system.muster(call, &mut chance).map_err(StudyError::Muster);
    let armies = [army(&calls[0])?, army(&calls[1])?];
    let terrain = system.random_terrain(None, &mut chance).map_err(StudyError::Muster)?;
    let text = system.pitch(&armies, &terrain, None).map_err(StudyError::Muster)?;
    set_up(system, &Source::new("mustered armies", text), &study.choices)
}

/// Fights one battle of a study.
fn fight<B: Battle>(
    study: &Study,
    mut battle: B,
    number: u64,
    order: &BTreeMap<String, usize>,
    stop: &AtomicBool,
) -> Result<Row, StudyError> {
    let seed = study.seed_of(number);
    let mut chance = Seeded::new(seed);
    let mut log = Log::off();
    battle.begin(&mut chance, &mut log);
    let start = battle.view(None);
    let seats = start.seats;
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
        if let Err(why) = players[seat.index()].answer(&mut battle, &mut chance, &mut log) {
            return Err(StudyError::Refused { seed, why });
        }
        decisions += 1;
    }
    let ending = battle.ending();
    let view = battle.view(None);
    // The view has those off the table last. A row has the order of the file, then that of the start.
    let begun: BTreeMap<String, usize> =
        start.units.iter().enumerate().map(|(n, u)| (u.id.to_string(), n)).collect();
    let place = |id: &str| {
        let of = |all: &BTreeMap<String, usize>| all.get(id).copied().unwrap_or(usize::MAX);
        (of(order), of(&begun))
    };
    let mut units: Vec<UnitLoss> = view
        .units
        .iter()
        .map(|u| {
            let (left, strength) = u.strength;
            UnitLoss {
                unit: u.id.to_string(),
                side: u.side,
                strength,
                lost: strength.saturating_sub(left),
                on_table: u.on_table,
                marched_off: !u.on_table && u.markers.iter().any(|m| m.kind == EXITED),
            }
        })
        .collect();
    units.sort_by_cached_key(|u| place(&u.unit));
    let mut stood_in = [0; 2];
    for (seat, player) in seats.iter().zip(&players) {
        stood_in[study.player_of(number, seat.side)] += player.stood_in();
    }
    let mut reason =
        ending.as_ref().map_or_else(|| "it took too many decisions".into(), |e| e.reason.clone());
    for (player, times) in study.players.iter().zip(stood_in).filter(|(_, times)| *times > 0) {
        reason.push_str(&format!(" (a subaltern answered {times} times in the place of {player})"));
    }
    let winner = ending.as_ref().and_then(|e| e.winner);
    let sides = view.sides.len().max(2);
    Ok(Row {
        battle: number,
        seed,
        players: (0..sides).map(|s| level(Side(s as u8)).to_string()).collect(),
        winner,
        won_by: winner.map(|side| study.player_of(number, side)),
        grade: ending.as_ref().map_or_else(|| "called off".into(), |e| e.grade.clone()),
        reason,
        clause: ending.as_ref().map(|e| e.clause.clone()).unwrap_or_default(),
        scores: ending.map(|e| e.scores).unwrap_or_default(),
        turns: view.clock.turn,
        decisions,
        stood_in,
        units,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_is_without_a_battle() {
        assert_eq!([at_once(99_999_999, 2), at_once(2, 100), at_once(0, 0)], [2, 2, 1]);
    }

    #[test]
    fn ids_have_the_order_of_the_file() {
        let file = "[[unit]]\nid = \"Z\"\n[[unit]]\nid = \"A\"\n[inner]\nunits = [{ id = \"M\" }, { id = \"B\" }]\n\
                    [[unit]]\nid = \"Z\"\n";
        let order = order(file);
        let mut ids: Vec<&String> = order.keys().collect();
        ids.sort_by_key(|id| order[*id]);
        assert_eq!(ids, ["Z", "A", "M", "B"]);
    }
}
