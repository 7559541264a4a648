//! Wheels (VF-MODEL-39, -40).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::Illegal;
use tricorne_table::path::{self, WheelPrice};
use tricorne_table::{Bounds, Point, Pose};

use super::{closed, slows};
use crate::field::{Field, bit};
use crate::model::Nr;
use crate::model::formation::Body;
use crate::model::ground::{Going, GroundKind, Mover};
use crate::options::WheelCost;
use crate::rulebook::inch;

impl Field {
    /// How a wheel is measured (VF-MODEL-40).
    pub(crate) fn wheel_price(&self) -> WheelPrice {
        match self.o().wheel_cost {
            WheelCost::Arc => WheelPrice::Arc,
            WheelCost::Chord => WheelPrice::Chord,
        }
    }

    /// A wheel in steps small enough that nothing slips between them; its end and its cost (VF-MODEL-39, -40). The
    /// wheel of a charge may come near to enemies, but not meet any but its target (VF-MODEL-45, VF-CHARGE-05).
    pub(crate) fn wheel(
        &self,
        u: Nr,
        pose: Pose,
        (side, degrees): (path::Side, f64),
        road: bool,
        target: Option<Nr>,
    ) -> Result<(Pose, f64), Illegal> {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let mut cost = path::wheel_cost(width, degrees, self.wheel_price());
        let mover = self.mover(u);
        let except = bit(u) | target.map_or(0, bit);
        let steps = (degrees / 3.0).ceil().max(1.0) as u32;
        let clear = inch(self.p().distance.clear);
        // All of the wheel is in the circle that its diagonal draws about the corner; nobody and nothing farther off is
        // looked at on the way.
        let pivot = path::front_corner(&pose, width, side);
        let radius = unit.body.radius();
        let swept = Bounds::of_pair(pivot, pivot).grown(2.0 * radius + 0.01);
        let table = Bounds::of_pair(Point::ORIGIN, Point::new(self.b.width, self.b.height));
        let may_leave = !(table.contains(swept.min) && table.contains(swept.max));
        let rough = !road
            && self.b.terrain.iter().any(|piece| {
                piece.going(mover, self.o()) != Going::Full && piece.area.bounds().meets(&swept)
            });
        let close: SmallVec<[Nr; 8]> = self
            .present()
            .filter(|&o| {
                let other = &self.unit(o).body;
                let reach = 2.0 * radius + other.radius() + f64::from(self.p().distance.clear) + 0.1;
                except & bit(o) == 0 && pivot.distance_squared(other.centroid()) <= reach * reach
            })
            .collect();
        // The ground under it where the wheel begins counts as well, wherever the march began (VF-TERR-07).
        let start = unit.body_at(pose);
        let mut slow = !road && self.slow_under(&start, mover);
        let mut over = if rough { self.closed_overlap(&start, mover) } else { 0.0 };
        let mut end = pose;
        let clear_round = !may_leave && !rough && close.is_empty();
        let first = if clear_round { steps } else { 1 };
        for i in first..=steps {
            let last = end;
            end = path::wheel(&pose, width, side, degrees * f64::from(i) / f64::from(steps));
            if clear_round {
                break;
            }
            let body = unit.body_at(end);
            if may_leave && !body.on_table(self.b.width, self.b.height) {
                return refuse("VF-MOVE-28", "the wheel would leave the table");
            }
            if rough {
                slow = slow || self.slow_under(&body, mover);
                let now = self.closed_overlap(&body, mover);
                if now > over + closed::SPECK {
                    let kind = self.closed_kind(&body, mover).unwrap_or(GroundKind::River);
                    return self.closed(u, kind);
                }
                over = now;
            }
            for &o in &close {
                let other = &self.unit(o).body;
                if !body.may_reach(other, f64::from(self.p().distance.clear)) {
                    continue;
                }
                let enemy = self.side(o) != self.side(u);
                if (enemy || other.cloud == 0) && body.overlaps(other) {
                    return refuse("VF-MOVE-12", format!("the wheel would run into {}", self.name(o)));
                }
                let nearer = || {
                    let gap = body.gap_mils(other);
                    gap < clear && gap < unit.body_at(last).gap_mils(other)
                };
                if enemy && target.is_none() && nearer() {
                    return refuse(
                        "VF-MODEL-45",
                        format!(
                            "the wheel would come nearer than {} to {}",
                            self.p().distance.clear,
                            self.name(o)
                        ),
                    );
                }
            }
        }
        if slow {
            cost *= f64::from(self.p().moves.slow);
        }
        Ok((end, cost))
    }

    /// Whether a body stands on ground that slows its owner and that no crossing carries it over.
    fn slow_under(&self, body: &Body, mover: Mover) -> bool {
        let (rear, front) = (body.rect.rear_edge().midpoint(), body.rect.front().at);
        self.b.terrain.iter().any(|piece| {
            slows(piece.going(mover, self.o())) && piece.under(body) && !self.crossed(piece, rear, front)
        })
    }
}
