//! Charges: declaration, answer, and carrying them home (SYW-CHARGE).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, InOrder};
use tricorne_table::{Point, Pose, Shape, angle, sweep};

use crate::action::{Hand, Leg, Target};
use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Direction, Groups, Order, SLACK, Unit, Units};
use crate::morale::tests::Test;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};
use crate::options::{ChargeAllowance, MissileCharge};
use crate::questions::{MeetCharge, MeetFlank};
use crate::rulebook::{Arm, degrees};
use crate::sequence::turn::Task;

/// How a unit gets at its target.
#[derive(Clone, Debug)]
pub struct Approach {
    pub wheel: f64,
    /// As it stands when it first touches.
    pub new: Unit,
    pub spent: f64,
    /// Ground gone over.
    pub gone: f64,
}

impl Approach {
    /// By this wheel, as it was walked.
    pub(crate) fn of(wheel: f64, m: Mover) -> Self {
        Self { wheel, new: m.new, spent: m.spent, gone: m.gone }
    }
}

impl SevenYearsBattle {
    /// What is left of a unit's move for a charge (SYW-CHARGE-06).
    pub(crate) fn charge_left(&self, u: UnitIx) -> f64 {
        let phase = &self.group_of(u).phase;
        match self.fixed.options.charge_allowance {
            ChargeAllowance::Separate if !phase.tested_charge => self.info(u).speed,
            _ => (self.info(u).speed - self.used(u) - self.unit(u).phase.ridden).max(0.0),
        }
    }

    /// What a unit pays for the wheel that its charge begins with (SYW-CHARGE-05).
    pub(crate) fn charge_wheel_cost(&self, u: UnitIx, wheel: f64) -> f64 {
        let (l, r) = self.front_of(self.unit(u));
        self.wheel_price(r - l, wheel) * self.drill_row(u).wheel
    }

    /// How far a charger gets straight ahead once it has wheeled (SYW-CHARGE-05).
    pub(crate) fn charge_reach(&self, aim: &Aim) -> f64 {
        (self.charge_left(aim.unit) - self.charge_wheel_cost(aim.unit, aim.wheel)).max(0.0)
    }

    /// Wheels a charge may begin with, every 5 degrees to both hands (SYW-CHARGE-05).
    pub(crate) fn charge_wheels(&self) -> impl Iterator<Item = f64> + use<> {
        let most = self.fixed.book.charts.degrees.charge_wheel.value.min(180);
        angle::fan(5.0, f64::from(most)).skip(1)
    }

