//! The course of a battle: a stack of things to be done, in the order of part 5 (SYW-SEQ).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::{Asks, Now};
use tricorne_game::{Event, Log, Side};
use tricorne_table::Pose;

use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{GaveWay, Groups, Order, SubPhase, UnitPhase, Units};
use crate::options::{MovementOrder, ShootingTestTime};
use crate::questions::{
    Begin, Charges, Combat, Command, Movement, Pursuits, Questions, Retreats, Shooting, Uncommanded,
};

/// Who ran from whom: the winner, the runners, and how deep they had stood (SYW-MELEE-32).
pub type Fled = SmallVec<[(GroupIx, GroupIx, f64); 4]>;

/// Something to be done: somebody is asked, or the umpire goes on by himself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Task {
    Ask(Questions),
    // Set-up
    Survey,
    DrawCounters { side: Side },
    SubCounters { side: Side },
    Initiative,
    // Turn
    StartTurn,
    EndTurn,
    StartPhase { side: Side },
    EndPhase,
    Step(SubPhase),
    CommandDice,
    // Movement
    Returns,
    Land { group: GroupIx },
    Routers,
    EndMovement,
    Volley { hidden: UnitIx, mover: UnitIx },
    GoOn { group: GroupIx, rest: Rest, halted: bool },
    Pursued { group: GroupIx, gone: bool, first: bool },
    MetLights { group: GroupIx, prey: GroupIx, enemy: UnitIx, left: f64, through: Units },
    Charged { by: GroupIx, target: GroupIx, evade: bool },
    Answer { by: GroupIx, target: GroupIx, evade: bool, passed: bool },
    // Shooting, charges and combat
    ShotTests { side: Side },
    ReplaceGenerals,
    LateAnswers,
    Muster,
    BreakThrough { unit: UnitIx, enemy: UnitIx },
    MeleeTests { groups: Groups },
    Flights,
    Pursue { fled: Fled },
    Seeing,
    Tidy,
}

impl Task {
    /// Somebody is asked.
    pub fn ask(question: impl Into<Questions>) -> Self {
        Self::Ask(question.into())
    }
}

impl SevenYearsBattle {
    /// What is noted when a question is put.
    pub(crate) fn is_asked(&mut self, question: &Questions) {
        if matches!(question, Questions::Movement(_)) {
            self.note_advances();
        }
    }

