//! Lines of sight over hills.

use crate::area::Area;
use crate::bounds::Bounds;
use crate::measure::TOLERANCE;
use crate::point::Point;
use crate::terrain::Crest;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Line;

    fn area(ax: f64, ay: f64, bx: f64, by: f64) -> Area {
        Area::rectangle(Point::new(ax, ay), Point::new(bx, by)).unwrap()
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
}
