//! The table between two moments: everybody who is somewhere else afterwards, part of the way there.

use tricorne_game::UnitId;
use tricorne_game::view::{FigureView, Role, UnitView, View};
use tricorne_game::ways::Way;
use tricorne_table::{Point, Pose, angle};

/// The longest march of a film takes so many frames besides its last.
const MOST: f64 = 6.0;

/// A march of this share of the table's width takes one frame.
const STRIDE: f64 = 1.0 / 40.0;

/// A unit that turns on the spot takes a frame for each of these degrees.
const WHEEL: f64 = 30.0;

/// Fire is seen in so many frames: the flash, the smoke, the smoke drifting off.
const VOLLEY: u32 = 4;

/// One frame on the way from a moment to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// How far those have come who march of their own will, from 0 to 1.
    pub marched: f64,
    /// How far those have come who are driven.
    pub driven: f64,
    /// How old the smoke is, from 0 to 1, where there was fire.
    pub smoke: Option<f64>,
}

/// The frames it takes to show what led from one moment to the next, the last not counted: they march, they fire, and who must
/// goes back. Where nobody fires all go at once.
pub(crate) fn steps(before: &View, after: &View, ways: &[Way], fire: bool) -> Vec<Step> {
    let shares = |count: u32| (1..=count).map(move |i| f64::from(i) / f64::from(count + 1));
    let willing = |id: UnitId| ways.iter().any(|way| way.unit == id);
    if !fire {
        let all = frames(before, after, ways, |_| true);
        return shares(all).map(|s| Step { marched: s, driven: s, smoke: None }).collect();
    }
    let march = shares(frames(before, after, ways, willing));
    let flight = shares(frames(before, after, ways, |id| !willing(id)));
    let march = march.map(|s| Step { marched: s, driven: 0.0, smoke: None });
    let volley = (0..VOLLEY).map(|i| f64::from(i) / f64::from(VOLLEY));
    let volley = volley.map(|age| Step { marched: 1.0, driven: 0.0, smoke: Some(age) });
    let flight = flight.map(|s| Step { marched: 1.0, driven: s, smoke: None });
    march.chain(volley).chain(flight).collect()
}

/// How many frames it takes to show these go, the last not counted.
fn frames(before: &View, after: &View, ways: &[Way], who: impl Fn(UnitId) -> bool) -> u32 {
    let stride = before.table.width.max(1.0) * STRIDE;
    let strides = movers(before, after).filter(|(then, _)| who(then.id)).map(|(then, now)| {
        let far = long(&course(then, now, ways)) / stride;
        let turn = angle::turn(pose(then).facing, pose(now).facing).abs() / WHEEL;
        far.max(turn)
    });
    strides.fold(0.0, f64::max).min(MOST).floor() as u32
}

/// The table at a step of the way. Who falls or wavers does so when he is there.
pub(crate) fn between(before: &View, after: &View, ways: &[Way], step: Step) -> View {
    let mut view = before.clone();
    for (then, now) in movers(before, after) {
        let share = if ways.iter().any(|way| way.unit == then.id) { step.marched } else { step.driven };
        if let Some(unit) = view.units.iter_mut().find(|unit| unit.id == then.id) {
            let at = along(&course(then, now, ways), share);
            let (from, to) = (pose(then), pose(now));
            let here = Pose::new(at, from.facing + angle::turn(from.facing, to.facing) * share);
            go(unit, then, now, here, share);
        }
    }
    view
}

/// Bases of a unit before that are not among those it has after: the last of their kind.
pub(crate) fn lost<'a>(before: &'a UnitView, after: Option<&UnitView>) -> Vec<&'a FigureView> {
    let mut left: Vec<Role> =
        after.map(|unit| unit.figures.iter().map(|figure| figure.role).collect()).unwrap_or_default();
    let mut gone = Vec::new();
    for figure in &before.figures {
        if let Some(i) = left.iter().position(|role| *role == figure.role) {
            left.swap_remove(i);
        } else {
            gone.push(figure);
        }
    }
    gone
}

