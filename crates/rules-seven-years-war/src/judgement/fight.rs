//! Charges, shots and the answers of close combat, weighed by their odds.

use smallvec::SmallVec;
use tricorne_game::InOrder;

use crate::action::{
    Action, After, Along, Ambush, FlankAnswer, Guns, LightsAnswer, Oblique, PassedOrder, Resolve, Target,
};
use crate::judgement::Weighed;
use crate::judgement::survey::{Friend, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Contact, Direction, Formation, Order};
use crate::morale::tests::Test;
use crate::options::FlankFail;
use crate::questions::{
    AfterMelee, GoAlong, MeetCharge, MeetFlank, MeetGuns, Misaligned, Passed, Questions, Resolution,
};
use crate::rulebook::Arm;
use crate::shooting::shots::Band;

impl SevenYearsBattle {
    /// What one round of a melee is worth to the attacker, in points.
    fn clash_worth(&self, c: &Contact) -> f64 {
        let clash = self.clash(c);
        let price = |u: UnitIx| self.info(u).price;
        let (mine, theirs) = (self.worth(c.attacker), self.worth(c.defender));
        clash.lost[1] * price(c.defender) - clash.lost[0] * price(c.attacker)
            // The loser tests at -2 and may run.
            + self.mind.weighs.mastery * (clash.wins * theirs - clash.loses * mine)
    }

    /// What a charge of one unit is worth to its side before anybody has thrown.
    pub(crate) fn charge_worth_of(&self, g: GroupIx, u: UnitIx, e: UnitIx, from: Direction) -> f64 {
        let aim = Aim { unit: u, target: e, wheel: 0.0, from, gap: 10.0, ride_on: 0.0 };
        self.charge_worth(g, &[aim])
    }

    /// What a charge is worth to its side before anybody has thrown.
    fn charge_worth(&self, g: GroupIx, aims: &[Aim]) -> f64 {
        let goes = self.charge_chance(g, aims);
        if goes < 0.05 {
            return -1.0;
        }
        let mut sum = 0.0;
        let mut seen: SmallVec<[GroupIx; 4]> = SmallVec::new();
        for aim in aims {
            let target = self.unit(aim.target).group;
            if seen.contains(&target) {
                continue;
            }
            seen.push(target);
            let on_it: SmallVec<[Aim; 4]> =
                aims.iter().copied().filter(|a| self.unit(a.target).group == target).collect();
            let stakes = self.group_worth(target);
            let running = self.group(target).order == Order::Rout;
            let nerve = self.nerve(target, Test::BeingCharged, &on_it, 0);
            let stands = if running { 0.0 } else { nerve.holds + nerve.halts };
            let mut fight = 0.0;
            for a in &on_it {
                fight += self.carried_home(a);
            }
            // A unit struck in flank or rear that fails to turn runs (SYW-FLANK-10).
            let turned = on_it.iter().any(|a| a.from != Direction::Front);
            let fails = if turned { (f64::from(self.turn_needed(aim.target)) - 1.0) / 6.0 } else { 0.0 };
            let w = &self.mind.weighs;
            let ran = if running { w.run_down } else { w.rout };
            // A battery dies where others run or fall back (SYW-MORALE-35, SYW-FLANK-15).
            let guns = self.group(target).arm == Arm::Artillery;
            let (ran, back, failed) = if guns { (0.9, 0.9, 0.9) } else { (ran, w.retreat, w.rout) };
            sum += nerve.routs * ran * stakes
                + nerve.retreats * back * stakes
                + stands * (fails * failed * stakes + (1.0 - fails) * fight);
        }
        goes * sum - (1.0 - goes) * self.mind.weighs.balk
    }

    /// A charge against somebody who stands: his fire, then the first round.
    fn carried_home(&self, aim: &Aim) -> f64 {
        let (u, e) = (aim.unit, aim.target);
        let info = self.info(e);
        let ranges = self.fixed.book.ranges(info.weapon);
        let mut fire = 0.0;
        let mut home = 1.0;
        let frontal = aim.from == Direction::Front;
        if ranges.greatest() > 0.0 && frontal && self.order_of(e) != Order::Rout {
            let band = if ranges.short.is_some() { Band::Short } else { Band::Long };
            let stands = self.would_meet(u, e, Direction::Front).count[1].max(1);
            let shots = if info.weapon.is_gun() { 1 } else { usize::from(stands) };
            let steady = self.order_of(e) == Order::Stand;
            let volley = self.volley(e, u, shots, 4.0, band, Some(steady));
            fire = volley.kills * self.info(u).price;
            // Each loss brings a test that may stop it, and disorder tells in the melee.
            home = 1.0 - 0.2 * volley.kills.min(1.5) - 0.08 * volley.disorder;
        }
        home * self.clash_worth(&self.would_meet(u, e, aim.from)) - fire
    }

