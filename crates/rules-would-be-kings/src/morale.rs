//! Casualties, leaders, Pinning and Rally (WBK-PIN, WBK-RALLY, WBK-LEAD).

use arrayvec::ArrayVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log};

use crate::battle::WbkBattle;
use crate::mods::Mods;
use crate::options::{LeaderLoss, LeaderlessTests, PinMarkers, RallyRoutOn, Switch};
use crate::state::{Character, Fate, MAX_UNITS, Stage};

/// Friends who saw a unit go, nearest first.
pub(crate) type Mourners = ArrayVec<usize, MAX_UNITS>;

impl WbkBattle {
    /// The character of a unit's leader while he lives.
    #[inline]
    pub(crate) fn character(&self, u: usize) -> Character {
        let unit = self.unit(u);
        if unit.leader { unit.character } else { Character::Unremarkable }
    }

    /// Whether a unit has a leader of its own who can fall: all have, or only the commander's (WBK-LEAD-09).
    fn is_led(&self, u: usize) -> bool {
        let unit = self.unit(u);
        unit.leader && (self.field.options.one_leader_only == Switch::Off || unit.commander)
    }

    /// What a unit rolls against for orders and Rally (WBK-ACT-02, 03).
    pub(crate) fn leadership(&self, u: usize) -> i32 {
        let tests = &self.field.rulebook.charts.tests;
        let unit = self.unit(u);
        if self.field.options.one_leader_only == Switch::On && !unit.commander {
            return tests.other_units;
        }
        if unit.leader { i32::from(unit.leadership) } else { tests.leaderless }
    }

    /// What a unit tests against for Pinning (WBK-PIN-12).
    pub(crate) fn nerve(&self, u: usize) -> i32 {
        let unit = self.unit(u);
        if !unit.leader && self.field.options.leaderless_tests == LeaderlessTests::OldValue {
            return i32::from(unit.leadership);
        }
        self.leadership(u)
    }

    /// Removes models from the highest index down (WBK-MOD-16), never the last.
    pub(crate) fn lose_models(&mut self, u: usize, n: u8) {
        let unit = &mut self.state.units[u];
        unit.models = unit.models.saturating_sub(n);
        let left = usize::from(unit.models);
        unit.places.truncate(left);
        self.settle_bounds(u);
        if self.unit(u).close_order && self.unit(u).models >= self.field.rulebook.charts.close_order.minimum {
            self.close_up(u);
        }
    }

    /// Close Order is lost below its least number of models (WBK-CLOSE-15).
    pub(crate) fn keep_close_order(&mut self, u: usize, log: &mut Log) {
        let unit = self.unit(u);
        if unit.close_order && unit.models < self.field.rulebook.charts.close_order.minimum {
            self.open_out(u, "WBK-CLOSE-15", log);
        }
    }

    /// Close Order ends and the block opens out (WBK-MOD-17).
    pub(crate) fn open_out(&mut self, u: usize, clause: &'static str, log: &mut Log) {
        if !self.unit(u).close_order {
            return;
        }
        self.state.units[u].close_order = false;
        self.close_up(u);
        let who = self.id(u);
        log.say(|| Event::new("close_order_lost", clause).who(who));
    }

    /// Friends within 12" of a unit, nearest first, then lower number (WBK-PIN-13).
    pub(crate) fn friends_near(&self, u: usize) -> Mourners {
        let side = self.unit(u).side;
        let within = self.field.rulebook.charts.tests.friends_within;
        let mut near: ArrayVec<(f64, usize), MAX_UNITS> = self
            .on_table()
            .filter(|&v| v != u && self.unit(v).side == side && self.within(u, v, within))
            .map(|v| (self.gap(u, v), v))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.into_iter().map(|(_, v)| v).collect()
    }

    /// A unit loses its last model: it is destroyed, and friends test (WBK-CONV-09, WBK-PIN-03).
    pub(crate) fn destroy(&mut self, u: usize, chance: &mut dyn Chance, log: &mut Log) {
        let mourners = self.friends_near(u);
        self.remove(u, Fate::Destroyed);
        let who = self.id(u);
        log.say(|| Event::new("destroyed", "WBK-CONV-09").who(who));
        self.loss_tests(&mourners, "WBK-PIN-03", chance, log);
    }

