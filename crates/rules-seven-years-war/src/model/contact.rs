//! Who touches whom, and from where (SYW-MODEL-16, SYW-FLANK-01).

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, touching};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Contact, Direction, Formation, MOST_STANDS, Order, SubPhase, Unit, Units};
use crate::model::unit::Extent;
use arrayvec::ArrayVec;
use tricorne_table::{Point, Pose, Rect, Shape};

impl SevenYearsBattle {
    /// Pairs of stands of two units that touch.
    pub(crate) fn touching_stands(&self, a: UnitIx, b: UnitIx) -> ArrayVec<(u8, u8), 40> {
        let mut pairs = ArrayVec::new();
        if !self.unit(a).frame.bounds.grown(0.1).meets(&self.unit(b).frame.bounds) {
            return pairs;
        }
        let others = self.contact_rects(b);
        for (i, mine) in self.contact_rects(a).iter().enumerate() {
            for (j, other) in others.iter().enumerate() {
                if touching(mine, other) && !pairs.is_full() {
                    pairs.push((i as u8, j as u8));
                }
            }
        }
        pairs
    }

    /// Footprints for contact: a square meets enemies with its whole outline (SYW-MODEL-10).
    pub(crate) fn contact_rects(&self, u: UnitIx) -> Rects {
        let unit = self.unit(u);
        if unit.formation == Formation::Square {
            self.contact_rects_at(unit, unit.pose())
        } else {
            self.rects(u)
        }
    }

    /// The same of a unit somewhere else.
    pub(crate) fn contact_rects_at(&self, unit: &Unit, pose: Pose) -> Rects {
        if unit.formation == Formation::Square {
            let side = stands::side_of_square(unit, self.info_of(unit).depth);
            return std::iter::once(Rect::fronted(pose, side, side)).collect();
        }
        self.rects_at(unit, pose)
    }

    /// Stands of a unit that touch an enemy stand; of a square those of the faces it is met on.
    pub(crate) fn engaged(&self, u: UnitIx) -> ArrayVec<u8, MOST_STANDS> {
        self.engaged_with(u, |_| true)
    }

    /// Stands that enemies hold who are not of the group whose charge the unit has to answer: those who have only just met it
    /// keep nobody from turning to them (SYW-FLANK-03, SYW-CHARGE-18, SYW-BREAK-10).
    pub(crate) fn held_stands(&self, u: UnitIx, by: GroupIx) -> ArrayVec<u8, MOST_STANDS> {
        self.engaged_with(u, |enemy| self.unit(enemy).group != by)
    }

    fn engaged_with(&self, u: UnitIx, counts: impl Fn(UnitIx) -> bool) -> ArrayVec<u8, MOST_STANDS> {
        let mut engaged: ArrayVec<u8, MOST_STANDS> = ArrayVec::new();
        let unit = self.unit(u);
        for c in &self.s.contacts {
            let enemy = if c.attacker == u {
                c.defender
            } else if c.defender == u {
                c.attacker
            } else {
                continue;
            };
            if !counts(enemy) {
                continue;
            }
            let touching: ArrayVec<u8, 40> = if unit.formation == Formation::Square {
                let face = self.face_met(enemy, u);
                (0..).zip(&unit.stands).filter(|(_, s)| stands::face_of(s) == face).map(|(i, _)| i).collect()
            } else {
                self.touching_stands(u, enemy).iter().map(|t| t.0).collect()
            };
            for i in touching {
                if !engaged.contains(&i) && !engaged.is_full() {
                    engaged.push(i);
                }
            }
            if c.partial > 0 && engaged.is_empty() && unit.strength() > 0 {
                engaged.push(0);
            }
        }
        engaged
    }

    /// Whether a unit is in melee: in contact with an enemy, neither of them surrendered.
    pub(crate) fn in_melee(&self, u: UnitIx) -> bool {
        self.s.contacts.iter().any(|c| c.attacker == u || c.defender == u)
    }

