//! Convex corners: the arithmetic under every shape.
//!
//! Corners run anticlockwise. A single point and a segment (there and back again) count as polygons too,
//! which is what lets one routine serve discs, pills, rectangles and hulls.

use smallvec::SmallVec;

use crate::point::Point;

/// The corners of a convex polygon, inline up to twelve.
pub(crate) type Corners = SmallVec<[Point; 12]>;

/// Enough room inline for the difference of two twelve-cornered hulls.
pub(crate) type Ring = SmallVec<[Point; 24]>;

/// Twice the area inside the corners, positive when they run anticlockwise.
pub(crate) fn doubled_area(corners: &[Point]) -> f64 {
    let Some((&first, rest)) = corners.split_first() else { return 0.0 };
    // Measured from the first corner, so that a shape far from the origin loses no digits.
    rest.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

/// The centre of gravity; of something without area, the middle of its corners.
pub(crate) fn centroid(corners: &[Point]) -> Point {
    let Some((&first, rest)) = corners.split_first() else { return Point::ORIGIN };
    let mut sum = Point::ORIGIN;
    let mut doubled = 0.0;
    for pair in rest.windows(2) {
        let (a, b) = (pair[0] - first, pair[1] - first);
        let piece = a.cross(b);
        sum += (a + b) * piece;
        doubled += piece;
    }
    if doubled.abs() > 1e-12 {
        first + sum / (3.0 * doubled)
    } else {
        corners.iter().fold(Point::ORIGIN, |all, &corner| all + corner) / corners.len() as f64
    }
}

/// The convex hull, anticlockwise from the westernmost point, without corners on a straight side.
pub(crate) fn hull(points: &mut [Point]) -> Corners {
    points.sort_unstable_by(Point::order);
    let mut chain = Corners::new();
    let mut half = |points: &mut dyn Iterator<Item = Point>| {
        let start = chain.len();
        for point in points {
            while chain.len() >= start + 2 {
                let (a, b) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                // Exactly zero and no slack: for three points all but on one line, slack could drop the far one.
                if (b - a).cross(point - a) > 0.0 {
                    break;
                }
                chain.pop();
            }
            if chain.len() == start || chain[chain.len() - 1] != point {
                chain.push(point);
            }
        }
        // The last point of one half is the first of the other.
        if chain.len() > start + 1 {
            chain.pop();
        }
    };
    half(&mut points.iter().copied());
    half(&mut points.iter().rev().copied());
    // Corners that only rounding tells apart would make a side that points anywhere.
    let same = |a: Point, b: Point| a.distance_squared(b) < 1e-18;
    chain.dedup_by(|b, a| same(*a, *b));
    while chain.len() > 1 && same(chain[0], chain[chain.len() - 1]) {
        chain.pop();
    }
    chain
}

/// The part of a polygon on the inner side of a line: through `at`, with `inward` pointing in.
///
/// A concave polygon may come back with pieces joined by sides that cancel, so that its area is still right.
pub(crate) fn clip<const N: usize>(
    corners: &[Point],
    at: Point,
    inward: Point,
    into: &mut SmallVec<[Point; N]>,
) where
    [Point; N]: smallvec::Array<Item = Point>,
{
    into.clear();
    let Some(&last) = corners.last() else { return };
    let mut before = last;
    let mut depth_before = (before - at).dot(inward);
    for &corner in corners {
        let depth = (corner - at).dot(inward);
        if (depth >= 0.0) != (depth_before >= 0.0) {
            into.push(before.lerp(corner, depth_before / (depth_before - depth)));
        }
        if depth >= 0.0 {
            into.push(corner);
        }
        before = corner;
        depth_before = depth;
    }
}

/// The part of a polygon inside a convex one.
pub(crate) fn clip_to(subject: &[Point], convex: &[Point]) -> SmallVec<[Point; 24]> {
    let mut kept: SmallVec<[Point; 24]> = SmallVec::from_slice(subject);
    let mut next: SmallVec<[Point; 24]> = SmallVec::new();
    for (i, &a) in convex.iter().enumerate() {
        let b = convex[(i + 1) % convex.len()];
        clip(&kept, a, (b - a).quarter_left(), &mut next);
        std::mem::swap(&mut kept, &mut next);
        if kept.is_empty() {
            break;
        }
    }
    kept
}

/// Where the merge of [`difference`] starts: the lowest corner, of those the westernmost.
fn lowest(corners: &[Point], sign: f64) -> usize {
    let mut best = 0;
    for (i, &corner) in corners.iter().enumerate().skip(1) {
        let (p, q) = (corner * sign, corners[best] * sign);
        if p.y < q.y || (p.y == q.y && p.x < q.x) {
            best = i;
        }
    }
    best
}

/// The Minkowski difference `b - a` of two convex polygons: every way from a point of `a` to a point of `b`.
///
/// Calls `corner(way, i, j)` for each corner in order, the way from `a[i]` to `b[j]`.
#[inline]
pub(crate) fn difference(a: &[Point], b: &[Point], mut corner: impl FnMut(Point, usize, usize)) {
    let (n, m) = (a.len(), b.len());
    let (mut i, mut j) = (lowest(a, -1.0), lowest(b, 1.0));
    // A lone point has no sides to walk.
    let (mut left_a, mut left_b) = (if n > 1 { n } else { 0 }, if m > 1 { m } else { 0 });
    if left_a == 0 && left_b == 0 {
        corner(b[j] - a[i], i, j);
        return;
    }
    while left_a > 0 || left_b > 0 {
        corner(b[j] - a[i], i, j);
        let (next_i, next_j) = (if i + 1 == n { 0 } else { i + 1 }, if j + 1 == m { 0 } else { j + 1 });
        let step_b = if left_a == 0 {
            true
        } else if left_b == 0 {
            false
        } else {
            let (side_a, side_b) = (a[i] - a[next_i], b[next_j] - b[j]);
            let turn = side_b.cross(side_a);
            // Opposite sides that rounding makes parallel: the one that still points up goes first.
            turn > 0.0
                || (turn == 0.0
                    && (side_b.dot(side_a) > 0.0 || side_b.y > 0.0 || (side_b.y == 0.0 && side_b.x > 0.0)))
        };
        if step_b {
            j = next_j;
            left_b -= 1;
        } else {
            i = next_i;
            left_a -= 1;
        }
    }
}

/// The difference as a plain ring of corners.
pub(crate) fn difference_ring(a: &[Point], b: &[Point]) -> Ring {
    let mut ring = Ring::new();
    difference(a, b, |way, _, _| ring.push(way));
    ring
}

/// Of two sides in one line rounding may show the wrong one; so those all but seen are measured too.
pub(crate) const ALL_BUT_SEEN: f64 = -1e-7;

/// The square of the distance from a point to a convex polygon; zero inside.
#[inline]
pub(crate) fn distance_squared(corners: &[Point], point: Point) -> f64 {
    let mut best = f64::INFINITY;
    let mut outside = false;
    let Some(&last) = corners.last() else { return best };
    let mut a = last - point;
    for &corner in corners {
        let b = corner - point;
        let side = b - a;
        // Only a side seen from outside can be nearest. A polygon without area is seen from everywhere.
        let seen = side.cross(a);
        outside |= seen >= 0.0;
        if seen >= ALL_BUT_SEEN {
            let along = -a.dot(side);
            let square = side.length_squared();
            let near = if along <= 0.0 || square == 0.0 {
                a
            } else if along >= square {
                b
            } else {
                a + side * (along / square)
            };
            best = best.min(near.length_squared());
        }
        a = b;
    }
    if outside { best } else { 0.0 }
}

/// How deep a point lies inside a convex polygon: the way to its nearest side; zero or less outside.
pub(crate) fn depth(corners: &[Point], point: Point) -> f64 {
    let mut least = f64::INFINITY;
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if let Some(way) = (b - a).unit() {
            least = least.min(way.cross(point - a));
        }
    }
    if least == f64::INFINITY { 0.0 } else { least }
}

