//! D-RESPONSE: how a unit meets a charge (VF-CHARGE-08 to -17, -22), and the charge as it runs.

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, UnitId};
use tricorne_table::{Point, Pose, angle};

use crate::action::Action;
use crate::charge::Ended;
use crate::charge::contact::{Contact, Course};
use crate::field::{Field, bit, bits};
use crate::model::formation::{Body, Zone, bases, pivoted, touch, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Kind, Nr};
use crate::movement::{Minding, first_within};
use crate::questions::{Evade, asks, seat};
use crate::rulebook::inch;
use crate::state::{Charge, ChargePath, RED, Response};

/// How does it meet the charge?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Respond;

impl Question<Field> for Respond {
    type Judged = Response;

    asks!("response", "charge", "How does it meet the charge?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.s.charge.map_or(RED, |c| field.side(c.target)))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        field.s.charge.map(|c| field.spec(c.target).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all(Response::ALL.map(Action::Respond));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Response, Illegal> {
        match answer {
            Action::Respond(r) => match &field.s.charge {
                Some(charge) => field.judge_response(charge, *r).map(|()| *r),
                None => refuse("VF-CHARGE-09", "nobody is charged"),
            },
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, response: Response, now: &mut Now<'_>) {
        field.respond(response, now.chance, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Respond(Response::Stand)
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let may =
            |charge: &Charge| Response::ALL[1..].iter().any(|&r| field.judge_response(charge, r).is_ok());
        (!field.s.charge.as_ref().is_some_and(may)).then(|| self.usual(field))
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        Action::Respond(Response::ALL[whim.below(Response::ALL.len())])
    }
}

impl Field {
    /// Whether the target of the charge may answer so (VF-CHARGE-09 to -17, -22).
    pub(crate) fn judge_response(&self, charge: &Charge, response: Response) -> Result<(), Illegal> {
        let (u, target) = (charge.charger, charge.target);
        let unit = self.unit(target);
        let kind = self.kind(target);
        let id = || self.name(target);
        let ordered = !unit.disordered && !unit.shaken;
        let needs_order = || refuse("VF-CHARGE-22", format!("{} is disordered", id()));
        let ready = unit.turn.held_fire || !unit.turn.activated;
        match response {
            Response::Stand => Ok(()),
            Response::Evade => match kind {
                Kind::Skirmish | Kind::Light => Ok(()),
                _ => refuse("VF-CHARGE-17", format!("{} is neither skirmishers nor light cavalry", id())),
            },
            _ if !ordered => needs_order(),
            Response::Fire => {
                self.can_fire(target)?;
                if charge.answered {
                    return refuse(
                        "VF-CHARGE-07",
                        format!("{} has spent its fire on the charger already", id()),
                    );
                }
                if !ready {
                    return refuse("VF-CHARGE-10", format!("{} has acted and holds no fire", id()));
                }
                if charge.aspect != Zone::Front {
                    return refuse("VF-CHARGE-10", format!("{} is not charged in front", id()));
                }
                if unit.formation == Formation::Square
                    && self.facing_base(target, &self.unit(u).body).is_none()
                {
                    return refuse("VF-FIRE-31", format!("no base of {} has the charger in its arc", id()));
                }
                Ok(())
            }
            Response::Countercharge => {
                if !kind.is_cavalry() {
                    return refuse("VF-CHARGE-15", format!("{} is no cavalry", id()));
                }
                if charge.aspect != Zone::Front {
                    return refuse("VF-CHARGE-15", format!("the charger is not in front of {}", id()));
                }
                if unit.turn.activated && !self.o().countercharge_when_activated {
                    return refuse("VF-CHARGE-15", format!("{} has acted", id()));
                }
                Ok(())
            }
            Response::Square => {
                if unit.one_base {
                    return refuse("VF-MODEL-51", format!("{} stands on one base", id()));
                }
                if kind != Kind::Infantry || unit.formation == Formation::Square {
                    return refuse("VF-CHARGE-14", format!("{} is no infantry that could form square", id()));
                }
                if !self.kind(u).is_cavalry() {
                    return refuse("VF-CHARGE-14", "squares are formed against cavalry");
                }
                if charge.answered || !ready || unit.turn.silenced {
                    return refuse("VF-CHARGE-14", format!("{} could not have fired either", id()));
                }
                if charge.aspect != Zone::Front && !self.o().square_when_flanked {
                    return refuse("VF-CHARGE-14", format!("{} is not charged in front", id()));
                }
                let place = self.square_place(target, u);
                let body = unit.bases.body(place.pose(), Formation::Square, unit.strength);
                if !self.room_ignoring(&body, Some(target), bit(target) | bit(u), self.mover(target)) {
                    return refuse("VF-MODEL-44", format!("there is no room for {} to form square", id()));
                }
                Ok(())
            }
        }
    }

    /// The first base of a square that has a body in its arc.
    fn facing_base(&self, u: Nr, body: &Body) -> Option<u8> {
        (0..2).find(|&face| self.range(u, face, body).is_some())
    }

    /// The square of VF-CHARGE-14: the nearer base stays, the other goes behind it.
    fn square_place(&self, target: Nr, charger: Nr) -> Place {
        let unit = self.unit(target);
        let from = self.unit(charger).body;
        let bases = bases(&unit.body, unit.formation, None);
        let gap = |i: usize| {
            bases.get(i).map_or(i32::MAX, |&(centre, facing)| {
                let half = angle::forward(facing) * (unit.bases.troops * 0.5);
                unit.bases.one(Pose::new(centre + half, facing)).gap_mils(&from)
            })
        };
        let nearer = usize::from(gap(1) < gap(0));
        let (centre, facing) =
            bases.get(nearer).copied().unwrap_or((unit.body.centroid(), exact(unit.place.t)));
        Place::of(pivoted(centre, facing, Formation::Square, false, unit.bases.troops))
    }

    /// The target answers; dice are rolled and the charge runs (VF-CHARGE-04).
    pub(crate) fn respond(&mut self, response: Response, chance: &mut dyn Chance, log: &mut Log) {
        let Some(mut charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let (who, whom) = (self.spec(target).id, self.spec(u).id);
        log.say(|| Event::new("response", "VF-CHARGE-09").who(who).whom(whom).outcome(response.name()));
        self.unit_mut(target).turn.activated = true; // VF-CHARGE-08
        if response == Response::Square {
            let place = self.square_place(target, u);
            let unit = self.unit_mut(target);
            unit.formation = Formation::Square;
            unit.square = None;
            unit.turn.held_fire = false;
            self.put(target, place);
            // A square has neither flank nor rear, whatever the line or column had (VF-MODEL-30).
            charge.aspect = self.aspect(target, self.unit(u).body.reference());
        }
        let roll = self.roll_move(u, "charge_move", false, chance);
        charge.allowance = roll.allowance;
        // Fire first may have thinned a cloud, and a square stands elsewhere (VF-CHARGE-05).
        charge.path = self.charge_path(u, target);
        self.s.charge = Some(charge);
        let reach = exact(charge.allowance);
        let cost = charge.path.map_or(0.0, |p| exact(p.cost));
        log.say(|| {
            let event = Event::new("charge_move", "VF-CHARGE-04").who(whom).whom(who);
            // Lengths are told to a tenth: what is more by less than that is told as more.
            let barely = cost > reach && cost < reach + 0.05;
            self.tell_move(event, u, &roll).with("gap", cost).with("barely", barely).outcome(match response {
                _ if charge.path.is_none() => "no_way",
                Response::Countercharge | Response::Evade => "rides",
                _ if cost <= reach => "reaches",
                _ => "short",
            })
        });
        match response {
            Response::Stand | Response::Square => self.run_home(log),
            Response::Fire => self.run_through_fire(chance, log),
            Response::Countercharge => {
                let d = self.roll_move(target, "countercharge_move", false, chance);
                log.say(|| {
                    self.tell_move(Event::new("countercharge_move", "VF-CHARGE-16").who(who), target, &d)
                });
                self.meet(d.allowance, log);
            }
            Response::Evade => {
                let d = self.roll_move(target, "evade_move", false, chance);
                log.say(|| self.tell_move(Event::new("evade_move", "VF-CHARGE-18").who(who), target, &d));
                self.ask(Evade { allowance: d.allowance });
            }
        }
    }

    /// The charge runs to contact, or as far as it goes (VF-CHARGE-21).
    fn run_home(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        match charge.path {
            None => {
                self.ride(u, exact(self.unit(u).place.t), charge.allowance, None);
                self.end_charge(Ended::NoWay, log);
            }
            Some(path) if path.cost > charge.allowance => {
                let place = Place::of(self.along(u, &path, charge.allowance));
                self.halt_charge(u, place);
                self.end_charge(Ended::Short, log);
            }
            Some(path) => {
                let at = self.along(u, &path, path.cost);
                let (aspect, cover) = (charge.aspect, charge.cover);
                let from = self.unit(u).body_at(charge.from.pose());
                self.contact(u, target, Contact { at, aspect, cover, from }, log);
            }
        }
    }

    /// The charge comes under fire on the way (VF-CHARGE-11 to -13).
    fn run_through_fire(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let path = charge.path.unwrap_or_else(|| self.straight_ahead(u, charge.allowance));
        let (at, spent, close) = self.firing_point(u, target, &path, charge.allowance);
        let (before, whole) = (self.unit(u).place, !self.unit(u).one_base);
        self.unit_mut(u).place = Place::of(at);
        self.unit_mut(u).settle();
        if self.unit(u).place != before {
            self.s.moved |= bit(u);
        }
        let gap = self.unit(u).body.gap_mils(&self.unit(target).body);
        let short = inch(self.p().fire.short);
        let range = if close { gap.min(self.o().most_within(short)) } else { gap };
        // Beyond 12 nobody fires on a charge, guns no more than muskets (VF-CHARGE-12).
        let near_enough = self.o().within(range, inch(self.p().fire.long));
        if near_enough && self.volley(target, u, range).needed <= 6 {
            self.unit_mut(target).turn.held_fire = false;
            self.shoot(target, u, range, false, chance, log);
        } else {
            self.unit_mut(target).turn.held_fire = true;
            let id = self.spec(target).id;
            log.say(|| Event::new("keeps_fire", "VF-CHARGE-12").who(id));
        }
        let failed = self.s.charge.is_none_or(|c| c.failed);
        if failed || !self.unit(u).here() {
            return self.end_charge(Ended::Broken, log);
        }
        // The rest of the way from here, by the same path.
        let worn = whole && self.unit(u).one_base;
        if self.unit(u).formation == Formation::Cloud || worn {
            let Some(mut charge) = self.s.charge else { return };
            charge.allowance -= spent;
            charge.path = charge.path.and_then(|_| self.charge_on(u, target));
            self.s.charge = Some(charge);
        } else {
            self.unit_mut(u).place = before;
            self.unit_mut(u).settle();
        }
        self.run_home(log);
    }

    /// The way of a charger that has none to its target: straight ahead, as far as it goes (VF-CHARGE-21).
    fn straight_ahead(&self, u: Nr, allowance: Mils) -> ChargePath {
        let unit = self.unit(u);
        let bearing = unit.place.t;
        let run = match self.course(u, exact(bearing), allowance, None) {
            Course::Ends(end) => unit.place.gap(end),
            Course::Touches(_) => 0.0,
        };
        let cost = self.straight_cost(self.mover(u), &unit.body, angle::forward(exact(bearing)), run, None);
        ChargePath { wheel: 0, bearing, straight: mils(run), wheel_cost: 0, cost: mils(cost) }
    }

    /// The first point of the path within 6 of the target, what it costs to get there, and whether it is that near.
    fn firing_point(&self, u: Nr, target: Nr, path: &ChargePath, allowance: Mils) -> (Pose, Mils, bool) {
        let unit = self.unit(u);
        let goal = self.unit(target).body;
        let short = inch(self.p().fire.short);
        let pose = unit.place.pose();
        let near = |pose: Pose| self.o().within(unit.body_at(pose).gap_mils(&goal), short);
        if near(pose) {
            return (pose, 0, true);
        }
        let reach = path.cost.min(allowance);
        let mut before = 0;
        for degree in 1..=path.wheel.abs() {
            let spend = reach.min(path.wheel_cost * i32::from(degree) / i32::from(path.wheel.abs()));
            if near(self.along(u, path, spend)) {
                let spend = first_mil(before, spend, |spend| near(self.along(u, path, spend)));
                return (self.along(u, path, spend), spend, true);
            }
            before = spend;
        }
        let last = self.along(u, path, reach);
        if reach <= path.wheel_cost && path.wheel != 0 {
            return (last, reach, false);
        }
        let wheeled = self.along(u, path, path.wheel_cost);
        let body = unit.body_at(wheeled);
        let way = angle::forward(exact(path.bearing));
        let length = wheeled.at.distance(last.at);
        match first_within(&body, way, length, &goal, exact(short)) {
            Some(d) => {
                let cost = mils(self.straight_cost(self.mover(u), &body, way, d, None));
                (wheeled.slid(way * d), path.wheel_cost + cost, true)
            }
            None => (last, reach, false),
        }
    }

    /// Charger and countercharger ride at each other (VF-CHARGE-16).
    fn meet(&mut self, d: Mils, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let Some(path) = charge.path else {
            self.run_home(log);
            return;
        };
        let (c, g) = (charge.allowance, path.cost);
        let opposite = angle::normalise(exact(path.bearing) + 180.0);
        if c + d < g {
            let place = Place::of(self.along(u, &path, c));
            self.halt_charge(u, place);
            // Both charge: the one holds the other off at no distance (VF-MODEL-45). If its turn has brought it nearer
            // than the dice have, it stops short of a meeting.
            if self.ride(target, opposite, d, Some(u)).is_some() {
                self.ride(target, opposite, d, None);
            }
            return self.end_charge(Ended::Apart, log);
        }
        let x = c.min((g / 2 + g % 2).max(g - d));
        let at = self.along(u, &path, x);
        let place = Place::of(at);
        let body = self.unit(u).body_at(place.pose());
        let met = Pose::new(place.at(), exact(place.t) + 180.0);
        let from = self.unit(u).body;
        let counter = self.conform_to(target, u, &body, met, Zone::Front);
        let Some(counter) = counter.filter(|to| self.may_ride_out(target, *to, u)) else {
            // No way to ride out: the charge comes home on it as it stands, if it can.
            let id = self.spec(target).id;
            log.say(|| Event::new("cannot_ride_out", "VF-CHARGE-16").clause("VF-MODEL-49").who(id));
            self.run_home(log);
            return;
        };
        self.put(u, place);
        self.put(target, counter);
        self.set_clouds_back(u);
        self.set_clouds_back(target);
        let contact = Contact { at: place.pose(), aspect: Zone::Front, cover: false, from };
        self.start_melee(u, target, contact, true, log);
    }

    /// Whether a countercharger may ride out to where it meets the charge: near other enemies, but through nobody and
    /// over no closed ground (VF-CHARGE-16, VF-MOVE-12, VF-MODEL-49).
    fn may_ride_out(&self, u: Nr, to: Place, charger: Nr) -> bool {
        let Some((body, way, length)) = self.straight_to(u, to) else { return true };
        let foes: u64 = self.present_of(self.side(u).enemy()).map(bit).sum();
        let met = |e: Nr| touch(&body, way, &self.unit(e).body).is_some_and(|at| at < length - 0.001);
        let minding = Minding { edge: false, except: foes | bit(u), ..Minding::all(u) };
        let barred = self.free_run(self.side(u), self.mover(u), &body, way, length, minding).1.is_some();
        !barred && !bits(foes & !bit(charger)).any(met)
    }

    /// Whether no closed ground lies between a unit and where it is to stand (VF-MODEL-49).
    pub(crate) fn may_ride_to(&self, u: Nr, to: Place) -> bool {
        let Some((body, way, length)) = self.straight_to(u, to) else { return true };
        let minding = Minding { friends: false, edge: false, except: u64::MAX, ..Minding::all(u) };
        self.free_run(self.side(u), self.mover(u), &body, way, length, minding).1.is_none()
    }

    /// The straight way of a unit, turned on the spot, to where it is to stand; none if it is there.
    fn straight_to(&self, u: Nr, to: Place) -> Option<(Body, Point, f64)> {
        let unit = self.unit(u);
        let body = unit.body_at(turned(&unit.body, exact(to.t)));
        let step = unit.body_at(to.pose()).centroid() - body.centroid();
        step.unit().map(|way| (body, way, step.length()))
    }
}

/// The least of the lengths after one that does not do, up to one that does.
fn first_mil(mut short: Mils, mut enough: Mils, does: impl Fn(Mils) -> bool) -> Mils {
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if does(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    enough
}
