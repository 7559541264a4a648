//! D-JACK: an activation of one's own, or an enemy group forced to act (VF-TURN-16 to -18).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Side};

use crate::action::Action;
use crate::field::Field;
use crate::options::{JackController, JackUse};
use crate::questions::{Activate, asks};

/// What is the Jack used for?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Jack {
    /// Whose it is.
    pub side: Side,
}

/// How a Jack is used.
#[derive(Clone, Copy, Debug)]
pub enum Used {
    /// Not at all.
    Not,
    /// An activation of one's own.
    Own,
    /// An enemy group, as bits, is forced.
    Force(u64),
}

impl Question<Field> for Jack {
    type Judged = Used;

    asks!("jack", "cards", "A Jack: an activation of your own, or force an enemy group?");

    crate::questions::of_side!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Pass, Action::Own]);
        out.list_all(field.group_names(self.side.enemy()).map(Action::Force));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Used, Illegal> {
        match answer {
            Action::Pass => Ok(Used::Not),
            Action::Own if field.o().jack_use == JackUse::SpecialOnly => {
                refuse("VF-TURN-16", "by the option chosen a Jack gives no activation of one's own")
            }
            Action::Own if field.can_activate(self.side) => Ok(Used::Own),
            Action::Own => refuse("VF-TURN-06", "there is nothing left to activate"),
            Action::Force(id) => {
                let u = field.named(*id)?;
                field.judge_group(self.side.enemy(), u, "VF-TURN-17").map(Used::Force)
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, used: Used, now: &mut Now<'_>) {
        let both = field.o().jack_use == JackUse::Both;
        if both || matches!(used, Used::Own) {
            field.ask(Activate { side: self.side });
        }
        if !both && matches!(used, Used::Not) {
            field.lets_pass(self.side, self.only(field).is_none(), now.log);
        }
        if let Used::Force(group) = used {
            let controller = match field.o().jack_controller {
                JackController::Owner => self.side.enemy(),
                JackController::JackPlayer => self.side,
            };
            field.start_group(group, true, controller, now.log);
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let own = field.o().jack_use != JackUse::SpecialOnly && field.can_activate(self.side);
        let force = field.present_of(self.side.enemy()).any(|u| !field.unit(u).turn.activated);
        (!own && !force).then_some(Action::Pass)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let fresh = || field.present_of(self.side.enemy()).filter(|&u| !field.unit(u).turn.activated);
        let enemies = fresh().count();
        match whim.below(3) {
            0 => Action::Own,
            1 if enemies > 0 => {
                fresh().nth(whim.below(enemies)).map_or(Action::Pass, |u| Action::Force(field.group_name(u)))
            }
            _ => Action::Pass,
        }
    }
}
