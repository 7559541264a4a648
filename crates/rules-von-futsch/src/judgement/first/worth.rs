//! What things are worth, in points of the army lists: units, losses, volleys, melees, charges.

use super::First;
use crate::field::Field;
use tricorne_table::Pose;

use super::odds::{self, Spread};
use crate::brief::Objective;
use crate::fire::Volley;
use crate::judgement::worth::Fight;
use crate::model::formation::Zone;
use crate::model::measure::Place;
use crate::model::{Formation, Kind, Nr};
use crate::rulebook::inch;
use crate::state::{Charge, ChargePath, Melee, RED, Response};

impl First<'_> {
    /// What is left of a unit's price, by figures and state.
    pub(crate) fn left_of(&self, u: Nr) -> f64 {
        self.left_if_shaken_is(0.45, u)
    }

    /// What a point of a side's army morale is worth: break enough and the battle is won (VF-ARMYMORALE-05).
    pub(crate) fn morale_point(&self, side: tricorne_game::Side) -> f64 {
        self.morale_point_by(0.5, 0.5, side)
    }

    /// What its owner loses by a mishap of a unit that costs army morale.
    fn mishap_cost(&self, u: Nr) -> f64 {
        if self.kind(u) == Kind::Wagon {
            return match self.b.objective {
                Objective::Convoy { wagon, .. } if wagon == u => 150.0,
                _ => 0.0,
            };
        }
        if self.unit(u).mishap { 0.0 } else { self.morale_point(self.side(u)) }
    }

    /// What its owner loses when a unit wavers, and when it routs.
    fn flight_cost(&self, u: Nr) -> (f64, f64) {
        let unit = self.unit(u);
        let left = self.left_of(u);
        let removed = left + self.mishap_cost(u);
        let rout = if unit.routed { removed } else { 0.55 * left + self.mishap_cost(u) };
        // Driven off the table a waverer is lost as well (VF-MORALE-11).
        let y = unit.body.centroid().y;
        let home = if self.side(u) == RED { y } else { self.b.height - y };
        let edge = ((11.0 - home) / 5.0).clamp(0.0, 1.0);
        let waver = if unit.disordered { 0.12 } else { 0.3 } * left;
        (waver + edge * (removed - waver), rout.max(edge * removed))
    }

    /// What its owner loses by kills on a unit and the test they lead to; with the chance that it gives way.
    pub(crate) fn loss(&self, u: Nr, kills: u8, lost_melee: bool) -> (f64, f64) {
        let unit = self.unit(u);
        if kills >= unit.strength {
            return (self.left_of(u) + self.mishap_cost(u), 1.0);
        }
        let start = f64::from(self.spec(u).start.max(1));
        let figures = 0.7 * self.price(u) * f64::from(kills) / start;
        let (before, after) = (self.lost(u), self.lost(u) + kills);
        let shaken = kills > 0 && !unit.shaken && self.becomes_shaken(u, before, after);
        let tests = shaken || lost_melee || self.a_quarter(u, kills, unit.strength);
        if !tests {
            return (figures, 0.0);
        }
        let (waver, rout) = self.flight_cost(u);
        if lost_melee && unit.shaken {
            return (figures + rout, 1.0); // VF-MELEE-16
        }
        let nerve = self.nerve(u, after, shaken);
        let worse = if shaken { 0.2 * self.left_of(u) * (1.0 - nerve.steady) } else { 0.0 };
        (figures + nerve.wavers * waver + nerve.routs * rout + worse, 1.0 - nerve.steady)
    }

    /// What its owner loses by a volley on a unit, and the chance that it gives way.
    pub(crate) fn volley_loss(&self, target: Nr, volley: &Volley) -> (f64, f64) {
        let mut sum = (0.0, 0.0);
        for (k, p) in odds::kills(volley).into_iter().enumerate() {
            if k > 0 && p > 0.0 {
                let (loss, gives_way) = self.loss(target, k.min(255) as u8, false);
                sum = (sum.0 + p * loss, sum.1 + p * gives_way);
            }
        }
        sum
    }

    /// What a shot is worth to the shooter, the answer of the target reckoned in (VF-FIRE-26).
    pub(crate) fn shot_worth(&self, u: Nr, face: u8, target: Nr) -> Option<f64> {
        let aim = self.aim_at(u, face, target)?;
        let (worth, gives_way) = self.volley_loss(target, &self.volley(u, target, aim.range));
        let answer = match self.judge_return(target, u) {
            Ok(_) => {
                // Held fire comes on top; a fresh unit pays for its answer with its activation, and would have
                // fired in that as well.
                let weight = if self.unit(target).turn.held_fire { 0.8 } else { 0.3 };
                self.volley_loss(u, &self.volley(target, u, aim.range)).0 * (1.0 - gives_way) * weight
            }
            Err(_) => 0.0,
        };
        Some(worth - answer)
    }

    /// What the attacker can expect of a melee: the first round, and the second if neither gives way.
    pub(crate) fn fight(&self, m: &Melee) -> Fight {
        let first = self.round(m);
        let stand = ((1.0 - first.won) * (1.0 - first.lost)).max(0.0);
        let mut fight = first;
        if m.round == 1 && stand > 0.02 {
            let second =
                self.round(&Melee { round: 2, attacker_charges: false, defender_charges: false, ..*m });
            fight.worth += stand * (second.worth - 0.08 * self.left_of(m.attacker));
            fight.won += stand * second.won;
            fight.lost += stand * second.lost;
        }
        let disorder = |u: Nr, ordered: bool| if ordered { 0.08 * self.left_of(u) } else { 0.0 };
        fight.worth += disorder(m.defender, m.defender_ordered) - disorder(m.attacker, m.attacker_ordered);
        fight
    }

    fn round(&self, m: &Melee) -> Fight {
        let [on_a, on_d] = self.halvings(m);
        let half = |k: u32| self.halved(k);
        let strike = |attacker: bool, times: usize| -> Spread {
            let blows = self.blows(m, attacker);
            odds::halved(&odds::hits(blows.dice, odds::face(blows.needed)), times, half)
        };
        let (suffer_d, suffer_a) = (strike(true, on_d), strike(false, on_a));
        let losses = |u: Nr, spread: &Spread| -> Vec<[(f64, f64); 2]> {
            (0..spread.len()).map(|k| [false, true].map(|lost| self.loss(u, k as u8, lost))).collect()
        };
        let (of_a, of_d) = (losses(m.attacker, &suffer_a), losses(m.defender, &suffer_d));
        let mut fight = Fight::default();
        for (i, p) in suffer_a.iter().enumerate() {
            for (j, q) in suffer_d.iter().enumerate() {
                let chance = p * q;
                let a = of_a[i][usize::from(i > j)];
                let d = of_d[j][usize::from(j > i)];
                fight.worth += chance * (d.0 - a.0);
                fight.won += chance * d.1;
                fight.lost += chance * a.1;
            }
        }
        fight
    }

    /// What a charge is worth to the charger if the target answers as hurts it most.
    pub(crate) fn charge_worth(&self, u: Nr, target: Nr, path: &ChargePath) -> f64 {
        let charge = self.charge_of(u, target, *path);
        let reach = self.chance_to_roll(u, path.cost);
        let answers = Response::ALL.into_iter().filter(|&r| self.judge_response(&charge, r).is_ok());
        let worst = answers.map(|r| self.response_worth(&charge, r)).fold(f64::INFINITY, f64::min);
        let spent = if self.unit(target).turn.activated { 0.0 } else { 0.08 * self.left_of(target) };
        reach * worst - (1.0 - reach) * 0.15 * self.left_of(u) + spent
    }

    /// What a charge is worth to the charger, once it gets home, if the target answers so.
    pub(crate) fn response_worth(&self, charge: &Charge, response: Response) -> f64 {
        let (u, target) = (charge.charger, charge.target);
        let m = self.melee_of(u, target, charge.aspect, charge.cover);
        match response {
            Response::Stand => self.fight(&m).worth,
            Response::Countercharge => {
                let m = Melee { defender_charges: true, countercharged: true, cover: false, ..m };
                self.fight(&m).worth
            }
            Response::Evade => 0.06 * self.left_of(target),
            Response::Square => {
                let mut square = self.0.clone();
                square.unit_mut(target).formation = Formation::Square;
                First(&square).fight(&Melee { aspect: Zone::Front, ..m }).worth
            }
            Response::Fire => {
                let volley = self.volley(target, u, inch(self.p().fire.short));
                let (loss, gives_way) = self.volley_loss(u, &volley);
                let mut hurt = self.0.clone();
                let mean: f64 = odds::kills(&volley).iter().enumerate().map(|(k, p)| k as f64 * p).sum();
                let unit = hurt.unit_mut(u);
                unit.strength = unit.strength.saturating_sub(mean.round() as u8).max(1);
                (1.0 - gives_way) * First(&hurt).fight(&m).worth - loss
            }
        }
    }

    /// The battle as if a unit stood so.
    pub(crate) fn standing_at(&self, u: Nr, pose: Pose, formation: Formation) -> Field {
        self.as_if(u, Place::of(pose), formation)
    }
}
