//! The charts that dice are read on, modifiers, distances and least throws (`charts.toml`; T6, T7, T8, T10).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tricorne_drill::Line;

/// A line of T6.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreLine {
    pub at_least: i32,
    pub kills: u8,
    pub disorders: bool,
}

/// What a morale line of T7 does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoraleResult {
    Advance,
    Keep,
    RetreatIfFighting,
    Stand,
    Retreat,
    Rout,
}

/// A line of T7.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleLine {
    pub at_least: Option<i32>,
    pub result: MoraleResult,
    #[serde(default)]
    pub fall_back: f64,
    #[serde(default)]
    pub artillery_killed: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleChart {
    pub massed: Vec<MoraleLine>,
    pub light: Vec<MoraleLine>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByClass {
    pub massed: i32,
    pub light: i32,
}

/// A distance with a die in it (T10).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throw {
    #[serde(default)]
    pub base: f64,
    pub die: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByArm {
    pub cavalry: Throw,
    pub infantry: Throw,
    #[serde(default)]
    pub later_extra: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charts {
    #[serde(rename = "format")]
    _format: u32,
    pub score: Vec<ScoreLine>,
    pub morale: MoraleChart,
    pub charge: ByClass,
    pub rally: ByClass,
    pub ability: BTreeMap<String, [u8; 6]>,
    pub rout: ByArm,
    pub pursuit: ByArm,
    pub evade: ByArm,
    pub break_through: Throw,
    pub shot_modifiers: ShotLines,
    pub melee_modifiers: MeleeLines,
    pub morale_modifiers: MoraleLines,
    pub charge_die: ChargeDie,
    pub distances: Distances,
    pub least: LeastDice,
}

/// The least D6 for a frontal charge of musketeers or archers (SYW-MORALE-08).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChargeDie {
    pub heavy_infantry: u8,
    pub against_cover: u8,
    pub others: u8,
    pub half_lost: u8,
}

/// Lines by name.
macro_rules! modifiers {
    ($($(#[$said:meta])* $Lines:ident { $($line:ident),+ $(,)? })+) => {$(
        $(#[$said])*
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $Lines {
            $(pub $line: Line,)+
        }
    )+};
}

/// A distance of the chart in centimetres.
pub fn cm(line: Line) -> f64 {
    f64::from(line.value)
}

modifiers! {
    /// Distances of the rules.
    Distances {
        halt, halt_behind_friends, shift, reserve_keeps, self_order, transfer, found, lights_keep, routers_keep,
        no_rally, seeing, general_near, brave_near, successor, guns_close, comes_back, makes_room, from_centre,
        from_side_edges,
    }
    /// The least D6 for what is tried.
    LeastDice { self_order, self_cure, pursuit, comes_back, comes_back_followed }
    /// What is added to a shot.
    ShotLines {
        extreme_range, long_range, poor_shots, unsteady, soft_cover, hard_cover_from_guns, light_target, lights,
        disordered, dense_target, guns_close, first_shooting, muskets_short, extra_stand,
    }
    /// What is added to a melee.
    MeleeLines {
        high_morale, against_flank, against_cavalry, overlap, extra_stand, lower_factor, disordered, poor_morale,
        terrain, slack_or_flank, strong_place, charged_standing,
    }
    /// What is added to a morale test.
    MoraleLines {
        more_killed, lights_on_lights, general_near, high_morale, good_ground, melee_won, short_guns, each_fifth,
        disordered, poor_or_militia, higher_factor, ridden_down, flank_or_rear, melee_lost, rallying, half_strength,
        brave,
    }
}
