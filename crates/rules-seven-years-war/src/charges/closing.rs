//! Carrying a charge home: contact, alignment, oblique targets (SYW-CHARGE-10 to -21).

use crate::action::{Hand, Leg};
use crate::charges::charge::Approach;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::overlapping;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands::WIDTH;
use crate::model::state::{Aim, Contact, Direction, Groups, Order, Unit, within};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};
use crate::questions::{MeetCharge, Misaligned};
use crate::rulebook::{Arm, cm, degrees};
use crate::sequence::turn::Task;
use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::{Event, InOrder, Log};
use tricorne_table::{Point, Pose, Rect, angle};

/// Units that rode in a charge, and where each stood before.
pub type Rode = SmallVec<[(UnitIx, Pose); 4]>;

/// Where a charge ends.
enum End {
    /// At its target.
    Target(Approach),
    /// At another enemy who stood in the way (SYW-CHARGE-18).
    Other(UnitIx, Approach),
    /// Short of everybody: the ground has eaten the move.
    Short(Approach),
    /// It has no way to go.
    Nowhere,
}

impl SevenYearsBattle {
    /// Fall-backs, routs and evasions that waited for the charge move (option `charge_answer_time`).
    pub(crate) fn late_answers(&mut self, now: &mut Now<'_>) {
        if self.fixed.options.charge_answer_time != crate::options::ChargeAnswerTime::BeforeChargeMove {
            return;
        }
        let mut groups: Groups = self.groups_of(self.s.phasing.enemy());
        self.in_order(&mut groups);
        for &g in groups.iter().rev() {
            // In the order in which they were declared.
            for by in std::mem::take(&mut self.group_mut(g).phase.late_answers).into_iter().rev() {
                if self.group(by).phase.charging {
                    self.ask(MeetCharge { group: g, by });
                }
            }
        }
        for &g in &groups {
            match self.group_mut(g).deferred.take() {
                // Fire may have put it on another order.
                Some(crate::model::state::Deferred::FallBack { distance, way })
                    if self.group(g).order == Order::Retreat =>
                {
                    self.fall_back(g, distance, way, now.log);
                }
                Some(crate::model::state::Deferred::Rout { way }) => {
                    self.first_rout_move(g, way, now);
                }
                _ => {}
            }
        }
    }

