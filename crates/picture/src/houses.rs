//! Houses and the roads between them: buildings, towns, roads, crossings.

use tricorne_game::view::Look;
use tricorne_table::{Point, Pose, Shape, angle};

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::Pen;
use crate::sheet::{N, Trace};

/// Draws houses or a road.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, look: Look, id: &str) {
    let mut grain = Grain::of(id);
    match look {
        Look::Building => building(pen, patch),
        Look::Town => town(pen, patch, &mut grain),
        Look::Crossing => crossing(pen, patch),
        _ => road(pen, patch, &mut grain),
    }
}

/// A roof over exactly the ground the building covers.
fn building(pen: &mut Pen<'_>, patch: &Patch) {
    match (patch.closed, patch.points.as_slice()) {
        (true, &[a, b, c, d]) => roof(pen, [a, b, c, d]),
        (true, points) => {
            // Slopes meet in one point: a tower, a round house, a hall with many corners.
            let top = patch.middle();
            let [lit, dim, edge] = pen.paint.roof;
            shade_under(pen, points);
            for side in patch.edges() {
                let outward = side.way().unit().unwrap_or(Point::ORIGIN).quarter_right() * patch.inward();
                let mut slope = Trace::default();
                slope.chain(&[side.a, side.b, top], true);
                pen.fill(&slope, if outward.dot(Point::new(-0.7, 0.7)) > 0.0 { lit } else { dim }, 1.0);
            }
            let width = pen.fine(0.07);
            pen.stroke(&patch.trace(), edge, width, "stroke-linejoin=\"round\"");
        }
        (false, points) => {
            let (first, last) = (points[0], points[points.len() - 1]);
            let pose = Pose::new(first.midpoint(last), angle::bearing(first, last));
            let depth = first.distance(last);
            if let Ok(Shape::Rect(rect)) = Shape::rect(pose, (patch.half * 2.0).max(depth * 0.5), depth) {
                roof(pen, rect.corners());
            }
        }
    }
}

fn shade_under(pen: &mut Pen<'_>, corners: &[Point]) {
    let mut under = Trace::default();
    under.chain(corners, true);
    let (x, y) = (N(0.16 * pen.inch), N(-0.2 * pen.inch));
    let shade = pen.paint.shade;
    pen.sheet
        .path(&under, format_args!("fill=\"{shade}\" fill-opacity=\".35\" transform=\"translate({x} {y})\""));
}

/// A hipped roof over four corners.
fn roof(pen: &mut Pen<'_>, [a, b, c, d]: [Point; 4]) {
    let [lit, dim, edge] = pen.paint.roof;
    shade_under(pen, &[a, b, c, d]);
    // The ridge runs along the longer way.
    let [a, b, c, d] = if a.distance(b) >= b.distance(c) { [a, b, c, d] } else { [b, c, d, a] };
    let (near, far) = (d.midpoint(a), b.midpoint(c));
    let hip = (a.distance(d) * 0.42 / near.distance(far).max(1e-9)).min(0.4);
    let (from, to) = (near.lerp(far, hip), far.lerp(near, hip));
    let middle = a.midpoint(c);
    let mut tiles = Trace::default();
    for slope in [&[a, b, to, from][..], &[b, c, to], &[c, d, from, to], &[d, a, from]] {
        let mut trace = Trace::default();
        trace.chain(slope, true);
        let outward = slope[0].midpoint(slope[1]) - middle;
        pen.fill(&trace, if outward.dot(Point::new(-0.7, 0.7)) > 0.0 { lit } else { dim }, 1.0);
        if slope.len() == 4 {
            for course in 1..4 {
                let share = f64::from(course) / 4.0;
                tiles.stroke(slope[0].lerp(slope[3], share), slope[1].lerp(slope[2], share));
            }
        }
    }
    let width = pen.fine(0.06);
    pen.stroke(&tiles, edge, width * 0.7, "stroke-opacity=\".35\"");
    let mut lines = Trace::default();
    lines.chain(&[a, b, c, d], true);
    lines.stroke(from, to);
    for (corner, end) in [(a, from), (d, from), (b, to), (c, to)] {
        lines.stroke(corner, end);
    }
    pen.stroke(&lines, edge, width, "stroke-linejoin=\"round\"");
    // A chimney by the ridge.
    let size = (a.distance(d) * 0.09).min(0.22 * pen.inch);
    let pose = Pose::new(from.lerp(to, 0.25), angle::bearing(from, to + (to - from) + (b - a) * 1e-6));
    if let Ok(stack) = Shape::rect(pose, size * 1.6, size * 1.6) {
        let mut trace = Trace::default();
        trace.shape(&stack);
        let [_, _, light, stone] = pen.paint.stone;
        let w = N(width * 0.8);
        pen.sheet.path(&trace, format_args!("fill=\"{light}\" stroke=\"{stone}\" stroke-width=\"{w}\""));
    }
}

