//! The measured plane: shapes, outlines, ground, sight and wheels.
//!
//! Origin at the south-west corner of the table, `x` east, `y` north. A facing is in degrees clockwise
//! from north, so forward is `(sin t, cos t)` and right is `(cos t, -sin t)`. Lengths are in whatever unit
//! the rule system uses; the plane never converts them by itself.
//!
//! Every [`Shape`] is a convex core (a point, a segment or a polygon) swollen by a radius. So nearly every
//! question about two shapes is one question about the Minkowski difference of their cores: its distance
//! from the origin is the gap, its depth the penetration, its chord along a move the moment of touching.
//!
//! ```
//! use tricorne_table::{Point, Pose, Rect, Shape, sweep};
//!
//! // A battalion faces east; a battery stands before it.
//! let battalion = Shape::Rect(Rect::fronted(Pose::new(Point::new(10.0, 10.0), 90.0), 8.0, 2.0));
//! let battery = Shape::Rect(Rect::fronted(Pose::new(Point::new(20.0, 10.0), 270.0), 2.0, 2.0));
//! assert!((battalion.gap(&battery) - 10.0).abs() < 1e-9);
//! // It marches straight ahead and touches after ten inches.
//! let touch = sweep::touch(&battalion, Point::new(12.0, 0.0), &battery);
//! assert!(touch.is_some());
//! ```

pub mod angle;
pub mod arc;
pub mod area;
pub mod bounds;
mod convex;
mod gap;
pub mod length;
pub mod line;
pub mod measure;
mod outline;
mod overlap;
pub mod path;
pub mod point;
pub mod pose;
pub mod rect;
mod rim;
pub mod segment;
pub mod shape;
pub mod sight;
pub mod sweep;
pub mod terrain;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use arc::{Arc, HalfPlane};
pub use area::{Area, AreaError};
pub use bounds::{Bounds, Edge, Table, TableError};
pub use gap::Nearest;
pub use length::LengthUnit;
pub use line::{Line, LineError, Road};
pub use measure::{TOLERANCE, brink, round_to, within};
pub use path::{Side, WheelPrice};
pub use point::Point;
pub use pose::{Frame, Pose};
pub use rect::Rect;
pub use segment::Segment;
pub use shape::{Disc, Hull, Pill, Shape, ShapeError};
pub use sweep::{Touch, touch};
pub use terrain::{Crest, Ground};
