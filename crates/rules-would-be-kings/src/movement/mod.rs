//! Moving (WBK-MOVE, WBK-MOD-18 to 22): what a path sweeps, costs, and where it ends.

pub mod march;
pub mod skirmish;

use serde::Serialize;
use tricorne_drill::Now;
use tricorne_game::{Event, Illegal};
use tricorne_table::{Bounds, Edge, Point, angle};

use crate::action::Go;
use crate::battle::Fray;
use crate::model::base::{Base, CONTACT, TOLERANCE, forward};
use crate::model::body::Bases;
use crate::model::layout::{Unfit, block_corners};
use crate::model::places::{Slid, Sliding};
use crate::options::DifficultCost;
use crate::state::{Layout, Places, Spot};
use crate::tables::rulebook::Class;

/// The most legs of a path (WBK-MOD-18).
pub const MOST_LEGS: usize = 8;

/// What a move comes to.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Walk {
    pub anchor: Spot,
    pub facing: u16,
    pub layout: Layout,
    pub places: Places,
    /// Inches of allowance used.
    pub cost: f64,
    /// Inches gone.
    pub length: f64,
    /// The obstacle that halted it.
    pub halted: Option<usize>,
    /// The exit of the scenario it leaves by.
    pub exit: Option<usize>,
    /// The way the anchor goes, its start first.
    pub track: Vec<Point>,
}

/// Which move it is, for the clause of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Pace {
    /// A Move.
    Move,
    /// At the Double.
    Double,
    /// The half move of a Skirmish.
    Skirmish,
}

/// What hinders a walk.
#[derive(Debug)]
pub enum Hindrance {
    /// The way itself.
    Way(Illegal),
    /// Want of room at its end, which another layout might find.
    Room(Illegal),
}

impl From<Illegal> for Hindrance {
    fn from(refusal: Illegal) -> Self {
        Self::Way(refusal)
    }
}

impl From<Hindrance> for Illegal {
    fn from(hindrance: Hindrance) -> Self {
        match hindrance {
            Hindrance::Way(refusal) | Hindrance::Room(refusal) => refusal,
        }
    }
}

/// The whole-degree bearing of a way.
pub fn bearing(way: Point) -> u16 {
    (angle::bearing_of(way).round() as u16) % 360
}

/// One straight leg on which a body slides without turning.
pub(crate) struct Leg<'a> {
    pub bases: &'a Bases,
    /// How far the body has come since the start.
    pub shift: Point,
    pub from: Point,
    pub to: Point,
}

impl Leg<'_> {
    fn way(&self) -> Point {
        self.to - self.from
    }

    fn bounds(&self, start: &Bounds) -> Bounds {
        let here = Bounds { min: start.min + self.shift, max: start.max + self.shift };
        let way = self.way();
        here.join(&Bounds { min: here.min + way, max: here.max + way })
    }

    fn here(&self) -> impl Iterator<Item = Base> + '_ {
        self.bases.iter().map(|b| b.moved(self.shift))
    }
}

impl Fray {
    /// The obstacles a unit may cross freely because it begins within 1" of them (WBK-MOVE-15), as bits.
    pub(crate) fn crossable(&self, u: usize) -> u64 {
        let land = &self.field.land;
        let crossed = self.field.rulebook.charts.near.obstacle_crossed;
        let mut free = 0;
        for (bit, &i) in land.obstacles.iter().enumerate().take(64) {
            let piece = &land.pieces[i];
            let near = self.bounds(u).grown(crossed + TOLERANCE).meets(&piece.bounds)
                && self.near_piece(u, i, crossed);
            free |= u64::from(near) << bit;
        }
        free
    }

    /// Whether a unit has a model within so many inches of a piece of ground.
    pub(crate) fn near_piece(&self, u: usize, piece: usize, inches: f64) -> bool {
        let Some(piece) = self.field.land.pieces.get(piece) else { return false };
        match self.outline(u) {
            Some(outline) => {
                let sides = piece.line().map(|l| l.segments().collect::<Vec<_>>()).unwrap_or_default();
                outline.edges().any(|e| sides.iter().any(|s| e.gap(s) <= inches + TOLERANCE))
            }
            None => self.bases(u).iter().any(|b| piece.gap(b) <= inches + TOLERANCE),
        }
    }

