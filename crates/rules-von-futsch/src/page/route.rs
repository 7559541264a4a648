//! Finding the way of a march: wheel, straight on, wheel; round one obstacle; cut to what is allowed.

use smallvec::{SmallVec, smallvec};
use tricorne_game::Illegal;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose, Segment, angle, path};

use crate::action::{ActionKind, Leg};
use crate::field::Field;
use crate::model::ground::Going;
use crate::model::measure::{Decimal, exact};
use crate::model::{Formation, Nr};
use crate::movement::march::Marched;
use crate::rulebook::Share;

/// A way to go, leg by leg.
pub(crate) type Route = SmallVec<[Leg; 8]>;

/// How much a degree of wrong facing weighs against an inch of distance.
const DEGREE: f64 = 0.03;

/// A wheel of so many degrees, to the right positive; nothing for none.
fn wheel_leg(degrees: f64) -> Option<Leg> {
    let by = Decimal::of(degrees.abs());
    if by.0 == 0 {
        None
    } else if degrees < 0.0 {
        Some(Leg::WheelLeft(by))
    } else {
        Some(Leg::WheelRight(by))
    }
}

/// The angle whose sine is a share.
fn arc_sine(share: f64) -> f64 {
    angle::bearing_of(Point::new(share, (1.0 - share * share).max(0.0).sqrt()))
}

/// The ways from one pose to a place (facing free) or to a pose: a wheel about either front corner, straight on, and
/// for a pose a second wheel. Closed forms: after the first wheel the front looks along the line that the last one
/// needs.
pub(crate) fn ways(from: &Pose, width: f64, to: Point, facing: Option<f64>) -> SmallVec<[Route; 8]> {
    let mut all: SmallVec<[Route; 8]> = SmallVec::new();
    let half = width * 0.5;
    // +1: about the left corner, so the front's middle lies to the right of the pivot.
    let lasts: &[f64] = if facing.is_some() { &[1.0, -1.0] } else { &[0.0] };
    for first in [1.0, -1.0] {
        for &last in lasts {
            let pivot = from.at - from.right() * (first * half);
            let goal = facing.map_or(to, |f| to - angle::right(f) * (last * half));
            let line = goal - pivot;
            let far = line.length();
            let aside = (first - last) * half;
            if far <= aside.abs() {
                continue;
            }
            let heading = angle::bearing_of(line) - signed(arc_sine(aside / far));
            let ahead = (far * far - aside * aside).max(0.0).sqrt();
            let turn = angle::turn(from.facing, heading);
            let back = facing.map_or(0.0, |f| angle::turn(heading, f));
            // A wheel to the left turns left; a sliver the wrong way is rounding.
            let wrong = |by: f64, side: f64| by * side > 0.01;
            if wrong(turn, first) || wrong(back, last) {
                continue;
            }
            let mut route = Route::new();
            route.extend(wheel_leg(turn));
            if ahead > 0.000_5 {
                route.push(Leg::Forward(Decimal::of(ahead)));
            }
            route.extend(wheel_leg(back));
            all.push(route);
        }
    }
    all
}

/// An angle brought to between -180 and 180.
fn signed(degrees: f64) -> f64 {
    angle::turn(0.0, degrees)
}

/// Where a formed unit stands after a route, whatever is in the way.
pub(crate) fn end_of(from: &Pose, width: f64, route: &[Leg]) -> Pose {
    route.iter().fold(*from, |pose, leg| match *leg {
        Leg::Forward(d) => pose.ahead(d.get()),
        Leg::WheelLeft(a) => path::wheel(&pose, width, path::Side::Left, a.get()),
        Leg::WheelRight(a) => path::wheel(&pose, width, path::Side::Right, a.get()),
        _ => pose,
    })
}

/// What the legs of a route come to on open ground.
pub(crate) fn length_of(width: f64, route: &[Leg]) -> f64 {
    let length = |leg: &Leg| match *leg {
        Leg::Forward(d) | Leg::Go(_, d) => d.get(),
        Leg::WheelLeft(a) | Leg::WheelRight(a) => width * angle::radians(a.get()),
        _ => 0.0,
    };
    route.iter().map(length).sum()
}

