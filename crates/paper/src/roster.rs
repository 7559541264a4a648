//! An army on one page: a card for each unit with a box for every figure, then the special rules.

use tricorne_game::army::{Roster, RosterUnit};
use tricorne_game::view::Note;
use tricorne_picture::letters::{width, wrap};

use crate::PaperError;
use crate::columns::{Block, Set, page};
use crate::leaf::{Face, Ink, Leaf, Mark, PaperSize};

/// An army's roster on one page.
pub fn roster(roster: &Roster, paper: PaperSize) -> Result<Leaf, PaperError> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for unit in &roster.units {
        blocks.push(Box::new(move |column, size| card(unit, column, size)));
    }
    let mut headed = false;
    for label in labels(&roster.rules) {
        let same: Vec<&Note> = roster.rules.iter().filter(|rule| rule.label == label).collect();
        // The heading stays with the first of them.
        let first = !std::mem::replace(&mut headed, true);
        blocks.push(Box::new(move |column, size| {
            let mut set = Set::default();
            if first {
                set = heading("Special rules", column, size);
                set.skip(size * 0.35);
            }
            special(&mut set, &same, column, size);
            set
        }));
    }
    page(paper, &roster.title, &roster.subtitle, &blocks, 1..=3)
}

/// What the rules are called, each once.
fn labels(rules: &[Note]) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    for rule in rules {
        if !labels.contains(&rule.label.as_str()) {
            labels.push(&rule.label);
        }
    }
    labels
}

/// A number of points as people write it.
pub(crate) fn points(points: f64) -> String {
    if (points - points.round()).abs() < 1e-9 { format!("{points:.0}") } else { format!("{points}") }
}

fn card(unit: &RosterUnit, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    let pad = size * 0.5;
    let (name, small) = (size * 1.15, size * 0.9);
    let cost = format!("{} points", points(unit.points));
    // A long name goes over several lines and leaves the corner to its points.
    let lines = wrap(&unit.name, Face::Bold, name, column - 3.0 * pad - width(&cost, Face::Plain, small));
    let bar = size * 1.6 + (lines.len().max(1) as f64 - 1.0) * name * 1.15;
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w: column, h: bar, fill: Some(Ink::Tint), edge: None });
    for (n, line) in lines.iter().enumerate() {
        set.put(pad, size * 1.12 + n as f64 * name * 1.15, name, Face::Bold, Ink::Black, line);
    }
    set.put_right(column - pad, size * 1.12, small, Face::Plain, Ink::Black, &cost);
    set.height = bar + size * 0.15;
    if unit.kind != unit.name {
        set.text(pad, column - 2.0 * pad, size * 0.95, Face::Slanted, Ink::Black, &unit.kind);
    }
    values(&mut set, &unit.values, pad, column - 2.0 * pad, size);
    for (label, count) in &unit.boxes {
        boxes(&mut set, label, *count, pad, column - pad, size);
    }
    set.skip(size * 0.3);
    let h = set.height;
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w: column, h, fill: None, edge: Some((0.5, Ink::Rule)) });
    set
}

/// Values run on, a label in bold before each.
fn values(set: &mut Set, values: &[Note], left: f64, room: f64, size: f64) {
    if values.is_empty() {
        return;
    }
    set.height += size * 1.22;
    let mut x = left;
    for value in values {
        let words = std::iter::once((Face::Bold, value.label.as_str()))
            .chain(value.text.split_whitespace().map(|word| (Face::Plain, word)));
        for (face, word) in words.filter(|(_, word)| !word.is_empty()) {
            let wide = width(word, face, size);
            if x > left && x + wide > left + room {
                x = left;
                set.height += size * 1.22;
            }
            set.put(x, set.height - size * 0.28, size, face, Ink::Black, word);
            x += wide + size * 0.26;
        }
        x += size * 0.6;
    }
}

/// Boxes to tick, in rows of about the same length, in fives where a row has many.
fn boxes(set: &mut Set, label: &str, count: u32, left: f64, right: f64, size: f64) {
    let (side, gap, wide) = (size * 0.95, size * 0.19, size * 0.62);
    set.skip(size * 0.35);
    let indent = width(label, Face::Plain, size * 0.9) + size * 0.6;
    set.put(left, set.height + side * 0.85, size * 0.9, Face::Plain, Ink::Grey, label);
    let long = |n: u32| f64::from(n) * (side + gap) + f64::from(n.saturating_sub(1) / 5) * (wide - gap);
    let most = (1..=count).rev().find(|n| long(*n) <= right - left - indent).unwrap_or(1);
    let each = count.div_ceil(count.div_ceil(most).max(1)).max(1);
    for row in 0..count.div_ceil(each) {
        if row > 0 {
            set.skip(side + gap * 1.3);
        }
        let mut x = left + indent;
        let y = set.height;
        for n in 0..each.min(count - row * each) {
            set.marks.push(Mark::Rect { x, y, w: side, h: side, fill: None, edge: Some((0.7, Ink::Black)) });
            x += side + if n % 5 == 4 && each > 6 { wide } else { gap };
        }
    }
    set.skip(side);
}

/// A heading over what follows.
pub(crate) fn heading(text: &str, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    set.line(0.0, size * 1.3, Face::Title, Ink::Black, text);
    let y = set.height;
    set.marks.push(Mark::Line { from: (0.0, y), to: (column, y), weight: 0.5, ink: Ink::Rule });
    set
}

/// Rules of one name under each other, their clauses behind them.
fn special(set: &mut Set, rules: &[&Note], column: f64, size: f64) {
    let size = size * 0.92;
    if let Some(first) = rules.first() {
        set.text(0.0, column, size, Face::Bold, Ink::Black, &first.label);
    }
    for rule in rules {
        set.text(0.0, column, size, Face::Plain, Ink::Black, &rule.text);
    }
    let clauses: Vec<&str> = rules.iter().filter_map(|rule| rule.clause.as_deref()).collect();
    if !clauses.is_empty() {
        set.text(0.0, column, size * 0.85, Face::Slanted, Ink::Grey, &clauses.join(", "));
    }
}
