//! Everything written on the table: plaques of units, names of tokens, of overlays and of the ground.

use std::collections::BTreeMap;

use tricorne_game::UnitId;
use tricorne_game::view::{OverlayShape, TerrainView, View};
use tricorne_table::{Bounds, Point};

use crate::labels::{self, Frame, Wanted};
use crate::letters::{self, Face};
use crate::paint::Paint;
use crate::patch::Patch;
use crate::plaques::{self, Plaque};
use crate::sheet::{N, Sheet, safe};
use crate::style::{Labels, Style};
use crate::tokens;
use crate::units;

/// Where the table lies on the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The table's box on the picture.
    pub table: Frame,
    /// Pixels for one of the table's unit.
    pub scale: f64,
    /// The size of the lettering.
    pub text: f64,
}

impl Plan {
    pub(crate) fn spot(&self, at: Point) -> (f64, f64) {
        (self.table.x + at.x * self.scale, self.table.y + self.table.h - at.y * self.scale)
    }

    fn frame(&self, bounds: &Bounds) -> Frame {
        let (x, y) = self.spot(Point::new(bounds.min.x, bounds.max.y));
        Frame { x, y, w: bounds.width() * self.scale, h: bounds.depth() * self.scale }
    }
}

/// Where units' labels were, from the middle of the unit.
pub(crate) type Habits = BTreeMap<UnitId, (f64, f64)>;

