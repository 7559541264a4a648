//! What a scenario file, or the position of a rule case, may say: the words of every rulebook, and those of these rules.

use serde::Deserialize;
use tricorne_drill::scenario::{Dialect, Nothing, Objective, Scenario, UnitEntry, Upgrade};
use tricorne_game::{Choices, Side};

use crate::JsonSchema;
use crate::model::{Formation, Level, Quality};
use crate::state::{BLACK, Fate, Initiative, RED};

/// The words of Mit von Futsch zum Rheinland-Pfalz.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Dialect for Words {
    const RULESET: &'static str = "von-futsch";
    const SIDES: Option<[&'static str; 2]> = Some(["red", "black"]);
    const UNTITLED: &'static str = "";
    const WITHOUT: &'static [&'static str] = &[
        "first",
        "seat",
        "arrival",
        "unit.seat",
        "unit.arrives",
        "side.home",
        "side.zone",
        "side.livery",
        "side.briefing",
        "terrain.line",
        "terrain.width",
        "terrain.level",
        "objective.points",
    ];
    type Head = HeadWords;
    type Side = SideFile;
    type Seat = Nothing;
    type Ground = GroundWords;
    type Unit = UnitWords;
    type Objective = ObjectiveWords;

    fn upgrade(file: &mut Upgrade, choices: &Choices) {
        super::upgrade::upgrade(file, choices);
    }
}

/// A side's part of a file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideFile {
    /// Points game: the army list's code, `FR`.
    pub list: Option<String>,
    /// Points game: the entries bought, each as often as it is bought; `FR3@1` puts one under wing commander 1.
    pub entries: Vec<String>,
    /// Points game: wagons.
    pub wagons: u8,
    /// Points game: wing commanders.
    pub wing_commanders: u8,
    /// Position: Kings held.
    pub kings: Vec<String>,
    /// Position: points of army morale already lost, besides those of units marked `mishap` or `gone`.
    pub morale_lost: u8,
    /// The break point, where it is not to be counted from the units.
    pub break_point: Option<u8>,
}

/// For a piece of ground.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundWords {
    /// An obstacle that is hard cover.
    pub hard: bool,
}

/// For a unit.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnitWords {
    /// Normal unless said.
    pub quality: Quality,
    /// Line, cloud, unlimbered or wagon unless said.
    pub formation: Option<Formation>,
    /// Its regiment.
    pub regiment: Option<String>,
    /// Its wing.
    pub wing: Option<String>,
    /// Whether it has colours; only converged grenadiers, skirmishers and wagons have none unless said.
    pub colours: Option<bool>,
    /// Figures left.
    pub strength: Option<u8>,
    /// Figures at full strength.
    pub start: Option<u8>,
    /// Position: has been activated this turn.
    pub activated: bool,
    /// Position: disordered.
    pub disordered: bool,
    /// Position: marked routed.
    pub routed: bool,
    /// Position: Shaken (and so disordered).
    pub shaken: bool,
    /// Position: holds its fire.
    pub held_fire: bool,
    /// Position: has already cost its army a point.
    pub mishap: bool,
    /// Position: its colours or guns are lost.
    pub colours_lost: bool,
    /// Position: trophies it has taken.
    pub trophies: u8,
    /// Position: a gun silenced by a burst this turn.
    pub silenced: bool,
    /// Position: the Lost galloper is on its group.
    pub lost_galloper: bool,
    /// Position: the Forced march is on its group.
    pub forced_march: bool,
    /// Position, under `base_removal = remove_empty`: stands on one base; by its figures unless said.
    pub one_base: Option<bool>,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
    /// Position: its place in a regimental square.
    pub regimental_square: Option<InSquareFile>,
}

/// A place in a regimental square.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InSquareFile {
    /// From the left, from 0.
    pub index: u8,
    /// Of how many battalions.
    pub of: u8,
    /// Whether the rear is open.
    #[serde(default)]
    pub open_rear: bool,
    /// The id of the battalion at the left.
    pub anchor: String,
}

/// Red or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Home edge y = 0.
    #[serde(alias = "Red")]
    Red,
    /// Home edge y = H.
    #[serde(alias = "Black")]
    Black,
}

