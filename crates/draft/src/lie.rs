//! How a feature lies on the table: keys read as points to grab, and points written back as keys.

use toml_edit::{Array, Value};
use tricorne_game::drafting::Extent;
use tricorne_table::{Area, Edge, Line, Point, angle};

use crate::numbers;

/// The table's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub width: f64,
    pub depth: f64,
}

impl Size {
    /// How long an edge is.
    fn long(self, edge: Edge) -> f64 {
        if matches!(edge, Edge::North | Edge::South) { self.width } else { self.depth }
    }

    /// The place so far along an edge, from the west or from the south, and so far into the table.
    fn on(self, edge: Edge, along: f64, inwards: f64) -> Point {
        match edge {
            Edge::North => Point { x: along, y: self.depth - inwards },
            Edge::South => Point { x: along, y: inwards },
            Edge::East => Point { x: self.width - inwards, y: along },
            Edge::West => Point { x: inwards, y: along },
        }
    }

    /// How far along an edge a place is.
    fn along(self, edge: Edge, at: Point) -> f64 {
        let far = if matches!(edge, Edge::North | Edge::South) { at.x } else { at.y };
        far.clamp(0.0, self.long(edge))
    }

    /// How far a place is from an edge.
    fn inwards(self, edge: Edge, at: Point) -> f64 {
        match edge {
            Edge::North => self.depth - at.y,
            Edge::South => at.y,
            Edge::East => self.width - at.x,
            Edge::West => at.x,
        }
    }

    fn nearest(self, at: Point) -> Edge {
        let far = |edge: &Edge| self.inwards(*edge, at);
        Edge::ALL.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(Edge::South)
    }

    /// How deep a mark along an edge is drawn.
    fn rim(self) -> f64 {
        self.width / 60.0
    }

    fn strip(self, edge: Edge, from: f64, to: f64, deep: f64) -> Vec<Point> {
        vec![
            self.on(edge, from, 0.0),
            self.on(edge, to, 0.0),
            self.on(edge, to, deep),
            self.on(edge, from, deep),
        ]
    }
}

/// An edge by its name in files.
pub(crate) fn edge(name: &str) -> Option<Edge> {
    Some(match name {
        "north" => Edge::North,
        "east" => Edge::East,
        "south" => Edge::South,
        "west" => Edge::West,
        _ => return None,
    })
}

fn name(edge: Edge) -> &'static str {
    match edge {
        Edge::North => "north",
        Edge::East => "east",
        Edge::South => "south",
        Edge::West => "west",
    }
}

/// Where something lies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lie {
    Point(Point),
    Circle(Point, f64),
    Area(Vec<Point>),
    Corners(Point, Point),
    Line(Vec<Point>),
    Edge(Edge),
    Stretch(Edge, Option<f64>, Option<f64>),
    Strip(Edge, f64),
    Level(f64),
    /// The corners or points of a piece of ground, and whether it is an area.
    On(Vec<Point>, bool),
}

/// The keys an extent is written in.
pub(crate) fn keys(extent: &Extent) -> Vec<&str> {
    match extent {
        Extent::Nowhere => vec![],
        Extent::Point(a)
        | Extent::Area(a)
        | Extent::Corners(a)
        | Extent::Line(a)
        | Extent::Edge(a)
        | Extent::Level(a)
        | Extent::On(a)
        // The depth of a strip is that of the other side's strip too.
        | Extent::Strip(a, _) => vec![a],
        Extent::Circle(a, b) => vec![a, b],
        Extent::Stretch(a, b, c) => {
            [a, b, c].into_iter().map(String::as_str).filter(|key| !key.starts_with('=')).collect()
        }
    }
}

