//! The course of a battle: a stack of things to be done, in the order of part 5 (SYW-SEQ).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log, Side};

use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Direction, Groups, Order, Presence, SubPhase};
use crate::options::{MovementOrder, ShootingTestTime};
use crate::rulebook::Arm;

/// Who ran from whom: the winner, the runners, and how deep they had stood (SYW-MELEE-32).
pub type Fled = SmallVec<[(GroupIx, GroupIx, f64); 4]>;

/// Something to be done. Those that ask somebody stay on the stack until they are answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Task {
    // Set-up
    Enlist { side: Side },
    Survey,
    Ground,
    Rotation { bought: crate::terrain_generation::Bought },
    DrawCounters { side: Side },
    KeepCounter { side: Side, general: GeneralIx, drawn: SmallVec<[u8; 3]> },
    SubCounters { side: Side },
    Initiative,
    TableSide,
    KeepBack,
    Deploy { side: Side, lot: Lot },
    // Turn
    StartTurn,
    EndTurn,
    StartPhase { side: Side },
    EndPhase,
    Step(SubPhase),
    // Command
    CommandDice,
    Command,
    Facing { group: GroupIx },
    Uncommanded,
    // Movement
    Returns,
    Return { group: GroupIx },
    MakeRoom { unit: UnitIx, group: GroupIx },
    Land { group: GroupIx },
    Routers,
    Pursuits,
    Guns { group: GroupIx, prey: GroupIx, battery: UnitIx, left: f64 },
    Retreats,
    Movement,
    EndMovement,
    Halt { group: GroupIx },
    Ambush { hidden: UnitIx, mover: UnitIx },
    Volley { hidden: UnitIx, mover: UnitIx },
    Passed { group: GroupIx },
    Along { general: GeneralIx, group: GroupIx, way: tricorne_table::Point },
    Charged { by: GroupIx, target: GroupIx, evade: bool },
    Answer { by: GroupIx, target: GroupIx, evade: bool, passed: bool },
    Flank { unit: UnitIx, from: Direction, by: GroupIx },
    Lights { group: GroupIx, by: GroupIx },
    MoraleChoice { group: GroupIx },
    // Shooting
    Shooting,
    Remove { unit: UnitIx, kills: u8, melee: bool },
    ShotTests { side: Side },
    ReplaceGenerals,
    NewGeneral { general: GeneralIx },
    // Charges
    LateAnswers,
    Charges,
    Oblique { unit: UnitIx, target: UnitIx, left: f64, swing: f64 },
    // Combat
    Combat,
    Muster,
    BreakThrough { unit: UnitIx, enemy: UnitIx },
    MeleeTests { groups: Groups },
    Flights,
    Pursue { fled: Fled },
    AfterMelee { group: GroupIx, prey: GroupIx, depth: f64 },
    Seeing,
    Tidy,
}

impl SevenYearsBattle {
    /// Goes on until somebody must decide or the battle is over.
    pub(crate) fn run(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        self.s.waiting = false;
        self.watch_prisoners(log);
        while self.s.ending.is_none() {
            let Some(task) = self.s.tasks.last() else {
                self.s.tasks.push(Task::StartTurn);
                continue;
            };
            if self.asks(task) {
                if *task == Task::Movement {
                    self.note_advances();
                }
                self.s.waiting = true;
                self.clear_generals(log);
                return;
            }
            let Some(task) = self.s.tasks.pop() else { continue };
            self.perform(task, chance, log);
            self.watch_prisoners(log);
        }
    }

