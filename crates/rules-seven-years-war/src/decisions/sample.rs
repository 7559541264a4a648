//! Legal answers found: listed where they are few, tried at random where they have a place in them.

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_game::{Battle, Space};

use crate::decisions::action::{
    Action, After, Along, Ambush, Guns, Hand, Leg, Legs, LightsAnswer, Oblique, PassedOrder, Resolve, Target,
    Turn,
};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{EdgeName, Formation, Order, Presence};
use crate::rulebook::Arm;
use crate::sequence::turn::Task;
use crate::shooting::shots::Mark;
use crate::terrain_generation::Nudge;

const ORDERS: [Order; 4] = [Order::Advance, Order::Reserve, Order::Stand, Order::Retreat];

impl SevenYearsBattle {
    /// Every legal answer that can be listed.
    pub(crate) fn listed(&self) -> Vec<Action> {
        if self.s.ending.is_some() {
            return Vec::new();
        }
        let mut all = self.to_be_listed();
        all.retain(|a| self.check(a).is_ok());
        all.push(Action::Concede);
        all
    }

    /// Answers worth checking, all without a free place in them.
    fn to_be_listed(&self) -> Vec<Action> {
        let mut all = Vec::new();
        let Some(task) = self.s.tasks.last().filter(|_| self.s.waiting) else {
            return vec![Action::Done];
        };
        match task {
            Task::KeepCounter { drawn, .. } => {
                all.extend(drawn.iter().map(|&counter| Action::KeepCounter { counter }));
            }
            Task::Enlist { .. } => all.push(Action::Done),
            Task::Ground => {
                all.push(Action::Done);
                self.ground_proposals(&mut all);
            }
            Task::Rotation { .. } => {
                all.extend([Nudge::Keep, Nudge::Less, Nudge::More].map(Action::Rotation));
            }
            Task::TableSide => {
                all.extend([Action::Side(EdgeName::North), Action::Side(EdgeName::South)]);
            }
            Task::KeepBack => all.extend(
                self.brigades(self.first_to_deploy())
                    .iter()
                    .map(|&g| Action::KeepBack { general: self.s.generals[usize::from(g)].id }),
            ),
            Task::Deploy { side, .. } => {
                all.push(Action::Done);
                for g in self.group_ids() {
                    if self.group(g).side == *side {
                        for edge in [EdgeName::East, EdgeName::West] {
                            all.push(Action::FlankMarch { group: self.group(g).id, edge });
                        }
                    }
                }
                self.rear_rank_proposals(*side, &mut all);
            }
            Task::Command => {
                all.push(Action::Done);
                self.command_proposals(&mut all);
            }
            Task::Facing { .. } => {
                all.extend((0..8).map(|k| Action::Face { facing: f64::from(k) * 45.0 }));
            }
            Task::Uncommanded => {
                all.push(Action::Done);
                for g in self.may_order_themselves() {
                    all.extend(
                        ORDERS.iter().map(|&order| Action::SelfOrder { group: self.group(g).id, order }),
                    );
                }
                all.extend(
                    self.may_cure_themselves().iter().map(|&u| Action::SelfCure { unit: self.unit(u).id }),
                );
            }
            Task::Return { .. } | Task::MakeRoom { .. } | Task::NewGeneral { .. } | Task::Remove { .. } => {
                all.push(Action::Done);
            }
            Task::Pursuits => {
                all.extend(self.pursuers().iter().map(|&g| Action::Pursue { group: self.group(g).id }));
            }
            Task::Guns { .. } => all.extend([Action::Guns(Guns::Fight), Action::Guns(Guns::Pass)]),
            Task::Retreats => {
                all.push(Action::Done);
                for g in self.retreaters() {
                    for about in [false, true] {
                        all.push(self.retreat(g, about));
                    }
                }
            }
            Task::Movement => {
                all.push(Action::Done);
                for g in self.groups_of(self.s.phasing) {
                    all.push(Action::Stand { group: self.group(g).id });
                    self.charge_proposals(g, &mut all);
                }
                for u in self.hidden_units(self.s.phasing) {
                    all.push(Action::Reveal {
                        unit: self.unit(u).id,
                        at: None,
                        facing: None,
                        formation: None,
                    });
                }
                self.rear_rank_proposals(self.s.phasing, &mut all);
                for g in self.hidden_may_order_themselves() {
                    all.extend(
                        ORDERS.iter().map(|&order| Action::SelfOrder { group: self.group(g).id, order }),
                    );
                }
                for c in &self.s.contacts {
                    if c.partial > 0 {
                        all.push(Action::Complete { unit: self.unit(c.attacker).id });
                    }
                }
            }
            Task::Halt { group } => {
                all.push(Action::Stand { group: self.group(*group).id });
                self.charge_proposals(*group, &mut all);
            }
            Task::Ambush { .. } => all.extend([Action::Ambush(Ambush::Shoot), Action::Ambush(Ambush::Hold)]),
            Task::Passed { .. } => {
                all.extend([Action::Passed(PassedOrder::Stand), Action::Passed(PassedOrder::Reserve)]);
            }
            Task::Along { .. } => all.extend([Action::Along(Along::Go), Action::Along(Along::Stay)]),
            Task::Flank { .. } => all.extend(Self::FLANK_ANSWERS.map(Action::Answer)),
            Task::Lights { .. } => {
                all.extend([Action::Lights(LightsAnswer::Evade), Action::Lights(LightsAnswer::Stand)]);
            }
            Task::MoraleChoice { .. } => {
                all.extend([Action::Morale(Resolve::Keep), Action::Morale(Resolve::Advance)]);
            }
            Task::Shooting => {
                all.push(Action::Done);
                self.shot_proposals(&mut all);
            }
            Task::Charges => {
                all.extend(self.charges_left().iter().map(|&g| Action::Carry { group: self.group(g).id }));
            }
            Task::Oblique { .. } => {
                all.extend([Action::Oblique(Oblique::Halt), Action::Oblique(Oblique::Partial)]);
            }
            Task::Combat => {
                all.extend(self.melees_left().map(|c| Action::Fight {
                    unit: self.unit(c.attacker).id,
                    enemy: self.unit(c.defender).id,
                }));
            }
            Task::AfterMelee { .. } => {
                all.extend([After::Pursue, After::Occupy, After::Stay].map(Action::After));
            }
            _ => all.push(Action::Done),
        }
        if let Task::Remove { unit, kills, .. } = task {
            self.loss_proposals(*unit, *kills, &mut all);
        }
        all
    }

