//! Keeping to a road (VF-TERR-01, -02, -07).

use smallvec::SmallVec;
use tricorne_table::{Point, path};

use super::march::Stretch;
use crate::field::Field;
use crate::model::ground::{GroundKind, Piece};

/// A wheel is looked at every so many degrees.
const FINE: f64 = 3.0;
/// A gap between two roads no wider than this share of a stretch is only rounding.
const SEAM: f64 = 1e-6;

/// What a march has to do with roads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByRoad {
    /// The front midpoint is on a road all the way.
    pub whole: bool,
    /// It is on one somewhere.
    pub any: bool,
}

fn is_road(kind: GroundKind) -> bool {
    kind == GroundKind::Road
}

impl Field {
    /// Pieces of some kinds.
    fn of_kinds(&self, kinds: fn(GroundKind) -> bool) -> impl Iterator<Item = &Piece> + '_ {
        self.b.terrain.iter().filter(move |piece| kinds(piece.kind))
    }

    fn roads(&self) -> impl Iterator<Item = &Piece> + '_ {
        self.of_kinds(is_road)
    }

    /// Whether a straight way keeps to the road (VF-TERR-02).
    pub(crate) fn on_road(&self, from: Point, to: Point) -> bool {
        self.keeps_to(is_road, from, to)
    }

    /// Whether a straight way keeps to ground of some kinds, were it of several pieces end to end.
    pub(crate) fn keeps_to(&self, kinds: fn(GroundKind) -> bool, from: Point, to: Point) -> bool {
        let pieces = || self.of_kinds(kinds);
        let one =
            |piece: &Piece| piece.area.is_convex() && piece.area.contains(from) && piece.area.contains(to);
        if pieces().any(one) {
            return true;
        }
        let on_any = |at: Point| pieces().any(|piece| piece.area.contains(at));
        if !on_any(from) || !on_any(to) {
            return false;
        }
        if from.near(to) {
            return true;
        }
        let mut along: SmallVec<[(f64, f64); 8]> =
            pieces().flat_map(|piece| piece.area.pieces(from, to)).collect();
        along.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut reached = 0.0_f64;
        for (enters, leaves) in along {
            if enters > reached + SEAM {
                return false;
            }
            reached = reached.max(leaves);
        }
        reached >= 1.0 - SEAM
    }

    /// Whether a straight way comes over ground of some kinds.
    pub(crate) fn meets(&self, kinds: fn(GroundKind) -> bool, from: Point, to: Point) -> bool {
        self.of_kinds(kinds).any(|piece| !piece.area.pieces(from, to).is_empty())
    }

    /// How far it is from a place on the table to its edge that way.
    fn to_the_edge(&self, at: Point, way: Point) -> f64 {
        let sides = [(at.x, way.x, self.b.width), (at.y, way.y, self.b.height)];
        let ahead = sides.into_iter().filter(|(_, speed, _)| speed.abs() > 1e-12);
        let far = ahead.map(|(at, speed, most)| if speed > 0.0 { (most - at) / speed } else { at / -speed });
        far.fold(f64::INFINITY, f64::min).max(0.0)
    }

    fn on_any_road(&self, at: Point) -> bool {
        self.roads().any(|road| road.area.contains(at))
    }

    /// How far a march of a unit so wide keeps to roads: by its front midpoint, which runs an arc in a wheel.
    pub(crate) fn by_road(&self, stretches: &[Stretch], width: f64) -> ByRoad {
        let mut by = ByRoad { whole: !stretches.is_empty(), any: false };
        if self.roads().next().is_none() {
            return ByRoad { whole: false, any: false };
        }
        for stretch in stretches {
            match *stretch {
                Stretch::Straight { pose, way, length } => {
                    // Who leaves by an exit keeps to the road as long as there is any (VF-SCEN-13).
                    let to = pose.at + way * length.min(self.to_the_edge(pose.at, way));
                    by.whole &= self.on_road(pose.at, to);
                    by.any |= self.on_any_road(pose.at)
                        || self.on_any_road(to)
                        || self.roads().any(|road| !road.area.pieces(pose.at, to).is_empty());
                }
                Stretch::Wheel { pose, side, degrees } => {
                    let steps = (degrees / FINE).ceil().max(1.0) as u32;
                    for i in 0..=steps {
                        let by_now = degrees * f64::from(i) / f64::from(steps);
                        let on = self.on_any_road(path::wheel(&pose, width, side, by_now).at);
                        by.whole &= on;
                        by.any |= on;
                    }
                }
            }
        }
        by
    }
}
