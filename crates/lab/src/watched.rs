//! One battle as it is watched for its conduct.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tricorne_agents::{Level, Player, Timing};
use tricorne_chance::{Seeded, Whim};
use tricorne_game::view::{UnitView, View};
use tricorne_game::{Battle, Event, Log, Seat, SeatInfo, Side, UnitId};

use crate::conduct::Conduct;
use crate::study::{Study, StudyError};

/// Of so many answers that changed nothing one is looked into.
const LOOKED_INTO: u64 = 5;

/// Other answers tried then, and decisions played on after each.
const OTHERS: usize = 16;
const ONWARDS: usize = 3;

/// Moves of less than this are none; further off than this is fire and not cold steel.
const NOTHING: f64 = 0.25;
const FIRE: f64 = 2.0;

/// What was seen in one battle.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) players: [Conduct; 2],
    pub(crate) clauses: BTreeSet<String>,
    /// Units and where they stood when the turn began.
    stood: BTreeMap<UnitId, (Side, [f64; 2])>,
    acted: BTreeSet<UnitId>,
    turn: u32,
    last_told: BTreeMap<UnitId, String>,
    /// Who was announced against whom in this turn, and whether it has come to dice.
    announced: BTreeMap<(UnitId, UnitId), bool>,
}

/// Which of the two players a side is.
type Whose<'a> = &'a dyn Fn(Side) -> usize;

pub(crate) fn watched<B: Battle>(
    study: &Study,
    mut battle: B,
    number: u64,
    stop: &AtomicBool,
) -> Result<Seen, StudyError> {
    let seed = study.seed_of(number);
    let (mut chance, mut log) = (Seeded::new(seed), Log::on());
    battle.begin(&mut chance, &mut log);
    let mut view = battle.view(None);
    let sides: Vec<Side> = view.seats.iter().map(|s| s.side).collect();
    let whose = |side: Side| study.player_of(number, side);
    let make =
        |s: &SeatInfo| Player::new(study.players[whose(s.side)], seed, s.seat).timed_by(Timing::Processor);
    let mut players: Vec<Player> = view.seats.iter().map(make).collect();
    let mut whim = Whim::new(seed, 1 << 34);
    let mut seen = Seen::default();
    for conduct in &mut seen.players {
        conduct.battles = 1;
    }
    seen.tell(&log.take(), &view, &view, &whose);
    while let Some(seat) = battle.seat() {
        if stop.load(Ordering::Relaxed) {
            return Err(StudyError::Stopped);
        }
        let side = sides[seat.index()];
        let action = players[seat.index()].choose(&battle);
        let taken = name_of(&B::write_action(&action));
        let open = open_answers(&battle, &taken);
        let kind = battle.pending().kind().to_owned();
        let before = battle.clone();
        battle
            .apply(&action, &mut chance, &mut log)
            .map_err(|illegal| StudyError::Refused { seed, why: format!("{action:?}: {illegal}") })?;
        let after = battle.view(None);
        let told = log.take();
        seen.answer(whose(side), &kind, &taken, &open);
        let conduct = &mut seen.players[whose(side)];
        let idle = open.len() > 1 && told.iter().all(|e| e.faces.is_empty()) && same(&view, &after);
        if idle {
            conduct.passes += 1;
            if conduct.passes.is_multiple_of(LOOKED_INTO) {
                conduct.passes_looked_into += 1;
                conduct.passes_with_a_target +=
                    u64::from(could_strike(&before, seat, side, &taken, &mut whim));
            }
        }
        seen.tell(&told, &view, &after, &whose);
        seen.compare(side, &view, &after, &whose);
        view = after;
    }
    seen.turn_over(&whose);
    Ok(seen)
}

/// Whether every unit and marker is as it was.
fn same(before: &View, after: &View) -> bool {
    before.units.len() == after.units.len()
        && before.units.iter().zip(&after.units).all(|(a, b)| unchanged(a, b))
        && before.tokens == after.tokens
}

