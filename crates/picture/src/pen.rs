//! The pen: the sheet being written, with the paints and the sizes everything is drawn by.

use tricorne_table::Point;

use crate::paint::Paint;
use crate::patch::Patch;
use crate::sheet::{N, Sheet, Trace};

/// What every drawing needs.
pub(crate) struct Pen<'a> {
    pub sheet: Sheet,
    pub paint: &'a Paint,
    /// An inch, in the table's unit: the size of toys does not depend on what they are measured with.
    pub inch: f64,
    /// One pixel of the picture, in the table's unit.
    pub pixel: f64,
}

impl Pen<'_> {
    /// A line width in inches of toy, but never thinner than a pixel can show.
    pub fn fine(&self, inches: f64) -> f64 {
        (inches * self.inch).max(self.pixel * 0.6)
    }

    /// Fills a path.
    pub fn fill(&mut self, trace: &Trace, colour: &str, opacity: f64) {
        if opacity >= 1.0 {
            self.sheet.path(trace, format_args!("fill=\"{colour}\""));
        } else {
            self.sheet.path(trace, format_args!("fill=\"{colour}\" fill-opacity=\"{}\"", N(opacity)));
        }
    }

    /// Strokes a path.
    pub fn stroke(&mut self, trace: &Trace, colour: &str, width: f64, more: &str) {
        self.sheet.path(
            trace,
            format_args!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" {more}", N(width)),
        );
    }

    /// Fills a patch: an area, or a band along its line.
    pub fn lay(&mut self, patch: &Patch, colour: &str, opacity: f64) {
        self.lay_wide(patch, colour, opacity, 0.0);
    }

    /// Fills a patch and so much round it.
    pub fn lay_wide(&mut self, patch: &Patch, colour: &str, opacity: f64, more: f64) {
        let trace = patch.trace();
        let width = 2.0 * (patch.half + more);
        let fill = if patch.closed { colour } else { "none" };
        self.sheet.path(
            &trace,
            format_args!(
                "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\" opacity=\"{}\" stroke-linejoin=\"round\" \
                 stroke-linecap=\"round\"",
                if width > 0.0 { colour } else { "none" },
                N(width.max(0.0)),
                N(opacity)
            ),
        );
    }

    /// The edge of a patch as a fine line: where the rules say it ends.
    pub fn edge(&mut self, patch: &Patch, colour: &str, opacity: f64) {
        if patch.closed {
            let (width, dash) = (self.fine(0.05), self.fine(0.16));
            let more = format!(
                "stroke-opacity=\"{}\" stroke-dasharray=\"{} {}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                N(opacity),
                N(dash),
                N(dash)
            );
            self.stroke(&patch.trace(), colour, width, &more);
        }
    }

    /// Opens a group that is clipped to a patch.
    pub fn within(&mut self, patch: &Patch, id: &str) {
        if patch.closed {
            self.sheet
                .put(format_args!("<clipPath id=\"{id}\"><path d=\"{}\"/></clipPath>\n", patch.trace().0));
            self.sheet.open(format_args!("clip-path=\"url(#{id})\""));
        } else {
            self.sheet.open(format_args!(""));
        }
    }
}

/// A place from polar coordinates about another, the angle in degrees clockwise from north.
pub(crate) fn polar(centre: Point, degrees: f64, radius: f64) -> Point {
    centre + tricorne_table::angle::forward(degrees) * radius
}
