//! Leaves as PDF.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use crate::PaperError;
use crate::leaf::{Face, Ink, Leaf, Mark};

/// The leaves as a PDF file, one page each, with their fonts.
pub fn pdf(leaves: &[Leaf]) -> Result<Vec<u8>, PaperError> {
    let fonts = Fonts::load()?;
    let mut document = Document::new();
    if let Some(first) = leaves.first() {
        document.set_metadata(Metadata::new().title(first.title.clone()));
    }
    for leaf in leaves {
        let (w, h) = leaf.paper.points();
        let size = PageSettings::from_wh(w as f32, h as f32)
            .ok_or_else(|| PaperError::Pdf(format!("a page of {w} by {h} points")))?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        for mark in &leaf.marks {
            draw(&mut surface, mark, &fonts);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PaperError::Pdf(format!("{error:?}")))
}

struct Fonts {
    title: Font,
    slanted: Font,
    plain: Font,
    bold: Font,
}

impl Fonts {
    fn load() -> Result<Self, PaperError> {
        let font = |face: Face| {
            Font::new(face.bytes().to_vec().into(), 0)
                .ok_or_else(|| PaperError::Pdf("a font that came with the program can't be read".into()))
        };
        Ok(Self {
            title: font(Face::Title)?,
            slanted: font(Face::Slanted)?,
            plain: font(Face::Plain)?,
            bold: font(Face::Bold)?,
        })
    }

    fn of(&self, face: Face) -> Font {
        match face {
            Face::Title => self.title.clone(),
            Face::Slanted => self.slanted.clone(),
            Face::Plain => self.plain.clone(),
            Face::Bold => self.bold.clone(),
        }
    }
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    match mark {
        Mark::Text { x, y, size, face, ink, text } => {
            surface.set_fill(Some(fill(*ink)));
            surface.set_stroke(None);
            let at = Point::from_xy(*x as f32, *y as f32);
            surface.draw_text(at, fonts.of(*face), *size as f32, text, false, TextDirection::Auto);
        }
        Mark::Line { from, to, weight, ink } => {
            paint(surface, trace(&[*from, *to], false), None, Some((*weight, *ink)));
        }
        Mark::Rect { x, y, w, h, fill, edge } => {
            let path = Rect::from_xywh(*x as f32, *y as f32, *w as f32, *h as f32).and_then(|rect| {
                let mut path = PathBuilder::new();
                path.push_rect(rect);
                path.finish()
            });
            paint(surface, path, *fill, *edge);
        }
        Mark::Shape { points, fill, edge } => paint(surface, trace(points, true), *fill, *edge),
    }
}

fn trace(points: &[(f64, f64)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (n, (x, y)) in points.iter().enumerate() {
        if n == 0 {
            path.move_to(*x as f32, *y as f32);
        } else {
            path.line_to(*x as f32, *y as f32);
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn paint(surface: &mut Surface<'_>, path: Option<Path>, inside: Option<Ink>, edge: Option<(f64, Ink)>) {
    let Some(path) = path else { return };
    surface.set_fill(inside.map(fill));
    surface.set_stroke(edge.map(|(weight, ink)| Stroke {
        paint: colour(ink).into(),
        width: weight as f32,
        ..Stroke::default()
    }));
    surface.draw_path(&path);
}

fn colour(ink: Ink) -> rgb::Color {
    let (r, g, b) = ink.rgb();
    rgb::Color::new(r, g, b)
}

fn fill(ink: Ink) -> Fill {
    Fill { paint: colour(ink).into(), ..Fill::default() }
}
