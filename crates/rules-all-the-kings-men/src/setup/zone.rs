//! Deployment zones (ATKM-SETUP-03, ATKM-SETUP-14): edges, rectangles and polygons, and how they grow.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Area, Bounds, Edge, Point, Shape, Table};

/// As near as a base may hang over (M2).
const HAIR: f64 = 0.001;

/// One area of a zone.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    /// So deep along an edge; it grows inward.
    Edge(Edge, Bounds),
    /// A rectangle; it grows to all sides.
    Rect(Bounds),
    /// A polygon; it grows to all sides.
    Polygon(Area),
}

impl Ground {
    /// So deep along an edge of the table.
    pub(crate) fn along(edge: Edge, depth: f64, table: &Table) -> Self {
        let (w, d) = (table.width(), table.depth());
        let (min, max) = match edge {
            Edge::South => (Point::ORIGIN, Point::new(w, depth.min(d))),
            Edge::North => (Point::new(0.0, (d - depth).max(0.0)), Point::new(w, d)),
            Edge::West => (Point::ORIGIN, Point::new(depth.min(w), d)),
            Edge::East => (Point::new((w - depth).max(0.0), 0.0), Point::new(w, d)),
        };
        Self::Edge(edge, Bounds { min, max })
    }

    /// The box round it, grown by so much.
    fn bounds(&self, by: f64) -> Bounds {
        match self {
            Self::Edge(edge, bounds) => {
                let mut b = *bounds;
                match edge {
                    Edge::South => b.max.y += by,
                    Edge::North => b.min.y -= by,
                    Edge::West => b.max.x += by,
                    Edge::East => b.min.x -= by,
                }
                b
            }
            Self::Rect(bounds) => bounds.grown(by),
            Self::Polygon(area) => area.bounds().grown(by),
        }
    }

    /// Its outline, grown by so much.
    fn outline(&self, by: f64) -> Vec<Point> {
        match self {
            Self::Edge(..) | Self::Rect(_) => self.bounds(by).corners().to_vec(),
            Self::Polygon(area) => area.rim(by),
        }
    }

    /// Whether a base lies wholly inside.
    fn holds(&self, base: &Shape, by: f64) -> bool {
        let (room, box_of) = (self.bounds(by).grown(HAIR), base.bounds());
        if !room.contains(box_of.min) || !room.contains(box_of.max) {
            return false;
        }
        match self {
            Self::Edge(..) | Self::Rect(_) => true,
            Self::Polygon(area) if by == 0.0 && !area.is_convex() => area.holds(base),
            // Grown to all sides is everything within so far of it; a base goes in whole where its rim does.
            Self::Polygon(area) => base
                .edges()
                .iter()
                .all(|edge| (0..4).all(|k| area.distance_to(edge.at(f64::from(k) / 4.0)) <= by + HAIR)),
        }
    }
}

/// Where an army, or a unit that comes late, may be set up: each base in one of the areas.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    pub(crate) areas: Vec<Ground>,
    /// What gives it.
    pub(crate) clause: &'static str,
}

impl Zone {
    /// Whether each of some bases lies wholly inside one of the areas.
    pub(crate) fn holds<'a>(&self, mut bases: impl Iterator<Item = &'a Shape>, by: f64) -> bool {
        bases.all(|base| self.areas.iter().any(|area| area.holds(base, by)))
    }

    /// The boxes round its areas, the largest first.
    pub(crate) fn boxes(&self, by: f64) -> SmallVec<[Bounds; 4]> {
        let mut boxes: SmallVec<[Bounds; 4]> = self.areas.iter().map(|a| a.bounds(by)).collect();
        boxes.put_in_order(|a, b| (b.width() * b.depth()).total_cmp(&(a.width() * a.depth())));
        boxes
    }

    /// The outlines of its areas, as they are drawn.
    pub(crate) fn outlines(&self, by: f64) -> impl Iterator<Item = Vec<Point>> + '_ {
        self.areas.iter().map(move |area| area.outline(by))
    }

    /// Its areas in words, for a refusal.
    pub(crate) fn told(&self, by: f64) -> String {
        let one = |area: &Ground| {
            let b = area.bounds(by);
            let outline = if matches!(area, Ground::Polygon(_)) { "within the outline " } else { "" };
            format!("{outline}from [{}, {}] to [{}, {}]", b.min.x, b.min.y, b.max.x, b.max.y)
        };
        self.areas.iter().map(one).collect::<Vec<_>>().join(" or ")
    }
}
