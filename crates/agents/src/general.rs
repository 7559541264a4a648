//! What a general thinks with: the search of the present school (`search.rs`), by habits of its own. Where somebody waits
//! by the clock on the wall, every core thinks (lanes): each with a tree and dice of its own, and what they found of the
//! answers is added up. Counted tries are one lane, the same on every machine.

use std::time::Duration;

use tricorne_chance::{Seed, Whim};
use tricorne_game::{Seat, Temper};

use crate::field::Field;
use crate::level::Budget;
use crate::search::{self, Clock, Habits, Horizon, Search, Whose};
use crate::stopwatch::{Stopwatch, Timing};
use crate::verdict::Verdict;

/// What it searches by.
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

/// As many cores as think about one decision at most.
const LANES: usize = 8;

/// With less time than this one core is enough: by the time another has begun, there is none left.
const WORTH_A_LANE: Duration = Duration::from_millis(5);

/// How much a temper makes of a position in doubt: to the bold an even chance is worth a little more than it is, to the
/// cautious a little less.
const DARING: f64 = 0.15;

/// How a general thinks.
#[derive(Clone, Copy)]
pub struct Manner {
    pub budget: Budget,
    pub timing: Timing,
    pub temper: Temper,
    /// Whether it keeps to one core: other people wait for the rest.
    pub alone: bool,
}

/// Weighs the pending decision of `seat`. With one answer there is nothing to think about.
pub fn think<F: Field>(field: &F, seat: Seat, manner: Manner, whim: &mut Whim) -> Verdict<F::Order> {
    let watch = Stopwatch::start(manner.timing);
    let begun = watch.begun();
    let whose = Whose::of(field, seat);
    let proposals = search::proposals(field, seat, &HABITS, whim);
    let lane = |watch: Stopwatch, seed: Seed| {
        let clock = Clock::start(manner.budget, watch, manner.timing == Timing::Wall);
        let daring = daring(manner.temper);
        Search::new(&HABITS, (field, whose.clone()), proposals.clone(), (clock, seed), daring).done()
    };
    let seed = whim.seed();
    let more: Vec<Seed> = (1..lanes(manner)).map(|_| whim.seed()).collect();
    if more.is_empty() || proposals.len() < 2 {
        return lane(watch, seed).sorted();
    }
    let lane = &lane;
    std::thread::scope(|scope| {
        let others: Vec<_> = more
            .into_iter()
            // Where no more threads are to be had, fewer think.
            .filter_map(|seed| {
                std::thread::Builder::new()
                    .spawn_scoped(scope, move || lane(Stopwatch::since(begun), seed))
                    .ok()
            })
            .collect();
        let mut whole = lane(watch, seed);
        for other in others.into_iter().filter_map(|other| other.join().ok()) {
            whole.add(other);
        }
        whole.sorted()
    })
}

/// How many cores think.
fn lanes(manner: Manner) -> usize {
    match (manner.timing, manner.budget) {
        (Timing::Wall, Budget::Time(time)) if time >= WORTH_A_LANE && !manner.alone => {
            std::thread::available_parallelism().map_or(1, |n| n.get().min(LANES))
        }
        _ => 1,
    }
}

fn daring(temper: Temper) -> f64 {
    match temper {
        Temper::Even => 0.0,
        Temper::Bold => DARING,
        Temper::Cautious => -DARING,
    }
}
