//! The Calculating Engine (WBK-SOLO): the program's answers to the same decisions a player gets.

use arrayvec::ArrayVec;
use tricorne_game::InOrder;
use tricorne_table::Point;

use crate::action::{Action, Declare, Go, Half};
use crate::activation::declare::Declaring;
use crate::attack::Reach;
use crate::attack::after_melee::AfterMelee;
use crate::attack::charge::charge_at;
use crate::battle::{Asked, Fray};
use crate::model::base::{TOLERANCE, how_near};
use crate::movement::Pace;
use crate::state::{MAX_UNITS, No, Order};
use crate::tables::rulebook::Cover;
use tricorne_drill::{Asks, Now, Question};

impl Fray {
    /// The program answers the pending decision.
    pub(crate) fn program_acts(&mut self, now: &mut Now<'_>) {
        let Some(question) = self.state.asked else { return };
        let action = self.program_answer(question);
        let answered = question.answer(self, &action, now).or_else(|_| {
            let usual = question.usual(self);
            question.answer(self, &usual, now)
        });
        if answered.is_err() {
            // Every decision has a plain answer; without one the turn could not go on.
            self.end_activation(self.acting(), now);
        }
    }

    fn program_answer(&self, question: Asked) -> Action {
        let (u, inches) = (self.acting(), self.inches());
        match question {
            Asked::Picking(_) => self.program_picks(),
            // As the enemy of an Idiot the program lets him stand.
            Asked::Declaring(_) if !self.state.act.idiot => Action::Declare(self.program_declares(u)),
            Asked::Marching(march) if march.pace == Pace::Double => self.program_doubles(u, inches),
            Asked::Marching(march) => Action::Go(self.program_moves(u, inches, march.pace)),
            Asked::Skirmishing(_) => Action::Skirmish(Half::Move),
            Asked::Charging(charging) => match self.program_prey(u, inches) {
                Some((v, by)) => charge_at(self.id(v), by),
                None => charging.usual(self),
            },
            Asked::Shooting(shot) => match self.best_target(u, shot.volley, false) {
                Some(v) => Action::Shoot(self.id(v)),
                None => Action::HoldFire,
            },
            Asked::AfterMelee(won) => self.program_follows(u, won),
            _ => question.usual(self),
        }
    }

    /// WBK-SOLO-05.
    fn program_picks(&self) -> Action {
        let mut order: ArrayVec<(bool, i64, No), MAX_UNITS> = self
            .ready()
            .map(|u| {
                let near = || self.visible(u).first().map_or(i64::MAX, |e| how_near(e.0));
                (!self.unit(u).is_pinned(), if self.unit(u).is_pinned() { 0 } else { near() }, u)
            })
            .collect();
        order.put_in_order(Ord::cmp);
        order.first().map_or(Action::EndTurn, |&(_, _, u)| Action::Activate(self.id(u)))
    }

    /// Enemies in sight, nearest first, then lower number.
    fn visible(&self, u: No) -> ArrayVec<(f64, No), MAX_UNITS> {
        let mut seen: ArrayVec<(f64, No), MAX_UNITS> =
            self.enemies(u).filter(|&v| self.sees(u, v)).map(|v| (self.gap(u, v), v)).collect();
        seen.put_in_order_of(|&(gap, v)| (how_near(gap), v));
        seen
    }

    /// WBK-SOLO-07.
    fn is_shooter(&self, u: No) -> bool {
        let card = self.card(u);
        card.is_crewed()
            || card.weapon.long.is_some()
            || card.firing <= self.field.rulebook.charts.solo.shooter_firing
    }

    /// The nearest visible unpinned enemy, or the nearest at all.
    fn quarry(&self, u: No) -> Option<No> {
        let seen = self.visible(u);
        let unpinned = seen.iter().find(|&&(_, v)| !self.unit(v).is_pinned());
        unpinned.or(seen.first()).map(|&(_, v)| v).or_else(|| self.nearest_at_all(u))
    }

    /// The nearest enemy, seen or not.
    fn nearest_at_all(&self, u: No) -> Option<No> {
        self.enemies(u).min_by_key(|&v| (how_near(self.gap(u, v)), v))
    }

    /// The nearest visible enemy that is not Pinned.
    fn unpinned_in_sight(&self, u: No) -> Option<(f64, No)> {
        self.visible(u).iter().find(|&&(_, v)| !self.unit(v).is_pinned()).copied()
    }

    /// Whom a unit attacks: a fighter the nearest it sees that is not Pinned (WBK-SOLO-08), a shooter whom it can beat
    /// (WBK-SOLO-12); and by what places it goes round.
    fn program_prey(&self, u: No, pace: f64) -> Option<(No, Vec<Point>)> {
        let way = |v: No| self.way_to_attack(u, v, Reach::attack(pace)).map(|by| (v, by));
        if !self.is_shooter(u) {
            return self.unpinned_in_sight(u).and_then(|(_, v)| way(v));
        }
        let own = u32::from(self.unit(u).models);
        self.enemies(u).find_map(|v| {
            let enemy = self.unit(v);
            if enemy.is_pinned() || u32::from(enemy.models) * 2 < own { way(v) } else { None }
        })
    }

    /// An order with its target, if that is named with it (WBK-ACT-14, WBK-DBL-06).
    fn program_aims(&self, order: Order, v: No) -> Declare {
        if Declaring::is_aimed(self, order) { Declare::at(order, self.id(v)) } else { Declare::plain(order) }
    }