    /// The same with somebody else than the group whose charge it has to answer.
    pub(crate) fn in_melee_with_others(&self, u: UnitIx, by: GroupIx) -> bool {
        self.opponents(u).iter().any(|&enemy| self.unit(enemy).group != by)
    }

    /// Whether any unit of a group is in melee (SYW-MOVE-20).
    pub(crate) fn group_in_melee(&self, g: GroupIx) -> bool {
        !self.s.contacts.is_empty() && self.group(g).units.iter().any(|&u| self.in_melee(u))
    }

    /// Enemies in contact with a unit.
    pub(crate) fn opponents(&self, u: UnitIx) -> Units {
        let mut found = Units::new();
        for c in &self.s.contacts {
            if c.attacker == u {
                found.push(c.defender);
            } else if c.defender == u {
                found.push(c.attacker);
            }
        }
        found
    }

    /// The record of a pair that touches.
    pub(crate) fn contact(&self, a: UnitIx, b: UnitIx) -> Option<&Contact> {
        self.s
            .contacts
            .iter()
            .find(|c| (c.attacker == a && c.defender == b) || (c.attacker == b && c.defender == a))
    }

    /// Drops pairs that no longer touch and finds those that do.
    pub(crate) fn sync_contacts(&mut self) {
        let mut kept = std::mem::take(&mut self.s.contacts);
        kept.retain(|c| self.still_touch(c) || self.still_to_fight(c));
        self.s.contacts = kept;
        let able = |u: &UnitIx| self.unit(*u).is_known() && !self.unit(*u).surrendered;
        let theirs: Units = self.unit_ids().filter(|u| self.unit(*u).side.0 != 0 && able(u)).collect();
        let ours: Units = self.unit_ids().filter(|u| self.unit(*u).side.0 == 0 && able(u)).collect();
        for &a in &ours {
            for &b in &theirs {
                let (ua, ub) = (self.unit(a), self.unit(b));
                if ua.frame.bounds.gap_squared(&ub.frame.bounds) > 0.01
                    || self.contact(a, b).is_some()
                    || self.touching_stands(a, b).is_empty()
                {
                    continue;
                }
                let (attacker, defender) = if ua.side == self.s.phasing { (a, b) } else { (b, a) };
                let came = self.unit(attacker);
                let (attacker, defender, from) = if came.phase.charging && came.phase.set_out.is_some() {
                    (attacker, defender, self.direction_of_move(attacker, defender))
                } else {
                    let from = self.met_from(attacker, defender);
                    // Where only the other one strikes a flank, he is the attacker.
                    let back = self.met_from(defender, attacker);
                    if from == Direction::Front && back != Direction::Front {
                        (defender, attacker, back)
                    } else {
                        (attacker, defender, from)
                    }
                };
                let unit = self.unit(attacker);
                // SYW-CHARGE-16: stands that have swung in make the contact a partial one.
                let swung =
                    unit.stands.iter().find(|s| crate::charges::oblique::swung(unit) && s.turn != 0.0);
                let swing = swung.map_or(0.0, |s| s.turn);
                let partial = unit.stands.iter().filter(|s| swung.is_some() && s.turn != 0.0 && s.rank == 0);
                let met = Contact {
                    charge: unit.phase.charging,
                    partial: partial.count() as u8,
                    swing,
                    ..self.meeting(attacker, defender, from)
                };
                self.s.contacts.push(met);
            }
        }
    }

    pub(crate) fn still_touch(&self, c: &Contact) -> bool {
        let (a, d) = (self.unit(c.attacker), self.unit(c.defender));
        if !a.is_known() || !d.is_known() || a.surrendered || d.surrendered {
            return false;
        }
        if c.partial > 0 {
            return self.near(c.attacker, c.defender, 0.1);
        }
        !self.touching_stands(c.attacker, c.defender).is_empty()
    }

