//! Conduct: what programs do over many battles, not only who wins.
//!
//! Everything is read off what any seat could see: the question asked, the answers open, the answer taken, the events told
//! and the table before and after. So it is the same for every rulebook, and knows none by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;
use tricorne_agents::{Player, Timing};
use tricorne_chance::Seeded;
use tricorne_game::view::View;
use tricorne_game::{Battle, Event, Log, SeatInfo, Side, System, UnitId};
use tricorne_shelf::Visitor;

use crate::study::{Study, StudyError};

/// Answers that let a chance go.
const PASSES: [&str; 14] = [
    "pass",
    "end_turn",
    "end",
    "stay",
    "hold",
    "hold_fire",
    "no_move",
    "wait",
    "done",
    "decline",
    "skip",
    "withdraw",
    "none",
    "stand_to",
];

/// What a player did in the battles of a study.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conduct {
    /// The player.
    pub player: String,
    /// Battles.
    pub battles: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// By the kind of decision and the name of the answer, how often it was open and taken.
    pub answers: BTreeMap<String, Taken>,
    /// Decisions let go although somebody could have been fired at or charged.
    pub passes_with_a_target: u64,
    /// Decisions let go.
    pub passes: u64,
    /// Moves told.
    pub moves: u64,
    /// Moves of less than a quarter of the table's unit.
    pub moves_of_nothing: u64,
    /// Units that stood a whole turn on the table and did nothing, of all that stood one, by turn from 1.
    pub idle: BTreeMap<u32, (u64, u64)>,
    /// How units came to leave the table, by the last thing told of them.
    pub gone: BTreeMap<String, u64>,
    /// Fire by distance, in steps of six of the table's unit.
    pub shots: BTreeMap<u32, u64>,
    /// Fire that cost the enemy nothing.
    pub shots_without_effect: u64,
    /// Every event, by its name: charges, friends passed through, orders that failed.
    pub events: BTreeMap<String, u64>,
}

/// How often an answer was open, and how often it was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Decisions in which it was among the answers.
    pub open: u64,
    /// Decisions in which it was the answer.
    pub taken: u64,
}

/// What a study's battles looked like.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conducts {
    /// For each of the two players.
    pub players: [Conduct; 2],
    /// Times a token (an objective, a marker) changed hands.
    pub tokens_taken: u64,
    /// Clauses that no event of any battle named.
    pub silent_clauses: Vec<String>,
    /// Clauses in the rulebook.
    pub clauses: usize,
}

/// Watches the battles of a study.
pub fn conduct(
    study: &Study,
    threads: usize,
    stop: &AtomicBool,
    fought: &(dyn Fn() + Sync),
) -> Result<Conducts, StudyError> {
    tricorne_shelf::visit(&study.ruleset, Watch { study, threads, stop, fought })
        .unwrap_or_else(|| Err(StudyError::Ruleset(study.ruleset.clone())))
}

struct Watch<'a> {
    study: &'a Study,
    threads: usize,
    stop: &'a AtomicBool,
    fought: &'a (dyn Fn() + Sync),
}

impl Visitor for Watch<'_> {
    type Out = Result<Conducts, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Watch { study, threads, stop, fought } = self;
        let fresh = crate::run::set_up(system, &study.scenario, &study.choices)?;
        let next = AtomicU64::new(0);
        let whole: Mutex<(Conducts, BTreeSet<String>)> = Mutex::default();
        let failed: Mutex<Option<StudyError>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let battle = next.fetch_add(1, Ordering::Relaxed);
                        if battle >= study.battles {
                            break;
                        }
                        match watched(study, fresh.clone(), battle) {
                            Ok(seen) => seen.into(&mut whole.lock().unwrap_or_else(PoisonError::into_inner)),
                            Err(why) => {
                                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                                break;
                            }
                        }
                        fought();
                    }
                });
            }
        });
        if let Some(why) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(why);
        }
        if stop.load(Ordering::Relaxed) {
            return Err(StudyError::Stopped);
        }
        let (mut all, named) = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        let book = system.book();
        all.clauses = book.clauses.len();
        all.silent_clauses =
            book.clauses.iter().map(|c| c.id.clone()).filter(|id| !named.contains(id)).collect();
        for (conduct, level) in all.players.iter_mut().zip(study.players) {
            conduct.player = level.to_string();
        }
        Ok(all)
    }
}

