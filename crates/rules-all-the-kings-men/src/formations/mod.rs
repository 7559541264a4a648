//! Formations (FORM): how many files and ranks, which ground they cover, where each figure stands. Pure functions of
//! type, shape and headcount (M5 to M14).

mod change;
mod figures;
mod light;
mod skirmish;

pub use figures::Figure;
pub(crate) use figures::{figures, officers};

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tricorne_table::{Point, angle};

use crate::JsonSchema;
use crate::options::{Options, SquareBlock};
use crate::rulebook::{Kind, Rulebook};

/// A local rectangle: centre, width, depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub centre: Point,
    pub width: f64,
    pub depth: f64,
}

/// At most twelve skirmishers with officer and ensign.
pub(crate) type Blocks = ArrayVec<Block, 14>;

/// The shape a unit stands in. Written `L2` (line of two ranks), `C3` (column of three files), `Lo`, `Sq`, `mob`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formation {
    /// So many ranks.
    Line(u8),
    /// So many files.
    Column(u8),
    /// Skirmishers, and guns ready to fire.
    Loose,
    /// Beaten.
    Mob,
    /// All-round defence (ATKM-ADV-01).
    Square,
}

impl Formation {
    /// `line`, `column`, `loose`, `mob` or `square`.
    pub fn name(self) -> &'static str {
        match self {
            Formation::Line(_) => "line",
            Formation::Column(_) => "column",
            Formation::Loose => "loose",
            Formation::Mob => "mob",
            Formation::Square => "square",
        }
    }
}

impl Formation {
    /// Whether both are lines, or both columns, whatever their ranks and files.
    pub(crate) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// In words, for stories: `a line two ranks deep`.
    pub(crate) fn told(self) -> String {
        let number = |n: u8| ["no", "one", "two", "three"][usize::from(n.min(3))];
        match self {
            Formation::Line(1) => "a line one rank deep".into(),
            Formation::Line(r) => format!("a line {} ranks deep", number(r)),
            Formation::Column(1) => "a column one file wide".into(),
            Formation::Column(c) => format!("a column {} files wide", number(c)),
            Formation::Loose => "loose order".into(),
            Formation::Mob => "a mob".into(),
            Formation::Square => "a square".into(),
        }
    }
}

impl fmt::Display for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formation::Line(r) => write!(f, "L{r}"),
            Formation::Column(c) => write!(f, "C{c}"),
            Formation::Loose => f.write_str("Lo"),
            Formation::Mob => f.write_str("mob"),
            Formation::Square => f.write_str("Sq"),
        }
    }
}

impl FromStr for Formation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower: String =
            text.to_ascii_lowercase().chars().filter(|c| !matches!(c, ' ' | '-' | '_')).collect();
        let digits = lower.find(|c: char| c.is_ascii_digit()).unwrap_or(lower.len());
        let (word, number) = lower.split_at(digits);
        let number: Option<u8> = number.parse().ok();
        match (word, number) {
            ("l" | "line", Some(n @ 1..=3)) => Ok(Formation::Line(n)),
            ("c" | "column", Some(n @ 1..=3)) => Ok(Formation::Column(n)),
            ("line", None) => Ok(Formation::Line(2)),
            ("column", None) => Ok(Formation::Column(2)),
            ("lo" | "loose", None) => Ok(Formation::Loose),
            ("m" | "mob", None) => Ok(Formation::Mob),
            ("sq" | "square", None) => Ok(Formation::Square),
            _ => Err(format!(
                "`{text}` is no formation; write L1, L2 or L3 (line of so many ranks), C1, C2 or C3 (column of so \
                 many files), Lo (loose), Sq (square) or mob"
            )),
        }
    }
}

impl Serialize for Formation {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Formation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schemas")]
impl JsonSchema for Formation {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Formation".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "L1 L2 L3 (line of so many ranks), C1 C2 C3 (column of so many files), Lo, Sq, mob"
        })
    }
}

/// Every shape there is.
pub(crate) const SHAPES: [Formation; 8] = [
    Formation::Line(1),
    Formation::Line(2),
    Formation::Line(3),
    Formation::Column(1),
    Formation::Column(2),
    Formation::Column(3),
    Formation::Loose,
    Formation::Square,
];

/// Where loose skirmishers stand, in thousandths of an inch from their centre in the unit's own frame (M9). Nought,
/// nought is a figure without room: stacked at the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spot(pub i16, pub i16);

impl Spot {
    pub(crate) fn of(local: Point) -> Self {
        let whole = |v: f64| (v * 1000.0).round().clamp(-30_000.0, 30_000.0) as i16;
        Self(whole(local.x), whole(local.y))
    }

    pub(crate) fn point(self) -> Point {
        Point::new(f64::from(self.0) / 1000.0, f64::from(self.1) / 1000.0)
    }

    pub(crate) fn is_stacked(self) -> bool {
        self == Self(0, 0)
    }
}

