//! Cavalry that breaks through (SYW-BREAK).

use tricorne_drill::Now;
use tricorne_game::{Event, Log};

use crate::action::Leg;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Aim, Contact, Formation, Groups, Order, Units};
use crate::morale::disorder::Disorder;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::options::{BreakthroughMelee, SquareBreakthrough, WipedOutBreakthrough};
use crate::rulebook::Arm;
use crate::sequence::turn::Task;

/// How far cavalry rides on beyond those it has broken through.
struct Ride {
    movers: Movers,
    walked: Walked,
    /// Friends it rode through.
    through: Units,
    /// What it went before it met somebody, and what it goes so as to rest on nobody.
    rest: f64,
    reach: f64,
    /// What of it hidden enemies keep it from.
    left: f64,
}

impl SevenYearsBattle {
    /// Whether a unit that fought breaks through now, and does it (F2).
    pub(crate) fn break_through(&mut self, u: UnitIx, enemy: UnitIx, now: &mut Now<'_>) {
        if !self.unit(u).is_known() || self.info(u).arm != Arm::Cavalry || !self.unit(u).phase.charging {
            return;
        }
        // SYW-BREAK-03: every pair of this unit must have been fought and won.
        let unfought = self.s.contacts.iter().any(|c| (c.attacker == u || c.defender == u) && !c.fought);
        if unfought || self.unit(u).held || !self.unit(u).formation.is_line() {
            return;
        }
        if matches!(self.order_of(u), Order::Retreat | Order::Rout) {
            return;
        }
        let foes = self.opponents(u);
        // SYW-BREAK-15: nobody left of those it fought, the last of them wiped out.
        let wiped_out = foes.is_empty() && !self.unit(enemy).is_known();
        if wiped_out && self.fixed.options.wiped_out_breakthrough == WipedOutBreakthrough::Stays {
            return;
        }
        for &foe in &foes {
            if !self.may_be_broken(u, foe) {
                return;
            }
        }
        let Some(clear) = self.clearing(u, &foes) else { return };
        if !self.room_beyond(u, &foes, clear) {
            return;
        }
        let chart = self.fixed.book.charts.break_through;
        let die = now.chance.faces("break_through", 1, chart.die).first().copied().unwrap_or(1);
        let length = (chart.base + f64::from(die)).max(clear);
        self.unit_mut(u).phase.set_out = Some(self.unit(u).pose());
        let ride = self.ride_beyond(u, clear, length);
        let id = self.unit(u).id;
        let whom = self.unit(enemy).id;
        let (thrown, gone) = (chart.base + f64::from(die), clear + ride.reach);
        let because = match ride.walked.stop {
            _ if gone > thrown + 0.05 => Some("as far as it took to get clear"),
            Some(Stop::Enemy(_)) if ride.reach >= ride.rest - 0.01 => {
                Some("for another enemy stood in the way")
            }
            Some(Stop::Ambush(..)) => Some("for hidden enemies lay in the way"),
            _ if gone < thrown - 0.05 => Some("for others stood in the way"),
            _ => None,
        };
        now.say(|| {
            Event::new("break_through", "SYW-BREAK-06")
                .who(id)
                .whom(whom)
                .faces(&[die])
                .with("base", chart.base)
                .with("distance", tricorne_table::round_to(gone, 0.01))
                .with("because", because)
        });
        self.disorder(u, Disorder::BrokenThrough, now.log);
        for &foe in &foes {
            self.disorder(foe, Disorder::BrokenThrough, now.log);
            if self.unit(foe).formation == Formation::Square {
                // SYW-BREAK-05, -13
                let (g, stands) = (self.unit(u).group, self.unit(foe).strength() as u8);
                self.group_mut(g).phase.melee_killed += stands;
                let lost = self.unit(foe).group;
                self.group_mut(lost).phase.melee_lost += stands;
                self.destroy(foe, "SYW-BREAK-05", now.log);
            }
        }
        self.ride_on(u, ride, now.log);
    }

    fn may_be_broken(&self, u: UnitIx, foe: UnitIx) -> bool {
        let unit = self.unit(foe);
        if matches!(self.order_of(foe), Order::Retreat | Order::Rout) {
            return false;
        }
        if self.contact(u, foe).is_some_and(|c| c.partial > 0) {
            return false;
        }
        match unit.formation {
            Formation::Line | Formation::DeepLine => true,
            Formation::Square => match self.fixed.options.square_breakthrough {
                SquareBreakthrough::Eligible => true,
                SquareBreakthrough::LineOnly => false,
                SquareBreakthrough::Margin2 => self.won_by_two(u, foe),
            },
            _ => false,
        }
    }

