//! Charges: declaration, answer, and carrying them home (SYW-CHARGE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Point, Pose, Rect, Shape, angle, sweep};

use crate::action::{Hand, Leg, Target};
use crate::field::{SevenYearsBattle, no, overlapping};
use crate::morale::Test;
use crate::options::{ChargeAfterEvade, ChargeAllowance, MissileCharge};
use crate::rulebook::Arm;
use crate::state::{
    Aim, Contact, Direction, Formation, GroupIx, Groups, Order, SLACK, Unit, UnitIx, Units, within,
};
use crate::turn::Task;
use crate::walk::{Dice, Heed, Mover, Movers, Stop};

/// How a unit gets at its target.
#[derive(Clone, Debug)]
pub struct Approach {
    pub wheel: f64,
    /// As it stands when it first touches.
    pub new: Unit,
    pub spent: f64,
}

impl SevenYearsBattle {
    /// What is left of a unit's move for a charge (SYW-CHARGE-06).
    pub(crate) fn charge_left(&self, u: UnitIx) -> f64 {
        match self.fixed.options.charge_allowance {
            ChargeAllowance::OneAllowance => (self.info(u).speed - self.group_of(u).used).max(0.0),
            ChargeAllowance::Separate => self.info(u).speed,
        }
    }

    /// From which side a unit charges another (SYW-FLANK-01, -02).
    pub(crate) fn charge_direction(&self, u: UnitIx, target: UnitIx) -> Direction {
        let enemy = self.unit(target);
        if enemy.formation == Formation::Square || self.order_of(target) == Order::Rout {
            return Direction::Front;
        }
        let frame = enemy.frame.frame;
        let e = enemy.extent(self.info_of(enemy).depth);
        let (mut behind_front, mut all_behind_rear) = (false, true);
        for r in &self.rects(u) {
            for c in r.corners() {
                let y = frame.to_local(c).y;
                if y < e.front - 0.02 {
                    behind_front = true;
                }
                if y > e.rear + 0.02 {
                    all_behind_rear = false;
                }
            }
        }
        if all_behind_rear {
            return Direction::Rear;
        }
        if !behind_front {
            return Direction::Front;
        }
        let x = frame.to_local(self.centre_of(&[u])).x;
        if x < (e.left + e.right) * 0.5 { Direction::Left } else { Direction::Right }
    }

    /// The facing that sets a charger edge to edge with the attacked side of a target.
    fn square_on(&self, u: UnitIx, target: UnitIx, from: Direction) -> f64 {
        let enemy = self.unit(target);
        let mine = self.unit(u).facing;
        if enemy.formation == Formation::Square || self.order_of(target) == Order::Rout {
            // Whichever face is the least turn away.
            let mut best = mine;
            let mut least = f64::MAX;
            for k in 0..4 {
                let facing = angle::normalise(enemy.facing + f64::from(k) * 90.0);
                let turn = angle::turn(mine, facing).abs();
                if turn < least {
                    (least, best) = (turn, facing);
                }
            }
            return best;
        }
        let toward = if enemy.turned == Some(from) {
            180.0
        } else {
            match from {
                Direction::Front => 180.0,
                Direction::Left => 90.0,
                Direction::Right => 270.0,
                Direction::Rear => 0.0,
            }
        };
        angle::normalise(enemy.facing + toward)
    }

    /// A path to a target: one wheel of 45 degrees or less, then straight ahead (SYW-CHARGE-05).
    pub(crate) fn approach(
        &self,
        u: UnitIx,
        target: UnitIx,
        left: f64,
        wheel: Option<f64>,
        blind: bool,
    ) -> Option<Approach> {
        self.gap_below(u, target, left + 0.1)?;
        let mut tries: SmallVec<[f64; 24]> = SmallVec::new();
        match wheel {
            Some(w) => tries.push(w),
            None => {
                tries.push(0.0);
                let from = self.charge_direction(u, target);
                let square_on = angle::turn(self.unit(u).facing, self.square_on(u, target, from));
                let towards = angle::turn(
                    self.unit(u).facing,
                    angle::bearing(self.unit(u).at, self.centre_of(&[target])),
                );
                for w in [square_on, towards] {
                    if w.abs() <= 45.0 {
                        tries.push(tricorne_table::round_to(w, 0.1));
                    }
                }
                for k in 1..=9 {
                    tries.push(f64::from(k) * 5.0);
                    tries.push(f64::from(k) * -5.0);
                }
            }
        }
        for w in tries {
            if let Some(found) = self.approach_with(u, target, left, w, blind) {
                return Some(found);
            }
        }
        None
    }

