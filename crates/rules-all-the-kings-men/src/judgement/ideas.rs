//! Everything worth thinking of for a unit, with what it would gain at first sight.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, angle};

use super::memory::{clash_of, volley_of};
use super::plans::{AFTERWARDS, best_first, usual_shape};
use super::reckoning::Variant;
use super::survey::{Brief, Survey, brief};
use crate::combat::exchange::Exchange;
use crate::formations::Formation;
use crate::rulebook::{Colour, Kind};
use crate::state::{Activation, Benefit};
use crate::steer::neat_facing;

/// Something to do with a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Idea {
    Fire(usize),
    /// To a place, facing so; what it must bring besides.
    Go(Point, Option<f64>, f64),
    Charge(usize),
    Change(Formation),
    Split,
    Gather,
    Reform,
}

/// An idea with what it is worth.
pub(super) type Weighed = (f64, Idea);

/// What comes to mind for one unit, the best first.
pub(super) type Ideas = SmallVec<[Weighed; 12]>;

/// Inches to spare when a unit goes just into range.
const INSIDE: f64 = 0.4;

/// What a unit starts from: what it is now, what it will be, how things lie without the idea, whether it may still fire.
struct Start<'a> {
    i: usize,
    us: &'a Brief,
    worn: Brief,
    base: f64,
    began: Colour,
    fires: bool,
}