/// Whether a unit is as it was.
fn unchanged(a: &UnitView, b: &UnitView) -> bool {
    let place = |u: &UnitView| (u.id, u.on_table, <[f64; 2]>::from(u.at), u.facing, u.strength);
    place(a) == place(b) && a.markers == b.markers
}

/// Whether another answer than the one taken, and what a subaltern makes of it, would have struck an enemy.
fn could_strike<B: Battle>(battle: &B, seat: Seat, side: Side, taken: &str, whim: &mut Whim) -> bool {
    let view = battle.view(Some(seat));
    let ours: BTreeSet<UnitId> = view.units.iter().filter(|u| u.side == side).map(|u| u.id).collect();
    let struck = |told: &[Event]| {
        told.iter().any(|e| {
            !e.faces.is_empty()
                && e.who.is_some_and(|who| ours.contains(&who))
                && e.whom.is_some_and(|whom| !ours.contains(&whom))
        })
    };
    let mut names = BTreeSet::from([taken.to_owned()]);
    for other in battle.candidates(OTHERS, whim) {
        if !names.insert(name_of(&B::write_action(&other))) {
            continue;
        }
        let mut tried = battle.clone();
        let (mut chance, mut log) = (Seeded::new(whim.seed()), Log::on());
        let mut officer = Player::new(Level::Subaltern, whim.seed(), seat);
        let mut next = other;
        for _ in 0..=ONWARDS {
            if tried.apply(&next, &mut chance, &mut log).is_err() {
                break;
            }
            if struck(&log.take()) {
                return true;
            }
            if tried.seat() != Some(seat) {
                break;
            }
            next = officer.choose(&tried);
        }
    }
    false
}

/// The names of the answers open now, the one taken among them.
fn open_answers<B: Battle>(battle: &B, taken: &str) -> BTreeSet<String> {
    let legal = battle.legal();
    let listed = legal.listed.iter().map(|a| name_of(&B::write_action(a)));
    listed.chain(legal.spaces.into_iter().map(|space| space.action)).chain([taken.to_owned()]).collect()
}

/// An answer's name: `fire`, `declare volley`.
pub(crate) fn name_of(action: &Value) -> String {
    match action {
        Value::String(name) => name.clone(),
        Value::Object(fields) => fields.iter().next().map_or_else(String::new, |(name, inner)| {
            let word = ["action", "order", "shape"].iter().find_map(|key| inner.get(key)?.as_str());
            word.map_or_else(|| name.clone(), |word| format!("{name} {word}"))
        }),
        _ => String::new(),
    }
}

