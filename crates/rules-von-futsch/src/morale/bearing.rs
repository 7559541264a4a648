//! D-BEARING: the way back of a unit that reforms (VF-MORALE-23).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Preview};
use tricorne_table::{Pose, angle};

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::formation::turned;
use crate::model::measure::{Decimal, Mils, Place, exact, mils};
use crate::morale::retreat::fell_back;
use crate::movement::Minding;
use crate::questions::asks;
use crate::rulebook::Share;

/// Which way and how far does it go back?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bearing {
    /// Who.
    pub unit: Nr,
    /// How it faces then.
    pub facing: Mils,
}

impl Question<Field> for Bearing {
    type Judged = Place;

    asks!("bearing", "retreat", "Which way and how far does it go back?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("bearing", self.unit(field), field.half_a_move(), "a bearing and a distance");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Place, Illegal> {
        match answer {
            Action::Bearing { bearing, distance } => {
                field.judge_bearing(self.unit, self.facing, *bearing, *distance)
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, place: Place, now: &mut Now<'_>) {
        let from = field.unit(self.unit).place;
        field.put(self.unit, place);
        let id = field.spec(self.unit).id;
        if place == from {
            now.say(|| Event::new("stands", "VF-MORALE-23").who(id).outcome("stands"));
        } else {
            now.say(|| fell_back("VF-MORALE-23", id, from.gap(place), place));
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Bearing { bearing: Decimal(0), distance: Decimal(0) }
    }

    fn end(&self, _: &Field, place: &Place) -> Option<Pose> {
        Some(place.pose())
    }

    fn preview(&self, field: &Field, place: &Place) -> Preview {
        field.preview_slide(self.unit, *place)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let home = Field::home_bearing(field.side(self.unit));
        Action::Bearing {
            bearing: Decimal::of(angle::normalise(home + (whim.unit() * 5.0).floor() * 30.0 - 60.0)),
            distance: field.any_half(whim),
        }
    }

    crate::questions::guessed!();
}

impl Field {
    /// Judges the retreat of a reform: straight, up to half, not nearer to the nearest enemy (VF-MORALE-23).
    pub(crate) fn judge_bearing(
        &self,
        u: Nr,
        facing: Mils,
        bearing: Decimal,
        distance: Decimal,
    ) -> Result<Place, Illegal> {
        let Some(acting) = self.s.acting else { return refuse("VF-MORALE-23", "no reform is under way") };
        let unit = self.unit(u);
        if distance.0 < 0 {
            return refuse("VF-MORALE-23", "a distance can't be less than 0");
        }
        let way = angle::forward(angle::normalise(bearing.get()));
        let (side, mover) = (self.side(u), self.mover(u));
        let (run, bar) = self.free_run(side, mover, &unit.body, way, distance.get(), Minding::all(u));
        if let Some(bar) = bar.filter(|_| run + 0.000_5 < distance.get()) {
            return self.barred(u, bar, run);
        }
        let cost = mils(self.straight_cost(mover, &unit.body, way, distance.get(), None));
        if !self.p().moves.short.allows(cost, acting.allowance) {
            return refuse("VF-MORALE-23", self.more_than_half(cost, acting.allowance));
        }
        let moved = unit.body.slid(way * distance.get());
        if let Some((enemy, before)) = acting.nearest
            && moved.gap_mils(&self.unit(enemy).body) < before
        {
            return refuse("VF-MORALE-23", format!("that ends nearer to {}", self.name(enemy)));
        }
        self.judge_initiative(u, &unit.body, &moved, acting.nearest)?;
        let place = Place::of(turned(&moved, exact(crate::model::measure::turn(facing))));
        let body = unit.body_at(place.pose());
        if !self.room_for(&body, Some(u), mover) {
            if distance.0 == 0 {
                return Ok(unit.place); // It stays as it stands.
            }
            return refuse("VF-MODEL-44", "there is no room to stand there facing that way");
        }
        Ok(place)
    }
}
