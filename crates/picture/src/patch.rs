//! A patch of ground as the pen needs it: is this spot on it, where do the trees go, how does its edge run.

use tricorne_game::view::TerrainView;
use tricorne_table::{Bounds, Point, Segment};

use crate::grain::Grain;
use crate::sheet::Trace;

/// No patch gets more of one ornament than this; on larger ones they stand farther apart.
const MOST: f64 = 420.0;

/// An area, or a band along a line.
pub(crate) struct Patch {
    pub points: Vec<Point>,
    pub closed: bool,
    /// Half the width of a band; nothing for an area.
    pub half: f64,
}

/// A place on an edge and the way the edge runs there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub at: Point,
    pub along: Point,
}

impl Patch {
    /// The patch of a piece of ground; a band gets this width when it has none of its own. None when there is
    /// nothing to draw.
    pub fn of(ground: &TerrainView, width: f64) -> Option<Self> {
        let mut points: Vec<Point> =
            ground.points.iter().copied().filter(|point| point.is_finite()).collect();
        points.dedup();
        if points.len() > 1 && points.first() == points.last() && ground.closed {
            points.pop();
        }
        let closed = ground.closed && points.len() > 2;
        let own = if ground.width > 0.0 && ground.width.is_finite() { ground.width } else { width };
        (points.len() > 1).then_some(Self { points, closed, half: if closed { 0.0 } else { own * 0.5 } })
    }

