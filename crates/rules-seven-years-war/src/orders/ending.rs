//! What must hold where a chosen move ends (SYW-GROUP-07 to -10, SYW-ORDER-25, -26, -38, -43).

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{gap_between, touching};
use crate::model::ids::UnitIx;
use crate::model::state::{Order, SLACK, Unit, grain, within};
use crate::movement::walk::{Mover, Stop};
use crate::rulebook::{Arm, cm, degrees, in_words, part};
use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, InOrder};
use tricorne_table::Point;

use crate::movement::groups::Plan;

impl SevenYearsBattle {
    /// What must hold where a chosen move ends.
    pub(crate) fn fair_end(&self, plan: &Plan) -> Result<(), Illegal> {
        let g = plan.group;
        let group = self.group(g);
        if plan.left_table {
            return Ok(()); // SYW-OFF-02
        }
        let ambushed = matches!(plan.stop, Some(Stop::Ambush(..)));
        for &(u, f) in &plan.passed {
            if !self.may_pass(u, f) {
                return refuse(
                    "SYW-INTER-06",
                    format!(
                        "{} may not pass through {}: massed troops pass massed troops only to pass artillery on Stand",
                        self.unit(u).id,
                        self.unit(f).id
                    ),
                );
            }
        }
        if let Some((u, v)) = self.resting_on_but(&plan.movers, group.side, &plan.yielding)
            && !ambushed
        {
            let beside = self.unit(v).side == group.side
                && self.may_pass(u, v)
                && plan.passed.iter().any(|&(_, f)| f == v)
                && self.split_all(&plan.movers).is_some();
            if !beside {
                return refuse(
                    if plan.changed { "SYW-MODEL-31" } else { "SYW-MODEL-33" },
                    format!("{} would come to rest on {}", self.unit(u).id, self.unit(v).id),
                );
            }
        }
        for (k, a) in plan.movers.iter().enumerate() {
            let rects = self.rects_at(&a.new, grain(a.new.pose()));
            for b in &plan.movers[k + 1..] {
                if Self::any_overlap(&rects, &self.rects_at(&b.new, grain(b.new.pose()))) && !ambushed {
                    return refuse(
                        if plan.changed { "SYW-MODEL-31" } else { "SYW-MODEL-33" },
                        format!("{} and {} would stand on each other", a.new.id, b.new.id),
                    );
                }
            }
        }
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            if self.on_impassable(&rects, m.u) && !self.on_impassable(&self.rects(m.u), m.u) {
                return refuse("SYW-MODEL-31", format!("{} would stand on impassable ground", m.new.id));
            }
            let bounds = crate::model::footprints::join_bounds(&rects);
            let table = self.fixed.table.bounds().grown(SLACK);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                return refuse("SYW-OFF-02", format!("{} would stand partly off the table", m.new.id));
            }
        }
        self.cohesion(plan)?;
        match group.order {
            Order::Advance => self.advance_duty(plan),
            Order::Reserve => self.reserve_keeps_off(plan),
            Order::Stand => self.shift_makes_no_contact(plan),
            Order::Retreat | Order::Rout => Ok(()),
        }
    }

    /// Units of a group keep together (SYW-GROUP-07, -09, -10).
    pub(crate) fn cohesion(&self, plan: &Plan) -> Result<(), Illegal> {
        // Those in hiding lie where they lie.
        let members = self.shown(plan.group);
        if members.len() < 2 || matches!(plan.stop, Some(Stop::Ambush(..))) {
            return Ok(());
        }
        let after: SmallVec<[&Unit; 4]> = members
            .iter()
            .map(|&u| plan.movers.iter().find(|m| m.u == u).map_or_else(|| self.unit(u), |m| &m.new))
            .collect();
        let before: SmallVec<[&Unit; 4]> = members.iter().map(|&u| self.unit(u)).collect();
        let moved_as_one = plan.as_one;
        if self.chained(&before) && !self.chained(&after) {
            return refuse(
                "SYW-GROUP-07",
                format!(
                    "units of {} would end more than {} cm from each other; keep the group together",
                    self.group(plan.group).id,
                    self.distances().group_gap.value
                ),
            );
        }
        if !moved_as_one && !self.chained(&before) {
            self.closes_up(plan, &before, &after)?;
        }
        let reserve = self.group(plan.group).order == Order::Reserve;
        if !reserve && !moved_as_one && self.aligned(&before) && !self.aligned(&after) {
            return refuse(
                "SYW-GROUP-09",
                format!(
                    "units of a group stand side by side, facing within {} degrees and echeloned by {} cm at most",
                    self.fixed.book.charts.degrees.group.value,
                    self.distances().echelon.value
                ),
            );
        }
        Ok(())
    }

    /// Units that a fight has parted march as one, or none of them farther from its nearest fellow (SYW-GROUP-07).
    fn closes_up(&self, plan: &Plan, before: &[&Unit], after: &[&Unit]) -> Result<(), Illegal> {
        let apart = |units: &[&Unit], i: usize| {
            let mine = self.rects_at(units[i], units[i].pose());
            let others = units.iter().enumerate().filter(|&(j, _)| j != i);
            others.map(|(_, o)| gap_between(&mine, &self.rects_at(o, o.pose()))).fold(f64::INFINITY, f64::min)
        };
        for (i, unit) in after.iter().enumerate().filter(|&(i, u)| u.pose() != before[i].pose()) {
            let gap = apart(after, i);
            let most = cm(self.distances().group_gap).max(apart(before, i));
            if !within(gap, most) {
                return refuse(
                    "SYW-GROUP-07",
                    format!(
                        "{} would end {gap:.1} cm from the rest of {}; units that have lost touch close up, or march as one",
                        unit.id,
                        self.group(plan.group).id
                    ),
                );
            }
        }
        Ok(())
    }

    /// One connected chain without a gap too wide (SYW-GROUP-07).
    pub(crate) fn chained(&self, units: &[&Unit]) -> bool {
        if units.len() < 2 {
            return true;
        }
        let rects: SmallVec<[crate::model::footprints::Rects; 4]> =
            units.iter().map(|u| self.rects_at(u, u.pose())).collect();
        let most = cm(self.distances().group_gap);
        let about = (most + 0.05) * (most + 0.05);
        let mut reached: SmallVec<[bool; 8]> = SmallVec::from_elem(false, units.len());
        reached[0] = true;
        loop {
            let mut grew = false;
            for i in 0..units.len() {
                if reached[i] {
                    continue;
                }
                let near = (0..units.len()).any(|j| {
                    reached[j]
                        && rects[i].iter().any(|a| {
                            rects[j].iter().any(|b| {
                                crate::model::footprints::bounds_of(a)
                                    .gap_squared(&crate::model::footprints::bounds_of(b))
                                    < about
                                    && within(crate::model::footprints::gap_of(a, b), most)
                            })
                        })
                });
                if near {
                    reached[i] = true;
                    grew = true;
                }
            }
            if !grew {
                return reached.iter().all(|&r| r);
            }
        }
    }

    /// Side by side or slightly echeloned (SYW-GROUP-09): all look one way, and each stands beside the next in the line, in
    /// whatever order they are listed, and not behind him (SYW-GROUP-10).
    pub(crate) fn aligned(&self, units: &[&Unit]) -> bool {
        let Some(first) = units.first() else { return true };
        let most = degrees(self.fixed.book.charts.degrees.group) + 0.05;
        let echelon = cm(self.distances().echelon);
        let right = first.pose().right();
        let mut line: SmallVec<[&Unit; 4]> = SmallVec::from_slice(units);
        line.put_in_order(|a, b| {
            self.middle_of_front(a).dot(right).total_cmp(&self.middle_of_front(b).dot(right))
        });
        let one_way = line.iter().enumerate().all(|(k, a)| {
            line[k + 1..].iter().all(|b| tricorne_table::angle::turn(a.facing, b.facing).abs() <= most)
        });
        let half = |unit: &Unit| {
            let (left, right) = self.front_of(unit);
            (right - left) * 0.5
        };
        one_way
            && line.windows(2).all(|pair| {
                let next = pair[0].pose().to_local(self.middle_of_front(pair[1]));
                let (left, right) = self.front_of(pair[0]);
                let aside = (next.x - (left + right) * 0.5).abs();
                within(next.y.abs(), echelon)
                    && !within(aside, half(pair[0]).max(half(pair[1])) - 2.0 * SLACK)
            })
    }

    /// The middle of a unit's front.
    fn middle_of_front(&self, unit: &Unit) -> Point {
        let (left, right) = self.front_of(unit);
        unit.pose().to_world(Point::new((left + right) * 0.5, 0.0))
    }

    /// The duties of Advance (SYW-ORDER-25, -26).
    pub(crate) fn advance_duty(&self, plan: &Plan) -> Result<(), Illegal> {
        let group = self.group(plan.group);
        let excused =
            matches!(plan.stop, Some(Stop::Halt(_) | Stop::Friends | Stop::Ambush(..) | Stop::Enemy(_)));
        if plan.stand && !excused {
            self.may_halt_there(plan)?;
        } else if !excused {
            let least = self.fixed.book.charts.shares.advance;
            let enough = |u: UnitIx, gone: f64| within(part(least, self.info(u).speed), gone + self.used(u));
            let now = |u: UnitIx| plan.movers.iter().find(|m| m.u == u).map_or(0.0, |m| m.spent);
            if !self.members(plan.group).into_iter().any(|u| enough(u, now(u))) {
                return refuse(
                    "SYW-ORDER-25",
                    format!(
                        "at least one unit of {} must move {} its speed on Advance",
                        group.id,
                        in_words(least)
                    ),
                );
            }
        }
        for m in &plan.movers {
            self.no_farther(m)?;
        }
        Ok(())
    }

    /// A halt by choice where a move ends (SYW-ORDER-27, -31).
    pub(crate) fn may_halt_there(&self, plan: &Plan) -> Result<(), Illegal> {
        let group = self.group(plan.group);
        let guns = group.arm == Arm::Artillery;
        if guns && group.phase.began_on_stand {
            return refuse(
                "SYW-ORDER-27",
                format!("{} began this phase on Stand and may not go back to it yet", group.id),
            );
        }
        let near = self.members(plan.group).into_iter().any(|u| {
            let ranges = self.fixed.book.ranges(self.info(u).weapon);
            let reach = if guns { ranges.greatest() } else { ranges.long.unwrap_or(0.0) };
            let end = plan.movers.iter().find(|m| m.u == u);
            let rects = end.map_or_else(|| self.rects(u), |m| self.rects_at(&m.new, m.new.pose()));
            reach > 0.0 && self.known_enemies(group.side).any(|e| self.rects_near(&rects, e, reach))
        });
        if near {
            Ok(())
        } else {
            let clause = if guns { "SYW-ORDER-27" } else { "SYW-ORDER-31" };
            refuse(clause, format!("{} has no known enemy within range there", group.id))
        }
    }

    /// No stand ends farther from the nearest known massed enemy than it began (SYW-ORDER-26).
    pub(crate) fn no_farther(&self, m: &Mover) -> Result<(), Illegal> {
        let began = &self.unit(m.u).began;
        if began.is_empty() || began[0] > 1e5 {
            return Ok(());
        }
        let rects = self.rects_at(&m.new, grain(m.new.pose()));
        for (i, rect) in rects.iter().enumerate() {
            let Some(&limit) = began.get(i) else { continue };
            if limit < 1e5 && !self.massed_enemy_within(m.new.side, rect, limit) {
                return refuse(
                    "SYW-ORDER-26",
                    format!("a stand of {} would end farther from the nearest massed enemy", m.new.id),
                );
            }
        }
        Ok(())
    }

    pub(crate) fn massed_enemy_within(
        &self,
        side: tricorne_game::Side,
        rect: &tricorne_table::Rect,
        limit: f64,
    ) -> bool {
        let bounds = crate::model::footprints::bounds_of(rect);
        self.known_enemies(side).any(|e| {
            self.is_massed(e)
                && self.holds_ground(e)
                && within(self.unit(e).frame.bounds.gap_squared(&bounds).sqrt(), limit)
                && (0..self.unit(e).strength()).any(|j| {
                    let other = self.rect(e, j);
                    within(crate::model::footprints::bounds_of(&other).gap_squared(&bounds).sqrt(), limit)
                        && within(crate::model::footprints::gap_of(rect, &other), limit)
                })
        })
    }

    /// Reserve does not come closer to enemies within 20 (SYW-ORDER-38).
    pub(crate) fn reserve_keeps_off(&self, plan: &Plan) -> Result<(), Illegal> {
        let side = self.group(plan.group).side;
        let keeps = cm(self.distances().reserve_keeps);
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            for e in self.known_enemies(side) {
                let Some(now) = self.rects_gap(&rects, e, keeps + 0.02) else { continue };
                let before = self.gap(m.u, e);
                if !within(now, keeps) || within(before, now) || self.in_melee(e) || self.unit(e).surrendered
                {
                    continue;
                }
                if self.friends_between(&rects, e, side, plan) {
                    continue;
                }
                return refuse(
                    "SYW-ORDER-38",
                    format!(
                        "{} would end {:.1} cm from {}, closer than before; Reserve keeps {keeps} off",
                        m.new.id,
                        now,
                        self.unit(e).id
                    ),
                );
            }
        }
        Ok(())
    }

    /// Whether the shortest line to an enemy crosses a friendly stand (SYW-ORDER-38).
    pub(crate) fn friends_between(
        &self,
        rects: &[tricorne_table::Rect],
        enemy: UnitIx,
        side: tricorne_game::Side,
        plan: &Plan,
    ) -> bool {
        let mut best: Option<(f64, Point, Point)> = None;
        for a in rects {
            for b in &self.rects(enemy) {
                let near = tricorne_table::Shape::Rect(*a).nearest(&tricorne_table::Shape::Rect(*b));
                let d = near.own.distance(near.other);
                if best.is_none_or(|(l, _, _)| d < l) {
                    best = Some((d, near.own, near.other));
                }
            }
        }
        let Some((_, p, q)) = best else { return false };
        self.present(side).any(|f| {
            !plan.movers.iter().any(|m| m.u == f)
                && (0..self.unit(f).strength())
                    .any(|i| tricorne_table::Shape::Rect(self.rect(f, i)).meets_segment(p, q))
        })
    }

    /// A shift on Stand makes no contact (SYW-ORDER-43).
    pub(crate) fn shift_makes_no_contact(&self, plan: &Plan) -> Result<(), Illegal> {
        for m in &plan.movers {
            let rects = self.contact_rects_at(&m.new, grain(m.new.pose()));
            let about = crate::model::footprints::join_bounds(&rects).grown(1.0);
            for e in self.known_enemies(m.new.side).filter(|&e| about.meets(&self.unit(e).frame.bounds)) {
                let meets = |r: &tricorne_table::Rect| rects.iter().any(|q| touching(q, r));
                if !self.unit(e).surrendered && self.contact_rects(e).iter().any(meets) {
                    return refuse("SYW-ORDER-43", format!("{} may not shift into contact", m.new.id));
                }
            }
        }
        Ok(())
    }
}
