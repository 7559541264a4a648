//! Which melee is fought next (SYW-SEQ-07, SYW-MELEE-01)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::Illegal;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::Contact;
use crate::questions::asks;

/// Which melee is fought next?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Combat;

fn fight(b: &SevenYearsBattle, c: &Contact) -> Action {
    Action::Fight { unit: b.unit(c.attacker).id, enemy: b.unit(c.defender).id }
}

impl Question<SevenYearsBattle> for Combat {
    type Judged = (UnitIx, UnitIx);

    asks!("combat", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which melee is fought next?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.melees_left().count() > 1
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        let next = b.melees_left().next().map(|c| (c.attacker, c.defender));
        if let Some(pair) = next {
            self.carry_out(b, pair, now);
        }
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all(b.melees_left().map(|c| fight(b, c)));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        let Action::Fight { unit, enemy } = answer else { return Err(self.other(b)) };
        let pair = b.known_unit(*unit).zip(b.known_unit(*enemy));
        let met = |c: &Contact, (u, e): (UnitIx, UnitIx)| {
            (c.attacker, c.defender) == (u, e) || (c.attacker, c.defender) == (e, u)
        };
        match pair.filter(|&pair| b.melees_left().any(|c| met(c, pair))) {
            Some(pair) => Ok(pair),
            None => refuse("SYW-MELEE-01", format!("{unit} and {enemy} have no melee left to fight")),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, (unit, enemy): Self::Judged, now: &mut Now<'_>) {
        b.ask(self);
        b.fight(unit, enemy, now);
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        b.melees_left().next().map_or(Action::Done, |c| fight(b, c))
    }
}
