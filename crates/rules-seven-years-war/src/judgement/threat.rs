//! Who could charge whom from where: flanks that are offered, charges that would be open, fire that is come under.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Bounds, Point, Pose, angle};

use crate::judgement::survey::{Foe, Friend, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Direction, Formation, Order};
use crate::rulebook::Arm;

/// Units as they stand, or as they would.
pub(crate) type Ends = SmallVec<[(UnitIx, Pose); 4]>;

/// A wheel of a wide line costs about this much of its move.
const WHEEL: f64 = 8.0;

impl SevenYearsBattle {
    /// The units of a group as they stand.
    pub(crate) fn as_they_stand(&self, f: &Friend) -> Ends {
        self.members(f.g).iter().map(|&u| (u, self.unit(u).pose())).collect()
    }

    /// What flanks that the enemy could charge next would cost a group that stands so, in points (SYW-FLANK-10).
    pub(crate) fn flank_cost(&self, survey: &Survey, f: &Friend, ends: &Ends) -> f64 {
        let mut worst: f64 = 0.0;
        for &(u, pose) in ends {
            let unit = self.unit(u);
            let info = self.info(u);
            if unit.formation == Formation::Square || unit.surrendered {
                continue;
            }
            if info.arm == Arm::Artillery {
                worst = worst.max(self.guns_in_reach(survey, f, u, pose));
                continue;
            }
            let half = unit.extent(info.depth).width() * 0.5;
            let fails = (f64::from(self.turn_needed(u)) - 1.0) / 6.0;
            for hand in [-1.0, 1.0] {
                let flank = pose.to_world(Point::new(hand * (half + 4.0), -2.0));
                if self.is_covered(survey, f, ends, u, flank) {
                    continue;
                }
                for foe in &survey.foes {
                    let risk = self.flank_risk(foe, pose, flank, info.arm);
                    worst =
                        worst.max(risk * (fails + self.mind.weighs.turned_anyway) * self.mind.weighs.rout);
                }
            }
        }
        worst * f.worth
    }

    /// How likely an enemy is to come at a flank in his next phase.
    fn flank_risk(&self, foe: &Foe, pose: Pose, flank: Point, arm: Arm) -> f64 {
        if foe.running || foe.gun || foe.order == Order::Retreat {
            return 0.0;
        }
        let far = foe.bounds.distance_squared(flank);
        if far > (foe.speed - 2.0) * (foe.speed - 2.0) {
            return 0.0;
        }
        // Some of it must be behind the line of the front when the charge is declared (SYW-FLANK-01).
        let local = pose.to_local(foe.at);
        let lean = angle::turn(pose.facing + 180.0, self.unit(foe.u).facing).to_radians();
        let short = local.y - foe.half * libm::sin(lean).abs();
        let ready = if short < 0.0 {
            1.0
        } else if far.sqrt() + short * 0.5 + WHEEL < foe.speed {
            0.4
        } else {
            return 0.0;
        };
        // It has to look that way at all.
        let off = angle::turn(self.unit(foe.u).facing, angle::bearing(foe.at, flank)).abs();
        let looks = if off < 60.0 {
            1.0
        } else if off < 100.0 {
            0.4
        } else {
            0.1
        };
        let kind = match (foe.arm, arm) {
            (Arm::Cavalry, _) if foe.massed => 1.0,
            (Arm::Cavalry, _) => 0.6,
            (_, Arm::Cavalry) => 0.15,
            _ => 0.35,
        };
        let ordered = if foe.order == Order::Advance { 1.0 } else { 0.5 };
        ready * looks * kind * ordered
    }

    /// Whether somebody, or the edge of the table, covers a flank.
    fn is_covered(&self, survey: &Survey, f: &Friend, ends: &Ends, u: UnitIx, flank: Point) -> bool {
        if !self.fixed.table.bounds().grown(-3.0).contains(flank) {
            return true;
        }
        let mates = ends.iter().any(|&(v, pose)| {
            let local = pose.to_local(flank);
            v != u && local.x.abs() < 8.0 && local.y.abs() < 7.0
        });
        mates
            || survey.friends.iter().any(|o| {
                o.g != f.g
                    && !matches!(o.order, Order::Rout | Order::Retreat)
                    && o.bounds.distance_squared(flank) < 5.0 * 5.0
            })
    }