/// Units that are seen at both ends and are not where they were.
fn movers<'a>(before: &'a View, after: &'a View) -> impl Iterator<Item = (&'a UnitView, &'a UnitView)> {
    before.units.iter().filter(|then| then.on_table).filter_map(|then| {
        let now = after.units.iter().find(|now| now.id == then.id && now.on_table)?;
        (then.at != now.at || then.facing != now.facing).then_some((then, now))
    })
}

fn pose(unit: &UnitView) -> Pose {
    Pose::new(unit.at, unit.facing.unwrap_or(0.0))
}

/// The line a unit goes along: the way the engine told, as far as it leads towards where the unit is now, and straight on.
fn course(then: &UnitView, now: &UnitView, ways: &[Way]) -> Vec<Point> {
    let mut line = vec![then.at];
    if let Some(points) = ways.iter().find(|way| way.unit == then.id).map(|way| &way.points)
        && let Some(&start) = points.first()
    {
        // The way may begin at another corner of the unit than the one it is measured from.
        let way: Vec<Point> = points.iter().map(|&point| point + (then.at - start)).collect();
        let far = way.iter().map(|point| point.distance(then.at)).fold(0.0, f64::max);
        // Back and forth (a charge thrown back) ends near where it began: it did go all the way first.
        let back = then.at.distance(now.at) < far / 3.0;
        let near = |point: &Point| point.distance(now.at);
        let last =
            way.iter().enumerate().min_by(|a, b| near(a.1).total_cmp(&near(b.1))).map_or(0, |(i, _)| i);
        line.extend(way.into_iter().take(if back { usize::MAX } else { last + 1 }).skip(1));
    }
    line.push(now.at);
    line
}

