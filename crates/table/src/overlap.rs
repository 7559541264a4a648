//! Areas: of one shape, and of what two shapes share.

use std::f64::consts::PI;

use smallvec::SmallVec;

use crate::angle;
use crate::arc::HalfPlane;
use crate::convex::{self, Corners};
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::shape::Shape;

/// How far a rim drawn with corners may lie inside the true round where measuring depends on it.
const FINE: f64 = TOLERANCE * 0.5;

/// How many corners a circle needs to stay within `slack` of the round.
fn corners_for(radius: f64, slack: f64) -> usize {
    // The sagitta of a chord is about radius * (pi / n)^2 / 2; a multiple of four keeps the axes exact.
    let need = PI * (radius / (2.0 * slack)).sqrt();
    (need / 4.0).ceil().clamp(2.0, 64.0) as usize * 4
}

/// The rim of a disc as points, anticlockwise; the point itself when there is no radius.
pub(crate) fn round(centre: Point, radius: f64, emit: &mut dyn FnMut(Point)) {
    if radius <= FINE {
        emit(centre);
        return;
    }
    let count = corners_for(radius, FINE);
    for i in 0..count {
        emit(centre + angle::right(-360.0 * i as f64 / count as f64) * radius);
    }
}

/// The area of a disc about the origin that lies in the triangle of the origin, `a` and `b`, signed.
fn sector_share(a: Point, b: Point, radius: f64) -> f64 {
    let square = radius * radius;
    let swept = |from: Point, to: Point| 0.5 * square * libm::atan2(from.cross(to), from.dot(to));
    match convex::chord(&[Point::ORIGIN], radius, a, b - a) {
        Some((enter, leave)) if enter < 1.0 && leave > 0.0 => {
            let (from, to) = (a.lerp(b, enter.max(0.0)), a.lerp(b, leave.min(1.0)));
            let mut area = 0.5 * from.cross(to);
            if enter > 0.0 {
                area += swept(a, from);
            }
            if leave < 1.0 {
                area += swept(to, b);
            }
            area
        }
        _ => swept(a, b),
    }
}

/// The area a disc shares with a simple polygon, concave or not; signed by the way its corners run.
pub(crate) fn disc_share(corners: &[Point], centre: Point, radius: f64) -> f64 {
    let mut area = 0.0;
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if a != b {
            area += sector_share(a - centre, b - centre, radius);
        }
    }
    area
}

/// The area two discs share.
fn lens(apart: f64, a: f64, b: f64) -> f64 {
    if apart >= a + b {
        return 0.0;
    }
    let small = a.min(b);
    if apart <= (a - b).abs() {
        return PI * small * small;
    }
    let along = (apart * apart + a * a - b * b) / (2.0 * apart);
    let half = (a * a - along * along).max(0.0).sqrt();
    let piece = |radius: f64, along: f64| radius * radius * libm::atan2(half, along) - along * half;
    piece(a, along) + piece(b, apart - along)
}

impl Shape {
    /// The outline as corners, anticlockwise; round parts drawn finely enough for the tolerance.
    pub fn outline(&self) -> SmallVec<[Point; 24]> {
        self.outline_within(FINE)
    }

    /// The outline as corners, anticlockwise; round parts are drawn with corners on the round whose sides lie at most
    /// about `slack` inside it. A picture needs fewer corners than a measurement.
    pub fn outline_within(&self, slack: f64) -> SmallVec<[Point; 24]> {
        let core = self.core();
        let radius = self.radius();
        if radius <= slack.max(FINE) {
            return SmallVec::from_slice(&core);
        }
        let count = corners_for(radius, slack.max(FINE)) as i64;
        let step = 360.0 / count as f64;
        let mut points: SmallVec<[Point; 128]> = SmallVec::new();
        for (i, &corner) in core.iter().enumerate() {
            // A corner shows the part of its rim between the outward normals of the sides that meet there. Of a rim of
            // evenly spread corners these are the ones nearest to both normals and all between.
            let next = core[(i + 1) % core.len()];
            let before = core[(i + core.len() - 1) % core.len()];
            let normal = |side: Point| libm::atan2(-side.x, side.y).to_degrees() / step;
            let (first, last) = if core.len() == 1 {
                (0, count - 1)
            } else {
                let first = libm::round(normal(corner - before)) as i64;
                let turned = libm::round(normal(next - corner)) as i64 - first;
                (first, first + turned.rem_euclid(count))
            };
            for k in first..=last {
                points.push(corner + angle::right(-step * k.rem_euclid(count) as f64) * radius);
            }
        }
        SmallVec::from_slice(&convex::hull(&mut points))
    }

