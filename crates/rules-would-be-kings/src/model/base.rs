//! Bases: a segment swollen by a radius (WBK-MOD-05), and the gaps between them.

use std::sync::LazyLock;

use tricorne_table::{Bounds, Point, Segment, angle, brink};

/// The slack of every comparison (WBK-MOD-03).
pub const TOLERANCE: f64 = tricorne_table::TOLERANCE;
/// Bases this near are in contact (WBK-MOD-04).
pub const CONTACT: f64 = 0.05;

/// Whether bases so far apart are in contact (WBK-MOD-04), said once for who moves and who fights.
#[inline]
pub fn touches(gap: f64) -> bool {
    gap <= CONTACT + TOLERANCE
}

/// A gap in whole thousandths, for who is nearer: what is equally far by the rules (WBK-MOD-02, 03) must not be told apart by
/// the last bit of a sum, or east would be nearer than west.
#[inline]
pub fn how_near(gap: f64) -> i64 {
    (gap * 1000.0).round() as i64
}

/// A slide has touched when it is this near.
const TOUCH: f64 = 1e-7;
/// Radius of a figure's base.
pub const FIGURE: f64 = 0.5;
/// Radius of a gun's base.
pub const GUN: f64 = 1.0;

/// Forward along a whole-degree facing, from a table.
#[inline]
pub fn forward(facing: u16) -> Point {
    static FORWARD: LazyLock<Vec<Point>> =
        LazyLock::new(|| (0..360).map(|d| angle::forward(f64::from(d))).collect());
    FORWARD[usize::from(facing % 360)]
}

/// One base on the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// Its middle.
    pub centre: Point,
    /// From the middle to the end of its segment; none for a disc.
    pub half: Point,
    /// How far the segment is swollen.
    pub radius: f64,
}

impl Base {
    /// A round base.
    #[inline]
    pub const fn disc(centre: Point, radius: f64) -> Self {
        Self { centre, half: Point::ORIGIN, radius }
    }

    /// A mounted base along a facing.
    #[inline]
    pub fn mounted(centre: Point, facing: u16) -> Self {
        Self { centre, half: forward(facing) * 0.5, radius: FIGURE }
    }

    #[inline]
    fn is_disc(&self) -> bool {
        self.half == Point::ORIGIN
    }

    /// Its segment.
    #[inline]
    pub fn core(&self) -> Segment {
        Segment::new(self.centre - self.half, self.centre + self.half)
    }

    /// Moved along.
    #[inline]
    #[must_use]
    pub fn moved(&self, way: Point) -> Self {
        Self { centre: self.centre + way, ..*self }
    }

    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        let reach = Point::new(self.half.x.abs() + self.radius, self.half.y.abs() + self.radius);
        Bounds { min: self.centre - reach, max: self.centre + reach }
    }

    /// Edge to edge; negative when they overlap.
    #[inline]
    pub fn gap(&self, other: &Base) -> f64 {
        let between = if self.is_disc() && other.is_disc() {
            self.centre.distance(other.centre)
        } else if self.is_disc() {
            other.core().distance(self.centre)
        } else if other.is_disc() {
            self.core().distance(other.centre)
        } else {
            self.core().gap(&other.core())
        };
        between - self.radius - other.radius
    }

    /// From its edge to a place.
    #[inline]
    pub fn gap_to_point(&self, point: Point) -> f64 {
        self.core().distance(point) - self.radius
    }

    /// From its edge to a stretch of wall or outline.
    #[inline]
    pub fn gap_to_segment(&self, segment: &Segment) -> f64 {
        let between = if self.is_disc() { segment.distance(self.centre) } else { self.core().gap(segment) };
        between - self.radius
    }

    /// The points of the two segments that are nearest to each other, from this one to the other.
    pub fn nearest(&self, other: &Base) -> (Point, Point) {
        nearest_points(&self.core(), &other.core())
    }

    /// How near it comes to another base while it slides along `way`.
    pub fn swept_gap(&self, way: Point, other: &Base) -> f64 {
        self.swept_distance(way, &other.core()) - self.radius - other.radius
    }

    /// How near its segment comes to another while it slides along `way`.
    pub fn swept_distance(&self, way: Point, other: &Segment) -> f64 {
        if self.is_disc() {
            let track = Segment::new(self.centre, self.centre + way);
            return if other.a == other.b { track.distance(other.a) } else { track.gap(other) };
        }
        let core = self.core();
        let end = Segment::new(core.a + way, core.b + way);
        let (left, right) = (Segment::new(core.a, end.a), Segment::new(core.b, end.b));
        if in_parallelogram(other.a, core.a, core.b - core.a, way) {
            return 0.0;
        }
        core.gap(other).min(end.gap(other)).min(left.gap(other)).min(right.gap(other))
    }

    /// How far it slides along `way` until it touches a core swollen by `swell`; none if it does not come to it.
    pub fn travel_to(&self, way: Point, other: &Segment, swell: f64) -> Option<f64> {
        let length = way.length();
        if length <= 0.0 {
            return None;
        }
        let reach = self.radius + swell;
        if self.swept_distance(way, other) > reach + TOLERANCE {
            return None;
        }
        // The distance of two convex things is convex along a straight slide: there is one first touch.
        let dir = way / length;
        let at = |t: f64| {
            let core = self.core();
            let moved = Segment::new(core.a + dir * t, core.b + dir * t);
            (if self.is_disc() { other.distance(moved.a) } else { moved.gap(other) }) - reach
        };
        if at(0.0) <= TOUCH {
            return Some(0.0);
        }
        // No point closes faster than the slide itself, so steps of the gap never jump over the touch.
        let mut t = 0.0;
        for _ in 0..12 {
            let gap = at(t);
            if gap <= TOUCH {
                return Some(t);
            }
            if t + gap > length + TOLERANCE {
                return None;
            }
            t = f64::min(t + gap, length);
        }
        // At a grazing angle those steps crawl: look for the nearest approach, then halve down to the touch.
        let (mut low, mut high) = (t, length);
        for _ in 0..48 {
            let third = (high - low) / 3.0;
            if at(low + third) <= at(high - third) { high -= third } else { low += third }
        }
        let nearest = high;
        if at(nearest) > TOUCH {
            return None;
        }
        Some(brink([t, nearest], 48, 0.0, &mut |t| at(t) <= TOUCH)[1])
    }
}

