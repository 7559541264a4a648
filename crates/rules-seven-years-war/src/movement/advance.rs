//! What Advance asks of a group: how near it was, that it moves, when it may stand (SYW-ORDER-25 to -36).

use crate::action::{Hand, Leg, Legs};
use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::footprints::bounds_of;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Groups, Order, Presence, Units};
use crate::movement::groups::Plan;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};
use crate::orders::halt::Halted;
use crate::rulebook::{Arm, part};
use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::Illegal;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose};

impl SevenYearsBattle {
    /// The default move of an Advance group that was not moved: straight ahead by half its speed (M5).
    pub(crate) fn default_advance(&mut self, g: GroupIx, now: &mut Now<'_>) {
        self.note_advances();
        let members = self.members(g);
        let fastest = members.iter().map(|&u| self.info(u).speed).fold(0.0, f64::max);
        let half = part(self.fixed.book.charts.shares.advance, fastest) - self.group(g).phase.used;
        let half = half.max(0.0);
        let mut legs: Legs = SmallVec::from_slice(&[Leg::Forward(half)]);
        let mut plan = self.plan_move(g, &legs, &[], false, &mut Dice::none(), true, &[]);
        if plan.is_err()
            && let Some((path, other)) = self.some_advance(g, half)
        {
            (legs, plan) = (path, Ok(other));
        }
        if let Ok(p) = &plan
            && p.left_table
        {
            // SYW-OFF-01: a group that is made to move halts at the edge.
            plan = self.plan_to_edge(g, half, now);
        }
        match plan {
            Ok(plan) => {
                let plan = if plan.left_table || plan.stop == Some(Stop::Edge) {
                    plan
                } else {
                    self.real_plan(g, &legs, &[], false, now.chance).unwrap_or(plan)
                };
                self.make_move(plan, now);
            }
            Err(_) => {
                // SYW-ORDER-36
                self.group_mut(g).phase.moved = true;
                self.halt(g, Halted::NoWayOn, now.log);
            }
        }
    }

    /// A legal advance where straight on by half a move is none: by a whole move, or by a wheel and straight on
    /// (SYW-ORDER-36).
    fn some_advance(&self, g: GroupIx, half: f64) -> Option<(Legs, Plan)> {
        let movers: Movers = self.members(g).iter().map(|&u| self.mover(u)).collect();
        let most = movers.iter().map(|m| m.allowance).fold(f64::MAX, f64::min);
        let slow = movers.iter().map(|m| self.drill_row(m.u).wheel).fold(1.0, f64::max);
        // Wheels are tried by a sixth of a right angle, for who was forgotten is not marched by the degree; where none of
        // those leads on, by less than that, which wide groups can pay for, and by whole moves.
        let wide: SmallVec<[f64; 8]> = (1..=6).map(|k| f64::from(k) * 15.0).collect();
        let tries = [(&wide[..], half), (&[5.0, 10.0], half), (&[5.0, 10.0], most), (&wide, most)];
        let tries = tries.into_iter().flat_map(|(by, length)| {
            by.iter().flat_map(move |&degrees| [Hand::Left, Hand::Right].map(|side| (side, degrees, length)))
        });
        let wheeled = tries.filter_map(|(side, degrees, length)| {
            let (hinge, width) = self.hinge(&movers, side);
            let ahead = length - self.wheel_price(width, degrees) * slow;
            (ahead >= 0.0 && self.comes_nearer(&movers, (hinge, side, degrees), ahead))
                .then(|| SmallVec::from_slice(&[Leg::Wheel { side, degrees }, Leg::Forward(ahead)]))
        });
        std::iter::once(SmallVec::from_slice(&[Leg::Forward(most)])).chain(wheeled).find_map(|path: Legs| {
            let plan = self.plan_move(g, &path, &[], false, &mut Dice::none(), true, &[]).ok()?;
            (!plan.left_table).then_some((path, plan))
        })
    }

    /// Whether a wheel and straight on bring the middle of a group nearer to some massed enemy, or not much farther off: if not,
    /// it is no advance (SYW-ORDER-26), and need not be walked to find out.
    fn comes_nearer(&self, movers: &[Mover], (hinge, side, degrees): (Point, Hand, f64), ahead: f64) -> bool {
        const ABOUT: f64 = 5.0;
        let Some(first) = movers.first() else { return true };
        let turn = if side == Hand::Right { degrees } else { -degrees };
        let units: Units = movers.iter().map(|m| m.u).collect();
        let here = self.centre_of(&units);
        let wheeled = Pose { at: here, facing: first.new.facing }.turned_about(hinge, turn);
        let there = wheeled.ahead(ahead).at;
        let far = |from: Point| {
            let known = self.known_enemies(first.new.side);
            let massed = known.filter(|&e| self.is_massed(e) && self.holds_ground(e));
            massed.map(|e| from.distance(self.centre_of(&[e]))).fold(f64::INFINITY, f64::min)
        };
        let (before, after) = (far(here), far(there));
        before.is_infinite() || after <= before + ABOUT
    }

