//! A program's own randomness: which of the legal answers it takes. Never the battle's dice.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::Seed;

/// A stream of arbitrary choices, the same on every machine for the same seed.
#[derive(Clone, Debug)]
pub struct Whim(ChaCha8Rng);

impl Whim {
    /// Whims from a seed; `who` keeps two programs with one seed apart.
    pub fn new(seed: impl Into<Seed>, who: u64) -> Self {
        let mut rng = ChaCha8Rng::from_seed(seed.into().0);
        rng.set_stream(u64::MAX - who);
        Self(rng)
    }

    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A seed of its own, for dice rolled in thought.
    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        Seed(bytes)
    }

    /// One of the things, if there is any.
    pub fn one_of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }
}
