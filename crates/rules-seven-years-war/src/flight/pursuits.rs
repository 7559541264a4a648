//! Which group pursues next (SYW-PURSUE-05)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Preview, Steer, UnitId, Wish};
use tricorne_table::Point;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx};
use crate::questions::asks;

/// Which group pursues next?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pursuits;

/// The next pursuit, or a ride of a general's: those ride at any point of the sub-phase (SYW-SEQ-04).
pub enum Next {
    Group(GroupIx),
    Ride(GeneralIx, Point),
}

impl Question<SevenYearsBattle> for Pursuits {
    type Judged = Next;

    asks!("pursuits", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which group pursues next?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        !b.pursuers().is_empty()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all(b.pursuers().iter().map(|&g| Action::Pursue { group: b.group(g).id }));
        b.offer_rides(out);
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Next, Illegal> {
        match answer {
            Action::Pursue { group } => match b.known_group(*group) {
                Some(g) if b.pursuers().contains(&g) => Ok(Next::Group(g)),
                Some(_) => refuse("SYW-PURSUE-05", format!("{group} has no pursuit move to make")),
                None => refuse("SYW-PURSUE-05", format!("there is no group {group}")),
            },
            Action::General { general, to } => b.judge_ride(*general, *to).map(|(i, at)| Next::Ride(i, at)),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, next: Next, now: &mut Now<'_>) {
        b.ask(self);
        match next {
            Next::Group(g) => b.later_pursuit(g, now),
            Next::Ride(i, at) => b.ride(i, at, now.log),
        }
    }

    fn preview(&self, b: &SevenYearsBattle, next: &Next) -> Preview {
        match next {
            Next::Group(_) => Preview::default(),
            Next::Ride(i, at) => b.preview_ride(*i, *at),
        }
    }

    fn usual(&self, b: &SevenYearsBattle) -> Action {
        b.pursuers().first().map_or(Action::Done, |&g| Action::Pursue { group: b.group(g).id })
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        match wish.unit.and_then(|id| b.find_general(id)) {
            Some(i) => b.steer_ride(i, wish),
            None => Steer::refused(self.other(b)),
        }
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        vec![("pursue".to_owned(), Action::Pursue { group: b.group_of(u).id })]
    }
}
