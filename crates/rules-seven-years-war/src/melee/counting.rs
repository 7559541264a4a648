//! Who fights whom, with how many stands and what overlaps (SYW-MELEE-02, -10, -14, -25, -33, SYW-CHARGE-16, SYW-FLANK-14).

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, Rect, Shape, angle};

use crate::melee::overlaps::Want;
use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::footprints::{Rects, touching};
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Contact, Direction, Formation, MOST_STANDS, within};
use crate::movement::obstacles::CONTACT;
use crate::rulebook::Arm;

impl SevenYearsBattle {
    /// Counts stands and overlaps of every pair as the sub-phase begins (SYW-MELEE-25).
    pub(crate) fn muster_melees(&mut self) {
        self.s.overlaps.clear();
        self.s.margins.clear();
        for u in self.unit_ids() {
            self.unit_mut(u).held = false;
        }
        for c in &mut self.s.contacts {
            c.fought = false;
            c.torn = false;
            c.orders = None;
        }
        self.muster();
    }

    /// Counts stands and overlaps of pairs that have not been counted yet, by name (SYW-SEQ-07).
    pub(crate) fn muster(&mut self) {
        let mut pairs: SmallVec<[usize; 8]> = (0..self.s.contacts.len())
            .filter(|&k| self.s.contacts[k].orders.is_none() && !self.s.contacts[k].fought)
            .collect();
        let names = |k: usize| {
            let c = &self.s.contacts[k];
            let phasing = self.unit(c.attacker).side == self.s.phasing;
            if phasing { (c.attacker, c.defender) } else { (c.defender, c.attacker) }
        };
        pairs.put_in_order(|&a, &b| {
            let (a, b) = (names(a), names(b));
            self.by_name(a.0, b.0).then_with(|| self.by_name(a.1, b.1))
        });
        let mut wants: SmallVec<[Want; 16]> = SmallVec::new();
        for k in pairs {
            self.count_pair(k, &mut wants);
        }
        self.share_out(&wants);
    }

    /// Counts the stands of one pair, and who of them wants an overlap.
    fn count_pair(&mut self, k: usize, wants: &mut SmallVec<[Want; 16]>) {
        let c = self.s.contacts[k];
        let (a, d) = (c.attacker, c.defender);
        let on_a_side = self.fought_on(&c) != Direction::Front;
        let mut count = [self.stands_against(a, d).len(), self.stands_against(d, a).len()];
        let mut overlap = [false, false];
        let mut helpers = [self.helpers(a, d), self.helpers(d, a)];
        if c.partial > 0 {
            // SYW-CHARGE-16: those who have swung in and are left; who has not does not face the same way.
            helpers[0].retain(|helper| helper.0 != a);
            if count[0] == 0 {
                count[0] = usize::from(c.partial); // There was no room to swing them in.
            }
            if !on_a_side {
                count[1] = count[0].min(self.attacked_stands(&c).len());
            }
            overlap[1] = !on_a_side && !self.gives_no_overlap(d) && self.front_goes_on(&c);
        }
        if on_a_side {
            // SYW-FLANK-14: one counts; others in contact are an overlap, and so may those beside be that are not.
            if !self.gives_no_overlap(a) {
                overlap[0] = count[0] > 1;
                if c.partial == 0 {
                    let (beside, busy) = (self.neighbours(a, d), self.engaged(a));
                    overlap[0] |= beside.iter().any(|i| busy.contains(i));
                    helpers[0].insert_many(0, beside.iter().map(|&i| (a, i)));
                }
            }
            count[0] = 1;
        }
        for ((me, foe, i), helpers) in [(a, d, 0), (d, a, 1)].into_iter().zip(helpers) {
            // SYW-MELEE-33
            if self.unit(foe).formation == Formation::Square {
                let face = self.face_met(me, foe);
                let most = stands::on_face(self.unit(foe), face).max(1);
                count[i] = count[i].min(most);
            }
            if self.info(foe).arm == Arm::Artillery {
                count[i] = count[i].min(1);
            }
            count[i] = count[i].max(1);
            // SYW-MELEE-10
            if self.unit(foe).formation == Formation::Square || self.in_buildings(foe) {
                overlap[i] = false;
            } else if !overlap[i] {
                wants.push(Want { pair: k, side: i, foe, helpers });
            }
        }
        let orders = [self.order_of(a), self.order_of(d)];
        let c = &mut self.s.contacts[k];
        c.count = [count[0] as u8, count[1] as u8];
        c.overlap = overlap;
        c.orders = Some(orders);
    }

    /// The stands of a defender along the edge he is attacked on: of his front, or of the face of his square.
    fn attacked_stands(&self, c: &Contact) -> Rects {
        let unit = self.unit(c.defender);
        if unit.formation == Formation::Square {
            let face = self.face_met(c.attacker, c.defender);
            return self.stands_on_face(c.defender, face).map(|(_, stand)| stand).collect();
        }
        let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
        let front = (0..unit.strength()).filter(|&i| unit.stands[i].rank == first);
        front.map(|i| self.rect(c.defender, i)).collect()
    }

