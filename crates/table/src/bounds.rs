//! Boxes along the axes, and the table itself.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::segment::Segment;
use crate::shape::Shape;

/// A box with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// The south-west corner.
    pub min: Point,
    /// The north-east corner.
    pub max: Point,
}

impl Bounds {
    /// The box that holds nothing, to be grown.
    pub const NOTHING: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box with two places as opposite corners.
    #[inline]
    pub fn of_pair(a: Point, b: Point) -> Self {
        Self { min: Point::new(a.x.min(b.x), a.y.min(b.y)), max: Point::new(a.x.max(b.x), a.y.max(b.y)) }
    }

    /// The smallest box round some places.
    pub fn of_points(points: &[Point]) -> Self {
        let mut all = Self::NOTHING;
        for point in points {
            all.min = Point::new(all.min.x.min(point.x), all.min.y.min(point.y));
            all.max = Point::new(all.max.x.max(point.x), all.max.y.max(point.y));
        }
        all
    }

    /// The smallest box round both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        Self {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// Larger by so much on every side.
    #[inline]
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        let by = Point::new(by, by);
        Self { min: self.min - by, max: self.max + by }
    }

    /// Whether the boxes share a point; touching counts.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// Whether a place is in the box; the sides count.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.min.x <= point.x && point.x <= self.max.x && self.min.y <= point.y && point.y <= self.max.y
    }

    /// The square of the distance between the boxes, zero when they meet.
    #[inline]
    pub fn gap_squared(&self, other: &Self) -> f64 {
        let x = (other.min.x - self.max.x).max(self.min.x - other.max.x).max(0.0);
        let y = (other.min.y - self.max.y).max(self.min.y - other.max.y).max(0.0);
        x * x + y * y
    }

    /// The square of the distance to a place, zero inside.
    #[inline]
    pub fn distance_squared(&self, point: Point) -> f64 {
        let x = (self.min.x - point.x).max(point.x - self.max.x).max(0.0);
        let y = (self.min.y - point.y).max(point.y - self.max.y).max(0.0);
        x * x + y * y
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        self.min.midpoint(self.max)
    }

    /// From west to east.
    pub fn width(&self) -> f64 {
        self.max.x - self.min.x
    }

    /// From south to north.
    pub fn depth(&self) -> f64 {
        self.max.y - self.min.y
    }

    /// The corners, anticlockwise from the south-west.
    pub fn corners(&self) -> [Point; 4] {
        [self.min, Point::new(self.max.x, self.min.y), self.max, Point::new(self.min.x, self.max.y)]
    }
}

/// One side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Where y is greatest.
    North,
    /// Where x is greatest.
    East,
    /// Where y is zero.
    South,
    /// Where x is zero.
    West,
}

impl Edge {
    /// All four, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The bearing straight off the table over this edge.
    pub fn bearing(self) -> f64 {
        match self {
            Self::North => 0.0,
            Self::East => 90.0,
            Self::South => 180.0,
            Self::West => 270.0,
        }
    }

    /// The edge across the table.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}

/// The table: a rectangle with its south-west corner at the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "TableSize")]
#[schemars(with = "TableSize")]
pub struct Table {
    width: f64,
    depth: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TableSize {
    width: f64,
    depth: f64,
}

impl TryFrom<TableSize> for Table {
    type Error = TableError;
    fn try_from(size: TableSize) -> Result<Self, TableError> {
        Self::new(size.width, size.depth)
    }
}

/// Why a table can't be laid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableError {
    width: f64,
    depth: f64,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table needs a width and a depth above 0, not {} by {}", self.width, self.depth)
    }
}

impl Error for TableError {}

impl Table {
    /// A table so wide (west to east) and so deep (south to north).
    pub fn new(width: f64, depth: f64) -> Result<Self, TableError> {
        let fair = |length: f64| length.is_finite() && length > 0.0;
        if fair(width) && fair(depth) { Ok(Self { width, depth }) } else { Err(TableError { width, depth }) }
    }

    /// From west to east.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// From south to north.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// The table as a box.
    pub fn bounds(&self) -> Bounds {
        Bounds { min: Point::ORIGIN, max: Point::new(self.width, self.depth) }
    }

    /// The middle of the table.
    pub fn centre(&self) -> Point {
        self.bounds().centre()
    }

    /// Whether a place is on the table; the edge counts.
    pub fn contains(&self, point: Point) -> bool {
        self.bounds().grown(TOLERANCE).contains(point)
    }

    /// Whether a shape stands wholly on the table; touching the edge from within is on it.
    pub fn holds(&self, shape: &Shape) -> bool {
        self.holds_bounds(&shape.bounds())
    }

    /// Whether a box lies wholly on the table.
    pub fn holds_bounds(&self, bounds: &Bounds) -> bool {
        let table = self.bounds().grown(TOLERANCE);
        table.contains(bounds.min) && table.contains(bounds.max)
    }

    /// One edge of the table as a stretch, clockwise.
    pub fn edge(&self, edge: Edge) -> Segment {
        let [sw, se, ne, nw] = self.bounds().corners();
        match edge {
            Edge::North => Segment::new(nw, ne),
            Edge::East => Segment::new(ne, se),
            Edge::South => Segment::new(se, sw),
            Edge::West => Segment::new(sw, nw),
        }
    }

    /// How far a place is from an edge; negative when it is beyond it.
    pub fn distance_to_edge(&self, edge: Edge, point: Point) -> f64 {
        match edge {
            Edge::North => self.depth - point.y,
            Edge::East => self.width - point.x,
            Edge::South => point.y,
            Edge::West => point.x,
        }
    }

    /// The edge nearest to a place; on ties the first of north, east, south, west.
    pub fn nearest_edge(&self, point: Point) -> Edge {
        let mut best = Edge::North;
        for edge in Edge::ALL {
            if self.distance_to_edge(edge, point) < self.distance_to_edge(best, point) {
                best = edge;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_needs_a_size() {
        assert!(Table::new(72.0, 48.0).is_ok());
        assert!(Table::new(0.0, 48.0).is_err());
        assert!(Table::new(72.0, f64::NAN).is_err());
        assert_eq!(
            Table::new(-1.0, 4.0).unwrap_err().to_string(),
            "a table needs a width and a depth above 0, not -1 by 4"
        );
    }

    #[test]
    fn a_disc_over_the_edge_is_not_on_the_table() {
        let table = Table::new(72.0, 48.0).unwrap();
        let disc = Shape::disc(Point::new(71.75, 47.5), 0.5).unwrap();
        assert!(!table.holds(&disc));
        assert!(table.holds(&Shape::disc(Point::new(71.5, 47.5), 0.5).unwrap()));
        assert_eq!(table.nearest_edge(Point::new(70.0, 20.0)), Edge::East);
        assert_eq!(table.nearest_edge(Point::new(2.0, 2.0)), Edge::South);
    }

    #[test]
    fn boxes_know_their_gap() {
        let near = Bounds::of_pair(Point::new(0.0, 0.0), Point::new(1.0, 1.0));
        let far = Bounds::of_pair(Point::new(4.0, 5.0), Point::new(6.0, 7.0));
        assert_eq!(near.gap_squared(&far), 25.0);
        assert!(!near.meets(&far));
        assert!(near.grown(4.0).meets(&far));
    }
}
