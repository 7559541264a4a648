//! Whether a unit has room in its zone (ATKM-SETUP-14): some legal place for it.

use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::{Bounds, Point, Rect, Shape};

use crate::field::Engagement;
use crate::formations::{self, Formation, SHAPES};
use crate::movement::terrain::Moving;
use crate::setup::deploy::Spot;
use crate::state::{Unit, UnitNo};

/// How many snug places are tried for a shape that faces one way.
const MOST: usize = 4_096;

/// A way to look for a place, the quick ones first.
#[derive(Clone, Copy)]
enum Search {
    /// By whole inches from an area's corner.
    Inches,
    /// By whole inches from where it stands flush with two sides of an area.
    Flush,
    /// Wherever it stands flush with something on two sides: what stands square to the table can be pushed until it does, so
    /// that whoever has room among straight things has it there.
    Snug,
}

impl Engagement {
    /// Some legal place for a unit.
    pub(crate) fn some_spot(&self, no: UnitNo) -> Option<Spot> {
        let unit = self.unit(no);
        let toward = if unit.army == Side(0) { 0.0 } else { 180.0 };
        let (zone, by) = self.room_of(no);
        let boxes = zone.boxes(by);
        let shapes: SmallVec<[Formation; 8]> =
            SHAPES.into_iter().filter(|&shape| self.judge_shape(unit, shape).is_ok()).collect();
        let legal = |spot: Spot| self.judge_placing(no, spot.into()).is_ok();
        [Search::Inches, Search::Flush, Search::Snug].into_iter().find_map(|search| {
            shapes.iter().find_map(|&shape| {
                [0.0, 90.0].into_iter().find_map(|turn| {
                    let facing = (toward + turn) % 360.0;
                    let spot = |at: Point| Spot { at: at.round_to(0.001), facing, shape };
                    let drawn_up = Self::drawn_up(unit, shape, facing);
                    match search {
                        Search::Snug => {
                            let (bases, whole) = (self.bases(&drawn_up), self.outline(&drawn_up));
                            let mut places = snug(&bases, &whole, &boxes, &self.standing_about(no, &boxes));
                            // A zone of very many areas is not looked through for ever.
                            places.by_ref().take(MOST).map(spot).find(|&s| legal(s))
                        }
                        Search::Inches | Search::Flush => {
                            let off = match search {
                                Search::Flush => Point::ORIGIN - self.outline(&drawn_up).min,
                                _ => Point::ORIGIN,
                            };
                            let mut places = boxes.iter().flat_map(|area| inches(area, off));
                            places.find_map(|at| Some(spot(at)).filter(|&s| legal(s)))
                        }
                    }
                })
            })
        })
    }

    /// A unit drawn up at nought.
    fn drawn_up(unit: &Unit, shape: Formation, facing: f64) -> Unit {
        let mut unit = *unit;
        unit.formation = shape;
        unit.set_pose(Point::ORIGIN, facing);
        unit
    }

    fn outline(&self, unit: &Unit) -> Bounds {
        let footprint = unit.footprint(self.rules());
        footprint.iter().fold(Bounds::NOTHING, |all, r| all.join(&Shape::Rect(*r).bounds()))
    }

    /// The boxes round its bases, of which each must lie in an area.
    fn bases(&self, unit: &Unit) -> SmallVec<[Bounds; 14]> {
        let frame = unit.frame();
        formations::figures(self.rules(), unit.kind, unit.formation, unit.n, &unit.spots)
            .iter()
            .filter(|f| unit.is_skirmish_line() || f.is_counted())
            .map(|f| Shape::Rect(Rect::in_frame(&frame, unit.facing, f.at, f.width, f.depth)).bounds())
            .collect()
    }

    /// What a unit of a zone may have to stand beside: others that are there already, and ground that nobody enters.
    fn standing_about(&self, no: UnitNo, zone: &[Bounds]) -> SmallVec<[Bounds; 14]> {
        let others = self.present().filter(|&(other, _)| other != no).map(|(_, u)| self.outline(u));
        let shut = self.land().features.iter().filter(|f| f.moving == Moving::Impassable).map(|f| f.bounds);
        others.chain(shut).filter(|b| zone.iter().any(|area| area.meets(b))).collect()
    }
}

/// Places by whole inches from a corner and so far beyond it.
fn inches(area: &Bounds, off: Point) -> impl Iterator<Item = Point> + use<> {
    let steps = |from: f64, to: f64| (to - from).max(0.0).floor() as u32;
    let (across, up) = (steps(area.min.x, area.max.x), steps(area.min.y, area.max.y));
    let from = area.min + off;
    (0..=up).flat_map(move |j| (0..=across).map(move |i| from + Point::new(f64::from(i), f64::from(j))))
}

/// Places at which one of the bases stands flush within an area, or all of them beside somebody, both across and up.
fn snug(
    bases: &[Bounds],
    whole: &Bounds,
    areas: &[Bounds],
    others: &[Bounds],
) -> impl Iterator<Item = Point> + use<> {
    let men = bases.iter().fold(Bounds::NOTHING, |all, b| all.join(b));
    // In a zone of one area the outermost bases are flush or none is.
    let ranks = if areas.len() > 1 { bases } else { std::slice::from_ref(&men) };
    let zone = areas.iter().fold(Bounds::NOTHING, |all, b| all.join(b));
    let along = |of: fn(Point) -> f64| {
        let (min, max) = (|b: &Bounds| of(b.min), |b: &Bounds| of(b.max));
        let mut at: Vec<f64> = Vec::new();
        for area in areas {
            at.extend(ranks.iter().flat_map(|b| [min(area) - min(b), max(area) - max(b)]));
        }
        at.extend(others.iter().flat_map(|o| [max(o) - min(whole), min(o) - max(whole)]));
        at.retain(|a| a + min(&men) >= min(&zone) - 0.001 && a + max(&men) <= max(&zone) + 0.001);
        at.sort_by(f64::total_cmp);
        at.dedup_by(|a, b| (*a - *b).abs() < 0.001);
        at
    };
    let (across, up) = (along(|p| p.x), along(|p| p.y));
    up.into_iter().flat_map(move |y| across.clone().into_iter().map(move |x| Point::new(x, y)))
}
