//! Rout, surrender and rally (SYW-ROUT).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log};
use tricorne_table::{Point, Pose, Rect, Shape, angle};

use crate::decisions::action::Leg;
use crate::generals::along::Beside;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Disaster, Formation, Groups, Order, Presence, Unit, Units, within};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::options::{RoutSpeed, SurrenderTrigger};
use crate::rulebook::{Arm, Throw};

/// Routers keep this far from enemies (SYW-ROUT-08).
const KEEP: f64 = 5.0;

impl SevenYearsBattle {
    /// Where a group's people stood when they began to run or were wiped out (SYW-MORALE-07).
    pub(crate) fn note_disaster(&mut self, g: GroupIx) {
        let members = self.members(g);
        // SYW-MORALE-06: only massed infantry frightens others.
        let foot: Units = members
            .iter()
            .copied()
            .filter(|&u| self.info(u).arm == Arm::Infantry && self.is_massed(u))
            .collect();
        self.note_places(g, &foot);
    }

    pub(crate) fn note_places(&mut self, g: GroupIx, foot: &[UnitIx]) {
        if foot.is_empty() {
            return;
        }
        let mut places = SmallVec::new();
        for &u in foot {
            for r in &self.rects(u) {
                places.push((r.centre(), r.facing()));
            }
        }
        let depth = self.info(foot[0]).depth;
        let side = self.group(g).side;
        self.s.disasters.push(Disaster { side, group: g, places, depth });
    }

    /// Puts a group to rout and makes its first rout move (SYW-ROUT-01 to -03). `away` is the place it runs from;
    /// none is the nearest known enemy.
    pub(crate) fn rout(&mut self, g: GroupIx, away: Option<Point>, chance: &mut dyn Chance, log: &mut Log) {
        if self.group(g).order != Order::Rout {
            self.note_disaster(g);
        }
        self.set_order(g, Order::Rout, log);
        self.first_rout_move(g, away, chance, log);
    }

    fn throw(&self, g: GroupIx, cavalry: Throw, infantry: Throw) -> Throw {
        if self.group(g).arm == Arm::Cavalry { cavalry } else { infantry }
    }

    pub(crate) fn first_rout_move(
        &mut self,
        g: GroupIx,
        away: Option<Point>,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let chart = self.fixed.book.charts.rout;
        let throw = self.throw(g, chart.cavalry, chart.infantry);
        let die = chance.faces("rout", 1, throw.die).first().copied().unwrap_or(1);
        let length = throw.base + f64::from(die);
        let id = self.group(g).id;
        log.say(|| {
            Event::new("rout", "SYW-ROUT-03")
                .faces(&[die])
                .with("group", id.as_str())
                .with("distance", length)
        });
        for u in self.members(g) {
            self.unit_mut(u).disordered = true; // SYW-ROUT-05
        }
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let centre = self.centre_of(&members);
        let from = away.or_else(|| self.nearest_enemy(g).map(|(e, _)| self.away_from(g, e)));
        let bearing = match from {
            Some(p) if p.distance(centre) > 0.01 => angle::bearing(p, centre),
            _ => Self::inwards(self.s.armies[self.group(g).side.index().min(1)].edge) + 180.0,
        };
        let beside = self.generals_beside(g);
        self.pack(g, angle::normalise(bearing));
        self.run_off(g, length, &beside, chance, log);
    }

    /// The place a group runs from: straight ahead of the enemy's front if he came at it front on, else his middle.
    fn away_from(&self, g: GroupIx, enemy: UnitIx) -> Point {
        let centre = self.centre_of(&self.members(g));
        let unit = self.unit(enemy);
        let way = centre - unit.at;
        let forward = unit.pose().forward();
        let ahead = way.dot(forward);
        if ahead > 0.0 && (way - forward * ahead).length() < ahead.max(4.0) {
            return centre - forward * ahead.max(1.0);
        }
        self.centre_of(&[enemy])
    }

