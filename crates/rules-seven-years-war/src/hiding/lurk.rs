//! An enemy has come near a hidden unit: does it shoot there and then, or hold its fire (SYW-VIS-04 to -07)?

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::Ambush;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::Presence;
use crate::questions::{asks, choice};

/// Shoot from hiding, or hold?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lurk {
    pub hidden: UnitIx,
    pub mover: UnitIx,
}

impl Question<SevenYearsBattle> for Lurk {
    asks!("ambush", unit hidden);
    choice!(Ambush: Ambush { Hold, Shoot });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{}: shoot from hiding, or hold?", b.unit(self.hidden).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        // One that a comrade's fire has revealed may still shoot (SYW-VIS-07).
        matches!(b.unit(self.hidden).presence, Presence::Hidden | Presence::OnTable)
            && b.unit(self.mover).is_known()
            && b.ambush_shot(self.hidden, self.mover).is_some()
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        self.carry_out(b, Ambush::Hold, now);
    }

    fn carry_out(self, b: &mut SevenYearsBattle, ambush: Ambush, now: &mut Now<'_>) {
        match ambush {
            Ambush::Shoot => b.spring(self.hidden, self.mover, now.log),
            Ambush::Hold => b.hold_fire(self.hidden, self.mover, now.log),
        }
    }
}
