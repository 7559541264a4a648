//! The ground that a unit can reach, felt out all round: whoever draws it asks once.

use serde::{Deserialize, Serialize};
use tricorne_table::{Point, angle};

use crate::view::View;
use crate::{Battle, JsonSchema, Space, UnitId, Wish};

/// Directions that are tried: a march is bent by what lies in its way, not by less than so much of a circle.
const DIRECTIONS: u8 = 24;

/// The ground that a unit can reach in the pending decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reach {
    /// By which family of answers (see [`Space::action`]).
    pub action: String,
    /// Where it would come to stand, direction by direction clockwise from north; its own place where it can't go that
    /// way.
    pub ends: Vec<Point>,
}

/// How far a unit would come each way, by the first family of answers with one allowance that takes it anywhere.
/// [`Battle::steer`] says it, so it is as true as a drag would be.
pub(crate) fn reach<B: Battle>(battle: &B, unit: UnitId) -> Option<Reach> {
    let view = battle.plain_view(battle.seat());
    let stands = view.units.iter().find(|u| u.id == unit && u.on_table)?.at;
    let spaces = battle.legal().spaces;
    spaces.iter().filter(|space| is_for(space, unit, &view)).find_map(|space| {
        let far = space.allowance?;
        let end = |place: Point| {
            let wish = Wish {
                action: Some(space.action.clone()),
                unit: Some(unit),
                place,
                facing: None,
                by: vec![],
            };
            battle.steer(&wish).end.map_or(stands, |pose| pose.at)
        };
        let ends: Vec<Point> = (0..DIRECTIONS)
            .map(|n| 360.0 / f64::from(DIRECTIONS) * f64::from(n))
            .map(|way| end(on_table(stands + angle::forward(way) * far, &view)))
            .collect();
        ends.iter().any(|end| *end != stands).then(|| Reach { action: space.action.clone(), ends })
    })
}

/// Whether a family of answers is open to a unit: it names the unit, its group or one of its group, or nobody.
fn is_for(space: &Space, unit: UnitId, view: &View) -> bool {
    let group = |id: UnitId| view.units.iter().find(|u| u.id == id).and_then(|u| u.group);
    space.unit.is_none_or(|named| {
        named == unit || group(unit).is_some_and(|ours| ours == named || group(named) == Some(ours))
    })
}

fn on_table(place: Point, view: &View) -> Point {
    Point::new(place.x.clamp(0.0, view.table.width), place.y.clamp(0.0, view.table.height))
}
