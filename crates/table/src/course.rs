//! A whole path with a body on it: what it passes over, and what it meets first.

use smallvec::SmallVec;

use crate::angle;
use crate::path::{Leg, Step, Walk, front_corner};
use crate::point::Point;
use crate::pose::Pose;
use crate::rect::Rect;
use crate::shape::Shape;
use crate::sweep;

/// The first thing a walk meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// Which of the others, in the order they were given.
    pub other: usize,
    /// On which leg, from 0.
    pub leg: usize,
    /// The share of that leg done.
    pub share: f64,
    /// The pose at the touch.
    pub pose: Pose,
    /// Where they touch.
    pub at: Point,
}

/// A body that stood at one pose, carried to another.
pub fn carried(body: &Shape, from: &Pose, to: &Pose) -> Shape {
    let moved = body.translated(to.at - from.at);
    let turn = angle::turn(from.facing, to.facing);
    if turn == 0.0 { moved } else { moved.turned_about(to.at, turn) }
}

/// The pivot and the degrees, clockwise positive, of a leg that turns.
fn turning(step: &Step, front_width: f64) -> Option<(Point, f64)> {
    match step.leg {
        Leg::Wheel { side, angle } => {
            Some((front_corner(&step.from, front_width, side), side.sign() * angle))
        }
        Leg::Turn(angle) => Some((step.from.at, angle)),
        _ => None,
    }
}

impl Walk {
    /// The rectangle behind the front edge at every pose of [`Walk::poses`].
    pub fn footprints(&self, pace: f64, depth: f64) -> impl Iterator<Item = Rect> + '_ {
        self.poses(pace).map(move |pose| Rect::fronted(pose, self.front_width, depth))
    }

    /// Shapes that together cover everything a body passes over; `body` as it stands at the start.
    pub fn sweep(&self, body: &Shape) -> SmallVec<[Shape; 4]> {
        let mut covered: SmallVec<[Shape; 4]> = SmallVec::new();
        for step in &self.steps {
            let now = carried(body, &self.start, &step.from);
            match turning(step, self.front_width) {
                Some((pivot, degrees)) => covered.extend(sweep::wheel_sweep(&now, pivot, degrees)),
                None => covered.push(sweep::swept(&now, step.to.at - step.from.at)),
            }
        }
        if covered.is_empty() {
            covered.push(body.clone());
        }
        covered
    }

    /// The first of some others that a body touches on the way; `body` as it stands at the start.
    pub fn first_touch<'a, I>(&self, body: &Shape, others: I) -> Option<Encounter>
    where
        I: IntoIterator<Item = &'a Shape>,
        I::IntoIter: Clone,
    {
        let others = others.into_iter();
        for (leg, step) in self.steps.iter().enumerate() {
            let now = carried(body, &self.start, &step.from);
            let way = step.to.at - step.from.at;
            let turning = turning(step, self.front_width);
            let mut best: Option<(f64, usize, &Shape)> = None;
            for (i, other) in others.clone().enumerate() {
                let share = match turning {
                    Some((pivot, degrees)) => {
                        sweep::wheel_touch(&now, pivot, degrees, other).map(|turned| turned / degrees.abs())
                    }
                    None => sweep::travel_to(&now, way, other).map(|travel| travel / way.length()),
                };
                if let Some(share) = share
                    && best.is_none_or(|(least, _, _)| share < least)
                {
                    best = Some((share, i, other));
                }
            }
            if let Some((share, other, shape)) = best {
                let pose = step.leg.pose_at(&step.from, self.front_width, share);
                let at = carried(body, &self.start, &pose).contact(shape);
                return Some(Encounter { other, leg, share, pose, at });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Prices, Side, walk};

    fn block(x: f64, y: f64, facing: f64) -> Shape {
        Rect::fronted(Pose::new(Point::new(x, y), facing), 4.0, 2.0).into()
    }

    #[test]
    fn a_walk_stops_at_what_it_meets_first() {
        let start = Pose::new(Point::new(10.0, 10.0), 0.0);
        let legs = [Leg::Ahead(4.0), Leg::Wheel { side: Side::Right, angle: 90.0 }, Leg::Ahead(6.0)];
        let walked = walk(start, 4.0, &legs, &Prices::default()).unwrap();
        let body = block(10.0, 10.0, 0.0);
        // Beyond the end of the wheel, facing back along the last leg; and one far off.
        let enemies = [block(60.0, 60.0, 0.0), block(15.0, 16.0, 270.0)];
        let met = walked.first_touch(&body, &enemies).unwrap();
        assert_eq!((met.other, met.leg), (1, 2));
        assert!(met.pose.at.near(Point::new(15.0, 16.0)), "{:?}", met.pose);
        assert!(met.at.near(Point::new(15.0, 16.0)), "{:?}", met.at);
        assert!(walked.sweep(&body).iter().any(|piece| piece.overlaps(&enemies[1])));
        assert!(walked.first_touch(&body, &enemies[..1]).is_none());
        assert_eq!(walked.footprints(0.5, 2.0).last().unwrap().front(), walked.end());
    }

    #[test]
    fn a_body_is_carried_with_its_pose() {
        let body = block(10.0, 10.0, 0.0);
        let there = Pose::new(Point::new(3.0, 4.0), 135.0);
        let moved = carried(&body, &Pose::new(Point::new(10.0, 10.0), 0.0), &there);
        let Shape::Rect(rect) = moved else { panic!("still a rectangle") };
        assert!(rect.front().at.near(there.at));
        assert_eq!(rect.facing(), 135.0);
    }
}
