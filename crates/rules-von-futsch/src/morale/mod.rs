//! Morale tests, retreats, disorder, rallying and reforming (ledger 4.5, 4.10).

pub(crate) mod bearing;
pub(crate) mod face;
pub(crate) mod reform;
use tricorne_chance::Chance;
use tricorne_drill::Reasons;
use tricorne_game::{Event, Log};
use tricorne_table::{Pose, angle};

use crate::field::{Field, bit};
use crate::model::formation::{Body, passage, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Kind, Nr, Quality};
use crate::movement::Minding;
use crate::options::{
    BreakCount, RallyPenalty, RetreatDirection, RoutRoll, ShakenModifier, ShakenPass, WaverAtEdge,
};
use crate::questions::Face;
use crate::state::Fate;

/// How a test came out (VF-MORALE-06 to -08).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Steady,
    Wavers,
    Routs,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Steady => "steady",
            Outcome::Wavers => "wavers",
            Outcome::Routs => "routs",
        }
    }
}

/// A way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// The bearing wished for.
    pub bearing: f64,
    /// How much it may spend.
    pub spend: Mils,
    /// Stops at the table's edge.
    pub halts: bool,
    /// Removed if it can't make half of it (VF-MORALE-16).
    pub routs: bool,
}

impl Field {
    /// The modifiers of a test with so many figures lost (VF-MORALE-05, VF-SHAKEN-04, -09).
    pub(crate) fn morale_reasons(&self, u: Nr, lost: u8, becoming_shaken: bool) -> Reasons {
        let m = &self.p().morale;
        let mut list = Reasons::default();
        match self.spec(u).quality {
            Quality::Elite => list.add(m.elite, "elite", "VF-MORALE-05"),
            Quality::Poor => list.add(m.poor, "poor", "VF-MORALE-05"),
            Quality::Normal => {}
        }
        if self.army_commander_with(u).is_some() {
            list.add(m.army_commander, "army commander attached", "VF-MORALE-05");
        }
        let shaken =
            becoming_shaken || (self.unit(u).shaken && self.o().rally_penalty == RallyPenalty::Always);
        let replaced = shaken && self.o().shaken_modifier == ShakenModifier::InsteadOfHalf;
        if self.share_lost(u, lost, m.half) && !replaced {
            list.add(m.half_lost, "half lost", "VF-MORALE-05");
        }
        if shaken {
            list.add(m.shaken, "Shaken", "VF-SHAKEN-04");
        }
        list
    }

    /// What a total of a test comes to (VF-MORALE-06 to -08).
    pub(crate) fn outcome(&self, made: i32) -> Outcome {
        if made >= self.p().morale.steady {
            Outcome::Steady
        } else if made >= self.p().morale.waver {
            Outcome::Wavers
        } else {
            Outcome::Routs
        }
    }

