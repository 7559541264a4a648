//! Giving way: where a unit that wavers, routs, falls back or evades goes, and what comes of it (VF-MORALE-07 to -20,
//! -26, VF-MELEE-33).

use tricorne_chance::Chance;
use tricorne_drill::{Way, fall_back};
use tricorne_game::{Event, Log, UnitId};
use tricorne_table::{Point, Pose, angle};

use super::Outcome;
use super::hindrance::{Friend, Hindrance};
use crate::field::{Field, bit, bits};
use crate::model::formation::{Body, passage, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Kind, Nr};
use crate::movement::{Bar, Minding};
use crate::options::{RetreatDirection, RoutRoll, WaverAtEdge};
use crate::rulebook::{Share, inch};
use crate::state::Fate;

/// A way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// The bearing wished for.
    pub bearing: f64,
    /// How much it may spend.
    pub spend: Mils,
    /// Stops at the table's edge (VF-MORALE-26).
    pub halts: bool,
    /// Removed if too little of it is open (VF-MORALE-16).
    pub routs: bool,
}

/// Where a way back leads.
#[derive(Clone, Copy, Debug)]
pub struct Flown {
    /// Where it ends.
    pub end: Place,
    /// The unit as it goes, before its first step.
    pub body: Body,
    /// The way it goes.
    pub bearing: f64,
    /// How far.
    pub run: f64,
    /// Lost on the way, and how.
    pub fate: Option<Fate>,
    /// Why it is not as long as was rolled.
    pub why: Hindrance,
}

impl Field {
    /// A unit wavers or routs (VF-MORALE-07 to -19).
    pub(crate) fn give_way(
        &mut self,
        u: Nr,
        outcome: Outcome,
        cause: Option<Nr>,
        in_melee: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        self.note_failure(u);
        let routs = outcome == Outcome::Routs;
        if routs {
            if self.unit(u).routed {
                self.disperse(u, "VF-MORALE-10", "it was the second rout", in_melee, log);
                return;
            }
            self.unit_mut(u).routed = true;
            self.mishap(u, "the rout of", log);
        }
        self.disorder(u);
        self.break_square(u);
        self.take_off_base(u);
        let mut roll = self.roll_move(u, "retreat_move", true, chance);
        if routs {
            match self.o().rout_roll {
                RoutRoll::OneRollDoubled => roll.allowance *= i32::from(self.p().morale.rout),
                RoutRoll::TwoRolls => {
                    for _ in 1..self.p().morale.rout {
                        let next = self.roll_move(u, "retreat_move", true, chance);
                        roll.allowance += next.allowance;
                        roll.faces.extend(next.faces);
                    }
                }
            }
        }
        let bearing = self.way_back(u, cause);
        let flight = Flight { bearing, spend: roll.allowance, halts: !routs && self.halts(), routs };
        let (id, whom) = (self.spec(u).id, cause.map(|c| self.spec(c).id));
        let one_roll = routs && self.o().rout_roll == RoutRoll::OneRollDoubled;
        let times = if one_roll { self.p().morale.rout } else { 1 };
        log.say(|| {
            let mut event = Event::new("retreats", if routs { "VF-MORALE-08" } else { "VF-MORALE-07" })
                .clause("VF-MORALE-12")
                .who(id)
                .outcome(outcome.name())
                .with("doubled", times == 2);
            if times > 2 {
                event = event.with("times", times);
            }
            event.whom = whom;
            self.tell_move(event, u, &roll)
        });
        let flown = self.flown(u, flight);
        if let Some(foe) = cause.filter(|_| in_melee && !routs)
            && self.held_in_contact(u, &flown, foe)
        {
            log.say(|| Event::new("lays_down_arms", "VF-MELEE-33").who(id).with("because", flown.why.held()));
            self.lay_down_arms(u, log);
            return;
        }
        self.fly(u, &flown, in_melee, log);
    }

