//! A garrison comes out to Attack (WBK-MOD-35).

use tricorne_game::Illegal;
use tricorne_table::{Point, Segment, angle};

use super::{Assault, Lead, Reach};
use crate::battle::Fray;
use crate::model::base::{Base, FIGURE, TOLERANCE, nearest_points};
use crate::model::body::Bases;
use crate::movement::Leg;
use crate::options::AttackReach;
use crate::state::{Layout, No, Spot};

impl Fray {
    /// A garrison comes out to Attack (WBK-MOD-35).
    pub(super) fn sally(&self, u: No, v: No, reach: Reach) -> Result<Assault, Illegal> {
        let (unit, name, whom) = (self.unit(u), self.card(u).called(), self.card(v).called());
        let allowance = reach.inches;
        let Some(outline) = self.outline(u) else {
            return Err(Illegal::new("WBK-MOD-35", format!("{name} holds no building")));
        };
        // The nearest points of the outline and the target; of models equally near the lowest index (WBK-MOD-21).
        let mut best: Option<(Point, Base, f64)> = None;
        let mut take = |core: Segment, radius: f64| {
            let near = outline.edges().map(|edge| nearest_points(&edge, &core));
            let near = near.min_by(|a, b| a.0.distance_squared(a.1).total_cmp(&b.0.distance_squared(b.1)));
            let Some((from, to)) = near else { return };
            let gap = from.distance(to) - radius;
            if best.as_ref().is_none_or(|b| gap < b.2 - TOLERANCE) {
                best = Some((from, Base::disc(to, radius), gap));
            }
        };
        match self.outline(v) {
            Some(other) => other.edges().for_each(|e| take(e, 0.0)),
            None => self.bases(v).iter().for_each(|b| take(b.core(), b.radius)),
        }
        let Some((from, enemy, gap)) = best else {
            return Err(Illegal::new("WBK-MOD-35", format!("{whom} is nowhere to be reached")));
        };
        let gap = gap.max(0.0);
        // The ground that the leader's own way lies over counts, as far as he goes (WBK-MOVE-06).
        let price = |length: f64, difficult: f64| {
            let cost = match self.field.options.attack_reach {
                AttackReach::Path => self.price(u, length, difficult),
                AttackReach::Straight => gap,
            };
            if cost > allowance + TOLERANCE {
                let why =
                    format!("{name} needs {cost:.3}\" from its building to {whom} and has {allowance:.3}\"");
                return Err(Illegal::new(reach.far, why));
            }
            Ok(cost)
        };
        let out = (from - enemy.centre)
            .unit()
            .or_else(|| (from - unit.anchor.point()).unit())
            .unwrap_or(Point::new(0.0, 1.0));
        let lead = Lead { base: Base::disc(from, FIGURE), from, to: enemy.centre, gap, enemy };
        let defends = self.defends(&lead, v);
        let defended = defends.first().copied();
        if defended.is_none() {
            price(gap, 0.0)?;
        }
        let n = usize::from(unit.models);
        // On the side of that point; round the enemy model when the building is too near for a base.
        for turn in angle::fan(7.5, 90.0) {
            let dir = out.turned(turn);
            let away = match defended.and_then(|d| self.field.land.pieces[d].line().map(|l| (d, l))) {
                Some((_, line)) => {
                    let far = Base::disc(enemy.centre + dir * (gap + 6.0), FIGURE);
                    let back = dir * -(gap + 6.0);
                    let travel = line
                        .segments()
                        .filter_map(|s| far.travel_to(back, &s, 0.0))
                        .fold(f64::INFINITY, f64::min);
                    if !travel.is_finite() {
                        continue;
                    }
                    gap + 6.0 - travel
                }
                None => enemy.radius + FIGURE,
            };
            let anchor = Spot::of(enemy.centre + dir * away);
            let near = |at: Point| outline.distance_to(at) <= allowance + TOLERANCE;
            // The leader is one of the models that stand no further out than they may go.
            if !near(anchor.point()) {
                continue;
            }
            if let Ok(places) = self.gather(u, anchor, unit.facing, n, near) {
                let track = vec![from, anchor.point()];
                // WBK-MOD-26: at a defended obstacle the way ends before the enemy.
                let length = (gap - (away - enemy.radius - FIGURE)).max(0.0);
                let cost = price(length, self.field.land.difficult_along(track[0], track[1]))?;
                self.sally_is_open(u, v, &track, &defends)?;
                let defended = defended.or_else(|| self.unit(v).garrison.map(usize::from));
                let facing = unit.facing;
                return Ok(Assault {
                    target: v,
                    anchor,
                    facing,
                    layout: Layout::Cluster,
                    places,
                    cost,
                    limit: allowance,
                    length,
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

    fn sally_is_open(&self, u: No, v: No, track: &[Point], defends: &[usize]) -> Result<(), Illegal> {
        let base: Bases = std::iter::once(Base::disc(track[0], FIGURE)).collect();
        let box_of = base[0].bounds();
        if self.field.options.attack_reach == AttackReach::Straight {
            return Ok(());
        }
        let leg = Leg { bases: &base, shift: Point::ORIGIN, from: track[0], to: track[1] };
        let name = self.card(u).called();
        let land = &self.field.land;
        let free = self.crossed_to_attack(u, defends);
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
        if let Some(w) = self.barred_by_friend(u, &leg, &box_of) {
            let why = format!("{name} may not pass through {}", self.card(w).called());
            return Err(Illegal::new("WBK-MOVE-05", why));
        }
        if let Some(piece) = self.blocked_by_ground(&base[0], leg.way(), self.unit(u).garrison) {
            let piece = &land.pieces[piece];
            let why = format!("{} ({}) is in the way of {name}", piece.id, piece.kind);
            return Err(Illegal::new("WBK-MOVE-13", why));
        }
        Ok(())
    }
}
