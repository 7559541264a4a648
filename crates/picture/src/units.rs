//! Units on the table: their bases, the toys on them, which way they look.

use std::collections::BTreeSet;

use tricorne_game::view::{Arm, Dye, FigureView, Livery, Role, UnitView, View};
use tricorne_game::{Pending, Side, UnitId};
use tricorne_table::{Bounds, Frame, Point, Pose, Shape};

use crate::figures::{self, Toy};
use crate::paint::{self, Coat};
use crate::pen::Pen;
use crate::sheet::{N, Trace, safe, slug};

/// The paint of a side; a side the view does not know is painted black.
pub(crate) fn coat_of(view: &View, side: Side) -> Coat {
    paint::coat(view.sides.get(side.index()).map_or(Livery::Black, |side| side.livery))
}

/// The paint of each side's bases and of its lace, for those who draw units over a picture: `#ecc9bb #7a0f1c #f3e3b5;…`.
pub(crate) fn coats(view: &View) -> String {
    let coats = view.sides.iter().map(|side| paint::coat(side.livery));
    coats.map(|coat| format!("{} {} {}", coat.base, coat.rim, coat.trim)).collect::<Vec<_>>().join(";")
}

/// The unit that must be decided about, if the decision is about one.
pub(crate) fn pending_unit(view: &View) -> Option<UnitId> {
    match &view.pending {
        Pending::Decision { unit, .. } => *unit,
        Pending::Over(_) => None,
    }
}

/// What a unit is called: its name, or what it is when it has none.
pub(crate) fn name_of(unit: &UnitView) -> &str {
    if unit.name.is_empty() || unit.name == unit.id.as_str() { &unit.kind } else { &unit.name }
}

/// The box round a unit: its outline, or its bases, or its spot.
pub(crate) fn bounds_of(unit: &UnitView) -> Bounds {
    let mut bounds = Bounds { min: unit.at, max: unit.at };
    if unit.outline.iter().all(|point| point.is_finite()) && !unit.outline.is_empty() {
        bounds = Bounds::of_points(&unit.outline);
    }
    for figure in &unit.figures {
        bounds = bounds.join(&figure.shape.bounds());
    }
    bounds
}

/// Writes the symbols of the toys in use and the hatches of the sides. `all` writes those of every toy for each side instead: who
/// draws units over this picture as they act need not ask for another when a gun limbers or somebody comes on.
pub(crate) fn symbols(pen: &mut Pen<'_>, view: &View, all: bool) {
    let mut used: BTreeSet<(Side, Toy, Option<Dye>)> = BTreeSet::new();
    if all {
        let sides = (0..view.sides.len()).map(|side| Side(side as u8));
        used.extend(sides.flat_map(|side| Toy::ALL.map(|toy| (side, toy, None))));
    } else {
        for unit in &view.units {
            used.extend(unit.figures.iter().map(|f| (unit.side, Toy::of(f.role, unit.arm).0, unit.facings)));
        }
    }
    for &(side, toy, facings) in &used {
        let livery = view.sides.get(side.index()).map_or(Livery::Black, |side| side.livery);
        figures::symbol(&mut pen.sheet, toy, &paint::faced(livery, facings), &symbol_id(side, toy, facings));
    }
    for (index, side) in view.sides.iter().enumerate() {
        hatch(pen, index, &paint::coat(side.livery));
    }
}

/// The hatch of a side: none for the first, then strokes, dots, a lattice.
fn hatch(pen: &mut Pen<'_>, side: usize, coat: &Coat) {
    let step = 0.2 * pen.inch;
    let (size, line, rim) = (N(step), N(step * 0.2), coat.rim);
    let mark = match side {
        0 => return,
        1 => format!("<path d=\"M0 0H{size}\" stroke=\"{rim}\" stroke-width=\"{line}\"/>"),
        2 => {
            format!("<circle cx=\"{0}\" cy=\"{0}\" r=\"{1}\" fill=\"{rim}\"/>", N(step * 0.5), N(step * 0.2))
        }
        _ => format!("<path d=\"M0 0H{size}M0 0V{size}\" stroke=\"{rim}\" stroke-width=\"{line}\"/>"),
    };
    pen.sheet.put(format_args!(
        "<pattern id=\"hatch{side}\" patternUnits=\"userSpaceOnUse\" width=\"{size}\" height=\"{size}\" \
         patternTransform=\"rotate(45)\">{mark}</pattern>\n"
    ));
}

