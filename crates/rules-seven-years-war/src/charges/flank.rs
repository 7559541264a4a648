//! Meeting a charge in flank or rear (SYW-FLANK).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, InOrder};
use tricorne_table::{Point, angle};

use crate::action::FlankAnswer;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::overlapping;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{
    Aim, Contact, Direction, Formation, Group, MOST_STANDS, Order, Stand, Unit, Units,
};
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

    /// Which answers a unit has to the charge of a group.
    pub(crate) fn judge_flank(&self, u: UnitIx, by: GroupIx, answer: FlankAnswer) -> Result<(), Illegal> {
        match answer {
            FlankAnswer::None => Ok(()),
            FlankAnswer::Turn => {
                if self.held_stands(u, by).len() < self.unit(u).strength() {
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
                if self.in_melee_with_others(u, by) {
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
            let all_engaged = self.held_stands(u, by).len() >= self.unit(u).strength();
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
            let engaged: SmallVec<[usize; 10]> =
                self.held_stands(u, by).iter().map(|&i| usize::from(i)).collect();
            let battery = self.info(u).arm == Arm::Artillery;
            let before = self.unit(u);
            let side = before.own_side(from);
            let mut new = if battery {
                self.battery_turned(u, side)
            } else {
                stands::turned_to_face(before, side, &engaged, self.info(u))
            };
            new.turned = Some(from);
            if before.turned.is_some() {
                // It goes back to where it stood before it turned at all.
                (new.was, new.was_at, new.was_facing) = (before.was, before.was_at, before.was_facing);
            }
            self.put_as(u, new);
            if engaged.is_empty() || battery {
                self.push_aside(u);
            } else {
                self.slide_turned(u, side, &engaged);
            }
        }
        self.set_flush_again(u, by);
        self.sync_contacts();
    }

    /// Those who have met a unit before it could answer are set against it as it stands now (SYW-CHARGE-11).
    fn set_flush_again(&mut self, u: UnitIx, by: GroupIx) {
        let met: SmallVec<[(UnitIx, Direction); 4]> = self
            .s
            .contacts
            .iter()
            .filter(|c| c.defender == u && c.partial == 0 && self.unit(c.attacker).group == by)
            .map(|c| (c.attacker, c.from))
            .collect();
        for (attacker, from) in met {
            let facing = self.square_on(attacker, u, from);
            self.set_flush(attacker, u, Some(facing));
        }
    }

    /// A battery turns its one stand on the spot (SYW-FLANK-15).
    fn battery_turned(&self, u: UnitIx, from: Direction) -> Unit {
        let unit = self.unit(u);
        let mut new = unit.clone();
        let centre = unit.pose().to_world(Point::new(0.0, -2.0));
        new.facing = angle::normalise(unit.facing + from.turn());
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

    /// Stands that turned while others of the unit fight slide along the attacked edge, or back from it, where they would
    /// overlap somebody; the engaged stay as they are (SYW-MODEL-14).
    fn slide_turned(&mut self, u: UnitIx, from: Direction, engaged: &[usize]) {
        let unit = self.unit(u).clone();
        let back = -angle::forward(from.turn()) * 0.5;
        let along = Point::new(back.y.abs(), -back.x.abs());
        for shift in (0..24).flat_map(|step| [along, -along, back].map(|way| way * f64::from(step))) {
            let mut new = unit.clone();
            for (_, s) in new.stands.iter_mut().enumerate().filter(|(i, _)| !engaged.contains(i)) {
                s.u += shift.x;
                s.v += shift.y;
            }
            if self.is_free(&self.rects_at(&new, new.pose()), u) {
                self.put_as(u, new);
                return;
            }
        }
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
        if info.arm == Arm::Artillery {
            let centre = unit.pose().to_world(Point::new(0.0, -2.0));
            new.facing = angle::normalise(unit.facing - from.turn());
            new.at = centre + angle::forward(new.facing) * 2.0;
        } else if angle::turn(unit.was_facing, unit.facing).abs() > 1.0 {
            let edge = new.extent(info.depth).middle(from);
            new.facing = unit.was_facing;
            let way = new.pose().frame().to_world_way(edge);
            new.at = if unit.turned_whole().is_some() { unit.at - way } else { unit.was_at };
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
            if unit.turned.is_none() || !unit.is_known() || self.order_of(u) == Order::Rout {
                continue;
            }
            if !self.in_melee(u) {
                let mut new = self.unturned(self.unit(u));
                new.phase.moved |= self.info(u).arm == Arm::Artillery; // SYW-SHOOT-33: a gun pivots back.
                self.settle(u, new);
            } else if let Some(new) = self.turned_back_beside(u) {
                self.put_as(u, new);
            }
        }
    }

    /// A unit of which some stands fight on when those have gone to whom the others had turned: they are back behind and
    /// beside them (SYW-FLANK-12). None while their attackers are there, or where there is no room.
    fn turned_back_beside(&self, u: UnitIx) -> Option<Unit> {
        let unit = self.unit(u);
        let there = |c: &Contact| c.defender == u && Some(c.from) == unit.turned;
        let turned_twice = angle::turn(unit.was_facing, unit.facing).abs() > 1.0;
        if unit.turned_whole().is_some() || self.s.contacts.iter().any(there) {
            return None;
        }
        let (info, mut new) = (self.info_of(unit), unit.clone());
        if turned_twice {
            // They are back in the column that faces those to whom it had turned first.
            new.stands = stands::layout(Formation::Turned, unit.strength(), info);
            new.turned = Some(Direction::at(angle::turn(unit.was_facing, unit.facing)));
            let near = |a: &Stand, b: &Stand| (a.u - b.u).abs() < 0.05 && (a.v - b.v).abs() < 0.05;
            let mut held = unit.stands.iter().filter(|s| s.turn == 0.0);
            let stay = held.all(|s| new.stands.iter().any(|place| near(s, place)));
            return (stay && self.is_free(&self.rects_at(&new, new.pose()), u)).then_some(new);
        }
        new.stands.retain(|s| s.turn == 0.0);
        let front = new.stands.iter().map(|s| s.v).fold(f64::MIN, f64::max);
        let files: SmallVec<[f64; 10]> =
            new.stands.iter().filter(|s| s.v > front - 0.1).map(|s| s.u).collect();
        let (low, high) = files.iter().fold((f64::MAX, f64::MIN), |(l, h), &f| (l.min(f), h.max(f)));
        // Behind those in front from the left, where the line has two ranks; then beside them, right and left in turn.
        let behind = if stands::two_ranks(info) { files.as_slice() } else { &[] };
        let beside = (1..=MOST_STANDS).map(|k| k as f64 * stands::WIDTH);
        let mut places: SmallVec<[Stand; 32]> =
            behind.iter().map(|&f| Stand { u: f, v: front - info.depth, turn: 0.0, rank: 1 }).collect();
        places.put_in_order(|a, b| a.u.total_cmp(&b.u));
        places.extend(beside.flat_map(|off| [high + off, low - off]).map(|f| Stand {
            u: f,
            v: front,
            turn: 0.0,
            rank: 0,
        }));
        for place in places {
            if new.strength() == unit.strength() {
                break;
            }
            let mut tried = new.clone();
            tried.stands.push(place);
            let rects = self.rects_at(&tried, tried.pose());
            let (own, others) = rects.split_last()?;
            if !others.iter().any(|o| overlapping(own, o)) && self.is_free(&[*own], u) {
                new = tried;
            }
        }
        new.formation = if unit.was == Formation::Turned { Formation::Line } else { unit.was };
        new.turned = None;
        (new.strength() == unit.strength()).then_some(new)
    }
}
