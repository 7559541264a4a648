//! Which brigade is placed last (SYW-DEPLOY-08, -09)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::questions::asks;

/// Which brigade is placed last?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeepBack;

impl Question<SevenYearsBattle> for KeepBack {
    type Judged = GeneralIx;

    asks!("keep_back");

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.first_to_deploy().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which brigade is placed last?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.brigades(b.first_to_deploy()).len() > 1
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        for &i in &b.brigades(b.first_to_deploy()) {
            out.list(Action::KeepBack { general: b.general(i).id });
        }
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<GeneralIx, Illegal> {
        let Action::KeepBack { general } = answer else { return Err(self.other(b)) };
        match b.find_general(*general).filter(|i| b.brigades(b.first_to_deploy()).contains(i)) {
            Some(i) => Ok(i),
            None => refuse("SYW-DEPLOY-08", format!("{general} has no brigade of yours")),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, brigade: GeneralIx, _: &mut Now<'_>) {
        let side = b.first_to_deploy();
        b.s.armies[side.index()].kept_back = Some(brigade);
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        match b.brigades(b.first_to_deploy()).first() {
            Some(&i) => Action::KeepBack { general: b.general(i).id },
            None => Action::Done,
        }
    }
}
