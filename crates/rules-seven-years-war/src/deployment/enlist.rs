//! Which army does a side buy (U2; SYW-ARMY-02, SYW-POINTS-01)?

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, Side};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::points::Army;
use crate::questions::{asks, guesses};

/// Which army do you buy?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Enlist {
    pub side: Side,
}

impl Question<SevenYearsBattle> for Enlist {
    /// None: it is left to the umpire.
    type Judged = Option<Box<Army>>;

    asks!("army");

    fn seat(&self, _: &SevenYearsBattle) -> Seat {
        Seat(self.side.0)
    }

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Which army do you buy for {} points?", b.purse())
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        out.space("enlist", None, None, "sub-generals, units and works of your list");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Done => Ok(None),
            Action::Enlist(army) => b.judge_army(self.side, army).map(|()| Some(army.clone())),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, army: Self::Judged, now: &mut Now<'_>) {
        let army = army.map_or_else(|| b.usual_army(self.side), |army| *army);
        b.enlist(self.side, army, now.log);
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        b.army_at_a_whim(self.side, whim).map_or(Action::Done, |army| Action::Enlist(Box::new(army)))
    }

    fn ways(&self, b: &SevenYearsBattle, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        guesses(self, b, most, whim, out);
    }

    fn preview(&self, b: &SevenYearsBattle, army: &Self::Judged) -> Preview {
        let notes = army.iter().map(|army| b.muster_roll(army)).collect();
        Preview { notes, ..Preview::default() }
    }
}
