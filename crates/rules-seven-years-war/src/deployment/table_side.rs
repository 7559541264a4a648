//! Which side of the table has the army without the initiative (U8; SYW-DEPLOY-07)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::state::EdgeName;
use crate::questions::asks;

/// Which side of the table is yours?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSide;

impl Question<SevenYearsBattle> for TableSide {
    type Judged = EdgeName;

    asks!("table_side");

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.first_to_deploy().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which side of the table is yours?".into()
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all([EdgeName::North, EdgeName::South].map(Action::Side));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<EdgeName, Illegal> {
        match answer {
            Action::Side(edge @ (EdgeName::North | EdgeName::South)) => Ok(*edge),
            Action::Side(_) => refuse("SYW-DEPLOY-07", "choose the north or the south side"),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, edge: EdgeName, now: &mut Now<'_>) {
        b.choose_side(edge, now.log);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Side(EdgeName::South)
    }
}
