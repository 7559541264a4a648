//! *Outposts*: companies of foot, three decisions, a page of rules.

mod battle;
mod order;
mod pick;
mod reaction;
mod set_up;
mod view;

use std::sync::LazyLock;

use battle::Skirmish;
use serde::Deserialize;
use tricorne_drill::{Line, Umpired, options};
use tricorne_game::{
    About, Book, Choices, Fault, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
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

const CHARTS: &str = include_str!("../charts.toml");
static BOOK: LazyLock<Book> =
    LazyLock::new(|| Book::read(include_str!("../clauses.md")).expect("the clauses can be read"));
static OPTIONS: LazyLock<OptionBook> = LazyLock::new(|| {
    OptionBook::read(&Source::new("options.toml", include_str!("../options.toml")))
        .expect("options can be read")
});
static STORIES: LazyLock<StoryBook> = LazyLock::new(|| {
    StoryBook::read(&Source::new("story.toml", include_str!("../story.toml"))).expect("stories can be read")
});
static SCENARIOS: [ScenarioText; 1] = [ScenarioText::new("the-mill", include_str!("../the-mill.toml"))];

/// The rule system.
#[derive(Clone, Copy, Debug)]
pub struct Outposts;

impl System for Outposts {
    type Battle = Umpired<Skirmish>;

    fn about(&self) -> About {
        About {
            id: "outposts",
            title: "Outposts",
            blurb: "Companies of foot between two armies; a page of rules",
            unit: LengthUnit::Inch,
            revision: 1,
        }
    }

    fn book(&self) -> &'static Book {
        &BOOK
    }

    fn options(&self) -> &'static OptionBook {
        &OPTIONS
    }

    fn stories(&self) -> &'static StoryBook {
        &STORIES
    }

    fn scenarios(&self) -> &'static [ScenarioText] {
        &SCENARIOS
    }

    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        vec![("charts.toml", CHARTS)]
    }

    fn set_up(&self, file: &Source, choices: &Choices, _: Purpose) -> Result<Self::Battle, Fault> {
        set_up::set_up(file, choices).map(Umpired::new)
    }

    fn scenario_schema(&self) -> serde_json::Value {
        tricorne_drill::scenario::schema::<set_up::Words>()
    }
}
