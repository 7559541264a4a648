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

use tricorne_game::About;
use tricorne_table::LengthUnit;

/// A battle of The Men Who Would Be Kings.
pub type WbkBattle = tricorne_drill::Umpired<Fray>;

tricorne_drill::system! {
    /// The rule system.
    pub struct WouldBeKings of Fray {
        about: About {
            id: "would-be-kings",
            title: "The Men Who Would Be Kings",
            blurb: "Colonial skirmishes with a dozen figures to a unit, where leaders may or may not obey",
            unit: LengthUnit::Inch,
            revision: 8,
        },
        rulebook: rulebook,
        set_up: scenario::setup::set_up,
        words: Words,
        published: tricorne_rulebook_would_be_kings::FILES,
        actions: Action,
        judgement: rulebook::judgement(),
        armies: armies with &Rulebook::standard(),
        sheet: |choices| armies::reference("The Men Who Would Be Kings", choices),
        drafting: Some(armies::drafting(&Rulebook::standard())),
        ground: |table, chance| armies::random_ground(&Rulebook::standard(), table, chance),
    }
}
