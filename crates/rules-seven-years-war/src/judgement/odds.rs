//! Odds in closed form, from the very modifiers and charts that the dice are read on.

use tricorne_game::UnitId;

use crate::generals::counters::Psychology;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Aim, Contact, Direction, Order, within};
use crate::morale::tests::Test;
use crate::options::{InfantryChargeTest, MeleeHits, ShotDie};
use crate::rulebook::{Arm, MoraleResult};
use crate::shooting::shots::Band;

/// What a shot comes to on average.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Volley {
    pub kills: f64,
    pub disorder: f64,
}

/// The chances of a 2D6 test's results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nerve {
    /// The order is kept (or Advance is offered).
    pub holds: f64,
    /// Advance becomes Stand.
    pub halts: f64,
    pub retreats: f64,
    pub routs: f64,
}

/// What one round of a melee comes to on average.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clash {
    /// Stands the attacker and the defender lose.
    pub lost: [f64; 2],
    pub wins: f64,
    pub loses: f64,
}

/// Ways two dice make each sum from 2 to 12.
const WAYS: [f64; 11] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];

/// The chance that two dice make at least this.
pub(crate) fn two_dice(least: i32) -> f64 {
    (0..11).filter(|&k| k + 2 >= least).map(|k| WAYS[k as usize]).sum::<f64>() / 36.0
}

impl SevenYearsBattle {
    /// A shot of a unit at another. `steady` is on Stand and unmoved, whatever it is now (SYW-SHOOT-11).
    pub(crate) fn volley(
        &self,
        u: UnitIx,
        t: UnitIx,
        stands: usize,
        range: f64,
        band: Band,
        steady: Option<bool>,
    ) -> Volley {
        let bonus = self.shot_sums_if(u, t, stands, range, band, steady).sum();
        let dice = if self.fixed.options.shot_die == ShotDie::PerStand { stands.max(1) } else { 1 };
        self.expected(bonus, dice, self.unit(t).strength())
    }

    /// Expected kills and chance of disorder of some dice with a bonus.
    fn expected(&self, bonus: i32, dice: usize, most: usize) -> Volley {
        let (mut kills, mut none) = (0.0, 0.0);
        for face in 1..=6 {
            let (killed, disorders) = self.score(face + bonus);
            kills += f64::from(killed).min(most as f64) / 6.0;
            if !disorders {
                none += 1.0 / 6.0;
            }
        }
        let mut calm = 1.0;
        for _ in 0..dice {
            calm *= none;
        }
        Volley { kills: (kills * dice as f64).min(most as f64), disorder: 1.0 - calm }
    }

    /// The chance that a general is near enough to help (SYW-MORALE-13).
    fn help(&self, g: GroupIx, test: Test) -> f64 {
        let nearest = self.general_near(g, test);
        if within(nearest, 5.0) {
            1.0
        } else {
            (1..=4).filter(|&face| within(nearest, f64::from(face) * 5.0)).count() as f64 / 4.0
        }
    }

    /// The chances of a test of the first part of T7.
    pub(crate) fn nerve(&self, g: GroupIx, test: Test, aims: &[Aim], more: i32) -> Nerve {
        let sum = self.morale_sums(g, test, aims).sum() + more;
        let help = self.help(g, test);
        let chart = &self.fixed.book.charts.morale;
        let lines = if self.tests_as_lights(g) { &chart.light } else { &chart.massed };
        let group = self.group(g);
        let mut nerve = Nerve::default();
        for (extra, share) in
            [(self.fixed.book.charts.morale_modifiers.general_near.value, help), (0, 1.0 - help)]
        {
            if share <= 0.0 {
                continue;
            }
            for (k, ways) in WAYS.iter().enumerate() {
                let score = k as i32 + 2 + sum + extra;
                let p = share * ways / 36.0;
                let Some(line) = lines.iter().find(|l| l.at_least.is_none_or(|least| score >= least)) else {
                    continue;
                };
                if line.artillery_killed && group.arm == Arm::Artillery {
                    nerve.routs += p;
                    continue;
                }
                match line.result {
                    MoraleResult::Advance | MoraleResult::Keep => nerve.holds += p,
                    MoraleResult::Stand if group.order == Order::Advance => nerve.halts += p,
                    MoraleResult::Stand => nerve.holds += p,
                    MoraleResult::RetreatIfFighting
                        if !matches!(group.order, Order::Advance | Order::Stand) =>
                    {
                        nerve.holds += p;
                    }
                    MoraleResult::RetreatIfFighting | MoraleResult::Retreat => nerve.retreats += p,
                    MoraleResult::Rout => nerve.routs += p,
                }
            }
        }
        nerve
    }

