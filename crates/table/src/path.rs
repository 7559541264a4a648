//! Moves as legs, where they lead and what they cost.

use std::error::Error;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

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
    /// Both, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

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

/// One leg of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    /// Straight ahead.
    Ahead(f64),
    /// Straight back, facing kept.
    Back(f64),
    /// Straight to one side, facing kept.
    Sidestep {
        /// To which side.
        side: Side,
        /// How far.
        distance: f64,
    },
    /// Ahead and to one side at once, facing kept.
    Incline {
        /// To which side.
        side: Side,
        /// How far, along the slant.
        distance: f64,
        /// How far the slant is from straight ahead, in degrees.
        angle: f64,
    },
    /// Round the front corner on one side.
    Wheel {
        /// Round which front corner.
        side: Side,
        /// How far round, in degrees.
        angle: f64,
    },
    /// On the spot, in degrees, clockwise positive.
    Turn(f64),
    /// Straight to a place, facing kept.
    Free {
        /// The place.
        to: Point,
    },
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

/// What each leg costs, for one of length gone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// Straight ahead.
    pub ahead: f64,
    /// Straight back.
    pub back: f64,
    /// To the side.
    pub sidestep: f64,
    /// On the slant.
    pub incline: f64,
    /// To a place, facing kept.
    pub free: f64,
    /// For each turn on the spot, however far.
    pub turn: f64,
    /// How a wheel is measured.
    pub wheel: WheelPrice,
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            ahead: 1.0,
            back: 1.0,
            sidestep: 1.0,
            incline: 1.0,
            free: 1.0,
            turn: 0.0,
            wheel: WheelPrice::Arc,
        }
    }
}

/// What is wrong with a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathError {
    /// Which leg, from 0.
    pub leg: usize,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "leg {} needs ordinary numbers, with distances and wheels of 0 or more", self.leg + 1)
    }
}

impl Error for PathError {}

/// The front corner on one side of a front edge so wide.
pub fn front_corner(pose: &Pose, front_width: f64, side: Side) -> Point {
    pose.at + pose.right() * (side.sign() * front_width * 0.5)
}

/// A wheel about the front corner on one side: the corner stays, the front edge turns round it.
pub fn wheel(pose: &Pose, front_width: f64, side: Side, degrees: f64) -> Pose {
    let pivot = front_corner(pose, front_width, side);
    let facing = angle::normalise(pose.facing + side.sign() * degrees);
    Pose { at: pivot - angle::right(facing) * (side.sign() * front_width * 0.5), facing }
}

/// What a wheel costs: the way of the outer front corner.
pub fn wheel_cost(front_width: f64, degrees: f64, price: WheelPrice) -> f64 {
    match price {
        WheelPrice::Arc => front_width * angle::radians(degrees.abs()),
        WheelPrice::Chord => 2.0 * front_width * angle::sin(degrees.abs() * 0.5),
        WheelPrice::Free => 0.0,
    }
}

/// How far round, in degrees, a wheel gets for a price; no more than a full circle.
pub fn wheel_reach(front_width: f64, allowance: f64, price: WheelPrice) -> f64 {
    let share = if front_width > 0.0 { (allowance / front_width).max(0.0) } else { f64::INFINITY };
    match price {
        WheelPrice::Arc => (share / angle::radians(1.0)).min(360.0),
        WheelPrice::Chord if share < 2.0 => 2.0 * libm::asin(share * 0.5) / angle::radians(1.0),
        WheelPrice::Chord => 180.0,
        WheelPrice::Free => 360.0,
    }
}

impl Leg {
    fn is_fair(&self) -> bool {
        let far = |distance: f64| distance.is_finite() && distance >= 0.0;
        match *self {
            Self::Ahead(distance) | Self::Back(distance) | Self::Sidestep { distance, .. } => far(distance),
            Self::Incline { distance, angle, .. } => far(distance) && angle.is_finite(),
            Self::Wheel { angle, .. } => far(angle),
            Self::Turn(angle) => angle.is_finite(),
            Self::Free { to } => to.is_finite(),
        }
    }

    /// The displacement of a straight leg; none for a wheel or a turn.
    pub fn way(&self, pose: &Pose) -> Option<Point> {
        match *self {
            Self::Ahead(distance) => Some(pose.forward() * distance),
            Self::Back(distance) => Some(pose.forward() * -distance),
            Self::Sidestep { side, distance } => Some(pose.right() * (side.sign() * distance)),
            Self::Incline { side, distance, angle } => {
                Some(angle::forward(pose.facing + side.sign() * angle) * distance)
            }
            Self::Free { to } => Some(to - pose.at),
            Self::Wheel { .. } | Self::Turn(_) => None,
        }
    }

    /// The pose when a share of the leg is done, from 0 to 1.
    pub fn pose_at(&self, pose: &Pose, front_width: f64, share: f64) -> Pose {
        match *self {
            Self::Wheel { side, angle } => wheel(pose, front_width, side, angle * share),
            Self::Turn(angle) => pose.turned(angle * share),
            Self::Free { to } if share >= 1.0 => Pose { at: to, facing: pose.facing },
            _ => self.way(pose).map_or(*pose, |way| pose.slid(way * share)),
        }
    }