/// The first share of a route, by the length of its legs on open ground.
pub(crate) fn first_part(width: f64, route: &[Leg], share: f64) -> Route {
    let mut left = length_of(width, route) * share;
    let mut part = Route::new();
    for leg in route {
        let whole = length_of(width, std::slice::from_ref(leg));
        if whole <= left + 1e-9 {
            part.push(*leg);
            left -= whole;
            continue;
        }
        // Cut down, not to the nearest: a thousandth too much is refused.
        let cut = |d: Decimal| Decimal((f64::from(d.0) * left / whole) as i32);
        match *leg {
            Leg::Forward(d) => part.push(Leg::Forward(cut(d))),
            Leg::Go(bearing, d) => part.push(Leg::Go(bearing, cut(d))),
            Leg::WheelLeft(a) => part.push(Leg::WheelLeft(cut(a))),
            Leg::WheelRight(a) => part.push(Leg::WheelRight(cut(a))),
            _ => {}
        }
        break;
    }
    part
}

/// A march found for a wish.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub route: Route,
    /// Where it ends.
    pub end: Pose,
    /// How far it ends from the wish, a wrong facing weighed in.
    pub short: f64,
    /// The whole way, of which this is what is allowed.
    wished: Route,
    cut: Cut,
}

/// What was cut off a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Nothing,
    /// What is farther than the unit marches; so far the way is free.
    TooFar,
    /// More than that: something is in the way, or the ground is slow.
    Barred,
}

impl Field {
    /// How far the acting unit may go in the march it has named, in inches.
    pub(crate) fn march_limit(&self) -> f64 {
        let Some(acting) = self.s.acting else { return 0.0 };
        let half = acting.kind != ActionKind::March;
        exact(if half { self.p().moves.short.most(acting.allowance) } else { acting.allowance })
    }

    /// The march that ends nearest to a wished place, and facing if one is wished.
    pub(crate) fn find_march(&self, u: Nr, to: Point, facing: Option<f64>, by: &[Point]) -> Option<Found> {
        let unit = self.unit(u);
        let start = unit.place.pose();
        let mut best: Option<Found> = None;
        let handle = self.by_the_handle(u, to, facing, by);
        let off = |pose: Pose| {
            let turn = facing.map_or(0.0, |f| angle::turn(pose.facing, f).abs());
            turn * DEGREE + if handle { 0.0 } else { pose.at.distance(to) }
        };
        let keep = |best: &mut Option<Found>, wished: Route| {
            if let Some((route, marched, cut)) = self.as_far_as_allowed(u, &wished) {
                let short = off(marched.place.pose());
                if best.as_ref().is_none_or(|b| short < b.short - 1e-6) {
                    *best = Some(Found { route, end: marched.place.pose(), short, wished, cut });
                }
            }
        };
        for route in self.routes(u, &start, to, facing, by) {
            keep(&mut best, route);
            if best.as_ref().is_some_and(|b| b.short < 0.05) {
                return best;
            }
        }
        // Straight on, as far as that is nearer.
        if unit.formation != Formation::Cloud && !handle {
            let ahead = (to - start.at).dot(start.forward()).max(0.0).min(self.march_limit() + 3.0);
            keep(&mut best, smallvec![Leg::Forward(Decimal::of(ahead))]);
        }
        let barred = best.as_ref().is_none_or(|b| b.short > 0.5 && b.cut != Cut::TooFar);
        if by.is_empty() && !handle && barred {
            for around in self.detours(u, to) {
                for route in self.routes(u, &start, to, facing, &[around]) {
                    keep(&mut best, route);
                }
            }
        }
        keep(&mut best, Route::new());
        best
    }

    /// Why no more than this of the way is allowed; none if all of it is.
    pub(crate) fn why_cut(&self, u: Nr, found: &Found) -> Option<Illegal> {
        if found.cut == Cut::Nothing { None } else { self.judge_path(u, &found.wished).err() }
    }

    /// A turn by the handle: a facing is wished, and the place is where the unit stands. It wheels, wherever that puts
    /// its front.
    pub(crate) fn by_the_handle(&self, u: Nr, to: Point, facing: Option<f64>, by: &[Point]) -> bool {
        let unit = self.unit(u);
        facing.is_some()
            && by.is_empty()
            && unit.formation != Formation::Cloud
            && to.distance(unit.place.at()) < 0.05
    }

