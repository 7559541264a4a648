//! The quick judgement of programs: how the position stands, and which answers a sensible officer would weigh.
//!
//! Everything is reckoned in points of the army lists (section 3.5), by the odds of the very charts in the data:
//! `odds` has the distributions, `worth` what losses, volleys, melees and charges come to, `place` what a place is
//! worth, `acts` what a sub-unit does, `answers` the proposals for each decision.
//!
//! There are no secrets in this game: hands are open, and the order of the decks is not in the state. So a seat imagines
//! the battle as it is.

mod acts;
mod answers;
pub(crate) mod first;
mod odds;
mod place;
mod staff;
mod way;
mod worth;

use tricorne_game::{Seat, Side};
use tricorne_table::Shape;

use crate::brief::Objective;
use crate::field::Field;
use crate::model::measure::exact;
use crate::model::{Kind, Nr};
use crate::state::{BLACK, Fate, RED};

/// A worth in points as a promise between 0 and 1.
pub(crate) fn promise(points: f64) -> f64 {
    0.5 + 0.5 * points / (points.abs() + 20.0)
}

impl Field {
    /// How the position stands for a side, from -1 to 1.
    pub(crate) fn standing_of(&self, seat: Seat) -> f64 {
        let side = if seat.0 == 0 { RED } else { BLACK };
        if let Some(over) = &self.s.over {
            return match over.winner {
                Some(winner) if winner == side => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
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

    /// How the scenario's objective stands for Red, from -1 to 1; none where army morale alone decides.
    fn objective_standing(&self) -> Option<f64> {
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
