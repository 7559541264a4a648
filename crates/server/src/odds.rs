//! What the dice of an action can bring, as the rules count it, in the words of the table's messages.

use serde_json::Value;
use tricorne_game::{AnyBattle, Effort, Forecast, Roll, RollWay, Seat, forecast};

use crate::messages::{OddsLine, OddsWay, Refused, Say};

/// The odds of an action for the seat that must decide, at action `n`.
pub(crate) fn odds(
    battle: &dyn AnyBattle,
    seat: Seat,
    action: &Value,
    effort: Effort,
    n: u64,
) -> Result<Say, Refused> {
    let Forecast { samples, supposed, rolls, .. } = forecast(battle, seat, action, effort)?;
    Ok(Say::Odds { n, samples, supposed, lines: rolls.into_iter().map(line).collect() })
}

fn line(roll: Roll) -> OddsLine {
    let way = |RollWay { outcome, made, chance, give }| OddsWay { outcome, made, p: chance, give };
    OddsLine {
        what: roll.what,
        who: roll.who.map(|u| u.to_string()),
        whom: roll.whom.map(|u| u.to_string()),
        ways: roll.ways.into_iter().map(way).collect(),
    }
}
