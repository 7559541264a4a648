//! *Mit von Futsch zum Rheinland-Pfalz*: the War of the Polish Succession, 1733-35, by cards.
//!
//! The rooms have the names of the sections of the rulebook: `model` (section 2: kinds, formations, ground, sight), `turn`
//! (the cards), `command` (groups, initiative, commanders), `fire`, `morale` (with section 4.10), `movement`, `charge`,
//! `melee`, `capture`, `events`, `scenario` (set-up, army morale, victory). Each question that a player is asked stands
//! in a file of its own in its section's room; `questions` is their list. `page` and `judgement` hold no rules.
//!
//! ```
//! use tricorne_chance::{Seeded, Whim};
//! use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
//! use tricorne_rules_von_futsch::VonFutsch;
//!
//! // A battle as it comes with the rulebook, fought to its end by whim.
//! let scenario = VonFutsch.scenarios()[0];
//! let file = Source::new(scenario.id, scenario.text);
//! let mut battle = VonFutsch.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
//! let (mut dice, mut whim, mut log) = (Seeded::new(7), Whim::new(7, 0), Log::off());
//! battle.begin(&mut dice, &mut log);
//! while battle.seat().is_some() {
//!     let answer = battle.sample(&mut whim);
//!     battle.apply(&answer, &mut dice, &mut log).unwrap();
//! }
//! assert!(battle.ending().is_some());
//! assert!(VonFutsch.book().clause("VF-CHARGE-05").is_some());
//! ```

mod action;
mod armies;
mod battle;
mod brief;
mod capture;
mod charge;
mod charts;
mod command;
mod events;
mod field;
mod fight;
mod fire;
mod judgement;
mod melee;
mod model;
mod morale;
mod movement;
mod options;
mod page;
mod questions;
mod rulebook;
mod scenario;
mod state;
mod turn;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use action::{Action, ActionKind, Base, Flight, Leg, OtherBase, PutDown, Then};
pub use events::EventCard;
pub use field::Field;
pub use model::measure::{Decimal, Mils, Place};
pub use model::{Formation, Kind, Level, Quality};
pub use options::Options;
pub use questions::Questions;
pub use rulebook::{ArmyList, Entry, Rulebook};
pub use scenario::file::{SideFile, Words};
pub use scenario::purchase::{price, worth};
pub use state::{Response, Slide, State};

use tricorne_chance::Chance;
use tricorne_drill::Umpired;
use tricorne_game::army::{self, Army, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, Judgement, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

/// A battle under the rule system.
pub type Battle = Umpired<Field>;

/// The rule system.
#[derive(Clone, Copy, Debug, Default)]
pub struct VonFutsch;

/// The rule system for those who do not know its type. It is compiled here, once, and not in every crate that picks a
/// system at run time.
#[inline(never)]
pub fn any() -> &'static dyn tricorne_game::AnySystem {
    &VonFutsch
}

impl System for VonFutsch {
    type Battle = Battle;

    fn about(&self) -> About {
        About {
            id: "von-futsch",
            title: "Mit von Futsch zum Rheinland-Pfalz",
            blurb: "The War of the Polish Succession with toy soldiers: a pack of cards, regiments, charges and colours.",
            unit: LengthUnit::Inch,
            revision: 4,
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

    fn judgement(&self) -> Option<Judgement> {
        Some(rulebook::judgement().clone())
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Battle, Fault> {
        scenario::setup::set_up(file, choices, purpose).map(Umpired::new)
    }

    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault> {
        tricorne_drill::scenario::Scenario::<Words>::upgraded(file, &Choices::default())
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        let dice = chance.faces("terrain", scenario::deployment::SECTORS, 6);
        scenario::deployment::terrain_text(table, &dice)
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
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, "scenario.schema.json") },
        )
    }

    fn action_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, "action.schema.json") },
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
