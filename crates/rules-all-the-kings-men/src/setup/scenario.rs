//! What a scenario file, or the position of a rule case, may say.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_chance::Suit;
use tricorne_game::Side;
use tricorne_game::case::Scalar;
use tricorne_table::{Edge, Point};

use crate::formations::Spread;
use crate::movement::terrain::{Cover, Moving, Sight};
use crate::rulebook::{Colour, Rulebook};
use crate::state::Quality;

/// Red or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ArmyWord {
    Red,
    Black,
}

impl ArmyWord {
    pub(crate) fn side(self) -> Side {
        Side(self as u8)
    }
}

/// A pair of numbers, one for each army.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Pair {
    pub(crate) red: Option<i32>,
    pub(crate) black: Option<i32>,
}

impl Pair {
    pub(crate) fn get(&self, army: Side) -> Option<i32> {
        if army == Side(0) { self.red } else { self.black }
    }
}

/// A number or a word.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Rating {
    Fixed(u8),
    Word(String),
}

/// How many units are rolled for.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Rolls {
    Number(u32),
    Size(GameSize),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GameSize {
    Small,
    Medium,
    Large,
}

impl Rolls {
    pub(crate) fn number(self, rules: &Rulebook) -> u32 {
        match self {
            Rolls::Number(n) => n,
            Rolls::Size(GameSize::Small) => rules.score.small_game,
            Rolls::Size(GameSize::Medium) => rules.score.medium_game,
            Rolls::Size(GameSize::Large) => rules.score.large_game,
        }
    }
}

/// What an army may cost.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Budget {
    Points(i32),
    Size(MediumGame),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MediumGame {
    Medium,
}

impl Budget {
    pub(crate) fn points(self, rules: &Rulebook) -> i32 {
        match self {
            Budget::Points(n) => n,
            Budget::Size(MediumGame::Medium) => rules.score.budget,
        }
    }
}

/// An army of a scenario.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ArmyFile {
    /// What it is called.
    pub(crate) name: Option<String>,
    /// Its suit: hearts or diamonds for red, clubs or spades for black (ATKM-SETUP-06).
    pub(crate) suit: Option<Suit2>,
    /// How many units are rolled for it: a number, or small, medium or large (ATKM-FORCE-02).
    pub(crate) rolls: Option<Rolls>,
    /// The period list it must agree with (ATKM-FORCE-08).
    pub(crate) list: Option<String>,
    /// The points it may cost: a number, or medium (ATKM-FORCE-07).
    pub(crate) budget: Option<Budget>,
    /// The edge it deploys along: south for red, north for black if left out (ATKM-SETUP-04).
    pub(crate) edge: Option<Edge>,
    /// A deployment zone of its own, instead of an edge: two corners, or a list of areas (ATKM-SETUP-14).
    pub(crate) zone: Option<ZoneFile>,
}

/// Where units are set up.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected two corners, or a list of areas such as { edge = \"west\", depth = 8 }, { rect = [[0, 20], [10, 30]] } or { polygon = [[0, 0], [9, 0], [5, 7]] }"
)]
pub(crate) enum ZoneFile {
    /// Two corners of a rectangle.
    Corners([Point; 2]),
    /// One or more areas.
    Areas(Vec<AreaFile>),
}

/// One area of a zone: an edge, a rectangle or a polygon.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AreaFile {
    /// Along this edge of the table.
    pub(crate) edge: Option<Edge>,
    /// So deep from the edge; `deploy_depth` if left out.
    pub(crate) depth: Option<f64>,
    /// Two corners of a rectangle.
    pub(crate) rect: Option<[Point; 2]>,
    /// The corners of a polygon.
    pub(crate) polygon: Option<Vec<Point>>,
}

/// A unit that is held back (ATKM-SETUP-15).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArrivalFile {
    /// The turn at whose start it comes.
    pub(crate) turn: u16,
    /// By which areas.
    pub(crate) zone: ZoneFile,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Suit2 {
    Hearts,
    Diamonds,
    Clubs,
    Spades,
}

impl From<Suit2> for Suit {
    fn from(s: Suit2) -> Suit {
        match s {
            Suit2::Hearts => Suit::Hearts,
            Suit2::Diamonds => Suit::Diamonds,
            Suit2::Clubs => Suit::Clubs,
            Suit2::Spades => Suit::Spades,
        }
    }
}

