//! Which stands does a unit lose (SYW-CAS-01, -02)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::Illegal;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::morale::casualties::Removed;
use crate::questions::asks;

/// Which stands does it lose?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Losses {
    pub unit: UnitIx,
    pub kills: u8,
    pub melee: bool,
}

impl Question<SevenYearsBattle> for Losses {
    type Judged = Removed;

    asks!("casualties", unit unit);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Which {} stands does {} lose?", self.kills, b.unit(self.unit).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.unit(self.unit).is_present() && b.has_choice_of_losses(self.unit, self.kills)
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        if b.unit(self.unit).is_present() {
            let usual = b.default_losses(self.unit, self.kills);
            self.carry_out(b, usual, now);
        } else {
            b.judge_at_once(now.log);
        }
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        let usual = b.default_losses(self.unit, self.kills);
        out.list(Action::Remove { stands: usual.clone() });
        if self.kills == 1 {
            let one = |i: u8| SmallVec::from_slice(&[i]);
            let others = (0..b.unit(self.unit).strength() as u8).map(one).filter(|stands| *stands != usual);
            out.list_all(others.map(|stands| Action::Remove { stands }));
        }
        out.space("remove", self.unit(b), None, "numbers of stands");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Removed, Illegal> {
        match answer {
            Action::Done => Ok(b.default_losses(self.unit, self.kills)),
            Action::Remove { stands } => {
                b.judge_losses(self.unit, self.kills, stands).map(|()| stands.clone())
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, stands: Removed, now: &mut Now<'_>) {
        b.remove_stands(self.unit, &stands, self.melee, now.log);
        b.judge_at_once(now.log);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        if whim.chance(0.8) {
            return Action::Done;
        }
        let one = whim.below(b.unit(self.unit).strength().max(1)) as u8;
        Action::Remove { stands: SmallVec::from_slice(&[one]) }
    }
}