/// What a label is, apart from where it goes.
enum Label<'a> {
    Plaque(usize, Vec<Plaque>),
    Words(&'a str, Face),
    /// A length beside a way.
    Measured(&'a str),
}

/// The size of a length beside a way, in lettering.
const MEASURED: f64 = 1.2;

/// Writes everything that is written on the table.
pub(crate) fn draw(
    sheet: &mut Sheet,
    view: &View,
    style: &Style,
    paint: &Paint,
    plan: &Plan,
    habits: &mut Habits,
) {
    let chosen = style.chosen;
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut labels: Vec<Label<'_>> = Vec::new();
    let mut obstacles: Vec<Frame> = Vec::new();
    for (index, unit) in view.units.iter().enumerate().filter(|(_, unit)| unit.on_table) {
        obstacles.extend(unit.figures.iter().map(|figure| plan.frame(&figure.shape.bounds())));
        if let Some((front, size)) = units::front_of(unit, inch(view), 1.0 / plan.scale) {
            let middle = front.to_world(Point::new(0.0, size * 0.5));
            obstacles.push(Frame::about(plan.spot(middle), size * plan.scale * 1.6, size * plan.scale * 1.6));
        }
        if unit.figures.is_empty() && unit.at.is_finite() {
            let (x, y) = plan.spot(unit.at);
            let size = (0.8 * inch(view) * plan.scale).max(11.0);
            obstacles.push(Frame { x: x - 2.0, y: y - size * 1.8, w: size * 1.5, h: size * 1.8 });
        }
        let versions = plaques::of(unit, style.labels, plan.text);
        if !versions.is_empty() && unit.at.is_finite() {
            let front = unit.facing.map(|facing| {
                let way = tricorne_table::angle::forward(facing);
                (way.x, -way.y)
            });
            let sizes = versions.iter().map(|plaque| (plaque.w, plaque.h)).collect();
            let parts: Vec<Frame> =
                unit.figures.iter().map(|figure| plan.frame(&figure.shape.bounds())).collect();
            wanted.push(Wanted {
                anchor: plan.frame(&units::bounds_of(unit)),
                parts,
                sizes,
                front,
                habit: habits.get(&unit.id).copied(),
                inside: false,
            });
            labels.push(Label::Plaque(index, versions));
        }
    }
    let small = plan.text * 0.95;
    for token in view.tokens.iter().filter(|token| token.at.is_finite()) {
        let reach = tokens::reach(inch(view), 1.0 / plan.scale);
        let size = reach * plan.scale * 2.0;
        let anchor = Frame::about(plan.spot(tokens::spot(token, view, reach)), size, size);
        obstacles.push(anchor);
        if style.labels != Labels::Nothing && !token.label.is_empty() {
            wanted.push(words(anchor, &token.label, Face::Slanted, small * 1.05, false));
            labels.push(Label::Words(&token.label, Face::Slanted));
        }
    }
    let chosen_unit = view.units.iter().find(|unit| Some(unit.id) == chosen && unit.on_table);
    if let Some(unit) = chosen_unit {
        for overlay in &unit.overlays {
            if let (Some(text), Some(tip)) = (overlay.label.as_deref(), tokens::tip(overlay, unit.at)) {
                let (x, y) = plan.spot(tip);
                let (x, y) = plan.table.nearest((x, y));
                wanted.push(words(Frame::about((x, y), 2.0, 2.0), text, Face::Bold, small * 0.92, false));
                labels.push(Label::Words(text, Face::Bold));
            }
        }
    }
    for overlay in &style.shown {
        let (points, closed) = match &overlay.shape {
            OverlayShape::Path(points) => (points, false),
            OverlayShape::Outline(points) => (points, true),
            _ => continue,
        };
        // Lengths keep off every line that is drawn.
        let back = closed.then(|| points.first().copied()).flatten();
        let line: Vec<Point> = points.iter().copied().chain(back).filter(|p| p.is_finite()).collect();
        for pair in line.windows(2) {
            let beads = ((pair[0].distance(pair[1]) * plan.scale / 9.0).ceil() as u32).clamp(1, 200);
            obstacles.extend((0..=beads).map(|bead| {
                let at = pair[0].lerp(pair[1], f64::from(bead) / f64::from(beads));
                Frame::about(plan.spot(at), 11.0, 11.0)
            }));
        }
        // The plaque of the unit names a ghost well enough.
        if let (false, Some(text), Some(middle)) = (closed, overlay.label.as_deref(), tokens::halfway(&line))
        {
            let at = plan.table.nearest(plan.spot(middle));
            wanted.push(words(Frame::about(at, 9.0, 9.0), text, Face::Bold, plan.text * MEASURED, false));
            labels.push(Label::Measured(text));
        }
    }
    for overlay in &style.shown {
        if let OverlayShape::Bases(bases) = &overlay.shape {
            obstacles.extend(bases.iter().map(|base| plan.frame(&base.bounds())));
        }
    }
    let inner = plan.table.grown(-3.0);
    let spots = labels::place(&wanted, &obstacles, inner);
    if style.ground_names {
        obstacles.extend(spots.iter().flatten().map(|spot| spot.at.grown(2.0)));
        obstacles.extend(
            spots
                .iter()
                .zip(&wanted)
                .filter_map(|(spot, wanted)| Some(spine(labels::leader(wanted, spot.as_ref()?)?))),
        );
        ground(sheet, view, paint, plan, &obstacles, inner);
    }
    sheet.open(format_args!("id=\"labels\""));
    for (spot, wanted) in spots.iter().zip(&wanted) {
        if let Some((from, to)) = spot.and_then(|spot| labels::leader(wanted, &spot)) {
            line(sheet, from, to, paint);
        }
    }
    for ((spot, label), wanted) in spots.iter().zip(&labels).zip(&wanted) {
        let Some(spot) = spot else { continue };
        match label {
            Label::Plaque(unit, versions) => {
                let unit = &view.units[*unit];
                let marked = is_marked(view, chosen, unit.id);
                let ((x, y), (ax, ay)) = (spot.at.middle(), wanted.anchor.middle());
                habits.insert(unit.id, (x - ax, y - ay));
                versions[spot.size].draw(sheet, spot.at, unit, view, paint, marked);
            }
            Label::Measured(text) => {
                let size = plan.text * MEASURED;
                written(sheet, spot.at, text, Face::Bold, size, paint.overlay, paint.paper);
            }
            Label::Words(text, face) => {
                let size = if *face == Face::Bold { small * 0.92 } else { small * 1.05 };
                let colour = if *face == Face::Bold { paint.overlay } else { paint.ink };
                written(sheet, spot.at, text, *face, size, colour, paint.paper);
            }
        }
    }
    sheet.close();
}

fn is_marked(view: &View, chosen: Option<UnitId>, unit: UnitId) -> bool {
    chosen == Some(unit) || units::pending_unit(view) == Some(unit)
}

/// An inch in the table's unit.
pub(crate) fn inch(view: &View) -> f64 {
    tricorne_table::LengthUnit::Inch.per(view.table.unit)
}

fn words(anchor: Frame, text: &str, face: Face, size: f64, inside: bool) -> Wanted {
    let w = letters::width(text, face, size) + 4.0;
    Wanted { anchor, parts: Vec::new(), sizes: vec![(w, size * 1.15)], front: None, habit: None, inside }
}

/// A thin box about the middle of a line, so that names of ground keep off it.
fn spine((from, to): ((f64, f64), (f64, f64))) -> Frame {
    Frame::about(((from.0 + to.0) * 0.5, (from.1 + to.1) * 0.5), 4.0, 4.0)
}

fn line(sheet: &mut Sheet, from: (f64, f64), to: (f64, f64), paint: &Paint) {
    let (a, b, c, d) = (N(from.0), N(from.1), N(to.0), N(to.1));
    sheet.put(format_args!(
        "<path d=\"M{a} {b}L{c} {d}\" stroke=\"{}\" stroke-width=\"2.6\" stroke-opacity=\".75\"/><path \
         d=\"M{a} {b}L{c} {d}\" stroke=\"{}\" stroke-width=\"1\"/><circle cx=\"{c}\" cy=\"{d}\" r=\"1.9\" fill=\"{1}\"/>\n",
        paint.paper, paint.ink
    ));
}

/// Letters with a rim of paper round them, so that they are read on any ground.
fn written(sheet: &mut Sheet, at: Frame, text: &str, face: Face, size: f64, colour: &str, rim: &str) {
    let (x, _) = at.middle();
    let y = at.y + at.h * 0.5 + size * 0.31;
    for outline in [true, false] {
        let paint = if outline {
            format!(
                "fill=\"{rim}\" stroke=\"{rim}\" stroke-width=\"{}\" stroke-opacity=\".85\" stroke-linejoin=\"round\"",
                N(size * 0.28)
            )
        } else {
            format!("fill=\"{colour}\"")
        };
        sheet.put(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"{}\" {paint}>{}</text>\n",
            N(x),
            N(y),
            face.class(),
            N(size),
            safe(text)
        ));
    }
}