/// A built-up area: a yard with houses in it, square to its longest side.
fn town(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    pen.lay(patch, pen.paint.road[1], 0.85);
    pen.edge(patch, pen.paint.ink, 0.6);
    let longest = patch.edges().max_by(|a, b| a.length().total_cmp(&b.length()));
    let bearing = longest.map_or(0.0, |edge| angle::bearing(edge.a, edge.b));
    let across = patch.area().sqrt();
    let size = (1.5 * pen.inch).clamp(across * 0.12, across * 0.3);
    let mut standing: Vec<Shape> = Vec::new();
    for at in patch.strew(grain, size * 0.82, size * 0.45) {
        let turn = if grain.pick(2) == 0 { 0.0 } else { 90.0 };
        let (wide, deep) = (size * grain.between(0.55, 0.72), size * grain.between(0.8, 1.15));
        let Ok(house) = Shape::rect(Pose::new(at, bearing + turn), wide, deep) else { continue };
        let clear = standing.iter().all(|other| house.gap(other) > size * 0.12);
        if clear && house.corners().iter().all(|&corner| patch.holds(corner, size * 0.06)) {
            standing.push(house);
        }
    }
    for house in &standing {
        if let Shape::Rect(rect) = house {
            roof(pen, rect.corners());
        }
    }
    if standing.is_empty() {
        building(pen, patch);
    }
}

/// The edges of a road. Drawn for all roads before any surface, so that roads run into each other.
pub(crate) fn casing(pen: &mut Pen<'_>, patch: &Patch) {
    let casing = pen.paint.road[0];
    let edge = pen.fine(0.06);
    if patch.closed {
        pen.stroke(&patch.trace(), casing, edge * 2.0, "stroke-linejoin=\"round\"");
    } else {
        pen.stroke(&patch.trace(), casing, patch.half * 2.0, "stroke-linejoin=\"round\"");
    }
}

fn road(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let surface = pen.paint.road[1];
    let edge = pen.fine(0.06);
    let trace = patch.trace();
    if !patch.closed {
        let width = (patch.half * 2.0 - edge * 2.0).max(edge);
        pen.stroke(&trace, surface, width, "stroke-linejoin=\"round\"");
        ruts(pen, patch, grain);
        return;
    }
    pen.fill(&trace, surface, 1.0);
    if let &[a, b, c, d] = patch.points.as_slice() {
        // A straight piece given by its corners has a way along it.
        let [a, b, c, d] = if a.distance(b) >= b.distance(c) { [a, b, c, d] } else { [b, c, d, a] };
        let half = a.distance(d).min(b.distance(c)) * 0.5;
        let points = vec![a.midpoint(d), b.midpoint(c)];
        ruts(pen, &Patch { points, closed: false, half }, grain);
    }
}

/// The tracks of wheels.
fn ruts(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain) {
    let mut ruts = Trace::default();
    for lane in [-0.36, 0.36] {
        let lane: Vec<Point> = patch
            .walk(1.4 * pen.inch, true)
            .iter()
            .map(|step| {
                step.at + step.along.quarter_left() * (patch.half * (lane + grain.between(-0.07, 0.07)))
            })
            .collect();
        ruts.soft(&lane, false);
    }
    let dash =
        format!("stroke-dasharray=\"{} {}\" stroke-linecap=\"round\"", N(1.1 * pen.inch), N(0.35 * pen.inch));
    let width = pen.fine(0.09);
    pen.stroke(&ruts, pen.paint.road[2], width, &dash);
}

/// Planks between two parapets, along the line or along the longest side.
fn crossing(pen: &mut Pen<'_>, patch: &Patch) {
    let [dark, middle, light] = pen.paint.earth;
    let (from, to, half) = if patch.closed {
        let longest = patch.edges().max_by(|a, b| a.length().total_cmp(&b.length()));
        let along = longest.and_then(|edge| edge.way().unit()).unwrap_or(Point::new(1.0, 0.0));
        let middle = patch.middle();
        let reach =
            |way: Point| patch.points.iter().map(|&corner| (corner - middle).dot(way)).fold(0.0, f64::max);
        (middle - along * reach(-along), middle + along * reach(along), reach(along.quarter_left()))
    } else {
        (patch.points[0], patch.points[patch.points.len() - 1], patch.half)
    };
    let Some(along) = (to - from).unit() else { return };
    let aside = along.quarter_left() * half;
    let mut deck = Trace::default();
    deck.chain(&[from + aside, to + aside, to - aside, from - aside], true);
    let (x, y) = (N(0.1 * pen.inch), N(-0.12 * pen.inch));
    let shade = pen.paint.shade;
    pen.sheet
        .path(&deck, format_args!("fill=\"{shade}\" fill-opacity=\".3\" transform=\"translate({x} {y})\""));
    pen.fill(&deck, light, 1.0);
    let mut planks = Trace::default();
    let count = (from.distance(to) / (0.24 * pen.inch)).ceil().clamp(2.0, 200.0) as u32;
    for plank in 1..count {
        let at = from.lerp(to, f64::from(plank) / f64::from(count));
        planks.stroke(at + aside * 0.92, at - aside * 0.92);
    }
    let width = pen.fine(0.05);
    pen.stroke(&planks, middle, width, "");
    let mut rails = Trace::default();
    let over = along * (0.15 * pen.inch);
    rails.stroke(from + aside - over, to + aside + over);
    rails.stroke(from - aside - over, to - aside + over);
    let rail = pen.fine(0.17);
    pen.stroke(&rails, dark, rail, "stroke-linecap=\"square\"");
    pen.stroke(&rails, middle, rail * 0.45, "");
}
