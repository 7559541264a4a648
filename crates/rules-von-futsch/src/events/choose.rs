//! D-EVENT: what a drawn event asks to be chosen (VF-TURN-19, VF-EVENT-02).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Side};
use tricorne_table::Pose;

use super::{Chosen, EventCard};
use crate::action::Action;
use crate::field::Field;
use crate::model::measure::{Decimal, Place};
use crate::questions::asks;

/// Whom does the event befall?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choose {
    /// Who drew it.
    pub side: Side,
    /// The event.
    pub card: EventCard,
}

impl Question<Field> for Choose {
    type Judged = Option<Chosen>;

    asks!("event", "cards", "Choose for the event.");

    crate::questions::of_side!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all(field.event_choices(self.side, self.card));
        if self.card == EventCard::DrummerBoy {
            out.space("choose", None, None, "a unit and a facing");
        }
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Chosen>, Illegal> {
        match answer {
            Action::Choose { unit, commander, facing } => {
                field.judge_event(self.side, self.card, *unit, *commander, *facing).map(Some)
            }
            Action::Pass if field.event_choices(self.side, self.card).is_empty() => Ok(None),
            Action::Pass => refuse("VF-TURN-19", "a drawn event must be carried out"),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, chosen: Option<Chosen>, now: &mut Now<'_>) {
        match chosen {
            Some(chosen) => field.event_on(self.card, chosen, now.chance, now.log),
            None => field.event_at_large(self.side, self.card, now.log),
        }
    }

    fn usual(&self, field: &Field) -> Action {
        field.event_choices(self.side, self.card).into_iter().next().unwrap_or(Action::Pass)
    }

    fn only(&self, field: &Field) -> Option<Action> {
        if !Field::event_chooses(self.card) {
            return Some(Action::Pass);
        }
        let mut choices = field.event_choices(self.side, self.card);
        match choices.len() {
            0 => Some(Action::Pass),
            1 if self.card != EventCard::DrummerBoy => choices.pop(),
            _ => None,
        }
    }

    fn end(&self, field: &Field, chosen: &Option<Chosen>) -> Option<Pose> {
        let chosen = (*chosen)?;
        let facing: Decimal = chosen.facing?;
        field.judge_face(chosen.unit, facing).ok().map(Place::pose)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let choices = field.event_choices(self.side, self.card);
        whim.one_of(&choices).cloned().unwrap_or(Action::Pass)
    }

    crate::questions::guessed!();
}
