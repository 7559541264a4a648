//! Movement: one group after the other, those nearest to the enemy first, then the generals, then no more.

use smallvec::{SmallVec, smallvec};
use tricorne_drill::Rules;
use tricorne_game::InOrder;
use tricorne_game::Term;
use tricorne_table::{Point, angle};

use crate::action::{Action, Hand, Leg};
use crate::judgement::survey::{BESIDE, Friend, Mission, Survey};
use crate::judgement::threat::Ends;
use crate::judgement::{Weighed, Why};
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::join_bounds;
use crate::model::ids::UnitIx;
use crate::model::state::{OPEN, Order, Presence};
use crate::movement::walk::Stop;
use crate::rulebook::{Arm, Class};
use crate::steer::{MarchAim, MarchFound};

/// A place to march to, which way to face there, and how many ways may be tried.
type Goal = (Point, Option<f64>, u32);

impl SevenYearsBattle {
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
            if group.phase.halted
                || group.phase.charging
                || group.pursuing.is_some()
                || self.group_in_melee(f.g)
                || self.mind.lapse.forgets(&group.id.to_string())
            {
                continue;
            }
            let members = self.members(f.g);
            if members.iter().any(|&u| self.unit(u).surrendered) {
                continue;
            }
            if group.phase.moved {
                // What is left of its move may still carry it home (SYW-CHARGE-06).
                if group.order == Order::Advance && group.phase.used > 0.0 {
                    self.weigh_charges(&survey, f, all);
                    all.at_least(self.mind.weighs.least_charge.max(0.0));
                }
            } else if members.iter().any(|&u| self.unit(u).presence == Presence::Hidden) {
                self.weigh_hidden(&survey, f, &members, all);
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
        self.weigh_rides(&survey, all);
        all.push(Action::Done, 0.1, "nobody has anything to gain by moving");
    }

