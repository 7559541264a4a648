//! Two pools of dice against each other, the kernel of fire and melee: the one place where they are rolled and counted,
//! and their exact odds from that very place.

use tricorne_chance::{Bins, Chance, Odds, Purpose, Tally, enumerate};
use tricorne_drill::{Question, Reasons, Rules};
use tricorne_game::{Event, Illegal, Modifier, Remark, Remarks, UnitId, in_words};

use crate::action::Action;
use crate::activation::act::Deed;
use crate::battle::Questions;
use crate::field::Engagement;
use crate::movement::sight::Zone;
use crate::movement::terrain::Cover;
use crate::rulebook::{Colour, Rulebook, Share};

/// How a target lies to its attacker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lie {
    /// From where it is struck.
    pub zone: Zone,
    /// What covers it.
    pub cover: Cover,
}

/// Both pools of an attack before they are rolled, with all their reasons.
#[derive(Clone, Debug)]
pub struct Pools {
    pub(crate) dice: Reasons,
    pub(crate) colour: Colour,
    pub(crate) defence: Reasons,
    /// What makes the target roll worse.
    pub(crate) worse: Reasons,
    pub(crate) defence_colour: Colour,
    /// How many privates have how many dice each, the attacker's first.
    pub(crate) shares: [(u8, Share); 2],
    /// The target's colour before anything made it worse.
    pub(crate) own: Colour,
}

impl Pools {
    /// The attacker's, as an event tells it.
    pub(crate) fn attack_event(&self, what: &str, clause: &str, rules: &Rulebook, rolled: &Tally) -> Event {
        let pool = tricorne_drill::Pool::of(self.dice.clone(), rules.needs(self.colour));
        pool.event(what, clause, rolled)
            .modifiers(shared_out(&self.dice, self.shares[0]))
            .with("colour", self.colour.name())
            .with("dice", self.dice.sum())
    }

    /// The target's, with what makes it roll worse.
    pub(crate) fn defence_event(&self, what: &str, clause: &str, rules: &Rulebook, rolled: &Tally) -> Event {
        // Colours are no dice: they have their own words.
        let worse = self.worse.iter().map(|r| {
            let colours = if r.value == 1 { "colour" } else { "colours" };
            format!("{} {colours} worse ({} [{}])", in_words(r.value.max(0) as usize), r.reason, r.clause)
        });
        let mut worse = worse.collect::<Vec<_>>().join(", ");
        if self.own == self.defence_colour {
            worse.clear(); // Red is the worst there is (ATKM-DICE-10).
        }
        let pool = tricorne_drill::Pool::of(self.defence.clone(), rules.needs(self.defence_colour));
        pool.event(what, clause, rolled)
            .modifiers(shared_out(&self.defence, self.shares[1]))
            .with("colour", self.defence_colour.name())
            .with("dice", self.defence.sum())
            .with("worse", worse)
    }

    /// Both in a line, and what bears on them, for a preview.
    pub(crate) fn notes(&self, target: UnitId, out: &mut Remarks) {
        let pool = |dice: i32, colour: Colour| {
            format!("{dice} {} {}", if dice == 1 { "die" } else { "dice" }, colour.name())
        };
        let ours = pool(self.dice.sum(), self.colour);
        out.push(format!("{ours} against {}", pool(self.defence.sum(), self.defence_colour)));
        let bearing = self.worse.iter().chain(self.defence.iter().skip(1));
        out.extend(bearing.map(|r| Remark::by(r.clause, format!("{target}: {}", r.reason))));
    }
}

/// Reasons for dice as an event holds them: the first is the men's, with how many they are, what they do and what each is
/// given: `for 6 men firing, 2 dice each`.
fn shared_out(reasons: &Reasons, (men, share): (u8, Share)) -> Vec<Modifier> {
    let mut told = reasons.told();
    if let Some(first) = told.first_mut() {
        let man = if men == 1 { "man" } else { "men" };
        let doing = std::mem::take(&mut first.reason);
        first.reason = match share.told() {
            Some(each) if men == 1 => format!("for 1 man {doing}, {each}"),
            Some(each) => format!("for {men} {man} {doing}, {each} each"),
            None => format!("for {men} {man} {doing}"),
        };
    }
    told
}

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
    pub(crate) fn of(rules: &Rulebook, pools: &Pools) -> Self {
        Self {
            attack: Pool { dice: pools.dice.sum(), need: rules.needs(pools.colour) },
            defence: Pool { dice: pools.defence.sum(), need: rules.needs(pools.defence_colour) },
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
        let Some(Questions::Act(act)) = self.question().filter(|_| !Self::gives_up(action)) else {
            return self.check(action).map(|()| None);
        };
        let us = self.unit(act.0.unit).n;
        Ok(match act.judge(self, action)? {
            Deed::Fire(target, shot) => {
                let odds = Exchange::of(self.rules(), &shot.pools).volley_odds(self.unit(target).n);
                Some(Odds { ways: odds.ways.into_iter().map(|(men, p)| ([0, men], p)).collect() })
            }
            Deed::Charge(target, charge, _) => {
                Some(Exchange::of(self.rules(), &charge.pools).melee_odds(us, self.unit(target).n))
            }
            _ => None,
        })
    }
}
