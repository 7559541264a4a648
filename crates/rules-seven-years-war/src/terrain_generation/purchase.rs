//! Terrain that the defender buys with troops (SYW-POINTS-06 to -08).

use serde::{Deserialize, Serialize};
use tricorne_chance::Chance;

use super::{Country, HIGHEST, Kind, Place, Procedure, Region};
use crate::JsonSchema;
use crate::points::{Points, Prices, WoodPrice};

/// What the defender wants to buy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "piece", rename_all = "snake_case", deny_unknown_fields)]
pub enum Purchase {
    /// A hill of any level.
    Hill {
        /// Its level, 0 to 4.
        level: u8,
        /// Its width and depth.
        size: [f64; 2],
    },
    /// A wood.
    Wood {
        /// Its level, 1 to 4.
        level: u8,
        /// Its width and depth.
        size: [f64; 2],
    },
    /// A town.
    Town {
        /// Its width and depth.
        size: [f64; 2],
    },
}

/// Why a piece can't be bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurchaseError {
    /// The clause.
    pub clause: &'static str,
    /// What is wrong, and the remedy.
    pub why: String,
}

impl PurchaseError {
    fn new(clause: &'static str, why: impl Into<String>) -> Self {
        Self { clause, why: why.into() }
    }
}

/// How the owner changes the rotation die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Nudge {
    /// One less.
    Less,
    /// As it fell.
    #[default]
    Keep,
    /// One more.
    More,
}

/// A piece that is bought and has its sub-sector; it waits for its rotation die to be kept or changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bought {
    /// What it is.
    pub purchase: Purchase,
    /// The sub-sector diced for.
    pub place: Place,
    /// The rotation die.
    pub turn: u8,
}

/// What a piece costs, or why there is none such.
pub fn price(purchase: Purchase, prices: &Prices, wood: WoodPrice) -> Result<Points, PurchaseError> {
    let (size, level) = match purchase {
        Purchase::Hill { level, size } | Purchase::Wood { level, size } => (size, level),
        Purchase::Town { size } => (size, 1),
    };
    if !size.iter().all(|s| s.is_finite() && *s >= 1.0) {
        return Err(PurchaseError::new("SYW-POINTS-06", "a piece is at least 1 wide and 1 deep"));
    }
    if level > HIGHEST {
        return Err(PurchaseError::new("SYW-POINTS-06", format!("levels end at {HIGHEST}")));
    }
    let across = size[0].max(size[1]);
    match purchase {
        Purchase::Hill { .. } => Ok(prices.hill(across)),
        Purchase::Wood { level: 0, .. } => {
            Err(PurchaseError::new("SYW-POINTS-06", "a wood has a level of 1 or more"))
        }
        Purchase::Wood { level, .. } => Ok(prices.wood(level, across, wood)),
        Purchase::Town { .. } => prices.town(across).ok_or_else(|| {
            let most = prices.town_largest();
            let why = format!("a town is at most {most} by {most}; make it smaller");
            PurchaseError::new("SYW-POINTS-06", why)
        }),
    }
}

/// Dices for the sub-sector and the rotation of a bought piece in a sector that its owner picked (SYW-POINTS-08).
/// A wood or town whose sub-sector is taken is diced for again some times, then lost (SYW-TERRGEN-14).
pub fn place(
    country: &Country,
    purchase: Purchase,
    (half, sector): (u8, u8),
    ground: &Procedure,
    chance: &mut dyn Chance,
) -> Result<Option<Bought>, PurchaseError> {
    let regions = Region::of_table(country.table, ground.sizes.halves_beyond);
    let region = regions
        .get(usize::from(half))
        .filter(|_| (1..=6).contains(&sector))
        .ok_or_else(|| PurchaseError::new("SYW-TERRGEN-10", "sectors are numbered 1 to 6"))?;
    let hill = matches!(purchase, Purchase::Hill { .. });
    for _ in 0..ground.dice.tries() {
        let place = region.in_sector(sector, chance);
        if hill || !country.taken(place) {
            return Ok(Some(Bought { purchase, place, turn: chance.d6("rotation") }));
        }
    }
    Ok(None)
}

/// Lays a bought piece with the rotation die as its owner leaves it (SYW-POINTS-08).
pub fn nudge(
    country: &mut Country,
    bought: Bought,
    by: Nudge,
    ground: &Procedure,
) -> Result<(), PurchaseError> {
    let turn = match by {
        Nudge::Less => bought.turn.saturating_sub(1),
        Nudge::Keep => bought.turn,
        Nudge::More => bought.turn + 1,
    };
    if !(1..=6).contains(&turn) {
        return Err(PurchaseError::new(
            "SYW-POINTS-08",
            "a die shows 1 to 6; leave it or change it the other way",
        ));
    }
    let regions = Region::of_table(country.table, ground.sizes.halves_beyond);
    let Some(region) = regions.get(usize::from(bought.place.half)) else {
        return Err(PurchaseError::new("SYW-TERRGEN-01", "the table has no such half"));
    };
    let turn = ground.dice.turned_by(turn);
    match bought.purchase {
        Purchase::Hill { level, size } => country.hill(level, size, region, bought.place, || turn),
        Purchase::Wood { level, size } => {
            country.lay(Kind::Wood, Some(level), size, region, (bought.place, turn));
        }
        Purchase::Town { size } => country.lay(Kind::Town, None, size, region, (bought.place, turn)),
    }
    Ok(())
}
