//! Shapes as files and pages see them.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::point::Point;
use crate::pose::Pose;
use crate::shape::{Disc, Pill, Shape, ShapeError};

/// A shape as it is written in files and sent to a page.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Outline {
    /// A round base.
    Disc {
        /// Its middle.
        centre: Point,
        /// From the middle to the rim.
        radius: f64,
    },
    /// A segment swollen by a radius.
    Pill {
        /// One end of the segment.
        a: Point,
        /// The other end of the segment.
        b: Point,
        /// How far it is swollen.
        radius: f64,
    },
    /// A rectangle with a front.
    Rect {
        /// Its middle.
        centre: Point,
        /// Which way its front looks.
        facing: f64,
        /// Along the front.
        width: f64,
        /// From front to rear.
        depth: f64,
    },
    /// A convex polygon.
    Hull {
        /// Its corners.
        corners: Vec<Point>,
        /// How far it is swollen.
        #[serde(default)]
        radius: f64,
    },
}

impl From<Shape> for Outline {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Disc(Disc { centre, radius }) => Self::Disc { centre, radius },
            Shape::Pill(Pill { a, b, radius }) => Self::Pill { a, b, radius },
            Shape::Rect(rect) => Self::Rect {
                centre: rect.centre(),
                facing: rect.facing(),
                width: rect.width(),
                depth: rect.depth(),
            },
            Shape::Hull(hull) => Self::Hull { corners: hull.corners.into_vec(), radius: hull.radius },
        }
    }
}

impl TryFrom<Outline> for Shape {
    type Error = ShapeError;
    fn try_from(outline: Outline) -> Result<Self, ShapeError> {
        match outline {
            Outline::Disc { centre, radius } => Self::disc(centre, radius),
            Outline::Pill { a, b, radius } => Self::pill(a, b, radius),
            Outline::Rect { centre, facing, width, depth } => {
                Self::rect(Pose { at: centre, facing }, width, depth)
            }
            Outline::Hull { corners, radius } => Self::hull(&corners, radius),
        }
    }
}
