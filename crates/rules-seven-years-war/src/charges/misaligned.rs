//! A charger that cannot align with its target: does it halt short, or make partial contact (SYW-CHARGE-15)?

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::Oblique;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::questions::{asks, choice};

/// Halt or partial contact?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Misaligned {
    pub unit: UnitIx,
    pub target: UnitIx,
    /// What is left of the charger's move.
    pub left: f64,
    /// Degrees it would have to turn.
    pub swing: f64,
}

impl Question<SevenYearsBattle> for Misaligned {
    asks!("oblique", unit unit);
    choice!(Oblique: Oblique { Halt, Partial });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} cannot align: halt or partial contact?", b.unit(self.unit).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.unit(self.unit).is_known() && b.unit(self.target).is_known()
    }

    fn carry_out(self, b: &mut SevenYearsBattle, answer: Oblique, now: &mut Now<'_>) {
        let partial = answer == Oblique::Partial;
        b.oblique(self.unit, self.target, self.left, self.swing, partial, now.log);
    }
}
