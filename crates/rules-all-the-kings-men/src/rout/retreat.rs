//! Falling back (MOB) and controlled retreats (ATKM-MELEE-19, 20): the search of M22.

use tricorne_drill::{Way, fall_back};
use tricorne_game::{Event, Log};
use tricorne_table::{Point, Shape, angle, sweep};

use crate::field::Engagement;
use crate::formations::Formation;
use crate::movement::terrain::overlap;
use crate::options::TableEdge;
use crate::rout::Broken;
use crate::state::{Solids, Unit, UnitNo};

impl Engagement {
    /// M22: how far and which way a unit gets, or none. `stands` is the unit in the shape it goes in.
    fn retreat(
        &self,
        no: UnitNo,
        from: UnitNo,
        stands: &Unit,
        away: Point,
        far: f64,
        least: f64,
    ) -> Option<Point> {
        let rules = &self.rules().retreat;
        let tried = |turn: f64| {
            let way = away.turned(turn);
            let mut lengths =
                std::iter::successors(Some(far), |s| Some(s - rules.step)).take_while(|s| *s > 1e-9);
            match lengths.find(|s| self.may_retreat(no, from, stands, way * *s)) {
                Some(s) if s >= far * rules.enough - 1e-9 => Way::Open((s, way)),
                Some(s) => Way::Cut((s, way)),
                None => Way::Shut,
            }
        };
        let found = fall_back(angle::fan(rules.apart, rules.widest), tried, |a, b| a.0 > b.0 + 1e-9);
        found.filter(|(s, _)| *s >= least - 1e-9).map(|(s, way)| way * s)
    }

    fn may_retreat(&self, no: UnitNo, from: UnitNo, stands: &Unit, way: Point) -> bool {
        let rules = self.rules();
        let mut gone = *stands;
        gone.at = stands.at + way;
        let footprint = gone.footprint(rules);
        if self.standable(&footprint).is_err() || self.overlapped(&footprint, |o, _| o == no).is_some() {
            return false;
        }
        if self.gap_to(&footprint, stands.army.enemy(), rules.march.enemy_gap).is_some() {
            return false;
        }
        self.sweep_is_free(no, from, &stands.footprint(rules), stands, way)
    }

    /// Friends may be crossed (ATKM-MOB-08); other enemies and forbidden ground may not.
    fn sweep_is_free(&self, no: UnitNo, from: UnitNo, start: &Solids, stands: &Unit, way: Point) -> bool {
        start.iter().all(|r| {
            let swept = sweep::swept(&Shape::Rect(*r), way);
            let bounds = swept.bounds();
            if self.land().forbids(&swept) {
                return false;
            }
            !self.of_army(stands.army.enemy()).any(|(other, u)| {
                other != no
                    && other != from
                    && u.reach(self.rules()).meets(&bounds)
                    && u.footprint(self.rules()).iter().any(|f| overlap(&swept, &Shape::Rect(*f)))
            })
        })
    }

    /// ATKM-MOB-07: the loser of a melee becomes a mob away from the winner, or routs for want of room.
    pub(crate) fn fall_back(
        &mut self,
        loser: UnitNo,
        winner: UnitNo,
        centre: Point,
        from: Point,
        log: &mut Log,
    ) {
        let unit = *self.unit(loser);
        let far = self.rules().profile(unit.kind).fall_back;
        let away = (centre - from).unit().unwrap_or(-unit.forward);
        let mut mob = unit;
        mob.set_mob(centre);
        let id = unit.id;
        if self.options().table_edge == TableEdge::ExitRouts {
            let mut gone = mob;
            gone.at = centre + away * far;
            let off = gone.footprint(self.rules()).iter().any(|r| !self.land().holds(&Shape::Rect(*r)));
            if off {
                self.rout(loser, Broken::OffTable, log);
                return;
            }
        }
        match self.retreat(loser, winner, &mob, away, far, self.rules().retreat.least_fall_back) {
            Some(way) => {
                mob.at = centre + way;
                *self.unit_mut(loser) = mob;
                log.say(|| {
                    let event = Event::new("fall_back", "ATKM-MOB-07")
                        .clause("ATKM-MELEE-05")
                        .who(id)
                        .with("distance", crate::movement::round(way.length()))
                        .with("far", wanted(way, far));
                    if unit.is_mob() { event.outcome("again").clause("ATKM-MOB-12") } else { event }
                });
            }
            None => self.rout(loser, Broken::NoRoom, log),
        }
    }

    /// ATKM-MELEE-06, ATKM-MELEE-19, ATKM-MELEE-20: equal losses make the defender retire in good order.
    pub(crate) fn controlled_retreat(
        &mut self,
        defender: UnitNo,
        charger: UnitNo,
        centres: [Point; 2],
        log: &mut Log,
    ) {
        let unit = *self.unit(defender);
        let (profile, rules) = (self.rules().profile(unit.kind), &self.rules().retreat);
        let whole = match unit.formation {
            Formation::Mob => profile.fall_back,
            _ => self.stride(&unit).unwrap_or(profile.fall_back),
        };
        let far = whole * rules.retire_share;
        let away = (centres[1] - centres[0]).unit().unwrap_or(-unit.forward);
        if let Some(way) = self.retreat(defender, charger, &unit, away, far, rules.least_retire) {
            self.unit_mut(defender).at = unit.at + way;
            log.say(|| {
                Event::new("controlled_retreat", "ATKM-MELEE-19")
                    .clause("ATKM-MELEE-06")
                    .who(unit.id)
                    .with("distance", crate::movement::round(way.length()))
                    .with("far", wanted(way, far))
            });
            return;
        }
        let us = *self.unit(charger);
        // Which way skirmishers face means nothing (ATKM-MOVE-20): they go straight away from the defender.
        let away = (centres[0] - centres[1]).unit().filter(|_| us.is_skirmish_line());
        let back = away.unwrap_or(-us.forward) * f64::from(self.rules().retreat.step_back);
        let mut gone = us;
        gone.at = us.at + back;
        let footprint = gone.footprint(self.rules());
        let clear =
            self.standable(&footprint).is_ok() && self.overlapped(&footprint, |o, _| o == charger).is_none();
        if clear {
            self.unit_mut(charger).at = gone.at;
        }
        log.say(|| {
            let back = if clear { self.rules().retreat.step_back } else { 0 };
            Event::new("stood", "ATKM-MELEE-20").who(unit.id).whom(us.id).with("back", back)
        });
    }
}

/// How far it should have gone, where there was no room for all of it (M22); 0 if there was.
fn wanted(way: Point, far: f64) -> f64 {
    if way.length() < far - 0.001 { far } else { 0.0 }
}
