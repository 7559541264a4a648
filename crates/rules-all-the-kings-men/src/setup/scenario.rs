//! What a scenario file, or the position of a rule case, may say.

use serde::Deserialize;
use tricorne_chance::Suit;
use tricorne_drill::scenario::{Dialect, Scenario, Upgrade};
use tricorne_game::{Choices, Side};
use tricorne_table::Point;

use crate::JsonSchema;
use crate::formations::Spread;
use crate::movement::terrain::{Cover, Moving, Sight};
use crate::rulebook::{Colour, Rulebook};
use crate::state::Quality;

/// The words of All the King's Men.
#[derive(Clone, Copy, Debug)]
pub struct Words;

/// A scenario, or the position of a rule case.
pub(crate) type BattleFile = Scenario<Words>;

impl Dialect for Words {
    const RULESET: &'static str = "all-the-kings-men";
    const SIDES: Option<[&'static str; 2]> = Some(["red", "black"]);
    const UNTITLED: &'static str = "A position";
    const WITHOUT: &'static [&'static str] = &[
        "first",
        "arrival",
        "side.livery",
        "side.briefing",
        "terrain.width",
        "terrain.level",
        "objective.side",
        "objective.terrain",
    ];
    type Head = HeadWords;
    type Side = ArmyFile;
    type Seat = SeatFile;
    type Ground = TerrainFile;
    type Unit = UnitFile;
    type Objective = ObjectiveWords;

    fn upgrade(file: &mut Upgrade, choices: &Choices) {
        super::upgrade::upgrade(file, choices);
    }
}

/// A pair of numbers, one for each army.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pair {
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
pub enum Rating {
    Fixed(u8),
    Word(String),
}

/// How many units are rolled for.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rolls {
    Number(u32),
    Size(GameSize),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameSize {
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
pub enum Budget {
    Points(i32),
    Size(MediumGame),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediumGame {
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

/// An army of a scenario: first the words of every rulebook, then those of these rules.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ArmyFile {
    /// Its suit: hearts or diamonds for red, clubs or spades for black (ATKM-SETUP-06).
    pub(crate) suit: Option<Suit2>,
    /// How many units are rolled for it: a number, or small, medium or large (ATKM-FORCE-02).
    pub(crate) rolls: Option<Rolls>,
    /// The period list it must agree with (ATKM-FORCE-08).
    pub(crate) list: Option<String>,
    /// The points it may cost: a number, or medium (ATKM-FORCE-07).
    pub(crate) budget: Option<Budget>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Suit2 {
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

/// A player and his general.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatFile {
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
pub struct UnitFile {
    /// Privates left.
    #[serde(alias = "privates")]
    pub(crate) n: Option<u8>,
    /// Privates at the start.
    pub(crate) n0: Option<u8>,
    /// L1 L2 L3, C1 C2 C3, Lo, Sq, mob.
    #[serde(alias = "formation")]
    pub(crate) shape: Option<String>,
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

/// A piece of ground, of a kind of `terrain.toml`: `woods`, `heavy_forest`, `shallow_water`, `ford`, `lake`, `deep_river`,
/// `fence`, `hedge`, `wall`, `earthwork`, `hill`, `crops`, `rough`, `building`, `road`, `bridge`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerrainFile {
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

/// For an objective.
///
/// | kind | what |
/// |---|---|
/// | `hold` | the only army with a formed unit `within` so far of the place `at` at the end adds `points` to its score |
/// | `seize` | the army whose formed units alone have privates in the `zone` at the end wins |
/// | `occupy` | each turn from `from` on, the army that alone has a formed unit with a private in the `zone` scores `points` |
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectiveWords {
    /// `occupy`: the first turn that counts.
    pub(crate) from: Option<u16>,
}

/// Where a position stands in the ledger's sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
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

/// At the head.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
// What a file may say is a list of yes and no; an enum would make the file harder to write.
#[allow(clippy::struct_excessive_bools)]
pub struct HeadWords {
    /// When it was.
    #[serde(rename = "period")]
    _period: Option<String>,
    /// Position: the turn, 1 if left out.
    pub(crate) turn: Option<u16>,
    /// Position: where in the turn.
    pub(crate) phase: Option<Phase>,
    /// Position: the card being settled, such as QH; an ordinary one of the acting army if left out.
    pub(crate) card: Option<String>,
    /// Position: cards still face down; all but `card` and `drawn` if left out.
    pub(crate) deck: Option<Vec<String>>,
    /// Position: cards already drawn this turn.
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
    pub(crate) paid: u8,
    /// Position: it has fired.
    pub(crate) fired: bool,
    /// Position: it has moved.
    pub(crate) moved: bool,
    /// Position: it has changed formation.
    pub(crate) changed: bool,
    /// Position: units each army began with; those of the file if left out.
    pub(crate) began_units: Pair,
    /// Position: privates each army began with.
    pub(crate) began_privates: Pair,
    /// Position: points in units each army began with.
    pub(crate) began_points: Pair,
    /// Position: scenario scores so far.
    pub(crate) scored: Pair,
    /// Position: turns in a row without a loss.
    pub(crate) quiet_turns: u8,
    /// Position: whether a private has fallen this turn.
    pub(crate) blood: bool,
}
