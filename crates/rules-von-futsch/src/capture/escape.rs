//! D-ESCAPE: where a commander whom the enemy has come upon rides (VF-CAPTURE-07, -08).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Preview, Seat, UnitId};
use tricorne_table::{Point, Pose};

use crate::action::Action;
use crate::command::ride::{LEGS, Ridden, any_ride};
use crate::field::Field;
use crate::model::Cr;
use crate::model::formation::Body;
use crate::model::measure::{Mils, exact};
use crate::questions::{asks, seat};
use crate::rulebook::inch;
use crate::state::Fate;

/// Where does he escape to?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Escape {
    /// Who.
    pub commander: Cr,
    /// How far he may ride.
    pub allowance: Mils,
}

impl Question<Field> for Escape {
    /// His ride; none if he stays.
    type Judged = Option<Ridden>;

    asks!("escape", "retreat", "Where does the commander escape to?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.chief(self.commander).side)
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        Some(field.chief(self.commander).id)
    }

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        out.space("path", self.unit(field), Some(exact(self.allowance)), LEGS);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Ridden>, Illegal> {
        let legs = match answer {
            Action::Pass => return Ok(None),
            Action::Path(legs) => legs,
            _ => return Err(self.other(field)),
        };
        let to = field.judge_ride(self.commander, self.allowance, legs)?;
        if field.threatened(self.commander, to.at) {
            let near = field.p().distance.capture;
            return refuse("VF-CAPTURE-08", format!("he must end more than {near} from every enemy unit"));
        }
        Ok(Some(to))
    }

    fn carry_out(self, field: &mut Field, to: Option<Ridden>, now: &mut Now<'_>) {
        let c = self.commander;
        match to {
            Some(to) => field.rode(c, to.at, now.log),
            // He stays, and is taken if an enemy is so near.
            None if field.threatened(c, field.commander(c).at()) => {
                field.lose_commander(c, Fate::Captured, now.log);
            }
            None => {}
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn end(&self, _: &Field, to: &Option<Ridden>) -> Option<Pose> {
        to.as_ref().map(|to| Pose::new(to.at, 0.0))
    }

    fn preview(&self, field: &Field, to: &Option<Ridden>) -> Preview {
        to.as_ref().map_or_else(Preview::default, |to| field.preview_ride(self.commander, self.allowance, to))
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        any_ride(self.allowance, whim)
    }

    crate::questions::guessed!();
}

impl Field {
    fn threatened(&self, c: Cr, at: Point) -> bool {
        let reach = inch(self.p().distance.capture);
        let body = Body::of_commander(at, self.chief(c).level.base(self.p()));
        self.enemy_within(self.chief(c).side, &body, reach)
    }
}
