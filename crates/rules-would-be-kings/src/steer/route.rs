//! Ways round what stands in the way.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_drill::steer;
use tricorne_game::InOrder;
use tricorne_table::{Bounds, Point};

use crate::battle::Fray;
use crate::model::base::{CONTACT, FIGURE, GUN};
use crate::state::{Layout, No};

/// Ways to a place, the shortest first; each ends at it.
pub(crate) type Ways = std::vec::IntoIter<Vec<Point>>;

/// Clear of what is gone round.
const BERTH: f64 = 0.1;

/// So much of a way from `start`, as the ends of its legs on whole thousandths.
pub(crate) fn prefix(start: Point, way: &[Point], part: f64) -> Vec<Point> {
    let whole = if part >= 1.0 { f64::INFINITY } else { steer::length(start, way) * part };
    steer::part(start, way, whole).into_iter().map(|p| p.round_to(0.001)).collect()
}

/// Whether a stretch passes through a box.
fn passes(a: Point, b: Point, bounds: &Bounds) -> bool {
    let way = b - a;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (start, go, low, high) in
        [(a.x, way.x, bounds.min.x, bounds.max.x), (a.y, way.y, bounds.min.y, bounds.max.y)]
    {
        if go.abs() < 1e-12 {
            if start < low || start > high {
                return false;
            }
            continue;
        }
        let (s, t) = ((low - start) / go, (high - start) / go);
        from = from.max(s.min(t));
        to = to.min(s.max(t));
    }
    from < to
}

impl Fray {
    /// How far a unit's bases reach from its anchor.
    pub(crate) fn spread(&self, u: No) -> f64 {
        let unit = self.unit(u);
        let at = unit.anchor.point();
        let base = if unit.layout == Layout::Gun {
            GUN
        } else if self.card(u).mounted {
            FIGURE * 2.0
        } else {
            FIGURE
        };
        unit.places.iter().map(|s| s.point().distance(at)).fold(0.0, f64::max) + base
    }

    /// Boxes that a straight way to `to` runs into, swollen so that a way along their sides is clear, nearest
    /// first.
    fn in_the_way(&self, u: No, to: Point, target: Option<No>) -> ArrayVec<Bounds, 2> {
        let from = self.path_start(u, Some(to));
        let body = self.spread(u).max(FIGURE);
        let unit = self.unit(u);
        let land = &self.field.land;
        let mut boxes: SmallVec<[(f64, Bounds); 8]> = SmallVec::new();
        let mut add = |bounds: Bounds| {
            if passes(from, to, &bounds) {
                boxes.push((bounds.distance_squared(from), bounds));
            }
        };
        for v in self.on_table().filter(|&v| v != u && Some(v) != target) {
            let other = self.unit(v);
            let barred = other.side != unit.side || unit.close_order || other.close_order;
            if barred {
                add(self.bounds(v).grown(body + CONTACT + BERTH));
            }
        }
        let anchor = match unit.layout {
            Layout::Gun => GUN,
            _ if self.card(u).mounted => FIGURE * 2.0,
            _ => FIGURE,
        };
        for &i in &land.blocks {
            if unit.garrison.map(usize::from) != Some(i) {
                add(land.pieces[i].bounds.grown(anchor + BERTH));
            }
        }
        let free = self.crossable(u);
        for (bit, &i) in land.obstacles.iter().enumerate() {
            if bit >= 64 || free >> bit & 1 == 0 {
                add(land.pieces[i].bounds.grown(body + BERTH));
            }
        }
        if !self.card(u).ignores_ground() {
            for &i in &land.difficult {
                add(land.pieces[i].bounds.grown(BERTH));
            }
        }
        boxes.put_in_order(|a, b| a.0.total_cmp(&b.0));
        boxes.into_iter().map(|b| b.1).take(2).collect()
    }

    /// Ways to `to` round each of the two nearest things in the way: by one corner of its box, or by two along a
    /// side.
    pub(crate) fn ways(&self, u: No, to: Point, target: Option<No>) -> Ways {
        let from = self.path_start(u, Some(to));
        let (w, h) = (self.field.width, self.field.height);
        let on_table = |p: &Point| (0.0..=w).contains(&p.x) && (0.0..=h).contains(&p.y);
        let mut ways: Vec<(f64, Vec<Point>)> = Vec::new();
        for bounds in self.in_the_way(u, to, target) {
            let corners = bounds.corners().map(|c| c.round_to(0.001));
            let inner = bounds.grown(-BERTH * 0.5);
            for (i, &a) in corners.iter().enumerate() {
                if !on_table(&a) || (!inner.contains(from) && passes(from, a, &inner)) {
                    continue;
                }
                if !passes(a, to, &inner) {
                    ways.push((from.distance(a) + a.distance(to), vec![a, to]));
                    continue;
                }
                for j in [(i + 1) % 4, (i + 3) % 4] {
                    let b = corners[j];
                    if on_table(&b) && !passes(b, to, &inner) {
                        ways.push((from.distance(a) + a.distance(b) + b.distance(to), vec![a, b, to]));
                    }
                }
            }
        }
        ways.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let ways: Vec<Vec<Point>> = ways.into_iter().map(|w| w.1).collect();
        ways.into_iter()
    }
}
