//! Rises in the ground: contour lines and the hachures of old maps.

use tricorne_game::view::{Look, TerrainView};
use tricorne_table::Point;

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::Pen;
use crate::sheet::{N, Trace};

/// Draws a hill. `id` names its clip.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, ground: &TerrainView, id: &str) {
    let steep = ground.look == Look::SteepHill;
    let mut grain = Grain::of(id);
    if !patch.closed {
        ridge(pen, patch, &mut grain, steep);
        return;
    }
    let peak = ground.peak.filter(|&peak| patch.contains(peak)).unwrap_or_else(|| patch.middle());
    let rings = (u32::from(ground.level.clamp(1, 5)) + 1) + u32::from(steep);
    let line = pen.fine(0.05);
    pen.within(patch, &format!("clip-{id}"));
    let earth = if steep { pen.paint.earth[1] } else { pen.paint.crest };
    pen.lay(patch, earth, if steep { 0.3 } else { 0.38 });
    for ring in 1..rings {
        let share = 1.0 - f64::from(ring) / f64::from(rings);
        let contour: Vec<Point> = patch.points.iter().map(|&corner| peak.lerp(corner, share)).collect();
        let mut trace = Trace::default();
        // A contour may be rounder than the edge: only the edge is measured.
        trace.soft(&dense(&contour, 0.25 * share), true);
        pen.fill(&trace, pen.paint.crest, 0.34);
        let more = format!("stroke-opacity=\"{}\"", N(0.55));
        pen.stroke(&trace, pen.paint.hachure, line, &more);
    }
    hachures(pen, patch, peak, &mut grain, steep, rings);
    pen.sheet.close();
    let edge = pen.fine(if steep { 0.11 } else { 0.07 });
    pen.stroke(&patch.trace(), pen.paint.hachure, edge, "stroke-opacity=\".85\" stroke-linejoin=\"round\"");
}

/// More corners along the edges, so that a soft line stays near them.
fn dense(points: &[Point], inset: f64) -> Vec<Point> {
    let n = points.len();
    let mut out = Vec::with_capacity(n * 2);
    for index in 0..n {
        let (here, next) = (points[index], points[(index + 1) % n]);
        out.push(here.lerp(next, inset));
        out.push(next.lerp(here, inset));
    }
    out
}

/// Strokes down the slope, longer and closer on the side away from the light.
fn hachures(pen: &mut Pen<'_>, patch: &Patch, peak: Point, grain: &mut Grain, steep: bool, rings: u32) {
    let mut light = Trace::default();
    let mut heavy = Trace::default();
    let apart = (if steep { 0.24 } else { 0.36 } * pen.inch).max(patch.length() / 420.0);
    let steps = patch.walk(apart, false);
    let count = steps.len();
    for (index, step) in steps.iter().enumerate() {
        // The way of its neighbours counts too, so that strokes fan out round a corner and do not cross.
        let around = (0..9)
            .fold(Point::ORIGIN, |sum, beside| sum + steps[(index + count * 9 + beside - 4) % count].along);
        let inward = around.unit().unwrap_or(step.along).quarter_left() * patch.inward();
        let up = (peak - step.at).unit().unwrap_or(inward);
        // Half way between straight across the edge and straight for the top.
        let way = (inward + up * 0.8).unit().unwrap_or(inward);
        let dim = inward.dot(Point::new(-0.7, 0.7)) > 0.0;
        let rise = step.at.distance(peak) / f64::from(rings);
        let longest = if steep { 1.0 } else { 0.75 };
        let reach =
            (rise * longest * if dim { 1.0 } else { 0.62 }).min(1.5 * pen.inch) * grain.between(0.6, 1.0);
        let trace = if dim { &mut heavy } else { &mut light };
        let bend = way.quarter_left() * (reach * grain.between(-0.06, 0.06));
        trace.go(step.at);
        trace.bend(step.at + way * (reach * 0.5) + bend, step.at + way * reach);
    }
    let (thin, thick) = (pen.fine(0.045), pen.fine(if steep { 0.09 } else { 0.065 }));
    let colour = pen.paint.hachure;
    pen.stroke(&light, colour, thin, "stroke-opacity=\".55\" stroke-linecap=\"round\"");
    pen.stroke(&heavy, colour, thick, "stroke-opacity=\".75\" stroke-linecap=\"round\"");
}

/// A hill given as a line: a ridge with strokes falling to both sides.
fn ridge(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain, steep: bool) {
    pen.lay(patch, if steep { pen.paint.earth[1] } else { pen.paint.crest }, 0.5);
    let mut strokes = Trace::default();
    for step in patch.walk(if steep { 0.24 } else { 0.36 } * pen.inch, false) {
        let left = step.along.quarter_left();
        let reach = patch.half * grain.between(0.6, 1.0);
        strokes.stroke(step.at + left * (patch.half * 0.2), step.at + left * reach);
        strokes.stroke(step.at - left * (patch.half * 0.2), step.at - left * reach);
    }
    let width = pen.fine(if steep { 0.08 } else { 0.05 });
    pen.stroke(&strokes, pen.paint.hachure, width, "stroke-opacity=\".7\" stroke-linecap=\"round\"");
}
