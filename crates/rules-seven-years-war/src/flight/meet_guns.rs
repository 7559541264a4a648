//! Pursuers meet artillery (SYW-PURSUE-11): do they fight it, or ride through?

use serde::Serialize;
use tricorne_drill::{Now, Question};
use tricorne_game::UnitId;

use crate::action::Guns;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::Units;
use crate::questions::{asks, choice};

/// Fight the guns or ride through them?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetGuns {
    pub group: GroupIx,
    pub prey: GroupIx,
    pub battery: UnitIx,
    /// What is left of the pursuers' move.
    pub left: f64,
    /// Batteries they have ridden through already in this move.
    pub passed: Units,
}

impl Question<SevenYearsBattle> for MeetGuns {
    asks!("guns", group);
    choice!(Guns: Guns { Fight, Pass });

    fn unit(&self, b: &SevenYearsBattle) -> Option<UnitId> {
        Some(b.unit(self.battery).id)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Fight the guns or ride through them?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.unit(self.battery).is_known() && !b.members(self.group).is_empty()
    }

    fn carry_out(self, b: &mut SevenYearsBattle, guns: Guns, now: &mut Now<'_>) {
        match guns {
            Guns::Pass => {
                let mut through = self.passed;
                through.push(self.battery);
                b.ride_through(self.group, self.prey, through, self.left, now);
            }
            Guns::Fight => b.meet_fresh(self.group, self.battery, now),
        }
    }
}
