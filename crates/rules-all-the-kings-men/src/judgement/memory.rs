//! Odds that were worked out already: the same few pools of dice meet again and again, in one decision and in the next.

use std::cell::RefCell;

use super::pools::{Clash, Men, Volley, clash, volley};
use crate::combat::exchange::{Exchange, Pool};
use crate::rulebook::Share;

/// Places for odds; those that fall on the same one oust each other.
const PLACES: usize = 2048;

/// Places for dice, of one survey.
const FEW: usize = 64;

/// What is remembered under a number.
type Kept<T> = RefCell<Vec<(u64, T)>>;

thread_local! {
    // Odds depend on nothing but the dice and the men, so they outlast a battle.
    static VOLLEYS: Kept<Volley> = const { RefCell::new(Vec::new()) };
    static CLASHES: Kept<Clash> = const { RefCell::new(Vec::new()) };
}

/// All that the odds depend on, in one number.
fn key(attack: Pool, defence: Pool, us: Men, them: Men) -> u64 {
    let small = |n: i32| u64::from(n.clamp(0, 255) as u8);
    let pool = |p: Pool| small(p.dice) << 8 | small(p.need);
    let men = |m: Men| u64::from(m.left) << 8 | u64::from(m.breaks_at);
    pool(attack) << 48 | pool(defence) << 32 | men(us) << 16 | men(them)
}

fn place(key: u64, places: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % places
}

fn remembered<T: Copy + Default>(kept: &Kept<T>, key: u64, find: impl FnOnce() -> T) -> T {
    let at = place(key, PLACES);
    let mut kept = kept.borrow_mut();
    if kept.is_empty() {
        kept.resize(PLACES, (u64::MAX, T::default()));
    }
    let (known, value) = kept[at];
    if known == key {
        return value;
    }
    let value = find();
    kept[at] = (key, value);
    value
}

/// What a volley of such dice against such men brings.
pub(super) fn volley_of(attack: Pool, defence: Pool, men: Men) -> Volley {
    let nobody = Men { left: 0, breaks_at: 0 };
    let key = key(attack, defence, nobody, men);
    VOLLEYS.with(|kept| remembered(kept, key, || volley(attack, defence, men)))
}

/// What a melee of such dice between such men brings.
pub(super) fn clash_of(attack: Pool, defence: Pool, us: Men, them: Men) -> Clash {
    let key = key(attack, defence, us, them);
    CLASHES.with(|kept| remembered(kept, key, || clash(attack, defence, us, them)))
}

/// Dice of both in a volley, and by how much the target rolls worse.
pub(super) type Dice = (i32, i32, u8);

/// What a volley's dice were found to be, under what they depend on in this battle.
type Found = (u64, Option<[Share; 2]>, Dice);

/// The dice of volleys and melees in one survey.
pub(super) struct Memory {
    dice: RefCell<[Found; FEW]>,
    melees: RefCell<[(u64, Exchange); FEW]>,
}

impl Default for Memory {
    fn default() -> Self {
        let nothing = Pool { dice: 0, need: 0 };
        let none = Exchange { attack: nothing, defence: nothing };
        Self {
            dice: RefCell::new([(u64::MAX, None, (0, 0, 0)); FEW]),
            melees: RefCell::new([(u64::MAX, none); FEW]),
        }
    }
}

impl Memory {
    /// Dice under what they depend on: a number, and the chart's cell.
    pub(super) fn dice(&self, key: u64, cell: Option<[Share; 2]>, find: impl FnOnce() -> Dice) -> Dice {
        let at = place(key, FEW);
        let (known, under, dice) = self.dice.borrow()[at];
        if known == key && under == cell {
            return dice;
        }
        let dice = find();
        self.dice.borrow_mut()[at] = (key, cell, dice);
        dice
    }

    /// The dice of a melee under what they depend on.
    pub(super) fn melee(&self, key: u64, find: impl FnOnce() -> Exchange) -> Exchange {
        let at = place(key, FEW);
        let (known, dice) = self.melees.borrow()[at];
        if known == key {
            return dice;
        }
        let dice = find();
        self.melees.borrow_mut()[at] = (key, dice);
        dice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is remembered is what would be worked out, whoever was remembered at its place before.
    #[test]
    fn odds_remembered_are_the_odds_worked_out() {
        for round in 0..2 {
            for dice in 0..24 {
                for need in 4..=6 {
                    let (attack, defence) = (Pool { dice, need }, Pool { dice: 24 - dice, need: 10 - need });
                    let (us, them) = (Men { left: 6, breaks_at: 2 }, Men { left: 12, breaks_at: 4 });
                    let (kept, found) = (volley_of(attack, defence, them), volley(attack, defence, them));
                    assert_eq!(kept.fallen.to_bits(), found.fallen.to_bits(), "{round} {dice} {need}");
                    let (kept, found) =
                        (clash_of(attack, defence, us, them), clash(attack, defence, us, them));
                    assert_eq!(kept.won.to_bits(), found.won.to_bits(), "{round} {dice} {need}");
                }
            }
        }
    }
}
