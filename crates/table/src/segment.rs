//! A straight stretch between two places.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::bounds::Bounds;
use crate::point::Point;

/// The straight stretch from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    /// Where it begins.
    pub a: Point,
    /// Where it ends.
    pub b: Point,
}

/// Where two stretches cross: the share of each at which they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The share along the first.
    pub t: f64,
    /// The share along the second.
    pub u: f64,
}

impl Segment {
    /// The stretch from `a` to `b`.
    #[inline]
    pub const fn new(a: Point, b: Point) -> Self {
        Self { a, b }
    }

    /// The displacement from beginning to end.
    #[inline]
    pub fn way(&self) -> Point {
        self.b - self.a
    }

    /// How long it is.
    pub fn length(&self) -> f64 {
        self.way().length()
    }

    /// The place a share `t` of the way along.
    #[inline]
    pub fn at(&self, t: f64) -> Point {
        self.a.lerp(self.b, t)
    }

    /// The middle.
    pub fn midpoint(&self) -> Point {
        self.a.midpoint(self.b)
    }

    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds::of_pair(self.a, self.b)
    }

    /// The share along it of the place nearest to a point, in `[0, 1]`.
    #[inline]
    pub fn nearest_share(&self, point: Point) -> f64 {
        let way = self.way();
        let along = (point - self.a).dot(way);
        let square = way.length_squared();
        if along <= 0.0 || square == 0.0 {
            0.0
        } else if along >= square {
            1.0
        } else {
            along / square
        }
    }

    /// The place on it nearest to a point.
    #[inline]
    pub fn nearest(&self, point: Point) -> Point {
        let share = self.nearest_share(point);
        if share == 1.0 { self.b } else { self.at(share) }
    }

    /// The square of the distance to a point.
    #[inline]
    pub fn distance_squared(&self, point: Point) -> f64 {
        self.nearest(point).distance_squared(point)
    }

    /// The distance to a point.
    pub fn distance(&self, point: Point) -> f64 {
        self.distance_squared(point).sqrt()
    }

    /// On which side a point lies of the endless line through it: positive left, negative right.
    #[inline]
    pub fn side(&self, point: Point) -> f64 {
        self.way().cross(point - self.a)
    }

    /// Where the two stretches cross; none when they are parallel or do not meet.
    #[inline]
    pub fn crossing(&self, other: &Self) -> Option<Crossing> {
        // A hair beyond the ends counts, so that a line through a corner never slips between two edges.
        const HAIR: f64 = 1e-9;
        let (way, across) = (self.way(), other.way());
        let turn = way.cross(across);
        if turn == 0.0 {
            return None;
        }
        let from = other.a - self.a;
        let t = from.cross(across) / turn;
        let u = from.cross(way) / turn;
        let meets = (-HAIR..=1.0 + HAIR).contains(&t) && (-HAIR..=1.0 + HAIR).contains(&u);
        meets.then(|| Crossing { t: t.clamp(0.0, 1.0), u: u.clamp(0.0, 1.0) })
    }

    /// The distance between two stretches; zero when they meet.
    pub fn gap(&self, other: &Self) -> f64 {
        if self.crossing(other).is_some() {
            return 0.0;
        }
        self.distance_squared(other.a)
            .min(self.distance_squared(other.b))
            .min(other.distance_squared(self.a))
            .min(other.distance_squared(self.b))
            .sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(ax: f64, ay: f64, bx: f64, by: f64) -> Segment {
        Segment::new(Point::new(ax, ay), Point::new(bx, by))
    }

    #[test]
    fn crosses_in_the_middle() {
        let crossing = segment(0.0, 0.0, 4.0, 0.0).crossing(&segment(1.0, -1.0, 1.0, 3.0)).unwrap();
        assert_eq!(crossing, Crossing { t: 0.25, u: 0.25 });
        assert!(segment(0.0, 0.0, 4.0, 0.0).crossing(&segment(5.0, -1.0, 5.0, 1.0)).is_none());
        assert!(segment(0.0, 0.0, 4.0, 0.0).crossing(&segment(0.0, 1.0, 4.0, 1.0)).is_none());
    }

    #[test]
    fn measures_to_a_point_and_to_a_neighbour() {
        let wall = segment(0.0, 0.0, 4.0, 0.0);
        assert_eq!(wall.distance(Point::new(2.0, 3.0)), 3.0);
        assert_eq!(wall.distance(Point::new(7.0, 4.0)), 5.0);
        assert_eq!(wall.gap(&segment(5.0, 0.0, 9.0, 0.0)), 1.0);
        assert_eq!(wall.gap(&segment(2.0, 2.0, 2.0, 9.0)), 2.0);
        assert_eq!(wall.gap(&segment(2.0, -2.0, 2.0, 9.0)), 0.0);
        assert_eq!(segment(1.0, 1.0, 1.0, 1.0).distance(Point::new(1.0, 3.0)), 2.0);
    }
}
