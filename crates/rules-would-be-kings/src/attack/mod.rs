//! Attack (WBK-ATT-01 to 07, 40): sight, reach, and the slide into contact.

pub mod after_melee;
pub mod charge;
mod melee;
mod occupy;
mod sally;

use smallvec::SmallVec;
use tricorne_game::{Illegal, InOrder};
use tricorne_table::{Bounds, Point};

use crate::battle::Fray;
use crate::model::base::{Base, FIGURE, TOLERANCE, how_near, nearest_points};
use crate::model::body::Bases;
use crate::model::places::{Settled, Slid, Sliding};
use crate::movement::{Leg, bearing};
use crate::options::{AttackReach, CrewedAttack};
use crate::state::{Layout, No, Places, Spot};

/// The most places an Attack may go round by (WBK-MOD-21).
pub const MOST_WAYPOINTS: usize = 3;

/// What an Attack comes to.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Assault {
    pub target: No,
    pub anchor: Spot,
    pub facing: u16,
    pub layout: Layout,
    pub places: Places,
    /// Inches of allowance used, counted on the leading model.
    pub cost: f64,
    /// Inches each model may go to find a place (WBK-MOD-21).
    pub limit: f64,
    pub length: f64,
    /// The obstacle or building the target defends.
    pub defended: Option<usize>,
    pub track: Vec<Point>,
}

/// How far an attack reaches, and the clauses that say so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    inches: f64,
    /// The clause of an enemy out of sight.
    sight: &'static str,
    /// The clause of a way that is too long.
    far: &'static str,
}

impl Reach {
    /// An Attack of so many inches.
    pub fn attack(inches: f64) -> Self {
        Self { inches, sight: "WBK-ATT-01", far: "WBK-ATT-03" }
    }

    /// An attack At the Double.
    pub fn double(inches: f64) -> Self {
        Self { inches, sight: "WBK-DBL-09", far: "WBK-ATT-03" }
    }

    /// A follow-up.
    pub fn follow_up(inches: f64) -> Self {
        Self { inches, sight: "WBK-ATT-01", far: "WBK-ATT-35" }
    }
}

/// The closest pair of two bodies.
struct Lead {
    /// The attacker's base.
    base: Base,
    /// From the attacker's nearest point to the target's.
    from: Point,
    to: Point,
    gap: f64,
    /// The target's model, as a base; a point of the outline for a garrison.
    enemy: Base,
}

impl Fray {
    /// Judges an Attack on `v` within an allowance in inches: sight, kind and reach.
    pub(crate) fn assault(
        &self,
        u: No,
        v: No,
        waypoints: &[Point],
        reach: Reach,
    ) -> Result<Assault, Illegal> {
        self.may_attack_at_all(u)?;
        let allowance = reach.inches;
        let (unit, name, whom) = (self.unit(u), self.card(u).called(), self.card(v).called());
        // The gap alone rules most Attacks out, and costs less than sight; who defends an obstacle is met there.
        let met = || self.within_defended(u, v, allowance) && self.slide(u, v, waypoints, reach).is_ok();
        if !self.within(u, v, allowance) && !met() {
            let why = format!("{whom} is {:.3}\" away and {name} reaches {allowance:.3}\"", self.gap(u, v));
            return Err(Illegal::new("WBK-ATT-02", why));
        }
        if unit.close_order && !self.in_arc(u, v) {
            let why = format!("{whom} is not ahead of the block; {name} attacks straight ahead only");
            return Err(Illegal::new("WBK-ATT-40", why));
        }
        if !self.sees(u, v) {
            return Err(Illegal::new(reach.sight, format!("{name} does not see {whom}")));
        }
        self.slide(u, v, waypoints, reach)
    }

    /// Whether a unit may defend an obstacle that is within so many inches (WBK-MOD-26). A fence aslant is met long before
    /// the man behind it, so how far off he is does not tell.
    pub(crate) fn within_defended(&self, u: No, v: No, inches: f64) -> bool {
        let land = &self.field.land;
        let depth = self.field.rulebook.charts.near.obstacle_defended;
        let (ours, theirs) =
            (self.bounds(u).grown(inches + TOLERANCE), self.bounds(v).grown(depth + TOLERANCE));
        self.unit(v).garrison.is_none()
            && land
                .obstacles
                .iter()
                .map(|&i| &land.pieces[i].bounds)
                .any(|b| ours.meets(b) && theirs.meets(b))
    }

