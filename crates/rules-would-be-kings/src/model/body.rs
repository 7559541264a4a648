//! Units as bodies on the table: their bases, the gaps between them, and where their models are put.

use arrayvec::ArrayVec;
use tricorne_game::UnitId;
use tricorne_table::{Area, Bounds, Point};

use crate::battle::Fray;
use crate::field::Card;
use crate::model::base::{Base, CONTACT, FIGURE, GUN, TOLERANCE, touches};
use crate::model::ground::{area_gap, viewpoints};
use crate::state::{Fate, Layout, MAX_MODELS, No, Places, Spot, Unit};

/// The bases of a unit, the gun's last.
pub type Bases = ArrayVec<Base, { MAX_MODELS + 1 }>;

impl Fray {
    /// The card of a unit.
    #[inline]
    pub(crate) fn card(&self, u: No) -> &Card {
        &self.field.cards[u]
    }

    #[inline]
    pub(crate) fn unit(&self, u: No) -> &Unit {
        &self.state.units[u]
    }

    /// The number of the unit of that id.
    pub(crate) fn find(&self, id: UnitId) -> Option<No> {
        self.field.cards.number(|c| c.id == id)
    }

    #[inline]
    pub(crate) fn id(&self, u: No) -> UnitId {
        self.field.cards[u].id
    }

