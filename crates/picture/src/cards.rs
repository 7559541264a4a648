//! Cards that were turned, face up in a corner of the table where nobody stands, the last of them named: the faces of the
//! page (`web/src/lib/Card.svelte`).

use std::borrow::Cow;

use tricorne_game::view::View;

use crate::labels::Frame;
use crate::letters::{self, Face};
use crate::names::Plan;
use crate::sheet::{N, Sheet, safe};
use crate::units::bounds_of;

/// A card, in pixels.
const WIDE: f64 = 30.0;
const HIGH: f64 = 42.0;
/// A card with words on it.
const WORDED: f64 = 76.0;
/// Of many the last lie there, as on the page.
const MOST: usize = 3;
const GAP: f64 = 4.0;
const LETTERS: f64 = 12.0;
const INK: &str = "#23201b";
const RED: &str = "#a3170f";

/// What is on a card.
enum Front<'a> {
    /// A rank and a suit.
    Playing {
        rank: &'a str,
        suit: Suit,
    },
    Joker {
        red: bool,
    },
    /// Words.
    Worded,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

fn front(card: &str) -> Front<'_> {
    match card {
        "JR" => return Front::Joker { red: true },
        "JB" => return Front::Joker { red: false },
        _ => {}
    }
    let suit = match card.chars().last() {
        Some('C') => Suit::Clubs,
        Some('D') => Suit::Diamonds,
        Some('H') => Suit::Hearts,
        Some('S') => Suit::Spades,
        _ => return Front::Worded,
    };
    let rank = &card[..card.len() - 1];
    match rank {
        "10" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "J" | "Q" | "K" | "A" => {
            Front::Playing { rank, suit }
        }
        _ => Front::Worded,
    }
}

/// A card in words, as somebody at the table would say it.
pub(crate) fn said(card: &str) -> Cow<'_, str> {
    match front(card) {
        Front::Joker { red } => (if red { "the red Joker" } else { "the black Joker" }).into(),
        Front::Playing { rank, suit } => {
            let rank = match rank {
                "J" => "Jack",
                "Q" => "Queen",
                "K" => "King",
                "A" => "Ace",
                number => number,
            };
            let suit = match suit {
                Suit::Clubs => "clubs",
                Suit::Diamonds => "diamonds",
                Suit::Hearts => "hearts",
                Suit::Spades => "spades",
            };
            format!("{rank} of {suit}").into()
        }
        Front::Worded => card.replace('_', " ").into(),
    }
}

impl Suit {
    /// Its sign about the middle of a square of 10.
    fn sign(self) -> &'static str {
        match self {
            Self::Clubs => {
                "M0 -4.9a2.2 2.2 0 0 1 1.7 3.6a2.2 2.2 0 1 1-.9 3.9L1.5 4.9H-1.5L-.8 2.6a2.2 2.2 0 1 1-.9-3.9A2.2 2.2 0 0 1 0-4.9Z"
            }
            Self::Diamonds => "M0 -5L3.8 0L0 5L-3.8 0Z",
            Self::Hearts => {
                "M0 4.8C-6.4 .2 -4.6 -4.6 -2.2 -4.6C-.9 -4.6 0 -3.6 0 -2.7C0 -3.6 .9 -4.6 2.2 -4.6C4.6 -4.6 6.4 .2 0 4.8Z"
            }
            Self::Spades => {
                "M0 -5C5.8 -.4 4.6 3 2.3 3C1.3 3 .6 2.4 .4 1.6L1.4 4.9H-1.4L-.4 1.6C-.6 2.4 -1.3 3 -2.3 3C-4.6 3 -5.8 -.4 0 -5Z"
            }
        }
    }
}

/// The star of a Joker, about the middle of a square of 10.
const STAR: &str = "M0 -5L1.2 -1.6L4.8 -1.5L1.9 .6L2.9 4L0 2L-2.9 4L-1.9 .6L-4.8 -1.5L-1.2 -1.6Z";

/// Draws cards as far as they are turned: 0 is face down, 1 face up.
pub(crate) fn draw(sheet: &mut Sheet, view: &View, cards: &[String], turned: f64, plan: &Plan) {
    let shown = &cards[cards.len().saturating_sub(MOST)..];
    let Some(last) = shown.last() else { return };
    let breadth = |card: &String| if matches!(front(card), Front::Worded) { WORDED } else { WIDE };
    let row = shown.iter().map(breadth).sum::<f64>() + GAP * (shown.len() - 1) as f64;
    let name = letters::cut(&said(last), Face::Bold, LETTERS, plan.table.w * 0.4);
    // What is written on the card itself is not said again.
    let named = !matches!(front(last), Front::Worded);
    let wide = if named { row.max(letters::width(&name, Face::Bold, LETTERS)) } else { row };
    let high = HIGH + if named { LETTERS * 1.4 } else { 0.0 };
    let tray = corner(view, plan, wide + GAP * 2.0, high + GAP * 2.0);
    sheet.open(format_args!("id=\"cards\" transform=\"translate({} {})\"", N(tray.x + GAP), N(tray.y + GAP)));
    sheet.put(format_args!(
        "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\" rx=\"5\" fill=\"#282218\" fill-opacity=\".88\"/>\n",
        N(-GAP),
        N(tray.w),
        N(tray.h)
    ));
    let mut x = (wide - row) / 2.0;
    for card in shown {
        let w = breadth(card);
        one(sheet, card, x + w / 2.0, w, turned);
        x += w + GAP;
    }
    if named && turned >= 1.0 {
        text(sheet, (wide / 2.0, HIGH + LETTERS * 1.15), Face::Bold, LETTERS, "#fff", &name);
    }
    sheet.close();
}

