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
    pub degrees: Degrees,
    pub shares: Shares,
    pub counts: Counts,
    pub least: LeastDice,
    pub naturals: Naturals,
    pub random_ground: RandomGround,
}

impl Charts {
    /// What no game could be played with: the place of the first such number, and what is wrong with it.
    pub fn objection(&self) -> Option<(&'static str, &'static str, &'static str)> {
        let lengths = self.distances.all().map(|(name, line)| ("distances", name, line));
        let angles = self.degrees.all().map(|(name, line)| ("degrees", name, line));
        let counts = self.counts.all().map(|(name, line)| ("counts", name, line));
        let below = lengths.chain(angles).chain(counts).find(|(_, _, line)| line.value < 0);
        if let Some((chart, name, _)) = below {
            return Some((chart, name, "must be 0 or more"));
        }
        let nothing = self.shares.all().find(|(_, line)| line.value < 1);
        nothing.map(|(name, _)| ("shares", name, "is in percent and must be 1 or more"))
    }
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

/// Lines by name that are looked over before anything is played with them.
macro_rules! measures {
    ($($(#[$said:meta])* $Lines:ident { $($line:ident),+ $(,)? })+) => {
        modifiers! { $($(#[$said])* $Lines { $($line),+ })+ }
        $(impl $Lines {
            /// Every line by its name.
            fn all(&self) -> impl Iterator<Item = (&'static str, Line)> {
                [$((stringify!($line), self.$line)),+].into_iter()
            }
        })+
    };
}

/// A distance of the chart in centimetres.
pub fn cm(line: Line) -> f64 {
    f64::from(line.value)
}

/// An angle of the chart.
pub fn degrees(line: Line) -> f64 {
    f64::from(line.value)
}

/// A share of the chart, which has it in percent, of a length.
pub fn part(line: Line, of: f64) -> f64 {
    f64::from(line.value) / 100.0 * of
}

/// A share of the chart as people say it.
pub fn in_words(line: Line) -> String {
    match line.value {
        50 => "half".into(),
        100 => "all".into(),
        percent => format!("{percent} percent of"),
    }
}

/// Whether so many of all come to a share of the chart; nobody is no share of anything.
pub fn makes_up(line: Line, some: usize, all: usize) -> bool {
    some > 0 && some * 100 >= line.value.max(0) as usize * all
}

/// A count of the chart.
pub fn count(line: Line) -> usize {
    line.value.max(0) as usize
}

measures! {
    /// Distances of the rules.
    Distances {
        halt, halt_behind_friends, shift, reserve_keeps, self_order, transfer, found, lights_keep, routers_keep,
        no_rally, seeing, general_near, brave_near, successor, guns_close, comes_back, makes_room, from_centre,
        from_side_edges, from_enemy_area, heard, heard_unseen, group_gap, joins, echelon, ambush, into_wood,
        in_town, over_ridge, lines, uphill, exposed, goes_along, driven_off, charge_slide, stops_short, gun_choice,
        charge_shot, unseen, overhead, overhead_howitzer, bounce, beside_melee, strip, rejoins, way_home, overlap,
        bearing,
    }
    /// Angles of the rules.
    Degrees { group, charge_wheel, aligned, arc }
    /// Shares of the rules in percent.
    Shares {
        advance, retreat, friends_ahead, each_lost, half_strength, half_lost, disordered, covered, uphill, garrison,
        broken_apart,
    }
    /// How many, how often, how much more.
    Counts {
        addresses, cautious, cinc_orders, competent, incompetent, counters, backwards, square, deep_column,
        lights_stands, lights_shots, one_strip, both_strips, light_cavalry, light_cavalry_bonus, march_lead,
        march_turn, changes_ground,
    }
}

modifiers! {
    /// The least D6 for what is tried.
    LeastDice { self_order, self_cure, pursuit, comes_back, comes_back_followed, killed }
    /// What a die shows before anything is added.
    Naturals { heard, unheard, general_hit, general_lost }
    /// Dice for random ground.
    RandomGround {
        hills_more, low_hills, low_hills_of, woods_less, marshes_less, stream, town, town_largest, again, turned_1,
        turned_2, turned_3, turned_4, turned_5, turned_6,
    }
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
