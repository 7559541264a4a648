//! Ground: kinds of terrain, what moving over it costs, who may enter (ledger 2.5, 4.7).

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_table::{Area, Bounds, HalfPlane, Point, Shape};

use crate::JsonSchema;
use crate::model::Kind;
use crate::model::formation::{Body, passage, passages};
use crate::options::{Options, SkirmishDifficult};

/// What a piece of ground is (VF-MODEL-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GroundKind {
    /// Slows everyone but skirmishers.
    #[serde(alias = "stream")]
    Broken,
    /// Only foot, at half rate.
    #[serde(alias = "marsh")]
    Difficult,
    /// Difficult, and hard to see through.
    #[serde(alias = "wood")]
    Woods,
    /// Difficult, hard cover, hard to see through.
    #[serde(alias = "farm", alias = "village")]
    Town,
    /// Open and raised.
    Hill,
    /// Nobody enters.
    River,
    /// Quick going for columns, guns and wagons.
    Road,
    /// A bridge or a ford.
    #[serde(alias = "ford", alias = "bridge")]
    Crossing,
    /// A wall, hedge or bank: broken ground.
    #[serde(alias = "wall")]
    Obstacle,
}

impl GroundKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            GroundKind::Broken => "broken ground",
            GroundKind::Difficult => "difficult ground",
            GroundKind::Woods => "woods",
            GroundKind::Town => "a town",
            GroundKind::Hill => "a hill",
            GroundKind::River => "a river",
            GroundKind::Road => "a road",
            GroundKind::Crossing => "a crossing",
            GroundKind::Obstacle => "an obstacle",
        }
    }

    /// As a file writes it.
    pub fn word(self) -> &'static str {
        match self {
            GroundKind::Broken => "broken",
            GroundKind::Difficult => "difficult",
            GroundKind::Woods => "woods",
            GroundKind::Town => "town",
            GroundKind::Hill => "hill",
            GroundKind::River => "river",
            GroundKind::Road => "road",
            GroundKind::Crossing => "crossing",
            GroundKind::Obstacle => "obstacle",
        }
    }

    /// In words, without an article.
    pub fn bare(self) -> &'static str {
        self.name().trim_start_matches("a ").trim_start_matches("an ")
    }

    /// Broken or difficult: what takes skirmishers' part in melee and is not "the open" (VF-MELEE-10, -12).
    pub fn is_rough(self) -> bool {
        use GroundKind::{Broken, Difficult, Obstacle, Town, Woods};
        matches!(self, Broken | Difficult | Woods | Town | Obstacle)
    }
}

/// How a mover goes over ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// At full rate.
    Full,
    /// At half rate.
    Half,
    /// Not at all.
    Closed,
}

/// Who moves: a unit, or a commander.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// A unit of a kind.
    Unit(Kind),
    /// A commander.
    Commander,
}

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its id in the scenario.
    pub id: String,
    /// What it is.
    pub kind: GroundKind,
    /// Whether an obstacle is hard cover.
    pub hard: bool,
    /// Its outline.
    pub area: Area,
    /// The same in convex parts, for sliding bodies over it.
    pub parts: Vec<SmallVec<[Point; 6]>>,
}

impl Piece {
    /// A piece of ground.
    pub fn new(id: String, kind: GroundKind, hard: bool, area: Area) -> Self {
        let parts = convex_parts(&area);
        Self { id, kind, hard, area, parts }
    }

    /// How somebody goes over it (VF-TERR-03 to -06).
    pub fn going(&self, mover: Mover, options: &Options) -> Going {
        use GroundKind::{Broken, Crossing, Difficult, Hill, Obstacle, River, Road, Town, Woods};
        let skirmish = mover == Mover::Unit(Kind::Skirmish);
        match self.kind {
            River => Going::Closed,
            Hill | Road | Crossing => Going::Full,
            Broken | Obstacle => {
                if skirmish {
                    Going::Full
                } else {
                    Going::Half
                }
            }
            Difficult | Woods | Town => match mover {
                Mover::Unit(Kind::Skirmish) if options.skirmish_difficult == SkirmishDifficult::Full => {
                    Going::Full
                }
                Mover::Unit(Kind::Infantry | Kind::Skirmish) | Mover::Commander => Going::Half,
                Mover::Unit(_) => Going::Closed,
            },
        }
    }

    /// Whether a body stands on any of it.
    pub fn under(&self, body: &Body) -> bool {
        let centre = body.centroid();
        let r = body.radius();
        let near = Bounds {
            min: Point::new(centre.x - r, centre.y - r),
            max: Point::new(centre.x + r, centre.y + r),
        };
        self.area.bounds().meets(&near)
            && body.parts().iter().any(|part| {
                let corners = part.corners();
                self.parts.iter().any(|p| passage(&corners, Point::ORIGIN, p, EDGE).is_some())
            })
    }

