//! Blocks set in columns, in letters as large as the page allows.

use tricorne_picture::letters::{width, wrap};

use crate::PaperError;
use crate::leaf::{Face, Ink, Leaf, MARGIN, Mark, PaperSize};

/// A block set for one width: its marks from its own top left corner, and its height.
#[derive(Default)]
pub(crate) struct Set {
    pub marks: Vec<Mark>,
    pub height: f64,
    /// Its words are wider than the column.
    pub overfull: bool,
}

impl Set {
    /// Adds a line of text at `x`, whose line is `size` high and a little.
    pub fn line(&mut self, x: f64, size: f64, face: Face, ink: Ink, text: &str) {
        self.height += size * 1.22;
        self.put(x, self.height - size * 0.28, size, face, ink, text);
    }

    /// Adds text in lines no wider than `limit`.
    pub fn text(&mut self, x: f64, limit: f64, size: f64, face: Face, ink: Ink, text: &str) {
        for line in wrap(text, face, size, limit) {
            self.line(x, size, face, ink, &line);
        }
    }

    /// Puts text at a place without making room for it.
    pub fn put(&mut self, x: f64, y: f64, size: f64, face: Face, ink: Ink, text: &str) {
        self.marks.push(Mark::Text { x, y, size, face, ink, text: text.to_owned() });
    }

    /// Puts text that ends at `right`.
    pub fn put_right(&mut self, right: f64, y: f64, size: f64, face: Face, ink: Ink, text: &str) {
        self.put(right - width(text, face, size), y, size, face, ink, text);
    }

    /// Leaves room.
    pub fn skip(&mut self, height: f64) {
        self.height += height;
    }
}

/// Letters are this large at scale 1, in points.
pub(crate) const BODY: f64 = 9.0;
/// Nobody reads smaller ones, in points.
const SMALLEST: f64 = 6.0;
/// Between columns, in points.
const GUTTER: f64 = 14.0;

/// What sets one block for a width at a size of letters.
pub(crate) type Block<'a> = Box<dyn Fn(f64, f64) -> Set + 'a>;

/// Sets a page: a title, a subtitle, then blocks in columns; as large as fits, in as many columns as gives the largest
/// letters, and the columns as even as they can be.
pub(crate) fn page(
    paper: PaperSize,
    title: &str,
    subtitle: &str,
    blocks: &[Block<'_>],
    columns: std::ops::RangeInclusive<usize>,
) -> Result<Leaf, PaperError> {
    let (page_width, page_height) = paper.points();
    let full = page_width - 2.0 * MARGIN;
    let mut head = Set::default();
    head.text(0.0, full, 20.0, Face::Title, Ink::Black, title);
    head.text(0.0, full, 10.0, Face::Slanted, Ink::Grey, subtitle);
    head.skip(4.0);
    let y = head.height;
    head.marks.push(Mark::Line { from: (0.0, y), to: (full, y), weight: 0.8, ink: Ink::Black });
    head.skip(8.0);
    let room = page_height - 2.0 * MARGIN - head.height;

    let largest = BODY * 1.3;
    let sizes = (0..).map(|n| largest - 0.2 * f64::from(n)).take_while(|size| *size >= SMALLEST);
    for size in sizes {
        for count in columns.clone() {
            let column = (full - GUTTER * (count - 1) as f64) / count as f64;
            let Some(sets) = set_all(blocks, column, size) else { continue };
            let heights: Vec<f64> = sets.iter().map(|set| set.height).collect();
            if deal(&heights, count, room, size).is_none() {
                continue;
            }
            // The lowest column that still holds everything: no column runs full while the last is empty.
            let (mut low, mut high) = (0.0, room);
            for _ in 0..24 {
                let middle = f64::midpoint(low, high);
                if deal(&heights, count, middle, size).is_some() { high = middle } else { low = middle }
            }
            let places = deal(&heights, count, high, size).unwrap_or_default();
            let mut marks: Vec<Mark> = head.marks.iter().map(|m| m.clone().moved(MARGIN, MARGIN)).collect();
            for (set, (n, down)) in sets.into_iter().zip(places) {
                let x = MARGIN + n as f64 * (column + GUTTER);
                let y = MARGIN + head.height + down;
                marks.extend(set.marks.into_iter().map(|m| m.moved(x, y)));
            }
            return Ok(Leaf { paper, title: title.to_owned(), marks });
        }
    }
    Err(PaperError::TooMuch(title.to_owned()))
}

/// All blocks set for a column; none if one is wider.
fn set_all(blocks: &[Block<'_>], column: f64, size: f64) -> Option<Vec<Set>> {
    blocks
        .iter()
        .map(|block| {
            let set = block(column, size);
            let fits = set.marks.iter().all(|mark| match mark {
                Mark::Text { x, size, face, text, .. } => x + width(text, *face, *size) <= column + 0.5,
                _ => true,
            });
            (fits && !set.overfull).then_some(set)
        })
        .collect()
}

/// Which column each block goes into and how far down, in their order; none if they need more columns.
fn deal(heights: &[f64], columns: usize, room: f64, gap: f64) -> Option<Vec<(usize, f64)>> {
    let (mut n, mut used) = (0, 0.0);
    let mut places = Vec::with_capacity(heights.len());
    for height in heights {
        if used + height > room && used > 0.0 {
            n += 1;
            used = 0.0;
        }
        if n >= columns || *height > room {
            return None;
        }
        places.push((n, used));
        used += height + gap;
    }
    Some(places)
}
