//! Who noticed which action. Somebody who hides a regiment, or moves it from one wood to the next, does something that the
//! others are told nothing of: not what, and not that there was anything. So actions are numbered for each listener by
//! those he noticed.

use tricorne_game::{Seat, Turned, Umpire};

/// Who noticed an action: bit 0 for spectators, bit k + 1 for seat k.
pub(crate) type Mask = u64;

/// Everybody.
const ALL: Mask = Mask::MAX;

/// Who noticed each action so far, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noticed(Vec<Mask>);

/// Somebody with these seats; with none of them, a spectator. Whoever plays notices what spectators do, too.
pub(crate) fn listener(seats: &[Seat]) -> Mask {
    seats.iter().fold(1, |mask, seat| mask | bit(*seat))
}

fn bit(seat: Seat) -> Mask {
    1_u64.checked_shl(u32::from(seat.0) + 1).unwrap_or(1)
}

impl Noticed {
    /// The last action of a battle is noted.
    pub(crate) fn note(&mut self, umpire: &Umpire) {
        self.0.push(last(umpire));
    }

    /// The last action was taken back.
    pub(crate) fn take_back(&mut self) {
        self.0.pop();
    }

    /// What was known to everybody by the time a battle went on from it.
    pub(crate) fn all_know(&mut self, first: usize) {
        self.0.iter_mut().take(first).for_each(|mask| *mask = ALL);
    }

    /// Whether a listener noticed the action after the first `i`.
    pub(crate) fn has(&self, whom: Mask, i: usize) -> bool {
        // What was never looked at is nobody's secret.
        self.0.get(i).is_none_or(|mask| mask & whom != 0)
    }

    /// How many of the first `n` actions a listener noticed: the number they have for him.
    pub(crate) fn count(&self, whom: Mask, n: usize) -> usize {
        (0..n).filter(|i| self.has(whom, *i)).count()
    }

    /// How many actions had been taken, of `n`, when a listener had noticed so many; with those he did not notice after
    /// them.
    pub(crate) fn taken(&self, whom: Mask, told: usize, n: usize) -> Option<usize> {
        let mut left = told;
        for i in 0..n {
            if self.has(whom, i) {
                if left == 0 {
                    return Some(i);
                }
                left -= 1;
            }
        }
        (left == 0).then_some(n)
    }
}

/// Who noticed the last action of a battle: who took it, who may know of something that came of it, and who sees the table
/// otherwise than before.
fn last(umpire: &Umpire) -> Mask {
    let Some(turned) = umpire.turned().last() else { return ALL };
    if turned.events.iter().any(|event| event.known_to(None)) {
        return ALL;
    }
    let after = umpire.battle();
    let Some(before) = umpire.battle_after(umpire.turned().len() - 1) else { return ALL };
    let mut mask = Mask::from(before.view(None) != after.view(None));
    for info in after.seats() {
        let seat = info.seat;
        if tells(turned, seat) || before.view(Some(seat)) != after.view(Some(seat)) {
            mask |= bit(seat);
        }
    }
    if mask & 1 == 1 { ALL } else { mask }
}

fn tells(turned: &Turned, seat: Seat) -> bool {
    turned.seat == seat || turned.events.iter().any(|event| event.known_to(Some(seat)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_counts_what_he_noticed() {
        let (red, blue, nobody) = (listener(&[Seat(0)]), listener(&[Seat(1)]), listener(&[]));
        // Red hides something twice, between two things that all see; then blue does.
        let noticed = Noticed(vec![ALL, bit(Seat(0)), bit(Seat(0)), ALL, bit(Seat(1))]);
        let counts = |whom| (0..=5).map(|n| noticed.count(whom, n)).collect::<Vec<_>>();
        assert_eq!(counts(red), [0, 1, 2, 3, 4, 4]);
        assert_eq!(counts(blue), [0, 1, 1, 1, 2, 3]);
        assert_eq!(counts(nobody), [0, 1, 1, 1, 2, 2]);
        let taken = |whom| (0..=4).map(|told| noticed.taken(whom, told, 5)).collect::<Vec<_>>();
        assert_eq!(taken(red), [Some(0), Some(1), Some(2), Some(3), Some(5)]);
        assert_eq!(taken(blue), [Some(0), Some(3), Some(4), Some(5), None]);
        assert_eq!(taken(nobody), [Some(0), Some(3), Some(5), None, None]);
    }
}
