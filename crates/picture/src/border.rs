//! The frame round the table: a graduated border as on old maps, a scale, a compass.

use tricorne_game::view::View;
use tricorne_table::LengthUnit;

use crate::labels::Frame;
use crate::letters::Face;
use crate::names::Plan;
use crate::paint::Paint;
use crate::sheet::{N, Sheet};

/// How wide the border is, without its figures.
pub(crate) fn width(text: f64) -> f64 {
    text * 0.5
}

/// The steps of the border and of its figures, in the table's unit.
fn steps(view: &View) -> (f64, f64) {
    let long = view.table.width.max(view.table.height);
    match view.table.unit {
        LengthUnit::Inch if long <= 30.0 => (1.0, 6.0),
        LengthUnit::Inch if long <= 150.0 => (6.0, 12.0),
        LengthUnit::Inch => (12.0, 24.0),
        LengthUnit::Centimetre if long <= 80.0 => (5.0, 10.0),
        LengthUnit::Centimetre if long <= 400.0 => (10.0, 20.0),
        LengthUnit::Centimetre => (20.0, 100.0),
    }
}

/// Draws the border with its figures.
pub(crate) fn draw(sheet: &mut Sheet, view: &View, paint: &Paint, plan: &Plan) {
    let table = plan.table;
    let band = width(plan.text);
    let (step, figure) = steps(view);
    sheet.open(format_args!("id=\"border\""));
    let outer = table.grown(band);
    let (ink, paper) = (paint.ink, paint.paper);
    sheet.put(format_args!(
        "<path fill-rule=\"evenodd\" fill=\"{paper}\" d=\"{}{}\"/>\n",
        rect(&outer),
        rect(&table)
    ));
    let mut dark = String::new();
    for (along, across) in [(view.table.width, true), (view.table.height, false)] {
        let mut index = 0;
        while f64::from(index) * step < along - 1e-9 && index < 400 {
            let from = f64::from(index) * step * plan.scale;
            let run = (f64::from(index + 1) * step).min(along) * plan.scale - from;
            if index % 2 == 0 {
                let pieces = if across {
                    [
                        Frame { x: table.x + from, y: table.y - band, w: run, h: band },
                        Frame { x: table.x + from, y: table.y + table.h, w: run, h: band },
                    ]
                } else {
                    let y = table.y + table.h - from - run;
                    [
                        Frame { x: table.x - band, y, w: band, h: run },
                        Frame { x: table.x + table.w, y, w: band, h: run },
                    ]
                };
                dark.push_str(&rect(&pieces[0]));
                dark.push_str(&rect(&pieces[1]));
            }
            index += 1;
        }
    }
    sheet.put(format_args!("<path d=\"{dark}\" fill=\"{ink}\" fill-opacity=\".8\"/>\n"));
    sheet.put(format_args!(
        "<path d=\"{}{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.2\"/>\n",
        rect(&outer),
        rect(&table)
    ));
    figures(sheet, view, paint, plan, figure);
    sheet.close();
}

fn rect(frame: &Frame) -> String {
    format!("M{} {}h{}v{}h{}z", N(frame.x), N(frame.y), N(frame.w), N(frame.h), N(-frame.w))
}

fn figures(sheet: &mut Sheet, view: &View, paint: &Paint, plan: &Plan, step: f64) {
    let size = plan.text * 0.8;
    let band = width(plan.text);
    sheet.open(format_args!("fill=\"{}\"", paint.faint));
    let (class, high) = (Face::Plain.class(), N(size));
    let mut index = 1;
    while f64::from(index) * step < view.table.width - step * 0.3 && index < 100 {
        let x = plan.table.x + f64::from(index) * step * plan.scale;
        let y = plan.table.y + plan.table.h + band + size;
        let shown = f64::from(index) * step;
        sheet.put(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{class}\" font-size=\"{high}\">{shown}</text>",
            N(x),
            N(y)
        ));
        index += 1;
    }
    index = 1;
    while f64::from(index) * step < view.table.height - step * 0.3 && index < 100 {
        let y = plan.table.y + plan.table.h - f64::from(index) * step * plan.scale + size * 0.3;
        let x = plan.table.x - band - size * 0.25;
        let shown = f64::from(index) * step;
        sheet.put(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" class=\"{class}\" font-size=\"{high}\">{shown}</text>",
            N(x),
            N(y)
        ));
        index += 1;
    }
    sheet.close();
}

/// Draws the scale with its left end here.
pub(crate) fn scale(sheet: &mut Sheet, view: &View, paint: &Paint, plan: &Plan, (x, y): (f64, f64)) {
    let unit = view.table.unit;
    let bars: &[f64] = match unit {
        LengthUnit::Inch => &[0.5, 1.0, 3.0, 6.0, 12.0],
        LengthUnit::Centimetre => &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0],
    };
    // The longest that takes a fifth of the table at most.
    let fits = |step: &&f64| **step * 4.0 * plan.scale <= (plan.table.w * 0.2).max(90.0);
    let step = bars.iter().rfind(fits).copied().unwrap_or(bars[0]);
    let size = plan.text * 0.82;
    let high = plan.text * 0.32;
    sheet.open(format_args!("id=\"scale\""));
    for bar in 0..4_u32 {
        let from = x + f64::from(bar) * step * plan.scale;
        sheet.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\".9\"/>",
            N(from),
            N(y),
            N(step * plan.scale),
            N(high),
            if bar % 2 == 0 { paint.ink } else { paint.paper },
            paint.ink
        ));
    }
    for mark in [0_u32, 2, 4] {
        let length = f64::from(mark) * step;
        let shown = if mark == 4 { unit.show(length) } else { format!("{length}") };
        sheet.put(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{shown}</text>",
            N(x + length * plan.scale),
            N(y + high + size),
            Face::Plain.class(),
            N(size),
            paint.ink
        ));
    }
    sheet.close();
}

/// Draws a compass about a middle.
pub(crate) fn compass(sheet: &mut Sheet, paint: &Paint, (x, y): (f64, f64), radius: f64) {
    sheet.open(format_args!("id=\"compass\" transform=\"translate({} {})\"", N(x), N(y)));
    let r = radius;
    let (ink, paper) = (paint.ink, paint.paper);
    sheet.put(format_args!(
        "<circle r=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\".8\"/>",
        N(r * 0.62)
    ));
    for quarter in 0..4 {
        let long = if quarter == 0 { 1.0 } else { 0.8 };
        let (tip, half, waist) = (N(-r * long), N(r * 0.17), N(-r * 0.2));
        let line = format!("stroke=\"{ink}\" stroke-width=\".6\"");
        sheet.put(format_args!(
            "<g transform=\"rotate({})\"><path d=\"M0 {tip}L{half} {waist}L0 0Z\" fill=\"{ink}\" {line}/>\
             <path d=\"M0 {tip}L-{half} {waist}L0 0Z\" fill=\"{paper}\" {line}/></g>",
            quarter * 90
        ));
    }
    sheet.put(format_args!(
        "<text y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"{}\" fill=\"{ink}\">N</text>",
        N(-r * 1.1),
        Face::Slanted.class(),
        N(r * 0.62)
    ));
    sheet.close();
}
