//! The battle as a seat may imagine it.
//!
//! What a seat can't know here: which army the enemy bought ([`super::bought`]), where hidden enemies lie (SYW-HIDE-01), by
//! which edge an enemy flank march will come (SYW-DEPLOY-16), and which three counters an enemy C-in-C has in his hand
//! while he chooses (SYW-GEN-02). Which units an army has that was not bought at the table is on its order of battle, open
//! to both; generals' counters are open once they are given (SYW-GEN-14); orders are open. Where an army may send groups
//! round the flank, which of the absent ones do and which lie hidden is drawn anew too; and while it deploys, who of those
//! not seen is marked on the private map and who is still to be placed.

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_game::{Log, Side};
use tricorne_table::{Edge, Point, Pose};

use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Order, Presence, SubPhase, Units, grain};
use crate::model::unit::Unit;
use crate::questions::Questions;
use crate::sequence::turn::Task;

/// Places tried for a hidden unit before it is left where it is marked.
const TRIES: usize = 24;

/// How far a side has come with its deployment, as both sides can tell (SYW-DEPLOY-08 to -11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nobody of it has been placed or marked.
    Before,
    /// It is placing this lot.
    At(Lot),
    /// It is done, but for the brigade kept back where there is one.
    After,
}

impl SevenYearsBattle {
    /// The battle with the other side's secrets drawn anew.
    pub(crate) fn imagined_by(&self, side: Side, whim: &mut Whim) -> Self {
        let mut other = self.clone();
        let enemy = side.enemy();
        let mut drawn = other.buy_anew(enemy, whim);
        if let Stage::At(lot) = other.stage_of(enemy) {
            other.mark_anew(enemy, lot, whim);
        }
        for (id, _) in &drawn {
            if let Some(u) = other.find_unit(*id).filter(|&u| !other.may_wait(u)) {
                other.unit_mut(u).presence = Presence::Hidden;
            }
        }
        other.lie_anew(enemy, whim);
        let nowhere: Units = other
            .unit_ids()
            .filter(|&u| other.unit(u).presence == Presence::Waiting && !other.may_wait(u))
            .filter(|&u| drawn.iter().any(|(id, _)| *id == other.unit(u).id))
            .collect();
        if !nowhere.is_empty() {
            other.dismiss(enemy, &nowhere);
        }
        drawn.retain(|(id, _)| other.find_unit(*id).is_some());
        if let Some(army) = &mut other.s.armies[enemy.index().min(1)].bought {
            army.units.extend(drawn.into_iter().map(|(_, unit)| unit));
        }
        other.deal_anew(enemy, whim);
        other
    }

    pub(super) fn stage_of(&self, side: Side) -> Stage {
        let first = |task: &Task| match task {
            Task::Ask(Questions::Deploy(q)) => q.side == side && q.lot != Lot::Last,
            task => matches!(task, Task::Ask(Questions::TableSide(_))),
        };
        match self.asking() {
            Some(Questions::Deploy(q)) if q.side == side => Stage::At(q.lot),
            _ if self.s.tasks.iter().any(first) => Stage::Before,
            _ => Stage::After,
        }
    }

    /// Whether a unit that has not been seen may be one that is still to be placed.
    fn may_wait(&self, u: UnitIx) -> bool {
        let side = self.unit(u).side;
        let last = |task: &Task| matches!(task, Task::Ask(Questions::Deploy(q)) if q.side == side);
        match self.stage_of(side) {
            Stage::Before | Stage::At(Lot::First | Lot::Whole) => true,
            Stage::At(Lot::Last) => self.in_lot(u, Lot::Last),
            Stage::After => self.in_lot(u, Lot::Last) && self.s.tasks.iter().any(last),
        }
    }

