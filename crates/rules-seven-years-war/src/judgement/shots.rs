//! Shots, weighed by what they kill and what that does (SYW-SHOOT).

use smallvec::SmallVec;
use tricorne_game::InOrder;

use crate::action::Action;
use crate::judgement::Weighed;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Formation, Order, Presence};
use crate::shooting::shots::{Mark, Shot};

impl SevenYearsBattle {
    /// Shots of one unit after the other, small arms first (SYW-SHOOT-02).
    pub(crate) fn weigh_shooting(&self, all: &mut Weighed) {
        let side = self.shooting_side();
        for guns in [false, true] {
            for u in self.unit_ids() {
                let unit = self.unit(u);
                let info = self.info(u);
                if unit.side != side || unit.presence != Presence::OnTable || info.weapon.is_gun() != guns {
                    continue;
                }
                let reach = self.fixed.book.ranges(info.weapon).greatest();
                if reach <= 0.0 || !self.can_shoot(u) {
                    continue;
                }
                let mut likely: SmallVec<[(f64, UnitIx); 12]> = SmallVec::new();
                for t in self.known_enemies(side) {
                    let target = self.unit(t);
                    let gap = target.frame.bounds.gap_squared(&unit.frame.bounds);
                    let charging = self.charge_on(u, t).is_some();
                    if target.surrendered || (gap > (reach + 0.1) * (reach + 0.1) && !charging) {
                        continue;
                    }
                    let local = unit.pose().to_local(target.frame.bounds.centre());
                    if local.y < -12.0 && !charging && unit.formation != Formation::Square {
                        continue;
                    }
                    likely.push((gap, t));
                }
                likely.put_in_order(|a, b| a.0.total_cmp(&b.0));
                for &(_, t) in likely.iter().take(6) {
                    if let Some(shot) = self.shot_at(u, Mark::Unit(t))
                        && let Some(worth) = self.shot_worth(&shot, u, t)
                    {
                        let action =
                            Action::Shoot { unit: unit.id, target: self.name_of(t), stands: SmallVec::new() };
                        all.push(action, worth, ("what it kills, and whom", "SYW-SHOOT-05"));
                    }
                }
                if !all.is_empty() {
                    return;
                }
            }
        }
        all.push(Action::Done, 0.0, "nobody to shoot at");
    }

    /// What a shot is worth: points killed, more where it stops a charge, shakes a group that is worn already or clears
    /// ground that is worth points. None for a shot that can't do anything.
    fn shot_worth(&self, shot: &Shot, u: UnitIx, t: UnitIx) -> Option<f64> {
        let w = &self.mind.weighs;
        let volley = self.volley(u, t, shot.stands.len(), shot.range, shot.band, None);
        if volley.kills <= 0.0 && (volley.disorder <= 0.0 || self.unit(t).disordered) {
            return None;
        }
        let g = self.unit(t).group;
        let (started, left) = self.group_strength(g);
        let worn = f64::from(started.saturating_sub(left)) / f64::from(started.max(1));
        let price = self.info(t).price;
        let calm =
            if self.unit(t).disordered { 0.0 } else { volley.disorder * w.shot_disorders * self.worth(t) };
        let mut worth = volley.kills * price * (1.0 + w.shoot_worn * worn) + calm;
        if self.charge_on(u, t).is_some() || self.group(g).phase.charging {
            worth *= w.shoot_charger;
        }
        if self.order_of(t) == Order::Rout {
            worth *= w.shoot_runners;
        }
        let holds = self.fixed.objectives.iter().any(|o| {
            let piece = self.fixed.pieces.get(o.piece);
            piece.and_then(|p| p.area()).is_some_and(|a| a.contains(self.unit(t).frame.bounds.centre()))
        });
        if holds {
            worth *= w.shoot_holder;
        }
        Some(1.0 + worth)
    }
}