    fn command_proposals(&self, all: &mut Vec<Action>) {
        let side = self.s.phasing;
        for general in self.s.generals.iter().filter(|g| g.side == side && g.attempts > 0 && g.is_present()) {
            for g in self.groups_of(side) {
                let group = self.group(g).id;
                all.extend(ORDERS.iter().map(|&order| Action::Change { general: general.id, group, order }));
                all.push(Action::Rally { general: general.id, group });
                for t in self.groups_of(side) {
                    if t != g
                        && self.group(g).order == Order::Reserve
                        && self.group(t).order == Order::Reserve
                    {
                        all.push(Action::Join { general: general.id, group, to: self.group(t).id });
                    }
                }
            }
            for u in self.present(side) {
                let unit = self.unit(u).id;
                if self.unit(u).disordered {
                    all.push(Action::Cure { general: general.id, unit });
                }
                for to in self.s.generals.iter().filter(|t| t.side == side && !t.cinc) {
                    all.push(Action::Transfer { general: general.id, unit, to: to.id });
                }
            }
        }
    }

    fn charge_proposals(&self, g: GroupIx, all: &mut Vec<Action>) {
        if self.group(g).order != Order::Advance {
            return;
        }
        for &u in &self.members(g) {
            let left = self.charge_left(u);
            for e in self.known_enemies(self.group(g).side) {
                if self.gap_below(u, e, left + 0.1).is_some() {
                    all.push(Action::Charge {
                        group: self.group(g).id,
                        targets: vec![Target {
                            unit: self.unit(u).id,
                            target: self.unit(e).id,
                            wheel: None,
                            ride_on: None,
                        }],
                    });
                }
            }
        }
    }

    fn shot_proposals(&self, all: &mut Vec<Action>) {
        let side = self.shooting_side();
        for u in self.present(side) {
            if self.unit(u).presence == Presence::Hidden || self.may_shoot(u).is_err() {
                continue;
            }
            let unit = self.unit(u).id;
            for e in self.known_enemies(side) {
                all.push(Action::Shoot { unit, target: self.unit(e).id, stands: SmallVec::new() });
            }
            for general in self.s.generals.iter().filter(|g| g.side != side && g.is_present()) {
                all.push(Action::Shoot { unit, target: general.id, stands: SmallVec::new() });
            }
        }
    }

