//! The ground of a battle: difficult, covered, high, in the way (WBK-MOD-23 to 26).

use smallvec::SmallVec;
use tricorne_game::view::Look;
use tricorne_table::{Area, Bounds, Line, Point, Segment};

use crate::model::base::{Base, TOLERANCE};
use crate::tables::rulebook::{Cover, Sight};

/// The shape of a piece.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A polygon.
    Area(Area),
    /// A wall, fence or road.
    Line(Line),
}

/// A piece of ground.
#[derive(Clone, Debug)]
#[allow(missing_docs, clippy::struct_excessive_bools)]
pub struct Piece {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub shape: Shape,
    pub bounds: Bounds,
    pub look: Look,
    pub difficult: bool,
    pub impassable: bool,
    pub obstacle: bool,
    pub building: bool,
    pub cover: Cover,
    pub sight: Sight,
    pub level: u8,
    pub capacity: u8,
}

impl Piece {
    /// What people call it, after an article: its name, else what it is.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.kind } else { &self.name }
    }

    /// Its polygon, if it is an area.
    pub fn area(&self) -> Option<&Area> {
        match &self.shape {
            Shape::Area(area) => Some(area),
            Shape::Line(_) => None,
        }
    }

    /// Its line, if it is one.
    pub fn line(&self) -> Option<&Line> {
        match &self.shape {
            Shape::Line(line) => Some(line),
            Shape::Area(_) => None,
        }
    }

    /// From a base's edge to this piece; zero or less when it touches or stands in it.
    pub fn gap(&self, base: &Base) -> f64 {
        match &self.shape {
            Shape::Line(line) => {
                line.segments().map(|s| base.gap_to_segment(&s)).fold(f64::INFINITY, f64::min)
            }
            Shape::Area(area) => area_gap(area, base),
        }
    }

    /// Whether a base stands in it or across it by more than the tolerance.
    pub fn overlaps(&self, base: &Base) -> bool {
        self.bounds.meets(&base.bounds()) && self.gap(base) < -TOLERANCE
    }

    /// Whether a stretch crosses it: a line, or the inside of an area.
    pub fn crossed_by(&self, a: Point, b: Point) -> bool {
        if !Bounds::of_pair(a, b).meets(&self.bounds) {
            return false;
        }
        match &self.shape {
            Shape::Line(line) => line.meets_segment(a, b),
            Shape::Area(area) => area.cut_by(a, b),
        }
    }
}

/// From a base's edge to an area: minus the whole radius when the middle is inside.
pub fn area_gap(area: &Area, base: &Base) -> f64 {
    if area.contains_strictly(base.centre) {
        return -base.radius;
    }
    area.edges().map(|e| base.gap_to_segment(&e)).fold(f64::INFINITY, f64::min)
}

/// All the ground.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Land {
    pub pieces: Vec<Piece>,
    pub difficult: Vec<usize>,
    pub covering: Vec<usize>,
    pub obstacles: Vec<usize>,
    /// What nobody walks through: impassable ground and buildings.
    pub blocks: Vec<usize>,
    pub buildings: Vec<usize>,
    pub woods: Vec<usize>,
    pub hills: Vec<usize>,
    pub woods_blind: f64,
}

impl Land {
    /// Sorts the pieces by what they do.
    pub fn new(pieces: Vec<Piece>, woods_blind: f64) -> Self {
        let which = |f: &dyn Fn(&Piece) -> bool| {
            pieces.iter().enumerate().filter(|(_, p)| f(p)).map(|(i, _)| i).collect::<Vec<_>>()
        };
        let area = |p: &Piece| p.area().is_some();
        let difficult = which(&|p| area(p) && p.difficult);
        let covering = which(&|p| area(p) && p.cover != Cover::None && !p.building);
        let obstacles = which(&|p| p.obstacle);
        let blocks = which(&|p| area(p) && (p.impassable || p.building));
        let buildings = which(&|p| area(p) && p.building);
        let woods = which(&|p| area(p) && p.sight == Sight::Wood);
        let hills = which(&|p| area(p) && p.level > 0);
        Self { pieces, difficult, covering, obstacles, blocks, buildings, woods, hills, woods_blind }
    }

    fn areas<'a>(&'a self, which: &'a [usize]) -> impl Iterator<Item = (&'a Piece, &'a Area)> + 'a {
        which.iter().filter_map(|&i| {
            let piece = self.pieces.get(i)?;
            Some((piece, piece.area()?))
        })
    }

    /// The level of a place.
    pub fn level_at(&self, at: Point) -> u8 {
        self.areas(&self.hills).filter(|(_, a)| a.contains(at)).map(|(p, _)| p.level).max().unwrap_or(0)
    }

    /// Whether a hill may reach into a box.
    pub fn hills_within(&self, around: &Bounds) -> bool {
        self.areas(&self.hills).any(|(p, _)| p.bounds.meets(around))
    }

    /// Whether a place is in difficult ground.
    pub fn difficult_at(&self, at: Point) -> bool {
        self.areas(&self.difficult).any(|(_, a)| a.contains(at))
    }

    /// The cover a place gives by itself.
    pub fn cover_at(&self, at: Point) -> Cover {
        self.areas(&self.covering)
            .filter(|(_, a)| a.contains(at))
            .map(|(p, _)| p.cover)
            .max()
            .unwrap_or_default()
    }

    /// How much of a stretch lies in difficult ground.
    pub fn difficult_along(&self, a: Point, b: Point) -> f64 {
        self.length_in(&self.difficult, a, b)
    }

    /// How much of a stretch lies in woods.
    pub fn woods_along(&self, a: Point, b: Point) -> f64 {
        self.length_in(&self.woods, a, b)
    }

    /// How much of a stretch lies in any of some areas; where they overlap it counts once.
    fn length_in(&self, which: &[usize], a: Point, b: Point) -> f64 {
        let mut pieces: SmallVec<[(f64, f64); 8]> = SmallVec::new();
        let bounds = Bounds::of_pair(a, b);
        for (piece, area) in self.areas(which) {
            if piece.bounds.meets(&bounds) {
                pieces.extend(area.pieces(a, b));
            }
        }
        if pieces.is_empty() {
            return 0.0;
        }
        pieces.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
        let (mut inside, mut reached) = (0.0, 0.0);
        for (from, to) in pieces {
            let from = f64::max(from, reached);
            if to > from {
                inside += to - from;
                reached = to;
            }
        }
        inside * a.distance(b)
    }

    /// The building of that id.
    pub fn building(&self, id: &str) -> Option<usize> {
        self.buildings.iter().copied().find(|&i| self.pieces.get(i).is_some_and(|p| p.id == id))
    }

    /// The outline of a building.
    pub fn outline(&self, building: u8) -> Option<&Area> {
        self.pieces.get(usize::from(building)).and_then(Piece::area)
    }
}

/// The corners and the middles of the sides (WBK-MOD-27).
pub fn viewpoints(area: &Area) -> SmallVec<[Point; 16]> {
    area.edges().flat_map(|Segment { a, b }| [a, a.midpoint(b)]).collect()
}
