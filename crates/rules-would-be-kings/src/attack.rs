//! Attack (WBK-ATT-01 to 07, 40): sight, reach, and the slide into contact.

use tricorne_game::Illegal;
use tricorne_table::{Bounds, Point, Segment};

use crate::base::{Base, CONTACT, FIGURE, TOLERANCE, nearest_points};
use crate::battle::WbkBattle;
use crate::body::Bases;
use crate::movement::{Leg, bearing};
use crate::options::{AttackReach, CrewedAttack};
use crate::state::{Layout, Places, Spot};

/// The most places an Attack may go round by (WBK-MOD-21).
pub const MOST_WAYPOINTS: usize = 3;

/// What an Attack comes to.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Assault {
    pub target: usize,
    pub anchor: Spot,
    pub facing: u16,
    pub layout: Layout,
    pub places: Places,
    /// Inches of allowance used, counted on the leading model.
    pub cost: f64,
    pub length: f64,
    /// The obstacle or building the target defends.
    pub defended: Option<usize>,
    pub track: Vec<Point>,
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

impl WbkBattle {
    /// Judges an Attack on `v` within an allowance in inches: sight, kind and reach.
    pub(crate) fn assault(
        &self,
        u: usize,
        v: usize,
        waypoints: &[Point],
        allowance: f64,
    ) -> Result<Assault, Illegal> {
        self.may_attack_at_all(u)?;
        let (unit, name, whom) = (self.unit(u), self.card(u).called(), self.card(v).called());
        // The gap alone rules most Attacks out, and costs less than sight.
        if !self.within(u, v, allowance) {
            let why = format!("{whom} is {:.3}\" away and {name} reaches {allowance:.3}\"", self.gap(u, v));
            return Err(Illegal::new("WBK-ATT-02", why));
        }
        if unit.close_order && !self.in_arc(u, v) {
            let why = format!("{whom} is not ahead of the block; {name} attacks straight ahead only");
            return Err(Illegal::new("WBK-ATT-40", why));
        }
        if !self.sees(u, v) {
            return Err(Illegal::new("WBK-ATT-01", format!("{name} does not see {whom}")));
        }
        self.slide(u, v, waypoints, allowance)
    }

