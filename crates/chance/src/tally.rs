//! What comes back from a roll.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The faces of a roll, in the order rolled. Empty when an enumeration handled the dice as a whole.
pub type Faces = SmallVec<[u8; 16]>;

/// The total of a roll, with its faces where dice were really rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// The sum of the faces.
    pub total: i32,
    /// The faces, in order; empty in an enumeration.
    pub faces: Faces,
}

/// How a pool's faces are sorted: each bin is an inclusive range of faces; a face outside all of them is not
/// counted. `Bins::at_least(4)` is a pool of d6 at 4+.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins {
    /// Sides of each die.
    pub sides: u8,
    /// Inclusive ranges; they must not overlap.
    pub ranges: SmallVec<[(u8, u8); 3]>,
}

impl Bins {
    /// One bin on d6: faces of `target` or more. A target above 6 hits nothing, one below 1 hits always.
    pub fn at_least(target: i32) -> Self {
        Self { sides: 6, ranges: SmallVec::from_slice(&[(target.clamp(1, 7) as u8, 6)]) }
    }

    /// Two bins on d6: faces of `target` or more, and ones. A one that meets the target counts as a hit only.
    pub fn at_least_and_ones(target: i32) -> Self {
        let target = target.clamp(2, 7) as u8;
        Self { sides: 6, ranges: SmallVec::from_slice(&[(target, 6), (1, 1)]) }
    }

    /// Any inclusive ranges on dice of any size.
    pub fn ranges(sides: u8, ranges: &[(u8, u8)]) -> Self {
        Self { sides, ranges: SmallVec::from_slice(ranges) }
    }

    /// The bin a face falls into.
    pub fn bin(&self, face: u8) -> Option<usize> {
        self.ranges.iter().position(|&(lo, hi)| (lo..=hi).contains(&face))
    }

    /// How many faces of one die fall into bin `i`.
    pub fn width(&self, i: usize) -> u8 {
        let (lo, hi) = self.ranges[i];
        hi.min(self.sides).saturating_sub(lo.max(1) - 1)
    }
}

/// How many dice of a pool fell into each bin, with the faces where dice were really rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Count per bin, in the order of the bins.
    pub counts: SmallVec<[u16; 3]>,
    /// The faces, in order; empty in an enumeration.
    pub faces: Faces,
}

impl Tally {
    /// The count of the first bin: the hits of an `at_least` pool.
    pub fn hits(&self) -> usize {
        usize::from(self.counts[0])
    }

    pub(crate) fn sort(faces: Faces, bins: &Bins) -> Self {
        let mut counts: SmallVec<[u16; 3]> = SmallVec::from_elem(0, bins.ranges.len());
        for &face in &faces {
            if let Some(i) = bins.bin(face) {
                counts[i] += 1;
            }
        }
        Self { counts, faces }
    }
}