    /// Guns that horse could ride down.
    fn guns_in_reach(&self, survey: &Survey, f: &Friend, u: UnitIx, pose: Pose) -> f64 {
        let mut worst: f64 = 0.0;
        for foe in survey.foes.iter().filter(|e| !e.running && !e.gun && e.arm == Arm::Cavalry) {
            let far = foe.bounds.distance_squared(pose.at);
            if far > foe.speed * foe.speed {
                continue;
            }
            let screened = survey.friends.iter().any(|o| {
                o.g != f.g && o.arm != Arm::Artillery && o.bounds.distance_squared(pose.at) < 9.0 * 9.0
            });
            let behind = self.unit(u).pose().to_local(foe.at).y < 0.0;
            worst = worst.max(if screened { 0.15 } else { 0.4 } * if behind { 1.4 } else { 1.0 });
        }
        worst
    }

    /// The best charge that would be open to a group that stood so, in points; `left` is what it would have of its move.
    pub(crate) fn charge_hope_from(&self, survey: &Survey, f: &Friend, ends: &Ends, left: f64) -> f64 {
        let mut best: f64 = 0.0;
        for &(u, pose) in ends {
            let mut near: SmallVec<[(f64, usize); 8]> = SmallVec::new();
            for (k, foe) in survey.foes.iter().enumerate() {
                let far = foe.bounds.distance_squared(pose.at);
                let off = angle::turn(pose.facing, angle::bearing(pose.at, foe.at)).abs();
                if far <= left * left && off < 62.0 {
                    near.push((far, k));
                }
            }
            near.put_in_order(|a, b| a.0.total_cmp(&b.0));
            for &(_, k) in near.iter().take(3) {
                let foe = &survey.foes[k];
                let from = self.direction_from(self.unit(u), pose, foe.u);
                // Foot goes in against a front on a five or a six (SYW-MORALE-08).
                if f.arm == Arm::Infantry && from == Direction::Front {
                    continue;
                }
                best = best.max(self.charge_worth_of(f.g, u, foe.u, from));
            }
        }
        best
    }

    /// Fire and charges from the front that a group comes under where it goes, against where it is.
    pub(crate) fn exposure(&self, survey: &Survey, f: &Friend, from: Point, to: Point) -> f64 {
        let slide = to - from;
        let there = Bounds { min: f.bounds.min + slide, max: f.bounds.max + slide };
        let w = &self.mind.weighs;
        let each = f.worth.max(1.0) * if f.arm == Arm::Cavalry { w.fire_on_horse } else { w.under_fire };
        let mut sum = 0.0;
        for foe in survey.foes.iter().filter(|e| !e.running) {
            let threat = |b: &Bounds| {
                let far = foe.bounds.gap_squared(b).sqrt();
                let shot = if far > foe.long {
                    0.0
                } else if foe.gun {
                    w.cannon
                } else if f.arm != Arm::Cavalry || self.before_muzzles(foe, b) {
                    w.muskets
                } else {
                    0.0
                };
                let charge = match (foe.arm, f.arm) {
                    (Arm::Cavalry, Arm::Artillery) if far < foe.speed => w.horse_at_guns,
                    (Arm::Cavalry, Arm::Infantry) if far < foe.speed => w.horse_at_foot,
                    _ => 0.0,
                };
                shot + charge
            };
            sum -= (threat(&there) - threat(&f.bounds)) * each;
        }
        sum
    }

    /// Whether a place lies in the strip that an enemy's muskets sweep (SYW-SHOOT-35).
    fn before_muzzles(&self, foe: &Foe, place: &Bounds) -> bool {
        let local = self.unit(foe.u).frame.frame.to_local(place.centre());
        let half = (place.max - place.min) * 0.5;
        local.y > -1.0 && local.x.abs() < foe.half + half.x.max(half.y) * 0.8
    }

    /// How many of the enemy's battalions have a group under their muskets.
    pub(crate) fn muskets_on(&self, survey: &Survey, f: &Friend) -> f64 {
        let on = |e: &&Foe| {
            !e.running
                && !e.gun
                && e.long > 0.0
                && e.bounds.gap_squared(&f.bounds) <= e.long * e.long
                && self.before_muzzles(e, &f.bounds)
        };
        survey.foes.iter().filter(on).count() as f64
    }
}
