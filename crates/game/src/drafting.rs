//! How a system's scenario files are drawn: what an editor needs to know to place ground and units without knowing
//! the system.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::view::{Arm, Look};

/// Where things stand in a system's scenario files, and what may be put there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drafting {
    /// A scenario with an empty table, two sides and nothing else: the start of a new one. The loader may still
    /// refuse it for want of units; it must say so.
    pub blank: String,
    /// The array of ground pieces: `terrain`.
    pub terrain_key: String,
    /// The key of a piece's corners or points: `outline`.
    pub points_key: String,
    /// The key of a line's points, where it is another: `line`.
    pub line_key: Option<String>,
    /// Pieces that can be put on the table.
    pub grounds: Vec<GroundKind>,
    /// The array of units: `unit`, `units`.
    pub unit_key: String,
    /// The sides of the blank.
    pub sides: Vec<DraftSide>,
    /// The array that names the file's own sides by `id` and `name`, where a file may call them what it likes.
    pub sides_key: Option<String>,
    /// The key of a unit that names its side; none where a side is told by the first letters of the id.
    pub side_key: Option<String>,
    /// Units that can be put on the table.
    pub troops: Vec<TroopKind>,
    /// Everything else that a scenario is made of: objectives, zones, exits, crests, what is scored for.
    pub features: Vec<FeatureKind>,
    /// Further keys of a unit, of the scenario or of a side that an editor offers as fields.
    pub fields: Vec<DraftField>,
}

impl Drafting {
    /// The table's size as a line of the system's files has it, by the form the blank has.
    pub fn table(&self, [width, depth]: [f64; 2]) -> String {
        if self.blank.contains("table = [") {
            format!("table = [{width:?}, {depth:?}]\n")
        } else {
            format!("table = {{ width = {width:?}, height = {depth:?} }}\n")
        }
    }
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
    /// Its id here: its kind, unless there are several of one kind.
    pub id: String,
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

/// A kind of thing that is neither ground nor troops: an objective, a zone, an exit, the crest of a hill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FeatureKind {
    /// Its id here.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The way to the table that holds it, with `*` for one of an array: `objective.*.hold`, `victory.marker.*`,
    /// `home`.
    pub path: String,
    /// Keys that tell it from others on the same way, as TOML: `kind = "hold"`. A new one gets them.
    pub told_by: String,
    /// Further keys of a new one, as TOML: `score = 10`.
    pub body: String,
    /// What its `id` begins with, if it has one.
    pub id_prefix: Option<String>,
    /// The key of its `id`, where that is called otherwise: `name`.
    pub id_key: String,
    /// How it lies on the table.
    pub extent: Extent,
    /// What it comes and goes with.
    pub belongs: Belongs,
    /// The clause it rests on.
    pub clause: Option<String>,
}

/// What a feature comes and goes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Belongs {
    /// It is added and taken away by itself.
    #[default]
    Itself,
    /// It is a part of the piece of ground it is put on: the crest of a hill.
    Ground,
    /// It is a part of something else, and only moved: the edge of a side.
    Other,
}

impl FeatureKind {
    /// A kind with nothing but its place.
    pub fn new(id: &str, name: &str, path: &str, extent: Extent) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            path: path.into(),
            told_by: String::new(),
            body: String::new(),
            id_prefix: None,
            id_key: "id".into(),
            extent,
            belongs: Belongs::Itself,
            clause: None,
        }
    }

    /// With the keys that tell it from others.
    #[must_use]
    pub fn told_by(mut self, toml: &str) -> Self {
        self.told_by = toml.into();
        self
    }

    /// With further keys of a new one.
    #[must_use]
    pub fn body(mut self, toml: &str) -> Self {
        self.body = toml.into();
        self
    }

    /// With an `id`.
    #[must_use]
    pub fn with_id(mut self, prefix: &str) -> Self {
        self.id_prefix = Some(prefix.into());
        self
    }

    /// Known by a `name` of its own.
    #[must_use]
    pub fn named(mut self, prefix: &str) -> Self {
        self.id_key = "name".into();
        self.with_id(prefix)
    }

    /// As a part of something.
    #[must_use]
    pub fn belongs(mut self, belongs: Belongs) -> Self {
        self.belongs = belongs;
        self
    }

    /// Resting on a clause.
    #[must_use]
    pub fn clause(mut self, clause: &str) -> Self {
        self.clause = Some(clause.into());
        self
    }
}

impl Extent {
    /// Round a point, by the keys of the point and of how far.
    pub fn circle(at: &str, radius: &str) -> Self {
        Self::Circle(at.into(), radius.into())
    }

    /// A stretch of an edge, by the keys of the edge (or `=` and its name) and of its ends.
    pub fn stretch(edge: &str, from: &str, to: &str) -> Self {
        Self::Stretch(edge.into(), from.into(), to.into())
    }

    /// A strip along an edge, by the keys of the edge and of its depth.
    pub fn strip(edge: &str, depth: &str) -> Self {
        Self::Strip(edge.into(), depth.into())
    }
}

/// How a thing lies on the table, by the keys that say so. A key that begins with `/` is looked up from the top of the
/// file; one like `zone.0.edge` in an entry of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Nowhere: it is only listed.
    Nowhere,
    /// At a point `[x, y]`.
    Point(String),
    /// Round a point, so far.
    Circle(String, String),
    /// Within corners `[[x, y], …]`.
    Area(String),
    /// Within two opposite corners `[[x, y], [x, y]]`, or `[west, south, east, north]` under a key `rect`.
    Corners(String),
    /// Along points `[[x, y], …]`.
    Line(String),
    /// A whole table edge, named `north`, `east`, `south` or `west`.
    Edge(String),
    /// A stretch of an edge: the edge's key, or its name after `=`, then from and to where; the whole edge without.
    Stretch(String, String, String),
    /// A strip along an edge, so deep.
    Strip(String, String),
    /// North of a line across the table: its y.
    Level(String),
    /// On a piece of ground, by its `id`.
    On(String),
}

/// A key an editor offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftField {
    /// The way to it, with `*` for what is picked: `turns`, `table.width`, `unit.*.leadership`, `objective.*.hold.score`.
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
    /// One of these; those that are numbers are written as numbers.
    OneOf(Vec<String>),
    /// The `id` of something in this array of the file: `terrain`, `sides`.
    Named(String),
}
