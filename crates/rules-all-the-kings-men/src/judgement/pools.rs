//! Closed forms of the two exchanges of dice, fire and melee: quick enough to weigh every target at every decision.
//! They stand for the rolls of `fire` and `melee`; a test holds them to the odds that those rooms themselves give.

use std::sync::LazyLock;

use crate::combat::exchange::Pool;

/// More dice than this are judged as so many.
const MOST: usize = 72;
const SIDE: usize = MOST + 1;

/// For each need from 1 to 7 and each number of dice: the chance of so many hits, of at most so many, and how far
/// they fall short of a number on average.
struct Tables {
    exactly: Vec<f64>,
    at_most: Vec<f64>,
    short: Vec<f64>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let size = 7 * SIDE * SIDE;
    let mut t = Tables { exactly: vec![0.0; size], at_most: vec![0.0; size], short: vec![0.0; size] };
    for need in 0..7_usize {
        let p = (6 - need) as f64 / 6.0;
        let mut pmf = vec![0.0; SIDE];
        pmf[0] = 1.0;
        for dice in 0..=MOST {
            let row = (need * SIDE + dice) * SIDE;
            let (mut sum, mut short) = (0.0, 0.0);
            for (k, p) in pmf.iter().enumerate() {
                t.exactly[row + k] = *p;
                t.short[row + k] = short;
                sum += p;
                short += sum;
                t.at_most[row + k] = sum;
            }
            for k in (0..=MOST).rev() {
                let below = if k == 0 { 0.0 } else { pmf[k - 1] };
                pmf[k] = pmf[k] * (1.0 - p) + below * p;
            }
        }
    }
    t
});

fn row(dice: i32, need: i32) -> usize {
    let dice = dice.clamp(0, MOST as i32) as usize;
    ((need.clamp(1, 7) - 1) as usize * SIDE + dice) * SIDE
}

/// Men left and the number at which they rout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Men {
    pub left: u8,
    pub breaks_at: u8,
}

/// What a volley does on average.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Volley {
    /// Men who fall.
    pub fallen: f64,
    /// That any does.
    pub any: f64,
    /// That the target routs.
    pub routs: f64,
}

/// Fire: the firer's hits less the target's, at most all its men.
pub(crate) fn volley(fire: Pool, defence: Pool, men: Men) -> Volley {
    let t = &*TABLES;
    let (a, d) = (row(fire.dice, fire.need), row(defence.dice, defence.need));
    let hits = fire.dice.clamp(0, MOST as i32) as usize;
    let (exactly, at_most) = (&t.exactly[a..=a + hits], &t.at_most[d..d + SIDE]);
    let short = &t.short[d..d + SIDE];
    let left = usize::from(men.left);
    let breaks = usize::from(men.left.saturating_sub(men.breaks_at)).max(1);
    let mut out = Volley::default();
    for (k, p) in exactly.iter().enumerate().skip(1) {
        out.fallen += p * short[k];
        if k > left {
            out.fallen -= p * short[k - left];
        }
        out.any += p * at_most[k - 1];
        if k >= breaks {
            out.routs += p * at_most[k - breaks];
        }
    }
    out
}

/// What a melee does on average.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clash {
    /// That the charger wins.
    pub won: f64,
    /// That he loses.
    pub lost: f64,
    /// Men of the charger who fall.
    pub our_fallen: f64,
    /// Men of the charged who fall.
    pub their_fallen: f64,
    /// That the charger routs.
    pub we_rout: f64,
    /// That the charged rout.
    pub they_rout: f64,
}

