//! Morale: who tests, with what modifiers, and what comes of it (SYW-MORALE).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::Reasons;
use tricorne_game::{Event, Log};
use tricorne_table::angle;

use crate::decisions::action::Leg;
use crate::generals::counters::Psychology;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Aim, Deferred, Direction, Order, Presence, Unit, Units, within};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};
use crate::options::{BraveScope, InfantryChargeTest};
use crate::rulebook::{Arm, Class, Cover, Grade, Kind, MoraleLine, MoraleResult, Weapon};
use crate::sequence::turn::Task;

/// Why a group tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Test {
    Charging,
    BeingCharged,
    Casualties,
    Melee,
    Seeing,
    Rally,
}

impl Test {
    pub fn name(self) -> &'static str {
        match self {
            Self::Charging => "charging",
            Self::BeingCharged => "being_charged",
            Self::Casualties => "casualties",
            Self::Melee => "melee",
            Self::Seeing => "seeing",
            Self::Rally => "rally",
        }
    }

    fn clause(self) -> &'static str {
        match self {
            Self::Charging | Self::BeingCharged | Self::Rally => "SYW-MORALE-02",
            Self::Casualties => "SYW-MORALE-03",
            Self::Melee => "SYW-MORALE-05",
            Self::Seeing => "SYW-MORALE-06",
        }
    }
}

impl SevenYearsBattle {
    /// Remembers how near the generals are before the first loss of a sub-phase (SYW-MORALE-13).
    pub(crate) fn note_generals(&mut self, g: GroupIx) {
        if self.group(g).near.is_none() {
            let near = self.generals_near(g);
            self.group_mut(g).near = Some(near);
        }
    }

    /// The group's own general, if he can help it.
    fn own_general(&self, g: GroupIx) -> Option<GeneralIx> {
        self.group(g).command.filter(|&c| self.s.generals[usize::from(c)].is_present())
    }