/// One battle as it is watched.
#[derive(Default)]
struct Seen {
    conducts: Conducts,
    clauses: BTreeSet<String>,
    /// Units and where they stood when the turn began.
    stood: BTreeMap<UnitId, (Side, [f64; 2])>,
    acted: BTreeSet<UnitId>,
    turn: u32,
    last_told: BTreeMap<UnitId, String>,
}

fn watched<B: Battle>(study: &Study, mut battle: B, number: u64) -> Result<Seen, StudyError> {
    let seed = study.seed_of(number);
    let (mut chance, mut log) = (Seeded::new(seed), Log::on());
    battle.begin(&mut chance, &mut log);
    let mut view = battle.view(None);
    let sides: Vec<Side> = view.seats.iter().map(|s| s.side).collect();
    let player = |side: Side| study.player_of(number, side);
    let make =
        |s: &SeatInfo| Player::new(study.players[player(s.side)], seed, s.seat).timed_by(Timing::Processor);
    let mut players: Vec<Player> = view.seats.iter().map(make).collect();
    let mut seen = Seen::default();
    for conduct in &mut seen.conducts.players {
        conduct.battles = 1;
    }
    seen.tell(&log.take(), &view, &player);
    while let Some(seat) = battle.seat() {
        let action = players[seat.index()].choose(&battle);
        let taken = name_of(&serde_json::to_value(&action).unwrap_or_default());
        let open = open_answers(&battle, &taken);
        seen.answer(player(sides[seat.index()]), battle.pending().kind(), &taken, &open);
        battle
            .apply(&action, &mut chance, &mut log)
            .map_err(|illegal| StudyError::Refused { seed, why: format!("{action:?}: {illegal}") })?;
        let after = battle.view(None);
        seen.tell(&log.take(), &after, &player);
        seen.compare(&view, &after, &player);
        view = after;
    }
    Ok(seen)
}

/// The names of the answers open now, the one taken among them.
fn open_answers<B: Battle>(battle: &B, taken: &str) -> BTreeSet<String> {
    let legal = battle.legal();
    let listed = legal.listed.iter().map(|a| name_of(&serde_json::to_value(a).unwrap_or_default()));
    listed.chain(legal.spaces.into_iter().map(|space| space.action)).chain([taken.to_owned()]).collect()
}

/// An answer's name: `fire`, `declare volley`.
fn name_of(action: &Value) -> String {
    match action {
        Value::String(name) => name.clone(),
        Value::Object(fields) => fields.iter().next().map_or_else(String::new, |(name, inner)| {
            let word = ["action", "order", "shape"].iter().find_map(|key| inner.get(key)?.as_str());
            word.map_or_else(|| name.clone(), |word| format!("{name} {word}"))
        }),
        _ => String::new(),
    }
}

fn is_pass(name: &str) -> bool {
    PASSES.iter().any(|pass| name == *pass || name.ends_with(&format!(" {pass}")))
}

fn is_blow(name: &str) -> bool {
    ["fire", "shoot", "volley", "charge", "attack", "target", "strike"].iter().any(|word| name.contains(word))
        && !name.contains("hold")
}

fn is_move(event: &Event) -> bool {
    ["move", "march", "ride", "double", "advance"].iter().any(|word| event.what.contains(word))
}

fn is_shot(event: &Event) -> bool {
    ["fire", "shot", "shoot", "volley"]
        .iter()
        .any(|word| event.what == *word || event.what.starts_with(&format!("{word}_at")))
        && !event.faces.is_empty()
}

impl Seen {
    fn answer(&mut self, player: usize, kind: &str, taken: &str, open: &BTreeSet<String>) {
        let conduct = &mut self.conducts.players[player];
        conduct.decisions += 1;
        for name in open {
            let entry = conduct.answers.entry(format!("{kind}: {name}")).or_default();
            entry.open += 1;
            entry.taken += u64::from(name == taken);
        }
        if is_pass(taken) && open.len() > 1 {
            conduct.passes += 1;
            conduct.passes_with_a_target += u64::from(open.iter().any(|name| is_blow(name)));
        }
    }

