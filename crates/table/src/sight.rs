//! Lines of sight: what hides one place from another.

use smallvec::SmallVec;

use crate::area::Area;
use crate::bounds::Bounds;
use crate::line::Line;
use crate::measure::{TOLERANCE, within};
use crate::point::Point;
use crate::segment::Segment;
use crate::shape::Shape;
use crate::terrain::Crest;

/// Places to look from or at.
pub type Viewpoints = SmallVec<[Point; 16]>;

/// Whether a line of sight passes through the interior of any of some shapes; a graze does not hide.
pub fn blocked_by<'a>(from: Point, to: Point, blockers: impl IntoIterator<Item = &'a Shape>) -> bool {
    blockers.into_iter().any(|blocker| blocker.cut_by(from, to))
}

/// Whether a line of sight passes through the interior of any of some pieces of ground.
pub fn blocked_by_ground<'a>(from: Point, to: Point, grounds: impl IntoIterator<Item = &'a Area>) -> bool {
    let bounds = Bounds::of_pair(from, to);
    grounds.into_iter().any(|ground| bounds.meets(&ground.bounds()) && ground.cut_by(from, to))
}

/// Whether a line of sight crosses a wall or fence.
pub fn crosses_line(from: Point, to: Point, line: &Line) -> bool {
    line.meets_segment(from, to)
}

/// How much of a line of sight lies in some pieces of ground, all together; where they overlap both count.
pub fn depth_in<'a>(from: Point, to: Point, grounds: impl IntoIterator<Item = &'a Area>) -> f64 {
    grounds.into_iter().map(|ground| ground.length_inside(from, to)).sum()
}

/// Whether more than a limit of a line of sight lies in some pieces of ground; stops as soon as it does.
pub fn deeper_than<'a>(
    from: Point,
    to: Point,
    limit: f64,
    grounds: impl IntoIterator<Item = &'a Area>,
) -> bool {
    let mut depth = 0.0;
    grounds.into_iter().any(|ground| {
        depth += ground.length_inside(from, to);
        !within(depth, limit)
    })
}

/// Where a line of sight goes over the top of a hill, when that is strictly between its ends.
///
/// A marked ridge is where the line crosses it. A peak is the place on the line level with it, if that is on
/// the hill. Unmarked, the top is half way along the chord that the endless line cuts from the hill.
pub fn crest_between(from: Point, to: Point, hill: &Area, crest: Option<&Crest>) -> Option<Point> {
    let way = (to - from).unit()?;
    let length = from.distance(to);
    let strictly_between = |place: &Point| {
        let along = (*place - from).dot(way);
        along > TOLERANCE && along < length - TOLERANCE
    };
    match crest {
        Some(Crest::Ridge(ridge)) => {
            ridge.crossings(from, to).into_iter().map(|crossing| crossing.at).find(strictly_between)
        }
        Some(Crest::Peak(peak)) => {
            let place = from + way * (*peak - from).dot(way);
            Some(place).filter(strictly_between).filter(|&place| hill.contains(place))
        }
        None => {
            // Both ends beyond one side of its box: no part of the line is near the hill.
            if !Bounds::of_pair(from, to).meets(&hill.bounds()) {
                return None;
            }
            Some(hill.chord(from, to)?.midpoint()).filter(strictly_between)
        }
    }
}

/// The corners of a shape and the middles of its sides; of a disc, its centre alone.
pub fn outline_points(shape: &Shape) -> Viewpoints {
    let mut points: Viewpoints = SmallVec::from_slice(&shape.core());
    for edge in shape.edges() {
        points.push(edge.midpoint());
    }
    points
}

/// The corners of a piece of ground and the middles of its sides.
pub fn ground_points(area: &Area) -> Viewpoints {
    area.edges().flat_map(|edge| [edge.a, edge.midpoint()]).collect()
}

/// Both ends of an edge and its middle.
pub fn edge_points(edge: &Segment) -> [Point; 3] {
    [edge.a, edge.midpoint(), edge.b]
}