/// Reads where something lies; none while a key is missing or of another form.
pub(crate) fn read(extent: &Extent, value: &dyn Fn(&str) -> Option<Value>) -> Option<Lie> {
    let number = |key: &str| numbers::read(&value(key)?);
    let point = |key: &str| numbers::read_point(&value(key)?);
    let points = |key: &str| -> Option<Vec<Point>> {
        value(key)?.as_array()?.iter().map(numbers::read_point).collect()
    };
    let named = |key: &str| match key.strip_prefix('=') {
        Some(fixed) => edge(fixed),
        None => edge(value(key)?.as_str()?),
    };
    Some(match extent {
        Extent::Nowhere | Extent::On(_) => return None,
        Extent::Point(at) => Lie::Point(point(at)?),
        // A reach that the file leaves to its default is not drawn.
        Extent::Circle(at, radius) => Lie::Circle(point(at)?, number(radius).unwrap_or(0.0)),
        Extent::Area(key) => Lie::Area(points(key).filter(|points| !points.is_empty())?),
        Extent::Line(key) => Lie::Line(points(key).filter(|points| !points.is_empty())?),
        Extent::Corners(key) => {
            let four: Option<Vec<f64>> = value(key)?.as_array()?.iter().map(numbers::read).collect();
            match (four.as_deref(), points(key).as_deref()) {
                (Some(&[west, south, east, north]), _) => {
                    Lie::Corners(Point { x: west, y: south }, Point { x: east, y: north })
                }
                (_, Some(&[a, b])) => Lie::Corners(a, b),
                _ => return None,
            }
        }
        Extent::Edge(key) => Lie::Edge(named(key)?),
        Extent::Stretch(key, from, to) => Lie::Stretch(named(key)?, number(from), number(to)),
        Extent::Strip(key, depth) => Lie::Strip(named(key)?, number(depth).unwrap_or(0.0)),
        Extent::Level(key) => Lie::Level(number(key)?),
    })
}

impl Lie {
    /// The points by which it is moved and reshaped.
    pub fn handles(&self, size: &Size) -> Vec<Point> {
        match self {
            Self::Point(at) => vec![*at],
            Self::Circle(at, radius) if *radius <= 0.0 => vec![*at],
            Self::Circle(at, radius) => vec![*at, Point { x: at.x + radius, y: at.y }],
            Self::Area(points) | Self::Line(points) => points.clone(),
            Self::Corners(a, b) => vec![*a, *b],
            Self::Edge(edge) => vec![size.on(*edge, size.long(*edge) / 2.0, 0.0)],
            Self::Stretch(edge, from, to) => {
                let ends = [from.unwrap_or(0.0), to.unwrap_or_else(|| size.long(*edge))];
                ends.map(|along| size.on(*edge, along, 0.0)).to_vec()
            }
            Self::Strip(edge, deep) => vec![size.on(*edge, size.long(*edge) / 2.0, *deep)],
            Self::Level(y) => vec![Point { x: size.width / 2.0, y: *y }],
            Self::On(corners, closed) => vec![middle(corners, *closed)],
        }
    }

    /// What it covers, and whether that is an area.
    pub fn outline(&self, size: &Size) -> (Vec<Point>, bool) {
        match self {
            Self::Point(_) => (vec![], false),
            Self::Circle(at, radius) => {
                let point = |n: u8| *at + angle::forward(f64::from(n) * 7.5) * *radius;
                (if *radius > 0.0 { (0..48).map(point).collect() } else { vec![] }, true)
            }
            Self::Area(points) => (points.clone(), true),
            Self::On(points, closed) => (points.clone(), *closed),
            Self::Line(points) => (points.clone(), false),
            Self::Corners(a, b) => (vec![*a, Point { x: b.x, y: a.y }, *b, Point { x: a.x, y: b.y }], true),
            Self::Edge(edge) => (size.strip(*edge, 0.0, size.long(*edge), size.rim()), true),
            Self::Stretch(edge, from, to) => {
                let (from, to) = (from.unwrap_or(0.0), to.unwrap_or_else(|| size.long(*edge)));
                (size.strip(*edge, from, to, size.rim()), true)
            }
            Self::Strip(edge, deep) => (size.strip(*edge, 0.0, size.long(*edge), *deep), true),
            Self::Level(y) => (vec![Point { x: 0.0, y: *y }, Point { x: size.width, y: *y }], false),
        }
    }
}