/// The shares `t` between which the endless line `from + t * way` runs in a convex polygon swollen by `swell`.
///
/// A negative swell shrinks: the line must then pass that deep inside.
pub(crate) fn chord(corners: &[Point], swell: f64, from: Point, way: Point) -> Option<(f64, f64)> {
    if swell > 0.0 {
        swollen_chord(corners, swell, from, way)
    } else if corners.len() > 2 {
        let inset = -swell;
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
            let inward = (b - a).quarter_left();
            let need = if inset == 0.0 { 0.0 } else { inset * inward.length() };
            let depth = (from - a).dot(inward) - need;
            let rate = way.dot(inward);
            if rate == 0.0 {
                if depth < 0.0 {
                    return None;
                }
            } else if rate > 0.0 {
                enter = enter.max(-depth / rate);
            } else {
                leave = leave.min(-depth / rate);
            }
            if enter > leave {
                return None;
            }
        }
        Some((enter, leave))
    } else if swell < 0.0 {
        None
    } else {
        // A bare segment or point is met at one moment, if at all.
        let (a, b) = (*corners.first()?, *corners.last()?);
        let turn = way.cross(b - a);
        if turn == 0.0 {
            return None;
        }
        let u = (a - from).cross(way) / turn;
        let t = (a - from).cross(b - a) / turn;
        (-1e-9..=1.0 + 1e-9).contains(&u).then_some((t, t))
    }
}

