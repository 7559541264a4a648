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

use tricorne_drill::Umpired;
use tricorne_game::{About, Choices, Fault};
use tricorne_table::LengthUnit;

/// A battle as the protocol drives it.
pub type Fight = Umpired<Engagement>;

tricorne_drill::system! {
    /// The rule system.
    pub struct AllTheKingsMen of Engagement {
        about: About {
            id: "all-the-kings-men",
            title: "All the King's Men",
            blurb: "Toy soldiers from the Seven Years War to the Civil War: one deck of 28 cards, dice of three colours",
            unit: LengthUnit::Inch,
            revision: 8,
        },
        rulebook: rulebook,
        set_up: setup::set_up,
        words: setup::scenario::Words,
        published: tricorne_rulebook_all_the_kings_men::FILES,
        actions: Action,
        judgement: judgement::terms::STANDARD.clone(),
        armies: armies,
        sheet: armies::reference,
        drafting: Some(armies::drafting()),
        ground: armies::random_terrain,
    }
}

impl AllTheKingsMen {
    /// The numbers of the game with a player's own files in place of ours.
    pub fn rulebook(&self, choices: &Choices) -> Result<std::sync::Arc<Rulebook>, Fault> {
        Rulebook::with(choices)
    }
}
