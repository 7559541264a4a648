//! Ground by chance. The rulebook has none (ATKM-SETUP-05 leaves it to agreement); ours is a field of the kind that its
//! scenarios have: roads, woods, a hill or two, fences and crops, sometimes water or a farm, with both zones left open.

use std::fmt::Write as _;

use tricorne_chance::Chance;
use tricorne_table::{Bounds, Point, angle};

use crate::movement::terrain::{GroundBook, Outline};
use crate::rulebook::Rulebook;

/// The usual table (ATKM-SETUP-01).
pub(super) const TABLE: [f64; 2] = [72.0, 48.0];
/// The smallest one on which something lies between the lanes.
const LEAST: [f64; 2] = [30.0, 38.0];
/// Nobody has a larger one.
const MOST: f64 = 240.0;
/// What each army has to deploy in, and a step more.
const LANE: f64 = 13.0;

struct Field<'a> {
    book: &'a GroundBook,
    chance: &'a mut dyn Chance,
    width: f64,
    depth: f64,
    text: String,
    /// Ground that nothing else may cover.
    taken: Vec<Bounds>,
}

impl Field<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.chance.pick("terrain", n, &|i| (i + 1).to_string()).unwrap_or(0)
    }

    /// A number between two, in halves of an inch.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let steps = ((high - low) * 2.0).floor().max(0.0) as usize;
        low + 0.5 * self.below(steps + 1) as f64
    }

    fn lay(&mut self, kind: &str, points: &[Point], more: &str) {
        let places: Vec<String> = points.iter().map(|p| format!("[{:?}, {:?}]", p.x, p.y)).collect();
        let nth = self.text.matches("[[terrain]]").count() + 1;
        let shape = self.book.kind.get(kind).map(|kind| kind.shape);
        let lies = if shape == Some(Outline::Line) { "line" } else { "outline" };
        let _ = write!(
            self.text,
            "[[terrain]]\nid = \"{kind}-{nth}\"\nkind = \"{kind}\"\n{lies} = [{}]\n{more}\n",
            places.join(", ")
        );
    }

    /// A free box of some size between the lanes, a margin from everything there is.
    fn room(&mut self, width: f64, depth: f64, margin: f64) -> Option<Bounds> {
        for _ in 0..12 {
            let x = self.between(1.0, self.width - width - 1.0);
            let y = self.between(LANE, self.depth - LANE - depth);
            let spot = Bounds { min: Point::new(x, y), max: Point::new(x + width, y + depth) };
            if !self.taken.iter().any(|t| t.grown(margin).meets(&spot)) {
                self.taken.push(spot);
                return Some(spot);
            }
        }
        None
    }

    /// A round-ish outline that fills a box: corners at even bearings, each drawn in a little by chance.
    fn blob(&mut self, spot: &Bounds, corners: usize) -> Vec<Point> {
        let middle = spot.centre();
        // Anticlockwise, as areas run.
        (0..corners)
            .rev()
            .map(|i| {
                let way = angle::forward(360.0 * i as f64 / corners as f64);
                let share = 0.75 + 0.05 * self.below(6) as f64;
                Point::new(
                    middle.x + way.x * spot.width() / 2.0 * share,
                    middle.y + way.y * spot.depth() / 2.0 * share,
                )
                .round_to(0.1)
            })
            .collect()
    }

    /// A road from edge to edge, three wide.
    fn road(&mut self, north_south: bool) {
        let (low, high) = if north_south { (12.0, self.width - 15.0) } else { (18.0, self.depth - 21.0) };
        let at = self.between(low, high);
        let spot = if north_south {
            Bounds { min: Point::new(at, 0.0), max: Point::new(at + 3.0, self.depth) }
        } else {
            Bounds { min: Point::new(0.0, at), max: Point::new(self.width, at + 3.0) }
        };
        self.lay("road", &spot.corners(), "");
        self.taken.push(spot);
    }

    /// A shallow stream across the table between the lanes.
    fn stream(&mut self) {
        let y = self.between(LANE + 3.0, self.depth - LANE - 6.0);
        let spot = Bounds { min: Point::new(0.0, y), max: Point::new(self.width, y + 2.0) };
        self.lay("shallow_water", &spot.corners(), "");
        self.taken.push(spot);
    }

    fn patch(&mut self, kind: &str, least: f64, most: f64) {
        let (w, d) = (self.between(least, most), self.between(least * 0.8, (most * 0.8).min(14.0)));
        let Some(spot) = self.room(w, d, 1.0) else { return };
        let corners = 6 + self.below(4);
        let outline = self.blob(&spot, corners);
        let more = if kind == "hill" {
            let middle = spot.centre().round_to(0.1);
            format!("peak = [{:?}, {:?}]\n", middle.x, middle.y)
        } else {
            String::new()
        };
        self.lay(kind, &outline, &more);
    }

    /// Square fields and houses.
    fn plot(&mut self, kind: &str, least: f64, most: f64) -> Option<Bounds> {
        let (w, d) = (self.between(least, most), self.between(least * 0.7, most * 0.7));
        let spot = self.room(w, d, 1.0)?;
        self.lay(kind, &spot.corners(), "");
        Some(spot)
    }

    /// A fence, hedge or wall that bends once or not at all.
    fn barrier(&mut self, kind: &str) {
        let along = self.between(6.0, 12.0);
        let Some(spot) = self.room(along, 3.0, 1.0) else { return };
        let from = Point::new(spot.min.x, spot.min.y + 1.5);
        let bend = Point::new(spot.centre().x, spot.min.y + self.between(0.0, 3.0));
        let to = Point::new(spot.max.x, spot.min.y + 1.5);
        self.lay(kind, &[from, bend, to], "");
    }

    /// A house behind a wall with one open side.
    fn farm(&mut self) {
        let Some(spot) = self.room(14.0, 10.0, 1.0) else { return };
        let house = Bounds {
            min: Point::new(spot.min.x + 4.5, spot.min.y + 3.5),
            max: Point::new(spot.min.x + 9.5, spot.min.y + 7.5),
        };
        self.lay("building", &house.corners(), "");
        let [a, b, c, d] = spot.corners();
        let open_north = self.below(2) == 0;
        let yard = if open_north { [d, a, b, c] } else { [a, d, c, b] };
        self.lay("wall", &yard, "");
    }
}