/// A toy's symbol: `s0-foot`, and `s0-foot-red` in a regiment's facings.
fn symbol_id(side: Side, toy: Toy, facings: Option<Dye>) -> String {
    let dyed = facings.map(|facings| format!("-{}", paint::dye(facings).1)).unwrap_or_default();
    format!("s{}-{}{dyed}", side.0, toy.name())
}

/// Draws every unit on the table.
pub(crate) fn draw(pen: &mut Pen<'_>, view: &View, chosen: Option<UnitId>) {
    let waited = pending_unit(view);
    pen.sheet.open(format_args!("id=\"units\""));
    let most = [Toy::Foot, Toy::Horse].map(|toy| (toy, stature(view, toy)));
    // Commanders last: they stand among their men.
    let mut units: Vec<&UnitView> = view.units.iter().filter(|unit| unit.on_table).collect();
    units.sort_by_key(|unit| unit.arm == Arm::Command);
    for unit in units {
        let coat = coat_of(view, unit.side);
        let marked = waited == Some(unit.id) || chosen == Some(unit.id);
        one(pen, unit, &coat, marked, &most);
    }
    pen.sheet.close();
}

/// Draws those who have just fallen out of their ranks, lying where they stood.
pub(crate) fn fallen(pen: &mut Pen<'_>, view: &View, men: &[(&UnitView, &FigureView)]) {
    if men.is_empty() {
        return;
    }
    let most = [Toy::Foot, Toy::Horse].map(|toy| (toy, stature(view, toy)));
    pen.sheet.open(format_args!("id=\"fallen\" opacity=\".8\""));
    for (unit, figure) in men {
        let at = figure.shape.centre();
        let (x, y) = (N(at.x), N(at.y));
        pen.sheet.open(format_args!(
            "transform=\"translate({x} {y})rotate(70)scale(1 .55)translate({} {})\"",
            N(-at.x),
            N(-at.y)
        ));
        toys(pen, figure, unit, &most);
        pen.sheet.close();
    }
    pen.sheet.close();
}

fn one(pen: &mut Pen<'_>, unit: &UnitView, coat: &Coat, marked: bool, most: &[(Toy, f64)]) {
    let id = slug(unit.id.as_str());
    pen.sheet.put(format_args!(
        "<g id=\"unit-{id}\" class=\"unit side{}\" data-unit=\"{}\"><title>{}</title>\n",
        unit.side.0,
        safe(unit.id.as_str()),
        safe(&title(unit))
    ));
    let mut outline = Trace::default();
    outline.chain(&unit.outline, true);
    if marked {
        halo(pen, unit, &outline);
    }
    pen.sheet.path(&outline, format_args!("class=\"outline\" fill=\"{}\" fill-opacity=\".07\"", coat.rim));
    let mut bases = Trace::default();
    for figure in &unit.figures {
        bases.shape(&figure.shape);
    }
    let (dx, dy) = (N(0.06 * pen.inch), N(-0.08 * pen.inch));
    let shade = pen.paint.shade;
    pen.sheet.path(
        &bases,
        format_args!("fill=\"{shade}\" fill-opacity=\".35\" transform=\"translate({dx} {dy})\""),
    );
    let rim = pen.fine(0.06);
    pen.sheet.path(
        &bases,
        format_args!("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", coat.base, coat.rim, N(rim)),
    );
    if unit.side.0 > 0 {
        pen.sheet
            .path(&bases, format_args!("fill=\"url(#hatch{})\" fill-opacity=\".38\"", unit.side.0.min(3)));
    }
    for figure in &unit.figures {
        toys(pen, figure, unit, most);
    }
    if unit.figures.is_empty() {
        garrison(pen, unit.at, coat);
    } else {
        front(pen, unit, coat);
    }
    pen.sheet.close();
}

fn title(unit: &UnitView) -> String {
    let mut title = format!("{} ({}), {} of {}", name_of(unit), unit.kind, unit.strength.0, unit.strength.1);
    for marker in &unit.markers {
        title.push_str(", ");
        title.push_str(&marker.kind);
        if marker.count > 1 {
            title.push_str(&format!(" ×{}", marker.count));
        }
    }
    title
}

fn halo(pen: &mut Pen<'_>, unit: &UnitView, outline: &Trace) {
    let glow = pen.paint.glow;
    let width = (0.5 * pen.inch).max(pen.pixel * 6.0);
    let ring;
    let trace = if outline.is_empty() {
        let mut around = Trace::default();
        around.circle(unit.at, pen.inch);
        ring = around;
        &ring
    } else {
        outline
    };
    for (share, opacity) in [(1.0, 0.35), (0.55, 0.9)] {
        pen.sheet.path(
            trace,
            format_args!(
                "class=\"halo\" fill=\"{glow}\" fill-opacity=\".12\" stroke=\"{glow}\" stroke-opacity=\"{}\" \
                 stroke-width=\"{}\" stroke-linejoin=\"round\"",
                N(opacity),
                N(width * share)
            ),
        );
    }
}