    /// The first obstacle a leg touches that the unit may not cross, and after how many inches.
    pub(crate) fn halt_on(&self, leg: &Leg, start: &Bounds, free: u64) -> Option<(usize, f64)> {
        let land = &self.field.land;
        if land.obstacles.is_empty() {
            return None;
        }
        let swept = leg.bounds(start);
        let way = leg.way();
        let mut first: Option<(usize, f64)> = None;
        for (bit, &i) in land.obstacles.iter().enumerate() {
            let piece = &land.pieces[i];
            if (bit < 64 && free >> bit & 1 == 1) || !swept.meets(&piece.bounds) {
                continue;
            }
            for segment in piece.line().into_iter().flat_map(tricorne_table::Line::segments) {
                if !swept.meets(&segment.bounds()) {
                    continue;
                }
                for base in leg.here() {
                    // Nothing is touched sooner than it is near: what is farther off than the first halt waits.
                    if first.is_some_and(|(_, least)| base.gap_to_segment(&segment) >= least) {
                        continue;
                    }
                    if let Some(travel) = base.travel_to(way, &segment, 0.0)
                        && first.is_none_or(|(_, least)| travel < least - 1e-9)
                    {
                        first = Some((i, travel));
                    }
                }
            }
        }
        first
    }

    /// Whether a leg touches an enemy other than `spared` (WBK-MOVE-01, 14).
    pub(crate) fn touches_enemy(
        &self,
        u: usize,
        leg: &Leg,
        start: &Bounds,
        spared: Option<usize>,
    ) -> Option<usize> {
        let swept = leg.bounds(start).grown(CONTACT + TOLERANCE);
        let way = leg.way();
        self.enemies(u).filter(|&v| Some(v) != spared && swept.meets(&self.bounds(v))).find(|&v| {
            let outline = self.outline(v);
            let others = self.bases(v);
            let (mut before, mut after, mut least) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
            for base in leg.here() {
                if let Some(area) = outline {
                    for edge in area.edges() {
                        before = before.min(base.gap_to_segment(&edge));
                        after = after.min(base.moved(way).gap_to_segment(&edge));
                        least = least.min(base.swept_distance(way, &edge) - base.radius);
                    }
                } else {
                    for other in &others {
                        before = before.min(base.gap(other));
                        least = least.min(base.swept_gap(way, other));
                        after = after.min(base.moved(way).gap(other));
                    }
                }
            }
            if before <= CONTACT + TOLERANCE {
                // WBK-MOVE-14: from contact each leg must open the gap.
                after <= before + TOLERANCE || least < before - TOLERANCE
            } else {
                least <= CONTACT
            }
        })
    }

    /// Whether a leg passes through a friend it may not pass: one in Close Order, or any for a unit that is
    /// (WBK-MOVE-05).
    pub(crate) fn barred_by_friend(&self, u: usize, leg: &Leg, start: &Bounds) -> Option<usize> {
        let unit = self.unit(u);
        let swept = leg.bounds(start);
        let way = leg.way();
        self.on_table()
            .filter(|&v| {
                let other = self.unit(v);
                v != u
                    && other.side == unit.side
                    && (unit.close_order || other.close_order)
                    && other.garrison.is_none()
                    && swept.meets(&self.bounds(v))
            })
            .find(|&v| {
                let others = self.bases(v);
                leg.here().any(|base| others.iter().any(|other| base.swept_gap(way, other) < -TOLERANCE))
            })
    }

    /// Whether the anchor's own base runs into impassable ground or a building on a leg (WBK-MOD-19).
    pub(crate) fn blocked_by_ground(&self, base: &Base, way: Point, spared: Option<u8>) -> Option<usize> {
        let land = &self.field.land;
        if land.blocks.is_empty() {
            return None;
        }
        let end = base.moved(way);
        let swept = base.bounds().join(&end.bounds());
        land.blocks.iter().copied().find(|&i| {
            let piece = &land.pieces[i];
            if spared.is_some_and(|s| usize::from(s) == i) || !swept.meets(&piece.bounds) {
                return false;
            }
            let Some(area) = piece.area() else { return false };
            area.contains_strictly(base.centre)
                || area.contains_strictly(end.centre)
                || area.edges().any(|e| base.swept_distance(way, &e) < base.radius - TOLERANCE)
        })
    }