    /// Whether a unit may Attack anybody (WBK-ATT-07, Faint-heart).
    pub(crate) fn may_attack_at_all(&self, u: usize) -> Result<(), Illegal> {
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
    pub(crate) fn slide(
        &self,
        u: usize,
        v: usize,
        waypoints: &[Point],
        allowance: f64,
    ) -> Result<Assault, Illegal> {
        if waypoints.len() > MOST_WAYPOINTS {
            let why = format!("an Attack goes by at most {MOST_WAYPOINTS} waypoints");
            return Err(Illegal::new("WBK-MOD-21", why));
        }
        if !waypoints.iter().all(|p| p.is_finite() && p.x.abs() < 1e5 && p.y.abs() < 1e5) {
            return Err(Illegal::new("WBK-MOD-01", "waypoints need ordinary numbers on the table"));
        }
        let unit = self.unit(u);
        if unit.garrison.is_some() {
            return self.sally(u, v, allowance);
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
            if to.distance(at) > 1e-9 {
                track.push(to);
                at = to;
            }
        }
        let shift = at - start;
        let lead = self.lead(&bases, shift, v);
        let ahead = unit.close_order.then(|| self.ahead(u));
        let defended = self.defended_obstacle(&lead, v);
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
        let cost = if strict { self.price(u, length, difficult) } else { self.gap(u, v).max(0.0) };
        if cost > allowance + TOLERANCE {
            let why = format!(
                "{} needs {cost:.3}\" to reach {} and has {allowance:.3}\"",
                self.card(u).called(),
                self.card(v).called()
            );
            return Err(Illegal::new("WBK-ATT-03", why));
        }
        if strict {
            self.path_is_open(u, v, &bases, &box_of, &track, defended)?;
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
        if unit.close_order && self.lay_out(u, anchor, Layout::Block, facing, places.len(), true).is_err() {
            let why = format!("there is no room for the block of {} there", self.card(u).called());
            return Err(Illegal::new("WBK-ATT-40", why));
        }
        Ok(Assault { target: v, anchor, facing, layout: unit.layout, places, cost, length, defended, track })
    }

    /// How far the last straight slide goes; none if a block does not meet its target.
    #[allow(clippy::too_many_arguments)]
    fn closing_travel(
        &self,
        v: usize,
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
    fn first_contact(&self, bases: &Bases, shift: Point, way: Point, v: usize) -> f64 {
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
        v: usize,
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
    fn lead(&self, bases: &Bases, shift: Point, v: usize) -> Lead {
        let mut best: Option<Lead> = None;
        let better = |best: &Option<Lead>, gap: f64| best.as_ref().is_none_or(|b| gap < b.gap - 1e-9);
        if let Some(outline) = self.outline(v) {
            for base in bases {
                let base = base.moved(shift);
                for edge in outline.edges() {
                    let (from, to) = nearest_points(&base.core(), &edge);
                    let gap = from.distance(to) - base.radius;
                    if better(&best, gap) {
                        best = Some(Lead { base, from, to, gap, enemy: Base::disc(to, 0.0) });
                    }
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

    /// The obstacle a target defends against the closest model (WBK-MOD-26).
    fn defended_obstacle(&self, lead: &Lead, v: usize) -> Option<usize> {
        if self.unit(v).garrison.is_some() {
            return None;
        }
        let land = &self.field.land;
        let mut best: Option<(usize, f64)> = None;
        for &i in &land.obstacles {
            let piece = &land.pieces[i];
            let gap = piece.gap(&lead.enemy);
            if gap <= 1.0 + TOLERANCE
                && piece.crossed_by(lead.from, lead.to)
                && best.is_none_or(|(_, least)| gap < least)
            {
                best = Some((i, gap));
            }
        }
        best.map(|(i, _)| i)
    }

    /// Whether nothing on the way stops an Attack (WBK-ATT-05, 06, WBK-MOVE-05, 13).
    fn path_is_open(
        &self,
        u: usize,
        v: usize,
        bases: &Bases,
        box_of: &Bounds,
        track: &[Point],
        defended: Option<usize>,
    ) -> Result<(), Illegal> {
        let (unit, name) = (self.unit(u), self.card(u).called());
        let land = &self.field.land;
        let mut free = self.crossable(u);
        if let Some(bit) = defended.and_then(|d| land.obstacles.iter().position(|&i| i == d)) {
            free |= 1 << bit.min(63);
        }
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
                let why =
                    format!("{} ({}) stops {name} on the way; begin within 1\" of it", piece.id, piece.kind);
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

    /// A garrison comes out to Attack (WBK-MOD-35).
    fn sally(&self, u: usize, v: usize, allowance: f64) -> Result<Assault, Illegal> {
        let (unit, name, whom) = (self.unit(u), self.card(u).called(), self.card(v).called());
        let Some(outline) = self.outline(u) else {
            return Err(Illegal::new("WBK-MOD-35", format!("{name} holds no building")));
        };
        // The nearest points of the outline and the target.
        let mut best: Option<(Point, Base, f64)> = None;
        for edge in outline.edges() {
            let mut take = |core: Segment, radius: f64| {
                let (from, to) = nearest_points(&edge, &core);
                let gap = from.distance(to) - radius;
                if best.as_ref().is_none_or(|b| gap < b.2 - 1e-9) {
                    best = Some((from, Base::disc(to, radius), gap));
                }
            };
            match self.outline(v) {
                Some(other) => other.edges().for_each(|e| take(e, 0.0)),
                None => self.bases(v).iter().for_each(|b| take(b.core(), b.radius)),
            }
        }
        let Some((from, enemy, gap)) = best else {
            return Err(Illegal::new("WBK-MOD-35", format!("{whom} is nowhere to be reached")));
        };
        let difficult = self.field.land.difficult_along(from, enemy.centre);
        let cost = match self.field.options.attack_reach {
            AttackReach::Path => self.price(u, gap.max(0.0), difficult),
            AttackReach::Straight => gap.max(0.0),
        };
        if cost > allowance + TOLERANCE {
            let why =
                format!("{name} needs {cost:.3}\" from its building to {whom} and has {allowance:.3}\"");
            return Err(Illegal::new("WBK-ATT-03", why));
        }
        let out = (from - enemy.centre)
            .unit()
            .or_else(|| (from - unit.anchor.point()).unit())
            .unwrap_or(Point::new(0.0, 1.0));
        let lead = Lead { base: Base::disc(from, FIGURE), from, to: enemy.centre, gap, enemy };
        let defended = self.defended_obstacle(&lead, v);
        let n = usize::from(unit.models);
        // On the side of that point; round the enemy model when the building is too near for a base.
        for turn in 0..=24_i32 {
            let swing = if turn % 2 == 1 { (turn + 1) / 2 } else { -turn / 2 };
            let dir = out.turned(f64::from(swing) * 7.5);
            let reach = match defended.and_then(|d| self.field.land.pieces[d].line().map(|l| (d, l))) {
                Some((_, line)) => {
                    let far = Base::disc(enemy.centre + dir * (gap.max(0.0) + 6.0), FIGURE);
                    let back = dir * -(gap.max(0.0) + 6.0);
                    let travel = line
                        .segments()
                        .filter_map(|s| far.travel_to(back, &s, 0.0))
                        .fold(f64::INFINITY, f64::min);
                    if !travel.is_finite() {
                        continue;
                    }
                    gap.max(0.0) + 6.0 - travel
                }
                None => enemy.radius + FIGURE,
            };
            let anchor = Spot::of(enemy.centre + dir * reach);
            if let Ok(places) = self.lay_out(u, anchor, Layout::Cluster, unit.facing, n, true) {
                let track = vec![from, anchor.point()];
                self.sally_is_open(u, v, &track, defended)?;
                let defended = defended.or_else(|| self.unit(v).garrison.map(usize::from));
                let facing = unit.facing;
                return Ok(Assault {
                    target: v,
                    anchor,
                    facing,
                    layout: Layout::Cluster,
                    places,
                    cost,
                    length: gap.max(0.0),
                    defended,
                    track,
                });
            }
        }
        Err(Illegal::new(
            "WBK-MOD-35",
            format!("there is no room for {name} outside its building, beside {whom}"),
        ))
    }

    fn sally_is_open(
        &self,
        u: usize,
        v: usize,
        track: &[Point],
        defended: Option<usize>,
    ) -> Result<(), Illegal> {
        let base: Bases = std::iter::once(Base::disc(track[0], FIGURE)).collect();
        let box_of = base[0].bounds();
        if self.field.options.attack_reach == AttackReach::Straight {
            return Ok(());
        }
        let leg = Leg { bases: &base, shift: Point::ORIGIN, from: track[0], to: track[1] };
        let name = self.card(u).called();
        let land = &self.field.land;
        let mut free = self.crossable(u);
        if let Some(bit) = defended.and_then(|d| land.obstacles.iter().position(|&i| i == d)) {
            free |= 1 << bit.min(63);
        }
        if let Some((piece, _)) = self.halt_on(&leg, &box_of, free) {
            let piece = &land.pieces[piece];
            return Err(Illegal::new("WBK-ATT-06", format!("{} ({}) stops {name}", piece.id, piece.kind)));
        }
        if let Some(w) = self.touches_enemy(u, &leg, &box_of, Some(v)) {
            return Err(Illegal::new(
                "WBK-ATT-05",
                format!("{name} would touch {} on the way", self.card(w).called()),
            ));
        }
        Ok(())
    }

    /// Carries an Attack's movement out: the slide, then whoever stands badly moves up (WBK-MOD-21).
    pub(crate) fn close_with(&mut self, u: usize, assault: &Assault) {
        let sallied = self.unit(u).garrison.is_some();
        let before = self.unit(u).places.clone();
        self.put(u, assault.anchor, assault.facing, assault.layout, assault.places.clone());
        if !sallied && assault.layout != Layout::Block && assault.layout != Layout::Gun {
            self.shuffle_up(u, &before, assault.facing);
        }
        self.state.act.moved += (assault.length * 1000.0) as i32;
    }

    /// Any enemy a unit may Attack now without going round (WBK-ACT-15, Hothead).
    pub(crate) fn some_attack(&self, u: usize) -> Option<usize> {
        if self.may_attack_at_all(u).is_err() {
            return None;
        }
        let allowance = f64::from(self.pace(u)) / 1000.0;
        self.enemies(u).find(|&v| self.assault(u, v, &[], allowance).is_ok())
    }

    /// Where an obstacle may be occupied (WBK-ATT-38): judged for an anchor and a layout.
    pub(crate) fn may_occupy(
        &self,
        u: usize,
        obstacle: usize,
        ground: Spot,
        at: Spot,
        layout: Layout,
        facing: u16,
    ) -> Result<Places, Illegal> {
        let name = self.card(u).called();
        let piece = &self.field.land.pieces[obstacle];
        let Some(line) = piece.line() else {
            return Err(Illegal::new(
                "WBK-ATT-38",
                format!("{} is no obstacle; name the building", piece.id),
            ));
        };
        if !matches!(layout, Layout::Cluster | Layout::Line) {
            let why = format!("{name} occupies {} as `cluster` or `line`", piece.id);
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let gap = line.distance_to(at.point());
        if gap > 1.0 + TOLERANCE {
            let why = format!("the anchor must stand within 1\" of {}; it is {gap:.3}\" away", piece.id);
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let off = at.point().distance(ground.point());
        if off > 4.0 + TOLERANCE {
            let why =
                format!("the anchor must stand within 4\" of where the loser's was; it is {off:.3}\" away");
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let n = usize::from(self.unit(u).models);
        self.lay_out(u, at, layout, facing, n, false).map_err(|unfit| {
            let refusal = self.unfit(u, unfit);
            Illegal::new("WBK-ATT-38", refusal.why)
        })
    }

    /// Some place where an obstacle can be occupied, tried on both sides of it.
    pub(crate) fn some_occupation(
        &self,
        u: usize,
        obstacle: usize,
        ground: Spot,
    ) -> Option<(Spot, Layout, u16)> {
        let line = self.field.land.pieces[obstacle].line()?;
        let here = ground.point();
        for segment in line.segments() {
            let Some(along) = segment.way().unit() else { continue };
            let near = segment.nearest(here);
            for side in [1.0, -1.0] {
                let normal = along.quarter_left() * side;
                let facing = bearing(normal * -1.0);
                for slip in [0.0, 1.5, -1.5, 3.0, -3.0] {
                    let reach = if self.card(u).mounted { 1.0 } else { FIGURE + CONTACT };
                    let at = Spot::of(near + along * slip + normal * reach);
                    for layout in [Layout::Line, Layout::Cluster] {
                        if self.may_occupy(u, obstacle, ground, at, layout, facing).is_ok() {
                            return Some((at, layout, facing));
                        }
                    }
                }
            }
        }
        None
    }
}
