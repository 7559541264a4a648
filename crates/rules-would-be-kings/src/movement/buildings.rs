//! Going into buildings (WBK-MOD-32, 33).

use tricorne_game::Illegal;

use crate::battle::Fray;
use crate::model::base::{CONTACT, TOLERANCE};
use crate::state::No;
use crate::tables::rulebook::Class;

impl Fray {
    /// Judges entering a building (WBK-MOD-32, 33).
    pub(crate) fn may_enter(&self, u: No, id: &str) -> Result<usize, Illegal> {
        let name = self.card(u).called();
        let Some(building) = self.field.land.building(id) else {
            return Err(Illegal::new("WBK-MOD-33", format!("there is no building `{id}`")));
        };
        if self.unit(u).garrison.map(usize::from) == Some(building) {
            return Err(Illegal::new("WBK-MOD-33", format!("{name} is in {id} already")));
        }
        self.may_hold(u, building)?;
        let near = self.field.rulebook.charts.near.building_entered;
        if !self.near_outline(u, building, near) {
            let why = format!("{name} must begin its Move with a model within {near}\" of {id}");
            return Err(Illegal::new("WBK-MOD-33", why));
        }
        // WBK-MOD-12: a garrison is measured by its building, so it touches whoever touches that.
        if let Some(v) = self.enemies(u).find(|&v| self.near_outline(v, building, CONTACT)) {
            let why =
                format!("{name} would touch {} from inside {id}; drive it off first", self.card(v).called());
            return Err(Illegal::new("WBK-MOVE-01", why));
        }
        Ok(building)
    }

    /// A unit goes into a building: as far as from its anchor to the building's middle (WBK-MOD-12).
    pub(crate) fn go_in(&mut self, u: No, building: usize) {
        let here = self.unit(u).anchor.point();
        self.garrison(u, building);
        self.has_gone(self.unit(u).anchor.point().distance(here));
    }

    /// Whether a unit may be the garrison of a building (WBK-MOD-32).
    pub(crate) fn may_hold(&self, u: No, building: usize) -> Result<(), Illegal> {
        let (unit, card) = (self.unit(u), self.card(u));
        let piece = &self.field.land.pieces[building];
        let name = card.called();
        if card.class != Class::Infantry {
            return Err(Illegal::new(
                "WBK-MOD-32",
                format!("only foot may garrison a building, and {name} is not"),
            ));
        }
        if unit.close_order {
            return Err(Illegal::new(
                "WBK-CLOSE-18",
                format!("{name} is in Close Order and may not garrison"),
            ));
        }
        if unit.models > piece.capacity {
            let why = format!("{} holds {} models and {name} has {}", piece.id, piece.capacity, unit.models);
            return Err(Illegal::new("WBK-MOD-32", why));
        }
        let held = self.on_table().find(|&v| v != u && self.unit(v).garrison == u8::try_from(building).ok());
        if let Some(v) = held {
            let why = format!("{} is held by {}", piece.id, self.card(v).called());
            return Err(Illegal::new("WBK-MOD-32", why));
        }
        Ok(())
    }

    /// Whether a unit has a model within so many inches of a building's outline.
    fn near_outline(&self, u: No, building: usize, inches: f64) -> bool {
        let Some(area) = self.field.land.pieces[building].area() else { return false };
        match self.outline(u) {
            Some(own) => own.edges().any(|e| area.edges().any(|s| e.gap(&s) <= inches + TOLERANCE)),
            None => {
                area.bounds().grown(inches + TOLERANCE).meets(&self.bounds(u))
                    && self
                        .bases(u)
                        .iter()
                        .any(|b| crate::model::ground::area_gap(area, b) <= inches + TOLERANCE)
            }
        }
    }
}
