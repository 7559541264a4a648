//! Convex outlines: discs, pills, rectangles and hulls.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::JsonSchema;
use crate::angle;
use crate::bounds::Bounds;
use crate::convex::{self, Corners};
use crate::measure::TOLERANCE;
use crate::outline::Outline;
use crate::point::Point;
use crate::pose::Pose;
use crate::rect::Rect;
use crate::segment::Segment;

/// A round base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its middle.
    pub centre: Point,
    /// From the middle to the rim.
    pub radius: f64,
}

/// A segment swollen by a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pill {
    /// One end of the segment.
    pub a: Point,
    /// The other end of the segment.
    pub b: Point,
    /// How far it is swollen.
    pub radius: f64,
}

/// A convex polygon, swollen by a radius that is often zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub(crate) corners: Corners,
    pub(crate) radius: f64,
}

/// A convex outline on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Outline", into = "Outline")]
#[schemars(with = "Outline")]
pub enum Shape {
    /// A round base.
    Disc(Disc),
    /// A segment swollen by a radius.
    Pill(Pill),
    /// A rectangle with a front.
    Rect(Rect),
    /// A convex polygon.
    Hull(Hull),
}

/// Why a shape can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// A coordinate, length or angle is not an ordinary number.
    NotANumber,
    /// A length is below zero.
    Negative,
    /// There are no points to go round.
    NoPoints,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "a shape needs ordinary numbers",
            Self::Negative => "a shape can't have a length below 0",
            Self::NoPoints => "a hull needs at least one point",
        })
    }
}

impl Error for ShapeError {}

fn length(value: f64) -> Result<f64, ShapeError> {
    if !value.is_finite() {
        Err(ShapeError::NotANumber)
    } else if value < 0.0 {
        Err(ShapeError::Negative)
    } else {
        Ok(value)
    }
}

fn place(point: Point) -> Result<Point, ShapeError> {
    if point.is_finite() { Ok(point) } else { Err(ShapeError::NotANumber) }
}

impl Hull {
    /// The corners, anticlockwise.
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// How far it is swollen.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// The corners of a shape's core, anticlockwise, without a heap.
pub(crate) enum Core<'a> {
    One([Point; 1]),
    Two([Point; 2]),
    Four([Point; 4]),
    Many(&'a [Point]),
}

impl Deref for Core<'_> {
    type Target = [Point];
    #[inline]
    fn deref(&self) -> &[Point] {
        match self {
            Self::One(points) => points,
            Self::Two(points) => points,
            Self::Four(points) => points,
            Self::Many(points) => points,
        }
    }
}

