//! Casualties, leaders and Pinning (WBK-PIN, WBK-LEAD).

mod causes;
pub mod commander;
pub mod rally;
mod retreat;

use arrayvec::ArrayVec;
use tricorne_game::Event;
use tricorne_game::InOrder;

use crate::battle::Fray;
use crate::model::base::how_near;
use crate::options::{LeaderLoss, LeaderlessTests, PinMarkers};
use crate::state::{Character, Fate, Layout, MAX_UNITS, No};
use tricorne_drill::{Now, Reasons, Test};

pub(crate) use causes::{Loosened, Shock};

/// Friends who saw a unit go, nearest first.
pub(crate) type Mourners = ArrayVec<No, MAX_UNITS>;

impl Fray {
    /// The character of a unit's leader while he lives; with one commander a side, only his (WBK-LEAD-09).
    #[inline]
    pub(crate) fn character(&self, u: No) -> Character {
        if self.is_led(u) { self.unit(u).character } else { Character::Unremarkable }
    }

    /// Whether a unit has a leader of its own who can fall: all have, or only the commander's (WBK-LEAD-09).
    fn is_led(&self, u: No) -> bool {
        self.unit(u).leader && !self.lacks_the_commander(u)
    }

    /// Whether a unit goes by the number of those whom their side's one commander is not with (WBK-LEAD-09).
    pub(crate) fn lacks_the_commander(&self, u: No) -> bool {
        self.field.options.one_leader_only && !self.unit(u).commander
    }

    /// What a unit rolls against for orders and Rally (WBK-ACT-02, 03).
    pub(crate) fn leadership(&self, u: No) -> i32 {
        let tests = &self.field.rulebook.charts.tests;
        let unit = self.unit(u);
        if self.lacks_the_commander(u) {
            return tests.other_units;
        }
        if unit.leader { i32::from(unit.leadership) } else { tests.leaderless }
    }

    /// The dice of an order, of a Pinning test and of a Rally (WBK-ACT-02, WBK-PIN-05, WBK-RALLY-02).
    pub(crate) fn test(&self) -> Test {
        Test::of(self.field.rulebook.charts.tests.dice, 6)
    }