    /// The exit of a scenario a leg crosses, and after how many inches (WBK-SCEN-07).
    fn exit_on(&self, u: usize, leg: &Leg, start: &Bounds) -> Option<(usize, f64)> {
        let exits = &self.field.victory.exits;
        if exits.is_empty() {
            return None;
        }
        let swept = leg.bounds(start);
        let (w, h) = (self.field.width, self.field.height);
        let side = self.unit(u).side;
        let way = leg.way();
        let length = way.length();
        let mut first: Option<(usize, f64)> = None;
        for (i, exit) in exits.iter().enumerate().filter(|(_, e)| e.side == side) {
            let outside = match exit.edge {
                Edge::East => swept.max.x > w,
                Edge::West => swept.min.x < 0.0,
                Edge::North => swept.max.y > h,
                Edge::South => swept.min.y < 0.0,
            };
            if !outside || length <= 0.0 {
                continue;
            }
            let dir = way / length;
            for base in leg.here() {
                let bounds = base.bounds();
                let (left, speed) = match exit.edge {
                    Edge::East => (w - bounds.max.x, dir.x),
                    Edge::West => (bounds.min.x, -dir.x),
                    Edge::North => (h - bounds.max.y, dir.y),
                    Edge::South => (bounds.min.y, -dir.y),
                };
                if speed <= 0.0 {
                    continue;
                }
                let travel = ((left + TOLERANCE) / speed).max(0.0);
                let at = base.centre + dir * travel;
                let along = match exit.edge {
                    Edge::East | Edge::West => at.y,
                    Edge::North | Edge::South => at.x,
                };
                let here = travel <= length && along >= exit.from - TOLERANCE && along <= exit.to + TOLERANCE;
                if here && first.is_none_or(|(_, least)| travel < least) {
                    first = Some((i, travel));
                }
            }
        }
        first
    }

    /// What inches on the way cost (WBK-MOVE-06), given how many of them were difficult.
    pub(crate) fn price(&self, u: usize, length: f64, difficult: f64) -> f64 {
        if self.card(u).ignores_ground() || difficult <= TOLERANCE {
            return length;
        }
        match self.field.options.difficult_cost {
            DifficultCost::DoubleCost => length + difficult,
            DifficultCost::HalfTotal => length * 2.0,
        }
    }

    /// A refusal for a path that is too long.
    fn too_far(&self, u: usize, pace: Pace, cost: f64, allowance: f64, difficult: f64) -> Illegal {
        let unit = self.unit(u);
        let clause = match pace {
            _ if difficult > TOLERANCE && cost - difficult <= allowance + TOLERANCE => "WBK-MOVE-06",
            Pace::Move if unit.close_order => "WBK-CLOSE-03",
            Pace::Move => "WBK-MOVE-02",
            Pace::Double => "WBK-DBL-01",
            Pace::Skirmish => "WBK-SKIRM-03",
        };
        let name = self.card(u).called();
        Illegal::new(
            clause,
            format!("{name} has {allowance:.3}\" and this way costs {cost:.3}\"; shorten it"),
        )
    }

    /// Where the path of a unit begins: its anchor, or the nearest point of the building it leaves (WBK-MOD-33).
    pub(crate) fn path_start(&self, u: usize, first: Option<Point>) -> Point {
        match (self.outline(u), first) {
            (Some(outline), Some(first)) => outline.nearest_boundary(first),
            _ => self.unit(u).anchor.point(),
        }
    }

    /// Judges a move and works out where it ends.
    pub(crate) fn walk(&self, u: usize, go: &Go, allowance: f64, pace: Pace) -> Result<Walk, Illegal> {
        self.try_to_walk(u, go, allowance, pace).map_err(Illegal::from)
    }

