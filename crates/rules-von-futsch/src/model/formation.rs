//! Formations as coordinates: footprints, bases, arcs, zones, changes of shape (ledger 2.3, 2.4, VF-MODEL-42).

use arrayvec::ArrayVec;
use serde::Deserialize;
use tricorne_table::Rect;
use tricorne_table::{Point, Pose, Segment, Shape, angle};

use crate::model::measure::{Mils, mils};
use crate::model::{Formation, InSquare};

/// The bases that figures stand on, in inches (`[base]` of `profiles.toml`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bases {
    /// The side of a base of formed troops (VF-MODEL-09 to -11).
    pub troops: f64,
    /// The side of a skirmisher's base (VF-MODEL-12).
    pub skirmisher: f64,
    /// How far skirmishers stand apart (VF-MODEL-21).
    pub apart: f64,
    /// How deep a wagon is; it is as wide as a base of formed troops (VF-MODEL-13).
    pub wagon: f64,
}

impl Bases {
    /// Width and depth of a formation; of a cloud, its envelope (ledger 2.3).
    pub fn size(&self, formation: Formation) -> (f64, f64) {
        let Self { troops, skirmisher, apart, wagon } = *self;
        match formation {
            Formation::Line => (troops * 2.0, troops),
            Formation::Column | Formation::Square => (troops, troops * 2.0),
            Formation::Cloud => (skirmisher * 3.0 + apart * 2.0, skirmisher * 2.0 + apart),
            Formation::Limbered | Formation::Unlimbered => (troops, troops),
            Formation::Wagon => (troops, wagon),
        }
    }

    /// The body of a unit (VF-MODEL-18, -21, -22).
    pub fn body(&self, pose: Pose, formation: Formation, strength: u8) -> Body {
        let (width, depth) = self.size(formation);
        let cloud = if formation == Formation::Cloud { strength.min(6) } else { 0 };
        Body { rect: Rect::fronted(pose, width, depth), cloud, figure: self.skirmisher }
    }

    /// One base alone, as is left of a battalion or a squadron (VF-MODEL-51).
    pub fn one(&self, front: Pose) -> Body {
        Body { rect: Rect::fronted(front, self.troops, self.troops), cloud: 0, figure: self.skirmisher }
    }
}

/// The ground a unit covers: one rectangle, or the bases of a cloud.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// The footprint; of a cloud, its envelope.
    pub rect: Rect,
    /// How many bases a cloud has left; 0 for anything solid.
    pub cloud: u8,
    /// The side of each base of a cloud.
    pub figure: f64,
}

/// The four sides a unit can be met on (VF-MODEL-29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    /// Its front arc.
    Front,
    /// The left.
    Left,
    /// The right.
    Right,
    /// Behind it.
    Rear,
}

/// One firing front: the middle of an edge, looking outwards.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The middle of the edge and the way it looks.
    pub pose: Pose,
    /// How wide the edge is.
    pub width: f64,
    /// How far the rays of its arc go aside for each inch ahead (VF-MODEL-27).
    pub slope: f64,
}

impl Body {
    /// A commander's base.
    pub fn of_commander(at: Point, side: f64) -> Self {
        Self { rect: Rect::centred(Pose { at, facing: 0.0 }, side, side), cloud: 0, figure: side }
    }

    /// Each rectangle of it.
    pub fn parts(&self) -> ArrayVec<Rect, 6> {
        if self.cloud == 0 {
            return std::iter::once(self.rect).collect();
        }
        // Two rows of three: the middle, the left, the right; the last is lost first (VF-MODEL-21).
        let frame = self.rect.frame();
        let side = self.figure;
        let (across, along) = ((self.rect.width() - side) * 0.5, (self.rect.depth() - side) * 0.5);
        let slots = [
            (0.0, along),
            (-across, along),
            (across, along),
            (0.0, -along),
            (-across, -along),
            (across, -along),
        ];
        slots
            .iter()
            .take(usize::from(self.cloud))
            .map(|&(x, y)| Rect::in_frame(&frame, self.rect.facing(), Point::new(x, y), side, side))
            .collect()
    }

    /// The middle of the rectangle or the envelope (VF-MODEL-06).
    pub fn centroid(&self) -> Point {
        self.rect.centre()
    }

    /// The midpoint of the front edge; of a cloud, its middle (VF-MODEL-29).
    pub fn reference(&self) -> Point {
        if self.cloud > 0 { self.rect.centre() } else { self.rect.front().at }
    }

    /// A circle round it.
    pub fn radius(&self) -> f64 {
        let (w, d) = (self.rect.width(), self.rect.depth());
        (w * w + d * d).sqrt() * 0.5
    }