/// The most skirmishers in a unit.
pub(crate) const MOST_LOOSE: usize = 12;
/// The spots of a skirmisher unit, by index of the private.
pub type Spots = [Spot; MOST_LOOSE];

/// Files of a line (M5).
pub(crate) fn files(n: u8, ranks: u8) -> u8 {
    n.div_ceil(ranks.max(1)).max(1)
}

/// Files and rows of a mob (M10).
fn mob_files(n: u8) -> (u8, u8) {
    let files = (1..=16).find(|k| k * k >= n).unwrap_or(16);
    (files, n.div_ceil(files).max(1))
}

/// Width and depth of the ground a unit covers; a skirmisher unit in loose order is measured by its spots instead.
pub(crate) fn extent(rules: &Rulebook, kind: Kind, formation: Formation, n: u8) -> (f64, f64) {
    let (w, d) = rules.base_of(kind);
    let n = n.max(1);
    match formation {
        Formation::Line(ranks) => {
            let f = files(n, ranks);
            (f64::from(f) * w, f64::from(n.div_ceil(f)) * d)
        }
        _ if kind.is_artillery() && formation != Formation::Loose => {
            let [cw, cd] = rules.base.cannon;
            ((2.0 * w).max(cw), f64::from(n.div_ceil(2)) * d + cd)
        }
        Formation::Column(c) => (f64::from(c) * w, f64::from(n.div_ceil(c.max(1))) * d),
        Formation::Loose if kind.is_artillery() => {
            let [cw, cd] = rules.base.cannon;
            (cw + 2.0 * (rules.layout.gunner_gap + w), cd)
        }
        Formation::Loose => {
            let reach = 2.0 * rules.loose.skirmisher_reach + w;
            (reach, reach)
        }
        Formation::Mob => {
            let (k, m) = mob_files(n);
            (f64::from(k) * w, f64::from(m) * d)
        }
        Formation::Square => {
            let side = f64::from((n.div_ceil(4) + 1).max(2)) * w;
            (side, side)
        }
    }
}

/// Whether a type may stand in a shape with so many men (ATKM-FORM-01..07, M5, M6); the clause that forbids it.
pub(crate) fn allowed(
    rules: &Rulebook,
    options: &Options,
    kind: Kind,
    formation: Formation,
    n: u8,
) -> Result<(), (&'static str, String)> {
    let (w, d) = extent(rules, kind, formation, n);
    let square_is_line = options.square_block == SquareBlock::Line;
    let drilled = matches!(kind, Kind::Infantry | Kind::Cavalry);
    let name = kind.name().replace('_', " ");
    match formation {
        Formation::Line(_) if !drilled => {
            Err(("ATKM-FORM-01", format!("only infantry and cavalry form line, not {name}")))
        }
        Formation::Line(_) if w < d - 1e-9 => Err((
            "ATKM-FORM-06",
            format!("{n} men would stand {w} wide and {d} deep, which is a column; take fewer ranks"),
        )),
        Formation::Line(_) if !square_is_line && (w - d).abs() < 1e-9 => {
            Err(("ATKM-FORM-07", format!("a block {w} wide and as deep counts as a column here")))
        }
        Formation::Column(_) if kind == Kind::Skirmisher => {
            Err(("ATKM-FORM-20", "skirmishers are always loose".into()))
        }
        Formation::Column(c) if kind.is_artillery() => {
            if c == 2 || (c == 1 && n == 1) {
                Ok(())
            } else {
                Err((
                    "ATKM-FORM-09",
                    "an artillery column stands two gunners wide before its cannon: C2".into(),
                ))
            }
        }
        Formation::Column(_) if w > d + 1e-9 => Err((
            "ATKM-FORM-06",
            format!("{n} men would stand {w} wide and {d} deep, which is no column; take fewer files"),
        )),
        Formation::Column(_) if square_is_line && (w - d).abs() < 1e-9 => {
            Err(("ATKM-FORM-07", format!("a block {w} wide and as deep counts as a line; take fewer files")))
        }
        Formation::Loose if drilled => {
            Err(("ATKM-FORM-10", format!("{name} do not stand in loose formation")))
        }
        Formation::Square if !options.adv_square => {
            Err(("ATKM-ADV-01", "squares are played only with the option adv_square".into()))
        }
        Formation::Square if kind != Kind::Infantry => {
            Err(("ATKM-ADV-01", format!("only infantry forms square, not {name}")))
        }
        _ => Ok(()),
    }
}

/// How far those who touch the rank before them reach in among it, so that no line slips through the joint (M17).
const SEAM: f64 = 0.01;

