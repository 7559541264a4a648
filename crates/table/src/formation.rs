//! Where each figure or stand of a body stands.
//!
//! Pure layouts in the frame of the body: how far right, how far forward, and how much its own facing is
//! turned from that of the body. They are iterators, so that laying out costs no heap.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::angle;
use crate::point::Point;
use crate::pose::Pose;

/// A place in a formation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    /// To the right of the body's origin.
    pub right: f64,
    /// Ahead of the body's origin.
    pub forward: f64,
    /// Turned from the facing of the body, clockwise.
    pub turned: f64,
}

impl Slot {
    /// A place that looks the way the body does.
    pub const fn new(right: f64, forward: f64) -> Self {
        Self { right, forward, turned: 0.0 }
    }
}

/// In what order the places of one rank are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dress {
    /// A short rank is centred, and filled from the left.
    #[default]
    Centred,
    /// A short rank is centred, and filled from the middle outwards, right before left.
    FromCentre,
    /// A short rank stands behind the left of the full ones.
    Left,
    /// A short rank stands behind the right of the full ones, filled from the right.
    Right,
}

/// Ranks from front to back, the front edge of the first on the origin's line; centres of the bases.
///
/// Also columns: those are ranks with few files. With no files at all there is nobody.
pub fn ranks(
    count: usize,
    files: usize,
    width: f64,
    depth: f64,
    dress: Dress,
) -> impl Iterator<Item = Slot> + Clone {
    let count = if files == 0 { 0 } else { count };
    (0..count).map(move |i| {
        let (rank, file) = (i / files, i % files);
        let here = files.min(count - rank * files);
        let middle = (here as f64 - 1.0) * 0.5;
        let column = match dress {
            Dress::Centred => file as f64 - middle,
            Dress::FromCentre => from_centre(file, here),
            Dress::Left => file as f64 - (files as f64 - 1.0) * 0.5,
            Dress::Right => (files as f64 - 1.0) * 0.5 - file as f64,
        };
        Slot::new(column * width, -(rank as f64 + 0.5) * depth)
    })
}

/// The offset of the i-th of n abreast, from the middle outwards, right before left.
fn from_centre(i: usize, n: usize) -> f64 {
    if n % 2 == 1 {
        let ring = i.div_ceil(2) as f64;
        if i % 2 == 1 { ring } else { 0.0 - ring }
    } else {
        let ring = (i / 2) as f64 + 0.5;
        if i.is_multiple_of(2) { ring } else { -ring }
    }
}

/// How wide and how deep ranks are together: width of the widest rank, depth of all.
pub fn ranks_size(count: usize, files: usize, width: f64, depth: f64) -> (f64, f64) {
    if files == 0 || count == 0 {
        return (0.0, 0.0);
    }
    (files.min(count) as f64 * width, count.div_ceil(files) as f64 * depth)
}

/// How many places the lattice knows.
const LATTICE: usize = 127;

/// The triangular lattice of spacing one: nearest first, then anticlockwise from east.
static LATTICE_POINTS: LazyLock<[Point; LATTICE]> = LazyLock::new(|| {
    // Whole numbers throughout, so that the order can't depend on rounding. A node is i steps east and j
    // steps at 60 degrees; twice its x is 2i + j, and its y is j times the height of a triangle.
    let reach = 8_i32;
    let mut nodes: Vec<(i32, i32)> =
        (-reach..=reach).flat_map(|i| (-reach..=reach).map(move |j| (i, j))).collect();
    let below = |&(i, j): &(i32, i32)| j < 0 || (j == 0 && 2 * i + j < 0);
    nodes.sort_unstable_by(|p, q| {
        let far = |&(i, j): &(i32, i32)| i * i + i * j + j * j;
        let turn = (2 * q.0 + q.1) * p.1 - (2 * p.0 + p.1) * q.1;
        far(p).cmp(&far(q)).then(below(p).cmp(&below(q))).then(turn.cmp(&0))
    });
    std::array::from_fn(|k| {
        let (i, j) = nodes[k];
        Point::new(f64::from(2 * i + j) * 0.5, f64::from(j) * (3.0_f64.sqrt() * 0.5))
    })
});