    /// Draws a group together in two-wide columns that face the way it runs (SYW-MODEL-13).
    pub(crate) fn pack(&mut self, g: GroupIx, bearing: f64) {
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let forward = angle::forward(bearing);
        let right = angle::right(bearing);
        // Near edge of the whole group on the side of the enemy, and the order of its units from left to right.
        let mut near = f64::MAX;
        let mut order: SmallVec<[(f64, UnitIx); 4]> = SmallVec::new();
        for &u in &members {
            for r in &self.rects(u) {
                for c in r.corners() {
                    near = near.min(c.dot(forward));
                }
            }
            order.push((self.centre_of(&[u]).dot(right), u));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = self.centre_of(&members).dot(right);
        let mut packed: SmallVec<[(UnitIx, Unit, f64, f64); 4]> = SmallVec::new();
        for &(_, u) in &order {
            let info = self.info(u);
            let mut new = stands::formed(self.unit(u), Formation::Routed, info);
            new.turned = None;
            let e = new.extent(info.depth);
            packed.push((u, new, e.width(), e.depth()));
        }
        let total: f64 = packed.iter().map(|p| p.2).sum();
        let mut offset = middle - total * 0.5;
        for (u, mut new, width, depth) in packed {
            let e = new.extent(self.info(u).depth);
            // An odd last stand leaves a one-wide pack off its middle.
            let shift = (e.left + e.right) * 0.5;
            let across = offset + width * 0.5 - shift;
            new.at = right * across + forward * (near + depth);
            new.facing = bearing;
            offset += width;
            new.moved = true;
            new.split = None;
            self.put_as(u, new);
        }
    }

    /// Runs a packed group straight on; over the edge it is gone (SYW-ROUT-18, -19).
    fn run_off(&mut self, g: GroupIx, length: f64, beside: &Beside, chance: &mut dyn Chance, log: &mut Log) {
        let members = self.members(g);
        let (movers, walked) = self.run_rolling(&members, 0.0, length, chance, log);
        let gone = movers.first().map_or(0.0, |m| m.gone);
        let left = walked.left_table;
        let stopped = matches!(walked.stop, Some(Stop::Enemy(_) | Stop::Barred));
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
        for m in movers {
            let u = m.u;
            let mut new = m.new;
            new.moved = true;
            self.put_as(u, new);
            self.push_generals(u, log);
        }
        self.group_mut(g).fled = true;
        if left {
            self.passages(&passed, log);
            self.leave_table(g, log);
            self.ask_along(g, beside);
            return;
        }
        self.clear_of_friends(g);
        self.ask_along(g, beside);
        self.passages(&passed, log);
        self.sync_contacts();
        if stopped && gone < 0.01 {
            self.surrender(g, "SYW-ROUT-18", log);
        }
        self.reveal_by_sight(log);
    }

    /// Routers come to rest beside whom they ran through, by the least move on along their way (SYW-INTER-09).
    fn clear_of_friends(&mut self, g: GroupIx) {
        let members = self.members(g);
        for step in 0..60 {
            let off = f64::from(step) * 0.5;
            let facing = self.group_facing(g);
            for way in
                [angle::forward(facing), angle::right(facing), -angle::right(facing), -angle::forward(facing)]
            {
                let free = members.iter().all(|&u| {
                    let unit = self.unit(u);
                    let rects = self.rects_at(unit, unit.pose().slid(way * off));
                    let bounds = crate::model::field::join_bounds(&rects);
                    self.fixed.table.holds_bounds(&bounds)
                        && !self.on_impassable(&rects, u)
                        && !self
                            .unit_ids()
                            .any(|v| !members.contains(&v) && self.overlaps_unit(&rects, &bounds, v))
                });
                if free {
                    for &u in &members {
                        let pose = self.unit(u).pose().slid(way * off);
                        self.put(u, pose);
                    }
                    return;
                }
                if step == 0 {
                    break;
                }
            }
        }
    }

    /// Where a heading would lead, with no dice rolled.
    fn run_path(&self, members: &[UnitIx], turn: f64, length: f64) -> (Movers, Walked) {
        let (mut movers, heed) = self.runners(members, turn, length);
        let walked =
            self.walk(&mut movers, &[Leg::Forward(length)], &heed, &mut Dice::none()).unwrap_or_default();
        (movers, walked)
    }

    /// The run itself, with what the ground takes off it.
    fn run_rolling(
        &self,
        members: &[UnitIx],
        turn: f64,
        length: f64,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> (Movers, Walked) {
        let (mut movers, heed) = self.runners(members, turn, length);
        let walked =
            self.walk_rolling(&mut movers, &[Leg::Forward(length)], &heed, chance, log).unwrap_or_default();
        (movers, walked)
    }

    fn runners(&self, members: &[UnitIx], turn: f64, length: f64) -> (Movers, Heed) {
        let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, length)).collect();
        if turn != 0.0 {
            let middle = self.centre_of(members);
            for m in &mut movers {
                let pose = m.new.pose().turned_about(middle, turn);
                m.new.at = pose.at;
                m.new.facing = pose.facing;
                m.new.reframe();
            }
        }
        let heed = Heed { keep: KEEP, yielding: self.harmless_to_routers(), ..Heed::default() };
        (movers, heed)
    }

