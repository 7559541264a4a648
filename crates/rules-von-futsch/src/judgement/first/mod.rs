//! The first judgement of this system, frozen as it was in November 2026: the rung of the ladder that progress is
//! measured from (`ensign`, `brigadier`).
//!
//! Nobody may improve it, not even where it is plainly wrong: a rung that moves measures nothing. Only what the rules as
//! amended make necessary may change here, and then `tests/frozen.rs` is recorded anew with the reason in the commit.
//! What is shared with the present judgement are the exact odds of the charts, the ways round obstacles, what troops cost
//! and what is left of it, how an objective stands, where armies deploy and commanders ride, and how proposals are put in
//! order; a better way of reckoning is written beside them, not into them. Methods named alike here and on the battle are not the same:
//! those of [`First`] come first.

mod acts;
mod answers;
mod place;
mod staff;
mod worth;

use std::ops::Deref;

use tricorne_drill::judgement::decided;
use tricorne_game::Seat;

use super::{odds, promise};
use crate::field::Field;
use crate::model::Nr;
use crate::state::{BLACK, Fate, RED};

/// The battle as the first school judges it.
pub(crate) struct First<'a>(pub(crate) &'a Field);

impl Deref for First<'_> {
    type Target = Field;

    fn deref(&self) -> &Field {
        self.0
    }
}

impl First<'_> {
    /// How the position stands for a side, from -1 to 1.
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = if seat.0 == 0 { RED } else { BLACK };
        if let Some(over) = &self.s.over {
            return decided(over.winner, side);
        }
        let red = self.red_standing();
        (if side == RED { red } else { -red }).clamp(-0.98, 0.98)
    }

    fn red_standing(&self) -> f64 {
        // Broken armies have lost when the turn ends (VF-ARMYMORALE-05).
        let broken = [RED, BLACK].map(|s| self.army_morale(s) <= 0);
        match broken {
            [true, true] => return 0.0,
            [true, false] => return -0.95,
            [false, true] => return 0.95,
            [false, false] => {}
        }
        let force = [RED, BLACK].map(|s| {
            let (mut left, mut all) = (0.0, 0.0);
            for u in (0..self.s.units.len()).map(|i| Nr(i as u8)).filter(|&u| self.side(u) == s) {
                all += self.price(u);
                left +=
                    if self.unit(u).gone == Some(Fate::Undeployed) { self.price(u) } else { self.left_of(u) };
            }
            if all > 0.0 { left / all } else { 1.0 }
        });
        // The weaker army is the one that breaks: ratio, not difference, says who will win the rest.
        let balance = (force[0] - force[1]) / (force[0] + force[1]).max(0.01);
        let lead = self.lead(RED);
        let trophies = (f64::from(self.trophies(RED)) - f64::from(self.trophies(BLACK))).clamp(-3.0, 3.0);
        let late = self.progress();
        let fight = 1.3 * balance + 0.6 * lead + 0.02 * trophies;
        match self.objective_standing() {
            // The nearer the end, the more the objective decides.
            Some(objective) => {
                let weight = 0.25 + 0.6 * late * late;
                (1.0 - weight) * fight + weight * objective
            }
            None => fight * (0.75 + 0.5 * late),
        }
    }
}
