//! Lines and works: who lines them, who fights across them (SYW-MODEL-24, SYW-TERR-17 to -19, SYW-MELEE-22, -34).

use smallvec::SmallVec;
use tricorne_table::Point;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{OPEN, Order, within};
use crate::options::GarrisonOrder;
use crate::rulebook::{Class, Cover, makes_up};
use crate::terrain::ground::PieceKind;

impl SevenYearsBattle {
    /// The cover a unit has against an enemy: that of at least half of its stands (SYW-MODEL-24).
    pub(crate) fn unit_cover(&self, u: UnitIx, enemy: UnitIx) -> Cover {
        if self.fixed.pieces.iter().all(|p| p.cover == Cover::None) {
            return Cover::None;
        }
        // Stormers have no cover of the line they came up to, against whom they fight there.
        let stormed = self.s.contacts.iter().any(|c| c.attacker == u && c.defender == enemy);
        let at = self.centre_of(&[enemy]);
        let counts = |k: usize| !stormed && !self.lined_before(enemy, u, k);
        let cover = |i: usize| self.fixed.cover_of(&self.rect(u, i), at, counts);
        let mut stands: SmallVec<[(usize, Cover); 10]> =
            (0..self.unit(u).strength()).map(|i| (i, cover(i))).collect();
        if stands.iter().any(|s| s.1 != stands[0].1) {
            // Of those that are not covered alike the ones that can be seen count.
            let seen = |i: usize| (0..self.unit(enemy).strength()).any(|j| self.stand_sees(enemy, j, u, i));
            let shown: SmallVec<[(usize, Cover); 10]> =
                stands.iter().copied().filter(|s| seen(s.0)).collect();
            if !shown.is_empty() {
                stands = shown;
            }
        }
        let of = |cover: Cover| stands.iter().filter(|s| s.1 == cover).count();
        let (soft, hard, n) = (of(Cover::Soft), of(Cover::Hard), stands.len());
        let share = self.fixed.book.charts.shares.covered;
        if makes_up(share, hard, n) {
            Cover::Hard
        } else if makes_up(share, soft + hard, n) {
            Cover::Soft
        } else {
            Cover::None
        }
    }

    /// The phase a unit last moved in: whoever has stood longer was there first.
    fn stood_since(&self, u: UnitIx) -> u32 {
        let unit = self.unit(u);
        if unit.phase.moved { self.phase_number() } else { unit.stood_since }
    }

    /// Phases counted from the beginning.
    pub(crate) fn phase_number(&self) -> u32 {
        self.s.turn * 2 + u32::from(self.s.phasing != self.s.attacker)
    }

    /// Whether an enemy lined the other side of a linear feature before a unit came up to it (SYW-MODEL-24).
    fn lined_before(&self, enemy: UnitIx, u: UnitIx, piece: usize) -> bool {
        let Some(piece) = self.fixed.pieces.get(piece) else { return false };
        let Some(line) = piece.line() else { return false };
        let here = self.centre_of(&[u]);
        self.stood_since(enemy) < self.stood_since(u)
            && self.rects(enemy).iter().any(|r| piece.lined_by(line, r, here, self.fixed.lines_within()))
    }

    /// The obstacle or work that a unit lines against an enemy who touches it, or comes at it from afar.
    pub(crate) fn lined_against(&self, u: UnitIx, enemy: UnitIx) -> Option<usize> {
        if self.fixed.pieces.is_empty() {
            return None;
        }
        // Stand by stand where they touch: one who got round the end of a line has not come across it.
        let touching = self.touching_stands(u, enemy);
        let theirs = self.contact_rects(enemy);
        let mine = self.contact_rects(u);
        let near = self.fixed.lines_within();
        let lines = |k: usize, i: usize, at: Point| {
            let piece = &self.fixed.pieces[k];
            let lined = |line: &tricorne_table::Line| piece.lined_by(line, &mine[i], at, near);
            match piece.kind {
                PieceKind::Town => self.garrison_of(u) == Some(k) && piece.edge.as_ref().is_some_and(lined),
                _ => piece.obstacle().is_some_and(lined),
            }
        };
        let lined = |k: usize| {
            if touching.is_empty() {
                let at = self.centre_of(&[enemy]);
                (0..mine.len()).any(|i| lines(k, i, at))
            } else {
                touching.iter().any(|&(i, j)| lines(k, usize::from(i), theirs[usize::from(j)].centre()))
            }
        };
        // A work before a mere obstacle.
        let found = |work: bool| (0..self.fixed.pieces.len()).find(|&k| self.is_work(k) == work && lined(k));
        found(true).or_else(|| found(false))
    }

