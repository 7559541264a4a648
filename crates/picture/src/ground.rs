//! The table itself and all that lies on it before the first toy is set down.

use tricorne_game::view::{Look, TerrainView, View};
use tricorne_table::Point;

use crate::grain::Grain;
use crate::patch::Patch;
use crate::pen::Pen;
use crate::sheet::{N, Trace, safe, slug};
use crate::{hills, houses, stones, trees, water, works};

/// Which lies under which: the flat under the tall, hills under all.
fn layer(look: Look) -> u8 {
    match look {
        Look::Hill => 0,
        Look::SteepHill => 1,
        Look::Crops | Look::Rough | Look::Marsh | Look::Grass => 2,
        Look::Water | Look::Shallows | Look::Donga => 3,
        Look::Stream => 4,
        Look::Road => 5,
        Look::Crossing => 6,
        Look::Cliff | Look::Rocks | Look::Ruins | Look::Scrub | Look::Earthwork => 7,
        Look::Fence | Look::Hedge | Look::Wall | Look::Abatis => 8,
        Look::Building | Look::Town => 9,
        Look::Palms | Look::Wood | Look::Forest => 10,
    }
}

/// How wide a line of this is drawn when the view does not say.
fn width(look: Look) -> f64 {
    match look {
        Look::Road | Look::Crossing => 1.6,
        Look::Stream => 1.0,
        Look::Fence | Look::Wall | Look::Hedge | Look::Abatis | Look::Earthwork => 0.5,
        Look::Cliff => 0.9,
        _ => 2.0,
    }
}

/// Writes the symbols this ground needs, each once.
pub(crate) fn symbols(pen: &mut Pen<'_>, ground: &[TerrainView]) {
    let mut done: Vec<Look> = Vec::new();
    for piece in ground {
        if !done.contains(&piece.look) {
            trees::symbols(pen, piece.look);
            done.push(piece.look);
        }
    }
    if done.iter().any(|&look| stones::has_stones(look)) {
        stones::symbols(pen);
    }
}

/// Writes the soft tints of the cloth.
pub(crate) fn tints(pen: &mut Pen<'_>) {
    let [_, dark, light, _] = pen.paint.cloth;
    for (id, colour) in [("cloth-dark", dark), ("cloth-light", light)] {
        pen.sheet.put(format_args!(
            "<radialGradient id=\"{id}\"><stop stop-color=\"{colour}\" stop-opacity=\".85\"/><stop offset=\"1\" \
             stop-color=\"{colour}\" stop-opacity=\"0\"/></radialGradient>\n"
        ));
    }
}

/// The cloth: one colour, lighter and darker patches, blades of grass.
pub(crate) fn cloth(pen: &mut Pen<'_>, view: &View) {
    let (wide, high) = (view.table.width, view.table.height);
    let [base, dark, light, blade] = pen.paint.cloth;
    pen.sheet.open(format_args!("id=\"cloth\""));
    let mut whole = Trace::default();
    let corners = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)];
    whole.chain(&corners.map(|(x, y)| Point::new(x, y)), true);
    pen.fill(&whole, base, 1.0);
    let mut grain = Grain::of(&view.title);
    let size = (wide * high).sqrt();
    for (tint, count) in [("cloth-dark", 34), ("cloth-light", 34)] {
        for _ in 0..count {
            let at = Point::new(grain.between(0.0, wide), grain.between(0.0, high));
            let (across, down) = (size * grain.between(0.05, 0.17), size * grain.between(0.04, 0.11));
            pen.sheet.put(format_args!(
                "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" fill=\"url(#{tint})\"/>",
                N(at.x),
                N(at.y),
                N(across),
                N(down)
            ));
        }
    }
    let mut specks = [Trace::default(), Trace::default()];
    let many = (wide * high / (pen.inch * pen.inch) / 2.6).clamp(100.0, 1600.0) as u32;
    for speck in 0..many {
        let at = Point::new(grain.between(0.0, wide), grain.between(0.0, high));
        let run = Point::new(grain.between(-0.2, 0.2), grain.between(-0.2, 0.2)) * pen.inch;
        specks[usize::from(speck % 2 == 0)].stroke(at, at + run);
    }
    let thick = 0.1 * pen.inch;
    pen.stroke(&specks[0], dark, thick, "stroke-linecap=\"round\" stroke-opacity=\".7\"");
    pen.stroke(&specks[1], light, thick, "stroke-linecap=\"round\" stroke-opacity=\".7\"");
    let mut blades = Trace::default();
    let count = (wide * high / (pen.inch * pen.inch) / 5.5).clamp(60.0, 900.0) as u32;
    let tall = 0.2 * pen.inch;
    for _ in 0..count {
        let at = Point::new(grain.between(0.0, wide), grain.between(0.0, high));
        for lean in [-0.5, 0.1, 0.6] {
            blades.stroke(at + Point::new(lean * tall * 0.3, 0.0), at + Point::new(lean * tall, tall));
        }
    }
    let thin = pen.fine(0.035);
    pen.stroke(&blades, blade, thin, "stroke-opacity=\".55\" stroke-linecap=\"round\"");
    pen.sheet.close();
}

