//! A system's charts on one page, or on both sides of a leaf.

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

/// A quick-reference sheet on one page; on two, front and back, where one cannot hold it in letters that can be read.
pub fn reference_pages(sheet: &ReferenceSheet, paper: PaperSize) -> Result<Vec<Leaf>, PaperError> {
    let whole = reference(sheet, paper).map(|leaf| vec![leaf]);
    if whole.is_ok() {
        return whole;
    }
    // The charts stay in their order; the cut that leaves both sides most alike comes first.
    let weight = |charts: &[ReferenceChart]| -> i64 {
        let rows = charts.iter().flat_map(|chart| &chart.rows);
        rows.map(|row| 30 + row.iter().map(|cell| cell.len() as i64).sum::<i64>()).sum()
    };
    let side = |charts: &[ReferenceChart]| {
        reference(&ReferenceSheet { title: sheet.title.clone(), charts: charts.to_vec() }, paper)
    };
    let mut cuts: Vec<usize> = (1..sheet.charts.len()).collect();
    cuts.sort_by_key(|&cut| (weight(&sheet.charts[..cut]) - weight(&sheet.charts[cut..])).abs());
    for cut in cuts.into_iter().take(6) {
        if let (Ok(front), Ok(back)) = (side(&sheet.charts[..cut]), side(&sheet.charts[cut..])) {
            return Ok(vec![front, back]);
        }
    }
    whole
}

/// Column heads are this much smaller than the rows under them.
const HEAD: f64 = 0.9;

fn set_chart(chart: &ReferenceChart, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    bar(&mut set, chart, column, size);
    let across = chart.rows.iter().map(Vec::len).chain([chart.head.len()]).max().unwrap_or(0);
    if across == 0 {
        return set;
    }
    let Some(widths) = share(chart, across, column, size) else {
        set.overfull = true;
        return set;
    };
    if !chart.head.is_empty() {
        row(&mut set, &chart.head, &widths, size * HEAD, Face::Bold);
        rule(&mut set, column);
    }
    for (n, cells) in chart.rows.iter().enumerate() {
        let (top, under) = (set.height, set.marks.len());
        row(&mut set, cells, &widths, size, Face::Plain);
        // Every second row is tinted, so that the eye keeps to its line.
        if n % 2 == 1 {
            let h = set.height - top;
            let band = Mark::Rect { x: 0.0, y: top, w: column, h, fill: Some(Ink::Band), edge: None };
            set.marks.insert(under, band);
        }
    }
    set
}

/// The chart's title with its clause; under each other where they do not fit side by side.
fn bar(set: &mut Set, chart: &ReferenceChart, column: f64, size: f64) {
    let pad = size * 0.4;
    let (title, clause) = (size * 1.1, size * 0.75);
    let room = column - 3.0 * pad - width(&chart.clause, Face::Slanted, clause);
    let beside = width(&chart.title, Face::Bold, title) <= room;
    let lines = if beside {
        vec![chart.title.clone()]
    } else {
        wrap(&chart.title, Face::Bold, title, column - 2.0 * pad)
    };
    let deep =
        size * 1.5 + (lines.len() as f64 - 1.0) * title * 1.15 + if beside { 0.0 } else { clause * 1.2 };
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w: column, h: deep, fill: Some(Ink::Tint), edge: None });
    for (n, line) in lines.iter().enumerate() {
        set.put(pad, size * 1.08 + n as f64 * title * 1.15, title, Face::Bold, Ink::Black, line);
    }
    let low = if beside { size * 1.08 } else { deep - size * 0.35 };
    set.put_right(column - pad, low, clause, Face::Slanted, Ink::Grey, &chart.clause);
    set.height = deep + size * 0.2;
}

/// How wide each column of a chart is: none narrower than its longest word, then as its longest cell wants; where they
/// want more than there is, shared out in the way that makes the chart least deep. None where not even the words fit.
fn share(chart: &ReferenceChart, across: usize, column: f64, size: f64) -> Option<Vec<f64>> {
    let gap = size * GAP;
    let room = column - gap * (across - 1) as f64;
    let widest = |n: usize, measure: &dyn Fn(&str, Face, f64) -> f64| {
        let cells = chart.rows.iter().filter_map(|row| row.get(n)).map(|c| measure(c, Face::Plain, size));
        let head = chart.head.get(n).map(|cell| measure(cell, Face::Bold, size * HEAD));
        cells.chain(head).fold(size * 0.5, f64::max)
    };
    let word = |text: &str, face, size| {
        text.split_whitespace().map(|word| width(word, face, size)).fold(0.0, f64::max)
    };
    let needs: Vec<f64> = (0..across).map(|n| widest(n, &word)).collect();
    let wants: Vec<f64> =
        (0..across).map(|n| widest(n, &|text, face, size| width(text, face, size))).collect();
    let needed: f64 = needs.iter().sum();
    if needed > room {
        return None;
    }
    let total: f64 = wants.iter().sum();
    if total <= room {
        // A little air for each; more would tear a row apart.
        let air = ((room - total) / across as f64).min(size * 2.2);
        return Some(wants.into_iter().map(|want| want + air).collect());
    }
    // Two ways to share: the same level for all that want more, or to each by how much more it wants.
    let at = |level: f64| -> Vec<f64> {
        needs.iter().zip(&wants).map(|(need, want)| want.min(level).max(*need)).collect()
    };
    let (mut low, mut high) = (0.0, room);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if at(middle).iter().sum::<f64>() > room { high = middle } else { low = middle }
    }
    let part = (room - needed) / (total - needed);
    let by_want = needs.iter().zip(&wants).map(|(need, want)| need + (want - need) * part).collect();
    let deep = |widths: &[f64]| -> usize {
        let lines = |row: &Vec<String>| {
            let cells = row.iter().zip(widths).map(|(c, w)| wrap(c, Face::Plain, size, w + 0.01).len());
            cells.max().unwrap_or(0)
        };
        chart.rows.iter().map(lines).sum()
    };
    [at(low), by_want].into_iter().min_by_key(|widths| deep(widths))
}

/// Between the columns of a chart, in sizes of the type.
const GAP: f64 = 0.6;

fn row(set: &mut Set, cells: &[String], widths: &[f64], size: f64, face: Face) {
    let gap = size * GAP;
    let mut x = 0.0;
    let mut deepest: f64 = 0.0;
    for (cell, room) in cells.iter().zip(widths) {
        let mut depth = 0.0;
        // Widths were added up in another order than here.
        for line in wrap(cell, face, size, *room + 0.01) {
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
