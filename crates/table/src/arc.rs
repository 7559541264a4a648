//! Fields of fire: wedges, front arcs, half-planes and strips.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::angle;
use crate::convex::{self, Corners};
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::pose::Pose;
use crate::shape::Shape;

/// Everything on one side of an endless line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// A place on the line.
    pub at: Point,
    /// The way in, of length one.
    pub inward: Point,
}

impl HalfPlane {
    /// Everything level with a pose or ahead of it.
    pub(crate) fn ahead_of(pose: &Pose) -> Self {
        Self { at: pose.at, inward: pose.forward() }
    }

    /// How far inside a place is; negative outside.
    #[inline]
    pub(crate) fn depth(&self, point: Point) -> f64 {
        (point - self.at).dot(self.inward)
    }

    /// Whether a place is inside; the line counts.
    #[inline]
    pub(crate) fn contains(&self, point: Point) -> bool {
        self.depth(point) >= -TOLERANCE
    }

    /// Whether any part of a shape is inside; touching the line counts.
    pub(crate) fn touches(&self, shape: &Shape) -> bool {
        shape.core().iter().any(|&corner| self.depth(corner) + shape.radius() >= -TOLERANCE)
    }

    /// Whether the whole of a shape is inside.
    pub(crate) fn holds(&self, shape: &Shape) -> bool {
        shape.core().iter().all(|&corner| self.depth(corner) - shape.radius() >= -TOLERANCE)
    }
}

/// A field of fire or a zone. One wider than 180 degrees is the union of its half-planes, any other what they share.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    planes: ArrayVec<HalfPlane, 3>,
    any: bool,
    // The same ground as a polygon cut off far beyond any table, for measuring; unused when `any`.
    ground: Corners,
}

/// Beyond any table, and near enough to lose no digits.
const FAR: f64 = 4096.0;

impl Arc {
    fn of(planes: ArrayVec<HalfPlane, 3>, any: bool) -> Self {
        let mut ground = Corners::new();
        if !any {
            let middle = planes.first().map_or(Point::ORIGIN, |plane| plane.at);
            let corner = |x: f64, y: f64| middle + Point::new(x, y) * FAR;
            ground = SmallVec::from_slice(&[
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ]);
            let mut next = Corners::new();
            for plane in &planes {
                convex::clip(&ground, plane.at, plane.inward, &mut next);
                std::mem::swap(&mut ground, &mut next);
            }
        }
        Self { planes, any, ground }
    }

    /// Every direction.
    fn all_round() -> Self {
        Self::of(ArrayVec::new(), false)
    }

    /// So many degrees to either side of straight ahead, from one place; 180 or more is every direction.
    pub fn wedge(pose: &Pose, half_angle: f64) -> Self {
        if half_angle >= 180.0 {
            return Self::all_round();
        }
        let half_angle = half_angle.max(0.0);
        let left = angle::right(pose.facing - half_angle);
        let right = -angle::right(pose.facing + half_angle);
        let planes = [HalfPlane { at: pose.at, inward: left }, HalfPlane { at: pose.at, inward: right }];
        let mut planes: ArrayVec<HalfPlane, 3> = planes.into_iter().collect();
        if half_angle == 0.0 {
            planes.push(HalfPlane::ahead_of(pose));
        }
        Self::of(planes, half_angle > 90.0)
    }

    /// The strip straight ahead of a front edge so wide, widened by a margin on either side.
    pub fn strip(pose: &Pose, width: f64, margin: f64) -> Self {
        let frame = pose.frame();
        let half = (width + margin * 2.0) * 0.5;
        let planes = [
            HalfPlane { at: pose.at, inward: frame.forward },
            HalfPlane { at: frame.to_world(Point::new(-half, 0.0)), inward: angle::right(pose.facing) },
            HalfPlane { at: frame.to_world(Point::new(half, 0.0)), inward: -angle::right(pose.facing) },
        ];
        Self::of(planes.into_iter().collect(), false)
    }

    /// Whether a place is in it; the rim counts.
    pub(crate) fn contains(&self, point: Point) -> bool {
        if self.any {
            self.planes.iter().any(|plane| plane.contains(point))
        } else {
            self.planes.iter().all(|plane| plane.contains(point))
        }
    }

    /// Whether any part of a shape is in it; touching the rim counts.
    pub fn touches(&self, shape: &Shape) -> bool {
        if self.any {
            return self.planes.iter().any(|plane| plane.touches(shape));
        }
        if !self.planes.iter().all(|plane| plane.touches(shape)) {
            return false;
        }
        // Inside one corner of it, or past the point where two rims meet?
        self.planes.len() < 2
            || shape.core().iter().any(|&corner| self.contains(corner))
            || self.planes.iter().all(|plane| plane.holds(shape))
            || convex::distance_squared(&convex::difference_ring(&shape.core(), &self.ground), Point::ORIGIN)
                .sqrt()
                <= shape.radius() + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(x: f64, y: f64, r: f64) -> Shape {
        Shape::disc(Point::new(x, y), r).unwrap()
    }

    #[test]
    fn a_strip_lies_straight_ahead() {
        let arc = Arc::strip(&Pose::new(Point::new(10.0, 10.0), 90.0), 5.0, 1.0);
        assert!(arc.contains(Point::new(11.0, 13.5)));
        assert!(!arc.contains(Point::new(11.0, 13.6)));
        assert!(!arc.contains(Point::new(9.9, 10.0)));
        assert!(arc.touches(&disc(9.5, 10.0, 0.5)));
        assert!(!arc.touches(&disc(9.4, 10.0, 0.5)));
    }

    #[test]
    fn a_wedge_is_rounded_off_at_its_apex() {
        let arc = Arc::wedge(&Pose::new(Point::ORIGIN, 0.0), 45.0);
        assert!(arc.contains(Point::new(2.0, 2.0)));
        assert!(!arc.contains(Point::new(2.1, 2.0)));
        assert!(arc.touches(&disc(0.0, -1.0, 1.0)));
        // Reaches both half-planes, but not what they share.
        assert!(!arc.touches(&disc(0.0, -1.1, 1.0)));
    }

    #[test]
    fn a_wide_wedge_leaves_out_what_is_behind() {
        let arc = Arc::wedge(&Pose::new(Point::ORIGIN, 0.0), 135.0);
        assert!(arc.contains(Point::new(3.0, -2.0)));
        assert!(!arc.contains(Point::new(0.0, -2.0)));
        assert!(!arc.touches(&disc(0.0, -1.5, 1.0)));
        assert!(arc.touches(&disc(3.0, 0.0, 1.0)));
        assert!(Arc::all_round().touches(&disc(3.0, 0.0, 1.0)));
    }
}
