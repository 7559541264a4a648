//! An army that was bought in secret (U2), as the other side may imagine it until deployment is over.
//!
//! What the other side can know of it: its list and the points (SYW-ARMY-02, SYW-POINTS-01), what was paid for ground
//! (SYW-POINTS-06), its sub-generals once they have their counters (SYW-GEN-14), whoever stands on the table and the works
//! laid out. The rest is drawn anew, so that the whole is an army the umpire would let pass. What the number in a name or a
//! die of the initiative tells beyond that is not used.

use std::sync::Arc;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Side, UnitId};

use crate::deployment::placing::Lot;
use crate::judgement::imagined::Stage;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{State, SubPhase, Units};
use crate::points::{Army, Enlisted, Work};
use crate::questions::Questions;
use crate::sequence::turn::Task;

#[cfg(test)]
mod tests;

/// Units of both sides a battle holds at most, as set-up files do.
const MOST_UNITS: usize = 200;

/// Units that were imagined, with what was bought for each.
pub(super) type Drawn = Vec<(UnitId, Enlisted)>;

impl SevenYearsBattle {
    /// What this side has not seen of an army bought in secret is bought anew; the units that are imagined wait to be placed.
    pub(super) fn buy_anew(&mut self, enemy: Side, whim: &mut Whim) -> Drawn {
        let k = enemy.index().min(1);
        if self.s.step != SubPhase::SetUp || self.s.armies[k].bought.is_none() {
            return Drawn::new();
        }
        if self.s.tasks.contains(&Task::Survey) {
            self.s.armies[k].bought = Some(self.any_army(enemy, whim));
            return Drawn::new();
        }
        if self.s.tasks.contains(&Task::SubCounters { side: enemy }) {
            self.raise_anew(enemy, whim);
            return Drawn::new();
        }
        self.fill_anew(enemy, whim)
    }

    /// An army of which nothing is known but its list and its price.
    fn any_army(&self, side: Side, whim: &mut Whim) -> Army {
        self.army_at_a_whim(side, whim).unwrap_or_else(|| self.usual_army(side))
    }

    /// Nothing has been seen of it yet, not even how many generals it has.
    fn raise_anew(&mut self, enemy: Side, whim: &mut Whim) {
        let before = self.s.generals.clone();
        self.s.armies[enemy.index().min(1)].bought = Some(self.any_army(enemy, whim));
        self.stand_ready();
        for general in &before {
            if let Some(i) = self.find_general(general.id) {
                let same = self.general_mut(i);
                (same.number, same.counter) = (general.number, general.counter);
            }
        }
        let State { tasks, generals, .. } = &mut self.s;
        for task in tasks {
            if let Task::Ask(Questions::KeepCounter(q)) = task {
                let id = before[usize::from(q.general)].id;
                q.general = generals.iter().position(|g| g.id == id).map_or(q.general, GeneralIx::of);
            }
        }
    }

    /// Some of it may stand on the table; the rest is filled up.
    fn fill_anew(&mut self, enemy: Side, whim: &mut Whim) -> Drawn {
        let k = enemy.index().min(1);
        let Some(bought) = self.s.armies[k].bought.take() else { return Drawn::new() };
        let unseen: Units =
            self.unit_ids().filter(|&u| self.unit(u).side == enemy && self.is_secret(u)).collect();
        self.dismiss(enemy, &unseen);
        self.s.armies[k].points -= self.unlaid_works(enemy);
        self.s.armies[k].works.clear();
        let seen: Vec<usize> =
            self.s.units.iter().filter(|u| u.side == enemy).filter_map(|u| number_of(u.id)).collect();
        let laid = |work: Work| {
            let lengths = self.s.works.iter().filter(|l| l.side == enemy && l.work == work);
            let length: f64 = lengths.map(|l| l.from.distance(l.to)).sum();
            (length > 0.0).then_some((work, length))
        };
        let mut army = Army {
            nation: bought.nation.clone(),
            sub_generals: bought.sub_generals,
            units: seen.iter().filter_map(|&n| bought.units.get(n - 1).cloned()).collect(),
            works: [Work::Abatis, Work::Barricade].into_iter().filter_map(laid).collect(),
        };
        let known = army.units.len();
        let limit = self.purse() - self.s.armies[k].ground;
        let usual = self.usual_army(enemy);
        let as_usual = usual.sub_generals == army.sub_generals
            && army.works.is_empty()
            && limit == self.purse()
            && seen.iter().zip(&army.units).all(|(&n, unit)| usual.units.get(n - 1) == Some(unit));
        if as_usual && whim.chance(0.5) {
            let rest = usual.units.into_iter().enumerate().filter(|(n, _)| !seen.contains(&(n + 1)));
            army.units.extend(rest.map(|(_, unit)| unit));
        } else {
            let mut dice = Seeded::new(whim.below(1 << 30) as u64);
            self.fixed.book.market.fill_at_random(&mut army, limit, &mut dice);
        }
        army.units.truncate(known + MOST_UNITS.saturating_sub(self.s.units.len()));
        self.of_the_last_brigade(enemy, &mut army.units[known..], whim);
        let free: Vec<usize> = (1..=MOST_UNITS).filter(|n| !seen.contains(n)).collect();
        let number = |n: usize| n.checked_sub(known).and_then(|n| free.get(n).copied());
        let drawn = match self.recruits(enemy, &army, number) {
            Ok(recruits) if army.units.len() > known => self.welcome(&recruits),
            _ => Vec::new(),
        };
        let drawn = drawn.into_iter().zip(army.units.drain(known..)).collect();
        self.s.armies[k].bought = Some(army);
        drawn
    }

