//! Rectangles with a front: stands, blocks, lines and columns.

use crate::angle;
use crate::bounds::Bounds;
use crate::point::Point;
use crate::pose::{Frame, Pose};
use crate::segment::Segment;
use crate::shape::Shape;

/// A rectangle with a front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    centre: Point,
    facing: f64,
    // The sine and cosine of the facing, kept because working them out costs more than a whole gap.
    forward: Point,
    half_width: f64,
    half_depth: f64,
}

impl Rect {
    /// A rectangle from the pose of its middle.
    pub fn centred(pose: Pose, width: f64, depth: f64) -> Self {
        let forward = angle::forward(pose.facing);
        Self {
            centre: pose.at,
            facing: pose.facing,
            forward,
            half_width: width * 0.5,
            half_depth: depth * 0.5,
        }
    }

    /// A rectangle from the pose of the middle of its front edge.
    pub fn fronted(pose: Pose, width: f64, depth: f64) -> Self {
        let mut rect = Self::centred(pose, width, depth);
        rect.centre -= rect.forward * rect.half_depth;
        rect
    }

    /// The same from a frame already worked out; `facing` must be that of the frame.
    pub fn in_frame(frame: &Frame, facing: f64, centre: Point, width: f64, depth: f64) -> Self {
        Self {
            centre: frame.to_world(centre),
            facing,
            forward: frame.forward,
            half_width: width * 0.5,
            half_depth: depth * 0.5,
        }
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        self.centre
    }

    /// Which way the front looks.
    pub fn facing(&self) -> f64 {
        self.facing
    }

    /// Along the front.
    pub fn width(&self) -> f64 {
        self.half_width * 2.0
    }

    /// From front to rear.
    pub fn depth(&self) -> f64 {
        self.half_depth * 2.0
    }

    /// The pose of the middle.
    pub fn pose(&self) -> Pose {
        Pose { at: self.centre, facing: self.facing }
    }

    /// The pose of the middle of the front edge.
    pub fn front(&self) -> Pose {
        Pose { at: self.centre + self.forward * self.half_depth, facing: self.facing }
    }

    /// The frame of the middle.
    #[inline]
    pub fn frame(&self) -> Frame {
        Frame { at: self.centre, forward: self.forward }
    }

    /// The corners anticlockwise: front left, rear left, rear right, front right.
    #[inline]
    pub fn corners(&self) -> [Point; 4] {
        let across = self.forward.quarter_right() * self.half_width;
        let along = self.forward * self.half_depth;
        let (front, rear) = (self.centre + along, self.centre - along);
        [front - across, rear - across, rear + across, front + across]
    }

    /// The front edge, left to right.
    pub fn front_edge(&self) -> Segment {
        let [left, _, _, right] = self.corners();
        Segment::new(left, right)
    }

    /// The rear edge, from the rear right to the rear left.
    pub fn rear_edge(&self) -> Segment {
        let [_, left, right, _] = self.corners();
        Segment::new(right, left)
    }

    /// The left edge, rear to front.
    pub fn left_edge(&self) -> Segment {
        let [front, rear, _, _] = self.corners();
        Segment::new(rear, front)
    }

    /// The right edge, front to rear.
    pub fn right_edge(&self) -> Segment {
        let [_, _, rear, front] = self.corners();
        Segment::new(front, rear)
    }

    /// How far a point is outside, to the right and ahead; zero where it is within.
    #[inline]
    pub(crate) fn excess(&self, point: Point) -> Point {
        let local = self.frame().to_local(point);
        Point::new((local.x.abs() - self.half_width).max(0.0), (local.y.abs() - self.half_depth).max(0.0))
    }

    #[inline]
    pub(crate) fn half(&self) -> Point {
        Point::new(self.half_width, self.half_depth)
    }

    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        let (sin, cos) = (self.forward.x.abs(), self.forward.y.abs());
        let reach = Point::new(
            self.half_width * cos + self.half_depth * sin,
            self.half_width * sin + self.half_depth * cos,
        );
        Bounds { min: self.centre - reach, max: self.centre + reach }
    }

    /// Slid by a displacement.
    #[must_use]
    pub fn slid(&self, way: Point) -> Self {
        Self { centre: self.centre + way, ..*self }
    }

    /// The same size with its middle elsewhere, looking another way.
    #[must_use]
    pub fn placed(&self, centre: Point, facing: f64) -> Self {
        let facing = angle::normalise(facing);
        Self { centre, facing, forward: angle::forward(facing), ..*self }
    }
}

impl From<Rect> for Shape {
    fn from(rect: Rect) -> Self {
        Self::Rect(rect)
    }
}
