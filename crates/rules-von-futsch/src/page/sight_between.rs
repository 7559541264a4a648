//! Sight between any two units, as a player may ask it at any time.

use crate::rulebook::inch;
use tricorne_game::{Illegal, Sight, UnitId};
use tricorne_table::Point;

use crate::field::Field;
use crate::model::measure::mils;
use crate::model::sight::InTheWay;
use crate::model::{Formation, Nr};

impl Field {
    /// Whether one unit sees another over one of its fronts, ranges left aside (VF-MODEL-34 to -36).
    pub(crate) fn sight_between(&self, from: UnitId, to: UnitId) -> Option<Sight> {
        let (u, target) = (self.b.unit_named(from)?, self.b.unit_named(to)?);
        if u == target || !self.unit(u).here() || !self.unit(target).here() {
            return None;
        }
        let faces = if self.unit(u).formation == Formation::Square { 2 } else { 1 };
        let mut near: Option<([Point; 2], Illegal)> = None;
        for face in 0..faces {
            let (eyes, marks) = self.sight_points(u, face, target);
            for &a in &eyes {
                for &b in &marks {
                    match self.hidden_because(a, b, u, target) {
                        None => return Some(Sight { clear: true, line: [a, b], why: None }),
                        Some(why) => {
                            near.get_or_insert(([a, b], why));
                        }
                    }
                }
            }
        }
        let (line, why) = near.unwrap_or_else(|| {
            let ends = [self.unit(u).body.reference(), self.unit(target).body.centroid()];
            (ends, Illegal::new("VF-MODEL-34", format!("no part of {to} is in the arc of {from}")))
        });
        Some(Sight { clear: false, line, why: Some(why) })
    }

    fn hidden_because(&self, a: Point, b: Point, u: Nr, target: Nr) -> Option<Illegal> {
        if self.s.spell.smoke && !self.o().within(mils(a.distance(b)), inch(self.p().events.smoke)) {
            let why = format!("nobody sees farther than {}\" through the smoke", self.p().events.smoke);
            return Some(Illegal::new("VF-EVENT-16", why));
        }
        Some(match self.in_the_way(a, b, true, &[u, target])? {
            InTheWay::Hill(piece) => {
                Illegal::new("VF-MODEL-35", format!("the hill {} is in the way", piece.id))
            }
            InTheWay::Cover(piece) => {
                let inside = piece.area.contains(a) && piece.area.contains(b);
                let clause = if inside { "VF-TERR-08" } else { "VF-TERR-09" };
                Illegal::new(clause, format!("{} is too deep to see through", piece.id))
            }
            InTheWay::Unit(nr) => {
                Illegal::new("VF-MODEL-35", format!("{} stands in the way", self.b.units[nr.0 as usize].id))
            }
        })
    }
}
