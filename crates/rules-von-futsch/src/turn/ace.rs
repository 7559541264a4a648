//! D-ACE: an event is drawn, or not (VF-TURN-19).

use crate::events::EventCard;
use crate::questions::Choose;
use crate::state::Step;
use serde::Serialize;
use tricorne_chance::Chance;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::Event;
use tricorne_game::Log;
use tricorne_game::{Illegal, Side};

use crate::action::Action;
use crate::field::Field;
use crate::questions::asks;

/// Draw an event?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ace {
    /// Whose card it is.
    pub side: Side,
}

impl Question<Field> for Ace {
    /// Whether one is drawn.
    type Judged = bool;

    asks!("ace", "cards", "An Ace: draw an event?");

    crate::questions::of_side!();

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Pass, Action::Draw]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Pass => Ok(false),
            Action::Draw => Ok(true),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, draws: bool, now: &mut Now<'_>) {
        if draws {
            field.draw_event(self.side, now.chance, now.log);
        } else {
            field.lets_pass(self.side, true, now.log);
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.8) { Action::Draw } else { Action::Pass }
    }
}

impl Field {
    /// Draws from the events deck, shuffling the discards in when it is empty (VF-EVENT-01).
    pub(crate) fn draw_event(&mut self, side: Side, chance: &mut dyn Chance, log: &mut Log) {
        if self.s.events.left().is_empty() {
            self.s.events.gather();
        }
        let Some(card) = self.s.events.draw(chance, "event") else { return };
        let of = self.b.rulebook.event(card);
        let (title, text) = of.map_or((card.name(), ""), |t| (t.title.as_str(), t.text.as_str()));
        let clause = of.map_or("VF-EVENT-01", |t| t.clause.as_str());
        let name = &self.b.names[side.index()];
        log.say(|| {
            Event::new("event_drawn", clause)
                .outcome(card.name())
                .with("title", title)
                .with("text", text)
                .with("side", name.as_str())
        });
        self.s.events.spend(card);
        if card == EventCard::Parley {
            // The card in hand has been played; the turn is over (VF-EVENT-26).
            self.s.stack.clear();
            self.push(Step::EndTurn);
            return;
        }
        self.ask(Choose { side, card });
    }
}