    /// The die of a test and what comes of it (VF-MORALE-04).
    pub(crate) fn roll_test(
        &mut self,
        u: Nr,
        becoming_shaken: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Outcome {
        let die = chance.d6("morale");
        let reasons = self.morale_reasons(u, self.lost(u), becoming_shaken);
        let made = i32::from(die) + reasons.sum();
        let outcome = self.outcome(made);
        let id = self.spec(u).id;
        let needed = self.p().morale.steady;
        log.say(|| {
            Event::new(if becoming_shaken { "shaken_test" } else { "morale" }, "VF-MORALE-04")
                .clause(if becoming_shaken { "VF-SHAKEN-03" } else { "VF-MORALE-05" })
                .who(id)
                .faces(&[die])
                .modifiers(reasons.told())
                .needed(needed)
                .made(made)
                .outcome(outcome.name())
        });
        if outcome == Outcome::Steady {
            if becoming_shaken {
                // VF-SHAKEN-06
                self.unit_mut(u).shaken = self.o().shaken_pass == ShakenPass::Stays;
            } else {
                self.unit_mut(u).shaken = false; // VF-SHAKEN-11
            }
        } else if becoming_shaken {
            self.unit_mut(u).shaken = true;
        }
        outcome
    }

    /// A test and its retreat. True if the unit is steady.
    pub(crate) fn test(
        &mut self,
        u: Nr,
        cause: Option<Nr>,
        becoming_shaken: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> bool {
        let outcome = self.roll_test(u, becoming_shaken, chance, log);
        if outcome == Outcome::Steady {
            return true;
        }
        self.give_way(u, outcome, cause, false, chance, log);
        false
    }

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
                self.remove(u, Fate::Dispersed, in_melee, log); // VF-MORALE-10
                return;
            }
            self.unit_mut(u).routed = true;
            self.mishap(u, log);
        }
        self.disorder(u);
        self.break_square(u);
        let mut roll = self.roll_move(u, "retreat_move", true, chance);
        if routs {
            match self.o().rout_roll {
                RoutRoll::OneRollDoubled => roll.allowance *= 2,
                RoutRoll::TwoRolls => {
                    let second = self.roll_move(u, "retreat_move", true, chance);
                    roll.allowance += second.allowance;
                    roll.faces.extend(second.faces);
                }
            }
        }
        let halts = !routs && self.o().waver_at_edge == WaverAtEdge::Halts;
        let flight = Flight { bearing: self.way_back(u, cause), spend: roll.allowance, halts, routs };
        let (id, whom) = (self.spec(u).id, cause.map(|c| self.spec(c).id));
        let faces = roll.faces;
        log.say(|| {
            let mut event = Event::new("retreats", if routs { "VF-MORALE-08" } else { "VF-MORALE-07" })
                .clause("VF-MORALE-12")
                .who(id)
                .faces(&faces)
                .outcome(outcome.name())
                .with("inches", exact(flight.spend));
            event.whom = whom;
            event
        });
        self.flee(u, flight, in_melee, log);
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

    /// Turns, goes straight back round what bars the way, and pays for whom it passes through
    /// (VF-MORALE-11, -14 to -20).
    pub(crate) fn flee(&mut self, u: Nr, flight: Flight, in_melee: bool, log: &mut Log) {
        if flight.spend <= 0 {
            return;
        }
        let unit = self.unit(u);
        let (formation, strength, old) = (unit.formation, unit.strength, unit.place);
        let (side, mover) = (self.side(u), self.mover(u));
        let minding = Minding { friends: false, edge: false, except: bit(u), road: None };
        let mut best: Option<(f64, Body, f64, f64)> = None;
        for shift in 0..=12_u8 {
            let by = f64::from(15 * shift.div_ceil(2)) * if shift % 2 == 1 { 1.0 } else { -1.0 };
            let bearing = angle::normalise(flight.bearing + by);
            let body = Body::new(turned(&unit.body, bearing), formation, strength);
            let way = angle::forward(bearing);
            let full = self.distance_for(mover, &body, way, exact(flight.spend));
            let (run, bar) = self.free_run(side, mover, &body, way, full, minding);
            let spent = if bar.is_none() {
                exact(flight.spend)
            } else {
                self.straight_cost(mover, &body, way, run, None)
            };
            if best.as_ref().is_none_or(|(most, ..)| spent > most + 0.000_5) {
                best = Some((spent, body, bearing, run));
            }
            if bar.is_none() {
                break;
            }
        }
        let Some((spent, body, bearing, run)) = best else { return };
        if flight.routs && 2 * mils(spent) < flight.spend {
            self.remove(u, Fate::Dispersed, in_melee, log); // VF-MORALE-16
            return;
        }
        let way = angle::forward(bearing);
        let run = if flight.halts {
            // The edge stops it; it does not turn it aside.
            let minding = Minding { edge: true, except: u64::MAX, ..minding };
            self.free_run(side, mover, &body, way, run, minding).0
        } else {
            run
        };
        let (run, place) = self.come_to_rest(u, &body, bearing, run, flight.halts);
        self.pass_through(u, &body, way, run, log);
        if let Some(place) = place {
            self.put(u, place);
        } else {
            // It stays where it stood, in want of room to turn.
            self.put(u, old);
        }
        let gone = !self.unit(u).body.on_table(self.b.width, self.b.height);
        let id = self.spec(u).id;
        let at = self.unit(u).place;
        log.say(|| {
            Event::new("falls_back", "VF-MORALE-14")
                .who(id)
                .with("x", exact(at.x))
                .with("y", exact(at.y))
                .with("facing", exact(at.t))
        });
        if gone {
            self.remove(u, Fate::LeftTable, in_melee, log); // VF-MORALE-11
        }
    }

