//! Sight between any two units, as a player may ask it at any time.

use tricorne_game::{Illegal, Seat, Sight, UnitId};
use tricorne_table::Point;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::Presence;
use crate::options::UnitsBlockSight;

impl SevenYearsBattle {
    /// Whether one unit sees another over the ground (SYW-LOS-01 to -07, -09); what a shot needs besides is SYW-LOS-08.
    /// A unit that is hidden from `eye` is not spoken of, and hides nothing.
    pub(crate) fn sight_between(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight> {
        let (a, b) = (self.find_unit(from)?, self.find_unit(to)?);
        if a == b || !self.may_speak_of(a, eye) || !self.may_speak_of(b, eye) {
            return None;
        }
        let middle = [self.rect(a, 0).centre(), self.rect(b, 0).centre()];
        if self.unit(b).presence == Presence::Hidden && self.unit(a).side != self.unit(b).side {
            let why = Illegal::new("SYW-LOS-09", format!("{to} is hidden and seen by nobody"));
            return Some(Sight { clear: false, line: middle, why: Some(why) });
        }
        let mut near: Option<([Point; 2], Illegal)> = None;
        for i in 0..self.unit(a).strength() {
            for j in 0..self.unit(b).strength() {
                for [p, q] in self.sight_lines(a, i, b, j) {
                    match self.hidden_because(a, i, b, j, [p, q]) {
                        None => return Some(Sight { clear: true, line: [p, q], why: None }),
                        Some(why) => {
                            near.get_or_insert(([p, q], why));
                        }
                    }
                }
            }
        }
        let (line, why) = near?;
        Some(Sight { clear: false, line, why: Some(why) })
    }

    fn may_speak_of(&self, u: UnitIx, eye: Option<Seat>) -> bool {
        let unit = self.unit(u);
        let own = eye.is_some_and(|seat| seat.0 == unit.side.0);
        unit.is_known() || (own && unit.presence == Presence::Hidden && unit.strength() > 0)
    }

    /// The lines of SYW-LOS-01 between two stands.
    fn sight_lines(&self, a: UnitIx, i: usize, b: UnitIx, j: usize) -> impl Iterator<Item = [Point; 2]> {
        let (front, to) = (self.rect(a, i).front_edge(), self.rect(b, j));
        let corners = to.corners();
        let aims = [to.centre(), corners[0], corners[1], corners[2], corners[3]];
        [front.midpoint(), front.a, front.b].into_iter().flat_map(move |p| aims.map(|q| [p, q]))
    }

    fn hidden_because(
        &self,
        a: UnitIx,
        i: usize,
        b: UnitIx,
        j: usize,
        [p, q]: [Point; 2],
    ) -> Option<Illegal> {
        let ends = self.ends_between(&self.rect(a, i), b, &self.rect(b, j));
        if let Some((piece, clause)) = self.fixed.hidden_by(p, q, ends) {
            let id = self.fixed.pieces.get(piece).map_or("the ground", |p| p.id.as_str());
            return Some(Illegal::new(clause, format!("{id} is in the way")));
        }
        let blocked = self.fixed.options.units_block_sight != UnitsBlockSight::ShootingOnly
            && self.units_between(p, q, Some(a), b);
        blocked.then(|| Illegal::new("SYW-LOS-07", "another unit stands in the way"))
    }
}
