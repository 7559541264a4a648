//! The Men Who Would Be Kings: colonial skirmishes of single figures, one side moving at a time.
//!
//! The rooms have the names of the rulebook's parts: `model` is part 2, `tables` part 3, and `turn`, `activation`,
//! `movement`, `attack`, `fire`, `close_order`, `morale`, `scenario` and `solo` the sections of part 4. Each decision of
//! part 5 is a type in the room of its section; `battle` lists them. `armies`, `judgement` and `steer` hold no rule.
//!
//! ```
//! use tricorne_chance::{Seeded, Whim};
//! use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
//! use tricorne_rules_would_be_kings::WouldBeKings;
//!
//! // A battle as it comes with the rulebook, fought to its end by whim.
//! let scenario = WouldBeKings.scenarios()[0];
//! let file = Source::new(scenario.id, scenario.text);
//! let mut battle = WouldBeKings.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
//! let (mut dice, mut whim, mut log) = (Seeded::new(7), Whim::new(7, 0), Log::off());
//! battle.begin(&mut dice, &mut log);
//! while battle.seat().is_some() {
//!     let answer = battle.sample(&mut whim);
//!     battle.apply(&answer, &mut dice, &mut log).unwrap();
//! }
//! assert!(battle.ending().is_some());
//! assert!(WouldBeKings.book().clause("WBK-FIRE-06").is_some());
//! ```

mod action;
mod activation;
mod armies;
mod attack;
mod battle;
mod close_order;
mod facts;
mod field;
mod fire;
mod ideas;
mod judgement;
mod model;
mod morale;
mod movement;
mod options;
mod preview;
mod scenario;
mod solo;
mod state;
mod steer;
mod tables;
mod turn;
mod view;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use action::{Action, Charge, Declare, Form, Go, Half, Occupy, Place};
pub use battle::{Asked, Fray};
pub use field::Card;
pub use options::Options;
pub use scenario::words::{SideName, Words};
pub use state::{Character, Layout, Order, State, Unit};
pub use tables::forces::{ForceFault, LeaderRoll, Pick, UnitFault};
use tables::rulebook;
pub use tables::rulebook::{
    CharacterRow, Charts, Class, Cover, Drill, Force, ForceUnit, GroundKind, Leaders, Profile, Rulebook,
    Upgrade, Weapon,
};

use tricorne_chance::Chance;
use tricorne_game::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, Judgement, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// A battle of The Men Who Would Be Kings.
pub type WbkBattle = tricorne_drill::Umpired<Fray>;

/// The rule system.
#[derive(Clone, Copy, Debug, Default)]
pub struct WouldBeKings;

/// The rule system for those who do not know its type. It is compiled here, once, and not in every crate that picks a
/// system at run time.
#[inline(never)]
pub fn any() -> &'static dyn tricorne_game::AnySystem {
    &WouldBeKings
}

impl System for WouldBeKings {
    type Battle = WbkBattle;

    fn about(&self) -> About {
        About {
            id: "would-be-kings",
            title: "The Men Who Would Be Kings",
            blurb: "Colonial skirmishes with a dozen figures to a unit, where leaders may or may not obey",
            unit: LengthUnit::Inch,
            revision: 3,
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

    fn judgement(&self) -> Option<Judgement> {
        Some(rulebook::judgement())
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<WbkBattle, Fault> {
        scenario::setup::set_up(file, choices, purpose).map(WbkBattle::new)
    }

    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault> {
        scenario::words::File::upgraded(file, &Choices::default())
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        armies::random_ground(&Rulebook::standard(), table, chance)
    }

    fn army_lists(&self) -> Vec<ArmyList> {
        armies::army_lists(&Rulebook::standard())
    }

    fn muster(&self, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
        armies::muster(&Rulebook::standard(), call, chance)
    }

    fn check_army(&self, army: &Army) -> ArmyReport {
        armies::check_army(&Rulebook::standard(), army)
    }

    fn roster(&self, army: &Army) -> Option<Roster> {
        armies::roster(&Rulebook::standard(), army)
    }

    fn pitch(&self, armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
        armies::pitch(&Rulebook::standard(), armies, terrain, table)
    }

    fn reference(&self, choices: &Choices) -> Option<ReferenceSheet> {
        armies::reference(self.about().title, choices)
    }

    fn drafting(&self) -> Option<Drafting> {
        Some(armies::drafting(&Rulebook::standard()))
    }

    fn scenario_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_would_be_kings::FILES, "scenario.schema.json") },
        )
    }

    fn action_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_would_be_kings::FILES, "action.schema.json") },
        )
    }
}

/// The schemas as the types have them, by the name of the rulebook's file that is held to each.
#[cfg(feature = "schemas")]
pub fn described() -> [(&'static str, serde_json::Value); 2] {
    [
        ("action.schema.json", schemars::schema_for!(Action).to_value()),
        ("scenario.schema.json", tricorne_drill::scenario::schema::<Words>()),
    ]
}
