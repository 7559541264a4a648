//! Steering: the legal answer nearest to where a player points, over a rulebook's own judge. A rulebook names what may be
//! steered and the answers worth trying; nothing here says what is legal.

use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Bounds, Point, Pose, angle, brink};

/// Whether all numbers of a wish are ordinary ones.
pub fn ordinary(wish: &Wish) -> bool {
    let mut places = std::iter::once(&wish.place).chain(&wish.by);
    places.all(|p| p.is_finite()) && wish.facing.is_none_or(f64::is_finite)
}

/// What is offered for a wish, with the refusal of the wish itself unless the end is the wish: so near (inches or
/// centimetres) and so little turned from it (degrees).
pub fn offer<A>(
    action: A,
    end: Pose,
    wish: &Wish,
    (near, turned): (f64, f64),
    why: Option<Illegal>,
) -> Steer<A> {
    let turn = wish.facing.map_or(0.0, |f| angle::turn(end.facing, f).abs());
    let met = end.at.distance(wish.place) <= near && turn <= turned;
    Steer { action: Some(action), end: Some(end), why: why.filter(|_| !met) }
}

/// The nearest of what was found so far; of equals, or of two within the margin, the first.
#[derive(Clone, Debug)]
pub struct Nearest<T> {
    margin: f64,
    best: Option<(f64, T)>,
}

impl<T> Nearest<T> {
    /// Nothing yet.
    pub fn within(margin: f64) -> Self {
        Self { margin, best: None }
    }

    /// Keeps what ends so far off the wish, if that is nearer.
    pub fn keep(&mut self, off: f64, found: T) {
        if self.best.as_ref().is_none_or(|(least, _)| off < least - self.margin) {
            self.best = Some((off, found));
        }
    }

    /// How far off the best is; infinitely far while there is none.
    pub fn off(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(off, _)| *off)
    }

    /// The best.
    pub fn found(self) -> Option<T> {
        self.best.map(|(_, found)| found)
    }
}

/// The furthest that is legal: the first of some lengths (longest first) that is, and from there as near to the one
/// before it as a [`brink`] is looked for. `refused` is a length that was refused already.
pub fn furthest<T>(
    lengths: impl IntoIterator<Item = f64>,
    mut refused: Option<f64>,
    (times, fine): (u32, f64),
    tried: &dyn Fn(f64) -> Option<T>,
) -> Option<T> {
    for length in lengths {
        let Some(mut found) = tried(length) else {
            refused = Some(length);
            continue;
        };
        if let Some(refused) = refused {
            brink([length, refused], times, fine, &mut |longer| match tried(longer) {
                Some(more) => {
                    found = more;
                    false
                }
                None => true,
            });
        }
        return Some(found);
    }
    None
}

/// How long a way is.
pub fn length(from: Point, way: &[Point]) -> f64 {
    let starts = std::iter::once(&from).chain(way);
    starts.zip(way).map(|(a, b)| a.distance(*b)).sum()
}

/// So much of a way from where it starts, as the ends of its legs.
pub fn part(from: Point, way: &[Point], mut left: f64) -> Vec<Point> {
    let mut ends = Vec::with_capacity(way.len());
    for (&a, &b) in std::iter::once(&from).chain(way).zip(way) {
        let leg = a.distance(b);
        if leg >= left {
            ends.push(if leg > 0.0 { a.lerp(b, left / leg) } else { b });
            break;
        }
        left -= leg;
        ends.push(b);
    }
    ends
}

/// How far a box must slide to lie inside another.
pub fn slide_into(zone: &Bounds, of: &Bounds) -> Point {
    let along = |low: f64, high: f64, least: f64, most: f64| {
        if low < least {
            least - low
        } else if high > most {
            (most - high).max(least - low)
        } else {
            0.0
        }
    };
    Point::new(
        along(of.min.x, of.max.x, zone.min.x, zone.max.x),
        along(of.min.y, of.max.y, zone.min.y, zone.max.y),
    )
}

