//! What it is worth to a group to be on an order (SYW-ORDER-24 to -50).

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Bounds, Point, angle};

use crate::judgement::survey::{BESIDE, Friend, Mission, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Direction, Formation, Order};
use crate::movement::walk::Heed;
use crate::rulebook::Arm;

/// A shift on Stand goes nearly so far (SYW-ORDER-42).
const SHIFT: f64 = 4.5;

/// How many charges are looked into before a group is sent forward for one.
const TRIED: usize = 2;

impl SevenYearsBattle {
    /// What it is worth to a group to be on an order now.
    pub(crate) fn order_worth(&self, survey: &Survey, f: &Friend, order: Order) -> f64 {
        let bulk = 1.0 + f.worth / 20.0;
        match order {
            Order::Rout => -5.0,
            Order::Retreat => {
                // Worn out and close to the enemy, it is better saved.
                let near = f.nearest.map_or(300.0, |n| n.1);
                if self.is_worn(f) && near < 25.0 { 0.3 } else { -1.5 * bulk }
            }
            Order::Reserve => self.reserve_worth(survey, f, bulk),
            Order::Advance => bulk * self.advance_worth(survey, f),
            Order::Stand => bulk * self.stand_worth(survey, f),
        }
    }

    /// Whether a group has little left.
    pub(crate) fn is_worn(&self, f: &Friend) -> bool {
        let (started, left) = self.group_strength(f.g);
        left * 5 <= started * 2
    }

    fn reserve_worth(&self, survey: &Survey, f: &Friend, bulk: f64) -> f64 {
        let w = &self.mind.weighs;
        let near = f.nearest.map_or(300.0, |n| n.1);
        if f.arm == Arm::Artillery {
            return if self.only_off_arc(survey, f) { w.reserve_to_face } else { -w.reserve_idle * bulk };
        }
        let squared = self.members(f.g).iter().any(|&u| self.unit(u).formation == Formation::Square);
        if squared && !self.horse_near(survey, f, 45.0) {
            return w.reserve_to_face * bulk;
        }
        if self.is_worn(f) && near > 10.0 && near < 30.0 && f.post.is_none() {
            return w.reserve_worn * bulk;
        }
        let mission = self.mission(survey, f);
        if let Mission::Ground(k) = mission
            && near > 21.0
            && self.advance_leads_away(survey, f, survey.prizes[k].at)
        {
            return w.reserve_to_ground * bulk;
        }
        if f.arm == Arm::Cavalry {
            return match mission {
                // Free to ride round; the charge needs another order.
                Mission::Enemy(k) if self.flank_to_ride_for(survey, f, k) => {
                    w.reserve_to_flank * survey.push.max(0.8) * bulk
                }
                _ if self.muskets_on(survey, f) > 0.0 => w.reserve_from_fire * bulk,
                _ => -w.reserve_idle_horse * bulk,
            };
        }
        let turned_away = f.nearest.is_some_and(|(k, far)| {
            let off = self.off_front(f, survey.foes[k].at);
            far > 20.0 && far < 50.0 && off > 55.0 && !self.faces_somebody(survey, f, 35.0)
        });
        if turned_away {
            return w.reserve_to_face * bulk;
        }
        if let Some(place) = self.at_their_flank(survey, f)
            && near > 10.5
            && place.distance(f.at) > 3.0
        {
            return w.reserve_round * survey.push.max(0.8) * bulk;
        }
        let least = if matches!(mission, Mission::Ground(_)) { 10.5 } else { 22.0 };
        let shut_in = near > least && mission != Mission::None && self.behind_friends(survey, f);
        if shut_in {
            // On Reserve it can march round those before it.
            return w.reserve_round * survey.push * bulk;
        }
        -w.reserve_idle * bulk
    }

