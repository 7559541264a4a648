//! What a walk meets: the edge, enemies, friends who let it pass or do not (SYW-MODEL-33, SYW-ORDER-35, SYW-INTER).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, Side};
use tricorne_table::{Pose, Shape, brink};

use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::footprints::{Rects, join_bounds, overlapping};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Order, SLACK, within};
use crate::movement::course::Course;
use crate::movement::steps::{Lane, Near};
use crate::movement::walk::{Heed, Mover, Stop, Walked};
use crate::rulebook::{Arm, cm, part};

/// A step that ends so near to somebody is in contact with him (SYW-MODEL-16).
pub(crate) const CONTACT: f64 = 0.05;

/// One step of a leg: from where to where, and what a centimetre of it costs each mover.
pub(crate) struct Stride<'a> {
    pub(crate) course: &'a Course,
    /// Where each mover stood when the leg began.
    pub(crate) start: &'a [Pose],
    pub(crate) lanes: &'a [Lane],
    pub(crate) length: f64,
    pub(crate) done: f64,
    pub(crate) next: f64,
    pub(crate) prices: &'a [f64],
    pub(crate) factors: &'a [f64],
}

impl Stride<'_> {
    /// Where a mover is after so much of the leg.
    fn at(&self, k: usize, gone: f64) -> Pose {
        self.course.at(self.start[k], gone, self.length)
    }
}

impl SevenYearsBattle {
    pub(crate) fn obstructed(
        &self,
        movers: &[Mover],
        stride: &Stride,
        heed: &Heed,
        near: &Near,
        walked: &mut Walked,
    ) -> Result<Option<Hit>, Illegal> {
        let table = self.fixed.table.bounds();
        let &Stride { done, next, .. } = stride;
        if let Some((hidden, mover)) = self.comes_upon(movers, stride, near) {
            return Ok(Some(Hit::Stop(Stop::Ambush(hidden, mover), next)));
        }
        for (k, m) in movers.iter().enumerate() {
            let lane = &stride.lanes[k];
            if lane.clear {
                continue;
            }
            let pose = stride.at(k, next);
            let bounds = lane.bounds_at(&m.new, pose);
            if !(table.grown(SLACK).contains(bounds.min) && table.grown(SLACK).contains(bounds.max)) {
                return Ok(Some(Hit::Off));
            }
            if near.enemies.is_empty() && near.friends.is_empty() {
                continue;
            }
            let mut rects: Option<Rects> = None;
            for &e in &near.enemies {
                let other = self.unit(e);
                let grown = bounds.grown(heed.keep + 0.01);
                if !other.frame.bounds.meets(&grown) || heed.through.contains(&e) {
                    continue;
                }
                let mine = rects.get_or_insert_with(|| self.rects_at(&m.new, pose)).clone();
                if heed.keep > 0.0 {
                    let before = self.rects_at(&m.new, stride.at(k, done));
                    let now = self.rects_gap(&mine, e, heed.keep - SLACK);
                    let was = self.rects_gap(&before, e, heed.keep - SLACK);
                    if let Some(gap) = now
                        && was.is_none_or(|w| gap < w - 1e-6)
                    {
                        return Ok(Some(Hit::Stop(Stop::Enemy(e), done)));
                    }
                }
                if self.contact_rects(e).iter().any(|r| mine.iter().any(|q| overlapping(q, r)))
                    && let Some((at, m, e)) = self.first_met(movers, stride, heed, near)
                {
                    // SYW-ROUT-15: a plain move may come up to prisoners.
                    if heed.stop_at_enemies || heed.keep > 0.0 || self.unit(e).surrendered {
                        return Ok(Some(Hit::Stop(Stop::Enemy(e), at)));
                    }
                    return refuse(
                        "SYW-MODEL-33",
                        format!(
                            "{} would run into {}; only a charge may make contact",
                            m.new.id,
                            self.unit(e).id
                        ),
                    );
                }
            }
            for &f in &near.friends {
                if walked.through.contains(&(m.u, f)) {
                    continue;
                }
                let known = walked.passed.contains(&f);
                if !known && let Some(at) = self.halts_off(m, k, stride, heed, f) {
                    return Ok(Some(Hit::Short(at)));
                }
                let other = self.unit(f);
                if !other.frame.bounds.meets(&bounds) {
                    continue;
                }
                let mine = rects.get_or_insert_with(|| self.rects_at(&m.new, pose));
                if self.contact_rects(f).iter().any(|r| mine.iter().any(|q| overlapping(q, r))) {
                    walked.through.push((m.u, f));
                    if !known {
                        walked.passed.push(f);
                    }
                }
            }
        }
        Ok(None)
    }

    /// The hidden enemy whom a step brings a mover near to, and which mover (SYW-VIS-04).
    fn comes_upon(&self, movers: &[Mover], stride: &Stride, near: &Near) -> Option<(UnitIx, UnitIx)> {
        if near.hidden.is_empty() {
            return None;
        }
        let reach = cm(self.distances().ambush);
        movers.iter().enumerate().find_map(|(k, m)| {
            let mine = self.rects_at(&m.new, stride.at(k, stride.next));
            near.hidden.iter().find(|&&h| self.rects_near(&mine, h, reach)).map(|&h| (h, m.u))
        })
    }