    /// T7b: friends of a lost unit test (WBK-PIN-03, 04, 11).
    pub(crate) fn loss_tests(
        &mut self,
        mourners: &Mourners,
        clause: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        for &v in mourners {
            if self.unit(v).is_on_table() {
                self.test_nerve(v, 0, clause, chance, log);
            }
        }
    }

    /// A roll for the leader of a unit that lost models (WBK-ATT-20, WBK-FIRE-29, WBK-LEAD-04 to 06).
    pub(crate) fn leader_check(&mut self, u: usize, chance: &mut dyn Chance, log: &mut Log) {
        if !self.is_led(u) {
            return;
        }
        let roll = chance.sum("leader_check", 2, 6);
        let unlucky = roll.total == 2;
        let charmed = unlucky && self.character(u) == Character::CharmedLife && !self.unit(u).charm_spent;
        let who = self.id(u);
        log.say(|| {
            let outcome = match (unlucky, charmed) {
                (_, true) => "charmed",
                (true, false) => "lost",
                (false, _) => "safe",
            };
            Event::new("leader_check", "WBK-LEAD-10")
                .who(who)
                .faces(&roll.faces)
                .needed(3)
                .made(roll.total)
                .outcome(outcome)
        });
        if charmed {
            self.state.units[u].charm_spent = true;
            return;
        }
        if !unlucky {
            return;
        }
        self.state.units[u].leader = false;
        if self.field.options.leader_loss == LeaderLoss::ExtraModel {
            if self.unit(u).models <= 1 {
                self.destroy(u, chance, log);
                return;
            }
            self.lose_models(u, 1);
        }
        if self.field.options.one_leader_only == Switch::On && self.unit(u).commander {
            // WBK-LEAD-09: every friend near the fallen commander tests.
            let mourners = self.friends_near(u);
            self.loss_tests(&mourners, "WBK-LEAD-09", chance, log);
        }
    }

    /// A Pinning test for casualties (WBK-PIN-01, 02).
    pub(crate) fn pinning_test(
        &mut self,
        u: usize,
        losses: u8,
        cause: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let clause = if cause == "fire" { "WBK-PIN-01" } else { "WBK-PIN-02" };
        self.test_nerve(u, losses, clause, chance, log);
    }

    fn test_nerve(
        &mut self,
        u: usize,
        losses: u8,
        clause: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let roll = chance.sum("pinning", 2, 6);
        let mut mods = Mods::default();
        mods.add(-i32::from(losses), "casualties", "WBK-PIN-06");
        mods.add(self.card(u).discipline, "Discipline", "WBK-PIN-07");
        if self.character(u) == Character::LionHearted {
            mods.add(1, "Lion-hearted", "WBK-LEAD-07");
        }
        let made = roll.total + mods.total();
        let needed = self.nerve(u);
        let passed = made >= needed;
        let who = self.id(u);
        log.say(|| {
            Event::new("pinning", clause)
                .clause("WBK-PIN-05")
                .who(who)
                .faces(&roll.faces)
                .needed(needed)
                .made(made)
                .modifiers(mods.listed())
                .outcome(if passed { "passed" } else { "failed" })
        });
        if !passed {
            self.pin(u, log);
        }
    }

    /// One more Pinned marker (WBK-PIN-09, 10), the end of Close Order and of going to ground (WBK-PIN-19).
    fn pin(&mut self, u: usize, log: &mut Log) {
        let single = self.field.options.pin_markers == PinMarkers::Single;
        let unit = &mut self.state.units[u];
        unit.pinned = if single { 1 } else { unit.pinned.saturating_add(1) };
        unit.gone_to_ground = false;
        self.open_out(u, "WBK-CLOSE-12", log);
    }

