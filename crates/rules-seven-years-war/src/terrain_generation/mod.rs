//! Random terrain by the rule's own procedure (SYW-TERRGEN): how many hills, woods, marshes, streams and towns, the
//! sector and sub-sector of each, and how it is turned; and the pieces a defender buys (SYW-POINTS-08).
//!
//! The result is a list of [`Piece`]s: `[[terrain]]` entries as a scenario file has them.

mod purchase;
mod sectors;
mod shapes;

use serde::{Deserialize, Serialize};
use tricorne_chance::Chance;
use tricorne_table::Point;

pub use purchase::{Bought, Nudge, Purchase, PurchaseError, nudge, place, price};
pub use sectors::{Place, Region};
use shapes::{cut_to, octagon, rectangle};

use crate::rulebook::{RandomGround, count};

/// What the ground of a table is diced for by: the sizes of its pieces and the numbers of the dice.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Of its pieces.
    pub sizes: Sizes,
    /// How many pieces, and how they lie.
    pub dice: RandomGround,
}

/// The `[generation]` table of `terrain.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Width and depth of a hill.
    pub hill: [f64; 2],
    /// Of a wood.
    pub wood: [f64; 2],
    /// Of a marsh.
    pub marsh: [f64; 2],
    /// Of a town.
    pub town: [f64; 2],
    /// The level of every wood.
    pub wood_level: u8,
    /// A hill or wood wider than this counts as two.
    pub counts_as_two_beyond: f64,
    /// A table wider than this is diced for by halves.
    pub halves_beyond: f64,
}

impl Sizes {
    /// Whether a table can be cut into sectors (SYW-TERRGEN-09): each must hold a hill, however it is turned.
    pub fn divides(&self, [width, depth]: [f64; 2]) -> Result<(), String> {
        let hill = self.hill[0].max(self.hill[1]);
        let least = [3.0 * hill, 2.0 * hill];
        if width >= least[0] && depth >= least[1] && width <= MOST && depth <= MOST {
            return Ok(());
        }
        Err(format!(
            "a table of {width} by {depth} can't be divided into six sectors that each hold a hill of {} by {}; take one from {} \
             by {} to {MOST} by {MOST} [SYW-TERRGEN-09]",
            self.hill[0], self.hill[1], least[0], least[1]
        ))
    }

    /// Whether every piece has a size; otherwise which number is wrong, and how.
    pub fn check(&self, dice: &RandomGround) -> Result<(), (&'static str, String)> {
        let pieces = [("hill", self.hill), ("wood", self.wood), ("marsh", self.marsh), ("town", self.town)];
        for (name, size) in pieces {
            if !size.iter().all(|s| s.is_finite() && *s >= 1.0) {
                return Err((name, "width and depth must be numbers of 1 or more".into()));
            }
        }
        let largest = dice.town_largest.value;
        if self.town.iter().any(|s| *s > f64::from(largest)) {
            return Err(("town", format!("a town is at most {largest} across [SYW-TERRGEN-08]")));
        }
        if !(1..=HIGHEST).contains(&self.wood_level) {
            return Err(("wood_level", format!("must be 1 to {HIGHEST}")));
        }
        let limits =
            [("counts_as_two_beyond", self.counts_as_two_beyond), ("halves_beyond", self.halves_beyond)];
        match limits.into_iter().find(|(_, l)| !(l.is_finite() && *l > 0.0)) {
            Some((name, _)) => Err((name, "must be a number greater than 0".into())),
            None => Ok(()),
        }
    }
}

/// Nobody has a larger table.
const MOST: f64 = 480.0;

/// What a piece of random terrain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A hill; its level is its type (SYW-TERR-15).
    Hill,
    /// A wood.
    Wood,
    /// A marsh or bog.
    Marsh,
    /// A stream: a linear obstacle.
    Stream,
    /// A town or village.
    Town,
    /// The road through the town.
    Road,
}

impl Kind {
    /// Whether it covers ground; streams and roads are lines.
    pub fn covers_ground(self) -> bool {
        !matches!(self, Kind::Stream | Kind::Road)
    }

    /// Its name in set-up files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Hill => "hill",
            Kind::Wood => "wood",
            Kind::Marsh => "marsh",
            Kind::Stream => "stream",
            Kind::Town => "town",
            Kind::Road => "road",
        }
    }
}

