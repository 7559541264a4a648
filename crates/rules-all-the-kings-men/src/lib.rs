//! All the King's Men, second edition: toy soldiers, single figures, a deck of 28 cards, and dice of three colours.
//!
//! The rooms are the sections of the rulebook: [`formations`], `generals`, `command` (command points and teams),
//! `deployment`, `forces`, `turn`, `cards`, `activation` (and resolve), `movement`, `terrain`, `sight`, `fire`, `melee`,
//! `retreat`, `rout`, `victory`. The rulebook itself, its numbers and its cases are in `rulebooks/all-the-kings-men`.

mod action;
mod activation;
mod armies;
mod battle;
mod cards;
mod command;
mod courses;
mod deployment;
mod exchange;
mod facts;
mod field;
mod fire;
mod forces;
pub mod formations;
mod generals;
mod judgement;
mod legal;
mod light;
mod melee;
mod movement;
mod options;
mod position;
mod preview;
mod retreat;
mod rout;
mod rulebook;
mod sample;
mod scenario;
mod setup;
mod sight;
mod sight_between;
mod skirmish;
mod state;
mod steer;
mod terrain;
mod turn;
mod victory;
mod view;

pub use action::{Action, Gift, Part};
pub use exchange::{Exchange, Pool};
pub use field::Engagement;
pub use forces::{Breach, Muster, share};
pub use options::Options;
pub use rulebook::{Colour, DATA_FILES, Kind, PeriodList, Rulebook};
pub use state::State;

use tricorne_chance::Chance;
use tricorne_game::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// The rule system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllTheKingsMen;

impl AllTheKingsMen {
    /// The numbers of the game with a player's own files in place of ours.
    pub fn rulebook(&self, choices: &Choices) -> Result<std::sync::Arc<Rulebook>, Fault> {
        Rulebook::with(choices)
    }
}

impl System for AllTheKingsMen {
    type Battle = Engagement;

    fn about(&self) -> About {
        About {
            id: "all-the-kings-men",
            title: "All the King's Men",
            blurb: "Toy soldiers from the Seven Years War to the Civil War: one deck of 28 cards, dice of three colours",
            unit: LengthUnit::Inch,
            revision: 1,
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

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Engagement, Fault> {
        setup::set_up(file, choices, purpose)
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
        armies::roster(army)
    }

    fn pitch(&self, armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
        armies::pitch(armies, terrain, table)
    }

    fn reference(&self, choices: &Choices) -> Option<ReferenceSheet> {
        armies::reference(choices)
    }

    fn drafting(&self) -> Option<Drafting> {
        armies::drafting()
    }

    fn scenario_schema(&self) -> serde_json::Value {
        serde_json::to_value(schemars::schema_for!(scenario::BattleFile)).unwrap_or_default()
    }
}
