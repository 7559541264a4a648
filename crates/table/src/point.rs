//! A place on the table, or the way from one place to another.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::measure::{TOLERANCE, round_to};

/// A place or a displacement; written `[x, y]` in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
#[schemars(with = "[f64; 2]")]
pub struct Point {
    /// East of the south-west corner.
    pub x: f64,
    /// North of the south-west corner.
    pub y: f64,
}

impl Point {
    /// The south-west corner of the table; as a displacement, none.
    pub const ORIGIN: Self = Self { x: 0.0, y: 0.0 };

    /// The place at `x` east and `y` north.
    #[inline]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Whether both coordinates are ordinary numbers.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The scalar product.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product; positive when `other` lies anticlockwise of `self`.
    #[inline]
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The square of the length.
    #[inline]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// The length as a displacement.
    #[inline]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// The distance to another place.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        (other - self).length()
    }

    /// The square of the distance to another place.
    #[inline]
    pub fn distance_squared(self, other: Self) -> f64 {
        (other - self).length_squared()
    }

    /// The place a share `t` of the way to `other`.
    #[inline]
    #[must_use]
    pub fn lerp(self, other: Self, t: f64) -> Self {
        self + (other - self) * t
    }

    /// The place half way to `other`.
    #[inline]
    #[must_use]
    pub fn midpoint(self, other: Self) -> Self {
        Self::new((self.x + other.x) * 0.5, (self.y + other.y) * 0.5)
    }

    /// The displacement of length one the same way; none when there is no length to speak of.
    #[inline]
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 1e-12).then(|| self / length)
    }

    /// Turned a quarter to the left (anticlockwise).
    #[inline]
    #[must_use]
    pub fn quarter_left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// Turned a quarter to the right (clockwise).
    #[inline]
    #[must_use]
    pub fn quarter_right(self) -> Self {
        Self::new(self.y, -self.x)
    }

    /// Turned clockwise by so many degrees.
    #[must_use]
    pub fn turned(self, degrees: f64) -> Self {
        let (sin, cos) = crate::angle::sin_cos(degrees);
        Self::new(self.x * cos + self.y * sin, self.y * cos - self.x * sin)
    }

    /// Turned clockwise by so many degrees about a pivot.
    #[must_use]
    pub fn turned_about(self, pivot: Self, degrees: f64) -> Self {
        pivot + (self - pivot).turned(degrees)
    }

    /// Both coordinates rounded to a multiple of `step`, halves away from zero.
    #[must_use]
    pub fn round_to(self, step: f64) -> Self {
        Self::new(round_to(self.x, step), round_to(self.y, step))
    }

    /// Whether the two places are the same within the tolerance.
    pub fn near(self, other: Self) -> bool {
        self.distance_squared(other) <= TOLERANCE * TOLERANCE
    }

    /// A total order, west to east and then south to north.
    pub fn order(&self, other: &Self) -> Ordering {
        self.x.total_cmp(&other.x).then(self.y.total_cmp(&other.y))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.round_to(0.001);
        write!(f, "({}, {})", shown.x, shown.y)
    }
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [f64; 2] {
    fn from(point: Point) -> Self {
        [point.x, point.y]
    }
}

impl Add for Point {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Point {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Point {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl SubAssign for Point {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Point {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    #[inline]
    fn mul(self, by: f64) -> Self {
        Self::new(self.x * by, self.y * by)
    }
}

impl Div<f64> for Point {
    type Output = Self;
    #[inline]
    fn div(self, by: f64) -> Self {
        Self::new(self.x / by, self.y / by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_right_turns_north_into_east() {
        let north = Point::new(0.0, 1.0);
        assert_eq!(north.quarter_right(), Point::new(1.0, 0.0));
        assert_eq!(north.turned(90.0), Point::new(1.0, 0.0));
        assert_eq!(north.turned(-90.0), Point::new(-1.0, 0.0));
        assert_eq!(north.quarter_left(), Point::new(-1.0, 0.0));
    }

    #[test]
    fn measures_three_four_five() {
        assert_eq!(Point::new(1.0, 1.0).distance(Point::new(4.0, 5.0)), 5.0);
        assert_eq!(Point::new(0.0, 2.0).lerp(Point::new(4.0, 4.0), 0.25), Point::new(1.0, 2.5));
        assert!(Point::ORIGIN.unit().is_none());
    }

    #[test]
    fn shows_thousandths() {
        assert_eq!(Point::new(1.23456, -2.0).to_string(), "(1.235, -2)");
    }
}
