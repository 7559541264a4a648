//! Counters to cut out, true to size: every base of every unit with its name, its arm and its front; and labels to lay
//! beside units of toys.

use tricorne_game::army::{Roster, RosterBase, RosterUnit};
use tricorne_game::view::Arm;
use tricorne_picture::letters::{cut, width, wrap};
use tricorne_table::LengthUnit;

use crate::PaperError;
use crate::columns::Set;
use crate::leaf::{Face, Ink, Leaf, MARGIN, Mark, PaperSize};
use crate::roster::points;

/// Between counters, in points: room for the scissors.
const GAP: f64 = 5.0;

/// Pieces put side by side, row under row, page after page.
struct Shelf {
    paper: PaperSize,
    title: String,
    head: String,
    leaves: Vec<Leaf>,
    marks: Vec<Mark>,
    x: f64,
    y: f64,
    row: f64,
}

impl Shelf {
    const TOP: f64 = MARGIN + 14.0;

    fn new(paper: PaperSize, title: &str, head: String) -> Self {
        let title = title.to_owned();
        Self { paper, title, head, leaves: vec![], marks: vec![], x: MARGIN, y: Self::TOP, row: 0.0 }
    }

    /// Whether a piece fits an empty page.
    fn holds(&self, w: f64, h: f64) -> bool {
        let (page_width, page_height) = self.paper.points();
        w <= page_width - 2.0 * MARGIN && h <= page_height - MARGIN - Self::TOP
    }

    fn put(&mut self, w: f64, h: f64, piece: Vec<Mark>) {
        let (page_width, page_height) = self.paper.points();
        if self.x + w > page_width - MARGIN {
            (self.x, self.y, self.row) = (MARGIN, self.y + self.row + GAP, 0.0);
        }
        if self.y + h > page_height - MARGIN {
            self.turn();
        }
        self.marks.extend(piece.into_iter().map(|mark| mark.moved(self.x, self.y)));
        self.x += w + GAP;
        self.row = self.row.max(h);
    }

    /// Begins another page.
    fn turn(&mut self) {
        let mut set = Set::default();
        set.put(MARGIN, MARGIN + 8.0, 9.0, Face::Slanted, Ink::Grey, &self.head);
        set.marks.append(&mut self.marks);
        self.leaves.push(Leaf { paper: self.paper, title: self.title.clone(), marks: set.marks });
        (self.x, self.y, self.row) = (MARGIN, Self::TOP, 0.0);
    }

    fn leaves(mut self) -> Vec<Leaf> {
        if !self.marks.is_empty() || self.leaves.is_empty() {
            self.turn();
        }
        self.leaves
    }
}

/// Counters for every base of an army, as many pages as they need.
pub fn counters(roster: &Roster, unit: LengthUnit, paper: PaperSize) -> Result<Vec<Leaf>, PaperError> {
    let scale = match unit {
        LengthUnit::Inch => 72.0,
        LengthUnit::Centimetre => 72.0 / 2.54,
    };
    let head = format!("{} – counters, true to size; the heavy edge is the front", roster.title);
    let mut shelf = Shelf::new(paper, &roster.title, head);
    let mut bases: Vec<(&RosterUnit, &RosterBase)> =
        roster.units.iter().flat_map(|unit| unit.bases.iter().map(move |base| (unit, base))).collect();
    // The deepest first: rows of one depth waste no paper.
    bases.sort_by(|a, b| b.1.size.1.total_cmp(&a.1.size.1));
    for (unit, base) in bases {
        let (w, h) = (base.size.0 * scale, base.size.1 * scale);
        if !shelf.holds(w, h) {
            return Err(PaperError::TooLarge(unit.name.clone()));
        }
        for _ in 0..base.count {
            shelf.put(w, h, counter(unit, &base.name, w, h));
        }
    }
    Ok(shelf.leaves())
}

