//! The search of the first school: what `brigadier` thinks with, as it was in November 2026. It is frozen with that
//! school's judgement, so that a better search can be measured against it: these numbers do not change, it thinks on one
//! core, and it begins every step that time is left for. What `search.rs` does with them must stay as it is too.

use tricorne_chance::Whim;
use tricorne_game::Seat;

use crate::field::Field;
use crate::level::Budget;
use crate::search::{self, Clock, Habits, Horizon, Search, Whose};
use crate::stopwatch::{Stopwatch, Timing};
use crate::verdict::Verdict;

/// What it searches by, for good.
const HABITS: Habits = Habits {
    at_root: 40,
    below: 12,
    in_play: 6,
    mixed: Horizon { least: 60, most: 120, look: 15 },
    by_turns: Horizon { least: 120, most: 300, look: 0 },
    last: 2.0,
    nearest: 16,
    enough: 16.0,
    explore: 4.0,
    trust: 0.1,
    sure_after: 64,
};

/// Weighs the pending decision of `seat`.
pub fn think<F: Field>(
    field: &F,
    seat: Seat,
    budget: Budget,
    timing: Timing,
    whim: &mut Whim,
) -> Verdict<F::Order> {
    let clock = Clock::start(budget, Stopwatch::start(timing), false);
    let whose = Whose::of(field, seat);
    let proposals = search::proposals(field, seat, &HABITS, whim);
    Search::new(&HABITS, (field, whose), proposals, (clock, whim.seed()), 0.0).done().sorted()
}