    /// When all but one brigade have been placed, most of those still unseen are of that one.
    fn of_the_last_brigade(&self, enemy: Side, unseen: &mut [Enlisted], whim: &mut Whim) {
        let Some(kept) = self.s.armies[enemy.index().min(1)].kept_back else { return };
        if !matches!(self.stage_of(enemy), Stage::After | Stage::At(Lot::Last)) {
            return;
        }
        let subs = self.s.generals.iter().filter(|g| g.side == enemy && !g.cinc);
        let nth = subs.clone().position(|g| g.id == self.general(kept).id);
        for unit in unseen {
            if whim.chance(0.75) {
                unit.command = nth.map(|n| n as u8 + 1);
            }
        }
    }

    /// Takes units out of an army as if they had never been bought, and its groups that have nobody left.
    pub(super) fn dismiss(&mut self, side: Side, gone: &[UnitIx]) {
        let army = side.index().min(1);
        for &u in gone {
            let (started, price) = (self.unit(u).started, self.info(u).price);
            let army = &mut self.s.armies[army];
            army.started = army.started.saturating_sub(u16::from(started));
            army.points -= f64::from(started) * price;
        }
        let stay: Units = self.unit_ids().filter(|u| !gone.contains(u)).collect();
        let infos = stay.iter().map(|&u| self.info(u).clone()).collect();
        Arc::make_mut(&mut self.fixed).infos = infos;
        let mut units: Vec<_> = stay.iter().map(|&u| self.unit(u).clone()).collect();
        let moved = |u: &UnitIx| stay.iter().position(|v| v == u).map(UnitIx::of);
        for group in &mut self.s.groups {
            group.units = group.units.iter().filter_map(moved).collect();
        }
        let left: Vec<GroupIx> = self
            .group_ids()
            .filter(|&g| self.group(g).side != side || !self.group(g).units.is_empty())
            .collect();
        for (n, unit) in units.iter_mut().enumerate() {
            unit.info = n as u8;
            unit.group = left.iter().position(|&g| g == unit.group).map_or(unit.group, GroupIx::of);
        }
        self.s.groups = left.iter().map(|&g| self.group(g).clone()).collect();
        self.s.units = units;
        self.s.watched.clear();
    }

    /// Units of another field join this one, each with its group; their ids.
    fn welcome(&mut self, recruits: &Self) -> Vec<UnitId> {
        for v in recruits.unit_ids() {
            let (mut unit, mut group) = (recruits.unit(v).clone(), recruits.group_of(v).clone());
            let u = UnitIx::of(self.s.units.len());
            group.command = group.command.and_then(|c| self.find_general(recruits.general(c).id));
            group.units = Units::from_slice(&[u]);
            unit.group = GroupIx::of(self.s.groups.len());
            unit.info = self.fixed.infos.len() as u8;
            let army = &mut self.s.armies[unit.side.index().min(1)];
            army.started += u16::from(unit.started);
            army.points += f64::from(unit.started) * recruits.info(v).price;
            Arc::make_mut(&mut self.fixed).infos.push(recruits.info(v).clone());
            self.s.groups.push(group);
            self.s.units.push(unit);
            self.refresh(u);
        }
        recruits.s.units.iter().map(|u| u.id).collect()
    }
}

/// The number of a unit in the army it was bought with: its id is a letter and that.
fn number_of(id: UnitId) -> Option<usize> {
    id.as_str().get(1..).and_then(|n| n.parse().ok()).filter(|&n| n > 0)
}
