//! Who suffers half in melee, and on what grounds (VF-MELEE-10 to -12).

use smallvec::SmallVec;
use tricorne_table::Point;

use crate::field::Field;
use crate::model::formation::{Body, Zone};
use crate::model::ground::{GroundKind, Piece};
use crate::model::{Kind, Nr};
use crate::options::MeleeHalving;
use crate::state::Melee;

/// The grounds on which a unit has the better of it.
pub(super) type Grounds = SmallVec<[&'static str; 4]>;

impl Field {
    /// The grounds on which a unit has the better of it (VF-MELEE-10 to -12).
    pub(crate) fn advantages(&self, m: &Melee, u: Nr) -> Grounds {
        let attacker = u == m.attacker;
        let (foe, charges, foe_ordered) = if attacker {
            (m.defender, m.attacker_charges, m.defender_ordered)
        } else {
            (m.attacker, m.defender_charges, m.attacker_ordered)
        };
        let body = &self.unit(u).body;
        let mut grounds = Grounds::new();
        if !attacker && m.cover {
            grounds.push("in hard cover");
        }
        if attacker && m.aspect != Zone::Front {
            grounds.push(if m.aspect == Zone::Rear { "in the rear" } else { "on the flank" });
        }
        let mut rough = self.b.terrain.iter().filter(|piece| piece.kind.is_rough());
        if self.kind(u) == Kind::Skirmish && rough.clone().any(|piece| self.stands_in(piece, body)) {
            grounds.push("skirmishers in rough ground");
        }
        let square = foe_ordered && self.is_square_to(m, foe);
        if self.kind(u).is_cavalry()
            && charges
            && !(attacker && m.cover)
            && (!square || self.o().halving_vs_square)
            && !rough.any(|piece| self.touches(piece, body))
        {
            grounds.push("charging in the open");
        }
        grounds
    }

    /// Whose grounds halve the kills on the attacker, and on the defender (VF-MELEE-10).
    pub(super) fn halving_grounds<'a>(&self, grounds: &'a [Grounds; 2]) -> [&'a Grounds; 2] {
        match self.o().melee_halving {
            MeleeHalving::Suffered => [&grounds[0], &grounds[1]],
            MeleeHalving::Inflicted => [&grounds[1], &grounds[0]],
        }
    }

    /// Hits on one that has the better of it, halved once (VF-MELEE-10).
    pub(crate) fn halved(&self, hits: u32) -> u32 {
        self.o().share_of(self.p().melee.halved, hits)
    }

    /// How often so many grounds halve (VF-MELEE-11).
    pub(super) fn halved_times(&self, grounds: usize) -> usize {
        if self.o().halving_stacks { grounds } else { grounds.min(1) }
    }

    /// How often the kills on the attacker and on the defender are halved.
    pub(crate) fn halvings(&self, m: &Melee) -> [usize; 2] {
        let grounds = [self.advantages(m, m.attacker), self.advantages(m, m.defender)];
        self.halving_grounds(&grounds).map(|g| self.halved_times(g.len()))
    }

    /// Whether a unit is in a piece, by its middle (VF-MODEL-32).
    fn stands_in(&self, piece: &Piece, body: &Body) -> bool {
        piece.area.contains(body.centroid()) && !self.bridged(piece, body.centroid())
    }

    /// Whether a unit touches a piece.
    fn touches(&self, piece: &Piece, body: &Body) -> bool {
        piece.under(body) && !piece.corners_under(body).all(|at| self.bridged(piece, at))
    }

    /// Whether a bridge or a ford cancels a stream at a place (VF-MODEL-31).
    fn bridged(&self, piece: &Piece, at: Point) -> bool {
        let crossing = |p: &Piece| p.kind == GroundKind::Crossing && p.area.contains(at);
        piece.kind == GroundKind::Broken && self.b.terrain.iter().any(crossing)
    }
}
