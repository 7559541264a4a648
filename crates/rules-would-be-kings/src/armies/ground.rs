//! Random ground. The rules have no table for it, so this is a house generator: a country is drawn, then pieces that
//! belong to it, apart from each other and off both deployment strips, so that there is a lane to come on by.

use std::fmt::Write as _;

use tricorne_chance::Chance;
use tricorne_table::{Bounds, Point, angle};

use super::pitch::TABLE;
use crate::tables::rulebook::{GroundShape, Rulebook, Sight};

/// Countries, with the kinds of ground that are found there: the common ones stand more than once.
const COUNTRIES: [(&str, &[&str]); 4] = [
    (
        "veld",
        &["tall grass", "tall grass", "rocks", "scrub", "scrub", "hill", "hill", "donga", "thorn fence"],
    ),
    (
        "desert",
        &["rocks", "rocks", "scrub", "palm grove", "ruins", "hill", "building", "stone wall", "donga"],
    ),
    ("frontier", &["hill", "hill", "rocks", "rocks", "sangar", "wood", "scrub", "building", "stone wall"]),
    ("farmland", &["crops", "crops", "wood", "wood", "hedge", "stone wall", "building", "marsh", "hill"]),
];

/// Nobody has a larger table.
const MOST: f64 = 240.0;
/// Free ground between two pieces.
const APART: f64 = 2.0;

struct Dice<'a>(&'a mut dyn Chance);

impl Dice<'_> {
    /// A number from `low` to `high` in hundredths of the stretch.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let face = self.0.faces("terrain", 1, 100).first().copied().unwrap_or(50);
        low + (high - low) * f64::from(face - 1) / 99.0
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.pick("terrain", n, &|i| i.to_string()).unwrap_or(0).min(n.saturating_sub(1))
    }
}

/// A piece of ground as it goes into the file.
struct Laid {
    kind: String,
    points: Vec<Point>,
    more: String,
    bounds: Bounds,
}

fn round(p: Point) -> Point {
    p.round_to(0.5)
}

/// An irregular blob round a middle.
fn blob(dice: &mut Dice, middle: Point, wide: f64, deep: f64) -> Vec<Point> {
    let corners = 6 + dice.below(3);
    let lean = dice.between(0.0, 60.0);
    (0..corners)
        .map(|i| {
            let bearing = lean + 360.0 * i as f64 / corners as f64;
            let far = dice.between(0.8, 1.1);
            let way = angle::forward(bearing);
            round(middle + Point::new(way.x * wide * far, way.y * deep * far))
        })
        .collect()
}

/// A house: upright, and never so small that nobody fits.
fn house(dice: &mut Dice, middle: Point) -> Vec<Point> {
    let (w, h) = (dice.between(2.0, 3.5).round(), dice.between(2.0, 3.5).round());
    let at = Point::new(middle.x.round(), middle.y.round());
    vec![at, at + Point::new(w * 2.0, 0.0), at + Point::new(w * 2.0, h * 2.0), at + Point::new(0.0, h * 2.0)]
}

/// A wall with a bend in it.
fn wall(dice: &mut Dice, middle: Point) -> Vec<Point> {
    let bearing = dice.between(0.0, 180.0);
    let bend = dice.between(-50.0, 50.0);
    let (one, two) = (dice.between(3.0, 5.0), dice.between(2.0, 4.5));
    let first = middle - angle::forward(bearing) * one;
    let last = middle + angle::forward(bearing + bend) * two;
    vec![round(first), round(middle), round(last)]
}

/// A river down the middle with two fords; the stretches touch, so nothing is left to slip through.
fn river(dice: &mut Dice, [width, height]: [f64; 2], laid: &mut Vec<Laid>) {
    let (across, along) = (width / TABLE[0], height / TABLE[1]);
    let x = dice.between(32.0 * across, 40.0 * across).round();
    let low = dice.between(9.0 * along, 15.0 * along).round();
    let high = dice.between(32.0 * along, 39.0 * along).round();
    let fords = [low, high];
    let ends = [0.0, fords[0] - 3.0, fords[0] + 3.0, fords[1] - 3.0, fords[1] + 3.0, height];
    let mut shift = 0.0;
    for (i, pair) in ends.windows(2).enumerate() {
        let next = (shift + dice.between(-1.5, 1.5)).clamp(-3.0, 3.0);
        let (a, b) = (x + shift, x + next);
        let half = 1.5;
        let points = vec![
            round(Point::new(a - half, pair[0])),
            round(Point::new(a + half, pair[0])),
            round(Point::new(b + half, pair[1])),
            round(Point::new(b - half, pair[1])),
        ];
        let kind = if i % 2 == 0 { "river" } else { "ford" };
        laid.push(Laid {
            kind: kind.into(),
            bounds: Bounds::of_points(&points),
            points,
            more: String::new(),
        });
        shift = next;
    }
}

