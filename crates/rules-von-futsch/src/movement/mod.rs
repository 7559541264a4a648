//! Moving: allowances, bars, marches (ledger 2.6, 4.6, 4.7).

pub(crate) mod closed;
pub(crate) mod march;

pub(crate) mod pace_told;
pub(crate) mod regimental_square;
pub(crate) mod road;
pub(crate) mod shape;
pub(crate) mod slide;
pub(crate) mod unlimber;
pub(crate) mod way;
mod wheel;
use tricorne_chance::{Chance, Faces};
use tricorne_drill::refuse;
use tricorne_game::{Illegal, Side};
use tricorne_table::sweep::closest_approach;
use tricorne_table::{Point, Rect, Segment, Shape, brink};

use crate::field::{Field, bit};
use crate::model::formation::{Body, touch};
use crate::model::ground::{Going, GroundKind, Mover, Piece, Stretches, joined};
use crate::model::measure::{Mils, exact, mils};
use crate::model::{Formation, Kind, Nr};
use crate::options::{HalfMoveLimit, InitiativeReference, MovementRoll};
use crate::rulebook::{Share, inch};
use crate::state::Initiative;

/// What stops a straight move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bar {
    Edge,
    Closed(GroundKind),
    Friend(Nr),
    Enemy(Nr),
}

/// What a straight move minds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Minding {
    /// Friends in the way.
    pub friends: bool,
    /// The table's edge.
    pub edge: bool,
    /// Units left out of the reckoning.
    pub except: u64,
    /// Known to keep to a road, or known not to.
    pub road: Option<bool>,
    /// Who moves; nobody for a commander.
    pub who: Option<Nr>,
}

impl Minding {
    pub(crate) fn all(me: Nr) -> Self {
        Self { friends: true, edge: true, except: bit(me), road: None, who: Some(me) }
    }
}

/// A movement roll.
#[derive(Clone, Debug)]
pub(crate) struct Roll {
    pub allowance: Mils,
    pub faces: Faces,
    /// In a forced retreat.
    pub retreat: bool,
    /// The army commander's dice went with it.
    pub general: bool,
}

impl Field {
    pub(crate) fn mover(&self, u: Nr) -> Mover {
        Mover::Unit(self.kind(u))
    }

    /// What a total of dice comes to.
    pub(crate) fn allowance(&self, u: Nr, dice: i32, retreat: bool) -> Mils {
        if self.cannot_move(u) {
            return 0;
        }
        let mut all = dice;
        self.pace(u, retreat, |inches, _, _| all += inches);
        1000 * all.max(0)
    }

    /// Heavy clay holds guns and wagons (VF-EVENT-24); squares never move (VF-MOVE-23).
    pub(crate) fn cannot_move(&self, u: Nr) -> bool {
        self.unit(u).formation == Formation::Square
            || (self.s.spell.clay && matches!(self.kind(u), Kind::Artillery | Kind::Wagon))
    }

    /// The furthest a unit could roll for a charge (VF-CHARGE-03).
    pub(crate) fn greatest_move(&self, u: Nr) -> Mils {
        self.allowance(u, i32::from(self.move_dice(u, false)) * 6, false)
    }

    /// How many dice a unit throws for a move, the army commander's among them.
    pub(crate) fn move_dice(&self, u: Nr, retreat: bool) -> u8 {
        let own = self.spec(u).pace(self.p(), self.unit(u).formation).dice;
        own + if self.general_rides(u, retreat) { self.p().moves.army_commander_dice } else { 0 }
    }

    /// Whether the army commander's dice go with a unit's move (VF-MOVE-10).
    fn general_rides(&self, u: Nr, retreat: bool) -> bool {
        self.army_commander_with(u).is_some() && (!retreat || self.o().commander_move_in_retreat)
    }

    /// Rolls a move: the kind's own dice, then the army commander's (VF-MODEL-08, VF-MOVE-06, -10).
    pub(crate) fn roll_move(
        &mut self,
        u: Nr,
        purpose: &'static str,
        retreat: bool,
        chance: &mut dyn Chance,
    ) -> Roll {
        if self.cannot_move(u) && self.unit(u).formation != Formation::Square {
            return Roll { allowance: 0, faces: Faces::new(), retreat, general: false };
        }
        let pace = self.spec(u).pace(self.p(), self.unit(u).formation);
        let shared = self.o().movement_roll == MovementRoll::PerRegiment
            && !retreat
            && self.s.group.as_ref().is_some_and(|g| g.all & bit(u) != 0);
        let known = self.s.group.as_ref().and_then(|g| g.dice).filter(|_| shared);
        let (mut total, mut faces) = match known {
            Some(dice) => (i32::from(dice), Faces::new()),
            None => {
                let sum = chance.sum(purpose, usize::from(pace.dice), 6);
                (sum.total, sum.faces)
            }
        };
        if shared && let Some(group) = &mut self.s.group {
            group.dice = Some(total as u8);
        }
        let general = self.general_rides(u, retreat);
        if general {
            let sum = chance.sum("commander_move", usize::from(self.p().moves.army_commander_dice), 6);
            total += sum.total;
            faces.extend(sum.faces);
        }
        Roll { allowance: self.allowance(u, total, retreat), faces, retreat, general }
    }

