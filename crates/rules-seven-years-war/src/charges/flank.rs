//! Meeting a charge in flank or rear (SYW-FLANK).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal};
use tricorne_table::{Point, angle};

use crate::action::FlankAnswer;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Aim, Direction, Formation, Group, Order, Unit, Units};
use crate::options::{ColumnFlankTurn, FlankFail, FlankNoAttempt};
use crate::rulebook::{Arm, Kind};

impl SevenYearsBattle {
    /// The D6 a unit needs to turn and face (SYW-FLANK-06, -09).
    pub(crate) fn turn_needed(&self, u: UnitIx) -> u8 {
        let info = self.info(u);
        let drill = &self.fixed.book.drill;
        if info.arm == Arm::Artillery {
            return drill.artillery.turn;
        }
        if info.kind == Kind::Mil {
            return if info.upgraded_drill {
                self.fixed.options.militia_upgraded_turn
            } else {
                drill.militia.turn
            };
        }
        self.drill_row(u).turn
    }

    /// Which answers a unit has.
    pub(crate) fn judge_flank(&self, u: UnitIx, answer: FlankAnswer) -> Result<(), Illegal> {
        match answer {
            FlankAnswer::None => Ok(()),
            FlankAnswer::Turn => {
                if self.engaged(u).len() < self.unit(u).strength() {
                    Ok(())
                } else {
                    refuse("SYW-FLANK-11", format!("{} has no unengaged stand to turn", self.unit(u).id))
                }
            }
            FlankAnswer::Square => {
                if self.order_of(u) != Order::Stand {
                    return refuse(
                        "SYW-FLANK-03",
                        format!("{} may form square on Stand only", self.unit(u).id),
                    );
                }
                if self.in_melee(u) {
                    return refuse(
                        "SYW-FLANK-03",
                        format!("{} is engaged and cannot form square", self.unit(u).id),
                    );
                }
                self.may_form(u, Formation::Square)
            }
        }
    }

    /// Carries the answer out (X4).
    pub(crate) fn meet_flank(
        &mut self,
        u: UnitIx,
        from: Direction,
        by: GroupIx,
        answer: FlankAnswer,
        now: &mut Now<'_>,
    ) {
        if !self.unit(u).is_known() || self.order_of(u) == Order::Rout {
            return;
        }
        let id = self.unit(u).id;
        if answer == FlankAnswer::None {
            let all_engaged = self.engaged(u).len() >= self.unit(u).strength();
            let why = all_engaged.then_some("with every stand engaged");
            self.no_attempt(u, by, why, now);
            return;
        }
        let column = self.unit(u).formation.is_column();
        if !(column && self.fixed.options.column_flank_turn == ColumnFlankTurn::Automatic) {
            let needed = self.turn_needed(u);
            let face = now.chance.d6("turn_to_face");
            let turned = face >= needed;
            now.say(|| {
                Event::new("flank_turn", "SYW-FLANK-06")
                    .who(id)
                    .faces(&[face])
                    .needed(i32::from(needed))
                    .outcome(match (turned, answer) {
                        (false, _) => "failed",
                        (true, FlankAnswer::Square) => "square",
                        (true, _) => "turned",
                    })
            });
            if !turned {
                self.fail_to_turn(u, by, now);
                return;
            }
        }
        if answer == FlankAnswer::Square {
            let mut new = stands::formed(self.unit(u), Formation::Square, self.info(u));
            new.phase.moved = true;
            new.phase.turned_now = true;
            self.settle(u, new);
        } else {
            let engaged: smallvec::SmallVec<[usize; 10]> =
                self.engaged(u).iter().map(|&i| usize::from(i)).collect();
            let info = self.info(u);
            let new = if info.arm == Arm::Artillery {
                self.battery_turned(u, from)
            } else {
                stands::turned_to_face(self.unit(u), from, &engaged, info)
            };
            self.put_as(u, new);
            self.push_aside(u);
        }
        self.sync_contacts();
    }

    /// A battery turns its one stand on the spot (SYW-FLANK-15).
    fn battery_turned(&self, u: UnitIx, from: Direction) -> Unit {
        let unit = self.unit(u);
        let turn = match from {
            Direction::Left => 270.0,
            Direction::Right => 90.0,
            Direction::Rear => 180.0,
            Direction::Front => 0.0,
        };
        let mut new = unit.clone();
        let centre = unit.pose().to_world(Point::new(0.0, -2.0));
        new.facing = angle::normalise(unit.facing + turn);
        new.at = centre + angle::forward(new.facing) * 2.0;
        new.was = unit.formation;
        new.was_at = unit.at;
        new.was_facing = unit.facing;
        new.formation = Formation::Turned;
        new.turned = Some(from);
        new.phase.turned_now = true;
        new.phase.moved = true; // SYW-SHOOT-33: it has pivoted, and the next phase looks back on that.
        new
    }

