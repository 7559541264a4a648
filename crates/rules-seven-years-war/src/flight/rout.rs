//! Rout moves (SYW-ROUT-01 to -09, -18 to -22).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::InOrder;
use tricorne_game::Log;
use tricorne_table::{Point, angle};

use crate::flight::pack::Pack;
use crate::flight::surrender::Surrender;
use crate::generals::along::Beside;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Disaster, Groups, Order, Units};
use crate::movement::walk::{Dice, Mover, Movers, Stop, Walked};
use crate::options::RoutSpeed;
use crate::rulebook::{Arm, Throw, cm};

/// Units passed through: who passed, and whom.
type Passed = SmallVec<[(UnitIx, UnitIx); 4]>;

/// How a run ended.
struct Run {
    /// How far it was walked.
    gone: f64,
    /// From where it began to where the pack rests; none if it could not move.
    place: Option<Point>,
    /// How far off that is, along the run.
    ran: f64,
    walked: Walked,
}

impl Run {
    /// Why a run came out longer or shorter than its length, as a story tells it.
    fn because(&self, length: f64) -> Option<&'static str> {
        if self.walked.left_table {
            return (self.gone < length - 0.05).then_some("to the edge of the table");
        }
        if self.ran > self.gone + 0.05 {
            return Some("so as to get clear of those in the way");
        }
        if self.ran < self.gone - 0.05 {
            return Some("for want of room");
        }
        (self.gone < length - 0.05).then_some(match self.walked.stop {
            Some(Stop::Enemy(_)) => "with the enemy across the way",
            Some(Stop::Barred) => "with no way on",
            _ => "over heavy ground",
        })
    }
}

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

    /// Puts a group to rout and makes its first rout move (SYW-ROUT-01 to -03), the way given or away from the nearest
    /// known enemy.
    pub(crate) fn rout(&mut self, g: GroupIx, way: Option<f64>, now: &mut Now<'_>) {
        if self.group(g).order != Order::Rout {
            self.note_disaster(g);
        }
        self.set_order(g, Order::Rout, None, now.log);
        self.first_rout_move(g, way, now);
    }

    fn throw(&self, g: GroupIx, cavalry: Throw, infantry: Throw) -> Throw {
        if self.group(g).arm == Arm::Cavalry { cavalry } else { infantry }
    }

    pub(crate) fn first_rout_move(&mut self, g: GroupIx, way: Option<f64>, now: &mut Now<'_>) {
        let chart = self.fixed.book.charts.rout;
        let throw = self.throw(g, chart.cavalry, chart.infantry);
        let die = now.chance.faces("rout", 1, throw.die).first().copied().unwrap_or(1);
        let length = throw.base + f64::from(die);
        for u in self.members(g) {
            self.unit_mut(u).disordered = true; // SYW-ROUT-05
        }
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let straight = angle::normalise(way.unwrap_or_else(|| self.way_from_nearest(g)));
        let foes = self.foes_of_routers(g);
        // SYW-ROUT-22: straight away, or the nearest heading that is free.
        let bends = (1..=18).flat_map(|k| [f64::from(k) * 5.0, f64::from(k) * -5.0]);
        let free = std::iter::once(0.0).chain(bends).map(|bend| angle::normalise(straight + bend)).find_map(
            |heading| {
                let pack = self.packed(&members, heading);
                let (movers, walked) = self.run_of(&pack, length, &mut Dice::none());
                let gone = movers.first().map_or(0.0, |m| m.gone);
                let barred = self.bars(&pack, gone, &foes) || self.meets_barrier(&pack, &walked, gone);
                (!barred).then_some(pack)
            },
        );
        let barred = free.is_none();
        let pack = free.unwrap_or_else(|| self.packed(&members, straight));
        let most = if barred { self.room_before(&pack, length, &foes) } else { length };
        let (movers, walked) = self.run_rolling(&pack, most, now);
        let run = self.run_ends(&pack, &movers, walked, &foes);
        let because = if barred && run.ran < length - 0.05 {
            Some("with the enemy across the way")
        } else {
            run.because(length)
        };
        now.say(|| {
            self.measured_event("rout", "SYW-ROUT-03", g)
                .outcome(if run.ran < 0.05 { "stays" } else { "runs" })
                .faces(&[die])
                .with("base", throw.base)
                .with("distance", tricorne_table::round_to(run.ran, 0.01))
                .with("because", because)
        });
        self.set_routers_down(g, &pack, &run, now.log);
    }

    /// The way from the nearest known enemy (SYW-ROUT-02); home without one.
    fn way_from_nearest(&self, g: GroupIx) -> f64 {
        let centre = self.centre_of(&self.members(g));
        match self.nearest_enemy(g).map(|(e, _)| self.away_from(g, e)) {
            Some(p) if p.distance(centre) > 0.01 => angle::bearing(p, centre),
            _ => Self::inwards(self.s.armies[self.group(g).side.index().min(1)].edge) + 180.0,
        }
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

    /// Where a run leads with no dice rolled; enemies are looked at apart.
    fn run_of(&self, pack: &Pack, length: f64, dice: &mut Dice) -> (Movers, Walked) {
        let (mut movers, heed) = self.runners(pack, length);
        let walked = self.walk(&mut movers, &[pack.leg(length)], &heed, dice).unwrap_or_default();
        (movers, walked)
    }

    /// The run itself, with what the ground takes off it (SYW-MODEL-34).
    fn run_rolling(&self, pack: &Pack, length: f64, now: &mut Now<'_>) -> (Movers, Walked) {
        if !self.ground_rolls() {
            return self.run_of(pack, length, &mut Dice::none());
        }
        let mut dice = Dice::from(now.chance);
        let found = self.run_of(pack, length, &mut dice);
        self.tell_rolls(&dice.rolled, now.log);
        found
    }

    /// Where a run ends: where there is room, over the edge, or where it began (SYW-ROUT-18, -19, -22).
    fn run_ends(&self, pack: &Pack, movers: &Movers, walked: Walked, foes: &[(UnitIx, f64)]) -> Run {
        let gone = movers.first().map_or(0.0, |m| m.gone);
        let place = if walked.left_table {
            Some(pack.forward() * gone)
        } else if gone < 0.01 {
            None
        } else {
            self.resting_place(pack, gone, foes)
        };
        let ran = place.map_or(0.0, |by| by.dot(pack.forward()));
        Run { gone, place, ran, walked }
    }

    /// Ends a run: the pack is set down, or leaves the table; a group that could not move stays as it stands.
    fn set_routers_down(&mut self, g: GroupIx, pack: &Pack, run: &Run, log: &mut Log) {
        let walked = &run.walked;
        let members = self.members(g);
        self.group_mut(g).phase.fled = true;
        let beside = self.generals_beside(g);
        let passed: Passed =
            walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
        let Some(by) = run.place else {
            self.sync_contacts();
            return;
        };
        for (u, new) in &pack.units {
            let mut new = new.clone();
            new.at += by;
            new.phase.moved = true;
            self.put_as(*u, new);
        }
        for &u in &members {
            self.push_generals(u, log);
        }
        self.after_run(g, walked, &beside, &passed, log);
    }

    /// What a run brings with it: friends passed, generals who go along, the edge.
    fn after_run(
        &mut self,
        g: GroupIx,
        walked: &Walked,
        beside: &Beside,
        passed: &[(UnitIx, UnitIx)],
        log: &mut Log,
    ) {
        if walked.left_table || self.touches_edge(g) {
            self.passages(passed, log);
            self.leave_table(g, log);
            self.ask_along(g, beside);
            return;
        }
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            self.ambushed(hidden, mover);
        }
        self.ask_along(g, beside);
        self.passages(passed, log);
        self.sync_contacts();
        self.reveal_by_sight(log);
    }

    /// Groups routers need not keep away from (SYW-ROUT-08).
    fn harmless_to_routers(&self) -> Groups {
        self.group_ids().filter(|&g| self.group(g).order == Order::Retreat).collect()
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
    pub(crate) fn later_rout_move(&mut self, g: GroupIx, now: &mut Now<'_>) {
        let members = self.members(g);
        if members.is_empty() || members.iter().any(|&u| self.unit(u).surrendered) {
            return;
        }
        let length = self.later_rout_length(g);
        if self.must_surrender(g, length) {
            self.surrender(g, Surrender::RunDown, now.log);
            return;
        }
        if !self.way_home_open(g) {
            self.surrender(g, Surrender::NoWayHome, now.log);
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
        headings.put_in_order_of(|a| (a.0, a.1, a.2));
        let mut best: Option<(f64, Pack)> = None;
        for (key, _, _, heading) in headings {
            if best.as_ref().is_some_and(|b| b.0 <= key as f64 / 100.0 + 0.01) {
                break;
            }
            let pack = self.packed(&members, heading);
            let (movers, walked) = self.careful_run(&pack, length);
            if matches!(walked.stop, Some(Stop::Enemy(_))) || self.enemy_overlap(&movers, side) {
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
                best = Some((left, pack));
            }
        }
        // SYW-ROUT-09: with no such heading straight away until 5 short, or they stay.
        let barred = best.is_none();
        let (pack, length) = match best {
            Some((_, pack)) => (pack, length),
            None => {
                let pack = self.packed(&members, angle::normalise(straight_away));
                let (movers, _) = self.careful_run(&pack, length);
                (pack, movers.first().map_or(0.0, |m| m.gone))
            }
        };
        let (movers, walked) = self.run_rolling(&pack, length, now);
        let foes = self.foes_of_routers(g);
        let run = self.run_ends(&pack, &movers, walked, &foes);
        if run.ran >= 0.01 {
            let told = tricorne_table::round_to(run.ran, 0.01);
            let barred = barred.then_some("with the enemy across the way");
            let because = barred.or_else(|| run.because(length));
            now.say(|| {
                self.measured_event("rout", "SYW-ROUT-06", g).with("distance", told).with("because", because)
            });
        }
        self.set_routers_down(g, &pack, &run, now.log);
    }

    /// A later run that keeps 5 from enemies (SYW-ROUT-08). Those who touch the routers already do not hold them.
    fn careful_run(&self, pack: &Pack, length: f64) -> (Movers, Walked) {
        let (mut movers, mut heed) = self.runners(pack, length);
        heed.keep = cm(self.distances().routers_keep);
        heed.yielding = self.harmless_to_routers();
        heed.through = self
            .known_enemies(self.unit(pack.units[0].0).side)
            .filter(|&e| self.unit(e).surrendered || pack.units.iter().any(|&(u, _)| self.near(u, e, 0.1)))
            .collect();
        let walked =
            self.walk(&mut movers, &[pack.leg(length)], &heed, &mut Dice::none()).unwrap_or_default();
        (movers, walked)
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
}

fn clamp_in(table: &tricorne_table::Table, p: Point) -> Point {
    Point::new(p.x.clamp(0.0, table.width()), p.y.clamp(0.0, table.depth()))
}