    /// Groups routers need not keep away from (SYW-ROUT-08).
    fn harmless_to_routers(&self) -> Groups {
        self.group_ids().filter(|&g| matches!(self.group(g).order, Order::Retreat | Order::Rout)).collect()
    }

    /// The length of a later rout move (SYW-ROUT-07): the slowest unit sets the pace.
    pub(crate) fn later_rout_length(&self, g: GroupIx) -> f64 {
        let slowest = self.members(g).iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        match self.fixed.options.rout_speed {
            RoutSpeed::Plus2 => slowest + self.fixed.book.charts.rout.later_extra,
            RoutSpeed::Normal => slowest,
        }
    }

    /// A later rout move, in the enemy's movement sub-phase (SYW-ROUT-06 to -11).
    pub(crate) fn later_rout_move(&mut self, g: GroupIx, chance: &mut dyn Chance, log: &mut Log) {
        let members = self.members(g);
        if members.is_empty() || members.iter().any(|&u| self.unit(u).surrendered) {
            return;
        }
        let beside = self.generals_beside(g);
        let length = self.later_rout_length(g);
        if self.must_surrender(g, length) {
            self.surrender(g, "SYW-ROUT-11", log);
            return;
        }
        if !self.way_home_open(g) {
            self.surrender(g, "SYW-ROUT-10", log);
            return;
        }
        let side = self.group(g).side;
        let centre = self.centre_of(&members);
        let facing = self.group_facing(g);
        let straight_away =
            self.nearest_enemy(g).map_or(facing, |(e, _)| angle::bearing(self.centre_of(&[e]), centre));
        // Headings by where they would end in the open; ties to the smaller turn, then to the right.
        let mut headings: SmallVec<[(i64, i64, u8, f64); 72]> = (0..72)
            .map(|k| {
                let heading = f64::from(k) * 5.0;
                let end = centre + angle::forward(heading) * length;
                let turn = angle::turn(straight_away, heading);
                let left = u8::from(turn < 0.0);
                let key = (self.home_distance(side, clamp_in(&self.fixed.table, end)) * 100.0).round() as i64;
                (key, (turn.abs() * 10.0).round() as i64, left, heading)
            })
            .collect();
        headings.sort_by_key(|a| (a.0, a.1, a.2));
        let mut best: Option<(f64, f64)> = None;
        for (key, _, _, heading) in headings {
            if best.as_ref().is_some_and(|b| b.0 <= key as f64 / 100.0 + 0.01) {
                break;
            }
            let (movers, walked) = self.run_path(&members, angle::turn(facing, heading), length);
            if matches!(walked.stop, Some(Stop::Enemy(_))) {
                continue;
            }
            let rests = self.enemy_overlap(&movers, side);
            if rests {
                continue;
            }
            let (mut end, mut n) = (Point::ORIGIN, 0.0);
            for m in &movers {
                end += m.new.at;
                n += 1.0;
            }
            let end = end * (1.0 / f64::max(n, 1.0));
            let left = if walked.left_table {
                0.0
            } else {
                self.home_distance(side, clamp_in(&self.fixed.table, end))
            };
            if best.as_ref().is_none_or(|b| left < b.0 - 0.01) {
                best = Some((left, heading));
            }
        }
        let Some((_, heading)) = best else {
            // SYW-ROUT-18: straight away as far as it goes, 5 short of enemies.
            self.pack(g, angle::normalise(straight_away));
            self.run_off(g, length, &beside, chance, log);
            return;
        };
        let (movers, walked) = self.run_rolling(&members, angle::turn(facing, heading), length, chance, log);
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
        for m in movers {
            let u = m.u;
            let mut new = m.new;
            new.moved = true;
            self.put_as(u, new);
            self.push_generals(u, log);
        }
        self.group_mut(g).fled = true;
        let id = self.group(g).id;
        log.say(|| Event::new("rout", "SYW-ROUT-06").with("group", id.as_str()).with("distance", length));
        self.passages(&passed, log);
        if walked.left_table || self.touches_edge(g) {
            self.leave_table(g, log);
            self.ask_along(g, &beside);
            return;
        }
        self.clear_of_friends(g);
        self.ask_along(g, &beside);
        self.sync_contacts();
        self.reveal_by_sight(log);
    }