    fn loss_proposals(&self, u: UnitIx, kills: u8, all: &mut Vec<Action>) {
        let n = self.unit(u).strength();
        let usual = self.default_losses(u, kills);
        all.push(Action::Remove { stands: usual.clone() });
        if usize::from(kills) == 1 {
            for i in 0..n as u8 {
                let stands: SmallVec<[u8; 8]> = SmallVec::from_slice(&[i]);
                if stands != usual {
                    all.push(Action::Remove { stands });
                }
            }
        }
    }

    /// Families of answers with a place or a path in them.
    pub(crate) fn spaces(&self) -> Vec<Space> {
        let mut spaces = Vec::new();
        let Some(task) = self.s.tasks.last().filter(|_| self.s.waiting) else { return spaces };
        match task {
            Task::Movement => {
                for g in self.groups_of(self.s.phasing) {
                    let group = self.group(g);
                    if group.moved || self.group_in_melee(g) {
                        continue;
                    }
                    let most = self.members(g).iter().map(|&u| self.speed(u)).reduce(f64::min);
                    spaces.push(self.space(
                        "move",
                        Some(group.id),
                        most,
                        "legs for the group or for each unit",
                    ));
                }
                for g in self.groups_of(self.s.phasing) {
                    if !self.group(g).moved && !self.group_in_melee(g) && self.members(g).len() > 1 {
                        for &u in &self.members(g) {
                            let speed = Some(self.speed(u));
                            let id = Some(self.unit(u).id);
                            spaces.push(self.space("move_unit", id, speed, "legs for one unit of a group"));
                        }
                    }
                }
                spaces.push(self.space(
                    "general",
                    None,
                    Some(self.fixed.book.general.speed),
                    "a place within reach",
                ));
                spaces.push(self.space("reveal", None, None, "a place in the ground the unit is marked in"));
                spaces.push(self.space("steal", None, None, "a place in a neighbouring piece of ground"));
                spaces.push(self.space("rearrange", None, None, "a stand and its new place in the unit"));
                spaces.push(self.space("charge", None, None, "targets for several units, with wheels"));
            }
            Task::Enlist { .. } => {
                spaces.push(self.space("enlist", None, None, "sub-generals, units and works of your list"));
            }
            Task::Ground => {
                spaces.push(self.space(
                    "buy_ground",
                    None,
                    None,
                    "a piece, its size, a sector, units given up",
                ));
            }
            Task::Retreats => {
                spaces.push(self.space("retreat", None, None, "a distance, or legs, and the end facing"));
            }
            Task::Deploy { .. } => {
                spaces.push(self.space("deploy", None, None, "a unit, its place, facing and formation"));
                spaces.push(self.space("deploy_general", None, None, "a general and his place"));
                spaces.push(self.space("entrench", None, None, "a work that was bought and its two ends"));
                spaces.push(self.space("hide", None, None, "a unit, the ground that hides it, its place"));
            }
            Task::Facing { .. } => spaces.push(self.space("face", None, None, "a facing in degrees")),
            Task::Return { .. } => {
                spaces.push(self.space("place", None, None, "a place on the edge and a formation"));
            }
            Task::MakeRoom { unit, .. } => {
                spaces.push(self.space(
                    "make_room",
                    Some(self.unit(*unit).id),
                    None,
                    "a place 10 cm off and a facing",
                ));
            }
            Task::Shooting => {
                spaces.push(self.space("shoot", None, None, "a unit, a target, and which stands"));
            }
            Task::Remove { unit, .. } => {
                spaces.push(self.space("remove", Some(self.unit(*unit).id), None, "numbers of stands"));
            }
            Task::NewGeneral { .. } => {
                spaces.push(self.space("new_general", None, Some(10.0), "a place near the old spot"));
            }
            Task::Halt { .. } => {
                spaces.push(self.space("charge", None, None, "targets for several units, with wheels"));
            }
            _ => {}
        }
        spaces
    }

