//! The whole picture: title above, the table in its frame, scale and caption and panel below (or beside, where the
//! table is deeper than it is wide).

use tricorne_game::view::{Overlay, OverlayShape, View};

use crate::labels::Frame;
use crate::letters::{self, Face};
use crate::names::{self, Habits, Plan, inch};
use crate::paint::Paint;
use crate::panel::{self, Column};
use crate::pen::Pen;
use crate::sheet::{N, Sheet, safe};
use crate::smoke::{self, Powder};
use crate::style::Style;
use crate::{border, cards, dice, ground, markers, tokens, units};

/// Where everything goes.
pub(crate) struct Layout {
    width: f64,
    pub height: f64,
    plan: Plan,
    columns: Vec<Column>,
    column_width: f64,
    /// The panel stands beside the table.
    beside: bool,
    panel: Frame,
}

/// A table this deep for its width has its panel beside it.
const DEEP: f64 = 0.8;

impl Layout {
    /// Lays a picture out; it gets at least this height.
    pub fn of(view: &View, style: &Style, least: f64) -> Self {
        let width = f64::from(style.width.clamp(200, 8000));
        // Lettering grows with the picture, but not as fast: a wide picture has more room.
        let text = if width < 1500.0 { (width / 112.0).max(8.5) } else { 13.4 + (width - 1500.0) / 190.0 };
        let table_width = clean(view.table.width);
        let table_height = clean(view.table.height);
        let band = border::width(text);
        let (left, right) = (text * 2.2 + band, text * 1.2 + band);
        let beside = style.panel && table_height / table_width > DEEP;
        let side_panel = if beside { width * 0.24 } else { 0.0 };
        let top = if style.panel { text * 4.0 } else { text * 1.2 } + band;
        let scale = (width - left - right - side_panel) / table_width;
        let table = Frame { x: left, y: top, w: table_width * scale, h: table_height * scale };
        let plan = Plan { table, scale, text };
        let under = table.y + table.h + band + text * 1.2;
        let strip = text * 3.4;
        let count = view.sides.len() + 1;
        let gutter = text * 2.0;
        let column_width = if beside {
            side_panel - gutter - text * 0.9
        } else {
            (width - left - right - gutter * (count - 1) as f64) / count as f64
        };
        let columns =
            if style.panel { panel::columns(view, style, text * 1.1, column_width) } else { Vec::new() };
        let heights = columns.iter().map(Column::height);
        let panel = if beside {
            let high = heights.sum::<f64>() + gutter * count as f64;
            Frame { x: width - side_panel + text * 0.9, y: top, w: side_panel - right + band, h: high }
        } else {
            let high = if columns.is_empty() { 0.0 } else { heights.fold(0.0, f64::max) + text * 1.6 };
            Frame { x: left, y: under + strip, w: width - left - right, h: high }
        };
        let foot = (under + strip).max(panel.y + panel.h);
        let height = (foot + text * 0.8).ceil().max(least);
        Self { width, height, plan, columns, column_width, beside, panel }
    }
}

/// A length that can be drawn with.
fn clean(length: f64) -> f64 {
    if length.is_finite() && length > 0.0 { length } else { 1.0 }
}

/// Which part of a picture is drawn. The ground stays the same through a battle, so a film draws it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// Paper, cloth and terrain.
    Ground,
    /// All but the ground, on nothing.
    Rest,
}

/// Draws a view, or a part of it.
pub(crate) fn draw(view: &View, style: &Style, layout: &Layout, part: Part, habits: &mut Habits) -> String {
    draw_with(view, style, layout, part, habits, &Powder::default())
}

/// Draws a view, or a part of it, in the smoke of the moment.
pub(crate) fn draw_with(
    view: &View,
    style: &Style,
    layout: &Layout,
    part: Part,
    habits: &mut Habits,
    powder: &Powder<'_>,
) -> String {
    let paint = Paint::of(style, &view.terrain);
    let plan = &layout.plan;
    let mut pen = Pen { sheet: Sheet::default(), paint: &paint, inch: inch(view), pixel: 1.0 / plan.scale };
    let table = plan.table;
    pen.sheet.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" \
         data-table=\"{2} {3} {4} {5}\" data-scale=\"{6}\" data-coats=\"{9}\">\n<title>{7}</title>\n<style>{8}</style>\n<defs>\n",
        N(layout.width),
        N(layout.height),
        N(table.x),
        N(table.y),
        N(table.w),
        N(table.h),
        N(plan.scale),
        safe(&view.title),
        letters::RULES,
        units::coats(view)
    ));
    if part != Part::Rest {
        ground::tints(&mut pen);
        ground::symbols(&mut pen, &view.terrain);
    }
    if part != Part::Ground {
        units::symbols(&mut pen, view, !style.pieces);
    }
    pen.sheet.put(format_args!(
        "<clipPath id=\"table-clip\"><rect width=\"{}\" height=\"{}\"/></clipPath>\n</defs>\n",
        N(view.table.width),
        N(view.table.height)
    ));
    if part != Part::Rest {
        pen.sheet.put(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", paint.paper));
    }
    // In this group coordinates are the table's own: its unit, x east, y north.
    pen.sheet.open(format_args!(
        "id=\"table\" transform=\"matrix({0} 0 0 {1} {2} {3})\" clip-path=\"url(#table-clip)\"",
        N(plan.scale),
        N(-plan.scale),
        N(table.x),
        N(table.y + table.h)
    ));
    if part != Part::Rest {
        ground::cloth(&mut pen, view);
        ground::draw(&mut pen, view);
    }
    if part != Part::Ground && style.pieces {
        tokens::draw(&mut pen, view);
        let chosen =
            style.chosen.and_then(|id| view.units.iter().find(|unit| unit.id == id && unit.on_table));
        if let Some(unit) = chosen {
            tokens::overlays(&mut pen, "overlays", unit.overlays.iter());
        }
        // Ghosts lie under the toys, the ways they would go above them.
        let is_ghost = |o: &&Overlay| matches!(o.shape, OverlayShape::Bases(_));
        tokens::overlays(&mut pen, "ghosts", style.shown.iter().filter(is_ghost));
        units::fallen(&mut pen, view, &powder.fallen);
        units::draw(&mut pen, view, style.chosen);
        smoke::draw(&mut pen, powder);
        tokens::overlays(&mut pen, "ways", style.shown.iter().filter(|o| !is_ghost(o)));
    }
    pen.sheet.close();
    if part != Part::Ground {
        names::draw(&mut pen.sheet, view, style, &paint, plan, habits);
        border::draw(&mut pen.sheet, view, &paint, plan);
        dice::draw(&mut pen.sheet, &powder.thrown, plan);
        cards::draw(&mut pen.sheet, view, powder.cards, powder.turned, plan);
        around(&mut pen.sheet, view, style, &paint, layout);
    }
    pen.sheet.put(format_args!("</svg>\n"));
    pen.sheet.finish()
}