    /// Half of what was rolled, as the limit of a half move; never rounded (VF-MODEL-04, VF-MOVE-24).
    pub(crate) fn within_half(&self, cost: Mils, allowance: Mils) -> bool {
        match self.o().half_move_limit {
            HalfMoveLimit::AtMostHalf => self.p().moves.short.allows(cost, allowance),
            HalfMoveLimit::StrictlyLess => !self.p().moves.short.reached(cost, allowance),
        }
    }

    /// Whether a crossing carries the mover over a piece: its track meets the piece only on the crossing, were that of
    /// several parts, and on the roads that lead onto it.
    pub(crate) fn crossed(&self, piece: &Piece, rear: Point, front: Point) -> bool {
        let crossing = |kind| kind == GroundKind::Crossing;
        if !self.b.terrain.iter().any(|p| crossing(p.kind)) {
            return false;
        }
        let pieces = piece.area.pieces(rear, front);
        !pieces.is_empty()
            && pieces.iter().all(|&(from, to)| {
                let (from, to) = (rear.lerp(front, from), rear.lerp(front, to));
                self.keeps_to(crossing, from, to)
                    || (self.meets(crossing, from, to) && self.keeps_to(carries, from, to))
            })
    }

    /// Stretches of a slide over ground where one goes so, unless road or crossing opens it.
    fn ground(
        &self,
        (mover, wanted): (Mover, fn(Going) -> bool),
        body: &Body,
        way: Point,
        length: f64,
        road: Option<bool>,
        mut each: impl FnMut(&Piece, f64, f64),
    ) {
        if self.b.terrain.is_empty() {
            return;
        }
        let keeps = keeps_by(mover, body);
        let kept = road.unwrap_or_else(|| self.on_road(keeps, keeps + way * length));
        // Its middle line along the way, from its hindmost to its foremost: it may go back or to a side as well.
        let (middle, half) = (body.centroid(), way * body.reach(way));
        let (last, first) = (middle - half, middle + half + way * length);
        for piece in &self.b.terrain {
            if kept || !wanted(piece.going(mover, self.o())) {
                continue;
            }
            let mut stretches = Stretches::new();
            piece.stretches(body, way, length, &mut stretches);
            if stretches.is_empty() || self.crossed(piece, last, first) {
                continue;
            }
            for (from, to) in stretches {
                each(piece, from, to);
            }
        }
    }

    /// What a slide costs: an inch over slow ground counts for several (VF-TERR-07).
    pub(crate) fn straight_cost(
        &self,
        mover: Mover,
        body: &Body,
        way: Point,
        length: f64,
        road: Option<bool>,
    ) -> f64 {
        let mut slow = Stretches::new();
        self.ground((mover, slows), body, way, length, road, |_, from, to| slow.push((from, to)));
        length + joined(&mut slow) * (f64::from(self.p().moves.slow) - 1.0)
    }

    /// How far a slide goes for so much.
    pub(crate) fn distance_for(&self, mover: Mover, body: &Body, way: Point, spend: f64) -> f64 {
        let mut slow = Stretches::new();
        self.ground((mover, slows), body, way, spend, None, |_, from, to| slow.push((from, to)));
        slow.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let rate = f64::from(self.p().moves.slow);
        let (mut at, mut left) = (0.0_f64, spend);
        for (from, to) in slow {
            let from = from.max(at);
            if to <= from {
                continue;
            }
            if from - at >= left {
                break;
            }
            left -= from - at;
            at = from;
            let cost = rate * (to - from);
            if cost >= left {
                return at + left / rate;
            }
            left -= cost;
            at = to;
        }
        at + left
    }