    /// The corners of what a body covers of it.
    pub fn corners_under(&self, body: &Body) -> impl Iterator<Item = Point> {
        body.parts().into_iter().flat_map(move |part| {
            let inside: SmallVec<[HalfPlane; 4]> = Shape::Rect(part)
                .edges()
                .iter()
                .filter_map(|edge| Some(HalfPlane { at: edge.a, inward: edge.way().quarter_left().unit()? }))
                .collect();
            let covered = self.parts.iter().filter_map(move |p| Shape::hull(p, 0.0).ok()?.clipped(&inside));
            // What it only touches has no area.
            covered.filter(|shared| shared.area() > 1e-9).flat_map(|shared| shared.corners())
        })
    }

    /// The stretches of a slide along `way` (of length one) during which a body is over it.
    pub fn stretches(&self, body: &Body, way: Point, length: f64, into: &mut Stretches) {
        let centre = body.centroid();
        let r = body.radius() + 0.01;
        let end = centre + way * length;
        if !self.area.bounds().meets(&Bounds::of_pair(centre, end).grown(r)) {
            return;
        }
        for part in body.parts() {
            let corners = part.corners();
            for piece in &self.parts {
                let within = |(from, to): (f64, f64)| {
                    let (from, to) = (from.max(0.0), to.min(length));
                    (from < to).then_some((from, to))
                };
                // A graze is nothing; what is more than that is over it from its very edge.
                if let Some([deep, whole]) = passages(&corners, way, piece, [EDGE, 0.0])
                    && within(deep).is_some()
                {
                    into.extend(within(whole));
                }
            }
        }
    }

    /// The gap between a body and the piece.
    pub fn gap(&self, body: &Body) -> f64 {
        body.parts().iter().map(|part| self.area.gap(&Shape::Rect(*part))).fold(f64::INFINITY, f64::min)
    }
}

/// Half of the last decimal kept: what only rounding puts over an edge is not over it.
pub const EDGE: f64 = 0.000_5;

/// Stretches of a slide, from one travel to another.
pub type Stretches = SmallVec<[(f64, f64); 8]>;

/// How long the stretches are together, overlaps counted once.
pub fn joined(stretches: &mut Stretches) -> f64 {
    stretches.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut end) = (0.0, f64::NEG_INFINITY);
    for &(from, to) in stretches.iter() {
        let from = from.max(end);
        if to > from {
            sum += to - from;
        }
        end = end.max(to);
    }
    sum
}

/// A simple polygon cut into convex parts: itself, or triangles cut off ear by ear.
fn convex_parts(area: &Area) -> Vec<SmallVec<[Point; 6]>> {
    if area.is_convex() {
        return vec![SmallVec::from_slice(area.corners())];
    }
    let mut ring: Vec<Point> = area.corners().to_vec();
    let mut parts = Vec::new();
    while ring.len() > 3 {
        let n = ring.len();
        let ear = (0..n).find(|&i| {
            let (a, b, c) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
            let turn = |p: Point, q: Point, r: Point| (q - p).cross(r - q);
            turn(a, b, c) > 0.0
                && ring.iter().all(|&p| {
                    p == a
                        || p == b
                        || p == c
                        || turn(a, b, p) < 0.0
                        || turn(b, c, p) < 0.0
                        || turn(c, a, p) < 0.0
                })
        });
        let Some(i) = ear else { break };
        let part = [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]];
        parts.push(SmallVec::from_slice(&part));
        ring.remove(i);
    }
    parts.push(SmallVec::from_slice(&ring));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Formation;
    use tricorne_table::Pose;

    #[test]
    fn a_bent_wood_is_cut_into_triangles() {
        let l = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0)];
        let area = Area::new(l.map(Point::from).to_vec()).unwrap();
        let piece = Piece::new("w".into(), GroundKind::Woods, false, area);
        let own = &crate::rulebook::Rulebook::own().profiles.base;
        assert_eq!(piece.parts.len(), 4);
        let at = |x: f64, y: f64| own.body(Pose::new(Point::new(x, y), 0.0), Formation::Limbered, 4);
        assert!(piece.under(&at(1.0, 5.0)));
        assert!(!piece.under(&at(4.0, 5.0)));
        // A gun going north past the foot of the L is over it for 2 + 2.5.
        let mut stretches = Stretches::new();
        piece.stretches(&at(5.0, -1.0), Point::new(0.0, 1.0), 10.0, &mut stretches);
        assert!((joined(&mut stretches) - 4.5).abs() < 0.002);
    }
}
