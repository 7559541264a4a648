//! Carrying a charge home: contact, alignment, oblique targets (SYW-CHARGE-10 to -21).

use crate::action::{Hand, Leg};
use crate::charge::Approach;
use crate::field::{SevenYearsBattle, no, overlapping};
use crate::movement::Plan;
use crate::options::ChargeAfterEvade;
use crate::rulebook::Arm;
use crate::state::{
    Aim, Contact, Direction, GroupIx, Groups, Order, SLACK, Stand, Unit, UnitIx, Units, within,
};
use crate::turn::Task;
use crate::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Point, Pose, Rect, angle};

/// Units that rode in a charge, and where each stood before.
type Rode = SmallVec<[(UnitIx, Pose); 4]>;

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
                Some(crate::state::Deferred::FallBack(distance)) => {
                    self.fall_back(g, distance, chance, log);
                }
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
        let mut rode: Rode = SmallVec::new();
        let (mut met, mut short) = (false, false);
        let mut questions: SmallVec<[Task; 2]> = SmallVec::new();
        // Each unit of the group pays from its own move.
        let used = self.group(g).used;
        let mut most = used;
        for aim in &aims {
            most = most.max(self.group(g).used);
            self.group_mut(g).used = used;
            if !self.unit(aim.unit).is_known() {
                continue;
            }
            let old = self.unit(aim.unit).pose();
            match self.charge_end(aim, chance, log) {
                End::Target(a) => {
                    met = true;
                    if let Some(task) = self.close(aim.unit, aim.target, aim.from, &a, log) {
                        questions.push(task);
                    } else if aim.ride_on > 0.0 && self.may_detach(aim.unit) {
                        self.ride_past(aim.unit, aim.ride_on, chance, log);
                    }
                }
                End::Other(other, a) => {
                    met = true;
                    questions.extend(self.meet_in_path(g, aim.unit, other, &a, log));
                }
                End::Short(a) => {
                    short = true;
                    let mut new = a.new;
                    new.moved = true;
                    self.put_as(aim.unit, new);
                    self.group_mut(g).used += a.spent.min(1e6);
                    self.unstack(&[aim.unit]);
                    self.push_generals(aim.unit, log);
                    self.reveal_by_sight(log);
                }
                End::Nowhere => continue,
            }
            rode.push((aim.unit, old));
        }
        most = most.max(self.group(g).used);
        if met || short {
            self.group_mut(g).used = used;
            self.others_go_along(g, &rode, chance, log);
            self.group_mut(g).used = most;
            self.sync_contacts();
            if questions.is_empty() && !self.group_in_melee(g) {
                // SYW-CHARGE-21: ground ate the move, or there was no room beside the enemy.
                self.set_order(g, Order::Stand, log);
            }
        } else {
            self.follow(g, &aims, chance, log);
        }
        self.s.tasks.extend(questions);
    }

    /// Where a declared charge ends, once the ground on its way has been diced for (SYW-TERR-05, -11).
    fn charge_end(&self, aim: &Aim, chance: &mut dyn Chance, log: &mut Log) -> End {
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
        let Ok(walked) = self.walk_rolling(&mut movers, &legs, &heed, chance, log) else {
            return End::Nowhere;
        };
        let Some(m) = movers.pop() else { return End::Nowhere };
        let a = Approach { wheel, new: m.new, spent: m.spent };
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
        let fits = |a: &Approach| {
            self.flush_with(&a.new, aim.unit, aim.target, wanted).is_some()
                || self.is_free(&self.rects_at(&a.new, a.new.pose()), aim.unit)
        };
        if fits(&found) {
            return found;
        }
        let left = self.charge_left(aim.unit);
        let mut others = (1..=9).flat_map(|k| [f64::from(k) * 5.0, f64::from(k) * -5.0]);
        others
            .find_map(|w| {
                self.approach_with(aim.unit, aim.target, left, w, false)
                    .filter(|a| self.flush_with(&a.new, aim.unit, aim.target, wanted).is_some())
            })
            .unwrap_or(found)
    }

    /// A charger's walk: one wheel, then straight ahead for all that is left (SYW-CHARGE-05).
    fn charge_legs(&self, u: UnitIx, wheel: f64) -> (Movers, SmallVec<[Leg; 2]>, Heed) {
        let left = self.charge_left(u);
        let movers = vec![Mover::new(self, u, left)];
        let heed = Heed { stop_at_enemies: true, halt_at_edge: true, ..Heed::default() };
        let mut forward = left;
        let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
        if wheel.abs() > 1e-9 {
            let (l, r) = self.front_of(self.unit(u));
            forward -= self.wheel_price(r - l, wheel) * self.drill_row(u).wheel;
            let side = if wheel < 0.0 { Hand::Left } else { Hand::Right };
            legs.push(Leg::Wheel { side, degrees: wheel.abs() });
        }
        legs.push(Leg::Forward(forward.max(0.0)));
        (movers, legs, heed)
    }

    /// The way of a declared charge as it now is: as declared if that still leads there and nobody stands in it.
    pub(crate) fn go_home(&self, aim: &Aim) -> Option<Approach> {
        let left = self.charge_left(aim.unit);
        let declared = self.approach(aim.unit, aim.target, left, Some(aim.wheel), true).is_some();
        if declared {
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
                Some((e, Approach { wheel: aim.wheel, new: m.new, spent: m.spent }))
            }
            _ => None,
        }
    }

    pub(crate) fn meet_in_path(
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
    pub(crate) fn close(
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
        let facing = facing.unwrap_or_else(|| {
            let from = self.met_from(u, target);
            self.square_on(u, target, from)
        });
        match self.flush_with(self.unit(u), u, target, facing) {
            Some(new) => {
                self.put_as(u, new);
                true
            }
            None => false,
        }
    }

    /// How a unit that has reached an enemy would stand edge to edge with him, if there is room for it.
    fn flush_with(&self, unit: &Unit, u: UnitIx, target: UnitIx, facing: f64) -> Option<Unit> {
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
            let pose = crate::state::grain(slid.pose());
            slid.at = pose.at;
            let rects = self.rects_at(&slid, pose);
            let touches =
                self.contact_rects(target).iter().any(|t| rects.iter().any(|m| crate::field::touching(m, t)));
            (touches && self.is_free(&rects, u)).then_some(slid)
        })
    }

    /// Sideways slides of 2.0 at most that bring a pair of corners together, the least first; then none at all; then, so
    /// that somebody in the way does not bar a place beside him, any other.
    fn corner_slides(&self, unit: &Unit, target: UnitIx) -> SmallVec<[f64; 32]> {
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
            for corner in [s.u - 2.0, s.u + 2.0] {
                for &m in &marks {
                    let slide = tricorne_table::round_to(m - corner, 0.01);
                    if within(slide.abs(), 2.0) && !slides.contains(&slide) {
                        slides.push(slide);
                    }
                }
            }
        }
        slides.sort_by(|a, b| a.abs().total_cmp(&b.abs()).then(b.total_cmp(a)));
        slides.push(0.0);
        for k in 1..=8 {
            slides.extend([f64::from(k) * 0.25, f64::from(k) * -0.25]);
        }
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
        if let Some(new) = self.swung_in(u, target, swing, usize::from(swung)) {
            *self.unit_mut(u) = new;
            self.refresh(u);
        }
        log.say(|| Event::new("partial_contact", "SYW-CHARGE-16").who(who).whom(whom).with("stands", swung));
    }

    /// A unit in partial contact: the stands nearest to the corner that touches stand along the enemy's edge, the others
    /// where they were, moved aside by the least that makes room (SYW-CHARGE-16). None if there is no room for that.
    fn swung_in(&self, u: UnitIx, target: UnitIx, swing: f64, n: usize) -> Option<Unit> {
        let unit = self.unit(u);
        let (l, r) = self.front_of(unit);
        let right = swing >= 0.0;
        let corner = Point::new(if right { r } else { l }, 0.0);
        // Files counted from the corner that touches.
        let mut files: SmallVec<[f64; 10]> =
            unit.stands.iter().filter(|s| s.rank == 0).map(|s| s.u).collect();
        files.sort_by(|a, b| if right { b.total_cmp(a) } else { a.total_cmp(b) });
        files.truncate(n);
        let swings = |s: &Stand| files.iter().any(|f| (f - s.u).abs() < 0.1);
        // Those who swing, as a small unit of their own that pivots and closes up.
        let mut front = unit.clone();
        front.stands.retain(|s| swings(s));
        let pose = unit.pose().turned_about(unit.pose().to_world(corner), swing);
        (front.at, front.facing) = (pose.at, pose.facing);
        front.reframe();
        let mut off = front.clone();
        off.at = front.pose().back(8.0).at;
        let travel = self.travel_to_unit(&off, target, 16.0)?;
        front.at = off.pose().ahead(travel).at;
        front.reframe();
        let swung = self.rects_at(&front, front.pose());
        let mut new = unit.clone();
        for s in new.stands.iter_mut().filter(|s| swings(s)) {
            let at = unit.pose().to_local(front.pose().to_world(Point::new(s.u, s.v)));
            // To the grain of the table, so that what is shown is what is kept (SYW-MODEL-02).
            (s.u, s.v) = (tricorne_table::round_to(at.x, 0.001), tricorne_table::round_to(at.y, 0.001));
            s.turn = swing;
        }
        let away = if right { -1.0 } else { 1.0 };
        for (back, aside) in
            (0..60).map(|k| (0.0, f64::from(k) * 0.1)).chain((1..60).map(|k| (f64::from(k) * 0.1, 0.0)))
        {
            let mut tried = new.clone();
            for (s, old) in tried.stands.iter_mut().zip(&unit.stands).filter(|(_, old)| !swings(old)) {
                s.u = old.u + away * aside;
                s.v = old.v - back;
            }
            let rects = self.rects_at(&tried, tried.pose());
            let apart = tried
                .stands
                .iter()
                .zip(&rects)
                .filter(|(s, _)| s.turn == 0.0)
                .all(|(_, rect)| !swung.iter().any(|w| overlapping(rect, w)));
            if apart && self.is_free(&rects, u) {
                return Some(tried);
            }
        }
        None
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
        self.straighten(u);
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

    /// A unit whose stands have swung in one by one is drawn up again on its own front (SYW-CHARGE-17).
    pub(crate) fn straighten(&mut self, u: UnitIx) {
        if swung(self.unit(u)) {
            let new = crate::stands::formed(self.unit(u), self.unit(u).formation, self.info(u));
            self.put_as(u, new);
        }
    }

    /// Units of a charging group without a target go along with those that have one, as far as the group's cohesion asks
    /// for it (SYW-CHARGE-04, SYW-GROUP-07): they wheel as their neighbour did and close up on him.
    fn others_go_along(&mut self, g: GroupIx, rode: &Rode, chance: &mut dyn Chance, log: &mut Log) {
        let mut others: Units = self
            .members(g)
            .into_iter()
            .filter(|&u| !self.in_melee(u) && !self.group(g).aims.iter().any(|a| a.unit == u))
            .collect();
        // Those nearest to the chargers first, so that a chain forms behind them.
        let was = |v: UnitIx| rode.iter().find(|r| r.0 == v).map(|r| r.1.at);
        others.sort_by(|&a, &b| {
            let near =
                |u: UnitIx| rode.iter().map(|r| r.1.at.distance(self.unit(u).at)).fold(f64::MAX, f64::min);
            near(a).total_cmp(&near(b)).then(a.cmp(&b))
        });
        let mut gone: Rode = rode.clone();
        for u in others {
            let here = self.unit(u).pose();
            let Some(&(mate, before)) =
                gone.iter().min_by(|a, b| a.1.at.distance(here.at).total_cmp(&b.1.at.distance(here.at)))
            else {
                continue;
            };
            let after = self.unit(mate).pose();
            let turn = angle::turn(before.facing, after.facing);
            // Where it would stand if the group had moved as one piece.
            let whole = here.turned_about(before.at, turn).slid(after.at - before.at);
            if let Some(legs) = self.way_along(u, mate, whole, turn) {
                let mut movers = Movers::new();
                movers.push(Mover::new(self, u, self.charge_left(u)));
                let heed = Heed { stop_at_enemies: true, halt_at_edge: true, ..Heed::default() };
                let walked = self.walk_rolling(&mut movers, &legs, &heed, chance, log);
                if walked.is_ok()
                    && self.resting_on(&movers, self.unit(u).side).is_none()
                    && let Some(m) = movers.pop()
                {
                    let mut new = m.new;
                    new.moved = true;
                    self.put_as(u, new);
                    self.push_generals(u, log);
                    if let Ok(Walked { stop: Some(Stop::Ambush(hidden, mover)), .. }) = walked {
                        self.s.tasks.push(Task::Ambush { hidden, mover });
                    }
                }
            }
            if was(u).is_none() {
                gone.push((u, here));
            }
        }
    }

    /// The legs that bring a unit nearest to where it belongs beside a group-mate: one wheel and straight ahead, touching
    /// no enemy and passing nobody.
    fn way_along(&self, u: UnitIx, mate: UnitIx, whole: Pose, turn: f64) -> Option<SmallVec<[Leg; 2]>> {
        let side = self.unit(u).side;
        let left = self.charge_left(u);
        let heed = Heed { stop_at_enemies: true, blind: true, halt_at_edge: true, ..Heed::default() };
        let mut wheels: SmallVec<[f64; 24]> = SmallVec::from_slice(&[0.0]);
        if turn.abs() > 0.05 && turn.abs() <= 90.0 {
            wheels.extend([tricorne_table::round_to(turn, 0.1), tricorne_table::round_to(turn * 0.5, 0.1)]);
        }
        for k in 1..=9 {
            wheels.extend([f64::from(k) * 5.0, f64::from(k) * -5.0]);
        }
        let mut best: Option<(f64, f64, SmallVec<[Leg; 2]>)> = None;
        for (n, w) in wheels.into_iter().enumerate() {
            // A way that keeps the group together is good enough; the others are only looked at without one.
            if n >= 3 && best.as_ref().is_some_and(|b| b.0 <= 0.0) {
                break;
            }
            let (l, r) = self.front_of(self.unit(u));
            let cost = self.wheel_price(r - l, w) * self.drill_row(u).wheel;
            if cost > left {
                continue;
            }
            let here = self.unit(u).pose();
            let pivot = here.to_world(Point::new(if w < 0.0 { l } else { r }, 0.0));
            let turned = here.turned_about(pivot, w);
            let mut length = (whole.at - turned.at).dot(turned.forward()).clamp(0.0, left - cost);
            loop {
                let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
                if w.abs() > 1e-9 {
                    let side = if w < 0.0 { Hand::Left } else { Hand::Right };
                    legs.push(Leg::Wheel { side, degrees: w.abs() });
                }
                legs.push(Leg::Forward(length));
                let mut movers = Movers::new();
                movers.push(Mover::new(self, u, left));
                let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none());
                let straight = matches!(&walked, Ok(w) if matches!(w.stop, None | Some(Stop::Spent))
                    && !w.left_table && w.passed.is_empty());
                let rects = self.rects_at(&movers[0].new, movers[0].new.pose());
                if straight
                    && self.resting_on(&movers, side).is_none()
                    && !self.known_enemies(side).any(|e| self.rects_gap(&rects, e, 0.1).is_some())
                {
                    // SYW-GROUP-07: how much more than 1.0 it is away from its mate.
                    let apart = (self.rects_gap(&rects, mate, 1e6).unwrap_or(1e6) - 1.0 - SLACK).max(0.0);
                    let off = movers[0].new.at.distance(whole.at);
                    if best.as_ref().is_none_or(|b| {
                        (apart, off) < (b.0 - 1e-6, b.1) || (apart <= b.0 + 1e-6 && off < b.1 - 1e-6)
                    }) {
                        best = Some((apart, off, legs));
                    }
                    break;
                }
                length -= 0.5;
                if length <= 0.0 {
                    break;
                }
            }
        }
        best.map(|b| b.2)
    }

    /// Chargers whose target is out of reach make a full Advance move towards it (SYW-CHARGE-12, -13, -21).
    pub(crate) fn follow(&mut self, g: GroupIx, aims: &[Aim], chance: &mut dyn Chance, log: &mut Log) {
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

    pub(crate) fn follow_ahead(&mut self, g: GroupIx, wheel: f64, chance: &mut dyn Chance, log: &mut Log) {
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
            let Ok(judged) = self.walk(&mut movers, &legs, &heed, &mut Dice::none()) else { continue };
            let stays = |battle: &Self, movers: &Movers| battle.resting_on(movers, battle.group(g).side);
            if judged.passed.iter().any(|&f| !self.may_pass(members[0], f)) || stays(self, &movers).is_some()
            {
                continue;
            }
            // The same way with the dice of its ground.
            let mut walked = judged;
            if self.ground_rolls() {
                movers = members.iter().map(|&u| Mover::new(self, u, self.charge_left(u))).collect();
                match self.walk_rolling(&mut movers, &legs, &heed, chance, log) {
                    Ok(real) => walked = real,
                    Err(_) => continue,
                }
            }
            if walked.passed.iter().any(|&f| !self.may_pass(members[0], f)) || stays(self, &movers).is_some()
            {
                continue;
            }
            let plan = Plan { group: g, movers, stop: walked.stop, ..Plan::default() };
            self.give_way_to(&plan, chance, log);
            let movers = plan.movers;
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

/// Whether some of a unit's stands have swung in to an oblique enemy (SYW-CHARGE-16).
pub fn swung(unit: &Unit) -> bool {
    unit.formation.is_line() && unit.stands.iter().any(|s| s.turn != 0.0)
}
