//! Two pools of dice against each other, the kernel of fire and melee: the one place where they are rolled and counted,
//! and their exact odds from that very place.

use tricorne_chance::{Bins, Chance, Odds, Purpose, Tally, enumerate};
use tricorne_game::Illegal;

use crate::action::Action;
use crate::battle::Plan;
use crate::field::{Engagement, sum};
use crate::fire::Shot;
use crate::melee::Charge;
use crate::rulebook::Rulebook;

/// So many dice, each of which needs so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many.
    pub dice: i32,
    /// The face a success starts at (ATKM-DICE-02).
    pub need: i32,
}

impl Pool {
    fn roll(self, purpose: Purpose, chance: &mut dyn Chance) -> Tally {
        chance.pool(purpose, self.dice.max(0) as usize, &Bins::at_least(self.need))
    }
}

/// Both pools of an attack. They are always rolled in full, the attacker's first (ATKM-DICE-09).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The firer's or charger's.
    pub attack: Pool,
    /// The target's.
    pub defence: Pool,
}

/// Dice on the table, and who falls by them.
#[derive(Clone, Debug)]
pub(crate) struct Rolled {
    pub attack: Tally,
    pub defence: Tally,
    /// Men of the attacker who fall.
    pub ours: u8,
    /// Men of the target who fall.
    pub theirs: u8,
}

impl Exchange {
    pub(crate) fn of_shot(rules: &Rulebook, shot: &Shot) -> Self {
        Self {
            attack: Pool { dice: sum(&shot.dice), need: rules.needs(shot.colour) },
            defence: Pool { dice: sum(&shot.defence), need: rules.needs(shot.defence_colour) },
        }
    }

    pub(crate) fn of_charge(rules: &Rulebook, charge: &Charge) -> Self {
        Self {
            attack: Pool { dice: sum(&charge.dice), need: rules.needs(charge.colour) },
            defence: Pool { dice: sum(&charge.defence), need: rules.needs(charge.defence_colour) },
        }
    }

    /// ATKM-FIRE-12: the firer's successes less the target's, never more than its men.
    pub(crate) fn fire(&self, men: u8, chance: &mut dyn Chance) -> Rolled {
        let attack = self.attack.roll("fire", chance);
        let defence = self.defence.roll("fire_defence", chance);
        let theirs = attack.hits().saturating_sub(defence.hits()).min(usize::from(men)) as u8;
        Rolled { attack, defence, ours: 0, theirs }
    }

    /// ATKM-MELEE-04, ATKM-MELEE-16: each success is a casualty, as far as there are men.
    pub(crate) fn fight(&self, us: u8, them: u8, chance: &mut dyn Chance) -> Rolled {
        let attack = self.attack.roll("charge", chance);
        let defence = self.defence.roll("charge_defence", chance);
        let theirs = attack.hits().min(usize::from(them)) as u8;
        let ours = defence.hits().min(usize::from(us)) as u8;
        Rolled { attack, defence, ours, theirs }
    }

    /// Every number of men that a volley may cost a target of so many, with its exact probability: the roll of a battle
    /// run along every way its two pools can fall.
    pub fn volley_odds(&self, men: u8) -> Odds<u8> {
        enumerate(self.ways(), |chance| self.fire(men, chance).theirs).unwrap_or(Odds { ways: Vec::new() })
    }

    /// Every pair of losses that a melee may bring, the charger's first, with its exact probability.
    pub fn melee_odds(&self, us: u8, them: u8) -> Odds<[u8; 2]> {
        let fight = |chance: &mut tricorne_chance::Enumerating| {
            let rolled = self.fight(us, them, chance);
            [rolled.ours, rolled.theirs]
        };
        enumerate(self.ways(), fight).unwrap_or(Odds { ways: Vec::new() })
    }

    /// In how many ways two pools can fall.
    fn ways(&self) -> usize {
        let ways = |pool: Pool| pool.dice.max(0) as usize + 1;
        ways(self.attack) * ways(self.defence)
    }
}

impl Engagement {
    /// The exact odds of the men that a fire attack or a charge costs, the attacker's first; none for an action without
    /// such an exchange. What follows from the losses (routs, colours, generals at risk) is for [`tricorne_game::odds()`].
    pub fn casualties(&self, action: &Action) -> Result<Option<Odds<[u8; 2]>>, Illegal> {
        Ok(match self.judge(action)? {
            Plan::Fire(_, target, shot) => {
                let odds = Exchange::of_shot(self.rules(), &shot).volley_odds(self.unit(target).n);
                Some(Odds { ways: odds.ways.into_iter().map(|(men, p)| ([0, men], p)).collect() })
            }
            Plan::Charge(a, target, charge) => {
                let (us, them) = (self.unit(a.unit).n, self.unit(target).n);
                Some(Exchange::of_charge(self.rules(), &charge).melee_odds(us, them))
            }
            _ => None,
        })
    }
}
