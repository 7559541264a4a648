//! Lights that fall back and evade (SYW-EVADE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log};
use tricorne_table::Point;

use crate::action::Leg;
use crate::field::SevenYearsBattle;
use crate::options::EvaderCaught;
use crate::rulebook::Kind;
use crate::state::{GroupIx, Groups, OPEN, Order, SLACK, UnitIx, within};
use crate::walk::{Dice, Heed, Mover, Movers, Stop};

/// Lights keep this far from massed enemies (SYW-EVADE-01).
const KEEP: f64 = 10.0;

impl SevenYearsBattle {
    /// Whether a group is of the kind that falls back and evades (SYW-EVADE-01, -15, -16, -17).
    pub(crate) fn can_evade(&self, g: GroupIx) -> bool {
        let members = self.members(g);
        let group = self.group(g);
        !members.is_empty()
            && !matches!(group.order, Order::Rout | Order::Retreat)
            && members.iter().all(|&u| {
                matches!(self.info(u).kind, Kind::LI | Kind::Rif | Kind::LC)
                    && !self.in_melee(u)
                    && self.unit(u).is_known()
                    && !self.unit(u).surrendered
            })
    }

    /// In open or type 0 ground, by the ground's own type (SYW-EVADE-06).
    pub(crate) fn in_easy_ground(&self, g: GroupIx) -> bool {
        self.members(g).iter().all(|&u| {
            let ground = self.unit(u).frame.ground;
            ground == OPEN || ground == 0
        })
    }

    /// Enemy groups that must give way before a moving group (SYW-EVADE-01, -02).
    pub(crate) fn yielding_to(&self, g: GroupIx) -> Groups {
        let side = self.group(g).side;
        if !self.members(g).iter().any(|&u| self.is_massed(u)) {
            return Groups::new();
        }
        self.group_ids()
            .filter(|&e| {
                self.group(e).side != side
                    && self.group(e).units.iter().all(|&u| !self.is_massed(u))
                    && self.can_evade(e)
                    && self.in_easy_ground(e)
                    && self.fall_back_left(e) > SLACK
            })
            .collect()
    }

    /// How much of its move a group may still fall back (SYW-EVADE-03).
    pub(crate) fn fall_back_left(&self, g: GroupIx) -> f64 {
        let speed = self.members(g).iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        (speed - self.group(g).fell_back).max(0.0)
    }

    /// Where a group is before it moves, for its line of advance.
    pub(crate) fn before_fall_back(&self, g: GroupIx) -> Point {
        self.centre_of(&self.members(g))
    }

    /// Lights give way before a group that has just moved (I2).
    pub(crate) fn fall_back_before(
        &mut self,
        g: GroupIx,
        before: Point,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if self.group(g).off.is_some() {
            return;
        }
        let yielding = self.yielding_to(g);
        if yielding.is_empty() {
            return;
        }
        let now = self.centre_of(&self.members(g));
        let Some(way) = (now - before).unit() else { return };
        for light in yielding {
            let Some(gap) = self.groups_gap(g, light, KEEP) else { continue };
            if gap >= KEEP - SLACK {
                continue;
            }
            // Coming nearer, not going away.
            let to = self.centre_of(&self.members(light)) - before;
            if to.dot(way) <= 0.0 {
                continue;
            }
            self.give_way(g, light, way, log);
            let after = self.groups_gap(g, light, KEEP + 1.0).unwrap_or(f64::MAX);
            if after < KEEP - SLACK {
                self.hard_pressed(g, light, way, after, chance, log);
            }
        }
    }

    /// Goes back by the least distance that leaves 10 (SYW-EVADE-02, -03).
    fn give_way(&mut self, g: GroupIx, light: GroupIx, way: Point, log: &mut Log) {
        let left = self.fall_back_left(light);
        let mut wanted = 0.0;
        for _ in 0..6 {
            let gap = self.shifted_gap(light, g, way * wanted);
            if gap >= KEEP - 0.005 {
                break;
            }
            wanted += KEEP - gap;
        }
        let gone = self.slide_away(light, way, wanted.min(left), left, log);
        let id = self.group(light).id;
        log.say(|| {
            Event::new("fall_back", "SYW-EVADE-02")
                .with("group", id.as_str())
                .with("distance", tricorne_table::round_to(gone, 0.01))
        });
        self.set_order(light, Order::Reserve, log);
    }