/// Half the width and half the depth of a shape as something on it sees them, looking along a bearing, and the
/// middle between.
fn extent(shape: &Shape, facing: f64) -> (Point, f64, f64) {
    let frame = Pose::new(shape.centre(), facing).frame();
    let mut local = Bounds::NOTHING;
    for corner in shape.corners() {
        let at = frame.to_local(corner);
        local = local.join(&Bounds { min: at, max: at });
    }
    let local = local.grown(shape.radius());
    (frame.to_world(local.centre()), local.width() * 0.5, local.depth() * 0.5)
}

/// How large the men of a stand could be on its base: columns, rows and the scale of their symbol.
fn ranks(figure: &FigureView, toy: Toy, count: u8) -> (u32, u32, f64) {
    let (_, half_width, half_depth) = extent(&figure.shape, figure.facing);
    let (wide, long) = toy.half_box();
    let (columns, rows) = grid(u32::from(count.clamp(1, 24)), half_width / wide, half_depth / long);
    let scale = (half_width / f64::from(columns) / wide).min(half_depth / f64::from(rows) / long);
    (columns, rows, scale * 0.94)
}

fn is_stand(role: Role) -> bool {
    matches!(role, Role::FootStand(_) | Role::HorseStand(_))
}

/// The size of men on stands all over the table: as large as the fullest stand allows, so that one with gaps shows
/// them and has no giants.
fn stature(view: &View, toy: Toy) -> f64 {
    let stands = view.units.iter().filter(|unit| unit.on_table).flat_map(|unit| &unit.figures);
    stands
        .filter(|figure| is_stand(figure.role))
        .map(|figure| (figure, Toy::of(figure.role, Arm::Infantry)))
        .filter(|(_, (other, _))| *other == toy)
        .map(|(figure, (_, count))| ranks(figure, toy, count).2)
        .filter(|scale| *scale > 0.0)
        .fold(f64::INFINITY, f64::min)
}

/// The toys on one base; men on stands no larger than `most`.
fn toys(pen: &mut Pen<'_>, figure: &FigureView, unit: &UnitView, most: &[(Toy, f64)]) {
    let (toy, count) = Toy::of(figure.role, unit.arm);
    let symbol = symbol_id(unit.side, toy, unit.facings);
    let (centre, half_width, half_depth) = extent(&figure.shape, figure.facing);
    let (wide, long) = toy.half_box();
    let count = if is_stand(figure.role) { count.clamp(1, 24) } else { 1 };
    let (columns, rows, mut scale) = ranks(figure, toy, count);
    let mut cell = (half_width / f64::from(columns), half_depth / f64::from(rows));
    if let Some((_, most)) =
        most.iter().find(|(other, most)| *other == toy && is_stand(figure.role) && *most < scale)
    {
        cell = (cell.0.min(wide * most * 1.15), cell.1.min(long * most * 1.15));
        scale = *most;
    }
    if !scale.is_finite() || scale <= 0.0 {
        return;
    }
    let frame = Pose::new(centre, figure.facing).frame();
    let count = u32::from(count);
    for man in 0..count {
        let (row, column) = (man / columns, man % columns);
        let in_row = columns.min(count - row * columns);
        let right = (f64::from(column) - f64::from(in_row - 1) * 0.5) * 2.0 * cell.0;
        let ahead = (f64::from(rows - 1) * 0.5 - f64::from(row)) * 2.0 * cell.1;
        pen.sheet.stamp(&symbol, frame.to_world(Point::new(right, ahead)), figure.facing, scale);
    }
}

/// Columns and rows for so many toys on a base of these proportions: those that let them be largest.
fn grid(count: u32, wide: f64, long: f64) -> (u32, u32) {
    let size = |&columns: &u32| (wide / f64::from(columns)).min(long / f64::from(count.div_ceil(columns)));
    let columns = (1..=count).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(1);
    (columns, count.div_ceil(columns))
}

