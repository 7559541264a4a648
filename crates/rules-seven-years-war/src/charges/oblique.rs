//! Chargers that meet an enemy at an angle (SYW-CHARGE-14 to -17).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, InOrder, Log};
use tricorne_table::{Point, Pose, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::overlapping;
use crate::model::ids::UnitIx;
use crate::model::stands::WIDTH;
use crate::model::state::{Direction, Order, SLACK, Stand, Unit};
use crate::rulebook::cm;

impl SevenYearsBattle {
    /// The answer of chargers that cannot align: halt short, or partial contact (SYW-CHARGE-15, -16).
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
        // SYW-FLANK-01: the direction is what it was, at whatever angle they meet.
        let from = self.contact(u, target).map_or(Direction::Front, |c| c.from);
        self.s.contacts.retain(|c| !(c.attacker == u && c.defender == target));
        let (who, whom) = (self.unit(u).id, self.unit(target).id);
        if !partial {
            // Who set out from nearer than that goes no farther back than he came.
            let here = self.unit(u).pose();
            let rode = |from: Pose| (here.at - from.at).dot(here.forward()).max(0.0);
            let most = self.unit(u).phase.set_out.map_or(f64::MAX, rode);
            let short = (cm(self.distances().stops_short) - self.gap(u, target)).max(0.0);
            let pose = here.back(short.min(most));
            self.put(u, pose);
            self.unstack(&[u]);
            self.unit_mut(u).phase.charging = false;
            if self.group_in_melee(g) {
                self.unit_mut(u).on_stand = true;
            } else {
                self.set_order(g, Order::Stand, None, log);
            }
            log.say(|| self.group_event("halt", "SYW-CHARGE-15", g).who(who).whom(whom).outcome("short"));
            self.sync_contacts();
            return;
        }
        let per_stand = angle::radians(swing.abs()) * WIDTH;
        let front = self.unit(u).stands.iter().filter(|s| s.rank == 0).count();
        let swung = if per_stand > 0.0 { ((left + SLACK) / per_stand).floor() as usize } else { front };
        let swung = swung.clamp(1, front.max(1)) as u8;
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
    pub(crate) fn swung_in(&self, u: UnitIx, target: UnitIx, swing: f64, n: usize) -> Option<Unit> {
        let unit = self.unit(u);
        let (l, r) = self.front_of(unit);
        let right = swing >= 0.0;
        let corner = Point::new(if right { r } else { l }, 0.0);
        // Files counted from the corner that touches.
        let mut files: SmallVec<[f64; 10]> =
            unit.stands.iter().filter(|s| s.rank == 0).map(|s| s.u).collect();
        files.put_in_order(|a, b| if right { b.total_cmp(a) } else { a.total_cmp(b) });
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
            return refuse("SYW-CHARGE-17", format!("{} is not of the phasing side", self.unit(u).id));
        }
        match self.s.contacts.iter().find(|c| c.attacker == u && c.partial > 0) {
            Some(c) => Ok(c.defender),
            None => refuse("SYW-CHARGE-17", format!("{} is in no partial contact", self.unit(u).id)),
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
        let old = self.unit(u).clone();
        self.straighten(u);
        if self.set_flush(u, target, Some(wanted)) {
            self.unit_mut(u).phase.moved = true;
            for c in &mut self.s.contacts {
                if c.attacker == u && c.defender == target {
                    c.partial = 0;
                    c.swing = 0.0;
                    c.charge = false;
                }
            }
            let (who, whom) = (self.unit(u).id, self.unit(target).id);
            log.say(|| Event::new("contact", "SYW-CHARGE-17").who(who).whom(whom).outcome("whole"));
        } else {
            // No room for the rest yet: they stay swung in as they are.
            *self.unit_mut(u) = old;
            self.refresh(u);
        }
        self.sync_contacts();
    }

    /// A unit whose stands have swung in one by one is drawn up again on its own front (SYW-CHARGE-17).
    pub(crate) fn straighten(&mut self, u: UnitIx) {
        if swung(self.unit(u)) {
            let new = crate::model::stands::formed(self.unit(u), self.unit(u).formation, self.info(u));
            self.put_as(u, new);
        }
    }
}

/// Whether some of a unit's stands have swung in to an oblique enemy (SYW-CHARGE-16).
pub fn swung(unit: &Unit) -> bool {
    unit.formation.is_line() && unit.stands.iter().any(|s| s.turn != 0.0)
}
