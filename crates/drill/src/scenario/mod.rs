//! One scenario file for every rulebook (format 2): the same words for the table, the sides, the seats, the ground, the
//! units, the zones and the objectives. A rulebook adds only fields of its own, by a [`Dialect`].
//!
//! ```toml
//! format = 2
//! ruleset = "outposts"
//! title = "The mill"
//! story = "Two captains dispute a mill."
//! turns = 8
//! first = "grenzers"
//!
//! [table]
//! width = 24
//! height = 24
//!
//! [[side]]
//! id = "grenzers"
//! name = "Grenzers"
//! livery = "red"
//! home = "south"
//! zone = [{ edge = "south", depth = 6 }]
//!
//! [[terrain]]
//! id = "Mill pond"
//! kind = "water"
//! outline = { rect = [10, 10, 14, 13] }   # or corners: [[10, 10], [14, 10], [12, 13]]; a wall or stream has a `line`
//!
//! [[unit]]
//! id = "G1"
//! side = "grenzers"
//! kind = "company"
//! name = "Captain Novak's company"
//! at = [8, 6]
//! facing = 0
//!
//! [[objective]]
//! name = "The mill"
//! kind = "hold"
//! zone = [{ rect = [9, 9, 15, 14] }]     # or: at = [12, 11] and within = 3
//! side = "grenzers"     # whose it is, where it is one side's
//! points = 10
//! ```
//!
//! Files of format 1, which each rulebook wrote in words of its own, are translated first ([`Upgrade`]) and then read by the
//! same reader; what is wrong with one is told by its own lines ([`Scenario::open`]).

mod read;
#[cfg(feature = "schemas")]
mod schema;
mod scribe;
mod upgrade;
mod zone;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tricorne_game::case::Scalar;
use tricorne_game::view::Livery;
use tricorne_game::{Choices, Seat, Side, UnitId};
use tricorne_table::{Area, Edge, Point, Table};

use crate::JsonSchema;

#[cfg(feature = "schemas")]
pub use schema::schema;
pub use scribe::Scribe;
pub use upgrade::{Entry, Upgrade, inline};
pub use zone::{MOST_CORNERS, Outline, Plot, Zone};

/// The scenario format this kit reads and writes.
pub const FORMAT: u32 = 2;

/// Fields of a rulebook's own at some place of the file: a struct that denies unknown fields.
pub trait Part: DeserializeOwned {}
impl<T: DeserializeOwned> Part for T {}

/// Nothing of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What a rulebook adds to the common words.
pub trait Dialect {
    /// Its id.
    const RULESET: &'static str;
    /// At the head of the file.
    type Head: Part;
    /// For a side.
    type Side: Part;
    /// For a seat.
    type Seat: Part;
    /// For a piece of ground.
    type Ground: Part;
    /// For a unit.
    type Unit: Part;
    /// For an objective.
    type Objective: Part;

    /// The ids its two sides must have, where its rules know them by name.
    const SIDES: Option<[&'static str; 2]> = None;
    /// What a file of format 1 is called that has no title.
    const UNTITLED: &'static str = "Untitled";
    /// Common words that mean nothing in its rules and are refused: `arrival`, `unit.seat`.
    const WITHOUT: &'static [&'static str] = &[];

    /// Translates a file of format 1 into the words of format 2.
    fn upgrade(_file: &mut Upgrade, _choices: &Choices) {}
}

/// A scenario as read: everything named has been found, every outline is one.
#[derive(Clone, Debug)]
pub struct Scenario<D: Dialect> {
    /// Its title.
    pub title: String,
    /// What it is about, for people.
    pub story: String,
    /// How many turns or rounds it lasts, where it says so.
    pub turns: Option<u32>,
    /// The side that goes first, where it says so.
    pub first: Option<Side>,
    /// Options it asks for.
    pub options: BTreeMap<String, Scalar>,
    /// The table.
    pub table: Table,
    /// The sides, in order.
    pub sides: Vec<SideEntry<D::Side>>,
    /// The seats, in order, and after them one for each side that the file names none for.
    pub seats: Vec<SeatEntry<D::Seat>>,
    /// The ground.
    pub terrain: Vec<Piece<D::Ground>>,
    /// The units.
    pub units: Vec<UnitEntry<D::Unit>>,
    /// What is fought over.
    pub objectives: Vec<Objective<D::Objective>>,
    /// Places where troops come on.
    pub arrivals: Vec<Arrival>,
    /// The rulebook's own fields at the head.
    pub own: D::Head,
}

/// A side.
#[derive(Clone, Debug)]
pub struct SideEntry<P> {
    /// Its name in the file.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its colours.
    pub livery: Option<Livery>,
    /// The edge it comes from and runs to.
    pub home: Option<Edge>,
    /// Where it deploys.
    pub zone: Vec<Plot>,
    /// What its players are told before the battle.
    pub briefing: String,
    /// The rulebook's own fields.
    pub own: P,
}

/// A seat.
#[derive(Clone, Debug)]
pub struct SeatEntry<P> {
    /// The side it plays for.
    pub side: Side,
    /// Who sits there.
    pub name: String,
    /// The rulebook's own fields; none where the file does not name the seat.
    pub own: Option<P>,
}

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct Piece<P> {
    /// Its name.
    pub id: String,
    /// The rulebook's word for it.
    pub kind: String,
    /// The ground it covers; none for a line.
    pub area: Option<Area>,
    /// The points of a line: a wall, a stream, a road.
    pub line: Vec<Point>,
    /// How wide a line is.
    pub width: f64,
    /// How high a hill is, in levels; in some rulebooks the type of any ground.
    pub level: Option<u8>,
    /// The rulebook's own fields.
    pub own: P,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct UnitEntry<P> {
    /// Its name in actions.
    pub id: UnitId,
    /// Whose it is.
    pub side: Side,
    /// The seat that commands it, where the file names one.
    pub seat: Option<Seat>,
    /// The rulebook's word for what it is.
    pub kind: String,
    /// Its name for people.
    pub name: String,
    /// Where it stands; none if it is still to be placed or to arrive.
    pub at: Option<Point>,
    /// Which way it faces, in degrees clockwise from north.
    pub facing: Option<f64>,
    /// It is held back, and comes on later.
    pub arrives: Option<Arrives>,
    /// The rulebook's own fields.
    pub own: P,
}

/// When and where a unit comes that is held back.
#[derive(Clone, Debug)]
pub struct Arrives {
    /// The turn at whose start it comes.
    pub turn: u32,
    /// By which ground.
    pub zone: Vec<Plot>,
}

/// A place where troops come on.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Its name.
    pub id: String,
    /// Where it is.
    pub at: Point,
}

/// Something that is fought over.
#[derive(Clone, Debug)]
pub struct Objective<P> {
    /// Its name for people.
    pub name: String,
    /// The rulebook's word for how it counts.
    pub kind: String,
    /// Whose it is, where it is one side's.
    pub side: Option<Side>,
    /// The ground it is about.
    pub zone: Vec<Plot>,
    /// The piece of ground it is about, by its number.
    pub terrain: Option<usize>,
    /// The place it is about.
    pub at: Option<Point>,
    /// How near counts.
    pub within: Option<f64>,
    /// What it is worth.
    pub points: Option<f64>,
    /// The rulebook's own fields.
    pub own: P,
}