    /// How far it reaches from its middle along a way of length one.
    pub fn reach(&self, way: Point) -> f64 {
        let frame = self.rect.frame();
        let (along, across) = (way.dot(frame.forward).abs(), way.dot(frame.right()).abs());
        (along * self.rect.depth() + across * self.rect.width()) * 0.5
    }

    /// Slid along.
    #[must_use]
    pub fn slid(&self, way: Point) -> Self {
        let mut pose = self.rect.pose();
        pose.at += way;
        let frame = tricorne_table::Frame { at: pose.at, forward: self.rect.frame().forward };
        Self {
            rect: Rect::in_frame(&frame, pose.facing, Point::ORIGIN, self.rect.width(), self.rect.depth()),
            ..*self
        }
    }

    /// The distance between two bodies; 0 when they touch or overlap (VF-MODEL-03).
    pub fn gap(&self, other: &Body) -> f64 {
        if self.cloud == 0 && other.cloud == 0 {
            return Shape::Rect(self.rect).gap(&Shape::Rect(other.rect));
        }
        let mut best = f64::INFINITY;
        for a in self.parts() {
            for b in other.parts() {
                best = best.min(Shape::Rect(a).gap(&Shape::Rect(b)));
            }
        }
        best
    }

    /// The same, rounded for comparing.
    pub fn gap_mils(&self, other: &Body) -> Mils {
        mils(self.gap(other))
    }

    /// Whether the gap can be no more than a limit, by the circles round them.
    pub fn may_reach(&self, other: &Body, limit: f64) -> bool {
        let reach = limit + self.radius() + other.radius() + 0.01;
        self.centroid().distance_squared(other.centroid()) <= reach * reach
    }

    /// Whether two bodies share ground.
    pub fn overlaps(&self, other: &Body) -> bool {
        self.overlaps_by(other, SLIVER)
    }

    /// Whether a body whose owner chose where it ends lies on another. Formed troops stand flank to flank, and both may
    /// have been rounded; who goes through others ends clear of them to the thousandth (VF-MODEL-01, -44).
    pub fn ends_on(&self, other: &Body) -> bool {
        let flush = self.cloud == 0 && other.cloud == 0;
        self.overlaps_by(other, if flush { SLIVER } else { ROUNDED })
    }

    /// Whether two bodies share ground deeper than so much.
    pub fn overlaps_by(&self, other: &Body, eps: f64) -> bool {
        let share = |a: &Rect, b: &Rect| passage(&a.corners(), Point::ORIGIN, &b.corners(), eps).is_some();
        self.may_reach(other, 0.0) && self.parts().iter().any(|a| other.parts().iter().any(|b| share(a, b)))
    }

    /// Whether the whole of it is on a table so large; what a rounded place lays over the edge is not over it.
    pub fn on_table(&self, width: f64, height: f64) -> bool {
        let within = |at: f64, most: f64| at >= -ROUNDED && at <= most + ROUNDED;
        self.parts()
            .iter()
            .all(|part| part.corners().iter().all(|c| within(c.x, width) && within(c.y, height)))
    }

    /// The zone a point is in, by an arc whose rays go so far aside for each inch (VF-MODEL-29).
    pub fn zone(&self, point: Point, slope: f64) -> Zone {
        let (width, depth) = (self.rect.width(), self.rect.depth());
        let local = self.rect.front().to_local(point);
        let (x, y) = (mils(local.x), mils(local.y));
        let half = mils(width * 0.5);
        let deep = mils(depth);
        let reach = |ahead: Mils| half + (f64::from(ahead) * slope).round() as Mils;
        if y >= 0 && x.abs() <= reach(y) {
            Zone::Front
        } else if y <= -deep && x.abs() <= reach(-deep - y) {
            Zone::Rear
        } else if x < 0 {
            Zone::Left
        } else {
            Zone::Right
        }
    }

    /// The edge on one side, with its outward bearing.
    pub fn edge(&self, zone: Zone) -> (Segment, f64) {
        let facing = self.rect.facing();
        match zone {
            Zone::Front => (self.rect.front_edge(), facing),
            Zone::Left => (self.rect.left_edge(), facing - 90.0),
            Zone::Right => (self.rect.right_edge(), facing + 90.0),
            Zone::Rear => (self.rect.rear_edge(), facing + 180.0),
        }
    }
}

/// Shared ground thinner than this is only touching: positions are kept to a thousandth, and two that have been rounded may
/// come over each other.
pub const SLIVER: f64 = 0.002;