    fn retreat(&self, g: GroupIx, about: bool) -> Action {
        let group = self.group(g).id;
        let straight = Action::Retreat { group, distance: None, about, legs: Legs::new() };
        if self.check(&straight).is_ok() {
            return straight;
        }
        // SYW-ORDER-49: some other way may still be open.
        match self.some_retreat(g, about) {
            Some(plan) => Action::Retreat { group, distance: None, about, legs: plan.path },
            None => straight,
        }
    }

    /// A legal answer at random.
    pub(crate) fn sampled(&self, whim: &mut Whim) -> Action {
        let Some(task) = self.s.tasks.last().filter(|_| self.s.waiting) else { return Action::Done };
        match task {
            Task::Enlist { side } => self.sample_army(*side, whim),
            Task::Ground => self.sample_ground(whim),
            Task::Command => self.sample_command(whim),
            Task::Movement => self.sample_movement(whim),
            Task::Shooting => {
                let n = self.s.units.len().max(1);
                if whim.chance(0.02) {
                    return Action::Done;
                }
                match self.find_shot(whim.below(n), whim.below(n)).or_else(|| self.find_general_shot()) {
                    Some(shot) => self.shot_action(&shot),
                    None => Action::Done,
                }
            }
            Task::Remove { .. } => self.sample_removal(whim),
            Task::Halt { group } => {
                let n = self.s.units.len().max(1);
                if whim.chance(0.7)
                    && let Some(charge) = self.find_charge(*group, whim.below(n))
                {
                    return charge;
                }
                Action::Stand { group: self.group(*group).id }
            }
            Task::Retreats => {
                let groups = self.retreaters();
                match whim.one_of(&groups) {
                    Some(&g) => {
                        let action = self.retreat(g, whim.chance(0.3));
                        if self.check(&action).is_ok() { action } else { Action::Done }
                    }
                    None => Action::Done,
                }
            }
            Task::Return { group } => self.sample_return(*group, whim),
            Task::Deploy { .. } => self.sample_deployment(whim),
            Task::Facing { .. } => Action::Face { facing: f64::from(whim.below(8) as u32) * 45.0 },
            Task::MakeRoom { .. } | Task::NewGeneral { .. } => Action::Done,
            Task::Uncommanded => {
                let groups = self.may_order_themselves();
                if let Some(&g) = whim.one_of(&groups)
                    && let Some(&order) = whim.one_of(&ORDERS)
                {
                    let action = Action::SelfOrder { group: self.group(g).id, order };
                    if self.check(&action).is_ok() {
                        return action;
                    }
                }
                Action::Done
            }
            _ => {
                let all: Vec<Action> =
                    self.to_be_listed().into_iter().filter(|a| self.check(a).is_ok()).collect();
                whim.one_of(&all).cloned().unwrap_or(Action::Done)
            }
        }
    }

    fn shot_action(&self, shot: &crate::shooting::shots::Shot) -> Action {
        let target = match shot.mark {
            Mark::Unit(t) => self.unit(t).id,
            Mark::General(g) => self.s.generals[usize::from(g)].id,
        };
        Action::Shoot { unit: self.unit(shot.unit).id, target, stands: SmallVec::new() }
    }

    fn sample_command(&self, whim: &mut Whim) -> Action {
        let side = self.s.phasing;
        let generals: SmallVec<[usize; 8]> = (0..self.s.generals.len())
            .filter(|&i| {
                let g = &self.s.generals[i];
                g.side == side && g.attempts > 0 && g.is_present()
            })
            .collect();
        let groups = self.groups_of(side);
        for _ in 0..6 {
            let Some(&i) = whim.one_of(&generals) else { break };
            let general = self.s.generals[i].id;
            let Some(&g) = whim.one_of(&groups) else { break };
            let group = self.group(g).id;
            let action = if self.group(g).order == Order::Rout {
                Action::Rally { general, group }
            } else if whim.chance(0.25) {
                let members = self.members(g);
                let Some(&u) = whim.one_of(&members) else { continue };
                Action::Cure { general, unit: self.unit(u).id }
            } else if whim.chance(0.02) {
                let Some(&t) = whim.one_of(&groups) else { continue };
                Action::Join { general, group, to: self.group(t).id }
            } else {
                // Random armies would dither for ever; Advance is what generals mostly want.
                let order = if whim.chance(0.6) {
                    Order::Advance
                } else {
                    whim.one_of(&ORDERS).copied().unwrap_or(Order::Stand)
                };
                Action::Change { general, group, order }
            };
            if self.check(&action).is_ok() {
                return action;
            }
        }
        Action::Done
    }

