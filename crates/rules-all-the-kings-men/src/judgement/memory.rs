//! Odds that were worked out already in the course of one survey: the same few pools of dice meet again and again.

use std::cell::RefCell;

use super::pools::{Clash, Men, Volley, clash, volley};
use crate::combat::exchange::Pool;

/// Places for odds; those that fall on the same one oust each other.
const PLACES: usize = 256;

/// What is remembered of volleys and melees.
pub(super) struct Memory {
    volleys: RefCell<Vec<(u64, Volley)>>,
    clashes: RefCell<Vec<(u64, Clash)>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            volleys: RefCell::new(vec![(u64::MAX, Volley::default()); PLACES]),
            clashes: RefCell::new(vec![(u64::MAX, Clash::default()); PLACES]),
        }
    }
}

/// All that the odds depend on, in one number.
fn key(attack: Pool, defence: Pool, us: Men, them: Men) -> u64 {
    let small = |n: i32| u64::from(n.clamp(0, 255) as u8);
    let pool = |p: Pool| small(p.dice) << 8 | small(p.need);
    let men = |m: Men| u64::from(m.left) << 8 | u64::from(m.breaks_at);
    pool(attack) << 48 | pool(defence) << 32 | men(us) << 16 | men(them)
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % PLACES
}

fn remembered<T: Copy>(kept: &RefCell<Vec<(u64, T)>>, key: u64, find: impl FnOnce() -> T) -> T {
    let at = place(key);
    let (known, value) = kept.borrow()[at];
    if known == key {
        return value;
    }
    let value = find();
    kept.borrow_mut()[at] = (key, value);
    value
}

impl Memory {
    pub(super) fn volley(&self, attack: Pool, defence: Pool, men: Men) -> Volley {
        let nobody = Men { left: 0, breaks_at: 0 };
        remembered(&self.volleys, key(attack, defence, nobody, men), || volley(attack, defence, men))
    }

    pub(super) fn clash(&self, attack: Pool, defence: Pool, us: Men, them: Men) -> Clash {
        remembered(&self.clashes, key(attack, defence, us, them), || clash(attack, defence, us, them))
    }
}