    fn advance_worth(&self, survey: &Survey, f: &Friend) -> f64 {
        let w = &self.mind.weighs;
        let near = f.nearest.map_or(300.0, |n| n.1);
        let charge = self.charge_hope(survey, f);
        if charge <= w.least_charge && self.halts_where_it_is(f) {
            // It comes to Stand, and nothing else.
            return self.stand_worth(survey, f).min(0.1);
        }
        match f.arm {
            Arm::Artillery => {
                let target =
                    self.in_arc_within(survey, f, f.long + 3.0) || (near <= f.greatest && survey.push < 0.9);
                if target { -w.guns_keep } else { survey.push * w.advance_guns }
            }
            Arm::Infantry => {
                if charge > w.least_charge {
                    return 0.5 + w.charge_open * charge;
                }
                if f.posted {
                    return -w.leave_post;
                }
                // So near it halts where it is (SYW-ORDER-34).
                let halts = near <= f.long && f.long > 0.0 && self.faces_somebody(survey, f, f.long);
                if halts || (near <= f.long + SHIFT && self.has_target(survey, f, f.long + SHIFT)) {
                    return 0.1;
                }
                if let Some(place) = self.at_their_flank(survey, f) {
                    // An advance goes forward at least as much as it goes aside.
                    let off = self.off_front(f, place);
                    return if off < 50.0 && !self.behind_friends(survey, f) {
                        survey.push * w.extend
                    } else {
                        -w.blocked
                    };
                }
                match self.mission(survey, f) {
                    Mission::None => -w.blocked,
                    _ if self.behind_friends(survey, f) => -w.blocked,
                    Mission::Ground(k) => {
                        let late = (w.ground_hurry / survey.turns_left).clamp(1.0, 2.0);
                        if self.advance_leads_away(survey, f, survey.prizes[k].at) {
                            0.2
                        } else {
                            w.go_for_ground * late
                        }
                    }
                    Mission::Enemy(_) => {
                        survey.push * if f.light { w.advance_lights } else { w.advance_foot }
                    }
                }
            }
            Arm::Cavalry => {
                if charge > w.least_charge {
                    return 0.5 + w.charge_open_horse * charge;
                }
                if f.posted {
                    return -w.leave_post_horse;
                }
                if let Mission::Ground(k) = self.mission(survey, f) {
                    return if self.advance_leads_away(survey, f, survey.prizes[k].at) {
                        0.2
                    } else {
                        w.go_for_ground
                    };
                }
                match self.mission(survey, f) {
                    Mission::None => -1.0,
                    _ if self.behind_friends(survey, f) => -1.0,
                    _ if near > 45.0 => survey.push * w.advance_horse,
                    Mission::Enemy(k)
                        if near > 12.0
                            && self.off_front(f, survey.foes[k].at) < 60.0
                            && !self.flank_to_ride_for(survey, f, k) =>
                    {
                        survey.push * w.advance_horse * w.horse_close
                    }
                    _ => -w.stand_in_fire * self.muskets_on(survey, f),
                }
            }
        }
    }

    fn stand_worth(&self, survey: &Survey, f: &Friend) -> f64 {
        let w = &self.mind.weighs;
        let near = f.nearest.map_or(300.0, |n| n.1);
        let ground = if f.posted { w.stand_ground } else { 0.0 };
        match f.arm {
            Arm::Artillery => {
                let target =
                    self.in_arc_within(survey, f, f.long) || (near <= f.greatest && survey.push < 0.9);
                if target {
                    w.stand_guns
                } else if self.in_arc_within(survey, f, f.greatest) {
                    w.stand_guns_far
                } else {
                    0.0
                }
            }
            Arm::Infantry => {
                let coming = f.nearest.is_some_and(|(k, far)| {
                    far < w.coming_within && survey.foes[k].order == Order::Advance && survey.foes[k].massed
                });
                let worth = if near <= f.long + 0.5 && self.has_target(survey, f, f.long + 0.5) {
                    w.stand_in_range
                } else if near <= f.long + SHIFT && self.has_target(survey, f, f.long + SHIFT) {
                    w.stand_near
                } else if coming && !matches!(self.mission(survey, f), Mission::Ground(_)) {
                    w.stand_coming
                } else {
                    w.stand_idle
                };
                worth + ground
            }
            // Horse that stands is shot at, and fights the worse for it (SYW-MELEE-23).
            Arm::Cavalry => w.stand_horse + ground - w.stand_in_fire * self.muskets_on(survey, f),
        }
    }

    /// Whether the way to a place is not that of an advance: away from all enemies in close order (SYW-ORDER-26), or off
    /// to a side.
    fn advance_leads_away(&self, survey: &Survey, f: &Friend, place: Point) -> bool {
        if self.off_front(f, place) > 75.0 && f.at.distance(place) > 6.0 {
            return true;
        }
        let far = place.distance(f.at).max(0.1);
        let there = f.at.lerp(place, (f.speed / far).min(1.0));
        let least = |p: Point| {
            let massed = survey.foes.iter().filter(|e| e.massed && !e.running);
            massed.map(|e| e.bounds.distance_squared(p)).reduce(f64::min).map(f64::sqrt)
        };
        least(f.at).zip(least(there)).is_some_and(|(now, then)| then > now + 0.5)
    }

    /// Whether horse has an enemy's flank to ride for, and is not there yet.
    fn flank_to_ride_for(&self, survey: &Survey, f: &Friend, k: usize) -> bool {
        let places = self.flank_places(survey, &survey.foes[k], BESIDE);
        places.iter().any(|p| p.distance(f.at) > 8.0 || self.off_front(f, survey.foes[k].at) > 30.0)
    }