    /// The bearings that are tried in turn: the one wished for, then so many degrees either way, and so on (VF-MORALE-15).
    fn bearings(&self, wished: f64) -> impl Iterator<Item = f64> + use<> {
        let morale = &self.p().morale;
        angle::fan(f64::from(morale.aside), f64::from(morale.furthest_aside))
            .map(move |turn| angle::normalise(wished + turn))
    }

    /// A failed test ends a charge or turns its target (VF-CHARGE-07, -13).
    fn note_failure(&mut self, u: Nr) {
        if let Some(charge) = &mut self.s.charge {
            charge.failed |= charge.charger == u;
            charge.fled |= charge.target == u;
        }
    }

    /// A square that must move becomes a column (VF-MORALE-19, VF-MOVE-22).
    pub(crate) fn break_square(&mut self, u: Nr) {
        if self.unit(u).formation == Formation::Square {
            self.leave_square(u);
            let unit = self.unit_mut(u);
            unit.formation = Formation::Column;
            unit.settle();
        }
    }

    /// The bearing of a retreat (VF-MORALE-13).
    pub(crate) fn way_back(&self, u: Nr, cause: Option<Nr>) -> f64 {
        let home = Self::home_bearing(self.side(u));
        if self.o().retreat_direction == RetreatDirection::HomeEdge {
            return home;
        }
        let Some(cause) = cause else { return home };
        let (from, to) = (self.unit(cause).body.centroid(), self.unit(u).body.centroid());
        if from.near(to) { home } else { exact(mils(angle::bearing(from, to))) }
    }

    /// Whether who gives way without routing halts at the edge (VF-MORALE-11).
    pub(crate) fn halts(&self) -> bool {
        self.o().waver_at_edge == WaverAtEdge::Halts
    }

    /// Whether a unit that wavers in melee cannot get clear of whom it fought (VF-MELEE-33).
    fn held_in_contact(&self, u: Nr, flown: &Flown, foe: Nr) -> bool {
        let clear = inch(self.p().distance.clear);
        let body = self.unit(u).body_at(flown.end.pose());
        flown.fate.is_none() && self.unit(foe).here() && body.gap_mils(&self.unit(foe).body) < clear
    }

    /// Where a way back leads: the unit turns, goes straight round what bars the way, and comes to rest
    /// (VF-MORALE-14 to -18, -26).
    pub(crate) fn flown(&self, u: Nr, flight: Flight) -> Flown {
        let unit = self.unit(u);
        let facing = exact(unit.place.t);
        let why = Hindrance { stuck: flight.spend <= 0, ..Hindrance::default() };
        let stays = Flown { end: unit.place, body: unit.body, bearing: facing, run: 0.0, fate: None, why };
        if flight.spend <= 0 {
            return stays;
        }
        let (side, mover) = (self.side(u), self.mover(u));
        let minding = Minding { friends: false, edge: false, ..Minding::all(u) };
        let whole = exact(flight.spend);
        let tried = |bearing: f64| {
            let body = unit.body_at(turned(&unit.body, bearing));
            let way = angle::forward(bearing);
            let full = self.distance_for(mover, &body, way, whole);
            let (run, bar) = self.free_run(side, mover, &body, way, full, minding);
            let spent = if bar.is_none() { whole } else { self.straight_cost(mover, &body, way, run, None) };
            let leads = (spent, body, bearing, run, bar);
            // Barred by less than is measured, it is as good as open.
            if spent > whole - 0.000_5 { Way::Open(leads) } else { Way::Cut(leads) }
        };
        let found = fall_back(self.bearings(flight.bearing), tried, |a, b| a.0 > b.0 + 0.000_5);
        let Some((spent, mut body, bearing, mut run, barred)) = found else { return stays };
        let mut why = Hindrance { barred, slowed: mils(spent) > mils(run), ..Hindrance::default() };
        if flight.routs && !self.p().morale.rout_open.reached(mils(spent), flight.spend) {
            return Flown { fate: Some(Fate::Dispersed), why, ..stays };
        }
        if mils(spent) == 0 {
            return Flown { why, ..self.turned_in_vain(u, flight).unwrap_or(stays) };
        }
        let way = angle::forward(bearing);
        if flight.halts {
            // The edge stops it; it does not turn it aside.
            let Some(pushed) = self.pushed_in(u, body) else {
                return Flown { why: Hindrance { barred: Some(Bar::Edge), ..why }, ..stays };
            };
            if pushed != body {
                // It goes, and pays for its ground, from where it has been pushed to.
                run = self.distance_for(mover, &pushed, way, whole);
                why.slowed = mils(run) < flight.spend;
            }
            body = pushed;
            let minding = Minding { edge: true, ..minding };
            let (on_table, bar) = self.free_run(side, mover, &body, way, run, minding);
            why.edge = bar == Some(Bar::Edge) && on_table > 0.0;
            if bar == Some(Bar::Edge) && !why.edge {
                why.barred = bar;
            }
            run = on_table;
        }
        let Some((at, end)) = self.come_to_rest(u, &body, bearing, run, flight.routs) else {
            return Flown { why: Hindrance { friend: Some(Friend::Avoided), ..why }, ..stays };
        };
        why.friend = Friend::of(run, at);
        let left = !unit.body_at(end.pose()).on_table(self.b.width, self.b.height);
        Flown { end, body, bearing, run: at, fate: left.then_some(Fate::LeftTable), why }
    }

