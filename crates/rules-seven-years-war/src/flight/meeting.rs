//! Whom pursuers meet: their routers, guns, lights who may still go, and others whom they charge (SYW-PURSUE-08 to -13).

use smallvec::SmallVec;
use tricorne_drill::Now;

use crate::flight::surrender::Surrender;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Direction, Order, Units};
use crate::options::SurrenderTrigger;
use crate::questions::MeetGuns;
use crate::rulebook::Arm;
use crate::sequence::turn::Task;

impl SevenYearsBattle {
    /// What comes of a ride that ends at somebody.
    pub(crate) fn pursuers_meet(
        &mut self,
        g: GroupIx,
        prey: GroupIx,
        enemy: UnitIx,
        (left, passed): (f64, Units),
        now: &mut Now<'_>,
    ) {
        if self.unit(enemy).group == prey || self.order_of(enemy) == Order::Rout {
            self.flush_all(g, enemy);
            self.sync_contacts();
            if self.fixed.options.surrender_trigger == SurrenderTrigger::CaughtAtOnce {
                let caught = self.unit(enemy).group;
                self.surrender(caught, Surrender::RunDown, now.log);
            }
            return;
        }
        if self.info(enemy).arm == Arm::Artillery {
            self.ask(MeetGuns { group: g, prey, battery: enemy, left, passed });
            return;
        }
        let lights = self.unit(enemy).group;
        if self.can_evade(lights) {
            if self.chase_of(lights, g).is_some() {
                let way = self.group_facing(g);
                self.caught_by_pursuers(lights, g, way, now);
                self.pursuit_move(g, prey, left, passed, now);
                return;
            }
            // Who may still go answers before he is in contact (SYW-EVADE-05, -06).
            self.ride_upon(g, enemy, now);
            let _ = self.aim_at_met(g, enemy);
            self.s.tasks.push(Task::MetLights { group: g, prey, enemy, left, through: passed });
            self.s.tasks.push(Task::Charged { by: g, target: lights, evade: true });
            return;
        }
        self.meet_fresh(g, enemy, now);
    }

    /// Lights whom pursuers meet once more have not got away from them.
    fn caught_by_pursuers(&mut self, light: GroupIx, by: GroupIx, way: f64, now: &mut Now<'_>) {
        let had_to = self.chase_of(light, by).is_some_and(|c| c.had_to);
        self.group_mut(light).phase.chased.retain(|c| c.by != by);
        now.say(|| self.group_event("caught", "SYW-EVADE-09", light));
        self.catch(light, had_to, Some(way), now);
    }

    /// Lights whom pursuers have met have answered: who stands is fought, from who has got away they ride on.
    pub(crate) fn lights_answered(
        &mut self,
        (g, prey): (GroupIx, GroupIx),
        enemy: UnitIx,
        (left, through): (f64, Units),
        now: &mut Now<'_>,
    ) {
        let lights = self.unit(enemy).group;
        let upon = self.unit(enemy).is_known()
            && self.members(g).iter().any(|&u| !self.touching_stands(u, enemy).is_empty());
        let chased = self.chase_of(lights, g).is_some();
        if upon && !chased {
            self.fight_fresh(g, enemy);
        } else if chased || self.group(lights).phase.evaded || self.group(lights).order == Order::Reserve {
            self.pursuit_move(g, prey, left, through, now);
        } else {
            self.end_pursuit(g);
            self.sync_contacts();
        }
    }

    /// What is left of a pursuit move whose riders have met lights that are about to answer.
    pub(crate) fn pursuit_left(&self, g: GroupIx) -> Option<f64> {
        self.s.tasks.iter().rev().find_map(|task| match task {
            Task::MetLights { group, left, .. } if *group == g => Some(*left),
            _ => None,
        })
    }

    /// Pursuers charge whom they meet, without a test (SYW-PURSUE-09).
    pub(crate) fn meet_fresh(&mut self, g: GroupIx, enemy: UnitIx, now: &mut Now<'_>) {
        self.ride_upon(g, enemy, now);
        self.fight_fresh(g, enemy);
        let target = self.unit(enemy).group;
        self.s.tasks.push(Task::Charged { by: g, target, evade: true });
    }

    /// They are in contact with him, and pursue no more.
    fn fight_fresh(&mut self, g: GroupIx, enemy: UnitIx) {
        let target = self.unit(enemy).group;
        self.group_mut(target).met_pursuers = true;
        self.group_mut(g).met_pursuers = true;
        self.make_contact_records(g, enemy);
        self.end_pursuit(g);
    }

    fn ride_upon(&mut self, g: GroupIx, enemy: UnitIx, now: &mut Now<'_>) {
        self.flush_all(g, enemy);
        let whom = self.unit(enemy).id;
        let first = self.members(g).first().map(|&u| self.unit(u).id);
        now.say(|| {
            let mut event = self.group_event("contact", "SYW-PURSUE-09", g).whom(whom);
            event.who = first;
            event
        });
    }

    /// Sets every unit of a group that touches an enemy edge to edge with it.
    fn flush_all(&mut self, g: GroupIx, enemy: UnitIx) {
        for u in self.members(g) {
            if self.near(u, enemy, 0.2) {
                let from = self.direction_of_move(u, enemy);
                let wanted = self.square_on(u, enemy, from);
                if !self.set_flush(u, enemy, Some(wanted)) {
                    self.set_flush(u, enemy, None);
                }
            }
        }
    }

    /// Notes who met whom, and from where.
    pub(crate) fn make_contact_records(&mut self, g: GroupIx, enemy: UnitIx) {
        for aim in self.aim_at_met(g, enemy) {
            let met = self.meeting(aim.unit, enemy, aim.from);
            self.s.contacts.push(met);
        }
    }

    /// Whom pursuers have come upon they charge, those of them who touch him.
    fn aim_at_met(&mut self, g: GroupIx, enemy: UnitIx) -> SmallVec<[Aim; 4]> {
        let mut aims = SmallVec::new();
        for u in self.members(g) {
            if !self.touching_stands(u, enemy).is_empty() && self.contact(u, enemy).is_none() {
                let from = self.direction_of_move(u, enemy);
                self.unit_mut(u).phase.charging = true;
                aims.push(Aim::met(u, enemy, from));
            }
        }
        self.unit_mut(enemy).phase.charged = true;
        self.group_mut(g).phase.aims.clone_from(&aims);
        aims
    }

    /// Pursuers ride through guns (SYW-PURSUE-12): the last named now, the others in this same move before it.
    pub(crate) fn ride_through(
        &mut self,
        g: GroupIx,
        prey: GroupIx,
        through: Units,
        left: f64,
        now: &mut Now<'_>,
    ) {
        let Some(&battery) = through.last() else { return };
        let guns = self.unit(battery).group;
        let first = self.members(g).first().copied().unwrap_or_default();
        let aims = [Aim::met(first, battery, Direction::Front)];
        let _ =
            self.roll_morale(guns, crate::morale::tests::Test::BeingCharged, &aims, now, |_, _| "reserve");
        self.set_order(guns, Order::Reserve, None, now.log);
        self.pursuit_move(g, prey, left, through, now);
    }
}