/// The corners of a shape and its centre.
pub fn target_points(shape: &Shape) -> Viewpoints {
    let mut points: Viewpoints = SmallVec::from_slice(&shape.core());
    if points.len() > 1 {
        points.push(shape.centre());
    }
    points
}

/// The first line from one of some places to one of others that is clear, as `clear` judges.
pub fn any_clear(
    from: &[Point],
    to: &[Point],
    mut clear: impl FnMut(Point, Point) -> bool,
) -> Option<Segment> {
    for &a in from {
        for &b in to {
            if clear(a, b) {
                return Some(Segment::new(a, b));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    fn area(ax: f64, ay: f64, bx: f64, by: f64) -> Area {
        Area::rectangle(Point::new(ax, ay), Point::new(bx, by)).unwrap()
    }

    #[test]
    fn a_graze_does_not_hide() {
        let block = [Shape::rect(Pose::new(Point::new(5.0, 1.0), 0.0), 2.0, 2.0).unwrap()];
        let sees = |y: f64| !blocked_by(Point::new(0.0, y), Point::new(10.0, y), &block);
        assert!(sees(0.0));
        assert!(sees(2.0));
        assert!(sees(2.0 - 1e-6));
        assert!(!sees(1.9));
        // Through one corner only.
        assert!(!blocked_by(
            Point::new(3.0, 2.0),
            Point::new(7.0, -2.0),
            &[block[0].translated(Point::new(1.0, 0.0))]
        ));
        // Ends short of it.
        assert!(!blocked_by(Point::new(0.0, 1.0), Point::new(4.0, 1.0), &block));
    }

    #[test]
    fn woods_add_up() {
        let woods = [area(1.0, 0.0, 2.5, 4.0), area(5.0, 0.0, 6.0, 4.0)];
        let (a, b) = (Point::new(0.0, 2.0), Point::new(9.0, 2.0));
        assert!((depth_in(a, b, &woods) - 2.5).abs() < 1e-12);
        assert!(deeper_than(a, b, 2.0, &woods));
        assert!(!deeper_than(a, b, 2.5, &woods));
    }

    #[test]
    fn a_hill_hides_what_is_past_its_crest() {
        let hill = area(4.0, 0.0, 8.0, 4.0);
        let from = Point::new(0.0, 2.0);
        assert_eq!(crest_between(from, Point::new(9.0, 2.0), &hill, None), Some(Point::new(6.0, 2.0)));
        // On the near slope.
        assert_eq!(crest_between(from, Point::new(5.5, 2.0), &hill, None), None);
        let ridge = Crest::Ridge(Line::new([Point::new(5.0, 0.0), Point::new(5.0, 4.0)]).unwrap());
        assert_eq!(
            crest_between(from, Point::new(5.5, 2.0), &hill, Some(&ridge)),
            Some(Point::new(5.0, 2.0))
        );
        let peak = Crest::Peak(Point::new(7.0, 3.0));
        assert_eq!(crest_between(from, Point::new(9.0, 2.0), &hill, Some(&peak)), Some(Point::new(7.0, 2.0)));
    }

    #[test]
    fn viewpoints_of_a_block() {
        let block = Shape::rect(Pose::new(Point::ORIGIN, 0.0), 2.0, 2.0).unwrap();
        assert_eq!(outline_points(&block).len(), 8);
        assert_eq!(target_points(&block).len(), 5);
        let disc = Shape::disc(Point::ORIGIN, 1.0).unwrap();
        assert_eq!(outline_points(&disc).as_slice(), [Point::ORIGIN]);
        assert_eq!(ground_points(&area(0.0, 0.0, 1.0, 1.0)).len(), 8);
        let clear =
            any_clear(&[Point::ORIGIN], &[Point::new(1.0, 0.0), Point::new(2.0, 0.0)], |_, b| b.x > 1.0);
        assert_eq!(clear.unwrap().b, Point::new(2.0, 0.0));
    }
}
