//! Where stands are and how far apart: footprints, gaps, centres, fronts (SYW-MODEL-15 to -19, -22).

use arrayvec::ArrayVec;
use tricorne_table::{Bounds, Point, Pose, Rect, Shape};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands::WIDTH;
use crate::model::state::{Formation, MOST_STANDS, Unit, grain, within};
use crate::options::GroupCentre;

/// Footprints of a unit's stands.
pub type Rects = ArrayVec<Rect, MOST_STANDS>;

/// Footprints no farther apart than this may touch (SYW-MODEL-16).
const TOUCH: f64 = 0.05;

/// Two footprints touch along an edge of 0.1 or more (SYW-MODEL-16).
pub fn touching(a: &Rect, b: &Rect) -> bool {
    let shared = Shape::Rect(*a).shared_edge(&Shape::Rect(*b), TOUCH);
    if shared < 0.1 {
        return false;
    }
    // Where edges run side by side, what is measured goes on beyond the end of one by as much as the reach does.
    let askew = (a.pose().facing - b.pose().facing).rem_euclid(90.0);
    let gap = gap_of(a, b);
    let beyond =
        if askew.min(90.0 - askew) < 1.0 { (TOUCH * TOUCH - gap * gap).max(0.0).sqrt() } else { 0.0 };
    within(0.1 + beyond, shared)
}

/// The box round a footprint.
pub fn bounds_of(rect: &Rect) -> Bounds {
    Shape::Rect(*rect).bounds()
}

/// The gap between two footprints.
pub fn gap_of(a: &Rect, b: &Rect) -> f64 {
    Shape::Rect(*a).gap(&Shape::Rect(*b))
}

/// The gap between two lists of footprints.
pub fn gap_between(some: &[Rect], others: &[Rect]) -> f64 {
    let mut best = f64::INFINITY;
    for a in some {
        let bounds = bounds_of(a);
        for b in others {
            if bounds.gap_squared(&bounds_of(b)) < best * best {
                best = best.min(gap_of(a, b));
            }
        }
    }
    best
}

/// Whether two footprints overlap, beyond what rounding to the grain of the table may cause.
pub fn overlapping(a: &Rect, b: &Rect) -> bool {
    Shape::Rect(*a).penetration(&Shape::Rect(*b)) > 0.03
}

/// The box round some footprints.
pub fn join_bounds(rects: &[Rect]) -> Bounds {
    let mut boxes = rects.iter().map(bounds_of);
    let first = boxes.next().unwrap_or(Bounds { min: Point::ORIGIN, max: Point::ORIGIN });
    boxes.fold(first, |a, b| a.join(&b))
}

impl SevenYearsBattle {
    /// The footprint of a stand.
    pub(crate) fn rect(&self, u: UnitIx, i: usize) -> Rect {
        let unit = self.unit(u);
        unit.rect_in(&unit.frame.frame, unit.facing, i, self.info_of(unit).depth)
    }

    /// The footprints of all its stands. Not inlined: it is asked for everywhere, and no faster so.
    #[inline(never)]
    pub(crate) fn rects(&self, u: UnitIx) -> Rects {
        let unit = self.unit(u);
        unit.rects_in(&unit.frame.frame, unit.facing, self.info_of(unit).depth)
    }

    /// The footprints a unit would have somewhere.
    #[inline(never)]
    pub(crate) fn rects_at(&self, unit: &Unit, pose: Pose) -> Rects {
        let frame = crate::movement::steps::frame_of(unit, pose);
        unit.rects_in(&frame, pose.facing, self.info_of(unit).depth)
    }

    /// Works out again what is cached about where a unit stands.
    pub(crate) fn refresh(&mut self, u: UnitIx) {
        let (frame, bounds, ground) = {
            let unit = self.unit(u);
            let frame = crate::movement::steps::frame_of(unit, unit.pose());
            let rects = self.rects_at(unit, unit.pose());
            let bounds = join_bounds(&rects);
            (frame, bounds, self.fixed.ground_under(&rects, &bounds))
        };
        let unit = self.unit_mut(u);
        let facing = unit.facing;
        unit.frame = crate::model::state::Cached { frame, facing, bounds, ground };
    }

    /// Puts a unit somewhere, to the grain of the table (SYW-MODEL-02).
    pub(crate) fn put(&mut self, u: UnitIx, pose: Pose) {
        let pose = grain(pose);
        let unit = self.unit_mut(u);
        unit.at = pose.at;
        unit.facing = pose.facing;
        self.refresh(u);
    }

    /// Puts a unit in a new layout.
    pub(crate) fn put_as(&mut self, u: UnitIx, mut new: Unit) {
        let pose = grain(new.pose());
        new.at = pose.at;
        new.facing = pose.facing;
        self.note_passing(u, &new);
        *self.unit_mut(u) = new;
        self.refresh(u);
    }

    /// Shortest distance between the stands of two units (SYW-MODEL-16).
    pub(crate) fn gap(&self, a: UnitIx, b: UnitIx) -> f64 {
        self.gap_below(a, b, f64::INFINITY).unwrap_or(f64::INFINITY)
    }

    /// The gap, if it is less than a limit.
    pub(crate) fn gap_below(&self, a: UnitIx, b: UnitIx, limit: f64) -> Option<f64> {
        let (ua, ub) = (self.unit(a), self.unit(b));
        if ua.frame.bounds.gap_squared(&ub.frame.bounds) > limit * limit {
            return None;
        }
        let mut best = f64::INFINITY;
        let rects = self.rects(b);
        for i in 0..ua.stands.len() {
            let rect = self.rect(a, i);
            let bounds = bounds_of(&rect);
            for other in &rects {
                let least = best.min(limit);
                if bounds.gap_squared(&bounds_of(other)) < least * least {
                    best = best.min(gap_of(&rect, other));
                }
            }
        }
        (best < limit || best == 0.0).then_some(best)
    }