    /// The routes to a place by way of others.
    fn routes(
        &self,
        u: Nr,
        start: &Pose,
        to: Point,
        facing: Option<f64>,
        by: &[Point],
    ) -> SmallVec<[Route; 8]> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud {
            let mut route = Route::new();
            let mut at = start.at;
            if let Some(f) = facing {
                // Turning is free and comes first: the front's middle moves with it.
                route.push(Leg::Face(Decimal::of(angle::normalise(f))));
                at = crate::model::formation::turned(&unit.body, f).at;
            }
            for &next in by.iter().chain([&to]) {
                let step = next - at;
                if step.length() > 0.000_5 {
                    route.push(Leg::Go(Decimal::of(angle::bearing_of(step)), Decimal::of(step.length())));
                    at = next;
                }
            }
            return smallvec![route];
        }
        let width = unit.body.rect.width();
        if let Some(f) = facing.filter(|_| self.by_the_handle(u, to, facing, by)) {
            return smallvec![wheel_leg(angle::turn(start.facing, f)).into_iter().collect()];
        }
        let Some((&first, rest)) = by.split_first() else { return ways(start, width, to, facing) };
        let mut all = SmallVec::new();
        for lead in ways(start, width, first, None) {
            let pose = end_of(start, width, &lead);
            for tail in self.routes(u, &pose, to, facing, rest) {
                let mut route = lead.clone();
                route.extend(tail);
                all.push(route);
            }
        }
        all
    }

    /// A route cut to what is allowed, with where it ends and what was cut off.
    fn as_far_as_allowed(&self, u: Nr, route: &Route) -> Option<(Route, Marched, Cut)> {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let (mut low, mut high) = (0.0, 1.0);
        let mut best: Option<(Route, Marched)> = None;
        // On open ground the length says how far it goes; a road may carry it further.
        let (whole, limit) = (length_of(width, route), self.march_limit());
        let by_road = matches!(unit.formation, Formation::Column | Formation::Limbered | Formation::Wagon);
        if whole > limit + 0.01 && !by_road {
            let part = first_part(width, route, limit / whole);
            match self.judge_path(u, &part) {
                Ok(marched) => return Some((part, marched, Cut::TooFar)),
                Err(_) => high = limit / whole,
            }
        } else if let Ok(marched) = self.judge_path(u, route) {
            return Some((route.clone(), marched, Cut::Nothing));
        }
        for _ in 0..11 {
            let share = if best.is_none() && high < 0.02 { 0.0 } else { (low + high) * 0.5 };
            let part = first_part(width, route, share);
            match self.judge_path(u, &part) {
                Ok(marched) => {
                    best = Some((part, marched));
                    low = share;
                }
                Err(_) => high = share,
            }
            if high - low < 0.002 {
                break;
            }
        }
        best.map(|(route, marched)| (route, marched, Cut::Barred))
    }

    /// Places to pass on the way round what stands first between a unit and a place, the shortest detour first.
    pub(crate) fn detours(&self, u: Nr, to: Point) -> SmallVec<[Point; 4]> {
        let unit = self.unit(u);
        let start = unit.place.at();
        let me = unit.body.rect.width() * 0.5;
        let track = Segment::new(start, to);
        let mut first: Option<(f64, SmallVec<[Point; 8]>)> = None;
        let mut meet = |middle: Point, reach: f64, corners: SmallVec<[Point; 8]>| {
            let along = track.nearest_share(middle);
            if track.distance(middle) < reach && along > 0.0 && first.as_ref().is_none_or(|(a, _)| along < *a)
            {
                first = Some((along, corners));
            }
        };
        for o in self.present().filter(|&o| o != u) {
            let body = &self.unit(o).body;
            let enemy = self.side(o) != self.side(u);
            if !enemy && (body.cloud > 0 || unit.body.cloud > 0) {
                continue;
            }
            let room =
                body.radius() + me + (0.3 + if enemy { f64::from(self.p().distance.clear) } else { 0.0 });
            let Some(way) = (to - start).unit() else { continue };
            let aside = way.quarter_left() * room;
            meet(body.centroid(), room, smallvec![body.centroid() + aside, body.centroid() - aside]);
        }
        for piece in &self.b.terrain {
            if piece.going(self.mover(u), self.o()) == Going::Closed && piece.area.cut_by(start, to) {
                let middle = piece.area.centroid();
                let out = |&c: &Point| c + (c - middle).unit().unwrap_or(Point::ORIGIN) * (me + 0.6);
                let corners = piece.area.corners().iter().map(out).collect();
                meet(track.nearest(middle), f64::INFINITY, corners);
            }
        }
        let mut around: SmallVec<[Point; 8]> = first.map(|(_, corners)| corners).unwrap_or_default();
        let detour = |p: &Point| p.distance(start) + p.distance(to);
        around.retain(|p| p.x > 0.0 && p.y > 0.0 && p.x < self.b.width && p.y < self.b.height);
        around.put_in_order(|a, b| detour(a).total_cmp(&detour(b)));
        around.into_iter().take(2).collect()
    }
}