    /// What the leg costs at these prices on open ground.
    pub fn cost(&self, pose: &Pose, front_width: f64, prices: &Prices) -> f64 {
        match *self {
            Self::Ahead(distance) => distance * prices.ahead,
            Self::Back(distance) => distance * prices.back,
            Self::Sidestep { distance, .. } => distance * prices.sidestep,
            Self::Incline { distance, .. } => distance * prices.incline,
            Self::Wheel { angle, .. } => wheel_cost(front_width, angle, prices.wheel),
            Self::Turn(angle) => {
                if angle == 0.0 {
                    0.0
                } else {
                    prices.turn
                }
            }
            Self::Free { to } => pose.at.distance(to) * prices.free,
        }
    }

    /// The longest way any point of the front edge runs.
    pub fn length(&self, pose: &Pose, front_width: f64) -> f64 {
        match *self {
            Self::Wheel { angle, .. } => wheel_cost(front_width, angle, WheelPrice::Arc),
            Self::Turn(angle) => front_width * 0.5 * angle::radians(angle.abs()),
            _ => self.way(pose).map_or(0.0, Point::length),
        }
    }
}

/// One leg walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The leg.
    pub leg: Leg,
    /// The pose before it.
    pub from: Pose,
    /// The pose after it.
    pub to: Pose,
    /// What it cost on open ground.
    pub cost: f64,
}

/// A path walked.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// The pose it began with.
    pub start: Pose,
    /// The width of front that wheels were counted by.
    pub front_width: f64,
    /// The legs in order.
    pub steps: SmallVec<[Step; 4]>,
    /// What they cost together on open ground.
    pub total: f64,
}

impl Walk {
    /// The pose it ends with.
    pub fn end(&self) -> Pose {
        self.steps.last().map_or(self.start, |step| step.to)
    }

    /// Every pose on the way, no point of the front edge moving more than `pace` between two: the first,
    /// the end of every leg, and evenly between.
    pub fn poses(&self, pace: f64) -> impl Iterator<Item = Pose> + '_ {
        let legs = self.steps.iter().flat_map(move |step| {
            let length = step.leg.length(&step.from, self.front_width);
            let count = if pace > 0.0 { (length / pace - 1e-9).ceil().clamp(1.0, 10_000.0) } else { 1.0 };
            (1..=count as u32).map(move |i| {
                if f64::from(i) == count {
                    step.to
                } else {
                    step.leg.pose_at(&step.from, self.front_width, f64::from(i) / count)
                }
            })
        });
        std::iter::once(self.start).chain(legs)
    }
}

/// Walks a path from a pose; wheels go by the width of front.
pub fn walk(pose: Pose, front_width: f64, legs: &[Leg], prices: &Prices) -> Result<Walk, PathError> {
    let mut steps = SmallVec::with_capacity(legs.len());
    let mut from = pose;
    let mut total = 0.0;
    for (i, &leg) in legs.iter().enumerate() {
        if !leg.is_fair() {
            return Err(PathError { leg: i });
        }
        let to = leg.pose_at(&from, front_width, 1.0);
        let cost = leg.cost(&from, front_width, prices);
        steps.push(Step { leg, from, to, cost });
        total += cost;
        from = to;
    }
    Ok(Walk { start: pose, front_width, steps, total })
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

    #[test]
    fn a_path_adds_up() {
        let legs = [
            Leg::Ahead(6.0),
            Leg::Wheel { side: Side::Right, angle: 90.0 },
            Leg::Sidestep { side: Side::Left, distance: 2.0 },
            Leg::Back(1.0),
            Leg::Turn(180.0),
            Leg::Free { to: Point::new(3.0, 4.0) },
        ];
        let prices = Prices { back: 2.0, turn: 1.5, wheel: WheelPrice::Free, ..Prices::default() };
        let walked = walk(Pose::new(Point::ORIGIN, 0.0), 4.0, &legs, &prices).unwrap();
        assert_eq!(walked.steps[0].to.at, Point::new(0.0, 6.0));
        assert_eq!(walked.steps[1].to, Pose::new(Point::new(2.0, 8.0), 90.0));
        assert_eq!(walked.steps[2].to.at, Point::new(2.0, 10.0));
        assert_eq!(walked.steps[3].to.at, Point::new(1.0, 10.0));
        assert_eq!(walked.end(), Pose::new(Point::new(3.0, 4.0), 270.0));
        let free = Point::new(1.0, 10.0).distance(Point::new(3.0, 4.0));
        assert_eq!(walked.total, 6.0 + 2.0 + 2.0 + 1.5 + free);
        assert_eq!(walked.poses(1.0).last(), Some(walked.end()));
    }

    #[test]
    fn bad_legs_are_refused() {
        for leg in [Leg::Ahead(-1.0), Leg::Turn(f64::NAN), Leg::Free { to: Point::new(f64::INFINITY, 0.0) }] {
            let refused = walk(Pose::default(), 1.0, &[Leg::Ahead(1.0), leg], &Prices::default());
            assert_eq!(refused, Err(PathError { leg: 1 }));
        }
    }
}