/// The `[[terrain]]` entries of a field.
pub(crate) fn random_terrain(table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
    let [width, depth] = table.unwrap_or(TABLE);
    if !(width >= LEAST[0] && depth >= LEAST[1] && width <= MOST && depth <= MOST) {
        return Err(format!(
            "a table of {width} by {depth} can't have random ground between two armies; take one from {} by {} to {MOST} by \
             {MOST} [ATKM-SETUP-05]",
            LEAST[0], LEAST[1]
        ));
    }
    let rules = Rulebook::own();
    let mut f = Field { book: &rules.ground, chance, width, depth, text: String::new(), taken: Vec::new() };
    // As much to the foot as on the usual table.
    let scale = width * depth / (TABLE[0] * TABLE[1]);
    let many = move |n: usize| (n as f64 * scale).round() as usize;
    if f.below(3) > 0 {
        f.road(true);
    }
    match f.below(4) {
        0 => f.road(false),
        1 => f.stream(),
        _ => {}
    }
    if f.below(3) == 0 {
        f.farm();
    }
    for _ in 0..many(f.below(3)) {
        f.patch("hill", 9.0, 15.0);
    }
    for _ in 0..many(1 + f.below(3)).max(1) {
        f.patch("woods", 7.0, 12.0);
    }
    match f.below(5) {
        0 => f.patch("lake", 6.0, 10.0),
        1 => f.patch("heavy_forest", 6.0, 9.0),
        2 => f.patch("rough", 6.0, 11.0),
        _ => {}
    }
    for _ in 0..many(f.below(3)) {
        f.plot("crops", 7.0, 13.0);
    }
    if f.below(4) == 0 {
        f.plot("building", 4.0, 6.0);
    }
    for _ in 0..many(f.below(4)) {
        let kind = ["fence", "hedge", "wall"][f.below(3)];
        f.barrier(kind);
    }
    Ok(f.text)
}