    /// The same, telling want of room from what is in the way.
    pub(crate) fn try_to_walk(
        &self,
        u: usize,
        go: &Go,
        allowance: f64,
        pace: Pace,
    ) -> Result<Walk, Hindrance> {
        let unit = self.unit(u);
        let card = self.card(u);
        let name = || card.called();
        if go.path.len() > MOST_LEGS {
            let why = format!("a path has at most {MOST_LEGS} legs; {} were given", go.path.len());
            return Err(Illegal::new("WBK-MOD-18", why).into());
        }
        if !go.path.iter().all(|p| p.is_finite() && p.x.abs() < 1e5 && p.y.abs() < 1e5) {
            return Err(Illegal::new("WBK-MOD-01", "a path needs ordinary numbers on the table").into());
        }
        let leaving = unit.garrison;
        if leaving.is_some() && go.path.is_empty() {
            return Err(Illegal::new(
                "WBK-MOD-33",
                format!("{} leaves its building along a path; name where to", name()),
            )
            .into());
        }
        let start = self.path_start(u, go.path.first().copied());
        let bases = match leaving {
            Some(_) => std::iter::once(self.base_at(u, start, unit.facing)).collect(),
            None => self.bases(u),
        };
        let box_of = bases.iter().fold(Bounds::NOTHING, |all, b| all.join(&b.bounds()));
        let free = self.crossable(u);
        let mut at = start;
        let (mut length, mut difficult) = (0.0, 0.0);
        let (mut halted, mut exit) = (None, None);
        let mut last_way = Point::ORIGIN;
        let mut track = Vec::with_capacity(go.path.len() + 1);
        track.push(start);
        for (n, &asked) in go.path.iter().enumerate() {
            let to = asked.round_to(0.001);
            let way = to - at;
            let whole = way.length();
            if whole <= 1e-9 {
                continue;
            }
            let mut leg = Leg { bases: &bases, shift: at - start, from: at, to };
            let halt = self.halt_on(&leg, &box_of, free);
            let out = self.exit_on(u, &leg, &box_of);
            let mut stop = whole;
            if let Some((piece, travel)) = halt
                && travel < stop - 1e-9
            {
                stop = travel;
                halted = Some(piece);
            }
            if let Some((i, travel)) = out
                && travel <= stop
            {
                stop = travel;
                exit = Some(i);
                halted = None;
            }
            leg.to = at + way * (stop / whole);
            if let Some(v) = self.touches_enemy(u, &leg, &box_of, None) {
                let why =
                    format!("{} would touch {} on the way; keep clear of it", name(), self.card(v).called());
                let clause = if self.in_contact(u, v) { "WBK-MOVE-14" } else { "WBK-MOVE-01" };
                return Err(Illegal::new(clause, why).into());
            }
            if let Some(v) = self.barred_by_friend(u, &leg, &box_of) {
                let why = format!(
                    "{} may not pass through {}: there is no passing in Close Order; go round",
                    name(),
                    self.card(v).called()
                );
                return Err(Illegal::new("WBK-MOVE-05", why).into());
            }
            let own = self.anchor_base(u, at, unit.facing);
            let spared = if n == 0 { leaving } else { None };
            if let Some(piece) = self.blocked_by_ground(&own, leg.way(), spared) {
                let piece = &self.field.land.pieces[piece];
                let why = format!("{} would run into {} ({}); go round it", name(), piece.id, piece.kind);
                return Err(Illegal::new("WBK-MOVE-13", why).into());
            }
            length += stop;
            if !card.ignores_ground() {
                difficult += self.field.land.difficult_along(at, leg.to);
            }
            at = leg.to;
            last_way = way;
            track.push(at);
            if exit.is_some() || halted.is_some() {
                break;
            }
            if at.x < 0.0 || at.y < 0.0 || at.x > self.field.width || at.y > self.field.height {
                let why = format!("{} may not leave the table there", name());
                return Err(Illegal::new("WBK-MOVE-13", why).into());
            }
        }
        let anchor = Spot::of(at);
        let (layout, facing) = self.stance(u, go, last_way)?;
        let mut spent = self.price(u, length, difficult);
        if unit.layout == Layout::Block {
            let swing = self.swing(u, anchor.point(), facing);
            if swing > allowance + TOLERANCE && length <= allowance + TOLERANCE {
                let why =
                    format!("a corner of {} would swing {swing:.3}\" and it has {allowance:.3}\"", name());
                return Err(Illegal::new("WBK-MOD-20", why).into());
            }
            spent = self.price(u, length.max(swing), difficult);
        }
        if spent > allowance + TOLERANCE {
            return Err(self.too_far(u, pace, spent, allowance, difficult).into());
        }
        let mut walk =
            Walk { anchor, facing, layout, places: Places::new(), cost: spent, length, halted, exit, track };
        if exit.is_none() {
            let afresh = self
                .stand_at_the_end(u, go, &mut walk)
                .map_err(|unfit| Hindrance::Room(self.unfit(u, unfit)))?;
            if afresh && unit.layout != Layout::Block {
                // WBK-MOD-36: the model that goes furthest.
                let direct = start.distance(at);
                let excess = (self.furthest_way(u, &walk.places) - direct).max(0.0);
                let slow = !card.ignores_ground() && self.field.land.difficult_at(at);
                let rough = difficult + if slow { excess } else { 0.0 };
                walk.cost = self.price(u, length + excess, rough);
                if walk.cost > allowance + TOLERANCE {
                    let why = format!(
                        "the model of {} that goes furthest would need {:.3}\" and has {allowance:.3}\"",
                        name(),
                        walk.cost
                    );
                    return Err(Illegal::new("WBK-MOD-36", why).into());
                }
            }
        }
        Ok(walk)
    }

