//! What do winners do when their enemies have run (SYW-PURSUE-01, SYW-MELEE-31)?

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::After;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::questions::{asks, choice};
use crate::rulebook::Arm;

/// Pursue, move into the ground won, or stay?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AfterMelee {
    pub group: GroupIx,
    pub prey: GroupIx,
    /// How deep the runners had stood (SYW-MELEE-32).
    pub depth: f64,
}

impl Question<SevenYearsBattle> for AfterMelee {
    asks!("after_melee", group);
    choice!(After: After { Stay, Pursue, Occupy });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{}: pursue, move into the ground won, or stay?", b.group(self.group).id)
    }

    /// Only infantry can hold itself back.
    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.group(self.group).arm == Arm::Infantry && !b.members(self.group).is_empty()
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        if b.group(self.group).arm == Arm::Cavalry {
            self.carry_out(b, After::Pursue, now);
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, after: After, now: &mut Now<'_>) {
        match after {
            After::Pursue => b.first_pursuit(self.group, self.prey, now),
            After::Occupy => b.occupy(self.group, self.depth, now.log),
            After::Stay => {}
        }
    }
}
