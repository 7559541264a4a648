//! Stands set beside friends among whom a move has ended, and gathered again (SYW-INTER-09, -10).

use smallvec::SmallVec;
use tricorne_game::{Event, Log};
use tricorne_table::{Point, Pose, Rect, Shape, brink};

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{bounds_of, join_bounds};
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Stand, Unit, Units, grain};
use crate::movement::walk::{Mover, Movers, Walked};

/// Room for a stand that would rest on a friend is looked for in strides of this length, so many at most, and then to the
/// hundredth (SYW-INTER-09).
const STRIDE: f64 = 0.25;
const STRIDES: u32 = 48;

/// A stand set beside another leaves room for the rounding of places, so that the two never overlap by it later.
fn crowding(a: &Rect, b: &Rect) -> bool {
    depth_in(a, b) > 0.01
}

/// How deep one footprint lies in another.
fn depth_in(a: &Rect, b: &Rect) -> f64 {
    let reach = |r: &Rect| (r.width() + r.depth()) * 0.5;
    if a.centre().distance(b.centre()) > reach(a) + reach(b) {
        return 0.0;
    }
    Shape::Rect(*a).penetration(&Shape::Rect(*b))
}

/// Who stands about a stand that looks for room.
struct Crowd<'a> {
    others: &'a [Rect],
    own: &'a [Rect],
    /// Which of its own unit's stands it is.
    own_place: usize,
}

impl Crowd<'_> {
    fn any(&self, met: impl Fn(&Rect) -> bool) -> bool {
        let mut fellows = self.own.iter().enumerate().filter(|(j, _)| *j != self.own_place);
        self.others.iter().any(&met) || fellows.any(|(_, r)| met(r))
    }
}

impl SevenYearsBattle {
    /// A split unit drawn together on its foremost stand (SYW-INTER-10).
    pub(crate) fn gathered(&self, u: UnitIx) -> Unit {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let mut new = unit.clone();
        new.split = None;
        let Some(first) = unit.stands.iter().copied().max_by(|a, b| a.v.total_cmp(&b.v)) else { return new };
        new.stands = stands::layout(unit.formation, unit.strength(), info);
        // The front-rank stand that keeps the most of the unit where its origin was.
        let nearest = new
            .stands
            .iter()
            .filter(|s| s.rank == 0)
            .copied()
            .min_by(|a, b| (a.u - first.u).abs().total_cmp(&(b.u - first.u).abs()));
        if let Some(place) = nearest {
            new.at = unit.pose().to_world(Point::new(first.u - place.u, first.v - place.v));
        }
        new.reframe();
        new
    }

    /// Units split around some that are about to move are gathered first (SYW-INTER-10).
    pub(crate) fn gather_round(&mut self, movers: &[UnitIx], log: &mut Log) {
        let split: Units = self
            .unit_ids()
            .filter(|&u| {
                let unit = self.unit(u);
                unit.is_known() && unit.split.is_some_and(|(f, _)| movers.contains(&f))
            })
            .collect();
        for u in split {
            self.gather(u, log);
        }
    }

    /// Units split around somebody who has moved on, whatever moved him, are gathered: they have not moved before him
    /// (SYW-INTER-10).
    pub(crate) fn gather_the_left_behind(&mut self, log: &mut Log) {
        for u in self.unit_ids() {
            let unit = self.unit(u);
            let gone = |f: &Unit, was: Pose| f.is_known() && f.phase.moved && f.pose() != was;
            let left = unit.split.is_some_and(|(f, was)| gone(self.unit(f), was));
            if left && unit.is_known() && !self.in_melee(u) {
                self.gather(u, log);
            }
        }
    }

    fn gather(&mut self, u: UnitIx, log: &mut Log) {
        let new = self.gathered(u);
        let around = self.unit(u).split.map(|(f, _)| self.unit(f).id);
        self.settle(u, new);
        log.say(|| Event { whom: around, ..self.unit_event("gathered", "SYW-INTER-10", u) });
    }

    /// Sets stands of those who fall back among friends beside them, if the move ends part way through and some stay where
    /// they are.
    pub(crate) fn set_aside(&self, movers: &mut Movers, walked: &Walked) {
        let Some(aside) = self.split_all(movers) else { return };
        let stay = |(m, new): (&Mover, &Unit)| m.new.stands.iter().zip(&new.stands).any(|(a, b)| a == b);
        if !movers.iter().zip(&aside).any(stay) {
            return;
        }
        for (m, new) in movers.iter_mut().zip(aside) {
            if new.stands != m.new.stands {
                let friend = walked.through.iter().find(|t| t.0 == m.u).map(|t| t.1);
                m.new = self.split_around(new, friend);
                m.new.reframe();
            }
        }
    }

