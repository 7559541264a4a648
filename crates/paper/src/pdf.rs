//! Leaves as PDF.
//!
//! Each letter stands where its width puts it, without kerning or ligatures: the leaf was laid out by the same widths,
//! so what fitted there fits here. A font goes into the file whole (some 30 KB each) and only if it is used.

mod type_case;

use pdf_writer::writers::Resources;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use crate::PaperError;
use crate::leaf::{Ink, Leaf, Mark};
use type_case::TypeCase;

/// The leaves as a PDF file, one page each, with their fonts.
pub fn pdf(leaves: &[Leaf]) -> Result<Vec<u8>, PaperError> {
    let mut fonts = TypeCase::open()?;
    let mut file = Pdf::new();
    let mut last = Ref::new(1);
    let mut next = || last.bump();
    let (catalog, tree, info) = (next(), next(), next());
    let font_ids = TypeCase::ids(&mut next);
    let pages: Vec<(Ref, Ref)> = leaves.iter().map(|_| (next(), next())).collect();
    file.catalog(catalog).pages(tree).viewer_preferences().display_doc_title(true);
    file.pages(tree).kids(pages.iter().map(|(page, _)| *page)).count(leaves.len() as i32);
    if let Some(first) = leaves.first() {
        file.document_info(info).title(TextStr(&first.title));
    }
    for (leaf, (page, drawn)) in leaves.iter().zip(pages) {
        let (w, h) = leaf.paper.points();
        let mut content = Content::new();
        for mark in &leaf.marks {
            draw(&mut content, mark, h, &mut fonts);
        }
        let packed = packed(&content.finish());
        file.stream(drawn, &packed).filter(Filter::FlateDecode);
        let mut page = file.page(page);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, w as f32, h as f32)).contents(drawn);
        list_fonts(&mut page.resources(), &fonts, &font_ids);
        page.finish();
    }
    fonts.write(&mut file, &font_ids);
    Ok(file.finish())
}

fn list_fonts(resources: &mut Resources<'_>, fonts: &TypeCase, ids: &type_case::Ids) {
    let mut listed = resources.fonts();
    for (name, id) in fonts.used(ids) {
        listed.pair(Name(name), id);
    }
}

/// A stream as the file keeps it.
fn packed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

/// Draws a mark. A leaf counts from the top left corner of the paper, a PDF from the bottom left.
fn draw(content: &mut Content, mark: &Mark, height: f64, fonts: &mut TypeCase) {
    let up = |y: f64| (height - y) as f32;
    match mark {
        Mark::Text { x, y, size, face, ink, text } => {
            let set = fonts.set(*face, text);
            fill(content, *ink);
            content.begin_text();
            content.set_font(Name(set.font), *size as f32);
            content.next_line(*x as f32, up(*y)).show(Str(&set.glyphs));
            content.end_text();
        }
        Mark::Line { from, to, weight, ink } => paint(content, None, Some((*weight, *ink)), |path| {
            path.move_to(from.0 as f32, up(from.1)).line_to(to.0 as f32, up(to.1));
        }),
        Mark::Rect { x, y, w, h, fill, edge } => paint(content, *fill, *edge, |path| {
            path.rect(*x as f32, up(y + h), *w as f32, *h as f32);
        }),
        Mark::Shape { points, fill, edge } => paint(content, *fill, *edge, |path| {
            for (n, (x, y)) in points.iter().enumerate() {
                let (x, y) = (*x as f32, up(*y));
                if n == 0 {
                    path.move_to(x, y)
                } else {
                    path.line_to(x, y)
                };
            }
            path.close_path();
        }),
    }
}

/// Fills and outlines a path; the colours come first, for none may be chosen once a path is begun.
fn paint(content: &mut Content, inside: Option<Ink>, edge: Option<(f64, Ink)>, path: impl Fn(&mut Content)) {
    if let Some(ink) = inside {
        fill(content, ink);
    }
    if let Some((weight, ink)) = edge {
        let [r, g, b] = colour(ink);
        content.set_line_width(weight as f32).set_stroke_rgb(r, g, b);
    }
    path(content);
    match (inside, edge) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
}

fn fill(content: &mut Content, ink: Ink) {
    let [r, g, b] = colour(ink);
    content.set_fill_rgb(r, g, b);
}

fn colour(ink: Ink) -> [f32; 3] {
    let (r, g, b) = ink.rgb();
    [r, g, b].map(|part| f32::from(part) / 255.0)
}
