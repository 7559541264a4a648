//! The ways units went in an action, so that a page can show them go. The engine says them: they are the lines of the
//! action's own preview. Which line is whose is seen from where units stood before it and stand after.

use serde::Serialize;
use serde_json::Value;
use tricorne_table::Point;

use crate::JsonSchema;
use crate::view::{OverlayShape, UnitView, View};
use crate::{AnyBattle, Umpire, UnitId};

/// The way a unit went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Way {
    /// The unit.
    pub unit: UnitId,
    /// From where it stood, point by point. A die may have halted it short of the last, or driven it beyond.
    pub points: Vec<Point>,
}

/// A moment of a battle to be shown: the table, what is said of it, and the ways that led to it from the one before.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The table.
    pub view: View,
    /// What is said of it.
    pub caption: String,
    /// The ways units went since the scene before.
    pub ways: Vec<Way>,
}

/// Goes on along these ways and then along others, each unit from where it was.
pub fn go_on(ways: &mut Vec<Way>, more: &[Way]) {
    for way in more {
        match ways.iter_mut().find(|known| known.unit == way.unit) {
            Some(known) => known.points.extend(&way.points),
            None => ways.push(way.clone()),
        }
    }
}

/// The lines that an action's preview draws: every way anybody goes in it.
pub fn lines(before: &dyn AnyBattle, action: &Value) -> Vec<Vec<Point>> {
    let Ok(preview) = before.preview(action) else { return Vec::new() };
    let lines = preview.overlays.into_iter().filter(|o| o.kind == "path").filter_map(|o| match o.shape {
        OverlayShape::Path(points) if points.len() > 1 => Some(points),
        _ => None,
    });
    lines.collect()
}

/// The lines of the last action, where it is the only one after the first `since`.
pub fn last_lines(umpire: &Umpire, since: Option<usize>) -> Vec<Vec<Point>> {
    let n = umpire.turned().len();
    match (since, umpire.turned().last()) {
        (Some(since), Some(last)) if since + 1 == n => {
            umpire.battle_after(since).map_or_else(Vec::new, |before| lines(&*before, &last.action))
        }
        _ => Vec::new(),
    }
}

/// Each line with the unit that went along it, as far as whoever has these two views saw it stand at both ends.
pub fn ways(lines: &[Vec<Point>], before: &View, after: &View) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for line in lines {
        let Some(start) = line.first() else { continue };
        let stood = |now: &&UnitView| {
            let then = before.units.iter().find(|u| u.id == now.id && u.on_table)?;
            let far = then.at.distance(*start);
            (now.on_table && moved(then, now) && far <= reach(then)).then_some((now.id, far))
        };
        let near = after
            .units
            .iter()
            .filter_map(|unit| stood(&unit))
            .filter(|(id, _)| ways.iter().all(|way| way.unit != *id))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((unit, _)) = near {
            ways.push(Way { unit, points: line.clone() });
        }
    }
    ways
}

fn moved(then: &UnitView, now: &UnitView) -> bool {
    then.at != now.at || then.facing != now.facing || then.outline != now.outline
}

/// How far from where it is measured a unit's way may begin: at any corner of it.
fn reach(unit: &UnitView) -> f64 {
    unit.outline.iter().map(|corner| corner.distance(unit.at)).fold(0.5, f64::max)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(units: &[(&str, [f64; 2], bool)]) -> View {
        let unit = |(id, [x, y], on_table): &(&str, [f64; 2], bool)| {
            let corners = [[x - 1.0, *y], [x + 1.0, *y], [x + 1.0, y - 1.0], [x - 1.0, y - 1.0]];
            json!({
                "id": id, "name": id, "kind": "Line", "side": 0, "seat": 0, "arm": "infantry", "on_table": on_table,
                "at": [x, y], "facing": 0.0, "figures": [], "outline": corners, "strength": [4, 4], "markers": [],
                "notes": [], "overlays": []
            })
        };
        let ending = json!({ "winner": null, "grade": "draw", "reason": "", "scores": [], "clause": "" });
        serde_json::from_value(json!({
            "ruleset": "toy", "title": "Ways", "seat": null, "sides": [], "seats": [],
            "table": { "width": 40, "height": 40, "unit": "inch" }, "terrain": [],
            "units": units.iter().map(unit).collect::<Vec<_>>(), "tokens": [], "cards": [], "pending": { "over": ending },
            "clock": { "turn": 1, "of": null, "phase": "", "active": null }
        }))
        .unwrap()
    }

    fn line(points: &[[f64; 2]]) -> Vec<Point> {
        points.iter().map(|[x, y]| Point::new(*x, *y)).collect()
    }

    #[test]
    fn a_way_is_of_the_unit_that_stood_at_its_beginning() {
        let before = view(&[("A", [5.0, 5.0], true), ("B", [15.0, 5.0], true), ("C", [25.0, 5.0], true)]);
        let after = view(&[("A", [5.0, 9.0], true), ("B", [15.0, 8.0], true), ("C", [25.0, 5.0], true)]);
        let lines = [
            line(&[[15.0, 5.0], [15.0, 8.0]]),
            line(&[[5.5, 5.0], [5.0, 9.0]]),
            line(&[[25.0, 5.0], [25.0, 9.0]]),
        ];
        let ways = ways(&lines, &before, &after);
        let whose: Vec<&str> = ways.iter().map(|way| way.unit.as_str()).collect();
        assert_eq!(whose, ["B", "A"], "C has not moved, whatever the line says");
        assert_eq!(ways[1].points, lines[1]);
    }

    #[test]
    fn nobody_is_told_the_way_of_a_unit_he_did_not_see_at_both_ends() {
        let lines = [line(&[[5.0, 5.0], [5.0, 9.0]])];
        let seen = view(&[("A", [5.0, 9.0], true)]);
        assert_eq!(ways(&lines, &view(&[]), &seen), [], "it was hidden where it began");
        let gone = view(&[("A", [5.0, 9.0], false)]);
        assert_eq!(ways(&lines, &view(&[("A", [5.0, 5.0], true)]), &gone), [], "it went out of sight");
    }
}
