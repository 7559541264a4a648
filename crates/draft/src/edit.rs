//! What a designer does to a scenario, one step at a time.

use serde::{Deserialize, Serialize};
use tricorne_table::Point;

use crate::JsonSchema;

/// One step of an editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Edit {
    /// Lays a new piece of ground.
    Lay {
        /// Its kind, of [`tricorne_game::drafting::Drafting::grounds`].
        kind: String,
        /// Its corners, or the points of its line.
        points: Vec<Point>,
    },
    /// Gives a piece of ground other corners.
    Reshape {
        /// Which, from 0.
        piece: usize,
        /// Its corners, or the points of its line.
        points: Vec<Point>,
    },
    /// Shifts a piece of ground.
    Shift {
        /// Which, from 0.
        piece: usize,
        /// By how much.
        by: Point,
    },
    /// Takes a piece of ground away.
    Lift {
        /// Which, from 0.
        piece: usize,
    },
    /// Takes all ground away and lays other ground: what [`tricorne_game::System::random_terrain`] made.
    Reground {
        /// The entries as TOML.
        terrain: String,
    },
    /// Puts a unit, a general or a marker on the table.
    Place {
        /// Its kind, of [`tricorne_game::drafting::Drafting::troops`].
        troop: String,
        /// Its side, of [`tricorne_game::drafting::Drafting::sides`].
        side: String,
        /// Where.
        at: Point,
        /// Which way it faces, if it does.
        facing: Option<f64>,
    },
    /// Moves or turns what was placed.
    Move {
        /// The array it is in: `unit`.
        array: String,
        /// Which of it, from 0.
        nth: usize,
        /// Where to.
        at: Option<Point>,
        /// Which way it shall face.
        facing: Option<f64>,
    },
    /// Takes away what was placed.
    Remove {
        /// The array it is in: `unit`.
        array: String,
        /// Which of it, from 0.
        nth: usize,
    },
    /// Adds an objective, a zone, the crest of a hill.
    Mark {
        /// Its kind, of [`tricorne_game::drafting::Drafting::features`].
        feature: String,
        /// Its points, as many as its extent needs.
        points: Vec<Point>,
    },
    /// Adds a part to a zone: two opposite corners make a rectangle, more corners a polygon.
    Extend {
        /// Its kind.
        feature: String,
        /// The way to it, or to one of its parts.
        path: String,
        /// The corners of the new part.
        points: Vec<Point>,
    },
    /// Moves or reshapes a feature.
    Redraw {
        /// Its kind.
        feature: String,
        /// The way to it, as [`crate::Feature::path`] tells.
        path: String,
        /// Where its handles shall be.
        points: Vec<Point>,
    },
    /// Takes a feature away.
    Erase {
        /// Its kind.
        feature: String,
        /// The way to it.
        path: String,
    },
    /// Sets a key: a title, a limit, a value of a unit.
    Set {
        /// The way to it, numbers for the n-th of an array: `turns`, `table.width`, `unit.3.leadership`.
        path: String,
        /// The value as TOML: `8`, `"Kettle Brook"`, `true`. None takes the key away.
        value: Option<String>,
    },
}
