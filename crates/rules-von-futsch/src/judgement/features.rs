//! How the position stands: its features, ours less theirs, and what they come to.

use tricorne_drill::Terms;
use tricorne_drill::judgement::decided;
use tricorne_game::{Seat, Side};
use tricorne_table::Shape;

use super::survey::{charges, shoots};
use super::weights::Worth;
use crate::brief::Objective;
use crate::field::Field;
use crate::model::measure::exact;
use crate::model::{Kind, Nr};
use crate::state::{BLACK, Fate, RED};

/// What a side's units come to.
#[derive(Clone, Copy, Debug, Default)]
struct Muster {
    /// Points left and points there were.
    left: f64,
    all: f64,
    /// In order, of all there were: foot, horse, guns.
    sound: [(f64, f64); 3],
    units: f64,
    disordered: f64,
    shaken: f64,
    worn: f64,
    fresh: f64,
    strikes: f64,
    openings: f64,
}

fn share((part, whole): (f64, f64)) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl Field {
    /// How the position stands for a side, from -1 to 1.
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = if seat.0 == 0 { RED } else { BLACK };
        if let Some(over) = &self.s.over {
            return decided(over.winner, side);
        }
        let red = self.broken().unwrap_or_else(|| self.mind.standing(&self.red_features()));
        if side == RED { red } else { -red }
    }

    /// The features of the position for a side.
    pub(crate) fn features_of(&self, seat: Seat) -> Worth {
        let red = self.red_features();
        if seat.0 == 0 { red } else { red.turned() }
    }

    /// How it stands for Red where an army is broken: it has lost when the turn ends (VF-ARMYMORALE-05).
    fn broken(&self) -> Option<f64> {
        match [RED, BLACK].map(|s| self.army_morale(s) <= 0) {
            [true, true] => Some(0.0),
            [true, false] => Some(-0.95),
            [false, true] => Some(0.95),
            [false, false] => None,
        }
    }

    fn red_features(&self) -> Worth {
        let [red, black] = [RED, BLACK].map(|s| self.muster(s));
        let late = self.progress();
        let morale = self.lead(RED);
        let objective = self.objective_standing();
        let units =
            |of: fn(&Muster) -> f64| of(&red) / red.units.max(1.0) - of(&black) / black.units.max(1.0);
        let last = |s: Side| f64::from(u8::from(self.army_morale(s) <= 1));
        let chiefs = |s: Side| self.chiefs().filter(|&c| self.chief(c).side == s).count() as f64;
        let kings = |s: Side| self.s.kings[s.index()].len() as f64;
        let sound = |i: usize| share(red.sound[i]) - share(black.sound[i]);
        Worth {
            lead: self.first_lead([red, black].map(|m| if m.all > 0.0 { m.left / m.all } else { 1.0 })),
            force: (red.left - black.left) / (red.all + black.all).max(1.0),
            morale,
            morale_late: morale * late,
            brink: last(BLACK) - last(RED),
            foot: sound(0),
            horse: sound(1),
            guns: sound(2),
            disordered: -units(|m| m.disordered),
            shaken: -units(|m| m.shaken),
            worn: -units(|m| m.worn),
            fresh: units(|m| m.fresh),
            kings: kings(RED) - kings(BLACK),
            strikes: units(|m| m.strikes),
            openings: units(|m| m.openings),
            commanders: (chiefs(RED) - chiefs(BLACK)) / (chiefs(RED) + chiefs(BLACK)).max(1.0),
            objective: objective.unwrap_or(0.0),
            objective_late: objective.unwrap_or(0.0) * late * late,
        }
    }

    fn muster(&self, side: Side) -> Muster {
        let mut m = Muster::default();
        for u in (0..self.s.units.len()).map(|i| Nr(i as u8)).filter(|&u| self.side(u) == side) {
            let unit = self.unit(u);
            let arm = match self.kind(u) {
                Kind::Infantry => Some(0),
                Kind::Heavy | Kind::Light => Some(1),
                Kind::Artillery => Some(2),
                Kind::Skirmish | Kind::Wagon => None,
            };
            let price = self.price(u);
            m.all += price;
            m.units += 1.0;
            if let Some(arm) = arm {
                m.sound[arm].1 += 1.0;
            }
            if !unit.here() {
                m.left += if unit.gone == Some(Fate::Undeployed) { price } else { 0.0 };
                continue;
            }
            m.left += self.left_of(u);
            m.fresh += f64::from(u8::from(!unit.turn.activated && !unit.shaken));
            if unit.shaken {
                m.shaken += 1.0;
                continue;
            }
            let [some, of] = self.p().shaken.of(self.spec(u).quality);
            let enough = f64::from(self.spec(u).start) * f64::from(some) / f64::from(of.max(1));
            m.worn += (f64::from(self.lost(u)) / enough.max(1.0)).min(1.0);
            if unit.disordered {
                m.disordered += 1.0;
                continue;
            }
            if let Some(arm) = arm {
                m.sound[arm].0 += 1.0;
            }
            self.note_strikes(u, &mut m);
        }
        m
    }

    /// Whom a unit in order could strike, and whether its horse has an opening.
    fn note_strikes(&self, u: Nr, m: &mut Muster) {
        let unit = self.unit(u);
        let kind = self.kind(u);
        let (mut strike, mut opening) = (0.0_f64, 0.0_f64);
        for e in self.present_of(self.side(u).enemy()) {
            let foe = self.unit(e);
            if !unit.body.may_reach(&foe.body, 24.0) {
                continue;
            }
            let gap = unit.body.gap(&foe.body);
            if kind.is_cavalry() {
                let able = charges(kind, gap);
                strike = strike.max(able);
                let spent = foe.disordered || (foe.turn.activated && !foe.turn.held_fire);
                if spent && !self.kind(e).is_cavalry() && !unit.turn.activated {
                    opening = opening.max(able);
                }
            } else if self.fires_at_all(u) {
                strike = strike.max(shoots(kind, gap));
            }
        }
        m.strikes += strike;
        m.openings += opening;
    }

    /// What the first judgement made of the position for Red, in log-odds.
    fn first_lead(&self, force: [f64; 2]) -> f64 {
        // The weaker army is the one that breaks: ratio, not difference, says who will win the rest.
        let balance = (force[0] - force[1]) / (force[0] + force[1]).max(0.01);
        let trophies = (f64::from(self.trophies(RED)) - f64::from(self.trophies(BLACK))).clamp(-3.0, 3.0);
        let late = self.progress();
        let fight = 1.3 * balance + 0.6 * self.lead(RED) + 0.02 * trophies;
        let standing = match self.objective_standing() {
            // The nearer the end, the more the objective decides.
            Some(objective) => {
                let weight = 0.25 + 0.6 * late * late;
                (1.0 - weight) * fight + weight * objective
            }
            None => fight * (0.75 + 0.5 * late),
        };
        2.0 * libm::atanh(standing.clamp(-0.95, 0.95))
    }

    /// How the scenario's objective stands for Red, from -1 to 1; none where army morale alone decides.
    pub(super) fn objective_standing(&self) -> Option<f64> {
        let late = self.progress();
        Some(match self.b.objective {
            Objective::Morale => return None,
            Objective::Hold { at, within } => {
                // Who stands nearest in good order; an enemy close by contests it.
                let near = |s: Side, counts: bool| {
                    self.present_of(s)
                        .filter(|&u| {
                            let unit = self.unit(u);
                            !counts
                                || (!unit.disordered
                                    && !unit.shaken
                                    && (self.kind(u) == Kind::Infantry || self.kind(u).is_cavalry()))
                        })
                        .map(|u| {
                            let parts = self.unit(u).body.parts();
                            parts
                                .iter()
                                .map(|p| Shape::Rect(*p).distance_to(at))
                                .fold(f64::INFINITY, f64::min)
                        })
                        .fold(f64::INFINITY, f64::min)
                };
                let claim = |s: Side| {
                    let own = (near(s, true) - exact(within)).max(0.0);
                    let foe = (near(s.enemy(), false) - exact(within)).max(0.0);
                    (-own / 8.0).max(-4.0).mul_add(0.25, 1.0).max(0.0) * (foe / 8.0).min(1.0)
                };
                claim(RED) - claim(BLACK)
            }
            Objective::Storm { attacker, piece, units, beyond } => {
                let place = self.b.terrain.get(piece)?;
                let mut inside = 0.0_f64;
                let mut through = 0.0;
                for u in self.present_of(attacker) {
                    let unit = self.unit(u);
                    let order = if unit.shaken {
                        0.1
                    } else if unit.disordered {
                        0.5
                    } else {
                        1.0
                    };
                    let centre = unit.body.centroid();
                    if self.kind(u) == Kind::Infantry {
                        let far =
                            if place.area.contains(centre) { 0.0 } else { place.area.distance_to(centre) };
                        inside = inside.max(order * (1.0 - far / 24.0).max(0.0));
                    }
                    let past =
                        if attacker == RED { centre.y - exact(beyond) } else { exact(beyond) - centre.y };
                    if self.kind(u) != Kind::Wagon {
                        through += order * (1.0 + past / 12.0).clamp(0.0, 1.0);
                    }
                }
                let best = inside.max(through / units.max(1) as f64).min(1.0);
                // Not there yet is lost at the limit.
                let won = if best >= 0.999 { 1.0 } else { (0.85 - 0.6 * late) * best };
                let sign = if attacker == RED { 1.0 } else { -1.0 };
                sign * (2.0 * won - 1.0)
            }
            Objective::Convoy { attacker, wagon, .. } => {
                let cart = self.unit(wagon);
                let sign = if attacker == RED { 1.0 } else { -1.0 };
                let won = match cart.gone {
                    Some(Fate::Exited) => 1.0,
                    Some(_) => 0.0,
                    None => {
                        let left = (self.b.height - cart.body.centroid().y).max(0.0);
                        let turns = f64::from(self.b.limit.saturating_sub(self.s.turn) + 1);
                        let pace = exact(self.usual_move(wagon)).max(1.0) + 3.0;
                        (0.75 * turns * pace / left.max(1.0)).min(1.0) * 0.8
                    }
                };
                sign * (2.0 * won - 1.0)
            }
        })
    }
}
