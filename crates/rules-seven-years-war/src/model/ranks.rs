//! The rear rank of a line: where it stands is the owner's to say (SYW-MODEL-06).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, InOrder, Log, Side, UnitId};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Unit, Units};

/// Numbers of front-rank stands, from 0 at the left.
pub type Files = SmallVec<[u8; 8]>;

/// The front rank's stands from left to right, and how many stand in the rear rank; none unless there are two ranks.
fn two_ranks(unit: &Unit) -> Option<(SmallVec<[f64; 8]>, usize)> {
    if !unit.formation.is_line() || unit.stands.iter().any(|s| s.rank > 1 || s.turn != 0.0) {
        return None;
    }
    let mut front: SmallVec<[f64; 8]> = unit.stands.iter().filter(|s| s.rank == 0).map(|s| s.u).collect();
    front.put_in_order(f64::total_cmp);
    let rear = unit.strength() - front.len();
    (rear > 0).then_some((front, rear))
}

impl SevenYearsBattle {
    /// Units of a side that have just been drawn up and whose rear rank leaves a choice.
    pub(crate) fn ranks_to_choose(&self, side: Side) -> Units {
        self.unit_ids()
            .filter(|&u| {
                let unit = self.unit(u);
                unit.formed
                    && unit.side == side
                    && unit.is_present()
                    && two_ranks(unit).is_some_and(|(front, rear)| rear < front.len())
                    && !self.in_melee(u)
            })
            .collect()
    }

    /// Judges where the rear rank of a unit that has just been drawn up is to stand.
    pub(crate) fn judge_rear_rank(
        &self,
        side: Side,
        id: UnitId,
        behind: &[u8],
    ) -> Result<(UnitIx, Unit), Illegal> {
        let Some(u) = self.known_unit(id).filter(|u| self.ranks_to_choose(side).contains(u)) else {
            return refuse(
                "SYW-MODEL-06",
                format!(
                    "{id} has not just formed a line whose rear rank leaves a choice; say it when it forms line"
                ),
            );
        };
        let mut new = self.unit(u).clone();
        let Some((front, rear)) = two_ranks(&new) else {
            return refuse("SYW-MODEL-06", format!("{id} has no rear rank"));
        };
        let mut files: Files = SmallVec::from_slice(behind);
        files.sort_unstable();
        files.dedup();
        if files.len() != rear || behind.len() != rear || files.iter().any(|&f| usize::from(f) >= front.len())
        {
            return refuse(
                "SYW-MODEL-06",
                format!(
                    "name {rear} of the {} front stands, from 0 at the left, for the rear rank of {id}",
                    front.len()
                ),
            );
        }
        let mut places = files.iter();
        for s in new.stands.iter_mut().filter(|s| s.rank == 1) {
            if let Some(&f) = places.next() {
                s.u = front[usize::from(f)];
            }
        }
        new.formed = false;
        let rects = self.rects_at(&new, new.pose());
        if !self.fits(u, &rects) {
            return refuse(
                "SYW-MODEL-33",
                format!("{id} would stand on somebody or on ground it may not enter"),
            );
        }
        Ok((u, new))
    }

    /// Draws the rear rank up as its owner said. It is part of forming the line, and no move.
    pub(crate) fn set_rear_rank(&mut self, u: UnitIx, new: Unit, log: &mut Log) {
        self.put_as(u, new);
        log.say(|| self.unit_event("rear_rank", "SYW-MODEL-06", u));
    }

    /// Every way a side's fresh lines may fill their rear rank.
    pub(crate) fn rear_rank_proposals(&self, side: Side) -> Vec<Action> {
        let mut all = Vec::new();
        for u in self.ranks_to_choose(side) {
            let Some((front, rear)) = two_ranks(self.unit(u)) else { continue };
            for mask in 0_u16..(1 << front.len()) {
                if mask.count_ones() as usize == rear {
                    let behind = (0..front.len() as u8).filter(|f| mask & (1 << f) != 0).collect();
                    all.push(Action::RearRank { unit: self.unit(u).id, behind });
                }
            }
        }
        all
    }

    /// Whoever did not say so when he moved has his rear rank from the left.
    pub(crate) fn ranks_are_set(&mut self, side: Side) {
        for unit in &mut self.s.units {
            if unit.side == side {
                unit.formed = false;
            }
        }
    }
}
