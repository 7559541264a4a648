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

impl Field {
    fn roads(&self) -> impl Iterator<Item = &Piece> + '_ {
        self.b.terrain.iter().filter(|piece| piece.kind == GroundKind::Road)
    }

    /// Whether a straight way keeps to the road, were it of several pieces end to end (VF-TERR-02).
    pub(crate) fn on_road(&self, from: Point, to: Point) -> bool {
        let one = |road: &Piece| road.area.is_convex() && road.area.contains(from) && road.area.contains(to);
        if self.roads().any(one) {
            return true;
        }
        if !self.on_any_road(from) || !self.on_any_road(to) {
            return false;
        }
        let mut pieces: SmallVec<[(f64, f64); 8]> =
            self.roads().flat_map(|road| road.area.pieces(from, to)).collect();
        pieces.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut reached = 0.0_f64;
        for (enters, leaves) in pieces {
            if enters > reached + SEAM {
                return false;
            }
            reached = reached.max(leaves);
        }
        reached >= 1.0 - SEAM
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
                    let to = pose.at + way * length;
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
