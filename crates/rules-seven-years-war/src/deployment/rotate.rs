//! Is the rotation die of bought ground left, or changed by 1 (SYW-POINTS-08)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::questions::asks;
use crate::terrain_generation::{Bought, Nudge};

/// How does the ground that was bought lie?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rotate {
    pub bought: Bought,
}

impl Question<SevenYearsBattle> for Rotate {
    type Judged = Nudge;

    asks!("rotation");

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.defender().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        format!("The rotation die shows {}: leave it, or change it by 1?", self.bought.turn)
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all([Nudge::Keep, Nudge::Less, Nudge::More].map(Action::Rotation));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Nudge, Illegal> {
        match answer {
            Action::Rotation(by) => b.judge_rotation(self.bought, *by).map(|()| *by),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, by: Nudge, now: &mut Now<'_>) {
        b.turn_ground(self.bought, by, now.log);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Rotation(Nudge::Keep)
    }
}
