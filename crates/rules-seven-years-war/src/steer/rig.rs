//! A group as a rigid body that wheels about its front corners, and the ways it could take to a place.

use smallvec::{SmallVec, smallvec};
use tricorne_table::{Point, Pose, angle, brink, round_to};

use crate::action::{Hand, Leg, Legs};
use crate::model::field::SevenYearsBattle;
use crate::movement::walk::Mover;

/// Ways worth trying.
pub(crate) type Ways = SmallVec<[Legs; 12]>;

/// Some units that walk together, reduced to what their legs need: one place that is steered, and two corners.
#[derive(Clone, Copy)]
pub(crate) struct Rig<'a> {
    battle: &'a SevenYearsBattle,
    /// The steered place and the way the first unit faces, by which all legs go.
    pub start: Pose,
    /// Front corners as seen from the steered place.
    left: Point,
    right: Point,
    width: f64,
    /// Centimetres of move for a centimetre of wheel, incline and going back.
    wheel: f64,
    incline: Option<f64>,
    back: f64,
    /// What is left of the move.
    pub allowance: f64,
}

impl<'a> Rig<'a> {
    /// The units as one body, steered by the place of the `k`th.
    pub fn new(battle: &'a SevenYearsBattle, movers: &[Mover], k: usize, back: f64) -> Option<Self> {
        let heading = movers.first()?.new.facing;
        let start = Pose { at: movers.get(k)?.new.at, facing: heading };
        let (left, width) = battle.hinge(movers, Hand::Left);
        let (right, _) = battle.hinge(movers, Hand::Right);
        let mut incline = Some(0.0_f64);
        for m in movers {
            incline = incline.zip(battle.incline_price(m.u).ok()).map(|(a, b)| a.max(b));
        }
        Some(Self {
            battle,
            start,
            left: start.to_local(left),
            right: start.to_local(right),
            width,
            wheel: movers.iter().map(|m| battle.drill_row(m.u).wheel).fold(1.0, f64::max),
            incline,
            back,
            allowance: movers.iter().map(Mover::left).fold(f64::MAX, f64::min).max(0.0),
        })
    }

    fn corner(&self, turn: f64) -> Point {
        if turn < 0.0 { self.left } else { self.right }
    }

    /// The pose after a leg.
    pub fn after(&self, pose: Pose, leg: &Leg) -> Pose {
        match *leg {
            Leg::Forward(d) => pose.ahead(d),
            Leg::Back(d) => pose.back(d),
            Leg::Incline { side, distance } => pose.along(pose.facing + side.sign() * 45.0, distance),
            Leg::Wheel { side, degrees } => {
                let turn = side.sign() * degrees;
                pose.turned_about(pose.to_world(self.corner(turn)), turn)
            }
            Leg::Shift([x, y]) => pose.slid(Point::new(x, y)),
            _ => pose,
        }
    }

    /// What a leg costs in the open.
    pub fn price(&self, leg: &Leg) -> f64 {
        match *leg {
            Leg::Forward(d) => d,
            Leg::Back(d) => d * self.back,
            Leg::Incline { distance, .. } => distance * self.incline.unwrap_or(1e6),
            Leg::Wheel { degrees, .. } => self.battle.wheel_price(self.width, degrees) * self.wheel,
            Leg::Shift([x, y]) => Point::new(x, y).length(),
            _ => 0.0,
        }
    }

    /// What some legs cost in the open.
    pub fn cost(&self, legs: &[Leg]) -> f64 {
        legs.iter().map(|l| self.price(l)).sum()
    }

    /// Where some legs end in the open.
    pub fn end(&self, legs: &[Leg]) -> Pose {
        legs.iter().fold(self.start, |pose, leg| self.after(pose, leg))
    }