    fn program_declares(&self, u: No) -> Declare {
        let pace = f64::from(self.pace(u)) / 1000.0;
        if let Some((v, waypoints)) = self.program_prey(u, pace) {
            let aimed = self.program_aims(Order::Attack, v);
            return if aimed.target.is_some() { Declare { waypoints, ..aimed } } else { aimed };
        }
        if self.is_shooter(u) {
            return self.shooter_declares(u, pace);
        }
        // WBK-SOLO-08.
        if let Some((gap, v)) = self.unpinned_in_sight(u)
            && gap <= pace + self.field.rulebook.charts.solo.double_reach + TOLERANCE
            && self.may_double_into(u).is_ok()
            && self.may_order(u, Order::Double).is_ok()
        {
            return self.program_aims(Order::Double, v);
        }
        Declare::plain(Order::Move)
    }

    fn shooter_declares(&self, u: No, pace: f64) -> Declare {
        let any = self.best_target(u, false, false);
        let covered = self.stands_in_cover(u);
        if covered && let Some(v) = any {
            return self.program_aims(Order::Fire, v); // WBK-SOLO-09
        }
        if !covered && self.cover_to_reach(u, pace).is_some() {
            return Declare::plain(Order::Move); // WBK-SOLO-10
        }
        // WBK-SOLO-11.
        if let Some(v) = self.best_target(u, false, true) {
            return self.program_aims(Order::Fire, v);
        }
        match any {
            Some(_) if self.may_order(u, Order::Skirmish).is_ok() => Declare::plain(Order::Skirmish),
            Some(v) => self.program_aims(Order::Fire, v),
            None => Declare::plain(Order::Move),
        }
    }

    /// The legal target of least gap, at short range only if asked.
    fn best_target(&self, u: No, volley: bool, short_only: bool) -> Option<No> {
        let legal = |v: No| self.may_fire(u, v, volley).ok().filter(|aim| aim.short || !short_only);
        let near = self.enemies(u).filter_map(|v| Some((how_near(legal(v)?.gap), v)));
        near.min().map(|(_, v)| v)
    }

    fn stands_in_cover(&self, u: No) -> bool {
        let unit = self.unit(u);
        let covered =
            unit.places.iter().filter(|s| self.field.land.cover_at(s.point()) != Cover::None).count();
        unit.garrison.is_some() || covered * 2 > unit.places.len()
    }

    /// Cover a shooter can walk to this Move and fire from (WBK-SOLO-10).
    fn cover_to_reach(&self, u: No, inches: f64) -> Option<Go> {
        let land = &self.field.land;
        let here = self.unit(u).anchor.point();
        let weapon = &self.card(u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let mut best: Option<(f64, Go)> = None;
        for &i in &land.covering {
            let Some(area) = land.pieces[i].area() else { continue };
            if area.distance_to(here) > inches + TOLERANCE {
                continue;
            }
            let edge = area.nearest_boundary(here);
            let inward = (area.centroid() - edge).unit().unwrap_or(Point::new(0.0, 1.0));
            for depth in [1.0, 2.0, 3.0] {
                let at = (edge + inward * depth).round_to(0.001);
                let go = Go { path: vec![at], layout: None, facing: None };
                let Ok(walk) = self.walk(u, &go, inches, Pace::Move) else { continue };
                let covered = walk.places.iter().filter(|s| land.cover_at(s.point()) != Cover::None).count();
                let bases = if self.card(u).is_crewed() {
                    std::iter::once(self.anchor_base(u, walk.anchor.point(), walk.facing)).collect()
                } else {
                    self.bases_of(u, &walk.places, walk.anchor, walk.facing)
                };
                let in_range = || self.enemies(u).any(|v| self.gap_from(&bases, v) <= far + TOLERANCE);
                if covered * 2 > walk.places.len()
                    && best.as_ref().is_none_or(|(length, _)| walk.length < *length)
                    && in_range()
                {
                    best = Some((walk.length, go));
                    break;
                }
            }
        }
        best.map(|(_, go)| go)
    }

    fn program_moves(&self, u: No, inches: f64, pace: Pace) -> Go {
        let shooter = self.is_shooter(u);
        if shooter
            && pace == Pace::Move
            && !self.stands_in_cover(u)
            && let Some(go) = self.cover_to_reach(u, inches)
        {
            return go;
        }
        // Skirmishers go towards the target they are to fire at (WBK-SOLO-11).
        let target = if pace == Pace::Skirmish { self.best_target(u, false, false) } else { None };
        // A shooter without one goes towards the nearest enemy, Pinned or not.
        let nearest = || if shooter { self.nearest_at_all(u) } else { self.quarry(u) };
        let Some(v) = target.or_else(nearest) else { return Go::default() };
        // A shooter goes on until it is within short range, a fighter straight at the enemy.
        let short = if shooter { self.card(u).weapon.short } else { 0.1 };
        self.straight_at(u, v, inches, pace, short)
    }

    fn program_doubles(&self, u: No, inches: f64) -> Action {
        let Some(v) = self.quarry(u) else { return Action::NoMove };
        if let Some(by) = self.way_to_attack(u, v, Reach::double(inches)) {
            return charge_at(self.id(v), by);
        }
        Action::Go(self.straight_at(u, v, inches, Pace::Double, 1.0))
    }

    /// WBK-SOLO-13.
    fn program_follows(&self, u: No, won: AfterMelee) -> Action {
        let strikes = self.enemies(u).map(|v| Action::Strike(self.id(v)));
        std::iter::once(Action::FollowUp)
            .chain(strikes)
            .chain(won.occupation(self, u))
            .find(|answer| won.judge(self, answer).is_ok())
            .unwrap_or(Action::Stay)
    }
}