fn in_parallelogram(point: Point, corner: Point, u: Point, v: Point) -> bool {
    let turn = u.cross(v);
    if turn == 0.0 {
        return false;
    }
    let from = point - corner;
    let (s, t) = (from.cross(v) / turn, u.cross(from) / turn);
    (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)
}

/// The points of two segments nearest to each other.
pub fn nearest_points(a: &Segment, b: &Segment) -> (Point, Point) {
    if let Some(crossing) = a.crossing(b) {
        let at = a.at(crossing.t);
        return (at, at);
    }
    let pairs = [(a.a, b.nearest(a.a)), (a.b, b.nearest(a.b)), (a.nearest(b.a), b.a), (a.nearest(b.b), b.b)];
    let mut best = pairs[0];
    for pair in &pairs[1..] {
        if pair.0.distance_squared(pair.1) < best.0.distance_squared(best.1) - 1e-12 {
            best = *pair;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_and_pills_measure_edge_to_edge() {
        let foot = Base::disc(Point::new(0.0, 0.0), FIGURE);
        let horse = Base::mounted(Point::new(5.0, 0.0), 270);
        assert!((foot.gap(&horse) - 3.5).abs() < 1e-12);
        let gun = Base::disc(Point::new(0.0, 4.0), GUN);
        assert!((gun.gap(&foot) - 2.5).abs() < 1e-12);
        assert!(foot.gap(&Base::disc(Point::new(0.5, 0.0), FIGURE)) < 0.0);
    }

    #[test]
    fn a_slide_stops_at_the_touch() {
        let foot = Base::disc(Point::new(0.0, 0.0), FIGURE);
        let wall = Segment::new(Point::new(3.0, -2.0), Point::new(3.0, 2.0));
        let travel = foot.travel_to(Point::new(6.0, 0.0), &wall, 0.0).unwrap();
        assert!((travel - 2.5).abs() < 1e-6);
        assert!(foot.travel_to(Point::new(2.0, 0.0), &wall, 0.0).is_none());
        assert!(foot.travel_to(Point::new(-2.0, 0.0), &wall, 0.0).is_none());
        let horse = Base::mounted(Point::new(0.0, 0.0), 0);
        let point = Segment::new(Point::new(4.0, 0.0), Point::new(4.0, 0.0));
        let travel = horse.travel_to(Point::new(6.0, 0.0), &point, FIGURE).unwrap();
        assert!((travel - 3.0).abs() < 1e-6);
        assert_eq!(horse.swept_distance(Point::new(6.0, 0.0), &point), 0.0);
    }
}
