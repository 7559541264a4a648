//! The sheet of SVG being written: groups, paths, numbers that are short and never `NaN`.

use std::fmt::{self, Write as _};

use tricorne_table::{Point, Shape};

/// A number as SVG likes it: at most three decimals, no needless zeros, nothing that is not a number.
#[derive(Clone, Copy)]
pub(crate) struct N(pub f64);

impl fmt::Display for N {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths =
            if self.0.is_finite() { (self.0.clamp(-1e9, 1e9) * 1000.0).round() as i64 } else { 0 };
        let (whole, rest) = (thousandths.abs() / 1000, thousandths.abs() % 1000);
        if thousandths < 0 {
            f.write_char('-')?;
        }
        match (whole, rest) {
            (whole, 0) => write!(f, "{whole}"),
            (0, rest) => f.write_str(format!(".{rest:03}").trim_end_matches('0')),
            (whole, rest) => f.write_str(format!("{whole}.{rest:03}").trim_end_matches('0')),
        }
    }
}

/// Text made safe for XML.
pub(crate) fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}

/// A name that may stand in an `id`: everything but letters, digits and dashes becomes a dash.
pub(crate) fn slug(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// SVG text being written.
#[derive(Default)]
pub(crate) struct Sheet {
    text: String,
}

impl Sheet {
    /// Writes one piece.
    pub fn put(&mut self, piece: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(piece);
    }

    /// Opens a group with these attributes.
    pub fn open(&mut self, attributes: fmt::Arguments<'_>) {
        self.put(format_args!("<g {attributes}>\n"));
    }

    /// Closes the group.
    pub fn close(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// A path with these attributes; nothing when the path is empty.
    pub fn path(&mut self, trace: &Trace, attributes: fmt::Arguments<'_>) {
        if !trace.is_empty() {
            self.put(format_args!("<path d=\"{}\" {attributes}/>\n", trace.0));
        }
    }

    /// A symbol used at a place, turned to a bearing and scaled.
    pub fn stamp(&mut self, symbol: &str, at: Point, facing: f64, scale: f64) {
        self.put(format_args!("<use href=\"#{symbol}\" transform=\"translate({} {})", N(at.x), N(at.y)));
        let turn = tricorne_table::angle::normalise(-facing);
        if turn != 0.0 {
            self.put(format_args!("rotate({})", N(turn)));
        }
        self.put(format_args!("scale({})\"/>\n", N(scale)));
    }

    /// All that was written.
    pub fn finish(self) -> String {
        self.text
    }
}

/// The `d` of a path.
#[derive(Clone, Default)]
pub(crate) struct Trace(pub String);

impl Trace {
    /// Whether nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn pair(&mut self, letter: &str, at: Point) {
        let _ = write!(self.0, "{letter}{} {}", N(at.x), N(at.y));
    }

    /// Lifts the pen to a place.
    pub fn go(&mut self, at: Point) {
        self.pair("M", at);
    }

    /// A straight line to a place.
    pub fn line(&mut self, at: Point) {
        self.pair("L", at);
    }

    /// A curve with one handle.
    pub fn bend(&mut self, handle: Point, at: Point) {
        self.pair("Q", handle);
        self.pair(" ", at);
    }

    /// An arc of a circle, anticlockwise on the table.
    pub fn arc(&mut self, radius: f64, at: Point) {
        let _ = write!(self.0, "A{0} {0} 0 0 1 {1} {2}", N(radius), N(at.x), N(at.y));
    }

    /// Back to where it began.
    pub fn shut(&mut self) {
        self.0.push('Z');
    }

    /// A stroke from one place to another.
    pub fn stroke(&mut self, from: Point, to: Point) {
        self.go(from);
        self.line(to);
    }

    /// A line through some places, closed or not.
    pub fn chain(&mut self, points: &[Point], closed: bool) {
        for (index, &point) in points.iter().enumerate() {
            if index == 0 { self.go(point) } else { self.line(point) }
        }
        if closed && points.len() > 1 {
            self.shut();
        }
    }

    /// A soft line through the middles of the stretches between some places.
    pub fn soft(&mut self, points: &[Point], closed: bool) {
        let n = points.len();
        if n < 3 {
            return self.chain(points, closed);
        }
        if closed {
            self.go(points[n - 1].midpoint(points[0]));
            for index in 0..n {
                self.bend(points[index], points[index].midpoint(points[(index + 1) % n]));
            }
            self.shut();
        } else {
            self.go(points[0]);
            for index in 1..n - 1 {
                let to =
                    if index == n - 2 { points[n - 1] } else { points[index].midpoint(points[index + 1]) };
                self.bend(points[index], to);
            }
        }
    }

    /// A whole circle.
    pub fn circle(&mut self, centre: Point, radius: f64) {
        let half = Point::new(radius, 0.0);
        self.go(centre - half);
        self.arc(radius, centre + half);
        self.arc(radius, centre - half);
        self.shut();
    }

    /// The rim of a shape: its core swollen by its radius.
    pub fn shape(&mut self, shape: &Shape) {
        let corners = shape.corners();
        let radius = shape.radius();
        if corners.len() == 1 {
            return self.circle(corners[0], radius);
        }
        if radius <= 0.0 {
            return self.chain(&corners, true);
        }
        for index in 0..corners.len() {
            let (from, to) = (corners[index], corners[(index + 1) % corners.len()]);
            // Corners run anticlockwise, so that outside is to the right.
            let out = (to - from).unit().unwrap_or(Point::new(0.0, 1.0)).quarter_right() * radius;
            if index == 0 {
                self.go(from + out);
            } else {
                self.arc(radius, from + out);
            }
            self.line(to + out);
            if index + 1 == corners.len() {
                let first = (corners[1] - corners[0]).unit().unwrap_or(Point::new(0.0, 1.0));
                self.arc(radius, corners[0] + first.quarter_right() * radius);
            }
        }
        self.shut();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tricorne_table::Pose;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        for (number, text) in [
            (1.0, "1"),
            (-0.25, "-.25"),
            (12.3456, "12.346"),
            (0.0004, "0"),
            (-0.0004, "0"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (10.0, "10"),
            (-3.1, "-3.1"),
            (0.05, ".05"),
        ] {
            assert_eq!(N(number).to_string(), text, "{number}");
        }
    }

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(safe("<b a=\"1\">&\u{1}"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        assert_eq!(slug("hill 1<"), "hill-1-");
    }

    #[test]
    fn a_pill_has_two_straights_and_two_arcs() {
        let pill = Shape::pill_at(Pose::new(Point::new(5.0, 5.0), 0.0), 2.0, 1.0).unwrap();
        let mut trace = Trace::default();
        trace.shape(&pill);
        assert_eq!(trace.0.matches('A').count(), 2);
        assert_eq!(trace.0.matches('L').count(), 2);
    }
}
