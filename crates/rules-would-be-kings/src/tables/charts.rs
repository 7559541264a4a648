//! The rows of the rulebook's tables: troop types, weapons, upgrades, leaders, ground, and the odd numbers.

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_drill::Line;
use tricorne_game::view::Look;

use crate::state::Character;

/// Foot, horse or a crew with its weapon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// On foot.
    Infantry,
    /// On horseback or camels.
    Cavalry,
    /// A gun with its crew.
    Crewed,
}

/// How a unit is trained; also its column of the Leadership table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drill {
    /// Drilled.
    Regular,
    /// Half drilled.
    Irregular,
    /// Not drilled at all.
    Tribal,
}

/// A row of table 3.1.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its code: `RI`.
    #[serde(skip)]
    pub code: String,
    /// `Regular Infantry`.
    pub name: String,
    /// Foot, horse or crew.
    pub class: Class,
    /// How it is trained.
    pub drill: Drill,
    /// Models at the start.
    pub models: u8,
    /// Its price.
    pub points: i32,
    /// Basic move in inches.
    #[serde(rename = "move")]
    pub basic_move: f64,
    /// Firing value.
    pub firing: i32,
    /// Fighting value.
    pub fighting: i32,
    /// Discipline.
    pub discipline: i32,
    /// What it may carry; the first is the usual.
    pub weapons: Vec<String>,
}

/// A row of table 3.2.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weapon {
    /// `Modern Rifle`.
    pub name: String,
    /// What a unit has in its hands, as a story says it: `modern rifles`. Its name where it is left out.
    #[serde(default)]
    pub in_hand: Option<String>,
    /// Short range in inches.
    pub short: f64,
    /// Long range, if there is one.
    pub long: Option<f64>,
    /// Dice for each model.
    #[serde(default = "one")]
    pub dice: u8,
    /// The clause that gives a model more dice than one.
    #[serde(default)]
    pub dice_clause: Option<String>,
    /// Points of cover it disregards.
    #[serde(default)]
    pub ignores_cover: i32,
    /// Whether it jams.
    #[serde(default)]
    pub jams: bool,
    /// The clause with its ranges.
    pub clause: String,
}

fn one() -> u8 {
    1
}

/// A row of table 3.5.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Upgrade {
    pub name: String,
    pub points: i32,
    #[serde(default)]
    pub points_by: BTreeMap<String, i32>,
    pub who: Vec<String>,
    #[serde(default)]
    pub fighting: i32,
    #[serde(default)]
    pub firing: i32,
    #[serde(default)]
    pub discipline: i32,
    #[serde(default)]
    pub veteran: bool,
    #[serde(default)]
    pub fieldcraft: bool,
    #[serde(default)]
    pub weapon: BTreeMap<String, String>,
    #[serde(default)]
    pub needs: BTreeMap<String, String>,
    pub needs_firing: Option<i32>,
    #[serde(default)]
    pub becomes: BTreeMap<String, String>,
}

/// Table 3.6.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Leaders {
    pub format: u32,
    pub regular: [u8; 6],
    pub irregular: [u8; 6],
    pub tribal: [u8; 6],
}

impl Leaders {
    /// The Leadership that a die gives.
    pub fn value(&self, drill: Drill, die: u8) -> u8 {
        let column = match drill {
            Drill::Regular => &self.regular,
            Drill::Irregular => &self.irregular,
            Drill::Tribal => &self.tribal,
        };
        column[usize::from(die.clamp(1, 6) - 1)]
    }
}

/// A row of table 3.7.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CharacterRow {
    pub name: Character,
    pub from: u8,
    pub to: u8,
    /// What he does, in words for paper.
    #[serde(default)]
    pub effect: String,
}

/// What a kind of ground is like: a row of WBK-MOD-23.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundKind {
    /// An area or a line.
    pub shape: GroundShape,
    /// Moves cost double.
    #[serde(default)]
    pub difficult: bool,
    /// Nobody enters.
    #[serde(default)]
    pub impassable: bool,
    /// The cover it gives.
    #[serde(default)]
    pub cover: Cover,
    /// What it does to a sight line.
    #[serde(default)]
    pub sight: Sight,
    /// How it is drawn.
    pub look: Look,
}

