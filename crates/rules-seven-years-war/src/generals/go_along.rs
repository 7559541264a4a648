//! Does a general go with troops that give way, or stay behind (SYW-GEN-17, SYW-OFF-13)?

use serde::Serialize;
use tricorne_drill::{Now, Question};
use tricorne_table::Point;

use crate::action::Along;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx};
use crate::questions::{asks, choice};

/// Does he go with them, or stay?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoAlong {
    pub general: GeneralIx,
    pub group: GroupIx,
    pub way: Point,
}

impl Question<SevenYearsBattle> for GoAlong {
    asks!("along", general);
    choice!(Along: Along { Stay, Go });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Does {} go with {}, or stay?", b.general(self.general).id, b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.can_go_along(self.general, self.group, self.way)
    }

    fn carry_out(self, b: &mut SevenYearsBattle, along: Along, now: &mut Now<'_>) {
        if along == Along::Go {
            b.go_along(self.general, self.group, self.way, now.log);
        }
    }
}