    /// Charges a group on Advance could make (SYW-CHARGE-04).
    pub(crate) fn weigh_charges(&self, survey: &Survey, f: &Friend, all: &mut Weighed) {
        if f.arm == Arm::Artillery || self.group(f.g).phase.tested_charge {
            return;
        }
        let least = self.mind.weighs.least_charge;
        let members = self.members(f.g);
        let mut hopes: SmallVec<[(f64, UnitIx, UnitIx); 12]> = SmallVec::new();
        for &u in &members {
            let left = self.charge_left(u);
            for foe in &survey.foes {
                let bounds = self.unit(u).frame.bounds;
                if foe.bounds.gap_squared(&bounds) > (left + 0.1) * (left + 0.1)
                    || self.off_front(f, foe.at) > 75.0
                {
                    continue;
                }
                let worth = self.charge_worth_of(f.g, u, foe.u, self.charge_direction(u, foe.u));
                if worth > least {
                    hopes.push((worth, u, foe.u));
                }
            }
        }
        hopes.put_in_order(|a, b| b.0.total_cmp(&a.0));
        let group = self.group(f.g).id;
        let haste = (survey.push - 1.0) * self.mind.weighs.charge_push;
        let mut together: SmallVec<[Target; 4]> = SmallVec::new();
        let mut busy: SmallVec<[UnitIx; 4]> = SmallVec::new();
        for &(_, u, e) in hopes.iter().take(3) {
            if busy.contains(&u) {
                continue;
            }
            let target =
                Target { unit: self.name_of(u), target: self.name_of(e), wheel: None, ride_on: None };
            let Ok(aims) = self.judge_charge(f.g, &[target]) else { continue };
            let worth = self.charge_worth(f.g, &aims) + haste;
            let why = match aims[0].from {
                Direction::Front => ("a charge", "SYW-CHARGE-07"),
                Direction::Rear => ("a charge in the rear", "SYW-MORALE-26"),
                Direction::Left | Direction::Right => ("a charge in the flank", "SYW-MORALE-26"),
            };
            // Two squadrons are enough for a battery; the others ride on (SYW-MOVE-17).
            if f.arm == Arm::Cavalry
                && self.info(e).arm == Arm::Artillery
                && self.unit(u).strength() >= 4
                && self.beyond(survey, u, e)
            {
                let ride_on = Some(crate::steer::floor((self.charge_left(u) * 0.5).min(15.0)));
                let targets = vec![Target { ride_on, ..target }];
                all.push(Action::Charge { group, targets }, worth + 0.2, why);
            }
            all.push(Action::Charge { group, targets: vec![target] }, worth, why);
            together.push(target);
            busy.push(u);
        }
        if together.len() > 1
            && let Ok(aims) = self.judge_charge(f.g, &together)
        {
            let worth = self.charge_worth(f.g, &aims) + haste;
            all.push(
                Action::Charge { group, targets: together.to_vec() },
                worth,
                ("a charge together", "SYW-CHARGE-04"),
            );
        }
    }

    /// Whether more enemies stand beyond one, straight on.
    fn beyond(&self, survey: &Survey, u: UnitIx, e: UnitIx) -> bool {
        let (mine, battery) = (self.unit(u).at, self.unit(e).at);
        let Some(way) = (battery - mine).unit() else { return false };
        let on = battery + way * 15.0;
        survey.foes.iter().any(|o| o.u != e && !o.running && o.bounds.distance_squared(on) < 12.0 * 12.0)
    }

    /// A group that must halt: stand, or test to charge (SYW-ORDER-32).
    pub(crate) fn weigh_halt(&self, g: GroupIx, all: &mut Weighed) {
        let survey = self.survey(self.group(g).side);
        if let Some(f) = survey.friends.iter().find(|f| f.g == g) {
            self.weigh_charges(&survey, f, all);
        }
        all.push(Action::Stand { group: self.group(g).id }, 0.3, ("it must halt", "SYW-ORDER-32"));
    }