    /// The chance to pass the test to charge (SYW-MORALE-08 to -10, -37).
    pub(crate) fn charge_chance(&self, g: GroupIx, aims: &[Aim]) -> f64 {
        let die = self.charge_die_needed(g, aims).map(|needed| (7.0 - f64::from(needed)) / 6.0);
        if let Some(p) = die
            && self.fixed.options.infantry_charge_test == InfantryChargeTest::D6Instead
        {
            return p;
        }
        let chart = &self.fixed.book.charts.charge;
        let needed = if self.tests_as_lights(g) { chart.light } else { chart.massed };
        let sum = self.morale_sums(g, Test::Charging, aims).sum();
        let help = self.help(g, Test::Charging);
        let test = help * two_dice(needed - sum - 1) + (1.0 - help) * two_dice(needed - sum);
        test * die.unwrap_or(1.0)
    }

    /// The chance to rally (SYW-ROUT-16).
    pub(crate) fn rally_chance(&self, g: GroupIx) -> f64 {
        let chart = &self.fixed.book.charts.rally;
        let needed = if self.tests_as_lights(g) { chart.light } else { chart.massed };
        let sum = self.morale_sums(g, Test::Rally, &[]).sum();
        let help = self.help(g, Test::Rally);
        help * two_dice(needed - sum - 1) + (1.0 - help) * two_dice(needed - sum)
    }

    /// The chance that a general's attempt succeeds (SYW-ORDER-09, -10, SYW-GEN-09).
    pub(crate) fn attempt_chance(&self, i: GeneralIx, units: &[UnitIx], order: Option<Order>) -> f64 {
        let arm = units.first().map(|&u| self.info(u).arm);
        let mut distance = self.general_range(i, units);
        if order == Some(Order::Advance) && self.qualities(i, arm).0 == Psychology::Cautious {
            distance *= 2.0;
        }
        // Sight is only asked where it changes the odds.
        let reach = if distance <= 10.0 || self.general_sees(i, units) { 10.0 } else { 5.0 };
        let faces = (2..=5).filter(|&face| within(distance, f64::from(face) * reach)).count();
        (faces as f64 + 1.0) / 6.0
    }

    /// A pair as it would be if one charged the other home now.
    pub(crate) fn would_meet(&self, u: UnitIx, e: UnitIx, from: Direction) -> Contact {
        let front = |v: UnitIx| {
            let unit = self.unit(v);
            let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
            unit.stands.iter().filter(|s| s.rank == first).count().max(1)
        };
        let (mine, theirs) = (front(u), front(e));
        let both = mine.min(theirs) as u8;
        let flank = from != Direction::Front;
        let guns = self.info(e).arm == Arm::Artillery;
        Contact {
            count: if flank || guns { [1, 1] } else { [both, both] },
            overlap: if flank { [mine > 1, false] } else { [mine > theirs, theirs > mine] },
            ..self.meeting(u, e, from)
        }
    }

    /// One round between a pair, over all throws.
    pub(crate) fn clash(&self, c: &Contact) -> Clash {
        let sums = [self.melee_sums(c, true).sum(), self.melee_sums(c, false).sum()];
        let both = self.fixed.options.melee_hits == MeleeHits::Both;
        let most = [self.unit(c.attacker).strength() as f64, self.unit(c.defender).strength() as f64];
        let guns = [c.attacker, c.defender].map(|u| self.info(u).arm == Arm::Artillery);
        let mut clash = Clash::default();
        for a in 1..=6 {
            for d in 1..=6 {
                let scores = [a + sums[0], d + sums[1]];
                let p = 1.0 / 36.0;
                if scores[0] > scores[1] {
                    clash.wins += p;
                } else if scores[0] < scores[1] {
                    clash.loses += p;
                }
                for (me, foe) in [(0, 1), (1, 0)] {
                    // What my enemy's score does to me.
                    let struck = if guns[me] && scores[me] < scores[foe] {
                        most[me]
                    } else if both || scores[foe] > scores[me] {
                        f64::from(self.score(scores[foe]).0).min(most[me])
                    } else {
                        0.0
                    };
                    clash.lost[me] += p * struck;
                }
            }
        }
        clash
    }

    /// What a unit is worth as it stands: its points, less where it is disordered, running or beset.
    pub(crate) fn worth(&self, u: UnitIx) -> f64 {
        let unit = self.unit(u);
        let state = match self.order_of(u) {
            Order::Rout => 0.3,
            Order::Retreat => 0.8,
            _ if unit.disordered => 0.92,
            _ => 1.0,
        };
        let state = if unit.surrendered { 0.1 } else { state };
        self.info(u).price * unit.strength() as f64 * state
    }

    /// The points a group has on the table.
    pub(crate) fn group_worth(&self, g: GroupIx) -> f64 {
        self.members(g).iter().map(|&u| self.worth(u)).sum()
    }

    /// The name of a unit by its index.
    pub(crate) fn name_of(&self, u: UnitIx) -> UnitId {
        self.unit(u).id
    }
}