/// The middle of a unit's front and how large its chevron is.
pub(crate) fn front_of(unit: &UnitView, inch: f64, pixel: f64) -> Option<(Frame, f64)> {
    let facing = unit.facing?;
    let bounds = bounds_of(unit);
    let frame = Pose::new(bounds.centre(), facing).frame();
    let size = (0.42 * inch).max(pixel * 5.5);
    let locals: Vec<Bounds> = unit
        .figures
        .iter()
        .map(|figure| {
            let corners = figure.shape.corners();
            let local: Vec<Point> = corners.iter().map(|&corner| frame.to_local(corner)).collect();
            Bounds::of_points(&local).grown(figure.shape.radius())
        })
        .collect();
    let whole = locals.iter().fold(Bounds::NOTHING, |whole, local| whole.join(local));
    let across = if locals.is_empty() { 0.0 } else { whole.centre().x };
    // Ahead of whoever stands in the middle; of everybody, where nobody stands there.
    let in_the_way = |local: &&Bounds| local.min.x < across + size && local.max.x > across - size;
    let front = |ahead: f64, local: &Bounds| ahead.max(local.max.y);
    let ahead = locals.iter().filter(in_the_way).fold(f64::NEG_INFINITY, front);
    let ahead = if ahead.is_finite() { ahead } else { locals.iter().fold(0.0, front) };
    let at = frame.to_world(Point::new(across, ahead + size * 0.3));
    Some((Frame { at, forward: frame.forward }, size))
}

/// A flag where a unit is that shows no figures: in a building, or hidden by it.
fn garrison(pen: &mut Pen<'_>, at: Point, coat: &Coat) {
    if !at.is_finite() {
        return;
    }
    let size = (0.8 * pen.inch).max(pen.pixel * 11.0);
    let spot = |x: f64, y: f64| at + Point::new(x, y) * size;
    let mut flag = Trace::default();
    flag.go(spot(0.0, 1.5));
    flag.bend(spot(0.4, 1.75), spot(0.75, 1.5));
    flag.bend(spot(1.1, 1.25), spot(1.4, 1.5));
    flag.line(spot(1.4, 0.75));
    flag.bend(spot(1.1, 0.5), spot(0.75, 0.75));
    flag.bend(spot(0.4, 1.0), spot(0.0, 0.75));
    flag.shut();
    let mut pole = Trace::default();
    pole.stroke(spot(0.0, 0.0), spot(0.0, 1.7));
    let (thick, paper) = (size * 0.14, pen.paint.paper);
    pen.stroke(&pole, paper, thick * 2.0, "stroke-linecap=\"round\"");
    pen.stroke(&pole, coat.rim, thick, "stroke-linecap=\"round\"");
    pen.sheet.path(
        &flag,
        format_args!("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", coat.cloth, coat.rim, N(size * 0.08)),
    );
    let mut stripe = Trace::default();
    stripe.go(spot(0.0, 1.12));
    stripe.bend(spot(0.4, 1.37), spot(0.75, 1.12));
    stripe.bend(spot(1.1, 0.87), spot(1.4, 1.12));
    pen.stroke(&stripe, coat.trim, size * 0.18, "");
}

/// A chevron ahead of the unit: which way it looks.
fn front(pen: &mut Pen<'_>, unit: &UnitView, coat: &Coat) {
    let Some((frame, size)) = front_of(unit, pen.inch, pen.pixel) else { return };
    let at = |x: f64, y: f64| frame.to_world(Point::new(x * size, y * size));
    let mut chevron = Trace::default();
    chevron.chain(&[at(-1.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(0.0, 0.36)], true);
    let (fill, paper, width) = (pen.paint.rim(coat), pen.paint.paper, N(pen.pixel * 1.1));
    pen.sheet.path(
        &chevron,
        format_args!("fill=\"{fill}\" stroke=\"{paper}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_stand_in_ranks_that_fit_the_base() {
        assert_eq!(grid(6, 3.0, 2.0), (3, 2));
        assert_eq!(grid(3, 4.0, 1.0), (3, 1));
        assert_eq!(grid(1, 1.0, 1.0), (1, 1));
        assert_eq!(grid(5, 1.0, 5.0), (1, 5));
    }

    #[test]
    fn a_wide_base_is_wide_to_the_one_who_looks_ahead() {
        let rect = Shape::rect(Pose::new(Point::new(3.0, 4.0), 30.0), 4.0, 2.0).unwrap();
        let (centre, wide, deep) = extent(&rect, 30.0);
        assert!(centre.distance(Point::new(3.0, 4.0)) < 1e-9);
        assert!((wide - 2.0).abs() < 1e-9 && (deep - 1.0).abs() < 1e-9);
        let (_, wide, deep) = extent(&rect, 120.0);
        assert!((wide - 1.0).abs() < 1e-9 && (deep - 2.0).abs() < 1e-9);
    }
}