    fn sample_movement(&self, whim: &mut Whim) -> Action {
        let side = self.s.phasing;
        let groups = self.groups_of(side);
        if whim.chance(0.04)
            && let Some(action) = self.sample_ride(whim)
        {
            return action;
        }
        if whim.chance(0.02) {
            let mut ranks = Vec::new();
            self.rear_rank_proposals(side, &mut ranks);
            ranks.retain(|a| self.check(a).is_ok());
            if let Some(action) = whim.one_of(&ranks) {
                return action.clone();
            }
        }
        let idle: SmallVec<[GroupIx; 16]> = groups
            .iter()
            .copied()
            .filter(|&g| {
                let group = self.group(g);
                !group.moved
                    && !group.halted
                    && !matches!(group.order, Order::Rout | Order::Retreat)
                    && group.pursuing.is_none()
            })
            .collect();
        if idle.is_empty() || whim.chance(0.03) {
            return Action::Done;
        }
        for _ in 0..4 {
            let Some(&g) = whim.one_of(&idle) else { break };
            if self.group_in_melee(g) {
                continue;
            }
            let group = self.group(g);
            if group.order == Order::Advance
                && whim.chance(0.4)
                && let Some(charge) = self.random_charge(g, whim)
            {
                return charge;
            }
            let action = Action::Move {
                group: group.id,
                legs: self.random_legs(g, whim),
                units: Vec::new(),
                stand: false,
            };
            if self.check(&action).is_ok() {
                return action;
            }
        }
        Action::Done
    }

    /// A charge on some enemy in reach, if the first one tried will do.
    fn random_charge(&self, g: GroupIx, whim: &mut Whim) -> Option<Action> {
        let members = self.members(g);
        let &u = whim.one_of(&members)?;
        let left = self.charge_left(u);
        let near: SmallVec<[UnitIx; 8]> = self
            .known_enemies(self.unit(u).side)
            .filter(|&e| self.unit(e).frame.bounds.gap_squared(&self.unit(u).frame.bounds) < left * left)
            .collect();
        let &e = whim.one_of(&near)?;
        let target = Target { unit: self.unit(u).id, target: self.unit(e).id, wheel: None, ride_on: None };
        let action = Action::Charge { group: self.group(g).id, targets: vec![target] };
        self.check(&action).is_ok().then_some(action)
    }

    fn sample_ride(&self, whim: &mut Whim) -> Option<Action> {
        let side = self.s.phasing;
        let generals: SmallVec<[usize; 8]> = (0..self.s.generals.len())
            .filter(|&i| {
                let g = &self.s.generals[i];
                g.side == side && !g.moved && g.is_present()
            })
            .collect();
        let &i = whim.one_of(&generals)?;
        let general = &self.s.generals[i];
        for _ in 0..3 {
            let to = [general.at.x + whim.between(-25.0, 25.0), general.at.y + whim.between(-25.0, 25.0)];
            let action = Action::General { general: general.id, to };
            if self.check(&action).is_ok() {
                return Some(action);
            }
        }
        None
    }

