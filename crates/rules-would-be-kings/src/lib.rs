//! The Men Who Would Be Kings: colonial skirmishes of single figures, one side moving at a time.
//!
//! The rooms have the names of the rulebook's parts: [`state`] and `layout` hold the model of part 2, `activation`,
//! `movement`, `attack`, `melee`, `fire`, `morale`, `retreat` the actions of part 4, `turn`, `deployment`, `victory`
//! and `solo` the frame round them, and `battle` the decisions of part 5.

mod action;
mod activation;
mod attack;
mod base;
mod battle;
mod body;
mod charts;
mod deployment;
mod facts;
mod field;
mod fire;
mod forces;
mod ground;
mod judgement;
mod layout;
mod melee;
mod mods;
mod morale;
mod movement;
mod options;
mod preview;
mod retreat;
mod rulebook;
mod sample;
mod scenario;
mod setup;
mod sight;
mod solo;
mod state;
mod steer;
mod survey;
mod turn;
mod victory;
mod view;

pub use action::{Action, Charge, Declare, Form, Go, Half, Occupy, Place};
pub use battle::WbkBattle;
pub use field::Card;
pub use forces::{ForceFault, LeaderRoll, Pick, UnitFault};
pub use options::Options;
pub use rulebook::{
    CharacterRow, Charts, Class, Cover, Drill, Force, ForceUnit, GroundKind, Leaders, Profile, Rulebook,
    Upgrade, Weapon,
};
pub use scenario::{SetUpFile, SideName};
pub use state::{Character, Layout, Order, Stage, State, Unit};

use tricorne_game::{
    About, Book, Choices, Fault, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// The rule system.
#[derive(Clone, Copy, Debug, Default)]
pub struct WouldBeKings;

impl System for WouldBeKings {
    type Battle = WbkBattle;

    fn about(&self) -> About {
        About {
            id: "would-be-kings",
            title: "The Men Who Would Be Kings",
            blurb: "Colonial skirmishes with a dozen figures to a unit, where leaders may or may not obey",
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
        &rulebook::SCENARIOS
    }

    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        rulebook::data_files()
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<WbkBattle, Fault> {
        setup::set_up(file, choices, purpose)
    }

    fn scenario_schema(&self) -> serde_json::Value {
        serde_json::to_value(schemars::schema_for!(SetUpFile)).unwrap_or_default()
    }
}