    /// The unit of a group that is steered: the one in the middle.
    pub(crate) fn guide(&self, members: &[UnitIx], at: Point) -> Option<UnitIx> {
        members.iter().copied().min_by(|&a, &b| {
            let far = |u: UnitIx| self.unit(u).at.distance_squared(at);
            far(a).total_cmp(&far(b))
        })
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
                let worth = if ready { self.mind.weighs.halt_ready } else { 1.2 };
                all.push(stand, worth, ("the enemy is in range", "SYW-ORDER-31"));
            }
        }
        self.weigh_march(survey, f, all);
    }

    /// Where a group would like to be, and which way to face there; more than one place where there is a choice.
    fn wanted(&self, survey: &Survey, f: &Friend, guide: UnitIx) -> SmallVec<[Goal; 4]> {
        let here = self.unit(guide).at;
        let tries = if f.arm == Arm::Artillery { 5 } else { 10 };
        if let Some(place) = self.at_their_flank(survey, f) {
            return smallvec![(place + (here - f.at), None, tries)];
        }
        match self.mission(survey, f) {
            Mission::Enemy(k) => {
                let foe = &survey.foes[k];
                let far = foe.bounds.gap_squared(&f.bounds).sqrt();
                let way = (foe.at - here).unit().unwrap_or(Point::new(0.0, 1.0));
                if f.arm == Arm::Cavalry {
                    let apart = if f.order == Order::Reserve { BESIDE } else { 20.0 };
                    let mut flanks = self.flank_places(survey, foe, apart);
                    flanks.put_in_order(|a, b| a.distance_squared(here).total_cmp(&b.distance_squared(here)));
                    let mut goals: SmallVec<[Goal; 4]> = SmallVec::new();
                    if let Some(&flank) = flanks.first() {
                        let close = flank.distance(here) < f.speed * 0.9;
                        goals.push((flank, close.then(|| angle::bearing(flank, foe.at)), tries));
                        if f.order == Order::Reserve && close {
                            // Wide out first, or turned towards him on the spot (SYW-ORDER-38).
                            let wide = foe.at + (flank - foe.at) * 1.45;
                            goals.push((wide, None, 6));
                            goals.push((here, Some(angle::bearing(here, foe.at)), 6));
                        }
                    }
                    if !goals.is_empty() {
                        return goals;
                    }
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
                    return smallvec![(here + angle::forward(f.facing) * f.speed, None, tries)];
                }
                smallvec![(here + way * travel, Some(angle::bearing_of(way)), tries)]
            }
            Mission::Ground(k) => {
                let prize = self.room_on(survey, &survey.prizes[k], f);
                // The middle of the group is where the place is; the guide's front is before it.
                let place = prize + (here - f.at);
                let facing = f.nearest.map(|(k, _)| angle::bearing(prize, survey.foes[k].at));
                let far = here.distance(place);
                smallvec![(place, facing.filter(|_| far < f.speed), 12)]
            }
            Mission::None => {
                let ahead = if f.posted { 0.0 } else { f.speed };
                smallvec![(here + angle::forward(f.facing) * ahead, None, tries)]
            }
        }
    }

    /// Where foot goes that has others of its side before it: to their flank, unless ground of its own is free.
    pub(crate) fn at_their_flank(&self, survey: &Survey, f: &Friend) -> Option<Point> {
        if f.arm != Arm::Infantry || self.mind.weighs.extend <= 0.0 {
            return None;
        }
        match self.mission(survey, f) {
            Mission::Enemy(_) => self.beside(survey, f),
            Mission::Ground(_) if self.behind_friends(survey, f) => self.beside(survey, f),
            _ => None,
        }
    }

    /// A march towards where it is wanted, and straight ahead as the line would go.
    pub(crate) fn weigh_march(&self, survey: &Survey, f: &Friend, all: &mut Weighed) {
        let members = self.members(f.g);
        let Some(guide) = self.guide(&members, f.at) else { return };
        let mut goals = self.wanted(survey, f, guide);
        let here = self.unit(guide).at;
        let Some(&(place, wish, _)) = goals.first() else { return };
        let forced = self.group(f.g).order == Order::Advance;
        let ahead = here + angle::forward(f.facing) * f.speed;
        if forced && ahead.distance(place) > 3.0 {
            goals.push((ahead, None, 4));
        }
        let now = self.as_they_stand(f);
        let danger_now = self.flank_cost(survey, f, &now);
        let ground_now = self.share_on_ground(survey, f, &now);
        let mut found = false;
        let mut barred = false;
        for (k, (aimed, facing, tries)) in goals.into_iter().enumerate() {
            let aim =
                MarchAim { group: f.g, unit: guide, place: aimed, facing, by: &[], alone: false, tries };
            let Some(march) = self.march(&aim).0 else { continue };
            // Nobody goes through his friends (SYW-INTER).
            if march.through {
                barred |= k == 0;
                continue;
            }
            let why =
                self.march_worth(survey, f, &march, (here, place, wish), danger_now, ground_now, forced);
            all.say(march.action, why);
            found = true;
        }
        if barred && let Some(way) = (place - here).unit() {
            // Round them, on the one hand or on the other.
            let across = Point::new(way.y, -way.x);
            for hand in [-1.0, 1.0] {
                let aimed = here + way * (f.speed * 0.6) + across * (hand * f.speed * 0.6);
                let aim = MarchAim {
                    group: f.g,
                    unit: guide,
                    place: aimed,
                    facing: None,
                    by: &[],
                    alone: false,
                    tries: 4,
                };
                let Some(march) = self.march(&aim).0.filter(|m| !m.through) else { continue };
                let why =
                    self.march_worth(survey, f, &march, (here, place, wish), danger_now, ground_now, forced);
                all.say(march.action, why);
                found = true;
            }
        }
        if forced && !found {
            self.weigh_ahead(f, all);
        }
    }

    /// Ahead by half a move at least is what will be done anyway (SYW-ORDER-25), or aside where friends are in the way;
    /// not over the edge of the table.
    fn weigh_ahead(&self, f: &Friend, all: &mut Weighed) {
        let half = crate::steer::floor((f.speed * 0.5 - self.group(f.g).phase.used).max(0.0) + 0.01);
        let aside = |side: Hand| Leg::Incline { side, distance: half };
        for leg in [Leg::Forward(half), aside(Hand::Left), aside(Hand::Right)] {
            let action = Action::Move {
                group: self.group(f.g).id,
                legs: smallvec![leg],
                units: Vec::new(),
                stand: false,
            };
            if let Ok(Some(plan)) = self.planned(&action)
                && !plan.left_table
                && plan.passed.is_empty()
            {
                all.push(action, -1.0, ("it must go on", "SYW-ORDER-25"));
                return;
            }
        }
    }

    /// What a march is worth: ground gained, what it comes under, what it offers and what it opens.
    fn march_worth(
        &self,
        survey: &Survey,
        f: &Friend,
        march: &MarchFound,
        (here, place, facing): (Point, Point, Option<f64>),
        danger_now: f64,
        ground_now: f64,
        forced: bool,
    ) -> Why {
        let w = &self.mind.weighs;
        let ends: Ends = march.ends.iter().copied().collect();
        let gained = here.distance(place) - march.end.at.distance(place);
        let turned = facing.map_or(0.0, |wish| {
            let off = |a: f64| angle::turn(a, wish).abs();
            (off(f.facing) - off(march.end.facing)) / 60.0
        });
        let push = if f.post.is_some() { survey.push.max(1.0) } else { survey.push };
        let mut gain = push * w.gain * (gained / 12.0 + turned);
        if forced {
            gain = gain.max(-1.0);
        }
        let mut why = Why::new();
        why.push(Term::new("ground gained", gain));
        why.push(
            Term::new("fire and charges it comes under", self.exposure(survey, f, here, march.end.at))
                .by("SYW-SHOOT-05"),
        );
        let danger = self.flank_cost(survey, f, &ends);
        why.push(Term::new("flanks it offers", w.danger * (danger_now - danger)).by("SYW-FLANK-01"));
        if f.arm != Arm::Artillery && forced {
            let next = w.hope * self.charge_hope_from(survey, f, &ends, f.speed - 1.0);
            let left = f.speed - self.group(f.g).phase.used - march.spent;
            let at_once =
                if left > 4.0 { 0.8 * self.charge_hope_from(survey, f, &ends, left - 2.0) } else { 0.0 };
            why.push(Term::new("a charge that it opens", next.max(at_once)).by("SYW-CHARGE-05"));
        }
        if f.arm == Arm::Cavalry && !forced {
            let now = self.charge_hope_from(survey, f, &self.as_they_stand(f), f.speed - 1.0);
            let then = self.charge_hope_from(survey, f, &ends, f.speed - 1.0);
            why.push(Term::new("a charge that it opens", w.hope * (then - now)).by("SYW-CHARGE-05"));
        }
        if let Some(k) = f.post {
            let on = self.share_on_ground(survey, f, &ends) - ground_now;
            why.push(
                Term::new("ground that is worth points", w.on_ground * self.leads(&survey.prizes[k]) * on)
                    .by("SYW-WIN-05"),
            );
        }
        // Behind friends it comes to a stand (SYW-ORDER-35).
        if march.stop == Some(Stop::Friends) {
            why.push(Term::new("halted behind friends", -w.behind_friends).by("SYW-ORDER-35"));
        }
        let bad = self.share_in_bad_ground(&ends);
        if bad > 0.0 {
            why.push(Term::new("ground that disorders", -w.bad_ground * bad * f.worth).by("SYW-TERR-09"));
        }
        if let Some(i) = self.group(f.g).command {
            let far = self.general(i).at.distance(march.end.at) - 20.0;
            if far > 0.0 {
                why.push(
                    Term::new("out of its general's hearing", -w.out_of_hearing * far / 10.0)
                        .by("SYW-ORDER-09"),
                );
            }
        }
        why
    }

    /// The share of a group that would be on the ground it is to take.
    pub(crate) fn share_on_ground(&self, survey: &Survey, f: &Friend, ends: &Ends) -> f64 {
        let Some(prize) = f.post.map(|k| &survey.prizes[k]) else { return 0.0 };
        let piece = &self.fixed.pieces[prize.piece];
        let (mut on, mut all) = (0.0, 0.0);
        for &(u, pose) in ends {
            for r in &self.rects_at(self.unit(u), pose) {
                all += 1.0;
                let near = match piece.area() {
                    Some(area) if !prize.stays => area.contains(r.centre()),
                    _ => piece.bounds.grown(prize.within).contains(r.centre()),
                };
                if near {
                    on += 1.0;
                }
            }
        }
        if all > 0.0 { on / all } else { 0.0 }
    }

    /// The share of a group in ground that would disorder it (SYW-TERR-09).
    fn share_in_bad_ground(&self, ends: &Ends) -> f64 {
        if self.fixed.pieces.is_empty() || ends.is_empty() {
            return 0.0;
        }
        let bad = ends
            .iter()
            .filter(|(u, pose)| {
                let info = self.info(*u);
                if info.class != Class::Massed {
                    return false;
                }
                let rects = self.rects_at(self.unit(*u), *pose);
                let level = self.fixed.ground_under(&rects, &join_bounds(&rects));
                level != OPEN && self.fixed.disorders(level, info)
            })
            .count();
        bad as f64 / ends.len() as f64
    }
}