/// The ground under privates and cannon as few rectangles: bases that touch make one (M5 to M10).
pub(crate) fn blocks(rules: &Rulebook, kind: Kind, formation: Formation, n: u8, spots: &Spots) -> Blocks {
    let (w, d) = rules.base_of(kind);
    let mut out = Blocks::new();
    let mut block = |x: f64, y: f64, width: f64, depth: f64| {
        let _ = out.try_push(Block { centre: Point::new(x, y), width, depth });
    };
    // Full ranks make one rectangle from `front` backwards, a last short rank another, centred.
    let mut ranks = |files: u8, front: f64| {
        let full = n / files.max(1);
        let rest = n % files.max(1);
        if full > 0 {
            let depth = f64::from(full) * d;
            block(0.0, front - depth / 2.0, f64::from(files) * w, depth);
        }
        if rest > 0 {
            let seam = if full > 0 { SEAM } else { 0.0 };
            let y = front - (f64::from(full) + 0.5) * d;
            block(0.0, y + seam / 2.0, f64::from(rest) * w, d + seam);
        }
    };
    match formation {
        Formation::Line(r) => ranks(files(n, r), 0.0),
        Formation::Column(_) if kind.is_artillery() => {
            ranks(if n == 1 { 1 } else { 2 }, 0.0);
            let [cw, cd] = rules.base.cannon;
            let (_, depth) = extent(rules, kind, formation, n);
            block(0.0, -depth + cd / 2.0, cw, cd);
            // The last gunners touch the cannon.
            block(0.0, -depth + cd, if n % 2 == 1 { w } else { 2.0 * w }, 2.0 * SEAM);
        }
        Formation::Column(c) => ranks(c, 0.0),
        Formation::Loose if kind.is_artillery() => {
            let [cw, cd] = rules.base.cannon;
            block(0.0, -cd / 2.0, cw, cd);
            for slot in gunner_slots(rules, kind).into_iter().take(usize::from(n)) {
                block(slot.x, slot.y, w, d);
            }
        }
        Formation::Loose => {
            // Officer and ensign stand as one piece without a seam (M17).
            block(0.0, 0.0, 2.0 * w, d);
            for spot in spots.iter().take(usize::from(n)).filter(|s| !s.is_stacked()) {
                let at = spot.point();
                block(at.x, at.y, w, d);
            }
        }
        Formation::Mob if kind.is_artillery() => {
            let (width, depth) = extent(rules, kind, formation, n);
            block(0.0, 0.0, width, depth);
        }
        Formation::Mob => {
            let (k, m) = mob_files(n);
            ranks(k, f64::from(m) * d / 2.0);
        }
        Formation::Square => {
            let (side, _) = extent(rules, kind, formation, n);
            block(0.0, -side / 2.0, side, side);
        }
    }
    out
}

/// M8: where the gunners of a loose battery stand, in the order they are filled.
pub(crate) fn gunner_slots(rules: &Rulebook, kind: Kind) -> [Point; 4] {
    let (w, _) = rules.base_of(kind);
    let x = rules.base.cannon[0] / 2.0 + rules.layout.gunner_gap + w / 2.0;
    let [front, rear] = rules.layout.gunner_rows;
    [Point::new(-x, -front), Point::new(x, -front), Point::new(-x, -rear), Point::new(x, -rear)]
}

/// The cannon rectangle of a battery that is no mob (M7, M8).
pub(crate) fn cannon(rules: &Rulebook, kind: Kind, formation: Formation, n: u8) -> Block {
    let [width, depth] = rules.base.cannon;
    let y = match formation {
        Formation::Loose => -depth / 2.0,
        _ => -extent(rules, kind, formation, n).1 + depth / 2.0,
    };
    Block { centre: Point::new(0.0, y), width, depth }
}

/// M13: the aim point.
pub(crate) fn centre(rules: &Rulebook, kind: Kind, formation: Formation, n: u8) -> Point {
    match formation {
        Formation::Mob => Point::ORIGIN,
        _ if kind.is_artillery() => cannon(rules, kind, formation, n).centre,
        Formation::Loose => Point::ORIGIN,
        _ => Point::new(0.0, -extent(rules, kind, formation, n).1 / 2.0),
    }
}

/// The footprint's middle: what stays in place when a mob reforms (ATKM-MOB-04).
pub(crate) fn middle(rules: &Rulebook, kind: Kind, formation: Formation, n: u8) -> Point {
    match formation {
        Formation::Mob => Point::ORIGIN,
        Formation::Loose if !kind.is_artillery() => Point::ORIGIN,
        _ => Point::new(0.0, -extent(rules, kind, formation, n).1 / 2.0),
    }
}

/// How skirmishers spread (M9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// A line ahead of officer and ensign.
    Line,
    /// A ring round them.
    Cloud,
    /// Places of your own, right and ahead of the centre.
    Custom(Vec<Point>),
}

/// The preset places of so many skirmishers.
pub(crate) fn spread(rules: &Rulebook, cloud: bool, n: u8) -> Spots {
    let mut spots = Spots::default();
    let k = f64::from(n.max(1));
    for (j, spot) in spots.iter_mut().enumerate().take(usize::from(n)) {
        let j = j as f64;
        *spot = if cloud {
            let way = angle::forward(360.0 * j / k);
            Spot::of(way * rules.loose.cloud_radius)
        } else {
            Spot::of(Point::new(rules.loose.line_spacing * (j - (k - 1.0) / 2.0), rules.loose.line_ahead))
        };
    }
    spots
}
