//! What is written beside a unit: arm and side, name, strength with its pips, states.

use tricorne_game::view::{Livery, Marker, UnitView, View};

use crate::labels::Frame;
use crate::letters::{self, Face};
use crate::markers;
use crate::paint::{self, Paint};
use crate::sheet::{N, Sheet, safe};
use crate::style::Labels;
use crate::units;

/// How much a plaque says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fullness {
    /// Name, strength, states in words.
    Words,
    /// Name, strength, states as signs.
    Signs,
    /// The name cut short, strength, states as signs.
    Cut,
}

/// A plaque laid out, without a place yet.
pub(crate) struct Plaque {
    name: String,
    strength: String,
    rows: Vec<Vec<Sign>>,
    pub w: f64,
    pub h: f64,
    text: f64,
}

struct Sign {
    marker: Marker,
    word: String,
    w: f64,
}

/// The versions of a unit's plaque, the fullest first.
pub(crate) fn of(unit: &UnitView, labels: Labels, text: f64) -> Vec<Plaque> {
    let kinds: &[Fullness] = match labels {
        Labels::Full => &[Fullness::Words, Fullness::Signs, Fullness::Cut],
        Labels::Short => &[Fullness::Signs, Fullness::Cut],
        Labels::Nothing => &[],
    };
    kinds.iter().map(|&kind| lay_out(unit, kind, text)).collect()
}

fn lay_out(unit: &UnitView, kind: Fullness, text: f64) -> Plaque {
    let limit = if kind == Fullness::Cut { text * 4.0 } else { text * 14.0 };
    let name = letters::cut(units::name_of(unit), Face::Plain, text, limit);
    let (left, whole) = unit.strength;
    let strength = match whole {
        0 | 1 => String::new(),
        whole if left == whole => format!("{whole}"),
        whole => format!("{left}/{whole}"),
    };
    let mut head = badge_width(text) + text * 0.3 + letters::width(&name, Face::Plain, text);
    if !strength.is_empty() {
        head += text * 0.45 + letters::width(&strength, Face::Bold, text);
    }
    let small = text * 0.86;
    let signs = unit.markers.iter().map(|marker| {
        let mut word = if kind == Fullness::Words { marker.kind.clone() } else { String::new() };
        if marker.count > 1 {
            word.push_str(if word.is_empty() { "×" } else { " ×" });
            word.push_str(&marker.count.to_string());
        }
        let w = small * 0.85
            + letters::width(&word, Face::Plain, small)
            + if word.is_empty() { 0.0 } else { small * 0.2 };
        Sign { marker: marker.clone(), word, w }
    });
    let room = head.max(text * 8.0);
    let mut rows: Vec<Vec<Sign>> = Vec::new();
    let mut used = 0.0;
    for sign in signs {
        let gap = small * 0.55;
        if rows.is_empty() || used + gap + sign.w > room {
            rows.push(Vec::new());
            used = 0.0;
        } else {
            used += gap;
        }
        used += sign.w;
        if let Some(row) = rows.last_mut() {
            row.push(sign);
        }
    }
    let widest = rows
        .iter()
        .map(|row| row.iter().map(|sign| sign.w).sum::<f64>() + small * 0.55 * (row.len() - 1) as f64)
        .fold(head, f64::max);
    let pips = if whole > 1 { pip_height(text) + 1.5 } else { 0.0 };
    Plaque {
        name,
        strength,
        w: widest + PAD * 2.0,
        h: text * 1.18 + pips + rows.len() as f64 * row_height(text) + PAD * 2.0,
        rows,
        text,
    }
}

const PAD: f64 = 2.5;

fn badge_width(text: f64) -> f64 {
    text * 1.25
}

fn pip_height(text: f64) -> f64 {
    (text * 0.28).max(2.5)
}

fn row_height(text: f64) -> f64 {
    text * 1.06
}