/// The first places of a triangular lattice round the origin, nearest first and then anticlockwise from east
/// (to the right of a body that looks north). There are 127 at most.
pub fn lattice(count: usize, spacing: f64) -> impl Iterator<Item = Slot> + Clone {
    LATTICE_POINTS[..count.min(LATTICE)].iter().map(move |node| Slot::new(node.x * spacing, node.y * spacing))
}

/// So many places evenly round a circle, clockwise from straight ahead.
pub fn circle(count: usize, radius: f64) -> impl Iterator<Item = Slot> + Clone {
    (0..count).map(move |i| {
        let (sin, cos) = angle::sin_cos(360.0 * i as f64 / count as f64);
        Slot::new(sin * radius, cos * radius)
    })
}

/// One face of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// Looking ahead.
    Front,
    /// Looking back.
    Rear,
    /// Looking left.
    Left,
    /// Looking right.
    Right,
}

impl Face {
    /// All four, in the order stands are dealt to them.
    pub const ALL: [Self; 4] = [Self::Front, Self::Rear, Self::Left, Self::Right];

    /// The facing of this face from that of the square.
    pub fn turned(self) -> f64 {
        match self {
            Self::Front => 0.0,
            Self::Right => 90.0,
            Self::Rear => 180.0,
            Self::Left => 270.0,
        }
    }
}

/// The side of a square of so many stands, each so wide and so deep.
pub fn square_side(count: usize, width: f64, depth: f64) -> f64 {
    count.div_ceil(4).max(1) as f64 * width + 2.0 * depth
}

/// A hollow square, its front edge centred on the origin: stands are dealt to the faces front, rear, left,
/// right and round again, and those of a face are centred in it, looking outwards.
pub fn square(count: usize, width: f64, depth: f64) -> impl Iterator<Item = (Face, Slot)> + Clone {
    let side = square_side(count, width, depth);
    (0..count).map(move |i| {
        let face = Face::ALL[i % 4];
        let here = (count - i % 4).div_ceil(4);
        // Seen from the middle of the square, looking out of this face.
        let across = ((i / 4) as f64 - (here as f64 - 1.0) * 0.5) * width;
        let out = side * 0.5 - depth * 0.5;
        let (right, forward) = match face {
            Face::Front => (across, out),
            Face::Right => (out, -across),
            Face::Rear => (-across, -out),
            Face::Left => (-out, across),
        };
        (face, Slot { right, forward: forward - side * 0.5, turned: face.turned() })
    })
}

