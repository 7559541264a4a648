//! *Mit von Futsch zum Rheinland-Pfalz*: the War of the Polish Succession, 1733-35, by cards.
//!
//! The rooms have the names of the sections of the rulebook: [`turn`] (the cards), `command` (groups, initiative,
//! commanders), `fire`, `morale`, `movement`, `manoeuvre`, `ground` (terrain), `charge`, `melee`, `capture`,
//! `victory` (army morale and scenarios), `events`, `deployment`. `answer` holds the decisions of part 5.

mod action;
mod answer;
mod armies;
mod battle;
mod capture;
mod charge;
mod command;
mod contact;
mod courses;
mod deployment;
mod events;
mod facts;
mod field;
mod file;
mod fire;
mod formation;
mod ground;
mod judgement;
mod manoeuvre;
mod march;
mod measure;
mod melee;
mod model;
mod morale;
mod movement;
mod options;
mod preview;
mod purchase;
mod question;
mod route;
mod rulebook;
mod sample;
mod setup;
mod sight;
mod sight_between;
mod state;
mod steer;
mod turn;
mod victory;
mod view;

pub use action::{Action, ActionKind, Base, Flight, Leg, OtherBase, PutDown, Then};
pub use events::EventCard;
pub use field::Field;
pub use file::{File, SideFile};
pub use measure::{Decimal, Mils, Place};
pub use model::{Formation, Kind, Level, Quality};
pub use options::Options;
pub use purchase::{price, worth};
pub use rulebook::{ArmyList, Entry, Rulebook};
pub use state::{Response, Slide, State};

use tricorne_chance::Chance;
use tricorne_game::army::{self, Army, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// The rule system.
#[derive(Clone, Copy, Debug, Default)]
pub struct VonFutsch;

impl System for VonFutsch {
    type Battle = Field;

    fn about(&self) -> About {
        About {
            id: "von-futsch",
            title: "Mit von Futsch zum Rheinland-Pfalz",
            blurb: "The War of the Polish Succession with toy soldiers: a pack of cards, regiments, charges and colours.",
            unit: LengthUnit::Inch,
            revision: 1,
        }
    }

    fn book(&self) -> &'static Book {
        rulebook::book()
    }

    fn options(&self) -> &'static OptionBook {
        rulebook::options()
    }

    fn stories(&self) -> &'static StoryBook {
        rulebook::stories()
    }

    fn scenarios(&self) -> &'static [ScenarioText] {
        rulebook::SCENARIOS
    }

    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        rulebook::data_files()
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Field, Fault> {
        setup::set_up(file, choices, purpose)
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        deployment::terrain_text(table, &chance.faces("terrain", 6, 6))
    }

    fn army_lists(&self) -> Vec<army::ArmyList> {
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
        Some(armies::drafting())
    }

    fn scenario_schema(&self) -> serde_json::Value {
        serde_json::to_value(schemars::schema_for!(File)).unwrap_or_default()
    }
}
