//! Overlaps: who could support whom, and who does (SYW-MELEE-10 to -13, SYW-FLANK-14).

use smallvec::SmallVec;
use tricorne_table::angle;

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::gap_of;
use crate::model::ids::UnitIx;
use crate::model::stands::WIDTH;
use crate::model::state::{Formation, Order, Units, within};
use crate::options::OverlapFrom;
use crate::rulebook::{cm, degrees};

/// A stand: the unit, and which of its stands.
type Helper = (UnitIx, u8);
type Helpers = SmallVec<[Helper; 8]>;

/// A side of a pair that an overlap would help, and the stands that could be one.
pub(crate) struct Want {
    pub(crate) pair: usize,
    pub(crate) side: usize,
    pub(crate) foe: UnitIx,
    pub(crate) helpers: Helpers,
}

impl SevenYearsBattle {
    pub(crate) fn gives_no_overlap(&self, u: UnitIx) -> bool {
        // SYW-MELEE-13
        matches!(self.order_of(u), Order::Retreat | Order::Rout)
    }

    /// Stands of a unit beside those that fight an enemy, in the same rank (SYW-FLANK-14).
    pub(crate) fn neighbours(&self, me: UnitIx, foe: UnitIx) -> SmallVec<[u8; 4]> {
        let engaged = self.stands_against(me, foe);
        let (rects, stands) = (self.rects(me), &self.unit(me).stands);
        let beside = |j: u8| {
            engaged.iter().any(|&e| {
                let (j, e) = (usize::from(j), usize::from(e));
                j != e && stands[j].rank == stands[e].rank && within(gap_of(&rects[j], &rects[e]), 0.05)
            })
        };
        (0..rects.len() as u8).filter(|&j| beside(j)).collect()
    }

    /// Stands that could be an overlap of a unit against an enemy (SYW-MELEE-11).
    pub(crate) fn helpers(&self, me: UnitIx, foe: UnitIx) -> Helpers {
        let mut helpers = Helpers::new();
        let engaged = self.stands_against(me, foe);
        if self.unit(me).formation == Formation::Square || engaged.is_empty() {
            return helpers;
        }
        let side = self.unit(me).side;
        let any = self.fixed.options.overlap_from == OverlapFrom::AnyFriend;
        let charts = &self.fixed.book.charts;
        let (apart, same_way) = (cm(charts.distances.overlap), degrees(charts.degrees.group));
        let echelon = cm(charts.distances.echelon);
        let near = self.unit(me).frame.bounds.grown(apart + 0.1);
        let mut able: Units = self
            .unit_ids()
            .filter(|&v| {
                let unit = self.unit(v);
                unit.side == side
                    && unit.is_known()
                    && !unit.surrendered
                    && (v == me || (any && unit.frame.bounds.meets(&near)))
                    && !self.gives_no_overlap(v)
                    && unit.formation != Formation::Square
            })
            .collect();
        self.units_in_order(&mut able);
        for v in able {
            let unit = self.unit(v);
            let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
            let busy = self.engaged(v);
            for i in 0..unit.strength() {
                if unit.stands[i].rank != first || busy.contains(&(i as u8)) {
                    continue;
                }
                let rect = self.rect(v, i);
                let beside = engaged.iter().any(|&e| {
                    let other = self.rect(me, usize::from(e));
                    let limit = if v == me { 0.05 } else { apart };
                    let local = other.frame().to_local(rect.centre());
                    angle::turn(rect.facing(), other.facing()).abs() <= same_way
                        && within(gap_of(&rect, &other), limit)
                        && local.x.abs() > WIDTH * 0.5
                        && local.y.abs() <= echelon
                });
                if beside {
                    helpers.push((v, i as u8));
                }
            }
        }
        helpers
    }

    /// Shares the stands out among those who want one, first come first served; but who could have another makes room for
    /// one who could not. A stand's overlap counts against one enemy unit only (SYW-MELEE-12).
    pub(crate) fn share_out(&mut self, wants: &[Want]) {
        let mut given: SmallVec<[Option<Helper>; 16]> = SmallVec::from_elem(None, wants.len());
        for w in 0..wants.len() {
            self.give(wants, w, &mut given, &mut Helpers::new());
        }
        for (want, helper) in wants.iter().zip(given) {
            let Some((v, i)) = helper else { continue };
            self.s.contacts[want.pair].overlap[want.side] = true;
            if !self.s.overlaps.contains(&(v, i, want.foe)) {
                self.s.overlaps.push((v, i, want.foe));
            }
        }
    }

    /// Finds a stand for one of those who want one, others taking another where they can.
    fn give(&self, wants: &[Want], w: usize, given: &mut [Option<Helper>], asked: &mut Helpers) -> bool {
        let foe = wants[w].foe;
        for &helper in &wants[w].helpers {
            let spent = self.s.overlaps.iter().any(|o| (o.0, o.1) == helper && o.2 != foe);
            if spent || asked.contains(&helper) {
                continue;
            }
            asked.push(helper);
            let before: SmallVec<[Option<Helper>; 16]> = SmallVec::from_slice(given);
            let held = |h: &usize| before[*h] == Some(helper) && wants[*h].foe != foe;
            if (0..wants.len()).filter(held).all(|h| self.give(wants, h, given, asked)) {
                given[w] = Some(helper);
                return true;
            }
            given.copy_from_slice(&before);
        }
        false
    }
}