    /// Whether a unit may Attack anybody (WBK-ATT-07, Faint-heart).
    pub(crate) fn may_attack_at_all(&self, u: No) -> Result<(), Illegal> {
        let card = self.card(u);
        if card.is_crewed() && self.field.options.crewed_attack == CrewedAttack::Forbidden {
            return Err(Illegal::new(
                "WBK-ATT-07",
                format!("{} is a crewed weapon and may not Attack", card.called()),
            ));
        }
        if self.character(u) == crate::state::Character::FaintHeart {
            let why = format!("the leader of {} is a Faint-heart and never attacks", card.called());
            return Err(Illegal::new("WBK-LEAD-08", why));
        }
        Ok(())
    }

    /// The slide into contact by the declared way (WBK-MOD-21), with no fresh sight test.
    pub(crate) fn slide(&self, u: No, v: No, waypoints: &[Point], reach: Reach) -> Result<Assault, Illegal> {
        let allowance = reach.inches;
        if waypoints.len() > MOST_WAYPOINTS {
            let why = format!("an Attack goes by at most {MOST_WAYPOINTS} waypoints");
            return Err(Illegal::new("WBK-MOD-21", why));
        }
        if !waypoints.iter().all(|p| p.is_finite() && p.x.abs() < 1e5 && p.y.abs() < 1e5) {
            return Err(Illegal::new("WBK-MOD-01", "waypoints need ordinary numbers on the table"));
        }
        let unit = self.unit(u);
        if unit.garrison.is_some() {
            if !waypoints.is_empty() {
                let why = "a garrison comes out straight at its enemy; declare the Attack without waypoints";
                return Err(Illegal::new("WBK-MOD-35", why));
            }
            return self.sally(u, v, reach);
        }
        if unit.close_order && !waypoints.is_empty() {
            return Err(Illegal::new(
                "WBK-ATT-40",
                "a unit in Close Order attacks straight ahead, without waypoints",
            ));
        }
        let bases = self.bases(u);
        let start = unit.anchor.point();
        let box_of = self.bounds(u);
        let strict = self.field.options.attack_reach == AttackReach::Path;
        let mut track = vec![start];
        let mut at = start;
        for p in waypoints {
            let to = p.round_to(0.001);
            if to.x < 0.0 || to.y < 0.0 || to.x > self.field.width || to.y > self.field.height {
                let why = format!("{} may not leave the table on its way", self.card(u).called());
                return Err(Illegal::new("WBK-MOVE-13", why));
            }
            if to.distance(at) > 1e-9 {
                track.push(to);
                at = to;
            }
        }
        let shift = at - start;
        let lead = self.lead(&bases, shift, v);
        let ahead = unit.close_order.then(|| self.ahead(u));
        let defends = self.defends(&lead, v);
        let defended = defends.first().copied();
        let dir = ahead.or_else(|| (lead.to - lead.from).unit()).unwrap_or(Point::ORIGIN);
        let travel = self.closing_travel(v, &bases, shift, &lead, dir, defended, allowance, ahead.is_some());
        let Some(travel) = travel else {
            let why =
                format!("{} can't reach {} straight ahead", self.card(u).called(), self.card(v).called());
            return Err(Illegal::new("WBK-ATT-40", why));
        };
        track.push(at + dir * travel);
        let length: f64 = track.windows(2).map(|p| p[0].distance(p[1])).sum();
        // WBK-MOD-21: the leading model pays.
        let offset = lead.base.centre - at;
        let difficult = if self.card(u).ignores_ground() {
            0.0
        } else {
            track.windows(2).map(|p| self.field.land.difficult_along(p[0] + offset, p[1] + offset)).sum()
        };
        // Straight at the enemy the gap alone counts by that reading; a way round is as long as it is.
        let cost = match (strict, track.len()) {
            (true, _) => self.price(u, length, difficult),
            (false, 2) => self.gap(u, v).max(0.0),
            (false, _) => length,
        };
        if cost > allowance + TOLERANCE {
            let why = format!(
                "{} needs {cost:.3}\" to reach {} and has {allowance:.3}\"",
                self.card(u).called(),
                self.card(v).called()
            );
            return Err(Illegal::new(reach.far, why));
        }
        if strict {
            self.path_is_open(u, v, &bases, &box_of, &track, &defends)?;
        }
        let facing = if self.card(u).mounted {
            if travel > TOLERANCE {
                bearing(dir)
            } else {
                track
                    .windows(2)
                    .rev()
                    .find(|p| p[0].distance(p[1]) > TOLERANCE)
                    .map_or(unit.facing, |p| bearing(p[1] - p[0]))
            }
        } else {
            unit.facing
        };
        let travel = if facing == unit.facing {
            travel
        } else {
            // Horse turn to the way they charge: their noses reach further, or less far, than they did sideways.
            let turned: Bases = bases.iter().map(|b| Base::mounted(b.centre, facing)).collect();
            self.press_home(&turned, shift, dir, travel, v, defended, &lead)
        };
        let total = Spot::of(shift + dir * travel);
        let places: Places = unit.places.iter().map(|s| s.shifted(total.x, total.y)).collect();
        let anchor = unit.anchor.shifted(total.x, total.y);
        let defended = defended.or_else(|| self.unit(v).garrison.map(usize::from));
        // WBK-ATT-40, 45: a block and a gun keep their shape.
        let shape = match unit.layout {
            Layout::Block => Some(("WBK-ATT-40", "block")),
            Layout::Gun => Some(("WBK-ATT-45", "gun")),
            _ => None,
        };
        if let Some((clause, shape)) = shape
            && self.lay_out(u, anchor, unit.layout, facing, places.len(), true).is_err()
        {
            let why = format!("there is no room for the {shape} of {} there", self.card(u).called());
            return Err(Illegal::new(clause, why));
        }
        let layout = unit.layout;
        let limit = allowance;
        Ok(Assault { target: v, anchor, facing, layout, places, cost, limit, length, defended, track })
    }

