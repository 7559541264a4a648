//! What follows by itself when a group changes its order (SYW-ORDER-22, -23).

use tricorne_game::Log;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::{Formation, Order};
use crate::morale::disorder::Disorder;
use crate::options::ColumnLeavesReserve;

impl SevenYearsBattle {
    /// Puts a group on an order, with what follows by itself (SYW-ORDER-22, -23). Why is said in words, or not at all where
    /// what was told last says it: a die, a test, a halt.
    pub(crate) fn set_order(
        &mut self,
        g: GroupIx,
        order: Order,
        because: Option<&'static str>,
        log: &mut Log,
    ) {
        let was = self.group(g).order;
        if was == order {
            return;
        }
        self.group_mut(g).order = order;
        if was == Order::Rout || order == Order::Rout {
            self.group_mut(g).pursuing = None;
        }
        if order != Order::Advance {
            self.group_mut(g).pursuing = None;
            self.group_mut(g).phase.charging = false;
        }
        log.say(|| {
            self.group_event("order_changed", "SYW-ORDER-04", g)
                .with("from", was.name())
                .with("was", was.called())
                .with("order", order.name())
                .with("called", order.called())
                .with("because", because)
        });
        for u in self.members(g) {
            self.unit_mut(u).on_stand = false;
            let formation = self.unit(u).formation;
            if formation.is_column() && was == Order::Reserve && order != Order::Rout {
                // SYW-ORDER-22
                let new = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u));
                self.settle(u, new);
                if self.fixed.options.column_leaves_reserve == ColumnLeavesReserve::AutoLineDisordered {
                    self.disorder(u, Disorder::OutOfColumn, log);
                }
            } else if formation == Formation::Square && matches!(order, Order::Advance | Order::Retreat) {
                // SYW-ORDER-23
                let new = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u));
                self.settle(u, new);
            }
        }
    }
}
