//! What things are worth, in points of the army lists: units, losses, volleys, melees, charges.

use arrayvec::ArrayVec;
use tricorne_table::Pose;

use super::odds::{self, Nerve, Spread};
use crate::brief::Objective;
use crate::field::Field;
use crate::fire::Volley;
use crate::model::formation::Zone;
use crate::model::measure::Place;
use crate::model::{Formation, Kind, Nr};
use crate::options::WaverAtEdge;
use crate::rulebook::inch;
use crate::state::{Charge, ChargePath, Melee, RED, Response, Stand};

/// What one side can expect of a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fight {
    /// What the attacker gains more than it loses, in points.
    pub worth: f64,
    /// The chance that the defender gives way or is destroyed.
    pub won: f64,
    /// The chance that the attacker is.
    pub lost: f64,
}

/// A shot as it might go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shot {
    /// At whom.
    pub at: Nr,
    /// What it is worth, in points.
    pub worth: f64,
    /// The chance that the target gives way.
    pub breaks: f64,
}

/// What kills on a unit cost its owner; what is the same for any number of them is worked out once.
struct Toll {
    unit: Nr,
    /// All the figures up to where it is Shaken.
    figure: f64,
    /// How many those are.
    enough: f64,
    /// The whole unit.
    all: f64,
    /// See [`Field::flight_cost`].
    flight: [f64; 3],
    /// Chances of a test: with less than half lost and with half, becoming Shaken or not.
    nerve: [Option<Nerve>; 4],
}

impl Toll {
    /// What so many kills cost, and the chance that the unit gives way.
    fn of(&mut self, field: &Field, kills: u8, lost_melee: bool) -> (f64, f64) {
        let u = self.unit;
        let unit = field.unit(u);
        if kills >= unit.strength {
            return (self.all, 1.0);
        }
        let (before, after) = (field.lost(u), field.lost(u) + kills);
        // Beyond the losses that make it Shaken a figure more is no great matter.
        let worn = |lost: u8| {
            let share = f64::from(lost) / self.enough;
            share.min(1.0 + 0.3 * (share - 1.0))
        };
        let figures = self.figure * (worn(after) - worn(before));
        let shaken = kills > 0 && !unit.shaken && field.becomes_shaken(u, before, after);
        if !shaken && !lost_melee && !field.a_quarter(u, kills, unit.strength) {
            return (figures, 0.0);
        }
        let [waver, when_shaken, rout] = self.flight;
        if lost_melee && unit.shaken {
            return (figures + rout, 1.0); // VF-MELEE-16
        }
        let half = field.share_lost(u, after, field.p().morale.half);
        let slot = &mut self.nerve[usize::from(half) * 2 + usize::from(shaken)];
        let nerve = *slot.get_or_insert_with(|| field.nerve(u, after, shaken));
        let waver = if shaken { when_shaken } else { waver };
        let rout = if shaken { rout.max(when_shaken) } else { rout };
        (figures + nerve.wavers * waver + nerve.routs * rout, 1.0 - nerve.steady)
    }
}

impl Field {
    /// What a unit costs at full strength (section 3.5).
    pub(crate) fn price(&self, u: Nr) -> f64 {
        let points = &self.p().points;
        let quality = self.spec(u).quality;
        f64::from(match self.kind(u) {
            Kind::Infantry => points.battalion.of(quality),
            Kind::Heavy => points.heavy.of(quality),
            Kind::Light => points.light.of(quality),
            Kind::Skirmish => points.skirmish.of(quality),
            Kind::Artillery => points.artillery.of(quality),
            Kind::Wagon => points.wagon,
        })
    }

    /// What is left of a unit's price, by figures and state.
    pub(crate) fn left_of(&self, u: Nr) -> f64 {
        self.left_if_shaken_is(0.3, u)
    }

    /// The same by what either school makes of a unit that is Shaken.
    pub(super) fn left_if_shaken_is(&self, shaken: f64, u: Nr) -> f64 {
        let unit = self.unit(u);
        if !unit.here() {
            return 0.0;
        }
        let state = if unit.shaken {
            shaken
        } else if unit.routed {
            0.6
        } else if unit.disordered {
            0.8
        } else {
            1.0
        };
        let figures = f64::from(unit.strength) / f64::from(self.spec(u).start.max(1));
        self.price(u) * (0.3 + 0.7 * figures) * state
    }