impl Shape {
    /// A round base.
    pub fn disc(centre: Point, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::Disc(Disc { centre: place(centre)?, radius: length(radius)? }))
    }

    /// A segment swollen by a radius.
    pub fn pill(a: Point, b: Point, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::Pill(Pill { a: place(a)?, b: place(b)?, radius: length(radius)? }))
    }

    /// A pill from the pose of its middle: a segment so long along the facing, swollen by a radius.
    pub fn pill_at(pose: Pose, segment: f64, radius: f64) -> Result<Self, ShapeError> {
        let half = pose.forward() * (length(segment)? * 0.5);
        Self::pill(pose.at - half, pose.at + half, radius)
    }

    /// A rectangle from the pose of its middle.
    pub fn rect(pose: Pose, width: f64, depth: f64) -> Result<Self, ShapeError> {
        if !pose.is_finite() {
            return Err(ShapeError::NotANumber);
        }
        Ok(Self::Rect(Rect::centred(pose, length(width)?, length(depth)?)))
    }

    /// The convex hull of some points, swollen by a radius; a lone point makes a disc, two a pill.
    pub fn hull(points: &[Point], radius: f64) -> Result<Self, ShapeError> {
        let radius = length(radius)?;
        let mut points: SmallVec<[Point; 32]> = SmallVec::from_slice(points);
        for &point in &points {
            place(point)?;
        }
        Self::of_corners(convex::hull(&mut points), radius).ok_or(ShapeError::NoPoints)
    }

    pub(crate) fn of_corners(corners: Corners, radius: f64) -> Option<Self> {
        match corners.as_slice() {
            [] => None,
            &[centre] => Some(Self::Disc(Disc { centre, radius })),
            &[a, b] => Some(Self::Pill(Pill { a, b, radius })),
            _ => Some(Self::Hull(Hull { corners, radius })),
        }
    }

    /// The convex hull of many shapes; none when there are none.
    ///
    /// Exact when all have the same radius. Else the rounder ones are drawn with as many corners as it
    /// takes to stay within half the tolerance.
    pub fn hull_of<'a>(shapes: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut cores: SmallVec<[(Point, f64); 64]> = SmallVec::new();
        let mut radius = f64::INFINITY;
        for shape in shapes {
            radius = radius.min(shape.radius());
            cores.extend(shape.core().iter().map(|&point| (point, shape.radius())));
        }
        let mut points: SmallVec<[Point; 64]> = SmallVec::new();
        for (point, own) in cores {
            crate::overlap::round(point, own - radius, &mut |rim| points.push(rim));
        }
        Self::of_corners(convex::hull(&mut points), radius)
    }

    #[inline]
    pub(crate) fn core(&self) -> Core<'_> {
        match self {
            Self::Disc(disc) => Core::One([disc.centre]),
            Self::Pill(pill) => Core::Two([pill.a, pill.b]),
            Self::Rect(rect) => Core::Four(rect.corners()),
            Self::Hull(hull) => Core::Many(&hull.corners),
        }
    }

    /// How far the core is swollen; zero for a rectangle.
    #[inline]
    pub fn radius(&self) -> f64 {
        match self {
            Self::Disc(disc) => disc.radius,
            Self::Pill(pill) => pill.radius,
            Self::Rect(_) => 0.0,
            Self::Hull(hull) => hull.radius,
        }
    }

    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Disc(disc) => Bounds { min: disc.centre, max: disc.centre }.grown(disc.radius),
            Self::Pill(pill) => Bounds::of_pair(pill.a, pill.b).grown(pill.radius),
            Self::Rect(rect) => rect.bounds(),
            Self::Hull(hull) => Bounds::of_points(&hull.corners).grown(hull.radius),
        }
    }

    /// The centre of gravity (of a swollen hull, that of its core).
    pub fn centre(&self) -> Point {
        match self {
            Self::Disc(disc) => disc.centre,
            Self::Pill(pill) => pill.a.midpoint(pill.b),
            Self::Rect(rect) => rect.centre(),
            Self::Hull(hull) => convex::centroid(&hull.corners),
        }
    }

    /// The corners of the core, anticlockwise: one for a disc, two for a pill.
    pub fn corners(&self) -> SmallVec<[Point; 12]> {
        SmallVec::from_slice(&self.core())
    }

    /// The sides of the core, anticlockwise; none for a disc.
    pub fn edges(&self) -> SmallVec<[Segment; 12]> {
        let core = self.core();
        match core.len() {
            0 | 1 => SmallVec::new(),
            2 => SmallVec::from_slice(&[Segment::new(core[0], core[1])]),
            n => (0..n).map(|i| Segment::new(core[i], core[(i + 1) % n])).collect(),
        }
    }

    /// Slid by a displacement.
    #[must_use]
    pub fn translated(&self, way: Point) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Disc(disc) => disc.centre += way,
            Self::Pill(pill) => {
                pill.a += way;
                pill.b += way;
            }
            Self::Rect(rect) => *rect = rect.slid(way),
            Self::Hull(hull) => hull.corners.iter_mut().for_each(|corner| *corner += way),
        }
        moved
    }

    /// Turned about a pivot, clockwise positive.
    #[must_use]
    pub fn turned_about(&self, pivot: Point, degrees: f64) -> Self {
        let (sin, cos) = angle::sin_cos(degrees);
        let turn = |way: Point| Point::new(way.x * cos + way.y * sin, way.y * cos - way.x * sin);
        let turned = |point: Point| pivot + turn(point - pivot);
        match self {
            Self::Disc(disc) => Self::Disc(Disc { centre: turned(disc.centre), ..*disc }),
            Self::Pill(pill) => Self::Pill(Pill { a: turned(pill.a), b: turned(pill.b), ..*pill }),
            Self::Rect(rect) => Self::Rect(rect.placed(turned(rect.centre()), rect.facing() + degrees)),
            Self::Hull(hull) => Self::Hull(Hull {
                corners: hull.corners.iter().map(|&corner| turned(corner)).collect(),
                radius: hull.radius,
            }),
        }
    }

    /// Larger by so much all round; the corners become round. A negative amount changes nothing.
    #[must_use]
    pub fn swollen(&self, by: f64) -> Self {
        let by = by.max(0.0);
        match self {
            Self::Disc(disc) => Self::Disc(Disc { radius: disc.radius + by, ..*disc }),
            Self::Pill(pill) => Self::Pill(Pill { radius: pill.radius + by, ..*pill }),
            Self::Rect(rect) => {
                Self::Hull(Hull { corners: SmallVec::from_slice(&rect.corners()), radius: by })
            }
            Self::Hull(hull) => Self::Hull(Hull { corners: hull.corners.clone(), radius: hull.radius + by }),
        }
    }

    /// The distance to a place; zero inside.
    #[inline]
    pub fn distance_to(&self, point: Point) -> f64 {
        match self {
            Self::Disc(disc) => (disc.centre.distance(point) - disc.radius).max(0.0),
            Self::Pill(pill) => (Segment::new(pill.a, pill.b).distance(point) - pill.radius).max(0.0),
            Self::Rect(rect) => rect.excess(point).length(),
            Self::Hull(hull) => {
                (convex::distance_squared(&hull.corners, point).sqrt() - hull.radius).max(0.0)
            }
        }
    }

    /// Whether a place is in it; the rim counts.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.distance_to(point) <= TOLERANCE
    }

    /// The shares of a stretch between which it runs inside; none when it passes by.
    pub fn chord(&self, a: Point, b: Point) -> Option<(f64, f64)> {
        self.chord_swollen(0.0, a, b)
    }

    #[inline]
    pub(crate) fn chord_swollen(&self, by: f64, a: Point, b: Point) -> Option<(f64, f64)> {
        if a == b {
            return None;
        }
        let (enter, leave) = convex::chord(&self.core(), self.radius() + by, a, b - a)?;
        let (enter, leave) = (enter.max(0.0), leave.min(1.0));
        (enter <= leave).then_some((enter, leave))
    }

    /// Whether a stretch meets it; touching counts.
    pub fn meets_segment(&self, a: Point, b: Point) -> bool {
        if a == b { self.contains(a) } else { self.chord_swollen(TOLERANCE, a, b).is_some() }
    }

    /// Whether a stretch passes through its interior, deeper than the tolerance: a graze does not.
    #[inline]
    pub fn cut_by(&self, a: Point, b: Point) -> bool {
        Bounds::of_pair(a, b).meets(&self.bounds())
            && self.chord_swollen(-TOLERANCE, a, b).is_some_and(|(enter, leave)| enter < leave)
    }
}
