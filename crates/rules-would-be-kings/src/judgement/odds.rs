//! Closed-form odds from the charts: what a volley or a melee is expected to come to. The values, dice and hits for
//! a casualty are those the rules themselves work out; only the dice are summed instead of rolled.

use std::sync::LazyLock;

use crate::battle::Fray;
use crate::options::MgJam;
use crate::state::{Character, MAX_MODELS, No, Order};
use crate::tables::rulebook::{Class, Cover};

/// Pools beyond this many dice are judged as this many.
const MOST_DICE: usize = 72;

/// The chance of each number of models lost.
pub(crate) type Losses = [f64; MAX_MODELS + 1];

/// The chance of each number of hits with some dice that need a value or more.
fn hits(dice: usize, value: i32) -> &'static [f64] {
    static TABLE: LazyLock<Vec<Vec<f64>>> = LazyLock::new(|| {
        let mut rows = Vec::new();
        for value in 2..=7 {
            let p = f64::from(7 - value) / 6.0;
            let mut row = vec![1.0];
            rows.push(row.clone());
            for _ in 0..MOST_DICE {
                let mut next = vec![0.0; row.len() + 1];
                for (k, &c) in row.iter().enumerate() {
                    next[k] += c * (1.0 - p);
                    next[k + 1] += c * p;
                }
                row = next;
                rows.push(row.clone());
            }
        }
        rows
    });
    let value = value.clamp(2, 7) as usize - 2;
    &TABLE[value * (MOST_DICE + 1) + dice.min(MOST_DICE)]
}

/// The chance that two dice come to so much or more.
pub(crate) fn two_dice(least: i32) -> f64 {
    const WAYS: [f64; 11] = [36.0, 35.0, 33.0, 30.0, 26.0, 21.0, 15.0, 10.0, 6.0, 3.0, 1.0];
    match least {
        ..=2 => 1.0,
        3..=12 => WAYS[least as usize - 2] / 36.0,
        _ => 0.0,
    }
}

/// One side of a melee as the odds see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fighter {
    pub(crate) dice: u8,
    pub(crate) value: i32,
    pub(crate) models: u8,
    /// Hits that cost it a model: the basic number and what defences add.
    pub(crate) basic: i32,
    pub(crate) extra: i32,
}

/// What a melee is expected to come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brawl {
    /// The chance of each number of the attacker's models lost.
    pub(crate) attacker: Losses,
    /// The same for the defender.
    pub(crate) defender: Losses,
}

impl Brawl {
    /// The chances that the attacker wins, and that it is drawn.
    pub(crate) fn outcome(&self) -> (f64, f64) {
        let (mut won, mut drawn, mut below) = (0.0, 0.0, 0.0);
        for (lost_a, lost_d) in self.attacker.iter().zip(&self.defender) {
            won += lost_d * below;
            drawn += lost_a * lost_d;
            below += lost_a;
        }
        (won, drawn)
    }
}

impl Fray {
    /// The chance of each number of models lost to some dice.
    pub(crate) fn losses(&self, dice: usize, value: i32, basic: i32, extra: i32, models: u8) -> Losses {
        let mut losses = [0.0; MAX_MODELS + 1];
        let most = usize::from(models).min(MAX_MODELS);
        for (n, &chance) in hits(dice, value).iter().enumerate() {
            let lost = self.casualties(n as i32, 0, basic, extra).0.max(0) as usize;
            losses[lost.min(most)] += chance;
        }
        losses
    }

    /// The chance that a unit is Pinned after losing so many models.
    pub(crate) fn pin_chance(&self, u: No, lost: usize) -> f64 {
        1.0 - self.nerve_test(u, lost as u8).chance()
    }

    /// The chance that a unit does what it is ordered to (WBK-ACT-02).
    pub(crate) fn order_chance(&self, u: No, order: Order) -> f64 {
        if self.state.act.idiot || self.is_free(u, order) {
            return 1.0;
        }
        self.order_test(u, order).chance()
    }

