//! The battle as a seat may imagine it.
//!
//! What a seat can't know here: where hidden enemies lie (SYW-HIDE-01), by which edge an enemy flank march will come
//! (SYW-DEPLOY-16), and which three counters an enemy C-in-C has in his hand while he chooses (SYW-GEN-02). Which units
//! an army has is on its order of battle, open to both; generals' counters are open once they are given (SYW-GEN-14);
//! orders are open. Which of the enemy's absent groups lie hidden and which march is kept as it is.

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_game::Side;
use tricorne_table::{Point, Pose};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{EdgeName, Presence, grain};
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
        for &u in &hidden {
            other.hide_anew(u, whim);
        }
        for g in self.group_ids() {
            let group = other.group_mut(g);
            if group.side == enemy
                && let Some(off) = group.off.as_mut()
                && off.march
                && !off.either
                && !off.ready
            {
                off.edge = if whim.chance(0.5) { EdgeName::East } else { EdgeName::West };
            }
        }
        other.deal_anew(enemy, whim);
        other
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

    /// A hidden unit in some piece of ground where it could lie unseen.
    fn hide_anew(&mut self, u: UnitIx, whim: &mut Whim) {
        let kept = self.unit(u).clone();
        let lairs: SmallVec<[usize; 8]> =
            (0..self.fixed.pieces.len()).filter(|&p| self.fixed.pieces[p].conceals).collect();
        for _ in 0..TRIES {
            let Some(&p) = whim.one_of(&lairs) else { break };
            let piece = &self.fixed.pieces[p];
            let b = piece.bounds;
            let at = Point::new(whim.between(b.min.x, b.max.x), whim.between(b.min.y, b.max.y));
            let mut new = kept.clone();
            let pose = grain(Pose { at, facing: kept.facing });
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
            return;
        }
        self.unit_mut(u).presence = Presence::Hidden;
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
