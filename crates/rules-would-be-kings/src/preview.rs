//! What an answer would come to, before any die is rolled.

use tricorne_game::Preview;
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_table::{Point, Shape};

use crate::attack::Assault;
use crate::battle::Fray;
use crate::model::base::{FIGURE, GUN, TOLERANCE};
use crate::model::layout::block_corners;
use crate::movement::Walk;
use crate::options::{DifficultCost, HitsRequiredMode};
use crate::state::{Layout, No, Places, Spot};
use crate::tables::rulebook::Cover;

impl Fray {
    /// A way, as it is drawn before it is gone.
    pub(crate) fn path_overlay(track: &[Point]) -> Overlay {
        Overlay { kind: "path".into(), shape: OverlayShape::Path(track.to_vec()), label: None }
    }

    /// A unit put down.
    pub(crate) fn preview_post(&self, u: No, places: &Places, anchor: Spot, facing: u16) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.push(self.ghost(u, places, anchor, facing));
        self.note_ground(u, places, &mut preview);
        preview
    }

    /// A unit in a building.
    pub(crate) fn preview_garrison(&self, u: No, building: usize) -> Preview {
        let mut preview = Preview::default();
        if let Some(piece) = self.field.land.pieces.get(building)
            && let Some(area) = piece.area()
        {
            let outline = OverlayShape::Outline(area.corners().to_vec());
            preview.overlays.push(Overlay { kind: "ghost".into(), shape: outline, label: None });
            preview.notes.push(format!(
                "holds {}: hard cover, {} of {} places taken",
                piece.id,
                self.unit(u).models,
                piece.capacity
            ));
        }
        preview
    }

    /// The bases of a unit as it would stand, the gun's among them.
    fn ghost(&self, u: No, places: &Places, anchor: Spot, facing: u16) -> Overlay {
        let mut shapes: Vec<Shape> = places
            .iter()
            .filter_map(|s| {
                let core = self.base_at(u, s.point(), facing).core();
                Shape::pill(core.a, core.b, FIGURE).ok()
            })
            .collect();
        if self.card(u).is_crewed() {
            shapes.extend(Shape::disc(anchor.point(), GUN).ok());
        }
        Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(shapes), label: None }
    }

    /// A walk.
    pub(crate) fn preview_walk(&self, u: No, walk: &Walk) -> Preview {
        let mut preview = Preview {
            cost: Some(walk.cost),
            allowance: Some(self.inches()),
            overlays: vec![Self::path_overlay(&walk.track)],
            ..Preview::default()
        };
        let unit = self.unit(u);
        if unit.layout == Layout::Block && walk.facing != unit.facing && walk.exit.is_none() {
            preview.overlays.push(self.corner_path(u, walk));
        }
        preview.overlays.push(self.ghost(u, &walk.places, walk.anchor, walk.facing));
        if walk.difficult > TOLERANCE {
            preview.notes.push(format!("difficult ground on the way: {}", self.difficult_in_words()));
        }
        if walk.furthest > TOLERANCE {
            preview.notes.push(format!("{:.1}\" more for the man who goes furthest", walk.furthest));
        }
        if let Some(piece) = walk.halted.and_then(|p| self.field.land.pieces.get(p)) {
            preview.notes.push(format!("halted by {} ({})", piece.id, piece.kind));
        }
        if walk.exit.is_some() {
            preview.notes.push("leaves the table by its exit edge");
            return preview;
        }
        self.note_ground(u, &walk.places, &mut preview);
        self.note_neighbours(u, &walk.places, walk.anchor, walk.facing, &mut preview);
        preview
    }

    /// The way of the corner that swings farthest, which is what a block's turn is measured by (WBK-MOD-20).
    fn corner_path(&self, u: No, walk: &Walk) -> Overlay {
        let unit = self.unit(u);
        let n = usize::from(unit.models);
        let before = block_corners(unit.anchor.point(), unit.facing, n);
        let after = block_corners(walk.anchor.point(), walk.facing, n);
        let farthest = |turn: usize| {
            let pairs = (0..4).map(|i| (before[i], after[(i + turn) % 4]));
            pairs.max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1))).unwrap_or_default()
        };
        let (kept, about) = (farthest(0), farthest(2));
        let (from, to) = if about.0.distance(about.1) < kept.0.distance(kept.1) { about } else { kept };
        Overlay {
            kind: "corner path".into(),
            shape: OverlayShape::Path(vec![from, to]),
            label: Some(format!("{:.1}\"", from.distance(to))),
        }
    }

    /// What difficult ground does to a way (WBK-MOVE-06).
    pub(crate) fn difficult_in_words(&self) -> String {
        let times = self.field.rulebook.charts.movement.difficult;
        match self.field.options.difficult_cost {
            DifficultCost::DoubleCost => format!("each inch costs {times}\""),
            DifficultCost::HalfTotal => format!("any of it makes the whole way cost {times} times as much"),
        }
    }

    /// What more hits a casualty takes, as the hits are reckoned (WBK-ATT-41).
    pub(crate) fn more_hits_in_words(&self, hits: i32) -> String {
        let hits = format!("{hits} {}", if hits == 1 { "hit" } else { "hits" });
        match self.field.options.hits_required_mode {
            HitsRequiredMode::PerCasualty => format!("{hits} more for each casualty"),
            HitsRequiredMode::FlatDeduction => format!("{hits} taken off, once"),
        }
    }

    /// What ground the unit would stand in.
    fn note_ground(&self, u: No, places: &Places, preview: &mut Preview) {
        let land = &self.field.land;
        let count = |least: Cover| places.iter().filter(|s| land.cover_at(s.point()) >= least).count();
        let cover = self.cover_of_most(count(Cover::Hard), count(Cover::Soft), places.len());
        if cover != Cover::None {
            let n = count(cover);
            preview.notes.push(format!("ends in {} cover ({n} of {} models)", cover.name(), places.len()));
        }
        for (i, marker) in self.field.victory.markers.iter().enumerate() {
            let within = self.field.victory.marker_within;
            if places.iter().any(|s| s.point().distance(marker.at) - FIGURE <= within) {
                let held = self.holder(i) == Some(self.unit(u).side);
                preview.notes.push(format!(
                    "{} {}",
                    if held { "stays within reach of" } else { "comes within reach of" },
                    marker.id
                ));
            }
        }
    }

    /// Enemies whose charge it would stand in, and those it could fire at from there.
    fn note_neighbours(&self, u: No, places: &Places, anchor: Spot, facing: u16, preview: &mut Preview) {
        let bases = self.bases_of(u, places, anchor, facing);
        let weapon = &self.card(u).weapon;
        if bases.is_empty() {
            return;
        }
        for v in self.enemies(u) {
            let gap = self.gap_from(&bases, v);
            let name = self.card(v).called();
            let charges = self.may_attack_at_all(v).is_ok();
            if charges && gap <= f64::from(self.pace(v)) / 1000.0 {
                preview.notes.push(format!("{gap:.1}\" from {name}, within its charge range"));
            } else if gap <= weapon.short {
                preview.notes.push(format!("{gap:.1}\" from {name}, short range"));
            }
        }
    }

    /// An attack, and the melee it leads to.
    pub(crate) fn preview_assault(&self, u: No, a: &Assault, allowance: Option<f64>) -> Preview {
        // As they will stand once all have closed up (WBK-MOD-21).
        let (anchor, _, places) = self.closed(u, a);
        let mut preview = Preview {
            cost: Some(a.cost),
            allowance,
            overlays: vec![Self::path_overlay(&a.track), self.ghost(u, &places, anchor, a.facing)],
            ..Preview::default()
        };
        if let Some(piece) = a.defended.and_then(|p| self.field.land.pieces.get(p)) {
            let (_, sheltered) = self.melee_hits(u, a.target, true, a.defended);
            // A garrison has its cover besides, where grounds add up (WBK-ATT-15).
            let all: i32 = sheltered.iter().filter(|r| r.clause == "WBK-ATT-13").map(|r| r.value).sum();
            let more = self.more_hits_in_words(all.max(self.field.rulebook.charts.hits.defended));
            preview.notes.push(format!("{} defends {}: {more}", self.card(a.target).called(), piece.id));
        }
        let (dice, against) =
            (self.fighting_models(u, a.target, false), self.fighting_models(a.target, u, true));
        preview.notes.push(format!(
            "{dice} dice at {}+ against {against} at {}+",
            self.fighting_value(u).0,
            self.fighting_value(a.target).0
        ));
        // Others whom the melee would stand beside, and who may be struck next or strike in their turn.
        let bases = self.bases_of(u, &places, anchor, a.facing);
        for v in self.enemies(u).filter(|&v| v != a.target) {
            let gap = self.gap_from(&bases, v);
            if gap <= 1.0 {
                preview.notes.push(format!("ends {:.1}\" from {}", gap.max(0.0), self.card(v).called()));
            }
        }
        preview
    }

    /// What a shot comes to.
    pub(crate) fn note_fire(&self, u: No, v: No, volley: bool, skirmish: bool, preview: &mut Preview) {
        let Ok(aim) = self.may_aim(u, v, volley) else { return };
        let cover = self.cover(u, v);
        let (basic, extra) = self.fire_hits(u, v, aim.short, cover);
        let (each, off) = self.each_and_off(basic, extra);
        let first = if off > 0 { format!("{}, then ", self.more_hits_in_words(off)) } else { String::new() };
        preview.notes.push(format!(
            "{} dice at {}+, {} range, cover {}: {first}{each} hits for a casualty",
            self.fire_dice(u, skirmish),
            self.firing_value(u, v, volley).0,
            if aim.short { "short" } else { "long" },
            cover.name(),
        ));
    }
}
