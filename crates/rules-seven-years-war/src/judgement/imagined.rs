//! The battle as a seat may imagine it.
//!
//! What a seat can't know here: where hidden enemies lie (SYW-HIDE-01), by which edge an enemy flank march will come
//! (SYW-DEPLOY-16), and which three counters an enemy C-in-C has in his hand while he chooses (SYW-GEN-02). Which units
//! an army has is on its order of battle, open to both; generals' counters are open once they are given (SYW-GEN-14);
//! orders are open. Where an army may send groups round the flank, which of the absent ones do and which lie hidden is
//! drawn anew too; while it is deploying, those that are still to be placed are known to be (nobody has deployed yet).

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_game::{Log, Side};
use tricorne_table::{Point, Pose};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{EdgeName, Order, Presence, grain};
use crate::model::unit::Unit;
use crate::questions::Questions;
use crate::sequence::turn::Task;

/// Places tried for a hidden unit before it is left where it is marked.
const TRIES: usize = 24;

impl SevenYearsBattle {
    /// The battle with the other side's secrets drawn anew.
    pub(crate) fn imagined_by(&self, side: Side, whim: &mut Whim) -> Self {
        let mut other = self.clone();
        let enemy = side.enemy();
        let hidden: SmallVec<[UnitIx; 8]> = self
            .unit_ids()
            .filter(|&u| self.unit(u).side == enemy && self.unit(u).presence == Presence::Hidden)
            .collect();
        // All are taken up first, so that one's old place does not bar another.
        for &u in &hidden {
            other.unit_mut(u).presence = Presence::Waiting;
        }
        let away: SmallVec<[GroupIx; 8]> =
            self.group_ids().filter(|&g| self.group(g).side == enemy && self.may_be_anywhere(g)).collect();
        for &g in &away {
            other.march_or_hide(g, whim);
        }
        for &u in hidden.iter().filter(|&&u| !away.contains(&self.unit(u).group)) {
            if !other.hide_anew(u, whim) {
                other.put_as(u, self.unit(u).clone());
            }
        }
        other.deal_anew(enemy, whim);
        other
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
        let edge = if whim.chance(0.5) { EdgeName::East } else { EdgeName::West };
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
