//! Cavalry and lights in melee bring unengaged stands round (SYW-MOVE-14, -16).

use tricorne_drill::refuse;
use tricorne_game::{Illegal, UnitId};

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, bounds_of, overlapping, touching};
use crate::model::ids::UnitIx;
use crate::model::stands::WIDTH;
use crate::model::state::Unit;
use crate::rulebook::{Arm, Class};

impl SevenYearsBattle {
    /// Judges a rearrangement of stands in melee (SYW-MOVE-16).
    pub(crate) fn judge_rearrange(
        &self,
        id: UnitId,
        stand: u8,
        to: [f64; 2],
    ) -> Result<(UnitIx, Unit), Illegal> {
        let Some(u) = self.known_unit(id).filter(|&u| self.unit(u).side == self.s.phasing) else {
            return refuse("SYW-MOVE-16", format!("{id} is no unit of the phasing side"));
        };
        let unit = self.unit(u);
        let info = self.info_of(unit);
        if !self.in_melee(u) {
            return refuse("SYW-MOVE-16", format!("{id} is not in melee"));
        }
        if !(info.arm == Arm::Cavalry || info.class == Class::Light) {
            return refuse(
                "SYW-MOVE-14",
                format!("{id} is neither cavalry nor light; its stands do not move in melee"),
            );
        }
        let i = usize::from(stand);
        if i >= unit.strength() {
            return refuse("SYW-MOVE-16", format!("{id} has no stand {stand}"));
        }
        if self.engaged(u).contains(&stand) {
            return refuse("SYW-MOVE-14", format!("stand {stand} of {id} is engaged and does not move"));
        }
        if !(to[0].is_finite() && to[1].is_finite()) || to[0].abs() > 60.0 || to[1].abs() > 30.0 {
            return refuse("SYW-MOVE-16", "the new place needs ordinary numbers near the unit");
        }
        let mut new = unit.clone();
        new.stands[i].u = tricorne_table::round_to(to[0], 0.01);
        new.stands[i].v = tricorne_table::round_to(to[1], 0.01);
        new.stands[i].turn = 0.0;
        new.stands[i].rank = u8::from(new.stands[i].v < -info.depth);
        let rects = self.rects_at(&new, new.pose());
        let mine = rects[i];
        if (0..rects.len()).any(|j| j != i && overlapping(&mine, &rects[j])) {
            return refuse("SYW-MODEL-33", format!("stand {stand} would overlap another of {id}"));
        }
        // SYW-GROUP-11: it touches another stand of its unit along an edge, and leaves none alone that did.
        let alone = |all: &Rects, j: usize| !(0..all.len()).any(|k| k != j && touching(&all[j], &all[k]));
        if alone(&rects, i) {
            return refuse(
                "SYW-GROUP-11",
                format!("stand {stand} must touch another stand of {id} along an edge"),
            );
        }
        let before = self.rects(u);
        if let Some(j) = (0..rects.len()).find(|&j| alone(&rects, j) && !alone(&before, j)) {
            return refuse("SYW-GROUP-11", format!("stand {j} of {id} would touch no other any more"));
        }
        let bounds = bounds_of(&mine);
        if !self.fixed.table.holds_bounds(&bounds)
            || self.unit_ids().any(|v| v != u && self.overlaps_unit(&[mine], &bounds, v))
        {
            return refuse("SYW-MODEL-33", format!("stand {stand} would come to rest on somebody"));
        }
        if self.known_enemies(unit.side).any(|e| {
            self.contact_rects(e).iter().any(|r| touching(&mine, r)) && !self.opponents(u).contains(&e)
        }) {
            return refuse("SYW-MOVE-16", "stands may not open a new contact by rearranging");
        }
        if !self.serves(u, &new, i) {
            return refuse(
                "SYW-MOVE-16",
                format!(
                    "a stand of {id} is brought round behind one that fights, or beside it, or into a gap"
                ),
            );
        }
        Ok((u, new))
    }

    /// Whether a stand brought round would replace a casualty, be a rear rank behind an engaged stand, or an overlap beside one
    /// (SYW-MOVE-16).
    fn serves(&self, u: UnitIx, new: &Unit, i: usize) -> bool {
        let depth = self.info(u).depth;
        let (here, rects) = (new.stands[i], self.rects_at(new, new.pose()));
        let level = |v: f64| (here.v - v).abs() < depth * 0.5;
        let fights = self.engaged(u).iter().map(|&k| usize::from(k)).any(|k| {
            let other = new.stands[k];
            touching(&rects[i], &rects[k]) && (level(other.v) || level(other.v - depth))
        });
        let fellow = |off: f64| {
            let at = here.u + off;
            new.stands.iter().enumerate().any(|(k, s)| k != i && level(s.v) && (s.u - at).abs() < 0.06)
        };
        fights || (fellow(-WIDTH) && fellow(WIDTH))
    }
}