fn find(view: &View, unit: UnitId) -> Option<&UnitView> {
    view.units.iter().find(|u| u.id == unit)
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

impl Seen {
    fn answer(&mut self, player: usize, kind: &str, taken: &str, open: &BTreeSet<String>) {
        let conduct = &mut self.players[player];
        conduct.decisions += 1;
        for name in open {
            let entry = conduct.answers.entry(format!("{kind}: {name}")).or_default();
            entry.open += 1;
            entry.taken += u64::from(name == taken);
        }
    }

    fn tell(&mut self, events: &[Event], before: &View, after: &View, whose: Whose<'_>) {
        for event in events {
            self.clauses.extend(event.clauses.iter().cloned());
            self.clauses.extend(event.modifiers.iter().map(|m| m.clause.clone()));
            let Some(who) = event.who else { continue };
            self.acted.insert(who);
            self.last_told.insert(who, event.what.clone());
            // Where somebody stood when it was done to him, not where it drove him.
            let at = |unit: UnitId| find(before, unit).or_else(|| find(after, unit));
            let Some(doer) = at(who) else { continue };
            let rolled = !event.faces.is_empty();
            let conduct = &mut self.players[whose(doer.side)];
            *conduct.events.entry(event.what.clone()).or_default() += 1;
            match event.whom.and_then(at) {
                Some(other) if other.side != doer.side => {
                    self.blow(event, doer, other, (before, after), whose);
                }
                None if rolled => {
                    let failed = match (event.needed, event.made) {
                        (Some(needed), Some(made)) => made < needed,
                        _ => event.outcome.as_deref() == Some("failed"),
                    };
                    let slim = event.faces.len() == 1 && event.needed.is_some_and(|needed| needed >= 6);
                    let test = conduct.tests.entry(event.what.clone()).or_default();
                    test[0] += 1;
                    test[1] += u64::from(failed);
                    test[2] += u64::from(slim);
                }
                _ => {}
            }
        }
    }

    /// Something done by one unit to an enemy.
    fn blow(
        &mut self,
        event: &Event,
        doer: &UnitView,
        other: &UnitView,
        views: (&View, &View),
        whose: Whose<'_>,
    ) {
        let rolled = !event.faces.is_empty();
        // Either may roll for what the one has begun.
        for pair in [(doer.id, other.id), (other.id, doer.id)] {
            if rolled && let Some(come) = self.announced.get_mut(&pair) {
                *come = true;
            }
        }
        let conduct = &mut self.players[whose(doer.side)];
        *conduct.blows.entry(event.what.clone()).or_default() += 1;
        if !rolled {
            self.announced.entry((doer.id, other.id)).or_insert(false);
            return;
        }
        let (from, to) = (<[f64; 2]>::from(doer.at), <[f64; 2]>::from(other.at));
        let far = apart(from, to);
        if far > FIRE {
            *conduct.shots.entry((far / 6.0) as u32 * 6).or_default() += 1;
            let now = find(views.1, other.id);
            conduct.shots_without_effect += u64::from(now.is_some_and(|now| unchanged(other, now)));
        }
        let struck = &mut self.players[whose(other.side)].struck;
        struck.0 += 1;
        if let Some(facing) = other.facing {
            // Bearings are degrees clockwise from north.
            let (ahead, off) = (facing.to_radians(), [from[0] - to[0], from[1] - to[1]]);
            let along = off[0] * libm::sin(ahead) + off[1] * libm::cos(ahead);
            struck.1 += u64::from(along < 0.5 * far);
        }
    }

    fn compare(&mut self, side: Side, before: &View, after: &View, whose: Whose<'_>) {
        let mut went: Option<(f64, f64)> = None;
        for old in before.units.iter().filter(|u| u.on_table) {
            let Some(now) = find(after, old.id) else { continue };
            if !now.on_table {
                let how = self.last_told.get(&old.id).map_or("unsaid", String::as_str).to_owned();
                *self.players[whose(old.side)].gone.entry(how).or_default() += 1;
                continue;
            }
            let (from, to) = (<[f64; 2]>::from(old.at), <[f64; 2]>::from(now.at));
            let turned = match (old.facing, now.facing) {
                (Some(a), Some(b)) => 1.0 - libm::cos((a - b).to_radians()),
                _ => 0.0,
            };
            if old.side != side || (from == to && turned == 0.0) {
                continue;
            }
            let (far, most) = (apart(from, to), went.unwrap_or((0.0, 0.0)));
            went = Some((most.0.max(far), most.1.max(turned)));
            let friends = before.units.iter().filter(|u| u.on_table && u.side == side && u.id != old.id);
            let still = friends.filter(|u| find(after, u.id).is_some_and(|now| now.at == u.at));
            let crossed = still.filter(|u| {
                let outline: Vec<[f64; 2]> = u.outline.iter().map(|p| <[f64; 2]>::from(*p)).collect();
                crosses(from, to, &outline)
            });
            self.players[whose(side)].friends_ridden_through += crossed.count() as u64;
        }
        if let Some((far, turned)) = went {
            let conduct = &mut self.players[whose(side)];
            conduct.moves += 1;
            // A hundredth of a turn's cosine is about eight degrees.
            conduct.moves_of_nothing += u64::from(far < NOTHING && turned < 0.01);
        }
        let held = |view: &View, i: usize| view.tokens.get(i).and_then(|t| t.side);
        for i in 0..after.tokens.len() {
            if let Some(side) = held(after, i).filter(|_| held(before, i) != held(after, i)) {
                self.players[whose(side)].tokens_taken += 1;
            }
        }
        if after.clock.turn == self.turn {
            return;
        }
        self.turn_over(whose);
        for (unit, (side, at)) in std::mem::take(&mut self.stood) {
            let Some(now) = find(after, unit).filter(|u| u.on_table) else { continue };
            let still = <[f64; 2]>::from(now.at) == at && !self.acted.contains(&unit);
            let conduct = &mut self.players[whose(side)];
            let turn = conduct.idle.entry(self.turn).or_default();
            *turn = (turn.0 + u64::from(still), turn.1 + 1);
            for piece in after.terrain.iter().filter(|t| t.closed) {
                let corners: Vec<[f64; 2]> = piece.points.iter().map(|p| <[f64; 2]>::from(*p)).collect();
                if within(now.at.into(), &corners) {
                    *conduct.ground.entry(piece.kind.clone()).or_default() += 1;
                }
            }
        }
        self.turn = after.clock.turn;
        self.acted.clear();
        let standing = after.units.iter().filter(|u| u.on_table);
        self.stood = standing.map(|u| (u.id, (u.side, u.at.into()))).collect();
    }

    /// What was announced in a turn has come to dice by its end, or was dropped.
    fn turn_over(&mut self, whose: Whose<'_>) {
        for ((who, _), come) in std::mem::take(&mut self.announced) {
            let Some((side, _)) = self.stood.get(&who) else { continue };
            let announced = &mut self.players[whose(*side)].announced;
            *announced = (announced.0 + 1, announced.1 + u64::from(!come));
        }
    }
}

/// Whether a point lies within an outline.
fn within(at: [f64; 2], corners: &[[f64; 2]]) -> bool {
    let mut inside = false;
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if (a[1] > at[1]) != (b[1] > at[1]) && at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    inside
}

/// Whether a straight way goes through an outline: in by one edge and out by another.
fn crosses(from: [f64; 2], to: [f64; 2], corners: &[[f64; 2]]) -> bool {
    let left = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0
    };
    let cut = |i: &usize| {
        let (a, b) = (corners[*i], corners[(i + 1) % corners.len()]);
        left(from, to, a) != left(from, to, b) && left(a, b, from) != left(a, b, to)
    };
    (0..corners.len()).filter(cut).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]];

    #[test]
    fn answers_are_named_for_people() {
        let named = |text: &str| name_of(&serde_json::from_str(text).unwrap());
        assert_eq!(named("\"end_turn\""), "end_turn");
        assert_eq!(named(r#"{"declare": {"action": "volley", "target": "N1"}}"#), "declare volley");
        assert_eq!(named(r#"{"fire": {"target": "R1"}}"#), "fire");
    }

    #[test]
    fn a_way_through_is_told_from_one_past_or_up_to() {
        assert!(crosses([0.0, 2.0], [4.0, 2.2], &SQUARE));
        assert!(!crosses([0.0, 2.0], [0.9, 2.0], &SQUARE));
        assert!(!crosses([0.0, 4.0], [4.0, 4.0], &SQUARE));
        assert!(!crosses([0.0, 2.0], [2.0, 2.0], &SQUARE), "into it and no further");
    }

    #[test]
    fn a_place_lies_in_a_piece_of_ground_or_not() {
        assert!(within([2.0, 2.0], &SQUARE) && !within([0.0, 2.0], &SQUARE) && !within([2.0, 3.5], &SQUARE));
    }
}
