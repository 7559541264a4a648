//! Room to stand: who overlaps whom, closed ground, and being set down where there is room (SYW-MODEL-31 to -33).

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{join_bounds, overlapping};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Formation, Unit, grain};
use crate::terrain::ground::{Going, Piece, PieceKind};
use tricorne_table::{Bounds, Point, Rect};

impl SevenYearsBattle {
    /// Takes a new layout that a rule asks for at once; if it would overlap somebody, slides sideways or back by the
    /// least distance that clears it.
    pub(crate) fn settle(&mut self, u: UnitIx, new: Unit) {
        let pose = new.pose();
        let mut best = None;
        'search: for step in 0..40 {
            let off = f64::from(step) * 0.5;
            for way in [Point::ORIGIN, pose.right(), -pose.right(), -pose.forward(), pose.forward()] {
                if step > 0 && way == Point::ORIGIN {
                    continue;
                }
                let tried = grain(pose.slid(way * off));
                if self.is_free(&self.rects_at(&new, tried), u) {
                    best = Some(tried);
                    break 'search;
                }
            }
        }
        // In a corner or a crowd the nearest room may lie aslant.
        let aslant = || {
            (1..=80).flat_map(|ring| (0..24).map(move |k| (f64::from(ring), f64::from(k) * 15.0))).find_map(
                |(off, bearing)| {
                    let tried = grain(pose.slid(tricorne_table::angle::forward(bearing) * off));
                    self.is_free(&self.rects_at(&new, tried), u).then_some(tried)
                },
            )
        };
        let best = best.or_else(aslant).unwrap_or(pose);
        let mut new = new;
        new.at = best.at;
        new.facing = best.facing;
        self.put_as(u, new);
    }

    /// Units that a rule set down on somebody make room by the least slide.
    pub(crate) fn unstack(&mut self, units: &[UnitIx]) {
        for &u in units {
            if self.unit(u).is_known() && !self.is_free(&self.rects(u), u) {
                let new = self.unit(u).clone();
                self.settle(u, new);
            }
        }
    }

    /// Whether footprints overlap nobody but the unit itself, lie on the table and off impassable ground.
    pub(crate) fn is_free(&self, rects: &[Rect], own: UnitIx) -> bool {
        self.is_free_but(rects, own, &[])
    }

    /// The same, but for groups that will have given way by then (SYW-EVADE-02).
    pub(crate) fn is_free_but(&self, rects: &[Rect], own: UnitIx, yielding: &[GroupIx]) -> bool {
        let bounds = join_bounds(rects);
        let stays = |v: UnitIx| v != own && !yielding.contains(&self.unit(v).group);
        self.fixed.table.holds_bounds(&bounds)
            && !self.unit_ids().any(|v| stays(v) && self.overlaps_unit(rects, &bounds, v))
            && !self.on_impassable(rects, own)
    }

    /// Whether footprints overlap a unit on the table.
    pub(crate) fn overlaps_unit(&self, rects: &[Rect], bounds: &Bounds, v: UnitIx) -> bool {
        let other = self.unit(v);
        let hit = |r: &Rect| rects.iter().any(|m| overlapping(m, r));
        other.is_known()
            && other.frame.bounds.meets(bounds)
            && (self.contact_rects(v).iter().any(hit)
                // A square is met as a whole, and a stand of it that was set beside somebody (SYW-INTER-09) where it is.
                || (other.formation == Formation::Square && self.rects(v).iter().any(hit)))
    }

    /// Whether footprints lie in ground the unit may not enter.
    pub(crate) fn on_impassable(&self, rects: &[Rect], u: UnitIx) -> bool {
        let info = self.info(u);
        let bounds = join_bounds(rects);
        self.fixed.pieces.iter().any(|p| {
            !p.kind.is_linear()
                && p.bounds.meets(&bounds)
                && self.fixed.going(p, info) == Going::Barred
                && !self.crossing_over(p, rects)
                && rects.iter().any(|r| p.holds_part_of(r))
        })
    }

    /// A crossing opens the river under it, and not beside it (SYW-TERR-13).
    pub(crate) fn crossing_over(&self, river: &Piece, rects: &[Rect]) -> bool {
        river.impassable
            && self.fixed.pieces.iter().any(|p| {
                p.kind == PieceKind::Crossing
                    && p.bounds.meets(&river.bounds)
                    && rects.iter().filter(|r| river.holds_part_of(r)).all(|r| bridged(river, p, r))
            })
    }
}

/// Whether what of a footprint lies in a river lies on a crossing.
fn bridged(river: &Piece, crossing: &Piece, rect: &Rect) -> bool {
    let (Some(water), Some(ford)) = (river.area(), crossing.area()) else { return false };
    let frame = rect.pose().frame();
    let (across, deep) = (rect.width() * 0.5 - 0.05, rect.depth() * 0.5 - 0.05);
    let steps = |half: f64| (half / 0.25).ceil() as i32;
    let places =
        |half: f64| (-steps(half)..=steps(half)).map(move |k| (f64::from(k) * 0.25).clamp(-half, half));
    places(across).all(|x| {
        places(deep).all(|y| {
            let at = frame.to_world(Point::new(x, y));
            !water.contains_strictly(at) || ford.contains(at)
        })
    })
}