    /// The C-in-C over a group: that of its wing where there are several (SYW-ARMY-20).
    pub(crate) fn cinc_over(&self, g: GroupIx) -> Option<GeneralIx> {
        let side = self.group(g).side;
        let cincs: SmallVec<[GeneralIx; 4]> = GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let general = &self.s.generals[usize::from(i)];
                general.side == side && general.cinc && general.is_present()
            })
            .collect();
        if self.fixed.options.wing_commanders > 0 {
            return cincs.into_iter().find(|&i| self.of_wing(g, i));
        }
        cincs.first().copied()
    }

    pub(crate) fn generals_near(&self, g: GroupIx) -> [f64; 2] {
        let members = self.members(g);
        let gap = |general: Option<GeneralIx>| general.map_or(f64::MAX, |i| self.general_gap(i, &members));
        [gap(self.own_general(g)), gap(self.cinc_over(g))]
    }

    /// Enemies that bear on a group's ground (SYW-MORALE-16).
    fn enemies_bearing(&self, g: GroupIx, aims: &[Aim]) -> Units {
        let mut enemies = Units::new();
        let members = self.members(g);
        for aim in aims {
            if members.contains(&aim.unit) {
                enemies.push(aim.target);
            } else if members.contains(&aim.target) {
                enemies.push(aim.unit);
            }
        }
        for &u in &members {
            enemies.extend(self.opponents(u));
        }
        enemies.extend(self.group(g).shot_by.iter().copied());
        enemies.retain(|e| self.unit(*e).is_known());
        if enemies.is_empty() {
            let side = self.group(g).side;
            enemies = self
                .known_enemies(side)
                .filter(|&e| members.iter().any(|&u| self.near(u, e, 20.0)))
                .collect();
        }
        enemies.sort_unstable();
        enemies.dedup();
        enemies
    }

    /// Whether a unit has cover against an enemy (SYW-MODEL-24).
    pub(crate) fn unit_cover(&self, u: UnitIx, enemy: UnitIx) -> Cover {
        if self.fixed.pieces.iter().all(|p| p.cover == Cover::None) {
            return Cover::None;
        }
        let at = self.centre_of(&[enemy]);
        let n = self.unit(u).strength();
        let (mut soft, mut hard) = (0, 0);
        for i in 0..n {
            match self.fixed.cover_of(&self.rect(u, i), at) {
                Cover::None => {}
                Cover::Soft => soft += 1,
                Cover::Hard => hard += 1,
            }
        }
        if hard > 0 && hard * 2 >= n {
            Cover::Hard
        } else if soft + hard > 0 && (soft + hard) * 2 >= n {
            Cover::Soft
        } else {
            Cover::None
        }
    }

    /// The modifiers of a 2D6 test, that of the general's nearness apart.
    pub(crate) fn morale_sums(&self, g: GroupIx, test: Test, aims: &[Aim]) -> Reasons {
        let mut sums = Reasons::new();
        let group = self.group(g);
        let members = self.members(g);
        let (started, left) = self.group_strength(g);
        if test == Test::Melee {
            sums.add_if(
                group.melee_killed > group.melee_lost,
                2,
                "more casualties caused than taken",
                "SYW-MORALE-11",
            );
        }
        if test == Test::Charging {
            let lights = |u: UnitIx| self.info(u).tests_as == Class::Light;
            let mine: Units = aims.iter().map(|a| a.unit).collect();
            sums.add_if(
                !aims.is_empty() && mine.iter().all(|&u| lights(u)) && aims.iter().all(|a| lights(a.target)),
                2,
                "lights charging lights",
                "SYW-MORALE-12",
            );
        }
        match self.group_grade(g) {
            Grade::High => sums.add(1, "high morale", "SYW-MORALE-15"),
            Grade::Normal | Grade::Poor => {}
        }
        let enemies = self.enemies_bearing(g, aims);
        let good_ground = !enemies.is_empty()
            && members.iter().all(|&u| {
                enemies.iter().all(|&e| self.unit_uphill(u, e))
                    || (self.info(u).arm == Arm::Infantry
                        && enemies.iter().all(|&e| self.unit_cover(u, e) != Cover::None))
            });
        sums.add_if(good_ground, 1, "uphill or in cover", "SYW-MORALE-16");
        if test == Test::Melee {
            sums.add(i32::from(group.melees_won), "melees won", "SYW-MORALE-17");
            sums.add(-2 * i32::from(group.melees_lost), "melees lost", "SYW-MORALE-27");
        }
        sums.add_if(group.short_guns, -1, "shot at by guns at short range", "SYW-MORALE-18");
        let lost = started.saturating_sub(left);
        let fifths = (lost * 5).checked_div(started).unwrap_or(0);
        sums.add(-(fifths as i32), "each 20 percent lost", "SYW-MORALE-19");
        let disordered = members.iter().filter(|&&u| self.is_disordered(u)).count();
        sums.add_if(
            disordered > 0 && disordered * 2 >= members.len(),
            -1,
            "half the units disordered",
            "SYW-MORALE-21",
        );
        let poor = self.group_grade(g) == Grade::Poor;
        let militia = members.iter().any(|&u| self.info(u).kind == Kind::Mil && self.in_open(u));
        let lines = if self.fixed.options.or_lines_stack {
            i32::from(poor) + i32::from(militia)
        } else {
            i32::from(poor || militia)
        };
        let why = if poor { "poor morale" } else { "Militia in the open" };
        sums.add(-lines, why, "SYW-MORALE-22");
        match test {
            Test::Charging => {
                let higher = aims.iter().any(|a| {
                    a.from == Direction::Front
                        && self.factor_against(a.target, a.unit) > self.factor_against(a.unit, a.target)
                });
                sums.add_if(higher, -2, "charging a higher melee factor", "SYW-MORALE-23");
                sums.add_if(left * 2 <= started, -3, "half strength or less", "SYW-MORALE-29");
            }
            Test::BeingCharged => {
                let higher = aims.iter().any(|a| {
                    a.from == Direction::Front
                        && self.factor_against(a.unit, a.target) > self.factor_against(a.target, a.unit)
                });
                sums.add_if(higher, -2, "charged by a higher melee factor", "SYW-MORALE-23");
                let ridden_down = aims.iter().any(|a| {
                    let info = self.info(a.target);
                    (info.kind.is_light_infantry() || info.kind == Kind::Mil)
                        && self.info(a.unit).arm == Arm::Cavalry
                        && self.in_open(a.target)
                });
                sums.add_if(
                    ridden_down,
                    -2,
                    "Light Infantry or Militia charged by cavalry in the open",
                    "SYW-MORALE-25",
                );
                let turned = aims.iter().any(|a| a.from != Direction::Front);
                sums.add_if(turned, -2, "charged in flank or rear", "SYW-MORALE-26");
            }
            Test::Rally => sums.add(-2, "rallying from rout", "SYW-MORALE-28"),
            Test::Casualties | Test::Melee | Test::Seeing => {}
        }
        sums.add_if(self.brave_near(g), 1, "a brave general within 5", "SYW-GEN-07");
        sums
    }

    /// A brave general within 5 (SYW-GEN-07, -08).
    fn brave_near(&self, g: GroupIx) -> bool {
        let members = self.members(g);
        let brave = |i: GeneralIx| {
            self.qualities(i, Some(self.group(g).arm)).0 == Psychology::Brave
                && within(self.general_gap(i, &members), 5.0)
        };
        match self.fixed.options.brave_scope {
            BraveScope::OwnOrCinc => {
                self.own_general(g).is_some_and(brave) || self.cinc_over(g).is_some_and(brave)
            }
            BraveScope::AnyFriend => GeneralIx::first(self.s.generals.len()).any(|i| {
                let general = &self.s.generals[usize::from(i)];
                general.side == self.group(g).side && general.is_present() && brave(i)
            }),
        }
    }

    /// Rolls a 2D6 test and returns its score.
    pub(crate) fn roll_morale(
        &mut self,
        g: GroupIx,
        test: Test,
        aims: &[Aim],
        chance: &mut dyn Chance,
        log: &mut Log,
        outcome: impl Fn(&Self, i32) -> &'static str,
    ) -> i32 {
        let mut sums = self.morale_sums(g, test, aims);
        // SYW-MORALE-13, -14: the D4 only where it matters.
        let mut near = self.group(g).near.unwrap_or_else(|| self.generals_near(g));
        if self.own_general(g).is_none() {
            near[0] = f64::MAX;
        }
        if self.cinc_over(g).is_none() {
            near[1] = f64::MAX;
        }
        let nearest = near[0].min(near[1]);
        let mut d4 = None;
        if within(nearest, 5.0) {
            sums.add(1, "general near", "SYW-MORALE-13");
        } else if within(nearest, 20.0) {
            let face = chance.faces("general_near", 1, 4).first().copied().unwrap_or(1);
            d4 = Some(face);
            sums.add_if(within(nearest, f64::from(face) * 5.0), 1, "general near", "SYW-MORALE-13");
        }
        let rolled = chance.sum("morale", 2, 6);
        let score = rolled.total + sums.sum();
        let id = self.group(g).id;
        let who = self.members(g).first().map(|&u| self.unit(u).id);
        let came = outcome(self, score);
        log.say(|| {
            let mut event = Event::new("morale", test.clause())
                .outcome(came)
                .faces(&rolled.faces)
                .modifiers(sums.told())
                .made(score)
                .with("group", id.as_str())
                .with("test", test.name());
            event.who = who;
            if let Some(face) = d4 {
                event = event.with("general_die", face);
            }
            event
        });
        score
    }

    /// Tests of the first part of T7, with what comes of it.
    pub(crate) fn test_morale(
        &mut self,
        g: GroupIx,
        test: Test,
        aims: &[Aim],
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let score = self.roll_morale(g, test, aims, chance, log, |b, score| b.outcome_of(g, score));
        if let Some(line) = self.morale_line(g, score) {
            self.morale_result(g, line, test, chance, log);
        }
    }

    /// The line of T7 a score falls in.
    fn morale_line(&self, g: GroupIx, score: i32) -> Option<MoraleLine> {
        let chart = &self.fixed.book.charts.morale;
        let lines = if self.tests_as_lights(g) { &chart.light } else { &chart.massed };
        lines.iter().find(|l| l.at_least.is_none_or(|least| score >= least)).copied()
    }

    /// What a score comes to for a group on its present order, in a word.
    fn outcome_of(&self, g: GroupIx, score: i32) -> &'static str {
        let Some(line) = self.morale_line(g, score) else { return "keep" };
        let order = self.group(g).order;
        if line.artillery_killed && self.group(g).arm == Arm::Artillery {
            return "killed";
        }
        match line.result {
            MoraleResult::Advance => "advance",
            MoraleResult::Keep => "keep",
            MoraleResult::Stand => {
                if order == Order::Advance {
                    "stand"
                } else {
                    "keep"
                }
            }
            MoraleResult::RetreatIfFighting => {
                if matches!(order, Order::Advance | Order::Stand) {
                    "retreat"
                } else {
                    "keep"
                }
            }
            MoraleResult::Retreat => {
                if matches!(order, Order::Retreat | Order::Rout) {
                    "keep"
                } else {
                    "retreat"
                }
            }
            MoraleResult::Rout => "rout",
        }
    }

    fn morale_result(
        &mut self,
        g: GroupIx,
        line: MoraleLine,
        test: Test,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let order = self.group(g).order;
        if line.artillery_killed && self.group(g).arm == Arm::Artillery {
            // SYW-MORALE-35
            for u in self.members(g) {
                self.destroy(u, "SYW-MORALE-35", log);
            }
            self.sync_contacts();
            return;
        }
        match line.result {
            MoraleResult::Advance => {
                if self.may_go_to_advance(g) {
                    self.s.tasks.push(Task::MoraleChoice { group: g });
                }
            }
            MoraleResult::Keep => {}
            MoraleResult::Stand => {
                if order == Order::Advance {
                    self.end_pursuit(g);
                    self.set_order(g, Order::Stand, log);
                }
            }
            MoraleResult::RetreatIfFighting => {
                if matches!(order, Order::Advance | Order::Stand) {
                    self.give_ground(g, line.fall_back, test, chance, log);
                }
            }
            MoraleResult::Retreat => {
                if !matches!(order, Order::Retreat | Order::Rout) {
                    self.give_ground(g, line.fall_back, test, chance, log);
                }
            }
            MoraleResult::Rout => {
                if order != Order::Rout {
                    self.break_and_run(g, test, chance, log);
                }
            }
        }
    }

    /// 6+ offers Advance only to a group in line that is not on it (SYW-MORALE-33).
    pub(crate) fn may_go_to_advance(&self, g: GroupIx) -> bool {
        let group = self.group(g);
        !matches!(group.order, Order::Advance | Order::Rout)
            && self.members(g).iter().all(|&u| {
                let unit = self.unit(u);
                unit.formation.is_line() && unit.presence == Presence::OnTable
            })
    }

    /// Whether a charged group gives way only when the charge comes home (option `charge_answer_time`).
    fn answers_late(&self, test: Test) -> bool {
        test == Test::BeingCharged
            && self.s.step == crate::model::state::SubPhase::Movement
            && self.fixed.options.charge_answer_time == crate::options::ChargeAnswerTime::BeforeChargeMove
    }

    fn give_ground(&mut self, g: GroupIx, distance: f64, test: Test, chance: &mut dyn Chance, log: &mut Log) {
        self.end_pursuit(g);
        self.group_mut(g).gave_way = true;
        self.set_order(g, Order::Retreat, log);
        if test == Test::Melee || self.answers_late(test) {
            self.group_mut(g).deferred = Some(Deferred::FallBack(distance));
        } else {
            self.fall_back(g, distance, chance, log);
        }
    }

    fn break_and_run(&mut self, g: GroupIx, test: Test, chance: &mut dyn Chance, log: &mut Log) {
        self.end_pursuit(g);
        if test == Test::Melee || self.answers_late(test) {
            self.note_disaster(g);
            self.set_order(g, Order::Rout, log);
            self.group_mut(g).deferred = Some(Deferred::Rout);
        } else {
            self.rout(g, None, chance, log);
        }
    }

    /// Falls back straight by a morale result (SYW-MORALE-34, -41).
    pub(crate) fn fall_back(&mut self, g: GroupIx, distance: f64, chance: &mut dyn Chance, log: &mut Log) {
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let id = self.group(g).id;
        log.say(|| {
            Event::new("fall_back", "SYW-MORALE-34").with("group", id.as_str()).with("distance", distance)
        });
        let beside = self.generals_beside(g);
        self.group_mut(g).fled = true;
        let heed = Heed { back: 1.0, stop_at_enemies: true, ..Heed::default() };
        // Ground is paid for as on any path (SYW-MODEL-32).
        let mut movers: Movers = members.iter().map(|&u| Mover::new(self, u, distance)).collect();
        let mut blocked = false;
        let walked = self.walk_rolling(&mut movers, &[Leg::Back(distance)], &heed, chance, log);
        let Ok(mut walked) = walked else { return };
        if walked.left_table {
            self.leave_table(g, log); // SYW-OFF-03
            self.ask_along(g, &beside);
            return;
        }
        if matches!(walked.stop, Some(Stop::Enemy(_) | Stop::Barred | Stop::Ambush(..))) {
            blocked = true;
        }
        // Not resting on anybody: it stops short of whom it cannot clear.
        let mut length = movers.first().map_or(0.0, |m| m.gone);
        while self.resting_on(&movers, self.group(g).side).is_some() && length > 0.0 {
            length = (length - 0.5).max(0.0);
            for m in &mut movers {
                *m = Mover::new(self, m.u, f64::INFINITY);
            }
            match self.walk(&mut movers, &[Leg::Back(length)], &heed, &mut Dice::none()) {
                Ok(again) => walked = again,
                Err(_) => break,
            }
            blocked = true;
        }
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.passed.iter().filter(|f| !members.contains(f)).map(|&f| (members[0], f)).collect();
        let badly = members.iter().any(|&u| self.info(u).drill == crate::rulebook::Drill::Badly);
        for m in movers {
            let info = self.info(m.u);
            let mut new: Unit = m.new;
            if new.turned.is_some() {
                new = self.unturned(&new);
            }
            if badly {
                new = crate::model::stands::turned_about(&new, info);
            }
            new.moved = true;
            let u = m.u;
            self.put_as(u, new);
            self.push_generals(u, log);
        }
        self.unstack(&members);
        self.ask_along(g, &beside);
        self.passages(&passed, log);
        if blocked {
            for u in self.members(g) {
                self.disorder(u, "SYW-MORALE-41", log);
            }
        }
        self.sync_contacts();
        self.reveal_by_sight(log);
    }

    /// A charging group's test (SYW-MORALE-08 to -10, -37): whether the charge goes on.
    pub(crate) fn test_to_charge(
        &mut self,
        g: GroupIx,
        aims: &[Aim],
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> bool {
        if let Some(needed) = self.charge_die_needed(g, aims) {
            let face = chance.d6("charge_die");
            let passed = face >= needed;
            let id = self.group(g).id;
            let who = aims.first().map(|a| self.unit(a.unit).id);
            log.say(|| {
                let mut event = Event::new("charge_die", "SYW-MORALE-08")
                    .faces(&[face])
                    .needed(i32::from(needed))
                    .outcome(if passed { "passed" } else { "failed" })
                    .with("group", id.as_str());
                event.who = who;
                event
            });
            if !passed || self.fixed.options.infantry_charge_test == InfantryChargeTest::D6Instead {
                return passed;
            }
        }
        let chart = &self.fixed.book.charts.charge;
        let needed = if self.tests_as_lights(g) { chart.light } else { chart.massed };
        let told = move |_: &Self, score: i32| if score >= needed { "charge" } else { "stand" };
        self.roll_morale(g, Test::Charging, aims, chance, log, told) >= needed
    }

    /// The D6 a group of musketeers or archers needs for a frontal charge (SYW-MORALE-08); none uses 2D6.
    pub(crate) fn charge_die_needed(&self, g: GroupIx, aims: &[Aim]) -> Option<u8> {
        let (started, left) = self.group_strength(g);
        let mut worst = None;
        for aim in aims {
            let info = self.info(aim.unit);
            let shoots = matches!(
                info.weapon,
                Weapon::Musket | Weapon::LightMusket | Weapon::MilitiaMusket | Weapon::Rifle | Weapon::Bow
            );
            if info.arm != Arm::Infantry || !shoots || aim.from != Direction::Front {
                continue;
            }
            let covered = self.behind_defences(aim.target, aim.unit)
                || self.unit_cover(aim.target, aim.unit) == Cover::Soft;
            let needed = if (started - left.min(started)) * 2 >= started {
                6
            } else if info.kind == Kind::HI || covered {
                5
            } else {
                6
            };
            worst = Some(worst.map_or(needed, |w: u8| w.max(needed)));
        }
        worst
    }

    /// The bearing a group looks along.
    pub(crate) fn group_facing(&self, g: GroupIx) -> f64 {
        self.members(g).first().map_or(0.0, |&u| angle::normalise(self.unit(u).facing))
    }
}
