//! Charges, responses, evasion and following, coming into contact (ledger 4.8, VF-MODEL-46, -47).

pub(crate) mod contact;
pub(crate) mod declare;
pub(crate) mod evade;
pub(crate) mod follow;
pub(crate) mod go_on;
pub(crate) mod respond;
use tricorne_game::{Event, Log};
use tricorne_table::path;
use tricorne_table::{Point, Pose, Segment, Shape, angle};

use crate::field::Field;
use crate::model::formation::{Body, Zone, touch};
use crate::model::measure::{Mils, exact, mils};
use crate::model::{Formation, Nr};
use crate::movement::Minding;
use crate::questions::{GoOn, Respond};
use crate::state::ChargePath;

/// How a charge ends that comes to no melee.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ended {
    /// Its move was not enough.
    Short,
    /// No way to its target was left.
    NoWay,
    /// It gave way itself.
    Broken,
    /// There was nobody left to charge.
    Nobody,
    /// The target fell back and could not be reached any more.
    OutOfReach,
    /// Its owner let it stay where it was, or where the target had stood.
    Stayed,
    /// Charger and countercharger did not meet.
    Apart,
}

impl Ended {
    fn name(self) -> &'static str {
        match self {
            Ended::Short => "short",
            Ended::NoWay => "no_way",
            Ended::Broken => "broken",
            Ended::Nobody => "nobody",
            Ended::OutOfReach => "out_of_reach",
            Ended::Stayed => "stayed",
            Ended::Apart => "apart",
        }
    }

    fn clause(self) -> &'static str {
        match self {
            Ended::Short | Ended::NoWay => "VF-CHARGE-21",
            Ended::Broken => "VF-CHARGE-13",
            Ended::Nobody | Ended::OutOfReach | Ended::Stayed => "VF-CHARGE-07",
            Ended::Apart => "VF-CHARGE-16",
        }
    }
}

impl Field {
    /// Which side of a target somebody comes at (VF-MODEL-25, -30, -46).
    pub(crate) fn aspect(&self, target: Nr, from: Point) -> Zone {
        let unit = self.unit(target);
        match unit.formation {
            Formation::Cloud => Zone::Front,
            Formation::Square => {
                let open = unit.square.is_some_and(|s| s.open_rear);
                if open && unit.body.zone(from, self.p().fire.arc.slope) == Zone::Rear {
                    Zone::Rear
                } else {
                    Zone::Front
                }
            }
            _ => unit.body.zone(from, self.p().fire.arc.slope),
        }
    }

    /// The way of a charge: the cheapest that touches nobody else first (VF-CHARGE-05).
    pub(crate) fn charge_path(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        self.charge_path_of(u, target, None, false, true)
    }

    /// The rest of the way of a charge that has begun, and so wheels no more; none if it passes the target by.
    pub(crate) fn charge_on(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        self.charge_path_of(u, target, None, false, false)
    }

    /// The same if it costs no more than so much; with `any` the first such way found, whether it is the cheapest or not.
    pub(crate) fn charge_path_within(&self, u: Nr, target: Nr, most: Mils, any: bool) -> Option<ChargePath> {
        self.charge_path_of(u, target, Some(most), any, true).filter(|path| path.cost <= most)
    }

    fn charge_path_of(
        &self,
        u: Nr,
        target: Nr,
        far: Option<Mils>,
        any: bool,
        wheels: bool,
    ) -> Option<ChargePath> {
        let unit = self.unit(u);
        let goal = self.unit(target).body;
        if unit.formation == Formation::Cloud {
            return self.cloud_charge_path(u, target);
        }
        let pose = unit.place.pose();
        let width = unit.body.rect.width();
        let near = self.near_enemy(self.side(u), &unit.body);
        let most = if near || !wheels { 0 } else { i16::from(self.p().moves.charge_wheel) };
        let gap = unit.body.gap_mils(&goal);
        let price = self.wheel_price();
        // In a wheel no part of it goes farther than its diagonal swings, so it can't be paid less than the gap by more
        // than this.
        let swings = 2.0 * unit.body.radius() * angle::radians(f64::from(most));
        let gained = mils(swings - path::wheel_cost(width, f64::from(most), price)).max(0) + 2;
        if far.is_some_and(|far| gap > far + gained) {
            return None;
        }
        // What would cost more is not looked into, unless the gap itself might be what ends the search below.
        let far = far.filter(|&far| gap <= far);
        let beyond = |cost: Mils| far.is_some_and(|far| cost > far);
        let corners =
            [path::Side::Left, path::Side::Right].map(|side| path::front_corner(&pose, width, side));
        let (half, reach) = (unit.body.rect.depth() * 0.5, goal.radius() + 0.01);
        let mut best: Option<ChargePath> = None;
        for degrees in 0..=most {
            let wheel = mils(path::wheel_cost(width, f64::from(degrees), price));
            if best.is_some_and(|b| wheel >= b.cost) || beyond(wheel) {
                break;
            }
            for sign in [-1_i16, 1] {
                if degrees == 0 && sign > 0 {
                    continue;
                }
                let side = if sign < 0 { path::Side::Left } else { path::Side::Right };
                let pivot = corners[usize::from(sign > 0)];
                let (start, way) = path::wheel_about(pivot, pose.facing, width, side, f64::from(degrees));
                // Most ways pass the target by, or lead away from it.
                let to = goal.centroid() - (start.at - way * half);
                if way.cross(to).abs() > width * 0.5 + reach || way.dot(to) < -(half + reach) {
                    continue;
                }
                let body = unit.body_at(start);
                let Some(straight) = touch(&body, way, &goal) else { continue };
                if best.is_some_and(|b| wheel + mils(straight) >= b.cost) || beyond(wheel + mils(straight)) {
                    continue;
                }
                if !self.charge_clear(u, target, &body, way, straight) {
                    continue;
                }
                let straight_cost = mils(self.straight_cost(self.mover(u), &body, way, straight, None));
                // The wheel is walked only where it does not cost too much even over good ground.
                let least = wheel + straight_cost;
                if best.is_some_and(|b| least >= b.cost) || beyond(least) {
                    continue;
                }
                let wheel_cost = if degrees == 0 {
                    0
                } else {
                    match self.wheel(u, pose, (side, f64::from(degrees)), false, Some(target)) {
                        Ok((_, cost)) => mils(cost),
                        Err(_) => continue,
                    }
                };
                let cost = wheel_cost + straight_cost;
                if best.is_none_or(|b| cost < b.cost) {
                    best = Some(ChargePath {
                        wheel: sign * degrees,
                        bearing: mils(start.facing),
                        straight: mils(straight),
                        wheel_cost,
                        cost,
                    });
                }
                if any && far.is_some() && !beyond(cost) {
                    return best;
                }
            }
            // Nothing is shorter than the gap itself.
            if best.is_some_and(|b| b.cost <= gap) {
                break;
            }
        }
        best
    }

