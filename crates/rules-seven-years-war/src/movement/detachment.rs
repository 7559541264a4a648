//! Cavalry stands left in contact while the rest goes on (SYW-MOVE-17 to -19).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, Log, UnitId};

use crate::action::Leg;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Presence, Unit, Units, within};
use crate::movement::walk::{Dice, Heed, Mover, Movers};
use crate::rulebook::cm;

impl SevenYearsBattle {
    /// Judges a detachment: the stands in contact that stay, and how far the rest rides on.
    pub(crate) fn judge_detach(
        &self,
        u: UnitIx,
        stays: &[u8],
        distance: f64,
    ) -> Result<(Unit, Unit, f64), Illegal> {
        let unit = self.unit(u);
        let engaged = self.engaged(u);
        if stays.is_empty() || stays.iter().any(|i| !engaged.contains(i)) {
            return refuse(
                "SYW-MOVE-17",
                format!("only stands of {} in contact may be left behind", unit.id),
            );
        }
        if engaged.iter().any(|i| !stays.contains(i)) {
            return refuse("SYW-MOVE-14", format!("every engaged stand of {} stays where it is", unit.id));
        }
        if !distance.is_finite() || distance <= 0.0 || !within(distance, self.charge_left(u)) {
            return refuse(
                "SYW-MOVE-17",
                format!(
                    "the rest may ride on by up to {:.1} cm, what is left of its move",
                    self.charge_left(u)
                ),
            );
        }
        let (mut left, mut rest) = (unit.clone(), unit.clone());
        left.stands.clear();
        rest.stands.clear();
        for (i, s) in unit.stands.iter().enumerate() {
            if stays.contains(&(i as u8)) {
                left.stands.push(*s);
            } else {
                rest.stands.push(*s);
            }
        }
        if rest.stands.is_empty() {
            return refuse("SYW-MOVE-17", format!("somebody of {} must go on", unit.id));
        }
        // SYW-GROUP-11 for those who go on: one connected piece.
        let rects = self.rects_at(&rest, rest.pose());
        let apart = (0..rects.len()).any(|i| {
            rects.len() > 1
                && !(0..rects.len())
                    .any(|j| j != i && crate::model::footprints::touching(&rects[i], &rects[j]))
        });
        if apart {
            return refuse(
                "SYW-GROUP-11",
                format!("the stands of {} that go on must touch one another", unit.id),
            );
        }
        let mut movers = Movers::new();
        let mut mover = Mover::new(self, u, self.charge_left(u));
        mover.new = rest;
        movers.push(mover);
        // Lights give way before them as before all chargers (SYW-EVADE-02).
        let yielding = self.yielding_to_charge(unit.group);
        let lights: Units =
            self.unit_ids().filter(|&v| v == u || yielding.contains(&self.unit(v).group)).collect();
        let heed = Heed { halt_at_edge: true, blind: true, yielding, ..Heed::default() };
        let walked = self.walk(&mut movers, &[Leg::Forward(distance)], &heed, &mut Dice::none())?;
        if walked.passed.iter().any(|&f| !self.may_pass(u, f)) {
            return refuse("SYW-INTER-06", "massed troops may not be ridden through");
        }
        let Some(m) = movers.pop() else { return refuse("SYW-MOVE-17", "nobody goes on") };
        let (mut rest, gone) = (m.new, m.gone);
        stands::recentre(&mut rest, self.info(u).depth);
        let rects = self.rects_at(&rest, crate::model::state::grain(rest.pose()));
        if !self.rests_clear(&rects, &lights) {
            return refuse("SYW-MODEL-33", format!("the rest of {} would come to rest on somebody", unit.id));
        }
        if rects.iter().any(|r| {
            self.rects_at(&left, left.pose()).iter().any(|l| crate::model::footprints::overlapping(l, r))
        }) {
            return refuse(
                "SYW-MODEL-33",
                format!("the rest of {} must ride clear of those it leaves", unit.id),
            );
        }
        Ok((left, rest, gone))
    }