/// Labels for the units of an army, all of one size.
pub fn labels(roster: &Roster, paper: PaperSize) -> Vec<Leaf> {
    let (page_width, _) = paper.points();
    let w = (page_width - 2.0 * MARGIN - 2.0 * GAP) / 3.0;
    let h = 50.0;
    let mut shelf = Shelf::new(paper, &roster.title, format!("{} – labels", roster.title));
    for unit in &roster.units {
        // What rounding adds to three labels and their gaps must not start a fourth row.
        shelf.put(w - 0.01, h, label(unit, w - 0.01, h));
    }
    shelf.leaves()
}

fn label(unit: &RosterUnit, w: f64, h: f64) -> Vec<Mark> {
    let mut set = Set::default();
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w, h, fill: None, edge: Some((0.6, Ink::Black)) });
    set.marks.extend(arm(unit.arm, 5.0, 6.0, 21.0, 14.0));
    let room = w - 36.0;
    set.put(31.0, 17.0, 11.0, Face::Bold, Ink::Black, &cut(&unit.name, Face::Bold, 11.0, room));
    let kind = format!("{}, {} points", unit.kind, points(unit.points));
    set.put(31.0, 27.0, 8.0, Face::Slanted, Ink::Black, &cut(&kind, Face::Slanted, 8.0, room));
    let values: Vec<String> = unit.values.iter().map(|v| format!("{} {}", v.label, v.text)).collect();
    let lines = wrap(&values.join(" · "), Face::Plain, 6.5, w - 10.0);
    let rest = lines.get(1..).unwrap_or_default().join(" ");
    let shown = lines.first().cloned().into_iter().chain((!rest.is_empty()).then_some(rest));
    for (n, line) in shown.enumerate() {
        let line = cut(&line, Face::Plain, 6.5, w - 10.0);
        set.put(5.0, 37.0 + 8.0 * n as f64, 6.5, Face::Plain, Ink::Black, &line);
    }
    set.marks
}

/// A base: its front is the heavy edge, the sign of its arm stands above its name, or before it on a shallow base.
fn counter(unit: &RosterUnit, what: &str, w: f64, h: f64) -> Vec<Mark> {
    let mut set = Set::default();
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w, h, fill: None, edge: Some((0.6, Ink::Black)) });
    set.marks.push(Mark::Rect { x: 0.0, y: 0.0, w, h: 2.2, fill: Some(Ink::Black), edge: None });
    let name = if what.is_empty() { unit.name.clone() } else { format!("{what}, {}", unit.name) };
    let beside = w > h * 1.6;
    let sign = if beside { (h * 0.5).min(w * 0.2) } else { (h * 0.3).min(w * 0.3) };
    let (left, top, room) =
        if beside { (sign * 1.5 + 8.0, 4.0, h - 5.0) } else { (3.0, sign + 9.0, h - sign - 11.0) };
    let wide = w - left - 3.0;
    // As large as all of the name goes in; cut only where the smallest is too large.
    let sizes = (0..).map(|n| 13.0 - 0.5 * f64::from(n)).take_while(|size| *size >= 5.5);
    let fits = |size: f64| {
        let lines = wrap(&name, Face::Bold, size, wide);
        let whole = lines.iter().all(|line| width(line, Face::Bold, size) <= wide);
        (whole && lines.len() as f64 * size * 1.12 <= room).then_some((size, lines))
    };
    let (size, lines) =
        sizes.into_iter().find_map(fits).unwrap_or_else(|| (5.5, vec![cut(&name, Face::Bold, 5.5, wide)]));
    let deep = lines.len() as f64 * size * 1.12;
    let first = top + (room - deep) / 2.0 + size * 0.85;
    for (n, line) in lines.iter().enumerate() {
        let x = if beside { left } else { (w - width(line, Face::Bold, size)) / 2.0 };
        set.put(x, first + n as f64 * size * 1.12, size, Face::Bold, Ink::Black, line);
    }
    let (x, y) = if beside { (4.0, (h - sign) / 2.0 + 1.0) } else { ((w - sign * 1.5) / 2.0, 7.0) };
    set.marks.extend(arm(unit.arm, x, y, sign * 1.5, sign));
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
