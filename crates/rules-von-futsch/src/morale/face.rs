//! D-FACE: which way a rallied unit turns (VF-SHAKEN-10).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Preview};
use tricorne_table::Pose;

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::formation::turned;
use crate::model::measure::{Decimal, Place, exact};
use crate::questions::asks;

/// Which way does it face now?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Face {
    /// Who rallied.
    pub unit: Nr,
}

impl Question<Field> for Face {
    type Judged = Place;

    asks!("face", "activation", "Which way does it face now?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("face", self.unit(field), None, "a facing");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Place, Illegal> {
        match answer {
            Action::Face(facing) => field.judge_face(self.unit, *facing),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, place: Place, now: &mut Now<'_>) {
        field.turn_to(self.unit, place);
        let id = field.spec(self.unit).id;
        now.say(|| Event::new("turns", "VF-SHAKEN-10").who(id).with("facing", exact(place.t)));
    }

    fn usual(&self, field: &Field) -> Action {
        Action::Face(Decimal(field.unit(self.unit).place.t))
    }

    fn end(&self, _: &Field, place: &Place) -> Option<Pose> {
        Some(place.pose())
    }

    fn preview(&self, field: &Field, place: &Place) -> Preview {
        field.preview_turn(self.unit, *place)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        Action::Face(field.any_facing(self.unit, whim))
    }

    crate::questions::guessed!();
}

impl Field {
    /// A unit turns on the spot. All of a regimental square face alike: who turns has left it (VF-MODEL-24, VF-MOVE-22).
    pub(crate) fn turn_to(&mut self, u: Nr, place: Place) {
        if place.t != self.unit(u).place.t {
            self.leave_square(u);
        }
        self.put(u, place);
    }

    /// Turning on the spot (VF-MODEL-43): there must be room.
    pub(crate) fn judge_face(&self, u: Nr, facing: Decimal) -> Result<Place, Illegal> {
        let unit = self.unit(u);
        let facing = exact(crate::model::measure::turn(facing.0));
        let place = Place::of(turned(&unit.body, facing));
        if place.t == unit.place.t {
            return Ok(unit.place);
        }
        let body = unit.body_at(place.pose());
        if !self.room_for(&body, Some(u), self.mover(u)) {
            return refuse(
                "VF-MODEL-44",
                "there is no room to turn that way; keep the facing or choose another",
            );
        }
        Ok(place)
    }
}
