//! Retreat moves (SYW-ORDER-46 to -50).

use crate::action::{Hand, Leg};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::stands;
use crate::model::state::{Order, Units, grain, within};
use crate::morale::disorder::Disorder;
use crate::movement::groups::Plan;
use crate::movement::walk::{Dice, Heed, Movers, Stop};
use crate::rulebook::{Drill, in_words, part};
use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Illegal, Log};
use tricorne_table::angle;

impl SevenYearsBattle {
    /// Judges a retreat move (SYW-ORDER-46 to -48); returns where everybody ends.
    pub(crate) fn plan_retreat(
        &self,
        g: GroupIx,
        distance: Option<f64>,
        legs: &[Leg],
        about: bool,
    ) -> Result<Plan, Illegal> {
        let group = self.group(g);
        if group.order != Order::Retreat || group.side != self.s.phasing {
            return refuse("SYW-ORDER-46", format!("{} is not on Retreat", group.id));
        }
        if group.phase.fled {
            return refuse("SYW-MOVE-12", format!("{} has made its move of this phase", group.id));
        }
        let members = self.shown(g);
        if members.is_empty() {
            return refuse("SYW-GROUP-01", format!("{} has nobody on the table", group.id));
        }
        let badly = members.iter().any(|&u| self.info(u).drill == Drill::Badly);
        let slowest = members.iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        let greatest = members.iter().map(|&u| self.info(u).speed).fold(0.0, f64::max);
        let least = self.fixed.book.charts.shares.retreat;
        // What it has gone before hidden enemies held their fire counts (SYW-VIS-06).
        let used = group.phase.used;
        let owed = (part(least, greatest) - used).max(0.0);
        let length = distance.unwrap_or(owed).min(1e6);
        if !length.is_finite() || length < 0.0 {
            return refuse("SYW-ORDER-46", "a retreat needs an ordinary distance");
        }
        if !within(length + used, slowest) {
            return refuse("SYW-MOVE-01", format!("{} moves {slowest:.0} cm at most", group.id));
        }
        if !within(owed, length) && legs.is_empty() {
            return refuse(
                "SYW-ORDER-46",
                format!("{} must move at least {} its speed on Retreat", group.id, in_words(least)),
            );
        }
        let heed = Heed { back: 1.0, stop_at_enemies: true, blind: true, ..Heed::default() };
        // With no enemy known when the phase began nobody was near (SYW-ORDER-46).
        let began =
            if group.phase.began_gap > 0.0 { group.phase.began_gap } else { self.group_gap_to_enemy(g) };
        let mut why = Illegal::new("SYW-ORDER-46", "it must end farther from the nearest known enemy");
        let given: [&[Leg]; 1] = [legs];
        let straight = [[Leg::Back(length)], [Leg::Forward(length)]];
        let tries: SmallVec<[&[Leg]; 2]> = if legs.is_empty() {
            straight.iter().map(<[Leg; 1]>::as_slice).collect()
        } else {
            given.into_iter().collect()
        };
        for path in tries {
            for leg in path {
                if !matches!(leg, Leg::Back(_) | Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. }) {
                    return refuse("SYW-ORDER-47", "a retreat goes by marching, wheeling and inclining only");
                }
            }
            let mut movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
            let walked = match self.walk(&mut movers, path, &heed, &mut Dice::none()) {
                Ok(walked) => walked,
                Err(e) => {
                    why = e;
                    continue;
                }
            };
            let mut plan = Plan { group: g, path: SmallVec::from_slice(path), ..Plan::default() };
            self.take_in(&mut plan, movers, &walked);
            if plan.left_table {
                return Ok(plan); // SYW-OFF-03
            }
            if let Some(m) = plan.movers.iter().find(|m| {
                let turn = angle::turn(self.unit(m.u).facing, m.new.facing).abs();
                turn > 0.5 && turn < 179.5
            }) {
                why = Illegal::new(
                    "SYW-ORDER-47",
                    format!("{} must end facing as it began, or the opposite way; wheel back", m.new.id),
                );
                continue;
            }
            let enough = plan.movers.iter().any(|m| within(owed, m.spent));
            let gap = self.planned_gap(&plan);
            if !enough {
                why = Illegal::new(
                    "SYW-ORDER-46",
                    format!(
                        "{} is stopped before it has moved {} its speed that way",
                        group.id,
                        in_words(least)
                    ),
                );
                continue;
            }
            if gap.is_some_and(|gap| began.is_finite() && within(gap, began)) {
                continue;
            }
            if let Some((u, v)) = self.resting_on(&plan.movers, group.side) {
                why = Illegal::new(
                    "SYW-MODEL-33",
                    format!("{} would come to rest on {}", self.unit(u).id, self.unit(v).id),
                );
                continue;
            }
            let closed = |m: &&crate::movement::walk::Mover| {
                let rects = self.rects_at(&m.new, grain(m.new.pose()));
                self.on_impassable(&rects, m.u) && !self.on_impassable(&self.rects(m.u), m.u)
            };
            if let Some(m) = plan.movers.iter().find(closed) {
                why = Illegal::new("SYW-TERR-03", format!("{} may not enter the ground there", m.new.id));
                continue;
            }
            // Badly drilled troops that a wheel has brought round already look the opposite way.
            let round =
                plan.movers.iter().all(|m| angle::turn(self.unit(m.u).facing, m.new.facing).abs() > 90.0);
            let turns = if badly { !round } else { about };
            if turns {
                // SYW-ORDER-47, where there is room to turn (SYW-MODEL-31).
                let mut turned = plan.movers.clone();
                for m in &mut turned {
                    m.new = stands::turned_about(&m.new, self.info(m.u));
                    m.new.reframe();
                }
                if self.stand_apart(&turned) {
                    plan.movers = turned;
                    plan.changed = true;
                } else if about {
                    why = Illegal::new("SYW-MODEL-31", format!("{} has no room to turn about", group.id));
                    continue;
                }
            }
            return Ok(plan);
        }
        Err(why)
    }

    /// Whether none of some movers would stand on another.
    fn stand_apart(&self, movers: &[crate::movement::walk::Mover]) -> bool {
        movers.iter().enumerate().all(|(k, a)| {
            let rects = self.rects_at(&a.new, grain(a.new.pose()));
            movers[k + 1..]
                .iter()
                .all(|b| !Self::any_overlap(&rects, &self.rects_at(&b.new, grain(b.new.pose()))))
        })
    }

    /// A legal retreat if there is any: straight, inclining, or wheeling out and back again (SYW-ORDER-49).
    pub(crate) fn some_retreat(&self, g: GroupIx, about: bool) -> Option<Plan> {
        self.plan_retreat(g, None, &[], about).ok().or_else(|| self.other_retreat(g, about))
    }

    /// The same where straight on as far as it must is known to be none.
    pub(crate) fn other_retreat(&self, g: GroupIx, about: bool) -> Option<Plan> {
        let members = self.shown(g);
        let slowest = members.iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        let greatest = members.iter().map(|&u| self.info(u).speed).fold(0.0, f64::max);
        let used = self.group(g).phase.used;
        let half = (part(self.fixed.book.charts.shares.retreat, greatest) - used).max(0.0);
        let slowest = (slowest - used).max(half);
        let lengths = [half, (half + slowest) * 0.5, slowest];
        // The first of them is what it must.
        for length in lengths.into_iter().skip(1) {
            if let Ok(plan) = self.plan_retreat(g, Some(length), &[], about) {
                return Some(plan);
            }
        }
        let dear = members.iter().filter_map(|&u| self.incline_price(u).ok()).fold(1.0, f64::max);
        for length in lengths {
            for side in [Hand::Left, Hand::Right] {
                let legs = [Leg::Incline { side, distance: length / dear }];
                if let Ok(plan) = self.plan_retreat(g, None, &legs, about) {
                    return Some(plan);
                }
            }
        }
        let movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
        let slow = members.iter().map(|&u| self.drill_row(u).wheel).fold(1.0, f64::max);
        let other = |side: Hand| if side == Hand::Left { Hand::Right } else { Hand::Left };
        for step in 1..=18 {
            let degrees = f64::from(step) * 5.0;
            for side in [Hand::Left, Hand::Right] {
                let (_, width) = self.hinge(&movers, side);
                let cost = 2.0 * self.wheel_price(width, degrees) * slow;
                for length in lengths {
                    if cost + 0.5 > length {
                        continue;
                    }
                    let straight = length - cost;
                    for march in [Leg::Back(straight), Leg::Forward(straight)] {
                        let back = Leg::Wheel { side: other(side), degrees };
                        let legs = [Leg::Wheel { side, degrees }, march, back];
                        if let Ok(plan) = self.plan_retreat(g, None, &legs, about) {
                            return Some(plan);
                        }
                    }
                }
            }
        }
        None
    }

    /// A judged retreat walked again, with the dice its ground asks for and the hidden enemies on its way (SYW-TERR-05,
    /// SYW-VIS-04).
    fn real_retreat(&self, plan: Plan, now: &mut Now<'_>) -> Plan {
        let enemy = self.group(plan.group).side.enemy();
        if !self.ground_rolls() && self.hidden_units(enemy).is_empty() {
            return plan;
        }
        let mut path = plan.path.clone();
        let heed = Heed { back: 1.0, stop_at_enemies: true, ..Heed::default() };
        let mut movers: Movers = plan.movers.iter().map(|m| self.mover(m.u)).collect();
        let Ok(mut walked) = self.walk_rolling(&mut movers, &path, &heed, now) else { return plan };
        // Dice may leave it on top of friends it had meant to pass: it stops short of them.
        let side = self.group(plan.group).side;
        while !walked.left_table && self.resting_on(&movers, side).is_some() {
            let Some(last) = path.last_mut() else { return plan };
            let length = match last {
                Leg::Forward(d) | Leg::Back(d) => d,
                Leg::Incline { distance, .. } => distance,
                _ => return plan,
            };
            let gone = movers.first().map_or(0.0, |m| m.gone);
            *length = (length.min(gone) - 0.5).max(0.0);
            let done = *length <= 0.0;
            movers = plan.movers.iter().map(|m| self.mover(m.u)).collect();
            let Ok(again) = self.walk(&mut movers, &path, &heed, &mut Dice::none()) else { return plan };
            walked = again;
            if done {
                break;
            }
        }
        let mut real = Plan { group: plan.group, changed: plan.changed, ..Plan::default() };
        self.take_in(&mut real, movers, &walked);
        if plan.changed && !real.left_table && !matches!(walked.stop, Some(Stop::Ambush(..))) {
            let mut turned = real.movers.clone();
            for m in &mut turned {
                m.new = stands::turned_about(&m.new, self.info(m.u));
                m.new.reframe();
            }
            if self.stand_apart(&turned) {
                real.movers = turned;
            }
        }
        real
    }

    /// Distance to the nearest known enemy where a plan ends; none without known enemies.
    pub(crate) fn planned_gap(&self, plan: &Plan) -> Option<f64> {
        let side = self.group(plan.group).side;
        let mut best: Option<f64> = None;
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, m.new.pose());
            for e in self.known_enemies(side).filter(|&e| self.holds_ground(e)) {
                if let Some(gap) = self.rects_gap(&rects, e, best.unwrap_or(1e6)) {
                    best = Some(best.map_or(gap, |b| b.min(gap)));
                }
            }
        }
        best
    }

    /// Makes a retreat move.
    pub(crate) fn make_retreat(&mut self, plan: Plan, now: &mut Now<'_>) {
        let movers: Units = plan.movers.iter().map(|m| m.u).collect();
        self.gather_round(&movers, now.log);
        let plan = self.real_retreat(plan, now);
        let g = plan.group;
        self.group_mut(g).phase.fled = true;
        self.group_mut(g).phase.moved = true;
        let beside = self.generals_beside(g);
        if plan.left_table {
            self.leave_by(g, &plan.movers, now.log);
            self.ask_along(g, &beside);
            return;
        }
        if let Some(Stop::Ambush(hidden, mover)) = plan.stop {
            self.ambushed(hidden, mover);
        }
        self.place_movers(&plan, now.log);
        self.ask_along(g, &beside);
        self.passages(&plan.passed, now.log);
        self.sync_contacts();
    }

    /// A group on Retreat with no legal move stays and is disordered (SYW-ORDER-49).
    pub(crate) fn cannot_retreat(&mut self, g: GroupIx, log: &mut Log) {
        self.group_mut(g).phase.fled = true;
        self.group_mut(g).phase.moved = true;
        for u in self.shown(g) {
            self.disorder(u, Disorder::RetreatBarred, log);
        }
    }
}
