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

use tricorne_drill::Umpired;
use tricorne_game::About;
use tricorne_table::LengthUnit;

pub use action::Action;
pub use model::field::SevenYearsBattle;
pub use questions::Questions;

/// A battle under the rule system.
pub type Battle = Umpired<SevenYearsBattle>;

tricorne_drill::system! {
    /// The rule system.
    pub struct SevenYearsWar of SevenYearsBattle {
        about: About {
            id: "seven-years-war",
            title: "Seven Years War, 15mm",
            blurb: "Big battles of the 1750s in 15mm: groups on five orders, generals of every quality, charges, routs and pursuits.",
            unit: LengthUnit::Centimetre,
            revision: 11,
        },
        rulebook: rulebook,
        set_up: setup::set_up,
        words: setup::file::Words,
        published: tricorne_rulebook_seven_years_war::FILES,
        actions: Action,
        judgement: judgement::standard().clone(),
        armies: armies,
        sheet: armies::reference,
        drafting: armies::drafting(),
        ground: |table, chance| {
            let ground = &rulebook::Rulebook::own().ground;
            let table = table.unwrap_or(armies::TABLE);
            ground.sizes.divides(table)?;
            Ok(terrain_generation::generate(table, ground, chance).to_toml())
        },
        // Troops hide in woods and behind hills, and march round the flank (SYW-HIDE, SYW-DEPLOY-16).
        secrets: true,
    }
}