    /// Whom a step that runs into enemies meets first, where on the leg, and which mover does: the nearest; of those met at one
    /// moment him whom the charge was declared against (SYW-CHARGE-18), or else the first by name (SYW-SEQ-07).
    fn first_met<'a>(
        &self,
        movers: &'a [Mover],
        stride: &Stride,
        heed: &Heed,
        near: &Near,
    ) -> Option<(f64, &'a Mover, UnitIx)> {
        let mut met: SmallVec<[(f64, &Mover, UnitIx); 4]> = SmallVec::new();
        for (k, m) in movers.iter().enumerate() {
            let mine = self.rects_at(&m.new, stride.at(k, stride.next));
            let bounds = join_bounds(&mine);
            for &e in near.enemies.iter().filter(|e| !heed.through.contains(e)) {
                if self.overlaps_unit(&mine, &bounds, e) {
                    met.push((self.touch_within(m, k, stride, stride.next, e), m, e));
                }
            }
        }
        let first = met.iter().map(|m| m.0).fold(f64::MAX, f64::min);
        let at_once = met.into_iter().filter(|m| within(m.0, first));
        let (_, m, e) = at_once.min_by(|&(_, _, a), &(_, _, b)| {
            let (x, y) = (self.unit(a), self.unit(b));
            (heed.aim != Some(a))
                .cmp(&(heed.aim != Some(b)))
                .then_with(|| name_order(&self.group(x.group).id, &self.group(y.group).id))
                .then_with(|| name_order(&x.id, &y.id))
        })?;
        Some((first, m, e))
    }

    /// Where on its leg a group halts off friends of another group into whom half a move, counted from where the move
    /// began, would bring one of its units (SYW-ORDER-35).
    fn halts_off(&self, m: &Mover, k: usize, stride: &Stride, heed: &Heed, friend: UnitIx) -> Option<f64> {
        let other = self.unit(friend);
        if !heed.halts || other.group == m.new.group || self.may_pass(m.u, friend) {
            return None;
        }
        let end = stride.next + CONTACT;
        let pose = stride.at(k, end);
        if !other.frame.bounds.meets(&stride.lanes[k].bounds_at(&m.new, pose)) {
            return None;
        }
        let mine = self.rects_at(&m.new, pose);
        if !self.contact_rects(friend).iter().any(|r| mine.iter().any(|q| overlapping(q, r))) {
            return None;
        }
        let touch = self.touch_within(m, k, stride, end, friend);
        let whole = self.speed_as(m.u, m.new.formation);
        let before = (whole - m.allowance).max(0.0);
        let cost = self.fixed.options.terrain_cost;
        let way = before + m.spent_after(touch - stride.done, stride.prices[k], stride.factors[k], cost);
        if !within(way, part(self.fixed.book.charts.shares.friends_ahead, whole)) {
            return None;
        }
        let off = cm(self.distances().halt_behind_friends);
        let far = |gone: f64| {
            let rects = self.rects_at(&m.new, stride.at(k, gone));
            self.rects_gap(&rects, friend, off - 1e-9).is_none()
        };
        Some(brink([0.0, touch], 32, 0.0, &mut |gone| !far(gone))[0])
    }

    /// Where between the start of a step and a point of the leg a mover first touches somebody.
    fn touch_within(&self, m: &Mover, k: usize, stride: &Stride, end: f64, other: UnitIx) -> f64 {
        let others = self.contact_rects(other);
        let done = stride.done;
        if let Course::Straight(way) = stride.course {
            let rects = self.rects_at(&m.new, stride.at(k, done));
            let mut best = end - done;
            for r in &rects {
                for o in &others {
                    if let Some(t) = tricorne_table::sweep::travel_to(
                        &Shape::Rect(*r),
                        *way * (end - done),
                        &Shape::Rect(*o),
                    ) {
                        best = best.min(t);
                    }
                }
            }
            return done + best;
        }
        let touches = |far: f64| {
            let rects = self.rects_at(&m.new, stride.at(k, far));
            others.iter().any(|o| rects.iter().any(|r| overlapping(r, o)))
        };
        brink([done, end], 12, 0.0, &mut |far| touches(far))[0]
    }

    /// Whether a unit may pass through a friend by choice (SYW-INTER-01, -04, -06).
    pub(crate) fn may_pass(&self, u: UnitIx, friend: UnitIx) -> bool {
        // SYW-INTER-06: massed troops pass guns that are on Stand; that guns should pass them is another matter.
        let guns = self.info(friend).arm == Arm::Artillery && self.order_of(friend) == Order::Stand;
        !(self.is_massed(u) && self.is_massed(friend)) || guns
    }

    /// Whether the side's units would overlap somebody at rest where they would stand.
    pub(crate) fn resting_on(&self, movers: &[Mover], side: Side) -> Option<(UnitIx, UnitIx)> {
        self.resting_on_but(movers, side, &[])
    }

    /// The same, but for enemy groups that will have given way by then (SYW-EVADE-02).
    pub(crate) fn resting_on_but(
        &self,
        movers: &[Mover],
        side: Side,
        yielding: &[GroupIx],
    ) -> Option<(UnitIx, UnitIx)> {
        for m in movers {
            let pose = crate::model::state::grain(m.new.pose());
            let rects = self.rects_at(&m.new, pose);
            let bounds = join_bounds(&rects);
            for v in self.unit_ids() {
                if movers.iter().any(|o| o.u == v) {
                    continue;
                }
                // Hidden enemies betray nothing; the mover is stopped before it gets there.
                let other = self.unit(v);
                if other.side != side && (!other.is_known() || yielding.contains(&other.group)) {
                    continue;
                }
                if self.overlaps_unit(&rects, &bounds, v) {
                    return Some((m.u, v));
                }
            }
        }
        None
    }
}

pub(crate) enum Hit {
    Off,
    /// Halts behind friends, at this length of the leg.
    Short(f64),
    Stop(Stop, f64),
}
