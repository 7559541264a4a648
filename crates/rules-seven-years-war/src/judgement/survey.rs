//! The field as an officer sees it at a glance: who stands where, who is worth going for, and whether to go at all.
//! Only what the seat may know is looked at: enemies on the table for all to see.

use std::cell::OnceCell;

use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::{Bounds, Point, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Direction, Formation, ObjectiveKind, Order};
use crate::rulebook::{Arm, Class};
use crate::shooting::shots::Mark;

/// An enemy unit at a glance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foe {
    pub u: UnitIx,
    pub at: Point,
    pub bounds: Bounds,
    pub arm: Arm,
    pub massed: bool,
    pub worth: f64,
    pub speed: f64,
    pub running: bool,
    /// How far its weapon carries.
    pub long: f64,
    pub gun: bool,
    pub order: Order,
    /// Half the width of its front.
    pub half: f64,
}

/// A group of one's own at a glance.
#[derive(Clone, Debug)]
pub(crate) struct Friend {
    pub g: GroupIx,
    pub at: Point,
    pub facing: f64,
    pub bounds: Bounds,
    pub arm: Arm,
    pub light: bool,
    pub order: Order,
    pub worth: f64,
    pub speed: f64,
    /// Long and greatest range of its weapon.
    pub long: f64,
    pub greatest: f64,
    /// The enemy nearest to it, and how far off.
    pub nearest: Option<(usize, f64)>,
    pub stands: u32,
    /// Ground worth points that it is to take or to hold.
    pub post: Option<usize>,
    /// It is there.
    pub there: bool,
    /// It is there, and need only stay.
    pub posted: bool,
    /// What it is after, once that has been asked.
    pub after: OnceCell<Mission>,
}

/// Ground that is worth points (SYW-WIN-05).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prize {
    pub at: Point,
    pub piece: usize,
    pub points: f64,
    pub holder: Option<Side>,
    pub massed_only: bool,
    /// Whoever was last within reach of it has it.
    pub stays: bool,
    pub within: f64,
}

/// What a group is after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mission {
    Enemy(usize),
    Ground(usize),
    None,
}

/// The whole field.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub side: Side,
    pub foes: SmallVec<[Foe; 24]>,
    pub friends: SmallVec<[Friend; 16]>,
    pub prizes: SmallVec<[Prize; 4]>,
    /// From about 0.3 (ahead, and may sit) to 1.5 (behind, and time runs out).
    pub push: f64,
    pub turns_left: f64,
}

impl SevenYearsBattle {
    /// Victory points ahead of the enemy, as far as a side can know: his flank marchers are no loss of his.
    pub(crate) fn lead(&self, side: Side) -> f64 {
        let (mine, theirs) = (self.victory_points(side), self.victory_points(side.enemy()));
        // What hidden troops have lost is told to nobody either, though they are on the table.
        let unknown = self.marching_points(side.enemy()) + self.secret_losses(side.enemy()).1;
        mine - unknown - (theirs - self.marching_points(side))
    }

    /// The lead that wins at the end (SYW-WIN-06).
    pub(crate) fn lead_needed(&self) -> f64 {
        self.winning_lead().max(1.0)
    }

    /// The field with ground that is worth points given out.
    pub(crate) fn survey(&self, side: Side) -> Survey {
        let mut survey = self.glance(side);
        survey.push = self.presses(side, survey.turns_left);
        self.give_posts(&mut survey);
        survey
    }

    /// How hard a side presses: well ahead it may sit; level or behind it must come on, the more the less time is left.
    fn presses(&self, side: Side, turns_left: f64) -> f64 {
        let w = &self.mind.weighs;
        let ahead = self.lead(side) / self.lead_needed();
        if ahead >= 1.3 {
            w.sit_won
        } else if ahead >= 1.0 {
            w.sit_ahead
        } else {
            1.0 + (4.0 / turns_left).min(1.0) * w.haste
        }
    }

