//! What a seat sees as rows of numbers: units, ground, and where the battle stands. The same columns for every rule
//! system, made from [`View`] alone, so that nothing is in them that the seat may not know.

use tricorne_game::view::{Arm, Look, Tone, UnitView, View};
use tricorne_game::{Pending, Seat, Side, UnitId};
use tricorne_table::{LengthUnit, Point, angle};

use crate::code::{self, BAG, CODE};

/// Arms of service, each a column.
const ARMS: [Arm; 6] =
    [Arm::Infantry, Arm::Skirmishers, Arm::Cavalry, Arm::Artillery, Arm::Command, Arm::Train];

/// Looks of ground, each a column: as many as [`Look`] has.
const LOOKS: usize = Look::Stream as usize + 1;

/// Values of a unit's card that are written.
const CARD: usize = 8;

/// Columns of a unit.
pub const UNIT: usize = 22 + CODE + 4 + BAG + CARD;

/// Columns of a piece of ground or a marker on it.
pub const GROUND: usize = 15 + LOOKS + CODE;

/// Numbers that say where the battle stands.
pub const DECISION: usize = 16 + 3 * CODE + 8 + BAG;

/// The names of the columns, in order: units, ground, decision.
pub fn columns() -> [Vec<String>; 3] {
    let named = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
    let run = |name: &str, n: usize| (0..n).map(|i| format!("{name}_{i}")).collect::<Vec<_>>();
    let units = [
        named(&["present", "own_seat", "own_side", "enemy", "on_table", "asked"]),
        ARMS.iter().map(|arm| format!("arm_{arm:?}").to_lowercase()).collect(),
        named(&["x", "y", "faces", "facing_sin", "facing_cos", "left", "start", "share", "wide", "deep"]),
        run("kind", CODE),
        named(&["state_good", "state_fair", "state_bad", "state_plain"]),
        run("state", BAG),
        run("card", CARD),
    ];
    let ground = [
        named(&["present", "area", "marker", "held_own", "held_enemy", "level", "width", "x", "y"]),
        named(&["west", "south", "east", "north", "points", "reach"]),
        (0..LOOKS).map(|n| format!("look_{n}")).collect(),
        run("kind", CODE),
    ];
    let decision = [
        named(&["asked", "over", "turn", "progress", "limited", "turn_own", "turn_enemy", "side", "seat"]),
        named(&["inches", "table_width", "table_height", "cards_down"]),
        named(&["units_left_out", "ground_left_out", "about_unit"]),
        run("ruleset", CODE),
        run("kind", CODE),
        run("phase", CODE),
        run("tally", 8),
        run("card", BAG),
    ];
    [units.concat(), ground.concat(), decision.concat()]
}

/// Where each unit is among the rows, and what an answer's row repeats of it.
#[derive(Clone, Debug, Default)]
pub struct Roll {
    units: Vec<Known>,
    wide: f64,
    tall: f64,
}

/// A unit that has a row.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its id.
    pub id: UnitId,
    /// Where it is measured from.
    pub at: Point,
    /// The side of the seat that looks.
    pub own: bool,
    /// Left of what it had.
    pub share: f32,
}

impl Roll {
    /// The row of a unit of that name.
    pub fn row(&self, name: &str) -> Option<usize> {
        self.units.iter().position(|u| u.id == *name)
    }

    /// The unit in a row.
    pub fn unit(&self, row: usize) -> Option<&Known> {
        self.units.get(row)
    }

    /// A place as shares of the table.
    pub fn place(&self, at: Point) -> (f32, f32) {
        ((at.x / self.wide) as f32, (at.y / self.tall) as f32)
    }
}

/// Writes columns one after another.
struct Pen<'a> {
    row: &'a mut [f32],
    at: usize,
}

impl<'a> Pen<'a> {
    fn new(row: &'a mut [f32]) -> Self {
        row.fill(0.0);
        Self { row, at: 0 }
    }

    fn put(&mut self, number: f32) {
        self.row[self.at] = number;
        self.at += 1;
    }