    /// The area.
    pub fn area(&self) -> f64 {
        let core = self.core();
        let mut rim = 0.0;
        if core.len() > 1 {
            for (i, &a) in core.iter().enumerate() {
                rim += a.distance(core[(i + 1) % core.len()]);
            }
        }
        0.5 * convex::doubled_area(&core) + rim * self.radius() + PI * self.radius() * self.radius()
    }

    /// The area the two share; exact for polygons and discs, else to about the tolerance along round rims.
    pub fn overlap_area(&self, other: &Self) -> f64 {
        if !self.bounds().meets(&other.bounds()) {
            return 0.0;
        }
        let area = match (self, other) {
            (Self::Disc(a), Self::Disc(b)) => lens(a.centre.distance(b.centre), a.radius, b.radius),
            (Self::Disc(disc), shape) | (shape, Self::Disc(disc)) if shape.radius() == 0.0 => {
                disc_share(&shape.core(), disc.centre, disc.radius)
            }
            _ => 0.5 * convex::doubled_area(&convex::clip_to(&self.outline(), &other.outline())),
        };
        area.max(0.0)
    }

    /// What is left on the inner side of every half-plane; none when nothing is.
    pub fn clipped(&self, planes: &[HalfPlane]) -> Option<Self> {
        let mut kept: Corners = SmallVec::from_slice(&self.outline());
        let mut next = Corners::new();
        for plane in planes {
            convex::clip(&kept, plane.at, plane.inward, &mut next);
            std::mem::swap(&mut kept, &mut next);
        }
        Self::of_corners(convex::hull(&mut kept), 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    #[test]
    fn areas_by_hand() {
        let square = Shape::rect(Pose::new(Point::new(1.0, 1.0), 0.0), 2.0, 2.0).unwrap();
        let disc = Shape::disc(Point::new(2.0, 1.0), 1.0).unwrap();
        assert_eq!(square.area(), 4.0);
        assert!((disc.area() - PI).abs() < 1e-12);
        assert!((square.overlap_area(&disc) - PI / 2.0).abs() < 1e-12);
        let far = Shape::disc(Point::new(9.0, 1.0), 1.0).unwrap();
        assert_eq!(square.overlap_area(&far), 0.0);
        let big = Shape::disc(Point::new(1.0, 1.0), 9.0).unwrap();
        assert!((square.overlap_area(&big) - 4.0).abs() < 1e-12);
        assert!((disc.overlap_area(&disc) - PI).abs() < 1e-12);
        let pill = Shape::pill(Point::new(0.0, 0.0), Point::new(2.0, 0.0), 0.5).unwrap();
        assert!((pill.area() - (2.0 + PI / 4.0)).abs() < 1e-12);
        assert!((pill.overlap_area(&square) - 1.0).abs() < 0.001);
    }

    /// Rims drawn in full round every corner, and what shows of them.
    #[test]
    fn an_outline_is_the_hull_of_all_rims() {
        for n in 1..40_u32 {
            let spot = |i: u32| Point::new(f64::from(i * n * 37 % 23), f64::from(i * i * 11 % 17) / 3.0);
            let radius = 0.2 + f64::from(n) / 15.0;
            let shape = Shape::hull(&(0..n).map(spot).collect::<Vec<_>>(), radius).unwrap();
            let mut rims: Vec<Point> = Vec::new();
            for &corner in shape.core().iter() {
                round(corner, radius, &mut |rim| rims.push(rim));
            }
            let all = convex::hull(&mut rims);
            let ours = shape.outline();
            let area = |corners: &[Point]| 0.5 * convex::doubled_area(corners);
            assert!((area(&all) - area(&ours)).abs() < 1e-9, "{n}: {} {}", area(&all), area(&ours));
            let coarse = shape.outline_within(0.02);
            assert!(coarse.len() < ours.len() && area(&coarse) < area(&ours) + 1e-9);
            let girth: f64 = (0..ours.len()).map(|i| ours[i].distance(ours[(i + 1) % ours.len()])).sum();
            let missing = shape.area() - area(&coarse);
            assert!(missing < 0.02 * girth, "{n}: {missing} of {}", shape.area());
        }
    }

    #[test]
    fn a_turned_square_shares_an_octagon() {
        let square = Shape::rect(Pose::new(Point::ORIGIN, 0.0), 2.0, 2.0).unwrap();
        let turned = Shape::rect(Pose::new(Point::ORIGIN, 45.0), 2.0, 2.0).unwrap();
        let octagon = 8.0 * (2.0_f64.sqrt() - 1.0);
        assert!((square.overlap_area(&turned) - octagon).abs() < 1e-12);
    }
}