    /// One die for a unit that must come up so high, told by how it came out: well, or not.
    pub(crate) fn dice_for(
        &self,
        u: No,
        (what, clause): (&'static str, &'static str),
        needed: i32,
        [well, ill]: [&'static str; 2],
        now: &mut Now<'_>,
    ) -> bool {
        let test = Test::of(1, 6).needing(needed);
        let rolled = test.roll(what, now.chance);
        let outcome = if rolled.passed { well } else { ill };
        now.say(|| test.event(what, clause, &rolled).who(self.id(u)).outcome(outcome));
        rolled.passed
    }

    /// What a unit tests against for Pinning (WBK-PIN-12).
    pub(crate) fn nerve(&self, u: No) -> i32 {
        let unit = self.unit(u);
        let old = self.field.options.leaderless_tests == LeaderlessTests::OldValue;
        if old && !unit.leader && !self.lacks_the_commander(u) {
            return i32::from(unit.leadership);
        }
        self.leadership(u)
    }

    /// Removes models from the highest index down (WBK-MOD-16), never the last.
    pub(crate) fn lose_models(&mut self, u: No, n: u8) {
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
    pub(crate) fn keep_close_order(&mut self, u: No, now: &mut Now<'_>) {
        let unit = self.unit(u);
        if unit.close_order && unit.models < self.field.rulebook.charts.close_order.minimum {
            self.open_out(u, Loosened::TooFew, now);
        }
    }

    /// Close Order ends; nobody moves (WBK-MOD-17).
    pub(crate) fn open_out(&mut self, u: No, why: Loosened, now: &mut Now<'_>) {
        if !self.unit(u).close_order {
            return;
        }
        let unit = &mut self.state.units[u];
        unit.close_order = false;
        unit.layout = Layout::Cluster;
        unit.anchor = unit.places.first().copied().unwrap_or(unit.anchor);
        let who = self.id(u);
        now.say(|| Event::new("close_order_lost", why.clause()).who(who).with("because", why.because()));
    }

    /// Friends near a unit, nearest first, then lower number (WBK-PIN-13).
    pub(crate) fn friends_near(&self, u: No) -> Mourners {
        let side = self.unit(u).side;
        let within = self.field.rulebook.charts.tests.friends_within;
        let mut near: ArrayVec<(i64, No), MAX_UNITS> = self
            .on_table()
            .filter(|&v| v != u && self.unit(v).side == side && self.within(u, v, within))
            .map(|v| (how_near(self.gap(u, v)), v))
            .collect();
        near.put_in_order(Ord::cmp);
        near.into_iter().map(|(_, v)| v).collect()
    }

    /// A unit loses its last model: it is destroyed, and friends test (WBK-CONV-09, WBK-PIN-03).
    pub(crate) fn destroy(&mut self, u: No, now: &mut Now<'_>) {
        let mourners = self.fall(u, now);
        self.loss_tests(&mourners, u, Shock::Loss, now);
    }

    /// A unit is destroyed. The friends who are to test.
    pub(crate) fn fall(&mut self, u: No, now: &mut Now<'_>) -> Mourners {
        let mourners = self.friends_near(u);
        self.remove(u, Fate::Destroyed);
        let who = self.id(u);
        now.say(|| Event::new("destroyed", "WBK-CONV-09").who(who));
        mourners
    }

    /// T7b: friends of a lost unit test (WBK-PIN-03, 04, 11).
    pub(crate) fn loss_tests(&mut self, mourners: &Mourners, lost: No, shock: Shock, now: &mut Now<'_>) {
        for &v in mourners {
            if self.unit(v).is_on_table() {
                self.test_nerve(v, 0, Some(lost), shock, now);
            }
        }
    }

    /// A roll for the leader of a unit that lost models, and the tests of friends that come of it.
    pub(crate) fn leader_check(&mut self, u: No, now: &mut Now<'_>) {
        if let Some((mourners, shock)) = self.leader_roll(u, now) {
            self.loss_tests(&mourners, u, shock, now);
        }
    }

    /// The roll itself (WBK-ATT-20, WBK-FIRE-29, WBK-LEAD-04 to 06). The friends who are to test, and for what.
    pub(crate) fn leader_roll(&mut self, u: No, now: &mut Now<'_>) -> Option<(Mourners, Shock)> {
        if !self.is_led(u) {
            return None;
        }
        let test = self.test().needing(self.field.rulebook.charts.tests.leader_lost_on + 1);
        let rolled = test.roll("leader_check", now.chance);
        let unlucky = !rolled.passed;
        let charmed = unlucky && self.character(u) == Character::CharmedLife && !self.unit(u).charm_spent;
        now.say(|| {
            let outcome = match (unlucky, charmed) {
                (_, true) => "charmed",
                (true, false) => "lost",
                (false, _) => "safe",
            };
            test.event("leader_check", "WBK-LEAD-10", &rolled).who(self.id(u)).outcome(outcome)
        });
        if charmed {
            self.state.units[u].charm_spent = true;
            return None;
        }
        if !unlucky {
            return None;
        }
        self.state.units[u].leader = false;
        if self.field.options.leader_loss == LeaderLoss::ExtraModel {
            if self.unit(u).models <= 1 {
                return Some((self.fall(u, now), Shock::Loss));
            }
            self.lose_models(u, 1);
        }
        // WBK-LEAD-09: every friend near the fallen commander tests.
        let commands = self.field.options.one_leader_only && self.unit(u).commander;
        commands.then(|| (self.friends_near(u), Shock::Commander))
    }

    /// A Pinning test for casualties (WBK-PIN-01, 02).
    pub(crate) fn pinning_test(&mut self, u: No, losses: u8, shock: Shock, now: &mut Now<'_>) {
        self.test_nerve(u, losses, None, shock, now);
    }

    /// The Pinning test of a unit that has lost so many models (WBK-PIN-05 to 07, WBK-LEAD-07).
    pub(crate) fn nerve_test(&self, u: No, losses: u8) -> Test {
        let mut reasons = Reasons::new();
        let lost = if losses == 1 { "a casualty" } else { "casualties" };
        reasons.add(-i32::from(losses), lost, "WBK-PIN-06");
        reasons.add(self.card(u).discipline, "Discipline", "WBK-PIN-07");
        let brave = self.character(u) == Character::LionHearted;
        reasons.line_if(brave, &self.field.rulebook.charts.characters.lion_hearted);
        self.test().needing(self.nerve(u)).with(reasons)
    }

    /// The test itself: for losses of its own, or for the friend that was `lost`.
    fn test_nerve(&mut self, u: No, losses: u8, lost: Option<No>, shock: Shock, now: &mut Now<'_>) {
        let test = self.nerve_test(u, losses);
        let rolled = test.roll("pinning", now.chance);
        now.say(|| {
            let event = test.event("pinning", shock.clause(), &rolled).clause("WBK-PIN-05").who(self.id(u));
            let event = event.with("because", shock.because());
            match lost {
                Some(lost) => event.whom(self.id(lost)),
                None => event,
            }
        });
        if !rolled.passed {
            self.pin(u, now);
        }
    }

    /// One more Pinned marker (WBK-PIN-09, 10), the end of Close Order and of going to ground (WBK-PIN-19).
    fn pin(&mut self, u: No, now: &mut Now<'_>) {
        let single = self.field.options.pin_markers == PinMarkers::Single;
        let unit = &mut self.state.units[u];
        unit.pinned = if single { 1 } else { unit.pinned.saturating_add(1) };
        unit.gone_to_ground = false;
        self.open_out(u, Loosened::Pinned, now);
    }

    /// The nearest enemy in sight, or the nearest at all (WBK-RETREAT-11).
    pub(crate) fn nearest_enemy_to_flee(&self, u: No) -> Option<No> {
        let mut enemies: ArrayVec<(i64, No), MAX_UNITS> =
            self.enemies(u).map(|v| (how_near(self.gap(u, v)), v)).collect();
        enemies.put_in_order(Ord::cmp);
        enemies.iter().find(|&&(_, v)| self.sees(u, v)).or(enemies.first()).map(|&(_, v)| v)
    }
}