    fn enemy_overlap(&self, movers: &[Mover], side: tricorne_game::Side) -> bool {
        movers.iter().any(|m| {
            let rects = self.rects_at(&m.new, m.new.pose());
            let bounds = crate::model::field::join_bounds(&rects);
            self.known_enemies(side).any(|e| self.overlaps_unit(&rects, &bounds, e))
        })
    }

    /// Whether a group touches the edge of the table: routers leave there (SYW-ROUT-19).
    pub(crate) fn touches_edge(&self, g: GroupIx) -> bool {
        let table = self.fixed.table.bounds();
        self.members(g).iter().any(|&u| {
            let b = self.unit(u).frame.bounds;
            b.min.x <= table.min.x + 0.02
                || b.min.y <= table.min.y + 0.02
                || b.max.x >= table.max.x - 0.02
                || b.max.y >= table.max.y - 0.02
        })
    }

    /// Whether pursuers are upon routers that cannot outpace them (SYW-ROUT-11).
    fn must_surrender(&self, g: GroupIx, length: f64) -> bool {
        if self.fixed.options.surrender_trigger == SurrenderTrigger::NoRouteOnly {
            return false;
        }
        self.members(g).iter().any(|&u| {
            self.opponents(u).iter().any(|&e| {
                self.group_of(e).pursuing == Some(g)
                    && (self.fixed.options.surrender_trigger == SurrenderTrigger::CaughtAtOnce
                        || within(length, self.info(e).speed))
            })
        })
    }

    /// Whether a way to their own half is open: a straight corridor 10 wide (SYW-ROUT-10).
    pub(crate) fn way_home_open(&self, g: GroupIx) -> bool {
        let side = self.group(g).side;
        let centre = self.centre_of(&self.members(g));
        if self.in_own_half(side, centre) {
            return true;
        }
        let half = self.fixed.table.depth() * 0.5;
        let enemies: Units = self
            .known_enemies(side)
            .filter(|&e| !matches!(self.order_of(e), Order::Retreat | Order::Rout))
            .collect();
        (0..36).any(|k| {
            let heading = f64::from(k) * 10.0;
            let way = angle::forward(heading);
            let dy = half - centre.y;
            if dy.abs() > 0.01 && way.y * dy <= 0.001 {
                return false;
            }
            let length = if dy.abs() > 0.01 { dy / way.y } else { 1.0 };
            let end = centre + way * length;
            if end.x < 0.0 || end.x > self.fixed.table.width() {
                return false;
            }
            let pose = Pose::new(centre.midpoint(end), heading);
            let corridor = Shape::Rect(Rect::centred(pose, 10.0, length.abs().max(0.1)));
            !enemies.iter().any(|&e| {
                self.unit(e).frame.bounds.meets(&corridor.bounds())
                    && self.rects(e).iter().any(|r| corridor.overlaps(&Shape::Rect(*r)))
            })
        })
    }

