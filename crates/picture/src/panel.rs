//! The panel: what a player wants to know that is not on the table. Turn and phase, scores, who must decide what,
//! cards, who is lost and who is still to come.

use tricorne_game::Pending;
use tricorne_game::view::{Livery, UnitView, View};

use crate::cards;
use crate::labels::Frame;
use crate::letters::{self, Face};
use crate::markers;
use crate::paint::Paint;
use crate::sheet::{N, Sheet, safe};
use crate::style::Style;
use crate::units;

/// A line of the panel.
struct Line {
    text: String,
    face: Face,
    size: f64,
    faint: bool,
    /// The badge of a side before it.
    badge: Option<usize>,
    /// Room above it.
    above: f64,
}

/// A column of the panel.
pub(crate) struct Column {
    lines: Vec<Line>,
}

/// The columns of the panel: one for each side, one for what is going on.
pub(crate) fn columns(view: &View, style: &Style, text: f64, width: f64) -> Vec<Column> {
    let mut columns: Vec<Column> =
        (0..view.sides.len()).map(|side| of_side(view, side, text, width)).collect();
    columns.push(of_moment(view, style, text, width));
    columns
}

impl Column {
    /// How high it is.
    pub fn height(&self) -> f64 {
        self.lines.iter().map(|line| line.above + line.size * 1.24).sum()
    }

    fn add(&mut self, text: &str, face: Face, size: f64, width: f64) {
        self.add_after(text, face, size, width, false, 0.0);
    }

    fn add_after(&mut self, text: &str, face: Face, size: f64, width: f64, faint: bool, above: f64) {
        for (index, text) in letters::wrap(text, face, size, width).into_iter().enumerate() {
            let above = if index == 0 { above } else { 0.0 };
            self.lines.push(Line { text, face, size, faint, badge: None, above });
        }
    }

    /// Draws it from here down.
    pub fn draw(&self, sheet: &mut Sheet, view: &View, paint: &Paint, x: f64, y: f64) {
        let mut y = y;
        for line in &self.lines {
            y += line.above;
            let mut x = x;
            if let Some(side) = line.badge {
                let livery = view.sides.get(side).map_or(Livery::Black, |side| side.livery);
                let at = Frame { x, y: y + line.size * 0.16, w: line.size * 1.15, h: line.size * 0.92 };
                markers::badge(sheet, at, side, livery, None, paint);
                x += line.size * 1.55;
            }
            y += line.size * 1.24;
            sheet.put(format_args!(
                "<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
                N(x),
                N(y - line.size * 0.3),
                line.face.class(),
                N(line.size),
                if line.faint { paint.faint } else { paint.ink },
                safe(&line.text)
            ));
        }
    }
}

fn of_side(view: &View, side: usize, text: f64, width: f64) -> Column {
    let mut column = Column { lines: Vec::new() };
    let Some(own) = view.sides.get(side) else { return column };
    let head = text * 1.3;
    let name = letters::cut(&own.name, Face::Title, head, width - head * 1.6);
    column.lines.push(Line {
        text: name,
        face: Face::Title,
        size: head,
        faint: false,
        badge: Some(side),
        above: 0.0,
    });
    if let Some(score) = &own.score {
        // A bare number wants a word.
        let bare = score.parse::<f64>().is_ok();
        let score = if bare { format!("Score {score}") } else { first_capital(score) };
        column.add(&score, Face::Bold, text, width);
    }
    let tallies: Vec<String> =
        own.tallies.iter().map(|note| first_capital(&format!("{}: {}", note.label, note.text))).collect();
    if !tallies.is_empty() {
        column.add(&tallies.join(" · "), Face::Plain, text, width);
    }
    let mine = |unit: &&UnitView| unit.side.index() == side;
    let lost: Vec<&str> = view
        .units
        .iter()
        .filter(mine)
        .filter(|unit| !unit.on_table && unit.strength.0 == 0)
        .map(units::name_of)
        .collect();
    let away: Vec<String> = view
        .units
        .iter()
        .filter(mine)
        .filter(|unit| !unit.on_table && unit.strength.0 > 0)
        .map(|unit| match unit.strength {
            (left, whole) if whole > 1 && left < whole => format!("{} {left}/{whole}", units::name_of(unit)),
            _ => units::name_of(unit).to_owned(),
        })
        .collect();
    if !lost.is_empty() {
        column.add_after(
            &format!("Lost: {}", lost.join(", ")),
            Face::Plain,
            text * 0.94,
            width,
            true,
            text * 0.2,
        );
    }
    if !away.is_empty() {
        let line = format!("Off the table: {}", away.join(", "));
        column.add_after(&line, Face::Plain, text * 0.94, width, true, text * 0.2);
    }
    column
}

