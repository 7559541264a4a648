//! Ground that is worth points (SYW-WIN-05): who goes to take it, who stays on it, and where there is room on it.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Bounds, Point, angle};

use crate::judgement::survey::{Friend, Prize, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::state::Order;
use crate::rulebook::Arm;

impl SevenYearsBattle {
    /// Gives groups ground to take or to hold: those who stand on it first, then those soonest there, foot before
    /// horse, until they are more than the enemy has at hand.
    pub(crate) fn give_posts(&self, survey: &mut Survey) {
        for k in 0..survey.prizes.len() {
            let prize = survey.prizes[k];
            let wanted = self.garrison(survey, &prize);
            let mut ways: SmallVec<[(f64, usize); 16]> = SmallVec::new();
            for (n, f) in survey.friends.iter().enumerate() {
                if f.post.is_some() || !self.may_hold(&prize, f) {
                    continue;
                }
                let there = self.stands_on(&prize, f) > 0;
                let far = f.bounds.distance_squared(prize.at).sqrt();
                let turns = far / f.speed.max(1.0);
                // In time, or not at all.
                if !there && turns > survey.turns_left + 0.5 {
                    continue;
                }
                let horse = f.arm == Arm::Cavalry;
                if horse && !there && survey.turns_left > self.mind.weighs.horse_to_ground {
                    continue;
                }
                ways.push((if there { -1.0 } else { turns + if horse { 1.0 } else { 0.0 } }, n));
            }
            ways.put_in_order(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut have = 0.0;
            for (turns, n) in ways {
                if have >= wanted {
                    break;
                }
                let there = turns < 0.0 && self.well_on(&prize, &survey.friends[n]);
                let f = &mut survey.friends[n];
                // Where the enemy has as many on it, to be there is not enough.
                let ours = prize.holder == Some(survey.side) || prize.stays;
                (f.post, f.there, f.posted) = (Some(k), there, there && ours);
                have += f64::from(f.stands);
            }
        }
    }

    /// How many stands are wanted on a piece of ground.
    fn garrison(&self, survey: &Survey, prize: &Prize) -> f64 {
        let w = &self.mind.weighs;
        let near = survey
            .foes
            .iter()
            .filter(|e| {
                !e.running
                    && e.order != Order::Retreat
                    && !e.gun
                    && (e.massed || !prize.massed_only)
                    && e.bounds.distance_squared(prize.at) < w.at_hand * w.at_hand
            })
            .map(|e| self.unit(e.u).strength() as f64)
            .sum::<f64>();
        if prize.stays {
            // Whoever was there last has it: held, it wants a guard only where somebody comes.
            return match prize.holder {
                Some(side) if side == survey.side && near == 0.0 => 0.0,
                _ => 4.0,
            };
        }
        (near * w.garrison_share + w.garrison_more).min(24.0)
    }

    fn may_hold(&self, prize: &Prize, f: &Friend) -> bool {
        !(prize.massed_only && f.light)
            && f.arm != Arm::Artillery
            && !matches!(f.order, Order::Rout | Order::Retreat)
    }

    /// How many stands of a group are on a piece of ground, or near enough to it where that counts.
    pub(crate) fn stands_on(&self, prize: &Prize, f: &Friend) -> usize {
        let piece = &self.fixed.pieces[prize.piece];
        if !piece.bounds.grown(prize.within + 0.1).meets(&f.bounds) {
            return 0;
        }
        let on = |r: &tricorne_table::Rect| match piece.area() {
            Some(area) if !prize.stays => area.contains(r.centre()),
            _ => match &piece.lie {
                crate::terrain::ground::Lie::Line(line) => {
                    line.gap(&tricorne_table::Shape::Rect(*r)) <= prize.within
                }
                crate::terrain::ground::Lie::Area(area) => {
                    area.gap(&tricorne_table::Shape::Rect(*r)) <= prize.within
                }
            },
        };
        self.members(f.g).iter().map(|&u| self.rects(u).iter().filter(|r| on(r)).count()).sum()
    }

    /// Whether most of a group is on its ground.
    fn well_on(&self, prize: &Prize, f: &Friend) -> bool {
        let on = self.stands_on(prize, f);
        if prize.stays { on > 0 } else { on * 3 >= f.stands as usize * 2 }
    }

    /// Where a group would find room on a piece of ground: the nearest place that no friend has.
    pub(crate) fn room_on(&self, survey: &Survey, prize: &Prize, f: &Friend) -> Point {
        let piece = &self.fixed.pieces[prize.piece];
        let Some(area) = piece.area().filter(|_| !prize.stays) else {
            return prize.at;
        };
        let half = (f.bounds.max - f.bounds.min) * 0.5;
        let mut best: Option<(f64, Point)> = None;
        for i in 0..5 {
            for j in 0..3 {
                let share = Point::new((f64::from(i) + 0.5) / 5.0, (f64::from(j) + 0.5) / 3.0);
                let size = piece.bounds.max - piece.bounds.min;
                let place = piece.bounds.min + Point::new(size.x * share.x, size.y * share.y);
                if !area.contains(place) {
                    continue;
                }
                let there = Bounds { min: place - half * 0.7, max: place + half * 0.7 };
                let taken = survey.friends.iter().any(|o| o.g != f.g && o.bounds.meets(&there));
                let crowd = if taken { 30.0 } else { 0.0 };
                // The middle of it is least easily lost.
                let off = place.distance(f.at) + 0.3 * place.distance(prize.at) + crowd;
                if best.is_none_or(|b| off < b.0) {
                    best = Some((off, place));
                }
            }
        }
        best.map_or(prize.at, |b| b.1)
    }

    /// Where foot behind others of its side would find room at their flank: a longer line shoots more and has less to
    /// fear for its flanks than a deeper one. On the hand where the enemy's horse is, if it is as near.
    pub(crate) fn beside(&self, survey: &Survey, f: &Friend) -> Option<Point> {
        if f.arm != Arm::Infantry || f.light {
            return None;
        }
        let way = angle::forward(f.facing);
        let across = Point::new(way.y, -way.x);
        let wide = |b: &Bounds| {
            let size = b.max - b.min;
            0.5 * (size.x * across.x.abs() + size.y * across.y.abs())
        };
        let ahead = survey.friends.iter().filter(|o| {
            let off = o.at - f.at;
            o.g != f.g
                && o.arm == Arm::Infantry
                && !o.light
                && !matches!(o.order, Order::Rout | Order::Retreat)
                && angle::turn(o.facing, f.facing).abs() < 50.0
                && off.dot(way) > 3.0
                && off.dot(way) < 45.0
                && off.dot(across).abs() < wide(&o.bounds) + wide(&f.bounds) * 0.3
        });
        let front =
            ahead.min_by(|a, b| a.at.distance_squared(f.at).total_cmp(&b.at.distance_squared(f.at)))?;
        let table = self.fixed.table.bounds().grown(-6.0);
        let mut best: Option<(f64, Point)> = None;
        for hand in [-1.0, 1.0] {
            let out = wide(&front.bounds) + wide(&f.bounds) + 1.5;
            let place = front.at + across * (hand * out);
            let half = (f.bounds.max - f.bounds.min) * 0.45;
            let room = Bounds { min: place - half, max: place + half };
            let taken = survey.friends.iter().any(|o| o.g != f.g && o.bounds.meets(&room));
            if taken || !table.contains(place) || survey.foes.iter().any(|e| e.bounds.meets(&room)) {
                continue;
            }
            let horse = survey
                .foes
                .iter()
                .filter(|e| !e.running && e.arm == Arm::Cavalry)
                .filter(|e| (e.at - front.at).dot(across) * hand > 0.0)
                .map(|e| e.worth)
                .sum::<f64>();
            let far = place.distance(f.at) - horse.min(60.0) * 0.2;
            if best.is_none_or(|b| far < b.0) {
                best = Some((far, place));
            }
        }
        best.map(|b| b.1)
    }

    /// What ground is worth, in leads that win (SYW-WIN-06).
    pub(crate) fn leads(&self, prize: &Prize) -> f64 {
        (prize.points / self.lead_needed()).min(4.0)
    }
}
