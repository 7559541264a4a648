//! The field as an officer sees it at a glance: who stands where, who is worth going for, and whether to go at all.
//! Only what the seat may know is looked at: enemies on the table for all to see.

use tricorne_game::Side;
use tricorne_table::angle;

use super::First;
use crate::judgement::survey::near_counts;
pub(crate) use crate::judgement::survey::{Foe, Friend, Mission, Survey};
use crate::model::state::{Formation, Order};
use crate::rulebook::Arm;

impl First<'_> {
    pub(crate) fn survey(&self, side: Side) -> Survey {
        self.glance(side)
    }

    /// How well a group is suited to go for an enemy.
    pub(crate) fn match_up(&self, friend: &Friend, foe: &Foe) -> f64 {
        if foe.running {
            return if friend.arm == Arm::Cavalry { 0.25 } else { 0.1 };
        }
        let worn = self.is_disordered(foe.u)
            || self.unit(foe.u).strength() * 2 <= usize::from(self.unit(foe.u).started);
        let line = self.unit(foe.u).formation != Formation::Square;
        match (friend.arm, foe.arm) {
            (Arm::Artillery, _) => {
                if foe.massed {
                    1.0
                } else {
                    0.6
                }
            }
            (Arm::Cavalry, Arm::Artillery) => 1.3,
            // Lights only ride off (SYW-EVADE-01).
            (Arm::Cavalry, Arm::Cavalry) => {
                if foe.massed {
                    1.0
                } else {
                    0.35
                }
            }
            (Arm::Cavalry, Arm::Infantry) if !foe.massed => 0.5,
            (Arm::Cavalry, Arm::Infantry) if worn && line => 0.9,
            (Arm::Cavalry, Arm::Infantry) => 0.45,
            (Arm::Infantry, Arm::Cavalry) => {
                if foe.massed {
                    0.5
                } else {
                    0.25
                }
            }
            (Arm::Infantry, Arm::Infantry) => {
                if friend.light && foe.massed {
                    0.6
                } else {
                    1.0
                }
            }
            (Arm::Infantry, Arm::Artillery) => 1.0,
        }
    }

    /// What a group is after: the enemy or the ground that pays best for the way there.
    pub(crate) fn mission(&self, survey: &Survey, friend: &Friend) -> Mission {
        let mut best = (0.0, Mission::None);
        for (k, foe) in survey.foes.iter().enumerate() {
            let far = foe.bounds.gap_squared(&friend.bounds).sqrt();
            let turn = angle::turn(friend.facing, angle::bearing(friend.at, foe.at)).abs();
            let ahead = (1.0 - turn / 120.0).max(0.2);
            let mut value = self.match_up(friend, foe) * (4.0 + foe.worth).sqrt() * ahead * near_counts(far);
            if friend.arm != Arm::Artillery && far > 20.0 && self.friends_on_the_way(survey, friend, foe.at) {
                value *= 0.5;
            }
            match friend.arm {
                // Horse looks for an open flank.
                Arm::Cavalry if !foe.running && foe.arm != Arm::Artillery => {
                    if self.flank_places(survey, foe, 20.0).is_empty() {
                        value *= 0.6;
                    } else {
                        value *= 1.5;
                    }
                }
                // One group at a time before each enemy, so that the line grows longer and not deeper.
                Arm::Infantry => {
                    let taken = survey.friends.iter().any(|o| {
                        o.g != friend.g
                            && o.arm == Arm::Infantry
                            && !matches!(o.order, Order::Rout | Order::Retreat)
                            && foe.bounds.gap_squared(&o.bounds) < far * far
                            && foe.bounds.gap_squared(&o.bounds) < 15.0 * 15.0
                    });
                    if taken {
                        value *= 0.55;
                    }
                }
                _ => {}
            }
            if value > best.0 {
                best = (value, Mission::Enemy(k));
            }
        }
        for (k, prize) in survey.prizes.iter().enumerate() {
            let horse = friend.arm == Arm::Cavalry && survey.turns_left > 3.0;
            if prize.holder == Some(survey.side)
                || (prize.massed_only && friend.light)
                || friend.arm == Arm::Artillery
                || horse
            {
                continue;
            }
            let far = friend.bounds.distance_squared(prize.at).sqrt();
            // In time, or not at all.
            let late = far > friend.speed * survey.turns_left;
            let value = prize.points * if late { 0.03 } else { 0.35 } * near_counts(far);
            if value > best.0 {
                best = (value, Mission::Ground(k));
            }
        }
        best.1
    }

    /// Whether some unit of a group has an enemy before its front within a range.
    pub(crate) fn has_target(&self, survey: &Survey, friend: &Friend, range: f64) -> bool {
        survey.foes.iter().any(|foe| {
            foe.bounds.gap_squared(&friend.bounds) <= range * range
                && self.members(friend.g).iter().any(|&u| {
                    let unit = self.unit(u);
                    let local = unit.frame.frame.to_local(foe.at);
                    local.y > 0.0
                        && local.x.abs() < 13.0
                        && foe.bounds.gap_squared(&unit.frame.bounds) <= range * range
                })
        })
    }

    /// Whether ground worth points is a friend's to keep: it stands on it, and either alone or with the enemy near.
    pub(crate) fn keeps_ground(&self, survey: &Survey, friend: &Friend) -> bool {
        survey.prizes.iter().any(|p| {
            let Some(area) = self.fixed.pieces[p.piece].area() else { return false };
            let holds = |f: &Friend| !(p.massed_only && f.light) && area.contains(f.at);
            if p.stays || !holds(friend) {
                return false;
            }
            let pressed = friend.nearest.is_some_and(|n| n.1 < 18.0);
            // Of several the first stays.
            pressed || survey.friends.iter().find(|o| holds(o)).is_some_and(|o| o.g == friend.g)
        })
    }
}