    /// A unit some of whose stands have been set beside another.
    pub(crate) fn split_around(&self, mut unit: Unit, friend: Option<UnitIx>) -> Unit {
        unit.split = friend.map(|f| (f, self.unit(f).pose()));
        unit
    }

    /// All movers with the stands that would rest on friends set beside them (SYW-INTER-09).
    pub(crate) fn split_all(&self, movers: &[Mover]) -> Option<SmallVec<[Unit; 4]>> {
        self.split_clear_of(movers, &[])
    }

    /// The same, out of contact with some of those in the way.
    pub(crate) fn split_clear_of(
        &self,
        movers: &[Mover],
        clear_of: &[UnitIx],
    ) -> Option<SmallVec<[Unit; 4]>> {
        let mut done: SmallVec<[Unit; 4]> = SmallVec::new();
        for k in 0..movers.len() {
            let mut others: SmallVec<[Rect; 16]> = SmallVec::new();
            for unit in &done {
                others.extend(self.rects_at(unit, unit.pose()));
            }
            for later in &movers[k + 1..] {
                others.extend(self.rects_at(&later.new, grain(later.new.pose())));
            }
            done.push(self.split_beside(&movers[k], movers, &others, clear_of)?);
        }
        Some(done)
    }

    /// Stands that would rest on a friend set beside it by the least move, off ground closed to them, if that can be done
    /// (SYW-INTER-09).
    fn split_beside(&self, m: &Mover, all: &[Mover], others: &[Rect], clear_of: &[UnitIx]) -> Option<Unit> {
        let pose = grain(m.new.pose());
        let mut new = m.new.clone();
        new.at = pose.at;
        new.facing = pose.facing;
        // Everybody whom a stand set beside might meet.
        let reach = join_bounds(&self.rects_at(&new, pose)).grown(STRIDE * f64::from(STRIDES));
        let mut in_the_way: SmallVec<[Rect; 32]> = SmallVec::from_slice(others);
        for v in self.unit_ids() {
            let unit = self.unit(v);
            if unit.is_known() && unit.frame.bounds.meets(&reach) && !all.iter().any(|o| o.u == v) {
                if !clear_of.contains(&v) {
                    in_the_way.extend(self.contact_rects(v));
                    continue;
                }
                // More room than those have who touch (SYW-MODEL-16).
                let wider = |r: &Rect| Rect::centred(r.pose(), r.width() + 0.2, r.depth() + 0.2);
                in_the_way.extend(self.contact_rects(v).iter().map(wider));
            }
        }
        let mut own = self.rects_at(&new, pose);
        for i in 0..new.stands.len() {
            let crowd = Crowd { others: &in_the_way, own: &own, own_place: i };
            if self.fixed.table.holds_bounds(&bounds_of(&own[i])) && !crowd.any(|r| crowding(&own[i], r)) {
                continue;
            }
            let (stand, rect) = self.least_aside(m.u, &new, pose, i, &crowd)?;
            new.stands[i] = stand;
            own[i] = rect;
        }
        Some(new)
    }

    /// The nearest place to its flanks, behind it or before it where a stand has room.
    fn least_aside(
        &self,
        u: UnitIx,
        unit: &Unit,
        pose: Pose,
        i: usize,
        crowd: &Crowd,
    ) -> Option<(Stand, Rect)> {
        let (frame, depth, home) = (pose.frame(), self.info(u).depth, unit.stands[i]);
        let mut moved = unit.clone();
        let mut placed = |(right, on): (f64, f64), off: f64| {
            moved.stands[i] = Stand { u: home.u + right * off, v: home.v + on * off, ..home };
            (moved.stands[i], moved.rect_in(&frame, pose.facing, i, depth))
        };
        let mut best: Option<(f64, (Stand, Rect))> = None;
        for way in [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
            let mut room = |off: f64| {
                let (_, rect) = placed(way, off);
                self.fixed.table.holds_bounds(&bounds_of(&rect))
                    && !crowd.any(|r| depth_in(&rect, r) > 0.0005)
                    && !self.on_impassable(&[rect], u)
            };
            // No farther than the nearest found so far.
            let most = best.as_ref().map_or(f64::MAX, |b| b.0);
            let mut strides =
                (1..=STRIDES).map(|k| STRIDE * f64::from(k)).take_while(|off| off - STRIDE < most);
            let Some(far) = strides.find(|&off| room(off)) else { continue };
            let [_, least] = brink([far - STRIDE, far], 24, 1e-6, &mut room);
            let off = ((least - 1e-4) * 100.0).ceil() / 100.0;
            if off < most - 1e-9 {
                best = Some((off, placed(way, off)));
            }
        }
        best.map(|b| b.1)
    }
}
