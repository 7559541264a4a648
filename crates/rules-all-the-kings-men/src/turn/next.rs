//! Who of a team acts next on a card (`teammate_order`: `commander_decides`; ATKM-TEAM-08).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::options::TeammateOrder;
use crate::state::Stage;

/// Which teammate acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Next;

impl Question<Engagement> for Next {
    type Judged = Seat;

    fn kind(&self, _: &Engagement) -> &'static str {
        "next"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-TEAM-08"
    }

    fn seat(&self, battle: &Engagement) -> Seat {
        battle.card_commander()
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Who acts next?".into()
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list_all(battle.queue().iter().map(|&seat| Action::Next { seat }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Seat, Illegal> {
        match answer {
            Action::Next { seat } => battle.judge_seat(*seat, self.clause(battle)),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, seat: Seat, _: &mut Now<'_>) {
        battle.do_next(seat);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        Action::Next { seat: battle.acting() }
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_seat(false)
    }
}

impl Engagement {
    /// ATKM-TEAM-08: the next seat to act, or the next card.
    pub(crate) fn step_order(&mut self) -> bool {
        let decides = self.options().teammate_order == TeammateOrder::CommanderDecides;
        match &self.state.play {
            Some(play) if play.queue.len() > 1 && decides => false,
            Some(play) if !play.queue.is_empty() => {
                self.begin_seat();
                true
            }
            _ => {
                self.state.stage = Stage::Draw;
                true
            }
        }
    }

    pub(crate) fn do_next(&mut self, seat: Seat) {
        if let Some(play) = &mut self.state.play
            && let Some(i) = play.queue.iter().position(|&s| s == seat)
        {
            play.queue.swap(0, i);
        }
        self.begin_seat();
    }
}
