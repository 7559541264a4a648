//! Sub-phase 2: what each order lets a group do, and carrying it out (SYW-ORDER-24 to -50, SYW-MOVE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, Log, UnitId};
use tricorne_table::{Point, Rect, angle};

use crate::action::{Leg, UnitMove};
use crate::model::field::{SevenYearsBattle, bounds_of, join_bounds, overlapping};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Groups, Order, Presence, Unit, Units, grain};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::orders::halt::{EDGE_AHEAD, FRIENDS_AHEAD, Halted};
use crate::questions::Halt;
use crate::rulebook::{Arm, Class, cm};

/// A stand that would rest on a friend is set beside it by steps of this length, so many at most (SYW-INTER-09).
const BESIDE: f64 = 0.25;
const STEPS_BESIDE: u32 = 48;

/// A stand set beside another leaves room for the rounding of places, so that the two never overlap by it later.
fn crowding(a: &Rect, b: &Rect) -> bool {
    tricorne_table::Shape::Rect(*a).penetration(&tricorne_table::Shape::Rect(*b)) > 0.01
}

/// A move judged and ready to be made.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub group: GroupIx,
    /// Each unit that moves, as it will be.
    pub movers: Movers,
    /// Why the walk ended before its legs did.
    pub stop: Option<Stop>,
    pub passed: SmallVec<[(UnitIx, UnitIx); 4]>,
    pub left_table: bool,
    pub changed: bool,
    /// The group moved as one line.
    pub as_one: bool,
    /// It halts by choice where the move ends.
    pub stand: bool,
    /// Dice that ground asked for.
    pub rolled: crate::movement::walk::Rolls,
    /// The legs that were judged: of all, and of each unit for itself.
    pub path: SmallVec<[Leg; 3]>,
    pub each: Vec<UnitMove>,
    /// Lights that will have given way (SYW-EVADE-01).
    pub yielding: Groups,
}

impl SevenYearsBattle {
    /// Whether walks may ask for dice here: type 4 ground and abatis.
    pub(crate) fn ground_rolls(&self) -> bool {
        self.fixed.pieces.iter().any(|p| {
            p.lump_dice.is_some()
                || p.level >= 4
                || (p.kind == crate::terrain::ground::PieceKind::Crossing
                    && self.fixed.options.minus_6d4_line == crate::options::Minus6d4Line::RiverCrossing)
        })
    }

