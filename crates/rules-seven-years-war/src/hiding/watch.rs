//! What enemies could have seen of the ground that hides somebody, since deployment (SYW-HIDE-05).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::{Bounds, Point, Pose, Rect, Shape};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::Presence;
use crate::terrain::ground::{Ends, Piece, PieceKind};

/// Watching goes along the way of those who move, at least this often.
const STRIDE: f64 = 10.0;
/// How far from the middle of a hill its dead ground may lie.
const BEHIND: f64 = 60.0;

/// A piece of ground looked at from the other side: a grid of points, and which of them an enemy has had in sight.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// The side that hides there.
    pub side: Side,
    pub piece: u8,
    pub points: Vec<bool>,
}

/// The points at which a piece of ground is looked at: every 2 cm in woods and towns, every 10 about a hill.
struct Grid {
    bounds: Bounds,
    step: f64,
    across: usize,
    up: usize,
}

impl Grid {
    fn of(piece: &Piece, table: &Bounds) -> Self {
        let (bounds, step) = if piece.kind == PieceKind::Hill {
            let reach = Point::new(BEHIND, BEHIND);
            let (low, high) = (piece.middle - reach, piece.middle + reach);
            let min = Point::new(low.x.max(table.min.x), low.y.max(table.min.y));
            let max = Point::new(high.x.min(table.max.x), high.y.min(table.max.y));
            (Bounds { min, max }, 10.0)
        } else {
            (piece.bounds, 2.0)
        };
        let count = |length: f64| (length.max(0.0) / step).floor() as usize + 1;
        Self {
            step,
            across: count(bounds.max.x - bounds.min.x),
            up: count(bounds.max.y - bounds.min.y),
            bounds,
        }
    }

    fn point(&self, k: usize) -> Point {
        let (x, y) = (k % self.across, k / self.across);
        Point::new(self.bounds.min.x + x as f64 * self.step, self.bounds.min.y + y as f64 * self.step)
    }
}

impl SevenYearsBattle {
    /// Notes what everybody has in sight of ground that may hide enemies, along the way he has come since last time.
    pub(crate) fn keep_watch(&mut self) {
        let hiding: SmallVec<[Side; 2]> = [Side(0), Side(1)]
            .into_iter()
            .filter(|&side| self.s.units.iter().any(|u| u.side == side && u.presence == Presence::Hidden))
            .collect();
        if hiding.is_empty() {
            self.s.seen.clear();
            self.s.watched.clear();
            return;
        }
        let table = self.fixed.table.bounds();
        for &side in &hiding {
            for (k, piece) in self.fixed.pieces.iter().enumerate() {
                let noted = self.s.seen.iter().any(|s| s.side == side && usize::from(s.piece) == k);
                if piece.conceals && !noted {
                    let grid = Grid::of(piece, &table);
                    let points = vec![false; grid.across * grid.up];
                    self.s.seen.push(Seen { side, piece: k as u8, points });
                }
            }
        }
        let mut last = std::mem::take(&mut self.s.watched);
        last.resize(self.s.units.len(), None);
        let mut seen = std::mem::take(&mut self.s.seen);
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if !unit.is_known() || !hiding.contains(&unit.side.enemy()) {
                last[usize::from(u)] = None;
                continue;
            }
            let now = unit.pose();
            let before = last[usize::from(u)];
            if before.is_some_and(|b: Pose| b.at.near(now.at) && (b.facing - now.facing).abs() < 0.05) {
                continue;
            }
            last[usize::from(u)] = Some(now);
            let from = before.unwrap_or(now);
            let strides = (from.at.distance(now.at) / STRIDE).ceil().max(1.0) as u32;
            // The stretch gone, its last point included; the first was looked from last time.
            for k in 1..=strides {
                let at = from.at.lerp(now.at, f64::from(k) / f64::from(strides));
                let eyes = self.eyes(u, Pose { at, facing: now.facing });
                for s in seen.iter_mut().filter(|s| s.side != unit.side) {
                    let Some(piece) = self.fixed.pieces.get(usize::from(s.piece)) else { continue };
                    let grid = Grid::of(piece, &table);
                    for (k, point) in s.points.iter_mut().enumerate().filter(|(_, p)| !**p) {
                        let aim = grid.point(k);
                        *point = eyes.iter().any(|&eye| self.fixed.clear(eye, aim, Ends::default()));
                    }
                }
            }
        }
        self.s.seen = seen;
        self.s.watched = last;
    }

    /// The two ends and the middle of its front, whence a unit looks (SYW-LOS-01).
    fn eyes(&self, u: UnitIx, pose: Pose) -> [Point; 3] {
        let (left, right) = self.front_of(self.unit(u));
        [left, (left + right) * 0.5, right].map(|x| pose.to_world(Point::new(x, 0.0)))
    }

    /// Whether an enemy of a side could have seen some footprints in a piece of ground since deployment.
    pub(crate) fn was_seen(&self, side: Side, piece: usize, rects: &[Rect]) -> bool {
        let Some(ground) = self.fixed.pieces.get(piece) else { return false };
        let Some(seen) = self.s.seen.iter().find(|s| s.side == side && usize::from(s.piece) == piece) else {
            return false;
        };
        let grid = Grid::of(ground, &self.fixed.table.bounds());
        seen.points.iter().enumerate().filter(|(_, p)| **p).any(|(k, _)| {
            let point = grid.point(k);
            rects.iter().any(|r| Shape::Rect(*r).distance_to(point) <= grid.step * 0.25)
        })
    }
}