fn swollen_chord(corners: &[Point], swell: f64, from: Point, way: Point) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    let square = way.length_squared();
    if square == 0.0 {
        return None;
    }
    for (i, &a) in corners.iter().enumerate() {
        // The round corner.
        let to = a - from;
        let middle = to.dot(way) / square;
        let off = to - way * middle;
        let inside = swell * swell - off.length_squared();
        if inside >= 0.0 {
            let half = (inside / square).sqrt();
            enter = enter.min(middle - half);
            leave = leave.max(middle + half);
        }
        // The side, moved out.
        if corners.len() > 1 {
            let b = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
            let side = b - a;
            let turn = way.cross(side);
            if turn != 0.0 {
                let length = side.length();
                let start = to + side.quarter_right() * (swell / length);
                let u = start.cross(way) / turn;
                if (0.0..=1.0).contains(&u) {
                    let t = start.cross(side) / turn;
                    enter = enter.min(t);
                    leave = leave.max(t);
                }
            }
        }
    }
    (enter <= leave).then_some((enter, leave))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> [Point; 4] {
        [Point::new(0.0, 0.0), Point::new(2.0, 0.0), Point::new(2.0, 2.0), Point::new(0.0, 2.0)]
    }

    #[test]
    fn the_hull_drops_what_lies_inside_or_on_a_side() {
        let mut points = [
            Point::new(1.0, 1.0),
            Point::new(2.0, 2.0),
            Point::new(0.0, 0.0),
            Point::new(1.0, 0.0),
            Point::new(2.0, 0.0),
            Point::new(0.0, 2.0),
            Point::new(0.0, 2.0),
        ];
        assert_eq!(hull(&mut points).as_slice(), square());
        assert_eq!(hull(&mut [Point::new(1.0, 1.0), Point::new(1.0, 1.0)]).len(), 1);
        let mut row = [Point::new(0.0, 0.0), Point::new(1.0, 1.0), Point::new(2.0, 2.0)];
        assert_eq!(hull(&mut row).as_slice(), [Point::new(0.0, 0.0), Point::new(2.0, 2.0)]);
        // The middle point in order is the far corner, and the last is the first but for rounding.
        let mut upright = [
            Point::new(18.234_294_072_256_358, 0.47),
            Point::new(18.234_294_072_256_36, -0.47),
            Point::new(18.234_294_072_256_36, 0.47),
            Point::new(18.9, 0.0),
        ];
        assert_eq!(hull(&mut upright).len(), 3);
        assert!(hull(&mut upright).iter().any(|corner| corner.y == -0.47));
    }

    #[test]
    fn a_clipped_square_keeps_half() {
        let mut half: SmallVec<[Point; 12]> = SmallVec::new();
        clip(&square(), Point::new(1.0, 0.0), Point::new(1.0, 0.0), &mut half);
        assert_eq!(doubled_area(&half), 4.0);
        assert_eq!(centroid(&half), Point::new(1.5, 1.0));
    }

    #[test]
    fn the_difference_of_a_square_and_a_segment_has_six_corners() {
        let segment = [Point::new(5.0, 5.0), Point::new(6.0, 6.0)];
        let ring = difference_ring(&square(), &segment);
        assert_eq!(ring.len(), 6);
        assert!(doubled_area(&ring) > 0.0);
        // Square of area 4 swept along (1, 1): 4 + |(1,1) x sides| = 4 + 4.
        assert_eq!(doubled_area(&ring), 16.0);
    }

    #[test]
    fn two_sides_in_one_line_are_as_near_as_one() {
        // A rectangle swept along its facing; the place is one of its corners, on the far part of the side.
        let corners = [
            Point::new(-9.422_290_171_164_919, -0.769_231_347_687_932_2),
            Point::new(-5.179_649_484_045_633, -5.011_872_034_807_218),
            Point::new(2.828_427_124_746_190_3, 2.996_204_573_984_606),
            Point::new(-1.414_213_562_373_095_4, 7.238_845_261_103_892),
            Point::new(-8.715_183_389_978_371, -0.062_124_566_501_384_315),
        ];
        let place = Point::new(-2.121_320_343_559_643, 6.531_738_479_917_344);
        assert!(distance_squared(&corners, place) < 1e-18);
    }

    #[test]
    fn chords_swell_and_shrink() {
        let (from, way) = (Point::new(-1.0, 1.0), Point::new(1.0, 0.0));
        assert_eq!(chord(&square(), 0.0, from, way), Some((1.0, 3.0)));
        assert_eq!(chord(&square(), 0.5, from, way), Some((0.5, 3.5)));
        assert_eq!(chord(&square(), -0.5, from, way), Some((1.5, 2.5)));
        let edge = Point::new(-1.0, 0.0);
        assert!(chord(&square(), 0.0, edge, way).is_some());
        assert!(chord(&square(), -0.001, edge, way).is_none());
    }
}