    /// The field as either school sees it, nobody sent anywhere.
    pub(super) fn glance(&self, side: Side) -> Survey {
        let mut foes: SmallVec<[Foe; 24]> = SmallVec::new();
        for e in self.known_enemies(side) {
            let (unit, info) = (self.unit(e), self.info(e));
            if unit.surrendered {
                continue;
            }
            let ranges = self.fixed.book.ranges(info.weapon);
            foes.push(Foe {
                u: e,
                at: unit.frame.bounds.centre(),
                bounds: unit.frame.bounds,
                arm: info.arm,
                massed: info.class == Class::Massed,
                worth: self.worth(e),
                speed: info.speed,
                running: self.order_of(e) == Order::Rout,
                long: ranges.long.or(ranges.short).unwrap_or(0.0),
                gun: info.weapon.is_gun(),
                order: self.order_of(e),
                half: unit.extent(info.depth).width() * 0.5,
            });
        }
        let mut friends: SmallVec<[Friend; 16]> = SmallVec::new();
        for g in self.groups_of(side) {
            let members = self.members(g);
            let Some(&first) = members.first() else { continue };
            let mut bounds = self.unit(first).frame.bounds;
            for &u in &members[1..] {
                bounds = bounds.join(&self.unit(u).frame.bounds);
            }
            let ranges = self.fixed.book.ranges(self.info(first).weapon);
            let mut nearest: Option<(usize, f64)> = None;
            for (k, foe) in foes.iter().enumerate().filter(|f| !f.1.running) {
                let gap = foe.bounds.gap_squared(&bounds);
                if nearest.is_none_or(|n| gap < n.1) {
                    nearest = Some((k, gap));
                }
            }
            friends.push(Friend {
                g,
                at: bounds.centre(),
                facing: self.unit(first).facing,
                bounds,
                arm: self.group(g).arm,
                light: self.info(first).class == Class::Light,
                order: self.group(g).order,
                worth: self.group_worth(g),
                speed: members.iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min),
                long: ranges.long.or(ranges.short).unwrap_or(0.0),
                greatest: ranges.greatest(),
                nearest: nearest.map(|(k, gap)| (k, gap.sqrt())),
                stands: members.iter().map(|&u| self.unit(u).strength() as u32).sum(),
                post: None,
                there: false,
                posted: false,
                after: OnceCell::new(),
            });
        }
        let mut prizes = SmallVec::new();
        for (k, o) in self.fixed.objectives.iter().enumerate() {
            let Some(piece) = self.fixed.pieces.get(o.piece) else { continue };
            prizes.push(Prize {
                at: piece.middle,
                piece: o.piece,
                points: o.points,
                holder: self.objective_holder(k),
                massed_only: o.kind == ObjectiveKind::MassedOn,
                stays: o.kind == ObjectiveKind::LastWithin,
                within: if o.kind == ObjectiveKind::LastWithin { o.distance } else { 0.0 },
            });
        }
        let turns_left = f64::from(self.fixed.turns.saturating_sub(self.s.turn)) + 1.0;
        let ahead = self.lead(side) / self.lead_needed();
        // Well ahead it may sit; level or behind it must come on, the more the less time is left.
        let haste = (4.0 / turns_left).min(1.0) * 0.4;
        let push = if ahead >= 1.3 {
            0.4
        } else if ahead >= 1.0 {
            0.7
        } else {
            1.0 + haste
        };
        Survey { side, foes, friends, prizes, push, turns_left }
    }

    /// How well foot or guns are suited to go for an enemy.
    pub(crate) fn match_up(&self, friend: &Friend, foe: &Foe) -> f64 {
        let w = &self.mind.weighs;
        if foe.running {
            return 0.1;
        }
        match (friend.arm, foe.arm) {
            (Arm::Artillery, _) => {
                if foe.massed {
                    1.0
                } else {
                    0.6
                }
            }
            // Foot never catches horse.
            (_, Arm::Cavalry) => w.foot_after_horse * if foe.massed { 1.0 } else { 0.5 },
            (_, Arm::Infantry) => {
                if friend.light && foe.massed {
                    w.lights_after_line
                } else {
                    1.0
                }
            }
            (_, Arm::Artillery) => 1.0,
        }
    }

    /// Places beside an enemy and behind the line of his front from which horse takes him in flank (SYW-FLANK-01),
    /// with nobody else of his near. None for squares, runners and those whose neighbours cover them.
    pub(crate) fn flank_places(&self, survey: &Survey, foe: &Foe, apart: f64) -> SmallVec<[Point; 2]> {
        let unit = self.unit(foe.u);
        let mut places = SmallVec::new();
        if unit.formation == Formation::Square || foe.running {
            return places;
        }
        let e = unit.extent(self.info(foe.u).depth);
        let table = self.fixed.table.bounds().grown(-9.0);
        for x in [e.left - apart, e.right + apart] {
            let place = unit.frame.frame.to_world(Point::new(x, e.front - 7.0));
            let clear = survey
                .foes
                .iter()
                .all(|o| o.u == foe.u || o.running || o.bounds.distance_squared(place) > 14.0 * 14.0);
            // Nobody between the place and the flank.
            let inner =
                unit.frame.frame.to_world(Point::new(x.signum() * (x.abs() - apart * 0.5), e.front - 4.0));
            let open = survey.foes.iter().all(|o| o.u == foe.u || o.bounds.distance_squared(inner) > 16.0);
            if clear && open && table.contains(place) {
                places.push(place);
            }
        }
        places
    }

    /// What a group is after: the ground it is to take, else the enemy that pays best for the way there.
    pub(crate) fn mission(&self, survey: &Survey, friend: &Friend) -> Mission {
        *friend.after.get_or_init(|| match friend.post {
            Some(_) if friend.posted => Mission::None,
            Some(k) if !friend.there => Mission::Ground(k),
            _ if friend.arm == Arm::Cavalry => self.prey(survey, friend),
            _ => self.enemy_for(survey, friend),
        })
    }

    /// Whom horse goes for: what a charge would be worth, in the flank where one is open, by the way there.
    fn prey(&self, survey: &Survey, friend: &Friend) -> Mission {
        let mut best = (0.0, Mission::None);
        let Some(&u) = self.members(friend.g).first() else { return Mission::None };
        for (k, foe) in survey.foes.iter().enumerate() {
            let far = foe.bounds.gap_squared(&friend.bounds).sqrt();
            let flank =
                self.flank_places(survey, foe, BESIDE).iter().map(|p| p.distance(friend.at)).reduce(f64::min);
            let value = match flank {
                Some(way) => self.charge_worth_of(friend.g, u, foe.u, Direction::Left) * self.draws(way),
                None if self.somebody_between(survey, friend, foe) => continue,
                None => {
                    let front = self.charge_worth_of(friend.g, u, foe.u, Direction::Front);
                    self.mind.weighs.front_prey * front * self.draws(far)
                }
            };
            if value > best.0 {
                best = (value, Mission::Enemy(k));
            }
        }
        best.1
    }

    /// Whether others stand on the straight way from a group to an enemy.
    pub(crate) fn somebody_between(&self, survey: &Survey, friend: &Friend, foe: &Foe) -> bool {
        let meets = |b: &Bounds| {
            (1..6).any(|k| b.distance_squared(friend.at.lerp(foe.at, f64::from(k) / 6.0)) < 3.0 * 3.0)
        };
        survey.foes.iter().any(|o| o.u != foe.u && !o.running && meets(&o.bounds))
            || survey.friends.iter().any(|o| o.g != friend.g && meets(&o.bounds))
    }

    /// Whom foot and guns go for.
    fn enemy_for(&self, survey: &Survey, friend: &Friend) -> Mission {
        let mut best = (0.0, Mission::None);
        for (k, foe) in survey.foes.iter().enumerate() {
            let far = foe.bounds.gap_squared(&friend.bounds).sqrt();
            let turn = angle::turn(friend.facing, angle::bearing(friend.at, foe.at)).abs();
            let ahead = (1.0 - turn / 120.0).max(0.2);
            let mut value = self.match_up(friend, foe) * (4.0 + foe.worth).sqrt() * ahead * self.draws(far);
            if friend.arm != Arm::Artillery && far > 20.0 && self.friends_on_the_way(survey, friend, foe.at) {
                value *= self.mind.weighs.behind_others;
            }
            if friend.arm == Arm::Infantry {
                // One group at a time before each enemy, so that the line grows longer and not deeper.
                let taken = survey.friends.iter().any(|o| {
                    o.g != friend.g
                        && o.arm == Arm::Infantry
                        && !matches!(o.order, Order::Rout | Order::Retreat)
                        && foe.bounds.gap_squared(&o.bounds) < far * far
                        && foe.bounds.gap_squared(&o.bounds) < 15.0 * 15.0
                });
                if taken {
                    value *= self.mind.weighs.taken;
                }
            }
            if value > best.0 {
                best = (value, Mission::Enemy(k));
            }
        }
        best.1
    }

    /// How tempting it is at a distance: twice as far is a quarter as tempting, once it is far.
    fn draws(&self, far: f64) -> f64 {
        let near = self.mind.weighs.near.max(1.0);
        1000.0 / ((near + far) * (near + far))
    }

    /// Whether a group in close order stands between a friend and a place.
    pub(crate) fn friends_on_the_way(&self, survey: &Survey, friend: &Friend, place: Point) -> bool {
        survey.friends.iter().any(|o| {
            o.g != friend.g
                && !o.light
                && (1..6).any(|k| {
                    let point = friend.at.lerp(place, f64::from(k) / 6.0);
                    o.bounds.distance_squared(point) < 4.0 * 4.0
                })
        })
    }

    /// Whether some unit of a group has an enemy in sight before its front within a range.
    pub(crate) fn has_target(&self, survey: &Survey, friend: &Friend, range: f64) -> bool {
        survey.foes.iter().any(|foe| {
            foe.bounds.gap_squared(&friend.bounds) <= range * range
                && self.members(friend.g).iter().any(|&u| {
                    let unit = self.unit(u);
                    let local = unit.frame.frame.to_local(foe.at);
                    local.y > 0.0
                        && local.x.abs() < 13.0
                        && foe.bounds.gap_squared(&unit.frame.bounds) <= range * range
                        && if range <= friend.long + 0.6 {
                            // A whole edge of somebody must be in sight, not just some of it (SYW-SHOOT-37).
                            self.shot_of(survey.side, u, Mark::Unit(foe.u)).is_some()
                        } else {
                            self.unit_sees(u, foe.u)
                        }
                })
        })
    }
}

/// How far beside a flank horse draws up: out of the reach that Reserve must keep (SYW-ORDER-38), within that of a
/// charge.
pub(crate) const BESIDE: f64 = 23.0;

/// Twice as far is a quarter as tempting, once it is far.
pub(super) fn near_counts(far: f64) -> f64 {
    1000.0 / ((20.0 + far) * (20.0 + far))
}
