//! What comes of shooting and close combat: tests, flights, pursuits, seeing friends run, and tidying up (SYW-SEQ-06).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::{Log, Side};
use tricorne_table::Pose;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Deferred, Groups, Order, within};
use crate::morale::tests::Test;
use crate::options::{MeleeTestWho, ShootingTestTime};
use crate::questions::AfterMelee;
use crate::rulebook::cm;
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
        for g in groups {
            if let Some(Deferred::Rout { way }) = self.group(g).deferred {
                self.no_longer_put_off(g);
                self.first_rout_move(g, way, now);
            } else {
                self.later_rout_move(g, now);
            }
        }
        // Retreats put off are made in the loser's own next movement.
        let p = self.s.phasing;
        for g in self.groups_of(p) {
            if let Some(Deferred::FallBack { distance, way }) = self.group(g).deferred {
                self.no_longer_put_off(g);
                if self.group(g).order == Order::Retreat {
                    self.fall_back(g, distance, way, now.log);
                }
            }
        }
    }

    fn no_longer_put_off(&mut self, g: GroupIx) {
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
            for g in self.groups_of(side) {
                self.close_group(g, now.log);
            }
            return;
        };
        self.group_mut(g).phase.shot_losses = false;
        self.s.tasks.push(Task::ShotTests { side });
        if self.group(g).phase.fought && self.fixed.options.shooting_test_time == ShootingTestTime::EndOfPhase
        {
            return; // One test for shooting and melee together.
        }
        self.test_morale(g, Test::Casualties, &[], now);
    }

    /// Groups that fought test, in the order of SYW-SEQ-07 (F3).
    pub(crate) fn melee_tests(&mut self, done: Groups, now: &mut Now<'_>) {
        let mut groups: Groups = self
            .group_ids()
            .filter(|&g| {
                let group = self.group(g);
                let asked = match self.fixed.options.melee_test_who {
                    MeleeTestWho::AllThatFought => group.phase.fought,
                    MeleeTestWho::LostOrCasualties => {
                        group.phase.fought && (group.phase.melees_lost > 0 || group.phase.melee_lost > 0)
                    }
                };
                asked
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

    /// Fall-backs, then rout moves (F4); then those who may pursue (F5).
    pub(crate) fn flights(&mut self, now: &mut Now<'_>) {
        let mut groups: Groups = self.group_ids().filter(|&g| self.group(g).deferred.is_some()).collect();
        self.in_order(&mut groups);
        // Who stood against whom, before anybody moves.
        let mut fled: Fled = Fled::new();
        for &g in &groups {
            if !matches!(self.group(g).deferred, Some(Deferred::Rout { .. })) {
                continue;
            }
            let depth = self
                .members(g)
                .iter()
                .map(|&u| self.unit(u).extent(self.info(u).depth).depth())
                .fold(0.0, f64::max);
            for &u in &self.members(g) {
                for e in self.opponents(u) {
                    let winner = self.unit(e).group;
                    if !fled.iter().any(|f| f.0 == winner) {
                        fled.push((winner, g, depth));
                    }
                }
            }
        }
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
        let Some(&g) = groups.first() else { return };
        self.group_mut(g).phase.saw_friends = true;
        self.s.tasks.push(Task::Seeing);
        self.test_morale(g, Test::Seeing, &[], now);
    }

    pub(crate) fn must_test_for_seeing(&self, g: GroupIx) -> bool {
        let group = self.group(g);
        if group.phase.saw_friends || group.phase.fought || group.order == Order::Rout || group.off.is_some()
        {
            return false;
        }
        let members = self.members(g);
        if members.is_empty() || members.iter().all(|&u| self.unit(u).surrendered) {
            return false;
        }
        self.s.disasters.iter().filter(|d| d.side == group.side && d.group != g).any(|d| {
            d.places.iter().any(|&(centre, facing)| {
                let rect = tricorne_table::Rect::centred(
                    Pose { at: centre, facing },
                    crate::model::stands::WIDTH,
                    d.depth,
                );
                let near = members.iter().any(|&u| {
                    self.rects(u)
                        .iter()
                        .any(|r| within(crate::model::field::gap_of(r, &rect), cm(self.distances().seeing)))
                });
                near && self.any_sees(&members, &rect)
            })
        })
    }

    /// Whether any stand of some units sees a footprint over the ground.
    pub(crate) fn any_sees(&self, units: &[UnitIx], rect: &tricorne_table::Rect) -> bool {
        if self.fixed.pieces.is_empty() {
            return true;
        }
        let c = rect.corners();
        let aims = [rect.centre(), c[0], c[1], c[2], c[3]];
        units.iter().any(|&u| {
            self.rects(u).iter().any(|r| {
                let front = r.front_edge();
                let ends = crate::terrain::ground::Ends {
                    viewer_at_edge: self.fixed.at_town_edge(r),
                    seen_at_edge: false,
                    viewer_town: self.fixed.town_of(r),
                    seen_town: self.fixed.town_of(rect),
                };
                [front.a, front.midpoint(), front.b]
                    .iter()
                    .any(|&p| aims.iter().any(|&q| self.fixed.clear(p, q, ends)))
            })
        })
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