    /// Kept by the last melee between the two: cavalry that won by 2 or more (option `square_breakthrough`).
    fn won_by_two(&self, u: UnitIx, foe: UnitIx) -> bool {
        self.s.margins.iter().any(|m| m.0 == u && m.1 == foe && m.2 >= 2)
    }

    /// The least distance that brings a unit clear of those it fought (SYW-BREAK-07).
    fn clearing(&self, u: UnitIx, foes: &[UnitIx]) -> Option<f64> {
        let unit = self.unit(u);
        let depth = unit.extent(self.info_of(unit).depth).depth();
        let mut far = 0.0_f64;
        for &foe in foes {
            for r in &self.contact_rects(foe) {
                for c in r.corners() {
                    far = far.max(unit.frame.frame.to_local(c).y);
                }
            }
        }
        if far > 60.0 {
            return None;
        }
        Some(if foes.is_empty() { 0.0 } else { far + depth })
    }

    fn room_beyond(&self, u: UnitIx, foes: &[UnitIx], clear: f64) -> bool {
        let unit = self.unit(u);
        let pose = crate::model::state::grain(unit.pose().ahead(clear));
        let rects = self.rects_at(unit, pose);
        let bounds = crate::model::footprints::join_bounds(&rects);
        self.fixed.table.holds_bounds(&bounds)
            && !self.on_impassable(&rects, u)
            && !self
                .unit_ids()
                .any(|v| v != u && !foes.contains(&v) && self.overlaps_unit(&rects, &bounds, v))
    }

    /// Takes a unit clear of those it fought and looks how far it goes on from there.
    fn ride_beyond(&mut self, u: UnitIx, clear: f64, length: f64) -> Ride {
        let mut through = self.friends_within(u, clear);
        self.put(u, self.unit(u).pose().ahead(clear));
        self.unit_mut(u).phase.moved = true;
        let heed = Heed { stop_at_enemies: true, ..Heed::default() };
        let mut movers = Movers::new();
        // In full whatever the ground (SYW-MODEL-34).
        let whole = (length - clear).max(0.0);
        movers.push(Mover::new(self, u, f64::INFINITY));
        let walked =
            self.walk(&mut movers, &[Leg::Forward(whole)], &heed, &mut Dice::none()).unwrap_or_default();
        let rest = movers.first().map_or(0.0, |m| m.gone);
        let side = self.unit(u).side;
        let mut reach = rest;
        while !walked.left_table && self.resting_on(&movers, side).is_some() && reach > 0.0 {
            reach = (reach - 0.5).max(0.0);
            let mut again = Mover::new(self, u, f64::INFINITY);
            again.new.at = self.unit(u).pose().ahead(reach).at;
            again.new.reframe();
            movers[0] = again;
        }
        // Whom it stops short of it has not passed.
        through.extend(if reach < rest { self.friends_within(u, reach) } else { walked.passed.clone() });
        Ride { movers, walked, through, rest, reach, left: whole - reach }
    }

    /// Friends in the path of a unit straight ahead, whatever enemies and ground it crosses.
    fn friends_within(&self, u: UnitIx, ahead: f64) -> Units {
        let through = self.known_enemies(self.unit(u).side).collect();
        let heed = Heed { stop_at_enemies: true, blind: true, through, ..Heed::default() };
        let mut movers = vec![Mover::new(self, u, f64::INFINITY)];
        let walked = self.walk(&mut movers, &[Leg::Forward(ahead)], &heed, &mut Dice::none());
        walked.map(|walked| walked.passed).unwrap_or_default()
    }

    /// Goes on with a ride that came upon hidden enemies (SYW-VIS-06); with nothing left of it, it ends there.
    pub(crate) fn ride_farther(&mut self, u: UnitIx, left: f64, log: &mut Log) {
        if self.unit(u).is_known() {
            let ride = self.ride_beyond(u, 0.0, left);
            let (id, gone) = (self.unit(u).id, tricorne_table::round_to(ride.reach, 0.01));
            if gone >= 0.05 {
                log.say(|| {
                    let event = Event::new("break_through", "SYW-BREAK-06").who(id);
                    event.outcome("farther").with("distance", gone)
                });
            }
            self.ride_on(u, ride, log);
        }
    }

