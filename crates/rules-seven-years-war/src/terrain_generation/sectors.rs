//! Six sectors, each of six sub-sectors.

use serde::Serialize;
use tricorne_chance::{Chance, Purpose};
use tricorne_table::Point;

/// A sub-sector: the half of a very large table, the sector and the sub-sector, each of the last two from 1 to 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// 0, or 1 for the eastern half of a table that is diced for by halves.
    pub half: u8,
    /// 1 to 3 along the south from the west, 4 to 6 along the north.
    pub sector: u8,
    /// Likewise within the sector.
    pub sub_sector: u8,
}

/// The part of a table that is diced for at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    half: u8,
    min: Point,
    max: Point,
}

impl Region {
    /// The whole table, or its two halves if it is very large (SYW-TERRGEN-01).
    pub fn of_table(table: [f64; 2], halves_beyond: f64) -> Vec<Self> {
        let [width, depth] = table;
        let part = |half, from, to| Self { half, min: Point::new(from, 0.0), max: Point::new(to, depth) };
        if width > halves_beyond {
            vec![part(0, 0.0, width * 0.5), part(1, width * 0.5, width)]
        } else {
            vec![part(0, 0.0, width)]
        }
    }

    /// A D6 for the sector and another for the sub-sector (SYW-TERRGEN-09).
    pub(super) fn diced(&self, chance: &mut dyn Chance) -> Place {
        let sector = chance.d6("sector");
        self.in_sector(sector, chance)
    }

    /// A D6 for the sub-sector of a sector that is given.
    pub(super) fn in_sector(&self, sector: u8, chance: &mut dyn Chance) -> Place {
        Place { half: self.half, sector, sub_sector: chance.d6("sub_sector") }
    }

    /// The middle of a sub-sector.
    pub fn centre_of(&self, place: Place) -> Point {
        let (min, max) = sixth(self.min, self.max, place.sector);
        let (min, max) = sixth(min, max, place.sub_sector);
        min.midpoint(max)
    }

    /// The middles of two different sides, by a D4 each; the second is rolled again while it is the first
    /// (SYW-TERRGEN-13).
    pub(super) fn diced_sides(&self, purpose: Purpose, chance: &mut dyn Chance) -> (Point, Point) {
        let from = chance.faces(purpose, 1, 4)[0];
        let mut to = chance.faces(purpose, 1, 4)[0];
        while to == from {
            to = chance.faces(purpose, 1, 4)[0];
        }
        (self.side(from), self.side(to))
    }

    /// 1 south, 2 west, 3 north, 4 east.
    fn side(&self, die: u8) -> Point {
        let middle = self.min.midpoint(self.max);
        match die {
            1 => Point::new(middle.x, self.min.y),
            2 => Point::new(self.min.x, middle.y),
            3 => Point::new(middle.x, self.max.y),
            _ => Point::new(self.max.x, middle.y),
        }
    }
}

/// The n-th sixth of a rectangle: two rows of three, the southern row first (SYW-TERRGEN-10).
fn sixth(min: Point, max: Point, n: u8) -> (Point, Point) {
    let n = n.clamp(1, 6) - 1;
    let (width, depth) = ((max.x - min.x) / 3.0, (max.y - min.y) / 2.0);
    let corner = Point::new(min.x + width * f64::from(n % 3), min.y + depth * f64::from(n / 3));
    (corner, corner + Point::new(width, depth))
}
