//! What the dice of an action can bring, counted by the rules; here is settled how long, and what may be told of it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;
use tricorne_game::{AnyBattle, Roll, RollWay, Seat, UnitId};

use crate::messages::{OddsLine, OddsWay, Refused};

/// Paths through the dice that are walked at most; an exchange with more is not counted.
const PATHS: usize = 20_000;

/// How long they are walked at most.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The odds of an action for the seat that must decide.
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
    let rolls = battle.rolls(action, PATHS, &mut || began.elapsed() <= PATIENCE)?;
    let rolls =
        rolls.ok_or_else(|| Refused::new("too_deep", "too much hangs on the dice here to count it out"))?;
    Ok(rolls.into_iter().map(line).collect())
}

fn line(roll: Roll) -> OddsLine {
    let way = |RollWay { outcome, made, chance }| OddsWay { outcome, made, p: chance };
    OddsLine {
        what: roll.what,
        who: roll.who.map(|u| u.to_string()),
        whom: roll.whom.map(|u| u.to_string()),
        ways: roll.ways.into_iter().map(way).collect(),
    }
}

fn something_hidden(battle: &dyn AnyBattle, seat: Seat) -> bool {
    let known =
        |seat: Seat| -> BTreeSet<UnitId> { battle.view(Some(seat)).units.iter().map(|u| u.id).collect() };
    let mine = known(seat);
    battle.seats().iter().any(|other| !known(other.seat).is_subset(&mine))
}
