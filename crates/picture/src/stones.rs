//! Stone and bare earth: rocks, ruins, rough ground, dry river beds, cliffs.

use tricorne_game::view::Look;
use tricorne_table::Point;

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::{Pen, polar};
use crate::sheet::{N, Trace};

const VARIANTS: u64 = 5;

/// Whether a look has stones strewn about.
pub(crate) fn has_stones(look: Look) -> bool {
    matches!(look, Look::Rocks | Look::Ruins | Look::Rough | Look::Donga | Look::Shallows | Look::Cliff)
}

/// Writes the symbols of stones, each of radius 1.
pub(crate) fn symbols(pen: &mut Pen<'_>) {
    for variant in 0..VARIANTS {
        boulder(pen, variant);
    }
}

/// A stone with a lit top, a face in the light and a face in the shade.
fn boulder(pen: &mut Pen<'_>, variant: u64) {
    let mut grain = Grain::of(&format!("rock{variant}"));
    let [dark, middle, light, edge] = pen.paint.stone;
    let shade = pen.paint.shade;
    let turn = grain.between(0.0, 50.0);
    let rim: Vec<Point> = (0..7)
        .map(|corner| polar(Point::ORIGIN, turn + f64::from(corner) * 51.4, grain.between(0.72, 1.0)))
        .collect();
    let top: Vec<Point> = rim.iter().map(|&corner| corner * 0.52 + Point::new(-0.1, 0.12)).collect();
    pen.sheet.open(format_args!("id=\"rock{variant}\" stroke-linejoin=\"round\""));
    let mut whole = Trace::default();
    whole.chain(&rim, true);
    pen.sheet
        .path(&whole, format_args!("fill=\"{shade}\" fill-opacity=\".3\" transform=\"translate(.2 -.24)\""));
    pen.sheet.path(&whole, format_args!("fill=\"{middle}\" stroke=\"{edge}\" stroke-width=\".1\""));
    for corner in 0..7 {
        let next = (corner + 1) % 7;
        let middle = rim[corner].midpoint(rim[next]);
        // Light comes from the north-west.
        let lit = middle.dot(Point::new(-0.7, 0.7));
        let mut face = Trace::default();
        face.chain(&[rim[corner], rim[next], top[next], top[corner]], true);
        if lit < -0.2 {
            pen.fill(&face, dark, 1.0);
        } else if lit > 0.45 {
            pen.fill(&face, light, 0.7);
        }
    }
    let mut flat = Trace::default();
    flat.chain(&top, true);
    pen.fill(&flat, light, 1.0);
    pen.sheet.close();
}

/// Draws a patch of stone or earth.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, look: Look, id: &str) {
    let mut grain = Grain::of(id);
    match look {
        Look::Rocks => {
            pen.lay(patch, pen.paint.stone[2], 0.55);
            pen.edge(patch, pen.paint.ink, 0.4);
            let radius = (0.62 * pen.inch).min((patch.area().sqrt() * 0.2).max(0.1 * pen.inch));
            strew_stones(pen, patch, &mut grain, radius, 1.9, (0.45, 1.1));
        }
        Look::Ruins => ruins(pen, patch, &mut grain),
        Look::Rough => rough(pen, patch, &mut grain),
        Look::Donga => donga(pen, patch, &mut grain, id),
        _ => cliff(pen, patch, &mut grain),
    }
}

/// Stones all over a patch.
pub(crate) fn strew_stones(
    pen: &mut Pen<'_>,
    patch: &Patch,
    grain: &mut Grain,
    radius: f64,
    apart: f64,
    (least, most): (f64, f64),
) {
    for at in patch.strew(grain, radius * apart, radius * 0.7) {
        let (scale, turn) = (radius * grain.between(least, most), grain.between(-25.0, 25.0));
        pen.sheet.stamp(&format!("rock{}", grain.pick(VARIANTS)), at, turn, scale);
    }
}

/// What is left of walls along the edge, and rubble within.
fn ruins(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, _, light, edge] = pen.paint.stone;
    pen.lay(patch, pen.paint.earth[2], 0.7);
    pen.edge(patch, pen.paint.ink, 0.4);
    let thick = (0.32 * pen.inch).min(patch.length() / 40.0);
    let mut walls = Trace::default();
    let mut crowns = Trace::default();
    for edge in patch.edges() {
        let Some(along) = edge.way().unit() else { continue };
        let inward = along.quarter_left() * patch.inward() * thick * 0.7;
        let mut done = grain.between(0.0, 0.4) * pen.inch;
        while done < edge.length() - 0.3 * pen.inch {
            let run = (grain.between(0.7, 2.6) * pen.inch).min(edge.length() - done);
            let (from, to) = (edge.a + along * done + inward, edge.a + along * (done + run) + inward);
            walls.stroke(from, to);
            crowns.stroke(from.lerp(to, 0.06), to.lerp(from, 0.06));
            done += run + grain.between(0.4, 1.3) * pen.inch;
        }
    }
    pen.stroke(&walls, edge, thick * 1.25, "");
    pen.stroke(&walls, dark, thick, "");
    let more = format!("stroke-dasharray=\"{} {}\"", N(thick * 0.9), N(thick * 0.16));
    pen.stroke(&crowns, light, thick * 0.62, &more);
    strew_stones(pen, patch, grain, 0.24 * pen.inch, 4.4, (0.5, 1.2));
}