    /// How far a body can slide before something bars it, and what.
    pub(crate) fn free_run(
        &self,
        side: Side,
        mover: Mover,
        body: &Body,
        way: Point,
        length: f64,
        minding: Minding,
    ) -> (f64, Option<Bar>) {
        let mut run = (length, None);
        let mut stop = |at: f64, bar: Bar| {
            if at < run.0 - 1e-9 {
                run = (at.max(0.0), Some(bar));
            }
        };
        if minding.edge {
            for part in body.parts() {
                for c in part.corners() {
                    for (at, speed, limit) in [(c.x, way.x, self.b.width), (c.y, way.y, self.b.height)] {
                        if speed > 1e-12 && at + speed * length > limit + 0.000_5 {
                            stop((limit - at) / speed, Bar::Edge);
                        } else if speed < -1e-12 && at + speed * length < -0.000_5 {
                            stop(at / -speed, Bar::Edge);
                        }
                    }
                }
            }
        }
        let mut over: Option<GroundKind> = None;
        let closed = |going| going == Going::Closed;
        self.ground((mover, closed), body, way, length, minding.road, |piece, from, _| {
            if from <= 0.0 || piece.under(body) {
                over = Some(piece.kind);
            } else {
                stop(from, Bar::Closed(piece.kind));
            }
        });
        if let Some(kind) = over
            && let Some(at) = self.way_out(minding.who, mover, body, way, length)
        {
            stop(at, Bar::Closed(kind));
        }
        let start = body.centroid();
        let track = Segment::new(start, start + way * length);
        let clear = exact(inch(self.p().distance.clear));
        for o in self.present() {
            if minding.except & bit(o) != 0 {
                continue;
            }
            let other = &self.unit(o).body;
            let enemy = self.side(o) != side;
            let reach = body.radius() + other.radius() + if enemy { clear } else { 0.0 } + 0.01;
            if track.distance_squared(other.centroid()) > reach * reach {
                continue;
            }
            if enemy {
                if let Some(at) = self.comes_near(mover, body, way, length, other) {
                    stop(at, Bar::Enemy(o));
                }
            } else if minding.friends
                && other.cloud == 0
                && body.cloud == 0
                && let Some(at) = touch(body, way, other)
                && mils(at) < mils(length)
            {
                stop(at, Bar::Friend(o));
            }
        }
        run
    }

    /// The travel at which a slide comes nearer than 1 to an enemy that it does not draw away from (VF-MODEL-45).
    fn comes_near(&self, mover: Mover, body: &Body, way: Point, length: f64, other: &Body) -> Option<f64> {
        let clear = inch(self.p().distance.clear);
        // Units may stand exactly 1 off, commanders may not if that is within 1 (VF-CMD-22).
        let least = if mover == Mover::Commander { self.o().most_within(clear) + 1 } else { clear };
        let nearest = approach(body, way, length, other);
        if mils(nearest) >= least {
            return None;
        }
        let start = body.gap_mils(other);
        if start < least {
            let away = || body.slid(way * length).gap_mils(other) > start;
            // Beyond him is no further from him if the way goes through him.
            let through = || {
                way.dot(other.centroid() - body.centroid()) > 0.001
                    && touch(body, way, other).is_some_and(|at| at < length)
            };
            return (mils(nearest) < start || !away() || through()).then_some(0.0);
        }
        first_within(body, way, length, other, exact(least))
    }

    /// The first piece of closed ground under a body.
    fn closed_kind(&self, body: &Body, mover: Mover) -> Option<GroundKind> {
        let mut closed = self.b.terrain.iter().filter(|p| p.going(mover, self.o()) == Going::Closed);
        closed.find(|p| p.under(body)).map(|p| p.kind)
    }

    /// Who stands on closed ground must end with less of it under him, or stay (VF-MODEL-50).
    pub(crate) fn judge_ground(
        &self,
        u: Nr,
        place: crate::model::measure::Place,
        to: &Body,
    ) -> Result<(), Illegal> {
        let mover = self.mover(u);
        if place == self.unit(u).place || self.leaves_closed(to, Some(u), mover) {
            return Ok(());
        }
        if self.closed_under(&self.unit(u).body, mover) {
            return refuse("VF-MODEL-50", format!("{} may only leave the ground it stands on", self.name(u)));
        }
        self.closed(u, self.closed_kind(to, mover).unwrap_or(GroundKind::River))
    }

    pub(crate) fn closed<T>(&self, u: Nr, ground: GroundKind) -> Result<T, Illegal> {
        let clause = if ground == GroundKind::River { "VF-MODEL-44" } else { "VF-TERR-04" };
        refuse(clause, format!("{} ({}) may not enter {}", self.name(u), self.kind(u).name(), ground.name()))
    }

    pub(crate) fn barred<T>(&self, u: Nr, bar: Bar, run: f64) -> Result<T, Illegal> {
        match bar {
            Bar::Edge => {
                refuse("VF-MOVE-28", format!("that leaves the table; {run:.3} is as far as it can go"))
            }
            Bar::Closed(ground) => self.closed(u, ground),
            Bar::Friend(o) => refuse(
                "VF-MOVE-12",
                format!(
                    "{} is in the way after {run:.3}; only skirmishers pass through friends",
                    self.name(o)
                ),
            ),
            Bar::Enemy(o) => refuse(
                "VF-MODEL-45",
                format!(
                    "that comes nearer than {} to {}; {run:.3} is as far as it can go",
                    self.p().distance.clear,
                    self.name(o)
                ),
            ),
        }
    }