    /// While a side deploys: which brigade it keeps back, and who of those not seen is marked and who is still to be placed.
    fn mark_anew(&mut self, enemy: Side, lot: Lot, whim: &mut Whim) {
        let k = enemy.index().min(1);
        if lot == Lot::First && self.s.armies[k].kept_back.is_some() {
            let seen = |i: GeneralIx| {
                self.general(i).placed
                    || self.unit_ids().any(|u| self.group_of(u).command == Some(i) && !self.is_secret(u))
            };
            let brigades: SmallVec<[GeneralIx; 8]> =
                self.brigades(enemy).into_iter().filter(|&i| !seen(i)).collect();
            self.s.armies[k].kept_back = whim.one_of(&brigades).copied();
        }
        let unseen: Units = self
            .unit_ids()
            .filter(|&u| self.unit(u).side == enemy && self.is_secret(u) && self.may_wait(u))
            .filter(|&u| self.unit(u).presence != Presence::Gone)
            .collect();
        for &u in &unseen {
            self.take_up(u);
        }
        // Somebody is still to be placed, or nobody would be asked.
        let somebody = usize::from(self.generals_to_deploy(enemy, lot).is_empty());
        let to_come: Units = unseen.into_iter().filter(|&u| self.in_lot(u, lot)).collect();
        for &u in to_come.iter().skip(somebody) {
            if whim.chance(0.5) {
                self.unit_mut(u).presence = Presence::Hidden;
            }
        }
    }

    /// A unit of which nothing is decided yet.
    fn take_up(&mut self, u: UnitIx) {
        let mut new = stands::formed(self.unit(u), Formation::Line, self.info(u));
        new.presence = Presence::Waiting;
        (new.at, new.facing) = (Point::ORIGIN, Self::inwards(self.s.armies[new.side.index().min(1)].edge));
        (new.lair, new.first_lair) = (None, None);
        let g = new.group;
        self.put_as(u, new);
        if self.group_mut(g).off.take().is_some() {
            self.group_mut(g).order = Order::Stand;
        }
    }

    /// Where those lie who are hidden, and by which edge those come who march round.
    fn lie_anew(&mut self, enemy: Side, whim: &mut Whim) {
        let away: SmallVec<[GroupIx; 8]> =
            self.group_ids().filter(|&g| self.group(g).side == enemy && self.may_be_anywhere(g)).collect();
        let hidden: SmallVec<[(UnitIx, Unit); 8]> = self
            .unit_ids()
            .filter(|&u| self.unit(u).side == enemy && self.unit(u).presence == Presence::Hidden)
            .map(|u| (u, self.unit(u).clone()))
            .collect();
        // All are taken up first, so that one's old place does not bar another.
        for &(u, _) in &hidden {
            self.unit_mut(u).presence = Presence::Waiting;
        }
        for &g in &away {
            self.march_or_hide(g, whim);
        }
        for (u, marked) in hidden.into_iter().filter(|(_, unit)| !away.contains(&unit.group)) {
            // One that was never marked anywhere is still to be placed, or was not bought.
            if !self.hide_anew(u, whim) && marked.lair.is_some() {
                self.put_as(u, marked);
            }
        }
    }

    /// Whether nothing shows if a group lies hidden or marches: its army may send some round (SYW-DEPLOY-16), all of it is
    /// out of sight, and it has not come yet.
    fn may_be_anywhere(&self, g: GroupIx) -> bool {
        let group = self.group(g);
        let comes = |presence: Presence| match group.off {
            Some(off) => presence == Presence::Off && off.march && !off.either && !off.ready,
            None => presence == Presence::Hidden && group.order == Order::Stand,
        };
        self.s.armies[group.side.index().min(1)].may_march
            && !group.units.is_empty()
            && group.units.iter().all(|&u| comes(self.unit(u).presence))
    }