    /// A path to a target: one wheel, then straight ahead (SYW-CHARGE-05).
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
                    if w.abs() <= degrees(self.fixed.book.charts.degrees.charge_wheel) {
                        tries.push(tricorne_table::round_to(w, 0.1));
                    }
                }
                tries.extend(self.charge_wheels());
            }
        }
        for w in tries {
            if let Some(found) = self.approach_with(u, target, left, w, blind) {
                return Some(found);
            }
        }
        None
    }

    pub(crate) fn approach_with(
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
            let cost = self.charge_wheel_cost(u, wheel);
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
        movers.push(Mover::going_on(self, u, left));
        // SYW-CHARGE-05 asks what the way costs; who stands in it is met when the charge goes home (SYW-CHARGE-18).
        let through: Units = if blind {
            self.known_enemies(self.unit(u).side).filter(|&e| e != target).collect()
        } else {
            Units::new()
        };
        let yielding = if blind { Groups::new() } else { self.yielding_to_charge(self.unit(u).group) };
        let heed = Heed {
            stop_at_enemies: true,
            aim: Some(target),
            yielding,
            blind,
            halt_at_edge: true,
            through,
            ..Heed::default()
        };
        if !legs.is_empty() {
            let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none()).ok()?;
            if let Some(stop) = walked.stop {
                if stop != Stop::Enemy(target) {
                    return None;
                }
                return movers.pop().map(|m| Approach::of(wheel, m));
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
        reached.then(|| Approach::of(wheel, m))
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

    pub(crate) fn touches_at(&self, unit: &Unit, target: UnitIx) -> bool {
        let rects = self.rects_at(unit, unit.pose());
        self.rects_gap(&rects, target, 0.06).is_some()
    }

    /// Judges a declared charge (SYW-CHARGE-01 to -06).
    pub(crate) fn judge_charge(&self, g: GroupIx, targets: &[Target]) -> Result<SmallVec<[Aim; 4]>, Illegal> {
        let group = self.group(g);
        let members = self.members(g);
        if group.side != self.s.phasing || group.order != Order::Advance {
            return refuse("SYW-CHARGE-01", format!("{} is not on Advance; only Advance charges", group.id));
        }
        if group.arm == Arm::Artillery {
            return refuse("SYW-CHARGE-01", format!("{} is artillery, which does not charge", group.id));
        }
        if self.group_in_melee(g) {
            return refuse("SYW-CHARGE-01", format!("{} is in melee already", group.id));
        }
        if group.phase.charging || group.phase.tested_charge {
            return refuse("SYW-CHARGE-07", format!("{} has tested to charge in this phase", group.id));
        }
        if group.pursuing.is_some() {
            return refuse("SYW-PURSUE-09", format!("{} pursues; it charges whom it meets", group.id));
        }
        if group.phase.halted && self.halting() != Some(g) {
            return refuse("SYW-VIS-04", format!("{} has halted for the phase", group.id));
        }
        if let Some(&u) =
            members.iter().find(|&&u| !self.unit(u).formation.is_line() || !self.unit(u).is_known())
        {
            return refuse("SYW-CHARGE-01", format!("{} is not in line", self.unit(u).id));
        }
        if self.fixed.options.missile_charge == MissileCharge::OnlyWithoutMissiles
            && members.iter().any(|&u| self.fixed.book.ranges(self.info(u).weapon).greatest() > 0.0)
        {
            return refuse("SYW-ORDER-33", format!("{} has missiles and does not charge", group.id));
        }
        if targets.is_empty() {
            return refuse("SYW-CHARGE-04", "name a target for at least one unit");
        }
        let mut aims: SmallVec<[Aim; 4]> = SmallVec::new();
        for t in targets {
            let Some(u) = self.known_unit(t.unit).filter(|u| members.contains(u)) else {
                return refuse("SYW-CHARGE-04", format!("{} is no unit of {}", t.unit, group.id));
            };
            if aims.iter().any(|a| a.unit == u) {
                return refuse("SYW-CHARGE-04", format!("{} can have one target only", t.unit));
            }
            let aim = self.judge_aim(u, t, &aims)?;
            aims.push(aim);
        }
        aims.put_in_order(|a, b| name_order(&self.unit(a.unit).id, &self.unit(b.unit).id));
        Ok(aims)
    }

    pub(crate) fn judge_aim(&self, u: UnitIx, t: &Target, aims: &[Aim]) -> Result<Aim, Illegal> {
        let unit = self.unit(u);
        let found =
            self.known_unit(t.target).filter(|&e| self.unit(e).side != unit.side && self.unit(e).is_known());
        let Some(target) = found else {
            return refuse("SYW-CHARGE-04", format!("{} is no enemy unit that anybody can see", t.target));
        };
        if self.unit(target).surrendered {
            return refuse("SYW-ROUT-13", format!("{} has surrendered and cannot be fought", t.target));
        }
        let most = degrees(self.fixed.book.charts.degrees.charge_wheel);
        if let Some(w) = t.wheel
            && !(w.is_finite() && w.abs() <= most + 1e-9)
        {
            return refuse(
                "SYW-CHARGE-05",
                format!("a charge may begin with one wheel of {most} degrees at most"),
            );
        }
        if !self.saw_at_start(u, target) {
            return refuse(
                "SYW-CHARGE-02",
                format!("{} could not see {} when movement began", unit.id, t.target),
            );
        }
        let from = self.charge_direction(u, target);
        let declared = self.s.groups.iter().filter(|o| o.phase.charging).flat_map(|o| o.phase.aims.iter());
        if declared.chain(aims).any(|a| a.target == target && self.counts_from(a) != from) {
            return refuse(
                "SYW-CHARGE-03",
                format!("all who charge {} must come from one direction", t.target),
            );
        }
        if let Some(d) = t.ride_on
            && (!(d.is_finite() && d >= 0.0) || self.info(u).arm != Arm::Cavalry)
        {
            return refuse(
                "SYW-MOVE-17",
                "only cavalry leaves stands in contact and rides on, by a distance of 0 or more",
            );
        }
        let Some(approach) = self.approach(u, target, self.charge_left(u), t.wheel, true) else {
            return refuse(
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

    /// Whether a unit saw another when movement began, from where it stood and where that stood then (SYW-CHARGE-02); who
    /// lay hidden was seen by nobody (SYW-LOS-09).
    pub(crate) fn saw_at_start(&self, u: UnitIx, target: UnitIx) -> bool {
        let began = |unit: &Unit| Pose { at: unit.phase.start_at, facing: unit.phase.start_facing };
        let (unit, enemy) = (self.unit(u), self.unit(target));
        // Stands that have turned to meet a charge have no other place to be looked at.
        let there = if enemy.turned.is_some() { enemy.pose() } else { began(enemy) };
        enemy.phase.start_known && self.unit_sees_from(u, began(unit), target, there)
    }

    /// A declared charge: test, then the targets' answers (X1 to X3).
    pub(crate) fn declare(&mut self, g: GroupIx, aims: SmallVec<[Aim; 4]>, now: &mut Now<'_>) {
        {
            let group = self.group_mut(g);
            group.phase.tested_charge = true;
            group.phase.moved = true;
        }
        for aim in &aims {
            let (who, whom) = (self.unit(aim.unit).id, self.unit(aim.target).id);
            let from = aim.from.name();
            now.say(|| Event::new("charge_declared", "SYW-CHARGE-04").who(who).whom(whom).with("from", from));
        }
        let passed = self.test_to_charge(g, &aims, now);
        now.say(|| {
            self.group_event("charge", "SYW-CHARGE-07", g).outcome(if passed { "charge" } else { "stand" })
        });
        if !passed {
            self.set_order(g, Order::Stand, None, now.log);
            return;
        }
        let mut targets: Groups = aims.iter().map(|a| self.unit(a.target).group).collect();
        self.in_order(&mut targets);
        let separate = self.fixed.options.charge_allowance == ChargeAllowance::Separate;
        {
            let group = self.group_mut(g);
            group.phase.charging = true;
            group.phase.halted = false;
            group.phase.aims = aims;
            if separate {
                group.phase.used = 0.0;
            }
        }
        if separate {
            for u in self.members(g) {
                let phase = &mut self.unit_mut(u).phase;
                phase.spare = 0.0;
                phase.paid.clear();
            }
        }
        for &target in targets.iter().rev() {
            self.s.tasks.push(Task::Charged { by: g, target, evade: true });
        }
    }

    /// Aims of a charging group at one target group.
    pub(crate) fn aims_at(&self, by: GroupIx, target: GroupIx) -> SmallVec<[Aim; 4]> {
        self.group(by).phase.aims.iter().copied().filter(|a| self.unit(a.target).group == target).collect()
    }

    /// A target group is tested for being charged (X3).
    pub(crate) fn being_charged(&mut self, by: GroupIx, target: GroupIx, evade: bool, now: &mut Now<'_>) {
        let aims = self.aims_at(by, target);
        if aims.is_empty() || self.members(target).is_empty() {
            return;
        }
        for aim in &aims {
            self.unit_mut(aim.target).phase.charged = true;
        }
        // SYW-CHARGE-09
        if self.group(target).order == Order::Rout || self.group(target).phase.gave_way {
            return;
        }
        let test = Test::BeingCharged;
        let score = self.roll_morale(target, test, &aims, now, |b, score| b.outcome_of(target, score));
        let passed = self.stands_the_charge(target, score);
        if !passed && self.group(target).order == Order::Retreat {
            // SYW-FLANK-11, SYW-SHOOT-48: it does not fall back again.
            self.group_mut(target).phase.pinned = true;
            self.group_mut(target).phase.shrank = true;
        }
        self.s.tasks.push(Task::Answer { by, target, evade, passed });
        self.take_result(target, score, test, &aims, now);
    }

    /// After the test: units charged in flank or rear, then lights (X4, X5). No order is a shelter (SYW-FLANK-11).
    pub(crate) fn answer(
        &mut self,
        by: GroupIx,
        target: GroupIx,
        evade: bool,
        passed: bool,
        now: &mut Now<'_>,
    ) {
        let group = self.group(target);
        if group.order == Order::Rout || group.off.is_some() || self.members(target).is_empty() {
            return;
        }
        if group.phase.gave_way && !group.phase.pinned {
            return; // It fell back; who is reached all the same is fought as it stands.
        }
        let mut flanked: Units = self
            .aims_at(by, target)
            .iter()
            .filter(|a| a.from != Direction::Front && self.unit(a.target).is_known())
            // Who has turned to that side before faces this charge already.
            .filter(|a| self.unit(a.target).turned_whole() != Some(a.from))
            .map(|a| a.target)
            .collect();
        self.units_in_order(&mut flanked);
        if !passed {
            // SYW-FLANK-11: it neither passed nor falls back.
            for &u in &flanked {
                if self.unit(u).is_known() && self.order_of(u) != Order::Rout {
                    self.no_attempt(u, by, Some("for the test had failed"), now);
                }
            }
            return;
        }
        if evade && self.can_evade(target) {
            // Pursuers are upon them now (SYW-PURSUE-09); only a declared charge waits.
            let late = self.s.step == crate::model::state::SubPhase::Movement
                && self.group(by).phase.charging
                && self.fixed.options.charge_answer_time
                    == crate::options::ChargeAnswerTime::BeforeChargeMove;
            if late {
                self.group_mut(target).phase.late_answers.push(by);
            } else {
                self.ask(MeetCharge { group: target, by });
            }
        }
        for &u in flanked.iter().rev() {
            let from =
                self.aims_at(by, target).iter().find(|a| a.target == u).map_or(Direction::Left, |a| a.from);
            self.ask(MeetFlank { unit: u, from, by });
        }
    }
}