    /// Judges a group's move; with dice, ground rolls what it asks for.
    pub(crate) fn plan_move(
        &self,
        g: GroupIx,
        legs: &[Leg],
        units: &[UnitMove],
        stand: bool,
        dice: &mut Dice,
        blind: bool,
        firm: &[GroupIx],
    ) -> Result<Plan, Illegal> {
        let group = self.group(g);
        let members = self.members(g);
        if group.side != self.s.phasing {
            return refuse("SYW-SEQ-02", format!("{} is not of the phasing side", group.id));
        }
        if members.is_empty() {
            return refuse("SYW-GROUP-01", format!("{} has nobody on the table", group.id));
        }
        if group.phase.moved || group.phase.halted {
            return refuse("SYW-MOVE-12", format!("{} has made its move of this phase", group.id));
        }
        if matches!(group.order, Order::Retreat | Order::Rout) || group.pursuing.is_some() {
            return refuse("SYW-SEQ-04", format!("{} moves before the others, not now", group.id));
        }
        if self.group_in_melee(g) {
            return refuse(
                "SYW-MOVE-20",
                format!("{} has units in melee and does not move; rearrange or complete instead", group.id),
            );
        }
        if let Some(&u) = members.iter().find(|&&u| self.unit(u).presence == Presence::Hidden) {
            return refuse("SYW-HIDE-04", format!("{} is hidden; reveal it first", self.unit(u).id));
        }
        if members.iter().any(|&u| self.unit(u).surrendered) {
            return refuse("SYW-ROUT-12", format!("{} has surrendered and stays where it is", group.id));
        }
        if legs.is_empty() && units.is_empty() {
            return refuse("SYW-ORDER-25", "a move needs legs, for the group or for each unit");
        }
        if !legs.is_empty() && !units.is_empty() {
            return refuse("SYW-MOVE-07", "give legs to the whole group or to its units, not both");
        }
        let mut yielding = self.yielding_to(g);
        yielding.retain(|e| !firm.contains(e));
        let heed = Heed { halts: group.order == Order::Advance, yielding, blind, ..Heed::default() };
        let mut plan = Plan {
            group: g,
            as_one: units.is_empty(),
            stand,
            path: SmallVec::from_slice(legs),
            each: units.to_vec(),
            yielding: heed.yielding.clone(),
            ..Plan::default()
        };
        if stand && group.order != Order::Advance {
            return refuse("SYW-ORDER-31", format!("{} is not on Advance", group.id));
        }
        if units.is_empty() {
            if members.len() > 1
                && legs
                    .iter()
                    .any(|l| matches!(l, Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_)))
            {
                // On the spot each unit for itself; the rest of the path is walked together.
                for &u in &members {
                    self.legs_allowed(u, legs)?;
                }
            } else {
                self.legs_allowed(members[0], legs)?;
                for &u in &members[1..] {
                    self.legs_allowed(u, legs)?;
                }
            }
            let mut movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
            let walked = self.walk(&mut movers, legs, &heed, dice)?;
            self.take_in(&mut plan, movers, &walked);
        } else {
            let mut seen = Units::new();
            for m in units {
                let Some(u) = self.known_unit(m.unit).filter(|u| members.contains(u)) else {
                    return refuse("SYW-GROUP-12", format!("{} is no unit of {}", m.unit, group.id));
                };
                if seen.contains(&u) {
                    return refuse("SYW-MOVE-07", format!("{} is given legs twice", m.unit));
                }
                seen.push(u);
                self.legs_allowed(u, &m.legs)?;
                let mut movers = Movers::new();
                movers.push(self.mover(u));
                let walked = self.walk(&mut movers, &m.legs, &heed, dice)?;
                self.take_in(&mut plan, movers, &walked);
            }
        }
        plan.changed = legs
            .iter()
            .chain(units.iter().flat_map(|m| m.legs.iter()))
            .any(|l| matches!(l, Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_)));
        plan.rolled.append(&mut dice.rolled);
        // Legality is judged without dice and blind to hidden enemies, who must not show before they are met.
        if blind {
            self.fair_end(&plan)?;
        }
        Ok(plan)
    }

    /// A unit about to walk, gathered first if it was split (SYW-INTER-10).
    pub(crate) fn mover(&self, u: UnitIx) -> Mover {
        let group = self.group_of(u);
        // SYW-ORDER-42, -43: a shift on Stand pays for its ground from its own few centimetres.
        let most = if group.order == Order::Stand { cm(self.distances().shift) } else { self.speed(u) };
        let mut m = Mover::new(self, u, (most - group.phase.used).max(0.0));
        if m.new.split.is_some() {
            m.new = self.gathered(u);
        }
        m
    }

    /// A split unit drawn together on its foremost stand (SYW-INTER-10).
    pub(crate) fn gathered(&self, u: UnitIx) -> Unit {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let mut new = unit.clone();
        new.split = None;
        let Some(first) = unit.stands.iter().copied().max_by(|a, b| a.v.total_cmp(&b.v)) else { return new };
        new.stands = stands::layout(unit.formation, unit.strength(), info);
        // The front-rank stand that keeps the most of the unit where its origin was.
        let nearest = new
            .stands
            .iter()
            .filter(|s| s.rank == 0)
            .copied()
            .min_by(|a, b| (a.u - first.u).abs().total_cmp(&(b.u - first.u).abs()));
        if let Some(place) = nearest {
            new.at = unit.pose().to_world(Point::new(first.u - place.u, first.v - place.v));
        }
        new.reframe();
        new
    }

    pub(crate) fn take_in(&self, plan: &mut Plan, movers: Movers, walked: &Walked) {
        let own = &self.group(plan.group).units;
        plan.passed.extend(walked.through.iter().copied().filter(|(_, f)| !own.contains(f)));
        if let Some(stop) = walked.stop {
            // A halt counts for the whole group; of two reasons the weightier stays.
            let weighs = |s: &Stop| match s {
                Stop::Ambush(..) => 3,
                Stop::Halt(_) | Stop::Friends => 2,
                _ => 1,
            };
            if plan.stop.as_ref().is_none_or(|old| weighs(&stop) > weighs(old)) {
                plan.stop = Some(stop);
            }
        }
        plan.left_table |= walked.left_table;
        plan.movers.extend(movers);
    }

    /// All movers with the stands that would rest on friends set beside them (SYW-INTER-09).
    pub(crate) fn split_all(&self, movers: &[Mover]) -> Option<SmallVec<[Unit; 4]>> {
        let mut done: SmallVec<[Unit; 4]> = SmallVec::new();
        for k in 0..movers.len() {
            let mut others: SmallVec<[tricorne_table::Rect; 16]> = SmallVec::new();
            for unit in &done {
                others.extend(self.rects_at(unit, unit.pose()));
            }
            for later in &movers[k + 1..] {
                others.extend(self.rects_at(&later.new, grain(later.new.pose())));
            }
            done.push(self.split_beside(&movers[k], movers, &others)?);
        }
        Some(done)
    }

    /// Stands that would rest on a friend set beside it by the least move, off ground closed to them, if that can be done
    /// (SYW-INTER-09).
    pub(crate) fn split_beside(&self, m: &Mover, all: &[Mover], others: &[Rect]) -> Option<Unit> {
        let pose = grain(m.new.pose());
        let mut new = m.new.clone();
        new.at = pose.at;
        new.facing = pose.facing;
        let frame = pose.frame();
        let depth = self.info(m.u).depth;
        // Everybody whom a stand set beside might meet.
        let reach = join_bounds(&self.rects_at(&new, pose)).grown(BESIDE * f64::from(STEPS_BESIDE));
        let mut in_the_way: SmallVec<[Rect; 32]> = SmallVec::from_slice(others);
        for v in self.unit_ids() {
            let unit = self.unit(v);
            if unit.is_known() && unit.frame.bounds.meets(&reach) && !all.iter().any(|o| o.u == v) {
                in_the_way.extend(self.contact_rects(v));
            }
        }
        let mut own = self.rects_at(&new, pose);
        for i in 0..new.stands.len() {
            let clear = |rect: &Rect, own: &[Rect]| {
                self.fixed.table.holds_bounds(&bounds_of(rect))
                    && !in_the_way.iter().any(|o| crowding(rect, o))
                    && !own.iter().enumerate().any(|(j, o)| j != i && crowding(rect, o))
            };
            if clear(&own[i], &own) {
                continue;
            }
            let home = new.stands[i];
            let mut offs = (1..=STEPS_BESIDE).flat_map(|step| {
                let off = f64::from(step) * BESIDE;
                [(off, 0.0), (-off, 0.0), (0.0, -off), (0.0, off)]
            });
            own[i] = offs.find_map(|(du, dv)| {
                new.stands[i].u = home.u + du;
                new.stands[i].v = home.v + dv;
                let rect = new.rect_in(&frame, pose.facing, i, depth);
                (clear(&rect, &own) && !self.on_impassable(&[rect], m.u)).then_some(rect)
            })?;
        }
        Some(new)
    }

    /// Makes a judged move.
    pub(crate) fn make_move(&mut self, plan: Plan, now: &mut Now<'_>) {
        let g = plan.group;
        self.tell_rolls(&plan.rolled, now.log);
        // Units split around one that moves are gathered first (SYW-INTER-10).
        let split: Units = self
            .unit_ids()
            .filter(|&u| {
                let unit = self.unit(u);
                unit.is_known() && unit.split.is_some_and(|f| plan.movers.iter().any(|m| m.u == f))
            })
            .collect();
        for u in split {
            let new = self.gathered(u);
            let around = self.unit(u).split.map(|f| self.unit(f).id);
            self.settle(u, new);
            now.say(|| Event { whom: around, ..self.unit_event("gathered", "SYW-INTER-10", u) });
        }
        if plan.left_table {
            let beside = self.generals_beside(g);
            self.leave_by(g, &plan.movers, now.log);
            self.ask_along(g, &beside);
            return;
        }
        let plan = self.after_lights(plan, now);
        let friends_halt = plan.stop == Some(Stop::Friends);
        if let Some(Stop::Ambush(hidden, mover)) = plan.stop {
            // The owner of the hidden unit is asked before it shows itself (SYW-VIS-04).
            let there = plan.movers.iter().find(|m| m.u == mover);
            let rects = there.map_or_else(|| self.rects(mover), |m| self.rects_at(&m.new, m.new.pose()));
            self.ambushed_at(hidden, mover, &rects);
            self.place_movers(&plan, now.log);
            self.passages(&plan.passed, now.log);
            return;
        }
        self.group_mut(g).phase.moved = true;
        self.place_movers(&plan, now.log);
        match plan.stop {
            Some(Stop::Halt(_)) => {
                self.group_mut(g).phase.halted = true;
                self.ask(Halt { group: g });
            }
            Some(Stop::Friends) => {
                self.group_mut(g).phase.halted = true;
            }
            // SYW-OFF-01
            Some(Stop::Edge) => self.set_order(g, Order::Reserve, Some(EDGE_AHEAD), now.log),
            // SYW-OFF-01, -14: halted by choice where the next step would lead off the table.
            None if self.group(g).order == Order::Advance && self.edge_ahead(&plan) => {
                self.set_order(g, Order::Reserve, Some(EDGE_AHEAD), now.log);
            }
            _ if plan.stand => {
                self.halt(g, Halted::EnemyInRange, now.log);
            }
            _ => {}
        }
        self.passages(&plan.passed, now.log);
        if friends_halt && self.group(g).order == Order::Advance {
            // SYW-ORDER-35
            self.set_order(g, Order::Stand, Some(FRIENDS_AHEAD), now.log);
        }
    }

    /// Whether a move has ended against the edge with nothing but the edge ahead (SYW-OFF-14): the way it was going
    /// decides, not what touches the edge.
    pub(crate) fn edge_ahead(&self, plan: &Plan) -> bool {
        let table = self.fixed.table.bounds().grown(crate::model::state::SLACK);
        plan.movers.iter().any(|m| {
            let own = plan.each.iter().find(|e| e.unit == m.new.id).map(|e| e.legs.last());
            let way = match own.unwrap_or_else(|| plan.path.last()) {
                Some(Leg::Incline { side, .. }) => angle::forward(m.new.facing + side.sign() * 45.0),
                Some(Leg::Forward(_) | Leg::Wheel { .. }) => m.new.pose().forward(),
                _ => return false,
            };
            let pose = self.unit(m.u).pose();
            let next = join_bounds(&self.rects_at(self.unit(m.u), pose.slid(way * 0.1)));
            m.gone > 0.0 && !(table.contains(next.min) && table.contains(next.max))
        })
    }

    /// The move as it is once lights in its way have given way (I2): those who can go no farther stop it.
    pub(crate) fn after_lights(&mut self, plan: Plan, now: &mut Now<'_>) -> Plan {
        let mut firm = self.give_way_to(&plan, now);
        let side = self.group(plan.group).side;
        if let Some((_, v)) = self.resting_on(&plan.movers, side)
            && self.unit(v).side != side
            && !firm.contains(&self.unit(v).group)
        {
            firm.push(self.unit(v).group);
        }
        if firm.is_empty() {
            return plan;
        }
        let mut dice = Dice::again(&plan.rolled);
        match self.plan_move(plan.group, &plan.path, &plan.each, plan.stand, &mut dice, false, &firm) {
            Ok(again) => again,
            Err(_) => Plan { movers: Movers::new(), stop: None, passed: SmallVec::new(), ..plan },
        }
    }

    pub(crate) fn place_movers(&mut self, plan: &Plan, log: &mut Log) {
        let g = plan.group;
        let side = self.group(g).side;
        let rests_on_friend = self.resting_on(&plan.movers, side).is_some();
        let beside = if rests_on_friend { self.split_all(&plan.movers) } else { None };
        let mut used = 0.0_f64;
        for (k, m) in plan.movers.iter().enumerate() {
            used = used.max(m.spent);
            let old = self.unit(m.u);
            let (was_at, was_facing, was_formation) = (old.at, old.facing, old.formation);
            let mut new = m.new.clone();
            let mut aside = 0;
            if let Some(split) = beside.as_ref().and_then(|b| b.get(k))
                && split.stands != new.stands
            {
                aside = split.stands.iter().zip(&new.stands).filter(|(a, b)| a != b).count();
                new = split.clone();
                new.split = plan.passed.iter().find(|p| p.0 == m.u || plan.movers.len() > 1).map(|p| p.1);
            }
            let pose = grain(new.pose());
            let moved = !pose.at.near(was_at)
                || (pose.facing - was_facing).abs() > 0.05
                || new.formation != was_formation;
            new.phase.moved |= moved;
            new.phase.changed |= new.formation != was_formation || plan.changed;
            let formed = (new.formation != was_formation).then(|| new.formation.called());
            let faced = (pose.facing - was_facing).abs() > 0.05;
            let (gone, at) = (m.gone, pose.at);
            let among = new.split.map(|f| self.unit(f).id);
            self.put_as(m.u, new);
            if moved {
                self.push_generals(m.u, log);
                log.say(|| {
                    self.unit_event("moved", "SYW-MOVE-01", m.u)
                        .outcome(if gone < 0.05 { "on_the_spot" } else { "moved" })
                        .with("distance", tricorne_table::round_to(gone, 0.01))
                        .with("formed", formed)
                        .with("faced", faced && formed.is_none())
                        .with("dressed", !faced && formed.is_none())
                        .with("x", at.x)
                        .with("y", at.y)
                });
            }
            if aside > 0 {
                log.say(|| {
                    let event = self.unit_event("set_aside", "SYW-INTER-09", m.u).with("stands", aside);
                    Event { whom: among, ..event.with("friends", among.is_none()) }
                });
            }
        }
        self.group_mut(g).phase.used += used;
        self.reveal_by_sight(log);
    }

    /// A move that was judged legal, walked again with the dice its ground asks for and the hidden enemies it meets.
    pub(crate) fn real_plan(
        &self,
        g: GroupIx,
        legs: &[Leg],
        units: &[UnitMove],
        stand: bool,
        chance: &mut dyn Chance,
    ) -> Option<Plan> {
        let enemy = self.group(g).side.enemy();
        if !self.ground_rolls() && self.hidden_units(enemy).is_empty() {
            return None;
        }
        let mut dice = Dice::from(chance);
        self.plan_move(g, legs, units, stand, &mut dice, false, &[]).ok()
    }

    /// Judges a rearrangement of stands in melee (SYW-MOVE-16).
    pub(crate) fn judge_rearrange(
        &self,
        id: UnitId,
        stand: u8,
        to: [f64; 2],
    ) -> Result<(UnitIx, Unit), Illegal> {
        let Some(u) = self.known_unit(id).filter(|&u| self.unit(u).side == self.s.phasing) else {
            return refuse("SYW-MOVE-16", format!("{id} is no unit of the phasing side"));
        };
        let unit = self.unit(u);
        let info = self.info_of(unit);
        if !self.in_melee(u) {
            return refuse("SYW-MOVE-16", format!("{id} is not in melee"));
        }
        if !(info.arm == Arm::Cavalry || info.class == Class::Light) {
            return refuse(
                "SYW-MOVE-14",
                format!("{id} is neither cavalry nor light; its stands do not move in melee"),
            );
        }
        let i = usize::from(stand);
        if i >= unit.strength() {
            return refuse("SYW-MOVE-16", format!("{id} has no stand {stand}"));
        }
        if self.engaged(u).contains(&stand) {
            return refuse("SYW-MOVE-14", format!("stand {stand} of {id} is engaged and does not move"));
        }
        if !(to[0].is_finite() && to[1].is_finite()) || to[0].abs() > 60.0 || to[1].abs() > 30.0 {
            return refuse("SYW-MOVE-16", "the new place needs ordinary numbers near the unit");
        }
        let mut new = unit.clone();
        new.stands[i].u = tricorne_table::round_to(to[0], 0.01);
        new.stands[i].v = tricorne_table::round_to(to[1], 0.01);
        new.stands[i].turn = 0.0;
        new.stands[i].rank = u8::from(new.stands[i].v < -info.depth);
        let rects = self.rects_at(&new, new.pose());
        let mine = rects[i];
        if (0..rects.len()).any(|j| j != i && overlapping(&mine, &rects[j])) {
            return refuse("SYW-MODEL-33", format!("stand {stand} would overlap another of {id}"));
        }
        // SYW-GROUP-11: it touches another stand of its unit along an edge.
        if !(0..rects.len()).any(|j| j != i && crate::model::field::touching(&mine, &rects[j])) {
            return refuse(
                "SYW-GROUP-11",
                format!("stand {stand} must touch another stand of {id} along an edge"),
            );
        }
        let bounds = bounds_of(&mine);
        if !self.fixed.table.holds_bounds(&bounds)
            || self.unit_ids().any(|v| v != u && self.overlaps_unit(&[mine], &bounds, v))
        {
            return refuse("SYW-MODEL-33", format!("stand {stand} would come to rest on somebody"));
        }
        if self.known_enemies(unit.side).any(|e| {
            self.contact_rects(e).iter().any(|r| crate::model::field::touching(&mine, r))
                && !self.opponents(u).contains(&e)
        }) {
            return refuse("SYW-MOVE-16", "stands may not open a new contact by rearranging");
        }
        Ok((u, new))
    }
}
