//! Movement: one group after the other, those nearest to the enemy first, then the generals, then no more.

use smallvec::{SmallVec, smallvec};
use tricorne_drill::Rules;
use tricorne_game::InOrder;
use tricorne_table::{Point, angle};

use super::survey::{Friend, Mission, Survey};
use super::{First, Weighed, alike};
use crate::action::{Action, Leg, Legs, Turn};
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Formation, Order, Presence};
use crate::rulebook::Arm;
use crate::steer::MarchAim;

impl First<'_> {
    pub(crate) fn weigh_movement(&self, all: &mut Weighed) {
        let survey = self.survey(self.s.phasing);
        let mut order: SmallVec<[usize; 16]> = (0..survey.friends.len()).collect();
        order.put_in_order(|&a, &b| {
            let far = |k: usize| survey.friends[k].nearest.map_or(1e3, |n| n.1);
            far(a).total_cmp(&far(b)).then(a.cmp(&b))
        });
        for k in order {
            let f = &survey.friends[k];
            let group = self.group(f.g);
            if group.phase.moved
                || group.phase.halted
                || group.phase.charging
                || group.pursuing.is_some()
                || self.group_in_melee(f.g)
            {
                continue;
            }
            let members = self.members(f.g);
            if members.iter().any(|&u| self.unit(u).surrendered) {
                continue;
            }
            if members.iter().any(|&u| self.unit(u).presence == Presence::Hidden) {
                all.extend(alike(|all| self.0.weigh_hidden(&survey, f, &members, all)));
            } else {
                match group.order {
                    Order::Advance => self.weigh_advance(&survey, f, all),
                    Order::Stand => self.weigh_stand(&survey, f, &members, all),
                    Order::Reserve => self.weigh_reserve(&survey, f, &members, all),
                    Order::Retreat | Order::Rout => {}
                }
            }
            if !all.is_empty() {
                return;
            }
        }
        // Partial contacts complete themselves when nobody moves any more (SYW-CHARGE-17).
        if all.is_empty() {
            self.weigh_rides(&survey, all);
        }
        all.push((Action::Done, 0.1));
    }

    /// Advance: charge, halt and shoot, or come on.
    fn weigh_advance(&self, survey: &Survey, f: &Friend, all: &mut Weighed) {
        let group = self.group(f.g).id;
        self.weigh_charges(survey, f, all);
        let near = f.nearest.map_or(300.0, |n| n.1);
        if f.greatest > 0.0 {
            let stand = Action::Stand { group };
            let reach = if f.arm == Arm::Artillery { f.greatest } else { f.long };
            if near <= reach && self.check(&stand).is_ok() {
                let ready = near <= f.long && (f.arm == Arm::Artillery || self.has_target(survey, f, f.long));
                all.push((stand, if ready { 3.5 } else { 1.2 }));
            }
        }
        self.weigh_march(survey, f, all);
    }

    /// Where a group would like to be, and which way to face there.
    fn wanted(&self, survey: &Survey, f: &Friend, guide: UnitIx) -> (Point, Option<f64>) {
        let here = self.unit(guide).at;
        match self.mission(survey, f) {
            Mission::Enemy(k) => {
                let foe = &survey.foes[k];
                let far = foe.bounds.gap_squared(&f.bounds).sqrt();
                let way = (foe.at - here).unit().unwrap_or(Point::new(0.0, 1.0));
                if f.arm == Arm::Cavalry
                    && let Some(flank) = self
                        .flank_places(survey, foe, 20.0)
                        .into_iter()
                        .min_by(|a, b| a.distance_squared(here).total_cmp(&b.distance_squared(here)))
                {
                    let close = flank.distance(here) < f.speed * 0.7;
                    return (flank, close.then(|| angle::bearing(flank, foe.at)));
                }
                let stop = match f.arm {
                    Arm::Artillery => (f.long * 0.8).max(12.0),
                    Arm::Infantry => (f.long - 0.4).max(0.0),
                    // Near enough to charge next time, and no nearer than it must.
                    Arm::Cavalry => (f.speed - 4.0).max(12.0),
                };
                let travel = (far - stop).max(0.0);
                // The line is kept while it is far; it wheels when it must.
                let turn = angle::turn(f.facing, angle::bearing_of(way));
                if turn.abs() < 25.0 && far > f.speed + f.long {
                    return (here + angle::forward(f.facing) * f.speed, None);
                }
                (here + way * travel, Some(angle::bearing_of(way)))
            }
            Mission::Ground(k) => {
                let prize = survey.prizes[k].at;
                let facing = f.nearest.map(|(k, _)| angle::bearing(prize, survey.foes[k].at));
                let far = here.distance(prize);
                (prize, facing.filter(|_| far < f.speed))
            }
            Mission::None => (here + angle::forward(f.facing) * f.speed, None),
        }
    }

    /// A march towards where it is wanted, and straight ahead as the line would go.
    fn weigh_march(&self, survey: &Survey, f: &Friend, all: &mut Weighed) {
        let members = self.members(f.g);
        let Some(guide) = self.guide(&members, f.at) else { return };
        let (place, facing) = self.wanted(survey, f, guide);
        let here = self.unit(guide).at;
        let before = here.distance(place);
        let forced = self.group(f.g).order == Order::Advance;
        let ahead = here + angle::forward(f.facing) * f.speed;
        let mut tries: SmallVec<[(Point, Option<f64>, u32); 2]> =
            smallvec![(place, facing, if f.arm == Arm::Artillery { 5 } else { 12 })];
        if forced && ahead.distance(place) > 3.0 {
            tries.push((ahead, None, 4));
        }
        let mut found = false;
        for (place_tried, facing, tries) in tries {
            let aim = MarchAim {
                group: f.g,
                unit: guide,
                place: place_tried,
                facing,
                by: &[],
                alone: false,
                tries,
            };
            let Some(march) = self.march(&aim).0 else { continue };
            let gained = before - march.end.at.distance(place);
            let turned = facing.map_or(0.0, |w| {
                let off = |a: f64| angle::turn(a, w).abs();
                (off(f.facing) - off(march.end.facing)) / 60.0
            });
            let mut worth =
                survey.push * (gained / 12.0 + turned) + self.exposure(survey, f, here, march.end.at);
            // Behind friends it comes to a stand (SYW-ORDER-35).
            if march.stop == Some(crate::movement::walk::Stop::Friends) {
                worth -= 2.0;
            }
            if forced {
                worth = worth.max(-1.0);
            }
            all.push((march.action, worth));
            found = true;
        }
        if forced && !found {
            // Ahead by half a move at least is what will be done anyway (SYW-ORDER-25).
            let half = (f.speed * 0.5 - self.group(f.g).phase.used).max(0.0);
            let legs: Legs = smallvec![Leg::Forward(crate::steer::floor(half + 0.01))];
            let action = Action::Move { group: self.group(f.g).id, legs, units: Vec::new(), stand: false };
            if self.check(&action).is_ok() {
                all.push((action, -1.0));
            }
        }
    }

    /// What coming nearer (or going away) does to a group: guns and charges it comes under.
    fn exposure(&self, survey: &Survey, f: &Friend, from: Point, to: Point) -> f64 {
        let slide = to - from;
        let there = tricorne_table::Bounds { min: f.bounds.min + slide, max: f.bounds.max + slide };
        let per_stand = f.worth.max(1.0) * 0.004;
        let mut sum = 0.0;
        for foe in survey.foes.iter().filter(|e| !e.running) {
            let threat = |b: &tricorne_table::Bounds| {
                let far = foe.bounds.gap_squared(b).sqrt();
                let shot = if far <= foe.long { if foe.gun { 1.0 } else { 2.0 } } else { 0.0 };
                let charge = match (foe.arm, f.arm) {
                    (Arm::Cavalry, Arm::Artillery) if far < foe.speed => 4.0,
                    (Arm::Cavalry, _) if far < foe.speed => 1.0,
                    _ => 0.0,
                };
                shot + charge
            };
            sum -= (threat(&there) - threat(&f.bounds)) * per_stand;
        }
        sum
    }

    /// Stand: mostly just that; a face about for an enemy behind, a shift into range.
    fn weigh_stand(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let Some((k, near)) = f.nearest else { return };
        if f.arm == Arm::Artillery || self.unit(members[0]).phase.moved {
            return;
        }
        // Boxes are quick; a shift needs the true gap.
        let near = members
            .iter()
            .filter_map(|&u| self.gap_below(u, survey.foes[k].u, near + 20.0))
            .reduce(f64::min)
            .unwrap_or(near);
        let group = self.group(f.g).id;
        let off = self.off_front(f, survey.foes[k].at);
        let mut push = |legs: Legs, worth: f64| {
            let action = Action::Move { group, legs, units: Vec::new(), stand: false };
            if self.check(&action).is_ok() {
                all.push((action, worth));
            }
        };
        let front = survey.foes.iter().any(|e| {
            !e.running && self.off_front(f, e.at) < 60.0 && e.bounds.gap_squared(&f.bounds) < 50.0 * 50.0
        });
        if off > 115.0 && near < 35.0 && !front {
            push(smallvec![Leg::Turn(Turn::About)], 2.0);
            return;
        }
        let close = self.fixed.book.ranges(self.info(members[0]).weapon).short.unwrap_or(0.0);
        let gap = near - close;
        if f.arm == Arm::Infantry && close > 0.0 && gap > 0.5 && near <= f.long + 0.5 && off < 35.0 {
            // Nearer, every volley tells; worth it for those who have the better of the exchange.
            let odds = self.exchange(survey, f, members);
            if odds > 0.3 {
                let by = (angle::forward(f.facing) * (gap - 0.1).min(4.98)).round_to(0.01);
                push(smallvec![Leg::Shift([by.x, by.y])], odds);
                return;
            }
        }
        let short = near - f.long;
        if f.arm == Arm::Infantry && short > 0.05 && short < 4.5 && off < 40.0 && survey.push >= 0.9 {
            let way = angle::forward(f.facing) * (short + 0.3);
            let by = way.round_to(0.01);
            push(smallvec![Leg::Shift([by.x, by.y])], 0.8);
        }
    }

    /// What a round of volleys at short range would be worth to a group: points killed less points lost.
    fn exchange(&self, survey: &Survey, f: &Friend, members: &[UnitIx]) -> f64 {
        let reach = f.long + 6.0;
        let mut sum = 0.0;
        let mut dealt: SmallVec<[UnitIx; 8]> = SmallVec::new();
        for &u in members {
            let near = survey
                .foes
                .iter()
                .filter(|e| !e.running && e.bounds.gap_squared(&self.unit(u).frame.bounds) <= reach * reach)
                .min_by(|a, b| {
                    let gap = |e: &super::survey::Foe| e.bounds.gap_squared(&self.unit(u).frame.bounds);
                    gap(a).total_cmp(&gap(b))
                });
            let Some(foe) = near else { continue };
            let front = |v: UnitIx| self.unit(v).stands.iter().filter(|s| s.rank == 0).count().max(1);
            let mine = self.volley(u, foe.u, front(u), 4.9, crate::shooting::shots::Band::Short, Some(true));
            sum += mine.kills * self.info(foe.u).price;
            if !dealt.contains(&foe.u) && foe.long > 0.0 {
                dealt.push(foe.u);
                let steady = self.order_of(foe.u) == Order::Stand;
                let band = crate::shooting::shots::Band::Short;
                let theirs = self.volley(foe.u, u, front(foe.u), 4.9, band, Some(steady));
                sum -= theirs.kills * self.info(u).price;
            }
        }
        sum
    }

    /// Reserve: in line where the enemy is near, else towards where it is wanted.
    fn weigh_reserve(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let group = self.group(f.g).id;
        let near = f.nearest.map_or(300.0, |n| n.1);
        let push = |legs: Legs, worth: f64, all: &mut Weighed| {
            let action = Action::Move { group, legs, units: Vec::new(), stand: false };
            if self.check(&action).is_ok() {
                all.push((action, worth));
            }
        };
        let formed = members.iter().all(|&u| self.unit(u).formation.is_line());
        if !formed && near < 60.0 {
            push(smallvec![Leg::Form(Formation::Line)], 2.0, all);
        }
        if let Some((k, _)) = f.nearest {
            let foe = survey.foes[k].at;
            let off = self.off_front(f, foe);
            if f.arm == Arm::Artillery && off > 30.0 {
                let turn = angle::turn(f.facing, angle::bearing(f.at, foe));
                push(smallvec![Leg::Pivot(tricorne_table::round_to(turn, 0.1))], 2.0, all);
            } else if off > 120.0 {
                push(smallvec![Leg::Turn(Turn::About)], 1.8, all);
            }
        }
        if all.is_empty() && near > 25.0 {
            self.weigh_march(survey, f, all);
            all.retain(|a| a.1 > 0.05);
        }
    }

    /// Generals ride to where most of their brigade can hear them, behind it.
    fn weigh_rides(&self, survey: &Survey, all: &mut Weighed) {
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = &self.s.generals[usize::from(i)];
            if general.side != survey.side || general.moved || !general.is_present() {
                continue;
            }
            let (mut sum, mut weight) = (Point::ORIGIN, 0.0);
            for f in &survey.friends {
                let group = self.group(f.g);
                if (general.cinc || group.command == Some(i)) && group.order != Order::Rout {
                    // Behind the group, out of reach of a stray shot at it.
                    let behind = f.at - angle::forward(f.facing) * 6.0;
                    let near = 1.0 + 20.0 / (10.0 + f.nearest.map_or(100.0, |n| n.1));
                    let w = f.worth.max(1.0) * near;
                    sum += behind * w;
                    weight += w;
                }
            }
            if weight <= 0.0 {
                continue;
            }
            let mut place = sum * (1.0 / weight);
            // Not where the enemy rides or shoots.
            for foe in &survey.foes {
                let far = place.distance(foe.at);
                if far < 22.0
                    && let Some(away) = (place - foe.at).unit()
                {
                    place += away * (22.0 - far);
                }
            }
            if place.distance(general.at) < 5.0 {
                continue;
            }
            let wish = tricorne_game::Wish {
                action: Some("general".into()),
                unit: Some(general.id),
                place,
                facing: None,
                by: Vec::new(),
            };
            let steer = self.steer_ride(i, &wish);
            let there = steer.end.map_or(general.at, |e| e.at);
            if let Some(action) = steer.action
                && there.distance(general.at) > 3.0
            {
                all.push((action, 1.0));
                return;
            }
        }
    }
}