    fn random_legs(&self, g: GroupIx, whim: &mut Whim) -> Legs {
        let members = self.members(g);
        let mut legs = Legs::new();
        let Some(&first) = members.first() else { return legs };
        let speed = members.iter().map(|&u| self.speed(u)).fold(f64::MAX, f64::min) - self.group(g).used;
        let hand = if whim.chance(0.5) { Hand::Left } else { Hand::Right };
        match self.group(g).order {
            Order::Advance => {
                let mut left = speed;
                if whim.chance(0.4) {
                    let degrees = whim.between(1.0, 25.0).round();
                    let width: f64 = members
                        .iter()
                        .map(|&u| {
                            let (l, r) = self.front_of(self.unit(u));
                            r - l + 1.0
                        })
                        .sum();
                    let slow = members.iter().map(|&u| self.drill_row(u).wheel).fold(1.0, f64::max);
                    let cost = self.wheel_price(width, degrees) * slow;
                    if cost < left * 0.5 {
                        legs.push(Leg::Wheel { side: hand, degrees });
                        left -= cost;
                    }
                }
                legs.push(Leg::Forward((whim.between(0.5, 1.0) * left).max(0.0)));
            }
            Order::Reserve => {
                let roll = whim.below(8);
                if self.info(first).arm == Arm::Artillery && roll < 2 {
                    legs.push(Leg::Pivot(whim.between(-90.0, 90.0).round()));
                } else if roll == 0 {
                    legs.push(Leg::Turn(Turn::About));
                } else if roll == 1 {
                    legs.push(Leg::Form(if whim.chance(0.5) { Formation::Column2 } else { Formation::Line }));
                } else if roll == 2 {
                    legs.push(Leg::Back(whim.between(0.1, 0.5) * speed));
                } else if roll == 3 {
                    legs.push(Leg::Incline { side: hand, distance: whim.between(0.1, 0.5) * speed });
                } else {
                    legs.push(Leg::Forward(whim.between(0.1, 1.0) * speed));
                }
            }
            _ => {
                let roll = whim.below(10);
                if roll == 0 {
                    legs.push(Leg::Turn(Turn::About));
                } else if roll == 1 {
                    legs.push(Leg::Form(Formation::Square));
                } else {
                    legs.push(Leg::Shift([whim.between(-3.0, 3.0), whim.between(-3.0, 3.0)]));
                }
            }
        }
        legs
    }

    fn sample_removal(&self, whim: &mut Whim) -> Action {
        if whim.chance(0.8) {
            return Action::Done;
        }
        if let Some(Task::Remove { unit, .. }) = self.s.tasks.last() {
            let n = self.unit(*unit).strength();
            let action = Action::Remove { stands: SmallVec::from_slice(&[whim.below(n) as u8]) };
            if self.check(&action).is_ok() {
                return action;
            }
        }
        Action::Done
    }

    fn sample_return(&self, g: GroupIx, whim: &mut Whim) -> Action {
        let Some(off) = self.group(g).off else { return Action::Done };
        for _ in 0..6 {
            let (mut at, mut edge) = ([off.at.x, off.at.y], None);
            if off.march {
                let depth = self.fixed.table.depth();
                let enemy = self.s.armies[1 - self.group(g).side.index().min(1)].edge;
                let inside = whim.between(4.0, (depth * 0.5 - 34.0).max(5.0));
                let y = if enemy == EdgeName::South { inside } else { depth - inside };
                at = [0.0, y];
                edge = Some(if whim.chance(0.5) { EdgeName::East } else { EdgeName::West });
            } else {
                at[0] += whim.between(-9.0, 9.0);
                at[1] += whim.between(-9.0, 9.0);
            }
            let formation = if whim.chance(0.7) { Formation::Line } else { Formation::Column2 };
            let action = Action::Place { at, formation, edge };
            if self.check(&action).is_ok() {
                return action;
            }
        }
        Action::Done
    }

    fn sample_deployment(&self, whim: &mut Whim) -> Action {
        let Some(Task::Deploy { side, lot }) = self.s.tasks.last() else { return Action::Done };
        let units = self.units_to_deploy(*side, *lot);
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let south = self.s.armies[side.index().min(1)].edge == EdgeName::South;
        for _ in 0..4 {
            if whim.chance(0.3) {
                break;
            }
            let Some(&u) = whim.one_of(&units) else { break };
            let inside = whim.between(2.0, (depth * 0.5 - 30.0).max(3.0));
            let at = [whim.between(45.0, width - 45.0), if south { inside } else { depth - inside }];
            let action = Action::Deploy {
                unit: self.unit(u).id,
                at,
                facing: if south { 0.0 } else { 180.0 },
                formation: Formation::Line,
                order: None,
            };
            if self.check(&action).is_ok() {
                return action;
            }
        }
        Action::Done
    }

    /// Up to n different answers worth considering.
    pub(crate) fn suggested(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        let mut found = self.listed();
        found.retain(|a| *a != Action::Concede);
        found.truncate(n);
        let mut tries = 0;
        while found.len() < n && tries < 4 * n {
            tries += 1;
            let action = self.sampled(whim);
            if !found.contains(&action) {
                found.push(action);
            }
        }
        found
    }
}
