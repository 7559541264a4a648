//! All the King's Men, second edition: toy soldiers, single figures, a deck of 28 cards, and dice of three colours.
//!
//! The rooms are the sections of the rulebook: [`formations`] (UNIT, FORM), `setup` (SETUP, FORCE), `command` (GEN, TEAM,
//! CMD), `turn` (TURN, CARD), `activation` (ACT, RES), `movement` (MOVE, TERR, LOS), `combat` (DICE, FIRE, MELEE), `rout` (MOB,
//! ROUT), `victory` (END); options of ADV stand where they bear. Each decision is a file of its own in its room, and
//! `battle` lists them. The rulebook itself, its numbers and its cases are in `rulebooks/all-the-kings-men`.
//!
//! ```
//! use tricorne_chance::{Seeded, Whim};
//! use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
//! use tricorne_rules_all_the_kings_men::AllTheKingsMen;
//!
//! // A battle as it comes with the rulebook, fought to its end by whim.
//! let scenario = AllTheKingsMen.scenarios()[0];
//! let file = Source::new(scenario.id, scenario.text);
//! let mut battle = AllTheKingsMen.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
//! let (mut dice, mut whim, mut log) = (Seeded::new(7), Whim::new(7, 0), Log::off());
//! battle.begin(&mut dice, &mut log);
//! while battle.seat().is_some() {
//!     let answer = battle.sample(&mut whim);
//!     battle.apply(&answer, &mut dice, &mut log).unwrap();
//! }
//! assert!(battle.ending().is_some());
//! assert!(AllTheKingsMen.book().clause("ATKM-FIRE-09").is_some());
//! ```

mod action;
mod activation;
mod armies;
mod battle;
mod combat;
mod command;
mod field;
pub mod formations;
mod judgement;
mod movement;
mod options;
mod rout;
mod rulebook;
mod setup;
mod shown;
mod state;
mod steer;
mod turn;
mod unit;
mod victory;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use action::{Action, Gift, Part};
pub use combat::exchange::{Exchange, Pool};
pub use field::Engagement;
pub use options::Options;
pub use rulebook::{Colour, DATA_FILES, Kind, PeriodList, Rulebook};
pub use setup::forces::{Breach, Muster, share};
pub use state::State;

use tricorne_chance::Chance;
use tricorne_drill::Umpired;
use tricorne_game::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, Judgement, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// A battle as the protocol drives it.
pub type Fight = Umpired<Engagement>;

/// The rule system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllTheKingsMen;

impl AllTheKingsMen {
    /// The numbers of the game with a player's own files in place of ours.
    pub fn rulebook(&self, choices: &Choices) -> Result<std::sync::Arc<Rulebook>, Fault> {
        Rulebook::with(choices)
    }
}

/// The rule system for those who do not know its type. It is compiled here, once, and not in every crate that picks a
/// system at run time.
#[inline(never)]
pub fn any() -> &'static dyn tricorne_game::AnySystem {
    &AllTheKingsMen
}

impl System for AllTheKingsMen {
    type Battle = Fight;

    fn about(&self) -> About {
        About {
            id: "all-the-kings-men",
            title: "All the King's Men",
            blurb: "Toy soldiers from the Seven Years War to the Civil War: one deck of 28 cards, dice of three colours",
            unit: LengthUnit::Inch,
            revision: 3,
        }
    }

    fn book(&self) -> &'static Book {
        &rulebook::BOOK
    }

    fn options(&self) -> &'static OptionBook {
        &rulebook::OPTIONS
    }

    fn stories(&self) -> &'static StoryBook {
        &rulebook::STORIES
    }

    fn scenarios(&self) -> &'static [ScenarioText] {
        &rulebook::SCENARIOS
    }

    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        rulebook::data_files()
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Fight, Fault> {
        setup::set_up(file, choices, purpose).map(Umpired::new)
    }

    fn judgement(&self) -> Option<Judgement> {
        Some(judgement::terms::STANDARD.clone())
    }

    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault> {
        tricorne_drill::scenario::Scenario::<setup::scenario::Words>::upgraded(file, &Choices::default())
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        armies::random_terrain(table, chance)
    }

    fn army_lists(&self) -> Vec<ArmyList> {
        armies::army_lists()
    }

    fn muster(&self, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
        armies::muster(call, chance)
    }

    fn check_army(&self, army: &Army) -> ArmyReport {
        armies::check_army(army)
    }

    fn roster(&self, army: &Army) -> Option<Roster> {
        Some(armies::roster(army))
    }

    fn pitch(&self, armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
        armies::pitch(armies, terrain, table)
    }

    fn reference(&self, choices: &Choices) -> Option<ReferenceSheet> {
        armies::reference(choices)
    }

    fn drafting(&self) -> Option<Drafting> {
        Some(armies::drafting())
    }

    fn scenario_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_all_the_kings_men::FILES, "scenario.schema.json") },
        )
    }

    fn action_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_all_the_kings_men::FILES, "action.schema.json") },
        )
    }
}

/// The schemas as the types have them, by the name of the rulebook's file that is held to each.
#[cfg(feature = "schemas")]
pub fn described() -> [(&'static str, serde_json::Value); 2] {
    [
        ("action.schema.json", schemars::schema_for!(Action).to_value()),
        ("scenario.schema.json", tricorne_drill::scenario::schema::<setup::scenario::Words>()),
    ]
}
