//! Which group pursues next (SYW-PURSUE-05)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, UnitId};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::questions::asks;

/// Which group pursues next?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pursuits;

impl Question<SevenYearsBattle> for Pursuits {
    type Judged = GroupIx;

    asks!("pursuits", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which group pursues next?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        !b.pursuers().is_empty()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all(b.pursuers().iter().map(|&g| Action::Pursue { group: b.group(g).id }));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<GroupIx, Illegal> {
        let Action::Pursue { group } = answer else { return Err(self.other(b)) };
        match b.known_group(*group) {
            Some(g) if b.pursuers().contains(&g) => Ok(g),
            Some(_) => refuse("SYW-PURSUE-05", format!("{group} has no pursuit move to make")),
            None => refuse("SYW-PURSUE-05", format!("there is no group {group}")),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, g: GroupIx, now: &mut Now<'_>) {
        b.ask(self);
        b.later_pursuit(g, now);
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        b.pursuers().first().map_or(Action::Done, |&g| Action::Pursue { group: b.group(g).id })
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        vec![("pursue".to_owned(), Action::Pursue { group: b.group_of(u).id })]
    }
}
