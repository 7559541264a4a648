//! Wet ground: water, shallows, marsh, streams.

use tricorne_game::view::Look;
use tricorne_table::Point;

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::Pen;
use crate::sheet::{N, Trace};
use crate::stones::strew_stones;

/// Draws a patch of wet ground.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, look: Look, id: &str) {
    let mut grain = Grain::of(id);
    match look {
        Look::Marsh => marsh(pen, patch, &mut grain),
        Look::Stream if !patch.closed => stream(pen, patch, &mut grain),
        Look::Stream => {
            let [deep, middle, light] = pen.paint.water;
            pool(pen, patch, id, [middle, deep], 1.0);
            ripples(pen, patch, &mut grain, 1.1, light);
        }
        Look::Shallows => {
            let [_, middle, light] = pen.paint.water;
            pool(pen, patch, id, [middle, light], 0.75);
            ripples(pen, patch, &mut grain, 1.5, middle);
            strew_stones(pen, patch, &mut grain, 0.2 * pen.inch, 7.0, (0.6, 1.4));
        }
        _ => {
            let [deep, middle, light] = pen.paint.water;
            pool(pen, patch, id, [deep, middle], 1.0);
            ripples(pen, patch, &mut grain, 1.9, light);
        }
    }
}

/// Water with the lines old maps draw along a shore.
fn pool(pen: &mut Pen<'_>, patch: &Patch, id: &str, [deep, shore]: [&str; 2], opacity: f64) {
    let bank = pen.fine(0.09);
    let light = pen.paint.water[2];
    if !patch.closed {
        pen.lay_wide(patch, pen.paint.earth[0], 0.8, bank * 0.6);
        pen.lay(patch, shore, 1.0);
        pen.lay_wide(patch, deep, opacity, -patch.half * 0.3);
        return;
    }
    pen.lay(patch, deep, opacity);
    pen.within(patch, &format!("clip-{id}"));
    let trace = patch.trace();
    for (width, colour, strength) in
        [(1.3, shore, 0.6), (0.72, light, 0.45), (0.5, shore, 0.9), (0.3, light, 0.5)]
    {
        let more = format!("stroke-opacity=\"{}\" stroke-linejoin=\"round\"", N(strength));
        pen.stroke(&trace, colour, width * pen.inch, &more);
    }
    pen.sheet.close();
    pen.stroke(&trace, pen.paint.earth[0], bank, "stroke-linejoin=\"round\"");
}

fn ripples(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain, apart: f64, colour: &str) {
    let size = (0.34 * pen.inch).min(if patch.closed { f64::INFINITY } else { patch.half * 0.5 });
    let mut waves = Trace::default();
    for at in patch.strew(grain, apart * pen.inch, size * 1.3) {
        let half = Point::new(size * grain.between(0.7, 1.2), 0.0);
        let crest = Point::new(0.0, size * 0.5);
        waves.go(at - half);
        waves.bend(at - half * 0.5 + crest, at);
        waves.bend(at + half * 0.5 + crest, at + half);
    }
    let width = pen.fine(0.06);
    pen.stroke(&waves, colour, width, "stroke-linecap=\"round\"");
}

/// Puddles, and reeds standing on the level lines that maps give a marsh.
fn marsh(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [deep, middle, light] = pen.paint.water;
    pen.lay(patch, pen.paint.leaf[2], 0.45);
    pen.edge(patch, pen.paint.ink, 0.4);
    let size = 0.5 * pen.inch;
    let mut puddles = Trace::default();
    let mut gleams = Trace::default();
    let mut level = Trace::default();
    let mut reeds = Trace::default();
    for (index, at) in patch.strew(grain, size * 2.3, size * 0.9).into_iter().enumerate() {
        if index % 2 == 0 {
            let (wide, tall) = (size * grain.between(0.75, 1.2), size * grain.between(0.3, 0.45));
            let rim: Vec<Point> = (0..8)
                .map(|corner| {
                    let way = tricorne_table::angle::forward(f64::from(corner) * -45.0);
                    let wobble = grain.between(0.8, 1.1);
                    at + Point::new(way.x * wide * wobble, way.y * tall * wobble)
                })
                .collect();
            puddles.soft(&rim, true);
            gleams.stroke(at - Point::new(wide * 0.4, 0.0), at + Point::new(wide * 0.3, 0.0));
        } else {
            let half = Point::new(size * 0.8, 0.0);
            level.stroke(at - half, at + half);
            for blade in -2..=2 {
                let lean = f64::from(blade);
                let foot = at + Point::new(lean * size * 0.2, 0.0);
                let height = size * (0.95 - lean.abs() * 0.2) * grain.between(0.85, 1.15);
                reeds.stroke(foot, foot + Point::new(lean * size * 0.12, height));
            }
        }
    }
    let width = pen.fine(0.06);
    pen.fill(&puddles, middle, 0.95);
    pen.stroke(&gleams, light, width, "stroke-linecap=\"round\"");
    pen.stroke(&level, deep, width, "stroke-linecap=\"round\"");
    pen.stroke(&reeds, pen.paint.leaf[3], width, "stroke-linecap=\"round\"");
}

fn stream(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let [deep, middle, light] = pen.paint.water;
    let bank = pen.fine(0.08);
    let trace = patch.trace();
    let round = "stroke-linejoin=\"round\" stroke-linecap=\"butt\"";
    pen.stroke(&trace, pen.paint.earth[0], patch.half * 2.0 + bank * 2.0, round);
    pen.stroke(&trace, middle, patch.half * 2.0, round);
    pen.stroke(&trace, deep, patch.half, &format!("{round} stroke-opacity=\".6\""));
    let mut gleams = Trace::default();
    for step in patch.walk(0.9 * pen.inch, false) {
        let aside = step.along.quarter_left() * (patch.half * grain.between(-0.6, 0.6));
        let half = step.along * (grain.between(0.12, 0.3) * pen.inch);
        gleams.stroke(step.at + aside - half, step.at + aside + half);
    }
    let width = pen.fine(0.05);
    pen.stroke(&gleams, light, width, "stroke-linecap=\"round\"");
}
