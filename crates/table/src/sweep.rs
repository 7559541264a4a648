//! What a moving shape meets.

use crate::area::{Area, bare};
use crate::bounds::Bounds;
use crate::convex;
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::segment::Segment;
use crate::shape::Shape;

/// The first touch of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// How far the shape has gone.
    pub travel: f64,
    /// Where it touches.
    pub at: Point,
}

/// The box round everything a move passes over.
fn swept_bounds(shape: &Shape, way: Point) -> Bounds {
    let bounds = shape.bounds();
    bounds.join(&Bounds { min: bounds.min + way, max: bounds.max + way })
}

/// How far a shape goes along `way` before it touches another, without saying where.
///
/// Sliding along an edge, or away from what is touched already, is no touch; a move that ends in touching is.
/// A shape that overlaps the other to begin with has touched it at 0.
pub fn travel_to(shape: &Shape, way: Point, other: &Shape) -> Option<f64> {
    let length = way.length();
    if length <= 0.0 || !swept_bounds(shape, way).grown(TOLERANCE).meets(&other.bounds()) {
        return None;
    }
    let (core, other_core) = (shape.core(), other.core());
    let swell = shape.radius() + other.radius();
    let ring = convex::difference_ring(&core, &other_core);
    // The move as a ray out of the origin through every way of touching. It counts when it is heading more
    // than the tolerance deep; what has no breadth to be deep in is met by crossing it.
    let broad = swell > 2.0 * TOLERANCE || core.len() > 2 || other_core.len() > 2;
    let deep = if broad { swell - TOLERANCE } else { swell };
    let (_, leave) = convex::chord(&ring, deep, Point::ORIGIN, way)?;
    if leave < 0.0 {
        return None;
    }
    let (enter, _) = convex::chord(&ring, swell, Point::ORIGIN, way)?;
    let travel = enter.max(0.0) * length;
    (travel <= length + TOLERANCE).then_some(travel.min(length))
}

/// The first touch of a shape that slides along `way`; see [`travel_to`].
pub fn touch(shape: &Shape, way: Point, other: &Shape) -> Option<Touch> {
    let travel = travel_to(shape, way, other)?;
    let moved = shape.translated(way.unit()? * travel);
    Some(Touch { travel, at: moved.contact(other) })
}

fn touch_sides(shape: &Shape, way: Point, sides: impl Iterator<Item = Segment>) -> Option<Touch> {
    let mut best: Option<(f64, Segment)> = None;
    for side in sides {
        if let Some(travel) = travel_to(shape, way, &bare(side))
            && best.is_none_or(|(least, _)| travel < least)
        {
            best = Some((travel, side));
        }
    }
    let (travel, side) = best?;
    let moved = shape.translated(way.unit()? * travel);
    Some(Touch { travel, at: moved.contact(&bare(side)) })
}

/// The first touch with a piece of ground; at once when the shape stands in it.
pub fn touch_area(shape: &Shape, way: Point, area: &Area) -> Option<Touch> {
    if !swept_bounds(shape, way).grown(TOLERANCE).meets(&area.bounds()) {
        return None;
    }
    if area.overlaps(shape) {
        return Some(Touch { travel: 0.0, at: shape.centre() });
    }
    touch_sides(shape, way, area.edges())
}

/// Everything a shape passes over as it slides along `way`, as one shape.
pub fn swept(shape: &Shape, way: Point) -> Shape {
    let end = shape.translated(way);
    Shape::hull_of([shape, &end]).unwrap_or(end)
}

/// How near a slide along `way` comes to another shape, and after what travel it first is that near.
pub fn closest_approach(shape: &Shape, way: Point, other: &Shape) -> (f64, f64) {
    let length = way.length();
    let ring = convex::difference_ring(&shape.core(), &other.core());
    let swell = shape.radius() + other.radius();
    if length > 0.0
        && let Some((enter, leave)) = convex::chord(&ring, swell, Point::ORIGIN, way)
        && enter <= 1.0
        && leave >= 0.0
    {
        return (enter.max(0.0) * length, 0.0);
    }
    // Apart all along: the nearest is at an end of the move, or where it passes a corner.
    let path = Segment::new(Point::ORIGIN, way);
    let mut best = (0.0, convex::distance_squared(&ring, Point::ORIGIN));
    let mut take = |share: f64| {
        let square = convex::distance_squared(&ring, path.at(share));
        // Sliding past an edge is as near for a while: the first moment of it counts.
        if square < best.1 - 1e-12 || (square < best.1 + 1e-12 && share * length < best.0) {
            best = (share * length, square);
        }
    };
    for &corner in &ring {
        take(path.nearest_share(corner));
    }
    take(1.0);
    (best.0, (best.1.sqrt() - swell).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    fn rect(x: f64, y: f64, facing: f64) -> Shape {
        Shape::rect(Pose::new(Point::new(x, y), facing), 4.0, 2.0).unwrap()
    }

    #[test]
    fn a_charge_stops_at_the_edge() {
        let found = touch(&rect(0.0, 0.0, 0.0), Point::new(0.0, 9.0), &rect(1.0, 7.0, 180.0)).unwrap();
        assert_eq!(found.travel, 5.0);
        assert_eq!(found.at, Point::new(0.5, 6.0));
    }

    #[test]
    fn sliding_along_or_away_is_no_touch() {
        let still = rect(0.0, 0.0, 0.0);
        let beside = rect(4.0, 0.0, 0.0);
        assert_eq!(touch(&still, Point::new(0.0, 5.0), &beside), None);
        assert_eq!(touch(&still, Point::new(-1.0, 0.0), &beside), None);
        assert_eq!(touch(&still, Point::new(1.0, 0.0), &beside).unwrap().travel, 0.0);
        assert_eq!(touch(&still, Point::new(0.0, 5.0), &rect(2.0, 4.0, 0.0)).unwrap().travel, 2.0);
        // Just short, and just touching at the end.
        assert_eq!(touch(&still, Point::new(0.0, 1.9), &rect(2.0, 4.0, 0.0)), None);
        assert_eq!(touch(&still, Point::new(0.0, 2.0), &rect(2.0, 4.0, 0.0)).unwrap().travel, 2.0);
    }

    #[test]
    fn woods_stop_a_disc() {
        let disc = Shape::disc(Point::new(0.0, 0.0), 0.5).unwrap();
        let wood = Area::rectangle(Point::new(4.0, -3.0), Point::new(8.0, 3.0)).unwrap();
        assert!((touch_area(&disc, Point::new(6.0, 0.0), &wood).unwrap().travel - 3.5).abs() < 1e-12);
        assert_eq!(touch_area(&disc, Point::new(-6.0, 0.0), &wood), None);
        let inside = disc.translated(Point::new(5.0, 0.0));
        assert_eq!(touch_area(&inside, Point::new(0.0, 1.0), &wood).unwrap().travel, 0.0);
    }

    #[test]
    fn passing_by_has_a_nearest_moment() {
        let disc = Shape::disc(Point::new(0.0, 0.0), 0.5).unwrap();
        let post = Shape::disc(Point::new(4.0, 3.0), 0.5).unwrap();
        assert_eq!(closest_approach(&disc, Point::new(10.0, 0.0), &post), (4.0, 2.0));
        assert_eq!(closest_approach(&disc, Point::new(0.0, -1.0), &post).0, 0.0);
    }
}