/// What the keys must say for the handles to be at these points; none if there are too few.
/// `kept` is the edge a strip lies along already.
pub(crate) fn write(
    extent: &Extent,
    points: &[Point],
    size: &Size,
    kept: Option<Edge>,
) -> Option<Vec<(String, Option<Value>)>> {
    let set = |key: &str, value: Value| (key.to_owned(), Some(value));
    let first = || points.first().copied();
    Some(match extent {
        Extent::Nowhere | Extent::On(_) => vec![],
        Extent::Point(key) => vec![set(key, numbers::point(first()?))],
        Extent::Circle(at, radius) => {
            let centre = first()?;
            let mut all = vec![set(at, numbers::point(centre))];
            if let Some(rim) = points.get(1) {
                all.push(set(radius, numbers::number(centre.distance(*rim))));
            }
            all
        }
        Extent::Area(key) | Extent::Line(key) => vec![set(key, numbers::points(points))],
        // West, south, east and north.
        Extent::Corners(key) if key.ends_with("rect") => {
            let (a, b) = (first()?, *points.get(1)?);
            let four = [a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y)];
            vec![set(key, Value::Array(four.into_iter().map(numbers::number).collect()))]
        }
        Extent::Corners(key) => vec![set(key, numbers::points(&[first()?, *points.get(1)?]))],
        Extent::Edge(key) => vec![set(key, Value::from(name(size.nearest(first()?))))],
        Extent::Stretch(key, from, to) => {
            let (a, b) = (first()?, *points.get(1)?);
            let along = match key.strip_prefix('=') {
                Some(fixed) => edge(fixed)?,
                None => size.nearest(a.midpoint(b)),
            };
            let (one, other) = (size.along(along, a), size.along(along, b));
            let mut all = Vec::new();
            if !key.starts_with('=') {
                all.push(set(key, Value::from(name(along))));
            }
            all.push(set(from, numbers::number(one.min(other))));
            all.push(set(to, numbers::number(one.max(other))));
            all
        }
        Extent::Strip(key, depth) => {
            let at = first()?;
            let along = kept.unwrap_or_else(|| size.nearest(at));
            vec![
                set(key, Value::from(name(along))),
                set(depth, numbers::number(size.inwards(along, at).max(0.0))),
            ]
        }
        Extent::Level(key) => vec![set(key, numbers::number(first()?.y))],
    })
}

/// Whether a place is in an area, or within reach of a line.
pub(crate) fn reaches(corners: &[Point], closed: bool, at: Point, reach: f64) -> bool {
    if closed {
        Area::new(corners.to_vec()).is_ok_and(|area| area.contains(at))
    } else {
        Line::new(corners.to_vec()).is_ok_and(|line| line.distance_to(at) <= reach)
    }
}

/// The middle of an area, inside it where it is bent; or a point of a line.
fn middle(corners: &[Point], closed: bool) -> Point {
    if closed && let Ok(area) = Area::new(corners.to_vec()) {
        let centre = area.centroid();
        return if area.contains(centre) { centre } else { area.nearest_boundary(centre) };
    }
    if let Ok(line) = Line::new(corners.to_vec()) {
        return line.at(line.length() / 2.0);
    }
    corners.first().copied().unwrap_or(Point { x: 0.0, y: 0.0 })
}

/// The table's size by the forms files write it in: `[w, h]` or `{ width, height }`.
pub(crate) fn size(document: &toml_edit::DocumentMut) -> Option<Size> {
    let table = document.get("table")?;
    let pair = |array: &Array| Some((numbers::read(array.get(0)?)?, numbers::read(array.get(1)?)?));
    let (width, depth) = match table.as_array() {
        Some(array) => pair(array)?,
        None => {
            let table = table.as_table_like()?;
            let side = |key: &str| numbers::read(table.get(key)?.as_value()?);
            (side("width")?, side("height")?)
        }
    };
    (width > 0.0 && depth > 0.0 && width.is_finite() && depth.is_finite()).then_some(Size { width, depth })
}
