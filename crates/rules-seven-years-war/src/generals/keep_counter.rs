//! Which of the counters drawn does a C-in-C keep (SYW-GEN-02, -24)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Seat, Side};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::questions::asks;

/// Which counter does he keep?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeepCounter {
    pub side: Side,
    pub general: GeneralIx,
    pub drawn: SmallVec<[u8; 3]>,
}

impl KeepCounter {
    /// The one kept when nobody chooses.
    pub(crate) fn best(&self, b: &SevenYearsBattle) -> u8 {
        b.best_counter(self.side.index().min(1), &self.drawn)
    }
}

impl Question<SevenYearsBattle> for KeepCounter {
    type Judged = u8;

    asks!("cinc_counter");

    fn seat(&self, _: &SevenYearsBattle) -> Seat {
        Seat(self.side.0)
    }

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Which counter does {} keep?", b.general(self.general).id)
    }

    fn open(&self, _: &SevenYearsBattle) -> bool {
        self.drawn.len() > 1
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        let kept = self.best(b);
        self.carry_out(b, kept, now);
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all(self.drawn.iter().map(|&counter| Action::KeepCounter { counter }));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<u8, Illegal> {
        match answer {
            Action::KeepCounter { counter } if self.drawn.contains(counter) => Ok(*counter),
            Action::KeepCounter { counter } => {
                refuse("SYW-GEN-02", format!("counter {counter} was not drawn"))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, kept: u8, now: &mut Now<'_>) {
        b.keep_counter(self.side, self.general, kept, &self.drawn, now.log);
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        Action::KeepCounter { counter: self.best(b) }
    }
}