    /// The first part of some legs that costs no more than `most`.
    pub fn cut(&self, legs: &[Leg], most: f64) -> Legs {
        let mut left = most;
        let mut kept = Legs::new();
        for leg in legs {
            let price = self.price(leg);
            if price <= left + 1e-9 {
                kept.push(*leg);
                left -= price;
                continue;
            }
            let share = if price > 0.0 { left.max(0.0) / price } else { 0.0 };
            match *leg {
                Leg::Forward(d) => kept.push(Leg::Forward(floor(d * share))),
                Leg::Back(d) => kept.push(Leg::Back(floor(d * share))),
                Leg::Incline { side, distance } => {
                    kept.push(Leg::Incline { side, distance: floor(distance * share) });
                }
                Leg::Wheel { side, degrees } => {
                    // Not every way of pricing a wheel goes by its angle.
                    let [far, _] = brink([0.0, degrees], 16, 0.0, &mut |degrees| {
                        self.price(&Leg::Wheel { side, degrees }) > left
                    });
                    kept.push(Leg::Wheel { side, degrees: floor(far) });
                }
                Leg::Shift([x, y]) => kept.push(Leg::Shift([x * share, y * share])),
                _ => {}
            }
            break;
        }
        kept.retain(|leg| length(leg) > 0.005);
        kept
    }

    /// Some legs made longer straight ahead (or back) until they cost at least `least`.
    pub fn stretched(&self, legs: &[Leg], least: f64) -> Legs {
        let mut long: Legs = SmallVec::from_slice(legs);
        let missing = least - self.cost(legs);
        if missing <= 0.0 {
            return long;
        }
        match long.iter_mut().rev().find(|l| matches!(l, Leg::Forward(_) | Leg::Back(_))) {
            Some(Leg::Forward(d)) => *d = ceil(*d + missing),
            Some(Leg::Back(d)) => *d = ceil(*d + missing / self.back.max(0.5)),
            _ => long.push(Leg::Forward(ceil(missing))),
        }
        long
    }

    /// Ways from a pose to a place, with or without a facing at the end. `back` lets it go backwards.
    pub fn ways(&self, from: Pose, place: Point, facing: Option<f64>, back: bool) -> Ways {
        let mut ways = Ways::new();
        let local = from.to_local(place);
        let kept = facing.is_none_or(|f| angle::turn(from.facing, f).abs() < 1.0);
        if kept {
            if local.y > 0.0 {
                ways.push(smallvec![Leg::Forward(floor(local.y))]);
            }
            self.inclined(from, place, &Legs::new(), &mut ways);
        }
        if back && local.y < 0.0 {
            ways.push(smallvec![Leg::Back(floor(-local.y))]);
        }
        for side in [Hand::Left, Hand::Right] {
            self.wheel_then_straight(from, place, side, back, &mut ways);
        }
        if let Some(f) = facing {
            let turn = angle::turn(from.facing, f);
            if turn.abs() > 0.05 {
                let wheel = wheel(turn);
                let mut first: Legs = smallvec![wheel];
                ways.push(first.clone());
                let wheeled = self.after(from, &wheel);
                let ahead = wheeled.to_local(place).y;
                self.inclined(wheeled, place, &first, &mut ways);
                if ahead > 0.0 {
                    first.push(Leg::Forward(floor(ahead)));
                    ways.push(first);
                }
            }
            for first in [Hand::Left, Hand::Right] {
                for last in [Hand::Left, Hand::Right] {
                    self.wheel_march_wheel(from, place, f, first, last, &mut ways);
                }
            }
        }
        ways
    }

    /// Straight ahead and along an incline, facing kept.
    fn inclined(&self, from: Pose, place: Point, before: &[Leg], ways: &mut Ways) {
        let local = from.to_local(place);
        if self.incline.is_none() || local.y <= 0.0 || local.x.abs() < 0.05 {
            return;
        }
        let side = if local.x < 0.0 { Hand::Left } else { Hand::Right };
        let across = local.x.abs().min(local.y);
        let mut legs: Legs = SmallVec::from_slice(before);
        legs.push(Leg::Incline { side, distance: floor(across * core::f64::consts::SQRT_2) });
        if local.y > across + 0.01 {
            legs.push(Leg::Forward(floor(local.y - across)));
        }
        ways.push(legs);
    }

