//! Which side of the table has the army without the initiative (U8; SYW-DEPLOY-07)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Seat};
use tricorne_table::Edge;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::questions::asks;

/// Which side of the table is yours?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSide;

impl Question<SevenYearsBattle> for TableSide {
    type Judged = Edge;

    asks!("table_side");

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.first_to_deploy().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which side of the table is yours?".into()
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all([Edge::North, Edge::South].map(Action::Side));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Edge, Illegal> {
        match answer {
            Action::Side(edge @ (Edge::North | Edge::South)) => Ok(*edge),
            Action::Side(_) => refuse("SYW-DEPLOY-07", "choose the north or the south side"),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, edge: Edge, now: &mut Now<'_>) {
        b.choose_side(edge, now.log);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Side(Edge::South)
    }
}