    /// Answers with a handful of choices.
    pub(crate) fn weigh_answer(&self, question: &Questions, all: &mut Weighed) {
        match *question {
            Questions::Pursuits(_) => {
                for &g in &self.pursuers() {
                    all.push(
                        Action::Pursue { group: self.group(g).id },
                        0.5,
                        ("after them", "SYW-PURSUE-05"),
                    );
                }
            }
            Questions::MeetGuns(MeetGuns { group, battery, .. }) => {
                let best = self
                    .members(group)
                    .iter()
                    .map(|&u| {
                        self.clash_worth(&self.would_meet(u, battery, self.charge_direction(u, battery)))
                    })
                    .fold(-2.0, f64::max);
                all.push(Action::Guns(Guns::Fight), best, ("the battery can be taken", "SYW-PURSUE-11"));
                all.push(Action::Guns(Guns::Pass), 0.5, ("after the runners", "SYW-PURSUE-11"));
            }
            Questions::Lurk(_) => {
                all.push(Action::Ambush(Ambush::Shoot), 1.0, ("a volley at five paces", "SYW-HIDE-03"));
                all.push(Action::Ambush(Ambush::Hold), 0.0, "fire held");
            }
            Questions::GoAlong(GoAlong { general, group, .. }) => {
                // He stays with most of his brigade, unless the enemy is upon him.
                let at = self.s.generals[usize::from(general)].at;
                let side = self.group(group).side;
                let close = self.known_enemies(side).any(|e| self.unit(e).at.distance(at) < 15.0);
                let brigade: f64 = self
                    .groups_of(side)
                    .iter()
                    .filter(|&&g| self.group(g).command == self.group(group).command)
                    .map(|&g| self.group_worth(g))
                    .sum();
                let most = self.group_worth(group) * 2.0 > brigade;
                all.push(
                    Action::Along(Along::Go),
                    if close || most { 1.0 } else { 0.0 },
                    ("most of his brigade goes, or the enemy is upon him", "SYW-GEN-17"),
                );
                all.push(Action::Along(Along::Stay), 0.5, ("the rest of his brigade stays", "SYW-GEN-17"));
            }
            Questions::Passed(Passed { group }) => {
                let survey = self.survey(self.group(group).side);
                let f = survey.friends.iter().find(|f| f.g == group);
                let worth = |o: Order| f.map_or(0.0, |f| self.order_worth(&survey, f, o));
                all.push(Action::Passed(PassedOrder::Stand), worth(Order::Stand), "what the order is worth");
                all.push(
                    Action::Passed(PassedOrder::Reserve),
                    worth(Order::Reserve),
                    "what the order is worth",
                );
            }
            Questions::MeetFlank(MeetFlank { unit, by, .. }) => self.weigh_flank(unit, by, all),
            Questions::MeetCharge(MeetCharge { group, by }) => {
                let stand: f64 = self
                    .aims_at(by, group)
                    .iter()
                    .map(|a| -self.clash_worth(&self.would_meet(a.unit, a.target, a.from)))
                    .sum();
                all.push(
                    Action::Lights(LightsAnswer::Stand),
                    stand,
                    ("the fight it would be", "SYW-MELEE-03"),
                );
                all.push(
                    Action::Lights(LightsAnswer::Evade),
                    -self.mind.weighs.ground_given * self.group_worth(group),
                    ("ground given", "SYW-EVADE-07"),
                );
            }
            Questions::Resolution(Resolution { group }) => {
                let survey = self.survey(self.group(group).side);
                let f = survey.friends.iter().find(|f| f.g == group);
                let worth = |o: Order| f.map_or(0.0, |f| self.order_worth(&survey, f, o));
                let now = self.group(group).order;
                all.push(Action::Morale(Resolve::Keep), worth(now), "what the order is worth");
                // Charged, it gains the order only, and shoots the worse for it (SYW-CHARGE-20, SYW-SHOOT-11).
                let charged = self.members(group).iter().any(|&u| self.unit(u).phase.charged);
                let cost = if charged { self.mind.weighs.charged_on } else { 0.0 };
                all.push(
                    Action::Morale(Resolve::Advance),
                    worth(Order::Advance) - cost,
                    "what the order is worth",
                );
            }
            Questions::Charges(_) => {
                for &g in &self.charges_left() {
                    let worth: f64 = self
                        .group(g)
                        .phase
                        .aims
                        .iter()
                        .map(|a| self.clash_worth(&self.would_meet(a.unit, a.target, a.from)))
                        .sum();
                    all.push(
                        Action::Carry { group: self.group(g).id },
                        worth,
                        ("the fight it would be", "SYW-MELEE-03"),
                    );
                }
            }
            Questions::Misaligned(Misaligned { unit, target, .. }) => {
                let mut c = self.would_meet(unit, target, self.charge_direction(unit, target));
                c.count = [1, 1];
                c.overlap = [false, true];
                all.push(
                    Action::Oblique(Oblique::Partial),
                    self.clash_worth(&c) + 1.0,
                    ("the fight it would be", "SYW-MELEE-03"),
                );
                all.push(Action::Oblique(Oblique::Halt), 0.0, ("a halt on Stand", "SYW-CHARGE-15"));
            }
            Questions::Combat(_) => {
                // The surest first: its outcome may help the others.
                for c in self.melees_left() {
                    let mine = self.unit(c.attacker).side == self.s.phasing;
                    let worth = self.clash_worth(c) * if mine { 1.0 } else { -1.0 };
                    let action =
                        Action::Fight { unit: self.name_of(c.attacker), enemy: self.name_of(c.defender) };
                    all.push(action, worth, ("the fight it would be", "SYW-MELEE-03"));
                }
                all.keep_best(8);
            }
            Questions::AfterMelee(AfterMelee { group, .. }) => {
                let survey = self.survey(self.group(group).side);
                let near = survey.friends.iter().find(|f| f.g == group).and_then(|f| f.nearest);
                let keeps = survey.friends.iter().any(|f| f.g == group && f.posted);
                let fresh = near.is_some_and(|n| n.1 < 30.0);
                let pursue = if fresh || keeps { -1.0 } else { self.mind.weighs.pursue };
                all.push(Action::After(After::Pursue), pursue, ("after them", "SYW-PURSUE-01"));
                all.push(Action::After(After::Stay), 0.3, ("the line is kept", "SYW-MELEE-31"));
                all.push(
                    Action::After(After::Occupy),
                    if fresh { -0.2 } else { 0.2 },
                    ("their ground is taken", "SYW-MELEE-31"),
                );
            }
            _ => all.push(Action::Done, 0.0, "as usual"),
        }
    }

