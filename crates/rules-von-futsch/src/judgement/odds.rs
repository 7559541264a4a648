//! Odds in closed form: hits of a pool, kills after halving, tests, moves.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use tricorne_chance::sum_pmf;

use crate::field::Field;
use crate::fire::Volley;
use crate::melee::Blows;
use crate::model::Nr;
use crate::model::measure::Mils;
use crate::morale::Outcome;

/// The chance of 0, 1, 2, … of something.
pub(crate) type Spread = ArrayVec<f64, 32>;

/// Hits of so many dice that each need so much, or are each thrown twice: worked out once for all battles.
fn known_hits(dice: u32, needed: i32, twice: bool) -> &'static Spread {
    static ALL: LazyLock<Vec<Spread>> = LazyLock::new(|| {
        let chance = |faces: i32, twice: bool| {
            let once = face(7 - faces);
            if twice { 1.0 - (1.0 - once) * (1.0 - once) } else { once }
        };
        let each = (0..7).flat_map(|faces| [false, true].map(|twice| chance(faces, twice)));
        each.flat_map(|p| (0..MOST).map(move |dice| hits(dice, p))).collect()
    });
    let row = 2 * (7 - needed).clamp(0, 6) as usize + usize::from(twice);
    &ALL[row * MOST as usize + dice.min(MOST - 1) as usize]
}

/// Dice are told apart up to so many.
const MOST: u32 = 32;

/// Hits of so many dice that each hit with chance `p`.
pub(crate) fn hits(dice: u32, p: f64) -> Spread {
    let n = dice.min(MOST - 1);
    let mut spread = Spread::new();
    spread.push(1.0);
    for _ in 0..n {
        spread.push(0.0);
        for k in (0..spread.len()).rev() {
            let fresh = if k > 0 { spread[k - 1] * p } else { 0.0 };
            spread[k] = spread[k] * (1.0 - p) + fresh;
        }
    }
    spread
}

/// The hits of blows in a melee.
pub(crate) fn blows(blows: &Blows) -> &'static Spread {
    known_hits(blows.dice, blows.needed, false)
}

/// The chance that a die makes `needed`.
pub(crate) fn face(needed: i32) -> f64 {
    f64::from((7 - needed).clamp(0, 6)) / 6.0
}

/// The same spread after each count is halved so often, rounded by `half`.
pub(crate) fn halved(spread: &Spread, times: usize, half: impl Fn(u32) -> u32) -> Spread {
    if times == 0 {
        return spread.clone();
    }
    let mut out = Spread::new();
    for (k, p) in spread.iter().enumerate() {
        let less = (0..times).fold(k as u32, |k, _| half(k)) as usize;
        while out.len() <= less {
            out.push(0.0);
        }
        out[less] += p;
    }
    out
}

/// The kills of a volley.
pub(crate) fn kills(volley: &Volley) -> Spread {
    let hits = known_hits(volley.dice, volley.needed, volley.vulnerable);
    halved(hits, usize::from(volley.halvings > 0), |k| volley.kills(k))
}

/// The chances of a morale test: steady, wavers, routs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nerve {
    pub steady: f64,
    pub wavers: f64,
    pub routs: f64,
}

impl Field {
    /// The chances of a test with so many figures lost (VF-MORALE-05 to -08).
    pub(crate) fn nerve(&self, u: Nr, lost: u8, becoming_shaken: bool) -> Nerve {
        let sum = self.morale_reasons(u, lost, becoming_shaken).sum();
        let mut nerve = Nerve { steady: 0.0, wavers: 0.0, routs: 0.0 };
        for die in 1..=6 {
            let share = match self.outcome(die + sum) {
                Outcome::Steady => &mut nerve.steady,
                Outcome::Wavers => &mut nerve.wavers,
                Outcome::Routs => &mut nerve.routs,
            };
            *share += 1.0 / 6.0;
        }
        nerve
    }

    /// The chance that a move of a unit's own dice comes to so much.
    pub(crate) fn chance_to_roll(&self, u: Nr, need: Mils) -> f64 {
        let pace = self.spec(u).pace(self.p(), self.unit(u).formation);
        let extra =
            if self.army_commander_with(u).is_some() { self.p().moves.army_commander_dice } else { 0 };
        let dice = usize::from(pace.dice + extra);
        let ways = sum_pmf(dice, 6).into_iter().zip(dice as i32..);
        ways.filter(|&(_, sum)| self.allowance(u, sum, false) >= need).map(|(p, _)| p).sum()
    }

    /// What a unit's move comes to on average.
    pub(crate) fn usual_move(&self, u: Nr) -> Mils {
        let pace = self.spec(u).pace(self.p(), self.unit(u).formation);
        let extra =
            if self.army_commander_with(u).is_some() { self.p().moves.army_commander_dice } else { 0 };
        let dice = i32::from(pace.dice + extra);
        i32::midpoint(self.allowance(u, dice * 3, false), self.allowance(u, dice * 4, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_add_up_and_halve() {
        let spread = hits(6, 0.5);
        assert!((spread.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((spread[3] - 20.0 / 64.0).abs() < 1e-12);
        let less = halved(&spread, 1, |k| k.div_ceil(2));
        // Halved and rounded up: 5 and 6 hits kill 3.
        assert!((less[3] - 7.0 / 64.0).abs() < 1e-12);
        let twice = kills(&Volley { dice: 1, needed: 4, vulnerable: true, halvings: 0, share: [1, 2] });
        assert!((twice[1] - 0.75).abs() < 1e-12);
    }
}
