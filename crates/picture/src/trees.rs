//! What grows: trees, palms, bushes, tall grass, crops.

use tricorne_game::view::Look;
use tricorne_table::{Point, angle};

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::{Pen, polar};
use crate::sheet::{N, Trace};

/// How many different toys of one kind there are.
const VARIANTS: u64 = 4;

/// Writes the symbols that a look strews about, each of radius 1.
pub(crate) fn symbols(pen: &mut Pen<'_>, look: Look) {
    for variant in 0..VARIANTS {
        match look {
            Look::Wood => leafy(pen, "tree", variant, pen.paint.leaf),
            Look::Forest => {
                leafy(pen, "dark-tree", variant, pen.paint.pine);
                conifer(pen, variant);
            }
            Look::Palms => palm(pen, variant),
            Look::Scrub => bush(pen, variant),
            Look::Grass => tuft(pen, variant),
            _ => {}
        }
    }
}

/// A wobbly disc: the crown of a tree seen from above.
fn crown(grain: &mut Grain, centre: Point, radius: f64, lobes: u32) -> Trace {
    let mut trace = Trace::default();
    let turn = grain.between(0.0, 360.0);
    let rim: Vec<Point> = (0..lobes)
        .map(|lobe| {
            let wobble = grain.between(0.8, 0.94);
            polar(centre, turn - f64::from(lobe) * 360.0 / f64::from(lobes), radius * wobble)
        })
        .collect();
    trace.go(rim[0]);
    for lobe in 1..=rim.len() {
        let (from, to) = (rim[lobe - 1], rim[lobe % rim.len()]);
        trace.arc(from.distance(to) * 0.62, to);
    }
    trace.shut();
    trace
}

fn leafy(pen: &mut Pen<'_>, name: &str, variant: u64, [dark, middle, light, edge]: [&'static str; 4]) {
    let mut grain = Grain::of(&format!("{name}{variant}"));
    let shade = pen.paint.shade;
    pen.sheet.open(format_args!("id=\"{name}{variant}\""));
    let whole = crown(&mut grain, Point::ORIGIN, 1.0, 9);
    pen.sheet
        .path(&whole, format_args!("fill=\"{shade}\" fill-opacity=\".28\" transform=\"translate(.2 -.24)\""));
    pen.sheet.path(&whole, format_args!("fill=\"{dark}\" stroke=\"{edge}\" stroke-width=\".07\""));
    let lit = crown(&mut grain, Point::new(-0.13, 0.15), 0.76, 8);
    pen.fill(&lit, middle, 1.0);
    for _ in 0..4 {
        let at = polar(Point::new(-0.22, 0.25), grain.between(0.0, 360.0), grain.between(0.1, 0.38));
        let radius = grain.between(0.14, 0.26);
        let leaf = crown(&mut grain, at, radius, 6);
        pen.fill(&leaf, light, 0.85);
    }
    pen.sheet.close();
}

fn conifer(pen: &mut Pen<'_>, variant: u64) {
    let mut grain = Grain::of(&format!("fir{variant}"));
    let [dark, middle, light, edge] = pen.paint.pine;
    let shade = pen.paint.shade;
    pen.sheet.open(format_args!("id=\"fir{variant}\""));
    let star = |grain: &mut Grain, reach: f64| {
        let turn = grain.between(0.0, 40.0);
        let points: Vec<Point> = (0..22)
            .map(|spike| {
                let radius = if spike % 2 == 0 { grain.between(0.9, 1.0) } else { grain.between(0.6, 0.68) };
                polar(Point::ORIGIN, turn + f64::from(spike) * 360.0 / 22.0, radius * reach)
            })
            .collect();
        let mut trace = Trace::default();
        trace.chain(&points, true);
        trace
    };
    let whole = star(&mut grain, 0.95);
    pen.sheet
        .path(&whole, format_args!("fill=\"{shade}\" fill-opacity=\".3\" transform=\"translate(.2 -.24)\""));
    pen.sheet.path(
        &whole,
        format_args!("fill=\"{dark}\" stroke=\"{edge}\" stroke-width=\".07\" stroke-linejoin=\"round\""),
    );
    let inner = star(&mut grain, 0.62);
    pen.fill(&inner, middle, 1.0);
    let top = star(&mut grain, 0.3);
    pen.fill(&top, light, 1.0);
    pen.sheet.close();
}