impl Survey<'_> {
    /// Everything worth thinking of for a unit with a whole activation before it, the best first.
    pub(super) fn ideas(&self, i: usize, benefit: Benefit) -> SmallVec<[Weighed; 12]> {
        let mut out: SmallVec<[Weighed; 12]> = SmallVec::new();
        let us = &self.own[i];
        let worn = Self::spent(us, benefit);
        if us.unit.is_mob() {
            // A mob neither fires nor holds ground; fallen in again it does both.
            let mut unit = worn.unit;
            unit.formation = usual_shape(unit.kind);
            unit.set_pose(us.middle, neat_facing(self.front(us)));
            let formed = self.variant(true, i, Some(brief(self.battle, us.no, &unit)));
            let gain = self.value(Some(&formed), None) - self.base + us.worth * self.weighs.as_mob;
            out.push((gain - self.weighs.spend, Idea::Reform));
            return out;
        }
        let start = Start { i, us, worn, base: self.base, began: us.unit.colour, fires: true };
        let after = self.variant(true, i, Some(worn));
        let spend = self.weighs.spend;
        self.shots(&start, &after, spend, &mut out);
        if us.charges {
            self.charges(&start, &mut out);
        }
        self.moves(&start, self.weighs.march, &mut out);
        self.changes(&start, spend, &mut out);
        best_first(&mut out);
        out
    }

    /// What a unit may still do after the first part of its activation.
    pub(super) fn further(&self, i: usize, a: &Activation) -> SmallVec<[Weighed; 12]> {
        let mut out: SmallVec<[Weighed; 12]> = SmallVec::new();
        let us = &self.own[i];
        let worn = Self::spent(&us.tinged(a.began), a.benefit);
        let after = self.variant(true, i, Some(worn));
        let base = self.value(Some(&after), None);
        let start = Start { i, us, worn, base, began: a.began, fires: !a.fired };
        if self.battle.judge_fire_slot(a).is_ok() {
            self.shots(&start, &after, 0.0, &mut out);
        }
        if self.battle.judge_move_slot(a).is_ok() {
            self.moves(&start, AFTERWARDS * self.weighs.march, &mut out);
        }
        if !a.changed {
            self.changes(&start, 0.0, &mut out);
        }
        best_first(&mut out);
        out
    }

    fn shots(&self, start: &Start<'_>, after: &Variant, spend: f64, out: &mut SmallVec<[Weighed; 12]>) {
        let us = start.us;
        let Some(range) = us.range.filter(|_| us.fires) else { return };
        let mut still = None;
        for (j, e) in self.enemy.iter().enumerate() {
            // Cheap no: the nearest of a unit's men is never 8 nearer than its middle.
            if us.unit.at.distance(e.middle) > range + 8.0 || !self.battle.in_arc(&us.unit, &e.unit) {
                continue;
            }
            let Ok(shot) = self.battle.judge_fire(us.no, e.no) else { continue };
            let still = *still.get_or_insert_with(|| self.value(Some(after), None));
            let value = self.after_shot(after, still, j, &self.volley(&shot, e));
            out.push((value - start.base - spend, Idea::Fire(j)));
        }
    }

    /// Charges that look good from here.
    fn charges(&self, start: &Start<'_>, out: &mut SmallVec<[Weighed; 12]>) {
        let us = start.us;
        let b = self.battle;
        for (j, e) in self.enemy.iter().enumerate() {
            let far = us.unit.at.distance(e.middle);
            if far > us.stride + 7.0 {
                continue;
            }
            let ahead = us.unit.kind == Kind::Skirmisher || us.unit.forward.dot(e.middle - us.unit.at) > 0.0;
            if !ahead
                || b.rules().melee_dice(us.unit.kind, crate::field::Engagement::target_of(&e.unit)).is_none()
            {
                continue;
            }
            let lie = b.lie(&us.unit, &e.unit, true);
            let Exchange { attack, defence } = Exchange::of(b.rules(), &b.melee(&us.unit, &e.unit, lie));
            let c = clash_of(attack, defence, us.men(), e.men());
            if self.prize_of(&c, us, e) <= -2.0 {
                continue;
            }
            let mut contact = us.unit;
            let toward = angle::bearing(us.unit.at, e.middle);
            contact.set_pose(us.unit.at.lerp(e.middle, ((far - 1.5) / far.max(0.1)).clamp(0.0, 1.0)), toward);
            let after = self.after_charge(start.i, us, &contact, j, &c);
            out.push((after - start.base - self.weighs.spend, Idea::Charge(j)));
        }
    }

    /// Places worth going to.
    fn moves(&self, start: &Start<'_>, march: f64, out: &mut SmallVec<[Weighed; 12]>) {
        let us = start.us;
        if us.stride <= 0.0 {
            return;
        }
        let mut go = |to: Point, facing: Option<f64>, mark: Option<usize>, levy: f64| {
            let to = Self::in_stride(us, to, facing);
            let there = self.moved(&start.worn, to, facing.unwrap_or(us.unit.facing));
            let variant = self.variant(true, start.i, Some(there));
            let mut value = self.value(Some(&variant), None);
            if let Some(j) = mark.filter(|_| start.fires)
                && let Some(v) = self.fire_from(us, &there, j)
            {
                value = value.max(self.after_shot(&variant, value, j, &v));
            }
            out.push((value - start.base - march - levy, Idea::Go(to, facing, levy)));
        };
        for (rank, j) in self.marks(start.i).into_iter().enumerate() {
            self.approaches(us, j, rank > 0, &mut go);
        }
        for prize in &self.prizes {
            let gap = us.middle.distance(prize.at) - prize.radius;
            if gap > -0.5 * prize.radius {
                let toward = angle::bearing(us.unit.at, prize.at);
                let far = us.stride.min(us.unit.at.distance(prize.at));
                go(us.unit.at + angle::forward(toward) * far, None, None, 0.0);
            }
        }
        // Out of harm's way, if there is any.
        let m = self.own.len();
        let harm = (0..self.enemy.len()).any(|j| self.theirs[j * m + start.i].now[0] > 0.0);
        if let Some(near) = us.nearest(&self.enemy).filter(|_| harm) {
            let back = angle::bearing(near.middle, us.middle);
            let far = if us.unit.kind == Kind::Skirmisher { us.stride } else { us.stride / 2.0 };
            if near.middle.distance(us.middle) < 30.0 {
                go(us.unit.at + angle::forward(back) * far, None, None, self.weighs.retreat);
            }
        }
        if matches!(us.unit.kind, Kind::Skirmisher | Kind::Infantry)
            && let Some(cover) = us.cover_near(self.battle)
        {
            go(cover, None, None, 0.0);
        }
    }

    /// As far towards a place as the legs carry: half as far sideways, backward or to face about (ATKM-MOVE-08,
    /// ATKM-MOVE-09).
    fn in_stride(us: &Brief, to: Point, facing: Option<f64>) -> Point {
        let way = to - us.unit.at;
        let far = way.length();
        let about = |f: f64| angle::turn(us.unit.facing, f).abs() > 90.0;
        let halved = us.unit.kind != Kind::Skirmisher
            && (us.unit.forward.dot(way) <= 0.0 || facing.is_some_and(about));
        let most = if halved { us.stride / 2.0 } else { us.stride };
        if far > most { us.unit.at + way * (most / far) } else { to }
    }

    /// The two enemies who promise a unit most.
    fn marks(&self, i: usize) -> SmallVec<[usize; 2]> {
        let n = self.enemy.len();
        let mut best: SmallVec<[(f64, usize); 16]> =
            (0..n).map(|j| (self.ours[i * n + j].fresh, j)).filter(|m| m.0 > 0.0).collect();
        best.put_in_order(|a, b| b.0.total_cmp(&a.0));
        best.into_iter().take(2).map(|(_, j)| j).collect()
    }

    /// Towards an enemy: just into range to fire, just near enough to charge, or as far as the legs carry.
    fn approaches(
        &self,
        us: &Brief,
        j: usize,
        second: bool,
        go: &mut impl FnMut(Point, Option<f64>, Option<usize>, f64),
    ) {
        let mark = &self.enemy[j];
        let far = mark.unit.distance(self.battle.rules(), us.unit.at);
        let toward = angle::bearing(us.unit.at, mark.middle);
        let way = angle::forward(toward);
        let turns = us.unit.kind != Kind::Skirmisher;
        let facing = Some(neat_facing(toward)).filter(|_| turns);
        let at = us.unit.at;
        match us.range {
            Some(range) if far <= range => {
                if turns && angle::turn(us.unit.facing, toward).abs() > 80.0 {
                    go(at, facing, Some(j), 0.0);
                }
                // Nearer guns and skirmishers hit harder.
                let close = self.battle.rules().near_fire(us.unit.kind).unwrap_or(0.0);
                if us.unit.kind != Kind::Infantry && far > close && far - close < us.stride {
                    go(at + way * (far - close + INSIDE), facing, Some(j), 0.0);
                }
            }
            Some(range) => {
                let need = far - range + INSIDE;
                let fires = need <= us.stride;
                go(at + way * need.min(us.stride), facing, Some(j).filter(|_| fires), 0.0);
                // A shorter advance that stays out of the mark's own reach.
                let reach = mark.range.map_or(mark.stride, |r| r + mark.stride) + 0.3;
                let step = far - reach;
                if !second && step > 0.5 && step < us.stride {
                    go(at + way * step, facing, None, 0.0);
                }
            }
            None => {
                go(at + way * us.stride.min((far - 3.0).max(0.5)), facing, None, 0.0);
                if !second && far < 2.0 * us.stride && mark.unit.kind == Kind::Infantry {
                    Self::flanks(us, mark, go);
                }
            }
        }
        // From where it charges next.
        if us.charges {
            let keep = far - us.stride + 1.0;
            if !second && keep > 1.0 && keep < us.stride {
                go(at + way * keep, facing, Some(j), 0.0);
            }
        }
    }

    /// To where horse strikes a line in its flank next (ATKM-MELEE-13).
    fn flanks(us: &Brief, mark: &Brief, go: &mut impl FnMut(Point, Option<f64>, Option<usize>, f64)) {
        if mark.unit.is_mob() {
            return;
        }
        let right = angle::right(mark.unit.facing);
        let side = if right.dot(us.unit.at - mark.middle) >= 0.0 { 1.0 } else { -1.0 };
        let place = mark.middle + right * (side * (us.stride - 3.0)) - mark.unit.forward * 3.0;
        let far = us.unit.at.distance(place);
        if far > 1.0 {
            let to = us.unit.at.lerp(place, (us.stride / far).min(1.0));
            go(to, Some(neat_facing(angle::bearing(to, mark.middle))), None, 0.0);
        }
    }

    /// What fire at a mark from another place would bring.
    fn fire_from(&self, us: &Brief, there: &Brief, j: usize) -> Option<super::pools::Volley> {
        let mark = &self.enemy[j];
        let range = us.range?;
        let far = mark.unit.distance(self.battle.rules(), there.unit.at);
        let ahead = there.unit.forward.dot(mark.middle - there.unit.at) >= 0.0;
        if far > range
            || (!ahead && us.unit.kind != Kind::Skirmisher)
            || self.battle.land().hides(there.unit.at, mark.middle)
        {
            return None;
        }
        let firer = there.tinged(us.unit.colour);
        let lie = self.battle.lie(&firer.unit, &mark.unit, false);
        // A column forms line before it fires, guns unlimber.
        let pools = self.battle.volley(&firer.unit, us.musketry(self.battle), &mark.unit, far, lie);
        let Exchange { attack, defence } = Exchange::of(self.battle.rules(), &pools);
        Some(volley_of(attack, defence, mark.men()))
    }

    /// Other shapes.
    fn changes(&self, start: &Start<'_>, spend: f64, out: &mut SmallVec<[Weighed; 12]>) {
        let us = start.us;
        if us.unit.kind == Kind::Skirmisher {
            if us.unit.parent.is_some() && self.ridden_at(us) {
                out.push((self.weighs.gather, Idea::Gather));
            }
            return;
        }
        for shape in self.shapes(us) {
            if shape == us.unit.formation || self.battle.judge_shape(&us.unit, shape).is_err() {
                continue;
            }
            let mut unit = start.worn.unit;
            unit.formation = shape;
            let there = brief(self.battle, us.no, &unit);
            let variant = self.variant(true, start.i, Some(there));
            let mut value = self.value(Some(&variant), None);
            // Guns fire as soon as they are unlimbered, foot as soon as it stands in line.
            if start.fires
                && shape == usual_shape(unit.kind)
                && let Some((j, v)) = self.best_shot(us, &crate::state::Unit { colour: start.began, ..unit })
            {
                value = value.max(self.after_shot(&variant, value, j, &v));
            }
            out.push((value - start.base - spend, Idea::Change(shape)));
        }
        let parts = self.battle.rules().advanced.light_part[0];
        if self.battle.options().adv_light_infantry
            && us.unit.light
            && us.unit.n >= 2 * parts
            && us.nearest(&self.enemy).is_some_and(|e| e.middle.distance(us.middle) < 30.0)
            && !self.ridden_at(us)
        {
            out.push((self.weighs.split, Idea::Split));
        }
    }

    /// Whether horse is near enough to ride a unit down.
    fn ridden_at(&self, us: &Brief) -> bool {
        let near = |e: &Brief| e.middle.distance(us.middle) < e.stride + 6.0;
        self.enemy.iter().any(|e| e.unit.kind == Kind::Cavalry && e.charges && near(e))
    }

    /// The shapes an officer thinks of.
    fn shapes(&self, us: &Brief) -> SmallVec<[Formation; 3]> {
        let mut out: SmallVec<[Formation; 3]> = SmallVec::new();
        out.push(usual_shape(us.unit.kind));
        if us.unit.kind != Kind::Skirmisher {
            out.push(Formation::Column(2));
        }
        if us.unit.kind == Kind::Infantry && self.battle.options().adv_square && self.ridden_at(us) {
            out.push(Formation::Square);
        }
        out
    }
}
