//! What men put in the way: fences, hedges, walls, earthworks, abatis.

use tricorne_game::view::Look;
use tricorne_table::Point;

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::{Pen, polar};
use crate::sheet::{N, Trace};

/// Draws an obstacle along its line, or round its area.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, look: Look, id: &str) {
    let mut grain = Grain::of(id);
    shadow(pen, patch);
    match look {
        Look::Fence => fence(pen, patch),
        Look::Hedge => hedge(pen, patch, &mut grain),
        Look::Wall => wall(pen, patch),
        Look::Earthwork => earthwork(pen, patch, &mut grain),
        _ => abatis(pen, patch, &mut grain),
    }
}

fn shadow(pen: &mut Pen<'_>, patch: &Patch) {
    let width = 0.2 * pen.inch;
    let more = format!(
        "stroke-opacity=\".2\" stroke-linejoin=\"round\" transform=\"translate({} {})\"",
        N(0.09 * pen.inch),
        N(-0.11 * pen.inch)
    );
    pen.stroke(&patch.trace(), pen.paint.shade, width, &more);
}

/// Two rails between posts.
fn fence(pen: &mut Pen<'_>, patch: &Patch) {
    let [dark, _, light] = pen.paint.earth;
    let (rail, half) = (pen.fine(0.06), 0.08 * pen.inch);
    let mut rails = Trace::default();
    let mut posts = Trace::default();
    for edge in patch.edges() {
        let Some(along) = edge.way().unit() else { continue };
        let aside = along.quarter_left() * half;
        rails.stroke(edge.a + aside, edge.b + aside);
        rails.stroke(edge.a - aside, edge.b - aside);
    }
    for step in patch.walk(0.75 * pen.inch, true) {
        let across = step.along.quarter_left() * (0.2 * pen.inch);
        posts.stroke(step.at - across, step.at + across);
    }
    pen.stroke(&rails, dark, rail * 2.0, "stroke-linecap=\"round\"");
    pen.stroke(&rails, light, rail, "stroke-linecap=\"round\"");
    let post = pen.fine(0.14);
    pen.stroke(&posts, dark, post, "stroke-linecap=\"round\"");
}

/// A row of leafy tufts that touch each other.
fn hedge(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, middle, light, edge] = pen.paint.leaf;
    let size = (patch.half).clamp(0.22 * pen.inch, 0.4 * pen.inch);
    let mut body = Trace::default();
    let mut tops = Trace::default();
    let mut gleams = Trace::default();
    for step in patch.walk(size * 1.15, true) {
        let at = step.at + step.along.quarter_left() * (size * grain.between(-0.22, 0.22));
        let radius = size * grain.between(0.78, 1.02);
        body.circle(at, radius);
        tops.circle(at + Point::new(-0.18, 0.2) * radius, radius * 0.66);
        gleams.circle(
            at + polar(Point::new(-0.3, 0.34), grain.between(0.0, 360.0), 0.1) * radius,
            radius * 0.26,
        );
    }
    let width = pen.fine(0.1);
    pen.stroke(&body, edge, width, "");
    pen.fill(&body, dark, 1.0);
    pen.fill(&tops, middle, 1.0);
    pen.fill(&gleams, light, 1.0);
}

/// Two courses of dressed stones.
fn wall(pen: &mut Pen<'_>, patch: &Patch) {
    let [dark, _, light, edge] = pen.paint.stone;
    let thick = (0.34 * pen.inch).min((patch.half * 2.0).max(0.2 * pen.inch));
    let trace = patch.trace();
    pen.stroke(&trace, edge, thick * 1.3, "stroke-linejoin=\"miter\"");
    let stone = thick * 1.1;
    let joint = stone * 0.16;
    let dash = |first: f64| {
        format!("stroke-dasharray=\"{} {}\" stroke-dashoffset=\"{}\"", N(stone - joint), N(joint), N(first))
    };
    pen.stroke(&trace, dark, thick, &dash(0.0));
    pen.stroke(&trace, light, thick * 0.66, &dash(0.0));
    pen.stroke(&trace, edge, pen.fine(0.04), "stroke-opacity=\".7\"");
}

/// A bank of earth, with strokes falling outwards.
fn earthwork(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, middle, light] = pen.paint.earth;
    let bank = (patch.half * 2.0).clamp(0.45 * pen.inch, 0.8 * pen.inch);
    if patch.closed {
        pen.lay(patch, light, 0.6);
    }
    let trace = patch.trace();
    let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    pen.stroke(&trace, dark, bank, round);
    pen.stroke(&trace, middle, bank * 0.8, round);
    pen.stroke(&trace, light, bank * 0.3, round);
    let mut falls = Trace::default();
    for step in patch.walk(0.24 * pen.inch, false) {
        let left = step.along.quarter_left();
        let outward = if patch.closed { left * -patch.inward() } else { left };
        falls
            .stroke(step.at + outward * (bank * 0.15), step.at + outward * (bank * grain.between(0.7, 1.05)));
        if !patch.closed {
            falls.stroke(step.at - outward * (bank * 0.2), step.at - outward * (bank * 0.42));
        }
    }
    let width = pen.fine(0.06);
    pen.stroke(&falls, dark, width, "stroke-linecap=\"round\"");
}

/// Felled trunks with sharpened boughs, all to one side.
fn abatis(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [dark, middle, _] = pen.paint.earth;
    let reach = (patch.half * 1.6).clamp(0.55 * pen.inch, 0.9 * pen.inch);
    if patch.closed {
        pen.lay(patch, pen.paint.leaf[2], 0.35);
    }
    let mut trunks = Trace::default();
    let mut boughs = Trace::default();
    for step in patch.walk(0.4 * pen.inch, true) {
        let left = step.along.quarter_left();
        let outward = if patch.closed { left * -patch.inward() } else { left };
        let lean = step.along * grain.between(-0.45, 0.45);
        let way = (outward + lean).unit().unwrap_or(outward);
        let (foot, tip) = (step.at - way * (reach * 0.45), step.at + way * (reach * 0.6));
        trunks.stroke(foot, step.at + way * (reach * 0.2));
        for bough in [-1.0, 0.35, 1.0] {
            let spread = way.quarter_left() * (bough * grain.between(0.22, 0.42) * reach);
            boughs.stroke(step.at + way * (reach * 0.05 * bough.abs()), tip + spread);
        }
    }
    let (thick, thin) = (pen.fine(0.15), pen.fine(0.06));
    pen.stroke(&boughs, pen.paint.leaf[3], thin, "stroke-linecap=\"round\"");
    pen.stroke(&trunks, dark, thick, "stroke-linecap=\"round\"");
    pen.stroke(&trunks, middle, thick * 0.45, "stroke-linecap=\"round\"");
}
