//! The ground of a battle: features, and which of them a place, a line or a shape has to do with.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::area::Area;
use crate::bounds::Bounds;
use crate::line::{Line, Road};
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::shape::Shape;

/// Which feature, in the order they were laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FeatureId(pub u16);

/// The ground a feature covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// A piece of ground.
    Area(Area),
    /// A wall, fence or stream without thickness.
    Line(Line),
    /// A strip along a line.
    Road(Road),
}

impl Ground {
    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Area(area) => area.bounds(),
            Self::Line(line) => line.bounds(),
            Self::Road(road) => road.bounds(),
        }
    }

    /// Whether a place is in it; its rim counts, and so does standing on a line.
    pub fn contains(&self, point: Point) -> bool {
        match self {
            Self::Area(area) => area.contains(point),
            Self::Line(line) => line.distance_to(point) <= TOLERANCE,
            Self::Road(road) => road.contains(point),
        }
    }

    /// How much of a stretch runs in it; a line is crossed but never run in.
    pub fn length_inside(&self, a: Point, b: Point) -> f64 {
        match self {
            Self::Area(area) => area.length_inside(a, b),
            Self::Line(_) => 0.0,
            Self::Road(road) => road.length_inside(a, b),
        }
    }

    /// Whether a stretch runs through it or crosses it.
    pub fn met_by(&self, a: Point, b: Point) -> bool {
        match self {
            Self::Area(area) => area.cut_by(a, b),
            Self::Line(line) => line.meets_segment(a, b),
            Self::Road(road) => !road.pieces(a, b).is_empty(),
        }
    }

    /// The distance to a shape; zero when they touch or overlap.
    pub fn gap(&self, shape: &Shape) -> f64 {
        match self {
            Self::Area(area) => area.gap(shape),
            Self::Line(line) => line.gap(shape),
            Self::Road(road) => road.gap(shape),
        }
    }

    /// Whether a shape stands in it or across it; touching is not enough.
    pub fn entered_by(&self, shape: &Shape) -> bool {
        match self {
            Self::Area(area) => area.overlaps(shape),
            Self::Line(line) => line.crossed_by(shape),
            Self::Road(road) => {
                let half = road.width() * 0.5;
                road.bounds().meets(&shape.bounds()) && road.line().gap(shape) < half - TOLERANCE
            }
        }
    }
}

/// The top of a hill, where it is marked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Crest {
    /// One highest place.
    Peak(Point),
    /// A line along the top.
    Ridge(Line),
}

/// One feature of the ground, of a kind that the rule system knows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Feature<K> {
    /// Which one it is.
    pub id: FeatureId,
    /// What players call it; may be empty.
    pub name: String,
    /// What it is.
    pub kind: K,
    /// The ground it covers.
    pub ground: Ground,
    /// The top of a hill, where it is marked.
    pub crest: Option<Crest>,
    #[serde(skip)]
    bounds: Bounds,
}

impl<K> Feature<K> {
    /// The box round it.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Its ground, when that is an area.
    #[inline]
    pub fn area(&self) -> Option<&Area> {
        match &self.ground {
            Ground::Area(area) => Some(area),
            _ => None,
        }
    }

    /// Its line, when it is a wall, fence or stream.
    #[inline]
    pub fn line(&self) -> Option<&Line> {
        match &self.ground {
            Ground::Line(line) => Some(line),
            _ => None,
        }
    }

    /// Its road, when it is one.
    #[inline]
    pub fn road(&self) -> Option<&Road> {
        match &self.ground {
            Ground::Road(road) => Some(road),
            _ => None,
        }
    }
}

/// All the features of a table, in the order they were laid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent, bound(deserialize = "K: Deserialize<'de> + Copy"))]
pub struct Terrain<K> {
    #[serde(deserialize_with = "lay_all")]
    features: Vec<Feature<K>>,
}

/// A feature as it comes out of a file; ids and boxes are given afresh.
#[derive(Deserialize)]
struct Laid<K> {
    #[serde(default)]
    name: String,
    kind: K,
    ground: Ground,
    crest: Option<Crest>,
}

fn lay_all<'de, D: Deserializer<'de>, K: Deserialize<'de> + Copy>(
    from: D,
) -> Result<Vec<Feature<K>>, D::Error> {
    let mut terrain = Terrain::new();
    for Laid { name, kind, ground, crest } in Vec::<Laid<K>>::deserialize(from)? {
        terrain.lay(name, kind, ground, crest);
    }
    Ok(terrain.features)
}

impl<K> Default for Terrain<K> {
    fn default() -> Self {
        Self { features: Vec::new() }
    }
}

