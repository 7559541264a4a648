//! A position about to be played on: nothing to choose but to go on.

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::Illegal;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::questions::asks;

/// Go on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Begin;

impl Question<SevenYearsBattle> for Begin {
    type Judged = ();

    asks!("begin", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Go on.".into()
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<(), Illegal> {
        if *answer == Action::Done { Ok(()) } else { Err(self.other(b)) }
    }

    fn carry_out(self, _: &mut SevenYearsBattle, (): (), _: &mut Now<'_>) {}

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }
}
