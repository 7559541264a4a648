//! Which stands bear on a target: arc, range, sight, overhead fire (SYW-MODEL-20 to -23, SYW-LOS-08, SYW-SHOOT-31 to -51).

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{bounds_of, gap_of, join_bounds};
use crate::model::ids::UnitIx;
use crate::model::state::{Aim, Direction, Formation, SLACK, SubPhase, Unit, Units, within};
use crate::options::{ArtilleryArc, HowitzerOverhead, OverheadFriends, RearRankFires, SupportRange};
use crate::rulebook::{Weapon, cm, degrees};
use crate::shooting::shots::Mark;
use crate::terrain::ground::Ends;
use smallvec::SmallVec;
use tricorne_drill::{Refusal, Unread, deny};
use tricorne_table::{Arc, Bounds, Rect, Segment, Shape};

/// What a stand sees of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    Clear,
    Overhead,
    /// The ground hides it.
    Ground,
    /// Troops in the way.
    Troops,
}

impl SevenYearsBattle {
    /// The aim of a charge at this unit by that one, if there is one (SYW-SHOOT-46).
    pub(crate) fn charge_on(&self, u: UnitIx, charger: UnitIx) -> Option<Aim> {
        let group = self.group_of(charger);
        if !group.phase.charging || self.s.step != SubPhase::Reply {
            return None;
        }
        group.phase.aims.iter().copied().find(|a| a.unit == charger && a.target == u)
    }

    /// The stands of a target that may be shot at (SYW-SHOOT-51).
    pub(crate) fn target_rects<E: Refusal>(&self, u: UnitIx, mark: Mark) -> Result<SmallVec<[Rect; 10]>, E> {
        let side = self.unit(u).side;
        match mark {
            Mark::General(i) => {
                let Some(general) = self.s.generals.get(usize::from(i)) else {
                    return deny("SYW-GEN-21", || "there is no such general".into());
                };
                if general.side == side || !general.is_present() {
                    return deny("SYW-GEN-21", || format!("{} is no enemy general on the table", general.id));
                }
                // A general is one stand (SYW-MODEL-12).
                let mut rects: SmallVec<[Rect; 10]> = SmallVec::from_slice(&[general.rect()]);
                self.spare_those_beside_a_melee(&mut rects);
                if rects.is_empty() {
                    return deny("SYW-SHOOT-51", || format!("{} stands beside a melee", general.id));
                }
                Ok(rects)
            }
            Mark::Unit(t) => {
                let target = self.unit(t);
                if target.side == side || !target.is_known() {
                    return deny("SYW-SHOOT-58", || "there is no such enemy to be seen".into());
                }
                if target.surrendered {
                    return deny("SYW-ROUT-23", || format!("{} has surrendered", target.id));
                }
                let mut rects: SmallVec<[Rect; 10]> = self.rects(t).into_iter().collect();
                self.spare_those_beside_a_melee(&mut rects);
                if rects.is_empty() {
                    return deny("SYW-SHOOT-51", || {
                        format!("every stand of {} is in melee or next to one that is", target.id)
                    });
                }
                Ok(rects)
            }
        }
    }

    /// Leaves of some stands those that may be shot at: none in melee, and none next to one that is (SYW-SHOOT-51).
    fn spare_those_beside_a_melee(&self, rects: &mut SmallVec<[Rect; 10]>) {
        if self.s.contacts.is_empty() || rects.is_empty() {
            return;
        }
        let near = cm(self.distances().beside_melee);
        let about = (near + 0.05) * (near + 0.05);
        let fighting = self.fighting_near(&join_bounds(rects));
        rects.retain(|r| {
            !fighting
                .iter()
                .any(|f| bounds_of(r).gap_squared(&bounds_of(f)) <= about && within(gap_of(r, f), near))
        });
    }

    /// Footprints in melee in and about a box.
    fn fighting_near(&self, about: &Bounds) -> SmallVec<[Rect; 16]> {
        let near = about.grown(cm(self.distances().beside_melee) + 0.2);
        let mut found = SmallVec::new();
        let mut seen = Units::new();
        for c in &self.s.contacts {
            for u in [c.attacker, c.defender] {
                if seen.contains(&u) || !self.unit(u).frame.bounds.meets(&near) {
                    continue;
                }
                seen.push(u);
                for i in self.engaged(u) {
                    found.push(self.rect(u, usize::from(i)));
                }
            }
        }
        found
    }

