//! What the dice of an action can bring, counted exactly by the very rules that roll them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;
use tricorne_chance::enumerate;
use tricorne_game::{AnyBattle, Log, Seat, UnitId};

use crate::messages::{OddsLine, OddsWay, Refused};

/// Paths through the dice that are walked at most; an exchange with more is not counted.
const PATHS: usize = 20_000;

/// How long they are walked at most.
const PATIENCE: Duration = Duration::from_millis(1_500);

type Sort = (String, Option<UnitId>, Option<UnitId>);
type Way = (Option<String>, Option<i32>);

/// The odds of an action for a seat. Each line is a sort of event that the seat may know of; what does not happen on
/// some path counts there as no way at all, so the ways of a line may add up to less than one.
pub(crate) fn odds(battle: &dyn AnyBattle, seat: Seat, action: &Value) -> Result<Vec<OddsLine>, Refused> {
    battle.check(action)?;
    // Playing an action out in thought must not find what is hidden. A listed answer (fire at that unit) leads nowhere
    // new; a path does, so paths are weighed only while nothing is hidden from this seat.
    if !battle.legal().listed.contains(action) && something_hidden(battle, seat) {
        return Err(Refused::new(
            "too_deep",
            "the odds of a way over the table are not told while something is hidden on it",
        ));
    }
    let began = Instant::now();
    let outcomes = enumerate(PATHS, |chance| {
        // What is left is not walked; the whole is refused below.
        if began.elapsed() > PATIENCE {
            return Vec::new();
        }
        let mut after = battle.boxed_clone();
        let mut log = Log::on();
        // A refusal was ruled out above; if there is one all the same, nothing is told of this path.
        let done = after.apply(action, chance, &mut log);
        let events = if done.is_ok() { log.take() } else { Vec::new() };
        events
            .into_iter()
            .filter(|e| e.known_to(Some(seat)))
            .map(|e| ((e.what, e.who, e.whom), (e.outcome, e.made)))
            .collect::<Vec<(Sort, Way)>>()
    })
    .filter(|_| began.elapsed() <= PATIENCE)
    .ok_or_else(|| Refused::new("too_deep", "too much hangs on the dice here to count it out"))?;

    let mut order: Vec<Sort> = Vec::new();
    let mut lines: BTreeMap<Sort, BTreeMap<Way, f64>> = BTreeMap::new();
    for (events, p) in &outcomes.ways {
        let mut seen = BTreeSet::new();
        for (sort, way) in events {
            // The first of its sort stands for the rest: the second volley of a path hangs on the first.
            if !seen.insert(sort) {
                continue;
            }
            if !order.contains(sort) {
                order.push(sort.clone());
            }
            *lines.entry(sort.clone()).or_default().entry(way.clone()).or_default() += p;
        }
    }
    let lines = order.into_iter().map(|sort| {
        let ways = lines.remove(&sort).unwrap_or_default();
        let (what, who, whom) = sort;
        OddsLine {
            what,
            who: who.map(|u| u.to_string()),
            whom: whom.map(|u| u.to_string()),
            ways: ways.into_iter().map(|((outcome, made), p)| OddsWay { outcome, made, p }).collect(),
        }
    });
    Ok(lines.collect())
}

fn something_hidden(battle: &dyn AnyBattle, seat: Seat) -> bool {
    let known =
        |seat: Seat| -> BTreeSet<UnitId> { battle.view(Some(seat)).units.iter().map(|u| u.id).collect() };
    let mine = known(seat);
    battle.seats().iter().any(|other| !known(other.seat).is_subset(&mine))
}
