//! A study: one scenario, two players, many battles. And a row: what came of one battle.

use serde::{Deserialize, Serialize};
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::army::MusterCall;
use tricorne_game::{Choices, Fault, Side, Source};

use crate::rows::RowsError;

/// What is fought, by whom, how often, from which seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The rule system's id.
    pub ruleset: String,
    /// The scenario.
    pub scenario: Source,
    /// Armies mustered anew for each battle and pitched against each other on ground by the system's own rule, in
    /// place of the scenario.
    pub muster: Option<[MusterCall; 2]>,
    /// House rules and data.
    pub choices: Choices,
    /// The two players. The first one has the first side in the battles with an even number, the other side in the
    /// others.
    pub players: [Level; 2],
    /// How many battles.
    pub battles: u64,
    /// The seed of battle 0; each further battle has the next one.
    pub seed: Seed,
}

impl Study {
    /// The seed of a battle: the n-th after the study's own, so that `tricorne battle --seed` fights the same one.
    pub fn seed_of(&self, battle: u64) -> Seed {
        seed_after(self.seed, battle)
    }

    /// A short name of what is studied: everything that decides how a battle goes, but not how many are fought, so that
    /// a study can be gone on with. Rows carry it.
    pub fn digest(&self) -> String {
        let revision = tricorne_shelf::system(&self.ruleset).map_or(0, |s| s.about().revision);
        let whole = serde_json::json!([
            self.ruleset,
            revision,
            if self.muster.is_some() { "" } else { &self.scenario.text },
            self.muster,
            self.choices,
            self.players.map(|p| p.to_string()),
            self.seed,
        ]);
        blake3::hash(whole.to_string().as_bytes()).to_hex()[..16].to_owned()
    }

    /// Which of the two players has a side in a battle.
    pub fn player_of(&self, battle: u64, side: Side) -> usize {
        (side.index() + (battle % 2) as usize) % 2
    }

    /// The side that a player has in a battle.
    pub fn side_of(&self, battle: u64, player: usize) -> Side {
        Side(((player as u64 + battle) % 2) as u8)
    }
}

/// The n-th seed after another.
pub(crate) fn seed_after(seed: Seed, n: u64) -> Seed {
    let mut bytes = seed.0;
    let mut low = [0; 8];
    low.copy_from_slice(&bytes[..8]);
    bytes[..8].copy_from_slice(&u64::from_le_bytes(low).wrapping_add(n).to_le_bytes());
    Seed(bytes)
}

/// What came of one battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its number in the study, from 0.
    pub battle: u64,
    /// Its seed.
    pub seed: Seed,
    /// Who played each side, in the order of the sides.
    pub players: Vec<String>,
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// Which of the study's two players won; none for a draw.
    pub won_by: Option<usize>,
    /// The grade of the ending.
    pub grade: String,
    /// Why it ended, in a sentence.
    pub reason: String,
    /// The clause that ended it.
    pub clause: String,
    /// Each side's score.
    pub scores: Vec<f64>,
    /// The turn it ended in.
    pub turns: u32,
    /// Decisions taken by both sides.
    pub decisions: u64,
    /// Decisions that a subaltern took for each of the study's two players, programs of somebody else's that gave no
    /// answer that counts. Not in a rows file; the reason says it there.
    #[serde(default)]
    pub stood_in: [u64; 2],
    /// What each unit lost.
    pub units: Vec<UnitLoss>,
}

/// What a unit lost in a battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitLoss {
    /// The unit's id.
    pub unit: String,
    /// Its side.
    pub side: Side,
    /// Figures or stands at the start.
    pub strength: u32,
    /// Figures or stands lost.
    pub lost: u32,
    /// Whether it stood on the table at the end.
    pub on_table: bool,
    /// Whether it had marched off by its exit.
    #[serde(default)]
    pub marched_off: bool,
}

impl UnitLoss {
    /// Neither there nor marched off: destroyed, fled or never come.
    pub fn is_gone(&self) -> bool {
        !self.on_table && !self.marched_off
    }
}

/// Why a study came to nothing.
#[derive(Debug)]
pub enum StudyError {
    /// It was stopped before the last battle.
    Stopped,
    /// The rows could not be kept.
    Rows(RowsError),
    /// There is no such rule system.
    Ruleset(String),
    /// The scenario can't be set up.
    Scenario(Fault),
    /// No armies could be mustered or pitched against each other.
    Muster(String),
    /// A program's answer was refused: a defect of the program, never of the player of a battle.
    Refused {
        /// The seed of the battle.
        seed: Seed,
        /// What was refused and why.
        why: String,
    },
}

impl std::fmt::Display for StudyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StudyError::Stopped => f.write_str("stopped"),
            StudyError::Rows(why) => why.fmt(f),
            StudyError::Ruleset(id) => write!(f, "there is no ruleset `{id}`"),
            StudyError::Scenario(fault) => fault.fmt(f),
            StudyError::Muster(why) => write!(f, "no armies for this battle: {why}"),
            StudyError::Refused { seed, why } => {
                write!(f, "seed {seed}: a program's answer was refused, which is a defect: {why}")
            }
        }
    }
}

impl std::error::Error for StudyError {}

impl From<Fault> for StudyError {
    fn from(fault: Fault) -> Self {
        StudyError::Scenario(fault)
    }
}

impl From<RowsError> for StudyError {
    fn from(why: RowsError) -> Self {
        StudyError::Rows(why)
    }
}