    /// With a known enemy close, guns shoot at the nearest or at who charges them (SYW-SHOOT-32); a general is neither.
    pub(crate) fn gun_choice<E: Refusal>(&self, u: UnitIx, mark: Mark) -> Result<(), E> {
        let side = self.unit(u).side;
        let close = cm(self.distances().gun_choice);
        let holds = |&e: &UnitIx| !self.unit(e).surrendered;
        let mut least = close + SLACK;
        for e in self.known_enemies(side).filter(holds) {
            least = self.gap_below(u, e, least).unwrap_or(least);
        }
        // Of several as near as each other (SYW-MODEL-02) each is the nearest.
        let nearest: Units = self
            .known_enemies(side)
            .filter(holds)
            .filter(|&e| self.gap_below(u, e, (least + SLACK).min(close + SLACK)).is_some())
            .collect();
        if nearest.is_empty() {
            return Ok(());
        }
        if let Mark::Unit(target) = mark
            && (nearest.contains(&target) || self.charge_on(u, target).is_some())
        {
            return Ok(());
        }
        let can = |t: UnitIx| {
            self.target_rects::<Unread>(u, Mark::Unit(t))
                .is_ok_and(|rects| self.stand_shot::<Unread>(u, 0, Mark::Unit(t), &rects).is_ok())
        };
        let charger = self.known_enemies(side).find(|&e| self.charge_on(u, e).is_some() && can(e));
        if let Some(charger) = charger {
            return deny("SYW-SHOOT-32", || {
                format!("{} must shoot at {}, which charges it", self.unit(u).id, self.unit(charger).id)
            });
        }
        if let Some(&nearest) = nearest.iter().find(|&&e| can(e)) {
            return deny("SYW-SHOOT-32", || {
                format!(
                    "{} has an enemy within {close} cm and must shoot at the nearest, {}",
                    self.unit(u).id,
                    self.unit(nearest).id
                )
            });
        }
        Ok(())
    }

    /// Whether one stand may shoot, and at what range (SYW-MODEL-20 to -23, SYW-LOS-08).
    pub(crate) fn stand_shot<E: Refusal>(
        &self,
        u: UnitIx,
        i: usize,
        mark: Mark,
        targets: &[Rect],
    ) -> Result<f64, E> {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let id = unit.id;
        if i >= unit.strength() {
            return deny("SYW-SHOOT-04", || format!("{id} has no stand {i}"));
        }
        if unit.phase.shot & (1 << i) != 0 {
            return deny("SYW-SHOOT-04", || format!("stand {i} of {id} has shot in this phase"));
        }
        if self.rear_holds_fire(u, i) {
            return deny("SYW-SHOOT-25", || format!("stand {i} of {id} is in the rear rank"));
        }
        let rect = self.rect(u, i);
        let charge = match mark {
            Mark::Unit(t) => self.charge_on(u, t),
            Mark::General(_) => None,
        };
        let from = cm(self.distances().charge_shot);
        if let Some(aim) = charge {
            if aim.gap < from - SLACK {
                return deny("SYW-SHOOT-47", || format!("the chargers start less than {from} cm from {id}"));
            }
            if aim.from != Direction::Front {
                return deny("SYW-SHOOT-46", || format!("the chargers do not come at the front of {id}"));
            }
        } else if let Mark::Unit(t) = mark
            && self.s.step == SubPhase::Reply
            && self.group_of(t).phase.charging
            && self.group_of(t).phase.aims.iter().any(|a| a.unit == t && a.gap < from - SLACK)
        {
            return deny("SYW-SHOOT-49", || {
                format!("{} starts its charge less than {from} cm from its target", self.unit(t).id)
            });
        }
        let greatest = self.fixed.book.ranges(info.weapon).greatest();
        let front = rect.front_edge();
        let edge = Shape::Rect(Rect::centred(rect.front(), rect.width(), 0.0));
        let moved_rects;
        let ranged: &[Rect] = match mark {
            Mark::Unit(t) if charge.is_none() => match self.as_if_at_5(t) {
                Some(rects) => {
                    moved_rects = rects;
                    &moved_rects
                }
                None => targets,
            },
            _ => targets,
        };
        let mut range = ranged.iter().map(|r| edge.gap(&Shape::Rect(*r))).fold(f64::MAX, f64::min);
        if charge.is_none() && !within(range, greatest) {
            return deny("SYW-SHOOT-01", || format!("the target is {range:.1} cm from stand {i} of {id}"));
        }
        if charge.is_none() && !self.in_arc(&rect, info.weapon, targets) {
            let clause = if info.weapon.is_gun() { "SYW-MODEL-20" } else { "SYW-SHOOT-35" };
            return deny(clause, || format!("the target is outside the arc of stand {i} of {id}"));
        }
        // SYW-SHOOT-44
        if let Some(town) = self.fixed.town_of(&rect)
            && targets.iter().all(|r| self.fixed.town_of(r) == Some(town))
        {
            return deny("SYW-SHOOT-44", || "there is no shooting inside a town".into());
        }
        let sight = self.shot_sight(u, i, &rect, &front, mark, targets);
        match sight {
            Sight::Clear | Sight::Overhead => {}
            Sight::Ground if info.weapon == Weapon::Howitzer => {
                range += cm(self.distances().unseen); // SYW-SHOOT-38
                if !within(range, greatest) {
                    return deny("SYW-SHOOT-38", || {
                        format!("unseen, the target counts as {range:.1} cm away")
                    });
                }
            }
            Sight::Ground => {
                return deny("SYW-SHOOT-37", || {
                    format!("stand {i} of {id} does not see a whole edge of the target")
                });
            }
            Sight::Troops => {
                return deny("SYW-SHOOT-39", || format!("stand {i} of {id} would shoot over other troops"));
            }
        }
        Ok(if charge.is_some() { from } else { range })
    }