    /// Leaves the stands in contact and rides on with the rest, as far as there is room (SYW-MOVE-17); whether it did.
    pub(crate) fn ride_past(&mut self, u: UnitIx, distance: f64, now: &mut Now<'_>) -> bool {
        let stays: SmallVec<[u8; 10]> = self.engaged(u).iter().copied().collect();
        let mut distance = distance.min(self.charge_left(u));
        if self.ground_rolls() {
            // SYW-TERR-05, -11: what the ground takes off the ride.
            let mut movers = Movers::new();
            let mut mover = Mover::new(self, u, self.charge_left(u));
            mover.new.stands =
                (0..).zip(&self.unit(u).stands).filter(|(i, _)| !stays.contains(i)).map(|s| *s.1).collect();
            movers.push(mover);
            let yielding = self.yielding_to_charge(self.unit(u).group);
            let heed =
                Heed { stop_at_enemies: true, halt_at_edge: true, blind: true, yielding, ..Heed::default() };
            if self.walk_rolling(&mut movers, &[Leg::Forward(distance)], &heed, now).is_ok() {
                distance = movers.first().map_or(0.0, |m| m.gone);
            }
        }
        while distance > 0.0 {
            if let Ok((left, rest, gone)) = self.judge_detach(u, &stays, distance) {
                return self.detach(u, left, rest, gone, now);
            }
            distance -= 0.5;
        }
        false
    }

    /// Splits the unit, unless the table holds as many as it can, and rides on so far with the rest.
    fn detach(&mut self, u: UnitIx, mut left: Unit, mut rest: Unit, gone: f64, now: &mut Now<'_>) -> bool {
        if self.s.units.len() >= 250 {
            return false;
        }
        let Some(id) = self.detached_name(self.unit(u).id) else { return false };
        left.id = id;
        left.parent = Some(u);
        left.started = left.stands.len() as u8;
        left.began.clear();
        rest.phase.moved = true;
        rest.phase.charging = false;
        let depth = self.info(u).depth;
        stands::recentre(&mut left, depth);
        self.s.units.push(left);
        let d = UnitIx::of(self.s.units.len() - 1);
        for c in &mut self.s.contacts {
            if c.attacker == u {
                c.attacker = d;
            }
            if c.defender == u {
                c.defender = d;
            }
        }
        let mut here = rest.clone();
        here.at = rest.pose().back(gone).at;
        self.put_as(u, here);
        self.refresh(d);
        let who = self.unit(u).id;
        now.say(|| Event::new("detached", "SYW-MOVE-17").who(who).whom(id));
        let mover = Mover { new: rest.clone(), gone, ..Mover::new(self, u, gone) };
        self.make_way(self.unit(u).group, &mover, &[Leg::Forward(gone)], None, now);
        self.put_as(u, rest);
        self.push_generals(u, now.log);
        self.sync_contacts();
        true
    }

    fn detached_name(&self, id: UnitId) -> Option<UnitId> {
        let base: String = id.as_str().chars().take(12).collect();
        (1..100).find_map(|k| {
            let name = format!("{base}.{k}").parse::<UnitId>().ok()?;
            self.find_unit(name).is_none().then_some(name)
        })
    }

    /// Detached stands out of contact rejoin or are gone (SYW-MOVE-18).
    pub(crate) fn settle_detached(&mut self, log: &mut Log) {
        for d in self.unit_ids() {
            let Some(parent) = self.unit(d).parent else { continue };
            if self.unit(d).presence != Presence::OnTable
                || self.in_melee(d)
                || self.unit(d).stands.is_empty()
            {
                continue;
            }
            let id = self.unit(d).id;
            let rejoins = self.unit(parent).is_known() && self.near(d, parent, cm(self.distances().rejoins));
            if rejoins {
                let n = self.unit(d).strength();
                let mut new = self.unit(parent).clone();
                let formation = new.formation;
                let room = crate::model::state::MOST_STANDS - new.strength();
                let total = new.strength() + n.min(room);
                new.stands = stands::layout(formation, total, self.info(parent));
                self.unit_mut(d).stands.clear();
                self.unit_mut(d).presence = Presence::Gone;
                self.settle(parent, new);
                log.say(|| Event::new("rejoined", "SYW-MOVE-18").who(id));
            } else {
                self.unit_mut(d).stands.clear();
                self.unit_mut(d).presence = Presence::Gone;
                log.say(|| Event::new("wiped_out", "SYW-MOVE-18").who(id));
            }
        }
    }
}
