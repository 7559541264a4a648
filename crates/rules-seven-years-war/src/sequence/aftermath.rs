//! What comes of shooting and close combat: tests, flights, pursuits, seeing friends run, and tidying up (SYW-SEQ-06).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::{Log, Side};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::{Deferred, Groups, Order, SubPhase};
use crate::morale::tests::Test;
use crate::options::{MeleeTestWho, ShootingTestTime};
use crate::questions::AfterMelee;
use crate::sequence::turn::{Fled, Task};

impl SevenYearsBattle {
    /// Rout moves of the non-phasing side, before anything else moves (M2), and routs put off (SYW-PURSUE-10).
    pub(crate) fn routers(&mut self, now: &mut Now<'_>) {
        let n = self.s.phasing.enemy();
        let mut groups: Groups = self
            .groups_of(n)
            .into_iter()
            .filter(|&g| self.group(g).order == Order::Rout && !self.group(g).phase.fled)
            .collect();
        self.in_order(&mut groups);
        let mut fled = self.who_routs(&groups);
        for g in groups {
            if let Some(Deferred::Rout { way }) = self.group(g).deferred {
                self.no_longer_put_off(g);
                self.first_rout_move(g, way, now);
            } else {
                self.later_rout_move(g, now);
            }
        }
        // Retreats put off are made in the loser's own next movement.
        let mut losers = self.groups_of(self.s.phasing);
        self.in_order(&mut losers);
        for g in losers {
            if let Some(Deferred::FallBack { distance, way }) = self.group(g).deferred {
                self.no_longer_put_off(g);
                if self.group(g).order == Order::Retreat {
                    self.fall_back(g, distance, way, now.log);
                }
            }
        }
        // Who broke them follows once they run (SYW-PURSUE-01, -10).
        if !fled.is_empty() {
            fled.retain(|f| self.group(f.1).deferred.is_none());
            self.s.tasks.push(Task::Pursue { fled });
            self.along_first();
        }
    }

    pub(crate) fn no_longer_put_off(&mut self, g: GroupIx) {
        let group = self.group_mut(g);
        group.deferred = None;
        group.met_pursuers = false;
    }

    /// Groups of a side that lost stands to shooting test (S3).
    pub(crate) fn shot_tests(&mut self, side: Side, now: &mut Now<'_>) {
        let mut groups: Groups = self
            .groups_of(side)
            .into_iter()
            .filter(|&g| self.group(g).phase.shot_losses && self.group(g).order != Order::Rout)
            .collect();
        self.in_order(&mut groups);
        let Some(&g) = groups.first() else {
            for group in &mut self.s.groups {
                if group.side == side {
                    group.phase.shot_losses = false;
                }
            }
            // Later on it waits for the end of the phase (SYW-SEQ-06).
            if matches!(self.s.step, SubPhase::Shooting | SubPhase::Reply) {
                for g in self.groups_of(side) {
                    self.close_group(g, now.log);
                }
            }
            return;
        };
        self.group_mut(g).phase.shot_losses = false;
        self.s.tasks.push(Task::ShotTests { side });
        if self.tests_after_melee(g) && self.fixed.options.shooting_test_time == ShootingTestTime::EndOfPhase
        {
            return; // One test for shooting and melee together.
        }
        self.test_morale(g, Test::Casualties, &[], now);
    }

    /// Whether a group tests for the melees of the phase (SYW-MORALE-05).
    fn tests_after_melee(&self, g: GroupIx) -> bool {
        let phase = &self.group(g).phase;
        match self.fixed.options.melee_test_who {
            MeleeTestWho::AllThatFought => phase.fought,
            MeleeTestWho::LostOrCasualties => phase.fought && (phase.melees_lost > 0 || phase.melee_lost > 0),
        }
    }

    /// Groups that fought test, in the order of SYW-SEQ-07 (F3).
    pub(crate) fn melee_tests(&mut self, done: Groups, now: &mut Now<'_>) {
        let mut groups: Groups = self
            .group_ids()
            .filter(|&g| {
                let group = self.group(g);
                self.tests_after_melee(g)
                    && !done.contains(&g)
                    && group.order != Order::Rout
                    && group.off.is_none()
                    && self.members(g).iter().any(|&u| self.unit(u).parent.is_none())
            })
            .collect();
        self.in_order(&mut groups);
        let Some(&g) = groups.first() else { return };
        let mut done = done;
        done.push(g);
        self.s.tasks.push(Task::MeleeTests { groups: done });
        self.test_morale(g, Test::Melee, &[], now);
    }