    /// Whether a stand holds its fire for being in the rear rank (SYW-SHOOT-25).
    pub(crate) fn rear_holds_fire(&self, u: UnitIx, i: usize) -> bool {
        self.fixed.options.rear_rank_fires == RearRankFires::FrontOnly && in_the_rear(self.unit(u), i)
    }

    /// Chargers counted as 5 from their target (option `support_range`).
    pub(crate) fn as_if_at_5(&self, t: UnitIx) -> Option<SmallVec<[Rect; 10]>> {
        if self.fixed.options.support_range != SupportRange::At5FromTarget || self.s.step != SubPhase::Reply {
            return None;
        }
        let group = self.group_of(t);
        let aim = group.phase.aims.iter().find(|a| a.unit == t).filter(|_| group.phase.charging)?;
        let unit = self.unit(t);
        let pose =
            unit.pose().along(unit.facing + aim.wheel, (aim.gap - cm(self.distances().charge_shot)).max(0.0));
        Some(self.rects_at(unit, pose).into_iter().collect())
    }

    /// How far to each side guns shoot, in degrees (SYW-MODEL-20).
    pub(crate) fn gun_arc(&self) -> f64 {
        let arc = degrees(self.fixed.book.charts.degrees.arc);
        match self.fixed.options.artillery_arc {
            ArtilleryArc::N45EachSide => arc,
            ArtilleryArc::N45Total => arc * 0.5,
        }
    }

    pub(crate) fn in_arc(&self, rect: &Rect, weapon: Weapon, targets: &[Rect]) -> bool {
        let arc = if weapon.is_gun() {
            Arc::wedge(&rect.front(), self.gun_arc())
        } else {
            Arc::strip(&rect.front(), rect.width(), cm(self.distances().strip))
        };
        targets.iter().any(|r| arc.touches(&Shape::Rect(*r)))
    }