/// Names of the ground, where there is room for them on it; each kind of small pieces at most three times.
fn ground(sheet: &mut Sheet, view: &View, paint: &Paint, plan: &Plan, obstacles: &[Frame], table: Frame) {
    let size = plan.text * 0.9;
    let mut taken: Vec<Frame> = obstacles.to_vec();
    let mut named: Vec<(&str, u32)> = Vec::new();
    let mut pieces: Vec<(&TerrainView, Patch)> =
        view.terrain.iter().filter_map(|piece| Some((piece, Patch::of(piece, 0.0)?))).collect();
    pieces.sort_by(|a, b| b.1.area().total_cmp(&a.1.area()));
    sheet.open(format_args!("id=\"ground-names\""));
    for (piece, patch) in &pieces {
        let already = named.iter().find(|(kind, _)| *kind == piece.kind).map_or(0, |&(_, count)| count);
        if !patch.closed || already >= 3 {
            continue;
        }
        let bounds = patch.bounds();
        let frame = plan.frame(&Bounds { min: bounds.min, max: bounds.max });
        let anchor = Frame::about(plan.spot(patch.middle()), frame.w, frame.h);
        let wanted = words(anchor, &piece.kind, Face::Slanted, size, true);
        let (w, h) = wanted.sizes[0];
        if frame.w < w * 0.9 || frame.h < h * 1.3 {
            continue;
        }
        let free = labels::place(std::slice::from_ref(&wanted), &[], table)
            .into_iter()
            .flatten()
            .map(|spot| spot.at)
            .chain([(0.0, -0.25), (0.0, 0.25), (-0.22, 0.0), (0.22, 0.0)].map(|(dx, dy)| {
                let (x, y) = anchor.middle();
                Frame::about((x + dx * frame.w, y + dy * frame.h), w, h)
            }))
            .find(|at| table.holds(at) && taken.iter().all(|other| !at.overlaps(other)));
        if let Some(at) = free {
            written(sheet, at, &piece.kind, Face::Slanted, size, paint.ink, paint.paper);
            taken.push(at);
            match named.iter_mut().find(|(kind, _)| *kind == piece.kind) {
                Some((_, count)) => *count += 1,
                None => named.push((&piece.kind, 1)),
            }
        }
    }
    sheet.close();
}
