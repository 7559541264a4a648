//! What a seat may know of a battle, with every shape already computed. Pictures and pages draw this and hold no
//! rules.

use serde::{Deserialize, Serialize};
use tricorne_table::{LengthUnit, Point, Shape};

use crate::JsonSchema;
use crate::{Pending, Seat, SeatInfo, Side, UnitId};

/// The table as one seat sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The rule system's id.
    pub ruleset: String,
    /// The scenario's title.
    pub title: String,
    /// Who is looking; none is a spectator.
    pub seat: Option<Seat>,
    /// The sides, in order.
    pub sides: Vec<SideView>,
    /// The seats, in order.
    pub seats: Vec<SeatInfo>,
    /// The table.
    pub table: TableView,
    /// The ground.
    pub terrain: Vec<TerrainView>,
    /// Units this seat knows of, those off the table last.
    pub units: Vec<UnitView>,
    /// Markers on the table that belong to no unit: objectives, arrival points, generals' reach.
    pub tokens: Vec<Token>,
    /// Where in the battle we are.
    pub clock: Clock,
    /// Cards in play, if the system has any.
    pub cards: Vec<CardView>,
    /// What is being waited for.
    pub pending: Pending,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideView {
    /// Its name.
    pub name: String,
    /// The colours it is drawn in.
    pub livery: Livery,
    /// The flag it fights under, where the rulebook's data say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<Flag>,
    /// Its score in words, if the scenario keeps one as it goes.
    pub score: Option<String>,
    /// Anything else kept for a side: command points, army morale, units lost.
    pub tallies: Vec<Note>,
}

/// Colours a side is drawn in; the picture knows the paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Livery {
    /// Madder red.
    Red,
    /// Prussian blue.
    Blue,
    /// Near-black.
    Black,
    /// White and grey.
    White,
    /// Khaki.
    Khaki,
    /// Ochre robes.
    Ochre,
    /// Rifle green.
    Green,
}

/// A flag in a few strokes: what is told of it from across a table. No colour is alone, each device has a form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// The cloth.
    pub field: Dye,
    /// What is on it.
    pub charge: Dye,
    /// Its form.
    pub device: Device,
    /// The regiment's own colour in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Dye>,
}

/// What is on a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// Nothing.
    Plain,
    /// A cross from edge to edge, the regiment's colour in the quarters.
    Cross,
    /// A union in the corner, the regiment's colour over the field.
    Union,
    /// A slanting cross.
    Saltire,
    /// Bands.
    Bands,
    /// A disc.
    Disc,
    /// A border of flames about an eagle.
    Flames,
    /// Quarters.
    Quarters,
}

/// A colour that cloth was dyed in; who draws knows the paint, and a hatching for those who tell no colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Dye {
    White,
    Grey,
    Black,
    Red,
    Crimson,
    Rose,
    Orange,
    Yellow,
    Straw,
    Green,
    LightGreen,
    Blue,
    LightBlue,
    Violet,
    Brown,
}

/// The table's size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableView {
    /// West to east.
    pub width: f64,
    /// South to north.
    pub height: f64,
    /// Inches or centimetres.
    pub unit: LengthUnit,
}

/// A piece of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TerrainView {
    /// Its id in the scenario.
    pub id: String,
    /// The rule system's word for it: `tall grass`.
    pub kind: String,
    /// How to draw it.
    pub look: Look,
    /// Corners of an area, or points of a line.
    pub points: Vec<Point>,
    /// An area (true) or a line (false).
    pub closed: bool,
    /// Width of a road or stream drawn along a line; 0 otherwise.
    pub width: f64,
    /// Height of a hill, in levels; 0 otherwise.
    pub level: u8,
    /// The highest point of a hill that has one.
    pub peak: Option<Point>,
    /// What it does, in words with clauses.
    pub notes: Vec<Note>,
}

/// What a piece of ground looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Trees.
    Wood,
    /// Trees so thick that nobody enters.
    Forest,
    /// Palms.
    Palms,
    /// Bushes.
    Scrub,
    /// Tall grass.
    Grass,
    /// A field in furrows.
    Crops,
    /// Boulders.
    Rocks,
    /// Fallen walls.
    Ruins,
    /// Uneven ground.
    Rough,
    /// A dry river bed.
    Donga,
    /// Reeds and puddles.
    Marsh,
    /// Water nobody wades.
    Water,
    /// Water that can be waded.
    Shallows,
    /// A rise with contour lines.
    Hill,
    /// A steep rise.
    SteepHill,
    /// A rock face.
    Cliff,
    /// One house.
    Building,
    /// Houses.
    Town,
    /// A road.
    Road,
    /// A bridge or ford on a road.
    Crossing,
    /// A wooden fence.
    Fence,
    /// A hedge or thorn fence.
    Hedge,
    /// A stone wall.
    Wall,
    /// Earth thrown up.
    Earthwork,
    /// Felled trees, sharpened.
    Abatis,
    /// A running stream.
    Stream,
}

/// A line of text with the clause it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// A word or two: `Leadership`.
    pub label: String,
    /// The text: `7+`.
    pub text: String,
    /// The clause, if there is one.
    pub clause: Option<String>,
}