    /// Such a group somewhere: in hiding, or on its way round either flank.
    fn march_or_hide(&mut self, g: GroupIx, whim: &mut Whim) {
        let units = self.group(g).units.clone();
        if whim.chance(0.5) {
            let kept: SmallVec<[Unit; 4]> = units.iter().map(|&u| self.unit(u).clone()).collect();
            let off = self.group_mut(g).off.take();
            for &u in &units {
                self.unit_mut(u).presence = Presence::Waiting;
            }
            if units.iter().all(|&u| self.hide_anew(u, whim)) {
                self.group_mut(g).order = Order::Stand;
                return;
            }
            // No room to hide: it marches.
            self.group_mut(g).off = off;
            for (&u, unit) in units.iter().zip(kept) {
                self.put_as(u, unit);
            }
        }
        let edge = if whim.chance(0.5) { Edge::East } else { Edge::West };
        if let Some(off) = self.group_mut(g).off.as_mut() {
            off.edge = edge;
        } else {
            self.send_marching(g, edge, &mut Log::off());
            // Its next try is in its next movement, as if it had gone from the start.
            let phasing = self.s.phasing == self.group(g).side;
            if let Some(off) = self.group_mut(g).off.as_mut() {
                off.tried = phasing;
            }
        }
    }

    /// The battle without the enemy's hidden units: whoever is told what the dice may bring must not find them by it.
    pub(crate) fn seen_by(&self, side: Side) -> Self {
        let mut other = self.clone();
        for u in self.unit_ids() {
            if self.unit(u).side == side.enemy() && self.unit(u).presence == Presence::Hidden {
                other.unit_mut(u).presence = Presence::Waiting;
            }
        }
        other
    }

    /// A hidden unit in some piece of ground where it could lie unseen, looking towards the enemy; false where none was
    /// found.
    fn hide_anew(&mut self, u: UnitIx, whim: &mut Whim) -> bool {
        let kept = self.unit(u).clone();
        let facing = Self::inwards(self.s.armies[kept.side.index().min(1)].edge);
        let lairs: SmallVec<[usize; 8]> =
            (0..self.fixed.pieces.len()).filter(|&p| self.fixed.pieces[p].conceals).collect();
        for _ in 0..TRIES {
            let Some(&p) = whim.one_of(&lairs) else { break };
            let piece = &self.fixed.pieces[p];
            let b = piece.bounds;
            let at = Point::new(whim.between(b.min.x, b.max.x), whim.between(b.min.y, b.max.y));
            let mut new = kept.clone();
            let pose = grain(Pose { at, facing });
            (new.at, new.facing, new.lair) = (pose.at, pose.facing, Some(p as u8));
            new.first_lair = new.lair;
            let hill = piece.kind == crate::terrain::ground::PieceKind::Hill;
            let rects = self.rects_at(&new, pose);
            let inside = hill || rects.iter().all(|r| piece.area().is_some_and(|a| a.contains(r.centre())));
            let betrayed = !self.unseen(kept.side, &rects) || self.was_seen(kept.side, p, &rects);
            if !inside || betrayed || !self.is_free(&rects, u) {
                continue;
            }
            // At deployment it is marked in its army's area, out of sight of the enemy's edge (SYW-HIDE-02, -07).
            let at_first = self.s.step == SubPhase::SetUp;
            if at_first && (self.judge_area(kept.side, &rects).is_err() || !self.hidden_from_edge(u, &new)) {
                continue;
            }
            // Nobody who came within 5 would have missed it (SYW-HIDE-03).
            if self.known_enemies(kept.side).any(|e| self.rects_gap(&rects, e, 5.0).is_some()) {
                continue;
            }
            new.presence = Presence::Hidden;
            self.put_as(u, new);
            return true;
        }
        false
    }

    /// The counters in an enemy C-in-C's hand while he chooses.
    fn deal_anew(&mut self, enemy: Side, whim: &mut Whim) {
        let hand = self.s.tasks.iter_mut().find_map(|task| match task {
            Task::Ask(Questions::KeepCounter(q)) if q.side == enemy => Some(&mut q.drawn),
            _ => None,
        });
        let pile = &mut self.s.armies[enemy.index().min(1)].counters;
        if let Some(drawn) = hand {
            let n = drawn.len();
            pile.extend(drawn.drain(..));
            for _ in 0..n {
                if !pile.is_empty() {
                    drawn.push(pile.remove(whim.below(pile.len())));
                }
            }
            pile.sort_unstable();
        }
    }
}