/// Draws every piece of ground, the lowest first.
pub(crate) fn draw(pen: &mut Pen<'_>, view: &View) {
    let mut pieces: Vec<(usize, &TerrainView)> = view.terrain.iter().enumerate().collect();
    pieces.sort_by_key(|&(index, piece)| (layer(piece.look), piece.level, index));
    pen.sheet.open(format_args!("id=\"ground\""));
    let mut cased = false;
    for &(index, piece) in &pieces {
        if !cased && layer(piece.look) >= layer(Look::Road) {
            cased = true;
            for (_, road) in pieces.iter().filter(|(_, piece)| piece.look == Look::Road) {
                if let Some(patch) = Patch::of(road, width(Look::Road) * pen.inch) {
                    houses::casing(pen, &patch);
                }
            }
        }
        let Some(patch) = Patch::of(piece, width(piece.look) * pen.inch) else { continue };
        pen.sheet.put(format_args!(
            "<g class=\"ground {}\" data-id=\"{}\"><title>{}</title>\n",
            slug(&piece.kind),
            safe(&piece.id),
            safe(&title(piece))
        ));
        // Two pieces may share an id; a clip may not.
        one(pen, &patch, piece, &format!("{}-{index}", slug(&piece.id)));
        pen.sheet.close();
    }
    pen.sheet.close();
}

fn title(piece: &TerrainView) -> String {
    let notes: Vec<String> =
        piece.notes.iter().map(|note| format!("{}: {}", note.label, note.text)).collect();
    if notes.is_empty() { piece.kind.clone() } else { format!("{} — {}", piece.kind, notes.join("; ")) }
}

fn one(pen: &mut Pen<'_>, patch: &Patch, piece: &TerrainView, id: &str) {
    match piece.look {
        Look::Wood | Look::Forest | Look::Palms | Look::Scrub | Look::Grass | Look::Crops => {
            trees::draw(pen, patch, piece.look, id);
        }
        Look::Rocks | Look::Ruins | Look::Rough | Look::Donga | Look::Cliff => {
            stones::draw(pen, patch, piece.look, id);
        }
        Look::Marsh | Look::Water | Look::Shallows | Look::Stream => water::draw(pen, patch, piece.look, id),
        Look::Hill | Look::SteepHill => hills::draw(pen, patch, piece, id),
        Look::Building | Look::Town | Look::Road | Look::Crossing => {
            houses::draw(pen, patch, piece.look, id);
        }
        Look::Fence | Look::Hedge | Look::Wall | Look::Earthwork | Look::Abatis => {
            works::draw(pen, patch, piece.look, id);
        }
    }
}
