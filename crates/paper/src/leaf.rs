//! One printed page: its size and every mark on it, in points from the top left corner.

use std::fmt::Write;
use std::str::FromStr;

pub(crate) use tricorne_picture::letters::Face;
use tricorne_picture::letters::{RULES, width};

/// The paper in the printer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaperSize {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8½ by 11 inches.
    Letter,
}

impl PaperSize {
    /// Width and height in points.
    pub fn points(self) -> (f64, f64) {
        match self {
            Self::A4 => (595.276, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }

    /// Its name in a style sheet.
    pub(crate) fn css(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "letter",
        }
    }
}

impl FromStr for PaperSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "a4" => Ok(Self::A4),
            "letter" => Ok(Self::Letter),
            _ => Err(format!("there is no paper `{text}` here; there is a4 and letter")),
        }
    }
}

/// The colours of print: black, and two that are still black on a printer without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Text and boxes.
    Black,
    /// Clauses and asides.
    Grey,
    /// Fine rules.
    Rule,
    /// Behind a heading.
    Tint,
    /// Behind every second row.
    Band,
}

impl Ink {
    /// Red, green, blue.
    pub fn rgb(self) -> (u8, u8, u8) {
        match self {
            Self::Black => (0x1d, 0x1a, 0x16),
            Self::Grey => (0x5c, 0x56, 0x4e),
            Self::Rule => (0xa8, 0xa0, 0x94),
            Self::Tint => (0xec, 0xe6, 0xda),
            Self::Band => (0xf6, 0xf3, 0xec),
        }
    }

    fn hex(self) -> String {
        let (r, g, b) = self.rgb();
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// Left, top, right and bottom.
type Reach = (f64, f64, f64, f64);

/// Something printed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A line of text, from its left end on its base line.
    Text { x: f64, y: f64, size: f64, face: Face, ink: Ink, text: String },
    /// A straight line.
    Line { from: (f64, f64), to: (f64, f64), weight: f64, ink: Ink },
    /// A rectangle, filled or outlined.
    Rect { x: f64, y: f64, w: f64, h: f64, fill: Option<Ink>, edge: Option<(f64, Ink)> },
    /// A filled or outlined shape.
    Shape { points: Vec<(f64, f64)>, fill: Option<Ink>, edge: Option<(f64, Ink)> },
}

impl Mark {
    /// The same mark elsewhere.
    #[must_use]
    pub fn moved(mut self, dx: f64, dy: f64) -> Self {
        match &mut self {
            Self::Text { x, y, .. } | Self::Rect { x, y, .. } => {
                *x += dx;
                *y += dy;
            }
            Self::Line { from, to, .. } => {
                *from = (from.0 + dx, from.1 + dy);
                *to = (to.0 + dx, to.1 + dy);
            }
            Self::Shape { points, .. } => points.iter_mut().for_each(|p| *p = (p.0 + dx, p.1 + dy)),
        }
        self
    }

    /// Left, top, right and bottom of what it covers.
    fn reach(&self) -> Reach {
        match self {
            Self::Text { x, y, size, face, text, .. } => {
                (*x, y - size * 0.8, x + width(text, *face, *size), y + size * 0.25)
            }
            Self::Line { from, to, .. } => {
                (from.0.min(to.0), from.1.min(to.1), from.0.max(to.0), from.1.max(to.1))
            }
            Self::Rect { x, y, w, h, .. } => (*x, *y, x + w, y + h),
            Self::Shape { points, .. } => points
                .iter()
                .fold((f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY), |b, p| {
                    (b.0.min(p.0), b.1.min(p.1), b.2.max(p.0), b.3.max(p.1))
                }),
        }
    }
}

/// One printed page.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The paper.
    pub(crate) paper: PaperSize,
    /// What the page is called in the file.
    pub(crate) title: String,
    /// Everything on it.
    pub(crate) marks: Vec<Mark>,
}

/// White round every page, in points; what common printers can't reach is less.
pub(crate) const MARGIN: f64 = 28.0;

impl Leaf {
    /// Whether every mark is within the margins.
    pub fn fits(&self) -> bool {
        let (w, h) = self.paper.points();
        let edge = MARGIN - 1.0;
        self.marks.iter().map(Mark::reach).all(|(left, top, right, bottom)| {
            left >= edge && top >= edge && right <= w - edge && bottom <= h - edge
        })
    }

    /// Two lines of text that stand on each other, if any do.
    pub fn overlapping(&self) -> Option<(&str, &str)> {
        let lines: Vec<(&str, Reach)> = self
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text { text, .. } => Some((text.as_str(), mark.reach())),
                _ => None,
            })
            .collect();
        lines.iter().enumerate().find_map(|(n, (text, a))| {
            let meets = |b: &Reach| {
                let across = a.2.min(b.2) - a.0.max(b.0);
                let down = a.3.min(b.3) - a.1.max(b.1);
                // Long letters of one line may hang a little way into the next.
                across > 0.3 && down > 0.35 * (a.3 - a.1).min(b.3 - b.1)
            };
            lines.iter().skip(n + 1).find(|(_, b)| meets(b)).map(|(other, _)| (*text, *other))
        })
    }

    /// The smallest letters on it, in points.
    pub fn smallest_letters(&self) -> f64 {
        let sizes = self.marks.iter().filter_map(|mark| match mark {
            Mark::Text { size, .. } => Some(*size),
            _ => None,
        });
        sizes.fold(f64::INFINITY, f64::min)
    }

    /// Every line of text on it, in the order it was set.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The page as SVG.
    pub fn svg(&self) -> String {
        let (w, h) = self.paper.points();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}pt\" height=\"{h}pt\" \
             role=\"img\" aria-label=\"{}\"><style>{RULES}</style><rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>",
            escape(&self.title)
        );
        for mark in &self.marks {
            mark.write(&mut out);
        }
        out.push_str("</svg>");
        out
    }
}

impl Mark {
    fn write(&self, out: &mut String) {
        let paint = |fill: &Option<Ink>, edge: &Option<(f64, Ink)>| {
            let fill = fill.map_or_else(|| "none".to_owned(), Ink::hex);
            let edge = edge.map_or_else(String::new, |(weight, ink)| {
                format!(" stroke=\"{}\" stroke-width=\"{weight:.2}\"", ink.hex())
            });
            format!("fill=\"{fill}\"{edge}")
        };
        // Writing to a string can't fail.
        let _ = match self {
            Self::Text { x, y, size, face, ink, text } => write!(
                out,
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.2}\" class=\"{}\" fill=\"{}\">{}</text>",
                face.class(),
                ink.hex(),
                escape(text)
            ),
            Self::Line { from, to, weight, ink } => write!(
                out,
                "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{}\" stroke-width=\"{weight:.2}\"/>",
                from.0,
                from.1,
                to.0,
                to.1,
                ink.hex()
            ),
            Self::Rect { x, y, w, h, fill, edge } => write!(
                out,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" {}/>",
                paint(fill, edge)
            ),
            Self::Shape { points, fill, edge } => {
                let at: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
                write!(out, "<polygon points=\"{}\" {}/>", at.join(" "), paint(fill, edge))
            }
        };
    }
}

/// Text for a place between tags or in an attribute.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