    /// How far the last straight slide goes; none if a block does not meet its target.
    #[allow(clippy::too_many_arguments)]
    fn closing_travel(
        &self,
        v: No,
        bases: &Bases,
        shift: Point,
        lead: &Lead,
        dir: Point,
        defended: Option<usize>,
        allowance: f64,
        straight: bool,
    ) -> Option<f64> {
        if let Some(piece) = defended {
            // WBK-MOD-26: contact means the leading attacker touching the obstacle.
            let way = dir * (lead.gap.max(0.0) + 4.0 + allowance * f64::from(u8::from(straight)));
            let line = self.field.land.pieces[piece].line()?;
            let travel = |base: &Base| {
                line.segments().filter_map(|s| base.travel_to(way, &s, 0.0)).fold(f64::INFINITY, f64::min)
            };
            let least = if straight {
                bases.iter().map(|b| travel(&b.moved(shift))).fold(f64::INFINITY, f64::min)
            } else {
                travel(&lead.base)
            };
            return least.is_finite().then_some(least);
        }
        if !straight {
            return Some(lead.gap.max(0.0));
        }
        let way = dir * (allowance + 0.01);
        let least = self.first_contact(bases, shift, way, v);
        least.is_finite().then_some(least)
    }

    /// After how many inches of a slide a body first touches a unit.
    fn first_contact(&self, bases: &Bases, shift: Point, way: Point, v: No) -> f64 {
        let mut least = f64::INFINITY;
        if let Some(outline) = self.outline(v) {
            for base in bases {
                for edge in outline.edges() {
                    least = least.min(base.moved(shift).travel_to(way, &edge, 0.0).unwrap_or(f64::INFINITY));
                }
            }
            return least;
        }
        for other in self.bases(v) {
            for base in bases {
                let travel = base.moved(shift).travel_to(way, &other.core(), other.radius);
                least = least.min(travel.unwrap_or(f64::INFINITY));
            }
        }
        least
    }