    /// It can go nowhere: it faces the first of the bearings to which it may turn (VF-MORALE-15).
    fn turned_in_vain(&self, u: Nr, flight: Flight) -> Option<Flown> {
        let unit = self.unit(u);
        self.bearings(flight.bearing).find_map(|bearing| {
            let mut body = unit.body_at(turned(&unit.body, bearing));
            if flight.halts {
                body = self.pushed_in(u, body)?;
            }
            let end = Place::of(body.rect.front());
            self.room_for(&unit.body_at(end.pose()), Some(u), self.mover(u)).then_some(Flown {
                end,
                body,
                bearing,
                run: 0.0,
                fate: None,
                why: Hindrance::default(),
            })
        })
    }

    /// A turned body as it stands on the table: pushed in, square to the edge, if the turn lays part of it beyond. None
    /// if there is no room for it there (VF-MORALE-26).
    fn pushed_in(&self, u: Nr, body: Body) -> Option<Body> {
        let inwards = self.inwards(&body);
        if inwards == Point::ORIGIN {
            return Some(body);
        }
        let pushed = body.slid(inwards);
        let free = self.room_for(&pushed, Some(u), self.mover(u)) && !self.comes_too_near(u, &pushed);
        free.then_some(pushed)
    }

    /// Whether a place is too near an enemy, and nearer than the unit stood (VF-MODEL-45).
    pub(crate) fn comes_too_near(&self, u: Nr, body: &Body) -> bool {
        let clear = inch(self.p().distance.clear);
        self.present_of(self.side(u).enemy()).any(|e| {
            let other = &self.unit(e).body;
            body.may_reach(other, exact(clear)) && {
                let gap = body.gap_mils(other);
                gap < clear && gap < self.unit(u).body.gap_mils(other)
            }
        })
    }

    /// Where a retreat of so far ends: a little further if that is on top of somebody, or short of him. None if there is
    /// no such place (VF-MORALE-18).
    pub(crate) fn come_to_rest(
        &self,
        u: Nr,
        body: &Body,
        bearing: f64,
        run: f64,
        routs: bool,
    ) -> Option<(f64, Place)> {
        let unit = self.unit(u);
        let way = angle::forward(bearing);
        let mover = self.mover(u);
        let at = |d: f64| Place::of(Pose::new(body.rect.front().at + way * d, bearing));
        let covered = |b: &Body| self.present().any(|o| o != u && b.overlaps(&self.unit(o).body));
        if !covered(&unit.body_at(at(run).pose())) {
            return Some((run, at(run)));
        }
        for step in 1..400_u32 {
            let d = run + 0.1 * f64::from(step);
            let b = unit.body_at(at(d).pose());
            if !b.on_table(self.b.width, self.b.height) {
                if !routs {
                    break;
                }
                return Some((d, at(d)));
            }
            if !self.leaves_closed(&b, Some(u), mover) || self.comes_too_near(u, &b) {
                break;
            }
            if !covered(&b) {
                return Some((d, at(d)));
            }
        }
        // Short of him: back along the same line to the last free place.
        let steps = (run / 0.1 + 1e-6) as u32;
        (1..=steps).find_map(|step| {
            let d = (run - 0.1 * f64::from(step)).max(0.0);
            let b = unit.body_at(at(d).pose());
            (!covered(&b) && b.on_table(self.b.width, self.b.height)).then(|| (d, at(d)))
        })
    }

