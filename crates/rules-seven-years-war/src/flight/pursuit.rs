//! Pursuit (SYW-PURSUE).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::Log;
use tricorne_table::{Point, angle};

use crate::action::Leg;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::join_bounds;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Direction, Groups, Order, Presence, Units, grain};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};
use crate::options::PursuitCheck;
use crate::rulebook::Arm;
use crate::sequence::turn::Task;

impl SevenYearsBattle {
    /// A pursuit is over; the order is whatever ended it.
    pub(crate) fn end_pursuit(&mut self, g: GroupIx) {
        let group = self.group_mut(g);
        group.pursuing = None;
        group.pursued = false;
    }

    /// Pursuing groups of the phasing side that have not moved yet.
    pub(crate) fn pursuers(&self) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| self.group(g).pursuing.is_some() && !self.group(g).phase.moved)
            .filter(|&g| !self.held_in_melee(g))
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// Whether pursuers have others upon them than routers: they do not ride on (SYW-PURSUE-15, SYW-MOVE-20).
    fn held_in_melee(&self, g: GroupIx) -> bool {
        self.members(g).iter().any(|&u| self.opponents(u).iter().any(|&e| self.order_of(e) != Order::Rout))
    }

    /// A later pursuit move, with its check (SYW-PURSUE-05, -06, -17).
    pub(crate) fn later_pursuit(&mut self, g: GroupIx, now: &mut Now<'_>) {
        let Some(prey) = self.group(g).pursuing else { return };
        self.group_mut(g).phase.moved = true;
        // SYW-PURSUE-07
        let caught =
            self.group(prey).off.is_none() && self.members(prey).iter().all(|&u| self.unit(u).surrendered);
        let rallied = self.group(prey).order != Order::Rout;
        if caught || (rallied && self.group(prey).off.is_none()) {
            self.end_pursuit(g);
            self.set_order(g, Order::Stand, Some("because the enemy ran no more"), now.log);
            return;
        }
        let before = self.fixed.options.pursuit_check == PursuitCheck::BeforeMove;
        if before && !self.pursuit_check(g, now) {
            return;
        }
        let gone = self.group(prey).off.is_some();
        let slowest = self.members(g).iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        self.s.tasks.push(Task::Pursued { group: g, gone, first: false });
        self.sets_out(g);
        self.pursuit_move(g, prey, slowest, Units::new(), now);
    }

    /// What follows when a pursuit move has been made.
    pub(crate) fn pursued(&mut self, g: GroupIx, gone: bool, first: bool, now: &mut Now<'_>) {
        // SYW-PURSUE-16: no die after the first.
        let after = !first && self.fixed.options.pursuit_check == PursuitCheck::AfterMove;
        if after && self.group(g).pursuing.is_some() && !self.pursuit_check(g, now) {
            return;
        }
        if gone && self.group(g).off.is_none() && self.group(g).pursuing.is_some() {
            // SYW-PURSUE-17: they left; the pursuers end on Stand.
            self.end_pursuit(g);
            self.set_order(g, Order::Stand, Some("because the enemy had left the table"), now.log);
        }
    }

    fn pursuit_check(&mut self, g: GroupIx, now: &mut Now<'_>) -> bool {
        let face = now.chance.d6("pursuit_check");
        let needed = self.fixed.book.charts.least.pursuit.value;
        let on = i32::from(face) >= needed;
        now.say(|| {
            self.group_event("pursuit_check", "SYW-PURSUE-06", g)
                .faces(&[face])
                .needed(needed)
                .outcome(if on { "goes_on" } else { "ends" })
        });
        if !on {
            self.end_pursuit(g);
            self.set_order(g, Order::Stand, None, now.log);
        }
        on
    }

    /// The first pursuit move, in the phase of the rout (SYW-PURSUE-04, -16).
    pub(crate) fn first_pursuit(&mut self, g: GroupIx, prey: GroupIx, now: &mut Now<'_>) {
        let chart = self.fixed.book.charts.pursuit;
        let throw = if self.group(g).arm == Arm::Cavalry { chart.cavalry } else { chart.infantry };
        let die = now.chance.faces("pursuit", 1, throw.die).first().copied().unwrap_or(1);
        let length = throw.base + f64::from(die);
        now.say(|| {
            let event = self.group_event("pursuit", "SYW-PURSUE-04", g).faces(&[die]);
            event.with("base", throw.base).with("distance", length)
        });
        // SYW-PURSUE-03: all of them, who broke through before included.
        self.set_order(g, Order::Advance, None, now.log);
        for u in self.members(g) {
            self.unit_mut(u).on_stand = false;
        }
        // A first move made after a rout that was put off is that phase's only one (SYW-PURSUE-05, -10).
        self.group_mut(g).phase.moved = true;
        self.group_mut(g).pursuing = Some(prey);
        self.s.tasks.push(Task::Pursued { group: g, gone: self.group(prey).off.is_some(), first: true });
        self.sets_out(g);
        self.pursuit_move(g, prey, length, Units::new(), now);
    }

    /// Notes where a group's pursuit begins (SYW-FLANK-01).
    fn sets_out(&mut self, g: GroupIx) {
        for u in self.members(g) {
            self.unit_mut(u).phase.set_out = Some(self.unit(u).pose());
        }
    }

    /// Moves straight at the routers; stops in contact with them or with whom it meets (SYW-PURSUE-09, -11, -13).
    pub(crate) fn pursuit_move(
        &mut self,
        g: GroupIx,
        prey: GroupIx,
        length: f64,
        through: Units,
        now: &mut Now<'_>,
    ) {
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let centre = self.centre_of(&members);
        let facing = self.group_facing(g);
        let goal = match self.group(prey).off {
            Some(off) => off.at,
            None => self.centre_of(&self.members(prey)),
        };
        // Nothing to run to: already upon them.
        if self.group(prey).off.is_none()
            && self.members(prey).iter().any(|&p| members.iter().any(|&u| self.opponents(u).contains(&p)))
        {
            return;
        }
        let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, length)).collect();
        // Lights give way before pursuers as before any massed enemies who come on (SYW-EVADE-01).
        let mut yielding = self.yielding_to(g);
        // Those whom they have all but caught have gone as far as they can (SYW-EVADE-09).
        yielding.retain(|e| self.chase_of(*e, g).is_none());
        let mut turn = angle::turn(facing, angle::bearing(centre, goal));
        // SYW-PURSUE-13: whoever has them before him rides straight on.
        if turn.abs() < 30.0 && self.has_before_it(&members, prey, goal) {
            turn = 0.0;
        }
        if turn != 0.0 {
            for m in &mut movers {
                let pose = m.new.pose().turned_about(centre, turn);
                m.new.at = pose.at;
                m.new.facing = pose.facing;
                m.new.reframe();
            }
            let shut = movers.iter().any(|m| {
                let rects = self.rects_at(&m.new, m.new.pose());
                self.on_impassable(&rects, m.u) || !self.fixed.table.holds_bounds(&join_bounds(&rects))
            });
            let room = self.resting_on(&movers, self.group(g).side).is_none();
            if room && !shut {
                // They turn on the spot before they ride.
                for m in movers {
                    self.put_as(m.u, m.new);
                }
            }
            // With no room to turn straight on.
            movers = members.iter().map(|&u| Mover::new(self, u, length)).collect();
        }
        let heed = Heed {
            stop_at_enemies: true,
            through: through.clone(),
            yielding: yielding.clone(),
            ..Heed::default()
        };
        let Ok(walked) = self.walk_rolling(&mut movers, &[Leg::Forward(length)], &heed, now) else {
            return;
        };
        let gone = movers.first().map_or(0.0, |m| m.gone);
        let left = movers.iter().map(Mover::left).fold(length, f64::min).max(0.0);
        if walked.left_table {
            let beside = self.generals_beside(g);
            self.leave_by(g, &movers, now.log); // SYW-OFF-03
            self.ask_along(g, &beside);
            return;
        }
        let mut reach = gone;
        // Friends they may not ride through stop them (SYW-INTER-06).
        for &f in walked.passed.iter().filter(|f| !members.contains(f)) {
            for m in &movers {
                if self.may_pass(m.u, f) {
                    continue;
                }
                let mut start = m.new.clone();
                start.at = m.new.pose().back(gone).at;
                if let Some(touch) = self.travel_to_unit(&start, f, gone) {
                    reach = reach.min(touch);
                }
            }
        }
        if reach < gone {
            for m in &mut movers {
                let pose = m.new.pose().back(gone - reach);
                m.new.at = pose.at;
                m.new.reframe();
            }
        }
        // Friends at rest in the way: stop short of them. Whom they come upon they touch, to the grain of the table.
        let side = self.group(g).side;
        let mut met = yielding.clone();
        if let Some(Stop::Enemy(e)) = walked.stop {
            met.push(self.unit(e).group);
        }
        let stopped = matches!(walked.stop, Some(Stop::Enemy(_)));
        self.set_beside_guns(&mut movers, &through, stopped);
        while self.resting_on_but(&movers, side, &met).is_some() && reach > 0.0 {
            reach = (reach - 0.5).max(0.0);
            for m in &mut movers {
                let pose = m.new.pose().back(0.5);
                m.new.at = pose.at;
                m.new.reframe();
            }
        }
        if self.resting_on_but(&movers, side, &met).is_some() {
            return;
        }
        // Whom they stopped short of they have not passed.
        let short = reach < gone - 1e-6;
        let mut passed = if short { self.passed_within(&movers, reach, &heed) } else { walked.through };
        passed.retain(|&mut (u, f)| !members.contains(&f) && self.may_pass(u, f));
        for m in &mut movers {
            m.gone = reach;
        }
        self.drive_lights(g, &movers, &[Leg::Forward(reach)], None, yielding, now);
        self.put_movers(movers, now.log);
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            if reach >= gone - 0.01 {
                self.then_goes_on(g, Rest::Pursuit { prey, left, through: through.clone() });
            }
            self.ambushed(hidden, mover);
        }
        self.passages(&passed, now.log);
        self.reveal_by_sight(now.log);
        let met = match walked.stop {
            Some(Stop::Enemy(e)) if reach >= gone - 0.01 => Some(e),
            Some(Stop::Ambush(..)) => None,
            // Whom they touch at the very end of the ride they have met as well.
            _ => members.iter().find_map(|&u| self.come_upon(u)).filter(|e| !through.contains(e)),
        };
        match met {
            Some(e) => self.pursuers_meet(g, prey, e, (left, through), now),
            None => self.sync_contacts(),
        }
    }

    /// Stands that would come to rest on guns ridden through are set beside them, and those that would touch them where the
    /// ride is over are clear of them: it goes on as if they were not there (SYW-PURSUE-12, SYW-INTER-09).
    fn set_beside_guns(&self, movers: &mut Movers, through: &[UnitIx], stopped: bool) {
        let beside = |m: &Mover, v: UnitIx| {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            self.overlaps_unit(&rects, &join_bounds(&rects), v)
                || (!stopped && self.rects_gap(&rects, v, 0.1).is_some())
        };
        let guns = through.iter().find(|&&v| self.unit(v).is_known() && movers.iter().any(|m| beside(m, v)));
        let Some(&v) = guns else { return };
        let Some(aside) = self.split_clear_of(movers, through) else { return };
        for (m, new) in movers.iter_mut().zip(aside) {
            if new.stands != m.new.stands {
                m.new = self.split_around(new, Some(v));
                m.new.reframe();
            }
        }
    }

    /// Who of some movers has passed which friends when they have gone so far straight ahead.
    fn passed_within(&self, movers: &[Mover], reach: f64, heed: &Heed) -> SmallVec<[(UnitIx, UnitIx); 4]> {
        let mut again: Movers = movers
            .iter()
            .map(|m| {
                let mut start = Mover { allowance: f64::INFINITY, ..Mover::new(self, m.u, reach) };
                start.new = m.new.clone();
                start.new.at = m.new.pose().back(reach).at;
                start.new.reframe();
                start
            })
            .collect();
        let walked = self.walk(&mut again, &[Leg::Forward(reach)], heed, &mut Dice::none());
        walked.map(|walked| walked.through).unwrap_or_default()
    }

    /// Whether some units would come upon routers straight ahead, however far that is, or over the place where they left.
    fn has_before_it(&self, members: &[UnitIx], prey: GroupIx, goal: Point) -> bool {
        let far = self.fixed.table.width() + self.fixed.table.depth();
        let routers = self.members(prey);
        members.iter().any(|&u| {
            let (unit, (left, right)) = (self.unit(u), self.front_of(self.unit(u)));
            let local = unit.pose().to_local(goal);
            let over = self.group(prey).off.is_some() && local.y > 0.0 && (left..=right).contains(&local.x);
            over || routers.iter().any(|&r| self.travel_to_unit(unit, r, far).is_some())
        })
    }

    /// Groups whose frontal enemies have all run and that may or must pursue (SYW-PURSUE-01, -02, -15).
    pub(crate) fn may_pursue(&self, g: GroupIx, fled: &[(GroupIx, GroupIx)]) -> Option<GroupIx> {
        let group = self.group(g);
        if group.arm == Arm::Artillery
            || matches!(group.order, Order::Rout | Order::Retreat)
            || group.pursuing.is_some()
            || self.group_in_melee(g)
            || self.members(g).is_empty()
        {
            return None;
        }
        if self.held_by_others(g) {
            return None;
        }
        let prey = fled.iter().find(|f| f.0 == g).map(|f| f.1)?;
        let alive = self.group(prey).off.is_some()
            || self.members(prey).iter().any(|&u| self.unit(u).presence == Presence::OnTable);
        (alive && self.group(prey).order == Order::Rout).then_some(prey)
    }

    /// Whether an enemy it fought to its front in this sub-phase has not run, but fallen back (SYW-PURSUE-01): who breaks
    /// off is not followed (SYW-MORALE-40).
    fn held_by_others(&self, g: GroupIx) -> bool {
        let fought = |&(a, b, _): &(UnitIx, UnitIx, i32)| [(a, b), (b, a)];
        self.s.margins.iter().flat_map(fought).any(|(u, e)| {
            self.unit(u).group == g
                && self.unit(u).is_known()
                && self.unit(e).is_known()
                && self.order_of(e) == Order::Retreat
                && self.direction_from(self.unit(e), self.unit(e).pose(), u) == Direction::Front
        })
    }

    /// A place where routers were, for those who move into it (SYW-MELEE-31, -32).
    pub(crate) fn occupy(&mut self, g: GroupIx, depth: f64, log: &mut Log) {
        let members = self.members(g);
        let heed = Heed { stop_at_enemies: true, ..Heed::default() };
        // Up to that depth: as far as there is room.
        let mut length = depth;
        let movers = loop {
            let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, f64::INFINITY)).collect();
            let Ok(_) = self.walk(&mut movers, &[Leg::Forward(length)], &heed, &mut Dice::none()) else {
                return;
            };
            if self.resting_on(&movers, self.group(g).side).is_none() {
                break movers;
            }
            if length <= 0.0 {
                return;
            }
            length = (length - 0.5).max(0.0);
        };
        let gone = tricorne_table::round_to(movers.first().map_or(0.0, |m| m.gone), 0.01);
        self.put_movers(movers, log);
        log.say(|| self.measured_event("occupied", "SYW-MELEE-32", g).with("distance", gone));
        self.sync_contacts();
    }

    /// The middle of some units' front edges.
    pub(crate) fn front_middle(&self, units: &[UnitIx]) -> Point {
        let mut sum = Point::ORIGIN;
        for &u in units {
            sum += self.unit(u).at;
        }
        sum * (1.0 / units.len().max(1) as f64)
    }
}