    /// Groups whose charge is still to be carried home (SYW-CHARGE-10).
    pub(crate) fn charges_left(&self) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| self.group(g).phase.charging && self.group(g).order == Order::Advance)
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// Carries a group's charge home (H1).
    pub(crate) fn carry_home(&mut self, g: GroupIx, now: &mut Now<'_>) {
        self.group_mut(g).phase.charging = false;
        self.ride_home(g, now);
    }

    /// The ride itself, from wherever each unit has got to.
    pub(crate) fn ride_home(&mut self, g: GroupIx, now: &mut Now<'_>) {
        if self.rides_up_to_hidden(g, now) {
            return;
        }
        self.catch_evaders(g, now);
        let aims = self.group(g).phase.aims.clone();
        let mut rode: Rode = SmallVec::new();
        let (mut met, mut short, mut rode_on) = (false, false, false);
        let mut questions: SmallVec<[Misaligned; 2]> = SmallVec::new();
        // Each unit of the group pays from its own move.
        let used = self.group(g).phase.used;
        let mut most = used;
        for aim in &aims {
            most = most.max(self.group(g).phase.used);
            self.group_mut(g).phase.used = used;
            if !self.unit(aim.unit).is_known() {
                continue;
            }
            let here = self.unit(aim.unit).pose();
            let old = *self.unit_mut(aim.unit).phase.set_out.get_or_insert(here);
            let end = self.charge_end(aim, now);
            self.clear_the_way(g, aim, &end, now);
            match end {
                End::Target(a) => {
                    met = true;
                    if let Some(task) = self.close(aim.unit, aim.target, aim.from, &a, now.log) {
                        questions.push(task);
                    } else if aim.ride_on > 0.0 && self.may_detach(aim.unit) {
                        rode_on |= self.ride_past(aim.unit, aim.ride_on, now);
                    }
                }
                End::Other(other, a) => {
                    met = true;
                    questions.extend(self.meet_in_path(g, aim.unit, other, &a, now.log));
                }
                End::Short(a) => {
                    short = true;
                    let mut new = a.new;
                    new.phase.moved = true;
                    self.put_as(aim.unit, new);
                    self.group_mut(g).phase.used += a.spent.min(1e6);
                    self.unstack(&[aim.unit]);
                    self.push_generals(aim.unit, now.log);
                    self.reveal_by_sight(now.log);
                }
                // It halts where it came upon hidden enemies.
                End::Nowhere if self.unit(aim.unit).phase.ridden > 0.0 => short = true,
                End::Nowhere => continue,
            }
            rode.push((aim.unit, old));
        }
        most = most.max(self.group(g).phase.used);
        if met || short {
            self.group_mut(g).phase.used = used;
            self.others_go_along(g, &rode, now);
            self.group_mut(g).phase.used = most;
            self.sync_contacts();
            if questions.is_empty() && !self.group_in_melee(g) && !rode_on {
                // SYW-CHARGE-21: ground ate the move, or there was no room beside the enemy. Horse that left stands in
                // contact and rode on has passed its test and stays on Advance (SYW-MOVE-17, SYW-ORDER-32).
                self.set_order(g, Order::Stand, Some("because the charge did not get there"), now.log);
            }
        } else {
            self.follow(g, &aims, now);
        }
        for question in questions {
            self.ask(question);
        }
    }

    /// Where a declared charge ends, once the ground on its way has been diced for (SYW-TERR-05, -11).
    fn charge_end(&self, aim: &Aim, now: &mut Now<'_>) -> End {
        if !self.unit(aim.target).is_known() || self.unit(aim.target).surrendered {
            return End::Nowhere;
        }
        let approach = self.go_home(aim);
        if !self.ground_rolls() {
            return match approach {
                Some(a) => End::Target(self.with_room(aim, a)),
                None => self.first_in_path(aim).map_or(End::Nowhere, |(e, a)| End::Other(e, a)),
            };
        }
        if approach.is_none() && self.first_in_path(aim).is_none() {
            return End::Nowhere;
        }
        let wheel = approach.map_or(aim.wheel, |a| self.with_room(aim, a).wheel);
        let (mut movers, legs, heed) = self.charge_legs(aim.unit, wheel);
        let Ok(walked) = self.walk_rolling(&mut movers, &legs, &heed, now) else {
            return End::Nowhere;
        };
        let Some(m) = movers.pop() else { return End::Nowhere };
        let a = Approach::of(wheel, m);
        match walked.stop {
            Some(Stop::Enemy(e)) if e == aim.target => End::Target(a),
            Some(Stop::Enemy(e)) if !self.unit(e).surrendered => End::Other(e, a),
            _ if self.touches_at(&a.new, aim.target) => End::Target(a),
            _ => End::Short(a),
        }
    }

    /// An approach that leaves room beside the target, if the one found leaves none and another wheel does
    /// (SYW-CHARGE-11).
    fn with_room(&self, aim: &Aim, found: Approach) -> Approach {
        let wanted = self.square_on(aim.unit, aim.target, aim.from);
        let lights = self.yielding_to_charge(self.unit(aim.unit).group);
        let flush = |a: &Approach| self.flush_with(&a.new, aim.unit, aim.target, wanted, &lights).is_some();
        let fits = |a: &Approach| {
            flush(a) || self.is_free_but(&self.rects_at(&a.new, a.new.pose()), aim.unit, &lights)
        };
        if fits(&found) {
            return found;
        }
        let left = self.charge_left(aim.unit);
        self.charge_wheels()
            .find_map(|w| self.approach_with(aim.unit, aim.target, left, w, false).filter(flush))
            .unwrap_or(found)
    }

    /// Lights in the way of a charge, or beside where it ends, give way before it gets there (SYW-EVADE-01, -02).
    fn clear_the_way(&mut self, g: GroupIx, aim: &Aim, end: &End, now: &mut Now<'_>) {
        let lights = self.yielding_to_charge(g);
        if lights.is_empty() {
            return;
        }
        let (target, from, a) = match end {
            End::Target(a) | End::Short(a) => (aim.target, aim.from, a),
            End::Other(e, a) => (*e, self.direction_of_move(aim.unit, *e), a),
            End::Nowhere => return,
        };
        let (mut movers, legs, _) = self.charge_legs(aim.unit, a.wheel);
        let left = (self.charge_left(aim.unit) - a.spent).max(0.0);
        let wanted = self.square_on(aim.unit, target, from);
        let aligned = if matches!(end, End::Short(_)) || self.too_askew(&a.new, target, wanted, left) {
            None
        } else {
            self.flush_with(&a.new, aim.unit, target, wanted, &lights)
        };
        if let Some(m) = movers.pop() {
            let m = Mover { new: a.new.clone(), gone: a.gone, ..m };
            self.make_way(g, &m, &legs, aligned.as_ref(), now);
        }
    }

    /// A charger's walk: one wheel, then straight ahead for all that is left (SYW-CHARGE-05).
    pub(crate) fn charge_legs(&self, u: UnitIx, wheel: f64) -> (Movers, SmallVec<[Leg; 2]>, Heed) {
        let left = self.charge_left(u);
        let movers = vec![Mover::going_on(self, u, left)];
        let group = self.unit(u).group;
        let heed = Heed {
            stop_at_enemies: true,
            aim: self.group(group).phase.aims.iter().find(|a| a.unit == u).map(|a| a.target),
            yielding: self.yielding_to_charge(group),
            halt_at_edge: true,
            ..Heed::default()
        };
        let mut forward = left;
        let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
        if wheel.abs() > 1e-9 {
            forward -= self.charge_wheel_cost(u, wheel);
            let side = if wheel < 0.0 { Hand::Left } else { Hand::Right };
            legs.push(Leg::Wheel { side, degrees: wheel.abs() });
        }
        legs.push(Leg::Forward(forward.max(0.0)));
        (movers, legs, heed)
    }

    /// The way of a declared charge as it now is: as declared if that still leads there and nobody stands in it.
    pub(crate) fn go_home(&self, aim: &Aim) -> Option<Approach> {
        let left = self.charge_left(aim.unit);
        if self.lies_ahead(aim) {
            return self.approach(aim.unit, aim.target, left, Some(aim.wheel), false);
        }
        self.approach(aim.unit, aim.target, left, None, false)
    }

    /// Another enemy that stands in the way of a charge (SYW-CHARGE-18).
    pub(crate) fn first_in_path(&self, aim: &Aim) -> Option<(UnitIx, Approach)> {
        let (mut movers, legs, heed) = self.charge_legs(aim.unit, aim.wheel);
        let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none()).ok()?;
        let m = movers.pop()?;
        match walked.stop {
            Some(Stop::Enemy(e)) if e != aim.target && !self.unit(e).surrendered => {
                Some((e, Approach::of(aim.wheel, m)))
            }
            _ => None,
        }
    }

    /// Whether something stops a charge on its way to evaders: another enemy, ground that bars it, friends who may not be passed
    /// (SYW-EVADE-18).
    pub(crate) fn is_stopped_before(&self, aim: &Aim, light: GroupIx) -> bool {
        let (mut movers, legs, heed) = self.charge_legs(aim.unit, aim.wheel);
        let Ok(walked) = self.walk(&mut movers, &legs, &heed, &mut Dice::none()) else { return true };
        let stopped = match walked.stop {
            Some(Stop::Enemy(e)) => self.unit(e).group != light,
            Some(Stop::Barred) => true,
            _ => false,
        };
        stopped || walked.passed.iter().any(|&f| !self.may_pass(aim.unit, f))
    }

    pub(crate) fn meet_in_path(
        &mut self,
        g: GroupIx,
        u: UnitIx,
        other: UnitIx,
        a: &Approach,
        log: &mut Log,
    ) -> Option<Misaligned> {
        let from = self.direction_of_move(u, other);
        let question = self.close(u, other, from, a, log);
        let target = self.unit(other).group;
        self.group_mut(g).phase.aims.push(Aim::met(u, other, from));
        // Met by two of a group it tests once (SYW-CHARGE-08, -09).
        let test = Task::Charged { by: g, target, evade: false };
        if !self.s.tasks.contains(&test) {
            self.s.tasks.push(test);
        }
        question
    }

    /// Brings a charger into contact and lines it up (SYW-CHARGE-11, -14, -15). Returns a question if it cannot align.
    pub(crate) fn close(
        &mut self,
        u: UnitIx,
        target: UnitIx,
        from: Direction,
        a: &Approach,
        log: &mut Log,
    ) -> Option<Misaligned> {
        let left = (self.charge_left(u) - a.spent).max(0.0);
        let mut new = a.new.clone();
        new.phase.moved = true;
        new.phase.charging = true;
        let old = self.unit(u).clone();
        let g = self.unit(u).group;
        self.put_as(u, new);
        let (who, whom) = (self.unit(u).id, self.unit(target).id);
        log.say(|| Event::new("contact", "SYW-CHARGE-11").who(who).whom(whom).with("from", from.name()));
        let wanted = self.square_on(u, target, from);
        let need = angle::turn(self.unit(u).facing, wanted);
        self.group_mut(g).phase.used += a.spent.min(1e6);
        self.push_generals(u, log);
        let task = if self.too_askew(self.unit(u), target, wanted, left) {
            // SYW-CHARGE-15
            if !self.is_free(&self.rects(u), u) {
                self.stop_short(u, old, log);
                return None;
            }
            self.record_contact(u, target, from, 0);
            Some(Misaligned { unit: u, target, left, swing: need })
        } else {
            let (l, r) = self.front_of(self.unit(u));
            if !self.set_flush(u, target, Some(wanted)) && !self.is_free(&self.rects(u), u) {
                self.stop_short(u, old, log);
                return None;
            }
            // SYW-CHARGE-14: what the pivot costs is no longer left for who rides on.
            if need.abs() > degrees(self.fixed.book.charts.degrees.aligned) {
                self.group_mut(g).phase.used += (angle::radians(need.abs()) * (r - l)).min(left);
            }
            self.record_contact(u, target, from, 0);
            None
        };
        self.reveal_by_sight(log);
        task
    }

    /// Whether a charger has too little left of its move to align with its target (SYW-CHARGE-14, -15).
    fn too_askew(&self, unit: &Unit, target: UnitIx, wanted: f64, left: f64) -> bool {
        let need = angle::turn(unit.facing, wanted).abs();
        let (l, r) = self.front_of(unit);
        need > degrees(self.fixed.book.charts.degrees.aligned)
            && self.order_of(target) != Order::Rout
            && !within(angle::radians(need) * (r - l), left)
    }

    /// No room beside the enemy: the charger halts where there is some, and makes no contact.
    pub(crate) fn stop_short(&mut self, u: UnitIx, old: Unit, log: &mut Log) {
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
        self.unit_mut(u).phase.charging = false;
        self.push_generals(u, log);
        self.reveal_by_sight(log);
    }

    pub(crate) fn record_contact(&mut self, u: UnitIx, target: UnitIx, from: Direction, partial: u8) {
        self.s.contacts.retain(|c| {
            !(c.attacker == u && c.defender == target || c.attacker == target && c.defender == u)
        });
        let met = Contact { partial, ..self.meeting(u, target, from) };
        self.s.contacts.push(met);
        self.unit_mut(target).phase.charged = true;
    }

    /// Sets a unit edge to edge with an enemy and slides it so that corners meet (SYW-CHARGE-11).
    pub(crate) fn set_flush(&mut self, u: UnitIx, target: UnitIx, facing: Option<f64>) -> bool {
        let facing = facing.unwrap_or_else(|| {
            let from = self.met_from(u, target);
            self.square_on(u, target, from)
        });
        match self.flush_with(self.unit(u), u, target, facing, &[]) {
            Some(new) => {
                self.put_as(u, new);
                true
            }
            None => false,
        }
    }

    /// How a unit that has reached an enemy would stand edge to edge with him, if there is room for it once some groups have
    /// given way.
    fn flush_with(
        &self,
        unit: &Unit,
        u: UnitIx,
        target: UnitIx,
        facing: f64,
        but: &[GroupIx],
    ) -> Option<Unit> {
        let need = angle::turn(unit.facing, facing);
        // Pivot about the corner that touches: clockwise turns hinge on the right.
        let (l, r) = self.front_of(unit);
        let corner = if need >= 0.0 { Point::new(r, 0.0) } else { Point::new(l, 0.0) };
        let pivot = unit.pose().to_world(corner);
        let turned = unit.pose().turned_about(pivot, need);
        let mut new = unit.clone();
        new.at = turned.at;
        new.facing = angle::normalise(facing);
        // Back off, then close up until it touches.
        let mut off = new.clone();
        off.at = new.pose().back(8.0).at;
        let travel = self.travel_to_unit(&off, target, 16.0)?;
        new.at = off.pose().ahead(travel).at;
        self.corner_slides(&new, target).into_iter().find_map(|s| {
            let mut slid = new.clone();
            slid.at = new.pose().sideways(s).at;
            let pose = crate::model::state::grain(slid.pose());
            slid.at = pose.at;
            let rects = self.rects_at(&slid, pose);
            let touches = self
                .contact_rects(target)
                .iter()
                .any(|t| rects.iter().any(|m| crate::model::footprints::touching(m, t)));
            (touches && self.is_free_but(&rects, u, but)).then_some(slid)
        })
    }

    /// Sideways slides that bring a pair of corners together, the least first; then none at all; then, so
    /// that somebody in the way does not bar a place beside him, any other.
    fn corner_slides(&self, unit: &Unit, target: UnitIx) -> SmallVec<[f64; 32]> {
        let most = cm(self.distances().charge_slide);
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
        let mut slides: SmallVec<[f64; 32]> = SmallVec::new();
        for s in unit.stands.iter().filter(|s| s.rank == first) {
            for corner in [s.u - WIDTH * 0.5, s.u + WIDTH * 0.5] {
                for &m in &marks {
                    let slide = tricorne_table::round_to(m - corner, 0.01);
                    if within(slide.abs(), most) && !slides.contains(&slide) {
                        slides.push(slide);
                    }
                }
            }
        }
        slides.put_in_order(|a, b| a.abs().total_cmp(&b.abs()).then(b.total_cmp(a)));
        slides.push(0.0);
        for k in 1..=4 * self.distances().charge_slide.value {
            slides.extend([f64::from(k) * 0.25, f64::from(k) * -0.25]);
        }
        slides
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
        let bounds = crate::model::footprints::join_bounds(rects);
        self.fixed.table.holds_bounds(&bounds)
            && !self.unit_ids().any(|v| {
                !own.contains(&v)
                    && self.unit(v).is_known()
                    && self.unit(v).frame.bounds.meets(&bounds)
                    && self.contact_rects(v).iter().any(|r| rects.iter().any(|m| overlapping(m, r)))
            })
    }
}