    /// T9: a Pinned unit rallies (WBK-RALLY).
    pub(crate) fn rally(&mut self, u: usize, chance: &mut dyn Chance, log: &mut Log) {
        let (made, natural, passed) = self.rally_roll(u, chance, log);
        if !passed && self.character(u) == Character::Inspiring {
            self.state.act.rally = made.clamp(-100, 100) as i8;
            self.state.act.rally_natural = natural as i8;
            self.state.stage = Stage::Reroll;
            return;
        }
        self.rally_result(u, made, natural, passed, chance, log);
    }

    /// What is added to a Rally (WBK-RALLY-03, 04, WBK-LEAD-07).
    pub(crate) fn rally_mods(&self, u: usize) -> Mods {
        let mut mods = Mods::default();
        mods.add(-i32::from(self.unit(u).pinned), "Pinned markers", "WBK-RALLY-03");
        mods.add(self.card(u).discipline, "Discipline", "WBK-RALLY-04");
        match self.character(u) {
            Character::Bully => mods.add(1, "Bully", "WBK-LEAD-07"),
            Character::Martinet if !self.card(u).closes => mods.add(1, "Martinet", "WBK-LEAD-07"),
            _ => {}
        }
        mods
    }

    pub(crate) fn rally_roll(
        &mut self,
        u: usize,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> (i32, i32, bool) {
        let roll = chance.sum("rally", 2, 6);
        let mods = self.rally_mods(u);
        let made = roll.total + mods.total();
        let needed = self.leadership(u);
        let passed = made >= needed;
        let routs = !passed && self.is_rout(made, roll.total);
        let who = self.id(u);
        log.say(|| {
            let clause = match (passed, routs) {
                (true, _) => "WBK-RALLY-05",
                (false, false) => "WBK-RALLY-06",
                (false, true) => "WBK-RALLY-07",
            };
            Event::new("rally", "WBK-RALLY-01")
                .clause(clause)
                .who(who)
                .faces(&roll.faces)
                .needed(needed)
                .made(made)
                .modifiers(mods.listed())
                .outcome(if passed {
                    "passed"
                } else if routs {
                    "routed"
                } else {
                    "failed"
                })
        });
        (made, roll.total, passed)
    }

    pub(crate) fn is_rout(&self, made: i32, natural: i32) -> bool {
        let total = match self.field.options.rally_rout_on {
            RallyRoutOn::Modified => made,
            RallyRoutOn::Natural => natural,
        };
        total <= self.field.rulebook.charts.tests.rout_at
    }

    /// What a Rally comes to, once its dice are final; ends the activation.
    pub(crate) fn rally_result(
        &mut self,
        u: usize,
        made: i32,
        natural: i32,
        passed: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if passed {
            self.state.units[u].pinned = 0;
        } else if self.is_rout(made, natural) {
            let mourners = self.friends_near(u);
            self.remove(u, Fate::Routed);
            let who = self.id(u);
            log.say(|| Event::new("rout", "WBK-RALLY-07").who(who));
            self.loss_tests(&mourners, "WBK-PIN-04", chance, log);
        } else {
            if self.character(u) == Character::Bully {
                let who = self.id(u);
                log.say(|| {
                    Event::new("losses", "WBK-LEAD-07").who(who).made(1).with("losses", 1).outcome("bully")
                });
                if self.unit(u).models <= 1 {
                    self.destroy(u, chance, log);
                } else {
                    self.lose_models(u, 1);
                }
            }
            if self.unit(u).is_on_table() {
                let enemy = self.nearest_enemy_to_flee(u);
                self.retreat(u, enemy, chance, log);
            }
        }
        self.end_activation(u, chance, log);
    }

    /// The nearest enemy in sight, or the nearest at all (WBK-RETREAT-11).
    pub(crate) fn nearest_enemy_to_flee(&self, u: usize) -> Option<usize> {
        let mut enemies: ArrayVec<(f64, usize), MAX_UNITS> =
            self.enemies(u).map(|v| (self.gap(u, v), v)).collect();
        enemies.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        enemies.iter().find(|&&(_, v)| self.sees(u, v)).or(enemies.first()).map(|&(_, v)| v)
    }
}
