//! A test that lets a group keep its order or go to Advance (SYW-MORALE-33).

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::Resolve;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::Order;
use crate::questions::{asks, choice};

/// Keep the order or go to Advance?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resolution {
    pub group: GroupIx,
}

impl Question<SevenYearsBattle> for Resolution {
    asks!("morale", group);
    choice!(Morale: Resolve { Keep, Advance });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{}: keep the order or go to Advance?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.may_go_to_advance(self.group)
    }

    fn carry_out(self, b: &mut SevenYearsBattle, resolve: Resolve, now: &mut Now<'_>) {
        if resolve == Resolve::Advance {
            b.set_order(self.group, Order::Advance, Some("being in good heart"), now.log);
            // SYW-CHARGE-20: it only gains the order.
            for u in b.members(self.group) {
                b.note_unit(u);
            }
        }
    }
}