    pub(crate) fn plan_to_edge(&self, g: GroupIx, half: f64, now: &mut Now<'_>) -> Result<Plan, Illegal> {
        let heed = Heed { halts: true, yielding: self.yielding_to(g), halt_at_edge: true, ..Heed::default() };
        let mut movers: Movers = self.members(g).iter().map(|&u| self.mover(u)).collect();
        let walked = self.walk_rolling(&mut movers, &[Leg::Forward(half)], &heed, now)?;
        let mut plan = Plan { group: g, yielding: heed.yielding, ..Plan::default() };
        self.take_in(&mut plan, movers, &walked);
        if self.resting_on(&plan.movers, self.group(g).side).is_some() {
            return refuse("SYW-MODEL-33", "it would come to rest on somebody");
        }
        Ok(plan)
    }

    /// Judges a halt by choice (SYW-ORDER-27, -31).
    pub(crate) fn judge_stand(&self, g: GroupIx) -> Result<(), Illegal> {
        let group = self.group(g);
        if group.side != self.s.phasing || group.order != Order::Advance {
            return refuse("SYW-ORDER-31", format!("{} is not on Advance", group.id));
        }
        if group.phase.charging {
            return refuse("SYW-CHARGE-07", format!("{} has passed its test and charges", group.id));
        }
        if self.group_in_melee(g) {
            return refuse("SYW-MOVE-20", format!("{} is in melee", group.id));
        }
        let members = self.members(g);
        if group.arm == Arm::Artillery {
            if group.phase.began_on_stand {
                return refuse(
                    "SYW-ORDER-27",
                    format!("{} began this phase on Stand and may not go back to it yet", group.id),
                );
            }
            let reach = |u: UnitIx| self.fixed.book.ranges(self.info(u).weapon).greatest();
            let near =
                members.iter().any(|&u| self.known_enemies(group.side).any(|e| self.near(u, e, reach(u))));
            return if near {
                Ok(())
            } else {
                refuse("SYW-ORDER-27", format!("{} has no enemy within its greatest range", group.id))
            };
        }
        let missile = |u: UnitIx| self.fixed.book.ranges(self.info(u).weapon).long.unwrap_or(0.0);
        if members.iter().all(|&u| missile(u) <= 0.0) {
            return refuse(
                "SYW-ORDER-31",
                format!("{} has no missiles and may not halt by choice", group.id),
            );
        }
        let near =
            members.iter().any(|&u| self.known_enemies(group.side).any(|e| self.near(u, e, missile(u))));
        if near {
            Ok(())
        } else {
            refuse("SYW-ORDER-31", format!("{} has no known enemy within long range", group.id))
        }
    }

    /// Groups of the phasing side on Advance that have not moved and must (SYW-ORDER-25).
    pub(crate) fn unmoved_advance(&self) -> Option<GroupIx> {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                group.order == Order::Advance
                    && !group.phase.moved
                    && !group.phase.halted
                    && !group.phase.charging
                    && group.pursuing.is_none()
                    && !self.group_in_melee(g)
                    && self.members(g).iter().all(|&u| self.unit(u).presence == Presence::OnTable)
            })
            .collect();
        groups.put_in_order(|&a, &b| name_order(&self.group(a).id, &self.group(b).id));
        groups.first().copied()
    }

    /// Notes distances when a phase begins (P0).
    pub(crate) fn note_distances(&mut self) {
        let side = self.s.phasing;
        for u in self.unit_ids() {
            if self.unit(u).side == side {
                self.unit_mut(u).began.clear();
            }
        }
        for g in self.groups_of(side) {
            if self.group(g).order == Order::Retreat {
                let gap = self.group_gap_to_enemy(g);
                self.group_mut(g).phase.began_gap = gap;
            }
        }
    }

    /// Notes how far groups on Advance that have yet to begin their move are from the enemy (SYW-ORDER-26).
    pub(crate) fn note_advances(&mut self) {
        for g in self.groups_of(self.s.phasing) {
            let group = self.group(g);
            if group.order == Order::Advance && !group.phase.moved && group.phase.used <= 0.0 {
                for u in self.members(g) {
                    self.note_unit(u);
                }
            }
        }
    }

    /// Whether an enemy counts for how far others stand from the enemy: not one that runs, nor a prisoner
    /// (SYW-ORDER-26, -46).
    pub(crate) fn holds_ground(&self, e: UnitIx) -> bool {
        !self.unit(e).surrendered && self.order_of(e) != Order::Rout
    }

    /// Distances of each stand from known massed enemies (SYW-ORDER-26).
    pub(crate) fn note_unit(&mut self, u: UnitIx) {
        let side = self.unit(u).side;
        let massed: Units =
            self.known_enemies(side).filter(|&e| self.is_massed(e) && self.holds_ground(e)).collect();
        // A stand of each of them.
        let stands: SmallVec<[Point; 16]> = massed.iter().map(|&e| self.rect(e, 0).centre()).collect();
        let mut began = arrayvec::ArrayVec::new();
        for i in 0..self.unit(u).strength() {
            let rect = self.rect(u, i);
            let around = bounds_of(&rect);
            // The nearest is no farther off than the middle of any stand: who is, need not be measured.
            let far = stands.iter().map(|&at| rect.centre().distance(at)).fold(1e6 - 0.1, f64::min) + 0.1;
            let mut best = f64::MAX;
            for &e in &massed {
                let limit = best.min(far);
                // No gap is less than that of the boxes.
                if around.gap_squared(&self.unit(e).frame.bounds) <= limit * limit
                    && let Some(gap) = self.rects_gap(&[rect], e, limit)
                {
                    best = best.min(gap);
                }
            }
            began.push(if best > 1e5 { 1e6 } else { best });
        }
        self.unit_mut(u).began = began;
    }
}