/// Melee: each side's hits are the other's losses; a side that routs has lost unless both do.
pub(crate) fn clash(charge: Pool, defence: Pool, us: Men, them: Men) -> Clash {
    let t = &*TABLES;
    let (a, d) = (row(charge.dice, charge.need), row(defence.dice, defence.need));
    let most = |dice: i32| dice.clamp(0, MOST as i32) as usize;
    let mut out = Clash::default();
    for (hits, p) in t.exactly[a..=a + most(charge.dice)].iter().enumerate() {
        let theirs = hits.min(usize::from(them.left));
        let they_rout = theirs > 0 && usize::from(them.left) - theirs <= usize::from(them.breaks_at);
        out.their_fallen += p * theirs as f64;
        out.they_rout += if they_rout { *p } else { 0.0 };
        for (hits, q) in t.exactly[d..=d + most(defence.dice)].iter().enumerate() {
            let ours = hits.min(usize::from(us.left));
            let we_rout = ours > 0 && usize::from(us.left) - ours <= usize::from(us.breaks_at);
            let w = p * q;
            // One side routs, or neither does and the losses decide.
            if they_rout != we_rout {
                *(if they_rout { &mut out.won } else { &mut out.lost }) += w;
            } else if !they_rout && theirs != ours {
                *(if theirs > ours { &mut out.won } else { &mut out.lost }) += w;
            }
        }
    }
    for (hits, q) in t.exactly[d..=d + most(defence.dice)].iter().enumerate() {
        let ours = hits.min(usize::from(us.left));
        out.our_fallen += q * ours as f64;
        if ours > 0 && usize::from(us.left) - ours <= usize::from(us.breaks_at) {
            out.we_rout += q;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of T5 and T6.
    #[test]
    fn the_ledgers_figures_come_out() {
        let foot = Men { left: 12, breaks_at: 4 };
        let horse = Men { left: 6, breaks_at: 2 };
        let pool = |dice, need| Pool { dice, need };
        let near = |a: f64, b: f64| (a - b).abs() < 0.0051;
        for (need, fallen) in [(4, 0.97), (5, 2.26), (6, 4.03)] {
            let v = volley(pool(12, 4), pool(12, need), foot);
            assert!(near(v.fallen, fallen), "{need}: {v:?}");
        }
        assert!(near(volley(pool(12, 4), pool(12, 4), foot).any, 0.42));
        assert!(near(volley(pool(8, 4), pool(12, 6), foot).fallen, 2.15));
        for (need, won, lost) in [(4, 0.41, 0.41), (5, 0.74, 0.15), (6, 0.95, 0.02)] {
            let c = clash(pool(12, 4), pool(12, need), foot, foot);
            assert!(near(c.won, won) && near(c.lost, lost), "{need}: {c:?}");
        }
        let c = clash(pool(6, 4), pool(6, 5), horse, foot);
        assert!(near(c.won, 0.61) && near(c.lost, 0.22) && near(c.our_fallen, 2.0), "{c:?}");
    }

    /// The closed forms are the odds of the dice that battles roll.
    #[test]
    fn they_are_the_odds_of_the_battles_own_rolls() {
        use crate::combat::exchange::Exchange;
        for (a, need, d, need_d, left, breaks_at) in [
            (12, 4, 12, 5, 12, 4),
            (8, 5, 15, 4, 6, 2),
            (12, 6, 3, 6, 3, 1),
            (5, 4, 0, 4, 4, 1),
            (24, 4, 9, 7, 12, 4),
        ] {
            let (attack, defence) = (Pool { dice: a, need }, Pool { dice: d, need: need_d });
            let men = Men { left, breaks_at };
            let odds = Exchange { attack, defence }.volley_odds(left);
            let v = volley(attack, defence, men);
            let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-9, "{a} {need} {d} {need_d}: {x} {y}");
            near(v.fallen, odds.mean(|&k| f64::from(k)));
            near(v.any, odds.chance_of(|&k| k > 0));
            near(v.routs, odds.chance_of(|&k| k > 0 && left - k <= breaks_at));
            let us = Men { left: 6, breaks_at: 2 };
            let odds = Exchange { attack, defence }.melee_odds(us.left, left);
            let c = clash(attack, defence, us, men);
            let routs = |k: u8, m: Men| k > 0 && m.left - k <= m.breaks_at;
            near(c.their_fallen, odds.mean(|l| f64::from(l[1])));
            near(c.our_fallen, odds.mean(|l| f64::from(l[0])));
            near(c.they_rout, odds.chance_of(|l| routs(l[1], men)));
            near(c.we_rout, odds.chance_of(|l| routs(l[0], us)));
            near(
                c.won,
                odds.chance_of(|l| match (routs(l[0], us), routs(l[1], men)) {
                    (false, true) => true,
                    (false, false) => l[1] > l[0],
                    _ => false,
                }),
            );
        }
    }

    #[test]
    fn no_dice_do_nothing() {
        let men = Men { left: 3, breaks_at: 1 };
        let v = volley(Pool { dice: 0, need: 4 }, Pool { dice: 5, need: 4 }, men);
        assert!(v.fallen == 0.0 && v.any == 0.0 && v.routs == 0.0, "{v:?}");
    }
}