/// The start itself, or of the first ring round it that has any fitting place the one nearest to the wish: rings so far
/// apart, and so many of them.
pub fn in_rings(
    start: Point,
    wished: Point,
    (step, rings): (f64, u32),
    fits: &dyn Fn(Point) -> bool,
) -> Option<Point> {
    if fits(start) {
        return Some(start);
    }
    let toward = angle::bearing(start, wished);
    (1..=rings).find_map(|ring| {
        // Directions alternate to either side of the wish, so that the first that fits is the nearest.
        (0..24_u32).find_map(|k| {
            let turn = 15.0 * f64::from(k.div_ceil(2)) * if k % 2 == 0 { 1.0 } else { -1.0 };
            let place = start + angle::forward(toward + turn) * (step * f64::from(ring));
            fits(place).then_some(place)
        })
    })
}

/// Rings round a wished place that [`nearest_place`] searches.
const RINGS: [f64; 11] = [0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 11.0, 15.0, 20.0, 28.0];

/// The legal place nearest to a wished one, and why the wished one is not legal. `starts` are places where one is likely:
/// in its zone, beside its friends.
pub fn nearest_place(
    wished: Point,
    starts: &[Point],
    legal: &dyn Fn(Point) -> Result<(), Illegal>,
) -> (Option<Point>, Option<Illegal>) {
    let why = match legal(wished) {
        Ok(()) => return (Some(wished), None),
        Err(why) => why,
    };
    let mut best: Option<Point> = None;
    let keep = |p: Point, best: &mut Option<Point>| {
        if best.is_none_or(|b| wished.distance(p) < wished.distance(b)) && legal(p).is_ok() {
            *best = Some(p);
        }
    };
    for &start in starts {
        keep(start, &mut best);
    }
    'search: for centre in std::iter::once(&wished).chain(starts) {
        for ring in RINGS {
            if best.is_some_and(|b| wished.distance(b) <= wished.distance(*centre) - ring) {
                break;
            }
            for k in 0..16 {
                keep(*centre + angle::forward(f64::from(k) * 22.5) * ring, &mut best);
            }
            if best.is_some() && centre.near(wished) {
                break 'search;
            }
        }
    }
    // Back towards the wish as far as it goes.
    let back = best.map(|found| {
        let [nearer, _] = brink([0.0, 1.0], 7, 0.0, &mut |share| legal(found.lerp(wished, share)).is_err());
        if nearer > 0.0 { found.lerp(wished, nearer) } else { found }
    });
    (back, Some(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_is_found_between_what_is_legal_and_what_is_not() {
        let tried = |length: f64| (length <= 3.3).then_some(length);
        let found = furthest([8.0, 6.0, 4.0, 2.0], None, (10, 0.0), &tried).unwrap();
        assert!(found <= 3.3 && found > 3.29, "{found}");
        assert_eq!(furthest([2.0], None, (10, 0.0), &tried), Some(2.0));
        assert_eq!(furthest([8.0, 6.0], None, (10, 0.0), &tried), None);
    }

    #[test]
    fn a_way_is_cut_on_the_leg_where_it_ends() {
        let way = [Point::new(3.0, 0.0), Point::new(3.0, 4.0)];
        assert_eq!(length(Point::ORIGIN, &way), 7.0);
        assert_eq!(part(Point::ORIGIN, &way, 5.0), [Point::new(3.0, 0.0), Point::new(3.0, 2.0)]);
        assert_eq!(part(Point::ORIGIN, &way, 9.0), way);
    }

    #[test]
    fn a_place_is_found_beside_one_that_is_taken_and_drawn_back_to_the_wish() {
        let taken = |p: Point| p.length() < 2.6;
        let legal = |p: Point| if taken(p) { crate::refuse("TOY-MOVE-01", "taken") } else { Ok(()) };
        let (place, why) = nearest_place(Point::ORIGIN, &[], &legal);
        let off = place.unwrap().length();
        assert!(why.is_some() && (2.6..2.7).contains(&off), "{off}");
        assert_eq!(nearest_place(Point::new(5.0, 0.0), &[], &legal), (Some(Point::new(5.0, 0.0)), None));
        let found = in_rings(Point::ORIGIN, Point::new(9.0, 0.0), (0.5, 24), &|p| !taken(p)).unwrap();
        assert!(found.distance(Point::new(3.0, 0.0)) < 1e-9, "{found:?}");
    }
}