/// Both armies.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ArmiesFile {
    pub(crate) red: ArmyFile,
    pub(crate) black: ArmyFile,
}

/// A player and his general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatFile {
    /// The army he plays for.
    pub(crate) army: ArmyWord,
    /// What the general is called.
    pub(crate) name: Option<String>,
    /// 1, 2 or 3, or "roll"; 2 if left out.
    pub(crate) rating: Option<Rating>,
    /// The centre of his base; a player places him if left out.
    #[serde(alias = "at")]
    pub(crate) general: Option<Point>,
    /// Whether he is Commanding General (ATKM-TEAM-03).
    pub(crate) commander: Option<bool>,
    /// Command points in hand.
    pub(crate) points: Option<u8>,
    /// Killed, and not yet replaced.
    #[serde(default)]
    pub(crate) killed: bool,
}

/// A unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// What a file may say is a list of yes and no; an enum would make the file harder to write.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct UnitFile {
    /// Its name on the table.
    pub(crate) id: String,
    /// I, S, K, F or H, or the type in full.
    #[serde(alias = "type")]
    pub(crate) kind: String,
    /// Its army; that of its seat if left out.
    pub(crate) army: Option<ArmyWord>,
    /// The seat that commands it; the first of its army if left out.
    #[serde(alias = "owner")]
    pub(crate) seat: Option<u8>,
    /// A longer name.
    pub(crate) name: Option<String>,
    /// Privates left.
    #[serde(alias = "privates")]
    pub(crate) n: Option<u8>,
    /// Privates at the start.
    pub(crate) n0: Option<u8>,
    /// L1 L2 L3, C1 C2 C3, Lo, Sq, mob.
    #[serde(alias = "formation")]
    pub(crate) shape: Option<String>,
    /// Its origin: front centre, muzzle, or centre. A player places it if left out.
    pub(crate) at: Option<Point>,
    /// It is held back and comes on a later turn (ATKM-SETUP-15).
    pub(crate) arrives: Option<ArrivalFile>,
    /// Degrees clockwise from north.
    pub(crate) facing: Option<f64>,
    /// green, yellow or red.
    #[serde(alias = "color")]
    pub(crate) colour: Option<Colour>,
    /// The disorder marker.
    #[serde(default, alias = "marker", alias = "marked")]
    pub(crate) disorder: bool,
    /// It has left the table.
    #[serde(default)]
    pub(crate) routed: bool,
    /// How skirmishers spread.
    pub(crate) spread: Option<Spread>,
    /// line, elite or militia (ATKM-ADV-05).
    #[serde(default)]
    pub(crate) quality: Quality,
    /// Elite troops that have shrugged off a loss this turn already.
    #[serde(default)]
    pub(crate) shrugged: bool,
    /// Named as light infantry (ATKM-ADV-02).
    #[serde(default)]
    pub(crate) light: bool,
    /// The unit it is a part of (ATKM-ADV-02).
    pub(crate) part_of: Option<String>,
    /// It is away, split into parts (ATKM-ADV-02).
    #[serde(default)]
    pub(crate) split: bool,
}

/// A piece of ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TerrainFile {
    /// What it is called.
    pub(crate) id: Option<String>,
    /// A kind of `terrain.toml`: `woods`, `heavy_forest`, `shallow_water`, `ford`, `lake`, `deep_river`, `fence`, `hedge`,
    /// `wall`, `earthwork`, `hill`, `crops`, `rough`, `building`, `road`, `bridge`.
    pub(crate) kind: String,
    /// Corners of an area, points of a line.
    pub(crate) points: Vec<Point>,
    /// The top of a hill; the middle if left out.
    pub(crate) peak: Option<Point>,
    /// Overrides T7.
    pub(crate) moving: Option<Moving>,
    /// Overrides T7.
    pub(crate) sight: Option<Sight>,
    /// Cannot be seen through or over (M17 e).
    #[serde(default)]
    pub(crate) opaque: bool,
    /// Overrides T7.
    pub(crate) cover: Option<Cover>,
    /// Overrides T7.
    pub(crate) melee_cover: Option<Cover>,
}

