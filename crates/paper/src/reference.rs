//! A system's charts on one page.

use tricorne_game::army::{ReferenceChart, ReferenceSheet};
use tricorne_picture::letters::{width, wrap};

use crate::PaperError;
use crate::columns::{Block, Set, page};
use crate::leaf::{Face, Ink, Leaf, Mark, PaperSize};

/// A quick-reference sheet on one page.
pub fn reference(sheet: &ReferenceSheet, paper: PaperSize) -> Result<Leaf, PaperError> {
    let blocks: Vec<Block<'_>> = sheet
        .charts
        .iter()
        .map(|chart| -> Block<'_> { Box::new(move |column, size| set_chart(chart, column, size)) })
        .collect();
    page(paper, &sheet.title, "Quick reference, with the rules as played", &blocks, 1..=4)
}

fn set_chart(chart: &ReferenceChart, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    let bar = size * 1.5;
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w: column, h: bar, fill: Some(Ink::Tint), edge: None });
    set.put(size * 0.4, bar * 0.72, size * 1.1, Face::Bold, Ink::Black, &chart.title);
    set.put_right(column - size * 0.4, bar * 0.72, size * 0.75, Face::Slanted, Ink::Grey, &chart.clause);
    set.height = bar + size * 0.2;
    let across = chart.rows.iter().map(Vec::len).chain([chart.head.len()]).max().unwrap_or(0);
    if across == 0 {
        return set;
    }
    let widths = share(chart, across, column, size);
    if !chart.head.is_empty() {
        row(&mut set, &chart.head, &widths, size * 0.9, Face::Bold);
        rule(&mut set, column);
    }
    for cells in &chart.rows {
        row(&mut set, cells, &widths, size, Face::Plain);
    }
    set
}

/// How wide each column of a chart is: as its longest cell wants, shared out where they want more than there is.
fn share(chart: &ReferenceChart, across: usize, column: f64, size: f64) -> Vec<f64> {
    let gap = size * 0.6;
    let room = column - gap * (across - 1) as f64;
    let want = |n: usize| {
        let cells = chart.rows.iter().filter_map(|row| row.get(n)).map(|cell| width(cell, Face::Plain, size));
        let head = chart.head.get(n).map(|cell| width(cell, Face::Bold, size * 0.9));
        cells.chain(head).fold(size, f64::max)
    };
    let wants: Vec<f64> = (0..across).map(want).collect();
    let total: f64 = wants.iter().sum();
    if total <= room {
        // What is left over goes to the first, which holds the words.
        let mut widths = wants;
        widths[0] += room - total;
        return widths;
    }
    // Narrow columns keep what they want, wide ones share the rest.
    let fair = room / across as f64;
    let narrow: f64 = wants.iter().filter(|w| **w <= fair).sum();
    let wide: f64 = wants.iter().filter(|w| **w > fair).sum();
    wants.iter().map(|w| if *w <= fair { *w } else { w / wide * (room - narrow) }).collect()
}

fn row(set: &mut Set, cells: &[String], widths: &[f64], size: f64, face: Face) {
    let gap = size * 0.6;
    let mut x = 0.0;
    let mut deepest: f64 = 0.0;
    for (cell, room) in cells.iter().zip(widths) {
        let mut depth = 0.0;
        for line in wrap(cell, face, size, *room) {
            depth += size * 1.18;
            set.put(x, set.height + depth - size * 0.28, size, face, Ink::Black, &line);
        }
        deepest = deepest.max(depth);
        x += room + gap;
    }
    set.skip(deepest);
}

fn rule(set: &mut Set, column: f64) {
    let y = set.height + 0.5;
    set.marks.push(Mark::Line { from: (0.0, y), to: (column, y), weight: 0.5, ink: Ink::Rule });
    set.skip(1.5);
}
