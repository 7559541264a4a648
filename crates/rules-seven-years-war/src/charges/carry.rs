//! Which charge goes home next (SYW-CHARGE-10)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::Illegal;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::questions::asks;

/// Which charge goes home next?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Charges;

impl Question<SevenYearsBattle> for Charges {
    type Judged = GroupIx;

    asks!("charges", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which charge goes home next?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.charges_left().len() > 1
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        if let Some(&g) = b.charges_left().first() {
            self.carry_out(b, g, now);
        }
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all(b.charges_left().iter().map(|&g| Action::Carry { group: b.group(g).id }));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<GroupIx, Illegal> {
        let Action::Carry { group } = answer else { return Err(self.other(b)) };
        match b.known_group(*group).filter(|g| b.charges_left().contains(g)) {
            Some(g) => Ok(g),
            None => refuse("SYW-CHARGE-10", format!("{group} has no charge to carry home")),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, g: GroupIx, now: &mut Now<'_>) {
        b.ask(self);
        b.carry_home(g, now);
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        b.charges_left().first().map_or(Action::Done, |&g| Action::Carry { group: b.group(g).id })
    }
}