    /// Whether horse in reach of a charge is about.
    pub(crate) fn horse_near(&self, survey: &Survey, f: &Friend, within: f64) -> bool {
        survey
            .foes
            .iter()
            .any(|e| !e.running && e.arm == Arm::Cavalry && e.bounds.gap_squared(&f.bounds) < within * within)
    }

    /// Whether an enemy is before a group's front within a distance.
    pub(crate) fn faces_somebody(&self, survey: &Survey, f: &Friend, within: f64) -> bool {
        survey.foes.iter().any(|e| {
            !e.running && e.bounds.gap_squared(&f.bounds) < within * within && self.off_front(f, e.at) < 60.0
        })
    }

    /// Whether friends in close order stand so near ahead that an advance would run up on them (SYW-ORDER-35).
    pub(crate) fn behind_friends(&self, survey: &Survey, f: &Friend) -> bool {
        let way = angle::forward(f.facing);
        let strip = f.bounds.join(&Bounds { min: f.bounds.min + way * 16.0, max: f.bounds.max + way * 16.0 });
        survey.friends.iter().any(|o| {
            o.g != f.g
                && !o.light
                && o.order != Order::Advance
                && o.bounds.meets(&strip)
                && (o.at - f.at).dot(way) > 0.0
        })
    }

    /// How far off a group's front a place lies, in degrees.
    pub(crate) fn off_front(&self, f: &Friend, place: Point) -> f64 {
        angle::turn(f.facing, angle::bearing(f.at, place)).abs()
    }

    /// Whether guns have somebody in their arc within a range.
    pub(super) fn in_arc_within(&self, survey: &Survey, f: &Friend, range: f64) -> bool {
        survey.foes.iter().any(|e| {
            !e.running && e.bounds.gap_squared(&f.bounds) <= range * range && self.off_front(f, e.at) <= 50.0
        })
    }

    /// Whether guns have enemies in range, but none before the muzzle.
    pub(super) fn only_off_arc(&self, survey: &Survey, f: &Friend) -> bool {
        !self.in_arc_within(survey, f, f.greatest)
            && survey.foes.iter().any(|e| !e.running && e.bounds.gap_squared(&f.bounds) <= f.long * f.long)
    }

    /// The best charge a group could hope for now, by a glance at who is near and ahead.
    pub(crate) fn charge_hope(&self, survey: &Survey, f: &Friend) -> f64 {
        let mut best: f64 = -1.0;
        if f.arm == Arm::Artillery {
            return best;
        }
        let least = self.mind.weighs.least_charge;
        let mut hopes: SmallVec<[(f64, UnitIx, UnitIx); 8]> = SmallVec::new();
        for foe in &survey.foes {
            let reach = f.speed - 1.0;
            if foe.bounds.gap_squared(&f.bounds) > reach * reach
                || self.off_front(f, foe.at) > 55.0
                || self.friends_on_the_way(survey, f, foe.at)
            {
                continue;
            }
            for &u in &self.members(f.g) {
                let from = self.charge_direction(u, foe.u);
                // Foot goes in against a front on a five or a six (SYW-MORALE-08).
                if f.arm == Arm::Infantry && f.greatest > 0.0 && from == Direction::Front {
                    continue;
                }
                let worth = self.charge_worth_of(f.g, u, foe.u, from);
                if worth > least {
                    hopes.push((worth, u, foe.u));
                } else {
                    best = best.max(worth);
                }
            }
        }
        // One that can't be made is nothing to be sent for (SYW-CHARGE-02, -05).
        hopes.put_in_order(|a, b| b.0.total_cmp(&a.0));
        let open = hopes.iter().take(TRIED).find(|&&(_, u, e)| self.could_strike(u, e));
        open.map_or(best, |&(worth, ..)| worth)
    }

    /// Whether a unit sees another and could reach it from where both stand, by one wheel and straight ahead.
    fn could_strike(&self, u: UnitIx, e: UnitIx) -> bool {
        self.unit_sees(u, e) && self.approach(u, e, self.info(u).speed, None, true).is_some()
    }

    /// Whether a group sent forward would have to halt where it is (SYW-ORDER-34).
    fn halts_where_it_is(&self, f: &Friend) -> bool {
        let members = self.members(f.g);
        let halts = members.iter().map(|&u| self.halting_distance(u)).fold(0.0, f64::max);
        let heed = Heed { halts: true, ..Heed::default() };
        f.nearest.is_some_and(|n| n.1 <= halts + 1.0) && self.halted_at_once(&members, &heed).is_some()
    }
}
