//! Shots that bounce through, shots found one after the other, and generals beside the target (SYW-SHOOT, SYW-GEN-20).

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Presence, SLACK, within};
use crate::options::BounceTrigger;
use crate::rulebook::{Weapon, cm};
use crate::shooting::shots::{Band, Mark, Shot};
use smallvec::SmallVec;
use tricorne_drill::Unread;
use tricorne_game::InOrder;
use tricorne_table::Shape;

impl SevenYearsBattle {
    /// Enemy units the ball goes on into, nearest first (SYW-SHOOT-26 to -29).
    pub(crate) fn bounce_targets(
        &self,
        u: UnitIx,
        t: UnitIx,
        score: i32,
        band: Band,
    ) -> SmallVec<[UnitIx; 4]> {
        let mut found: SmallVec<[(f64, UnitIx); 4]> = SmallVec::new();
        let weapon = self.info(u).weapon;
        if !weapon.is_gun() || weapon == Weapon::Howitzer || band == Band::Short {
            return SmallVec::new();
        }
        let (kills, disorders) = self.score(score);
        let hit = match self.fixed.options.bounce_trigger {
            BounceTrigger::Score4 => disorders || kills > 0,
            BounceTrigger::KillOnly => kills > 0,
        };
        if !hit {
            return SmallVec::new();
        }
        let muzzle = self.rect(u, 0).front().at;
        let centre = self.centre_of(&[t]);
        let Some(way) = (centre - muzzle).unit() else { return SmallVec::new() };
        let far = muzzle + way * 400.0;
        let leaves = self
            .rects(t)
            .iter()
            .filter_map(|r| Shape::Rect(*r).chord(muzzle, far))
            .map(|c| c.1 * 400.0)
            .fold(muzzle.distance(centre), f64::max);
        let side = self.unit(u).side;
        let greatest = self.fixed.book.ranges(weapon).greatest();
        for v in self.known_enemies(side) {
            // As if shot at directly: nobody who may not be a target (SYW-SHOOT-51, SYW-ROUT-23).
            if v == t || self.target_rects::<Unread>(u, Mark::Unit(v)).is_err() {
                continue;
            }
            let enters = self
                .rects(v)
                .iter()
                .filter_map(|r| Shape::Rect(*r).chord(muzzle, far))
                .filter(|c| c.1 >= 0.0)
                .map(|c| c.0.max(0.0) * 400.0)
                .fold(f64::MAX, f64::min);
            if enters >= leaves - SLACK
                && within(enters - leaves, cm(self.distances().bounce))
                && within(self.range_to(u, v), greatest)
            {
                found.push((enters, v));
            }
        }
        found.put_in_order(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|f| f.1).collect()
    }

    /// The first shot a side has, if it has any, beginning at some unit; for samplers and for skipping empty steps.
    pub(crate) fn find_shot(&self, from: usize, spread: usize) -> Option<Shot> {
        let side = self.shooting_side();
        let n = self.s.units.len();
        for k in 0..n {
            let u = UnitIx::of((from + k) % n);
            let unit = self.unit(u);
            if unit.side != side || !unit.is_present() || unit.presence == Presence::Hidden {
                continue;
            }
            let greatest = self.fixed.book.ranges(self.info(u).weapon).greatest();
            if greatest <= 0.0 || !self.can_shoot(u) {
                continue;
            }
            for j in 0..n {
                let t = UnitIx::of((spread + j) % n);
                let target = self.unit(t);
                if target.side == side || !target.is_known() || target.surrendered {
                    continue;
                }
                let charging = self.charge_on(u, t).is_some();
                if !charging
                    && target.frame.bounds.gap_squared(&unit.frame.bounds)
                        > (greatest + 0.1) * (greatest + 0.1)
                {
                    continue;
                }
                let shot = self.shot_at(u, Mark::Unit(t));
                if shot.is_some() {
                    return shot;
                }
            }
        }
        None
    }

    /// Generals beside a unit (SYW-GEN-19).
    pub(crate) fn exposed_by(&self, t: UnitIx) -> SmallVec<[GeneralIx; 2]> {
        let near = cm(self.distances().exposed);
        let side = self.unit(t).side;
        GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let general = self.general(i);
                general.side == side && general.is_present() && within(self.general_gap(i, &[t]), near)
            })
            .collect()
    }
}
