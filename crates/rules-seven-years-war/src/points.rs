//! The points system (T5): what troops, generals, works and bought terrain cost.

mod army;
mod lists;

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use serde::{Deserialize, Serialize};
use tricorne_game::{Fault, Source};

use crate::JsonSchema;
use crate::rulebook::{Drill, Grade, Kind};

pub use army::{Army, Enlisted, Market, Objection, Work};
pub use lists::{Entry, Kinds, Lists, Nation};

/// Points, kept in quarters (SYW-POINTS-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Points {
    quarters: i32,
}

impl Points {
    /// Nothing.
    pub const ZERO: Self = Self { quarters: 0 };

    /// So many whole points.
    pub fn whole(points: i32) -> Self {
        Self { quarters: points.saturating_mul(4) }
    }

    /// So many quarters of a point.
    pub fn quarters(quarters: i32) -> Self {
        Self { quarters }
    }

    /// How many quarters.
    pub fn in_quarters(self) -> i32 {
        self.quarters
    }
}

impl TryFrom<f64> for Points {
    type Error = String;

    fn try_from(points: f64) -> Result<Self, String> {
        let quarters = points * 4.0;
        if quarters.is_finite() && quarters.fract() == 0.0 && quarters.abs() < 1e8 {
            Ok(Self { quarters: quarters as i32 })
        } else {
            Err(format!("{points} is not a number of points in quarters [SYW-POINTS-02]"))
        }
    }
}

impl From<Points> for f64 {
    fn from(points: Points) -> f64 {
        f64::from(points.quarters) / 4.0
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f64::from(*self).fmt(f)
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { quarters: self.quarters.saturating_add(other.quarters) }
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { quarters: self.quarters.saturating_sub(other.quarters) }
    }
}

impl Mul<i32> for Points {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        Self { quarters: self.quarters.saturating_mul(times) }
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

/// Everything about a stand that its price depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grades {
    /// Its kind.
    pub kind: Kind,
    /// Whether it has rifles.
    pub rifles: bool,
    /// Its drill. Militia is badly drilled at no discount.
    pub drill: Drill,
    /// Its morale.
    pub morale: Grade,
    /// Whether its fire discipline is weak.
    pub poor_shots: bool,
    /// Militia brought up to normal drill (SYW-POINTS-03).
    pub upgraded_drill: bool,
    /// Militia that shoots at short range (SYW-POINTS-03).
    pub upgraded_shots: bool,
}

/// How the price of a bought wood goes up with its level (option `wood_price`, SYW-POINTS-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WoodPrice {
    /// 15 a level, 10 more if over 40 across.
    #[default]
    PerLevelPlusWidth,
    /// The prices of the source's example: level 2 costs 40, each level more 10 more.
    Example,
}

/// `points.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    format: u32,
    troops: BTreeMap<Kind, Points>,
    grades: GradePrices,
    /// What generals cost.
    pub generals: GeneralPrices,
    works: WorkPrices,
    terrain: TerrainPrices,
    /// What the end of a battle counts (SYW-WIN-05, -06).
    pub victory: VictoryPoints,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct GradePrices {
    poor_shots: Points,
    rifle: Points,
    badly_drilled: Points,
    well_drilled: Points,
    high_morale: Points,
    poor_morale: Points,
    militia_normal_drill: Points,
    militia_short_range: Points,
}

/// What generals cost (SYW-POINTS-04).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneralPrices {
    /// Each sub-general.
    pub sub_general: Points,
    /// The C-in-C.
    pub commander_in_chief: Points,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkPrices {
    abatis: PerLength,
    barricade: PerLength,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PerLength {
    points: Points,
    per: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerrainPrices {
    wide: f64,
    hill: Points,
    hill_wide: Points,
    wood_per_level: Points,
    wood_wide: Points,
    town: Points,
    town_largest: f64,
}

/// What a lost general is worth to the enemy (SYW-WIN-05).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryPoints {
    /// A sub-general, each time one is lost.
    pub sub_general: Points,
    /// The C-in-C.
    pub commander_in_chief: Points,
}

impl Prices {
    /// Reads `points.toml`.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let prices: Self = source.parse()?;
        if prices.format != 1 {
            return Err(source.fault(&["format".into()], "this program reads format 1"));
        }
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| !prices.troops.contains_key(kind)) {
            return Err(source.fault(&["troops".into()], format!("has no price for {}", kind.code())));
        }
        for (name, work) in [("abatis", &prices.works.abatis), ("barricade", &prices.works.barricade)] {
            if !(work.per.is_finite() && work.per > 0.0) {
                let place = ["works".into(), name.into(), "per".into()];
                return Err(source.fault(&place, "must be a length above 0"));
            }
        }
        Ok(prices)
    }

    /// What a stand costs: its kind's price and all its grades (SYW-POINTS-02). `read` has seen to it that every kind has one.
    pub fn stand(&self, of: Grades) -> Points {
        let mut price = self.troops.get(&of.kind).copied().unwrap_or(Points::ZERO);
        let militia = of.kind == Kind::Mil;
        let lines = [
            (of.poor_shots, self.grades.poor_shots),
            (of.rifles, self.grades.rifle),
            (of.drill == Drill::Badly && !militia, self.grades.badly_drilled),
            (of.drill == Drill::Well, self.grades.well_drilled),
            (of.morale == Grade::High, self.grades.high_morale),
            (of.morale == Grade::Poor, self.grades.poor_morale),
            (militia && of.upgraded_drill, self.grades.militia_normal_drill),
            (militia && of.upgraded_shots, self.grades.militia_short_range),
        ];
        for (holds, points) in lines {
            if holds {
                price = price + points;
            }
        }
        price
    }

    /// What a work of a length costs: a point for each 4 cm or part of it (SYW-POINTS-05).
    pub fn work(&self, kind: Work, length: f64) -> Points {
        let PerLength { points, per } = match kind {
            Work::Abatis => &self.works.abatis,
            Work::Barricade => &self.works.barricade,
        };
        // The engine's tolerance, so that 8.000001 is two pieces and not three.
        let pieces = ((length.max(0.0) - 0.01) / per).ceil().clamp(0.0, 1e6);
        *points * pieces as i32
    }

    /// What a hill costs, of any level (SYW-POINTS-06).
    pub fn hill(&self, across: f64) -> Points {
        if across > self.terrain.wide { self.terrain.hill_wide } else { self.terrain.hill }
    }

    /// What a wood costs (SYW-POINTS-06, -07).
    pub fn wood(&self, level: u8, across: f64, reading: WoodPrice) -> Points {
        let t = &self.terrain;
        let level = i32::from(level);
        let price = match reading {
            // Level 2 at 40 and each level from there 10 more; a level 1 wood at the price of a level.
            WoodPrice::Example if level >= 2 => t.wood_per_level * 2 + t.wood_wide * (level - 1),
            WoodPrice::Example | WoodPrice::PerLevelPlusWidth => t.wood_per_level * level,
        };
        if across > t.wide { price + t.wood_wide } else { price }
    }

    /// What a town costs; none if it is too large (SYW-POINTS-06).
    pub fn town(&self, across: f64) -> Option<Points> {
        (across <= self.terrain.town_largest).then_some(self.terrain.town)
    }

    /// How wide and deep a town may be (SYW-POINTS-06).
    pub fn town_largest(&self) -> f64 {
        self.terrain.town_largest
    }

    /// Whether the troops given up pay for a piece; points left over are lost (SYW-POINTS-09).
    pub fn pays(&self, given_up: &[Points], price: Points) -> bool {
        given_up.iter().copied().sum::<Points>() >= price
    }
}

#[cfg(test)]
mod tests;
