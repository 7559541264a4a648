//! What stands on the table and is no unit: objectives, places of arrival, rings of reach. And the shapes shown for
//! the chosen unit.

use tricorne_game::view::{Overlay, OverlayShape, Token, View};
use tricorne_table::{Point, angle};

use crate::paint::{self, Coat};
use crate::pen::Pen;
use crate::sheet::{N, Trace, safe};

/// The size of a token, from its middle to its rim.
pub(crate) fn reach(inch: f64, pixel: f64) -> f64 {
    (0.62 * inch).max(pixel * 9.0)
}

/// Where a token's piece is laid: its place, or as near to it as keeps the whole piece on the table.
pub(crate) fn spot(token: &Token, view: &View, reach: f64) -> Point {
    let within = |at: f64, length: f64| at.min(length - reach).max(reach);
    Point::new(within(token.at.x, view.table.width), within(token.at.y, view.table.height))
}

/// Draws the tokens' rings and their pieces.
pub(crate) fn draw(pen: &mut Pen<'_>, view: &View) {
    pen.sheet.open(format_args!("id=\"tokens\""));
    for token in view.tokens.iter().filter(|token| token.at.is_finite()) {
        let coat =
            token.side.and_then(|side| view.sides.get(side.index())).map(|side| paint::coat(side.livery));
        pen.sheet.put(format_args!(
            "<g class=\"token\" data-kind=\"{}\"><title>{}</title>\n",
            safe(&token.kind),
            safe(&format!("{}: {}", token.kind, token.label))
        ));
        if let Some(radius) = token.radius.filter(|radius| radius.is_finite() && *radius > 0.0) {
            ring(pen, token.at, radius, coat.as_ref().map_or(pen.paint.ink, |coat| pen.paint.rim(coat)));
        }
        piece(pen, token, coat.as_ref(), view);
        pen.sheet.close();
    }
    pen.sheet.close();
}

fn ring(pen: &mut Pen<'_>, centre: Point, radius: f64, colour: &str) {
    let mut trace = Trace::default();
    trace.circle(centre, radius);
    pen.fill(&trace, colour, 0.06);
    let (width, dash) = (pen.pixel * 1.4, pen.pixel * 5.0);
    let more = format!("stroke-dasharray=\"{} {}\" stroke-opacity=\".8\"", N(dash), N(dash * 0.8));
    pen.stroke(&trace, colour, width, &more);
}

/// The bearing from the edge of the table nearest to a place.
fn inward(at: Point, view: &View) -> f64 {
    let gaps =
        [(at.y, 0.0), (at.x, 90.0), (view.table.height - at.y, 180.0), (view.table.width - at.x, 270.0)];
    gaps.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, bearing)| bearing)
}

/// A disc of painted wood with a sign for what it is.
fn piece(pen: &mut Pen<'_>, token: &Token, coat: Option<&Coat>, view: &View) {
    let size = reach(pen.inch, pen.pixel);
    let place = spot(token, view, size);
    let (fill, rim) = coat.map_or((pen.paint.crest, pen.paint.ink), |coat| (coat.cloth, coat.rim));
    let light = coat.map_or(pen.paint.ink, |coat| if coat.pip == coat.cloth { coat.trim } else { coat.rim });
    let mut disc = Trace::default();
    disc.circle(place, size);
    let shade = pen.paint.shade;
    let (dx, dy) = (N(size * 0.12), N(size * -0.15));
    pen.sheet.path(
        &disc,
        format_args!("fill=\"{shade}\" fill-opacity=\".35\" transform=\"translate({dx} {dy})\""),
    );
    pen.sheet
        .path(&disc, format_args!("fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"{}\"", N(size * 0.14)));
    let at = |x: f64, y: f64| place + Point::new(x, y) * size;
    let mut sign = Trace::default();
    let kind = token.kind.to_lowercase();
    if kind.contains("arriv") || kind.contains("entry") || kind.contains("exit") {
        // It points the way one goes: on from the nearest edge, or off over it.
        let turn = inward(token.at, view) + if kind.contains("exit") { 180.0 } else { 0.0 };
        let arrow =
            [(-0.25, -0.6), (-0.25, 0.0), (-0.55, 0.0), (0.0, 0.65), (0.55, 0.0), (0.25, 0.0), (0.25, -0.6)];
        sign.chain(&arrow.map(|(x, y)| place + Point::new(x, y).turned(turn) * size), true);
    } else if kind.contains("objective") || kind.contains("goal") || kind.contains("victory") {
        let points: Vec<Point> = (0..10)
            .map(|corner| {
                let reach = if corner % 2 == 0 { 0.72 } else { 0.3 };
                place + angle::forward(f64::from(corner) * 36.0) * (reach * size)
            })
            .collect();
        sign.chain(&points, true);
    } else {
        sign.chain(&[at(0.0, 0.6), at(0.45, 0.0), at(0.0, -0.6), at(-0.45, 0.0)], true);
    }
    pen.fill(&sign, light, 1.0);
}