    /// Whether a task waits for an answer: only where there is more than one (part 5).
    pub(crate) fn asks(&self, task: &Task) -> bool {
        match task {
            Task::Enlist { .. } | Task::Rotation { .. } => true,
            Task::Ground => self.may_buy_ground(),
            Task::KeepCounter { drawn, .. } => drawn.len() > 1,
            Task::TableSide => true,
            Task::KeepBack => self.brigades(self.first_to_deploy()).len() > 1,
            Task::Deploy { side, lot } => self.left_to_deploy(*side, *lot),
            Task::Command => self.attempts_left(),
            Task::Facing { group } => !self.members(*group).is_empty(),
            Task::Uncommanded => {
                !self.may_order_themselves().is_empty() || !self.may_cure_themselves().is_empty()
            }
            Task::Return { group } => self.group(*group).off.is_some(),
            Task::MakeRoom { unit, group } => {
                self.unit(*unit).is_known()
                    && self.crowds(*unit, *group)
                    && self.default_room(*unit, *group).is_some()
            }
            Task::Pursuits => !self.pursuers().is_empty(),
            Task::Guns { battery, group, .. } => {
                self.unit(*battery).is_known() && !self.members(*group).is_empty()
            }
            Task::Retreats => self.next_retreat().is_some(),
            Task::Movement => true,
            Task::Halt { group } => self.can_charge_at_halt(*group),
            Task::Ambush { hidden, mover } => {
                self.unit(*hidden).presence == Presence::Hidden
                    && self.unit(*mover).is_known()
                    && self.ambush_shot(*hidden, *mover).is_some()
            }
            Task::Passed { group } => {
                matches!(self.group(*group).order, Order::Advance | Order::Reserve)
                    && !self.members(*group).is_empty()
            }
            Task::Along { general, group, way } => self.can_go_along(*general, *group, *way),
            Task::Flank { unit, .. } => self.unit(*unit).is_known() && self.order_of(*unit) != Order::Rout,
            Task::Lights { group, by } => self.can_evade(*group) && !self.must_evade(*group, *by),
            Task::MoraleChoice { group } => self.may_go_to_advance(*group),
            Task::Shooting => true,
            Task::Remove { unit, kills, .. } => {
                self.unit(*unit).is_present() && self.has_choice_of_losses(*unit, *kills)
            }
            Task::NewGeneral { general } => {
                let place = self.successor_place(*general);
                place.is_some()
            }
            Task::Charges => self.charges_left().len() > 1,
            Task::Oblique { unit, target, .. } => {
                self.unit(*unit).is_known() && self.unit(*target).is_known()
            }
            Task::Combat => self.melees_left().count() > 1,
            Task::AfterMelee { group, .. } => {
                self.group(*group).arm == Arm::Infantry && !self.members(*group).is_empty()
            }
            _ => false,
        }
    }

    /// A shot at an enemy general, if there is one (SYW-GEN-21).
    pub(crate) fn find_general_shot(&self) -> Option<crate::shooting::shots::Shot> {
        let side = self.shooting_side();
        for (i, general) in self.s.generals.iter().enumerate() {
            if general.side == side || !general.is_present() {
                continue;
            }
            for u in self.present(side) {
                let greatest = self.fixed.book.ranges(self.info(u).weapon).greatest();
                if greatest <= 0.0
                    || self.unit(u).presence == Presence::Hidden
                    || self.unit(u).frame.bounds.distance_squared(general.at)
                        > (greatest + 5.0) * (greatest + 5.0)
                {
                    continue;
                }
                let mark = crate::shooting::shots::Mark::General(GeneralIx::of(i));
                if let Ok(shot) = self.judge_shot(u, mark, &[]) {
                    return Some(shot);
                }
            }
        }
        None
    }

    fn crowds(&self, unit: UnitIx, group: GroupIx) -> bool {
        self.arriving(group).iter().any(|&u| self.gap_below(u, unit, 10.0 - 0.02).is_some())
    }

    /// The next group of the phasing side that must retreat.
    pub(crate) fn next_retreat(&self) -> Option<GroupIx> {
        let mut groups = self.retreaters();
        groups.truncate(1);
        groups.first().copied()
    }

