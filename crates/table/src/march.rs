//! What ground costs whoever crosses it.

use smallvec::SmallVec;

use crate::angle;
use crate::area::Area;
use crate::bounds::Bounds;
use crate::measure::TOLERANCE;
use crate::point::Point;

/// The shares at which a straight way meets the boundaries of some ground, in order from 0 to 1.
pub fn split<'a>(from: Point, to: Point, areas: impl IntoIterator<Item = &'a Area>) -> SmallVec<[f64; 16]> {
    let mut cuts: SmallVec<[f64; 16]> = SmallVec::new();
    cuts.push(0.0);
    let bounds = Bounds::of_pair(from, to);
    for area in areas {
        if bounds.meets(&area.bounds()) {
            area.cuts(from, to, &mut cuts);
        }
    }
    cuts.push(1.0);
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// The worst factor of the ground at a place, 1 on open ground.
fn worst(place: Point, grounds: &[(&Area, f64)]) -> f64 {
    let mut factor: Option<f64> = None;
    for &(area, own) in grounds {
        if area.contains_strictly(place) {
            factor = Some(factor.map_or(own, |known| known.max(own)));
        }
    }
    factor.unwrap_or(1.0)
}

/// What a straight way costs a point, where each piece of ground multiplies the distance by its factor.
///
/// Exact: the way is split where it crosses a boundary. Where pieces lie on one another the worst factor holds.
pub fn leg_cost(from: Point, to: Point, grounds: &[(&Area, f64)]) -> f64 {
    leg_cost_by(from, to, grounds.iter().map(|&(area, _)| area), |place| worst(place, grounds))
}

/// What a straight way costs a point, where `factor` says what the ground at a place multiplies it by; the
/// factor may only change at the boundaries of the areas.
pub fn leg_cost_by<'a>(
    from: Point,
    to: Point,
    areas: impl IntoIterator<Item = &'a Area>,
    factor: impl Fn(Point) -> f64,
) -> f64 {
    let length = from.distance(to);
    let cuts = split(from, to, areas);
    cuts.windows(2)
        .map(|pair| (pair[1] - pair[0]) * length * factor(from.lerp(to, (pair[0] + pair[1]) * 0.5)))
        .sum()
}

/// How far a point gets along a bearing for an allowance, over ground as in [`leg_cost`], up to `limit`.
pub fn reach(from: Point, bearing: f64, allowance: f64, limit: f64, grounds: &[(&Area, f64)]) -> f64 {
    reach_by(from, bearing, allowance, limit, grounds.iter().map(|&(area, _)| area), |place| {
        worst(place, grounds)
    })
}

/// How far a point gets along a bearing for an allowance, over ground as in [`leg_cost_by`], up to `limit`.
pub fn reach_by<'a>(
    from: Point,
    bearing: f64,
    allowance: f64,
    limit: f64,
    areas: impl IntoIterator<Item = &'a Area>,
    factor: impl Fn(Point) -> f64,
) -> f64 {
    if limit <= 0.0 || allowance <= 0.0 {
        return 0.0;
    }
    let to = from + angle::forward(bearing) * limit;
    let mut left = allowance;
    for pair in split(from, to, areas).windows(2) {
        let length = (pair[1] - pair[0]) * limit;
        let price = length * factor(from.lerp(to, (pair[0] + pair[1]) * 0.5));
        if price > left {
            return pair[0] * limit + length * (left / price);
        }
        left -= price;
    }
    limit
}

/// How far a march went and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct March {
    /// How far.
    pub travel: f64,
    /// For how much.
    pub spent: f64,
}

/// Marches so far in paces, each paid at the factor that holds where it begins (`factor(travel so far)`); a
/// pace that can't be paid in full is shortened, and ends the march.
pub fn march(distance: f64, pace: f64, allowance: f64, mut factor: impl FnMut(f64) -> f64) -> March {
    let mut done = March { travel: 0.0, spent: 0.0 };
    if pace.is_nan() || pace <= 0.0 {
        return done;
    }
    while done.travel + 1e-9 < distance {
        let step = pace.min(distance - done.travel);
        let rate = factor(done.travel);
        let left = allowance - done.spent;
        if rate.is_nan() || rate == f64::INFINITY {
            break;
        }
        let price = step * rate;
        if price > left + TOLERANCE {
            if left > 0.0 {
                done.travel += left / rate;
                done.spent = allowance;
            }
            break;
        }
        done.travel += step;
        done.spent += price;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn woods_slow_a_march() {
        let wood = Area::rectangle(Point::new(2.0, -1.0), Point::new(5.0, 1.0)).unwrap();
        let bog = Area::rectangle(Point::new(4.0, -1.0), Point::new(7.0, 1.0)).unwrap();
        let grounds = [(&wood, 2.0), (&bog, 3.0)];
        let cost = leg_cost(Point::ORIGIN, Point::new(10.0, 0.0), &grounds);
        assert!((cost - (2.0 + 4.0 + 9.0 + 3.0)).abs() < 1e-12);
        assert!((reach(Point::ORIGIN, 90.0, 9.0, 20.0, &grounds) - 5.0).abs() < 1e-12);
        assert_eq!(reach(Point::ORIGIN, 90.0, 90.0, 20.0, &grounds), 20.0);
    }

    #[test]
    fn paces_pay_for_where_they_begin() {
        let went = march(10.0, 0.5, 6.0, |travel| if travel >= 2.0 { 2.0 } else { 1.0 });
        assert_eq!(went, March { travel: 4.0, spent: 6.0 });
        let went = march(10.0, 0.5, 2.7, |travel| if travel >= 2.0 { 2.0 } else { 1.0 });
        assert!((went.travel - 2.35).abs() < 1e-12);
        assert_eq!(march(3.0, 0.5, 90.0, |_| 1.0), March { travel: 3.0, spent: 3.0 });
    }
}