fn palm(pen: &mut Pen<'_>, variant: u64) {
    let mut grain = Grain::of(&format!("palm{variant}"));
    let [dark, middle, light, _] = pen.paint.leaf;
    let shade = pen.paint.shade;
    let turn = grain.between(0.0, 60.0);
    let mut fronds = Trace::default();
    let mut ribs = Trace::default();
    for frond in 0..8 {
        let bearing = turn + f64::from(frond) * 45.0 + grain.between(-9.0, 9.0);
        let tip = polar(Point::ORIGIN, bearing, grain.between(0.85, 1.05));
        let belly = tip * 0.55;
        let out = angle::right(bearing) * grain.between(0.2, 0.27);
        fronds.go(Point::ORIGIN);
        fronds.bend(belly + out, tip);
        fronds.bend(belly - out, Point::ORIGIN);
        fronds.shut();
        ribs.stroke(Point::ORIGIN, tip * 0.86);
    }
    pen.sheet.open(format_args!("id=\"palm{variant}\""));
    pen.sheet.path(
        &fronds,
        format_args!("fill=\"{shade}\" fill-opacity=\".3\" transform=\"translate(.28 -.34)\""),
    );
    pen.sheet.path(&fronds, format_args!("fill=\"{middle}\" stroke=\"{dark}\" stroke-width=\".05\""));
    pen.stroke(&ribs, light, 0.05, "");
    let mut heart = Trace::default();
    heart.circle(Point::ORIGIN, 0.13);
    pen.fill(&heart, pen.paint.earth[0], 1.0);
    pen.sheet.close();
}

fn bush(pen: &mut Pen<'_>, variant: u64) {
    let mut grain = Grain::of(&format!("bush{variant}"));
    let [dark, middle, light, edge] = pen.paint.bush;
    let shade = pen.paint.shade;
    pen.sheet.open(format_args!("id=\"bush{variant}\""));
    let whole = crown(&mut grain, Point::ORIGIN, 0.95, 6);
    pen.sheet
        .path(&whole, format_args!("fill=\"{shade}\" fill-opacity=\".25\" transform=\"translate(.16 -.2)\""));
    pen.sheet.path(&whole, format_args!("fill=\"{dark}\" stroke=\"{edge}\" stroke-width=\".1\""));
    let lit = crown(&mut grain, Point::new(-0.15, 0.16), 0.62, 6);
    pen.fill(&lit, middle, 1.0);
    let tip = crown(&mut grain, Point::new(-0.28, 0.3), 0.28, 5);
    pen.fill(&tip, light, 1.0);
    pen.sheet.close();
}

fn tuft(pen: &mut Pen<'_>, variant: u64) {
    let mut grain = Grain::of(&format!("tuft{variant}"));
    let [_, blade, light] = pen.paint.straw;
    let mut blades = [Trace::default(), Trace::default()];
    for stalk in 0..5 {
        let lean = (f64::from(stalk) - 2.0) * 0.34;
        let foot = Point::new(lean * 0.35, -0.5);
        let tip = Point::new(lean + grain.between(-0.1, 0.1), grain.between(0.45, 1.0) - lean.abs() * 0.3);
        let trace = &mut blades[usize::from(stalk % 2 == 1)];
        trace.go(foot);
        trace.bend(Point::new(foot.x, 0.2), tip);
    }
    pen.sheet.open(format_args!("id=\"tuft{variant}\" stroke-linecap=\"round\""));
    pen.stroke(&blades[0], blade, 0.15, "");
    pen.stroke(&blades[1], light, 0.15, "");
    pen.sheet.close();
}