/// Draws shapes over the table: arcs and ranges as tinted ground, ways with an arrow, ghosts of bases.
pub(crate) fn overlays<'a>(pen: &mut Pen<'_>, id: &str, shapes: impl Iterator<Item = &'a Overlay>) {
    let mut shapes = shapes.enumerate().peekable();
    if shapes.peek().is_none() {
        return;
    }
    pen.sheet.open(format_args!("id=\"{id}\""));
    for (index, overlay) in shapes {
        pen.sheet.put(format_args!(
            "<g class=\"overlay\" data-kind=\"{}\"><title>{}</title>\n",
            safe(&overlay.kind),
            safe(overlay.label.as_deref().unwrap_or(&overlay.kind))
        ));
        one(pen, overlay, index);
        pen.sheet.close();
    }
    pen.sheet.close();
}

fn one(pen: &mut Pen<'_>, overlay: &Overlay, index: usize) {
    let colour = pen.paint.overlay;
    let pixel = pen.pixel;
    // Each overlay has its own dash, so that two of them can be told apart where they cross.
    let dash = [[7.0, 0.0], [6.0, 3.0], [2.0, 3.0], [9.0, 2.0]][index % 4].map(|length| N(length * pixel));
    let dashed = format!("stroke-dasharray=\"{} {}\" stroke-linejoin=\"round\"", dash[0], dash[1]);
    let mut trace = Trace::default();
    match &overlay.shape {
        OverlayShape::Outline(points) => {
            let points: Vec<Point> = points.iter().copied().filter(|point| point.is_finite()).collect();
            trace.chain(&points, true);
            pen.fill(&trace, colour, 0.1);
            pen.stroke(&trace, colour, pixel * 1.5, &dashed);
        }
        OverlayShape::Circle { centre, radius } if centre.is_finite() && radius.is_finite() => {
            trace.circle(*centre, *radius);
            pen.fill(&trace, colour, 0.07);
            pen.stroke(&trace, colour, pixel * 1.5, &dashed);
        }
        OverlayShape::Circle { .. } => {}
        OverlayShape::Path(points) => way(pen, overlay.kind == "path", points),
        OverlayShape::Bases(bases) => {
            for base in bases {
                trace.shape(base);
            }
            let dashes = format!("stroke-dasharray=\"{0} {1}\"", N(pixel * 5.0), N(pixel * 3.0));
            pen.fill(&trace, pen.paint.paper, 0.35);
            pen.fill(&trace, colour, 0.2);
            pen.stroke(&trace, pen.paint.paper, pixel * 3.4, "stroke-opacity=\".7\"");
            pen.stroke(&trace, colour, pixel * 1.6, &dashes);
        }
    }
}

/// A way: dashed, with a rim of paper and a head. The way of the unit itself is bold; what is measured beside it (the
/// corner of a wheel) is finer and begins with a dot.
fn way(pen: &mut Pen<'_>, bold: bool, points: &[Point]) {
    let points: Vec<Point> = points.iter().copied().filter(|point| point.is_finite()).collect();
    let [first, .., last] = points.as_slice() else { return };
    let (colour, pixel) = (pen.paint.overlay, pen.pixel);
    let (wide, dash, gap) = if bold { (2.8, 9.0, 5.0) } else { (1.9, 2.2, 3.4) };
    let mut trace = Trace::default();
    trace.chain(&points, false);
    let rim = "stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke-opacity=\".75\"";
    pen.stroke(&trace, pen.paint.paper, pixel * (wide + 3.0), rim);
    let dashes =
        format!("stroke-linejoin=\"round\" stroke-dasharray=\"{} {}\"", N(dash * pixel), N(gap * pixel));
    pen.stroke(&trace, colour, pixel * wide, &dashes);
    let size = pixel * if bold { 13.0 } else { 9.0 };
    // The head looks along the last stretch that is as long as itself.
    let back = points.iter().rev().find(|p| p.distance(*last) >= size * 0.5).unwrap_or(first);
    let ahead = (*last - *back).unit().unwrap_or(Point::new(0.0, 1.0)) * size;
    let aside = ahead.quarter_left() * 0.42;
    let mut head = Trace::default();
    head.chain(&[*last, *last - ahead + aside, *last - ahead * 0.72, *last - ahead - aside], true);
    pen.stroke(&head, pen.paint.paper, pixel * 3.0, "stroke-linejoin=\"round\" stroke-opacity=\".75\"");
    pen.fill(&head, colour, 1.0);
    let mut dot = Trace::default();
    dot.circle(*first, pixel * if bold { 3.4 } else { 2.6 });
    pen.stroke(&dot, pen.paint.paper, pixel * 2.4, "stroke-opacity=\".75\"");
    pen.fill(&dot, colour, 1.0);
}

/// The middle of a way by its length: where its label belongs.
pub(crate) fn halfway(points: &[Point]) -> Option<Point> {
    let whole: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = whole * 0.5;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length >= left && length > 0.0 {
            return Some(pair[0].lerp(pair[1], left / length));
        }
        left -= length;
    }
    points.last().copied()
}

/// The spot of an overlay its label belongs to.
pub(crate) fn tip(overlay: &Overlay, from: Point) -> Option<Point> {
    let farthest = |points: &[Point]| {
        let finite = points.iter().copied().filter(|point| point.is_finite());
        finite.max_by(|a, b| a.distance(from).total_cmp(&b.distance(from)))
    };
    match &overlay.shape {
        OverlayShape::Outline(points) => farthest(points),
        OverlayShape::Path(points) => points.last().copied(),
        OverlayShape::Circle { centre, radius } => Some(*centre + Point::new(0.0, *radius)),
        OverlayShape::Bases(bases) => bases.first().map(tricorne_table::Shape::centre),
    }
}
