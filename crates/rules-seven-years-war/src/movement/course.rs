//! The course of one leg: straight, or round a corner.

use tricorne_table::{Point, Pose};

/// The course of one leg.
#[derive(Clone, Copy, Debug)]
pub enum Course {
    Straight(Point),
    Wheel { pivot: Point, degrees: f64, arc: f64 },
}

impl Course {
    /// Where a pose is after a length of the way.
    pub(crate) fn at(&self, start: Pose, done: f64, _length: f64) -> Pose {
        match *self {
            Course::Straight(way) => start.slid(way * done),
            Course::Wheel { pivot, degrees, arc } => {
                let share = if arc > 0.0 { (done / arc).min(1.0) } else { 0.0 };
                start.turned_about(pivot, degrees * share)
            }
        }
    }

    pub(crate) fn whole(&self, length: f64) -> f64 {
        match *self {
            Course::Straight(_) => length,
            Course::Wheel { arc, .. } => arc,
        }
    }
}