/// Draws a patch of something that grows.
pub(crate) fn draw(pen: &mut Pen<'_>, patch: &Patch, look: Look, id: &str) {
    let mut grain = Grain::of(id);
    let paint = pen.paint;
    let inch = pen.inch;
    // Toys shrink on a patch too small for them.
    let room = (patch.area().sqrt() * 0.24).max(0.12 * inch);
    match look {
        Look::Wood => {
            floor(pen, patch, paint.leaf[1], 0.55);
            let radius = (0.95 * inch).min(room);
            stand(pen, patch, &mut grain, &["tree"], radius, 1.75);
        }
        Look::Forest => {
            floor(pen, patch, paint.pine[0], 0.85);
            let radius = (0.95 * inch).min(room);
            stand(pen, patch, &mut grain, &["dark-tree", "fir", "fir"], radius, 1.28);
        }
        Look::Palms => {
            floor(pen, patch, paint.straw[0], 0.6);
            let radius = (1.15 * inch).min(room);
            stand(pen, patch, &mut grain, &["palm"], radius, 1.9);
        }
        Look::Scrub => {
            floor(pen, patch, paint.bush[2], 0.45);
            let radius = (0.45 * inch).min(room);
            stand(pen, patch, &mut grain, &["bush"], radius, 2.7);
        }
        Look::Grass => {
            floor(pen, patch, paint.straw[0], 0.7);
            let radius = (0.42 * inch).min(room);
            for at in patch.strew(&mut grain, radius * 2.1, radius * 0.5) {
                let scale = radius * grain.between(0.8, 1.15);
                pen.sheet.stamp(&format!("tuft{}", grain.pick(VARIANTS)), at, 0.0, scale);
            }
        }
        _ => crops(pen, patch, id),
    }
}

fn floor(pen: &mut Pen<'_>, patch: &Patch, colour: &str, opacity: f64) {
    pen.lay(patch, colour, opacity);
    pen.edge(patch, pen.paint.ink, 0.45);
}

/// Trees of a kind all over a patch, wholly within it.
fn stand(pen: &mut Pen<'_>, patch: &Patch, grain: &mut Grain, kinds: &[&str], radius: f64, apart: f64) {
    let mut trees: Vec<(Point, f64)> = Vec::new();
    for at in patch.strew(grain, radius * apart, radius * 0.8) {
        trees.push((at, radius * grain.between(0.78, 1.08)));
    }
    // Saplings where the edge left no room for a tree.
    for at in patch.strew(grain, radius * apart * 0.6, radius * 0.42) {
        let clear = trees.iter().all(|&(other, size)| other.distance(at) > size * 0.55 * apart);
        if clear && trees.len() < 500 {
            trees.push((at, radius * grain.between(0.42, 0.55)));
        }
    }
    trees.sort_by(|a, b| b.0.y.total_cmp(&a.0.y).then(a.0.x.total_cmp(&b.0.x)));
    for (at, size) in trees {
        let kind = kinds[grain.pick(kinds.len() as u64) as usize];
        pen.sheet.stamp(&format!("{kind}{}", grain.pick(VARIANTS)), at, 0.0, size);
    }
}

/// A field in furrows, along its longest side.
fn crops(pen: &mut Pen<'_>, patch: &Patch, id: &str) {
    let [under, blade, light] = pen.paint.straw;
    pen.lay(patch, light, 0.75);
    let longest = patch.edges().max_by(|a, b| a.length().total_cmp(&b.length()));
    let along = longest.and_then(|edge| edge.way().unit()).unwrap_or(Point::new(1.0, 0.0));
    let across = along.quarter_left();
    let (mut low, mut high, mut near, mut far) =
        (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY);
    for &point in &patch.points {
        low = low.min(point.dot(across));
        high = high.max(point.dot(across));
        near = near.min(point.dot(along));
        far = far.max(point.dot(along));
    }
    let apart = (0.42 * pen.inch).max((high - low) / 120.0);
    let mut furrows = Trace::default();
    let mut row = low + apart * 0.5;
    while row < high {
        furrows.stroke(along * near + across * row, along * far + across * row);
        row += apart;
    }
    pen.within(patch, &format!("clip-{id}"));
    pen.stroke(&furrows, under, apart * 0.55, "");
    let dash =
        format!("stroke-dasharray=\"{} {}\" stroke-linecap=\"round\"", N(apart * 0.1), N(apart * 0.55));
    pen.stroke(&furrows, blade, apart * 0.3, &dash);
    pen.sheet.close();
    pen.edge(patch, blade, 0.9);
}
