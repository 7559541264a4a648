//! How do lights meet a charge (SYW-EVADE-06): do they fall back and evade, or stand?

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::LightsAnswer;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::questions::{asks, choice};

/// Evade or stand?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetCharge {
    pub group: GroupIx,
    pub by: GroupIx,
}

impl Question<SevenYearsBattle> for MeetCharge {
    asks!("lights_answer", group);
    choice!(Lights: LightsAnswer { Stand, Evade });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} is charged: evade or stand?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.can_evade(self.group) && !b.must_evade(self.group, self.by)
    }

    fn lapse(self, b: &mut SevenYearsBattle, now: &mut Now<'_>) {
        if b.can_evade(self.group) {
            self.carry_out(b, LightsAnswer::Evade, now);
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, answer: LightsAnswer, now: &mut Now<'_>) {
        if answer == LightsAnswer::Evade {
            b.evade(self.group, self.by, now);
        }
    }
}
