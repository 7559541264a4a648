//! Ground that is closed to a unit (VF-MODEL-44, -49, -50): who may stand where, and how one leaves it.

use tricorne_table::Point;

use super::{carries, keeps_by};
use crate::field::{Field, bit};
use crate::model::Nr;
use crate::model::formation::{Body, span};
use crate::model::ground::{Going, Mover, Piece};

/// Less than this is only rounding.
pub(crate) const SPECK: f64 = 1e-6;
/// A way out is walked in steps so long.
const STEP: f64 = 0.1;

impl Field {
    /// Whether a body is on the table, on ground its owner may enter, and clear of every other unit (VF-MODEL-44).
    pub(crate) fn room_for(&self, body: &Body, me: Option<Nr>, mover: Mover) -> bool {
        self.room_ignoring(body, me, me.map_or(0, bit), mover)
    }

    /// The same, with several units left out of the reckoning. Who stands on closed ground may end with less of it
    /// under him (VF-MODEL-50).
    pub(crate) fn room_ignoring(&self, body: &Body, me: Option<Nr>, ignored: u64, mover: Mover) -> bool {
        body.on_table(self.b.width, self.b.height)
            && self.leaves_closed(body, me, mover)
            && !self.present().any(|o| ignored & bit(o) == 0 && body.overlaps(&self.unit(o).body))
    }

    /// Whether a body lies on no closed ground, or on less than its owner did before.
    pub(crate) fn leaves_closed(&self, body: &Body, me: Option<Nr>, mover: Mover) -> bool {
        !self.closed_under(body, mover)
            || me.is_some_and(|u| {
                self.closed_overlap(body, mover) < self.closed_overlap(&self.unit(u).body, mover) - SPECK
            })
    }

    /// Whether a body stands on ground that is closed to it.
    pub(crate) fn closed_under(&self, body: &Body, mover: Mover) -> bool {
        self.closed_pieces(body, mover).next().is_some()
    }

    /// How deep a body lies in closed ground.
    pub(crate) fn closed_overlap(&self, body: &Body, mover: Mover) -> f64 {
        self.closed_pieces(body, mover).map(|piece| shared(piece, body)).fold(0.0, f64::max)
    }

    /// The pieces of closed ground under a body.
    fn closed_pieces<'a>(&'a self, body: &'a Body, mover: Mover) -> impl Iterator<Item = &'a Piece> + 'a {
        self.b.terrain.iter().filter(move |piece| {
            piece.going(mover, self.o()) == Going::Closed
                && piece.under(body)
                && !self.carried(piece, body, mover)
        })
    }

    /// Whether a crossing or a road carries a body over a piece (VF-MODEL-44, VF-TERR-07).
    fn carried(&self, piece: &Piece, body: &Body, mover: Mover) -> bool {
        let (front, rear) = (body.rect.front().at, body.rect.rear_edge().midpoint());
        self.keeps_to(carries, keeps_by(mover, body), body.centroid()) || self.crossed(piece, rear, front)
    }

    /// How far a body that begins a slide over closed ground may go (VF-MODEL-49, -50): not at all if its owner does
    /// not stand there already; otherwise as long as no step makes the overlap larger, if it ends with less of it. None
    /// if it gets clear.
    pub(crate) fn way_out(
        &self,
        me: Option<Nr>,
        mover: Mover,
        body: &Body,
        way: Point,
        length: f64,
    ) -> Option<f64> {
        let mut last = self.closed_overlap(body, mover);
        let stood = me.map_or(last, |u| self.closed_overlap(&self.unit(u).body, mover));
        if stood <= SPECK || last > stood + SPECK {
            return Some(0.0);
        }
        let mut gone = 0.0;
        while gone < length {
            let next = (gone + STEP).min(length);
            let over = self.closed_overlap(&body.slid(way * next), mover);
            if over > last + SPECK {
                break;
            }
            (gone, last) = (next, over);
            if over <= SPECK {
                return None;
            }
        }
        Some(if last < stood - SPECK { gone } else { 0.0 })
    }
}

/// How deep a body lies in a piece.
fn shared(piece: &Piece, body: &Body) -> f64 {
    let mut deepest = 0.0_f64;
    for part in body.parts() {
        for outline in &piece.parts {
            deepest = deepest.max(depth(&part.corners(), outline));
        }
    }
    deepest
}

/// How deep two convex outlines lie in each other: the least way that would part them; 0 if they do not meet.
fn depth(a: &[Point], b: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for outline in [a, b] {
        for i in 0..outline.len() {
            let side = outline[(i + 1) % outline.len()] - outline[i];
            let Some(axis) = side.quarter_right().unit() else { continue };
            let ((a0, a1), (b0, b1)) = (span(a, axis), span(b, axis));
            least = least.min((a1 - b0).min(b1 - a0));
        }
    }
    least.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tricorne_table::{Pose, Rect};

    #[test]
    fn how_deep_two_outlines_lie_is_measured() {
        let rect = Rect::fronted(Pose::new(Point::new(30.0, 30.0), 180.0), 5.0, 2.5);
        let wood = [(15.0, 32.0), (45.0, 32.0), (45.0, 48.0), (15.0, 48.0)].map(Point::from);
        assert!((depth(&rect.corners(), &wood) - 0.5).abs() < 1e-9);
        let turned = Rect::centred(Pose::new(Point::new(30.0, 31.25), 90.0), 5.0, 2.5);
        assert!((depth(&turned.corners(), &wood) - 1.75).abs() < 1e-9);
        let away = [(15.0, 33.0), (45.0, 33.0), (45.0, 48.0)].map(Point::from);
        assert!(depth(&rect.corners(), &away) < 1e-9);
    }
}