    /// Whether the whole front of a stand sees a whole edge of a target stand (SYW-LOS-08).
    pub(crate) fn shot_sight(
        &self,
        u: UnitIx,
        i: usize,
        rect: &Rect,
        front: &Segment,
        mark: Mark,
        targets: &[Rect],
    ) -> Sight {
        let mut best = Sight::Ground;
        let own_edge = self.fixed.at_town_edge(rect);
        for target in targets {
            let ends = Ends {
                viewer_at_edge: own_edge,
                seen_at_edge: match mark {
                    Mark::Unit(t) => self.fired_from_edge(t, target),
                    Mark::General(_) => false,
                },
                viewer_town: self.fixed.town_of(rect),
                seen_town: self.fixed.town_of(target),
            };
            for edge in [target.front_edge(), target.left_edge(), target.right_edge(), target.rear_edge()] {
                // An edge faces the shooter when he is on its outer side.
                if edge.side(front.midpoint()) <= 0.0 {
                    continue;
                }
                let clear = self.fixed.pieces.is_empty()
                    || [front.a, front.b]
                        .iter()
                        .all(|&p| [edge.a, edge.b].iter().all(|&q| self.fixed.clear(p, q, ends)));
                let howitzer = self.info(u).weapon == Weapon::Howitzer;
                if !clear && !howitzer {
                    continue;
                }
                let blocked = self.troops_between(u, i, front, &edge, mark);
                if blocked.is_empty() {
                    if clear {
                        return Sight::Clear;
                    }
                    continue;
                }
                if self.may_shoot_over(u, rect, target, targets, &blocked) {
                    if clear {
                        return Sight::Overhead;
                    }
                } else if clear {
                    best = Sight::Troops;
                } else {
                    // An unseen shot over friends too near the line.
                    return Sight::Troops;
                }
            }
        }
        best
    }

    /// Units other than the target with a stand between two edges.
    pub(crate) fn troops_between(
        &self,
        u: UnitIx,
        i: usize,
        front: &Segment,
        edge: &Segment,
        mark: Mark,
    ) -> Units {
        let mut found = Units::new();
        let points = [front.a, front.b, edge.a, edge.b];
        let Ok(hull) = Shape::hull(&points, 0.0) else { return found };
        let bounds = hull.bounds();
        // A rear rank that may shoot shoots over its own front, and over nobody else (option `rear_rank_fires`).
        let over_the_front = in_the_rear(self.unit(u), i);
        for v in self.unit_ids() {
            if v == u && over_the_front {
                continue;
            }
            if mark == Mark::Unit(v) || !self.unit(v).is_known() || !self.unit(v).frame.bounds.meets(&bounds)
            {
                continue;
            }
            // Hidden units betray nothing: only known ones are looked at.
            let blocks = self.rects(v).iter().enumerate().any(|(j, r)| {
                !(v == u && j == i) && {
                    let shape = Shape::Rect(*r);
                    shape.bounds().meets(&bounds) && hull.overlaps(&shape)
                }
            });
            if blocks {
                found.push(v);
            }
        }
        found
    }

    /// Guns over the heads of troops at a stand (SYW-SHOOT-39 to -41); friends keep away from the whole target.
    pub(crate) fn may_shoot_over(
        &self,
        u: UnitIx,
        gun: &Rect,
        target: &Rect,
        targets: &[Rect],
        blocked: &[UnitIx],
    ) -> bool {
        let weapon = self.info(u).weapon;
        if !weapon.is_gun() {
            return false;
        }
        let howitzer = weapon == Weapon::Howitzer;
        let needs_hill = !howitzer || self.fixed.options.howitzer_overhead == HowitzerOverhead::Hill;
        if needs_hill && !self.fixed.on_hill(gun.centre()) && !self.fixed.on_hill(target.centre()) {
            return false;
        }
        let chart = self.distances();
        let keep = cm(if howitzer { chart.overhead_howitzer } else { chart.overhead });
        let side = self.unit(u).side;
        let friends: Units = match self.fixed.options.overhead_friends {
            OverheadFriends::OnLine => {
                blocked.iter().copied().filter(|&v| self.unit(v).side == side && v != u).collect()
            }
            OverheadFriends::Any => self.present(side).filter(|&v| v != u).collect(),
        };
        !friends.iter().any(|&f| {
            self.rects(f).iter().any(|r| {
                let near = |other: &Rect| within(gap_of(r, other), keep);
                near(gun) || targets.iter().any(near)
            })
        })
    }
}

/// Whether a stand is behind the front rank.
fn in_the_rear(unit: &Unit, i: usize) -> bool {
    let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
    unit.formation != Formation::Turned && unit.stands.get(i).is_some_and(|s| s.rank > first)
}