    /// A pair of which another melee has killed the very stands that touched, and which has yet to fight in this
    /// sub-phase: it is fought as it stood when that began (SYW-MELEE-25).
    fn still_to_fight(&self, c: &Contact) -> bool {
        let stands = |u: UnitIx| self.unit(u).is_known() && !self.unit(u).surrendered;
        c.torn && !c.fought && stands(c.attacker) && stands(c.defender)
    }

    /// Stands of a unit are about to fall: pairs that it has yet to fight in this sub-phase outlast them.
    pub(crate) fn keep_pairs_to_fight(&mut self, u: UnitIx) {
        if self.s.step == SubPhase::Combat {
            for c in self.s.contacts.iter_mut().filter(|c| c.attacker == u || c.defender == u) {
                c.torn |= !c.fought && c.orders.is_some();
            }
        }
    }

    /// Squares and routers have neither flank nor rear (SYW-FLANK-02).
    pub(crate) fn has_flanks(&self, u: UnitIx) -> bool {
        self.unit(u).formation != Formation::Square && self.order_of(u) != Order::Rout
    }

    /// The side of the defender that a pair is fought on: the one the charge came from, for as long as he has sides. Who
    /// forms square or runs after the charge was declared has none any more.
    pub(crate) fn fought_on(&self, c: &Contact) -> Direction {
        if self.has_flanks(c.defender) { c.from } else { Direction::Front }
    }

    /// On which side of a unit an enemy that touches it stands, by the lie of the stands.
    pub(crate) fn met_from(&self, attacker: UnitIx, defender: UnitIx) -> Direction {
        let unit = self.unit(defender);
        if !self.has_flanks(defender) {
            return Direction::Front;
        }
        let info = self.info_of(unit);
        let extent = unit.extent(info.depth);
        let mut best = (f64::MAX, Direction::Front);
        for rect in &self.contact_rects(attacker) {
            let near = Shape::Rect(*rect).nearest(&self.outline(defender)).own;
            let local = unit.frame.frame.to_local(near);
            let corners = rect.corners().map(|p| unit.frame.frame.to_local(p));
            // How far off a side is; at a corner of the unit it is the side that the whole stand lies beyond.
            let off = |beyond: fn(&Extent, Point) -> f64| {
                let least = corners.iter().map(|&p| beyond(&extent, p)).fold(f64::MAX, f64::min);
                beyond(&extent, local).abs() - 0.001 * least
            };
            let sides = [
                (off(|e, p| p.y - e.front), Direction::Front),
                (off(|e, p| e.left - p.x), Direction::Left),
                (off(|e, p| p.x - e.right), Direction::Right),
                (off(|e, p| e.rear - p.y), Direction::Rear),
            ];
            let gap = Shape::Rect(*rect).gap(&self.outline(defender));
            for (off, side) in sides {
                let score = off + gap * 4.0;
                if score < best.0 - 1e-6 {
                    best = (score, side);
                }
            }
        }
        unit.named_side(best.1)
    }

    /// A unit's outline (SYW-MODEL-15).
    pub(crate) fn outline(&self, u: UnitIx) -> Shape {
        let unit = self.unit(u);
        let e = unit.extent(self.info_of(unit).depth);
        let centre = Point::new((e.left + e.right) * 0.5, (e.front + e.rear) * 0.5);
        Shape::Rect(Rect::in_frame(&unit.frame.frame, unit.facing, centre, e.width(), e.depth()))
    }

    /// The record of an attacker who has just met an enemy.
    pub(crate) fn meeting(&self, attacker: UnitIx, defender: UnitIx, from: Direction) -> Contact {
        Contact {
            attacker,
            defender,
            from,
            across: self.lined_against(defender, attacker).map(|k| k as u8),
            partial: 0,
            swing: 0.0,
            fought: false,
            torn: false,
            charge: true,
            count: [0, 0],
            overlap: [false, false],
            orders: None,
        }
    }
}
