//! D-FOLLOW: the charger stops where the evader stood, or follows (VF-CHARGE-19, -20).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Event, Illegal, Log, Seat, UnitId};
use tricorne_table::angle;

use crate::action::Action;
use crate::field::Field;
use crate::model::measure::{Place, exact, mils};
use crate::questions::{asks, seat};

/// Stop where the target stood, or follow?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Follow;

impl Question<Field> for Follow {
    /// Whether it follows.
    type Judged = bool;

    asks!("follow", "melee", "Stop where the target stood, or follow?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.s.charge.map_or(field.controller(), |c| field.decider(c.charger)))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        field.s.charge.map(|c| field.spec(c.charger).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Stop, Action::Follow]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Stop => Ok(false),
            Action::Follow => Ok(true),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, follows: bool, now: &mut Now<'_>) {
        field.follow(follows, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Stop
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.5) { Action::Follow } else { Action::Stop }
    }
}

impl Field {
    /// Stops at the initial target point, or follows (VF-CHARGE-19, -20).
    pub(crate) fn follow(&mut self, follows: bool, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let Some(path) = charge.path else { return };
        let at = Place::of(self.along(u, &path, path.cost));
        self.halt_charge(u, at);
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("follow", "VF-CHARGE-19").who(id).outcome(if follows { "follows" } else { "stops" })
        });
        if !follows || !self.unit(target).here() {
            // Where it stopped has been told.
            self.s.charge = None;
            return;
        }
        let bearing =
            exact(mils(angle::bearing(self.unit(u).body.centroid(), self.unit(target).body.centroid())));
        if let Some(contact) = self.ride(u, bearing, charge.allowance - path.cost, Some(target)) {
            self.contact(u, target, contact, log);
        } else {
            let whom = self.spec(target).id;
            log.say(|| Event::new("not_caught", "VF-CHARGE-20").who(id).whom(whom));
            self.s.charge = None;
        }
    }
}
