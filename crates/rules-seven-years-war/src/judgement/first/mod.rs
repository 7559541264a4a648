//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts, the ways round obstacles, the field at a
//! glance (`glance`) with the places beside an enemy's flank, the way points become a promise, and what is weighed before
//! the battle and at the table's edge; a better way of reckoning is written beside them, not into them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod command;
mod fight;
mod march;
mod standing;
mod survey;

use std::ops::Deref;
use tricorne_game::InOrder;

use tricorne_chance::Whim;
use tricorne_drill::{Asks, Rules};
use tricorne_game::Proposal;

use super::promise;
use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::questions::Questions;

/// The battle as the first school judges it.
pub(crate) struct First<'a>(pub(crate) &'a SevenYearsBattle);

impl Deref for First<'_> {
    type Target = SevenYearsBattle;

    fn deref(&self) -> &SevenYearsBattle {
        self.0
    }
}

/// Answers with what they are worth, in points of the army lists.
pub(crate) type Weighed = Vec<(Action, f64)>;

/// What both schools weigh alike, without its reasons.
fn alike(weigh: impl FnOnce(&mut super::Weighed)) -> impl Iterator<Item = (Action, f64)> {
    let mut all = super::Weighed::default();
    weigh(&mut all);
    all.0.into_iter().map(|said| (said.action, said.worth))
}

impl First<'_> {
    /// The answers a sensible officer would weigh, the best-looking first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return Vec::new() };
        let mut all = Weighed::new();
        self.weigh(&question, &mut all);
        let mut proposals: Vec<Proposal<Action>> = all
            .into_iter()
            // A march is found by judging it; all else is judged here.
            .filter(|(action, _)| {
                matches!(action, Action::Move { .. }) || question.check(self.0, action).is_ok()
            })
            .map(|(action, worth)| Proposal::new(action, promise(worth)))
            .collect();
        proposals.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
        proposals.truncate(most.max(1));
        if proposals.is_empty() {
            proposals.push(Proposal::new(question.any(self.0, whim), 0.1));
        }
        proposals
    }

    fn weigh(&self, question: &Questions, all: &mut Weighed) {
        match question {
            // Before the battle and at the table edge both schools weigh alike, but that the first keeps no secrets.
            Questions::Deploy(q) => {
                all.extend(alike(|all| self.weigh_deployment(q.side, q.lot, false, all)));
            }
            Questions::KeepCounter(_)
            | Questions::TableSide(_)
            | Questions::KeepBack(_)
            | Questions::ComeBack(_)
            | Questions::Facing(_) => all.extend(alike(|all| self.0.weigh(question, all))),
            Questions::Command(_) => self.weigh_command(all),
            Questions::Uncommanded(_) => self.weigh_uncommanded(all),
            Questions::Movement(_) => self.weigh_movement(all),
            Questions::Retreats(_)
            | Questions::Losses(_)
            | Questions::MakeRoom(_)
            | Questions::Successor(_)
            | Questions::Begin(_) => {
                all.push((Action::Done, 0.0));
            }
            Questions::Halt(q) => self.weigh_halt(q.group, all),
            Questions::Shooting(_) => self.weigh_shooting(all),
            _ => self.weigh_answer(question, all),
        }
    }
}