    /// A routing group gives itself up (SYW-ROUT-10 to -13).
    pub(crate) fn surrender(&mut self, g: GroupIx, clause: &'static str, log: &mut Log) {
        let id = self.group(g).id;
        log.say(|| Event::new("surrender", clause).with("group", id.as_str()));
        let in_combat = self.s.step == crate::model::state::SubPhase::Combat;
        for u in self.members(g) {
            self.unit_mut(u).surrendered = true;
            self.unit_mut(u).gave_up_in_combat = in_combat;
            self.note_guards(u);
        }
        // SYW-PURSUE-07
        for p in self.group_ids() {
            if self.group(p).pursuing == Some(g) {
                self.end_pursuit(p);
                self.set_order(p, Order::Stand, log);
                self.group_mut(p).moved = true;
            }
        }
        self.sync_contacts();
    }

    /// Notes where those who touch a surrendered unit stand.
    pub(crate) fn note_guards(&mut self, u: UnitIx) {
        let guards = self.guards(u).iter().map(|&e| (e, self.unit(e).at)).collect();
        self.unit_mut(u).guards = guards;
    }

    /// Whether a guard has done no more than stand and shoot since the surrender (SYW-ROUT-14).
    fn stands_guard(&self, u: UnitIx, e: UnitIx) -> bool {
        let still = self.unit(u).guards.iter().any(|&(g, at)| g == e && at.near(self.unit(e).at));
        let fought = self.group_of(e).fought && !self.unit(u).gave_up_in_combat;
        still && !fought && !self.in_melee(e)
    }

    /// Surrendered units in touch with the enemy (they are in no melee).
    pub(crate) fn guards(&self, u: UnitIx) -> Units {
        let side = self.unit(u).side;
        self.known_enemies(side).filter(|&e| !self.unit(e).surrendered && self.near(u, e, 0.1)).collect()
    }

    /// Surrendered troops rally once whoever guards them does more than stand and shoot (SYW-ROUT-14, -15), or are
    /// removed at the end of the enemy's own close combat (SYW-ROUT-12).
    pub(crate) fn settle_surrendered(&mut self, log: &mut Log) {
        for u in self.unit_ids() {
            if !self.unit(u).surrendered || !self.unit(u).is_present() {
                continue;
            }
            let guards = self.guards(u);
            let idle = guards.iter().any(|&e| self.stands_guard(u, e));
            let enemy_phase = self.s.phasing != self.unit(u).side;
            if guards.is_empty() || !idle {
                if enemy_phase || guards.is_empty() {
                    self.rally_surrendered(u, log);
                }
            } else if enemy_phase {
                let g = self.unit(u).group;
                if self.info(u).arm == Arm::Infantry && self.is_massed(u) {
                    self.note_places(g, &[u]);
                }
                self.destroy(u, "SYW-ROUT-12", log);
            }
        }
    }

    fn rally_surrendered(&mut self, u: UnitIx, log: &mut Log) {
        let g = self.unit(u).group;
        let id = self.group(g).id;
        for v in self.members(g) {
            self.unit_mut(v).surrendered = false;
        }
        log.say(|| Event::new("escaped", "SYW-ROUT-14").with("group", id.as_str()));
        self.group_mut(g).order = Order::Reserve;
        self.reform(g, None);
        self.sync_contacts();
    }

    /// Routers rally on Stand, disordered, in line (SYW-ROUT-17).
    pub(crate) fn rally(&mut self, g: GroupIx, log: &mut Log) {
        for p in self.group_ids() {
            if self.group(p).pursuing == Some(g) {
                self.end_pursuit(p);
            }
        }
        self.set_order(g, Order::Stand, log);
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
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
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
            offset += width + 0.5;
            self.settle(u, new);
            self.unit_mut(u).presence = Presence::OnTable;
        }
    }
}

fn clamp_in(table: &tricorne_table::Table, p: Point) -> Point {
    Point::new(p.x.clamp(0.0, table.width()), p.y.clamp(0.0, table.depth()))
}