    /// Whether a move that ends here is allowed by the initiative check (VF-CMD-10, -11).
    pub(crate) fn judge_initiative(
        &self,
        u: Nr,
        from: &Body,
        to: &Body,
        nearest: Option<(Nr, Mils)>,
    ) -> Result<(), Illegal> {
        if self.initiative() == Initiative::Free {
            return Ok(());
        }
        self.judge_advance(u, self.advance(u, from, to, nearest))
    }

    /// How far a move from one place to another is an advance; if less than nothing, a retreat (VF-CMD-11).
    pub(crate) fn advance(&self, u: Nr, from: &Body, to: &Body, nearest: Option<(Nr, Mils)>) -> Mils {
        match self.o().initiative_reference {
            InitiativeReference::NearestEnemy => {
                let enemy = nearest.map(|(e, _)| self.unit(e)).filter(|enemy| enemy.here());
                enemy.map_or(0, |enemy| from.gap_mils(&enemy.body) - to.gap_mils(&enemy.body))
            }
            InitiativeReference::HomeEdge => self.off_home(u, to) - self.off_home(u, from),
        }
    }

    /// Whether so much of an advance is allowed by the initiative check (VF-CMD-10).
    pub(crate) fn judge_advance(&self, u: Nr, advance: Mils) -> Result<(), Illegal> {
        let [forth, back] = match self.o().initiative_reference {
            InitiativeReference::NearestEnemy => ["nearer", "further off"],
            InitiativeReference::HomeEdge => ["further from its own edge", "nearer to its own edge"],
        };
        match self.initiative() {
            Initiative::AdvanceOnly if advance < 0 => {
                refuse("VF-CMD-10", format!("{} may advance only; this ends {back}", self.name(u)))
            }
            Initiative::RetreatOnly if advance > 0 => {
                refuse("VF-CMD-10", format!("{} may retreat only; this ends {forth}", self.name(u)))
            }
            _ => Ok(()),
        }
    }

    /// How far a body of a unit is from the unit's own table edge, at its nearest point (VF-MODEL-03).
    fn off_home(&self, u: Nr, body: &Body) -> Mils {
        let south = self.side(u).0 == 0;
        let off = |corner: Point| if south { corner.y } else { self.b.height - corner.y };
        mils(body.parts().iter().flat_map(Rect::corners).map(off).fold(f64::INFINITY, f64::min))
    }
}

/// What carries who keeps to it over the ground beneath (VF-TERR-07).
pub(crate) fn carries(kind: GroundKind) -> bool {
    matches!(kind, GroundKind::Road | GroundKind::Crossing)
}

/// By what a mover keeps to a road or a crossing: a unit by the middle of its front, a commander by his own (VF-TERR-02,
/// -07, VF-MODEL-06).
pub(crate) fn keeps_by(mover: Mover, body: &Body) -> Point {
    match mover {
        Mover::Unit(_) => body.rect.front().at,
        Mover::Commander => body.centroid(),
    }
}

/// Ground that slows a mover; so does closed ground, for who is on the way out of it (VF-TERR-07, VF-MODEL-50).
fn slows(going: Going) -> bool {
    going != Going::Full
}

/// How near a slide brings one body to another.
pub(crate) fn approach(body: &Body, way: Point, length: f64, other: &Body) -> f64 {
    let step = way * length;
    let mut best = f64::INFINITY;
    for a in body.parts() {
        for b in other.parts() {
            best = best.min(closest_approach(&Shape::Rect(a), step, &Shape::Rect(b)).1);
        }
    }
    best
}

/// The first travel at which a slide brings one body within so far of another.
pub(crate) fn first_within(body: &Body, way: Point, length: f64, other: &Body, gap: f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    for a in body.parts() {
        for b in other.parts() {
            let (a, b) = (Shape::Rect(a), Shape::Rect(b));
            let (at, least) = closest_approach(&a, way * length, &b);
            if mils(least) > mils(gap) {
                continue;
            }
            // The gap only shrinks on the way to its least.
            let mut near = |t: f64| a.translated(way * t).gap(&b) <= gap + 1e-9;
            let first = if near(0.0) { 0.0 } else { brink([0.0, at], 40, 0.0, &mut near)[1] };
            best = Some(best.map_or(first, |t| t.min(first)));
        }
    }
    best
}