    /// The edges in order.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let n = self.points.len();
        let count = if self.closed { n } else { n - 1 };
        (0..count).map(move |index| Segment::new(self.points[index], self.points[(index + 1) % n]))
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        Bounds::of_points(&self.points).grown(self.half)
    }

    /// How far a place is from the edge or the line.
    pub fn edge_distance(&self, at: Point) -> f64 {
        self.edges().map(|edge| edge.distance_squared(at)).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Whether a place is on the ground at all.
    pub fn contains(&self, at: Point) -> bool {
        if !self.closed {
            return self.edge_distance(at) <= self.half;
        }
        let mut inside = false;
        for edge in self.edges() {
            if (edge.a.y > at.y) != (edge.b.y > at.y) {
                let x = edge.a.x + (at.y - edge.a.y) / (edge.b.y - edge.a.y) * (edge.b.x - edge.a.x);
                inside ^= at.x < x;
            }
        }
        inside
    }

    /// Whether a place is on the ground and at least so far from its edge.
    pub fn holds(&self, at: Point, margin: f64) -> bool {
        if self.closed {
            self.contains(at) && self.edge_distance(at) >= margin
        } else {
            self.edge_distance(at) <= self.half - margin
        }
    }

    /// How large it is.
    pub fn area(&self) -> f64 {
        if self.closed {
            self.edges().map(|edge| edge.a.cross(edge.b)).sum::<f64>().abs() * 0.5
        } else {
            self.length() * self.half * 2.0
        }
    }

    /// How long its edge or line is.
    pub fn length(&self) -> f64 {
        self.edges().map(|edge| edge.length()).sum()
    }

    /// The middle of an area, or half way along a line. Always on the ground.
    pub fn middle(&self) -> Point {
        if !self.closed {
            return self
                .walk(self.length().max(1e-6) * 0.5, true)
                .get(1)
                .map_or(self.points[0], |step| step.at);
        }
        let twice: f64 = self.edges().map(|edge| edge.a.cross(edge.b)).sum();
        let n = self.points.len() as f64;
        let mean = self.points.iter().fold(Point::ORIGIN, |sum, &point| sum + point) / n;
        if twice.abs() < 1e-9 {
            return mean;
        }
        let sum =
            self.edges().fold(Point::ORIGIN, |sum, edge| sum + (edge.a + edge.b) * edge.a.cross(edge.b));
        let centroid = sum / (3.0 * twice);
        if self.contains(centroid) { centroid } else { self.deepest() }
    }

    /// The place farthest from the edge, near enough.
    fn deepest(&self) -> Point {
        let bounds = self.bounds();
        let mut best = (f64::NEG_INFINITY, self.points[0]);
        for row in 1..24 {
            for column in 1..24 {
                let share = Point::new(f64::from(column) / 24.0, f64::from(row) / 24.0);
                let at = bounds.min + Point::new(share.x * bounds.width(), share.y * bounds.depth());
                let depth = self.edge_distance(at);
                if depth > best.0 && self.contains(at) {
                    best = (depth, at);
                }
            }
        }
        best.1
    }

    /// Its outline, or its line.
    pub fn trace(&self) -> Trace {
        let mut trace = Trace::default();
        trace.chain(&self.points, self.closed);
        trace
    }

    /// Places strewn over it about so far from each other, no nearer the edge than `margin`.
    pub fn strew(&self, grain: &mut Grain, apart: f64, margin: f64) -> Vec<Point> {
        let apart = apart.max((self.area() / MOST).sqrt()).max(1e-3);
        let bounds = self.bounds();
        let rise = apart * 0.866;
        let rows = (bounds.depth() / rise).ceil() as u32 + 1;
        let columns = (bounds.width() / apart).ceil() as u32 + 2;
        // A long thin patch on a slant has a huge box and little ground.
        if u64::from(rows) * u64::from(columns) > 60_000 {
            return Vec::new();
        }
        let mut places = Vec::new();
        for row in 0..rows {
            let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
            for column in 0..columns {
                let jitter = Point::new(grain.between(-0.34, 0.34), grain.between(-0.34, 0.34));
                let step = Point::new(
                    (f64::from(column) - shift + jitter.x) * apart,
                    (f64::from(row) + jitter.y) * rise,
                );
                let at = bounds.min + step;
                if self.holds(at, margin) {
                    places.push(at);
                }
            }
        }
        if places.is_empty() && self.closed {
            places.push(self.middle());
        }
        // From the north down, so that what is nearer the viewer lies on top.
        places.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
        places
    }

    /// Steps along the edge or line, evenly spread; with `ends`, a line's two ends are among them.
    pub fn walk(&self, apart: f64, ends: bool) -> Vec<Step> {
        let length = self.length();
        let count = (length / apart.max(1e-6)).round().clamp(1.0, 1500.0) as u32;
        let step = length / f64::from(count);
        let first = if ends || self.closed { 0.0 } else { 0.5 };
        let last = if ends && !self.closed { count + 1 } else { count };
        let mut steps = Vec::new();
        let edges: Vec<Segment> = self.edges().collect();
        let (mut edge, mut before) = (0, 0.0);
        for index in 0..last {
            let goal = (f64::from(index) + first) * step;
            while edge + 1 < edges.len() && before + edges[edge].length() < goal {
                before += edges[edge].length();
                edge += 1;
            }
            let current = edges[edge];
            let Some(along) = current.way().unit() else { continue };
            steps.push(Step { at: current.a + along * (goal - before).min(current.length()), along });
        }
        steps
    }

    /// Which side of the edge the inside is: 1 to the left of the way it runs, -1 to the right.
    pub fn inward(&self) -> f64 {
        if self.edges().map(|edge| edge.a.cross(edge.b)).sum::<f64>() < 0.0 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square() -> Patch {
        let points = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        Patch { points: points.map(|(x, y)| Point::new(x, y)).to_vec(), closed: true, half: 0.0 }
    }

    #[test]
    fn knows_its_inside() {
        let patch = square();
        assert!(patch.contains(Point::new(5.0, 5.0)) && !patch.contains(Point::new(11.0, 5.0)));
        assert!(patch.holds(Point::new(5.0, 5.0), 4.0) && !patch.holds(Point::new(5.0, 1.0), 2.0));
        assert_eq!(patch.middle(), Point::new(5.0, 5.0));
        assert_eq!(patch.inward(), 1.0);
    }

    #[test]
    fn a_line_is_walked_from_end_to_end() {
        let points = vec![Point::new(0.0, 0.0), Point::new(3.0, 0.0), Point::new(3.0, 4.0)];
        let line = Patch { points, closed: false, half: 1.0 };
        let steps = line.walk(1.0, true);
        assert_eq!(steps.len(), 8);
        assert_eq!(steps[0].at, Point::new(0.0, 0.0));
        assert_eq!(steps[7].at, Point::new(3.0, 4.0));
        assert_eq!(line.middle(), Point::new(3.0, 0.5));
    }

    proptest! {
        #[test]
        fn what_is_strewn_lies_within(apart in 0.3..3.0f64, margin in 0.0..2.0f64, name in "[a-z]{3}") {
            let patch = square();
            let places = patch.strew(&mut Grain::of(&name), apart, margin);
            prop_assert!(!places.is_empty());
            prop_assert!(places.iter().all(|&at| patch.holds(at, margin)));
        }
    }
}