/// Turn and phase in a few words: `Turn 3 of 8 · Firing`.
pub(crate) fn clock(view: &View) -> String {
    let mut parts = Vec::new();
    if view.clock.turn > 0 {
        parts.push(match view.clock.of {
            Some(of) => format!("Turn {} of {of}", view.clock.turn),
            None => format!("Turn {}", view.clock.turn),
        });
    }
    if let Some(side) = view.clock.active.and_then(|side| view.sides.get(side.index())) {
        parts.push(side.name.clone());
    }
    if !view.clock.phase.is_empty() {
        parts.push(view.clock.phase.clone());
    }
    parts.join(" · ")
}

fn of_moment(view: &View, style: &Style, text: f64, width: f64) -> Column {
    let mut column = Column { lines: Vec::new() };
    let head = text * 1.3;
    match &view.pending {
        Pending::Decision { seat, prompt, unit, .. } => {
            let who = view
                .seats
                .iter()
                .find(|info| info.seat == *seat)
                .map_or("Somebody", |info| info.name.as_str());
            column.add(&format!("{who} to decide"), Face::Title, head, width);
            column.add(prompt, Face::Plain, text, width);
            let about = unit.and_then(|id| view.units.iter().find(|unit| unit.id == id));
            if let Some(unit) = about.filter(|unit| !prompt.contains(units::name_of(unit))) {
                column.add_after(
                    &format!("About: {}", units::name_of(unit)),
                    Face::Plain,
                    text * 0.94,
                    width,
                    true,
                    0.0,
                );
            }
        }
        Pending::Over(ending) => {
            let winner = ending.winner.and_then(|side| view.sides.get(side.index()));
            let title = match winner {
                Some(side) => format!("{}: {}", side.name, ending.grade),
                None => ending.grade.clone(),
            };
            column.add(&first_capital(&title), Face::Title, head, width);
            column.add(&first_capital(&ending.reason), Face::Plain, text, width);
        }
    }
    for pile in view.cards.iter().filter(|pile| !pile.up.is_empty() || pile.down > 0) {
        // Of a long pile the last few tell enough, in words.
        let skipped = pile.up.len().saturating_sub(3);
        let mut shown =
            pile.up[skipped..].iter().map(|card| cards::said(card)).collect::<Vec<_>>().join(", ");
        if skipped > 0 {
            shown.insert_str(0, "… ");
        }
        let down = match (shown.is_empty(), pile.down) {
            (_, 0) => String::new(),
            (true, down) => format!("{down} face down"),
            (false, down) => format!(" ({down} face down)"),
        };
        let line = format!("{}: {shown}{down}", first_capital(&pile.pile));
        column.add_after(&line, Face::Plain, text * 0.94, width, true, text * 0.15);
    }
    let chosen = style.chosen.and_then(|id| view.units.iter().find(|unit| unit.id == id));
    if let Some(unit) = chosen {
        let title = format!("{} — {}", units::name_of(unit), unit.kind);
        column.add_after(&title, Face::Bold, text, width, false, text * 0.35);
        let notes: Vec<String> =
            unit.notes.iter().map(|note| format!("{} {}", note.label, note.text)).collect();
        column.add(&notes.join(" · "), Face::Plain, text * 0.94, width);
    }
    column
}

fn first_capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
