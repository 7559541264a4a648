//! Lights that fall back and evade (SYW-EVADE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::Now;
use tricorne_game::Event;
use tricorne_table::{Point, angle};

use crate::action::Leg;
use crate::model::field::{Rects, SevenYearsBattle, bounds_of, gap_of};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Chase, Groups, OPEN, Order, SLACK, within};
use crate::movement::groups::Plan;
use crate::movement::walk::{Heed, Mover, Movers, Stop};
use crate::options::EvaderCaught;
use crate::rulebook::{Kind, cm};

/// Stands of each unit of a group that comes on, where its move would end.
type Coming = SmallVec<[Rects; 4]>;

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
                    && self.can_evade(e)
                    && self.in_easy_ground(e)
                    && self.fall_back_left(e) > SLACK
            })
            .collect()
    }

    /// How much of its move a group may still fall back (SYW-EVADE-03).
    pub(crate) fn fall_back_left(&self, g: GroupIx) -> f64 {
        let speed = self.members(g).iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        (speed - self.group(g).phase.fell_back).max(0.0)
    }

    /// Lights give way before a move is made that would bring massed enemies nearer than 10 (I2). Returns those who have
    /// gone as far as they can and are still too near: they stop the mover as any enemy does.
    pub(crate) fn give_way_to(&mut self, plan: &Plan, now: &mut Now<'_>) -> Groups {
        let g = plan.group;
        let mut firm = Groups::new();
        if plan.left_table || matches!(plan.stop, Some(Stop::Ambush(..))) {
            return firm;
        }
        let yielding = self.yielding_to(g);
        if yielding.is_empty() {
            return firm;
        }
        let coming: Coming = plan
            .movers
            .iter()
            .map(|m| self.rects_at(&m.new, crate::model::state::grain(m.new.pose())))
            .collect();
        let before = self.centre_of(&self.members(g));
        let (mut sum, mut n) = (Point::ORIGIN, 0.0);
        for r in coming.iter().flatten() {
            sum += r.centre();
            n += 1.0;
        }
        let Some(way) = (sum * (1.0 / f64::max(n, 1.0)) - before).unit() else { return firm };
        for light in yielding {
            let gap = self.shifted_gap(light, &coming, Point::ORIGIN);
            // Coming nearer, not going away.
            let to = self.centre_of(&self.members(light)) - before;
            if gap >= cm(self.distances().lights_keep) - SLACK || to.dot(way) <= 0.0 {
                continue;
            }
            self.give_way(&coming, light, g, way, now);
            if self.group(light).off.is_some() {
                continue;
            }
            let after = self.shifted_gap(light, &coming, Point::ORIGIN);
            if after >= cm(self.distances().lights_keep) - SLACK {
                continue;
            }
            if self.must_halt_before(g, light) {
                firm.push(light);
            } else if after <= 0.05 {
                self.hard_pressed(&coming, light, way, now);
            }
        }
        firm
    }

    /// Whether a group on Advance has to halt in front of these lights (SYW-ORDER-28, -29, -32).
    fn must_halt_before(&self, g: GroupIx, light: GroupIx) -> bool {
        self.group(g).order == Order::Advance
            && self.members(g).iter().any(|&u| {
                self.halting_distance(u) > 0.0
                    && self.members(light).iter().any(|&e| {
                        self.halts_before(u, e)
                            && self.ahead_of(self.unit(u), self.unit(u).pose(), e).is_some()
                    })
            })
    }

    /// Goes back by the least distance that leaves 10 (SYW-EVADE-02, -03).
    fn give_way(&mut self, coming: &Coming, light: GroupIx, by: GroupIx, way: Point, now: &mut Now<'_>) {
        let left = self.fall_back_left(light);
        let mut wanted = 0.0;
        for _ in 0..6 {
            let gap = self.shifted_gap(light, coming, way * wanted);
            if gap >= cm(self.distances().lights_keep) - 0.005 {
                break;
            }
            wanted += cm(self.distances().lights_keep) - gap;
        }
        self.slide_away(light, way, wanted.min(left), left, now, |b, gone, now| {
            now.say(|| b.gives_way("SYW-EVADE-02", light, by, gone));
        });
        self.set_order(light, Order::Reserve, Some("as lights that give way do"), now.log);
    }

    /// How near some coming stands would be to a light group that had shifted.
    fn shifted_gap(&self, light: GroupIx, coming: &Coming, by: Point) -> f64 {
        let mut best = f64::MAX;
        for &u in &self.members(light) {
            for mine in &self.rects_at(self.unit(u), self.unit(u).pose().slid(by)) {
                let bounds = bounds_of(mine);
                for other in coming.iter().flatten() {
                    if bounds.gap_squared(&bounds_of(other)) < best * best {
                        best = best.min(gap_of(mine, other));
                    }
                }
            }
        }
        best
    }

    /// Lights that go back before somebody who comes on.
    fn gives_way(&self, clause: &'static str, light: GroupIx, by: GroupIx, gone: f64) -> Event {
        self.measured_event("fall_back", clause, light)
            .outcome(if gone < 0.05 { "stays" } else { "back" })
            .with("distance", tricorne_table::round_to(gone, 0.01))
            .with("before", self.troops(by))
    }

    /// Slides a light group along a way, ground and friends heeded; returns how far it went. That is told before what
    /// comes of it: friends passed, the edge.
    fn slide_away(
        &mut self,
        light: GroupIx,
        way: Point,
        distance: f64,
        allowance: f64,
        now: &mut Now<'_>,
        tell: impl FnOnce(&mut Self, f64, &mut Now<'_>),
    ) -> f64 {
        if distance <= SLACK {
            tell(self, 0.0, now);
            return 0.0;
        }
        let members = self.members(light);
        let heed = Heed { stop_at_enemies: true, ..Heed::default() };
        let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, allowance)).collect();
        let leg = Leg::Shift([way.x * distance, way.y * distance]);
        let Ok(walked) = self.walk_rolling(&mut movers, &[leg], &heed, now) else {
            tell(self, 0.0, now);
            return 0.0;
        };
        if walked.left_table {
            tell(self, distance, now);
            self.group_mut(light).phase.evaded = true;
            let beside = self.generals_beside(light);
            self.leave_by(light, &movers, now.log); // SYW-EVADE-14
            self.ask_along(light, &beside);
            return distance;
        }
        let side = self.group(light).side;
        // Not at rest on friends: a little farther, or not so far.
        let shifted = |by: f64| {
            let mut there = movers.clone();
            for m in &mut there {
                m.new.at += way * by;
                m.new.reframe();
            }
            there
        };
        let shut = |there: &Movers| {
            there.iter().any(|m| self.on_impassable(&self.rects_at(&m.new, m.new.pose()), m.u))
        };
        let walked_so_far = movers.first().map_or(0.0, |m| m.gone);
        let further = (0..=24).map(|k| 0.5 * f64::from(k)).take_while(|&by| by == 0.0 || !shut(&shifted(by)));
        let nearer = (1..).map(|k| -0.5 * f64::from(k)).take_while(|&by| walked_so_far + by > 0.0);
        let clear = |by: &f64| self.resting_on(&shifted(*by), side).is_none();
        let Some(extra) = further.chain(nearer).find(clear) else {
            tell(self, 0.0, now);
            return 0.0;
        };
        movers = shifted(extra);
        let off_table = movers.iter().any(|m| {
            let rects = self.rects_at(&m.new, m.new.pose());
            !self.fixed.table.holds_bounds(&crate::model::field::join_bounds(&rects))
        });
        if off_table {
            tell(self, distance, now);
            self.group_mut(light).phase.evaded = true;
            let beside = self.generals_beside(light);
            self.leave_by(light, &movers, now.log);
            self.ask_along(light, &beside);
            return distance;
        }
        let gone = movers.first().map_or(0.0, |m| m.gone) + extra;
        let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.through.iter().copied().filter(|(_, f)| !members.contains(f)).collect();
        tell(self, gone, now);
        self.put_movers(movers, now.log);
        self.group_mut(light).phase.fell_back += spent;
        self.passages(&passed, now.log);
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            self.ambushed(hidden, mover);
        }
        gone
    }

    /// Lights that the mover would still run into: they evade, or are caught (SYW-EVADE-04, -07, -11).
    fn hard_pressed(&mut self, coming: &Coming, light: GroupIx, way: Point, now: &mut Now<'_>) {
        let roll = self.roll_evade(light, now.chance);
        self.slide_away(light, way, f64::from(roll), f64::from(roll), now, |_, _, _| ());
        let away = self.group(light).off.is_some();
        let caught = !away && self.shifted_gap(light, coming, Point::ORIGIN) <= 0.05;
        now.say(|| {
            self.group_event("evade", "SYW-EVADE-07", light).faces(&[roll]).outcome(if caught {
                "caught"
            } else {
                "away"
            })
        });
        self.group_mut(light).phase.evaded = true;
        if caught {
            self.catch(light, true, Some(angle::bearing(Point::ORIGIN, way)), now);
        }
    }

    fn roll_evade(&self, light: GroupIx, chance: &mut dyn Chance) -> u8 {
        let chart = self.fixed.book.charts.evade;
        let cavalry = self.group(light).arm == crate::rulebook::Arm::Cavalry;
        let die = if cavalry { chart.cavalry.die } else { chart.infantry.die };
        chance.faces("evade", 1, die).first().copied().unwrap_or(1)
    }

    /// Evaders that are caught (SYW-EVADE-11); those who rout run along the line of the charge.
    fn catch(&mut self, light: GroupIx, had_to: bool, way: Option<f64>, now: &mut Now<'_>) {
        let destroyed = match self.fixed.options.evader_caught {
            EvaderCaught::ByCase => had_to,
            EvaderCaught::AlwaysRout => false,
            EvaderCaught::AlwaysDestroyed => true,
        };
        if destroyed {
            for u in self.members(light) {
                self.destroy(u, "SYW-EVADE-11", now.log);
            }
        } else {
            self.rout(light, way, now);
        }
        self.sync_contacts();
    }

    /// A charge that goes home catches the evaders it has enough move left for, if it meets nobody else first
    /// (SYW-EVADE-09, -18).
    pub(crate) fn catch_evaders(&mut self, g: GroupIx, now: &mut Now<'_>) {
        let mut lights: Groups = self.group(g).phase.aims.iter().map(|a| self.unit(a.target).group).collect();
        self.in_order(&mut lights);
        for light in lights {
            let Some(chase) = self.group(light).phase.chased.iter().copied().find(|c| c.by == g) else {
                continue;
            };
            self.group_mut(light).phase.chased.retain(|c| c.by != g);
            if self.members(light).is_empty() || self.group(light).order == Order::Rout {
                continue;
            }
            let aims = self.aims_at(g, light);
            let caught = aims.iter().any(|a| {
                self.unit(a.unit).is_known()
                    && within(chase.reach, self.charge_left(a.unit))
                    && self.first_in_path(a).is_none_or(|(e, _)| self.unit(e).group == light)
            });
            if caught {
                now.say(|| self.group_event("caught", "SYW-EVADE-09", light));
                let way = self.line_of_charge(&aims);
                self.catch(light, chase.had_to, way, now);
            }
        }
    }

    /// Whether a charged light group has to go: charged by massed troops in open or type 0 ground (SYW-EVADE-06).
    pub(crate) fn must_evade(&self, light: GroupIx, by: GroupIx) -> bool {
        let massed = self
            .group(by)
            .phase
            .aims
            .iter()
            .any(|a| self.unit(a.target).group == light && self.is_massed(a.unit));
        massed && self.in_easy_ground(light)
    }

    /// Falls back and evades before a charge (SYW-EVADE-05 to -11).
    pub(crate) fn evade(&mut self, light: GroupIx, by: GroupIx, now: &mut Now<'_>) {
        let had_to = self.must_evade(light, by);
        let mut worst: Option<(f64, f64, Point)> = None;
        for aim in self.group(by).phase.aims.clone() {
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
        let wanted = (reach + cm(self.distances().lights_keep) - gap).clamp(0.0, room);
        let fell = self.slide_away(light, way, wanted, room, now, |b, fell, now| {
            now.say(|| b.gives_way("SYW-EVADE-03", light, by, fell));
        });
        self.group_mut(light).phase.evaded = true;
        if self.group(light).off.is_some() {
            return;
        }
        let mut sum = gap + fell;
        if within(sum, reach) {
            // SYW-EVADE-07
            let roll = self.roll_evade(light, now.chance);
            let before = sum;
            let extra =
                self.slide_away(light, way, f64::from(roll), f64::from(roll), now, |b, extra, now| {
                    let reached = within(before + extra, reach);
                    now.say(|| {
                        b.measured_event("evade", "SYW-EVADE-09", light)
                            .faces(&[roll])
                            .outcome(if reached { "reached" } else { "away" })
                            .with("distance", tricorne_table::round_to(fell + extra, 0.01))
                            .with("farther", tricorne_table::round_to(extra, 0.01))
                    });
                });
            sum += extra;
            let reached = within(sum, reach);
            if reached && self.group(light).off.is_none() {
                self.group_mut(light).phase.chased.push(Chase { by, reach: sum, had_to });
            }
        }
        if self.group(light).off.is_none() {
            // SYW-EVADE-10
            self.set_order(light, Order::Reserve, Some("as those who evade do"), now.log);
        }
        self.reveal_by_sight(now.log);
    }
}
