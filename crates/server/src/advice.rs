//! What a page asks while a player thinks: where a drag would end, what a unit sees, what it may do.
//!
//! The rules answer; here is only settled that nothing is told of units the asker does not know.

use serde_json::Value;
use tricorne_agents::{Level, Player};
use tricorne_chance::Seed;
use tricorne_game::view::UnitView;
use tricorne_game::{AnyBattle, Course, Seat, Sight, UnitId, Wish};

use crate::messages::{Counselled, Refused, Say};

/// Places a wish may pass on its way: more than any hand can draw with care, few enough to be judged within a frame.
const WAYPOINTS: usize = 32;

/// The legal answer nearest to a wish, with what it would come to: all that one frame of a drag needs.
pub(crate) fn steer(battle: &dyn AnyBattle, n: u64, wish: &Wish) -> Result<Say, Refused> {
    if wish.by.len() > WAYPOINTS {
        return Err(Refused::new("malformed", format!("a wish passes at most {WAYPOINTS} places")));
    }
    let steer = battle.steer(wish);
    let preview = steer.action.as_ref().and_then(|action| battle.preview(action).ok()).map(Box::new);
    Ok(Say::Steer { n, action: steer.action, end: steer.end, why: steer.why, preview })
}

/// Answers counselled at most.
const COUNSELS: usize = 24;

/// What a subaltern at our elbow would weigh, best first. He knows what his seat knows; what he says passes the check.
pub(crate) fn counsel(battle: &dyn AnyBattle, seat: Seat, most: usize, seed: Seed) -> Vec<Counselled> {
    let thought = Player::new(Level::Subaltern, seed, seat).think_any(battle);
    let weighed = thought.candidates.into_iter().filter(|c| battle.check(&c.action).is_ok());
    let because = |action: &Value| battle.because(action);
    let mut list: Vec<Counselled> = weighed
        .take(most.clamp(1, COUNSELS))
        .map(|c| Counselled { because: because(&c.action), action: c.action, promise: c.promise })
        .collect();
    // Where he has no opinion, any answer is as good as another.
    if list.is_empty() {
        list.push(Counselled { because: because(&thought.action), action: thought.action, promise: 0.0 });
    }
    list
}

/// Whether one unit sees another, for somebody who knows both.
pub(crate) fn sight(
    battle: &dyn AnyBattle,
    eye: Option<Seat>,
    from: UnitId,
    to: UnitId,
) -> Result<Option<Sight>, Refused> {
    let view = battle.view(eye);
    known(&view.units, from)?;
    known(&view.units, to)?;
    Ok(battle.sight(from, to, eye))
}

/// What a unit may do and what keeps it from the rest, for the seat that must decide.
pub(crate) fn courses(battle: &dyn AnyBattle, seat: Seat, unit: UnitId) -> Result<Vec<Course>, Refused> {
    own(battle, seat, unit)?;
    Ok(battle.courses(unit))
}

/// The ground a unit can reach, for the seat that must decide.
pub(crate) fn reach(battle: &dyn AnyBattle, seat: Seat, unit: UnitId, n: u64) -> Result<Say, Refused> {
    own(battle, seat, unit)?;
    Ok(Say::Reach { n, unit, reach: battle.reach(unit) })
}

/// Only of units of one's own side is told what they may do.
fn own(battle: &dyn AnyBattle, seat: Seat, unit: UnitId) -> Result<(), Refused> {
    let view = battle.view(Some(seat));
    let side = view.seats.iter().find(|s| s.seat == seat).map(|s| s.side);
    if side == Some(known(&view.units, unit)?.side) {
        Ok(())
    } else {
        Err(Refused::new("not_yours", format!("{unit} is not of your side")))
    }
}

/// The same answer for a unit that is hidden and one that there is not.
fn known(units: &[UnitView], unit: UnitId) -> Result<&UnitView, Refused> {
    let unknown = || Refused::new("unknown_unit", format!("you know of no unit `{unit}`"));
    units.iter().find(|u| u.id == unit).ok_or_else(unknown)
}