impl Plaque {
    /// Draws it in its place.
    pub fn draw(
        &self,
        sheet: &mut Sheet,
        at: Frame,
        unit: &UnitView,
        view: &View,
        paint: &Paint,
        marked: bool,
    ) {
        let side = unit.side.index();
        let livery = view.sides.get(side).map_or(Livery::Black, |side| side.livery);
        let coat = paint::coat(livery);
        let text = self.text;
        let round = if side == 0 { 1.0 } else { text * 0.42 };
        let (edge, width) = if marked { (paint.glow, 2.2) } else { (paint.rim(&coat), 1.0) };
        sheet.put(format_args!(
            "<g class=\"label side{side}\" data-unit=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
             rx=\"{}\" fill=\"{}\" fill-opacity=\".93\" stroke=\"{edge}\" stroke-width=\"{width}\"/>",
            safe(unit.id.as_str()),
            N(at.x + 0.5),
            N(at.y + 0.5),
            N(at.w - 1.0),
            N(at.h - 1.0),
            N(round),
            paint.paper
        ));
        let (x, y) = (at.x + PAD, at.y + PAD);
        let badge = Frame { x, y: y + text * 0.1, w: badge_width(text), h: text };
        markers::badge(sheet, badge, side, livery, Some(unit.arm), paint);
        let base = y + text * 0.93;
        sheet.put(format_args!(
            "<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>",
            N(x + badge_width(text) + text * 0.3),
            N(base),
            Face::Plain.class(),
            N(text),
            paint.ink,
            safe(&self.name)
        ));
        if !self.strength.is_empty() {
            let fallen = unit.strength.0 < unit.strength.1;
            sheet.put(format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>",
                N(at.x + at.w - PAD - 0.5),
                N(base),
                Face::Bold.class(),
                N(text),
                if fallen { paint::tone(tricorne_game::view::Tone::Bad) } else { paint.ink },
                self.strength
            ));
        }
        let mut y = y + text * 1.18;
        if unit.strength.1 > 1 {
            let strip = Frame { x, y: y + 0.5, w: at.w - PAD * 2.0, h: pip_height(text) };
            pips(sheet, strip, unit.strength, paint.pip(&coat), paint.rim(&coat));
            y += pip_height(text) + 1.5;
        }
        for row in &self.rows {
            let mut x = x;
            let small = text * 0.86;
            for sign in row {
                let box_ = Frame {
                    x,
                    y: y + (row_height(text) - small * 0.72) * 0.5,
                    w: small * 0.72,
                    h: small * 0.72,
                };
                markers::tone(sheet, sign.marker.tone, box_);
                if !sign.word.is_empty() {
                    sheet.put(format_args!(
                        "<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>",
                        N(x + small * 1.0),
                        N(y + row_height(text) * 0.5 + small * 0.3),
                        Face::Plain.class(),
                        N(small),
                        paint.ink,
                        safe(&sign.word)
                    ));
                }
                x += sign.w + small * 0.55;
            }
            y += row_height(text);
        }
        sheet.put(format_args!("</g>\n"));
    }
}

/// A pip for each figure there was: full for those left, hollow for the fallen. Of many, a bar.
fn pips(sheet: &mut Sheet, at: Frame, (left, whole): (u32, u32), colour: &str, rim: &str) {
    let left = left.min(whole);
    let pitch = at.w / f64::from(whole);
    let line = format!("stroke=\"{rim}\" stroke-width=\".6\"");
    if pitch < 3.2 {
        let full = at.w * f64::from(left) / f64::from(whole);
        for (w, fill) in [(at.w, "none"), (full, colour)] {
            sheet.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" {line}/>",
                N(at.x),
                N(at.y),
                N(w),
                N(at.h)
            ));
        }
        return;
    }
    let pitch = pitch.min(at.h * 2.6);
    let mut full = String::new();
    let mut hollow = String::new();
    for pip in 0..whole {
        let trace = if pip < left { &mut full } else { &mut hollow };
        let w = pitch - 1.1;
        trace.push_str(&format!(
            "M{} {}h{}v{}h-{}z",
            N(at.x + pitch * f64::from(pip)),
            N(at.y),
            N(w),
            N(at.h),
            N(w)
        ));
    }
    if !full.is_empty() {
        sheet.put(format_args!("<path d=\"{full}\" fill=\"{colour}\" {line}/>"));
    }
    if !hollow.is_empty() {
        sheet.put(format_args!("<path d=\"{hollow}\" fill=\"none\" {line} stroke-opacity=\".7\"/>"));
    }
}