    /// What the umpire does by himself.
    pub(crate) fn perform(&mut self, task: Task, now: &mut Now<'_>) {
        match task {
            Task::DrawCounters { side } => self.draw_cinc_counters(side, now.chance),
            Task::SubCounters { side } => self.draw_sub_counters(side, now),
            Task::Initiative => self.roll_initiative(now),
            Task::Survey => self.raise_armies(now),
            Task::StartTurn => self.start_turn(now.log),
            Task::EndTurn => self.end_turn(now.log),
            Task::StartPhase { side } => self.start_phase(side, now.log),
            Task::EndPhase => self.end_phase(now.log),
            Task::Step(step) => self.start_step(step, now.log),
            Task::CommandDice => self.command_dice(now),
            Task::Returns => {
                let next = self.may_return(self.s.phasing).first().copied();
                if let Some(g) = next {
                    self.s.tasks.push(Task::Returns);
                    self.try_return(g, now);
                }
            }
            Task::Land { group } => self.land(group, now.log),
            Task::Routers => self.routers(now),
            Task::EndMovement => {
                if let Some(g) = self.unmoved_advance() {
                    self.s.tasks.push(Task::EndMovement);
                    self.default_advance(g, now);
                } else {
                    self.complete_contacts(now.log);
                    self.ranks_are_set(self.s.phasing);
                }
            }
            Task::Volley { hidden, mover } => self.volley_from_hiding(hidden, mover, now),
            Task::GoOn { group, rest, halted } => self.go_on(group, rest, halted, now),
            Task::Pursued { group, gone, first } => self.pursued(group, gone, first, now),
            Task::MetLights { group, prey, enemy, left, through } => {
                self.lights_answered((group, prey), enemy, (left, through), now);
            }
            Task::Charged { by, target, evade } => self.being_charged(by, target, evade, now),
            Task::Answer { by, target, evade, passed } => {
                self.answer(by, target, evade, passed, now);
            }
            Task::ShotTests { side } => self.shot_tests(side, now),
            Task::ReplaceGenerals => self.replace_generals(now),
            Task::LateAnswers => self.late_answers(now),
            Task::Muster => {
                self.sync_contacts();
                self.muster();
            }
            Task::BreakThrough { unit, enemy } => self.break_through(unit, enemy, now),
            Task::MeleeTests { groups } => self.melee_tests(groups, now),
            Task::Flights => self.flights(now),
            Task::Pursue { fled } => self.pursue_all(fled, now),
            Task::Seeing => self.seeing(now),
            Task::Tidy => self.tidy(now.log),
            Task::Ask(_) => {}
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
        let end_of_subphase = self.fixed.options.shooting_test_time == ShootingTestTime::EndOfSubphase;
        // Fire from hiding falls in other sub-phases, too (SYW-VIS-04): on chargers, pursuers, runners.
        let shot_tests = |tasks: &mut Vec<Task>| {
            tasks.push(Task::ShotTests { side: p.enemy() });
            tasks.push(Task::ShotTests { side: p });
        };
        tasks.push(Task::EndPhase);
        tasks.push(Task::ReplaceGenerals);
        tasks.push(Task::Seeing);
        tasks.push(Task::Tidy);
        tasks.push(Task::Seeing);
        shot_tests(tasks);
        tasks.push(Task::Flights);
        if !end_of_subphase {
            shot_tests(tasks);
        }
        tasks.push(Task::MeleeTests { groups: Groups::new() });
        tasks.push(Task::ask(Combat));
        tasks.push(Task::Step(SubPhase::Combat));
        if from == SubPhase::Combat {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        if end_of_subphase {
            shot_tests(tasks);
        }
        tasks.push(Task::ask(Charges));
        tasks.push(Task::LateAnswers);
        tasks.push(Task::Step(SubPhase::Charges));
        if from == SubPhase::Charges {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        if end_of_subphase {
            tasks.push(Task::ShotTests { side: p });
        }
        tasks.push(Task::ask(Shooting));
        tasks.push(Task::Step(SubPhase::Reply));
        if from == SubPhase::Reply {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        if end_of_subphase {
            tasks.push(Task::ShotTests { side: p.enemy() });
        }
        tasks.push(Task::ask(Shooting));
        tasks.push(Task::Step(SubPhase::Shooting));
        if from == SubPhase::Shooting {
            return;
        }
        tasks.push(Task::ReplaceGenerals);
        tasks.push(Task::EndMovement);
        tasks.push(Task::ask(Movement));
        if self.fixed.options.movement_order == MovementOrder::RetreatsThird {
            tasks.push(Task::ask(Retreats));
        }
        tasks.push(Task::ask(Pursuits));
        tasks.push(Task::Routers);
        tasks.push(Task::Returns);
        tasks.push(Task::Step(SubPhase::Movement));
        if from == SubPhase::Movement {
            return;
        }
        tasks.push(Task::ask(Uncommanded));
        tasks.push(Task::ask(Command));
        if !dice_rolled {
            tasks.push(Task::CommandDice);
        }
        tasks.push(Task::Step(SubPhase::Command));
    }

    fn start_step(&mut self, step: SubPhase, log: &mut Log) {
        self.note_objectives(false);
        self.s.step = step;
        log.say(|| Event::new("step_begins", "SYW-SEQ-02").with("step", step.name()));
        // Where fire is tested for with the melees, generals are as near as they were before it (SYW-MORALE-04, -13).
        let later = self.fixed.options.shooting_test_time == ShootingTestTime::EndOfPhase;
        for group in self.s.groups.iter_mut().filter(|group| !(later && group.phase.shot_losses)) {
            group.near = None;
        }
        match step {
            SubPhase::Movement => {
                for unit in &mut self.s.units {
                    unit.phase.start_at = unit.at;
                    unit.phase.start_facing = unit.facing;
                    unit.phase.start_known = unit.is_known();
                }
            }
            SubPhase::Shooting | SubPhase::Reply => {
                for unit in &mut self.s.units {
                    unit.phase.first_fire = false;
                }
            }
            SubPhase::Combat => {
                self.sync_contacts();
                // Whoever is drawn into a melee in its course, too (SYW-MORALE-13, SYW-BREAK-09).
                if !self.s.contacts.is_empty() {
                    for g in self.group_ids() {
                        self.note_generals(g);
                    }
                }
                self.muster_melees();
            }
            SubPhase::SetUp | SubPhase::Command | SubPhase::Charges => {}
        }
    }

    /// The marks of the phase before go with it (P0).
    pub(crate) fn clear_phase(&mut self) {
        let (phasing, now) = (self.s.phasing, self.phase_number());
        for unit in &mut self.s.units {
            let last = std::mem::replace(
                &mut unit.phase,
                UnitPhase::from(Pose { at: unit.at, facing: unit.facing }),
            );
            if unit.side != phasing {
                // Its own side's last phase has just ended.
                unit.moved_own = last.moved;
            }
            if last.moved {
                unit.stood_since = now.saturating_sub(1);
            }
            unit.moved_before = last.moved;
            unit.fired_before = last.fired;
        }
        for group in &mut self.s.groups {
            let last = std::mem::take(&mut group.phase);
            group.gave_way_before = if last.evaded {
                Some(GaveWay::Evaded)
            } else {
                (last.fell_back > 0.0).then_some(GaveWay::FellBack)
            };
            group.phase.began_on_stand = group.order == Order::Stand;
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
            c.orders = None;
        }
        self.s.disasters.clear();
        self.note_distances();
    }

    fn end_phase(&mut self, log: &mut Log) {
        self.note_objectives(true);
        self.judge_at_once(log);
    }
}

impl SevenYearsBattle {
    /// Goes on as far as no die is needed: a position is set up without rolling anything.
    pub(crate) fn run_quietly(&mut self) {
        let mut log = Log::off();
        while let Some(task) = self.s.tasks.last() {
            let quiet = match task {
                Task::Ask(question) => {
                    let question = question.clone();
                    if question.open(self) {
                        self.is_asked(&question);
                        return;
                    }
                    matches!(
                        question,
                        Questions::Command(_)
                            | Questions::Uncommanded(_)
                            | Questions::Pursuits(_)
                            | Questions::Retreats(_)
                    )
                }
                Task::Step(_) => true,
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
                break;
            }
            if let Some(Task::Step(step)) = self.s.tasks.pop() {
                self.start_step(step, &mut log);
            }
        }
        self.ask(Begin);
    }
}
