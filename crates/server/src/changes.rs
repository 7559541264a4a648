//! What changed between two views of the same seat.

use serde::Serialize;
use tricorne_game::view::{CardView, Clock, SideView, TerrainView, Token, UnitView, View};
use tricorne_game::{Pending, UnitId};

use crate::JsonSchema;

/// What changed between two views; what is missing is as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Changes {
    /// The sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Vec<SideView>>,
    /// The ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terrain: Option<Vec<TerrainView>>,
    /// Units that changed or are new.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<UnitView>,
    /// All units in order, when that changed; one that is not named is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units_order: Option<Vec<UnitId>>,
    /// Markers that belong to no unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Vec<Token>>,
    /// Where in the battle we are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Cards in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardView>>,
    /// What is being waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
}

impl Changes {
    /// What changed from `before` to `after`.
    pub(crate) fn between(before: &View, after: &View) -> Self {
        fn new<T: PartialEq + Clone>(before: &T, after: &T) -> Option<T> {
            (before != after).then(|| after.clone())
        }
        let same_order = before.units.len() == after.units.len()
            && before.units.iter().zip(&after.units).all(|(b, a)| b.id == a.id);
        let units = after.units.iter().enumerate().filter(|(i, unit)| {
            let old =
                if same_order { before.units.get(*i) } else { before.units.iter().find(|u| u.id == unit.id) };
            old != Some(unit)
        });
        Self {
            sides: new(&before.sides, &after.sides),
            terrain: new(&before.terrain, &after.terrain),
            units: units.map(|(_, unit)| unit.clone()).collect(),
            units_order: (!same_order).then(|| after.units.iter().map(|u| u.id).collect()),
            tokens: new(&before.tokens, &after.tokens),
            clock: new(&before.clock, &after.clock),
            cards: new(&before.cards, &after.cards),
            pending: new(&before.pending, &after.pending),
        }
    }
}
