//! Sub-phase 2: what each order lets a group do, and carrying it out (SYW-ORDER-24 to -50, SYW-MOVE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::angle;

use crate::action::{Leg, UnitMove};
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, join_bounds};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Groups, Order, Presence, Units, grain};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::orders::halt::{EDGE_AHEAD, FRIENDS_AHEAD, Halted};
use crate::questions::Halt;
use crate::rulebook::cm;

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
        let told = |u: UnitIx| units.is_empty() || units.iter().any(|m| m.unit == self.unit(u).id);
        if let Some(&u) = members.iter().find(|&&u| self.unit(u).presence == Presence::Hidden && told(u)) {
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
            for &u in &members {
                self.legs_allowed(u, legs)?;
            }
            let mut movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
            let walked = self.walk(&mut movers, legs, &heed, dice)?;
            self.take_in(&mut plan, movers, &walked);
        } else {
            let halted = self.halted_at_once(&members, &heed);
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
                let mut movers: Movers = vec![self.mover(u)];
                let walked = match &halted {
                    Some(stop) => Walked { stop: Some(*stop), ..Walked::default() },
                    None => self.walk(&mut movers, &m.legs, &heed, dice)?,
                };
                self.take_in(&mut plan, movers, &walked);
            }
        }
        plan.changed = legs.iter().chain(units.iter().flat_map(|m| m.legs.iter())).any(Leg::is_change);
        plan.rolled.append(&mut dice.rolled);
        // Legality is judged without dice and blind to hidden enemies, who must not show before they are met.
        if blind {
            self.fair_end(&plan)?;
        }
        Ok(plan)
    }

    /// A unit about to walk by order: a move that was interrupted goes on (SYW-VIS-06).
    pub(crate) fn mover(&self, u: UnitIx) -> Mover {
        let group = self.group_of(u);
        // SYW-ORDER-42, -43: a shift on Stand pays for its ground from its own few centimetres.
        let most = if group.order == Order::Stand { cm(self.distances().shift) } else { self.speed(u) };
        Mover::going_on(self, u, (most - self.used(u)).max(0.0))
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

    /// Makes a judged move.
    pub(crate) fn make_move(&mut self, plan: Plan, now: &mut Now<'_>) {
        let g = plan.group;
        self.tell_rolls(&plan.rolled, now.log);
        let movers: Units = plan.movers.iter().map(|m| m.u).collect();
        self.gather_round(&movers, now.log);
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
            let end = |u: UnitIx| plan.movers.iter().find(|m| m.u == u);
            let rects = |u| end(u).map_or_else(|| self.rects(u), |m| self.rects_at(&m.new, m.new.pose()));
            let there: SmallVec<[(UnitIx, Rects); 4]> =
                self.members(g).into_iter().map(|u| (u, rects(u))).collect();
            self.ambushed_at(hidden, mover, &there);
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
                let friend = plan.passed.iter().find(|p| p.0 == m.u || plan.movers.len() > 1).map(|p| p.1);
                new = self.split_around(split.clone(), friend);
            }
            let pose = grain(new.pose());
            let moved = !pose.at.near(was_at)
                || (pose.facing - was_facing).abs() > 0.05
                || new.formation != was_formation;
            new.phase.moved |= moved;
            let changes: SmallVec<[&Leg; 2]> = m.changes.iter().collect();
            new.phase.changed |= new.formation != was_formation || !changes.is_empty();
            new.phase.rooted |= !changes.is_empty() && !self.marches_after(m.u, &changes);
            new.phase.paid.clone_from(&m.paid);
            let formed = (new.formation != was_formation).then(|| new.formation.called());
            let faced = (pose.facing - was_facing).abs() > 0.05;
            let (gone, at) = (m.gone, pose.at);
            let among = new.split.map(|(f, _)| self.unit(f).id);
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
        for u in self.members(g) {
            let own = plan.movers.iter().find(|m| m.u == u).map_or(0.0, |m| m.spent);
            self.unit_mut(u).phase.spare += used - own;
        }
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
}
