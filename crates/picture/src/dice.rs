//! Dice where they were thrown, hits lit: on the sheet, upright and of one size, as on the page
//! (`web/src/lib/stage/Throws.svelte`).

use tricorne_game::view::UnitView;
use tricorne_game::ways::Throw;
use tricorne_table::Point;

use crate::letters::Face;
use crate::names::Plan;
use crate::sheet::{N, Sheet};
use crate::units::bounds_of;

/// A die with the room about it, in pixels.
const SIZE: f64 = 15.0;
/// Dice side by side.
const WIDE: usize = 6;
/// Dice that are drawn at most; of more the number is said.
const MOST: usize = 18;

/// The pips of a face, on a square of 16.
fn pips(face: u8) -> &'static [(f64, f64)] {
    match face {
        1 => &[(8.0, 8.0)],
        2 => &[(4.5, 4.5), (11.5, 11.5)],
        3 => &[(4.5, 4.5), (8.0, 8.0), (11.5, 11.5)],
        4 => &[(4.5, 4.5), (11.5, 4.5), (4.5, 11.5), (11.5, 11.5)],
        5 => &[(4.5, 4.5), (11.5, 4.5), (8.0, 8.0), (4.5, 11.5), (11.5, 11.5)],
        6 => &[(4.5, 4.0), (11.5, 4.0), (4.5, 8.0), (11.5, 8.0), (4.5, 12.0), (11.5, 12.0)],
        _ => &[],
    }
}

/// Draws what was thrown, above whoever threw it and within the table.
pub(crate) fn draw(sheet: &mut Sheet, thrown: &[(&UnitView, &Throw)], plan: &Plan) {
    if thrown.is_empty() {
        return;
    }
    sheet.open(format_args!("id=\"dice\""));
    for (unit, throw) in thrown {
        let shown = throw.faces.len().min(MOST);
        let (columns, rows) = (shown.min(WIDE), shown.div_ceil(WIDE));
        let more = throw.faces.len() - shown;
        let wide = columns as f64 * SIZE + if more > 0 { 22.0 } else { 0.0 };
        let high = rows as f64 * SIZE;
        let (bounds, table) = (bounds_of(unit), plan.table);
        let (middle, top) = plan.spot(Point::new(bounds.centre().x, bounds.max.y));
        let within = |wanted: f64, from: f64, room: f64, need: f64| {
            wanted.clamp(from + 3.0, (from + room - need - 3.0).max(from + 3.0))
        };
        let (x, y) = (
            within(middle - wide / 2.0, table.x, table.w, wide),
            within(top - high - 4.0, table.y, table.h, high),
        );
        sheet.open(format_args!("transform=\"translate({} {})\" data-thrown=\"{}\"", N(x), N(y), throw.who));
        sheet.put(format_args!(
            "<rect x=\"-2\" y=\"-2\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#282218\" fill-opacity=\".88\"/>\n",
            N(wide + 4.0),
            N(high + 4.0)
        ));
        for (i, face) in throw.faces.iter().take(shown).enumerate() {
            die(sheet, (i % WIDE, i / WIDE), *face, throw.needed.map(|needed| i32::from(*face) >= needed));
        }
        if more > 0 {
            number(sheet, wide - 11.0, high / 2.0 + 4.0, "#fff", &format!("+{more}"));
        }
        sheet.close();
    }
    sheet.close();
}

fn die(sheet: &mut Sheet, (column, row): (usize, usize), face: u8, lit: Option<bool>) {
    let (fill, edge, width, opacity) = match lit {
        Some(true) => ("#ffd34d", "#1d5c2f", 2.0, 1.0),
        Some(false) => ("#fffdf6", "#4a4034", 0.8, 0.65),
        None => ("#fffdf6", "#4a4034", 0.8, 1.0),
    };
    sheet.open(format_args!(
        "transform=\"translate({} {}) scale({})\" opacity=\"{}\"",
        N(column as f64 * SIZE),
        N(row as f64 * SIZE),
        N(SIZE / 16.0),
        N(opacity)
    ));
    sheet.put(format_args!(
        "<rect x=\".8\" y=\".8\" width=\"14.4\" height=\"14.4\" rx=\"3\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{}\"/>\n",
        N(width)
    ));
    for (x, y) in pips(face) {
        sheet.put(format_args!("<circle cx=\"{}\" cy=\"{}\" r=\"1.6\" fill=\"#2b2620\"/>\n", N(*x), N(*y)));
    }
    if pips(face).is_empty() {
        number(sheet, 8.0, 12.0, "#2b2620", &face.to_string());
    }
    sheet.close();
}

fn number(sheet: &mut Sheet, x: f64, y: f64, fill: &str, text: &str) {
    sheet.put(format_args!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"12\" fill=\"{fill}\">{text}</text>\n",
        N(x),
        N(y),
        Face::Bold.class()
    ));
}
