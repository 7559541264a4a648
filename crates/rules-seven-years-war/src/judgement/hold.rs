//! Groups that do not advance: shifts and squares on Stand, marches on Reserve, retreats, troops in hiding.

use smallvec::{SmallVec, smallvec};
use tricorne_table::{Point, angle};

use crate::action::{Action, Leg, Legs, Turn};
use crate::judgement::Weighed;
use crate::judgement::survey::{BESIDE, Foe, Friend, Mission, Survey};
use crate::judgement::threat::Ends;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Formation, Order, Presence};
use crate::rulebook::Arm;
use crate::steer::MarchAim;

impl SevenYearsBattle {
    /// Stand: mostly just that; a face about for an enemy behind, a square before horse, a shift into range or onto
    /// ground that is worth points.
    pub(crate) fn weigh_stand(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
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
        let mut push = |legs: Legs, worth: f64, why: (&'static str, &'static str)| {
            let action = Action::Move { group, legs, units: Vec::new(), stand: false };
            // Through friends both lose their order (SYW-INTER-04, -06).
            if let Ok(Some(plan)) = self.planned(&action)
                && !plan.left_table
                && plan.passed.is_empty()
            {
                all.push(action, worth, why);
                return true;
            }
            false
        };
        if off > 115.0
            && near < 35.0
            && !self.faces_somebody(survey, f, 50.0)
            && push(smallvec![Leg::Turn(Turn::About)], 2.0, ("the enemy is behind", "SYW-ORDER-42"))
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
                && push(
                    smallvec![Leg::Form(Formation::Square)],
                    saved,
                    ("horse could take it in flank", "SYW-FLANK-02"),
                )
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
            // Whoever is behind when time runs out has nothing to lose by it.
            let least = w.least_exchange - w.despair * (survey.push - 1.0).max(0.0);
            if odds > least && push(shift(way), odds.max(0.3), ("volleys at short range", "SYW-SHOOT-22")) {
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
            if push(shift(way), w.over_the_crest, ("nobody is in sight from here", "SYW-LOS-06")) {
                return;
            }
        }
        let short = near - f.long;
        if f.arm == Arm::Infantry && short > 0.05 && short < 4.5 && off < 40.0 && survey.push >= 0.9 {
            let way = angle::forward(f.facing) * (short + 0.3);
            if push(shift(way), w.into_range, ("into range", "SYW-SHOOT-01")) {
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
                    push(shift(way), worth, ("ground that is worth points", "SYW-WIN-05"));
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
            let gap = |e: &Foe| e.bounds.gap_squared(&self.unit(u).frame.bounds);
            let near = survey
                .foes
                .iter()
                .filter(|e| !e.running && gap(e) <= reach * reach)
                .min_by(|a, b| gap(a).total_cmp(&gap(b)));
            let Some(foe) = near else { continue };
            let front = |v: UnitIx| self.unit(v).stands.iter().filter(|s| s.rank == 0).count().max(1);
            let band = crate::shooting::shots::Band::Short;
            // It has moved; but it shoots first, and disorder tells on the answer (SYW-SHOOT-11, -18).
            let mine = self.volley(u, foe.u, front(u), 4.9, band, Some(false));
            sum += mine.kills * self.info(foe.u).price;
            if !dealt.contains(&foe.u) && foe.long > 0.0 {
                dealt.push(foe.u);
                let steady = foe.order == Order::Stand;
                let theirs = self.volley(foe.u, u, front(foe.u), 4.9, band, Some(steady));
                sum -= theirs.kills * (1.0 - mine.disorder / 3.0) * self.info(u).price;
            }
        }
        sum
    }

    /// Reserve: in line where the enemy is near, facing him, out of reach when worn, else towards where it is wanted.
    pub(crate) fn weigh_reserve(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let w = &self.mind.weighs;
        let group = self.group(f.g).id;
        let near = f.nearest.map_or(300.0, |n| n.1);
        let push = |legs: Legs, worth: f64, why: (&'static str, &'static str), all: &mut Weighed| {
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
            push(smallvec![Leg::Form(Formation::Line)], 2.0, ("the enemy is near", "SYW-ORDER-12"), all);
        }
        if self.is_worn(f) && near < 30.0 && f.post.is_none() && f.arm != Arm::Artillery {
            for share in [0.5, 0.25] {
                push(
                    smallvec![Leg::Back(crate::steer::floor(f.speed * share))],
                    1.5,
                    ("it has done enough", "SYW-ORDER-37"),
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
                push(pivot, 2.0, ("the enemy is off its arc", "SYW-MODEL-20"), all);
            } else if off > 120.0 && f.arm == Arm::Infantry {
                push(smallvec![Leg::Turn(Turn::About)], 1.8, ("the enemy is behind", "SYW-ORDER-40"), all);
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
                    all.push(march.action, 1.6, ("the enemy is at its flank", "SYW-MELEE-07"));
                }
            }
        }
        if f.arm == Arm::Cavalry && self.muskets_on(survey, f) > 0.0 {
            let back = smallvec![Leg::Back(crate::steer::floor(f.speed * 0.5))];
            self.weigh_march(survey, f, all);
            all.at_least(0.05);
            push(back, w.out_of_fire, ("out of the enemy's muskets", "SYW-SHOOT-01"), all);
            return;
        }
        let free = f.arm == Arm::Cavalry
            || matches!(self.mission(survey, f), Mission::Ground(_))
            || self.at_their_flank(survey, f).is_some();
        if all.is_empty() && (near > 25.0 || free) {
            self.weigh_march(survey, f, all);
            all.at_least(0.05);
        }
    }

    /// Groups on Retreat go straight back by half their speed unless somebody is close behind them (SYW-ORDER-46).
    pub(crate) fn weigh_retreats(&self, all: &mut Weighed) {
        all.push(Action::Done, 0.0, ("back by half a move", "SYW-ORDER-46"));
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
                all.push(action, 0.5, ("out of the enemy's reach", "SYW-ORDER-46"));
                return;
            }
        }
    }

    /// Hidden units wait for somebody worth springing on (SYW-HIDE-04).
    pub(crate) fn weigh_hidden(&self, survey: &Survey, f: &Friend, members: &[UnitIx], all: &mut Weighed) {
        let near = f.nearest.map_or(300.0, |n| n.1);
        let reach = if f.arm == Arm::Cavalry { f.speed * 0.8 } else { f.long.max(10.0) };
        let idle = self.s.turn > 4 && survey.push > 1.0;
        if near <= reach || idle {
            for &u in members.iter().filter(|&&u| self.unit(u).presence == Presence::Hidden) {
                let unit = self.unit(u).id;
                let reveal = Action::Reveal { unit, at: None, facing: None, formation: None };
                all.push(reveal, 1.0, ("somebody is worth springing on", "SYW-HIDE-04"));
            }
        }
    }
}
