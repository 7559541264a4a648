//! The outline of a piece of ground that has grown to all sides, for whoever draws it.

use crate::angle;
use crate::area::Area;
use crate::point::Point;
use crate::segment::Segment;

/// A corner is rounded in steps of at most so many degrees.
const STEP: f64 = 15.0;

impl Area {
    /// The outline of everything within so far of it, anticlockwise: its sides moved outwards, corners rounded. Where sides of
    /// a notch move into each other it stops at the corner between them, so the outline may cross itself there.
    pub fn rim(&self, by: f64) -> Vec<Point> {
        if by <= 0.0 {
            return self.corners().to_vec();
        }
        let sides: Vec<(Segment, Point)> = self
            .edges()
            .filter_map(|side| {
                let out = side.way().unit()?.quarter_right() * by;
                Some((Segment::new(side.a + out, side.b + out), out))
            })
            .collect();
        let mut rim = Vec::with_capacity(sides.len() * 3);
        for (i, (side, out)) in sides.iter().enumerate() {
            let (next, then) = &sides[(i + 1) % sides.len()];
            if out.cross(*then) >= 0.0 {
                let corner = side.b - *out;
                let turn = angle::turn(angle::bearing_of(*out), angle::bearing_of(*then));
                let steps = (turn.abs() / STEP).ceil().max(1.0);
                let mut step = 0.0;
                while step <= steps {
                    rim.push(corner + out.turned(turn * step / steps));
                    step += 1.0;
                }
            } else if let Some(meeting) = side.crossing(next) {
                rim.push(side.at(meeting.t));
            } else {
                rim.extend([side.b, side.b - *out, next.a]);
            }
        }
        rim
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[[f64; 2]]) -> Area {
        Area::new(corners.iter().map(|&c| c.into()).collect::<Vec<Point>>()).unwrap()
    }

    #[test]
    fn every_point_of_a_rim_is_as_far_from_the_ground_as_it_has_grown() {
        let notched = area(&[
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 6.0],
            [6.0, 6.0],
            [6.0, 2.0],
            [3.0, 2.0],
            [3.0, 6.0],
            [0.0, 6.0],
        ]);
        let slanted = area(&[[16.0, 18.0], [32.0, 18.0], [34.0, 26.0], [24.0, 32.0], [14.0, 26.0]]);
        for ground in [notched, slanted] {
            let rim = ground.rim(1.0);
            assert!(rim.iter().all(|&point| (ground.distance_to(point) - 1.0).abs() < 1e-9), "{rim:?}");
            // It is an outline in its own right, round all of it.
            let grown = Area::new(rim).unwrap();
            assert!(
                ground.corners().iter().all(|&corner| grown.contains(corner)
                    && grown.nearest_boundary(corner).distance(corner) > 0.99)
            );
        }
    }

    #[test]
    fn ground_that_has_not_grown_is_its_own_outline() {
        let ground = area(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]);
        assert_eq!(ground.rim(0.0), ground.corners());
    }
}
