//! Plates: what a study came to, drawn. Plain SVG in the manner of the pictures of the table, with their paper, ink and
//! type.

use std::fmt::Write as _;

use tricorne_picture::letters::{self, Face};

const PAPER: &str = "#f6efdd";
const INK: &str = "#2f261c";
const FAINT: &str = "#75664d";
const RULE: &str = "#d8c9a4";

/// The colour of the first side or player, of the second, and of a draw. Dark, middle and light, so that they stay
/// apart without colour.
pub const COLOURS: [&str; 3] = ["#9c3b2c", "#5f83ad", "#ddcfae"];

const WIDE: f64 = 860.0;
const EDGE: f64 = 36.0;

/// A drawing of one or several panels under a title.
#[derive(Clone, Debug)]
pub struct Plate {
    /// The title.
    pub title: String,
    /// A line under it.
    pub subtitle: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
    /// A line at the foot: how it was made.
    pub foot: String,
}

/// One part of a plate.
#[derive(Clone, Debug)]
pub enum Panel {
    /// Values with their intervals, one a line.
    Dots {
        /// Its heading.
        title: String,
        /// The scale.
        scale: Scale,
        /// A value to compare with, drawn as a line.
        mark: Option<f64>,
        /// The lines.
        rows: Vec<Dot>,
        /// Whether a bar is drawn from the left end of the scale to the value.
        bars: bool,
    },
    /// How often each number came: columns in up to three parts.
    Columns {
        /// Its heading.
        title: String,
        /// What the numbers are.
        about: String,
        /// Names of the parts.
        parts: Vec<String>,
        /// The number and how often it came in each part.
        columns: Vec<(u32, Vec<u64>)>,
    },
}

/// A value with its interval.
#[derive(Clone, Debug)]
pub struct Dot {
    /// What it is the value of.
    pub label: String,
    /// The value.
    pub value: f64,
    /// Its interval.
    pub low: f64,
    /// Its interval.
    pub high: f64,
    /// The value in words, at the right.
    pub text: String,
    /// An index into [`COLOURS`].
    pub colour: usize,
}

/// A scale along the foot of a panel.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The left end.
    pub from: f64,
    /// The right end.
    pub to: f64,
    /// A tick every so much.
    pub step: f64,
    /// Whether numbers are shares, written as per cent.
    pub percent: bool,
}

impl Scale {
    /// From nothing to all.
    pub const SHARE: Scale = Scale { from: 0.0, to: 1.0, step: 0.25, percent: true };

    /// A scale with round ends and ticks that holds all of these numbers.
    pub fn round(numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), n| (l.min(n), h.max(n)));
        if !low.is_finite() || !high.is_finite() {
            return Scale { from: 0.0, to: 1.0, step: 0.5, percent: false };
        }
        let rough = ((high - low) / 5.0).max(1e-6);
        let ten = libm::pow(10.0, libm::floor(libm::log10(rough)));
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * ten).find(|s| *s >= rough).unwrap_or(rough);
        let (from, to) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale { from, to: if to > from { to } else { from + step }, step, percent: false }
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.to - self.from) / self.step + 0.5) as u32;
        (0..=count).map(move |i| self.from + f64::from(i) * self.step)
    }

    fn written(self, value: f64) -> String {
        if self.percent {
            format!("{:.0} %", value * 100.0)
        } else if self.step < 0.995 {
            format!("{value:.2}")
        } else {
            format!("{value:.0}")
        }
    }
}

impl Plate {
    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        let mut sheet = Sheet::default();
        let mut y = EDGE + 22.0;
        for line in letters::wrap(&self.title, Face::Title, 28.0, WIDE - 2.0 * EDGE) {
            sheet.text(EDGE, y, 28.0, Face::Title, INK, "start", &line);
            y += 32.0;
        }
        y -= 8.0;
        for line in letters::wrap(&self.subtitle, Face::Slanted, 17.0, WIDE - 2.0 * EDGE) {
            sheet.text(EDGE, y, 17.0, Face::Slanted, FAINT, "start", &line);
            y += 22.0;
        }
        for panel in &self.panels {
            y += 18.0;
            y = panel.draw(&mut sheet, y);
        }
        y += 14.0;
        for line in letters::wrap(&self.foot, Face::Plain, 12.0, WIDE - 2.0 * EDGE) {
            y += 15.0;
            sheet.text(EDGE, y, 12.0, Face::Plain, FAINT, "start", &line);
        }
        let tall = y + EDGE - 8.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {tall:.0}\" width=\"{WIDE}\" \
             height=\"{tall:.0}\"><style>{}</style><rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>{}</svg>\n",
            letters::RULES,
            sheet.body
        )
    }
}

impl Panel {
    /// Draws it from `y` downwards; where it ends.
    fn draw(&self, sheet: &mut Sheet, y: f64) -> f64 {
        match self {
            Panel::Dots { title, scale, mark, rows, bars } => {
                dots(sheet, y, (title, *scale, *mark, *bars), rows)
            }
            Panel::Columns { title, about, parts, columns } => {
                columns_panel(sheet, y, (title, about), parts, columns)
            }
        }
    }
}

fn heading(sheet: &mut Sheet, y: f64, title: &str) -> f64 {
    sheet.text(EDGE, y + 16.0, 17.0, Face::Bold, INK, "start", title);
    sheet.line(EDGE, y + 24.0, WIDE - EDGE, y + 24.0, RULE, 1.0);
    y + 24.0
}