    /// What a point of a side's army morale is worth: break enough and the battle is won (VF-ARMYMORALE-05).
    pub(crate) fn morale_point(&self, side: tricorne_game::Side) -> f64 {
        let w = self.weighs();
        self.morale_point_by(w.mishap, w.brink, side)
    }

    /// The same by the weights of either school.
    pub(super) fn morale_point_by(&self, mishap: f64, brink: f64, side: tricorne_game::Side) -> f64 {
        let army: f64 = (0..self.s.units.len())
            .map(|i| Nr(i as u8))
            .filter(|&u| self.side(u) == side)
            .map(|u| self.price(u))
            .sum();
        let left = f64::from(self.army_morale(side).max(1));
        let point = f64::from(self.b.break_point[side.index()].max(1));
        // The nearer to breaking, the dearer each of the last points.
        mishap * army / point * (1.0 + brink * (1.0 - left / point))
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

    /// What its owner loses when a unit wavers, when it does so because it is Shaken, and when it routs.
    fn flight_cost(&self, u: Nr) -> [f64; 3] {
        let w = self.weighs();
        let unit = self.unit(u);
        let left = self.left_of(u);
        let removed = left + self.mishap_cost(u);
        // Twice a move takes it off the table from there; waverers halt at the edge, unless the option has it otherwise
        // (VF-MORALE-11).
        let y = unit.body.centroid().y;
        let home = if self.side(u) == RED { y } else { self.b.height - y };
        let edge = |far: f64| ((far - home) / 5.0).clamp(0.0, 1.0);
        let rout = if unit.routed { removed } else { w.rout * left + self.mishap_cost(u) };
        let rout = rout + edge(19.0) * (removed - rout).max(0.0);
        let over = if self.o().waver_at_edge == WaverAtEdge::Removed { edge(11.0) } else { 0.0 };
        let waver = if unit.disordered { w.waver_again } else { w.waver } * left;
        let shaken = waver.max(w.shaken * left);
        [waver, shaken, rout].map(|cost| cost + over * (removed - cost).max(0.0))
    }

    /// What its owner loses by kills on a unit and the test they lead to; with the chance that it gives way.
    pub(crate) fn loss(&self, u: Nr, kills: u8, lost_melee: bool) -> (f64, f64) {
        self.toll(u).of(self, kills, lost_melee)
    }

    /// What kills on a unit cost, ready to be asked for any number of them.
    fn toll(&self, u: Nr) -> Toll {
        let [share, of] = self.p().shaken.of(self.spec(u).quality);
        let enough = f64::from(self.spec(u).start) * f64::from(share) / f64::from(of.max(1));
        Toll {
            unit: u,
            figure: self.weighs().figure * self.price(u),
            enough: enough.max(1.0),
            all: self.left_of(u) + self.mishap_cost(u),
            flight: self.flight_cost(u),
            nerve: [None; 4],
        }
    }

    /// What its owner loses by a volley on a unit, and the chance that it gives way.
    pub(crate) fn volley_loss(&self, target: Nr, volley: &Volley) -> (f64, f64) {
        let mut sum = (0.0, 0.0);
        let mut toll = self.toll(target);
        for (k, p) in odds::kills(volley).into_iter().enumerate() {
            if k > 0 && p > 0.0 {
                let (loss, gives_way) = toll.of(self, k.min(255) as u8, false);
                sum = (sum.0 + p * loss, sum.1 + p * gives_way);
            }
        }
        sum
    }

    /// What a shot is worth to the shooter, the answer of the target reckoned in (VF-FIRE-26).
    pub(crate) fn shot_worth(&self, u: Nr, face: u8, target: Nr) -> Option<f64> {
        self.shot(u, face, target).map(|shot| shot.worth)
    }

    /// A shot as it might go.
    pub(crate) fn shot(&self, u: Nr, face: u8, target: Nr) -> Option<Shot> {
        let aim = self.aim_at(u, face, target)?;
        let (worth, gives_way) = self.volley_loss(target, &self.volley(u, target, aim.range));
        let answer = match self.judge_return(target, u) {
            Ok(_) => {
                // Held fire comes on top; a fresh unit pays for its answer with its activation, and would have
                // fired in that as well.
                let w = self.weighs();
                let weight = if self.unit(target).turn.held_fire { w.answer_held } else { w.answer_fresh };
                self.volley_loss(u, &self.volley(target, u, aim.range)).0 * (1.0 - gives_way) * weight
            }
            Err(_) => 0.0,
        };
        Some(Shot { at: target, worth: worth - answer, breaks: gives_way })
    }

    /// A melee as it would begin: charger and target in contact on a side of the target.
    pub(crate) fn melee_of(&self, a: Nr, d: Nr, aspect: Zone, cover: bool) -> Melee {
        Melee {
            attacker: a,
            defender: d,
            round: 1,
            aspect,
            cover,
            attacker_charges: true,
            defender_charges: false,
            countercharged: false,
            attacker_ordered: !self.unit(a).disordered,
            defender_ordered: !self.unit(d).disordered,
            stood: [a, d].map(|u| Stand::of(&self.unit(u).body)),
            others: [None; 7],
            fought: 0,
        }
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
        // Horse rides down who gives way before it (VF-MELEE-18); horse that flees from horse gets away as often as not.
        if m.round == 1 && self.kind(m.attacker).is_cavalry() && !m.countercharged {
            let caught = if self.kind(m.defender).is_cavalry() { 0.4 } else { 0.9 };
            let prize = self.left_of(m.defender) + 0.5 * self.mishap_cost(m.defender);
            fight.worth += self.weighs().pursuit * caught * fight.won * (1.0 - first.lost) * prize;
        }
        let disorder =
            |u: Nr, ordered: bool| if ordered { self.weighs().fought * self.left_of(u) } else { 0.0 };
        fight.worth += disorder(m.defender, m.defender_ordered) - disorder(m.attacker, m.attacker_ordered);
        fight
    }

    fn round(&self, m: &Melee) -> Fight {
        let [on_a, on_d] = self.halvings(m);
        let half = |k: u32| self.halved(k);
        let strike = |attacker: bool, times: usize| -> Spread {
            let blows = self.blows(m, attacker);
            odds::halved(odds::blows(&blows), times, half)
        };
        let (suffer_d, suffer_a) = (strike(true, on_d), strike(false, on_a));
        let losses = |u: Nr, spread: &Spread| -> ArrayVec<[(f64, f64); 2], 32> {
            let mut toll = self.toll(u);
            (0..spread.len()).map(|k| [false, true].map(|lost| toll.of(self, k as u8, lost))).collect()
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
        let w = self.weighs();
        let spent = if self.unit(target).turn.activated { 0.0 } else { w.charged * self.left_of(target) };
        reach * worst - (1.0 - reach) * w.short_charge * self.left_of(u) + spent
    }

    /// The same with a volley before it (VF-CHARGE-06): who gives way before the volley need not be charged.
    pub(crate) fn volley_and_charge_worth(&self, u: Nr, target: Nr, path: &ChargePath) -> Option<f64> {
        let shot = self.shot(u, 0, target)?;
        Some(shot.worth + (1.0 - shot.breaks) * self.charge_worth(u, target, path))
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
            Response::Evade => self.weighs().evaded * self.left_of(target),
            Response::Square => {
                let mut square = self.clone();
                square.unit_mut(target).formation = Formation::Square;
                square.fight(&Melee { aspect: Zone::Front, ..m }).worth
            }
            Response::Fire => {
                let volley = self.volley(target, u, inch(self.p().fire.short));
                let (loss, gives_way) = self.volley_loss(u, &volley);
                let mut hurt = self.clone();
                let mean: f64 = odds::kills(&volley).iter().enumerate().map(|(k, p)| k as f64 * p).sum();
                let unit = hurt.unit_mut(u);
                unit.strength = unit.strength.saturating_sub(mean.round() as u8).max(1);
                (1.0 - gives_way) * hurt.fight(&m).worth - loss
            }
        }
    }

    /// The battle as if a unit stood so.
    pub(crate) fn standing_at(&self, u: Nr, pose: Pose, formation: Formation) -> Self {
        self.as_if(u, Place::of(pose), formation)
    }
}
