//! The forms of `profiles.toml` and `charts.toml`.

use serde::Deserialize;
use tricorne_drill::{Line, Reasons};

use super::{Kind, Share, Target};
use crate::movement::sight::Zone;

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChartRow {
    pub(super) upto: Option<f64>,
    /// T6 only; as other infantry if left out.
    steady_infantry: Option<[Share; 2]>,
    infantry: [Share; 2],
    cavalry: [Share; 2],
    skirmisher: [Share; 2],
    artillery: [Share; 2],
    mob: [Share; 2],
}

impl ChartRow {
    pub(super) fn of(&self, target: Target) -> [Share; 2] {
        match target {
            Target::SteadyInfantry => self.steady_infantry.unwrap_or(self.infantry),
            Target::Infantry => self.infantry,
            Target::Cavalry => self.cavalry,
            Target::Skirmisher => self.skirmisher,
            Target::Artillery => self.artillery,
            Target::Mob => self.mob,
        }
    }
}

/// What T1, T2 and T3 say of a type.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    pub codes: Vec<String>,
    pub privates: u8,
    pub mounted: bool,
    pub line: Option<f64>,
    pub column: Option<f64>,
    pub loose: Option<f64>,
    pub fall_back: f64,
    pub range: Option<f64>,
    pub points: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bases {
    pub foot: [f64; 2],
    pub horse: [f64; 2],
    pub general: [f64; 2],
    pub cannon: [f64; 2],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Layout {
    pub officer_gap: f64,
    pub gunner_gap: f64,
    pub gunner_rows: [f64; 2],
    pub battery_officers: [f64; 2],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct March {
    pub road_factor: f64,
    pub halved: f64,
    pub turn: f64,
    pub enemy_gap: f64,
    pub charge_legs: usize,
    pub deploy_grows: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LooseOrder {
    pub skirmisher_reach: f64,
    pub cloud_radius: f64,
    pub line_spacing: f64,
    pub line_ahead: f64,
    pub file_width: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Breaking {
    pub divisor: u8,
    pub least: u8,
    pub army_share: f64,
    pub decisive_share: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GeneralProfile {
    #[serde(rename = "move")]
    pub ride: f64,
    pub radius: f64,
    pub risk_radius: f64,
    pub refuge: f64,
    pub usual_rating: u8,
    pub points: [i32; 3],
    pub replacement_rating: u8,
    pub most_points: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Advanced {
    pub square_least: u8,
    pub square_move: f64,
    pub square_fire_divisor: u8,
    pub square_dice: Share,
    pub square_gun_dice: Line,
    pub dense_gun_dice: Line,
    pub light_part: [u8; 2],
    pub light_break: u8,
    pub light_apart: f64,
    pub light_gather: f64,
    pub light_least: u8,
    pub high_ground_clear: f64,
    pub charger_better: u8,
    pub high_ground_dice: Line,
    pub elite_points: i32,
    pub militia_points: i32,
    pub rifle_infantry: f64,
    pub rifle_skirmisher: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfilesFile {
    pub(super) format: u32,
    pub(super) base: Bases,
    pub(super) layout: Layout,
    pub(super) march: March,
    pub(super) loose: LooseOrder,
    pub(super) breaking: Breaking,
    pub(super) general: GeneralProfile,
    pub(super) infantry: Profile,
    pub(super) skirmisher: Profile,
    pub(super) cavalry: Profile,
    pub(super) foot_artillery: Profile,
    pub(super) horse_artillery: Profile,
    pub(super) advanced: Advanced,
}

impl ProfilesFile {
    pub(super) fn of(&self, kind: Kind) -> &Profile {
        match kind {
            Kind::Infantry => &self.infantry,
            Kind::Skirmisher => &self.skirmisher,
            Kind::Cavalry => &self.cavalry,
            Kind::FootArtillery => &self.foot_artillery,
            Kind::HorseArtillery => &self.horse_artillery,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColourRow {
    pub(super) green: u8,
    pub(super) yellow: u8,
    pub(super) red: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FireChart {
    pub(super) infantry: Vec<ChartRow>,
    pub(super) skirmisher: Vec<ChartRow>,
    #[serde(default)]
    pub(super) cavalry: Vec<ChartRow>,
    pub(super) foot_artillery: Vec<ChartRow>,
    pub(super) horse_artillery: Vec<ChartRow>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeleeChart {
    pub(super) infantry: ChartRow,
    pub(super) cavalry: ChartRow,
    pub(super) skirmisher: ChartRow,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoverDice {
    pub soft_fire: Line,
    pub hard_fire: Line,
    pub soft_melee: Line,
    pub hard_melee: Line,
    pub reach: f64,
}

/// How many colours worse a defender rolls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Worse {
    pub mob: Line,
    pub flank: Line,
    pub rear: Line,
}

impl Worse {
    pub(crate) fn of(&self, mob: bool, zone: Zone) -> Reasons {
        let mut worse = Reasons::new();
        worse.line_if(mob, &self.mob);
        worse.line_if(zone == Zone::Flank, &self.flank);
        worse.line_if(zone == Zone::Rear, &self.rear);
        worse
    }
}

/// The same under fire and in melee.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorseIn {
    pub fire: Worse,
    pub melee: Worse,
}

/// What the dice of ATKM-FORCE-03 name: a type, or artillery of which another die says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Drafted {
    Infantry,
    Skirmisher,
    Cavalry,
    Artillery,
    FootArtillery,
    HorseArtillery,
}

impl Drafted {
    /// The type, if it says all.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Infantry => Some(Kind::Infantry),
            Self::Skirmisher => Some(Kind::Skirmisher),
            Self::Cavalry => Some(Kind::Cavalry),
            Self::Artillery => None,
            Self::FootArtillery => Some(Kind::FootArtillery),
            Self::HorseArtillery => Some(Kind::HorseArtillery),
        }
    }
}

/// Who fires, and how far round.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Volleys {
    pub ranks: u8,
    pub arc: f64,
}

/// How many colours worse a counter turns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tires {
    pub acting: Line,
    pub losses: Line,
}

/// What calling on a unit costs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prices {
    pub distant: Line,
    pub allied: Line,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cards {
    pub ace: u8,
}

/// M22.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retreats {
    pub apart: f64,
    pub widest: f64,
    pub step: f64,
    pub enough: f64,
    pub least_fall_back: f64,
    pub retire_share: f64,
    pub least_retire: f64,
    pub step_back: u8,
}

/// How a free place is looked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Room {
    pub ring: f64,
    pub directions: u32,
    pub reform: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiceTables {
    pub general_rating: [u8; 6],
    pub unit_kind: [Drafted; 11],
    pub artillery_kind: [Kind; 6],
    pub risk: usize,
    pub killed_by_fire: i32,
    pub killed_in_melee: i32,
    pub pursuit: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scoring {
    pub worn: f64,
    pub worn_worth: f64,
    pub victory: i32,
    pub marginal: i32,
    pub quiet_turns: u8,
    pub bloodless_turns: u16,
    pub small_game: u32,
    pub medium_game: u32,
    pub large_game: u32,
    pub budget: i32,
    pub smallest_army: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChartsFile {
    pub(super) format: u32,
    pub(super) colour: ColourRow,
    pub(super) volley: Volleys,
    pub(super) tires: Tires,
    pub(super) price: Prices,
    pub(super) cards: Cards,
    pub(super) retreat: Retreats,
    pub(super) room: Room,
    pub(super) fire: FireChart,
    pub(super) melee: MeleeChart,
    pub(super) cover: CoverDice,
    pub(super) worse: WorseIn,
    pub(super) dice: DiceTables,
    pub(super) score: Scoring,
}
