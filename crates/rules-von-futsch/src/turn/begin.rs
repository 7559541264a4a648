//! The position stands: a rule case sets it going.

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::field::Field;
use crate::questions::{asks, seat};
use crate::state::RED;

/// Begin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Begin;

impl Question<Field> for Begin {
    type Judged = ();

    asks!("begin", "deployment", "The position stands; begin.");

    fn seat(&self, _: &Field) -> Seat {
        seat(RED)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list(Action::Begin);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<(), Illegal> {
        if *answer == Action::Begin { Ok(()) } else { Err(self.other(field)) }
    }

    fn carry_out(self, _: &mut Field, (): (), _: &mut Now<'_>) {}

    fn usual(&self, _: &Field) -> Action {
        Action::Begin
    }
}