    fn tell(&mut self, events: &[Event], view: &View, player: &dyn Fn(Side) -> usize) {
        let side_of = |unit: UnitId| view.units.iter().find(|u| u.id == unit).map(|u| u.side);
        for event in events {
            self.clauses.extend(event.clauses.iter().cloned());
            self.clauses.extend(event.modifiers.iter().map(|m| m.clause.clone()));
            let Some(who) = event.who else { continue };
            self.acted.insert(who);
            self.last_told.insert(who, event.what.clone());
            let Some(side) = side_of(who) else { continue };
            let conduct = &mut self.conducts.players[player(side)];
            *conduct.events.entry(event.what.clone()).or_default() += 1;
            let length = ["distance", "length"].iter().find_map(|key| event.data.get(*key)?.as_f64());
            if is_move(event) {
                conduct.moves += 1;
                conduct.moves_of_nothing += u64::from(length.is_some_and(|l| l < 0.25));
            }
            if is_shot(event) {
                if let Some(length) = length {
                    *conduct.shots.entry((length / 6.0) as u32 * 6).or_default() += 1;
                }
                conduct.shots_without_effect += u64::from(event.made == Some(0));
            }
        }
    }

    fn compare(&mut self, before: &View, after: &View, player: &dyn Fn(Side) -> usize) {
        for old in before.units.iter().filter(|u| u.on_table) {
            if after.units.iter().any(|u| u.id == old.id && !u.on_table) {
                let how = self.last_told.get(&old.id).map_or("unsaid", String::as_str).to_owned();
                *self.conducts.players[player(old.side)].gone.entry(how).or_default() += 1;
            }
        }
        let held = |view: &View, i: usize| view.tokens.get(i).and_then(|t| t.side);
        let changed = (0..after.tokens.len())
            .filter(|&i| held(after, i).is_some() && held(before, i) != held(after, i));
        self.conducts.tokens_taken += changed.count() as u64;
        if after.clock.turn == self.turn {
            return;
        }
        for (unit, (side, at)) in std::mem::take(&mut self.stood) {
            let now = after.units.iter().find(|u| u.id == unit && u.on_table);
            let Some(now) = now else { continue };
            let still = <[f64; 2]>::from(now.at) == at && !self.acted.contains(&unit);
            let turn = self.conducts.players[player(side)].idle.entry(self.turn).or_default();
            turn.0 += u64::from(still);
            turn.1 += 1;
        }
        self.turn = after.clock.turn;
        self.acted.clear();
        let standing = after.units.iter().filter(|u| u.on_table);
        self.stood = standing.map(|u| (u.id, (u.side, u.at.into()))).collect();
    }

    /// Adds what was seen to the whole.
    fn into(self, (all, clauses): &mut (Conducts, BTreeSet<String>)) {
        clauses.extend(self.clauses);
        all.tokens_taken += self.conducts.tokens_taken;
        for (sum, one) in all.players.iter_mut().zip(self.conducts.players) {
            sum.battles += one.battles;
            sum.decisions += one.decisions;
            sum.passes += one.passes;
            sum.passes_with_a_target += one.passes_with_a_target;
            sum.moves += one.moves;
            sum.moves_of_nothing += one.moves_of_nothing;
            sum.shots_without_effect += one.shots_without_effect;
            for (name, taken) in one.answers {
                let entry = sum.answers.entry(name).or_default();
                entry.open += taken.open;
                entry.taken += taken.taken;
            }
            for (turn, (still, of)) in one.idle {
                let entry = sum.idle.entry(turn).or_default();
                entry.0 += still;
                entry.1 += of;
            }
            for (sums, ones) in [(&mut sum.gone, one.gone), (&mut sum.events, one.events)] {
                for (name, n) in ones {
                    *sums.entry(name).or_default() += n;
                }
            }
            for (range, n) in one.shots {
                *sum.shots.entry(range).or_default() += n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_named_for_people() {
        let named = |text: &str| name_of(&serde_json::from_str(text).unwrap());
        assert_eq!(named("\"end_turn\""), "end_turn");
        assert_eq!(named(r#"{"declare": {"action": "volley", "target": "N1"}}"#), "declare volley");
        assert_eq!(named(r#"{"fire": {"target": "R1"}}"#), "fire");
        assert!(is_pass("declare stand_to") && is_pass("pass") && !is_pass("declare fire"));
    }
}
