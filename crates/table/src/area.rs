//! Pieces of ground: simple polygons, concave or not.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use robust::{Coord, orient2d};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::JsonSchema;
use crate::angle;
use crate::bounds::Bounds;
use crate::convex;
use crate::measure::TOLERANCE;
use crate::overlap;
use crate::point::Point;
use crate::segment::Segment;
use crate::shape::{Pill, Shape};

/// Stretches of a segment, each from one share of it to another, in order.
pub type Pieces = SmallVec<[(f64, f64); 4]>;

/// A piece of ground with a simple outline; written as a list of corners in files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Point>", into = "Vec<Point>")]
#[schemars(with = "Vec<Point>")]
pub struct Area {
    corners: Arc<[Point]>,
    bounds: Bounds,
    extent: f64,
    convex: bool,
}

/// Why an outline is no piece of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaError {
    /// Fewer than three different corners.
    TooFewCorners,
    /// More corners than anybody draws.
    TooManyCorners,
    /// A corner is not made of ordinary numbers.
    NotANumber,
    /// The outline crosses or touches itself.
    NotSimple,
    /// The outline holds no ground.
    NoGround,
}

impl fmt::Display for AreaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFewCorners => "an area needs at least three different corners",
            Self::TooManyCorners => "an area has at most 2000 corners; leave some out",
            Self::NotANumber => "an area needs ordinary numbers for its corners",
            Self::NotSimple => "the outline of an area must not cross or touch itself",
            Self::NoGround => "the outline of an area must hold some ground",
        })
    }
}

impl Error for AreaError {}

impl TryFrom<Vec<Point>> for Area {
    type Error = AreaError;
    fn try_from(corners: Vec<Point>) -> Result<Self, AreaError> {
        Self::new(corners)
    }
}

impl From<Area> for Vec<Point> {
    fn from(area: Area) -> Self {
        area.corners.to_vec()
    }
}

/// Corners of one outline. However its sides lie over each other, so many are looked through in a moment.
const MOST_CORNERS: usize = 2_000;

/// Whether an outline neither crosses nor touches itself, by exact predicates.
fn is_simple(corners: &[Point]) -> bool {
    let n = corners.len();
    let side = |i: usize| [corners[i], corners[(i + 1) % n]];
    // Neighbours share a corner and nothing else: one that folds back onto the other meets the other's neighbour too.
    let neighbours = |i: usize, j: usize| j == i + 1 || i == j + 1 || i.abs_diff(j) == n - 1;
    // Swept from left to right, so that only sides over the same stretch are held against each other.
    let ends = |i: usize| {
        let [a, b] = side(i);
        (a.x.min(b.x), a.x.max(b.x))
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| ends(*i).0.total_cmp(&ends(*j).0));
    let mut here: Vec<usize> = Vec::new();
    for i in order {
        here.retain(|j| ends(*j).1 >= ends(i).0);
        if here.iter().any(|j| !neighbours(i, *j) && meet(side(i), side(*j))) {
            return false;
        }
        here.push(i);
    }
    true
}

/// Whether two sides have a point in common; exactly, however thin the gap.
fn meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    if !Bounds::of_pair(a, b).meets(&Bounds::of_pair(c, d)) {
        return false;
    }
    let turn = |p: Point, q: Point, r: Point| {
        let [p, q, r] = [p, q, r].map(|at| Coord { x: at.x, y: at.y });
        orient2d(p, q, r)
    };
    // Each reaches from one side of the other's line to the other side of it, or ends on it. Sides on one line do, and
    // then their boxes have told.
    let across = |one: f64, other: f64| one == 0.0 || other == 0.0 || (one < 0.0) != (other < 0.0);
    across(turn(a, b, c), turn(a, b, d)) && across(turn(c, d, a), turn(c, d, b))
}

