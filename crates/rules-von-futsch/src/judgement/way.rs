//! How far it is for a unit that has to go round ground closed to it: the shortest way by the corners of as many pieces as
//! stand between.

use smallvec::SmallVec;
use tricorne_table::{Area, Point};

use crate::field::Field;
use crate::model::Nr;
use crate::model::ground::{Going, GroundKind};

/// As much wider than its own half a unit keeps from a corner it goes round.
const BERTH: f64 = 0.8;

/// What a place costs more from which no way round is found: about a long march.
const LOST: f64 = 18.0;

/// Ways round closed ground to one place; straight where nothing bars them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// Corners to pass, and how far it is from each by the shortest way.
    corners: SmallVec<[(Point, f64); 16]>,
}

impl Field {
    /// The pieces that a unit can't enter. A river is not gone round but crossed, by its crossings.
    pub(crate) fn closed_to(&self, u: Nr) -> impl Iterator<Item = &Area> + '_ {
        let mover = self.mover(u);
        let closed = self.b.terrain.iter().filter(move |piece| {
            piece.kind != GroundKind::River && piece.going(mover, self.o()) == Going::Closed
        });
        closed.map(|piece| &piece.area)
    }

    /// Whether closed ground lies between two places.
    pub(crate) fn is_barred(&self, u: Nr, from: Point, to: Point) -> bool {
        self.closed_to(u).any(|area| area.cut_by(from, to))
    }

    /// The ways of a unit to a place. Where it sees the place straight ahead nothing is worked out.
    pub(crate) fn ways_round(&self, u: Nr, goal: Point) -> Ways {
        let here = self.unit(u).body.centroid();
        if !self.is_barred(u, here, goal) {
            return Ways::default();
        }
        let room = self.unit(u).body.rect.width() * 0.5 + BERTH;
        let table = |p: Point| {
            p.x > room * 0.5
                && p.y > room * 0.5
                && p.x < self.b.width - room * 0.5
                && p.y < self.b.height - room * 0.5
        };
        let mut corners: SmallVec<[(Point, f64); 16]> = SmallVec::new();
        for area in self.closed_to(u) {
            let middle = area.centroid();
            for &corner in area.corners() {
                let Some(out) = (corner - middle).unit() else { continue };
                let at = corner + out * room;
                if table(at) && !self.closed_to(u).any(|other| other.contains(at)) {
                    corners.push((at, f64::INFINITY));
                }
            }
        }
        // Dijkstra from the goal; a table has few corners.
        let mut settled: SmallVec<[bool; 16]> = SmallVec::from_elem(false, corners.len());
        let mut from = (goal, 0.0);
        loop {
            for (i, (at, far)) in corners.iter_mut().enumerate() {
                let by = from.1 + from.0.distance(*at);
                if !settled[i] && by < *far && !self.is_barred(u, from.0, *at) {
                    *far = by;
                }
            }
            let open = (0..corners.len()).filter(|&i| !settled[i] && corners[i].1.is_finite());
            let Some(next) = open.min_by(|&a, &b| corners[a].1.total_cmp(&corners[b].1)) else { break };
            settled[next] = true;
            from = corners[next];
        }
        corners.retain(|(_, far)| far.is_finite());
        Ways { corners }
    }

    /// How far it is from a place to where the ways lead, and the corner to pass first if there is one.
    pub(crate) fn way_from(&self, u: Nr, ways: &Ways, from: Point, goal: Point) -> (f64, Option<Point>) {
        let straight = from.distance(goal);
        if ways.corners.is_empty() || !self.is_barred(u, from, goal) {
            return (straight, None);
        }
        let mut best = (straight + LOST, None);
        for &(corner, far) in &ways.corners {
            let whole = from.distance(corner) + far;
            if whole < best.0 && !self.is_barred(u, from, corner) {
                best = (whole, Some(corner));
            }
        }
        best
    }
}
