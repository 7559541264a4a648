//! What the dice of an action can bring, counted by the rules; here is settled how long, and what may be told of it.

use std::time::{Duration, Instant};

use serde_json::Value;
use tricorne_game::{AnyBattle, Roll, RollWay};

use crate::messages::{OddsLine, OddsWay, Refused};

/// Paths through the dice that are walked at most; an exchange with more is not counted.
const PATHS: usize = 20_000;

/// How long they are walked at most.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The odds of an action for the seat that must decide, under rules with or without `secrets`.
pub(crate) fn odds(battle: &dyn AnyBattle, secrets: bool, action: &Value) -> Result<Vec<OddsLine>, Refused> {
    battle.check(action)?;
    // Playing an action out in thought must not find what is hidden. A listed answer (fire at that unit) leads nowhere
    // new; a path does. To refuse it only where something is hidden would tell so.
    if secrets && !battle.legal().listed.contains(action) {
        return Err(Refused::new(
            "too_deep",
            "the odds of a way over the table are not told under rules by which somebody may hide on it",
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
