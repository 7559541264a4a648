//! Where troops on Advance must halt (SYW-ORDER-28 to -34).

use smallvec::SmallVec;
use tricorne_table::{Point, Pose, brink};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Unit, within};
use crate::movement::course::Course;
use crate::movement::steps::{Near, STEP, frame_of};
use crate::movement::walk::{Heed, Mover, Movers, Stop, Walked};
use crate::rulebook::{Arm, Class, cm};

impl SevenYearsBattle {
    /// How far from a known enemy straight ahead this unit must halt on Advance (SYW-ORDER-28, -30, -32); 0 for never.
    pub(crate) fn halting_distance(&self, u: UnitIx) -> f64 {
        let info = self.info(u);
        let ranges = self.fixed.book.ranges(info.weapon);
        if info.weapon.is_gun()
            && self.fixed.options.artillery_halt == crate::options::ArtilleryHalt::OptionalOnly
        {
            return 0.0;
        }
        let halt = cm(self.distances().halt);
        match (info.arm, ranges.long.or(ranges.short)) {
            // Horse halts where all horse does, bows or not (SYW-ORDER-32).
            (Arm::Cavalry, missiles) => missiles.unwrap_or(halt).max(halt),
            (_, missiles) => missiles.unwrap_or(halt),
        }
    }

    /// Whether an enemy straight ahead stops this unit at all (SYW-ORDER-29); prisoners do not (SYW-ROUT-15).
    pub(crate) fn halts_before(&self, u: UnitIx, enemy: UnitIx) -> bool {
        let info = self.info(u);
        let missiles = self.fixed.book.ranges(info.weapon).greatest() > 0.0 && info.arm != Arm::Cavalry;
        let passed_by = missiles && self.is_massed(u) && self.info(enemy).class == Class::Light;
        !self.unit(enemy).surrendered && !passed_by
    }

    /// How far ahead of a unit's front an enemy straight to its front is (SYW-MODEL-22); none if none of it is there.
    pub(crate) fn ahead_of(&self, unit: &Unit, pose: Pose, enemy: UnitIx) -> Option<f64> {
        let (left, right) = self.front_of(unit);
        let frame = frame_of(unit, pose);
        // A ring round the whole enemy that lies beside the strip or behind the front: no stand of it is ahead.
        let around = self.unit(enemy).frame.bounds;
        let (middle, ring) = (frame.to_local(around.centre()), around.min.distance(around.max) * 0.5);
        if middle.x + ring < left || middle.x - ring > right || middle.y + ring < -0.05 {
            return None;
        }
        let mut nearest: Option<f64> = None;
        for rect in &self.rects(enemy) {
            // The part of the stand inside the strip.
            let local: SmallVec<[Point; 4]> = rect.corners().iter().map(|&c| frame.to_local(c)).collect();
            let (low, high) = local.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.x), h.max(p.x)));
            if high <= left + 0.05 || low >= right - 0.05 {
                continue;
            }
            for k in 0..4 {
                let (a, b) = (local[k], local[(k + 1) % 4]);
                for (p, q) in clip_x(a, b, left, right) {
                    for point in [p, q] {
                        if point.y > -0.05 {
                            nearest = Some(nearest.map_or(point.y, |n: f64| n.min(point.y)));
                        }
                    }
                }
            }
        }
        nearest.map(|n| n.max(0.0))
    }

    /// Why a group halts before it has begun its move: one of its units, told to move or not, is inside its halting distance
    /// (SYW-ORDER-34).
    pub(crate) fn halted_at_once(&self, members: &[UnitIx], heed: &Heed) -> Option<Stop> {
        if !heed.halts {
            return None;
        }
        let movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
        let mut walked = Walked::default();
        self.halt_at_once(&movers, heed, &mut walked);
        walked.stop
    }

    /// A unit already inside its halting distance halts where it is (SYW-ORDER-34).
    pub(crate) fn halt_at_once(&self, movers: &[Mover], heed: &Heed, walked: &mut Walked) {
        let side = movers[0].new.side;
        for m in movers {
            let limit = self.halting_distance(m.u);
            if limit <= 0.0 {
                continue;
            }
            for enemy in self.known_enemies(side) {
                if heed.yielding.contains(&self.unit(enemy).group) || !self.halts_before(m.u, enemy) {
                    continue;
                }
                if self.unit(enemy).frame.bounds.gap_squared(&m.new.frame.bounds)
                    > (limit + 1.0) * (limit + 1.0)
                {
                    continue;
                }
                if self.ahead_of(&m.new, m.new.pose(), enemy).is_some_and(|d| within(d, limit)) {
                    walked.stop = Some(Stop::Halt(enemy));
                    return;
                }
            }
        }
    }

    pub(crate) fn halts_on(
        &self,
        movers: &[Mover],
        course: &Course,
        near: &Near,
        limit: &mut f64,
        halt: &mut Option<Stop>,
    ) {
        for m in movers {
            let distance = self.halting_distance(m.u);
            if distance <= 0.0 {
                continue;
            }
            for &enemy in &near.enemies {
                if !self.halts_before(m.u, enemy) {
                    continue;
                }
                let pose = m.new.pose();
                match course {
                    Course::Straight(way) if way.dot(pose.forward()) > 0.999 => {
                        if let Some(ahead) = self.ahead_of(&m.new, pose, enemy) {
                            let most = (ahead - distance).max(0.0);
                            if most < *limit || (halt.is_none() && within(most, *limit)) {
                                *limit = most.min(*limit);
                                *halt = Some(Stop::Halt(enemy));
                            }
                        }
                    }
                    _ => {
                        // Looked for step by step, and then within the step, where it is straight ahead and near enough.
                        let length = *limit;
                        let ahead = |t: f64| {
                            let pose = course.at(m.new.pose(), t, course.whole(length));
                            self.ahead_of(&m.new, pose, enemy)
                        };
                        let steps = (length / STEP).ceil() as u32;
                        let Some(t) = (0..=steps)
                            .map(|k| (f64::from(k) * STEP).min(length))
                            .find(|&t| ahead(t).is_some_and(|a| within(a, distance)))
                        else {
                            continue;
                        };
                        let near = &mut |t: f64| ahead(t).is_some_and(|a| a <= distance);
                        [_, *limit] = brink([(t - STEP).max(0.0), t], 16, 0.0, near);
                        *halt = Some(Stop::Halt(enemy));
                    }
                }
            }
        }
    }
}

/// A segment cut to a band of x.
fn clip_x(a: Point, b: Point, left: f64, right: f64) -> SmallVec<[(Point, Point); 1]> {
    let (mut t0, mut t1) = (0.0_f64, 1.0_f64);
    let d = b.x - a.x;
    if d.abs() < 1e-12 {
        if a.x < left || a.x > right {
            return SmallVec::new();
        }
    } else {
        let (mut enter, mut leave) = ((left - a.x) / d, (right - a.x) / d);
        if enter > leave {
            std::mem::swap(&mut enter, &mut leave);
        }
        t0 = t0.max(enter);
        t1 = t1.min(leave);
        if t0 > t1 {
            return SmallVec::new();
        }
    }
    SmallVec::from_slice(&[(a.lerp(b, t0), a.lerp(b, t1))])
}