/// The shape of a kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroundShape {
    /// A polygon.
    Area,
    /// A wall or fence.
    Obstacle,
    /// A way that has no effect.
    Road,
}

/// Cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cover {
    /// None.
    #[default]
    None,
    /// Soft.
    Soft,
    /// Hard.
    Hard,
}

impl Cover {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Cover::None => "none",
            Cover::Soft => "soft",
            Cover::Hard => "hard",
        }
    }
}

/// What ground does to a sight line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// Nothing.
    #[default]
    Clear,
    /// Blocks after some inches.
    Wood,
    /// Blocks by level.
    Hill,
    /// Blocks.
    Building,
}

/// The numbers of `charts.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Charts {
    pub format: u32,
    pub movement: Movement,
    pub near: Near,
    pub characters: Characters,
    pub hits: Hits,
    pub retreat: Retreats,
    pub close_order: CloseOrder,
    pub tests: Tests,
    pub forces: ForceLimits,
    pub solo: Solo,
}

/// WBK-MOVE.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Movement {
    pub cohesion: f64,
    pub difficult: f64,
    pub double_dice: usize,
}

/// What leaders' characters add (WBK-LEAD-07).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Characters {
    pub hapless: Line,
    pub over_cautious: Line,
    pub lion_hearted: Line,
    pub bully: Line,
    pub martinet: Line,
    pub cad_inches: f64,
    pub great_walker_dice: usize,
    pub idiot_on: i32,
    pub born_to_command: u8,
    pub born_to_command_best: u8,
}

/// Which ways a retreat is tried that is barred, in degrees (WBK-RETREAT-12).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Retreats {
    pub aside: f64,
    pub furthest_aside: f64,
}

/// How near is near enough, in inches (WBK-MOD-25, 26, 33, WBK-MOVE-15, WBK-ATT-38).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Near {
    pub obstacle_covers: f64,
    pub obstacle_defended: f64,
    pub obstacle_crossed: f64,
    pub building_entered: f64,
    pub obstacle_occupied: f64,
    pub ground_of_the_loser: f64,
}

/// Table 3.3.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Hits {
    pub short: i32,
    pub long: i32,
    pub soft: i32,
    pub hard: i32,
    pub melee: i32,
    pub foot_on_cavalry: i32,
    pub defended: i32,
    pub uphill: i32,
}

impl Hits {
    /// Hits for one of cavalry under fire where they count as in melee (WBK-FIRE-32), for so many on others.
    pub fn on_horse(&self, others: i32) -> i32 {
        others + self.foot_on_cavalry - self.melee
    }
}

/// WBK-CLOSE.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CloseOrder {
    pub minimum: u8,
    #[serde(rename = "move")]
    pub pace: f64,
    pub fighting: i32,
    pub shot_at: i32,
    pub volley: i32,
    pub shift: f64,
}

/// WBK-PIN and WBK-RALLY.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Tests {
    pub dice: usize,
    pub leader_lost_on: i32,
    pub leaderless: i32,
    pub other_units: i32,
    pub friends_within: f64,
    pub rout_at: i32,
}

/// WBK-FORCE.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ForceLimits {
    pub points: i32,
    pub unit_least: i32,
    pub unit_most: i32,
    pub units_least: usize,
    pub regular_infantry_most: usize,
    pub crewed_most: usize,
    pub returns_on: i32,
    pub strip: f64,
    pub veteran_dice: usize,
}

/// WBK-SOLO.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Solo {
    pub alarm_move: f64,
    pub shooter_firing: i32,
    pub double_reach: f64,
    pub alarm_on: i32,
    pub alarm_on_first_round: i32,
    pub clear_of_arrival: f64,
    pub arrivals_from_round: u8,
    pub returns_on: i32,
}

/// A field force of table 3.8.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Force {
    pub id: String,
    pub name: String,
    pub side: crate::scenario::words::SideName,
    pub units: Vec<ForceUnit>,
}

/// A unit of a field force.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ForceUnit {
    pub kind: String,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub upgrades: Vec<String>,
    pub weapon: Option<String>,
}
