//! Arcs, ranges, lines of sight and hard cover (ledger 2.4, 2.5; VF-FIRE-07 to -09, VF-TERR-08, -09).

use arrayvec::ArrayVec;
use tricorne_table::Rect;
use tricorne_table::{Bounds, Point, Segment};

use crate::field::Field;
use crate::model::formation::{Body, Front, fronts, in_arc};
use crate::model::ground::{GroundKind, Piece};
use crate::model::measure::{Mils, mils};
use crate::model::{Cr, Formation, Nr};
use crate::options::{CommandSight, WoodsCover};
use crate::rulebook::inch;

/// Points of sight.
pub(crate) type Points = ArrayVec<Point, 24>;

/// What blocks a line of sight.
pub(crate) enum InTheWay<'a> {
    Hill(&'a Piece),
    Cover(&'a Piece),
    Unit(Nr),
}

/// What a shooter has of a target.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// How far (VF-FIRE-09).
    pub range: Mils,
}

impl Field {
    /// The firing fronts of a unit; a cloud has none and needs none.
    pub(crate) fn fronts(&self, u: Nr) -> ArrayVec<Front, 2> {
        let unit = self.unit(u);
        fronts(&unit.body, unit.formation, unit.square, self.p().fire.arc.slope)
    }

    /// Range to that part of the target that is in the arc of a front (a cloud: all round); none if no part is.
    pub(crate) fn range(&self, u: Nr, face: u8, target: &Body) -> Option<Mils> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud {
            return Some(unit.body.gap_mils(target));
        }
        let front = *self.fronts(u).get(usize::from(face))?;
        let across = front.pose.right() * (front.width * 0.5);
        let edge = Segment::new(front.pose.at - across, front.pose.at + across);
        let mut best: Option<f64> = None;
        for part in target.parts() {
            let seen = in_arc(&front, &part.corners());
            if !seen.is_empty() {
                let gap = gap_to(&edge, &seen);
                best = Some(best.map_or(gap, |b| b.min(gap)));
            }
        }
        best.map(mils)
    }

    /// The points that a unit sees from over the arc of one front, and those of the other unit that it may see there
    /// (VF-MODEL-34).
    pub(crate) fn sight_points(&self, u: Nr, face: u8, target: Nr) -> (Points, Points) {
        let unit = self.unit(u);
        let body = self.unit(target).body;
        let mut from = Points::new();
        let mut to = Points::new();
        if unit.formation == Formation::Cloud {
            from.extend(unit.body.parts().iter().map(Rect::centre));
            for part in body.parts() {
                if body.cloud == 0 {
                    to.extend(part.corners());
                }
                to.push(part.centre());
            }
        } else {
            let Some(&front) = self.fronts(u).get(usize::from(face)) else { return (from, to) };
            let across = front.pose.right() * (front.width * 0.5);
            from.extend([front.pose.at - across, front.pose.at, front.pose.at + across]);
            for part in body.parts() {
                if body.cloud > 0 {
                    if !in_arc(&front, &[part.centre()]).is_empty() {
                        to.push(part.centre());
                    }
                    continue;
                }
                let seen = in_arc(&front, &part.corners());
                to.extend(seen.iter().copied());
                if !seen.is_empty() {
                    to.push(middle(&seen));
                }
            }
        }
        (from, to)
    }

    /// Whether a unit sees another, over the arc of one front (VF-MODEL-34).
    pub(crate) fn sees(&self, u: Nr, face: u8, target: Nr) -> bool {
        let (from, to) = self.sight_points(u, face, target);
        from.iter().any(|&a| to.iter().any(|&b| self.seen_from(a, b, &[u, target])))
    }

    /// Whether a point is seen from another by who is to shoot or charge: no further than the smoke lets (VF-EVENT-16).
    fn seen_from(&self, a: Point, b: Point, ends: &[Nr]) -> bool {
        (!self.s.spell.smoke || self.o().within(mils(a.distance(b)), inch(self.p().events.smoke)))
            && self.clear(a, b, true, ends)
    }

    /// Whether a unit sees a commander's base within its arc (VF-EVENT-17).
    pub(crate) fn aims_at_commander(&self, u: Nr, c: Cr) -> Option<Mils> {
        let target = self.commander_body(c);
        if let Some(host) = self.commander(c).host {
            return self.aim(u, host).map(|(_, aim)| aim.range);
        }
        let at = target.centroid();
        if self.unit(u).formation == Formation::Cloud {
            let seen = self.unit(u).body.parts().iter().any(|p| self.seen_from(p.centre(), at, &[u]));
            return seen.then(|| self.unit(u).body.gap_mils(&target));
        }
        for (face, front) in self.fronts(u).iter().enumerate() {
            if in_arc(front, &[at]).is_empty() {
                continue;
            }
            let across = front.pose.right() * (front.width * 0.5);
            let points = [front.pose.at - across, front.pose.at, front.pose.at + across];
            if points.iter().any(|&a| self.seen_from(a, at, &[u])) {
                return self.range(u, face as u8, &target);
            }
        }
        None
    }

    /// The first face that has a target in arc and sight, with its range; no limit on the range.
    pub(crate) fn aim(&self, u: Nr, target: Nr) -> Option<(u8, Aim)> {
        let faces = if self.unit(u).formation == Formation::Square { 2 } else { 1 };
        (0..faces).find_map(|face| {
            let range = self.range(u, face, &self.unit(target).body)?;
            self.sees(u, face, target).then_some((face, Aim { range }))
        })
    }

    /// Whether a commander sees a unit, to command it (VF-MODEL-37).
    pub(crate) fn commander_sees(&self, c: Cr, u: Nr) -> bool {
        let at = self.commander(c).at();
        let units = self.o().command_los == CommandSight::Full;
        let body = self.unit(u).body;
        let mut to = Points::new();
        for part in body.parts() {
            to.push(part.centre());
            if body.cloud == 0 {
                to.extend(part.corners());
            }
        }
        to.iter().any(|&b| self.clear(at, b, units, &[u]))
    }

    /// Whether a line of sight is clear (VF-MODEL-35, -36, VF-TERR-08, -09).
    pub(crate) fn clear(&self, a: Point, b: Point, units: bool, ends: &[Nr]) -> bool {
        self.in_the_way(a, b, units, ends).is_none()
    }

    /// What blocks a line of sight, if anything does.
    pub(crate) fn in_the_way(&self, a: Point, b: Point, units: bool, ends: &[Nr]) -> Option<InTheWay<'_>> {
        let bounds = Bounds::of_pair(a, b);
        let mut hills: ArrayVec<&Piece, 4> = ArrayVec::new();
        for piece in &self.b.terrain {
            match piece.kind {
                GroundKind::Hill => {
                    if piece.area.contains(a) || piece.area.contains(b) {
                        let _ = hills.try_push(piece);
                    } else if bounds.meets(&piece.area.bounds()) && piece.area.cut_by(a, b) {
                        return Some(InTheWay::Hill(piece));
                    }
                }
                GroundKind::Woods | GroundKind::Town
                    if bounds.meets(&piece.area.bounds()) && !self.seen_through(piece, a, b) =>
                {
                    return Some(InTheWay::Cover(piece));
                }
                _ => {}
            }
        }
        if !units {
            return None;
        }
        let blocks = |&o: &Nr| {
            let unit = self.unit(o);
            !ends.contains(&o)
                && unit.formation != Formation::Cloud
                && cuts(&unit.body, a, b)
                // Who is not on a hill that an end is on does not block, whatever hill he is on (VF-MODEL-36).
                && hills.iter().all(|hill| hill.area.contains(unit.body.centroid()))
        };
        self.present().find(blocks).map(InTheWay::Unit)
    }

    /// Woods and towns: 6 within, 1 in or out, never across.
    fn seen_through(&self, piece: &Piece, a: Point, b: Point) -> bool {
        let inside = mils(piece.area.length_inside(a, b));
        if inside == 0 {
            return true;
        }
        let d = &self.p().distance;
        match (piece.area.contains(a), piece.area.contains(b)) {
            (true, true) => self.o().within(mils(a.distance(b)), inch(d.woods_inside)),
            (false, false) => false,
            _ => self.o().within(inside, inch(d.woods_edge)),
        }
    }

    /// Whether a unit is in hard cover from somebody (VF-MODEL-33).
    pub(crate) fn in_hard_cover(&self, target: Nr, from: &Body) -> bool {
        let body = &self.unit(target).body;
        let at = body.centroid();
        self.b.terrain.iter().any(|piece| match piece.kind {
            GroundKind::Town => piece.area.contains(at),
            GroundKind::Woods => self.o().woods_cover == WoodsCover::Hard && piece.area.contains(at),
            GroundKind::Obstacle if piece.hard => {
                let near = inch(self.p().distance.cover);
                piece.area.cut_by(from.reference(), at)
                    && self.o().within(mils(piece.gap(body)), near)
                    && !self.o().within(mils(piece.gap(from)), near)
            }
            _ => false,
        })
    }
}