    fn ride_on(&mut self, u: UnitIx, ride: Ride, log: &mut Log) {
        let Ride { mut movers, walked, through, rest, reach, left } = ride;
        let g = self.unit(u).group;
        if walked.left_table {
            // SYW-BREAK-14, SYW-OFF-03
            self.unit_mut(u).presence = crate::model::state::Presence::Off;
            let lone = self.split_off(u);
            self.unit_mut(u).presence = crate::model::state::Presence::OnTable;
            self.leave_by(lone, &movers, log);
            return;
        }
        let mut passed = through;
        self.units_in_order(&mut passed);
        if let Some(m) = movers.pop() {
            let mut new = m.new;
            new.phase.moved = true;
            new.disordered |= self.unit(u).disordered;
            self.put_as(u, new);
        }
        self.push_generals(u, log);
        for &f in &passed {
            // SYW-INTER-07
            if self.is_massed(f) {
                self.disorder(f, Disorder::LinesPassed, log);
            }
        }
        self.sync_contacts();
        self.s.contacts.retain(|c| c.attacker != u && c.defender != u);
        let fresh = match walked.stop {
            Some(Stop::Enemy(fresh)) if reach >= rest - 0.01 && !self.unit(fresh).surrendered => Some(fresh),
            Some(Stop::Ambush(..)) => None,
            _ => self.come_upon(u),
        };
        if let Some(fresh) = fresh {
            self.ride_into(u, fresh, log);
            return;
        }
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            self.then_goes_on(g, Rest::BreakThrough { unit: u, left });
            self.ambushed(hidden, mover);
            return;
        }
        self.sync_contacts();
        let fights_on = self.left_behind(u);
        // SYW-BREAK-11
        self.unit_mut(u).phase.charging = false;
        if fights_on || self.group(g).units.iter().any(|&v| v != u && self.in_melee(v)) {
            self.unit_mut(u).on_stand = true;
        } else {
            self.set_order(g, Order::Stand, Some("after breaking through"), log);
        }
        self.reveal_by_sight(log);
    }

    /// Whom a unit touches that has ridden its whole way, not counting those it has just fought.
    pub(crate) fn come_upon(&self, u: UnitIx) -> Option<UnitIx> {
        let mut met: Units = self
            .known_enemies(self.unit(u).side)
            .filter(|&e| !self.unit(e).surrendered && !self.s.margins.iter().any(|m| m.0 == u && m.1 == e))
            .filter(|&e| !self.touching_stands(u, e).is_empty())
            .collect();
        self.units_in_order(&mut met);
        met.first().copied()
    }

    /// A unit just clear of those it has broken through (SYW-BREAK-07) stands with its back to theirs: that pair has had its
    /// fight in this sub-phase. Whether it touches anybody else.
    fn left_behind(&mut self, u: UnitIx) -> bool {
        let beaten: Units = self.s.margins.iter().filter(|m| m.0 == u).map(|m| m.1).collect();
        let mut others = false;
        for c in self.s.contacts.iter_mut().filter(|c| c.attacker == u || c.defender == u) {
            let enemy = if c.attacker == u { c.defender } else { c.attacker };
            if beaten.contains(&enemy) {
                c.fought = true;
            } else {
                others = true;
            }
        }
        others
    }

    /// Meets a fresh enemy (SYW-BREAK-08 to -10).
    fn ride_into(&mut self, u: UnitIx, fresh: UnitIx, log: &mut Log) {
        let g = self.unit(u).group;
        let wanted = self.square_on(u, fresh, self.direction_of_move(u, fresh));
        if !self.set_flush(u, fresh, Some(wanted)) {
            self.set_flush(u, fresh, None);
        }
        let target = self.unit(fresh).group;
        self.note_generals(target);
        // Others it touches as well are met with it, and each of them tests.
        let mut met: Units = self
            .known_enemies(self.unit(u).side)
            .filter(|&e| e != fresh && !self.unit(e).surrendered && !self.touching_stands(u, e).is_empty())
            .collect();
        self.units_in_order(&mut met);
        met.insert(0, fresh);
        let later = self.fixed.options.breakthrough_melee == BreakthroughMelee::NextSubphase;
        self.set_order(g, Order::Advance, Some("riding into the next enemy"), log);
        self.group_mut(g).phase.aims.retain(|a| a.unit != u);
        let mut targets = Groups::new();
        for &enemy in &met {
            let from = self.direction_of_move(u, enemy);
            let met = Contact { fought: later, ..self.meeting(u, enemy, from) };
            self.s.contacts.push(met);
            self.unit_mut(enemy).phase.charged = true;
            let (who, whom) = (self.unit(u).id, self.unit(enemy).id);
            log.say(|| Event::new("contact", "SYW-BREAK-08").who(who).whom(whom).with("from", from.name()));
            self.group_mut(g).phase.aims.push(Aim::met(u, enemy, from));
            targets.push(self.unit(enemy).group);
        }
        self.in_order(&mut targets);
        self.s.tasks.push(Task::Muster);
        for &target in targets.iter().rev() {
            self.s.tasks.push(Task::Charged { by: g, target, evade: false });
        }
        self.sync_contacts();
    }
}
