//! A rule system: its rulebook, and how a battle is set up.

use serde::{Deserialize, Serialize};
use tricorne_chance::Chance;
use tricorne_table::LengthUnit;

use crate::JsonSchema;
use crate::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use crate::drafting::Drafting;
use crate::{Battle, Book, Choices, Fault, Judgement, OptionBook, Seat, Side, Source, StoryBook};

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
    /// Who comes out ahead between equal programs and how often, where it is worse than 60 to 40
    /// (`Imperial, 81 of 100`): what `tricorne lab balance` found.
    pub favours: Option<&'static str>,
}

impl ScenarioText {
    /// A scenario that is about even.
    pub const fn new(id: &'static str, text: &'static str) -> Self {
        Self { id, text, favours: None }
    }

    /// The same, where one side is favoured.
    #[must_use]
    pub const fn favouring(self, favours: &'static str) -> Self {
        Self { favours: Some(favours), ..self }
    }
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

    /// Its data files that a player may replace by [`Choices::data`], by name, as compiled in.
    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// The weights that programs judge by, from its `judgement.toml`; none where judgement has none.
    fn judgement(&self) -> Option<Judgement> {
        None
    }

    /// Sets up a battle from a file (TOML): the scenario of a battle, or the `[position]` of a rule case.
    /// Nothing is rolled yet; [`Battle::begin`] does that. Choices go over the file's own options.
    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose) -> Result<Self::Battle, Fault>;

    /// A scenario file of an older format written anew in the present one, comments and order kept where they can be; none
    /// if there is nothing to write anew.
    fn upgraded(&self, _file: &Source) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// Random ground as the `[[terrain]]` entries of a scenario file, by the system's own rule where it has one, for a
    /// table of this width and depth or for the usual one; what is wrong with the size where there can be none.
    fn random_terrain(&self, _table: Option<[f64; 2]>, _chance: &mut dyn Chance) -> Result<String, String> {
        Err(format!("{} has no random ground", self.about().title))
    }

    /// Whether anything of a battle may be hidden from a seat. Then nothing is told, at any time, that would find it: no odds
    /// of a way over the table, no taking back of what made another decide.
    fn secrets(&self) -> bool {
        false
    }

    /// The lists that armies are picked from.
    fn army_lists(&self) -> Vec<ArmyList> {
        Vec::new()
    }

    /// A legal army by chance: units picked within the points, leaders and generals rolled or drawn by the rule.
    fn muster(&self, call: &MusterCall, _chance: &mut dyn Chance) -> Result<Army, String> {
        Err(format!("{} has no armies to muster (asked for {call:?})", self.about().title))
    }

    /// What an army costs and which limits it breaks. A name that the list does not have is a broken limit too.
    fn check_army(&self, _army: &Army) -> ArmyReport {
        ArmyReport::default()
    }

    /// An army on paper.
    fn roster(&self, _army: &Army) -> Option<Roster> {
        None
    }

    /// A scenario file: two armies set up against each other on this ground (the `[[terrain]]` entries of
    /// [`System::random_terrain`], or nothing), on a table of this width and depth or on the usual one.
    fn pitch(&self, armies: &[Army; 2], _terrain: &str, _table: Option<[f64; 2]>) -> Result<String, String> {
        Err(format!("{} and {} can't be pitched against each other here", armies[0].name, armies[1].name))
    }

    /// The charts of the system as played under these options.
    fn reference(&self, _choices: &Choices) -> Option<ReferenceSheet> {
        None
    }

    /// What an editor needs to know of the system's scenario files.
    fn drafting(&self) -> Option<Drafting> {
        None
    }

    /// JSON schema of its scenario files.
    fn scenario_schema(&self) -> serde_json::Value;

    /// JSON schema of its actions; a system that has none published lets anything fit.
    fn action_schema(&self) -> serde_json::Value {
        serde_json::Value::Bool(true)
    }

    /// The seats of a battle just set up.
    fn seats(&self, battle: &Self::Battle) -> Vec<SeatInfo> {
        battle.view(None).seats
    }
}
