//! Counters to cut out, true to size: the footprint of each unit with its name, its arm and its front.

use tricorne_game::army::{Roster, RosterUnit};
use tricorne_game::view::Arm;
use tricorne_picture::letters::{cut, width};
use tricorne_table::LengthUnit;

use crate::PaperError;
use crate::columns::Set;
use crate::leaf::{Face, Ink, Leaf, MARGIN, Mark, PaperSize};

/// Between counters, in points: room for the scissors.
const GAP: f64 = 8.0;

/// Counters for every unit of an army, as many pages as they need.
pub fn counters(roster: &Roster, unit: LengthUnit, paper: PaperSize) -> Result<Vec<Leaf>, PaperError> {
    let scale = match unit {
        LengthUnit::Inch => 72.0,
        LengthUnit::Centimetre => 72.0 / 2.54,
    };
    let (page_width, page_height) = paper.points();
    let (right, bottom) = (page_width - MARGIN, page_height - MARGIN);
    let top = MARGIN + 14.0;
    let mut leaves = Vec::new();
    let mut leaf = blank(roster, paper);
    let (mut x, mut y, mut row) = (MARGIN, top, 0.0_f64);
    for unit in &roster.units {
        let (w, h) = (unit.footprint.0 * scale, unit.footprint.1 * scale);
        // A label needs room for its name, however small the base.
        let (w, h) = (w.max(40.0), h.max(22.0));
        if w > right - MARGIN || h > bottom - top {
            return Err(PaperError::TooLarge(unit.name.clone()));
        }
        if x + w > right {
            (x, y, row) = (MARGIN, y + row + GAP, 0.0);
        }
        if y + h > bottom {
            leaves.push(std::mem::replace(&mut leaf, blank(roster, paper)));
            (x, y, row) = (MARGIN, top, 0.0);
        }
        leaf.marks.extend(counter(unit, w, h).into_iter().map(|mark| mark.moved(x, y)));
        x += w + GAP;
        row = row.max(h);
    }
    leaves.push(leaf);
    Ok(leaves)
}

fn blank(roster: &Roster, paper: PaperSize) -> Leaf {
    let mut set = Set::default();
    set.put(
        MARGIN,
        MARGIN + 8.0,
        9.0,
        Face::Slanted,
        Ink::Grey,
        &format!("{} – counters, true to size", roster.title),
    );
    Leaf { paper, title: roster.title.clone(), marks: set.marks }
}

fn counter(unit: &RosterUnit, w: f64, h: f64) -> Vec<Mark> {
    let mut set = Set::default();
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w, h, fill: None, edge: Some((0.8, Ink::Black)) });
    // The front is the heavy edge.
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w, h: 2.2, fill: Some(Ink::Black), edge: None });
    let sign = (h * 0.42).min(16.0);
    set.marks.extend(arm(unit.arm, (w - sign * 1.5) / 2.0, h * 0.16 + 2.0, sign * 1.5, sign));
    let size = (h * 0.3).clamp(5.0, 8.5);
    let name = cut(&unit.name, Face::Bold, size, w - 4.0);
    let x = (w - width(&name, Face::Bold, size)) / 2.0;
    set.put(x, h - size * 0.45, size, Face::Bold, Ink::Black, &name);
    set.marks
}

/// The sign of an arm, as on staff maps: a cross for foot, a stroke for horse, a ball for guns.
fn arm(arm: Arm, x: f64, y: f64, w: f64, h: f64) -> Vec<Mark> {
    let line = |from: (f64, f64), to: (f64, f64)| Mark::Line {
        from: (x + from.0 * w, y + from.1 * h),
        to: (x + to.0 * w, y + to.1 * h),
        weight: 0.8,
        ink: Ink::Black,
    };
    let shape = |points: &[(f64, f64)]| Mark::Shape {
        points: points.iter().map(|p| (x + p.0 * w, y + p.1 * h)).collect(),
        fill: Some(Ink::Black),
        edge: None,
    };
    let frame = Mark::Rect { x, y, w, h, fill: None, edge: Some((0.8, Ink::Black)) };
    match arm {
        Arm::Infantry => vec![frame, line((0.0, 0.0), (1.0, 1.0)), line((0.0, 1.0), (1.0, 0.0))],
        Arm::Skirmishers => {
            vec![frame, line((0.0, 1.0), (0.5, 0.0)), line((0.5, 0.0), (1.0, 1.0))]
        }
        Arm::Cavalry => vec![frame, line((0.0, 1.0), (1.0, 0.0))],
        Arm::Artillery => {
            vec![
                frame,
                shape(&[
                    (0.5, 0.25),
                    (0.62, 0.37),
                    (0.66, 0.5),
                    (0.62, 0.63),
                    (0.5, 0.75),
                    (0.38, 0.63),
                    (0.34, 0.5),
                    (0.38, 0.37),
                ]),
            ]
        }
        Arm::Command => {
            vec![shape(&[
                (0.5, 0.0),
                (0.6, 0.36),
                (1.0, 0.38),
                (0.68, 0.6),
                (0.8, 1.0),
                (0.5, 0.76),
                (0.2, 1.0),
                (0.32, 0.6),
                (0.0, 0.38),
                (0.4, 0.36),
            ])]
        }
        Arm::Train => vec![frame, line((0.0, 0.5), (1.0, 0.5)), line((0.5, 0.5), (0.5, 1.0))],
    }
}