impl Area {
    /// A piece of ground from its corners, in either order; the first may be repeated at the end.
    pub fn new(corners: impl Into<Vec<Point>>) -> Result<Self, AreaError> {
        let mut corners = corners.into();
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(AreaError::NotANumber);
        }
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() < 3 {
            return Err(AreaError::TooFewCorners);
        }
        if corners.len() > MOST_CORNERS {
            return Err(AreaError::TooManyCorners);
        }
        if convex::doubled_area(&convex::hull(&mut corners.clone())) <= TOLERANCE * TOLERANCE {
            return Err(AreaError::NoGround);
        }
        if !is_simple(&corners) {
            return Err(AreaError::NotSimple);
        }
        let doubled = convex::doubled_area(&corners);
        if doubled < 0.0 {
            corners.reverse();
        }
        let n = corners.len();
        let convex = (0..n).all(|i| {
            let (a, b, c) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
            (b - a).cross(c - b) >= 0.0
        });
        let bounds = Bounds::of_points(&corners);
        Ok(Self { corners: corners.into(), bounds, extent: doubled.abs() * 0.5, convex })
    }

    /// A rectangle of ground along the axes.
    pub fn rectangle(a: Point, b: Point) -> Result<Self, AreaError> {
        Self::new(Bounds::of_pair(a, b).corners())
    }

    /// The corners, anticlockwise.
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// The sides, anticlockwise.
    #[inline]
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let n = self.corners.len();
        (0..n).map(move |i| Segment::new(self.corners[i], self.corners[if i + 1 == n { 0 } else { i + 1 }]))
    }

    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// How much ground it holds.
    pub fn area(&self) -> f64 {
        self.extent
    }

    /// Whether it has no corner that points inwards.
    pub fn is_convex(&self) -> bool {
        self.convex
    }

    /// The centre of gravity.
    pub fn centroid(&self) -> Point {
        convex::centroid(&self.corners)
    }

    /// Whether a place lies inside, by counting the sides to the east of it.
    #[inline]
    fn is_inside(&self, point: Point) -> bool {
        let mut inside = false;
        for Segment { a, b } in self.edges() {
            if (a.y > point.y) != (b.y > point.y) {
                let left = (b - a).cross(point - a) > 0.0;
                inside ^= left == (b.y > a.y);
            }
        }
        inside
    }

    fn boundary_distance_squared(&self, point: Point) -> f64 {
        self.edges().map(|edge| edge.distance_squared(point)).fold(f64::INFINITY, f64::min)
    }

    /// Whether a place is in it; the boundary counts, within the tolerance.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.bounds.grown(TOLERANCE).contains(point)
            && (self.is_inside(point) || self.boundary_distance_squared(point) <= TOLERANCE * TOLERANCE)
    }

    /// Whether a place is inside and off the boundary by more than the tolerance.
    #[inline]
    pub fn contains_strictly(&self, point: Point) -> bool {
        self.bounds.contains(point)
            && self.is_inside(point)
            && self.boundary_distance_squared(point) > TOLERANCE * TOLERANCE
    }

    /// The distance to a place; zero inside.
    pub fn distance_to(&self, point: Point) -> f64 {
        if self.bounds.contains(point) && self.is_inside(point) {
            0.0
        } else {
            self.boundary_distance_squared(point).sqrt()
        }
    }

    /// The place on the boundary nearest to a place.
    pub fn nearest_boundary(&self, point: Point) -> Point {
        let mut best = (f64::INFINITY, point);
        for edge in self.edges() {
            let near = edge.nearest(point);
            let square = near.distance_squared(point);
            if square < best.0 {
                best = (square, near);
            }
        }
        best.1
    }

    /// The distance to a shape; zero when they touch or overlap.
    pub fn gap(&self, shape: &Shape) -> f64 {
        let centre = shape.centre();
        if self.bounds.contains(centre) && self.is_inside(centre) {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        let bounds = shape.bounds();
        for edge in self.edges() {
            if edge.bounds().gap_squared(&bounds) < best * best {
                best = best.min(shape.gap(&bare(edge)));
            }
        }
        best
    }

    /// Whether it overlaps a shape by more than the tolerance; touching edges do not.
    pub fn overlaps(&self, shape: &Shape) -> bool {
        let bounds = shape.bounds();
        self.bounds.meets(&bounds)
            && (self.is_inside(shape.centre()) || self.edges().any(|edge| shape.cut_by(edge.a, edge.b)))
    }

    /// Whether a shape lies wholly inside; touching the boundary from within does.
    pub fn holds(&self, shape: &Shape) -> bool {
        let bounds = shape.bounds();
        let room = self.bounds.grown(TOLERANCE);
        room.contains(bounds.min)
            && room.contains(bounds.max)
            && self.contains(shape.centre())
            && !self.edges().any(|edge| shape.cut_by(edge.a, edge.b))
    }

    /// The area it shares with a shape.
    pub fn overlap_area(&self, shape: &Shape) -> f64 {
        if !self.bounds.meets(&shape.bounds()) {
            return 0.0;
        }
        let area = match shape {
            Shape::Disc(disc) => overlap::disc_share(&self.corners, disc.centre, disc.radius),
            _ => 0.5 * convex::doubled_area(&convex::clip_to(&self.corners, &shape.outline())),
        };
        area.max(0.0)
    }

    /// The shares at which a stretch meets the boundary, in order, with 0 and 1 at the ends.
    pub(crate) fn cuts(&self, a: Point, b: Point, into: &mut SmallVec<[f64; 16]>) {
        let stretch = Segment::new(a, b);
        let bounds = stretch.bounds().grown(TOLERANCE);
        for edge in self.edges() {
            if bounds.meets(&edge.bounds())
                && let Some(crossing) = stretch.crossing(&edge)
            {
                into.push(crossing.t);
            }
        }
    }

    /// The stretches of a segment that run inside; running along the boundary is outside.
    pub fn pieces(&self, a: Point, b: Point) -> Pieces {
        let mut pieces = Pieces::new();
        if a == b || !Bounds::of_pair(a, b).meets(&self.bounds) {
            return pieces;
        }
        let mut cuts: SmallVec<[f64; 16]> = SmallVec::new();
        cuts.push(0.0);
        self.cuts(a, b, &mut cuts);
        cuts.push(1.0);
        cuts.sort_unstable_by(f64::total_cmp);
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if to - from <= 1e-12 || !self.contains_strictly(a.lerp(b, (from + to) * 0.5)) {
                continue;
            }
            match pieces.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => pieces.push((from, to)),
            }
        }
        pieces
    }

    /// How much of a stretch runs inside.
    pub fn length_inside(&self, a: Point, b: Point) -> f64 {
        let shares: f64 = self.pieces(a, b).iter().map(|(from, to)| to - from).sum();
        shares * a.distance(b)
    }

    /// Whether a stretch passes through the interior; a graze does not.
    pub fn cut_by(&self, a: Point, b: Point) -> bool {
        !self.pieces(a, b).is_empty()
    }

    /// Where a ray along a bearing leaves for the first time; none when it never runs inside.
    pub fn exit(&self, from: Point, bearing: f64) -> Option<Point> {
        let far = self.bounds.distance_squared(from).sqrt() + self.bounds.width() + self.bounds.depth() + 1.0;
        let to = from + angle::forward(bearing) * far;
        if !self.contains_strictly(from) {
            return self.pieces(from, to).first().map(|&(_, leave)| from.lerp(to, leave));
        }
        let mut cuts: SmallVec<[f64; 16]> = SmallVec::new();
        self.cuts(from, to, &mut cuts);
        cuts.into_iter().min_by(f64::total_cmp).map(|leave| from.lerp(to, leave))
    }

    /// The whole chord that the endless line through two places cuts, first entry to last exit.
    pub(crate) fn chord(&self, a: Point, b: Point) -> Option<Segment> {
        let way = (b - a).unit()?;
        let middle = self.bounds.centre();
        let foot = a + way * (middle - a).dot(way);
        let far = self.bounds.width() + self.bounds.depth();
        let (start, end) = (foot - way * far, foot + way * far);
        let pieces = self.pieces(start, end);
        let (first, last) = (pieces.first()?, pieces.last()?);
        Some(Segment::new(start.lerp(end, first.0), start.lerp(end, last.1)))
    }
}