    /// A cloud goes straight to the nearest touch.
    fn cloud_charge_path(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        let body = self.unit(u).body;
        let goal = self.unit(target).body;
        let mut best = (f64::INFINITY, Point::ORIGIN);
        for a in body.parts() {
            for b in goal.parts() {
                let (a, b) = (Shape::Rect(a), Shape::Rect(b));
                let gap = a.gap(&b);
                if gap < best.0 - 1e-9 {
                    let nearest = a.nearest(&b);
                    best = (gap, nearest.other - nearest.own);
                }
            }
        }
        let (length, step) = best;
        let way = step.unit().unwrap_or_else(|| body.rect.frame().forward);
        if length > 0.0 && !self.charge_clear(u, target, &body, way, length) {
            return None;
        }
        let cost = mils(self.straight_cost(self.mover(u), &body, way, length, None));
        Some(ChargePath {
            wheel: 0,
            bearing: mils(angle::bearing_of(way)),
            straight: mils(length),
            wheel_cost: 0,
            cost,
        })
    }

    /// Whether no other enemy, no friend that bars the way and no closed ground is met before the target. Clouds let
    /// friends through and go through friends, but do not end on top of any (VF-CHARGE-05, VF-MOVE-12).
    fn charge_clear(&self, u: Nr, target: Nr, body: &Body, way: Point, length: f64) -> bool {
        let start = body.centroid();
        let track = Segment::new(start, start + way * length);
        let side = self.side(u);
        let blocked = self.present().any(|o| {
            if o == u || o == target {
                return false;
            }
            let other = &self.unit(o).body;
            let reach = body.radius() + other.radius() + 0.01;
            if track.distance_squared(other.centroid()) > reach * reach {
                return false;
            }
            if self.side(o) == side && body.cloud > 0 {
                return body.slid(way * length).overlaps(other);
            }
            (self.side(o) != side || other.cloud == 0)
                && touch(body, way, other).is_some_and(|at| at < length - 0.001)
        });
        let minding = Minding { friends: false, except: u64::MAX, ..Minding::all(u) };
        !blocked && self.free_run(side, self.mover(u), body, way, length, minding).1.is_none()
    }

    /// After the shots before a charge: go on, ask, or leave off (VF-CHARGE-07).
    pub(crate) fn after_charge_fire(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        if charge.failed || !self.unit(u).here() {
            return self.end_charge(Ended::Broken, log);
        }
        if !self.unit(target).here() {
            return self.end_charge(Ended::Nobody, log);
        }
        if !charge.fled {
            self.ask(Respond);
            return;
        }
        if self.may_charge(u, target) {
            self.ask(GoOn);
        } else {
            self.end_charge(Ended::OutOfReach, log);
        }
    }

    /// A charge is over without a melee, and why.
    pub(crate) fn end_charge(&mut self, how: Ended, log: &mut Log) {
        if let Some(charge) = self.s.charge.take() {
            let (who, whom) = (self.spec(charge.charger).id, self.spec(charge.target).id);
            log.say(|| Event::new("charge_over", how.clause()).who(who).whom(whom).outcome(how.name()));
        }
    }

    /// The pose after so much of a charge.
    pub(crate) fn along(&self, u: Nr, path: &ChargePath, spend: Mils) -> Pose {
        let unit = self.unit(u);
        let pose = unit.place.pose();
        let width = unit.body.rect.width();
        let side = if path.wheel < 0 { path::Side::Left } else { path::Side::Right };
        let degrees = f64::from(path.wheel.abs());
        if spend < path.wheel_cost {
            let share = f64::from(spend) / f64::from(path.wheel_cost.max(1));
            return path::wheel(&pose, width, side, degrees * share);
        }
        let wheeled = if path.wheel == 0 { pose } else { path::wheel(&pose, width, side, degrees) };
        let way = angle::forward(exact(path.bearing));
        let length = if spend >= path.cost {
            exact(path.straight)
        } else {
            let body = unit.body_at(wheeled);
            let left = exact(spend - path.wheel_cost);
            self.distance_for(self.mover(u), &body, way, left).min(exact(path.straight))
        };
        wheeled.slid(way * length)
    }
}
