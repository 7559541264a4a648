//! Laying out by itself whatever a player leaves over (the default of U9).

use smallvec::SmallVec;
use tricorne_game::{Log, Side};
use tricorne_table::{Bounds, Edge, Point, Pose, Rect};

use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::join_bounds;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Left, Order, Presence, Unit, Units, within};

impl SevenYearsBattle {
    /// Lays out whatever is left of a lot, group by group, row by row (the default of U9).
    pub(crate) fn deploy_the_rest(&mut self, side: Side, lot: Lot, log: &mut Log) {
        let mut groups: SmallVec<[GroupIx; 16]> =
            self.units_to_deploy(side, lot).iter().map(|&u| self.unit(u).group).collect();
        groups.dedup();
        let mut seen: SmallVec<[GroupIx; 16]> = SmallVec::new();
        for g in groups {
            if seen.contains(&g) {
                continue;
            }
            seen.push(g);
            self.lay_out(g, side, lot, log);
        }
        for i in self.generals_to_deploy(side, lot) {
            if let Some(at) = self.room_for_general(i, side) {
                self.set_general(i, at, log);
            }
        }
    }

    fn lay_out(&mut self, g: GroupIx, side: Side, lot: Lot, log: &mut Log) {
        let units: Units =
            self.units_to_deploy(side, lot).into_iter().filter(|&u| self.unit(u).group == g).collect();
        if let Some(placed) = self.room_for_group(g, &units, side) {
            for (u, new) in placed {
                self.place_unit(u, new, None, log);
            }
            return;
        }
        if self.group(g).units.len() > units.len() {
            // Some stand already and these find no room beside them: each is a group of its own (SYW-GROUP-07).
            for u in units {
                let own = self.split_off(u);
                if let Some(placed) = self.room_for_group(own, &[u], side) {
                    for (u, new) in placed {
                        self.place_unit(u, new, None, log);
                    }
                }
            }
        }
    }

    /// Room for a group in legal formation, together with those of it who stand already (SYW-DEPLOY-19).
    fn room_for_group(
        &self,
        g: GroupIx,
        units: &[UnitIx],
        side: Side,
    ) -> Option<SmallVec<[(UnitIx, Unit); 4]>> {
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let south = facing == 0.0;
        let group = self.group(g);
        let down: SmallVec<[Unit; 4]> = group
            .units
            .iter()
            .filter(|u| !units.contains(u))
            .map(|&u| self.unit(u).clone())
            .filter(Unit::is_known)
            .collect();
        for row in 0..40 {
            let back = f64::from(row) * 0.75;
            let y = if south {
                depth * 0.5 - self.off_centre(side) - back
            } else {
                depth * 0.5 + self.off_centre(side) + back
            };
            for column in 0..240 {
                // From the middle outwards.
                let off = f64::from((column + 1) / 2) * if column % 2 == 0 { 0.75 } else { -0.75 };
                let x = width * 0.5 + off;
                let Some(placed) = self.block(units, side, Point::new(x, y), facing) else { continue };
                let together = down.is_empty() || {
                    let mut all: SmallVec<[&Unit; 4]> = down.iter().collect();
                    all.extend(placed.iter().map(|(_, new)| new));
                    self.chained(&all) && self.aligned(&all)
                };
                if together {
                    return Some(placed);
                }
            }
        }
        None
    }

    /// The units of a group side by side from a point, if there is room.
    fn block(
        &self,
        units: &[UnitIx],
        side: Side,
        at: Point,
        facing: f64,
    ) -> Option<SmallVec<[(UnitIx, Unit); 4]>> {
        let right = tricorne_table::angle::right(facing);
        let mut offset = 0.0;
        let mut placed: SmallVec<[(UnitIx, Unit); 4]> = SmallVec::new();
        for &u in units {
            let info = self.info(u);
            let mut new = stands::formed(self.unit(u), Formation::Line, info);
            let w = new.extent(info.depth).width();
            let pose = crate::model::state::grain(Pose::new(at + right * (offset + w * 0.5), facing));
            new.at = pose.at;
            new.facing = pose.facing;
            let rects = self.rects_at(&new, pose);
            if !self.is_room(side, &rects) || self.on_impassable(&rects, u) {
                return None;
            }
            offset += w + 0.5;
            placed.push((u, new));
        }
        Some(placed)
    }

    /// Whether the umpire may set somebody down on these footprints. He goes by what both sides see: a place left free for
    /// hidden friends would show where they lie. Whoever finds somebody on his mark is set down beside it (SYW-HIDE-05);
    /// and where only one side strip may be used (SYW-DEPLOY-12), it is the one where somebody stands for all to see.
    fn is_room(&self, side: Side, rects: &[Rect]) -> bool {
        if self.judge_area(side, rects).is_err() || self.is_taken(side, None, rects, false) {
            return false;
        }
        let (strip, width) = (self.side_strip(), self.fixed.table.width());
        let strips = |b: &Bounds| [!within(strip, b.min.x), !within(b.max.x, width - strip)];
        let wanted = strips(&join_bounds(rects));
        let used = |k: usize| {
            let friends = self.s.units.iter().filter(|u| u.side == side && u.is_known());
            friends.map(|u| strips(&u.frame.bounds)).any(|s| s[k])
        };
        self.s.armies[side.index().min(1)].strips != 1 || (0..2).all(|k| !wanted[k] || used(k))
    }

    fn room_for_general(&self, i: GeneralIx, side: Side) -> Option<Point> {
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        for row in 0..30 {
            for column in 0..120 {
                let off = f64::from((column + 1) / 2) * if column % 2 == 0 { 1.5 } else { -1.5 };
                let back = f64::from(row);
                let y = if self.s.armies[side.index().min(1)].edge == Edge::South {
                    depth * 0.5 - self.off_centre(side) - 8.0 - back
                } else {
                    depth * 0.5 + self.off_centre(side) + 8.0 + back
                };
                let at = Point::new(width * 0.5 + off, y).round_to(0.01);
                let rect = self.general_rect(i, at);
                if self.is_room(side, &[rect]) && self.judge_stand_of_general(i, &rect).is_ok() {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Groups still without a place when a lot ends wait behind their own table edge and dice to come on as troops that
    /// left it without pursuers do (SYW-OFF-05).
    pub(crate) fn wait_off_table(&mut self, side: Side, lot: Lot, log: &mut Log) {
        let edge = self.s.armies[side.index().min(1)].edge;
        let middle = self.fixed.table.edge(edge).midpoint();
        for u in self.units_to_deploy(side, lot) {
            if self.unit(u).presence != Presence::Waiting {
                continue; // Gone off with the rest of its group.
            }
            let g = self.unit(u).group;
            for &v in &self.group(g).units.clone() {
                self.unit_mut(v).presence = Presence::Off;
            }
            let group = self.group_mut(g);
            group.order = Order::Reserve;
            group.off = Some(Left {
                at: middle,
                edge,
                followed: false,
                routed: false,
                tries: 0,
                march: false,
                either: false,
                fresh: true,
                ready: false,
                tried: false,
            });
            log.say(|| self.group_event("no_room", "SYW-DEPLOY-19", g));
        }
        for i in self.generals_to_deploy(side, lot) {
            self.general_mut(i).placed = true;
            let x = self.fixed.table.width() * 0.5;
            let y = if self.s.armies[side.index().min(1)].edge == Edge::South {
                4.0
            } else {
                self.fixed.table.depth() - 4.0
            };
            self.general_mut(i).at = Point::new(x, y);
        }
    }
}