    /// Works: what the source calls defences (SYW-TERR-12), and the edge of a town.
    pub(crate) fn is_work(&self, piece: usize) -> bool {
        self.fixed.pieces.get(piece).is_some_and(|p| p.defences || p.kind == PieceKind::Town)
    }

    /// Whether a unit is behind defences against an enemy (SYW-MELEE-22).
    pub(crate) fn behind_defences(&self, defender: UnitIx, attacker: UnitIx) -> bool {
        self.lined_against(defender, attacker).is_some_and(|k| self.is_work(k))
    }

    /// The town whose edge a massed unit lines from inside (SYW-TERR-19): on Stand, not moved, at least half of its
    /// front stands at the edge and facing out across it.
    pub(crate) fn garrison_of(&self, u: UnitIx) -> Option<usize> {
        if self.fixed.options.garrison_order != GarrisonOrder::LinedEdge
            || self.info(u).class != Class::Massed
            || self.order_of(u) != Order::Stand
            || self.unit(u).phase.moved
        {
            return None;
        }
        let unit = self.unit(u);
        let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
        let near = self.fixed.lines_within();
        self.fixed.pieces.iter().position(|piece| {
            if piece.kind != PieceKind::Town || !piece.bounds.grown(near + 0.1).meets(&unit.frame.bounds) {
                return false;
            }
            let (Some(area), Some(edge)) = (piece.area(), &piece.edge) else { return false };
            let (mut front, mut lining) = (0, 0);
            for (i, _) in unit.stands.iter().enumerate().filter(|(_, s)| s.rank == first) {
                let rect = self.rect(u, i);
                let ahead = rect.front().ahead(near + 0.02).at;
                front += 1;
                let at_edge = within(edge.gap(&tricorne_table::Shape::Rect(rect)), near);
                if area.contains(rect.centre()) && at_edge && edge.meets_segment(rect.centre(), ahead) {
                    lining += 1;
                }
            }
            makes_up(self.fixed.book.charts.shares.garrison, lining, front)
        })
    }

    /// The type of ground a unit fights or stands in, the town whose edge it holds left out against enemies outside
    /// (SYW-TERR-19).
    pub(crate) fn ground_of(&self, u: UnitIx, enemy: Option<UnitIx>) -> u8 {
        let unit = self.unit(u);
        let ground = unit.frame.ground;
        if ground == OPEN {
            return OPEN;
        }
        let Some(town) = self.garrison_of(u) else { return ground };
        let inside = enemy.is_some_and(|e| {
            let area = self.fixed.pieces[town].area();
            self.rects(e).iter().any(|r| area.is_some_and(|a| a.contains_strictly(r.centre())))
        });
        if inside { ground } else { self.fixed.ground_but(&self.rects(u), &unit.frame.bounds, Some(town)) }
    }

    /// Whether a unit fights across something that its enemy lines (SYW-MELEE-34).
    pub(crate) fn fights_across(&self, u: UnitIx) -> bool {
        self.s.contacts.iter().any(|c| c.attacker == u && c.across.is_some())
    }

    /// Whether a massed unit fights in terrain (SYW-MELEE-18): it stands in some, or counts as in what it fights across.
    /// A work that costs it the -1 of defences already may be left out (SYW-MELEE-34).
    pub(crate) fn in_terrain_against(&self, u: UnitIx, enemy: UnitIx, but: Option<usize>) -> bool {
        if self.info(u).class != Class::Massed {
            return false;
        }
        let ground = match but {
            Some(_) => self.fixed.ground_but(&self.rects(u), &self.unit(u).frame.bounds, but),
            None => self.ground_of(u, Some(enemy)),
        };
        let across = |c: &crate::model::state::Contact| {
            c.attacker == u && c.across.is_some_and(|k| Some(usize::from(k)) != but)
        };
        (ground != OPEN && ground >= 1) || self.s.contacts.iter().any(across)
    }
}
