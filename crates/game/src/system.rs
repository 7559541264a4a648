//! A rule system: its rulebook, and how a battle is set up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tricorne_chance::Chance;
use tricorne_table::LengthUnit;

use crate::{Battle, Book, Choices, Fault, OptionBook, Seat, Side, Source, StoryBook};

/// What a rule system is called and how it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    /// `would-be-kings`.
    pub id: &'static str,
    /// *The Men Who Would Be Kings*.
    pub title: &'static str,
    /// One line: period, scale, what makes it itself.
    pub blurb: &'static str,
    /// Inches or centimetres.
    pub unit: LengthUnit,
    /// Raised when a change to the rules makes old journals play out differently.
    pub revision: u32,
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatInfo {
    /// Its number.
    pub seat: Seat,
    /// The side it plays for.
    pub side: Side,
    /// `Imperial`, `Red, Commanding General`.
    pub name: String,
}

/// A scenario that comes with a rulebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScenarioText {
    /// Its id: `crossing-the-veld`.
    pub id: &'static str,
    /// The TOML.
    #[serde(skip)]
    pub text: &'static str,
}

/// What a set-up file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A battle from the start: everything the rules demand of a start must hold.
    Scenario,
    /// A moment in the middle of a battle, for a rule case: units may be pinned, gone, already activated.
    Position,
}

/// A rule system. Stateless: everything that changes is in its [`Battle`].
pub trait System: Copy + Send + Sync + 'static {
    /// A battle under these rules.
    type Battle: Battle;

    /// What it is called and how it measures.
    fn about(&self) -> About;

    /// Its clauses.
    fn book(&self) -> &'static Book;

    /// Its options.
    fn options(&self) -> &'static OptionBook;

    /// Its way of telling events.
    fn stories(&self) -> &'static StoryBook;

    /// The scenarios it comes with.
    fn scenarios(&self) -> &'static [ScenarioText];

    /// Sets up a battle from a file (TOML): the scenario of a battle, or the `[position]` of a rule case.
    /// Nothing is rolled yet; [`Battle::begin`] does that. Choices go over the file's own options.
    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Self::Battle, Fault>;

    /// Random ground by the system's own rule, as the `[[terrain]]` entries of a scenario file; none where the system
    /// has no such rule.
    fn random_terrain(&self, _chance: &mut dyn Chance) -> Option<String> {
        None
    }

    /// JSON schema of its scenario files.
    fn scenario_schema(&self) -> serde_json::Value;

    /// JSON schema of its actions.
    fn action_schema(&self) -> serde_json::Value {
        serde_json::to_value(schemars::schema_for!(<Self::Battle as Battle>::Action)).unwrap_or_default()
    }

    /// The seats of a battle just set up.
    fn seats(&self, battle: &Self::Battle) -> Vec<SeatInfo> {
        battle.view(None).seats
    }
}