    /// Takes the way back, and pays for whom it passes through (VF-MORALE-11, -17).
    pub(crate) fn fly(&mut self, u: Nr, flown: &Flown, in_melee: bool, log: &mut Log) {
        if flown.fate == Some(Fate::Dispersed) {
            let open = format!("less than {} of the way was open", self.p().morale.rout_open.told());
            let why = flown.why.told();
            let why = if why.is_empty() { open } else { format!("{open}, for {why}") };
            self.disperse(u, "VF-MORALE-16", &why, in_melee, log);
            return;
        }
        self.pass_through(u, &flown.body, angle::forward(flown.bearing), flown.run, log);
        let id = self.spec(u).id;
        let end = flown.end;
        let from = self.unit(u).place;
        let leaves = flown.fate == Some(Fate::LeftTable);
        if end == from {
            log.say(|| Event::new("nowhere_to_go", "VF-MORALE-15").who(id).with("because", flown.why.told()));
        } else {
            self.put(u, end);
            if !leaves {
                log.say(|| fell_back("VF-MORALE-14", id, flown.run, end).with("because", flown.why.told()));
            }
        }
        if leaves {
            self.remove(u, Fate::LeftTable, in_melee, log);
        }
    }

    /// Who retreats through friends disorders himself and them (VF-MORALE-17).
    fn pass_through(&mut self, u: Nr, body: &Body, way: Point, run: f64, log: &mut Log) {
        for o in bits(self.passed_through(u, body, way, run)) {
            self.disorder(u);
            self.disorder(o);
            let (who, whom) = (self.spec(u).id, self.spec(o).id);
            log.say(|| Event::new("passes_through", "VF-MORALE-17").who(who).whom(whom));
        }
    }

    /// The friends that a retreat of so far goes through.
    pub(crate) fn passed_through(&self, u: Nr, body: &Body, way: Point, run: f64) -> u64 {
        if self.kind(u) == Kind::Skirmish || run <= 0.0 {
            return 0;
        }
        let (corners, stood) = (body.rect.corners(), self.unit(u).body.rect.corners());
        let mut through = 0;
        for o in self.present_of(self.side(u)).filter(|&o| o != u && self.kind(o) != Kind::Skirmish) {
            let other = self.unit(o).body.rect.corners();
            let met = |outline: &[Point; 4]| {
                passage(outline, way, &other, crate::model::formation::SLIVER)
                    .filter(|&(from, to)| to > 0.0 && from < run)
            };
            // A neighbour that only the turn on the spot would brush is not passed through.
            let brushed = || met(&stood).is_none_or(|(from, _)| from <= -0.01);
            if met(&corners).is_some_and(|(from, _)| from > 0.0 || !brushed()) {
                through |= bit(o);
            }
        }
        through
    }
}

/// A unit went back to a place; where it only turned there, that is told (VF-MORALE-15).
pub(super) fn fell_back(clause: &str, who: UnitId, distance: f64, to: Place) -> Event {
    let event = Event::new("falls_back", clause).who(who).with("distance", distance);
    let event = event.with("x", exact(to.x)).with("y", exact(to.y)).with("facing", exact(to.t));
    if distance > 0.0 { event } else { event.outcome("turns") }
}