    /// How far turned horse go to touch: as far as the first nose, or back until none overlaps.
    #[allow(clippy::too_many_arguments)]
    fn press_home(
        &self,
        turned: &Bases,
        shift: Point,
        dir: Point,
        travel: f64,
        v: No,
        defended: Option<usize>,
        lead: &Lead,
    ) -> f64 {
        if let Some(piece) = defended {
            let Some(line) = self.field.land.pieces[piece].line() else { return travel };
            let nose = turned.iter().map(|b| b.moved(shift)).min_by(|a, b| {
                a.centre.distance(lead.base.centre).total_cmp(&b.centre.distance(lead.base.centre))
            });
            let way = dir * (travel + 3.0);
            let least = nose.map_or(f64::INFINITY, |b| {
                line.segments().filter_map(|s| b.travel_to(way, &s, 0.0)).fold(f64::INFINITY, f64::min)
            });
            return if least.is_finite() { least } else { travel };
        }
        let gap_at = |t: f64| {
            let bases: Bases = turned.iter().map(|b| b.moved(shift + dir * t)).collect();
            self.gap_from(&bases, v)
        };
        if gap_at(0.0) < 0.0 {
            let mut back = 0.0;
            while gap_at(back) < 0.0 && back > -3.0 {
                back -= 0.025;
            }
            return back;
        }
        let least = self.first_contact(turned, shift, dir * (travel + 2.0), v);
        if least.is_finite() { least } else { travel }
    }

    /// The closest pair of a body and a unit, lowest indexes on ties.
    fn lead(&self, bases: &Bases, shift: Point, v: No) -> Lead {
        let mut best: Option<Lead> = None;
        // Who is no nearer than the rounding of places makes him is equally near (WBK-MOD-03).
        let better = |best: &Option<Lead>, gap: f64| best.as_ref().is_none_or(|b| gap < b.gap - TOLERANCE);
        if let Some(outline) = self.outline(v) {
            for base in bases {
                let base = base.moved(shift);
                let near = outline.edges().map(|edge| nearest_points(&base.core(), &edge));
                let near =
                    near.min_by(|a, b| a.0.distance_squared(a.1).total_cmp(&b.0.distance_squared(b.1)));
                let Some((from, to)) = near else { continue };
                let gap = from.distance(to) - base.radius;
                if better(&best, gap) {
                    best = Some(Lead { base, from, to, gap, enemy: Base::disc(to, 0.0) });
                }
            }
        } else {
            let others = self.bases(v);
            for base in bases {
                let base = base.moved(shift);
                for other in &others {
                    let gap = base.gap(other);
                    if better(&best, gap) {
                        let (from, to) = base.nearest(other);
                        best = Some(Lead { base, from, to, gap, enemy: *other });
                    }
                }
            }
        }
        best.unwrap_or_else(|| {
            let here = Base::disc(self.unit(v).anchor.point(), FIGURE);
            Lead { base: here, from: here.centre, to: here.centre, gap: 0.0, enemy: here }
        })
    }

    /// The line on which an Attack slides: what brings the closest pair together (WBK-MOD-21).
    pub(crate) fn charge_line(&self, u: No, v: No) -> Point {
        let lead = self.lead(&self.bases(u), Point::ORIGIN, v);
        lead.to - lead.from
    }

    /// The obstacles a target defends against the closest model, the nearest to it first: at that one they meet
    /// (WBK-MOD-26).
    fn defends(&self, lead: &Lead, v: No) -> SmallVec<[usize; 2]> {
        if self.unit(v).garrison.is_some() {
            return SmallVec::new();
        }
        let land = &self.field.land;
        let near = self.field.rulebook.charts.near.obstacle_defended + TOLERANCE;
        let gap = |i: usize| land.pieces[i].gap(&lead.enemy);
        let across = |&i: &usize| gap(i) <= near && land.pieces[i].crossed_by(lead.from, lead.to);
        let mut all: SmallVec<[usize; 2]> = land.obstacles.iter().copied().filter(across).collect();
        all.put_in_order_of(|&i| how_near(gap(i)));
        all
    }

    /// Which obstacles stop nobody on the way of an Attack: those within reach of a stride, and all that the target
    /// defends (WBK-ATT-06, WBK-MOVE-15), as bits.
    fn crossed_to_attack(&self, u: No, defends: &[usize]) -> u64 {
        let obstacles = &self.field.land.obstacles;
        let places = defends.iter().filter_map(|d| obstacles.iter().position(|i| i == d));
        places.fold(self.crossable(u), |free, bit| free | 1 << bit.min(63))
    }

