//! The battle on the table: measuring between stands, units, groups and generals (SYW-MODEL-15 to -19).

use std::sync::Arc;

use arrayvec::ArrayVec;
use tricorne_game::{Event, InOrder, Log, Seat, Side, UnitId};
use tricorne_table::{Bounds, Point, Pose, Rect, Shape};

use crate::generals::counters::General;
use crate::judgement::OfficersMind;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands::WIDTH;
use crate::model::state::{
    Fixed, Formation, Group, Groups, MOST_STANDS, OPEN, Order, Presence, State, Unit, UnitInfo, Units, grain,
    within,
};
use crate::morale::disorder::Disorder;
use crate::options::GroupCentre;
use crate::rulebook::{Arm, Class, Distances, Grade, makes_up};

/// A battle of these rules.
#[derive(Clone, Debug)]
pub struct SevenYearsBattle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) s: State,
    /// What the judgement of programs goes by; no rule looks at it.
    pub(crate) mind: Arc<OfficersMind>,
}

/// Footprints of a unit's stands.
pub type Rects = ArrayVec<Rect, MOST_STANDS>;

/// Two footprints touch along an edge (SYW-MODEL-16).
pub fn touching(a: &Rect, b: &Rect) -> bool {
    let (a, b) = (Shape::Rect(*a), Shape::Rect(*b));
    a.is_within(&b, 0.05) && a.shared_edge(&b, 0.05) >= 0.1
}

/// The box round a footprint.
pub fn bounds_of(rect: &Rect) -> Bounds {
    Shape::Rect(*rect).bounds()
}

/// The gap between two footprints.
pub fn gap_of(a: &Rect, b: &Rect) -> f64 {
    Shape::Rect(*a).gap(&Shape::Rect(*b))
}

/// Whether two footprints overlap, beyond what rounding to the grain of the table may cause.
pub fn overlapping(a: &Rect, b: &Rect) -> bool {
    Shape::Rect(*a).penetration(&Shape::Rect(*b)) > 0.03
}

impl SevenYearsBattle {
    pub(crate) fn unit(&self, u: UnitIx) -> &Unit {
        &self.s.units[usize::from(u)]
    }

    pub(crate) fn unit_mut(&mut self, u: UnitIx) -> &mut Unit {
        &mut self.s.units[usize::from(u)]
    }

    pub(crate) fn group(&self, g: GroupIx) -> &Group {
        &self.s.groups[usize::from(g)]
    }

    pub(crate) fn group_mut(&mut self, g: GroupIx) -> &mut Group {
        &mut self.s.groups[usize::from(g)]
    }

    pub(crate) fn general(&self, i: GeneralIx) -> &General {
        &self.s.generals[usize::from(i)]
    }

    pub(crate) fn general_mut(&mut self, i: GeneralIx) -> &mut General {
        &mut self.s.generals[usize::from(i)]
    }

    /// The chart of distances.
    pub(crate) fn distances(&self) -> &Distances {
        &self.fixed.book.charts.distances
    }

    pub(crate) fn info(&self, u: UnitIx) -> &UnitInfo {
        self.info_of(self.unit(u))
    }

    pub(crate) fn info_of(&self, unit: &Unit) -> &UnitInfo {
        &self.fixed.infos[usize::from(unit.info)]
    }

    pub(crate) fn group_of(&self, u: UnitIx) -> &Group {
        self.group(self.unit(u).group)
    }

    /// The order a unit acts on (SYW-BREAK-11 apart, that of its group).
    pub(crate) fn order_of(&self, u: UnitIx) -> Order {
        let unit = self.unit(u);
        if unit.on_stand { Order::Stand } else { self.group(unit.group).order }
    }

    pub(crate) fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitIx> + Clone + use<> {
        UnitIx::first(self.s.units.len())
    }

    pub(crate) fn group_ids(&self) -> impl DoubleEndedIterator<Item = GroupIx> + Clone + use<> {
        GroupIx::first(self.s.groups.len())
    }

    pub(crate) fn find_unit(&self, id: UnitId) -> Option<UnitIx> {
        self.s.units.iter().position(|u| u.id == id).map(UnitIx::of)
    }

    pub(crate) fn find_group(&self, id: UnitId) -> Option<GroupIx> {
        self.s.groups.iter().position(|g| g.id == id).map(GroupIx::of)
    }

    /// A unit by its name, as far as whoever is asked may know of it: a hidden enemy is refused as one that does not exist
    /// (SYW-LOS-09, SYW-SHOOT-58).
    pub(crate) fn known_unit(&self, id: UnitId) -> Option<UnitIx> {
        self.find_unit(id).filter(|&u| self.unit(u).side == self.asked() || !self.is_secret(u))
    }