impl SideName {
    pub(crate) fn side(self) -> Side {
        match self {
            SideName::Red => RED,
            SideName::Black => BLACK,
        }
    }
}

/// A commander.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommanderFile {
    /// His id.
    pub id: String,
    /// `red` or `black`; from the first letter of the id when left out.
    pub side: Option<SideName>,
    /// What he is called.
    pub name: Option<String>,
    /// Regimental, wing or army.
    pub level: Level,
    /// His regiment.
    pub regiment: Option<String>,
    /// His wing.
    pub wing: Option<String>,
    /// The centre of his base; not needed when attached.
    pub at: Option<[f64; 2]>,
    /// The unit he is attached to.
    pub attached: Option<String>,
    /// Position: has been activated this turn.
    #[serde(default)]
    pub activated: bool,
    /// Position: commands no one this turn.
    #[serde(default)]
    pub dazed: bool,
    /// Position: has the gout this turn.
    #[serde(default)]
    pub gout: bool,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
}

/// For an objective: who wins at the limit.
///
/// | kind | what |
/// |---|---|
/// | `hold` | an ordered foot or horse unit `within` so far of the place `at`, and no enemy there |
/// | `storm` | ordered infantry of `side` in the piece `terrain`, or so many ordered `units` past the line `beyond` |
/// | `convoy` | the `wagon` of `side` leaves by `zone`, a stretch of the north edge |
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectiveWords {
    /// `storm`: how many units.
    pub units: Option<usize>,
    /// `storm`: the line, as a y.
    pub beyond: Option<f64>,
    /// `convoy`: which wagon.
    pub wagon: Option<String>,
}

/// Position: a melee about to be fought.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeleeFile {
    /// The charger.
    pub attacker: String,
    /// The charged.
    pub defender: String,
    /// 1 or 2.
    #[serde(default = "one")]
    pub round: u8,
    /// The side of the defender in contact; worked out from where the attacker stands when left out.
    pub aspect: Option<AspectName>,
    /// The attacker has the benefit of charging; yes in the first round unless said.
    pub charging: Option<bool>,
    /// The defender countercharged.
    #[serde(default)]
    pub countercharged: bool,
    /// The defender is in hard cover.
    #[serde(default)]
    pub cover: bool,
}

fn one() -> u8 {
    1
}

/// A side of a unit.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AspectName {
    /// Its front.
    Front,
    /// Its left flank.
    #[serde(alias = "flank")]
    Left,
    /// Its right flank.
    Right,
    /// Its rear.
    Rear,
}

/// Position: at what moment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A side may activate something, as by a 2 to 10.
    Activate,
    /// The King window and then the next card.
    Draw,
    /// The start of a turn.
    Turn,
    /// The end of a turn.
    End,
}

/// At the head.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeadWords {
    /// A points game: forces from the lists, terrain by dice, deployment in turns.
    pub points_game: bool,
    /// The commanders.
    pub commander: Vec<CommanderFile>,
    /// Position: the turn; 1 unless said.
    pub turn: Option<u32>,
    /// Position: at what moment; `activate` unless said.
    pub moment: Option<Moment>,
    /// Position: whose activation it is; Red's unless said.
    pub active: Option<SideName>,
    /// Position: the unit that has been named and must say what it does.
    pub acting: Option<String>,
    /// Position: the result of the initiative check of the acting group.
    pub initiative: Option<Initiative>,
    /// Position: a melee about to be fought.
    pub melee: Option<MeleeFile>,
    /// Position: the last card drawn.
    pub last_card: Option<String>,
    /// Position: cards spent this turn.
    pub spent: Vec<String>,
    /// Position: event cards discarded.
    pub events_spent: Vec<String>,
    /// Position: effects that last this turn: `cloudburst`, `bank_of_smoke`, `heavy_clay`.
    pub spells: Vec<String>,
}

/// A scenario, or the position of a rule case.
pub type File = Scenario<Words>;
/// A unit of it.
pub type UnitFile = UnitEntry<UnitWords>;
/// What is fought over in it.
pub type ObjectiveFile = Objective<ObjectiveWords>;
