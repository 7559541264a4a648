//! Rolled dice: one seed, a stream for each purpose, the same faces on every machine.

use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bins, Chance, Faces, Purpose, Sum, Tally};

/// The seed of a battle: a decimal number as people type it, or 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seed(pub [u8; 32]);

/// A seed that is neither a decimal number below 2^64 nor 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedError(String);

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a seed; use a whole number from 0 to {}, or 64 hexadecimal digits",
            self.0,
            u64::MAX
        )
    }
}

impl std::error::Error for SeedError {}

impl From<u64> for Seed {
    fn from(n: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&n.to_le_bytes());
        Self(bytes)
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        if let Ok(n) = text.parse::<u64>() {
            return Ok(n.into());
        }
        let digits = text.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return Err(SeedError(text.into()));
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let hex = std::str::from_utf8(pair).ok().filter(|p| p.bytes().all(|b| b.is_ascii_hexdigit()));
            *byte = hex.and_then(|h| u8::from_str_radix(h, 16).ok()).ok_or_else(|| SeedError(text.into()))?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.0.split_at(8);
        if high.iter().all(|&b| b == 0) {
            let mut n = [0; 8];
            n.copy_from_slice(low);
            write!(f, "{}", u64::from_le_bytes(n))
        } else {
            self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
        }
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Chance that rolls. Each purpose has a `ChaCha8` stream of its own, so that one more die for fire does not
/// change the morale dice that follow.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: Seed,
    streams: Vec<(Purpose, ChaCha8Rng)>,
}

impl Seeded {
    /// Chance from a seed.
    pub fn new(seed: impl Into<Seed>) -> Self {
        Self { seed: seed.into(), streams: Vec::new() }
    }

    fn stream(&mut self, purpose: Purpose) -> &mut ChaCha8Rng {
        // Purposes are literals, so most look-ups end at the pointer.
        let known = self.streams.iter().position(|(p, _)| std::ptr::eq(*p, purpose) || *p == purpose);
        let i = known.unwrap_or_else(|| {
            let mut rng = ChaCha8Rng::from_seed(self.seed.0);
            rng.set_stream(fingerprint(purpose.bytes()));
            self.streams.push((purpose, rng));
            self.streams.len() - 1
        });
        &mut self.streams[i].1
    }

    fn roll(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces {
        if count == 0 {
            return Faces::new();
        }
        let rng = self.stream(purpose);
        (0..count).map(|_| below(rng, u32::from(sides.max(1))) as u8 + 1).collect()
    }
}

/// A number from 0 to `n - 1`, without bias (multiply and shift, rejecting the short tail).
fn below(rng: &mut ChaCha8Rng, n: u32) -> u32 {
    let threshold = n.wrapping_neg() % n;
    loop {
        let wide = u64::from(rng.next_u32()) * u64::from(n);
        if wide as u32 >= threshold {
            return (wide >> 32) as u32;
        }
    }
}

/// A number for a name, the same on every machine and in every version: streams and lapses are told apart by it. It is
/// FNV-1a, not for secrecy.
///
/// ```
/// use tricorne_chance::fingerprint;
/// assert_eq!(fingerprint(*b"fire"), 0xaa77_f578_efdf_c4b9);
/// assert_ne!(fingerprint(*b"fire"), fingerprint(*b"melee"));
/// ```
pub fn fingerprint(name: impl IntoIterator<Item = u8>) -> u64 {
    name.into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

impl Chance for Seeded {
    fn faces(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces {
        self.roll(purpose, count, sides)
    }

    fn sum(&mut self, purpose: Purpose, count: usize, sides: u8) -> Sum {
        let faces = self.roll(purpose, count, sides);
        Sum { total: faces.iter().map(|&f| i32::from(f)).sum(), faces }
    }

    fn pool(&mut self, purpose: Purpose, count: usize, bins: &Bins) -> Tally {
        Tally::sort(self.roll(purpose, count, bins.sides), bins)
    }

    fn pick(&mut self, purpose: Purpose, count: usize, _: &dyn Fn(usize) -> String) -> Option<usize> {
        (count > 0).then(|| below(self.stream(purpose), count as u32) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faces_of_a_seed_never_change() {
        let mut chance = Seeded::new(1);
        assert_eq!(chance.faces("fire", 12, 6).as_slice(), GOLDEN_FIRE);
        assert_eq!(chance.faces("melee", 4, 6).as_slice(), GOLDEN_MELEE);
    }

    // If these change, every journal ever saved stops verifying.
    const GOLDEN_FIRE: &[u8] = &[1, 6, 4, 3, 6, 5, 3, 1, 1, 1, 5, 4];
    const GOLDEN_MELEE: &[u8] = &[4, 5, 1, 3];

    #[test]
    fn purposes_do_not_disturb_each_other() {
        let (mut a, mut b) = (Seeded::new(7), Seeded::new(7));
        a.faces("fire", 5, 6);
        assert_eq!(a.faces("pinning", 20, 6), b.faces("pinning", 20, 6));
    }

    #[test]
    fn every_face_is_equally_likely() {
        let mut chance = Seeded::new(3);
        let mut counts = [0_i32; 6];
        for face in chance.faces("fire", 60_000, 6) {
            counts[usize::from(face) - 1] += 1;
        }
        // Five standard deviations of a count of 10,000.
        assert!(counts.iter().all(|c| (c - 10_000).abs() < 457), "{counts:?}");
    }

    #[test]
    fn seeds_read_back_as_written() {
        for text in ["0", "18446744073709551615", &"ab".repeat(32)] {
            assert_eq!(text.parse::<Seed>().unwrap().to_string(), text);
        }
        assert!("-1".parse::<Seed>().is_err());
        assert!("xyz".parse::<Seed>().unwrap_err().to_string().contains("xyz"));
        assert!("é".repeat(32).parse::<Seed>().is_err());
    }
}
