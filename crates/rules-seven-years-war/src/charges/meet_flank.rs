//! How does a unit meet a charge in flank or rear (SYW-FLANK-03)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::Illegal;

use crate::action::{Action, FlankAnswer};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Direction, Order};
use crate::questions::asks;

/// It is charged in flank or rear: how does it meet it?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetFlank {
    pub unit: UnitIx,
    pub from: Direction,
    pub by: GroupIx,
}

impl Question<SevenYearsBattle> for MeetFlank {
    type Judged = FlankAnswer;

    asks!("flank_answer", unit unit);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} is charged in the {}: how does it meet it?", b.unit(self.unit).id, self.from.name())
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.unit(self.unit).is_known() && b.order_of(self.unit) != Order::Rout
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all([FlankAnswer::Turn, FlankAnswer::Square, FlankAnswer::None].map(Action::Answer));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<FlankAnswer, Illegal> {
        match answer {
            Action::Answer(way) => b.judge_flank(self.unit, self.by, *way).map(|()| *way),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, answer: FlankAnswer, now: &mut Now<'_>) {
        b.meet_flank(self.unit, self.from, self.by, answer, now);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Answer(FlankAnswer::None)
    }
}