    fn shifted_gap(&self, light: GroupIx, g: GroupIx, by: Point) -> f64 {
        let mut best = f64::MAX;
        for &u in &self.members(light) {
            let rects = self.rects_at(self.unit(u), self.unit(u).pose().slid(by));
            for &m in &self.members(g) {
                if let Some(gap) = self.rects_gap(&rects, m, best.min(60.0)) {
                    best = best.min(gap);
                }
            }
        }
        best
    }

    /// Slides a light group along a way, ground and friends heeded; returns how far it went.
    fn slide_away(
        &mut self,
        light: GroupIx,
        way: Point,
        distance: f64,
        allowance: f64,
        log: &mut Log,
    ) -> f64 {
        if distance <= SLACK {
            return 0.0;
        }
        let members = self.members(light);
        let heed = Heed { stop_at_enemies: true, ..Heed::default() };
        let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, allowance)).collect();
        let leg = Leg::Shift([way.x * distance, way.y * distance]);
        let Ok(walked) = self.walk(&mut movers, &[leg], &heed, &mut Dice::none()) else { return 0.0 };
        if walked.left_table {
            self.group_mut(light).evaded = true;
            self.leave_table(light, log); // SYW-EVADE-14
            return distance;
        }
        let side = self.group(light).side;
        // Not at rest on friends: a little farther, or not so far.
        let mut extra = 0.0;
        while self.resting_on(&movers, side).is_some() && extra < 12.0 {
            extra += 0.5;
            for m in &mut movers {
                m.new.at += way * 0.5;
                m.new.reframe();
            }
        }
        if self.resting_on(&movers, side).is_some() {
            return 0.0;
        }
        let off_table = movers.iter().any(|m| {
            let rects = self.rects_at(&m.new, m.new.pose());
            !self.fixed.table.holds_bounds(&crate::field::join_bounds(&rects))
        });
        if off_table {
            self.group_mut(light).evaded = true;
            self.leave_table(light, log);
            return distance;
        }
        let gone = movers.first().map_or(0.0, |m| m.gone) + extra;
        let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
        for m in movers {
            let u = m.u;
            let mut new = m.new;
            new.moved = true;
            self.put_as(u, new);
            self.push_generals(u, log);
        }
        self.group_mut(light).fell_back += spent;
        self.passages(&passed, log);
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            self.s.tasks.push(crate::turn::Task::Ambush { hidden, mover });
        }
        gone
    }

    /// Lights that could not keep 10: the mover halts if he must, else they evade or are caught (SYW-EVADE-04).
    fn hard_pressed(
        &mut self,
        g: GroupIx,
        light: GroupIx,
        way: Point,
        gap: f64,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let members = self.members(g);
        let halts = members.iter().any(|&u| {
            self.members(light).iter().any(|&e| {
                self.halts_before(u, e) && self.ahead_of(self.unit(u), self.unit(u).pose(), e).is_some()
            })
        });
        if halts && self.group(g).order == Order::Advance {
            // SYW-ORDER-32: he halts at his distance; the last stretch of his move is not made.
            let back = (KEEP - gap).max(0.0);
            for &u in &members {
                let pose = self.unit(u).pose().slid(way * -back);
                self.put(u, pose);
            }
            self.group_mut(g).halted = true;
            self.s.tasks.push(crate::turn::Task::Halt { group: g });
            return;
        }
        if gap > 0.05 {
            return;
        }
        let (roll, away) = self.roll_evade(light, chance);
        let gone = self.slide_away(light, way, f64::from(roll), f64::from(roll), log);
        let _ = (gone, away);
        let caught = self.groups_gap(g, light, 1.0).is_some_and(|gap| gap <= 0.05);
        let id = self.group(light).id;
        log.say(|| {
            Event::new("evade", "SYW-EVADE-07")
                .faces(&[roll])
                .outcome(if caught { "caught" } else { "away" })
                .with("group", id.as_str())
        });
        self.group_mut(light).evaded = true;
        if caught {
            self.catch(g, light, true, chance, log);
        }
    }

    fn roll_evade(&self, light: GroupIx, chance: &mut dyn Chance) -> (u8, bool) {
        let chart = self.fixed.book.charts.evade;
        let cavalry = self.group(light).arm == crate::rulebook::Arm::Cavalry;
        let die = if cavalry { chart.cavalry.die } else { chart.infantry.die };
        (chance.faces("evade", 1, die).first().copied().unwrap_or(1), cavalry)
    }

    /// Evaders that are caught (SYW-EVADE-11).
    fn catch(&mut self, by: GroupIx, light: GroupIx, had_to: bool, chance: &mut dyn Chance, log: &mut Log) {
        let destroyed = match self.fixed.options.evader_caught {
            EvaderCaught::ByCase => had_to,
            EvaderCaught::AlwaysRout => false,
            EvaderCaught::AlwaysDestroyed => true,
        };
        if destroyed {
            for u in self.members(light) {
                self.destroy(u, "SYW-EVADE-11", log);
            }
        } else {
            let away = self.centre_of(&self.members(by));
            self.rout(light, Some(away), chance, log);
        }
        self.sync_contacts();
    }

    /// Whether a charged light group has to go: charged by massed troops in open or type 0 ground (SYW-EVADE-06).
    pub(crate) fn must_evade(&self, light: GroupIx, by: GroupIx) -> bool {
        let massed =
            self.group(by).aims.iter().any(|a| self.unit(a.target).group == light && self.is_massed(a.unit));
        massed && self.in_easy_ground(light)
    }

    /// Falls back and evades before a charge (SYW-EVADE-05 to -11).
    pub(crate) fn evade(&mut self, light: GroupIx, by: GroupIx, chance: &mut dyn Chance, log: &mut Log) {
        let had_to = self.must_evade(light, by);
        let mut worst: Option<(f64, f64, Point)> = None;
        for aim in self.group(by).aims.clone() {
            if self.unit(aim.target).group != light {
                continue;
            }
            let left = self.charge_left(aim.unit);
            let gap = self.gap(aim.unit, aim.target);
            let way = tricorne_table::angle::forward(self.unit(aim.unit).facing + aim.wheel);
            if worst.as_ref().is_none_or(|w| left - gap > w.0 - w.1) {
                worst = Some((left, gap, way));
            }
        }
        let Some((reach, gap, way)) = worst else { return };
        let room = self.fall_back_left(light);
        let wanted = (reach + KEEP - gap).clamp(0.0, room);
        let fell = self.slide_away(light, way, wanted, room, log);
        let id = self.group(light).id;
        log.say(|| {
            Event::new("fall_back", "SYW-EVADE-03")
                .with("group", id.as_str())
                .with("distance", tricorne_table::round_to(fell, 0.01))
        });
        self.group_mut(light).evaded = true;
        if self.group(light).off.is_some() {
            return;
        }
        let mut sum = gap + fell;
        if within(sum, reach) {
            // SYW-EVADE-07
            let (roll, _) = self.roll_evade(light, chance);
            let extra = self.slide_away(light, way, f64::from(roll), f64::from(roll), log);
            sum += extra;
            let caught = within(sum, reach);
            log.say(|| {
                Event::new("evade", "SYW-EVADE-09")
                    .faces(&[roll])
                    .outcome(if caught { "caught" } else { "away" })
                    .with("group", id.as_str())
                    .with("distance", tricorne_table::round_to(fell + extra, 0.01))
            });
            if caught && self.group(light).off.is_none() {
                self.catch(by, light, had_to, chance, log);
                return;
            }
        }
        if self.group(light).off.is_none() {
            self.set_order(light, Order::Reserve, log); // SYW-EVADE-10
        }
        self.reveal_by_sight(log);
    }
}