    fn yes(&mut self, yes: bool) {
        self.put(f32::from(u8::from(yes)));
    }

    fn next(&mut self, n: usize) -> &mut [f32] {
        self.at += n;
        &mut self.row[self.at - n..self.at]
    }
}

/// Writes what a view shows into rows; what does not fit is counted in the decision. Those of the units' rows that
/// answers name are handed back.
pub fn write(view: &View, units: &mut [f32], ground: &mut [f32], decision: &mut [f32]) -> Roll {
    let side = view.seat.and_then(|seat| view.seats.iter().find(|s| s.seat == seat)).map(|s| s.side);
    let mut roll = Roll { units: Vec::new(), wide: view.table.width, tall: view.table.height };
    let about = match &view.pending {
        Pending::Decision { unit, .. } => *unit,
        Pending::Over(_) => None,
    };
    let mut rows = units.chunks_exact_mut(UNIT);
    for unit in &view.units {
        let Some(row) = rows.next() else { break };
        write_unit(unit, view.seat, side, about, &roll, row);
        let (left, start) = unit.strength;
        let share = left as f32 / start.max(1) as f32;
        roll.units.push(Known { id: unit.id, at: unit.at, own: Some(unit.side) == side, share });
    }
    rows.for_each(|row| row.fill(0.0));
    let mut rows = ground.chunks_exact_mut(GROUND);
    let written = write_ground(view, side, &roll, &mut rows);
    rows.for_each(|row| row.fill(0.0));
    let left_out = [view.units.len() - roll.units.len(), view.terrain.len() + view.tokens.len() - written];
    write_decision(view, side, about.and_then(|u| roll.row(u.as_str())), left_out, decision);
    roll
}

fn write_unit(
    unit: &UnitView,
    seat: Option<Seat>,
    side: Option<Side>,
    about: Option<UnitId>,
    roll: &Roll,
    row: &mut [f32],
) {
    let mut pen = Pen::new(row);
    pen.put(1.0);
    pen.yes(Some(unit.seat) == seat);
    pen.yes(Some(unit.side) == side);
    pen.yes(Some(unit.side) != side);
    pen.yes(unit.on_table);
    pen.yes(about == Some(unit.id));
    for arm in ARMS {
        pen.yes(unit.arm == arm);
    }
    let (x, y) = if unit.on_table { roll.place(unit.at) } else { (0.0, 0.0) };
    pen.put(x);
    pen.put(y);
    pen.yes(unit.facing.is_some());
    let (sin, cos) = unit.facing.map_or((0.0, 0.0), angle::sin_cos);
    pen.put(sin as f32);
    pen.put(cos as f32);
    let (left, start) = unit.strength;
    pen.put(left as f32 / 20.0);
    pen.put(start as f32 / 20.0);
    pen.put(left as f32 / start.max(1) as f32);
    let (low, high) = bounds(&unit.outline);
    pen.put(((high.x - low.x) / roll.wide) as f32);
    pen.put(((high.y - low.y) / roll.tall) as f32);
    code::sign(&unit.kind, pen.next(CODE));
    let tones = pen.next(4);
    for marker in &unit.markers {
        let tone = match marker.tone {
            Tone::Good => 0,
            Tone::Fair => 1,
            Tone::Bad => 2,
            Tone::Plain => 3,
        };
        tones[tone] += 1.0;
    }
    let states = pen.next(BAG);
    for marker in &unit.markers {
        code::count(&marker.kind, marker.count.max(1) as f32, states);
    }
    for (cell, note) in pen.next(CARD).iter_mut().zip(&unit.notes) {
        *cell = code::first_number(&note.text) / 10.0;
    }
}