    /// Where a retreat ends: a little further if it would be on top of somebody (VF-MORALE-18).
    fn come_to_rest(&self, u: Nr, body: &Body, bearing: f64, run: f64, halts: bool) -> (f64, Option<Place>) {
        let way = angle::forward(bearing);
        let mover = self.mover(u);
        let at = |d: f64| {
            let front = body.rect.front().at + way * d;
            Place::of(Pose::new(front, bearing))
        };
        let body_at = |place: Place| Body::new(place.pose(), self.unit(u).formation, self.unit(u).strength);
        let covered = |b: &Body| self.present().any(|o| o != u && b.overlaps(&self.unit(o).body));
        let here = body_at(at(run));
        if !covered(&here) {
            return (run, Some(at(run)));
        }
        for step in 1..400_u32 {
            let d = run + 0.1 * f64::from(step);
            let b = body_at(at(d));
            if !b.on_table(self.b.width, self.b.height) {
                if halts {
                    break;
                }
                return (d, Some(at(d)));
            }
            if !covered(&b) && !self.closed_under(&b, mover) {
                return (d, Some(at(d)));
            }
        }
        // No room further on: back along the same line to the last free place.
        for step in 1..=(run / 0.1) as u32 {
            let d = (run - 0.1 * f64::from(step)).max(0.0);
            let b = body_at(at(d));
            if !covered(&b) && b.on_table(self.b.width, self.b.height) {
                return (d, Some(at(d)));
            }
        }
        (0.0, None)
    }

    /// Who retreats through friends disorders himself and them (VF-MORALE-17).
    fn pass_through(&mut self, u: Nr, body: &Body, way: tricorne_table::Point, run: f64, log: &mut Log) {
        if self.kind(u) == Kind::Skirmish || run <= 0.0 {
            return;
        }
        let side = self.side(u);
        let corners = body.rect.corners();
        let stood = self.unit(u).body.rect.corners();
        for i in 0..self.s.units.len() {
            let o = Nr(i as u8);
            if o == u || !self.unit(o).here() || self.side(o) != side || self.kind(o) == Kind::Skirmish {
                continue;
            }
            let other = self.unit(o).body.rect.corners();
            let met = |outline: &[tricorne_table::Point; 4], least: f64| {
                passage(outline, way, &other, crate::model::formation::SLIVER)
                    .is_some_and(|(from, to)| to > 0.0 && from > least && from < run)
            };
            // A neighbour that only the turn on the spot would brush is not passed through.
            let through = met(&corners, 0.0) || met(&stood, -0.01);
            if through {
                self.disorder(u);
                self.disorder(o);
                let (who, whom) = (self.spec(u).id, self.spec(o).id);
                log.say(|| Event::new("passes_through", "VF-MORALE-17").who(who).whom(whom));
            }
        }
    }

    /// A Shaken unit tests instead of anything else (VF-SHAKEN-08 to -10).
    pub(crate) fn rally(&mut self, u: Nr, chance: &mut dyn Chance, log: &mut Log) {
        let outcome = self.roll_test(u, false, chance, log);
        if outcome == Outcome::Steady {
            if self.o().rally_reforms {
                self.restore_order(u);
            }
            self.ask(Face { unit: u });
            return;
        }
        self.give_way(u, outcome, None, false, chance, log);
    }

    /// A unit is in order again.
    pub(crate) fn restore_order(&mut self, u: Nr) {
        let was_routed = self.unit(u).routed;
        let unit = self.unit_mut(u);
        unit.shaken = false;
        unit.disordered = false;
        unit.routed = false;
        if was_routed && self.o().break_count == BreakCount::WhileRouted && self.unit(u).mishap {
            self.unit_mut(u).mishap = false;
            let side = self.side(u).index();
            self.s.morale_lost[side] = self.s.morale_lost[side].saturating_sub(1);
        }
    }
}
