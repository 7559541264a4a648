//! Who sees whom over the ground (SYW-LOS-01 to -09).

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::Presence;
use crate::options::UnitsBlockSight;
use crate::terrain::ground::Ends;
use tricorne_table::{Bounds, Point, Pose, Rect, Shape};

impl SevenYearsBattle {
    /// Whether a stand sees a stand over the ground (SYW-LOS-01).
    pub(crate) fn stand_sees(&self, a: UnitIx, i: usize, b: UnitIx, j: usize) -> bool {
        self.footprint_sees(a, &self.rect(a, i), b, &self.rect(b, j))
    }

    /// The same from a footprint the unit has, had or would have.
    fn footprint_sees(&self, a: UnitIx, from: &Rect, b: UnitIx, to: &Rect) -> bool {
        let front = from.front_edge();
        self.sees_from(&[front.a, front.midpoint(), front.b], (Some(a), from), b, to)
    }

    /// The same from some places of a stand: that of a unit, or a general's own.
    fn sees_from(
        &self,
        places: &[Point],
        (viewer, from): (Option<UnitIx>, &Rect),
        b: UnitIx,
        to: &Rect,
    ) -> bool {
        let ends = self.ends_between(from, b, to);
        let corners = to.corners();
        let aims = [to.centre(), corners[0], corners[1], corners[2], corners[3]];
        places.iter().any(|&p| {
            aims.iter().any(|&q| {
                self.fixed.clear(p, q, ends)
                    && (self.fixed.options.units_block_sight == UnitsBlockSight::ShootingOnly
                        || !self.units_between(p, q, viewer, b))
            })
        })
    }

    /// Whether a unit sees a stand of friends run or fall (SYW-MORALE-06): hidden friends are no secret to it.
    pub(crate) fn saw_fall(&self, a: UnitIx, fallen: UnitIx, to: &Rect) -> bool {
        self.sees_everything() || self.rects(a).iter().any(|from| self.footprint_sees(a, from, fallen, to))
    }

    /// Whether nothing on this table hides anything.
    fn sees_everything(&self) -> bool {
        self.fixed.pieces.is_empty() && self.fixed.options.units_block_sight == UnitsBlockSight::ShootingOnly
    }

    /// Whether a stand can be seen at the edge of its town for having fired in this phase or the one before (SYW-LOS-05).
    pub(crate) fn fired_from_edge(&self, u: UnitIx, rect: &Rect) -> bool {
        let unit = self.unit(u);
        (unit.phase.fired || unit.fired_before) && self.fixed.at_town_edge(rect)
    }

    /// How the two ends of a line lie in towns (SYW-LOS-05).
    pub(crate) fn ends_between(&self, viewer: &Rect, b: UnitIx, to: &Rect) -> Ends {
        if self.fixed.pieces.iter().all(|p| p.kind != crate::terrain::ground::PieceKind::Town) {
            return Ends::default();
        }
        Ends {
            viewer_at_edge: self.fixed.at_town_edge(viewer),
            seen_at_edge: self.fired_from_edge(b, to),
            viewer_town: self.fixed.town_of(viewer),
            seen_town: self.fixed.town_of(to),
        }
    }

    /// Whether some third unit stands across a line (SYW-LOS-07, `always`).
    pub(crate) fn units_between(&self, p: Point, q: Point, a: Option<UnitIx>, b: UnitIx) -> bool {
        self.stands_across(p, q, |u| Some(u) == a || u == b)
    }

    /// Whether a unit stands across a line, some left out of account.
    pub(crate) fn stands_across(&self, p: Point, q: Point, but: impl Fn(UnitIx) -> bool) -> bool {
        let bounds = Bounds::of_pair(p, q);
        self.unit_ids().any(|u| {
            !but(u)
                && self.unit(u).is_known()
                && self.unit(u).frame.bounds.meets(&bounds)
                && self.rects(u).iter().any(|r| {
                    // A hair wider, so that no line slips between two stands that touch.
                    let closed = Rect::centred(r.pose(), r.width() + 0.02, r.depth());
                    Shape::Rect(closed).cut_by(p, q)
                })
        })
    }

    /// Whether any stand of a unit sees any stand of another.
    pub(crate) fn unit_sees(&self, a: UnitIx, b: UnitIx) -> bool {
        self.unit_sees_from(a, self.unit(a).pose(), b, self.unit(b).pose())
    }

    /// The same from another place than it stands in now, and of another.
    pub(crate) fn unit_sees_from(&self, a: UnitIx, pose: Pose, b: UnitIx, there: Pose) -> bool {
        if self.unit(b).presence == Presence::Hidden && self.unit(a).side != self.unit(b).side {
            return false; // SYW-LOS-09
        }
        if self.sees_everything() {
            return true;
        }
        let seen = self.rects_at(self.unit(b), there);
        let eyes = self.rects_at(self.unit(a), pose);
        eyes.iter().any(|from| seen.iter().any(|to| self.footprint_sees(a, from, b, to)))
    }

    /// Whether a general sees any stand of some units (SYW-LOS-01).
    pub(crate) fn general_sees(&self, general: GeneralIx, units: &[UnitIx]) -> bool {
        let rect = self.general(general).rect();
        let corners = rect.corners();
        units.iter().any(|&u| {
            (0..self.unit(u).strength()).any(|j| self.sees_from(&corners, (None, &rect), u, &self.rect(u, j)))
        })
    }
}
