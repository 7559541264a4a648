//! How a battle stands for a side.

use super::First;
use tricorne_drill::judgement::decided;
use tricorne_game::{Seat, Side};

use crate::model::state::{ObjectiveKind, Order, Presence};

impl First<'_> {
    /// From -1 (as good as lost) to 1 (as good as won).
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = Side(seat.0.min(1));
        if let Some(ending) = &self.s.ending {
            return decided(ending.winner, side);
        }
        let enemy = side.enemy();
        let (mine, theirs) = (self.strength_of(side), self.strength_of(enemy));
        let force = (mine - theirs) / (mine + theirs).max(1.0);
        // How near each army is to breaking (SYW-WIN-02); the last steps weigh most.
        let strain = |s: Side| {
            let started = f64::from(self.s.armies[s.index().min(1)].started).max(1.0);
            let limit = f64::from(self.fixed.break_percent).max(1.0) / 100.0;
            let share = (f64::from(self.lost_stands(s)) / started / limit).min(1.2);
            share * share
        };
        let nerve = strain(enemy) - strain(side);
        // Points as they would be counted, ground as it is held, more of it the nearer the end.
        let lead = (self.lead(side) + self.prospects(side) - self.prospects(enemy)) / self.lead_needed();
        let done = f64::from(self.s.turn) / f64::from(self.fixed.turns.max(1));
        let staff = self.staff_of(side) - self.staff_of(enemy);
        let sum = 1.1 * force + 0.9 * nerve + (0.12 + 0.25 * done) * lead.clamp(-4.0, 4.0) + 0.05 * staff;
        0.97 * libm::tanh(1.1 * sum)
    }

    fn strength_of(&self, side: Side) -> f64 {
        let mut sum = 0.0;
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.side != side || unit.stands.is_empty() {
                continue;
            }
            sum += match unit.presence {
                Presence::OnTable | Presence::Hidden | Presence::Waiting => self.worth(u),
                Presence::Off => 0.6 * self.worth(u),
                Presence::Gone => 0.0,
            };
        }
        sum
    }

    /// Generals on the table; the C-in-C counts twice.
    fn staff_of(&self, side: Side) -> f64 {
        self.s
            .generals
            .iter()
            .filter(|g| g.side == side && !g.lost)
            .map(|g| if g.cinc { 2.0 } else { 1.0 })
            .sum()
    }

    /// Ground that a side may yet take, by how near its troops are to it.
    fn prospects(&self, side: Side) -> f64 {
        let turns = f64::from(self.fixed.turns.saturating_sub(self.s.turn)) + 1.0;
        let mut sum = 0.0;
        for (k, o) in self.fixed.objectives.iter().enumerate() {
            let Some(piece) = self.fixed.pieces.get(o.piece) else { continue };
            if self.objective_holder(k) == Some(side) {
                continue;
            }
            let mut best = 0.0_f64;
            for u in self.present(side) {
                let barred = o.kind == ObjectiveKind::MassedOn && !self.is_massed(u);
                if barred || matches!(self.order_of(u), Order::Rout | Order::Retreat) {
                    continue;
                }
                let far = self.unit(u).at.distance(piece.middle);
                let reach = self.info(u).speed * turns * 0.5;
                best = best.max((1.0 - far / reach.max(1.0)).max(0.0));
            }
            sum += 0.4 * o.points * best;
        }
        sum
    }
}
