//! Walls, fences, streams and roads: polylines.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::JsonSchema;
use crate::area::{Pieces, bare};
use crate::bounds::Bounds;
use crate::convex;
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::segment::Segment;
use crate::shape::Shape;

/// A polyline without thickness; written as a list of points in files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Point>", into = "Vec<Point>")]
#[schemars(with = "Vec<Point>")]
pub struct Line {
    points: Arc<[Point]>,
    bounds: Bounds,
}

/// A strip along a polyline, half its width to either side and round at the ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Strip", into = "Strip")]
#[schemars(with = "Strip")]
pub struct Road {
    line: Line,
    width: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strip {
    line: Line,
    width: f64,
}

impl TryFrom<Strip> for Road {
    type Error = LineError;
    fn try_from(strip: Strip) -> Result<Self, LineError> {
        Self::new(strip.line, strip.width)
    }
}

impl From<Road> for Strip {
    fn from(road: Road) -> Self {
        Self { line: road.line, width: road.width }
    }
}

/// Why a polyline can't be laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// Fewer than two different points.
    TooFewPoints,
    /// A number is not an ordinary one.
    NotANumber,
    /// A road without width.
    NoWidth,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFewPoints => "a line needs at least two different points",
            Self::NotANumber => "a line needs ordinary numbers",
            Self::NoWidth => "a road needs a width above 0",
        })
    }
}

impl Error for LineError {}

impl TryFrom<Vec<Point>> for Line {
    type Error = LineError;
    fn try_from(points: Vec<Point>) -> Result<Self, LineError> {
        Self::new(points)
    }
}

impl From<Line> for Vec<Point> {
    fn from(line: Line) -> Self {
        line.points.to_vec()
    }
}

/// Where a stretch crosses a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineCrossing {
    /// The place.
    pub at: Point,
    /// The share of the stretch.
    pub t: f64,
}

impl Line {
    /// A polyline through some points.
    pub fn new(points: impl Into<Vec<Point>>) -> Result<Self, LineError> {
        let mut points = points.into();
        if !points.iter().all(|point| point.is_finite()) {
            return Err(LineError::NotANumber);
        }
        points.dedup();
        if points.len() < 2 {
            return Err(LineError::TooFewPoints);
        }
        let bounds = Bounds::of_points(&points);
        Ok(Self { points: points.into(), bounds })
    }

    /// The points in order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The stretches in order.
    #[inline]
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.points.windows(2).map(|pair| Segment::new(pair[0], pair[1]))
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// How long it is.
    pub fn length(&self) -> f64 {
        self.segments().map(|segment| segment.length()).sum()
    }

    /// The place so far along it, held to its ends.
    pub fn at(&self, distance: f64) -> Point {
        let mut left = distance.max(0.0);
        for segment in self.segments() {
            let length = segment.length();
            if left <= length {
                return segment.at(left / length);
            }
            left -= length;
        }
        self.points[self.points.len() - 1]
    }

    /// Where a stretch meets it, in order along the stretch; running along it is no crossing.
    pub fn crossings(&self, a: Point, b: Point) -> SmallVec<[LineCrossing; 4]> {
        let mut found: SmallVec<[LineCrossing; 4]> = SmallVec::new();
        let stretch = Segment::new(a, b);
        let bounds = stretch.bounds();
        if !bounds.meets(&self.bounds) {
            return found;
        }
        for segment in self.segments() {
            if bounds.meets(&segment.bounds())
                && let Some(crossing) = stretch.crossing(&segment)
            {
                let at = segment.at(crossing.u);
                // A crossing at a bend is met by both its stretches.
                if !found.iter().any(|known| known.at.near(at)) {
                    found.push(LineCrossing { at, t: crossing.t });
                }
            }
        }
        found.sort_unstable_by(|p, q| p.t.total_cmp(&q.t));
        found
    }

    /// Whether a stretch meets it.
    pub fn meets_segment(&self, a: Point, b: Point) -> bool {
        let stretch = Segment::new(a, b);
        let bounds = stretch.bounds();
        bounds.meets(&self.bounds)
            && self
                .segments()
                .any(|segment| bounds.meets(&segment.bounds()) && stretch.crossing(&segment).is_some())
    }

