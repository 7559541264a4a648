//! The outlines of pieces before they are turned, and cutting them off at the table's edge.

use tricorne_table::Point;

/// Tangent of 22.5 degrees: where the corners of an octagon are cut.
const CUT: f64 = 0.414_213_562_373_095_1;

/// A rectangle about the origin.
pub(super) fn rectangle([width, depth]: [f64; 2]) -> Vec<Point> {
    let (x, y) = (width * 0.5, depth * 0.5);
    vec![Point::new(-x, -y), Point::new(x, -y), Point::new(x, y), Point::new(-x, y)]
}

/// An octagon about the origin, so wide and so deep.
pub(super) fn octagon([width, depth]: [f64; 2]) -> Vec<Point> {
    let (x, y) = (width * 0.5, depth * 0.5);
    let (u, v) = (x * CUT, y * CUT);
    [(-u, -y), (u, -y), (x, -v), (x, v), (u, y), (-u, y), (-x, v), (-x, -v)].map(Point::from).to_vec()
}

/// What of a convex outline lies on the table, to the hundredth (SYW-MODEL-02).
pub(super) fn cut_to(outline: &[Point], [width, depth]: [f64; 2]) -> Vec<Point> {
    // Each edge of the table keeps what is on its inner side.
    let sides: [fn(Point, [f64; 2]) -> f64; 4] =
        [|p, _| p.x, |p, t| t[0] - p.x, |p, _| p.y, |p, t| t[1] - p.y];
    let mut left = outline.to_vec();
    for inside in sides {
        let mut kept = Vec::with_capacity(left.len() + 1);
        for (i, &from) in left.iter().enumerate() {
            let to = left[(i + 1) % left.len()];
            let (a, b) = (inside(from, [width, depth]), inside(to, [width, depth]));
            if a >= 0.0 {
                kept.push(from);
            }
            if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
                kept.push(from.lerp(to, a / (a - b)));
            }
        }
        left = kept;
    }
    let mut corners: Vec<Point> = left.into_iter().map(|p| p.round_to(0.01)).collect();
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    corners
}
