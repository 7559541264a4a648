//! Which mutant is switched on in this thread, and which places were come by.

use std::cell::{Cell, RefCell};

/// Notes every place, switches nothing on.
pub const WATCH: u32 = u32::MAX;

thread_local! {
    static ACTIVE: Cell<u32> = const { Cell::new(0) };
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static ASKED: Cell<u64> = const { Cell::new(0) };
    static SEEN: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

/// Whether a mutant is switched on. Whoever asks too often is in a loop without an end, and panics.
pub fn on(number: u32) -> bool {
    let active = ACTIVE.get();
    if active == WATCH {
        ASKED.set(ASKED.get() + 1);
        SEEN.with_borrow_mut(|seen| {
            let at = number as usize;
            if seen.len() <= at {
                seen.resize(at + 1, false);
            }
            seen[at] = true;
        });
        return false;
    }
    let left = LEFT.get();
    assert!(left > 0, "a loop without an end");
    LEFT.set(left - 1);
    active == number
}

/// Switches a mutant on in this thread, for so many questions.
pub fn switch(number: u32, questions: u64) {
    ACTIVE.set(number);
    LEFT.set(questions);
}

/// The places that were come by since it was last asked, and how many questions they put.
pub fn seen() -> (Vec<u32>, u64) {
    let seen = SEEN.with_borrow_mut(std::mem::take);
    ((0..).zip(seen).filter_map(|(number, yes)| yes.then_some(number)).collect(), ASKED.replace(0))
}