/// The corner of the table with the fewest units under so large a tray; the upper right one where all are as good.
fn corner(view: &View, plan: &Plan, w: f64, h: f64) -> Frame {
    let table = plan.table;
    let (left, right) = (table.x + 4.0, (table.x + table.w - w - 4.0).max(table.x));
    let (top, foot) = (table.y + 4.0, (table.y + table.h - h - 4.0).max(table.y));
    let covered = |frame: &Frame| {
        let under = |unit: &&tricorne_game::view::UnitView| {
            let bounds = bounds_of(unit);
            let ((x0, y1), (x1, y0)) = (plan.spot(bounds.min), plan.spot(bounds.max));
            // Its name stands beside it.
            let room = plan.text;
            x1 + room > frame.x && x0 - room < frame.x + w && y1 + room > frame.y && y0 - room < frame.y + h
        };
        view.units.iter().filter(|unit| unit.on_table).filter(under).count()
    };
    [(right, top), (left, top), (right, foot), (left, foot)]
        .map(|(x, y)| Frame { x, y, w, h })
        .into_iter()
        .min_by_key(covered)
        .unwrap_or(Frame { x: right, y: top, w, h })
}

/// A card about its middle line, as far as it is turned.
fn one(sheet: &mut Sheet, card: &str, middle: f64, w: f64, turned: f64) {
    let seen = (2.0 * turned - 1.0).abs().clamp(0.08, 1.0);
    sheet.open(format_args!(
        "transform=\"translate({} 0) scale({} 1)\" data-card=\"{}\"",
        N(middle),
        N(seen),
        safe(card)
    ));
    let up = turned > 0.5;
    sheet.put(format_args!(
        "<rect x=\"{}\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" stroke=\"#6b6154\"/>\n",
        N(0.5 - w / 2.0),
        N(w - 1.0),
        N(HIGH - 1.0),
        if up { "#fffdf6" } else { "#7a2e22" }
    ));
    if up {
        match front(card) {
            Front::Playing { rank, suit } => {
                let ink = if matches!(suit, Suit::Diamonds | Suit::Hearts) { RED } else { INK };
                text(sheet, (0.0, 17.0), Face::Title, 18.0, ink, rank);
                sign(sheet, suit.sign(), ink);
            }
            Front::Joker { red } => {
                let ink = if red { RED } else { INK };
                text(sheet, (0.0, 17.0), Face::Title, 18.0, ink, "J");
                sign(sheet, STAR, ink);
            }
            Front::Worded => {
                let lines = letters::wrap(&said(card), Face::Bold, 11.0, w - 6.0);
                let lines = &lines[..lines.len().min(3)];
                let first = HIGH / 2.0 + 4.0 - (lines.len() as f64 - 1.0) * 6.5;
                for (i, line) in lines.iter().enumerate() {
                    text(sheet, (0.0, first + i as f64 * 13.0), Face::Bold, 11.0, INK, line);
                }
            }
        }
    } else {
        sheet.put(format_args!(
            "<rect x=\"{}\" y=\"4\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"none\" stroke=\"#c98a7d\" stroke-width=\"1.5\"/>\n",
            N(4.0 - w / 2.0),
            N(w - 8.0),
            N(HIGH - 8.0)
        ));
    }
    sheet.close();
}

fn sign(sheet: &mut Sheet, path: &str, ink: &str) {
    sheet.put(format_args!(
        "<path d=\"{path}\" transform=\"translate(0 29.5) scale(1.7)\" fill=\"{ink}\"/>\n"
    ));
}

fn text(sheet: &mut Sheet, (x, y): (f64, f64), face: Face, size: f64, fill: &str, words: &str) {
    sheet.put(format_args!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"{}\" font-size=\"{}\" fill=\"{fill}\">{}</text>\n",
        N(x),
        N(y),
        face.class(),
        N(size),
        safe(words)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_said_as_at_a_table() {
        let told =
            ["KD", "10S", "AC", "JR", "JB", "imperial", "march_on"].map(|card| said(card).into_owned());
        assert_eq!(
            told,
            [
                "King of diamonds",
                "10 of spades",
                "Ace of clubs",
                "the red Joker",
                "the black Joker",
                "imperial",
                "march on"
            ]
        );
    }
}
