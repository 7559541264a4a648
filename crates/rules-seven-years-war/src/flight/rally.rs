//! Routers who rally, and drawing up again (SYW-ROUT-16, -17).

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_game::Log;
use tricorne_table::angle;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Order, Presence, Unit};

impl SevenYearsBattle {
    /// Routers rally on Stand, disordered, in line (SYW-ROUT-17).
    pub(crate) fn rally(&mut self, g: GroupIx, log: &mut Log) {
        for p in self.group_ids() {
            if self.group(p).pursuing == Some(g) {
                self.end_pursuit(p);
            }
        }
        self.set_order(g, Order::Stand, None, log);
        for u in self.members(g) {
            self.unit_mut(u).disordered = true;
        }
        self.reform(g, None);
    }

    /// Draws a group up in line again, side by side, on the spot; facing given or away from its own edge.
    pub(crate) fn reform(&mut self, g: GroupIx, facing: Option<f64>) {
        let members = self.members(g);
        let home = Self::inwards(self.s.armies[self.group(g).side.index().min(1)].edge);
        let facing = facing.unwrap_or(home);
        let right = angle::right(facing);
        let mut order: SmallVec<[(f64, UnitIx); 4]> =
            members.iter().map(|&u| (self.centre_of(&[u]).dot(right), u)).collect();
        order.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let middle = self.centre_of(&members);
        let mut laid: SmallVec<[(UnitIx, Unit, f64); 4]> = SmallVec::new();
        for &(_, u) in &order {
            let info = self.info(u);
            let mut new = stands::formed(self.unit(u), Formation::Line, info);
            new.turned = None;
            new.split = None;
            let e = new.extent(info.depth);
            laid.push((u, new, e.width()));
        }
        let total: f64 = laid.iter().map(|l| l.2).sum::<f64>() + 0.5 * laid.len().saturating_sub(1) as f64;
        let mut offset = -total * 0.5;
        // Out of each other's way before they are laid out.
        for &u in &members {
            self.unit_mut(u).presence = Presence::Waiting;
        }
        for (u, mut new, width) in laid {
            new.at = middle + right * (offset + width * 0.5) + angle::forward(facing) * 1.5;
            new.facing = facing;
            new.presence = Presence::OnTable;
            new.phase.moved = true; // SYW-SHOOT-12
            offset += width + 0.5;
            self.settle(u, new);
            self.unit_mut(u).presence = Presence::OnTable;
        }
    }
}
