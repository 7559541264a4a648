//! Commanders are no obstacle: one on whom somebody comes to stand is set aside (VF-MODEL-44).

use tricorne_table::{Point, angle};

use crate::field::Field;
use crate::model::formation::Body;
use crate::model::ground::Mover;
use crate::model::measure::mils;
use crate::model::{Cr, Nr};

/// Where no single step clears him, places are looked for on rings so far apart, so many on each.
const RING: f64 = 0.25;
const SPOKES: u32 = 16;
/// No table is wider than this many rings.
const RINGS: u32 = 160;

impl Field {
    /// Commanders that a unit came to stand on step aside.
    pub(crate) fn set_aside(&mut self, u: Nr) {
        let body = self.unit(u).body;
        for i in 0..self.s.commanders.len() {
            let c = Cr(i as u8);
            if self.commander(c).gone.is_some() || self.commander(c).host.is_some() {
                continue;
            }
            if self.commander_body(c).overlaps(&body) {
                let at = self.free_place(c, self.commander(c).at());
                let commander = self.commander_mut(c);
                commander.x = mils(at.x);
                commander.y = mils(at.y);
            }
        }
    }

    /// The free place for a commander's base nearest to a point: that, one just clear of whoever stands there, or one on the
    /// rings round it.
    pub(crate) fn free_place(&self, c: Cr, at: Point) -> Point {
        let side = self.chief(c).level.base(self.p());
        let free = |p: &Point| self.room_for(&Body::of_commander(*p, side), None, Mover::Commander);
        if free(&at) {
            return at;
        }
        let steps = self.steps_clear(&Body::of_commander(at, side));
        let clear = steps.into_iter().map(|step| (at + step).round_to(0.001)).filter(free);
        let nearest = clear.min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)));
        let rings = (1..RINGS).map(|ring| RING * f64::from(ring));
        let nearer = rings.take_while(|ring| nearest.is_none_or(|p| *ring < at.distance(p)));
        let on_a_ring = nearer
            .flat_map(|ring| {
                (0..SPOKES).map(move |spoke| (ring, 360.0 / f64::from(SPOKES) * f64::from(spoke)))
            })
            .map(|(ring, bearing)| (at + angle::forward(bearing) * ring).round_to(0.001))
            .find(free);
        on_a_ring.or(nearest).unwrap_or(at)
    }

    /// The steps, square to a side of a base or of whoever stands on it, that just clear the one of the other.
    fn steps_clear(&self, base: &Body) -> Vec<Point> {
        let mut steps = Vec::new();
        for u in self.present() {
            let other = &self.unit(u).body;
            if !other.overlaps(base) {
                continue;
            }
            for part in other.parts() {
                let (own, its) = (base.rect.frame(), part.frame());
                for axis in [own.forward, own.right(), its.forward, its.right()] {
                    let reach = |rect: &tricorne_table::Rect| {
                        let (f, r) = (rect.frame().forward, rect.frame().right());
                        (axis.dot(f).abs() * rect.depth() + axis.dot(r).abs() * rect.width()) * 0.5
                    };
                    let apart = reach(&base.rect) + reach(&part);
                    let off = axis.dot(base.centroid() - part.centre());
                    steps.extend([axis * (apart - off), axis * (-apart - off)]);
                }
            }
        }
        steps
    }
}
