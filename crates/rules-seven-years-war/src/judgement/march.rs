//! Movement: one group after the other, those nearest to the enemy first, then the generals, then no more.

use smallvec::{SmallVec, smallvec};
use tricorne_drill::Rules;
use tricorne_table::{Point, angle};

use crate::action::{Action, Leg, Legs, Turn};
use crate::judgement::survey::{BESIDE, Friend, Mission, Survey};
use crate::judgement::threat::Ends;
use crate::judgement::{Weighed, Why};
use crate::model::field::{SevenYearsBattle, join_bounds};
use crate::model::ids::UnitIx;
use crate::model::state::{Formation, OPEN, Order, Presence};
use crate::movement::walk::Stop;
use crate::rulebook::{Arm, Class};
use crate::steer::{MarchAim, MarchFound};

/// A place to march to, which way to face there, and how many ways may be tried.
type Goal = (Point, Option<f64>, u32);

impl SevenYearsBattle {
    pub(crate) fn weigh_movement(&self, all: &mut Weighed) {
        let survey = self.survey(self.s.phasing);
        let mut order: SmallVec<[usize; 16]> = (0..survey.friends.len()).collect();
        order.sort_by(|&a, &b| {
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
    fn guide(&self, members: &[UnitIx], at: Point) -> Option<UnitIx> {
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
                all.push(stand, worth, "the enemy is in range");
            }
        }
        self.weigh_march(survey, f, all);
    }

    /// Where a group would like to be, and which way to face there; more than one place where there is a choice.
    fn wanted(&self, survey: &Survey, f: &Friend, guide: UnitIx) -> SmallVec<[Goal; 4]> {
        let here = self.unit(guide).at;
        let tries = if f.arm == Arm::Artillery { 5 } else { 10 };
        match self.mission(survey, f) {
            Mission::Enemy(k) => {
                let foe = &survey.foes[k];
                let far = foe.bounds.gap_squared(&f.bounds).sqrt();
                let way = (foe.at - here).unit().unwrap_or(Point::new(0.0, 1.0));
                if f.arm == Arm::Cavalry {
                    let apart = if f.order == Order::Reserve { BESIDE } else { 20.0 };
                    let mut flanks = self.flank_places(survey, foe, apart);
                    flanks.sort_by(|a, b| a.distance_squared(here).total_cmp(&b.distance_squared(here)));
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

    /// A march towards where it is wanted, and straight ahead as the line would go.
    fn weigh_march(&self, survey: &Survey, f: &Friend, all: &mut Weighed) {
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
        let (mut found, mut clear) = (false, false);
        for (aimed, facing, tries) in goals {
            let aim =
                MarchAim { group: f.g, unit: guide, place: aimed, facing, by: &[], alone: false, tries };
            let Some(march) = self.march(&aim).0 else { continue };
            let why =
                self.march_worth(survey, f, &march, (here, place, wish), danger_now, ground_now, forced);
            clear |= !march.through;
            all.say(march.action, why);
            found = true;
        }
        if forced && !(found && clear) {
            self.weigh_ahead(f, all);
        }
    }

    /// Ahead by half a move at least is what will be done anyway (SYW-ORDER-25); not over the edge of the table.
    fn weigh_ahead(&self, f: &Friend, all: &mut Weighed) {
        let half = (f.speed * 0.5 - self.group(f.g).phase.used).max(0.0);
        let legs: Legs = smallvec![Leg::Forward(crate::steer::floor(half + 0.01))];
        let action = Action::Move { group: self.group(f.g).id, legs, units: Vec::new(), stand: false };
        if let Ok(Some(plan)) = self.planned(&action)
            && !plan.left_table
            && plan.passed.is_empty()
        {
            all.push(action, -1.0, "it must go on");
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
        why.push(("ground gained", gain));
        why.push(("fire and charges it comes under", self.exposure(survey, f, here, march.end.at)));
        let danger = self.flank_cost(survey, f, &ends);
        why.push(("flanks it offers", w.danger * (danger_now - danger)));
        if f.arm != Arm::Artillery && forced {
            let next = w.hope * self.charge_hope_from(survey, f, &ends, f.speed - 1.0);
            let left = f.speed - self.group(f.g).phase.used - march.spent;
            let at_once =
                if left > 4.0 { 0.8 * self.charge_hope_from(survey, f, &ends, left - 2.0) } else { 0.0 };
            why.push(("a charge that it opens", next.max(at_once)));
        }
        if f.arm == Arm::Cavalry && !forced {
            let now = self.charge_hope_from(survey, f, &self.as_they_stand(f), f.speed - 1.0);
            let then = self.charge_hope_from(survey, f, &ends, f.speed - 1.0);
            why.push(("a charge that it opens", w.hope * (then - now)));
        }
        if let Some(k) = f.post {
            let on = self.share_on_ground(survey, f, &ends) - ground_now;
            why.push(("ground that is worth points", w.on_ground * self.leads(&survey.prizes[k]) * on));
        }
        // Behind friends it comes to a stand (SYW-ORDER-35).
        if march.stop == Some(Stop::Friends) {
            why.push(("halted behind friends", -w.behind_friends));
        }
        if march.through {
            why.push(("friends marched through", -w.through));
        }
        let bad = self.share_in_bad_ground(&ends);
        if bad > 0.0 {
            why.push(("ground that disorders", -w.bad_ground * bad * f.worth));
        }
        if let Some(i) = self.group(f.g).command {
            let far = self.general(i).at.distance(march.end.at) - 20.0;
            if far > 0.0 {
                why.push(("out of its general's hearing", -w.out_of_hearing * far / 10.0));
            }
        }
        why
    }

    /// The share of a group that would be on the ground it is to take.
    fn share_on_ground(&self, survey: &Survey, f: &Friend, ends: &Ends) -> f64 {
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

    /// Stand: mostly just that; a face about for an enemy behind, a square before horse, a shift into range or onto
    /// ground that is worth points.
    fn weigh_stand(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let w = &self.mind.weighs;
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
        let mut push = |legs: Legs, worth: f64, why: &'static str| {
            let action = Action::Move { group, legs, units: Vec::new(), stand: false };
            if self.check(&action).is_ok() {
                all.push(action, worth, why);
                return true;
            }
            false
        };
        if off > 115.0
            && near < 35.0
            && !self.faces_somebody(survey, f, 50.0)
            && push(smallvec![Leg::Turn(Turn::About)], 2.0, "the enemy is behind")
        {
            return;
        }
        let in_line = members.iter().all(|&u| self.unit(u).formation == Formation::Line);
        if f.arm == Arm::Infantry && !f.light && in_line && self.horse_near(survey, f, 42.0) {
            let others = survey.foes.iter().any(|e| {
                !e.running
                    && e.arm != Arm::Cavalry
                    && e.bounds.gap_squared(&f.bounds) < (e.long + 8.0).min(24.0) * (e.long + 8.0).min(24.0)
            });
            let saved = w.square * self.flank_cost(survey, f, &self.as_they_stand(f));
            if !others
                && saved > 0.4
                && push(smallvec![Leg::Form(Formation::Square)], saved, "horse could take it in flank")
            {
                return;
            }
        }
        // Shifts are towards whoever is ahead, not whoever is nearest.
        let ahead = survey
            .foes
            .iter()
            .enumerate()
            .filter(|(_, e)| !e.running && self.off_front(f, e.at) < 40.0)
            .min_by(|a, b| a.1.bounds.gap_squared(&f.bounds).total_cmp(&b.1.bounds.gap_squared(&f.bounds)))
            .map(|(k, _)| k);
        let (near, off) = ahead.map_or((near, off), |k| {
            let gaps = members.iter().filter_map(|&u| self.gap_below(u, survey.foes[k].u, 40.0));
            (gaps.reduce(f64::min).unwrap_or(near), self.off_front(f, survey.foes[k].at))
        });
        let shift = |way: Point| -> Legs {
            let by = way.round_to(0.01);
            smallvec![Leg::Shift([by.x, by.y])]
        };
        let close = self.fixed.book.ranges(self.info(members[0]).weapon).short.unwrap_or(0.0);
        let gap = near - close;
        if f.arm == Arm::Infantry && close > 0.0 && gap > 0.5 && near <= f.long + 0.5 && off < 35.0 {
            // Nearer, every volley tells; worth it for those who have the better of the exchange.
            let odds = w.close_in * self.exchange(survey, f, members);
            let way = angle::forward(f.facing) * (gap - 0.1).min(4.98);
            if odds > w.least_exchange && push(shift(way), odds, "volleys at short range") {
                return;
            }
        }
        // Behind a crest neither sees the other: whoever needs the ground goes over it (SYW-LOS-06).
        if f.arm == Arm::Infantry
            && close > 0.0
            && gap > 0.5
            && near <= f.long + 0.5
            && off < 35.0
            && survey.push >= 0.9
            && !self.has_target(survey, f, f.long + 0.5)
        {
            let way = angle::forward(f.facing) * (gap - 0.1).min(4.98);
            if push(shift(way), w.over_the_crest, "nobody is in sight from here") {
                return;
            }
        }
        let short = near - f.long;
        if f.arm == Arm::Infantry && short > 0.05 && short < 4.5 && off < 40.0 && survey.push >= 0.9 {
            let way = angle::forward(f.facing) * (short + 0.3);
            if push(shift(way), 0.8, "into range") {
                return;
            }
        }
        if let Some(k) = f.post.filter(|_| f.arm == Arm::Infantry || near > 12.0) {
            let now = self.share_on_ground(survey, f, &self.as_they_stand(f));
            let far = self.fixed.pieces[survey.prizes[k].piece].bounds.gap_squared(&f.bounds);
            if now < 0.99 && far < 4.9 * 4.9 {
                let to = (self.room_on(survey, &survey.prizes[k], f) - f.at).unit();
                let ways = [to.unwrap_or(Point::new(0.0, 1.0)), Point::new(1.0, 0.0), Point::new(-1.0, 0.0)];
                let best = ways
                    .into_iter()
                    .map(|way| {
                        let stands = self.as_they_stand(f).into_iter();
                        let ends: Ends = stands.map(|(u, p)| (u, p.slid(way * 4.9))).collect();
                        (self.share_on_ground(survey, f, &ends) - now, way * 4.9)
                    })
                    .filter(|(on, _)| *on > 0.0)
                    .max_by(|a, b| a.0.total_cmp(&b.0));
                if let Some((on, way)) = best {
                    let worth = w.on_ground * self.leads(&survey.prizes[k]) * on;
                    push(shift(way), worth, "ground that is worth points");
                }
            }
        }
    }

    /// What a round of volleys at short range would be worth to a group: points killed less points lost.
    fn exchange(&self, survey: &Survey, f: &Friend, members: &[UnitIx]) -> f64 {
        let reach = f.long + 6.0;
        let mut sum = 0.0;
        let mut dealt: SmallVec<[UnitIx; 8]> = SmallVec::new();
        for &u in members {
            let gap = |e: &crate::judgement::survey::Foe| e.bounds.gap_squared(&self.unit(u).frame.bounds);
            let near = survey
                .foes
                .iter()
                .filter(|e| !e.running && gap(e) <= reach * reach)
                .min_by(|a, b| gap(a).total_cmp(&gap(b)));
            let Some(foe) = near else { continue };
            let front = |v: UnitIx| self.unit(v).stands.iter().filter(|s| s.rank == 0).count().max(1);
            let band = crate::shooting::shots::Band::Short;
            let mine = self.volley(u, foe.u, front(u), 4.9, band, Some(true));
            sum += mine.kills * self.info(foe.u).price;
            if !dealt.contains(&foe.u) && foe.long > 0.0 {
                dealt.push(foe.u);
                let steady = foe.order == Order::Stand;
                let theirs = self.volley(foe.u, u, front(foe.u), 4.9, band, Some(steady));
                sum -= theirs.kills * self.info(u).price;
            }
        }
        sum
    }

    /// Reserve: in line where the enemy is near, facing him, out of reach when worn, else towards where it is wanted.
    fn weigh_reserve(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let group = self.group(f.g).id;
        let near = f.nearest.map_or(300.0, |n| n.1);
        let push = |legs: Legs, worth: f64, why: &'static str, all: &mut Weighed| {
            let action = Action::Move { group, legs, units: Vec::new(), stand: false };
            if let Ok(Some(plan)) = self.planned(&action)
                && !plan.left_table
                && plan.passed.is_empty()
            {
                all.push(action, worth, why);
            }
        };
        let formed = members.iter().all(|&u| self.unit(u).formation.is_line());
        // A column marches on while it has far to go; a charge needs a line (SYW-ORDER-12).
        let marching = near > 30.0
            && match self.mission(survey, f) {
                Mission::Enemy(k) if f.arm == Arm::Cavalry => {
                    let places = self.flank_places(survey, &survey.foes[k], BESIDE);
                    places.iter().all(|p| p.distance(f.at) > 14.0)
                }
                Mission::Ground(k) => survey.prizes[k].at.distance(f.at) > 30.0,
                _ => false,
            };
        if !formed && near < 60.0 && !marching {
            push(smallvec![Leg::Form(Formation::Line)], 2.0, "the enemy is near", all);
        }
        if self.is_worn(f) && near < 30.0 && f.post.is_none() && f.arm != Arm::Artillery {
            for share in [0.5, 0.25] {
                push(
                    smallvec![Leg::Back(crate::steer::floor(f.speed * share))],
                    1.5,
                    "it has done enough",
                    all,
                );
                if !all.is_empty() {
                    return;
                }
            }
        }
        if let Some((k, _)) = f.nearest {
            let foe = survey.foes[k].at;
            let off = self.off_front(f, foe);
            if f.arm == Arm::Artillery && off > 30.0 {
                let turn = angle::turn(f.facing, angle::bearing(f.at, foe));
                let pivot = smallvec![Leg::Pivot(tricorne_table::round_to(turn, 0.1))];
                push(pivot, 2.0, "the enemy is off its arc", all);
            } else if off > 120.0 && f.arm == Arm::Infantry {
                push(smallvec![Leg::Turn(Turn::About)], 1.8, "the enemy is behind", all);
            } else if off > 50.0
                && near < 50.0
                && f.arm == Arm::Infantry
                && !self.faces_somebody(survey, f, 35.0)
                && let Some(guide) = self.guide(members, f.at)
            {
                let facing = Some(angle::bearing(f.at, foe));
                let place = self.unit(guide).at;
                let aim =
                    MarchAim { group: f.g, unit: guide, place, facing, by: &[], alone: false, tries: 10 };
                if let Some(march) = self.march(&aim).0.filter(|m| !m.through) {
                    all.push(march.action, 1.6, "the enemy is at its flank");
                }
            }
        }
        let free = f.arm == Arm::Cavalry || matches!(self.mission(survey, f), Mission::Ground(_));
        if all.is_empty() && (near > 25.0 || free) {
            self.weigh_march(survey, f, all);
            all.at_least(0.05);
        }
    }

    /// Groups on Retreat go straight back by half their speed unless somebody is close behind them (SYW-ORDER-46).
    pub(crate) fn weigh_retreats(&self, all: &mut Weighed) {
        all.push(Action::Done, 0.0, "back by half a move");
        let survey = self.survey(self.s.phasing);
        for g in self.retreaters() {
            let Some(f) = survey.friends.iter().find(|f| f.g == g) else { continue };
            let near = f.nearest.map_or(300.0, |n| n.1);
            let edge = self.home_distance(survey.side, f.at);
            if near > 30.0 || edge < f.speed + 12.0 {
                continue;
            }
            let action = Action::Retreat {
                group: self.group(g).id,
                distance: Some(f.speed),
                about: false,
                legs: Legs::new(),
            };
            if let Ok(Some(plan)) = self.planned(&action)
                && !plan.left_table
            {
                all.push(action, 0.5, "out of the enemy's reach");
                return;
            }
        }
    }

    /// Hidden units wait for somebody worth springing on (SYW-HIDE-04).
    fn weigh_hidden(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let near = f.nearest.map_or(300.0, |n| n.1);
        let reach = if f.arm == Arm::Cavalry { f.speed * 0.8 } else { f.long.max(10.0) };
        let idle = self.s.turn > 4 && survey.push > 1.0;
        if near <= reach || idle {
            for &u in members.iter().filter(|&&u| self.unit(u).presence == Presence::Hidden) {
                let unit = self.unit(u).id;
                let reveal = Action::Reveal { unit, at: None, facing: None, formation: None };
                all.push(reveal, 1.0, "somebody is worth springing on");
            }
        }
    }
}
