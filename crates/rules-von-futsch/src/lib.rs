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
pub use scenario::purchase::price;
pub use state::{Response, Slide, State};

use tricorne_drill::Umpired;
use tricorne_game::About;
use tricorne_table::LengthUnit;

/// A battle under the rule system.
pub type Battle = Umpired<Field>;

tricorne_drill::system! {
    /// The rule system.
    pub struct VonFutsch of Field {
        about: About {
            id: "von-futsch",
            title: "Mit von Futsch zum Rheinland-Pfalz",
            blurb: "The War of the Polish Succession with toy soldiers: a pack of cards, regiments, charges and colours.",
            unit: LengthUnit::Inch,
            revision: 9,
        },
        rulebook: rulebook,
        set_up: scenario::setup::set_up,
        words: Words,
        published: tricorne_rulebook_von_futsch::FILES,
        actions: Action,
        judgement: rulebook::judgement().clone(),
        armies: armies,
        sheet: armies::reference,
        drafting: Some(armies::drafting()),
        ground: |table, chance| {
            let dice = chance.faces("terrain", scenario::deployment::SECTORS, 6);
            scenario::deployment::terrain_text(table, &dice)
        },
    }
}