    /// Whether nothing on the way stops an Attack (WBK-ATT-05, 06, WBK-MOVE-05, 13).
    fn path_is_open(
        &self,
        u: No,
        v: No,
        bases: &Bases,
        box_of: &Bounds,
        track: &[Point],
        defends: &[usize],
    ) -> Result<(), Illegal> {
        let (unit, name) = (self.unit(u), self.card(u).called());
        let land = &self.field.land;
        let free = self.crossed_to_attack(u, defends);
        let start = track[0];
        let legs = track.len() - 1;
        for (n, pair) in track.windows(2).enumerate() {
            let leg = Leg { bases, shift: pair[0] - start, from: pair[0], to: pair[1] };
            let whole = pair[0].distance(pair[1]);
            if whole <= 1e-9 {
                continue;
            }
            if let Some((piece, travel)) = self.halt_on(&leg, box_of, free)
                && travel < whole - TOLERANCE
            {
                let piece = &land.pieces[piece];
                let near = self.field.rulebook.charts.near.obstacle_crossed;
                let why = format!(
                    "{} ({}) stops {name} on the way; begin within {near}\" of it",
                    piece.id, piece.kind
                );
                return Err(Illegal::new("WBK-ATT-06", why));
            }
            let spared = (n + 1 == legs).then_some(v);
            if let Some(w) = self.touches_enemy(u, &leg, box_of, spared) {
                let why = format!("{name} would touch {} on the way", self.card(w).called());
                return Err(Illegal::new("WBK-ATT-05", why));
            }
            if let Some(w) = self.barred_by_friend(u, &leg, box_of) {
                let why = format!("{name} may not pass through {}", self.card(w).called());
                return Err(Illegal::new("WBK-MOVE-05", why));
            }
            let own = self.anchor_base(u, pair[0], unit.facing);
            if let Some(piece) = self.blocked_by_ground(&own, pair[1] - pair[0], None) {
                let piece = &land.pieces[piece];
                let why = format!("{} ({}) is in the way of {name}", piece.id, piece.kind);
                return Err(Illegal::new("WBK-MOVE-13", why));
            }
        }
        Ok(())
    }

    /// How the attackers stand once they have closed: who stands badly has moved up (WBK-MOD-21).
    pub(crate) fn closed(&self, u: No, assault: &Assault) -> (Spot, Layout, Places) {
        let loose = matches!(assault.layout, Layout::Cluster | Layout::Line) && self.outline(u).is_none();
        let why = Sliding::Attack { limit: assault.limit };
        let slid = Slid { facing: assault.facing, places: &assault.places, why };
        match loose.then(|| self.settle(u, &slid)) {
            Some(Ok(Settled { places, moved_up })) => {
                let layout = if moved_up { Layout::Cluster } else { assault.layout };
                (places.first().copied().unwrap_or(assault.anchor), layout, places)
            }
            _ => (assault.anchor, assault.layout, assault.places.clone()),
        }
    }

    /// Carries an Attack's movement out.
    pub(crate) fn close_with(&mut self, u: No, assault: &Assault) {
        let (anchor, layout, places) = self.closed(u, assault);
        self.put(u, anchor, assault.facing, layout, places);
        self.has_gone(assault.length);
    }

    /// The places a unit goes round by to Attack an enemy it can reach so: none where straight ahead will do.
    pub(crate) fn way_to_attack(&self, u: No, v: No, reach: Reach) -> Option<Vec<Point>> {
        let legal = |by: &Vec<Point>| self.assault(u, v, by, reach).is_ok();
        let round =
            || (self.within(u, v, reach.inches)).then(|| self.attack_ways(u, v).into_iter().find(legal));
        Some(Vec::new()).filter(legal).or_else(|| round().flatten())
    }

    /// Any enemy a unit may Attack now, and the places it goes round by: none where straight ahead will do (WBK-ACT-15,
    /// WBK-LEAD-08).
    pub(crate) fn some_attack(&self, u: No) -> Option<(No, Vec<Point>)> {
        if self.may_attack_at_all(u).is_err() {
            return None;
        }
        let allowance = f64::from(self.pace(u)) / 1000.0;
        let legal = |v: No, by: &[Point]| self.assault(u, v, by, Reach::attack(allowance)).is_ok();
        let straight = self.enemies(u).find(|&v| legal(v, &[])).map(|v| (v, Vec::new()));
        straight.or_else(|| self.likely_flank_attacks(u, allowance).find(|(v, by)| legal(*v, by)))
    }
}
