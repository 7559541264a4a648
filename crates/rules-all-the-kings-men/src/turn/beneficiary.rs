//! D7: who in a team has the effect of a Jack, Queen, King or Ace (ATKM-CARD-02, ATKM-CARD-03).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Seat};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::options::SpecialBeneficiary;
use crate::state::Stage;

/// Which teammate benefits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Beneficiary;

impl Question<Engagement> for Beneficiary {
    type Judged = Seat;

    fn kind(&self, _: &Engagement) -> &'static str {
        "benefit"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-CARD-03"
    }

    fn seat(&self, battle: &Engagement) -> Seat {
        battle.card_commander()
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Who has the effect of the card?".into()
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list_all(battle.queue().iter().map(|&seat| Action::Benefit { seat }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Seat, Illegal> {
        match answer {
            Action::Benefit { seat } => battle.judge_seat(*seat, self.clause(battle)),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, seat: Seat, now: &mut Now<'_>) {
        battle.do_benefit(seat, true, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        Action::Benefit { seat: self.seat(battle) }
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_seat(true)
    }
}

impl Engagement {
    /// 12: who benefits; a lone player does, and with `special_beneficiary` rotate seats take turns.
    pub(crate) fn step_beneficiary(&mut self, log: &mut Log) -> bool {
        let Some(play) = &self.state.play else {
            self.state.stage = Stage::Draw;
            return true;
        };
        let army = play.army;
        let seats: arrayvec::ArrayVec<Seat, 6> = self.seats_of(army).collect();
        let chosen = match (seats.as_slice(), self.options().special_beneficiary) {
            ([only], _) => *only,
            (seats, SpecialBeneficiary::Rotate) => {
                let turn = &mut self.state.rotation[army.index()];
                let chosen =
                    seats.get(usize::from(*turn) % seats.len().max(1)).copied().unwrap_or(Seat(army.0));
                *turn = (*turn + 1) % seats.len().max(1) as u8;
                chosen
            }
            _ => return false,
        };
        self.do_benefit(chosen, seats.len() > 1, log);
        true
    }

    pub(crate) fn judge_seat(&self, seat: Seat, clause: &str) -> Result<Seat, Illegal> {
        match &self.state.play {
            Some(play) if play.queue.contains(&seat) => Ok(seat),
            _ => refuse(clause, format!("seat {} has no activation to come on this card", seat.0)),
        }
    }

    pub(crate) fn do_benefit(&mut self, seat: Seat, tell: bool, log: &mut Log) {
        if let Some(play) = &mut self.state.play {
            play.beneficiary = Some(seat);
        }
        if tell {
            log.say(|| {
                Event::new("benefit", "ATKM-CARD-03")
                    .with("seat", seat.0)
                    .with("general", self.field.seats[seat.index()].name.clone())
            });
        }
        self.state.stage = Stage::Order;
    }
}
