//! Moves and charges found at random or one after the other, for players who do not think.

use smallvec::SmallVec;
use tricorne_chance::Whim;

use crate::action::{Action, Hand, Leg, Legs, Target, Turn};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Formation, Order};
use crate::rulebook::Arm;

impl SevenYearsBattle {
    /// One unit's charge on one enemy, the wheel left to the umpire.
    fn lone_charge(&self, u: UnitIx, e: UnitIx) -> Action {
        let (unit, target) = (self.unit(u).id, self.unit(e).id);
        Action::Charge {
            group: self.group_of(u).id,
            targets: vec![Target { unit, target, wheel: None, ride_on: None }],
        }
    }

    /// The first charge a group could declare, beginning at some enemy.
    pub(crate) fn find_charge(&self, g: GroupIx, from: usize) -> Option<Action> {
        let side = self.group(g).side;
        let n = self.s.units.len();
        self.members(g).into_iter().find_map(|u| {
            let left = self.charge_left(u);
            (0..n).map(|k| UnitIx::of((from + k) % n)).find_map(|e| {
                let near = self.unit(e).side != side
                    && self.unit(e).is_known()
                    && self.gap_below(u, e, left + 0.1).is_some();
                let target =
                    Target { unit: self.unit(u).id, target: self.unit(e).id, wheel: None, ride_on: None };
                (near && self.judge_charge(g, &[target]).is_ok()).then(|| self.lone_charge(u, e))
            })
        })
    }

    /// Charges of one unit of a group on one enemy in reach, legal or not.
    pub(crate) fn charge_proposals(&self, g: GroupIx) -> Vec<Action> {
        let mut all = Vec::new();
        if self.group(g).order == Order::Advance {
            for &u in &self.members(g) {
                let left = self.charge_left(u);
                let near = self
                    .known_enemies(self.group(g).side)
                    .filter(|&e| self.gap_below(u, e, left + 0.1).is_some());
                all.extend(near.map(|e| self.lone_charge(u, e)));
            }
        }
        all
    }

    /// A move of some group or general, legal or not.
    pub(crate) fn some_move(&self, whim: &mut Whim) -> Action {
        if whim.chance(0.04)
            && let Some(ride) = self.some_ride(whim)
        {
            return ride;
        }
        if whim.chance(0.02)
            && let Some(rank) = whim.one_of(&self.rear_rank_proposals(self.s.phasing))
        {
            return rank.clone();
        }
        let idle: SmallVec<[GroupIx; 16]> = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                !group.phase.moved
                    && !group.phase.halted
                    && !matches!(group.order, Order::Rout | Order::Retreat)
                    && group.pursuing.is_none()
                    && !self.group_in_melee(g)
            })
            .collect();
        let Some(&g) = whim.one_of(&idle).filter(|_| !whim.chance(0.03)) else { return Action::Done };
        if self.group(g).order == Order::Advance
            && whim.chance(0.4)
            && let Some(charge) = self.some_charge(g, whim)
        {
            return charge;
        }
        let legs = self.some_legs(g, whim);
        Action::Move { group: self.group(g).id, legs, units: Vec::new(), stand: false }
    }

    /// A charge on some enemy in reach.
    fn some_charge(&self, g: GroupIx, whim: &mut Whim) -> Option<Action> {
        let members = self.members(g);
        let &u = whim.one_of(&members)?;
        let left = self.charge_left(u);
        let near: SmallVec<[UnitIx; 8]> = self
            .known_enemies(self.unit(u).side)
            .filter(|&e| self.unit(e).frame.bounds.gap_squared(&self.unit(u).frame.bounds) < left * left)
            .collect();
        whim.one_of(&near).map(|&e| self.lone_charge(u, e))
    }

    fn some_ride(&self, whim: &mut Whim) -> Option<Action> {
        let riders: SmallVec<[GeneralIx; 8]> = GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let general = self.general(i);
                general.side == self.s.phasing && !general.moved && general.is_present()
            })
            .collect();
        let general = self.general(*whim.one_of(&riders)?);
        let reach = self.fixed.book.general.speed * 0.6;
        let to = [general.at.x + whim.between(-reach, reach), general.at.y + whim.between(-reach, reach)];
        Some(Action::General { general: general.id, to })
    }

    fn some_legs(&self, g: GroupIx, whim: &mut Whim) -> Legs {
        let members = self.members(g);
        let mut legs = Legs::new();
        let Some(&first) = members.first() else { return legs };
        let speed =
            members.iter().map(|&u| self.speed(u)).fold(f64::MAX, f64::min) - self.group(g).phase.used;
        let hand = if whim.chance(0.5) { Hand::Left } else { Hand::Right };
        match self.group(g).order {
            Order::Advance => {
                let mut left = speed;
                if whim.chance(0.4) {
                    let degrees = whim.between(1.0, 25.0).round();
                    let width: f64 = members
                        .iter()
                        .map(|&u| {
                            let (l, r) = self.front_of(self.unit(u));
                            r - l + 1.0
                        })
                        .sum();
                    let slow = members.iter().map(|&u| self.drill_row(u).wheel).fold(1.0, f64::max);
                    let cost = self.wheel_price(width, degrees) * slow;
                    if cost < left * 0.5 {
                        legs.push(Leg::Wheel { side: hand, degrees });
                        left -= cost;
                    }
                }
                legs.push(Leg::Forward((whim.between(0.5, 1.0) * left).max(0.0)));
            }
            Order::Reserve => {
                let roll = whim.below(8);
                if self.info(first).arm == Arm::Artillery && roll < 2 {
                    legs.push(Leg::Pivot(whim.between(-90.0, 90.0).round()));
                } else if roll == 0 {
                    legs.push(Leg::Turn(Turn::About));
                } else if roll == 1 {
                    legs.push(Leg::Form(if whim.chance(0.5) { Formation::Column2 } else { Formation::Line }));
                } else if roll == 2 {
                    legs.push(Leg::Back(whim.between(0.1, 0.5) * speed));
                } else if roll == 3 {
                    legs.push(Leg::Incline { side: hand, distance: whim.between(0.1, 0.5) * speed });
                } else {
                    legs.push(Leg::Forward(whim.between(0.1, 1.0) * speed));
                }
            }
            _ => {
                let roll = whim.below(10);
                if roll == 0 {
                    legs.push(Leg::Turn(Turn::About));
                } else if roll == 1 {
                    legs.push(Leg::Form(Formation::Square));
                } else {
                    legs.push(Leg::Shift([whim.between(-3.0, 3.0), whim.between(-3.0, 3.0)]));
                }
            }
        }
        legs
    }
}
