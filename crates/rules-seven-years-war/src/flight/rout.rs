//! Rout moves (SYW-ROUT-01 to -09, -18 to -22).

use smallvec::SmallVec;
use tricorne_drill::{Now, Way, fall_back};
use tricorne_game::{InOrder, Log, Side};
use tricorne_table::{Point, Rect, angle};

use crate::flight::pack::Pack;
use crate::flight::surrender::Surrender;
use crate::generals::along::Beside;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{gap_of, join_bounds};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Disaster, Groups, Order, Units, within};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::options::RoutSpeed;
use crate::rulebook::{Arm, Throw, cm};

/// Routers so near the edge of the table touch it.
const AT_THE_EDGE: f64 = 0.02;

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
    /// What is left of the move.
    left: f64,
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
            Some(Stop::Ambush(..)) => "for hidden enemies lay in the way",
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

    /// Notes who sees some of a group run or fall where they stand (SYW-MORALE-06, -07).
    pub(crate) fn note_places(&mut self, g: GroupIx, foot: &[UnitIx]) {
        let side = self.group(g).side;
        let seeing = cm(self.distances().seeing);
        // One unit of a group may be near and another see it.
        let sees = |members: &[UnitIx], fallen: UnitIx, rect: &Rect| {
            let near = |&u: &UnitIx| self.rects(u).iter().any(|r| within(gap_of(r, rect), seeing));
            members.iter().any(near) && members.iter().any(|&u| self.saw_fall(u, fallen, rect))
        };
        let seen_by: Groups = self
            .groups_of(side)
            .into_iter()
            .filter(|&o| o != g)
            .filter(|&o| {
                let members = self.members(o);
                foot.iter().any(|&u| self.rects(u).iter().any(|rect| sees(&members, u, rect)))
            })
            .collect();
        if !seen_by.is_empty() {
            self.s.disasters.push(Disaster { group: g, seen_by });
        }
    }

    /// Puts a group to rout and makes its first rout move (SYW-ROUT-01 to -03), the way given or away from the nearest
    /// known enemy.
    pub(crate) fn rout(&mut self, g: GroupIx, way: Option<f64>, now: &mut Now<'_>) {
        if self.group(g).order != Order::Rout {
            self.note_disaster(g);
        }
        self.set_order(g, Order::Rout, None, now.log);
        self.no_longer_put_off(g);
        self.first_rout_move(g, way, now);
    }

    fn throw(&self, g: GroupIx, cavalry: Throw, infantry: Throw) -> Throw {
        if self.group(g).arm == Arm::Cavalry { cavalry } else { infantry }
    }

    pub(crate) fn first_rout_move(&mut self, g: GroupIx, way: Option<f64>, now: &mut Now<'_>) {
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let chart = self.fixed.book.charts.rout;
        let throw = self.throw(g, chart.cavalry, chart.infantry);
        let die = now.chance.faces("rout", 1, throw.die).first().copied().unwrap_or(1);
        let length = throw.base + f64::from(die);
        for &u in &members {
            self.unit_mut(u).disordered = true; // SYW-ROUT-05
        }
        let straight = angle::normalise(way.unwrap_or_else(|| self.way_from_nearest(g)));
        let foes = self.foes_of_routers(g);
        // SYW-ROUT-22: straight away, or the nearest heading that is free.
        let tried = |bend: f64| {
            let pack = self.packed(&members, angle::normalise(straight + bend));
            let (movers, walked) = self.run_of(&pack, length, &mut Dice::none(), true);
            let gone = movers.first().map_or(0.0, |m| m.gone);
            let barred = self.bars(&pack, gone, &foes) || self.meets_barrier(&pack, &walked, gone);
            if barred { Way::Shut } else { Way::Open(pack) }
        };
        let free = fall_back(angle::fan(5.0, 90.0), tried, |_, _| false);
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

    /// The way from the nearest known enemy (SYW-ROUT-02): the way he faces if they are directly to his front
    /// (SYW-MODEL-22), else from his middle to theirs; home without one.
    fn way_from_nearest(&self, g: GroupIx) -> f64 {
        let centre = self.centre_of(&self.members(g));
        let Some((enemy, _)) = self.nearest_enemy(g) else {
            return Self::inwards(self.s.armies[self.group(g).side.index().min(1)].edge) + 180.0;
        };
        let (unit, (left, right)) = (self.unit(enemy), self.front_of(self.unit(enemy)));
        let local = unit.pose().to_local(centre);
        if local.y > 0.0 && (left..=right).contains(&local.x) {
            return unit.facing;
        }
        angle::bearing(self.centre_of(&[enemy]), centre)
    }

    /// Where a run leads; enemies are looked at apart, and hidden ones do not show while it is only judged.
    fn run_of(&self, pack: &Pack, length: f64, dice: &mut Dice, blind: bool) -> (Movers, Walked) {
        let (mut movers, heed) = self.runners(pack, length);
        let heed = Heed { blind, ..heed };
        let walked = self.walk(&mut movers, &[pack.leg(length)], &heed, dice).unwrap_or_default();
        (movers, walked)
    }

    /// The run itself, with what the ground takes off it (SYW-MODEL-34).
    fn run_rolling(&self, pack: &Pack, length: f64, now: &mut Now<'_>) -> (Movers, Walked) {
        if !self.ground_rolls() {
            return self.run_of(pack, length, &mut Dice::none(), false);
        }
        let mut dice = Dice::from(now.chance);
        let found = self.run_of(pack, length, &mut dice, false);
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
        let mut walked = walked;
        if !walked.left_table && ran < gone - 0.01 {
            // Friends beyond where it ends have not been passed (SYW-INTER-02).
            let (mut again, heed) = self.runners(pack, f64::INFINITY);
            let heed = Heed { blind: true, ..heed };
            let shorter = self.walk(&mut again, &[pack.leg(ran)], &heed, &mut Dice::none());
            walked.passed = shorter.map(|w| w.passed).unwrap_or_default();
        }
        let left = movers.iter().map(Mover::left).fold(f64::MAX, f64::min).max(0.0);
        Run { gone, place, ran, left, walked }
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
        self.after_run(g, pack, run, (&beside, &passed), log);
    }

    /// What a run brings with it: friends passed, generals who go along, the edge.
    fn after_run(
        &mut self,
        g: GroupIx,
        pack: &Pack,
        run: &Run,
        (beside, passed): (&Beside, &[(UnitIx, UnitIx)]),
        log: &mut Log,
    ) {
        if run.walked.left_table || self.touches_edge(g) {
            self.passages(passed, log);
            self.leave_table(g, log);
            self.ask_along(g, beside);
            return;
        }
        if let Some(Stop::Ambush(hidden, mover)) = run.walked.stop {
            self.then_goes_on(g, Rest::Rout { left: run.left, way: pack.heading });
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
        let centre = self.centre_of(&members);
        let facing = self.group_facing(g);
        let straight_away =
            self.nearest_enemy(g).map_or(facing, |(e, _)| angle::bearing(self.centre_of(&[e]), centre));
        let best = self.way_home(g, &members, length, straight_away);
        // SYW-ROUT-09: with no such heading straight away until 5 short, or they stay.
        let barred = best.is_none();
        let (pack, length) = match best {
            Some(pack) => (pack, length),
            None => {
                let pack = self.packed(&members, angle::normalise(straight_away));
                let room = self.room_to_run(g, &pack, length);
                (pack, room)
            }
        };
        self.makes_run(g, &pack, length, barred, now);
    }

    /// The run of so much that ends nearest to an edge that is theirs, of those that keep 5 from the enemy: of headings every 5
    /// degrees, ties to the smaller turn from straight away, then to the right (SYW-ROUT-08, -09).
    fn way_home(&self, g: GroupIx, members: &[UnitIx], length: f64, straight_away: f64) -> Option<Pack> {
        let side = self.group(g).side;
        // By how near each could end at best: where it ends in the open, or where it begins.
        let mut headings: Vec<(i64, f64, Pack)> = (0..72)
            .map(|k| {
                let pack = self.packed(members, f64::from(k) * 5.0);
                let ends = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| {
                    let by = pack.forward() * (length * share);
                    self.ends_from_home(side, &self.pack_rects(&pack, by)).unwrap_or(0.0)
                });
                let least = ends.into_iter().fold(f64::MAX, f64::min);
                (hundredths(least), angle::turn(straight_away, pack.heading), pack)
            })
            .collect();
        headings.put_in_order_of(|a| a.0);
        let mut best: Option<((i64, i64, bool), Pack)> = None;
        for (least, turn, pack) in headings {
            if best.as_ref().is_some_and(|b| b.0.0 < least) {
                break;
            }
            let (movers, walked) = self.careful_run(&pack, length);
            if matches!(walked.stop, Some(Stop::Enemy(_))) || self.enemy_overlap(&movers, side) {
                continue;
            }
            let rects: SmallVec<[Rect; 16]> =
                movers.iter().flat_map(|m| self.rects_at(&m.new, m.new.pose())).collect();
            let Some(left) = self.ends_from_home(side, &rects) else { continue };
            let key = (hundredths(left), (turn.abs() * 10.0).round() as i64, turn < 0.0);
            if best.as_ref().is_none_or(|b| key < b.0) {
                best = Some((key, pack));
            }
        }
        best.map(|b| b.1)
    }

    /// How far from their own edges routers end: not at all where they leave by one of them (SYW-ROUT-19). By an edge that is
    /// not theirs they do not go home (SYW-ROUT-08): none.
    fn ends_from_home(&self, side: Side, rects: &[Rect]) -> Option<f64> {
        let table = self.fixed.table.bounds();
        let bounds = join_bounds(rects);
        let inside = table.grown(-AT_THE_EDGE);
        if inside.contains(bounds.min) && inside.contains(bounds.max) {
            let sum = rects.iter().fold(Point::ORIGIN, |sum, r| sum + r.centre());
            return Some(self.home_distance(side, sum * (1.0 / rects.len().max(1) as f64)));
        }
        let (_, at) = self.way_out(rects);
        let left = self.home_distance(side, at);
        (left <= 0.01).then_some(0.0)
    }

    /// What is left of a run, straight on (SYW-VIS-06).
    pub(crate) fn run_on(&mut self, g: GroupIx, way: f64, left: f64, now: &mut Now<'_>) {
        let pack = self.packed(&self.members(g), way);
        self.makes_run(g, &pack, left, false, now);
    }

    fn makes_run(&mut self, g: GroupIx, pack: &Pack, length: f64, barred: bool, now: &mut Now<'_>) {
        let (movers, walked) = self.run_rolling(pack, length, now);
        let foes = self.foes_of_routers(g);
        let run = self.run_ends(pack, &movers, walked, &foes);
        if run.ran >= 0.01 {
            let told = tricorne_table::round_to(run.ran, 0.01);
            let barred = barred.then_some("with the enemy across the way");
            let because = barred.or_else(|| run.because(length));
            now.say(|| {
                self.measured_event("rout", "SYW-ROUT-06", g).with("distance", told).with("because", because)
            });
        }
        self.set_routers_down(g, pack, &run, now.log);
    }

    /// A later run that keeps 5 from enemies (SYW-ROUT-08). Those who touch the routers already do not hold them.
    fn careful_run(&self, pack: &Pack, length: f64) -> (Movers, Walked) {
        let (mut movers, mut heed) = self.runners(pack, length);
        heed.blind = true;
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

    fn enemy_overlap(&self, movers: &[Mover], side: Side) -> bool {
        movers.iter().any(|m| {
            let rects = self.rects_at(&m.new, m.new.pose());
            let bounds = join_bounds(&rects);
            self.known_enemies(side).any(|e| self.overlaps_unit(&rects, &bounds, e))
        })
    }

    /// Whether a group touches the edge of the table: routers leave there (SYW-ROUT-19).
    pub(crate) fn touches_edge(&self, g: GroupIx) -> bool {
        let table = self.fixed.table.bounds();
        self.members(g).iter().any(|&u| {
            let b = self.unit(u).frame.bounds;
            b.min.x <= table.min.x + AT_THE_EDGE
                || b.min.y <= table.min.y + AT_THE_EDGE
                || b.max.x >= table.max.x - AT_THE_EDGE
                || b.max.y >= table.max.y - AT_THE_EDGE
        })
    }
}

/// Lengths as they are compared with each other (SYW-MODEL-02).
fn hundredths(length: f64) -> i64 {
    (length * 100.0).round() as i64
}
