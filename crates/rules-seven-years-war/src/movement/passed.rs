//! On which order is a group that was passed through (SYW-INTER-04)?

use serde::Serialize;
use tricorne_drill::{Now, Question};

use crate::action::PassedOrder;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::Order;
use crate::questions::{asks, choice};

/// It was passed through: Stand or Reserve?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passed {
    pub group: GroupIx,
}

impl Question<SevenYearsBattle> for Passed {
    asks!("passed", group);
    choice!(Passed: PassedOrder { Stand, Reserve });

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} was passed through: Stand or Reserve?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        matches!(b.group(self.group).order, Order::Advance | Order::Reserve)
            && !b.members(self.group).is_empty()
    }

    fn carry_out(self, b: &mut SevenYearsBattle, order: PassedOrder, now: &mut Now<'_>) {
        let order = match order {
            PassedOrder::Stand => Order::Stand,
            PassedOrder::Reserve => Order::Reserve,
        };
        b.set_order(self.group, order, Some("after friends had passed through"), now.log);
    }
}
