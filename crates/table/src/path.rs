//! Wheels: where they lead and what they cost.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::angle;
use crate::point::Point;
use crate::pose::Pose;

/// Left or right, as the mover looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Side {
    /// -1 to the left, 1 to the right.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// How a wheel is paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WheelPrice {
    /// By the arc the outer front corner runs.
    #[default]
    Arc,
    /// By the straight line from where the outer front corner was to where it is.
    Chord,
    /// Not at all.
    Free,
}

/// The front corner on one side of a front edge so wide.
pub fn front_corner(pose: &Pose, front_width: f64, side: Side) -> Point {
    pose.at + pose.right() * (side.sign() * front_width * 0.5)
}

/// A wheel about the front corner on one side: the corner stays, the front edge turns round it.
pub fn wheel(pose: &Pose, front_width: f64, side: Side, degrees: f64) -> Pose {
    wheel_about(front_corner(pose, front_width, side), pose.facing, front_width, side, degrees).0
}

/// The same from the corner and the facing, for those who try many wheels about one corner; and the way it looks then.
pub fn wheel_about(pivot: Point, facing: f64, front_width: f64, side: Side, degrees: f64) -> (Pose, Point) {
    let facing = angle::normalise(facing + side.sign() * degrees);
    let way = angle::forward(facing);
    let right = Point::new(way.y, 0.0 - way.x);
    (Pose { at: pivot - right * (side.sign() * front_width * 0.5), facing }, way)
}

/// What a wheel costs: the way of the outer front corner.
pub fn wheel_cost(front_width: f64, degrees: f64, price: WheelPrice) -> f64 {
    match price {
        WheelPrice::Arc => front_width * angle::radians(degrees.abs()),
        WheelPrice::Chord => 2.0 * front_width * angle::sin(degrees.abs() * 0.5),
        WheelPrice::Free => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_left_keeps_the_left_corner() {
        let pose = Pose::new(Point::new(10.0, 10.0), 0.0);
        let after = wheel(&pose, 4.0, Side::Left, 90.0);
        assert_eq!(after, Pose::new(Point::new(8.0, 12.0), 270.0));
        let after = wheel(&pose, 4.0, Side::Right, 90.0);
        assert_eq!(after, Pose::new(Point::new(12.0, 12.0), 90.0));
        assert!((wheel_cost(5.0, 90.0, WheelPrice::Arc) - 7.853_981_633_974_483).abs() < 1e-12);
        assert_eq!(wheel_cost(5.0, 60.0, WheelPrice::Chord), 5.0);
    }
}