    /// A group by its name, likewise.
    pub(crate) fn known_group(&self, id: UnitId) -> Option<GroupIx> {
        self.find_group(id).filter(|&g| self.group(g).side == self.asked() || !self.is_secret_group(g))
    }

    pub(crate) fn find_general(&self, id: UnitId) -> Option<GeneralIx> {
        self.s.generals.iter().position(|g| g.id == id).map(GeneralIx::of)
    }

    /// The footprint of a stand.
    pub(crate) fn rect(&self, u: UnitIx, i: usize) -> Rect {
        let unit = self.unit(u);
        unit.rect_in(&unit.frame.frame, unit.facing, i, self.info_of(unit).depth)
    }

    /// The footprints of all its stands.
    pub(crate) fn rects(&self, u: UnitIx) -> Rects {
        (0..self.unit(u).stands.len()).map(|i| self.rect(u, i)).collect()
    }

    /// The footprints a unit would have somewhere.
    pub(crate) fn rects_at(&self, unit: &Unit, pose: Pose) -> Rects {
        let frame = crate::movement::steps::frame_of(unit, pose);
        let depth = self.info_of(unit).depth;
        (0..unit.stands.len()).map(|i| unit.rect_in(&frame, pose.facing, i, depth)).collect()
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

    /// Enemy units everybody knows of (SYW-ORDER terms: known enemy).
    pub(crate) fn known_enemies(&self, side: Side) -> impl Iterator<Item = UnitIx> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).side != side && self.unit(u).is_known())
    }

    /// Units of a side on the table.
    pub(crate) fn present(&self, side: Side) -> impl Iterator<Item = UnitIx> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).side == side && self.unit(u).is_present())
    }

    /// Units of a group still on the table, detached stands not among them.
    pub(crate) fn members(&self, g: GroupIx) -> Units {
        self.group(g).units.iter().copied().filter(|&u| self.unit(u).is_present()).collect()
    }

    /// Groups of a side with somebody on the table.
    pub(crate) fn groups_of(&self, side: Side) -> Groups {
        self.group_ids()
            .filter(|&g| self.group(g).side == side && self.group(g).off.is_none())
            .filter(|&g| self.group(g).units.iter().any(|&u| self.unit(u).is_present()))
            .collect()
    }

    /// Groups in the order of SYW-SEQ-07: the phasing side's first, then by name.
    pub(crate) fn in_order(&self, groups: &mut Groups) {
        let phasing = self.s.phasing;
        groups.put_in_order(|&a, &b| {
            let (x, y) = (self.group(a), self.group(b));
            (x.side != phasing).cmp(&(y.side != phasing)).then_with(|| name_order(&x.id, &y.id))
        });
        groups.dedup();
    }

    /// Units by name.
    pub(crate) fn units_in_order(&self, units: &mut Units) {
        units.put_in_order(|&a, &b| name_order(&self.unit(a).id, &self.unit(b).id));
        units.dedup();
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

    /// Distance between two groups, if below a limit.
    pub(crate) fn groups_gap(&self, a: GroupIx, b: GroupIx, limit: f64) -> Option<f64> {
        let mut best: Option<f64> = None;
        for &u in &self.members(a) {
            for &v in &self.members(b) {
                let least = best.unwrap_or(limit);
                if let Some(gap) = self.gap_below(u, v, least) {
                    best = Some(best.map_or(gap, |b| b.min(gap)));
                }
            }
        }
        best
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
        let mut best = f64::INFINITY;
        for &u in units {
            if bounds_of(&rect).gap_squared(&self.unit(u).frame.bounds) < best * best {
                for i in 0..self.unit(u).stands.len() {
                    best = best.min(gap_of(&rect, &self.rect(u, i)));
                }
            }
        }
        best
    }

    /// Whether a unit is disordered, by whatever cause (SYW-DIS).
    pub(crate) fn is_disordered(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        unit.disordered || self.in_bad_ground(u) || self.order_of(u) == Order::Rout
    }

    /// In ground that disorders it (SYW-TERR-09), or fighting across some (SYW-MELEE-34).
    pub(crate) fn in_bad_ground(&self, u: UnitIx) -> bool {
        self.in_bad_ground_against(u, None)
    }

    pub(crate) fn in_bad_ground_against(&self, u: UnitIx, enemy: Option<UnitIx>) -> bool {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        unit.is_present()
            && (self.fixed.disorders(self.ground_of(u, enemy), info)
                || (info.class == Class::Massed && self.fights_across(u)))
    }

    /// Whether a unit is disordered in what it does against an enemy (SYW-TERR-19).
    pub(crate) fn is_disordered_against(&self, u: UnitIx, enemy: UnitIx) -> bool {
        let unit = self.unit(u);
        unit.disordered || self.in_bad_ground_against(u, Some(enemy)) || self.order_of(u) == Order::Rout
    }

    /// What a unit in disorder suffers from: what it went through, or only the ground it is in.
    pub(crate) fn disordered_how(&self, u: UnitIx) -> &'static str {
        let lasting = self.unit(u).disordered || self.order_of(u) == Order::Rout;
        if lasting { "disordered" } else { "disordered by the ground" }
    }

    /// Massed by formation class.
    pub(crate) fn is_massed(&self, u: UnitIx) -> bool {
        self.info(u).class == Class::Massed
    }

    /// Whether a group reads the lights' lines of T7 (SYW-GROUP-05, SYW-MORALE-39).
    pub(crate) fn tests_as_lights(&self, g: GroupIx) -> bool {
        use crate::options::MixedGroupClass;
        let (mut light, mut massed) = (0, 0);
        for &u in &self.members(g) {
            match self.info(u).tests_as {
                Class::Light => light += self.unit(u).strength(),
                Class::Massed => massed += self.unit(u).strength(),
            }
        }
        match self.fixed.options.mixed_group_class {
            MixedGroupClass::LightsIfAny | MixedGroupClass::ForbidMixing => light > 0,
            MixedGroupClass::MajorityOfStands => light > massed,
        }
    }

    /// A group by the names of its units: those on the table, failing that those that may come, the dead only of a group
    /// that has no others.
    pub(crate) fn troops(&self, g: GroupIx) -> String {
        let units = &self.group(g).units;
        let here: Units = units.iter().copied().filter(|&u| self.unit(u).is_known()).collect();
        let alive = || units.iter().copied().filter(|&u| self.unit(u).presence != Presence::Gone);
        let left: Units = if here.is_empty() { alive().collect() } else { here };
        let told = if left.is_empty() { units.clone() } else { left };
        let names: Vec<&str> = told.iter().map(|&u| self.info(u).name.as_str()).collect();
        match names.as_slice() {
            [] => self.group(g).id.to_string(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }

    /// An event about a group, named by its troops; for its owner alone while nobody else may know of them.
    pub(crate) fn group_event(&self, kind: &'static str, clause: &'static str, g: GroupIx) -> Event {
        let (id, side) = (self.group(g).id, self.group(g).side);
        let event = Event::new(kind, clause).with("group", id.as_str()).with("troops", self.troops(g));
        kept_to(event, side, self.is_secret_group(g))
    }

    /// The same with a length in it. How far a group goes, or how far it is to it, tells where the hidden ones of it are, though
    /// others of it are seen (SYW-HIDE-01).
    pub(crate) fn measured_event(&self, kind: &'static str, clause: &'static str, g: GroupIx) -> Event {
        let hidden = self.members(g).iter().any(|&u| self.is_secret(u));
        kept_to(self.group_event(kind, clause, g), self.group(g).side, hidden)
    }

    /// An event about a unit; for its owner alone while nobody else may know of it (SYW-HIDE-01, SYW-DEPLOY-18).
    pub(crate) fn unit_event(&self, kind: &'static str, clause: &'static str, u: UnitIx) -> Event {
        self.told_of(Event::new(kind, clause), u)
    }

    /// An event made one about a unit.
    pub(crate) fn told_of(&self, event: Event, u: UnitIx) -> Event {
        let unit = self.unit(u);
        kept_to(event.who(unit.id), unit.side, self.is_secret(u))
    }

    /// A group's morale grade (SYW-GROUP-04).
    pub(crate) fn group_grade(&self, g: GroupIx) -> Grade {
        let members = self.members(g);
        if members.iter().any(|&u| self.info(u).morale == Grade::Poor) {
            Grade::Poor
        } else if !members.is_empty() && members.iter().all(|&u| self.info(u).morale == Grade::High) {
            Grade::High
        } else {
            Grade::Normal
        }
    }

    /// Stands the group started with and has now (SYW-MORALE-19, -20, SYW-MOVE-19).
    pub(crate) fn group_strength(&self, g: GroupIx) -> (u32, u32) {
        let group = self.group(g);
        let (mut started, mut left) = (u32::from(group.ghosts_started), 0);
        for &u in &group.units {
            let unit = self.unit(u);
            started += u32::from(unit.started);
            if unit.presence != Presence::Gone {
                left += unit.strength() as u32;
            }
        }
        (started, left)
    }

    /// Puts a group on an order, with what follows by itself (SYW-ORDER-22, -23). Why is said in words, or not at all where
    /// what was told last says it: a die, a test, a halt.
    pub(crate) fn set_order(
        &mut self,
        g: GroupIx,
        order: Order,
        because: Option<&'static str>,
        log: &mut Log,
    ) {
        let was = self.group(g).order;
        if was == order {
            return;
        }
        self.group_mut(g).order = order;
        if was == Order::Rout || order == Order::Rout {
            self.group_mut(g).pursuing = None;
        }
        if order != Order::Advance {
            self.group_mut(g).pursuing = None;
            self.group_mut(g).phase.charging = false;
        }
        log.say(|| {
            self.group_event("order_changed", "SYW-ORDER-04", g)
                .with("from", was.name())
                .with("was", was.called())
                .with("order", order.name())
                .with("called", order.called())
                .with("because", because)
        });
        for u in self.members(g) {
            self.unit_mut(u).on_stand = false;
            let formation = self.unit(u).formation;
            if formation.is_column() && was == Order::Reserve && order != Order::Rout {
                // SYW-ORDER-22
                let new = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u));
                self.settle(u, new);
                if self.fixed.options.column_leaves_reserve
                    == crate::options::ColumnLeavesReserve::AutoLineDisordered
                {
                    self.disorder(u, Disorder::OutOfColumn, log);
                }
            } else if formation == Formation::Square && matches!(order, Order::Advance | Order::Retreat) {
                // SYW-ORDER-23
                let new = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u));
                self.settle(u, new);
            }
        }
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
        let half = crate::model::stands::square_side(unit.stands.len(), self.info_of(unit).depth) * 0.5;
        (-half, half)
    }

    /// Whether a unit may never be massed-in-open: neither cover nor type 1 or above (SYW-TERR-16).
    pub(crate) fn in_open(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        (unit.frame.ground == OPEN || unit.frame.ground == 0) && !self.in_area_cover(u)
    }

    /// Whether at least half of a unit's stands stand in an area that gives cover, or behind a line that does
    /// against an enemy straight ahead.
    pub(crate) fn in_area_cover(&self, u: UnitIx) -> bool {
        let ahead = self.unit(u).pose().ahead(20.0).at;
        let n = self.unit(u).strength();
        let covered = (0..n)
            .filter(|&i| {
                self.fixed.cover_of(&self.rect(u, i), ahead, |_| true) != crate::rulebook::Cover::None
            })
            .count();
        makes_up(self.fixed.book.charts.shares.covered, covered, n)
    }

    /// Whether at least half of a unit's stands are uphill of another's centre (SYW-MODEL-25).
    pub(crate) fn unit_uphill(&self, a: UnitIx, b: UnitIx) -> bool {
        let enemy = self.centre_of(&[b]);
        let n = self.unit(a).strength();
        let up = (0..n).filter(|&i| self.fixed.uphill(self.rect(a, i).centre(), enemy)).count();
        makes_up(self.fixed.book.charts.shares.uphill, up, n)
    }

    /// The melee factor of a unit against another (SYW-MELEE-29).
    pub(crate) fn factor_against(&self, a: UnitIx, b: UnitIx) -> i32 {
        let info = self.info(a);
        if self.info(b).arm == Arm::Infantry { info.melee_against_infantry } else { info.melee }
    }
}

/// What is a secret is told to its owner alone.
fn kept_to(event: Event, owner: Side, secret: bool) -> Event {
    if secret { event.only(&[Seat(owner.0)]) } else { event }
}

/// The box round some footprints.
pub fn join_bounds(rects: &[Rect]) -> Bounds {
    let mut boxes = rects.iter().map(bounds_of);
    let first = boxes.next().unwrap_or(Bounds { min: Point::ORIGIN, max: Point::ORIGIN });
    boxes.fold(first, |a, b| a.join(&b))
}

/// Names in the order a person would list them: p2 before p10.
pub fn name_order(a: &UnitId, b: &UnitId) -> std::cmp::Ordering {
    let split = |id: &UnitId| {
        let text = id.as_str();
        let head = text.trim_end_matches(|c: char| c.is_ascii_digit());
        (head.len(), text[head.len()..].parse::<u64>().unwrap_or(0))
    };
    let ((ha, na), (hb, nb)) = (split(a), split(b));
    a.as_str()[..ha].cmp(&b.as_str()[..hb]).then(na.cmp(&nb)).then(a.cmp(b))
}