/// Random ground as `[[terrain]]` entries for a table, or for the usual one.
pub(crate) fn random_ground(
    book: &Rulebook,
    table: Option<[f64; 2]>,
    chance: &mut dyn Chance,
) -> Result<String, String> {
    let [width, height] = table.unwrap_or(TABLE);
    // Off the strips and two inches more; inside the long edges.
    let strip = book.charts.forces.strip + 2.0;
    let least = [2.0 * strip + 10.0, 24.0];
    if !(width >= least[0] && height >= least[1] && width <= MOST && height <= MOST) {
        return Err(format!(
            "a table of {width} by {height} has no room for ground between the strips of two forces; take one from {} by {} to \
             {MOST} by {MOST} [WBK-SCEN-04]",
            least[0], least[1]
        ));
    }
    let mut dice = Dice(chance);
    let (_, kinds) = COUNTRIES[dice.below(COUNTRIES.len())];
    let kinds: Vec<&str> = kinds.iter().copied().filter(|k| book.ground.contains_key(*k)).collect();
    let mut laid: Vec<Laid> = Vec::new();
    let watered = book.ground.contains_key("river") && book.ground.contains_key("ford");
    if watered && dice.below(5) == 0 {
        river(&mut dice, [width, height], &mut laid);
    }
    let room = Bounds { min: Point::new(strip, 1.0), max: Point::new(width - strip, height - 1.0) };
    // As much to the foot as on the usual table, and no more pieces than a battle holds.
    let scale = width * height / (TABLE[0] * TABLE[1]);
    let wanted = (((7 + dice.below(4)) as f64 * scale).round() as usize).clamp(2, 40);
    let most_tries = (60.0 * scale.max(1.0)) as usize;
    let mut tries = 0;
    let standing = laid.len();
    while laid.len() < wanted + standing && tries < most_tries && !kinds.is_empty() {
        tries += 1;
        let kind = kinds[dice.below(kinds.len())];
        let Some(ground) = book.ground.get(kind) else { continue };
        let middle = Point::new(
            dice.between(room.min.x + 2.0, room.max.x - 2.0),
            dice.between(room.min.y + 2.0, room.max.y - 2.0),
        );
        let houses = laid.iter().filter(|l| l.kind == "building").count();
        let mut more = String::new();
        let points = match (ground.shape, ground.sight) {
            (GroundShape::Area, Sight::Building) if houses >= 2 => continue,
            (GroundShape::Area, Sight::Building) => {
                more = "capacity = 16\n".into();
                house(&mut dice, middle)
            }
            (GroundShape::Area, Sight::Hill) => {
                let steep = dice.below(4) == 0;
                more = if steep { "level = 1\nsteep = true\n".into() } else { "level = 1\n".into() };
                let (w, h) = (dice.between(4.0, 8.0), dice.between(4.0, 7.0));
                blob(&mut dice, middle, w, h)
            }
            (GroundShape::Area, _) => {
                let (w, h) = (dice.between(2.5, 5.0), dice.between(2.5, 5.0));
                blob(&mut dice, middle, w, h)
            }
            (GroundShape::Obstacle, _) => wall(&mut dice, middle),
            (GroundShape::Road, _) => continue,
        };
        let bounds = Bounds::of_points(&points);
        let inside = room.contains(bounds.min) && room.contains(bounds.max);
        let free = laid.iter().all(|l| !l.bounds.grown(APART).meets(&bounds));
        let sound = match ground.shape {
            GroundShape::Area => tricorne_table::Area::new(points.clone()).is_ok(),
            _ => tricorne_table::Line::new(points.clone()).is_ok(),
        };
        if inside && free && sound {
            laid.push(Laid { kind: kind.into(), points, more, bounds });
        }
    }
    let mut text = String::new();
    for (i, piece) in laid.iter().enumerate() {
        let points: Vec<String> = piece.points.iter().map(|p| format!("[{}, {}]", p.x, p.y)).collect();
        let area = book.ground.get(&piece.kind).is_none_or(|ground| ground.shape == GroundShape::Area);
        let _ = writeln!(
            text,
            "[[terrain]]\nid = \"T{}\"\nkind = \"{}\"\n{} = [{}]\n{}",
            i + 1,
            piece.kind,
            if area { "outline" } else { "line" },
            points.join(", "),
            piece.more
        );
    }
    Ok(text)
}
