//! Armies of one's own: what a system lets a player pick, the file a picked army is kept in, what is wrong with it,
//! and what goes on paper.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::Source;
use crate::source::{Fault, Place, texts};

/// A list that armies are picked from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmyList {
    /// Its id in army files.
    pub id: String,
    /// Its name: `Prussia, 1756 to 1763`.
    pub name: String,
    /// The points a battle with it is usually fought at.
    pub points: f64,
    /// What must hold for the whole army, in words with their clauses.
    pub limits: Vec<crate::view::Note>,
    /// What can be picked.
    pub entries: Vec<ArmyEntry>,
}

/// Something that can be picked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmyEntry {
    /// Its id in army files.
    pub id: String,
    /// Its name: `Regular infantry`.
    pub name: String,
    /// A heading to show it under: `Infantry`, `Generals`.
    pub group: String,
    /// What one costs.
    pub points: f64,
    /// How many must be picked at least.
    pub least: u32,
    /// How many may be picked; none is no limit of its own.
    pub most: Option<u32>,
    /// What one comes with: figures, values, weapons.
    pub notes: Vec<crate::view::Note>,
    /// What can be added to one or taken from one.
    pub upgrades: Vec<ArmyUpgrade>,
}

/// Something added to a unit or taken from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmyUpgrade {
    /// Its id in army files.
    pub id: String,
    /// Its name: `Sharpshooters`.
    pub name: String,
    /// What it costs; below 0 for a downgrade.
    pub points: f64,
    /// The clause that has it.
    pub clause: Option<String>,
}

/// A picked army, as it is kept in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Army {
    /// The form of the file; 1.
    pub format: u32,
    /// The rule system.
    pub ruleset: String,
    /// The list it is picked from.
    pub list: String,
    /// Its name.
    pub name: String,
    /// The points it may cost.
    pub points: f64,
    /// What is kept for the whole army, in the system's own words: a general's rating, a colour.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, serde_json::Value>,
    /// Its units (and generals, where they are picked or drawn).
    #[serde(rename = "unit", default)]
    pub units: Vec<ArmyUnit>,
}

/// One picked unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyUnit {
    /// The entry of the list.
    pub entry: String,
    /// Its own name; empty takes the entry's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Upgrades and downgrades by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// What was rolled or drawn for it, or chosen beyond upgrades, in the system's own words: `leadership = 7`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, serde_json::Value>,
}

/// The longest name or word in an army file.
const LONGEST: usize = 200;

impl Army {
    /// Reads an army file; unknown keys and wrong forms are faults with their line.
    pub fn read(file: &Source) -> Result<Self, Fault> {
        let army: Army = file.parse()?;
        texts(&file.table()?, &mut |place, text| {
            if text.len() > LONGEST || text.contains(['\n', '\r']) {
                let why = format!("is no name; write it in one line of at most {LONGEST} letters");
                return Err(file.fault(place, why));
            }
            Ok(())
        })?;
        if army.format != 1 {
            let problem = format!("format {} is not known; write format = 1", army.format);
            return Err(file.fault(&[Place::from("format")], problem));
        }
        Ok(army)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}

/// What an army costs and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmyReport {
    /// What it costs.
    pub points: f64,
    /// What it may cost.
    pub limit: f64,
    /// What each unit costs, in their order.
    pub each: Vec<f64>,
    /// The limits it breaks; empty for a legal army.
    pub broken: Vec<BrokenLimit>,
}

/// A limit that an army breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLimit {
    /// The unit it is about, by its place in the file from 0; none for the whole army.
    pub unit: Option<usize>,
    /// The clause.
    pub clause: String,
    /// What is wrong and what would be right.
    pub why: String,
}

/// What an army is asked for when a program musters one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MusterCall {
    /// The list; none picks one by chance.
    #[serde(default)]
    pub list: Option<String>,
    /// The points; none takes the list's own.
    #[serde(default)]
    pub points: Option<f64>,
}

/// An army on paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Roster {
    /// The army's name.
    pub title: String,
    /// A line under it: list, points, army values.
    pub subtitle: String,
    /// Its units.
    pub units: Vec<RosterUnit>,
    /// Special rules these units need, in our own words with clauses.
    pub rules: Vec<crate::view::Note>,
}

/// A unit on paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RosterUnit {
    /// Its name.
    pub name: String,
    /// What it is, in the system's word.
    pub kind: String,
    /// What it costs.
    pub points: f64,
    /// Boxes to tick, one list for each rank of the drawing: `("Figures", 12)`.
    pub boxes: Vec<(String, u32)>,
    /// Its values: `("Leadership", "7+")`.
    pub values: Vec<crate::view::Note>,
    /// The bases it stands on, for its counters.
    pub bases: Vec<RosterBase>,
    /// For its counters: the arm drawn on them.
    pub arm: crate::view::Arm,
}

/// Bases of one size that a unit stands on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RosterBase {
    /// What stands on one: `Leader`, `Cannon`; empty for the rank and file.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// Width and depth, in the table's unit.
    pub size: (f64, f64),
}

impl RosterBase {
    /// Bases of a name, a number and a size.
    pub fn new(name: &str, count: impl Into<u32>, size: (f64, f64)) -> Self {
        Self { name: name.into(), count: count.into(), size }
    }
}

/// A quick-reference sheet: the charts of a system as played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceSheet {
    /// The system's title.
    pub title: String,
    /// Its charts.
    pub charts: Vec<ReferenceChart>,
}

/// One chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceChart {
    /// Its heading: `Firing`.
    pub title: String,
    /// Column heads; empty for a plain list.
    pub head: Vec<String>,
    /// Rows, each as long as the head where there is one.
    pub rows: Vec<Vec<String>>,
    /// The clause it rests on.
    pub clause: String,
}
