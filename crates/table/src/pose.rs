//! Where something stands and which way it looks.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::angle;
use crate::point::Point;

/// A place and a facing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pose {
    /// Where it stands.
    pub at: Point,
    /// Which way it looks, in degrees clockwise from north.
    pub facing: f64,
}

/// A pose with its directions worked out, for many conversions at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where it stands.
    pub at: Point,
    /// The way it looks, of length one.
    pub forward: Point,
}

impl Frame {
    /// The way to the right, of length one.
    #[inline]
    pub fn right(&self) -> Point {
        self.forward.quarter_right()
    }

    /// The place `local.x` to the right and `local.y` ahead.
    #[inline]
    pub fn to_world(&self, local: Point) -> Point {
        self.at + self.to_world_way(local)
    }

    /// How far to the right (`x`) and ahead (`y`) a place is.
    #[inline]
    pub fn to_local(&self, world: Point) -> Point {
        self.local_way(world - self.at)
    }

    /// The displacement `local.x` to the right and `local.y` ahead.
    #[inline]
    pub fn to_world_way(&self, local: Point) -> Point {
        self.right() * local.x + self.forward * local.y
    }

    /// A displacement as its parts to the right (`x`) and ahead (`y`).
    #[inline]
    pub(crate) fn local_way(&self, way: Point) -> Point {
        Point::new(way.dot(self.right()), way.dot(self.forward))
    }
}

impl Pose {
    /// Standing at a place, looking along a bearing.
    pub fn new(at: Point, facing: f64) -> Self {
        Self { at, facing: angle::normalise(facing) }
    }

    /// The directions worked out once.
    pub fn frame(&self) -> Frame {
        Frame { at: self.at, forward: angle::forward(self.facing) }
    }

    /// The way it looks, of length one.
    pub fn forward(&self) -> Point {
        angle::forward(self.facing)
    }

    /// The way to its right, of length one.
    pub fn right(&self) -> Point {
        angle::right(self.facing)
    }

    /// The place `local.x` to the right and `local.y` ahead.
    pub fn to_world(&self, local: Point) -> Point {
        self.frame().to_world(local)
    }

    /// How far to the right (`x`) and ahead (`y`) a place is.
    pub fn to_local(&self, world: Point) -> Point {
        self.frame().to_local(world)
    }

    /// Slid by a displacement, facing kept.
    #[must_use]
    pub fn slid(&self, way: Point) -> Self {
        Self { at: self.at + way, facing: self.facing }
    }

    /// Slid straight ahead.
    #[must_use]
    pub fn ahead(&self, distance: f64) -> Self {
        self.slid(self.forward() * distance)
    }

    /// Slid straight back.
    #[must_use]
    pub fn back(&self, distance: f64) -> Self {
        self.slid(self.forward() * -distance)
    }

    /// Slid to the right, or to the left when the distance is negative.
    #[must_use]
    pub fn sideways(&self, distance: f64) -> Self {
        self.slid(self.right() * distance)
    }

    /// Slid along a bearing, facing kept.
    #[must_use]
    pub fn along(&self, bearing: f64, distance: f64) -> Self {
        self.slid(angle::forward(bearing) * distance)
    }

    /// Turned on the spot, clockwise positive.
    #[must_use]
    pub fn turned(&self, degrees: f64) -> Self {
        Self::new(self.at, self.facing + degrees)
    }

    /// Turned about a pivot, clockwise positive.
    #[must_use]
    pub fn turned_about(&self, pivot: Point, degrees: f64) -> Self {
        Self::new(self.at.turned_about(pivot, degrees), self.facing + degrees)
    }

    /// Whether place and facing are ordinary numbers.
    pub fn is_finite(&self) -> bool {
        self.at.is_finite() && self.facing.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn right_of_east_is_south() {
        let pose = Pose::new(Point::new(10.0, 10.0), 90.0);
        assert_eq!(pose.to_world(Point::new(2.0, 3.0)), Point::new(13.0, 8.0));
        assert_eq!(pose.to_local(Point::new(13.0, 8.0)), Point::new(2.0, 3.0));
        assert_eq!(pose.ahead(4.0).at, Point::new(14.0, 10.0));
        assert_eq!(pose.back(4.0).at, Point::new(6.0, 10.0));
        assert_eq!(pose.sideways(-1.0).at, Point::new(10.0, 11.0));
        assert_eq!(pose.along(0.0, 5.0).at, Point::new(10.0, 15.0));
        assert_eq!(pose.turned(-100.0).facing, 350.0);
    }

    proptest! {
        #[test]
        fn local_and_world_are_inverse(
            x in -50.0..50.0f64, y in -50.0..50.0f64, facing in 0.0..360.0f64,
            u in -9.0..9.0f64, v in -9.0..9.0f64,
        ) {
            let pose = Pose::new(Point::new(x, y), facing);
            let local = Point::new(u, v);
            prop_assert!(pose.to_local(pose.to_world(local)).distance(local) < 1e-12);
        }

        #[test]
        fn turning_about_a_pivot_keeps_the_distance(facing in 0.0..360.0f64, by in -360.0..360.0f64) {
            let pose = Pose::new(Point::new(3.0, 4.0), facing);
            let pivot = Point::new(-1.0, 2.0);
            let turned = pose.turned_about(pivot, by);
            prop_assert!((turned.at.distance(pivot) - pose.at.distance(pivot)).abs() < 1e-12);
            prop_assert!(angle::turn(turned.facing, facing + by).abs() < 1e-9);
            // The pivot stays where it was in the frame of the one who turns.
            prop_assert!(turned.to_local(pivot).distance(pose.to_local(pivot)) < 1e-9);
        }
    }
}
