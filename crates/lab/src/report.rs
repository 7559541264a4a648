//! A study on a plate: who won, how long it took, what each unit lost.

use std::collections::BTreeMap;

use crate::plate::{Dot, Panel, Plate, Scale};
use crate::study::{Row, Study};
use crate::summary::{Share, Summary, UnitLosses};

/// Names for people: the scenario and its sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The scenario's title.
    pub title: String,
    /// The sides, in order.
    pub sides: Vec<String>,
    /// Unit ids and what to call them.
    pub units: BTreeMap<String, String>,
}

impl Names {
    /// A side's name.
    pub fn side(&self, side: usize) -> &str {
        self.sides.get(side).map_or("?", String::as_str)
    }
}

pub(crate) fn share_dot(label: &str, share: Share, colour: usize) -> Dot {
    Dot {
        label: label.into(),
        value: share.share,
        low: share.low,
        high: share.high,
        text: share.to_string(),
        colour,
    }
}

/// How often a unit was gone or had marched off, in words.
fn fate(unit: &UnitLosses) -> String {
    let gone = format!("gone {:.0} %", unit.gone.share * 100.0);
    match unit.marched_off.share {
        off if off > 0.0 => format!("{gone}, marched off {:.0} %", off * 100.0),
        _ => gone,
    }
}

/// The plate of a study.
pub fn plate(study: &Study, names: &Names, rows: &[Row], summary: &Summary) -> Plate {
    let [a, b] = study.players;
    let mut shares = Vec::new();
    if a != b {
        shares.push(share_dot(&format!("{a}"), summary.first_player, 0));
    }
    shares.push(share_dot(names.side(0), summary.first_side, if a == b { 0 } else { 2 }));
    let mut turns: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for row in rows {
        let part = row.winner.map_or(2, |w| w.index().min(1));
        turns.entry(row.turns).or_insert_with(|| vec![0; 3])[part] += 1;
    }
    let losses = summary.losses.iter().map(|u| {
        let of = u.strength.max(1.0);
        Dot {
            label: names.units.get(&u.unit).cloned().unwrap_or_else(|| u.unit.clone()),
            value: u.lost.mean / of,
            low: (u.lost.low / of).max(0.0),
            high: (u.lost.high / of).min(1.0),
            text: format!("{:.1} of {:.0}, {}", u.lost.mean, u.strength, fate(u)),
            colour: u.side.index().min(1),
        }
    });
    let drawn = if summary.drawn > 0 { ", a draw counted as half" } else { "" };
    Plate {
        title: names.title.clone(),
        subtitle: format!("{a} against {b}: {} battles, sides swapped every other battle", summary.battles),
        panels: vec![
            Panel::Dots {
                title: format!("Share of battles won{drawn}"),
                scale: Scale::SHARE,
                mark: Some(0.5),
                rows: shares,
                bars: false,
            },
            Panel::Columns {
                title: "Length".into(),
                about: "turns until it was decided".into(),
                parts: vec![
                    format!("{} wins", names.side(0)),
                    format!("{} wins", names.side(1)),
                    "draw".into(),
                ],
                columns: turns.into_iter().collect(),
            },
            Panel::Dots {
                title: "Losses by unit".into(),
                scale: Scale::SHARE,
                mark: None,
                rows: losses.collect(),
                bars: true,
            },
        ],
        foot: format!(
            "Whiskers are 95 % intervals. Tricorne, {}, seeds from {}, study {}.",
            study.ruleset,
            study.seed,
            study.digest()
        ),
    }
}
