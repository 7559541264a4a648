//! All that does not change in the course of a battle.

use tricorne_game::{Side, UnitId};
use tricorne_table::Point;

use crate::model::ground::Piece;
use crate::model::measure::Mils;
use crate::model::{CommanderSpec, Cr, Nr, UnitSpec};
use crate::options::Options;
use crate::rulebook::Rulebook;

/// Who wins at the limit, besides army morale.
#[derive(Clone, Debug, Default)]
pub enum Objective {
    /// VF-SCEN-08.
    #[default]
    Morale,
    /// VF-SCEN-11: an ordered foot or horse unit near a point, and no enemy unit there.
    Hold { at: Point, within: Mils },
    /// VF-SCEN-12: the attacker has ordered infantry in a piece of ground, or ordered units past a line.
    Storm { attacker: Side, piece: usize, units: usize, beyond: Mils },
    /// VF-SCEN-13: a wagon leaves by a stretch of an edge.
    Convoy { attacker: Side, wagon: Nr, from: Mils, to: Mils },
}

/// All that does not change.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each name is the rulebook's own")]
pub struct Brief {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub limit: u32,
    pub names: [String; 2],
    pub units: Vec<UnitSpec>,
    pub commanders: Vec<CommanderSpec>,
    pub regiments: Vec<String>,
    pub wings: Vec<String>,
    pub terrain: Vec<Piece>,
    pub objective: Objective,
    pub objective_name: String,
    pub break_point: [u8; 2],
    pub options: Options,
    pub rulebook: Rulebook,
    pub points_game: bool,
    pub scenario: bool,
}

impl Brief {
    /// The unit of that id.
    pub fn unit_named(&self, id: UnitId) -> Option<Nr> {
        self.units.iter().position(|u| u.id == id).map(|i| Nr(i as u8))
    }

    /// The commander of that id.
    pub fn commander_named(&self, id: UnitId) -> Option<Cr> {
        self.commanders.iter().position(|c| c.id == id).map(|i| Cr(i as u8))
    }
}