    pub(crate) fn retreaters(&self) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                group.order == Order::Retreat
                    && !group.fled
                    && self.members(g).iter().all(|&u| self.unit(u).presence == Presence::OnTable)
            })
            .collect();
        self.in_order(&mut groups);
        groups
    }

    fn can_charge_at_halt(&self, g: GroupIx) -> bool {
        let group = self.group(g);
        group.order == Order::Advance
            && !group.tested_charge
            && group.off.is_none()
            && self.find_charge(g, 0).is_some()
    }

    /// The first charge a group could declare, beginning at some enemy; for samplers and halts.
    pub(crate) fn find_charge(&self, g: GroupIx, from: usize) -> Option<crate::decisions::action::Action> {
        let members = self.members(g);
        let side = self.group(g).side;
        let n = self.s.units.len();
        for &u in &members {
            let left = self.charge_left(u);
            for k in 0..n {
                let e = UnitIx::of((from + k) % n);
                if self.unit(e).side == side
                    || !self.unit(e).is_known()
                    || self.gap_below(u, e, left + 0.1).is_none()
                {
                    continue;
                }
                let target = crate::decisions::action::Target {
                    unit: self.unit(u).id,
                    target: self.unit(e).id,
                    wheel: None,
                    ride_on: None,
                };
                if self.judge_charge_for(g, &target) {
                    return Some(crate::decisions::action::Action::Charge {
                        group: self.group(g).id,
                        targets: vec![target],
                    });
                }
            }
        }
        None
    }

    /// As `judge_charge`, for a group that may be answering for its halt.
    fn judge_charge_for(&self, g: GroupIx, target: &crate::decisions::action::Target) -> bool {
        let group = self.group(g);
        if group.halted && !matches!(self.s.tasks.last(), Some(Task::Halt { .. })) {
            return false;
        }
        self.judge_charge(g, std::slice::from_ref(target)).is_ok()
    }

    fn perform(&mut self, task: Task, chance: &mut dyn Chance, log: &mut Log) {
        match task {
            Task::DrawCounters { side } => self.draw_cinc_counters(side, chance),
            Task::KeepCounter { side, general, drawn } => {
                let kept = self.best_counter(side.index().min(1), &drawn);
                self.keep_counter(side, general, kept, &drawn, log);
            }
            Task::SubCounters { side } => self.draw_sub_counters(side, chance, log),
            Task::Initiative => self.roll_initiative(chance, log),
            Task::Survey => self.raise_armies(chance, log),
            Task::Enlist { .. } | Task::Ground | Task::Rotation { .. } => {}
            Task::KeepBack => {}
            Task::Deploy { .. } | Task::TableSide => {}
            Task::StartTurn => self.start_turn(log),
            Task::EndTurn => self.end_turn(log),
            Task::StartPhase { side } => self.start_phase(side, log),
            Task::EndPhase => self.end_phase(),
            Task::Step(step) => self.start_step(step, log),
            Task::CommandDice => self.command_dice(chance, log),
            Task::Returns => {
                let next = self.may_return(self.s.phasing).first().copied();
                if let Some(g) = next {
                    self.s.tasks.push(Task::Returns);
                    self.try_return(g, chance, log);
                }
            }
            Task::MakeRoom { unit, group } => {
                if self.unit(unit).is_known()
                    && self.crowds(unit, group)
                    && let Some(pose) = self.default_room(unit, group)
                {
                    self.make_room(unit, pose, log);
                }
            }
            Task::Land { group } => self.land(group, log),
            Task::Routers => self.routers(chance, log),
            Task::EndMovement => {
                if let Some(g) = self.unmoved_advance() {
                    self.s.tasks.push(Task::EndMovement);
                    self.default_advance(g, chance, log);
                } else {
                    self.complete_contacts(log);
                    self.ranks_are_set(self.s.phasing);
                }
            }
            Task::Halt { group } => {
                if self.group(group).order == Order::Advance && self.group(group).off.is_none() {
                    let id = self.group(group).id;
                    log.say(|| {
                        Event::new("halt", "SYW-ORDER-28")
                            .with("group", id.as_str())
                            .with("troops", self.troops(group))
                    });
                    self.set_order(group, Order::Stand, log);
                }
            }
            Task::Ambush { hidden, mover } => self.hold_fire(hidden, mover, log),
            Task::Volley { hidden, mover } => self.volley_from_hiding(hidden, mover, chance, log),
            Task::Charged { by, target, evade } => self.being_charged(by, target, evade, chance, log),
            Task::Answer { by, target, evade, passed } => {
                self.answer(by, target, evade, passed, chance, log);
            }
            Task::Lights { group, by } => {
                if self.can_evade(group) {
                    self.evade(group, by, chance, log);
                }
            }
            Task::Remove { unit, kills, melee } => {
                if self.unit(unit).is_present() {
                    let lost = self.default_losses(unit, kills);
                    self.remove_stands(unit, &lost, melee, log);
                }
            }
            Task::ShotTests { side } => self.shot_tests(side, chance, log),
            Task::ReplaceGenerals => self.replace_generals(chance, log),
            Task::LateAnswers => self.late_answers(chance, log),
            Task::Charges => {
                if let Some(&g) = self.charges_left().first() {
                    self.s.tasks.push(Task::Charges);
                    self.carry_home(g, chance, log);
                }
            }
            Task::Combat => {
                let next = self.melees_left().next().map(|c| (c.attacker, c.defender));
                if let Some((a, b)) = next {
                    self.s.tasks.push(Task::Combat);
                    self.fight(a, b, chance, log);
                }
            }
            Task::Muster => {
                self.sync_contacts();
                for k in 0..self.s.contacts.len() {
                    if !self.s.contacts[k].fought {
                        self.muster(k);
                    }
                }
            }
            Task::BreakThrough { unit, enemy } => self.break_through(unit, enemy, chance, log),
            Task::MeleeTests { groups } => self.melee_tests(groups, chance, log),
            Task::Flights => self.flights(chance, log),
            Task::Pursue { fled } => self.pursue_all(fled, chance, log),
            Task::AfterMelee { group, prey, .. } => {
                if self.group(group).arm == Arm::Cavalry {
                    self.first_pursuit(group, prey, chance, log);
                }
            }
            Task::Seeing => self.seeing(chance, log),
            Task::Tidy => self.tidy(log),
            Task::NewGeneral { general } => {
                if let Some(at) =
                    self.free_place_for(general, self.s.generals[usize::from(general)].at, 200.0)
                {
                    self.place_general(general, at);
                }
            }
            Task::Command
            | Task::Facing { .. }
            | Task::Uncommanded
            | Task::Return { .. }
            | Task::Pursuits
            | Task::Guns { .. }
            | Task::Retreats
            | Task::Movement
            | Task::Passed { .. }
            | Task::Along { .. }
            | Task::Flank { .. }
            | Task::MoraleChoice { .. }
            | Task::Shooting
            | Task::Oblique { .. } => {}
        }
    }

    fn start_turn(&mut self, log: &mut Log) {
        self.s.turn += 1;
        let turn = self.s.turn;
        log.say(|| Event::new("turn_begins", "SYW-SEQ-01").with("turn", turn));
        let first = self.s.attacker;
        self.s.tasks.push(Task::EndTurn);
        self.s.tasks.push(Task::StartPhase { side: first.enemy() });
        self.s.tasks.push(Task::StartPhase { side: first });
    }

    fn end_turn(&mut self, log: &mut Log) {
        self.judge_turn(log);
    }

    /// The six sub-phases, laid on the stack last first (SYW-SEQ-02).
    fn start_phase(&mut self, side: Side, log: &mut Log) {
        self.s.phasing = side;
        let name = self.fixed.sides[side.index().min(1)].name.clone();
        log.say(|| Event::new("phase_begins", "SYW-SEQ-01").with("side", name));
        self.clear_phase();
        self.keep_watch();
        self.push_from(SubPhase::Command, false);
    }

    /// Lays what is left of a phase on the stack, from a sub-phase on.
    pub(crate) fn push_from(&mut self, from: SubPhase, dice_rolled: bool) {
        let p = self.s.phasing;
        let tasks = &mut self.s.tasks;
        tasks.push(Task::EndPhase);
        tasks.push(Task::ReplaceGenerals);
        tasks.push(Task::Seeing);
        tasks.push(Task::Tidy);
        tasks.push(Task::Seeing);
        tasks.push(Task::Flights);
        if self.fixed.options.shooting_test_time == ShootingTestTime::EndOfPhase {
            tasks.push(Task::ShotTests { side: p.enemy() });
            tasks.push(Task::ShotTests { side: p });
        }
        tasks.push(Task::MeleeTests { groups: Groups::new() });
        tasks.push(Task::Combat);
        tasks.push(Task::Step(SubPhase::Combat));
        if from == SubPhase::Combat {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        tasks.push(Task::Charges);
        tasks.push(Task::LateAnswers);
        tasks.push(Task::Step(SubPhase::Charges));
        if from == SubPhase::Charges {
            return;
        }
        let end_of_subphase = self.fixed.options.shooting_test_time == ShootingTestTime::EndOfSubphase;
        tasks.push(Task::ReplaceGenerals);
        if end_of_subphase {
            tasks.push(Task::ShotTests { side: p });
        }
        tasks.push(Task::Shooting);
        tasks.push(Task::Step(SubPhase::Reply));
        if from == SubPhase::Reply {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        if end_of_subphase {
            tasks.push(Task::ShotTests { side: p.enemy() });
        }
        tasks.push(Task::Shooting);
        tasks.push(Task::Step(SubPhase::Shooting));
        if from == SubPhase::Shooting {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        tasks.push(Task::EndMovement);
        tasks.push(Task::Movement);
        if self.fixed.options.movement_order == MovementOrder::RetreatsThird {
            tasks.push(Task::Retreats);
        }
        tasks.push(Task::Pursuits);
        tasks.push(Task::Routers);
        tasks.push(Task::Returns);
        tasks.push(Task::Step(SubPhase::Movement));
        if from == SubPhase::Movement {
            return;
        }
        tasks.push(Task::Uncommanded);
        tasks.push(Task::Command);
        if !dice_rolled {
            tasks.push(Task::CommandDice);
        }
        tasks.push(Task::Step(SubPhase::Command));
    }

    fn start_step(&mut self, step: SubPhase, log: &mut Log) {
        self.s.step = step;
        log.say(|| Event::new("step_begins", "SYW-SEQ-02").with("step", step.name()));
        for group in &mut self.s.groups {
            group.near = None;
        }
        match step {
            SubPhase::Movement => {
                for unit in &mut self.s.units {
                    unit.start_at = unit.at;
                    unit.start_facing = unit.facing;
                }
            }
            SubPhase::Shooting | SubPhase::Reply => {
                for unit in &mut self.s.units {
                    unit.first_fire = false;
                }
            }
            SubPhase::Combat => {
                self.sync_contacts();
                for g in self.group_ids() {
                    if self.group_in_melee(g) {
                        self.note_generals(g);
                    }
                }
                self.muster_melees();
            }
            SubPhase::SetUp | SubPhase::Command | SubPhase::Charges => {}
        }
    }

    /// Clears the marks of the phase before (P0).
    pub(crate) fn clear_phase(&mut self) {
        let (phasing, now) = (self.s.phasing, self.phase_number());
        for unit in &mut self.s.units {
            if unit.side != phasing {
                // Its own side's last phase has just ended.
                unit.moved_own = unit.moved;
            }
            if unit.moved {
                unit.stood_since = now.saturating_sub(1);
            }
            unit.moved_before = unit.moved;
            unit.moved = false;
            unit.fired_before = unit.fired_phase;
            unit.fired_phase = false;
            unit.first_fire = false;
            unit.shot = 0;
            unit.shots = 0;
            unit.charged = false;
            unit.charging = false;
            unit.set_out = None;
            unit.turned_now = false;
            unit.changed = false;
            unit.stole = false;
            unit.start_at = unit.at;
            unit.start_facing = unit.facing;
        }
        for group in &mut self.s.groups {
            group.moved = false;
            group.used = 0.0;
            group.halted = false;
            group.began_on_stand = group.order == Order::Stand;
            group.tested_charge = false;
            group.charging = false;
            group.aims.clear();
            group.began_gap = 0.0;
            group.fell_back_before = group.fell_back > 0.0 || group.evaded;
            group.fell_back = 0.0;
            group.evaded = false;
            group.shot_losses = false;
            group.melee_lost = 0;
            group.melee_killed = 0;
            group.melees_won = 0;
            group.melees_lost = 0;
            group.fought = false;
            group.short_guns = false;
            group.shot_by.clear();
            group.saw_friends = false;
            group.fled = false;
            group.gave_way = false;
            group.pinned = false;
            group.chased.clear();
            group.late_answer = None;
            group.self_tried = false;
            if let Some(off) = &mut group.off {
                off.tried = false;
            }
        }
        for general in &mut self.s.generals {
            general.moved = false;
        }
        for c in &mut self.s.contacts {
            c.charge = false;
            c.fought = false;
        }
        self.s.disasters.clear();
        self.note_distances();
    }

    fn end_phase(&mut self) {
        self.note_objectives();
        self.judge_at_once();
    }
}

impl SevenYearsBattle {
    /// Goes on as far as no die is needed: a position is set up without rolling anything.
    pub(crate) fn run_quietly(&mut self) {
        let mut log = Log::off();
        self.s.waiting = false;
        while let Some(task) = self.s.tasks.last() {
            if self.asks(task) {
                if *task == Task::Movement {
                    self.note_advances();
                }
                self.s.waiting = true;
                return;
            }
            let quiet = match task {
                Task::Step(_) | Task::Command | Task::Uncommanded | Task::Pursuits | Task::Retreats => true,
                Task::Returns => self.may_return(self.s.phasing).is_empty(),
                Task::Routers => {
                    let n = self.s.phasing.enemy();
                    !self.s.groups.iter().any(|g| {
                        (g.side == n && g.order == Order::Rout && g.off.is_none()) || g.deferred.is_some()
                    })
                }
                _ => false,
            };
            if !quiet {
                return;
            }
            let Some(task) = self.s.tasks.pop() else { return };
            if let Task::Step(step) = task {
                self.start_step(step, &mut log);
            }
        }
    }
}