    /// Whether two units are within a distance.
    pub(crate) fn near(&self, a: UnitIx, b: UnitIx, limit: f64) -> bool {
        self.gap_below(a, b, limit + 0.02).is_some_and(|g| within(g, limit))
    }

    /// Shortest distance from some footprints to a unit, if below a limit.
    pub(crate) fn rects_gap(&self, rects: &[Rect], b: UnitIx, limit: f64) -> Option<f64> {
        let bounds = join_bounds(rects);
        if bounds.gap_squared(&self.unit(b).frame.bounds) > limit * limit {
            return None;
        }
        let mut best = f64::INFINITY;
        for i in 0..self.unit(b).stands.len() {
            let other = self.rect(b, i);
            let near = bounds_of(&other);
            for rect in rects {
                let least = best.min(limit + 0.01);
                if bounds_of(rect).gap_squared(&near) <= least * least {
                    best = best.min(gap_of(rect, &other));
                }
            }
        }
        (best <= limit).then_some(best)
    }

    /// Whether some footprints are within a distance of a unit.
    pub(crate) fn rects_near(&self, rects: &[Rect], b: UnitIx, limit: f64) -> bool {
        self.rects_gap(rects, b, limit + 0.02).is_some_and(|g| within(g, limit))
    }

    /// Distance of a group from the nearest known enemy that holds his ground.
    pub(crate) fn group_gap_to_enemy(&self, g: GroupIx) -> f64 {
        let side = self.group(g).side;
        let members = self.members(g);
        let mut best = f64::INFINITY;
        for enemy in self.known_enemies(side).filter(|&e| self.holds_ground(e)) {
            for &u in &members {
                if let Some(gap) = self.gap_below(u, enemy, best) {
                    best = best.min(gap);
                }
            }
        }
        best
    }

    /// The known enemy nearest to a group.
    pub(crate) fn nearest_enemy(&self, g: GroupIx) -> Option<(UnitIx, f64)> {
        let side = self.group(g).side;
        let members = self.members(g);
        let mut best: Option<(UnitIx, f64)> = None;
        for enemy in self.known_enemies(side) {
            for &u in &members {
                let least = best.map_or(f64::INFINITY, |b| b.1);
                if let Some(gap) = self.gap_below(u, enemy, least)
                    && gap < least
                {
                    best = Some((enemy, gap));
                }
            }
        }
        best
    }

    /// Whether two groups are within a distance.
    pub(crate) fn groups_near(&self, a: GroupIx, b: GroupIx, limit: f64) -> bool {
        let others = self.members(b);
        self.members(a).iter().any(|&u| others.iter().any(|&v| self.near(u, v, limit)))
    }

    /// The exact centre of some units (SYW-MODEL-17).
    pub(crate) fn centre_of(&self, units: &[UnitIx]) -> Point {
        match self.fixed.options.group_centre {
            GroupCentre::MeanOfStands => {
                let (mut sum, mut n) = (Point::ORIGIN, 0.0);
                for &u in units {
                    let unit = self.unit(u);
                    for s in &unit.stands {
                        sum += unit.frame.frame.to_world(Point::new(s.u, s.v));
                        n += 1.0;
                    }
                }
                if n > 0.0 { sum * (1.0 / n) } else { sum }
            }
            GroupCentre::BoundingBox => {
                let mut boxes = units.iter().map(|&u| self.unit(u).frame.bounds);
                let Some(first) = boxes.next() else { return Point::ORIGIN };
                boxes.fold(first, |a, b| a.join(&b)).centre()
            }
        }
    }

    /// A general's range to the centre of some units (SYW-MODEL-18).
    pub(crate) fn general_range(&self, general: GeneralIx, units: &[UnitIx]) -> f64 {
        let rect = self.s.generals[usize::from(general)].rect();
        Shape::Rect(rect).distance_to(self.centre_of(units))
    }

    /// Distance from a general to the nearest stand of a group (SYW-MODEL-19).
    pub(crate) fn general_gap(&self, general: GeneralIx, units: &[UnitIx]) -> f64 {
        let rect = self.s.generals[usize::from(general)].rect();
        let bounds = bounds_of(&rect);
        let mut best = f64::INFINITY;
        for &u in units {
            if bounds.gap_squared(&self.unit(u).frame.bounds) < best * best {
                for other in &self.rects(u) {
                    // No gap is less than that of the boxes, but for rounding.
                    let least = best + 1e-6;
                    if bounds.gap_squared(&bounds_of(other)) <= least * least {
                        best = best.min(gap_of(&rect, other));
                    }
                }
            }
        }
        best
    }

    /// The front of a unit: middle of its front edge and width of its front rank (SYW-MODEL-22).
    pub(crate) fn front_of(&self, unit: &Unit) -> (f64, f64) {
        let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for s in unit.stands.iter().filter(|s| s.rank == first && s.turn == 0.0) {
            low = low.min(s.u - WIDTH * 0.5);
            high = high.max(s.u + WIDTH * 0.5);
        }
        if low > high { (-WIDTH * 0.5, WIDTH * 0.5) } else { (low, high) }
    }

    /// The two ends of its front edge: of a square's the whole side, which is wider than the stands that look ahead
    /// (SYW-MODEL-10).
    pub(crate) fn whole_front_of(&self, unit: &Unit) -> (f64, f64) {
        if unit.formation != Formation::Square {
            return self.front_of(unit);
        }
        let half = crate::model::stands::side_of_square(unit, self.info_of(unit).depth) * 0.5;
        (-half, half)
    }
}
