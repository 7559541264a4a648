//! Which way a gun faces when it unlimbers to fire (VF-MOVE-15, -25).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview};
use tricorne_table::Pose;

use super::shape::Reshaped;
use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::measure::Decimal;
use crate::questions::asks;

/// Which way does the gun face?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Unlimber {
    /// Which gun.
    pub unit: Nr,
}

impl Question<Field> for Unlimber {
    type Judged = Reshaped;

    asks!("unlimber", "activation", "Which way does the gun face?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("unlimber", self.unit(field), None, "a facing");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Reshaped, Illegal> {
        match answer {
            Action::Unlimber(facing) => field.judge_limber(self.unit, false, *facing),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, to: Reshaped, now: &mut Now<'_>) {
        field.reshape(self.unit, to, now.log);
        field.fire_or_wait(self.unit, true);
    }

    fn usual(&self, field: &Field) -> Action {
        Action::Unlimber(Decimal(field.unit(self.unit).place.t))
    }

    fn end(&self, _: &Field, to: &Reshaped) -> Option<Pose> {
        Some(to.place.pose())
    }

    fn preview(&self, field: &Field, to: &Reshaped) -> Preview {
        field.preview_shape(self.unit, *to)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        Action::Unlimber(field.any_facing(self.unit, whim))
    }

    crate::questions::guessed!();
}
