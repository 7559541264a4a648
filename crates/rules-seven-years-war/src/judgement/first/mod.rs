//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts and the ways round obstacles; a better
//! way of reckoning is written beside them, not into them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod command;
mod fight;
mod march;
mod set_up;
mod standing;
mod survey;

use std::ops::Deref;

use tricorne_chance::Whim;
use tricorne_game::{Battle, Proposal};

use crate::decisions::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::sequence::turn::Task;

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

/// A worth in points as a promise between 0 and 1.
fn promise(worth: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-worth / 6.0))
}

impl First<'_> {
    /// The answers a sensible officer would weigh, the best-looking first.
    pub(crate) fn weighed_proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let mut all = Weighed::new();
        if self.s.ending.is_some() {
            return Vec::new();
        }
        self.weigh(&mut all);
        let mut proposals: Vec<Proposal<Action>> = all
            .into_iter()
            // A march is found by judging it; all else is judged here.
            .filter(|(action, _)| matches!(action, Action::Move { .. }) || self.check(action).is_ok())
            .map(|(action, worth)| Proposal::new(action, promise(worth)))
            .collect();
        proposals.sort_by(|a, b| b.promise.total_cmp(&a.promise));
        proposals.truncate(most.max(1));
        if proposals.is_empty() {
            proposals.push(Proposal::new(self.sampled(whim), 0.1));
        }
        proposals
    }

    fn weigh(&self, all: &mut Weighed) {
        let Some(task) = self.s.tasks.last().filter(|_| self.s.waiting) else {
            all.push((Action::Done, 0.0));
            return;
        };
        match *task {
            Task::KeepCounter { .. } | Task::TableSide | Task::KeepBack | Task::Deploy { .. } => {
                self.weigh_set_up(task, all);
            }
            Task::Command => self.weigh_command(all),
            Task::Uncommanded => self.weigh_uncommanded(all),
            Task::Movement => self.weigh_movement(all),
            Task::Retreats | Task::Remove { .. } | Task::MakeRoom { .. } | Task::NewGeneral { .. } => {
                all.push((Action::Done, 0.0));
            }
            Task::Return { group } => self.weigh_return(group, all),
            Task::Facing { group } => self.weigh_facing(group, all),
            Task::Halt { group } => self.weigh_halt(group, all),
            Task::Shooting => self.weigh_shooting(all),
            _ => self.weigh_answer(task, all),
        }
    }
}