/// What is fought over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ObjectiveFile {
    /// The only army with a formed unit near a place at the end adds to its score.
    Hold {
        /// The place.
        at: Point,
        /// How near.
        radius: f64,
        /// How much.
        score: i32,
    },
    /// The army whose formed units alone have privates inside at the end wins.
    Seize {
        /// The corners.
        area: Vec<Point>,
    },
    /// Each turn from one on, the army that alone has a formed unit with a private inside scores.
    Occupy {
        /// The corners.
        area: Vec<Point>,
        /// The first turn that counts.
        from: u16,
        /// How much each turn.
        score: i32,
    },
}

/// Where a position stands in the ledger's sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Forces and ratings are rolled.
    Muster,
    /// Units are placed.
    Deploy,
    /// A turn begins.
    Turn,
    /// Command points are handed out.
    Gifts,
    /// The next card is turned.
    Card,
    /// A card is being settled.
    #[default]
    Play,
    /// The last card has been settled.
    End,
    /// Generals ride.
    Ride,
}

/// A scenario, or the position of a rule case.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// What a file may say is a list of yes and no; an enum would make the file harder to write.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct BattleFile {
    /// The format of the file: 1.
    pub(crate) format: Option<u32>,
    /// all-the-kings-men.
    pub(crate) ruleset: Option<String>,
    /// What the battle is called.
    pub(crate) title: Option<String>,
    /// What it is about.
    #[serde(rename = "blurb")]
    _blurb: Option<String>,
    /// When it was.
    #[serde(rename = "period")]
    _period: Option<String>,
    /// Width and depth in inches; 72 by 48 if left out.
    pub(crate) table: Option<[f64; 2]>,
    /// Options that differ from the default.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, Scalar>,
    /// The armies.
    #[serde(default)]
    pub(crate) armies: ArmiesFile,
    /// The players, seat 0 first; one for each army if left out.
    #[serde(default, alias = "seats", alias = "general", alias = "generals")]
    pub(crate) seat: Vec<SeatFile>,
    /// The units.
    #[serde(default, alias = "units")]
    pub(crate) unit: Vec<UnitFile>,
    /// The ground.
    #[serde(default)]
    pub(crate) terrain: Vec<TerrainFile>,
    /// What is fought over.
    #[serde(default, alias = "objectives")]
    pub(crate) objective: Vec<ObjectiveFile>,
    /// Position: the turn, 1 if left out.
    pub(crate) turn: Option<u16>,
    /// Position: where in the turn.
    pub(crate) phase: Option<Phase>,
    /// Position: the card being settled, such as QH; an ordinary one of the acting army if left out.
    pub(crate) card: Option<String>,
    /// Position: cards still face down; all but `card` and `drawn` if left out.
    pub(crate) deck: Option<Vec<String>>,
    /// Position: cards already drawn this turn.
    #[serde(default)]
    pub(crate) drawn: Vec<String>,
    /// Position: the seat that acts; the Commanding General of the card's army if left out.
    pub(crate) acting: Option<u8>,
    /// Position: who benefits of a special card in a team.
    pub(crate) beneficiary: Option<u8>,
    /// Position: activations left to the acting seat.
    pub(crate) left: Option<u8>,
    /// Position: the unit already chosen.
    #[serde(alias = "activated")]
    pub(crate) active: Option<String>,
    /// Position: the colour it began its activation with.
    pub(crate) began: Option<Colour>,
    /// Position: command points paid for it.
    #[serde(default)]
    pub(crate) paid: u8,
    /// Position: it has fired.
    #[serde(default)]
    pub(crate) fired: bool,
    /// Position: it has moved.
    #[serde(default)]
    pub(crate) moved: bool,
    /// Position: it has changed formation.
    #[serde(default)]
    pub(crate) changed: bool,
    /// Position: units each army began with; those of the file if left out.
    #[serde(default)]
    pub(crate) began_units: Pair,
    /// Position: privates each army began with.
    #[serde(default)]
    pub(crate) began_privates: Pair,
    /// Position: points in units each army began with.
    #[serde(default)]
    pub(crate) began_points: Pair,
    /// Position: scenario scores so far.
    #[serde(default)]
    pub(crate) scored: Pair,
    /// Position: turns in a row without a loss.
    #[serde(default)]
    pub(crate) quiet_turns: u8,
    /// Position: whether a private has fallen this turn.
    #[serde(default)]
    pub(crate) blood: bool,
}