    /// The distance to a place.
    pub fn distance_to(&self, point: Point) -> f64 {
        self.segments().map(|segment| segment.distance_squared(point)).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// The place on it nearest to a place.
    pub fn nearest(&self, point: Point) -> Point {
        let mut best = (f64::INFINITY, point);
        for segment in self.segments() {
            let near = segment.nearest(point);
            let square = near.distance_squared(point);
            if square < best.0 {
                best = (square, near);
            }
        }
        best.1
    }

    /// The distance to a shape; zero when they touch.
    pub fn gap(&self, shape: &Shape) -> f64 {
        let mut best = f64::INFINITY;
        let bounds = shape.bounds();
        for segment in self.segments() {
            if segment.bounds().gap_squared(&bounds) < best * best {
                best = best.min(shape.gap(&bare(segment)));
            }
        }
        best
    }

    /// Whether a shape is within a limit of it.
    pub fn is_within(&self, shape: &Shape, limit: f64) -> bool {
        let reach = limit + TOLERANCE;
        self.bounds.gap_squared(&shape.bounds()) <= reach * reach && self.gap(shape) <= reach
    }

    /// Whether a shape touches it or stands across it.
    pub fn touched_by(&self, shape: &Shape) -> bool {
        self.is_within(shape, 0.0)
    }

    /// Whether a shape stands across it: it runs through the interior.
    pub fn crossed_by(&self, shape: &Shape) -> bool {
        let bounds = shape.bounds();
        self.bounds.meets(&bounds) && self.segments().any(|segment| shape.cut_by(segment.a, segment.b))
    }
}

impl Road {
    /// A road so wide along a line.
    pub fn new(line: Line, width: f64) -> Result<Self, LineError> {
        if !width.is_finite() {
            return Err(LineError::NotANumber);
        }
        if width <= 0.0 {
            return Err(LineError::NoWidth);
        }
        Ok(Self { line, width })
    }

    /// The line along its middle.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// From side to side.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        self.line.bounds.grown(self.width * 0.5)
    }

    /// Whether a place is on it; its sides count.
    pub fn contains(&self, point: Point) -> bool {
        let half = self.width * 0.5 + TOLERANCE;
        self.line.bounds.grown(half).contains(point)
            && self.line.segments().any(|segment| segment.distance_squared(point) <= half * half)
    }

    /// The stretches of a segment that run on it, in order.
    pub fn pieces(&self, a: Point, b: Point) -> Pieces {
        let half = self.width * 0.5 + TOLERANCE;
        let mut pieces = Pieces::new();
        if a == b || !Bounds::of_pair(a, b).meets(&self.line.bounds.grown(half)) {
            return pieces;
        }
        for segment in self.line.segments() {
            if let Some((enter, leave)) = convex::chord(&[segment.a, segment.b], half, a, b - a) {
                let (enter, leave) = (enter.max(0.0), leave.min(1.0));
                if enter < leave {
                    pieces.push((enter, leave));
                }
            }
        }
        pieces.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
        let mut merged = Pieces::new();
        for (from, to) in pieces {
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        merged
    }

    /// How much of a stretch runs on it.
    pub fn length_inside(&self, a: Point, b: Point) -> f64 {
        let shares: f64 = self.pieces(a, b).iter().map(|(from, to)| to - from).sum();
        shares * a.distance(b)
    }

    /// The distance to a shape; zero when they touch or overlap.
    pub fn gap(&self, shape: &Shape) -> f64 {
        (self.line.gap(shape) - self.width * 0.5).max(0.0)
    }

    /// Whether a shape touches it or stands on it.
    pub fn touched_by(&self, shape: &Shape) -> bool {
        self.line.is_within(shape, self.width * 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent() -> Line {
        Line::new([Point::new(0.0, 0.0), Point::new(4.0, 0.0), Point::new(4.0, 4.0)]).unwrap()
    }

    #[test]
    fn refuses_what_is_no_line() {
        assert_eq!(Line::new([Point::ORIGIN, Point::ORIGIN]), Err(LineError::TooFewPoints));
        assert_eq!(Line::new([Point::ORIGIN, Point::new(f64::INFINITY, 0.0)]), Err(LineError::NotANumber));
        assert_eq!(Road::new(bent(), 0.0), Err(LineError::NoWidth));
    }

    #[test]
    fn a_stretch_through_the_bend_crosses_once() {
        let found = bent().crossings(Point::new(3.0, 1.0), Point::new(5.0, -1.0));
        assert_eq!(found.len(), 1);
        assert!(found[0].at.near(Point::new(4.0, 0.0)));
        let twice = bent().crossings(Point::new(2.0, -1.0), Point::new(6.0, 3.0));
        assert_eq!(twice.len(), 2);
        assert!(twice[0].t < twice[1].t);
        assert!(!bent().meets_segment(Point::new(0.0, 1.0), Point::new(3.0, 1.0)));
    }

    #[test]
    fn standing_at_a_wall_is_not_standing_across_it() {
        let at = Shape::disc(Point::new(2.0, 0.5), 0.5).unwrap();
        assert!(bent().touched_by(&at));
        assert!(!bent().crossed_by(&at));
        let across = Shape::disc(Point::new(2.0, 0.3), 0.5).unwrap();
        assert!(bent().crossed_by(&across));
        assert_eq!(bent().gap(&Shape::disc(Point::new(2.0, 2.0), 0.5).unwrap()), 1.5);
        assert_eq!(bent().at(6.0), Point::new(4.0, 2.0));
        assert_eq!(bent().length(), 8.0);
    }

    #[test]
    fn a_road_is_as_wide_as_it_is() {
        let road = Road::new(bent(), 2.0).unwrap();
        assert!(road.contains(Point::new(2.0, 1.0)));
        assert!(!road.contains(Point::new(2.0, 1.1)));
        assert!((road.length_inside(Point::new(2.0, -5.0), Point::new(2.0, 5.0)) - 2.0).abs() < 0.01);
    }
}