fn write_ground<'a>(
    view: &View,
    side: Option<Side>,
    roll: &Roll,
    rows: &mut impl Iterator<Item = &'a mut [f32]>,
) -> usize {
    let mut written = 0;
    for (piece, row) in view.terrain.iter().zip(&mut *rows) {
        let mut pen = Pen::new(row);
        pen.put(1.0);
        pen.yes(piece.closed);
        pen.next(3);
        pen.put(f32::from(piece.level));
        pen.put((piece.width / roll.wide) as f32);
        let (low, high) = bounds(&piece.points);
        let middle = Point::new(f64::midpoint(low.x, high.x), f64::midpoint(low.y, high.y));
        for (x, y) in [middle, low, high].map(|p| roll.place(p)) {
            pen.put(x);
            pen.put(y);
        }
        pen.put(piece.points.len() as f32 / 10.0);
        pen.next(1);
        pen.next(LOOKS)[piece.look as usize] = 1.0;
        code::sign(&piece.kind, pen.next(CODE));
        written += 1;
    }
    // `zip` asks the rows only after the pieces, so no row is lost between the two.
    for (token, row) in view.tokens.iter().zip(&mut *rows) {
        let mut pen = Pen::new(row);
        pen.put(1.0);
        pen.yes(false);
        pen.put(1.0);
        pen.yes(token.side.is_some() && token.side == side);
        pen.yes(token.side.is_some() && token.side != side);
        pen.next(2);
        let (x, y) = roll.place(token.at);
        for _ in 0..3 {
            pen.put(x);
            pen.put(y);
        }
        pen.put(0.1);
        pen.put((token.radius.unwrap_or(0.0) / roll.wide) as f32);
        pen.next(LOOKS);
        code::sign(&token.kind, pen.next(CODE));
        written += 1;
    }
    written
}

fn write_decision(
    view: &View,
    side: Option<Side>,
    about: Option<usize>,
    [units_left_out, ground_left_out]: [usize; 2],
    row: &mut [f32],
) {
    let mut pen = Pen::new(row);
    pen.yes(view.pending.seat().is_some() && view.pending.seat() == view.seat);
    pen.yes(view.pending.seat().is_none());
    pen.put(view.clock.turn as f32 / 10.0);
    pen.put(view.clock.of.map_or(0.0, |of| view.clock.turn as f32 / of.max(1) as f32));
    pen.yes(view.clock.of.is_some());
    pen.yes(view.clock.active.is_some() && view.clock.active == side);
    pen.yes(view.clock.active.is_some() && view.clock.active != side);
    pen.put(side.map_or(-1.0, |s| f32::from(s.0)));
    pen.put(view.seat.map_or(-1.0, |s| f32::from(s.0)));
    pen.yes(view.table.unit == LengthUnit::Inch);
    pen.put((view.table.width / 100.0) as f32);
    pen.put((view.table.height / 100.0) as f32);
    pen.put(view.cards.iter().map(|c| c.down).sum::<usize>() as f32 / 10.0);
    pen.put(units_left_out as f32);
    pen.put(ground_left_out as f32);
    pen.put(about.map_or(-1.0, |row| row as f32));
    code::sign(&view.ruleset, pen.next(CODE));
    code::sign(view.pending.kind(), pen.next(CODE));
    code::sign(&view.clock.phase, pen.next(CODE));
    // The own side first: its score and three tallies, then the other's.
    let mut sides: Vec<usize> = (0..view.sides.len()).collect();
    sides.sort_by_key(|&n| side.is_none_or(|s| s.index() != n));
    let tallies = pen.next(8);
    for (half, n) in tallies.chunks_exact_mut(4).zip(sides) {
        let shown = &view.sides[n];
        half[0] = shown.score.as_deref().map_or(0.0, code::first_number) / 10.0;
        for (cell, note) in half[1..].iter_mut().zip(&shown.tallies) {
            *cell = code::first_number(&note.text) / 10.0;
        }
    }
    let bag = pen.next(BAG);
    for card in view.cards.iter().flat_map(|pile| &pile.up) {
        code::count(card, 1.0, bag);
    }
}

/// The south-west and north-east corners of what holds these points.
fn bounds(points: &[Point]) -> (Point, Point) {
    let Some(&first) = points.first() else { return (Point::ORIGIN, Point::ORIGIN) };
    points.iter().fold((first, first), |(low, high), p| {
        (Point::new(low.x.min(p.x), low.y.min(p.y)), Point::new(high.x.max(p.x), high.y.max(p.y)))
    })
}
