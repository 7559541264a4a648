//! How a system's scenario files are drawn: what an editor needs to know to place ground and units without knowing
//! the system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::view::{Arm, Look};

/// Where things stand in a system's scenario files, and what may be put there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drafting {
    /// A scenario with an empty table, two sides and nothing else: the start of a new one. The loader may still
    /// refuse it for want of units; it must say so.
    pub blank: String,
    /// The array of ground pieces: `terrain`.
    pub terrain_key: String,
    /// The key of a piece's corners or points: `at`, `points`.
    pub points_key: String,
    /// Pieces that can be put on the table.
    pub grounds: Vec<GroundKind>,
    /// The array of units: `unit`, `units`.
    pub unit_key: String,
    /// The sides of the blank.
    pub sides: Vec<DraftSide>,
    /// The key of a unit that names its side; none where a side is told by the first letters of the id.
    pub side_key: Option<String>,
    /// Units that can be put on the table.
    pub troops: Vec<TroopKind>,
    /// Further keys of a unit, of the scenario or of a side that an editor offers as fields.
    pub fields: Vec<DraftField>,
}

/// A side, as scenario files name it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftSide {
    /// What stands under [`Drafting::side_key`].
    pub id: String,
    /// Its name in words.
    pub name: String,
    /// What the ids of its new units begin with: `R` for `R1`, `R2`.
    pub prefix: String,
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroundKind {
    /// The `kind` in the file.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// An area (true) or a line (false).
    pub closed: bool,
    /// Other keys a new piece gets, as TOML: `level = 1`.
    pub extra: String,
}

/// A kind of unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TroopKind {
    /// Its id here.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub arm: Arm,
    /// The sides it may belong to; empty for any.
    pub sides: Vec<String>,
    /// The array it goes into, if not [`Drafting::unit_key`]: generals, commanders.
    pub array: Option<String>,
    /// The keys of a new one but `id`, `at`, `facing` and the side, as TOML: `kind = "RI"`. What is placed need not be
    /// a unit: an objective or an arrival point is placed in the same way.
    pub body: String,
    /// The key of its place; `at` for units.
    pub place_key: String,
    /// Whether it has a `facing`.
    pub faces: bool,
}

/// A key an editor offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftField {
    /// The way to it, with `*` for the picked unit: `turns`, `table.width`, `unit.*.leadership`.
    pub path: String,
    /// What to call it.
    pub label: String,
    /// What goes there.
    pub form: FieldForm,
    /// The clause it rests on.
    pub clause: Option<String>,
}

/// What goes into a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldForm {
    /// Words.
    Text,
    /// A whole number between two.
    Whole(i64, i64),
    /// A number between two.
    Number(f64, f64),
    /// Yes or no.
    Switch,
    /// One of these.
    OneOf(Vec<String>),
}