    /// The chance of each number of models that a unit's fire costs a target.
    pub(crate) fn volley_losses(
        &self,
        u: No,
        v: No,
        short: bool,
        cover: Cover,
        volley: bool,
        skirmish: bool,
    ) -> Losses {
        let mut dice = self.fire_dice(u, skirmish);
        let (value, _) = self.firing_value(u, v, volley);
        let (basic, extra) = self.fire_hits(u, v, short, cover);
        if self.character(u) == Character::CrackShot {
            dice += 1;
        }
        let mut losses = self.losses(dice, value, basic, extra, self.unit(v).models);
        if self.card(u).weapon.jams && self.field.options.mg_jam == MgJam::ShotLost {
            // More ones than crew lose the shot (WBK-FIRE-26): as likely as so many sixes.
            let jam: f64 = hits(dice, 6).iter().skip(usize::from(self.unit(u).models) + 1).sum();
            for chance in &mut losses {
                *chance *= 1.0 - jam;
            }
            losses[0] += jam;
        }
        losses
    }

    /// The two sides of a melee as they would stand, with the defence of a building or cover but no wall.
    pub(crate) fn fighters(&self, a: No, d: No, defended: Option<usize>) -> [Fighter; 2] {
        let side = |u: No, v: No, attacked: bool, defended: Option<usize>| {
            // `u` is struck by `v`.
            let (basic, sheltered) = self.melee_hits(v, u, attacked, defended);
            let mut dice = self.fighting_models(u, v, attacked);
            if self.character(u) == Character::FineSabre {
                dice += 1;
            }
            let extra = sheltered.sum();
            Fighter { dice, value: self.fighting_value(u).0, models: self.unit(u).models, basic, extra }
        };
        [side(a, d, false, None), side(d, a, true, defended)]
    }

    /// What a melee of two such sides is expected to come to.
    pub(crate) fn brawl(&self, [a, d]: [Fighter; 2]) -> Brawl {
        Brawl {
            attacker: self.losses(usize::from(d.dice), d.value, a.basic, a.extra, a.models),
            defender: self.losses(usize::from(a.dice), a.value, d.basic, d.extra, d.models),
        }
    }

    /// How much less cover lets through, by the hits of table 3.3.
    pub(crate) fn cover_share(&self, cover: Cover, short: bool) -> f64 {
        let hits = &self.field.rulebook.charts.hits;
        let basic = if short { hits.short } else { hits.long };
        let more = match cover {
            Cover::None => 0,
            Cover::Soft => hits.soft,
            Cover::Hard => hits.hard,
        };
        f64::from(basic) / f64::from((basic + more).max(1))
    }

    /// Whether a unit may run into contact At the Double.
    pub(crate) fn doubles_in(&self, u: No) -> bool {
        let card = self.card(u);
        card.class == Class::Cavalry || card.ignores_ground()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_binomial_and_two_dice_count_their_ways() {
        let two = hits(2, 5);
        assert!((two[0] - 4.0 / 9.0).abs() < 1e-12 && (two[2] - 1.0 / 9.0).abs() < 1e-12);
        assert!((hits(12, 4).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(hits(5, 7)[0], 1.0);
        assert!((two_dice(7) - 21.0 / 36.0).abs() < 1e-12);
        assert_eq!((two_dice(2), two_dice(13)), (1.0, 0.0));
    }

    #[test]
    fn a_melee_is_won_by_more_losses_made() {
        let mut brawl = Brawl { attacker: [0.0; MAX_MODELS + 1], defender: [0.0; MAX_MODELS + 1] };
        (brawl.attacker[0], brawl.attacker[1]) = (0.5, 0.5);
        (brawl.defender[0], brawl.defender[2]) = (0.25, 0.75);
        let (won, drawn) = brawl.outcome();
        assert!((won - 0.75).abs() < 1e-12 && (drawn - 0.125).abs() < 1e-12);
    }
}