/// As far as a place that is kept to a thousandth may lay a corner from where it would be: less than a thousandth.
pub const ROUNDED: f64 = 0.000_9;

/// From what travel to what travel a convex outline sliding along `way` (of length one, or none) covers
/// ground of another by more than `eps`.
pub fn passage(a: &[Point], way: Point, b: &[Point], eps: f64) -> Option<(f64, f64)> {
    passages(a, way, b, [eps]).map(|[found]| found)
}

/// The same by several depths at once, where there is a passage by each of them.
pub fn passages<const N: usize>(
    a: &[Point],
    way: Point,
    b: &[Point],
    depths: [f64; N],
) -> Option<[(f64, f64); N]> {
    let mut found = [(f64::NEG_INFINITY, f64::INFINITY); N];
    for outline in [a, b] {
        let n = outline.len();
        for i in 0..n {
            // Opposite sides of a rectangle give the same axis.
            if n == 4 && std::ptr::eq(outline, a) && i >= 2 {
                break;
            }
            let side = outline[(i + 1) % n] - outline[i];
            let Some(axis) = side.quarter_right().unit() else { continue };
            let (a0, a1) = span(a, axis);
            let (b0, b1) = span(b, axis);
            let speed = way.dot(axis);
            for ((from, to), eps) in found.iter_mut().zip(depths) {
                let (b0, b1) = (b0 + eps, b1 - eps);
                if speed.abs() < 1e-12 {
                    if a1 <= b0 || a0 >= b1 {
                        return None;
                    }
                    continue;
                }
                let (t0, t1) = ((b0 - a1) / speed, (b1 - a0) / speed);
                *from = from.max(t0.min(t1));
                *to = to.min(t0.max(t1));
                if from >= to {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// From where to where an outline reaches along an axis.
pub fn span(outline: &[Point], axis: Point) -> (f64, f64) {
    outline.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| {
        let d = p.dot(axis);
        (lo.min(d), hi.max(d))
    })
}

/// The travel at which a body sliding along `way` first touches another, if it runs into it.
pub fn touch(body: &Body, way: Point, other: &Body) -> Option<f64> {
    let mut best: Option<f64> = None;
    for a in body.parts() {
        for b in other.parts() {
            let (a, b) = (a.corners(), b.corners());
            // A graze is no touch; what is touched is touched at its very edge.
            if let Some([(_, leave), (enter, _)]) = passages(&a, way, &b, [SLIVER, 0.0])
                && leave > 0.0
            {
                let enter = enter.max(0.0);
                best = Some(best.map_or(enter, |t| t.min(enter)));
            }
        }
    }
    best
}

/// The firing fronts of a unit: one, or one for each base of a square (VF-MODEL-27, -28). A cloud has none.
pub fn fronts(body: &Body, formation: Formation, square: Option<InSquare>, slope: f64) -> ArrayVec<Front, 2> {
    match formation {
        Formation::Cloud => ArrayVec::new(),
        Formation::Square => bases(body, formation, square)
            .into_iter()
            .map(|(centre, facing)| Front {
                pose: Pose::new(centre + angle::forward(facing) * (body.rect.width() * 0.5), facing),
                width: body.rect.width(),
                slope,
            })
            .collect(),
        _ => std::iter::once(Front { pose: body.rect.front(), width: body.rect.width(), slope }).collect(),
    }
}

/// Centre and facing of each base, A first (ledger 2.3, VF-MODEL-24, -25).
pub fn bases(body: &Body, formation: Formation, square: Option<InSquare>) -> ArrayVec<(Point, f64), 2> {
    let facing = body.rect.facing();
    let centre = body.rect.centre();
    let frame = body.rect.frame();
    let (width, depth) = (body.rect.width(), body.rect.depth());
    let half = width.min(depth) * 0.5;
    let (along, across) = (frame.forward * half, frame.right() * half);
    let mut out = ArrayVec::new();
    match formation {
        // What is left when base B has been taken off (VF-MODEL-51).
        Formation::Line | Formation::Column if width == depth => out.push((centre, facing)),
        Formation::Line => {
            out.push((centre + across, facing));
            out.push((centre - across, facing));
        }
        Formation::Column => {
            out.push((centre + along, facing));
            out.push((centre - along, facing));
        }
        Formation::Square => {
            let (a, b) = square.map_or((0.0, 180.0), square_facings);
            out.push((centre + along, angle::normalise(facing + a)));
            out.push((centre - along, angle::normalise(facing + b)));
        }
        _ => out.push((centre, facing)),
    }
    out
}

/// Facings of A and B in a regimental square, relative to it.
fn square_facings(place: InSquare) -> (f64, f64) {
    let last = place.index + 1 == place.of;
    let a = if last { 90.0 } else { 0.0 };
    let b = if place.index == 0 {
        270.0
    } else if !place.open_rear {
        180.0
    } else if last {
        90.0
    } else {
        0.0
    };
    (a, b)
}

/// The pose of a formation of bases of that side whose named base keeps its centre (VF-MODEL-42).
///
/// `before` puts the other base to the right of the pivot (line) or ahead of it (column).
pub fn pivoted(centre: Point, facing: f64, formation: Formation, before: bool, side: f64) -> Pose {
    let (f, r) = (angle::forward(facing), angle::right(facing));
    let lead = match formation {
        // In a line the front midpoint lies between the two bases.
        Formation::Line => {
            let other = if before { centre + r * side } else { centre - r * side };
            centre.midpoint(other)
        }
        Formation::Column if before => centre + f * side,
        _ => centre,
    };
    Pose::new(lead + f * (side * 0.5), facing)
}

/// The same body turned about its centroid (VF-MODEL-43).
pub fn turned(body: &Body, facing: f64) -> Pose {
    let f = angle::forward(facing);
    Pose::new(body.centroid() + f * (body.rect.depth() * 0.5), facing)
}

/// What of an outline lies in a front arc (VF-MODEL-27): points on a ray are in.
pub fn in_arc(front: &Front, outline: &[Point]) -> ArrayVec<Point, 8> {
    const RIM: f64 = 0.0005;
    let frame = front.pose.frame();
    let (half, slope) = (front.width * 0.5, front.slope);
    let mut points: ArrayVec<Point, 8> = outline.iter().map(|&p| frame.to_local(p)).collect();
    // Depths inside each rim; the slanted ones are not to scale, which alters no sign.
    let planes: [fn(Point, f64, f64) -> f64; 3] =
        [|p, _, _| p.y, |p, half, slope| half + p.y * slope - p.x, |p, half, slope| half + p.y * slope + p.x];
    for depth in planes {
        let mut kept: ArrayVec<Point, 8> = ArrayVec::new();
        for i in 0..points.len() {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            let (da, db) = (depth(a, half, slope) + RIM, depth(b, half, slope) + RIM);
            if da >= 0.0 {
                let _ = kept.try_push(a);
            }
            if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
                let _ = kept.try_push(a.lerp(b, da / (da - db)));
            }
        }
        points = kept;
        if points.is_empty() {
            break;
        }
    }
    points.into_iter().map(|p| frame.to_world(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::Rulebook;

    fn body(x: f64, y: f64, t: f64, formation: Formation) -> Body {
        Rulebook::own().profiles.base.body(Pose::new(Point::new(x, y), t), formation, 6)
    }

    #[test]
    fn touching_is_not_overlapping() {
        let line = body(30.0, 20.0, 0.0, Formation::Line);
        assert!(!line.overlaps(&body(35.0, 20.0, 0.0, Formation::Line)));
        assert!(line.overlaps(&body(34.9, 20.0, 0.0, Formation::Line)));
        assert_eq!(touch(&line, Point::new(0.0, 1.0), &body(30.0, 28.0, 180.0, Formation::Line)), Some(8.0));
        assert_eq!(touch(&line, Point::new(0.0, 1.0), &body(36.0, 28.0, 180.0, Formation::Line)), None);
    }

    #[test]
    fn a_cloud_keeps_its_bases_an_inch_apart() {
        // VF-MODEL-21, VF-MOVE-17: each base is within 1 of another whatever is lost.
        for n in 2..=6 {
            let own = &Rulebook::own().profiles.base;
            let cloud = own.body(Pose::new(Point::new(9.0, 9.0), 37.0), Formation::Cloud, n);
            let parts = cloud.parts();
            for (i, a) in parts.iter().enumerate() {
                let near = parts.iter().enumerate().filter(|(j, _)| *j != i);
                let least =
                    near.map(|(_, b)| Shape::Rect(*a).gap(&Shape::Rect(*b))).fold(f64::INFINITY, f64::min);
                assert_eq!(mils(least), 1000);
            }
        }
    }

    #[test]
    fn the_flank_begins_at_the_ray() {
        let target = body(30.0, 30.0, 0.0, Formation::Line);
        assert_eq!(target.zone(Point::new(40.0, 37.5), 1.0), Zone::Front);
        assert_eq!(target.zone(Point::new(40.001, 37.5), 1.0), Zone::Right);
        assert_eq!(target.zone(Point::new(20.0, 20.0), 1.0), Zone::Rear);
    }
}