    /// All units on the table.
    #[inline]
    pub(crate) fn on_table(&self) -> impl Iterator<Item = No> + '_ {
        self.state.units.numbers().filter(|&u| self.state.units[u].is_on_table())
    }

    /// The enemies of a unit on the table.
    #[inline]
    pub(crate) fn enemies(&self, u: No) -> impl Iterator<Item = No> + '_ {
        let side = self.unit(u).side;
        self.on_table().filter(move |&v| self.unit(v).side != side)
    }

    /// The building a unit is in.
    #[inline]
    pub(crate) fn outline(&self, u: No) -> Option<&Area> {
        self.unit(u).garrison.and_then(|b| self.field.land.outline(b))
    }

    /// The base of a model standing at a spot.
    #[inline]
    pub(crate) fn base_at(&self, u: No, spot: Point, facing: u16) -> Base {
        if self.card(u).mounted { Base::mounted(spot, facing) } else { Base::disc(spot, FIGURE) }
    }

    /// The base that stands on the anchor: the gun, or the leader's.
    #[inline]
    pub(crate) fn anchor_base(&self, u: No, anchor: Point, facing: u16) -> Base {
        if self.unit(u).layout == Layout::Gun {
            Base::disc(anchor, GUN)
        } else {
            self.base_at(u, anchor, facing)
        }
    }

    /// Every base of a unit, the gun's after the models'. A garrison has none.
    pub(crate) fn bases(&self, u: No) -> Bases {
        let unit = self.unit(u);
        self.bases_of(u, &unit.places, unit.anchor, unit.facing)
    }

    /// Every base of a unit as it would stand.
    pub(crate) fn bases_of(&self, u: No, places: &[Spot], anchor: Spot, facing: u16) -> Bases {
        let unit = self.unit(u);
        let mut bases = Bases::new();
        if unit.garrison.is_some() {
            return bases;
        }
        for spot in places {
            bases.push(self.base_at(u, spot.point(), facing));
        }
        if unit.layout == Layout::Gun {
            bases.push(Base::disc(anchor.point(), GUN));
        }
        bases
    }

    /// The box round a unit.
    #[inline]
    pub(crate) fn bounds(&self, u: No) -> Bounds {
        self.unit(u).bounds.0
    }

    /// Works out the box round a unit anew, after its places have changed.
    pub(crate) fn settle_bounds(&mut self, u: No) {
        let bounds = match self.outline(u) {
            Some(outline) => outline.bounds(),
            None => self.bases(u).iter().fold(Bounds::NOTHING, |all, base| all.join(&base.bounds())),
        };
        self.state.units[u].bounds.0 = bounds;
    }

    /// Puts a unit's models down.
    pub(crate) fn put(&mut self, u: No, anchor: Spot, facing: u16, layout: Layout, places: Places) {
        let unit = &mut self.state.units[u];
        unit.anchor = anchor;
        unit.facing = facing % 360;
        unit.layout = layout;
        unit.places = places;
        unit.garrison = None;
        self.settle_bounds(u);
    }

    /// Puts a unit into a building (WBK-MOD-12).
    pub(crate) fn garrison(&mut self, u: No, building: usize) {
        let Some(area) = self.field.land.pieces.get(building).and_then(|p| p.area()) else { return };
        let anchor = Spot::of(area.centroid());
        let unit = &mut self.state.units[u];
        unit.anchor = anchor;
        unit.layout = Layout::Garrison;
        unit.places.clear();
        unit.garrison = u8::try_from(building).ok();
        unit.close_order = false;
        self.settle_bounds(u);
    }

    /// Takes a unit off the table.
    pub(crate) fn remove(&mut self, u: No, fate: Fate) {
        let unit = &mut self.state.units[u];
        unit.fate = fate;
        unit.pinned = 0;
        unit.gone_to_ground = false;
        unit.close_order = false;
        unit.carried = 0;
        unit.garrison = None;
        unit.places.clear();
        if fate == Fate::Destroyed {
            unit.models = 0;
        }
        if fate.is_lost() {
            unit.times_lost = unit.times_lost.saturating_add(1);
            unit.return_due = true;
        }
        unit.bounds.0 = Bounds::NOTHING;
    }

    /// The gap between two units: the smallest over all pairs of bases (WBK-MOD-06).
    pub(crate) fn gap(&self, u: No, v: No) -> f64 {
        self.gap_under(u, v, f64::INFINITY)
    }

    /// Whether two units are within so many inches of each other.
    pub(crate) fn within(&self, u: No, v: No, inches: f64) -> bool {
        let reach = inches + TOLERANCE;
        if self.bounds(u).gap_squared(&self.bounds(v)) > reach * reach {
            return false;
        }
        self.gap_under(u, v, reach) <= reach
    }

    /// The gap, or anything greater than `enough` if it is more than that.
    pub(crate) fn gap_under(&self, u: No, v: No, enough: f64) -> f64 {
        if enough.is_finite() {
            let apart = self.bounds(u).gap_squared(&self.bounds(v));
            if apart > enough * enough && enough > 0.0 {
                return f64::INFINITY;
            }
        }
        gap_between(&self.bases(u), self.outline(u), &self.bases(v), self.outline(v))
    }

    /// The gap between a unit as it would stand and another as it does.
    pub(crate) fn gap_from(&self, bases: &[Base], v: No) -> f64 {
        gap_between(bases, None, &self.bases(v), self.outline(v))
    }

    /// Whether two units are in contact (WBK-MOD-04).
    pub(crate) fn in_contact(&self, u: No, v: No) -> bool {
        self.bounds(u).grown(CONTACT + TOLERANCE).meets(&self.bounds(v)) && touches(self.gap(u, v))
    }

    /// Whether a unit is in contact with any enemy.
    pub(crate) fn is_engaged(&self, u: No) -> bool {
        self.enemies(u).any(|v| self.in_contact(u, v))
    }

    /// The places sight lines run from: the gun's middle, the models, the points of a building (WBK-MOD-27).
    pub(crate) fn eyes(&self, u: No) -> ArrayVec<Point, 32> {
        let unit = self.unit(u);
        if unit.layout == Layout::Gun {
            return std::iter::once(unit.anchor.point()).collect();
        }
        self.seen_at(u)
    }

    /// The places sight lines run to.
    pub(crate) fn seen_at(&self, u: No) -> ArrayVec<Point, 32> {
        match self.outline(u) {
            Some(outline) => viewpoints(outline).into_iter().take(32).collect(),
            None => self.unit(u).places.iter().map(|s| s.point()).collect(),
        }
    }

    /// A unit's level (WBK-MOD-24).
    pub(crate) fn level(&self, u: No) -> u8 {
        let land = &self.field.land;
        if land.hills.is_empty() {
            return 0;
        }
        let unit = self.unit(u);
        if unit.garrison.is_some() {
            return land.level_at(unit.anchor.point());
        }
        let around = unit.places.iter().map(|s| Bounds::of_pair(s.point(), s.point()));
        if !around.reduce(|a, b| a.join(&b)).is_some_and(|around| land.hills_within(&around)) {
            return 0;
        }
        let mut levels: ArrayVec<u8, MAX_MODELS> =
            unit.places.iter().map(|s| land.level_at(s.point())).collect();
        if levels.is_empty() {
            return 0;
        }
        levels.sort_unstable_by(|a, b| b.cmp(a));
        // More than half stand on the level of the model just past the middle, or higher.
        levels[levels.len() / 2]
    }

    /// The move a unit has before terrain: 4" in Close Order, else its basic move. In thousandths.
    pub(crate) fn pace(&self, u: No) -> i32 {
        if self.unit(u).close_order {
            (self.field.rulebook.charts.close_order.pace * 1000.0) as i32
        } else {
            self.card(u).pace
        }
    }
}

/// The gap between two bodies; a garrison is its building's outline.
fn gap_between(a: &[Base], in_a: Option<&Area>, b: &[Base], in_b: Option<&Area>) -> f64 {
    match (in_a, in_b) {
        (None, None) => {
            let mut best = f64::INFINITY;
            for base in a {
                for other in b {
                    best = best.min(base.gap(other));
                }
            }
            best
        }
        (Some(area), None) => b.iter().map(|base| area_gap(area, base)).fold(f64::INFINITY, f64::min),
        (None, Some(area)) => a.iter().map(|base| area_gap(area, base)).fold(f64::INFINITY, f64::min),
        (Some(one), Some(other)) => {
            let mut best = f64::INFINITY;
            for edge in one.edges() {
                for side in other.edges() {
                    best = best.min(edge.gap(&side));
                }
            }
            best
        }
    }
}
