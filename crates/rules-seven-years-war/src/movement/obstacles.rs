//! What a walk meets: the edge, enemies, friends who let it pass or do not (SYW-MODEL-33, SYW-ORDER-35, SYW-INTER).

use tricorne_drill::refuse;
use tricorne_game::{Illegal, Side};
use tricorne_table::{Pose, Shape};

use crate::model::field::{Rects, SevenYearsBattle, join_bounds, overlapping};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::SLACK;
use crate::movement::course::Course;
use crate::movement::walk::{Heed, Mover, Near, Stop, Walked};
use crate::rulebook::{Arm, cm, part};

impl SevenYearsBattle {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn obstructed(
        &self,
        movers: &[Mover],
        course: &Course,
        start: &[Pose],
        length: f64,
        done: f64,
        next: f64,
        heed: &Heed,
        near: &Near,
        walked: &mut Walked,
    ) -> Result<Option<Hit>, Illegal> {
        let table = self.fixed.table.bounds();
        for (k, m) in movers.iter().enumerate() {
            let pose = course.at(start[k], next, length);
            let bounds = self.bounds_at(&m.new, pose);
            if !(table.grown(SLACK).contains(bounds.min) && table.grown(SLACK).contains(bounds.max)) {
                return Ok(Some(Hit::Off));
            }
            if near.enemies.is_empty() && near.friends.is_empty() && near.hidden.is_empty() {
                continue;
            }
            let mut rects: Option<Rects> = None;
            for &h in &near.hidden {
                let other = self.unit(h);
                let near = cm(self.distances().ambush);
                if other.frame.bounds.gap_squared(&bounds) <= (near + 0.1) * (near + 0.1) {
                    let mine = rects.get_or_insert_with(|| self.rects_at(&m.new, pose));
                    if self.rects_gap(mine, h, near + SLACK).is_some() {
                        return Ok(Some(Hit::Stop(Stop::Ambush(h, m.u), next)));
                    }
                }
            }
            for &e in &near.enemies {
                let other = self.unit(e);
                let grown = bounds.grown(heed.keep + 0.01);
                if !other.frame.bounds.meets(&grown) || heed.through.contains(&e) {
                    continue;
                }
                let mine = rects.get_or_insert_with(|| self.rects_at(&m.new, pose)).clone();
                if heed.keep > 0.0 {
                    let before = self.rects_at(&m.new, course.at(start[k], done, length));
                    let now = self.rects_gap(&mine, e, heed.keep - SLACK);
                    let was = self.rects_gap(&before, e, heed.keep - SLACK);
                    if let Some(gap) = now
                        && was.is_none_or(|w| gap < w - 1e-6)
                    {
                        return Ok(Some(Hit::Stop(Stop::Enemy(e), done)));
                    }
                }
                if self.contact_rects(e).iter().any(|r| mine.iter().any(|q| overlapping(q, r))) {
                    // SYW-ROUT-15: a plain move may come up to prisoners.
                    if heed.stop_at_enemies || heed.keep > 0.0 || self.unit(e).surrendered {
                        let at = self.touch_within(m, course, start[k], length, done, next, e);
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
                if walked.passed.contains(&f) {
                    continue;
                }
                let other = self.unit(f);
                if !other.frame.bounds.meets(&bounds) {
                    continue;
                }
                let mine = rects.get_or_insert_with(|| self.rects_at(&m.new, pose));
                if self.contact_rects(f).iter().any(|r| mine.iter().any(|q| overlapping(q, r))) {
                    let half = self.fixed.book.charts.shares.friends_ahead;
                    if heed.halts && !self.may_pass(m.u, f) && m.spent <= part(half, m.allowance) + SLACK {
                        // SYW-ORDER-35: halts off friends it would run into within half a move.
                        let touch = self.touch_within(m, course, start[k], length, done, next, f);
                        return Ok(Some(Hit::Short(
                            (touch - cm(self.distances().halt_behind_friends)).max(0.0),
                        )));
                    }
                    walked.passed.push(f);
                }
            }
        }
        Ok(None)
    }

    /// Where within a step a mover first touches an enemy.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn touch_within(
        &self,
        m: &Mover,
        course: &Course,
        start: Pose,
        length: f64,
        done: f64,
        next: f64,
        enemy: UnitIx,
    ) -> f64 {
        let others = self.contact_rects(enemy);
        if let Course::Straight(way) = course {
            let rects = self.rects_at(&m.new, course.at(start, done, length));
            let mut best = next - done;
            for r in &rects {
                for o in &others {
                    if let Some(t) = tricorne_table::sweep::travel_to(
                        &Shape::Rect(*r),
                        *way * (next - done),
                        &Shape::Rect(*o),
                    ) {
                        best = best.min(t);
                    }
                }
            }
            return done + best;
        }
        let (mut low, mut high) = (done, next);
        for _ in 0..12 {
            let middle = (low + high) * 0.5;
            let rects = self.rects_at(&m.new, course.at(start, middle, length));
            if others.iter().any(|o| rects.iter().any(|r| overlapping(r, o))) {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }

    /// Whether a unit may pass through a friend by choice (SYW-INTER-01, -04, -06).
    pub(crate) fn may_pass(&self, u: UnitIx, friend: UnitIx) -> bool {
        let massed = (self.is_massed(u), self.is_massed(friend));
        match massed {
            (true, true) => {
                let guns = |v: UnitIx| {
                    self.info(v).arm == Arm::Artillery
                        && self.order_of(v) == crate::model::state::Order::Stand
                };
                guns(friend) || guns(u)
            }
            _ => true,
        }
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
