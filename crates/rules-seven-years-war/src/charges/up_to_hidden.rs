//! A charge that comes upon hidden enemies (SYW-VIS-04, -06).

use tricorne_drill::Now;
use tricorne_table::angle;

use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::Aim;
use crate::movement::walk::{Dice, Stop};

impl SevenYearsBattle {
    /// The first of a group's chargers that would come upon hidden enemies on its declared way rides up to them; they are
    /// asked, and the charge goes on from there. Whether there was one.
    pub(crate) fn rides_up_to_hidden(&mut self, g: GroupIx, now: &mut Now<'_>) -> bool {
        if self.hidden_units(self.group(g).side.enemy()).is_empty() {
            return false;
        }
        for k in 0..self.group(g).phase.aims.len() {
            let aim = self.group(g).phase.aims[k];
            let u = aim.unit;
            if !self.unit(u).is_known() || !self.lies_ahead(&aim) {
                continue;
            }
            let (mut movers, legs, heed) = self.charge_legs(u, aim.wheel);
            let judged = self.walk(&mut movers, &legs, &heed, &mut Dice::none());
            if !judged.is_ok_and(|walked| matches!(walked.stop, Some(Stop::Ambush(..)))) {
                continue;
            }
            // The same way with the dice of its ground, which may end it before.
            let (mut movers, ..) = self.charge_legs(u, aim.wheel);
            let Ok(walked) = self.walk_rolling(&mut movers, &legs, &heed, now) else { continue };
            let Some(m) = movers.pop() else { continue };
            self.make_way(g, &m, &legs, None, now);
            let here = self.unit(u).pose();
            let mut new = m.new;
            new.phase.moved = true;
            new.phase.paid = m.paid;
            new.phase.set_out.get_or_insert(here);
            new.phase.ridden += m.spent.min(1e6);
            self.group_mut(g).phase.aims[k].wheel -= angle::turn(here.facing, new.facing);
            self.put_as(u, new);
            self.unstack(&[u]);
            self.push_generals(u, now.log);
            if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
                self.then_goes_on(g, Rest::Charge);
                self.ambushed(hidden, mover);
            }
            self.reveal_by_sight(now.log);
            if self.will_go_on(g) {
                return true;
            }
        }
        false
    }

    /// How much nearer to its target a charger has come already, up to hidden enemies: its wheel has brought it no nearer.
    pub(crate) fn ridden_ahead(&self, u: UnitIx) -> f64 {
        let unit = self.unit(u);
        let wheeled = unit.phase.set_out.map_or(0.0, |from| angle::turn(from.facing, unit.facing));
        (unit.phase.ridden - self.charge_wheel_cost(u, wheeled)).max(0.0)
    }

    /// Whether the way that was declared still leads to the target, enemies in between or not.
    pub(crate) fn lies_ahead(&self, aim: &Aim) -> bool {
        self.unit(aim.target).is_known()
            && !self.unit(aim.target).surrendered
            && self
                .approach(aim.unit, aim.target, self.charge_left(aim.unit), Some(aim.wheel), true)
                .is_some()
    }
}