    /// Stands a unit up at the end of its walk (WBK-MOD-18): as it slid, or laid out afresh. True if anybody stands
    /// elsewhere than he slid to.
    fn stand_at_the_end(&self, u: usize, go: &Go, walk: &mut Walk) -> Result<bool, Unfit> {
        let unit = self.unit(u);
        let turned = walk.facing != unit.facing;
        let afresh = match unit.layout {
            Layout::Garrison | Layout::Block => true,
            Layout::Line | Layout::Gun => turned || go.layout.is_some(),
            Layout::Cluster => go.layout.is_some(),
        };
        if afresh || unit.layout == Layout::Gun {
            let n = usize::from(unit.models);
            walk.places = self.lay_out(u, walk.anchor, walk.layout, walk.facing, n, false)?;
            return Ok(afresh);
        }
        let (dx, dy) = (walk.anchor.x - unit.anchor.x, walk.anchor.y - unit.anchor.y);
        let places: Places = unit.places.iter().map(|s| s.shifted(dx, dy)).collect();
        let slid = Slid { facing: walk.facing, places: &places, why: Sliding::Move };
        let settled = self.settle(u, &slid)?;
        if settled.moved_up {
            walk.layout = Layout::Cluster;
        }
        walk.places = settled.places;
        Ok(settled.moved_up)
    }

    /// How far the farthest corner of a block swings, corners matched as they stand or after a half turn
    /// (WBK-MOD-20).
    fn swing(&self, u: usize, to: Point, facing: u16) -> f64 {
        let unit = self.unit(u);
        let n = usize::from(unit.models);
        let before = block_corners(unit.anchor.point(), unit.facing, n);
        let after = block_corners(to, facing, n);
        let farthest =
            |turn: usize| (0..4).map(|i| before[i].distance(after[(i + turn) % 4])).fold(0.0, f64::max);
        f64::min(farthest(0), farthest(2))
    }

    /// The layout and facing at the end of a move.
    fn stance(&self, u: usize, go: &Go, last_way: Point) -> Result<(Layout, u16), Illegal> {
        let unit = self.unit(u);
        let card = self.card(u);
        if go.facing.is_some_and(|f| f >= 360) {
            return Err(Illegal::new("WBK-MOD-02", "a facing is a whole number of degrees from 0 to 359"));
        }
        let fixed = matches!(unit.layout, Layout::Block | Layout::Gun);
        let now = if unit.layout == Layout::Garrison { Layout::Cluster } else { unit.layout };
        let layout = go.layout.unwrap_or(now);
        let fits =
            if fixed { layout == unit.layout } else { matches!(layout, Layout::Cluster | Layout::Line) };
        if !fits {
            let may = if fixed { unit.layout.name() } else { "`cluster` or `line`" };
            let why = format!("{} may end its move as {may}, not as {}", card.called(), layout.name());
            return Err(Illegal::new("WBK-MOVE-12", why));
        }
        let gone = last_way.length() > 1e-9;
        let ahead = if gone { bearing(last_way) } else { unit.facing };
        if card.class == Class::Cavalry {
            // WBK-MOD-22: horse face the way they went.
            if let Some(asked) = go.facing {
                let off = (i32::from(asked) - i32::from(ahead)).rem_euclid(360);
                if off > 1 && off < 359 {
                    let why = format!("{} faces the way of its last leg, {ahead} degrees", card.called());
                    return Err(Illegal::new("WBK-MOD-22", why));
                }
            }
            return Ok((layout, ahead));
        }
        // A line that names nothing else goes as it stands (WBK-MOD-18).
        let kept = fixed || (unit.layout == Layout::Line && go.layout.is_none());
        let usual = if kept { unit.facing } else { ahead };
        Ok((layout, go.facing.unwrap_or(usual)))
    }

