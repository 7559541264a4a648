//! Steering by hand: the legal answer nearest to where a player points (drags, turn handles), for every kind of
//! decision that has a place or a path in it. What is offered passes `check`.

mod march;
mod places;
mod rig;
#[cfg(test)]
mod tests;

use tricorne_drill::steer::Nearest;
use tricorne_game::{Illegal, Steer, UnitId, Wish};
use tricorne_table::{Point, Shape};

use crate::action::{Action, Target};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Order, Presence};

pub(crate) use march::{Aim as MarchAim, March as MarchFound};
pub(crate) use rig::floor;

/// Ways a drag may try out: at some microseconds each it stays well under a millisecond.
const TRIES: u32 = 40;

impl SevenYearsBattle {
    /// A unit by its own name, or the first of a group by the group's.
    pub(crate) fn steered_unit(&self, id: UnitId) -> Option<UnitIx> {
        self.known_unit(id).or_else(|| {
            let g = self.find_group(id)?;
            self.group(g).units.first().copied()
        })
    }

    /// The group a wish is about, and the unit of it that is steered.
    pub(crate) fn wished_group(&self, wish: &Wish) -> Result<(GroupIx, UnitIx), Illegal> {
        let Some(id) = wish.unit else {
            return Err(Illegal::new("SYW-GROUP-01", "name the group, unit or general to move"));
        };
        if let Some(u) = self.known_unit(id)
            && self.unit(u).side == self.s.phasing
            && self.unit(u).is_present()
        {
            return Ok((self.unit(u).group, u));
        }
        let group = self.find_group(id).filter(|&g| self.group(g).side == self.s.phasing);
        match group.and_then(|g| self.members(g).first().map(|&u| (g, u))) {
            Some(found) => Ok(found),
            None => Err(Illegal::new(
                "SYW-SEQ-02",
                format!("{id} is no group, unit or general of the phasing side on the table"),
            )),
        }
    }

    pub(crate) fn steer_movement(&self, wish: &Wish) -> Steer<Action> {
        if let Some(i) = wish.unit.and_then(|id| self.find_general(id)) {
            return self.steer_ride(i, wish);
        }
        let (g, u) = match self.wished_group(wish) {
            Ok(found) => found,
            Err(why) => return Steer::refused(why),
        };
        if self.unit(u).presence == Presence::Hidden {
            return self.steer_hidden(u, wish);
        }
        let action = wish.action.as_deref();
        if action == Some("rearrange") || (action.is_none() && self.in_melee(u)) {
            return self.steer_stand(u, wish);
        }
        if self.group(g).order == Order::Retreat && !self.retreats_free() {
            return Steer::refused(Illegal::new(
                "SYW-SEQ-04",
                format!("{} is on Retreat and moves before the others", self.group(g).id),
            ));
        }
        let onto = self.enemy_at(u, wish.place, 0.5).is_some();
        if action == Some("charge") || (action.is_none() && onto && self.group(g).order == Order::Advance) {
            let steer = self.steer_charge(g, u, wish);
            if steer.action.is_some() || action.is_some() {
                return steer;
            }
            // Out of reach: as near as a march brings it, and why it can't charge.
            let march = self.steer_march(g, u, wish);
            return Steer { why: steer.why, ..march };
        }
        self.steer_march(g, u, wish)
    }

    pub(crate) fn steer_march(&self, g: GroupIx, u: UnitIx, wish: &Wish) -> Steer<Action> {
        let alone = wish.action.as_deref() == Some("move_unit") && self.members(g).len() > 1;
        let aim = MarchAim {
            group: g,
            unit: u,
            place: wish.place,
            facing: wish.facing,
            by: &wish.by,
            alone,
            tries: TRIES,
        };
        let (found, why) = self.march(&aim);
        match found {
            Some(march) => Steer { action: Some(march.action), end: Some(march.end), why },
            None => Steer { action: None, end: None, why },
        }
    }

    /// The known enemy at a place, if one is within a distance of it.
    pub(crate) fn enemy_at(&self, u: UnitIx, place: Point, within: f64) -> Option<UnitIx> {
        let mut best = Nearest::within(0.0);
        for e in self.known_enemies(self.unit(u).side) {
            for r in &self.rects(e) {
                let off = Shape::Rect(*r).distance_to(place);
                if off <= within {
                    best.keep(off, e);
                }
            }
        }
        best.found()
    }

    /// A charge on whoever stands at the place (SYW-CHARGE-04).
    pub(crate) fn steer_charge(&self, g: GroupIx, u: UnitIx, wish: &Wish) -> Steer<Action> {
        let Some(e) = self.enemy_at(u, wish.place, 6.0) else {
            return Steer::refused(Illegal::new("SYW-CHARGE-04", "point at the enemy unit to charge"));
        };
        let target = Target { unit: self.unit(u).id, target: self.unit(e).id, wheel: None, ride_on: None };
        match self.judge_charge(g, &[target]) {
            Ok(aims) => {
                let end = aims.first().and_then(|a| self.approach_of(a)).map(|a| a.new.pose());
                let group = self.group(g).id;
                let why = end
                    .is_some_and(|end| end.at.distance(wish.place) >= 0.5)
                    .then(|| Illegal::new("SYW-CHARGE-11", "a charge ends where it meets the enemy"));
                Steer { action: Some(Action::Charge { group, targets: vec![target] }), end, why }
            }
            Err(why) => Steer::refused(why),
        }
    }
}
