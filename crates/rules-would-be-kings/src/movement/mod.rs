//! Moving (WBK-MOVE, WBK-MOD-18 to 22): what a path sweeps, costs, and where it ends.

mod buildings;
pub mod march;
pub mod skirmish;
mod walk;

use serde::Serialize;
use tricorne_game::Illegal;
use tricorne_table::{Bounds, Edge, Point, angle};

use crate::battle::Fray;
use crate::model::base::{Base, CONTACT, TOLERANCE, forward, touches};
use crate::model::body::Bases;
use crate::options::DifficultCost;
use crate::state::{Layout, No, Places, Spot};

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
    /// Inches of difficult ground in its way, and what the model that went furthest went beyond the others.
    pub difficult: f64,
    pub furthest: f64,
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
    pub(crate) fn way(&self) -> Point {
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
    pub(crate) fn crossable(&self, u: No) -> u64 {
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
    pub(crate) fn near_piece(&self, u: No, piece: usize, inches: f64) -> bool {
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
    pub(crate) fn touches_enemy(&self, u: No, leg: &Leg, start: &Bounds, spared: Option<No>) -> Option<No> {
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
            if touches(before) {
                // WBK-MOVE-14: from contact each leg must open the gap.
                after <= before + TOLERANCE || least < before - TOLERANCE
            } else {
                touches(least)
            }
        })
    }

    /// Whether a leg passes through a friend it may not pass: one in Close Order, or any for a unit that is
    /// (WBK-MOVE-05).
    pub(crate) fn barred_by_friend(&self, u: No, leg: &Leg, start: &Bounds) -> Option<No> {
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
    fn exit_on(&self, u: No, leg: &Leg, start: &Bounds) -> Option<(usize, f64)> {
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
    pub(crate) fn price(&self, u: No, length: f64, difficult: f64) -> f64 {
        if self.card(u).ignores_ground() || difficult <= TOLERANCE {
            return length;
        }
        let times = self.field.rulebook.charts.movement.difficult;
        match self.field.options.difficult_cost {
            DifficultCost::DoubleCost => length + difficult * (times - 1.0),
            DifficultCost::HalfTotal => length * times,
        }
    }

    /// A refusal for a path that is too long.
    fn too_far(&self, u: No, pace: Pace, length: f64, cost: f64, allowance: f64) -> Illegal {
        let unit = self.unit(u);
        let clause = match pace {
            // Only the ground makes it too long.
            _ if length <= allowance + TOLERANCE => "WBK-MOVE-06",
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
    pub(crate) fn path_start(&self, u: No, first: Option<Point>) -> Point {
        match (self.outline(u), first) {
            (Some(outline), Some(first)) => outline.nearest_boundary(first),
            _ => self.unit(u).anchor.point(),
        }
    }

    /// The facing a block or line looks along, as a way.
    pub(crate) fn ahead(&self, u: No) -> Point {
        forward(self.unit(u).facing)
    }
}