/// Stipple, little stones and short strokes of broken ground.
fn rough(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, middle, _] = pen.paint.earth;
    pen.lay(patch, middle, 0.3);
    pen.edge(patch, pen.paint.ink, 0.35);
    let size = 0.3 * pen.inch;
    let mut strokes = Trace::default();
    let mut dots = Trace::default();
    for (index, at) in patch.strew(grain, size * 2.6, size * 0.5).into_iter().enumerate() {
        if index % 3 == 0 {
            let lift = Point::new(size * 0.8, 0.0);
            strokes.go(at - lift);
            strokes.bend(at + Point::new(0.0, size * grain.between(0.5, 1.1)), at + lift);
        } else {
            dots.circle(at, size * grain.between(0.1, 0.2));
        }
    }
    let width = pen.fine(0.07);
    pen.stroke(&strokes, dark, width, "stroke-linecap=\"round\"");
    pen.fill(&dots, dark, 0.7);
    strew_stones(pen, patch, grain, size * 0.7, 7.5, (0.6, 1.3));
}

/// A dry river bed: sand between two banks.
fn donga(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain, id: &str) {
    let [dark, middle, light] = pen.paint.earth;
    let bank = 0.14 * pen.inch;
    pen.lay_wide(patch, dark, 1.0, if patch.closed { 0.0 } else { bank * 0.5 });
    if patch.closed {
        pen.within(patch, &format!("clip-{id}"));
        pen.lay(patch, light, 1.0);
        let more = "stroke-linejoin=\"round\"";
        pen.stroke(&patch.trace(), middle, 0.8 * pen.inch, more);
        pen.stroke(&patch.trace(), dark, bank * 2.0, more);
        pen.sheet.close();
    } else {
        pen.lay_wide(patch, middle, 1.0, -bank);
        pen.lay_wide(patch, light, 1.0, -patch.half * 0.45);
    }
    // Little cuts where the banks crumble, towards the bed.
    let mut cuts = Trace::default();
    for step in patch.walk(0.34 * pen.inch, false) {
        let left = step.along.quarter_left();
        let reach = grain.between(0.14, 0.4) * pen.inch;
        if patch.closed {
            cuts.stroke(step.at, step.at + left * patch.inward() * reach);
        } else {
            let reach = reach.min(patch.half * 0.8);
            cuts.stroke(step.at + left * patch.half, step.at + left * (patch.half - reach));
            cuts.stroke(step.at - left * patch.half, step.at - left * (patch.half - reach));
        }
    }
    let width = pen.fine(0.06);
    pen.stroke(&cuts, dark, width, "");
    strew_stones(pen, patch, grain, 0.16 * pen.inch, 7.0, (0.6, 1.3));
}

/// A rock face: a broken crest and teeth down the fall.
fn cliff(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, middle, light, edge] = pen.paint.stone;
    // An area falls inwards from its edge, a line to the right of the way it runs.
    let side = if patch.closed { patch.inward() } else { -1.0 };
    let fall =
        if patch.closed { 0.75 * pen.inch } else { (patch.half * 2.0).clamp(0.8 * pen.inch, 1.4 * pen.inch) };
    if patch.closed {
        pen.lay(patch, middle, 0.9);
    }
    let mut lit = Trace::default();
    let mut dim = Trace::default();
    let steps = patch.walk(0.38 * pen.inch, true);
    for pair in steps.windows(2) {
        let down = pair[0].along.quarter_left() * side;
        let reach = fall * grain.between(0.6, 1.1);
        let middle = pair[0].at.midpoint(pair[1].at);
        let half = (pair[1].at - pair[0].at) * 0.62;
        let foot = middle + down * reach + half * grain.between(-0.4, 0.4);
        let bright = down.dot(Point::new(-0.7, 0.7)) > 0.0;
        // Each buttress has a face in the light and a face in the shade.
        let ridge = middle + down * (reach * 0.25);
        lit.chain(&[middle - half, ridge, foot], true);
        dim.chain(&[middle + half, ridge, foot], true);
        let top = if bright { &mut lit } else { &mut dim };
        top.chain(&[middle - half, middle + half, ridge], true);
    }
    let width = pen.fine(0.03);
    let line = |colour: &str| format!("stroke=\"{colour}\" stroke-width=\"{}\"", N(width));
    pen.sheet.path(&lit, format_args!("fill=\"{light}\" {}", line(edge)));
    pen.sheet.path(&dim, format_args!("fill=\"{dark}\" {}", line(edge)));
    let crest = pen.fine(0.16);
    pen.stroke(&patch.trace(), edge, crest, "stroke-linejoin=\"round\" stroke-linecap=\"round\"");
    if patch.closed {
        strew_stones(pen, patch, grain, 0.4 * pen.inch, 2.6, (0.5, 1.2));
    }
}