impl<K: Copy> Terrain<K> {
    /// Open ground everywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lays a feature and says which one it has become. There is room for 65,536; after that the last id repeats.
    pub fn lay(
        &mut self,
        name: impl Into<String>,
        kind: K,
        ground: Ground,
        crest: Option<Crest>,
    ) -> FeatureId {
        let id = FeatureId(u16::try_from(self.features.len()).unwrap_or(u16::MAX));
        let bounds = ground.bounds();
        self.features.push(Feature { id, name: name.into(), kind, ground, crest, bounds });
        id
    }

    /// All of them.
    pub fn features(&self) -> &[Feature<K>] {
        &self.features
    }

    /// One of them.
    pub fn get(&self, id: FeatureId) -> Option<&Feature<K>> {
        self.features.get(usize::from(id.0))
    }

    /// Those of the kinds asked for.
    pub fn of<'a>(&'a self, wanted: impl Fn(K) -> bool + 'a) -> impl Iterator<Item = &'a Feature<K>> + 'a {
        self.features.iter().filter(move |feature| wanted(feature.kind))
    }

    /// Those whose box meets a box.
    #[inline]
    pub fn near(&self, bounds: Bounds) -> impl Iterator<Item = &Feature<K>> + '_ {
        let bounds = bounds.grown(TOLERANCE);
        self.features.iter().filter(move |feature| feature.bounds.meets(&bounds))
    }

    /// Those a place lies in; rims count.
    pub fn at(&self, point: Point) -> impl Iterator<Item = &Feature<K>> + '_ {
        self.near(Bounds { min: point, max: point }).filter(move |feature| feature.ground.contains(point))
    }

    /// Those a stretch runs through or crosses, with how much of it runs inside each.
    pub fn along(&self, a: Point, b: Point) -> impl Iterator<Item = (&Feature<K>, f64)> + '_ {
        self.near(Bounds::of_pair(a, b)).filter_map(move |feature| match &feature.ground {
            Ground::Line(line) => line.meets_segment(a, b).then_some((feature, 0.0)),
            ground => {
                let inside = ground.length_inside(a, b);
                (inside > 0.0).then_some((feature, inside))
            }
        })
    }

    /// Those a shape touches or stands in.
    pub fn touched_by<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = &'a Feature<K>> + 'a {
        self.near(shape.bounds()).filter(move |feature| feature.ground.gap(shape) <= TOLERANCE)
    }

    /// Those a shape stands in or across; touching is not enough.
    pub fn entered_by<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = &'a Feature<K>> + 'a {
        self.near(shape.bounds()).filter(move |feature| feature.ground.entered_by(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Kind {
        Wood,
        Wall,
        Road,
    }

    fn country() -> Terrain<Kind> {
        let mut terrain = Terrain::new();
        let wood = Area::rectangle(Point::new(10.0, 10.0), Point::new(20.0, 20.0)).unwrap();
        terrain.lay("Birnam Wood", Kind::Wood, Ground::Area(wood), None);
        let wall = Line::new([Point::new(0.0, 5.0), Point::new(30.0, 5.0)]).unwrap();
        terrain.lay("", Kind::Wall, Ground::Line(wall.clone()), None);
        terrain.lay("", Kind::Road, Ground::Road(Road::new(wall, 2.0).unwrap()), None);
        terrain
    }

    #[test]
    fn a_place_a_line_and_a_shape_find_their_features() {
        let terrain = country();
        let kinds = |point| terrain.at(point).map(|feature| feature.kind).collect::<Vec<_>>();
        assert_eq!(kinds(Point::new(15.0, 15.0)), [Kind::Wood]);
        assert_eq!(kinds(Point::new(15.0, 5.5)), [Kind::Road]);
        assert_eq!(kinds(Point::new(15.0, 5.0)), [Kind::Wall, Kind::Road]);
        assert_eq!(kinds(Point::new(40.0, 5.0)), []);
        let along: Vec<_> = terrain
            .along(Point::new(15.0, 0.0), Point::new(15.0, 12.0))
            .map(|(feature, inside)| (feature.kind, crate::round_to(inside, 0.1)))
            .collect();
        assert_eq!(along, [(Kind::Wood, 2.0), (Kind::Wall, 0.0), (Kind::Road, 2.0)]);
        let disc = Shape::disc(Point::new(9.0, 15.0), 1.0).unwrap();
        assert_eq!(terrain.touched_by(&disc).count(), 1);
        assert_eq!(terrain.entered_by(&disc).count(), 0);
        assert_eq!(terrain.of(|kind| kind == Kind::Wall).count(), 1);
        assert_eq!(terrain.get(FeatureId(0)).unwrap().name, "Birnam Wood");
        assert!(terrain.get(FeatureId(9)).is_none());
    }
}