    /// Who stands against whom of those about to rout, before anybody moves.
    fn who_routs(&self, groups: &[GroupIx]) -> Fled {
        let mut fled: Fled = Fled::new();
        for &g in groups {
            if !matches!(self.group(g).deferred, Some(Deferred::Rout { .. })) {
                continue;
            }
            let depth = self
                .members(g)
                .iter()
                .map(|&u| self.unit(u).extent(self.info(u).depth).depth())
                .fold(0.0, f64::max);
            for &u in &self.members(g) {
                // Stands left behind do not take their regiment along (SYW-MOVE-18).
                for e in self.opponents(u).into_iter().filter(|&e| self.unit(e).parent.is_none()) {
                    let winner = self.unit(e).group;
                    if !fled.iter().any(|f| f.0 == winner) {
                        fled.push((winner, g, depth));
                    }
                }
            }
        }
        fled
    }

    /// Fall-backs, then rout moves (F4); then those who may pursue (F5).
    pub(crate) fn flights(&mut self, now: &mut Now<'_>) {
        let mut groups: Groups = self.group_ids().filter(|&g| self.group(g).deferred.is_some()).collect();
        self.in_order(&mut groups);
        let mut fled = self.who_routs(&groups);
        for &g in &groups {
            if let Some(Deferred::FallBack { distance, way }) = self.group(g).deferred
                && !self.group(g).met_pursuers
            {
                self.group_mut(g).deferred = None;
                self.fall_back(g, distance, way, now.log);
            }
        }
        for &g in &groups {
            if let Some(Deferred::Rout { way }) = self.group(g).deferred
                && !self.group(g).met_pursuers
            {
                self.group_mut(g).deferred = None;
                self.first_rout_move(g, way, now);
            }
        }
        // Whose move is put off waits for it (SYW-PURSUE-10).
        for group in self.s.groups.iter_mut().filter(|group| group.deferred.is_none()) {
            group.met_pursuers = false;
        }
        fled.retain(|f| self.group(f.1).deferred.is_none());
        self.sync_contacts();
        self.s.tasks.push(Task::Pursue { fled });
        self.along_first();
    }

    pub(crate) fn pursue_all(&mut self, fled: Fled, _: &mut Now<'_>) {
        let pairs: SmallVec<[(GroupIx, GroupIx); 4]> = fled.iter().map(|f| (f.0, f.1)).collect();
        let mut winners: Groups = fled.iter().map(|f| f.0).collect();
        self.in_order(&mut winners);
        for &w in winners.iter().rev() {
            if let Some(prey) = self.may_pursue(w, &pairs) {
                let depth = fled.iter().find(|f| f.0 == w).map_or(0.0, |f| f.2);
                self.ask(AfterMelee { group: w, prey, depth });
            }
        }
    }

    /// Groups that saw friends run or be wiped out (F6).
    pub(crate) fn seeing(&mut self, now: &mut Now<'_>) {
        if self.s.disasters.is_empty() {
            return;
        }
        let mut groups: Groups = self.group_ids().filter(|&g| self.must_test_for_seeing(g)).collect();
        self.in_order(&mut groups);
        let Some(&g) = groups.first() else {
            // Whom the tests sent back into fire from hiding (SYW-VIS-05): what comes of it may be seen in turn.
            if self.s.groups.iter().any(|group| group.phase.shot_losses) {
                let p = self.s.phasing;
                self.s.tasks.push(Task::Seeing);
                self.s.tasks.push(Task::ShotTests { side: p.enemy() });
                self.s.tasks.push(Task::ShotTests { side: p });
            }
            return;
        };
        self.group_mut(g).phase.saw_friends = true;
        self.s.tasks.push(Task::Seeing);
        self.test_morale(g, Test::Seeing, &[], now);
    }

    pub(crate) fn must_test_for_seeing(&self, g: GroupIx) -> bool {
        let group = self.group(g);
        if group.phase.saw_friends
            || self.tests_after_melee(g)
            || group.order == Order::Rout
            || group.off.is_some()
        {
            return false;
        }
        let members = self.members(g);
        if members.is_empty() || members.iter().all(|&u| self.unit(u).surrendered) {
            return false;
        }
        self.s.disasters.iter().any(|d| d.seen_by.contains(&g))
    }

    /// The end of close combat (F7).
    pub(crate) fn tidy(&mut self, log: &mut Log) {
        self.settle_surrendered(log);
        self.settle_detached(log);
        self.sync_contacts();
        self.tidy_ranks(log);
        self.turn_back();
        self.sync_contacts();
        self.reveal_by_sight(log);
    }
}