    /// One wheel so that the place lies straight ahead (or behind), then there.
    fn wheel_then_straight(&self, from: Pose, place: Point, side: Hand, back: bool, ways: &mut Ways) {
        // Seen from the hinge the place must come to lie in the column of the steered point.
        let hinge = if side == Hand::Left { self.left } else { self.right };
        let seen = from.to_local(place) - hinge;
        let (reach, across) = (seen.length(), -hinge.x);
        if reach < across.abs() + 1e-6 {
            return;
        }
        let bearing = angle::bearing_of(seen);
        let lead = angle::bearing_of(Point::new(across, (reach * reach - across * across).max(0.0).sqrt()));
        for ahead in [true, false] {
            if !ahead && !back {
                continue;
            }
            // Behind, the column runs the other way.
            let lead = if ahead { lead } else { 180.0 - lead };
            let turn = angle::turn(0.0, angle::normalise(bearing - lead));
            if turn * side.sign() < 0.05 {
                continue;
            }
            let first = wheel(turn);
            let along = self.after(from, &first).to_local(place).y;
            let legs: Legs = if along >= 0.0 {
                smallvec![first, Leg::Forward(floor(along))]
            } else if back {
                smallvec![first, Leg::Back(floor(-along))]
            } else {
                continue;
            };
            ways.push(legs);
        }
    }

    /// Wheel, march and wheel so that both place and facing come out.
    fn wheel_march_wheel(
        &self,
        from: Pose,
        place: Point,
        facing: f64,
        first: Hand,
        last: Hand,
        ways: &mut Ways,
    ) {
        let at = |side: Hand| if side == Hand::Left { self.left } else { self.right };
        let (one, two) = (at(first), at(last));
        let world = |local: Point, heading: f64| Pose { at: Point::ORIGIN, facing: heading }.to_world(local);
        // The march must cover what the two wheels leave over.
        let way = place - from.at - world(one, from.facing) + world(two, facing);
        let between = two - one;
        let square = way.length_squared() - between.x * between.x;
        if square < 0.0 {
            return;
        }
        let march = square.sqrt() - between.y;
        if march < 0.0 {
            return;
        }
        let heading = angle::bearing_of(way) - angle::bearing_of(Point::new(between.x, between.y + march));
        let (turn, back) = (angle::turn(from.facing, heading), angle::turn(heading, facing));
        if turn * first.sign() < -0.01 || back * last.sign() < -0.01 {
            return;
        }
        let mut legs = Legs::new();
        if turn.abs() > 0.05 {
            legs.push(wheel(turn));
        }
        legs.push(Leg::Forward(floor(march)));
        if back.abs() > 0.05 {
            legs.push(wheel(back));
        }
        ways.push(legs);
    }
}

/// A wheel by a signed angle.
pub(crate) fn wheel(turn: f64) -> Leg {
    let side = if turn < 0.0 { Hand::Left } else { Hand::Right };
    Leg::Wheel { side, degrees: round_to(turn.abs(), 0.01) }
}

/// Lengths are written to the grain of the table and never rounded over what a move allows.
pub(crate) fn floor(length: f64) -> f64 {
    (libm::floor(length * 100.0 + 1e-6) / 100.0).max(0.0)
}

fn ceil(length: f64) -> f64 {
    libm::ceil(length * 100.0 - 1e-6) / 100.0
}

/// How long a leg is, in its own measure.
fn length(leg: &Leg) -> f64 {
    match *leg {
        Leg::Forward(d) | Leg::Back(d) | Leg::Incline { distance: d, .. } => d,
        Leg::Wheel { degrees, .. } => degrees,
        Leg::Shift([x, y]) => Point::new(x, y).length(),
        _ => 1.0,
    }
}
