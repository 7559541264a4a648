//! Letters as outlines: the renderer gets paths instead of text, from the crate's own fonts, each letter where its width
//! puts it. The picture was laid out by the same widths; and a renderer that need not set type is a third of the size.

use std::fmt::Write;

use ttf_parser::{GlyphId, OutlineBuilder};

use crate::letters::Face;

/// The drawing with every `<text>` as a path of the same place, paint and size.
pub(crate) fn outlined(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len() * 2);
    let mut rest = svg;
    while let Some((before, text)) = rest.split_once("<text") {
        out.push_str(before);
        let Some((head, tail)) = text.split_once('>') else {
            rest = text;
            break;
        };
        let (content, after) = if head.ends_with('/') { ("", tail) } else { split(tail) };
        trace(&mut out, head.trim_end_matches('/'), content);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What stands in the element, and what comes after it.
fn split(tail: &str) -> (&str, &str) {
    tail.split_once("</text>").unwrap_or((tail, ""))
}

fn trace(out: &mut String, head: &str, content: &str) {
    let (mut face, mut size, mut at, mut anchor, mut paint) =
        (Face::Plain, 16.0, (0.0, 0.0), "", String::new());
    for (name, value) in attributes(head) {
        let number = || value.parse::<f64>().unwrap_or_default();
        match name {
            "class" => face = Face::of_class(value),
            "font-size" => size = number(),
            "x" => at.0 = number(),
            "y" => at.1 = number(),
            "text-anchor" => anchor = value,
            _ => {
                let _ = write!(paint, " {name}=\"{value}\"");
            }
        }
    }
    let Ok(font) = ttf_parser::Face::parse(face.bytes(), 0) else { return };
    let scale = size / f64::from(font.units_per_em().max(1));
    let glyphs: Vec<GlyphId> =
        plain(content).chars().map(|letter| font.glyph_index(letter).unwrap_or_default()).collect();
    let wide = |glyph: GlyphId| f64::from(font.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    let whole: f64 = glyphs.iter().copied().map(wide).sum();
    let start = match anchor {
        "middle" => at.0 - whole / 2.0,
        "end" => at.0 - whole,
        _ => at.0,
    };
    let mut path = Path { d: String::new(), x: start, y: at.1, scale };
    for glyph in glyphs {
        // A letter without an outline, such as a space, only takes its room.
        let _ = font.outline_glyph(glyph, &mut path);
        path.x += wide(glyph);
    }
    if !path.d.is_empty() {
        let _ = write!(out, "<path d=\"{}\"{paint}/>", path.d);
    }
}

/// Names and values: `x="3" y="4"`.
fn attributes(head: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = head;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        rest = after;
        Some((name.trim(), value))
    })
}

/// A text as it is read, not as it is written in XML.
fn plain(content: &str) -> String {
    content
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// A path being written, in the drawing's own units: a font's `y` goes up.
struct Path {
    d: String,
    x: f64,
    y: f64,
    scale: f64,
}

impl Path {
    fn step(&mut self, kind: char, points: &[(f32, f32)]) {
        self.d.push(kind);
        for (i, (x, y)) in points.iter().enumerate() {
            let (x, y) = (self.x + f64::from(*x) * self.scale, self.y - f64::from(*y) * self.scale);
            let _ = write!(self.d, "{}{x:.3} {y:.3}", if i == 0 { "" } else { " " });
        }
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.step('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.step('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.step('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.step('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.d.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xs(path: &str) -> Vec<f64> {
        let d = path.split_once("d=\"").unwrap().1.split_once('"').unwrap().0;
        let numbers = d.split(|c: char| "MLQCZ ".contains(c)).filter(|n| !n.is_empty());
        numbers.step_by(2).map(|n| n.parse().unwrap()).collect()
    }

    #[test]
    fn a_text_is_drawn_in_its_place_with_its_paint() {
        let path = outlined(
            r##"<g><text x="10" y="20" class="fb" font-size="12" fill="#123" id="a">Foot</text></g>"##,
        );
        assert!(
            path.starts_with("<g><path d=\"M") && path.ends_with("\" fill=\"#123\" id=\"a\"/></g>"),
            "{path}"
        );
        let (least, most) = xs(&path).iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        let wide = crate::letters::width("Foot", Face::Bold, 12.0);
        assert!(
            least >= 10.0 && most <= 10.0 + wide && most > 10.0 + wide * 0.9,
            "{least} to {most} of {wide}"
        );
    }

    #[test]
    fn a_text_ends_or_has_its_middle_where_it_is_anchored() {
        let reach = |anchor: &str| {
            let path = outlined(&format!(
                "<text x=\"100\" y=\"0\" font-size=\"10\" text-anchor=\"{anchor}\">HH</text>"
            ));
            xs(&path).iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)))
        };
        let (left, right) = reach("middle");
        assert!((left + right - 200.0).abs() < 0.2, "{left} {right}");
        assert!(reach("end").1 <= 100.0 && reach("start").0 >= 100.0);
    }

    #[test]
    fn signs_are_read_as_they_are_meant_and_nothing_is_lost() {
        let and = outlined("<text>&amp;</text>");
        assert_eq!(and, outlined("<text >&</text>"));
        assert_ne!(and, outlined("<text>amp;</text>"));
        assert_eq!(outlined("<text> </text><circle r=\"1\"/>"), "<circle r=\"1\"/>");
        assert_eq!(outlined("<svg><path d=\"M0 0\"/></svg>"), "<svg><path d=\"M0 0\"/></svg>");
        outlined("<text x=\"1\"");
        outlined("<text>unclosed");
    }
}