    /// A column that turned may stick out a little; it gives way to whom it would overlap, straight back.
    fn push_aside(&mut self, u: UnitIx) {
        for step in 0..24 {
            let unit = self.unit(u);
            let pose = crate::model::state::grain(unit.pose().back(f64::from(step) * 0.5));
            if self.is_free(&self.rects_at(unit, pose), u) {
                self.put(u, pose);
                return;
            }
        }
        let new = self.unit(u).clone();
        self.settle(u, new);
    }

    /// A unit that makes no attempt to face a charge in flank or rear counts as failing to turn (SYW-FLANK-11).
    pub(crate) fn no_attempt(
        &mut self,
        u: UnitIx,
        by: GroupIx,
        why: Option<&'static str>,
        now: &mut Now<'_>,
    ) {
        let id = self.unit(u).id;
        now.say(|| Event::new("flank_turn", "SYW-FLANK-11").who(id).outcome("none").with("because", why));
        if self.fixed.options.flank_no_attempt == FlankNoAttempt::Routs {
            self.fail_to_turn(u, by, now);
        }
    }

    fn fail_to_turn(&mut self, u: UnitIx, by: GroupIx, now: &mut Now<'_>) {
        if self.info(u).arm == Arm::Artillery {
            self.destroy(u, "SYW-FLANK-15", now.log);
            self.sync_contacts();
            return;
        }
        let aims: SmallVec<[Aim; 4]> =
            self.group(by).phase.aims.iter().copied().filter(|a| a.target == u).collect();
        let way = self.line_of_charge(&aims);
        let g = match self.fixed.options.flank_fail {
            FlankFail::GroupRouts => self.unit(u).group,
            FlankFail::UnitRouts => self.split_off(u),
        };
        self.rout(g, way, now);
    }

    /// A unit becomes a group of its own, with its general and its losses (SYW-ORDER-19, SYW-MORALE-20).
    pub(crate) fn split_off(&mut self, u: UnitIx) -> GroupIx {
        let old = self.unit(u).group;
        if self.group(old).units.len() == 1 {
            return old;
        }
        let id = self.unit(u).id;
        let mut new: Group = self.group(old).clone();
        new.id = if self.find_group(id).is_none() { id } else { self.free_group_name(id) };
        new.units = Units::from_slice(&[u]);
        new.ghosts_started = 0;
        new.phase.aims.retain(|a| a.unit == u);
        self.group_mut(old).units.retain(|v| *v != u);
        self.s.groups.push(new);
        let g = GroupIx::of(self.s.groups.len() - 1);
        self.unit_mut(u).group = g;
        g
    }

    fn free_group_name(&self, id: tricorne_game::UnitId) -> tricorne_game::UnitId {
        for k in 2..100 {
            let base: String = id.as_str().chars().take(12).collect();
            if let Ok(name) = format!("{base}-{k}").parse()
                && self.find_group(name).is_none()
            {
                return name;
            }
        }
        id
    }

    /// A unit back in the formation it stood in before it turned (SYW-FLANK-12).
    pub(crate) fn unturned(&self, unit: &Unit) -> Unit {
        let Some(from) = unit.turned else { return unit.clone() };
        let info = self.info_of(unit);
        let mut new = unit.clone();
        let was = if unit.was == Formation::Turned { Formation::Line } else { unit.was };
        new.formation = was;
        new.turned = None;
        new.stands = stands::layout(was, unit.strength(), info);
        let turn = match from {
            Direction::Left => 270.0,
            Direction::Right => 90.0,
            Direction::Rear => 180.0,
            Direction::Front => 0.0,
        };
        if info.arm == Arm::Artillery {
            let centre = unit.pose().to_world(Point::new(0.0, -2.0));
            new.facing = angle::normalise(unit.facing - turn);
            new.at = centre + angle::forward(new.facing) * 2.0;
        } else if angle::turn(unit.was_facing, unit.facing).abs() > 1.0 {
            let e = new.extent(info.depth);
            let edge = match from {
                Direction::Left => Point::new(e.left, (e.front + e.rear) * 0.5),
                Direction::Right => Point::new(e.right, (e.front + e.rear) * 0.5),
                Direction::Rear => Point::new((e.left + e.right) * 0.5, e.rear),
                Direction::Front => Point::new((e.left + e.right) * 0.5, e.front),
            };
            new.facing = angle::normalise(unit.facing - turn);
            new.at = unit.at;
            let way = new.pose().frame().to_world_way(edge);
            new.at = unit.at - way;
        }
        new
    }

    /// Turned stands go back when their attackers have gone (SYW-FLANK-12).
    pub(crate) fn turn_back(&mut self) {
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if crate::charges::oblique::swung(unit) && unit.is_known() && !self.in_melee(u) {
                let new = stands::formed(unit, unit.formation, self.info(u));
                self.settle(u, new);
                continue;
            }
            if unit.turned.is_none()
                || !unit.is_known()
                || self.in_melee(u)
                || self.order_of(u) == Order::Rout
            {
                continue;
            }
            let new = self.unturned(self.unit(u));
            self.settle(u, new);
        }
    }
}
