//! Bearings, in degrees clockwise from north.

use crate::measure::round_to;
use crate::point::Point;

const RADIANS: f64 = std::f64::consts::PI / 180.0;
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// The same bearing in `[0, 360)`.
#[inline]
pub fn normalise(degrees: f64) -> f64 {
    if (0.0..360.0).contains(&degrees) {
        return degrees + 0.0;
    }
    // A turn from within the circle leads at most once round; the remainder is then the sum, to the last bit.
    let turned = match degrees {
        d if (360.0..720.0).contains(&d) => d - 360.0,
        d if (-360.0..0.0).contains(&d) => d + 360.0,
        d => d.rem_euclid(360.0),
    };
    // A tiny negative angle comes back as 360 itself.
    if turned >= 360.0 { 0.0 } else { turned + 0.0 }
}

/// Sine and cosine of an angle in degrees; exact at every multiple of 90, and symmetric between quadrants.
pub fn sin_cos(degrees: f64) -> (f64, f64) {
    let turn = normalise(degrees);
    // Cut off, which here is rounding down, and no call.
    let quadrant = f64::from((turn / 90.0) as u8);
    let rest = turn - quadrant * 90.0;
    let (sin, cos) = if rest == 0.0 {
        (0.0, 1.0)
    } else if rest == 30.0 {
        (0.5, HALF_ROOT_3)
    } else if rest == 45.0 {
        (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2)
    } else if rest == 60.0 {
        (HALF_ROOT_3, 0.5)
    } else {
        let radians = rest * RADIANS;
        libm::sincos(radians)
    };
    // Subtracting from zero keeps negative zero out.
    match quadrant as u8 {
        0 => (sin, cos),
        1 => (cos, 0.0 - sin),
        2 => (0.0 - sin, 0.0 - cos),
        _ => (0.0 - cos, sin),
    }
}

/// Sine of an angle in degrees.
pub fn sin(degrees: f64) -> f64 {
    sin_cos(degrees).0
}

/// Cosine of an angle in degrees.
pub fn cos(degrees: f64) -> f64 {
    sin_cos(degrees).1
}

/// An angle in degrees as radians.
pub fn radians(degrees: f64) -> f64 {
    degrees * RADIANS
}

/// The displacement of length one along a bearing.
pub fn forward(degrees: f64) -> Point {
    let (sin, cos) = sin_cos(degrees);
    Point::new(sin, cos)
}

/// The displacement of length one to the right of a bearing.
pub fn right(degrees: f64) -> Point {
    let (sin, cos) = sin_cos(degrees);
    Point::new(cos, 0.0 - sin)
}

/// The bearing of a displacement, in `[0, 360)`; north when it has no length.
pub fn bearing_of(way: Point) -> f64 {
    let Point { x, y } = way;
    if x == 0.0 {
        return if y < 0.0 { 180.0 } else { 0.0 };
    }
    if y == 0.0 {
        return if x < 0.0 { 270.0 } else { 90.0 };
    }
    if x.abs() == y.abs() {
        return match (x > 0.0, y > 0.0) {
            (true, true) => 45.0,
            (true, false) => 135.0,
            (false, false) => 225.0,
            (false, true) => 315.0,
        };
    }
    normalise(libm::atan2(x, y) / RADIANS)
}

/// The bearing from one place to another, in `[0, 360)`; north when they are the same.
pub fn bearing(from: Point, to: Point) -> f64 {
    bearing_of(to - from)
}

/// The smallest turn from one bearing to another, in `(-180, 180]`, clockwise positive.
pub fn turn(from: f64, to: f64) -> f64 {
    let clockwise = normalise(to - from);
    if clockwise > 180.0 { clockwise - 360.0 } else { clockwise }
}

/// Straight on, then so far to the right and to the left, twice so far, and so on up to the furthest: the turns in which one
/// looks for a way where the straight one may be barred. A step of nothing leaves the straight one alone.
///
/// ```
/// use tricorne_table::angle;
/// assert_eq!(angle::fan(15.0, 40.0).collect::<Vec<_>>(), [0.0, 15.0, -15.0, 30.0, -30.0]);
/// ```
pub fn fan(step: f64, furthest: f64) -> impl Iterator<Item = f64> {
    let each = if step > 0.0 { (furthest / step + 1e-9).floor().max(0.0) as u32 } else { 0 };
    std::iter::once(0.0).chain((1..=each).flat_map(move |k| [f64::from(k) * step, -f64::from(k) * step]))
}

/// A bearing rounded to a multiple of `step` degrees, in `[0, 360)`.
pub fn round_bearing(degrees: f64, step: f64) -> f64 {
    normalise(round_to(normalise(degrees), step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quarters_are_exact() {
        for (degrees, way) in [
            (0.0, Point::new(0.0, 1.0)),
            (90.0, Point::new(1.0, 0.0)),
            (180.0, Point::new(0.0, -1.0)),
            (270.0, Point::new(-1.0, 0.0)),
            (-90.0, Point::new(-1.0, 0.0)),
            (720.0, Point::new(0.0, 1.0)),
        ] {
            assert_eq!(forward(degrees), way);
            assert_eq!(right(degrees), way.quarter_right());
            assert_eq!(bearing_of(way), normalise(degrees));
        }
        assert_eq!(sin(30.0), 0.5);
    }

    #[test]
    fn turns_take_the_short_way() {
        assert_eq!(turn(350.0, 10.0), 20.0);
        assert_eq!(turn(10.0, 350.0), -20.0);
        assert_eq!(turn(0.0, 180.0), 180.0);
        assert_eq!(turn(180.0, 0.0), 180.0);
        assert_eq!(normalise(-1e-20), 0.0);
        assert_eq!(round_bearing(359.96, 0.1), 0.0);
    }

    proptest! {
        #[test]
        fn a_bearing_survives_the_round_trip(degrees in 0.0..360.0f64, far in 0.1..100.0f64) {
            let back = bearing_of(forward(degrees) * far);
            prop_assert!(turn(degrees, back).abs() < 1e-9);
        }

        #[test]
        fn sines_are_symmetric(degrees in -720.0..720.0f64) {
            let (s, c) = sin_cos(degrees);
            prop_assert!((s * s + c * c - 1.0).abs() < 1e-14);
            let (s2, c2) = sin_cos(degrees + 180.0);
            prop_assert!((s + s2).abs() < 1e-12 && (c + c2).abs() < 1e-12);
        }
    }
}
