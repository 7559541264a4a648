//! Where does a new general take over (SYW-GEN-23)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Steer, Wish};
use tricorne_table::Point;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::questions::asks;
use crate::rulebook::cm;

/// Where does the new general take over?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Successor {
    pub general: GeneralIx,
}

impl Question<SevenYearsBattle> for Successor {
    /// None: where it is usual.
    type Judged = Option<Point>;

    asks!("new_general", general);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Where does the new {} take over?", b.general(self.general).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.successor_place(self.general).is_some()
    }

    fn lapse(self, b: &mut SevenYearsBattle, _: &mut Now<'_>) {
        if let Some(at) = b.free_place_for(self.general, b.general(self.general).at, 200.0) {
            b.place_general(self.general, at);
        }
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        out.space("new_general", None, Some(cm(b.distances().successor)), "a place near the old spot");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Done => Ok(None),
            Action::NewGeneral { at } => b.judge_new_general(self.general, *at).map(Some),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, at: Self::Judged, _: &mut Now<'_>) {
        if let Some(at) = at.or_else(|| b.successor_place(self.general)) {
            b.place_general(self.general, at);
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, at: &Self::Judged) -> Preview {
        let overlays = at.iter().map(|&at| b.general_ghost(self.general, at)).collect();
        Preview { overlays, ..Preview::default() }
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        b.steer_successor(self.general, wish)
    }
}