    /// Judges entering a building (WBK-MOD-32, 33).
    pub(crate) fn may_enter(&self, u: usize, id: &str) -> Result<usize, Illegal> {
        let name = self.card(u).called();
        let Some(building) = self.field.land.building(id) else {
            return Err(Illegal::new("WBK-MOD-33", format!("there is no building `{id}`")));
        };
        self.may_hold(u, building)?;
        let near = self.field.rulebook.charts.near.building_entered;
        if !self.near_outline(u, building, near) {
            let why = format!("{name} must begin its Move with a model within {near}\" of {id}");
            return Err(Illegal::new("WBK-MOD-33", why));
        }
        Ok(building)
    }

    /// Whether a unit may be the garrison of a building (WBK-MOD-32).
    pub(crate) fn may_hold(&self, u: usize, building: usize) -> Result<(), Illegal> {
        let (unit, card) = (self.unit(u), self.card(u));
        let piece = &self.field.land.pieces[building];
        let name = card.called();
        if card.class != Class::Infantry {
            return Err(Illegal::new(
                "WBK-MOD-32",
                format!("only foot may garrison a building, and {name} is not"),
            ));
        }
        if unit.close_order {
            return Err(Illegal::new(
                "WBK-CLOSE-18",
                format!("{name} is in Close Order and may not garrison"),
            ));
        }
        if unit.models > piece.capacity {
            let why = format!("{} holds {} models and {name} has {}", piece.id, piece.capacity, unit.models);
            return Err(Illegal::new("WBK-MOD-32", why));
        }
        let held = self.on_table().find(|&v| v != u && self.unit(v).garrison == u8::try_from(building).ok());
        if let Some(v) = held {
            let why = format!("{} is held by {}", piece.id, self.card(v).called());
            return Err(Illegal::new("WBK-MOD-32", why));
        }
        Ok(())
    }

    /// Whether a unit has a model within so many inches of a building's outline.
    fn near_outline(&self, u: usize, building: usize, inches: f64) -> bool {
        let Some(area) = self.field.land.pieces[building].area() else { return false };
        match self.outline(u) {
            Some(own) => own.edges().any(|e| area.edges().any(|s| e.gap(&s) <= inches + TOLERANCE)),
            None => {
                area.bounds().grown(inches + TOLERANCE).meets(&self.bounds(u))
                    && self
                        .bases(u)
                        .iter()
                        .any(|b| crate::model::ground::area_gap(area, b) <= inches + TOLERANCE)
            }
        }
    }

    /// The facing a block or line looks along, as a way.
    pub(crate) fn ahead(&self, u: usize) -> Point {
        forward(self.unit(u).facing)
    }
}

/// Carrying moves out.
impl Fray {
    /// A unit goes where a walk ends: there, to a halt at an obstacle, or off by its exit edge.
    pub(crate) fn go(&mut self, u: usize, walk: &Walk, now: &mut Now<'_>) {
        let who = self.id(u);
        self.state.act.moved += (walk.length * 1000.0) as i32;
        if let Some(exit) = walk.exit {
            let unit = &mut self.state.units[u];
            unit.exit_models = unit.models;
            unit.exit_by = exit as u8;
            self.remove(u, crate::state::Fate::Exited);
            let points = self.exit_points(u);
            now.say(|| {
                Event::new("exit", "WBK-SCEN-07")
                    .who(who)
                    .outcome("marched")
                    .with("points", points)
                    .with("distance", walk.length)
            });
            return;
        }
        self.put(u, walk.anchor, walk.facing, walk.layout, walk.places.clone());
        let at: [f64; 2] = walk.anchor.point().into();
        // What the man who goes furthest, or the ground, costs beyond the way itself.
        let extra = if walk.cost > walk.length + 0.05 { walk.cost - walk.length } else { 0.0 };
        now.say(|| {
            Event::new("move", "WBK-MOVE-02")
                .who(who)
                .outcome(if walk.length >= 0.05 { "moved" } else { "in place" })
                .with("extra", extra)
                .with("distance", walk.length)
                .with("cost", walk.cost)
                .with("to", serde_json::json!(at))
                .with("layout", walk.layout.name())
                .with("facing", walk.facing)
        });
        if let Some(piece) = walk.halted.and_then(|p| self.field.land.pieces.get(p)) {
            let id = piece.id.clone();
            now.say(|| Event::new("halted", "WBK-MOVE-09").who(who).with("obstacle", id));
        }
    }
}