/// A side as a shape without breadth.
#[inline]
pub(crate) fn bare(edge: Segment) -> Shape {
    Shape::Pill(Pill { a: edge.a, b: edge.b, radius: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[[f64; 2]]) -> Vec<Point> {
        list.iter().map(|&point| point.into()).collect()
    }

    /// A U open to the north: a square of 6 with a notch of 2 by 4.
    fn horseshoe() -> Area {
        Area::new(points(&[
            [0.0, 0.0],
            [6.0, 0.0],
            [6.0, 6.0],
            [4.0, 6.0],
            [4.0, 2.0],
            [2.0, 2.0],
            [2.0, 6.0],
            [0.0, 6.0],
        ]))
        .unwrap()
    }

    #[test]
    fn an_outline_of_many_corners_is_looked_through_or_refused() {
        // A comb: every side lies over the same stretch as half of the others.
        let comb = |teeth: u32| {
            let tooth = |i: u32| {
                let y = f64::from(i);
                [Point::new(0.0, y), Point::new(9.0, y), Point::new(9.0, y + 0.4), Point::new(0.0, y + 0.4)]
            };
            let mut corners: Vec<Point> = (0..teeth).flat_map(tooth).collect();
            corners.push(Point::new(-1.0, f64::from(teeth)));
            corners.push(Point::new(-1.0, 0.0));
            corners
        };
        assert!(Area::new(comb(400)).is_ok());
        let mut crossed = comb(400);
        crossed[801] = Point::new(9.0, 210.2);
        assert_eq!(Area::new(crossed), Err(AreaError::NotSimple));
        assert_eq!(Area::new(comb(5_000)), Err(AreaError::TooManyCorners));
    }

    #[test]
    fn refuses_what_is_no_ground() {
        assert_eq!(Area::new(points(&[[0.0, 0.0], [1.0, 0.0]])), Err(AreaError::TooFewCorners));
        assert_eq!(Area::new(points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])), Err(AreaError::NoGround));
        let bow = points(&[[0.0, 0.0], [2.0, 2.0], [3.0, 0.0], [0.0, 2.0]]);
        assert_eq!(Area::new(bow), Err(AreaError::NotSimple));
        assert_eq!(Area::new(points(&[[0.0, f64::NAN], [1.0, 0.0], [2.0, 0.0]])), Err(AreaError::NotANumber));
        let closed = Area::new(points(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])).unwrap();
        assert_eq!(closed.corners().len(), 3);
        assert!(convex::doubled_area(closed.corners()) > 0.0);
    }

    #[test]
    fn a_horseshoe_knows_its_inside() {
        let area = horseshoe();
        assert_eq!(area.area(), 28.0);
        assert!(!area.is_convex());
        assert!(area.contains(Point::new(1.0, 5.0)));
        assert!(!area.contains(Point::new(3.0, 5.0)));
        assert!(area.contains(Point::new(3.0, 2.0)));
        assert!(!area.contains_strictly(Point::new(3.0, 2.0)));
        assert!(area.contains(Point::new(3.0, 2.0005)));
        assert_eq!(area.distance_to(Point::new(3.0, 4.0)), 1.0);
        assert_eq!(area.nearest_boundary(Point::new(3.0, 1.0)).distance(Point::new(3.0, 1.0)), 1.0);
    }

    #[test]
    fn a_line_across_a_horseshoe_runs_in_two_pieces() {
        let area = horseshoe();
        let (a, b) = (Point::new(-2.0, 4.0), Point::new(8.0, 4.0));
        assert_eq!(area.pieces(a, b).as_slice(), [(0.2, 0.4), (0.6, 0.8)]);
        assert!((area.length_inside(a, b) - 4.0).abs() < 1e-12);
        assert_eq!(area.exit(Point::new(1.0, 4.0), 90.0), Some(Point::new(2.0, 4.0)));
        assert_eq!(area.exit(Point::new(1.0, 4.0), 0.0), Some(Point::new(1.0, 6.0)));
        let chord = area.chord(Point::new(3.0, 1.0), Point::new(4.0, 1.0)).unwrap();
        assert!(chord.a.near(Point::new(0.0, 1.0)) && chord.b.near(Point::new(6.0, 1.0)));
        // Along the bottom, and across the top of the arms through their corners.
        assert_eq!(area.length_inside(Point::new(-1.0, 0.0), Point::new(9.0, 0.0)), 0.0);
        assert!(area.length_inside(Point::new(1.0, 6.0), Point::new(5.0, 6.0)) == 0.0);
    }

    #[test]
    fn shapes_in_and_over_a_horseshoe() {
        let area = horseshoe();
        let notch = Shape::disc(Point::new(3.0, 4.0), 1.0).unwrap();
        assert!(!area.overlaps(&notch));
        assert_eq!(area.gap(&notch), 0.0);
        assert_eq!(area.gap(&Shape::disc(Point::new(3.0, 4.0), 0.5).unwrap()), 0.5);
        let wide = Shape::disc(Point::new(3.0, 4.0), 1.5).unwrap();
        assert!(area.overlaps(&wide));
        let across = Shape::rect(crate::Pose::new(Point::new(3.0, 4.0), 0.0), 6.0, 1.0).unwrap();
        assert!((area.overlap_area(&across) - 4.0).abs() < 1e-12);
        assert!(!area.holds(&across));
        assert!(area.holds(&Shape::rect(crate::Pose::new(Point::new(3.0, 1.0), 0.0), 6.0, 2.0).unwrap()));
    }
}