fn long(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The place so far along a line, from 0 to 1.
fn along(line: &[Point], share: f64) -> Point {
    let mut left = long(line) * share.clamp(0.0, 1.0);
    for pair in line.windows(2) {
        let far = pair[0].distance(pair[1]);
        if left <= far && far > 0.0 {
            return pair[0] + (pair[1] - pair[0]) * (left / far);
        }
        left -= far;
    }
    line.last().copied().unwrap_or(Point::new(0.0, 0.0))
}

/// Puts a unit where it is on its way, its ranks changing as it goes.
fn go(unit: &mut UnitView, then: &UnitView, now: &UnitView, here: Pose, share: f64) {
    let (from, to) = (pose(then), pose(now));
    let ranks = then.figures.len() == now.figures.len()
        && then.figures.iter().zip(&now.figures).all(|(a, b)| a.role == b.role);
    for (i, figure) in unit.figures.iter_mut().enumerate() {
        let old = within(&then.figures[i], from);
        let new = if ranks { within(&now.figures[i], to) } else { old };
        let place = here.to_world(old.at + (new.at - old.at) * share);
        let facing = here.facing + old.facing + angle::turn(old.facing, new.facing) * share;
        let centre = figure.shape.centre();
        figure.shape =
            figure.shape.turned_about(centre, angle::turn(figure.facing, facing)).translated(place - centre);
        figure.facing = angle::normalise(facing);
    }
    for corner in &mut unit.outline {
        *corner = here.to_world(from.to_local(*corner));
    }
    unit.at = here.at;
    unit.facing = unit.facing.map(|_| angle::normalise(here.facing));
    // Arcs and reaches are those of where it stood.
    unit.overlays.clear();
}

/// A base as its unit sees it.
fn within(figure: &FigureView, unit: Pose) -> Pose {
    Pose::new(unit.to_local(figure.shape.centre()), angle::turn(unit.facing, figure.facing))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(at: [f64; 2], facing: f64, figures: &[[f64; 2]]) -> View {
        let figure = |at: &[f64; 2]| json!({ "shape": { "shape": "disc", "centre": at, "radius": 0.5 }, "facing": facing, "role": "foot" });
        let ending = json!({ "winner": null, "grade": "draw", "reason": "", "scores": [], "clause": "" });
        serde_json::from_value(json!({
            "ruleset": "toy", "title": "March", "seat": null, "sides": [], "seats": [],
            "table": { "width": 40, "height": 40, "unit": "inch" }, "terrain": [],
            "units": [{
                "id": "A", "name": "A", "kind": "Line", "side": 0, "seat": 0, "arm": "infantry", "on_table": true,
                "at": at, "facing": facing, "figures": figures.iter().map(figure).collect::<Vec<_>>(), "outline": [at],
                "strength": [4, 4], "markers": [], "notes": [], "overlays": []
            }],
            "tokens": [], "cards": [], "pending": { "over": ending },
            "clock": { "turn": 1, "of": null, "phase": "", "active": null }
        }))
        .unwrap_or_else(|e| panic!("{e}"))
    }

    fn all(share: f64) -> Step {
        Step { marched: share, driven: share, smoke: None }
    }

    #[test]
    fn a_unit_goes_round_the_corner_of_its_way_and_wheels_with_its_ranks() {
        let before = view([10.0, 10.0], 0.0, &[[9.0, 10.0], [11.0, 10.0]]);
        let after = view([16.0, 16.0], 90.0, &[[16.0, 17.0], [16.0, 15.0]]);
        let corner = [Point::new(10.0, 10.0), Point::new(10.0, 16.0), Point::new(16.0, 16.0)];
        let ways = [Way { unit: before.units[0].id, points: corner.to_vec() }];
        assert_eq!(steps(&before, &after, &ways, false).len(), 6, "twelve inches on a table of forty");
        let half = &between(&before, &after, &ways, all(0.5)).units[0];
        assert!(half.at.distance(corner[1]) < 1e-9, "{:?}", half.at);
        assert_eq!(half.facing, Some(45.0));
        let (left, right) = (half.figures[0].shape.centre(), half.figures[1].shape.centre());
        assert!((left.distance(right) - 2.0).abs() < 1e-9, "the rank stays closed: {left:?} {right:?}");
        assert!(left.y > right.y && left.x < right.x, "it has wheeled half the way");
        let there = &between(&before, &after, &ways, all(1.0)).units[0];
        assert!(there.at.distance(after.units[0].at) < 1e-9);
        assert!(there.figures[0].shape.centre().distance(after.units[0].figures[0].shape.centre()) < 1e-9);
    }

    #[test]
    fn who_stays_takes_no_frames_and_who_was_thrown_back_went_all_the_way() {
        let before = view([10.0, 10.0], 0.0, &[[10.0, 10.0]]);
        assert_eq!(steps(&before, &before, &[], false), []);
        let after = view([10.0, 11.0], 0.0, &[[10.0, 11.0]]);
        let charge = [Point::new(10.0, 10.0), Point::new(10.0, 20.0)];
        let ways = [Way { unit: before.units[0].id, points: charge.to_vec() }];
        let furthest =
            (0..=10).map(|i| between(&before, &after, &ways, all(f64::from(i) / 10.0)).units[0].at.y);
        assert!(furthest.fold(0.0, f64::max) > 18.0);
    }

    #[test]
    fn they_march_then_fire_and_then_run() {
        let before = view([10.0, 10.0], 0.0, &[[10.0, 10.0], [11.0, 10.0]]);
        let after = view([10.0, 20.0], 0.0, &[[10.0, 20.0]]);
        let ways =
            [Way { unit: before.units[0].id, points: vec![Point::new(10.0, 10.0), Point::new(10.0, 20.0)] }];
        let smoky = |steps: &[Step]| steps.iter().map(|step| step.smoke.is_some()).collect::<Vec<_>>();
        let marched = steps(&before, &after, &ways, true);
        assert_eq!(
            smoky(&marched),
            [[false; 6].as_slice(), &[true; 4]].concat(),
            "who marches does so first"
        );
        let driven = steps(&before, &after, &[], true);
        assert_eq!(
            smoky(&driven),
            [[true; 4].as_slice(), &[false; 6]].concat(),
            "who is driven off runs afterwards"
        );
        assert_eq!(between(&before, &after, &[], driven[3]).units[0].at, before.units[0].at);
        assert_eq!(lost(&before.units[0], after.units.first()).len(), 1);
        assert_eq!(lost(&before.units[0], None).len(), 2);
    }
}