/// Title, strip with the scale, the caption and the compass, panel.
fn around(sheet: &mut Sheet, view: &View, style: &Style, paint: &Paint, layout: &Layout) {
    let plan = &layout.plan;
    let (table, text) = (plan.table, plan.text);
    let band = border::width(text);
    let strip = table.y + table.h + band + text * 1.7;
    border::scale(sheet, view, paint, plan, (table.x, strip));
    border::compass(sheet, paint, (table.x + table.w - text * 1.6, strip + text * 1.05), text * 1.35);
    if let Some(caption) = &style.caption {
        let room = table.w - 12.0 * plan.scale * inch(view) - text * 8.0;
        let size = text * 1.25;
        let shown = letters::cut(caption, Face::Slanted, size, room.max(table.w * 0.4));
        let middle = table.x + 12.0 * plan.scale * inch(view) + text * 2.5 + room * 0.5;
        sheet.put(format_args!(
            "<text id=\"caption\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"{}\" \
             fill=\"{}\">{}</text>\n",
            N(middle),
            N(strip + text * 1.1),
            Face::Slanted.class(),
            N(size),
            paint.ink,
            safe(&shown)
        ));
    }
    if !style.panel {
        return;
    }
    header(sheet, view, paint, layout);
    let panel = layout.panel;
    sheet.open(format_args!("id=\"panel\""));
    let (mut x, mut y) = (panel.x, panel.y);
    if !layout.beside {
        sheet.put(format_args!(
            "<path d=\"M{} {}H{}\" stroke=\"{}\"/>\n",
            N(panel.x),
            N(panel.y),
            N(panel.x + panel.w),
            paint.rule
        ));
        y += text * 0.8;
    }
    for (index, column) in layout.columns.iter().enumerate() {
        if index > 0 {
            let rule = if layout.beside {
                format!("M{} {}h{}", N(x), N(y - text), N(layout.column_width))
            } else {
                format!("M{} {}V{}", N(x - text), N(y), N(panel.y + panel.h))
            };
            sheet.put(format_args!("<path d=\"{rule}\" stroke=\"{}\"/>\n", paint.rule));
        }
        column.draw(sheet, view, paint, x, y);
        if layout.beside {
            y += column.height() + text * 2.0;
        } else {
            x += layout.column_width + text * 2.0;
        }
    }
    sheet.close();
}

fn header(sheet: &mut Sheet, view: &View, paint: &Paint, layout: &Layout) {
    let plan = &layout.plan;
    let text = plan.text;
    let base = text * 2.75;
    let right = layout.width - text * 1.2 - border::width(text);
    let clock = panel::clock(view);
    let size = text * 1.35;
    let clock_width = letters::width(&clock, Face::Bold, size);
    sheet.open(format_args!("id=\"header\""));
    let room = right - plan.table.x - clock_width - text * 6.0;
    sheet.put(format_args!(
        "<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
        N(plan.table.x),
        N(base),
        Face::Title.class(),
        N(text * 2.2),
        paint.ink,
        safe(&letters::cut(&view.title, Face::Title, text * 2.2, room.max(text * 12.0)))
    ));
    sheet.put(format_args!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
        N(right),
        N(base),
        Face::Bold.class(),
        N(size),
        paint.ink,
        safe(&clock)
    ));
    let active = view.clock.active.and_then(|side| Some((side.index(), view.sides.get(side.index())?)));
    if let Some((side, own)) = active {
        let badge = Frame {
            x: right - clock_width - size * 1.7,
            y: base - size * 0.82,
            w: size * 1.2,
            h: size * 0.95,
        };
        markers::badge(sheet, badge, side, own.livery, None, paint);
    }
    sheet.close();
}