    fn approach_with(
        &self,
        u: UnitIx,
        target: UnitIx,
        left: f64,
        wheel: f64,
        blind: bool,
    ) -> Option<Approach> {
        let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
        let mut forward = left;
        if wheel.abs() > 1e-9 {
            let (l, r) = self.front_of(self.unit(u));
            let cost = self.wheel_price(r - l, wheel) * self.drill_row(u).wheel;
            if cost > left {
                return None;
            }
            forward = left - cost;
            let side = if wheel < 0.0 { Hand::Left } else { Hand::Right };
            legs.push(Leg::Wheel { side, degrees: wheel.abs() });
            // Cheaply first: once wheeled, is the target ahead at all?
            let mut turned = self.unit(u).clone();
            let pivot = turned.pose().to_world(Point::new(if wheel < 0.0 { l } else { r }, 0.0));
            let pose = turned.pose().turned_about(pivot, wheel);
            turned.at = pose.at;
            turned.facing = pose.facing;
            turned.reframe();
            if self.travel_to_unit(&turned, target, forward + SLACK).is_none()
                && !self.touches_at(&turned, target)
            {
                return None;
            }
        }
        // Quick look: the strip straight ahead must meet the target at all.
        let mut movers = Movers::new();
        movers.push(Mover::new(self, u, left));
        // SYW-CHARGE-05 asks what the way costs; who stands in it is met when the charge goes home (SYW-CHARGE-18).
        let through: Units = if blind {
            self.known_enemies(self.unit(u).side).filter(|&e| e != target).collect()
        } else {
            Units::new()
        };
        let heed = Heed { stop_at_enemies: true, blind, halt_at_edge: true, through, ..Heed::default() };
        if !legs.is_empty() {
            let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none()).ok()?;
            if let Some(stop) = walked.stop {
                if stop != Stop::Enemy(target) {
                    return None;
                }
                let m = movers.pop()?;
                return Some(Approach { wheel, new: m.new, spent: m.spent });
            }
        }
        let reach = self.travel_to_unit(&movers[0].new, target, forward + SLACK)?;
        if reach > forward + SLACK {
            return None;
        }
        let walked = self
            .walk(&mut movers, &[Leg::Forward((reach + 0.3).min(forward).max(0.0))], &heed, &mut Dice::none())
            .ok()?;
        let m = movers.pop()?;
        let reached = match walked.stop {
            Some(Stop::Enemy(e)) => e == target,
            None => self.touches_at(&m.new, target),
            _ => false,
        };
        // A charge may pass through nobody but by SYW-INTER.
        if walked.passed.iter().any(|&f| !self.may_pass(u, f)) {
            return None;
        }
        reached.then_some(Approach { wheel, new: m.new, spent: m.spent })
    }

    /// How far a unit goes straight ahead before it touches another.
    pub(crate) fn travel_to_unit(&self, unit: &Unit, target: UnitIx, most: f64) -> Option<f64> {
        let way = unit.pose().forward() * most.max(0.05);
        let rects = self.rects_at(unit, unit.pose());
        let others = self.contact_rects(target);
        let mut best: Option<f64> = None;
        for r in &rects {
            for o in &others {
                if let Some(t) = sweep::travel_to(&Shape::Rect(*r), way, &Shape::Rect(*o)) {
                    best = Some(best.map_or(t, |b: f64| b.min(t)));
                }
            }
        }
        best
    }

    fn touches_at(&self, unit: &Unit, target: UnitIx) -> bool {
        let rects = self.rects_at(unit, unit.pose());
        self.rects_gap(&rects, target, 0.06).is_some()
    }

    /// Judges a declared charge (SYW-CHARGE-01 to -06).
    pub(crate) fn judge_charge(&self, g: GroupIx, targets: &[Target]) -> Result<SmallVec<[Aim; 4]>, Illegal> {
        let group = self.group(g);
        let members = self.members(g);
        if let Some(Task::Halt { group: asked }) = self.s.tasks.last()
            && *asked != g
        {
            return no("SYW-ORDER-32", format!("{} must answer for its halt first", self.group(*asked).id));
        }
        if group.side != self.s.phasing || group.order != Order::Advance {
            return no("SYW-CHARGE-01", format!("{} is not on Advance; only Advance charges", group.id));
        }
        if group.arm == Arm::Artillery {
            return no("SYW-CHARGE-01", format!("{} is artillery, which does not charge", group.id));
        }
        if self.group_in_melee(g) {
            return no("SYW-CHARGE-01", format!("{} is in melee already", group.id));
        }
        if group.charging || group.tested_charge {
            return no("SYW-CHARGE-07", format!("{} has tested to charge in this phase", group.id));
        }
        if group.pursuing.is_some() {
            return no("SYW-PURSUE-09", format!("{} pursues; it charges whom it meets", group.id));
        }
        if group.halted && !matches!(self.s.tasks.last(), Some(Task::Halt { .. })) {
            return no("SYW-VIS-04", format!("{} has halted for the phase", group.id));
        }
        if let Some(&u) =
            members.iter().find(|&&u| !self.unit(u).formation.is_line() || !self.unit(u).is_known())
        {
            return no("SYW-CHARGE-01", format!("{} is not in line", self.unit(u).id));
        }
        if self.fixed.options.missile_charge == MissileCharge::OnlyWithoutMissiles
            && members.iter().any(|&u| self.fixed.book.ranges(self.info(u).weapon).greatest() > 0.0)
        {
            return no("SYW-ORDER-33", format!("{} has missiles and does not charge", group.id));
        }
        if targets.is_empty() {
            return no("SYW-CHARGE-04", "name a target for at least one unit");
        }
        let mut aims: SmallVec<[Aim; 4]> = SmallVec::new();
        for t in targets {
            let Some(u) = self.find_unit(t.unit).filter(|u| members.contains(u)) else {
                return no("SYW-CHARGE-04", format!("{} is no unit of {}", t.unit, group.id));
            };
            if aims.iter().any(|a| a.unit == u) {
                return no("SYW-CHARGE-04", format!("{} can have one target only", t.unit));
            }
            let aim = self.judge_aim(u, t, &aims)?;
            aims.push(aim);
        }
        Ok(aims)
    }

    fn judge_aim(&self, u: UnitIx, t: &Target, aims: &[Aim]) -> Result<Aim, Illegal> {
        let unit = self.unit(u);
        let found =
            self.find_unit(t.target).filter(|&e| self.unit(e).side != unit.side && self.unit(e).is_known());
        let Some(target) = found else {
            return no("SYW-CHARGE-04", format!("{} is no enemy unit that anybody can see", t.target));
        };
        if self.unit(target).surrendered {
            return no("SYW-ROUT-13", format!("{} has surrendered and cannot be fought", t.target));
        }
        if let Some(w) = t.wheel
            && !(w.is_finite() && w.abs() <= 45.0 + 1e-9)
        {
            return no("SYW-CHARGE-05", "a charge may begin with one wheel of 45 degrees at most");
        }
        if !self.saw_at_start(u, target) {
            return no(
                "SYW-CHARGE-02",
                format!("{} could not see {} when movement began", unit.id, t.target),
            );
        }
        let from = self.charge_direction(u, target);
        let declared = self.s.groups.iter().filter(|o| o.charging).flat_map(|o| o.aims.iter());
        if declared.chain(aims).any(|a| a.target == target && a.from != from) {
            return no("SYW-CHARGE-03", format!("all who charge {} must come from one direction", t.target));
        }
        if let Some(d) = t.ride_on
            && (!(d.is_finite() && d >= 0.0) || self.info(u).arm != Arm::Cavalry)
        {
            return no(
                "SYW-MOVE-17",
                "only cavalry leaves stands in contact and rides on, by a distance of 0 or more",
            );
        }
        let Some(approach) = self.approach(u, target, self.charge_left(u), t.wheel, true) else {
            return no(
                "SYW-CHARGE-05",
                format!(
                    "{} cannot reach {} with the {:.1} cm it has left, by one wheel and straight ahead",
                    unit.id,
                    t.target,
                    self.charge_left(u)
                ),
            );
        };
        Ok(Aim {
            unit: u,
            target,
            wheel: approach.wheel,
            from,
            gap: self.gap(u, target),
            ride_on: t.ride_on.unwrap_or(0.0),
        })
    }

    /// Whether a unit saw another from where it stood when movement began (SYW-CHARGE-02).
    fn saw_at_start(&self, u: UnitIx, target: UnitIx) -> bool {
        let unit = self.unit(u);
        if self.fixed.pieces.is_empty() {
            return true;
        }
        if unit.start_at.near(unit.at) && (unit.start_facing - unit.facing).abs() < 0.05 {
            return self.unit_sees(u, target);
        }
        let mut then = self.clone();
        then.put(u, Pose { at: unit.start_at, facing: unit.start_facing });
        then.unit_sees(u, target)
    }

    /// A declared charge: test, then the targets' answers (X1 to X3).
    pub(crate) fn declare(
        &mut self,
        g: GroupIx,
        aims: SmallVec<[Aim; 4]>,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        {
            let group = self.group_mut(g);
            group.tested_charge = true;
            group.moved = true;
        }
        for aim in &aims {
            let (who, whom) = (self.unit(aim.unit).id, self.unit(aim.target).id);
            let from = aim.from.name();
            log.say(|| Event::new("charge_declared", "SYW-CHARGE-04").who(who).whom(whom).with("from", from));
        }
        let passed = self.test_to_charge(g, &aims, chance, log);
        let id = self.group(g).id;
        log.say(|| {
            Event::new("charge", "SYW-CHARGE-07")
                .outcome(if passed { "charge" } else { "stand" })
                .with("group", id.as_str())
        });
        if !passed {
            self.set_order(g, Order::Stand, log);
            return;
        }
        let mut targets: Groups = aims.iter().map(|a| self.unit(a.target).group).collect();
        self.in_order(&mut targets);
        {
            let group = self.group_mut(g);
            group.charging = true;
            group.halted = false;
            group.aims = aims;
        }
        for &target in targets.iter().rev() {
            self.s.tasks.push(Task::Charged { by: g, target, evade: true });
        }
    }

    /// Aims of a charging group at one target group.
    pub(crate) fn aims_at(&self, by: GroupIx, target: GroupIx) -> SmallVec<[Aim; 4]> {
        self.group(by).aims.iter().copied().filter(|a| self.unit(a.target).group == target).collect()
    }

    /// A target group is tested for being charged (X3).
    pub(crate) fn being_charged(
        &mut self,
        by: GroupIx,
        target: GroupIx,
        evade: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let aims = self.aims_at(by, target);
        if aims.is_empty() || self.members(target).is_empty() {
            return;
        }
        for aim in &aims {
            self.unit_mut(aim.target).charged = true;
        }
        // SYW-CHARGE-09
        if self.group(target).order == Order::Rout || self.group(target).gave_way {
            return;
        }
        self.s.tasks.push(Task::Answer { by, target, evade });
        self.test_morale(target, Test::BeingCharged, &aims, chance, log);
    }

    /// After the test: units charged in flank or rear, then lights (X4, X5).
    pub(crate) fn answer(&mut self, by: GroupIx, target: GroupIx, evade: bool) {
        if matches!(self.group(target).order, Order::Retreat | Order::Rout)
            || self.members(target).is_empty()
            || self.group(target).off.is_some()
        {
            return;
        }
        if evade && self.can_evade(target) {
            let late = self.s.step == crate::state::SubPhase::Movement
                && self.fixed.options.charge_answer_time
                    == crate::options::ChargeAnswerTime::BeforeChargeMove;
            if late {
                self.group_mut(target).late_answer = Some(by);
            } else {
                self.s.tasks.push(Task::Lights { group: target, by });
            }
        }
        let mut flanked: Units = self
            .aims_at(by, target)
            .iter()
            .filter(|a| a.from != Direction::Front && self.unit(a.target).is_known())
            .map(|a| a.target)
            .collect();
        self.units_in_order(&mut flanked);
        for &u in flanked.iter().rev() {
            let from =
                self.aims_at(by, target).iter().find(|a| a.target == u).map_or(Direction::Left, |a| a.from);
            self.s.tasks.push(Task::Flank { unit: u, from, by });
        }
    }

    /// Fall-backs, routs and evasions that waited for the charge move (option `charge_answer_time`).
    pub(crate) fn late_answers(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if self.fixed.options.charge_answer_time != crate::options::ChargeAnswerTime::BeforeChargeMove {
            return;
        }
        let mut groups: Groups = self.groups_of(self.s.phasing.enemy());
        self.in_order(&mut groups);
        for &g in groups.iter().rev() {
            if let Some(by) = self.group_mut(g).late_answer.take()
                && self.group(by).charging
            {
                self.s.tasks.push(Task::Lights { group: g, by });
            }
        }
        for &g in &groups {
            match self.group_mut(g).deferred.take() {
                Some(crate::state::Deferred::FallBack(distance)) => self.fall_back(g, distance, log),
                Some(crate::state::Deferred::Rout) => self.first_rout_move(g, None, chance, log),
                None => {}
            }
        }
    }

    /// Groups whose charge is still to be carried home (SYW-CHARGE-10).
    pub(crate) fn charges_left(&self) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| self.group(g).charging && self.group(g).order == Order::Advance)
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// Carries a group's charge home (H1).
    pub(crate) fn carry_home(&mut self, g: GroupIx, chance: &mut dyn Chance, log: &mut Log) {
        self.group_mut(g).charging = false;
        let aims = self.group(g).aims.clone();
        let mut went: f64 = 0.0;
        let mut met = false;
        let mut questions: SmallVec<[Task; 2]> = SmallVec::new();
        for aim in &aims {
            if !self.unit(aim.unit).is_known() {
                continue;
            }
            let there = self.unit(aim.target).is_known() && !self.unit(aim.target).surrendered;
            let approach = if there { self.go_home(aim) } else { None };
            let old = self.unit(aim.unit).at;
            match approach {
                Some(a) => {
                    met = true;
                    if let Some(task) = self.close(aim.unit, aim.target, aim.from, &a, log) {
                        questions.push(task);
                    } else if aim.ride_on > 0.0 && self.may_detach(aim.unit) {
                        self.ride_past(aim.unit, aim.ride_on, log);
                    }
                    went = went.max(old.distance(self.unit(aim.unit).at));
                }
                None => {
                    if there && let Some((other, a)) = self.first_in_path(aim) {
                        met = true;
                        questions.extend(self.meet_in_path(g, aim.unit, other, &a, log));
                    }
                }
            }
        }
        if met {
            self.others_go_along(g, went, log);
            self.sync_contacts();
        } else {
            self.follow(g, &aims, chance, log);
        }
        self.s.tasks.extend(questions);
    }

    /// The way of a declared charge as it now is: as declared if that still leads there and nobody stands in it.
    fn go_home(&self, aim: &Aim) -> Option<Approach> {
        let left = self.charge_left(aim.unit);
        let declared = self.approach(aim.unit, aim.target, left, Some(aim.wheel), true).is_some();
        if declared {
            return self.approach(aim.unit, aim.target, left, Some(aim.wheel), false);
        }
        self.approach(aim.unit, aim.target, left, None, false)
    }

    /// Another enemy that stands in the way of a charge (SYW-CHARGE-18).
    fn first_in_path(&self, aim: &Aim) -> Option<(UnitIx, Approach)> {
        let (u, left) = (aim.unit, self.charge_left(aim.unit));
        let mut movers = Movers::new();
        movers.push(Mover::new(self, u, left));
        let heed = Heed { stop_at_enemies: true, halt_at_edge: true, ..Heed::default() };
        let mut forward = left;
        let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
        if aim.wheel.abs() > 1e-9 {
            let (l, r) = self.front_of(self.unit(u));
            forward -= self.wheel_price(r - l, aim.wheel) * self.drill_row(u).wheel;
            let side = if aim.wheel < 0.0 { Hand::Left } else { Hand::Right };
            legs.push(Leg::Wheel { side, degrees: aim.wheel.abs() });
        }
        legs.push(Leg::Forward(forward.max(0.0)));
        let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none()).ok()?;
        let m = movers.pop()?;
        match walked.stop {
            Some(Stop::Enemy(e)) if e != aim.target && !self.unit(e).surrendered => {
                Some((e, Approach { wheel: aim.wheel, new: m.new, spent: m.spent }))
            }
            _ => None,
        }
    }

    fn meet_in_path(
        &mut self,
        g: GroupIx,
        u: UnitIx,
        other: UnitIx,
        a: &Approach,
        log: &mut Log,
    ) -> Option<Task> {
        let from = self.charge_direction(u, other);
        let question = self.close(u, other, from, a, log);
        let target = self.unit(other).group;
        let gap = 0.0;
        self.group_mut(g).aims.push(Aim { unit: u, target: other, wheel: 0.0, from, gap, ride_on: 0.0 });
        self.s.tasks.push(Task::Charged { by: g, target, evade: false });
        question
    }

    /// Brings a charger into contact and lines it up (SYW-CHARGE-11, -14, -15). Returns a question if it cannot align.
    fn close(
        &mut self,
        u: UnitIx,
        target: UnitIx,
        from: Direction,
        a: &Approach,
        log: &mut Log,
    ) -> Option<Task> {
        let left = (self.charge_left(u) - a.spent).max(0.0);
        let mut new = a.new.clone();
        new.moved = true;
        new.charging = true;
        let old = self.unit(u).clone();
        let g = self.unit(u).group;
        self.put_as(u, new);
        let (who, whom) = (self.unit(u).id, self.unit(target).id);
        log.say(|| Event::new("contact", "SYW-CHARGE-11").who(who).whom(whom).with("from", from.name()));
        let wanted = self.square_on(u, target, from);
        let need = angle::turn(self.unit(u).facing, wanted);
        let (l, r) = self.front_of(self.unit(u));
        let arc = angle::radians(need.abs()) * (r - l);
        self.group_mut(g).used += a.spent.min(1e6);
        self.push_generals(u, log);
        let task = if need.abs() > 1.0 && self.order_of(target) != Order::Rout && !within(arc, left) {
            // SYW-CHARGE-15
            if !self.is_free(&self.rects(u), u) {
                self.stop_short(u, old, log);
                return None;
            }
            self.record_contact(u, target, from, 0);
            Some(Task::Oblique { unit: u, target, left, swing: need })
        } else {
            if !self.set_flush(u, target, Some(wanted)) && !self.is_free(&self.rects(u), u) {
                self.stop_short(u, old, log);
                return None;
            }
            self.record_contact(u, target, from, 0);
            None
        };
        self.reveal_by_sight(log);
        task
    }

    /// No room beside the enemy: the charger halts where there is some, and makes no contact.
    fn stop_short(&mut self, u: UnitIx, old: Unit, log: &mut Log) {
        let full = old.at.distance(self.unit(u).at);
        let forward = self.unit(u).pose();
        let mut off = 0.0;
        while off < full && !self.is_free(&self.rects(u), u) {
            off += 0.5;
            self.put(u, forward.back(off));
        }
        if !self.is_free(&self.rects(u), u) {
            self.put_as(u, old);
        }
        self.unit_mut(u).charging = false;
        self.push_generals(u, log);
        self.reveal_by_sight(log);
    }

    pub(crate) fn record_contact(&mut self, u: UnitIx, target: UnitIx, from: Direction, partial: u8) {
        let defences = self.behind_defences(target, u);
        self.s.contacts.retain(|c| {
            !(c.attacker == u && c.defender == target || c.attacker == target && c.defender == u)
        });
        self.s.contacts.push(Contact {
            attacker: u,
            defender: target,
            from,
            defences,
            partial,
            swing: 0.0,
            fought: false,
            charge: true,
            count: [0, 0],
            overlap: [false, false],
        });
        self.unit_mut(target).charged = true;
    }

    /// Sets a unit edge to edge with an enemy and slides it by 2.0 at most so that corners meet (SYW-CHARGE-11).
    pub(crate) fn set_flush(&mut self, u: UnitIx, target: UnitIx, facing: Option<f64>) -> bool {
        let unit = self.unit(u).clone();
        let facing = facing.unwrap_or_else(|| {
            let from = self.met_from(u, target);
            self.square_on(u, target, from)
        });
        let need = angle::turn(unit.facing, facing);
        // Pivot about the corner that touches: clockwise turns hinge on the right.
        let (l, r) = self.front_of(&unit);
        let corner = if need >= 0.0 { Point::new(r, 0.0) } else { Point::new(l, 0.0) };
        let pivot = unit.pose().to_world(corner);
        let turned = unit.pose().turned_about(pivot, need);
        let mut new = unit.clone();
        new.at = turned.at;
        new.facing = angle::normalise(facing);
        // Back off, then close up until it touches.
        let mut off = new.clone();
        off.at = new.pose().back(8.0).at;
        let Some(travel) = self.travel_to_unit(&off, target, 16.0) else { return false };
        new.at = off.pose().ahead(travel).at;
        let slides = self.corner_slides(&new, target);
        for s in slides {
            let mut slid = new.clone();
            slid.at = new.pose().sideways(s).at;
            let pose = crate::state::grain(slid.pose());
            slid.at = pose.at;
            let rects = self.rects_at(&slid, pose);
            let clear = {
                let bounds = crate::field::join_bounds(&rects);
                self.fixed.table.holds_bounds(&bounds)
                    && !self.unit_ids().any(|v| v != u && self.overlaps_unit(&rects, &bounds, v))
                    && !self.on_impassable(&rects, u)
            };
            let touches =
                self.contact_rects(target).iter().any(|t| rects.iter().any(|m| crate::field::touching(m, t)));
            if clear && touches {
                self.put_as(u, slid);
                return true;
            }
        }
        false
    }

    /// Sideways slides of 2.0 at most that bring a pair of corners together, the least first; then none at all.
    fn corner_slides(&self, unit: &Unit, target: UnitIx) -> SmallVec<[f64; 8]> {
        let frame = unit.pose().frame();
        let mut marks: SmallVec<[f64; 16]> = SmallVec::new();
        for r in &self.contact_rects(target) {
            for c in r.corners() {
                let local = frame.to_local(c);
                if local.y.abs() < 0.15 {
                    marks.push(local.x);
                }
            }
        }
        let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
        let mut slides: SmallVec<[f64; 8]> = SmallVec::new();
        for s in unit.stands.iter().filter(|s| s.rank == first) {
            for corner in [s.u - 2.0, s.u + 2.0] {
                for &m in &marks {
                    let slide = tricorne_table::round_to(m - corner, 0.01);
                    if within(slide.abs(), 2.0) && !slides.contains(&slide) && slides.len() < 8 {
                        slides.push(slide);
                    }
                }
            }
        }
        slides.sort_by(|a, b| a.abs().total_cmp(&b.abs()).then(b.total_cmp(a)));
        slides.push(0.0);
        slides
    }

    /// The answer of chargers that cannot align: halt 3 short, or partial contact (SYW-CHARGE-15, -16).
    pub(crate) fn oblique(
        &mut self,
        u: UnitIx,
        target: UnitIx,
        left: f64,
        swing: f64,
        partial: bool,
        log: &mut Log,
    ) {
        let g = self.unit(u).group;
        self.s.contacts.retain(|c| !(c.attacker == u && c.defender == target));
        let (who, whom) = (self.unit(u).id, self.unit(target).id);
        if !partial {
            let gap = self.gap(u, target);
            let pose = self.unit(u).pose().back((3.0 - gap).max(0.0));
            self.put(u, pose);
            self.unstack(&[u]);
            self.unit_mut(u).charging = false;
            if self.group_in_melee(g) {
                self.unit_mut(u).on_stand = true;
            } else {
                self.set_order(g, Order::Stand, log);
            }
            let id = self.group(g).id;
            log.say(|| Event::new("halt", "SYW-CHARGE-15").who(who).whom(whom).with("group", id.as_str()));
            self.sync_contacts();
            return;
        }
        let per_stand = angle::radians(swing.abs()) * 4.0;
        let front = self.unit(u).stands.iter().filter(|s| s.rank == 0).count();
        let swung = if per_stand > 0.0 { ((left + SLACK) / per_stand).floor() as usize } else { front };
        let swung = swung.clamp(1, front.max(1)) as u8;
        let from = self.charge_direction(u, target);
        self.record_contact(u, target, from, swung);
        if let Some(c) = self.s.contacts.last_mut() {
            c.swing = swing;
        }
        log.say(|| Event::new("partial_contact", "SYW-CHARGE-16").who(who).whom(whom).with("stands", swung));
    }

    /// The attacker brings the rest of a unit in partial contact up (SYW-CHARGE-17).
    pub(crate) fn judge_complete(&self, u: UnitIx) -> Result<UnitIx, Illegal> {
        if self.unit(u).side != self.s.phasing {
            return no("SYW-CHARGE-17", format!("{} is not of the phasing side", self.unit(u).id));
        }
        match self.s.contacts.iter().find(|c| c.attacker == u && c.partial > 0) {
            Some(c) => Ok(c.defender),
            None => no("SYW-CHARGE-17", format!("{} is in no partial contact", self.unit(u).id)),
        }
    }

    /// Partial contacts of the phase before that nobody has completed yet (SYW-CHARGE-17).
    pub(crate) fn complete_contacts(&mut self, log: &mut Log) {
        let open: SmallVec<[(UnitIx, UnitIx); 2]> = self
            .s
            .contacts
            .iter()
            .filter(|c| c.partial > 0 && self.unit(c.attacker).side == self.s.phasing)
            .map(|c| (c.attacker, c.defender))
            .collect();
        for (u, target) in open {
            self.complete(u, target, log);
        }
    }

    pub(crate) fn complete(&mut self, u: UnitIx, target: UnitIx, log: &mut Log) {
        let from = self.contact(u, target).map_or(Direction::Front, |c| c.from);
        let wanted = self.square_on(u, target, from);
        if self.set_flush(u, target, Some(wanted)) {
            self.unit_mut(u).moved = true;
            for c in &mut self.s.contacts {
                if c.attacker == u && c.defender == target {
                    c.partial = 0;
                    c.swing = 0.0;
                    c.charge = false;
                }
            }
            let (who, whom) = (self.unit(u).id, self.unit(target).id);
            log.say(|| Event::new("contact", "SYW-CHARGE-17").who(who).whom(whom));
        }
        self.sync_contacts();
    }

    /// Units of a charging group without a target keep up with the others (SYW-CHARGE-04).
    fn others_go_along(&mut self, g: GroupIx, went: f64, log: &mut Log) {
        let others: Units = self
            .members(g)
            .into_iter()
            .filter(|&u| !self.in_melee(u) && !self.group(g).aims.iter().any(|a| a.unit == u))
            .collect();
        for u in others {
            let most = went.min(self.charge_left(u));
            let heed = Heed { halts: false, stop_at_enemies: true, ..Heed::default() };
            let mut length = most;
            loop {
                let mut movers = Movers::new();
                movers.push(Mover::new(self, u, most));
                let walked = self.walk(&mut movers, &[Leg::Forward(length)], &heed, &mut Dice::none());
                let stopped =
                    matches!(&walked, Ok(w) if w.stop.is_none() && !w.left_table && w.passed.is_empty());
                let free = stopped && self.resting_on(&movers, self.unit(u).side).is_none() && {
                    let rects = self.rects_at(&movers[0].new, movers[0].new.pose());
                    !self.known_enemies(self.unit(u).side).any(|e| self.rects_gap(&rects, e, 0.1).is_some())
                };
                if free {
                    if length > SLACK {
                        let mut new = movers[0].new.clone();
                        new.moved = true;
                        self.put_as(u, new);
                        self.push_generals(u, log);
                    }
                    break;
                }
                length -= 0.5;
                if length <= 0.0 {
                    break;
                }
            }
        }
    }

    /// Chargers whose target is out of reach make a full Advance move towards it (SYW-CHARGE-12, -13, -21).
    fn follow(&mut self, g: GroupIx, aims: &[Aim], chance: &mut dyn Chance, log: &mut Log) {
        let evaded = aims.iter().any(|a| self.group_of(a.target).evaded);
        if evaded && self.fixed.options.charge_after_evade == ChargeAfterEvade::Halt {
            self.set_order(g, Order::Stand, log);
            return;
        }
        let Some(aim) = aims.iter().find(|a| self.unit(a.target).is_known()) else {
            // Nobody left to follow.
            self.follow_ahead(g, 0.0, chance, log);
            return;
        };
        let towards = angle::turn(
            self.unit(aim.unit).facing,
            angle::bearing(self.front_middle(&self.members(g)), self.centre_of(&[aim.target])),
        );
        let wheel = if towards.abs() < 10.0 { 0.0 } else { towards.clamp(-45.0, 45.0) };
        self.follow_ahead(g, wheel, chance, log);
    }

    fn follow_ahead(&mut self, g: GroupIx, wheel: f64, chance: &mut dyn Chance, log: &mut Log) {
        let members = self.members(g);
        let heed = Heed { halts: true, yielding: Groups::new(), halt_at_edge: true, ..Heed::default() };
        for wheel in [wheel, 0.0] {
            let mut movers: Movers =
                members.iter().map(|&u| Mover::new(self, u, self.charge_left(u))).collect();
            let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
            let mut left = members.iter().map(|&u| self.charge_left(u)).fold(f64::MAX, f64::min);
            if wheel.abs() > 1e-9 {
                let side = if wheel < 0.0 { Hand::Left } else { Hand::Right };
                legs.push(Leg::Wheel { side, degrees: wheel.abs() });
                let width: f64 = members
                    .iter()
                    .map(|&u| {
                        let (l, r) = self.front_of(self.unit(u));
                        r - l + 1.0
                    })
                    .sum::<f64>()
                    - 1.0;
                let slow = members.iter().map(|&u| self.drill_row(u).wheel).fold(1.0, f64::max);
                left -= self.wheel_price(width, wheel) * slow + 0.05;
            }
            legs.push(Leg::Forward(left.max(0.0)));
            let Ok(walked) = self.walk(&mut movers, &legs, &heed, &mut Dice::none()) else { continue };
            if walked.passed.iter().any(|&f| !self.may_pass(members[0], f))
                || self.resting_on(&movers, self.group(g).side).is_some()
            {
                continue;
            }
            let before = self.before_fall_back(g);
            let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
            for m in movers {
                let u = m.u;
                let mut new = m.new;
                new.moved = true;
                self.put_as(u, new);
                self.push_generals(u, log);
            }
            self.group_mut(g).used += spent;
            let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
                walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
            let id = self.group(g).id;
            log.say(|| Event::new("followed", "SYW-CHARGE-12").with("group", id.as_str()));
            match walked.stop {
                Some(Stop::Halt(_) | Stop::Friends) => self.set_order(g, Order::Stand, log),
                Some(Stop::Edge) => self.set_order(g, Order::Reserve, log),
                Some(Stop::Ambush(hidden, mover)) => self.s.tasks.push(Task::Ambush { hidden, mover }),
                _ => {}
            }
            self.passages(&passed, log);
            self.fall_back_before(g, before, chance, log);
            self.reveal_by_sight(log);
            return;
        }
        // SYW-CHARGE-21
        self.set_order(g, Order::Stand, log);
    }

    /// Whether cavalry just come into contact may leave stands behind and go on (SYW-MOVE-17).
    pub(crate) fn may_detach(&self, u: UnitIx) -> bool {
        let engaged = self.engaged(u);
        self.info(u).arm == Arm::Cavalry
            && self.unit(u).parent.is_none()
            && !engaged.is_empty()
            && engaged.len() < self.unit(u).strength()
            && self.charge_left(u) > 1.0
    }

    /// Whether two sets of footprints overlap; for judging detachments.
    pub(crate) fn rests_clear(&self, rects: &[Rect], own: &[UnitIx]) -> bool {
        let bounds = crate::field::join_bounds(rects);
        self.fixed.table.holds_bounds(&bounds)
            && !self.unit_ids().any(|v| {
                !own.contains(&v)
                    && self.unit(v).is_known()
                    && self.unit(v).frame.bounds.meets(&bounds)
                    && self.contact_rects(v).iter().any(|r| rects.iter().any(|m| overlapping(m, r)))
            })
    }
}