fn middle(points: &[Point]) -> Point {
    // The centroid of the clipped outline; of a sliver, the middle of its corners.
    let first = points[0];
    let (mut sum, mut doubled) = (Point::ORIGIN, 0.0);
    for pair in points[1..].windows(2) {
        let (a, b) = (pair[0] - first, pair[1] - first);
        let piece = a.cross(b);
        sum += (a + b) * piece;
        doubled += piece;
    }
    if doubled.abs() > 1e-9 {
        first + sum / (3.0 * doubled)
    } else {
        points.iter().fold(Point::ORIGIN, |all, &p| all + p) / points.len() as f64
    }
}

/// The gap between an edge and a convex outline that lies on one side of it.
fn gap_to(edge: &Segment, outline: &[Point]) -> f64 {
    let n = outline.len();
    if n == 1 {
        return edge.distance(outline[0]);
    }
    (0..n).map(|i| edge.gap(&Segment::new(outline[i], outline[(i + 1) % n]))).fold(f64::INFINITY, f64::min)
}

/// Whether a line passes through the inside of a body; a graze does not count.
fn cuts(body: &Body, a: Point, b: Point) -> bool {
    const GRAZE: f64 = 0.000_5;
    let frame = body.rect.frame();
    let (p, q) = (frame.to_local(a), frame.to_local(b));
    let (w, d) = (body.rect.width() * 0.5 - GRAZE, body.rect.depth() * 0.5 - GRAZE);
    let way = q - p;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (start, step, half) in [(p.x, way.x, w), (p.y, way.y, d)] {
        if step.abs() < 1e-12 {
            if start.abs() >= half {
                return false;
            }
            continue;
        }
        let (t0, t1) = ((-half - start) / step, (half - start) / step);
        from = from.max(t0.min(t1));
        to = to.min(t0.max(t1));
    }
    from < to
}
