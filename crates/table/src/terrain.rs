//! A piece of ground, and what a place, a line or a shape has to do with it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::area::Area;
use crate::bounds::Bounds;
use crate::line::{Line, Road};
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::shape::Shape;

/// The ground a feature covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// A piece of ground.
    Area(Area),
    /// A wall, fence or stream without thickness.
    Line(Line),
    /// A strip along a line.
    Road(Road),
}

impl Ground {
    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Area(area) => area.bounds(),
            Self::Line(line) => line.bounds(),
            Self::Road(road) => road.bounds(),
        }
    }

    /// Whether a place is in it; its rim counts, and so does standing on a line.
    pub fn contains(&self, point: Point) -> bool {
        match self {
            Self::Area(area) => area.contains(point),
            Self::Line(line) => line.distance_to(point) <= TOLERANCE,
            Self::Road(road) => road.contains(point),
        }
    }

    /// How much of a stretch runs in it; a line is crossed but never run in.
    pub fn length_inside(&self, a: Point, b: Point) -> f64 {
        match self {
            Self::Area(area) => area.length_inside(a, b),
            Self::Line(_) => 0.0,
            Self::Road(road) => road.length_inside(a, b),
        }
    }

    /// Whether a stretch runs through it or crosses it.
    pub fn met_by(&self, a: Point, b: Point) -> bool {
        match self {
            Self::Area(area) => area.cut_by(a, b),
            Self::Line(line) => line.meets_segment(a, b),
            Self::Road(road) => !road.pieces(a, b).is_empty(),
        }
    }

    /// The distance to a shape; zero when they touch or overlap.
    pub fn gap(&self, shape: &Shape) -> f64 {
        match self {
            Self::Area(area) => area.gap(shape),
            Self::Line(line) => line.gap(shape),
            Self::Road(road) => road.gap(shape),
        }
    }

    /// Whether a shape stands in it or across it; touching is not enough.
    pub fn entered_by(&self, shape: &Shape) -> bool {
        match self {
            Self::Area(area) => area.overlaps(shape),
            Self::Line(line) => line.crossed_by(shape),
            Self::Road(road) => {
                let half = road.width() * 0.5;
                road.bounds().meets(&shape.bounds()) && road.line().gap(shape) < half - TOLERANCE
            }
        }
    }
}

/// The top of a hill, where it is marked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Crest {
    /// One highest place.
    Peak(Point),
    /// A line along the top.
    Ridge(Line),
}