fn dots(sheet: &mut Sheet, y: f64, head: (&str, Scale, Option<f64>, bool), rows: &[Dot]) -> f64 {
    const ROW: f64 = 25.0;
    let (title, scale, mark, bars) = head;
    let top = heading(sheet, y, title) + 8.0;
    let widest = |f: &dyn Fn(&Dot) -> &str| {
        rows.iter().map(|r| letters::width(f(r), Face::Plain, 15.0)).fold(0.0, f64::max)
    };
    let left = EDGE + widest(&|r| &r.label).clamp(60.0, 260.0) + 18.0;
    let right = WIDE - EDGE - widest(&|r| &r.text).clamp(40.0, 280.0) - 18.0;
    let x =
        |value: f64| left + ((value - scale.from) / (scale.to - scale.from)).clamp(0.0, 1.0) * (right - left);
    let foot = top + rows.len() as f64 * ROW + 4.0;
    for tick in scale.ticks() {
        sheet.line(x(tick), top, x(tick), foot, RULE, 1.0);
        sheet.text(x(tick), foot + 15.0, 12.5, Face::Plain, FAINT, "middle", &scale.written(tick));
    }
    if let Some(mark) = mark {
        sheet.line(x(mark), top - 2.0, x(mark), foot, FAINT, 1.6);
    }
    for (i, row) in rows.iter().enumerate() {
        let middle = top + (i as f64 + 0.5) * ROW + 2.0;
        let colour = COLOURS[row.colour.min(2)];
        let label = letters::cut(&row.label, Face::Plain, 15.0, left - EDGE - 12.0);
        sheet.text(left - 12.0, middle + 5.0, 15.0, Face::Plain, INK, "end", &label);
        if bars {
            sheet.rect(left, middle - 7.0, x(row.value) - left, 14.0, colour);
        }
        sheet.line(x(row.low), middle, x(row.high), middle, INK, 1.6);
        for end in [row.low, row.high] {
            sheet.line(x(end), middle - 4.0, x(end), middle + 4.0, INK, 1.6);
        }
        if !bars {
            sheet.dot(x(row.value), middle, 5.5, colour);
        }
        sheet.text(right + 12.0, middle + 5.0, 15.0, Face::Plain, INK, "start", &row.text);
    }
    foot + 20.0
}

fn columns_panel(
    sheet: &mut Sheet,
    y: f64,
    head: (&str, &str),
    parts: &[String],
    columns: &[(u32, Vec<u64>)],
) -> f64 {
    const TALL: f64 = 170.0;
    let top = heading(sheet, y, head.0) + 12.0;
    // The legend, from right to left.
    let mut at = WIDE - EDGE;
    for (i, part) in parts.iter().enumerate().rev() {
        at -= letters::width(part, Face::Plain, 14.0);
        sheet.text(at, y + 16.0, 14.0, Face::Plain, INK, "start", part);
        at -= 18.0;
        sheet.rect(at, y + 5.0, 12.0, 12.0, COLOURS[i.min(2)]);
        at -= 16.0;
    }
    let highest = columns.iter().map(|(_, n)| n.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let scale = Scale::round([0.0, highest as f64].into_iter());
    let left = EDGE + 40.0;
    let right = WIDE - EDGE;
    let foot = top + TALL;
    let up = |n: f64| foot - n / scale.to * TALL;
    for tick in scale.ticks().filter(|t| (t - t.round()).abs() < 1e-9) {
        sheet.line(left, up(tick), right, up(tick), RULE, 1.0);
        sheet.text(left - 8.0, up(tick) + 4.0, 12.5, Face::Plain, FAINT, "end", &format!("{tick:.0}"));
    }
    let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return foot };
    let count = f64::from(last.0 - first.0 + 1);
    let pitch = ((right - left) / count).min(64.0);
    // Few columns stand together in the middle.
    let start = f64::midpoint(left, right) - pitch * count / 2.0;
    let every = (28.0 / pitch).ceil().max(1.0) as u32;
    for (number, counts) in columns {
        let x = start + f64::from(number - first.0) * pitch;
        let mut base = 0.0;
        for (i, &n) in counts.iter().enumerate() {
            let next = base + n as f64;
            sheet.rect(x + pitch * 0.1, up(next), pitch * 0.8, up(base) - up(next), COLOURS[i.min(2)]);
            base = next;
        }
        if (number - first.0).is_multiple_of(every) {
            sheet.text(x + pitch / 2.0, foot + 16.0, 12.5, Face::Plain, FAINT, "middle", &number.to_string());
        }
    }
    sheet.line(left, foot, right, foot, FAINT, 1.2);
    sheet.text(f64::midpoint(left, right), foot + 34.0, 13.5, Face::Slanted, FAINT, "middle", head.1);
    foot + 38.0
}

#[derive(Default)]
struct Sheet {
    body: String,
}

impl Sheet {
    fn put(&mut self, piece: std::fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = self.body.write_fmt(piece);
    }

    #[allow(clippy::too_many_arguments)]
    fn text(&mut self, x: f64, y: f64, size: f64, face: Face, fill: &str, anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.put(format_args!(
            "<text class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" \
             text-anchor=\"{anchor}\">{text}</text>",
            face.class()
        ));
    }

    fn line(&mut self, x: f64, y: f64, to_x: f64, to_y: f64, stroke: &str, wide: f64) {
        self.put(format_args!(
            "<path d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\" stroke=\"{stroke}\" stroke-width=\"{wide}\"/>"
        ));
    }

    fn rect(&mut self, x: f64, y: f64, wide: f64, tall: f64, fill: &str) {
        if wide > 0.0 && tall > 0.0 {
            self.put(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" fill=\"{fill}\"/>"
            ));
        }
    }

    fn dot(&mut self, x: f64, y: f64, radius: f64, fill: &str) {
        self.put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.2\"/>"
        ));
    }
}