/// Sets the places of a formation out on the table.
pub fn place(slots: impl IntoIterator<Item = Slot>, pose: &Pose) -> impl Iterator<Item = Pose> {
    let frame = pose.frame();
    let facing = pose.facing;
    slots.into_iter().map(move |slot| Pose {
        at: frame.to_world(Point::new(slot.right, slot.forward)),
        facing: angle::normalise(facing + slot.turned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(slots: impl Iterator<Item = Slot>) -> Vec<(f64, f64)> {
        slots.map(|slot| (slot.right, slot.forward)).collect()
    }

    #[test]
    fn a_short_rank_is_centred() {
        // Seven in ranks of four.
        let line = spots(ranks(7, 4, 1.0, 1.0, Dress::Centred));
        assert_eq!(line[0], (-1.5, -0.5));
        assert_eq!(line[3], (1.5, -0.5));
        assert_eq!(line[4..], [(-1.0, -1.5), (0.0, -1.5), (1.0, -1.5)]);
        assert_eq!(spots(ranks(3, 2, 4.0, 2.0, Dress::Left)), [(-2.0, -1.0), (2.0, -1.0), (-2.0, -3.0)]);
        assert_eq!(spots(ranks(3, 2, 4.0, 2.0, Dress::Right))[2], (2.0, -3.0));
        assert_eq!(ranks(3, 0, 4.0, 2.0, Dress::Left).count(), 0);
        assert_eq!(ranks_size(7, 4, 1.5, 2.0), (6.0, 4.0));
    }

    #[test]
    fn a_block_fills_from_the_centre_right_first() {
        let odd: Vec<f64> = ranks(5, 5, 1.0, 1.0, Dress::FromCentre).map(|slot| slot.right).collect();
        assert_eq!(odd, [0.0, 1.0, -1.0, 2.0, -2.0]);
        let even: Vec<f64> = ranks(4, 4, 1.0, 1.0, Dress::FromCentre).map(|slot| slot.right).collect();
        assert_eq!(even, [0.5, -0.5, 1.5, -1.5]);
    }

    #[test]
    fn the_lattice_follows_the_ledger() {
        // WBK-MOD-08, the table of foot offsets.
        let want = [
            (0.0, 0.0),
            (1.5, 0.0),
            (0.75, 1.299),
            (-0.75, 1.299),
            (-1.5, 0.0),
            (-0.75, -1.299),
            (0.75, -1.299),
            (2.25, 1.299),
            (0.0, 2.598),
            (-2.25, 1.299),
            (-2.25, -1.299),
            (0.0, -2.598),
            (2.25, -1.299),
            (3.0, 0.0),
            (1.5, 2.598),
            (-1.5, 2.598),
            (-3.0, 0.0),
            (-1.5, -2.598),
            (1.5, -2.598),
            (3.75, 1.299),
            (3.0, 2.598),
            (0.75, 3.897),
            (-0.75, 3.897),
            (-3.0, 2.598),
            (-3.75, 1.299),
            (-3.75, -1.299),
            (-3.0, -2.598),
            (-0.75, -3.897),
            (0.75, -3.897),
            (3.0, -2.598),
            (3.75, -1.299),
        ];
        let have = spots(lattice(31, 1.5));
        assert_eq!(have.len(), want.len());
        for ((x, y), (u, v)) in have.into_iter().zip(want) {
            assert_eq!((crate::round_to(x, 0.001), crate::round_to(y, 0.001)), (u, v));
        }
        assert_eq!(lattice(999, 1.0).count(), 127);
    }

    #[test]
    fn a_square_deals_stands_to_its_faces() {
        // SYW-MODEL-10: five stands of 4 by 1.5: m = 2, side 11.
        assert_eq!(square_side(5, 4.0, 1.5), 11.0);
        let stands: Vec<_> = square(5, 4.0, 1.5).collect();
        assert_eq!(stands[0], (Face::Front, Slot::new(-2.0, -0.75)));
        assert_eq!(stands[4], (Face::Front, Slot::new(2.0, -0.75)));
        assert_eq!(stands[1], (Face::Rear, Slot { right: 0.0, forward: -10.25, turned: 180.0 }));
        assert_eq!(stands[2], (Face::Left, Slot { right: -4.75, forward: -5.5, turned: 270.0 }));
        assert_eq!(stands[3], (Face::Right, Slot { right: 4.75, forward: -5.5, turned: 90.0 }));
    }

    #[test]
    fn a_formation_is_set_out_along_the_facing() {
        let pose = Pose::new(Point::new(10.0, 10.0), 90.0);
        let stands: Vec<Pose> = place(ranks(2, 2, 2.0, 1.0, Dress::Centred), &pose).collect();
        assert_eq!(stands[0], Pose::new(Point::new(9.5, 11.0), 90.0));
        assert_eq!(stands[1], Pose::new(Point::new(9.5, 9.0), 90.0));
        assert_eq!(circle(4, 3.0).nth(1), Some(Slot::new(3.0, 0.0)));
    }
}
