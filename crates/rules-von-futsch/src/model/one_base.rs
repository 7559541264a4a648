//! Fewer bases (ledger 2.7): under `base_removal = remove_empty` a unit that is worn down stands on one base
//! (VF-MODEL-51, -52).

use crate::field::{Field, bits};
use crate::model::measure::Place;
use crate::model::{Formation, Kind, Nr};
use crate::options::BaseRemoval;
use crate::rulebook::Profiles;

/// The most figures that one base of a kind holds; none for kinds that never lose one.
pub fn holds(kind: Kind, p: &Profiles) -> Option<u8> {
    match kind {
        Kind::Infantry => Some(p.figures.ranks.saturating_mul(p.figures.infantry_rank.column)),
        Kind::Heavy | Kind::Light => Some(p.figures.cavalry_rank.column),
        Kind::Artillery | Kind::Skirmish | Kind::Wagon => None,
    }
}

impl Field {
    /// Base B is taken off a unit that has so few figures left; base A stays where it is (VF-MODEL-51).
    pub(crate) fn take_off_base(&mut self, u: Nr) {
        if self.o().base_removal == BaseRemoval::Keep || !self.unit(u).here() || self.unit(u).one_base {
            return;
        }
        if holds(self.kind(u), self.p()).is_none_or(|most| self.unit(u).strength > most) {
            return;
        }
        self.break_square(u);
        let pose = self.unit(u).place.pose();
        let unit = self.unit_mut(u);
        if unit.formation == Formation::Line {
            unit.place = Place::of(pose.slid(pose.right() * (unit.bases.troops * 0.5)));
        }
        unit.one_base = true;
        unit.settle();
    }

    /// Units that are activated have their bases back before they act, where there is room (VF-MODEL-52).
    pub(crate) fn bring_back_bases(&mut self, units: u64) {
        for u in bits(units) {
            self.bring_back_base(u);
        }
    }

    /// Base B comes back to its place in the formation, if there are figures and room for it (VF-MODEL-52).
    pub(crate) fn bring_back_base(&mut self, u: Nr) {
        let unit = self.unit(u);
        if !unit.one_base || holds(self.kind(u), self.p()).is_none_or(|most| unit.strength <= most) {
            return;
        }
        let mut whole = unit.clone();
        whole.one_base = false;
        if unit.formation == Formation::Line {
            let pose = unit.place.pose();
            whole.place = Place::of(pose.slid(pose.right() * (unit.bases.troops * -0.5)));
        }
        whole.settle();
        let free = self.room_for(&whole.body, Some(u), self.mover(u)) && !self.comes_too_near(u, &whole.body);
        if free {
            *self.unit_mut(u) = whole;
            self.set_aside(u);
        }
    }
}