/// One `[[terrain]]` entry of a scenario file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// `H1`, `W2`, `M1`, `S1`, `V1`, `R1`.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// The level of a hill or wood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The corners of the ground it covers, or the course of a stream or road.
    pub points: Vec<Point>,
    /// The sub-sector it was diced into; a stream or road has the one it runs by way of.
    #[serde(skip)]
    pub place: Place,
}

/// The ground of a table, as it is diced for and bought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Country {
    /// Width and depth of the table.
    pub table: [f64; 2],
    /// What lies on it, in the order it was laid.
    pub pieces: Vec<Piece>,
}

impl Country {
    /// The pieces as the `[[terrain]]` entries of a scenario file.
    pub fn to_toml(&self) -> String {
        #[derive(Serialize)]
        struct Entry<'a> {
            id: &'a str,
            kind: Kind,
            #[serde(skip_serializing_if = "Option::is_none")]
            level: Option<u8>,
            #[serde(skip_serializing_if = "Option::is_none")]
            outline: Option<&'a [Point]>,
            #[serde(skip_serializing_if = "Option::is_none")]
            line: Option<&'a [Point]>,
        }
        #[derive(Serialize)]
        struct File<'a> {
            terrain: Vec<Entry<'a>>,
        }
        let terrain = self.pieces.iter().map(|piece| {
            let covers = piece.kind.covers_ground();
            Entry {
                id: &piece.id,
                kind: piece.kind,
                level: piece.level,
                outline: covers.then_some(piece.points.as_slice()),
                line: (!covers).then_some(piece.points.as_slice()),
            }
        });
        toml::to_string(&File { terrain: terrain.collect() }).unwrap_or_default()
    }

    /// How many pieces of a kind lie on the table.
    pub fn count(&self, kind: Kind) -> usize {
        self.pieces.iter().filter(|p| p.kind == kind).count()
    }

    fn id(&self, kind: Kind) -> String {
        let letter = match kind {
            Kind::Hill => 'H',
            Kind::Wood => 'W',
            Kind::Marsh => 'M',
            Kind::Stream => 'S',
            Kind::Town => 'V',
            Kind::Road => 'R',
        };
        format!("{letter}{}", self.count(kind) + 1)
    }

    /// A hill that lies in the sub-sector.
    fn hill_at(&mut self, place: Place) -> Option<&mut Piece> {
        self.pieces.iter_mut().find(|p| p.kind == Kind::Hill && p.place == place)
    }

    /// Whether a wood, marsh or town lies in the sub-sector.
    fn taken(&self, place: Place) -> bool {
        let fills = |k| matches!(k, Kind::Wood | Kind::Marsh | Kind::Town);
        self.pieces.iter().any(|p| fills(p.kind) && p.place == place)
    }

    /// Lays an area, centred in its sub-sector, turned, and cut off at the table's edge.
    fn lay(&mut self, kind: Kind, level: Option<u8>, size: [f64; 2], region: &Region, spot: (Place, f64)) {
        let (place, turn) = spot;
        let centre = region.centre_of(place);
        let corners = if kind == Kind::Hill { octagon(size) } else { rectangle(size) };
        let turned: Vec<Point> = corners.iter().map(|&c| centre + c.turned(turn)).collect();
        let points = cut_to(&turned, self.table);
        self.pieces.push(Piece { id: self.id(kind), kind, level, points, place });
    }

    fn lay_line(&mut self, kind: Kind, points: Vec<Point>, place: Place) {
        self.pieces.push(Piece { id: self.id(kind), kind, level: None, points, place });
    }

    /// Lays a hill, or raises the one that already lies in the sub-sector (SYW-TERRGEN-04). A hill that is dropped is
    /// not turned.
    fn hill(&mut self, level: u8, size: [f64; 2], region: &Region, place: Place, turn: impl FnOnce() -> f64) {
        if let Some(lower) = self.hill_at(place) {
            lower.level = lower.level.map(|l| (l + 1).min(HIGHEST));
        } else {
            self.lay(Kind::Hill, Some(level), size, region, (place, turn()));
        }
    }
}

/// The highest level there is (T3).
const HIGHEST: u8 = 4;

impl RandomGround {
    /// SYW-TERRGEN-11: what the rotation die turns a piece by, in degrees to the right.
    fn turned_by(&self, die: u8) -> f64 {
        let line = match die {
            1 => self.turned_1,
            2 => self.turned_2,
            3 => self.turned_3,
            4 => self.turned_4,
            5 => self.turned_5,
            _ => self.turned_6,
        };
        f64::from(line.value)
    }

    /// The rotation die, thrown.
    fn rotation(&self, chance: &mut dyn Chance) -> f64 {
        self.turned_by(chance.d6("rotation"))
    }