    /// A charge in flank or rear: turn, form square, or take it (SYW-FLANK-03).
    fn weigh_flank(&self, unit: UnitIx, by: GroupIx, all: &mut Weighed) {
        let stakes = self.worth(unit);
        let turn = (7.0 - f64::from(self.turn_needed(unit))) / 6.0;
        // Whoever fails to turn takes his group with him (SYW-FLANK-10).
        let runs = match self.fixed.options.flank_fail {
            FlankFail::GroupRouts => self.group_worth(self.unit(unit).group),
            FlankFail::UnitRouts => stakes,
        };
        let lost = -self.mind.weighs.rout * runs;
        let aim = self.group(by).phase.aims.iter().copied().find(|a| a.target == unit);
        let fight = |formation: Option<Formation>| {
            aim.map_or(0.0, |a| {
                let mut c = self.would_meet(a.unit, a.target, a.from);
                if formation == Some(Formation::Square) {
                    c.from = Direction::Front;
                    c.count = [1, 1];
                    c.overlap = [false, false];
                    let horse = self.info(a.unit).arm == Arm::Cavalry;
                    return -self.clash_worth(&c) + if horse { 0.15 * stakes } else { 0.0 };
                }
                -self.clash_worth(&c)
            })
        };
        // A fight is no worse than a rout.
        let fight = |formation: Option<Formation>| fight(formation).max(lost);
        all.push(
            Action::Answer(FlankAnswer::Turn),
            turn * fight(None) + (1.0 - turn) * lost,
            ("stands turned to face", "SYW-FLANK-03"),
        );
        if self.judge_flank(unit, by, FlankAnswer::Square).is_ok() {
            let square = turn * fight(Some(Formation::Square)) + (1.0 - turn) * lost;
            all.push(Action::Answer(FlankAnswer::Square), square, ("a square has no flank", "SYW-FLANK-02"));
        }
        let none = match self.fixed.options.flank_no_attempt {
            crate::options::FlankNoAttempt::Routs => lost - 0.1,
            crate::options::FlankNoAttempt::FightsOn => fight(None),
        };
        all.push(Action::Answer(FlankAnswer::None), none, ("no attempt", "SYW-FLANK-10"));
    }
}