    /// Whether a defender's own front goes on beyond the last stand that swung in to it, counted from the corner that
    /// touched, so that he has an overlap on it (SYW-CHARGE-16). Free stands of his there are one like any
    /// (SYW-MELEE-11) and are not asked about.
    fn front_goes_on(&self, c: &Contact) -> bool {
        let (attacker, front) = (self.unit(c.attacker), self.attacked_stands(c));
        let swung = self.stands_against(c.attacker, c.defender);
        let swung: Rects = swung.iter().map(|&i| self.rect(c.attacker, usize::from(i))).collect();
        if swung.is_empty() {
            return front.len() > usize::from(c.partial);
        }
        // Who turns clockwise touches with his right, and the last of them stands on his left.
        let way = angle::right(attacker.facing + c.swing) * if c.swing < 0.0 { 1.0 } else { -1.0 };
        let end = |stand: &Rect| stand.corners().map(|p| p.dot(way)).into_iter().fold(f64::MIN, f64::max);
        let last = front.iter().max_by(|a, b| end(a).total_cmp(&end(b)));
        let reached = swung.iter().map(end).fold(f64::MIN, f64::max);
        last.is_some_and(|last| {
            !within(end(last), reached)
                && (self.unit(c.defender).formation == Formation::Square
                    || swung.iter().any(|stand| touching(stand, last)))
        })
    }

    /// The face of a square an enemy meets, the one that his stands in contact lie beyond: 0 front, 1 rear, 2 left, 3 right.
    pub(crate) fn face_met(&self, enemy: UnitIx, square: UnitIx) -> usize {
        let unit = self.unit(square);
        let side = stands::side_of_square(unit, self.info_of(unit).depth);
        let (frame, half) = (unit.frame.frame, side * 0.5);
        let beyond = |r: &Rect| {
            let corners = r.corners().map(|p| frame.to_local(p));
            let whole = |off: &dyn Fn(Point) -> f64| corners.iter().map(|&p| off(p)).fold(f64::MAX, f64::min);
            [whole(&|p| p.y), whole(&|p| -side - p.y), whole(&|p| -half - p.x), whole(&|p| p.x - half)]
        };
        let touching = self.touching_stands(enemy, square);
        let rects = self.contact_rects(enemy);
        let near: Rects = if touching.is_empty() {
            rects
        } else {
            (0..).zip(rects).filter(|(i, _)| touching.iter().any(|t| t.0 == *i)).map(|(_, r)| r).collect()
        };
        let off = near.iter().flat_map(|r| (0..4).zip(beyond(r)));
        off.fold((0, f64::MIN), |best, (face, off)| if off > best.1 + 1e-6 { (face, off) } else { best }).0
    }

    /// The stands on a square's face (SYW-MODEL-10).
    fn stands_on_face(&self, square: UnitIx, face: usize) -> impl Iterator<Item = (u8, Rect)> + '_ {
        let stands = (0..).zip(&self.unit(square).stands);
        let on_it = stands.filter(move |(_, stand)| stands::face_of(stand) == face);
        on_it.map(move |(i, _)| (i, self.rect(square, usize::from(i))))
    }

    /// Stands of a unit that fight a certain enemy: those that share most edge with it (SYW-MELEE-02).
    pub(crate) fn stands_against(&self, me: UnitIx, foe: UnitIx) -> ArrayVec<u8, MOST_STANDS> {
        let others = self.opponents(me);
        if self.unit(me).formation == Formation::Square {
            // Those of the face he meets.
            let face = self.face_met(foe, me);
            let rivals: SmallVec<[UnitIx; 12]> =
                others.into_iter().filter(|&e| e == foe || self.face_met(e, me) == face).collect();
            let on_it = self.stands_on_face(me, face);
            return on_it
                .filter(|(_, stand)| self.fights_most(stand, foe, &rivals))
                .map(|(i, _)| i)
                .collect();
        }
        let mut found = ArrayVec::new();
        for (i, _) in self.touching_stands(me, foe) {
            if !found.contains(&i)
                && self.faces_if_turned(me, usize::from(i), foe)
                && self.fights_most(&self.rect(me, usize::from(i)), foe, &others)
            {
                found.push(i);
            }
        }
        found
    }

    /// Whether a stand may fight an enemy that touches it: one that has turned to face a charge, while others of its unit
    /// fight on, fights those before its own front only (SYW-MODEL-14).
    fn faces_if_turned(&self, me: UnitIx, i: usize, foe: UnitIx) -> bool {
        let unit = self.unit(me);
        if unit.formation != Formation::Turned || unit.stands[i].turn == 0.0 {
            return true;
        }
        let rect = self.rect(me, i);
        let (frame, front) = (rect.frame(), rect.depth() * 0.5);
        let ahead = |r: &Rect| r.corners().into_iter().all(|p| within(front, frame.to_local(p).y + CONTACT));
        self.contact_rects(foe).iter().any(|r| touching(&rect, r) && ahead(r))
    }

    /// Whether no other enemy shares more edge with a stand. Of two it shares as much with, the first by name (SYW-SEQ-07): a
    /// stand fights one of them.
    fn fights_most(&self, stand: &Rect, foe: UnitIx, others: &[UnitIx]) -> bool {
        let shared = |e: UnitIx| {
            let theirs = self.contact_rects(e);
            let each = theirs.iter().map(|r| Shape::Rect(*stand).shared_edge(&Shape::Rect(*r), 0.05));
            each.fold(0.0, f64::max)
        };
        let here = shared(foe);
        let nearer = |e: UnitIx| {
            let there = shared(e);
            there > here + 1e-6 || (there > here - 1e-6 && self.by_name(e, foe).is_lt())
        };
        !others.iter().any(|&e| e != foe && nearer(e))
    }

    /// By group name, then by unit name (SYW-SEQ-07).
    fn by_name(&self, a: UnitIx, b: UnitIx) -> std::cmp::Ordering {
        let groups = name_order(&self.group_of(a).id, &self.group_of(b).id);
        groups.then_with(|| name_order(&self.unit(a).id, &self.unit(b).id))
    }
}