    /// How often a sub-sector is diced for before a piece is dropped (SYW-TERRGEN-14).
    fn tries(&self) -> usize {
        count(self.again) + 1
    }
}

/// Dices for the ground of a table, in the order of SYW-TERRGEN-12.
pub fn generate(table: [f64; 2], ground: &Procedure, chance: &mut dyn Chance) -> Country {
    let mut country = Country { table, pieces: Vec::new() };
    for region in Region::of_table(table, ground.sizes.halves_beyond) {
        hills(&mut country, &region, ground, chance);
        woods(&mut country, &region, ground, chance);
        marshes_and_streams(&mut country, &region, ground, chance);
        town(&mut country, &region, ground, chance);
    }
    country
}

/// How many pieces `count` stands for, and how wide each may be: a wide one counts as two, and what is left over is a
/// narrow one (SYW-TERRGEN-03).
fn pieces_of(count: usize, size: [f64; 2], limit: f64) -> Vec<[f64; 2]> {
    if size[0] <= limit {
        return vec![size; count];
    }
    let mut pieces = vec![size; count / 2];
    pieces.extend((count % 2 == 1).then_some([limit, size[1]]));
    pieces
}

/// SYW-TERRGEN-02 to -04.
fn hills(country: &mut Country, region: &Region, ground: &Procedure, chance: &mut dyn Chance) {
    // A D3 is a D6 halved, rounded up (SYW-DICE-01).
    let Procedure { sizes, dice } = ground;
    let hills = usize::from(chance.d6("hills").div_ceil(2)) + count(dice.hills_more);
    let pieces = pieces_of(hills, sizes.hill, sizes.counts_as_two_beyond);
    let low = (count(dice.low_hills) * pieces.len()).div_ceil(count(dice.low_hills_of).max(1));
    for (i, size) in pieces.into_iter().enumerate() {
        let place = region.diced(chance);
        country.hill(u8::from(i >= low), size, region, place, || dice.rotation(chance));
    }
}

/// SYW-TERRGEN-05.
fn woods(country: &mut Country, region: &Region, ground: &Procedure, chance: &mut dyn Chance) {
    let Procedure { sizes, dice } = ground;
    let woods = usize::from(chance.faces("woods", 1, 4)[0]).saturating_sub(count(dice.woods_less));
    for size in pieces_of(woods, sizes.wood, sizes.counts_as_two_beyond) {
        fill(country, Kind::Wood, Some(sizes.wood_level), size, region, dice, chance);
    }
}

/// SYW-TERRGEN-06 and -07.
fn marshes_and_streams(country: &mut Country, region: &Region, ground: &Procedure, chance: &mut dyn Chance) {
    let Procedure { sizes, dice } = ground;
    let marshes = usize::from(chance.faces("marshes", 1, 4)[0]).saturating_sub(count(dice.marshes_less));
    let mut stream = false;
    for _ in 0..marshes {
        if i32::from(chance.d6("marsh_or_stream")) >= dice.stream.value && !stream {
            stream = true;
            let (from, to) = region.diced_sides("stream_side", chance);
            let place = region.diced(chance);
            country.lay_line(Kind::Stream, vec![from, region.centre_of(place), to], place);
        } else {
            fill(country, Kind::Marsh, None, sizes.marsh, region, dice, chance);
        }
    }
}

/// SYW-TERRGEN-08: a town, and a road through it.
fn town(country: &mut Country, region: &Region, ground: &Procedure, chance: &mut dyn Chance) {
    let Procedure { sizes, dice } = ground;
    if i32::from(chance.d6("town")) >= dice.town.value
        && let Some(place) = fill(country, Kind::Town, None, sizes.town, region, dice, chance)
    {
        let (from, to) = region.diced_sides("road_side", chance);
        country.lay_line(Kind::Road, vec![from, region.centre_of(place), to], place);
    }
}

/// Lays a wood, marsh or town in a diced sub-sector; where one already lies it is diced again some times, then dropped
/// (SYW-TERRGEN-14).
fn fill(
    country: &mut Country,
    kind: Kind,
    level: Option<u8>,
    size: [f64; 2],
    region: &Region,
    dice: &RandomGround,
    chance: &mut dyn Chance,
) -> Option<Place> {
    for _ in 0..dice.tries() {
        let place = region.diced(chance);
        if !country.taken(place) {
            country.lay(kind, level, size, region, (place, dice.rotation(chance)));
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests;
