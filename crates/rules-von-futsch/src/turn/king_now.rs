//! D-KINGNOW: a King just drawn is used or held (VF-TURN-09).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::Event;
use tricorne_game::Log;
use tricorne_game::{Illegal, Side};

use crate::action::Action;
use crate::field::Field;
use crate::questions::{Activate, asks};

/// Use the King now, or hold it?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KingNow {
    /// Whose it is.
    pub side: Side,
}

impl Question<Field> for KingNow {
    /// Whether it is used now.
    type Judged = bool;

    asks!("king_now", "cards", "A King: use it now or hold it?");

    crate::questions::of_side!();

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::UseNow, Action::Hold]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Hold => Ok(false),
            Action::UseNow if field.can_activate(self.side) => Ok(true),
            Action::UseNow => refuse("VF-TURN-09", "there is nothing left to activate; hold the King"),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, now_used: bool, now: &mut Now<'_>) {
        if now_used {
            field.ask(Activate { side: self.side });
        } else {
            field.hold_king(self.side, now.log);
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Hold
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (!field.can_activate(self.side)).then_some(Action::Hold)
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.5) { Action::UseNow } else { Action::Hold }
    }
}

impl Field {
    pub(crate) fn hold_king(&mut self, side: Side, log: &mut Log) {
        if let Some(card) = self.s.card.take() {
            let _ = self.s.kings[side.index()].try_push(card);
        }
        let name = &self.b.names[side.index()];
        let forced = !self.can_activate(side);
        log.say(|| Event::new("king_held", "VF-TURN-09").with("side", name.as_str()).with("forced", forced));
    }
}