impl Note {
    /// A line of text.
    pub fn new(label: &str, text: impl Into<String>, clause: Option<&str>) -> Self {
        Self { label: label.into(), text: text.into(), clause: clause.map(str::to_owned) }
    }
}

/// How much of a unit is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything, to be drawn.
    Drawn,
    /// No figures and no overlays: what a program reads.
    Plain,
}

/// A unit as seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitView {
    /// Its id.
    pub id: UnitId,
    /// Its name: `Natal horse`.
    pub name: String,
    /// The rule system's word for what it is: `Irregular Cavalry`.
    pub kind: String,
    /// Whose it is.
    pub side: Side,
    /// The seat that commands it.
    pub seat: Seat,
    /// What sort of toy stands there.
    pub arm: Arm,
    /// On the table (true), or gone or still to come.
    pub on_table: bool,
    /// Where it is measured from: anchor or front centre.
    pub at: Point,
    /// Which way it faces, if it does.
    pub facing: Option<f64>,
    /// Each base.
    pub figures: Vec<FigureView>,
    /// The ground it covers, for picking and labels.
    pub outline: Vec<Point>,
    /// Figures or stands left, and at the start.
    pub strength: (u32, u32),
    /// Its states: pinned, disordered, close order, orders, colour of resolve.
    pub markers: Vec<Marker>,
    /// Its card: values in words.
    pub notes: Vec<Note>,
    /// The group it acts with, where the rules have groups that answers name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<UnitId>,
    /// Arcs, ranges, command radius and reach, drawn when the unit is picked.
    pub overlays: Vec<Overlay>,
    /// The facings of its coats, where the rulebook's data say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facings: Option<Dye>,
    /// The flag of its regiment, where it is not its side's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<Flag>,
}

/// The arm of service, for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// Foot.
    Infantry,
    /// Skirmishers and other light foot.
    Skirmishers,
    /// Horse.
    Cavalry,
    /// Guns.
    Artillery,
    /// Generals and commanders.
    Command,
    /// Wagons.
    Train,
}

/// One base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureView {
    /// Its footprint.
    pub shape: Shape,
    /// Which way the toy looks.
    pub facing: f64,
    /// What stands on it.
    pub role: Role,
}

/// What stands on a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A foot soldier.
    Foot,
    /// A rider.
    Horse,
    /// A leader or officer on foot.
    Leader,
    /// A leader or officer on horseback.
    MountedLeader,
    /// The colours.
    Ensign,
    /// A gunner.
    Crew,
    /// A gun.
    Gun,
    /// A gun on its limber.
    LimberedGun,
    /// A machine gun.
    MachineGun,
    /// A stand of several foot; the number is drawn.
    FootStand(u8),
    /// A stand of several horse.
    HorseStand(u8),
    /// A wagon.
    Wagon,
    /// A general.
    General,
}

/// A state a unit is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Marker {
    /// A short word: `pinned`, `disordered`, `red`, `orders: attack`.
    pub kind: String,
    /// How many, if that matters.
    pub count: u32,
    /// How it is drawn.
    pub tone: Tone,
    /// The clause it rests on.
    pub clause: Option<String>,
}

/// The tone of a marker: never colour alone, each has a shape of its own as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Good: fresh, steady, green.
    Good,
    /// Worse: tired, disordered, yellow.
    Fair,
    /// Bad: pinned, shaken, red.
    Bad,
    /// Neither.
    Plain,
}

/// A shape drawn over the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overlay {
    /// What it shows: `short range`, `command radius`, `path`, `ghost`.
    pub kind: String,
    /// The shape.
    pub shape: OverlayShape,
    /// A word to write beside it.
    pub label: Option<String>,
}

impl Overlay {
    /// Where a unit that waits for its place may be set up: the outline itself.
    pub fn zone(outline: impl Into<Vec<Point>>) -> Self {
        Self { kind: "deployment zone".into(), shape: OverlayShape::Outline(outline.into()), label: None }
    }
}

/// The shape of an overlay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverlayShape {
    /// A closed outline.
    Outline(Vec<Point>),
    /// An open line.
    Path(Vec<Point>),
    /// A circle.
    Circle {
        /// Its middle.
        centre: Point,
        /// Its radius.
        radius: f64,
    },
    /// Bases, as a ghost of a unit.
    Bases(Vec<Shape>),
}

/// A marker that belongs to no unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Token {
    /// What it is: `objective`, `arrival point`.
    pub kind: String,
    /// What to write beside it.
    pub label: String,
    /// Where.
    pub at: Point,
    /// A ring round it, if it has a reach.
    pub radius: Option<f64>,
    /// The side that holds it.
    pub side: Option<Side>,
}

/// Where in the battle we are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The turn or round, from 1.
    pub turn: u32,
    /// Of how many, if there is a limit.
    pub of: Option<u32>,
    /// The phase, in words.
    pub phase: String,
    /// The side whose turn it is, if it is one side's.
    pub active: Option<Side>,
}

/// Cards as one seat sees them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CardView {
    /// Which pile: `turned`, `held by Red`, `events`.
    pub pile: String,
    /// Cards face up, the last one last.
    pub up: Vec<String>,
    /// How many are face down.
    pub down: usize,
}
