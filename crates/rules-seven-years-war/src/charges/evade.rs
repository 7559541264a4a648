//! Lights that fall back and evade (SYW-EVADE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::Now;
use tricorne_game::Event;
use tricorne_table::{Point, Rect, angle, brink};

use crate::action::Leg;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, gap_between, join_bounds};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Chase, Groups, OPEN, Order, SLACK, Unit, within};
use crate::movement::groups::Plan;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::options::EvaderCaught;
use crate::rulebook::{Kind, cm};

/// Why lights are on Reserve once they have got away (SYW-EVADE-10).
const EVADED: &str = "as those who evade do";
/// The same of those who only fell back (SYW-EVADE-03).
const GAVE_WAY: &str = "as lights that give way do";

/// Massed troops that come on at lights.
struct Onset {
    by: GroupIx,
    /// Their middle before the move, and the way it goes.
    from: Point,
    way: Point,
    /// Stands of each unit where the move would end.
    there: SmallVec<[Rects; 4]>,
}

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
        let mut lights: Groups = self
            .group_ids()
            .filter(|&e| self.group(e).side != side && self.can_evade(e) && self.in_easy_ground(e))
            .collect();
        self.in_order(&mut lights);
        lights
    }

    /// Enemy groups that must give way before a charge that goes home (SYW-EVADE-02); those whom it was declared against
    /// have had their own answer to it.
    pub(crate) fn yielding_to_charge(&self, g: GroupIx) -> Groups {
        let mut lights = self.yielding_to(g);
        lights.retain(|e| !self.group(g).phase.aims.iter().any(|a| self.unit(a.target).group == *e));
        lights
    }

    /// How much of its move a group may still fall back (SYW-EVADE-03).
    pub(crate) fn fall_back_left(&self, g: GroupIx) -> f64 {
        let speed = self.members(g).iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        (speed - self.group(g).phase.fell_back).max(0.0)
    }

    /// Lights give way before a move is made that would bring massed enemies nearer than 10, or through them (I2). Returns
    /// those who have gone as far as they can and are still too near: they stop the mover as any enemy does.
    pub(crate) fn give_way_to(&mut self, plan: &Plan, now: &mut Now<'_>) -> Groups {
        match self.onset(plan) {
            Some(onset) => self.give_way_before(plan, &onset, true, now),
            None => Groups::new(),
        }
    }

    /// Lights give way before a unit of a charging group, which ends where it does or, once it is aligned with its enemy,
    /// somewhere near.
    pub(crate) fn make_way(
        &mut self,
        g: GroupIx,
        mover: &Mover,
        legs: &[Leg],
        aligned: Option<&Unit>,
        now: &mut Now<'_>,
    ) {
        let yielding = self.yielding_to_charge(g);
        self.drive_lights(g, std::slice::from_ref(mover), legs, aligned, yielding, now);
    }

    /// Lights give way before chargers or pursuers (SYW-EVADE-02, SYW-PURSUE-03), who halt before nobody.
    pub(crate) fn drive_lights(
        &mut self,
        g: GroupIx,
        movers: &[Mover],
        legs: &[Leg],
        aligned: Option<&Unit>,
        yielding: Groups,
        now: &mut Now<'_>,
    ) {
        let path = SmallVec::from_slice(legs);
        let plan = Plan { group: g, movers: movers.to_vec(), path, yielding, ..Plan::default() };
        if let Some(mut onset) = self.onset(&plan) {
            if let Some(unit) = aligned {
                onset.there = SmallVec::from_iter([self.rects_at(unit, unit.pose())]);
            }
            self.give_way_before(&plan, &onset, false, now);
        }
    }

    fn give_way_before(&mut self, plan: &Plan, onset: &Onset, halts: bool, now: &mut Now<'_>) -> Groups {
        let mut firm = Groups::new();
        for &light in &plan.yielding {
            let overrun = self.overrun(plan, onset, light);
            let gap = self.shifted_gap(light, onset, Point::ORIGIN);
            // Coming nearer, not going away.
            let to = self.centre_of(&self.members(light)) - onset.from;
            if !overrun && (gap >= cm(self.distances().lights_keep) - SLACK || to.dot(onset.way) <= 0.0) {
                continue;
            }
            self.give_way(onset, light, overrun, now);
            if self.group(light).off.is_some() {
                continue;
            }
            let run_into = self.run_into(onset, light, overrun);
            let after = self.shifted_gap(light, onset, Point::ORIGIN);
            if !run_into && after >= cm(self.distances().lights_keep) - SLACK {
                continue;
            }
            if halts && self.must_halt_before(plan.group, light) {
                firm.push(light);
            } else if run_into {
                self.hard_pressed(onset, light, overrun, now);
            }
        }
        firm
    }

    /// Where those who make a move come from, and where it takes them; none where no lights have to give way.
    fn onset(&self, plan: &Plan) -> Option<Onset> {
        if plan.left_table || matches!(plan.stop, Some(Stop::Ambush(..))) || plan.yielding.is_empty() {
            return None;
        }
        let middle = |stands: &SmallVec<[Rects; 4]>| {
            let add = |(sum, n): (Point, f64), r: &Rect| (sum + r.centre(), n + 1.0);
            let (sum, n) = stands.iter().flatten().fold((Point::ORIGIN, 0.0), add);
            sum * (1.0 / f64::max(n, 1.0))
        };
        let from = middle(&plan.movers.iter().map(|m| self.rects(m.u)).collect());
        let there = plan
            .movers
            .iter()
            .map(|m| self.rects_at(&m.new, crate::model::state::grain(m.new.pose())))
            .collect();
        let way = (middle(&there) - from).unit()?;
        Some(Onset { by: plan.group, from, way, there })
    }

    /// Whether a move goes over lights who stay where they are (SYW-MODEL-33): it is walked again with them standing in its
    /// way.
    fn overrun(&self, plan: &Plan, onset: &Onset, light: GroupIx) -> bool {
        let lights = self.members(light);
        let reached = plan.movers.iter().zip(&onset.there).any(|(m, there)| {
            let about = self.unit(m.u).frame.bounds.join(&join_bounds(there)).grown(m.gone);
            lights.iter().any(|&e| self.unit(e).frame.bounds.meets(&about))
        });
        if !reached {
            return false;
        }
        let through =
            self.known_enemies(self.group(plan.group).side).filter(|e| !lights.contains(e)).collect();
        let heed =
            Heed { stop_at_enemies: true, through, blind: true, halt_at_edge: true, ..Heed::default() };
        let met = |who: &[Mover], legs: &[Leg]| {
            // What the move costs has been settled: it goes as far as it went.
            let mut again: Movers = who.iter().map(|m| Mover { allowance: 1e6, ..self.mover(m.u) }).collect();
            let walked = self.walk(&mut again, legs, &heed, &mut Dice::none());
            matches!(walked, Ok(Walked { stop: Some(Stop::Enemy(_)), .. }))
                && again.iter().zip(who).all(|(m, went)| m.gone < went.gone - SLACK)
        };
        if plan.each.is_empty() {
            return met(&plan.movers, &plan.path);
        }
        plan.movers
            .iter()
            .any(|m| plan.each.iter().any(|e| e.unit == m.new.id && met(std::slice::from_ref(m), &e.legs)))
    }

    /// How far lights would have to go to be clear of the front of those who come on.
    fn behind_front(&self, onset: &Onset, light: GroupIx) -> f64 {
        let front = onset.there.iter().flatten().flat_map(Rect::corners).map(|c| c.dot(onset.way));
        let lights = self.members(light);
        let rear =
            lights.iter().flat_map(|&u| self.rects(u)).flat_map(|r| r.corners()).map(|c| c.dot(onset.way));
        front.fold(f64::MIN, f64::max) - rear.fold(f64::MAX, f64::min)
    }

    /// Whether those who come on run into lights where they are now: at the end of the move, or on the way.
    fn run_into(&self, onset: &Onset, light: GroupIx, overrun: bool) -> bool {
        self.shifted_gap(light, onset, Point::ORIGIN) <= 0.05
            || (overrun && self.behind_front(onset, light) > SLACK)
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

    /// Goes back by the least distance that leaves 10 (SYW-EVADE-02, -03): those in whose place the move would end, or
    /// over whom it would go, get clear of its front first.
    fn give_way(&mut self, onset: &Onset, light: GroupIx, overrun: bool, now: &mut Now<'_>) {
        let left = self.fall_back_left(light);
        if left <= SLACK {
            return;
        }
        let keep = cm(self.distances().lights_keep);
        let clear = self.behind_front(onset, light).max(0.0);
        let mut far = |gone: f64| self.shifted_gap(light, onset, onset.way * gone) >= keep;
        let least = if overrun { clear } else { 0.0 };
        let wanted = if far(least) { least } else { brink([least, clear + keep], 48, 1e-6, &mut far)[1] };
        let by = onset.by;
        self.slide_away(light, onset.way, wanted.min(left), left, now, |b, gone, now| {
            now.say(|| b.gives_way("SYW-EVADE-02", light, by, gone));
        });
        self.set_order(light, Order::Reserve, Some(GAVE_WAY), now.log);
    }

    /// How near some coming stands would be to a light group that had shifted.
    fn shifted_gap(&self, light: GroupIx, onset: &Onset, by: Point) -> f64 {
        let mut best = f64::MAX;
        for &u in &self.members(light) {
            let mine = self.rects_at(self.unit(u), self.unit(u).pose().slid(by));
            best = onset.there.iter().map(|others| gap_between(&mine, others)).fold(best, f64::min);
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
        // Not at rest on friends: a little farther if their move allows it (SYW-EVADE-03), or not so far.
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
        let left = movers.iter().map(Mover::left).fold(f64::MAX, f64::min);
        let price = movers.iter().filter(|m| m.gone > 0.0).map(|m| m.spent / m.gone).fold(1.0, f64::max);
        let further = (0..=24)
            .map(|k| 0.5 * f64::from(k))
            .take_while(|&by| by == 0.0 || (within(by * price, left) && !shut(&shifted(by))));
        let nearer = (1..).map(|k| -0.5 * f64::from(k)).take_while(|&by| walked_so_far + by > 0.0);
        let clear = |by: &f64| self.resting_on(&shifted(*by), side).is_none();
        let Some(extra) = further.chain(nearer).find(clear) else {
            tell(self, 0.0, now);
            return 0.0;
        };
        movers = shifted(extra);
        let off_table = movers.iter().any(|m| {
            let rects = self.rects_at(&m.new, m.new.pose());
            !self.fixed.table.holds_bounds(&join_bounds(&rects))
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
        let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max) + extra.max(0.0) * price;
        let through = if extra < 0.0 {
            // Friends they would have come to rest on have not been passed.
            let mut again: Movers = members.iter().map(|&u| Mover::new(self, u, allowance)).collect();
            let leg = Leg::Shift([way.x * gone, way.y * gone]);
            self.walk(&mut again, &[leg], &heed, &mut Dice::none()).map(|w| w.through).unwrap_or_default()
        } else {
            walked.through
        };
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            through.into_iter().filter(|(_, f)| !members.contains(f)).collect();
        tell(self, gone, now);
        self.put_movers(movers, now.log);
        self.group_mut(light).phase.fell_back += spent;
        self.passages(&passed, now.log);
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            let (left, allowance) = (distance - gone, allowance - spent);
            if !self.gives_way_once_more(light, left, allowance) {
                let way = angle::bearing(Point::ORIGIN, way);
                self.then_goes_on(light, Rest::GiveWay { left, way, allowance });
                self.ambushed(hidden, mover);
            }
        }
        gone
    }

    /// Lights that have come upon hidden enemies go on when these hold their fire (SYW-VIS-06).
    pub(crate) fn give_way_farther(
        &mut self,
        light: GroupIx,
        way: f64,
        [left, allowance]: [f64; 2],
        now: &mut Now<'_>,
    ) {
        let gone = self.slide_away(light, angle::forward(way), left, allowance, now, |b, gone, now| {
            now.say(|| {
                b.measured_event("fall_back", "SYW-EVADE-02", light)
                    .outcome(if gone < 0.05 { "stays" } else { "back" })
                    .with("distance", tricorne_table::round_to(gone, 0.01))
            });
        });
        for chase in &mut self.group_mut(light).phase.chased {
            chase.gone += gone;
        }
    }

    /// Lights that the mover would still run into: they evade, or are caught (SYW-EVADE-04, -07, -11).
    fn hard_pressed(&mut self, onset: &Onset, light: GroupIx, overrun: bool, now: &mut Now<'_>) {
        let roll = self.roll_evade(light, now.chance);
        self.slide_away(light, onset.way, f64::from(roll), f64::from(roll), now, |_, _, _| ());
        let away = self.group(light).off.is_some();
        let caught = !away && self.run_into(onset, light, overrun);
        now.say(|| {
            self.group_event("evade", "SYW-EVADE-07", light).faces(&[roll]).outcome(if caught {
                "caught"
            } else {
                "away"
            })
        });
        self.group_mut(light).phase.evaded = true;
        if caught {
            self.catch(light, true, Some(angle::bearing(Point::ORIGIN, onset.way)), now);
        } else if !away {
            self.set_order(light, Order::Reserve, Some(EVADED), now.log);
        }
    }

    fn roll_evade(&self, light: GroupIx, chance: &mut dyn Chance) -> u8 {
        let chart = self.fixed.book.charts.evade;
        let cavalry = self.group(light).arm == crate::rulebook::Arm::Cavalry;
        let die = if cavalry { chart.cavalry.die } else { chart.infantry.die };
        chance.faces("evade", 1, die).first().copied().unwrap_or(1)
    }

    /// The chase of lights by a group that has enough move left to catch them (SYW-EVADE-09).
    pub(crate) fn chase_of(&self, light: GroupIx, by: GroupIx) -> Option<Chase> {
        self.group(light).phase.chased.iter().copied().find(|c| c.by == by)
    }

    /// Evaders that are caught (SYW-EVADE-11); those who rout run along the line of the charge.
    pub(crate) fn catch(&mut self, light: GroupIx, had_to: bool, way: Option<f64>, now: &mut Now<'_>) {
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
            let Some(chase) = self.chase_of(light, g) else { continue };
            self.group_mut(light).phase.chased.retain(|c| c.by != g);
            if self.members(light).is_empty() || self.group(light).order == Order::Rout {
                continue;
            }
            let aims = self.aims_at(g, light);
            let caught = aims.iter().any(|a| {
                let reach = self.charge_reach(a);
                self.unit(a.unit).is_known()
                    && within(a.gap + chase.gone, reach + self.ridden_ahead(a.unit))
                    // Another charge may have driven them farther.
                    && self.members(light).iter().any(|&u| self.near(a.unit, u, reach))
                    && !self.is_stopped_before(a, light)
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
        let mut worst: Option<(f64, f64, Aim)> = None;
        let pursuit = self.pursuit_left(by);
        for aim in self.aims_at(by, light) {
            let reach = pursuit.unwrap_or_else(|| self.charge_reach(&aim));
            let gap = self.gap(aim.unit, aim.target);
            if worst.as_ref().is_none_or(|w| reach - gap > w.0 - w.1) {
                worst = Some((reach, gap, aim));
            }
        }
        let Some((reach, gap, aim)) = worst else { return };
        let way = angle::forward(self.unit(aim.unit).facing + aim.wheel);
        let room = self.fall_back_left(light);
        let wanted = (reach + cm(self.distances().lights_keep) - gap).clamp(0.0, room);
        let fell = self.slide_away(light, way, wanted, room, now, |b, fell, now| {
            now.say(|| b.gives_way("SYW-EVADE-03", light, by, fell));
        });
        if self.group(light).off.is_some() {
            return;
        }
        let mut sum = gap + fell;
        if within(sum, reach) {
            // SYW-EVADE-07: who has fallen back far enough does not evade (SYW-EVADE-12, -13).
            self.group_mut(light).phase.evaded = true;
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
                self.group_mut(light).phase.chased.push(Chase { by, gone: sum - aim.gap, had_to });
            }
        }
        if self.group(light).off.is_none() {
            // SYW-EVADE-10
            let why = if self.group(light).phase.evaded { EVADED } else { GAVE_WAY };
            self.set_order(light, Order::Reserve, Some(why), now.log);
        }
        self.reveal_by_sight(now.log);
    }
}
