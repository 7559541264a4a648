//! *Outposts*: companies of foot, three decisions, a page of rules.

mod battle;
mod order;
mod pick;
mod reaction;
mod set_up;
mod view;

use battle::Skirmish;
use serde::Deserialize;
use tricorne_drill::{Line, options};
use tricorne_game::About;
use tricorne_table::LengthUnit;

options! {
    /// The readings of the rulebook.
    pub struct Options {
        /// OUT-TURN-03.
        rounds: u8,
        /// OUT-FIRE-03.
        sharp_eyes: bool,
    }
}

/// Every number of the rulebook, from `charts.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charts {
    march: Line,
    room: Line,
    range: Line,
    close: Line,
    close_fire: Line,
    hits_on: Line,
    gives_ground: Line,
    nerve: Line,
    heavy_loss: Line,
}

/// The files of the rulebook.
mod rulebook {
    use tricorne_game::ScenarioText;

    pub const FILES: &[(&str, &str)] = &[
        ("charts.toml", include_str!("../charts.toml")),
        ("clauses.md", include_str!("../clauses.md")),
        ("options.toml", include_str!("../options.toml")),
        ("story.toml", include_str!("../story.toml")),
    ];
    pub const SCENARIOS: [ScenarioText; 1] =
        [ScenarioText::new("the-mill", include_str!("../the-mill.toml"))];

    tricorne_drill::books! { FILES }

    /// What a player may replace by a file of his own.
    pub fn data_files() -> Vec<(&'static str, &'static str)> {
        FILES[..1].to_vec()
    }
}

tricorne_drill::system! {
    /// The rule system.
    pub struct Outposts of Skirmish {
        about: About {
            id: "outposts",
            title: "Outposts",
            blurb: "Companies of foot between two armies; a page of rules",
            unit: LengthUnit::Inch,
            revision: 1,
        },
        rulebook: rulebook,
        set_up: |file, choices, _| set_up::set_up(file, choices),
        words: set_up::Words,
    }
}
