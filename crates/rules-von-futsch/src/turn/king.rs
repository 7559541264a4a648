//! D-KING: a held King is played out of turn (VF-TURN-10, -11).

use crate::questions::Activate;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::Event;
use tricorne_game::Log;
use tricorne_game::{Illegal, Side};

use crate::action::Action;
use crate::field::Field;
use crate::questions::asks;
use crate::state::Step;
use crate::turn::card_name;

/// Play a held King, or pass?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct King {
    /// Who holds it.
    pub side: Side,
    /// Whether this is the first window after a card or the second.
    pub window: u8,
}

impl Question<Field> for King {
    /// Whether it is played.
    type Judged = bool;

    asks!("king", "cards", "Play a held King for an activation, or pass?");

    crate::questions::of_side!();

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Pass, Action::Play]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Pass => Ok(false),
            Action::Play => Ok(true),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, plays: bool, now: &mut Now<'_>) {
        if plays {
            field.play_king(self.side, now.log);
        } else {
            field.push(Step::KingWindow(self.window + 1));
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.4) { Action::Play } else { Action::Pass }
    }
}

impl Field {
    pub(crate) fn play_king(&mut self, side: Side, log: &mut Log) {
        if let Some(king) = self.s.kings[side.index()].pop() {
            self.s.deck.spend(king);
            let name = &self.b.names[side.index()];
            log.say(|| {
                Event::new("king_played", "VF-TURN-10")
                    .with("side", name.as_str())
                    .with("card", king.to_string())
                    .with("named", card_name(king))
            });
        }
        self.push(Step::Check);
        self.ask(Activate { side });
    }
}
