//! Morale: who tests, with what modifiers, and what comes of it (SYW-MORALE).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::{Now, Reasons};
use tricorne_game::Log;
use tricorne_table::angle;

use crate::generals::counters::Psychology;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Aim, Deferred, Direction, Order, Presence, SubPhase, Units, within};
use crate::options::{BraveScope, InfantryChargeTest};
use crate::questions::Resolution;
use crate::rulebook::{Arm, Class, Cover, Grade, Kind, MoraleLine, MoraleResult, Weapon, cm, makes_up};
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

    /// Why, as a story tells it.
    fn because(self) -> &'static str {
        match self {
            Self::Charging => "before the charge",
            Self::BeingCharged => "for being charged",
            Self::Casualties => "for the losses",
            Self::Melee => "after the fight",
            Self::Seeing => "at the sight of friends lost",
            Self::Rally => "to rally",
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
    /// Remembers how far each general is before anything happens to a group in a sub-phase (SYW-MORALE-13).
    pub(crate) fn note_generals(&mut self, g: GroupIx) {
        if self.group(g).near.is_none() {
            let members = self.members(g);
            let near = GeneralIx::first(self.s.generals.len())
                .map(|i| {
                    let general = self.general(i);
                    let ours = general.side == self.group(g).side && general.is_present();
                    if ours { self.general_gap(i, &members) } else { f64::MAX }
                })
                .collect();
            self.group_mut(g).near = Some(near);
        }
    }

    /// How far a general is from a group in a test (SYW-MORALE-13): for casualties and after melee as it was when the
    /// sub-phase began, otherwise as it is. One general has one distance in one test (SYW-GEN-07).
    fn distance_in(&self, g: GroupIx, test: Test, general: GeneralIx) -> f64 {
        match (test, &self.group(g).near) {
            (Test::Casualties | Test::Melee, Some(near)) => {
                near.get(usize::from(general)).copied().unwrap_or(f64::MAX)
            }
            _ => self.general_gap(general, &self.members(g)),
        }
    }

    /// The group's own general, if he can help it.
    fn own_general(&self, g: GroupIx) -> Option<GeneralIx> {
        self.group(g).command.filter(|&c| self.general(c).is_present())
    }

    /// The C-in-C over a group: that of its wing where there are several (SYW-ARMY-20).
    pub(crate) fn cinc_over(&self, g: GroupIx) -> Option<GeneralIx> {
        let side = self.group(g).side;
        let cincs: SmallVec<[GeneralIx; 4]> = GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let general = self.general(i);
                general.side == side && general.cinc && general.is_present()
            })
            .collect();
        if self.fixed.options.wing_commanders > 0 {
            return cincs.into_iter().find(|&i| self.of_wing(g, i));
        }
        cincs.first().copied()
    }

    /// How far the nearer of its general and the C-in-C is in a test.
    pub(crate) fn general_near(&self, g: GroupIx, test: Test) -> f64 {
        self.nearest_general(g, test).map_or(f64::MAX, |(far, _)| far)
    }

    /// The nearer of its general and the C-in-C in a test, and how far he is.
    fn nearest_general(&self, g: GroupIx, test: Test) -> Option<(f64, GeneralIx)> {
        let whose = [self.own_general(g), self.cinc_over(g)];
        let far = whose.into_iter().flatten().map(|i| (self.distance_in(g, test, i), i));
        far.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Tells the D4 that was thrown for a general, and whether it made him near enough (SYW-MORALE-13, -14).
    fn tell_general_near(&self, g: GroupIx, test: Test, face: u8, reach: f64, now: &mut Now<'_>) {
        let Some((far, general)) = self.nearest_general(g, test) else { return };
        now.say(|| {
            self.measured_event("general_near", "SYW-MORALE-13", g)
                .clause("SYW-MORALE-14")
                .who(self.general(general).id)
                .outcome(if within(far, reach) { "success" } else { "failure" })
                .faces(&[face])
                .with("distance", tricorne_table::round_to(far, 0.01))
                .with("reach", reach)
        });
    }

    /// Enemies that bear on a group's ground (SYW-MORALE-16).
    fn enemies_bearing(&self, g: GroupIx, aims: &[Aim]) -> Units {
        let mut enemies = Units::new();
        let members = self.members(g);
        // Those of this test, and all whose charge is still to come home.
        let charging = self.s.groups.iter().filter(|o| o.phase.charging).flat_map(|o| o.phase.aims.iter());
        for aim in aims.iter().chain(charging) {
            if members.contains(&aim.unit) {
                enemies.push(aim.target);
            } else if members.contains(&aim.target) {
                enemies.push(aim.unit);
            }
        }
        for &u in &members {
            enemies.extend(self.opponents(u));
        }
        enemies.extend(self.group(g).phase.shot_by.iter().copied());
        enemies.retain(|e| self.unit(*e).is_known());
        if enemies.is_empty() {
            let side = self.group(g).side;
            enemies = self
                .known_enemies(side)
                .filter(|&e| members.iter().any(|&u| self.near(u, e, cm(self.distances().bearing))))
                .collect();
        }
        enemies.sort_unstable();
        enemies.dedup();
        enemies
    }

    /// The modifiers of a 2D6 test, that of the general's nearness apart.
    pub(crate) fn morale_sums(&self, g: GroupIx, test: Test, aims: &[Aim]) -> Reasons {
        let chart = &self.fixed.book.charts.morale_modifiers;
        let shares = &self.fixed.book.charts.shares;
        let weak = shares.half_strength.value.max(0) as u32;
        let mut sums = Reasons::new();
        let group = self.group(g);
        let members = self.members(g);
        let (started, left) = self.group_strength(g);
        // SYW-MORALE-31: in tests taken after the melees of the phase, whatever they are for.
        let to_come = |task: &Task| matches!(task, Task::MeleeTests { .. });
        let after_melee = test == Test::Melee
            || (self.s.step == SubPhase::Combat && group.phase.fought && !self.s.tasks.iter().any(to_come));
        if after_melee {
            sums.line_if(group.phase.melee_killed > group.phase.melee_lost, &chart.more_killed);
        }
        if test == Test::Charging {
            let lights = |u: UnitIx| self.info(u).tests_as == Class::Light;
            let mine: Units = aims.iter().map(|a| a.unit).collect();
            sums.line_if(
                !aims.is_empty() && mine.iter().all(|&u| lights(u)) && aims.iter().all(|a| lights(a.target)),
                &chart.lights_on_lights,
            );
        }
        sums.line_if(self.group_grade(g) == Grade::High, &chart.high_morale);
        let enemies = self.enemies_bearing(g, aims);
        let uphill = |u: UnitIx| enemies.iter().all(|&e| self.unit_uphill(u, e));
        let covered = |u: UnitIx| {
            self.info(u).arm == Arm::Infantry && enemies.iter().all(|&e| self.unit_cover(u, e) != Cover::None)
        };
        if !enemies.is_empty() {
            let either = members.iter().all(|&u| uphill(u) || covered(u));
            let both = self.fixed.options.or_lines_stack && members.iter().all(|&u| uphill(u) && covered(u));
            sums.line_times(i32::from(either) + i32::from(both), &chart.good_ground);
        }
        if after_melee {
            sums.line_count(i32::from(group.phase.melees_won), &chart.melee_won, "a melee won");
            sums.line_count(i32::from(group.phase.melees_lost), &chart.melee_lost, "a melee lost");
        }
        sums.line_if(group.phase.short_guns, &chart.short_guns);
        let lost = started.saturating_sub(left);
        let each = shares.each_lost.value.max(1) as u32;
        let times = (lost * 100).checked_div(started * each).unwrap_or(0);
        let why = if each == 20 { lost_in_words(times) } else { chart.each_fifth.reason };
        sums.add(times as i32 * chart.each_fifth.value, why, chart.each_fifth.clause);
        let disordered = members.iter().filter(|&&u| self.is_disordered(u)).count();
        if makes_up(shares.disordered, disordered, members.len()) {
            let why = match members.as_slice() {
                [one] => self.disordered_how(*one),
                _ => chart.disordered.reason,
            };
            sums.add(chart.disordered.value, why, chart.disordered.clause);
        }
        let poor = self.group_grade(g) == Grade::Poor;
        let militia = members.iter().any(|&u| self.info(u).kind == Kind::Mil && self.in_open(u));
        let lines = self.or_lines(poor, militia);
        let why = if poor { "poor morale" } else { "Militia in the open" };
        sums.add(lines * chart.poor_or_militia.value, why, chart.poor_or_militia.clause);
        match test {
            Test::Charging => {
                let higher = aims.iter().any(|a| {
                    a.from == Direction::Front
                        && self.factor_against(a.target, a.unit) > self.factor_against(a.unit, a.target)
                });
                sums.line_if(higher, &chart.higher_factor);
                sums.line_if(left * 100 <= started * weak, &chart.half_strength);
            }
            Test::BeingCharged => {
                let higher = aims.iter().any(|a| {
                    a.from == Direction::Front
                        && self.factor_against(a.unit, a.target) > self.factor_against(a.target, a.unit)
                });
                sums.line_if(higher, &chart.higher_factor);
                let ridden_down = |of: fn(Kind) -> bool| {
                    aims.iter().any(|a| {
                        of(self.info(a.target).kind)
                            && self.info(a.unit).arm == Arm::Cavalry
                            && self.in_open(a.target)
                    })
                };
                let lights = ridden_down(Kind::is_light_infantry);
                let lines = self.or_lines(lights, ridden_down(|kind| kind == Kind::Mil));
                sums.line_times(lines, &chart.ridden_down);
                let from = |wanted: fn(Direction) -> bool| aims.iter().any(|a| wanted(a.from));
                let flank = from(|d| matches!(d, Direction::Left | Direction::Right));
                sums.line_times(self.or_lines(flank, from(|d| d == Direction::Rear)), &chart.flank_or_rear);
            }
            Test::Rally => sums.line(&chart.rallying),
            Test::Casualties | Test::Melee | Test::Seeing => {}
        }
        sums.line_if(self.brave_near(g, test), &chart.brave);
        sums
    }

    /// How often a line of two alternatives counts (SYW-DICE-03).
    fn or_lines(&self, one: bool, other: bool) -> i32 {
        if self.fixed.options.or_lines_stack {
            i32::from(one) + i32::from(other)
        } else {
            i32::from(one || other)
        }
    }

    /// A brave general within 5 (SYW-GEN-07, -08).
    fn brave_near(&self, g: GroupIx, test: Test) -> bool {
        let brave = |i: GeneralIx| {
            // SYW-GEN-06: he gives no order, so that what he was trained for is no matter.
            self.qualities(i, None).0 == Psychology::Brave
                && within(self.distance_in(g, test, i), cm(self.distances().brave_near))
        };
        match self.fixed.options.brave_scope {
            BraveScope::OwnOrCinc => {
                self.own_general(g).is_some_and(brave) || self.cinc_over(g).is_some_and(brave)
            }
            BraveScope::AnyFriend => GeneralIx::first(self.s.generals.len()).any(|i| {
                let general = self.general(i);
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
        now: &mut Now<'_>,
        outcome: impl Fn(&Self, i32) -> &'static str,
    ) -> i32 {
        let mut sums = self.morale_sums(g, test, aims);
        // SYW-MORALE-13, -14: the D4 only where it matters.
        let near = self.fixed.book.charts.morale_modifiers.general_near;
        let nearest = self.general_near(g, test);
        let mut d4 = None;
        let step = cm(self.distances().general_near);
        if within(nearest, step) {
            sums.line(&near);
        } else if within(nearest, 4.0 * step) {
            let face = now.chance.faces("general_near", 1, 4).first().copied().unwrap_or(1);
            d4 = Some(face);
            let reach = f64::from(face) * step;
            sums.line_if(within(nearest, reach), &near);
            self.tell_general_near(g, test, face, reach, now);
        }
        let rolled = now.chance.sum("morale", 2, 6);
        let score = rolled.total + sums.sum();
        let came = outcome(self, score);
        now.say(|| {
            let event = self.group_event("morale", test.clause(), g);
            let event = match self.members(g).first() {
                Some(&u) => self.told_of(event, u),
                None => event,
            };
            let event = event
                .outcome(came)
                .faces(&rolled.faces)
                .modifiers(sums.told())
                .made(score)
                .with("test", test.name())
                .with("because", test.because());
            match d4 {
                Some(face) => event.with("general_die", face),
                None => event,
            }
        });
        score
    }

    /// Tests of the first part of T7, with what comes of it.
    pub(crate) fn test_morale(&mut self, g: GroupIx, test: Test, aims: &[Aim], now: &mut Now<'_>) {
        let score = self.roll_morale(g, test, aims, now, |b, score| b.outcome_of(g, score));
        self.take_result(g, score, test, aims, now);
    }

    /// What a score comes to.
    pub(crate) fn take_result(
        &mut self,
        g: GroupIx,
        score: i32,
        test: Test,
        aims: &[Aim],
        now: &mut Now<'_>,
    ) {
        if let Some(line) = self.morale_line(g, score) {
            self.morale_result(g, line, test, aims, now);
        }
    }

    /// Whether a score passes the test of being charged (SYW-FLANK-08): it sends nobody to Retreat or Rout, and of those
    /// on Retreat already it would leave such troops on Reserve as they are.
    pub(crate) fn stands_the_charge(&self, g: GroupIx, score: i32) -> bool {
        let order = self.group(g).order;
        let fighting = matches!(order, Order::Advance | Order::Stand);
        match self.morale_line(g, score).map(|line| line.result) {
            Some(MoraleResult::Retreat | MoraleResult::Rout) => false,
            Some(MoraleResult::RetreatIfFighting) => !fighting,
            _ => true,
        }
    }

    /// The line of T7 a score falls in.
    fn morale_line(&self, g: GroupIx, score: i32) -> Option<MoraleLine> {
        let chart = &self.fixed.book.charts.morale;
        let lines = if self.tests_as_lights(g) { &chart.light } else { &chart.massed };
        lines.iter().find(|l| l.at_least.is_none_or(|least| score >= least)).copied()
    }

    /// What a score comes to for a group on its present order, in a word.
    pub(crate) fn outcome_of(&self, g: GroupIx, score: i32) -> &'static str {
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

    fn morale_result(&mut self, g: GroupIx, line: MoraleLine, test: Test, aims: &[Aim], now: &mut Now<'_>) {
        let order = self.group(g).order;
        if line.artillery_killed && self.group(g).arm == Arm::Artillery {
            // SYW-MORALE-35
            for u in self.members(g) {
                self.destroy(u, "SYW-MORALE-35", now.log);
            }
            self.sync_contacts();
            return;
        }
        match line.result {
            MoraleResult::Advance => {
                if self.may_go_to_advance(g) {
                    self.ask(Resolution { group: g });
                }
            }
            MoraleResult::Keep => {}
            MoraleResult::Stand => {
                if order == Order::Advance {
                    self.end_pursuit(g);
                    self.set_order(g, Order::Stand, None, now.log);
                }
            }
            MoraleResult::RetreatIfFighting => {
                if matches!(order, Order::Advance | Order::Stand) {
                    self.give_ground(g, line.fall_back, test, aims, now.log);
                }
            }
            MoraleResult::Retreat => {
                if !matches!(order, Order::Retreat | Order::Rout) {
                    self.give_ground(g, line.fall_back, test, aims, now.log);
                }
            }
            MoraleResult::Rout => {
                if order != Order::Rout {
                    self.break_and_run(g, test, aims, now);
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

    fn give_ground(&mut self, g: GroupIx, distance: f64, test: Test, aims: &[Aim], log: &mut Log) {
        self.end_pursuit(g);
        self.group_mut(g).phase.gave_way = true;
        self.group_mut(g).phase.shrank |= test == Test::BeingCharged;
        let way = self.way_back(g, test, aims);
        self.set_order(g, Order::Retreat, None, log);
        if test == Test::Melee || self.answers_late(test) {
            self.group_mut(g).deferred = Some(Deferred::FallBack { distance, way });
        } else {
            self.fall_back(g, distance, way, log);
        }
    }

    fn break_and_run(&mut self, g: GroupIx, test: Test, aims: &[Aim], now: &mut Now<'_>) {
        self.end_pursuit(g);
        let way = self.way_off(g, test, aims);
        if test == Test::Melee || self.answers_late(test) {
            self.note_disaster(g);
            self.set_order(g, Order::Rout, None, now.log);
            self.group_mut(g).deferred = Some(Deferred::Rout { way });
        } else {
            self.rout(g, way, now);
        }
    }

    /// A charging group's test (SYW-MORALE-08 to -10, -37): whether the charge goes on.
    pub(crate) fn test_to_charge(&mut self, g: GroupIx, aims: &[Aim], now: &mut Now<'_>) -> bool {
        if let Some(needed) = self.charge_die_needed(g, aims) {
            let face = now.chance.d6("charge_die");
            let passed = face >= needed;
            let who = aims.first().map(|a| self.unit(a.unit).id);
            now.say(|| {
                let mut event = self
                    .group_event("charge_die", "SYW-MORALE-08", g)
                    .faces(&[face])
                    .needed(i32::from(needed))
                    .outcome(if passed { "passed" } else { "failed" });
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
        self.roll_morale(g, Test::Charging, aims, now, told) >= needed
    }

    /// The D6 a group of musketeers or archers needs for a frontal charge (SYW-MORALE-08); none uses 2D6.
    pub(crate) fn charge_die_needed(&self, g: GroupIx, aims: &[Aim]) -> Option<u8> {
        let chart = &self.fixed.book.charts.charge_die;
        let ruined = self.fixed.book.charts.shares.half_lost.value.max(0) as u32;
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
                || self.in_buildings(aim.target)
                || self.unit_cover(aim.target, aim.unit) != Cover::None;
            let needed = if (started - left.min(started)) * 100 >= started * ruined {
                chart.half_lost
            } else if info.kind == Kind::HI {
                chart.heavy_infantry
            } else if covered {
                chart.against_cover
            } else {
                chart.others
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

/// Whole fifths as people say them (SYW-MORALE-19).
fn lost_in_words(fifths: u32) -> &'static str {
    match fifths {
        0 | 1 => "a fifth lost",
        2 => "two fifths lost",
        3 => "three fifths lost",
        4 => "four fifths lost",
        _ => "all lost",
    }
}
