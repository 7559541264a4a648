//! *Seven Years War*, 15mm: battalions and squadrons in groups, five orders, and generals who may or may not get
//! them carried out.
//!
//! ```
//! use tricorne_chance::{Seeded, Whim};
//! use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
//! use tricorne_rules_seven_years_war::SevenYearsWar;
//!
//! // A battle as it comes with the rulebook, fought to its end by whim.
//! let scenario = SevenYearsWar.scenarios()[0];
//! let file = Source::new(scenario.id, scenario.text);
//! let mut battle = SevenYearsWar.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
//! let (mut dice, mut whim, mut log) = (Seeded::new(7), Whim::new(7, 0), Log::off());
//! battle.begin(&mut dice, &mut log);
//! while battle.seat().is_some() {
//!     let answer = battle.sample(&mut whim);
//!     battle.apply(&answer, &mut dice, &mut log).unwrap();
//! }
//! assert!(battle.ending().is_some());
//! assert!(SevenYearsWar.book().clause("SYW-ORDER-09").is_some());
//! ```

// Marks of the moment (moved, shot, charged …) are what the rules themselves keep, one token each.
#![allow(clippy::struct_excessive_bools)]
// Geometry of a walk is told in full rather than in bags made up for the purpose.
#![allow(clippy::too_many_arguments)]
// What is asked of the battle is asked of the battle, even where today's answer needs nothing of it.
#![allow(clippy::match_same_arms, clippy::unused_self)]

mod action;
mod armies;
mod battle;
mod charges;
mod charts;
mod deployment;
mod flight;
mod generals;
mod hiding;
mod judgement;
mod melee;
mod model;
mod morale;
mod movement;
mod off_table;
mod options;
mod orders;
pub mod points;
mod questions;
mod rulebook;
mod sequence;
mod setup;
mod shooting;
mod showing;
mod steer;
mod terrain;
pub mod terrain_generation;
mod victory;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

use tricorne_chance::Chance;
use tricorne_drill::Umpired;
use tricorne_game::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use tricorne_game::drafting::Drafting;
use tricorne_game::{
    About, Book, Choices, Fault, Judgement, OptionBook, Purpose, ScenarioText, Source, StoryBook, System,
};
use tricorne_table::LengthUnit;

pub use action::Action;
pub use model::field::SevenYearsBattle;
pub use questions::Questions;

/// A battle under the rule system.
pub type Battle = Umpired<SevenYearsBattle>;

/// The rule system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SevenYearsWar;

/// The rule system for those who do not know its type. It is compiled here, once, and not in every crate that picks a
/// system at run time.
#[inline(never)]
pub fn any() -> &'static dyn tricorne_game::AnySystem {
    &SevenYearsWar
}

impl System for SevenYearsWar {
    type Battle = Battle;

    fn about(&self) -> About {
        About {
            id: "seven-years-war",
            title: "Seven Years War, 15mm",
            blurb: "Big battles of the 1750s in 15mm: groups on five orders, generals of every quality, charges, routs and pursuits.",
            unit: LengthUnit::Centimetre,
            revision: 5,
        }
    }

    // Troops hide in woods and behind hills, and march round the flank (SYW-HIDE, SYW-DEPLOY-16).
    fn secrets(&self) -> bool {
        true
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
        Some(judgement::standard().clone())
    }

    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Battle, Fault> {
        setup::set_up(file, choices, purpose).map(Umpired::new)
    }

    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault> {
        tricorne_drill::scenario::Scenario::<setup::file::Words>::upgraded(file, &Choices::default())
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        let ground = &rulebook::Rulebook::own().ground;
        let table = table.unwrap_or(armies::TABLE);
        ground.sizes.divides(table)?;
        Ok(terrain_generation::generate(table, ground, chance).to_toml())
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
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_seven_years_war::FILES, "scenario.schema.json") },
        )
    }

    fn action_schema(&self) -> serde_json::Value {
        tricorne_drill::published(
            const { tricorne_drill::page(tricorne_rulebook_seven_years_war::FILES, "action.schema.json") },
        )
    }
}

/// The schemas as the types have them, by the name of the rulebook's file that is held to each.
#[cfg(feature = "schemas")]
pub fn described() -> [(&'static str, serde_json::Value); 2] {
    [
        ("action.schema.json", schemars::schema_for!(Action).to_value()),
        ("scenario.schema.json", tricorne_drill::scenario::schema::<setup::file::Words>()),
    ]
}
