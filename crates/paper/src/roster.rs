//! An army on one page: a card for each unit with a box for every figure, then the special rules.

use tricorne_game::army::{Roster, RosterUnit};
use tricorne_game::view::Note;
use tricorne_picture::letters::width;

use crate::PaperError;
use crate::columns::{Block, Set, page};
use crate::leaf::{Face, Ink, Leaf, Mark, PaperSize};

/// An army's roster on one page.
pub fn roster(roster: &Roster, paper: PaperSize) -> Result<Leaf, PaperError> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for unit in &roster.units {
        blocks.push(Box::new(move |column, size| card(unit, column, size)));
    }
    if !roster.rules.is_empty() {
        blocks.push(Box::new(|column, size| heading("Special rules", column, size)));
    }
    for rule in &roster.rules {
        blocks.push(Box::new(move |column, size| special(rule, column, size)));
    }
    page(paper, &roster.title, &roster.subtitle, &blocks, 1..=3)
}

/// A number of points as people write it.
pub(crate) fn points(points: f64) -> String {
    if (points - points.round()).abs() < 1e-9 { format!("{points:.0}") } else { format!("{points}") }
}

fn card(unit: &RosterUnit, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    let pad = size * 0.5;
    let bar = size * 1.6;
    let cost = format!("{} points", points(unit.points));
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w: column, h: bar, fill: Some(Ink::Tint), edge: None });
    set.put(pad, bar * 0.7, size * 1.15, Face::Bold, Ink::Black, &unit.name);
    set.put_right(column - pad, bar * 0.7, size * 0.9, Face::Plain, Ink::Black, &cost);
    set.height = bar + size * 0.15;
    set.text(pad, column - 2.0 * pad, size * 0.95, Face::Slanted, Ink::Black, &unit.kind);
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

/// A row of boxes to tick, in fives, as many rows as it needs.
fn boxes(set: &mut Set, label: &str, count: u32, left: f64, right: f64, size: f64) {
    let side = size * 0.95;
    set.skip(size * 0.35);
    let indent = width(label, Face::Plain, size * 0.9) + size * 0.6;
    set.put(left, set.height + side * 0.85, size * 0.9, Face::Plain, Ink::Grey, label);
    let mut x = left + indent;
    for n in 0..count {
        if x + side > right {
            x = left + indent;
            set.skip(side * 1.25);
        }
        let y = set.height;
        set.marks.push(Mark::Rect { x, y, w: side, h: side, fill: None, edge: Some((0.7, Ink::Black)) });
        x += side * if n % 5 == 4 { 1.65 } else { 1.2 };
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

fn special(rule: &Note, column: f64, size: f64) -> Set {
    let mut set = Set::default();
    let size = size * 0.92;
    set.text(0.0, column, size, Face::Bold, Ink::Black, &rule.label);
    set.text(0.0, column, size, Face::Plain, Ink::Black, &rule.text);
    if let Some(clause) = &rule.clause {
        set.text(0.0, column, size * 0.8, Face::Slanted, Ink::Grey, clause);
    }
    set
}
