//! The grain of the cloth: numbers that look random and are the same on every machine, because they come from the
//! name of the thing that is drawn.

/// A stream of numbers that depends on nothing but its seed.
#[derive(Clone, Debug)]
pub(crate) struct Grain(u64);

impl Grain {
    /// The grain of a name.
    pub fn of(name: &str) -> Self {
        // FNV-1a, then stirred on each draw.
        let mut seed = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            seed ^= u64::from(byte);
            seed = seed.wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut stirred = self.0;
        stirred = (stirred ^ (stirred >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        stirred = (stirred ^ (stirred >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        stirred ^ (stirred >> 31)
    }

    /// A share in `[0, 1)`.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// One of `n`, from 0; 0 when there are none.
    pub fn pick(&mut self, n: u64) -> u64 {
        self.next().checked_rem(n).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_gives_the_same_grain_and_another_name_another() {
        let draw = |name: &str| {
            let mut grain = Grain::of(name);
            [grain.next(), grain.next(), grain.next()]
        };
        assert_eq!(draw("copse"), draw("copse"));
        assert_ne!(draw("copse"), draw("corpse"));
        // Written down once, so that a change of the mixing is noticed: every picture would change.
        assert_eq!(Grain::of("copse").next(), 800_683_879_186_939_552);
    }

    #[test]
    fn shares_fill_the_whole_stretch() {
        let mut grain = Grain::of("wood");
        let shares: Vec<f64> = (0..1000).map(|_| grain.between(2.0, 4.0)).collect();
        assert!(shares.iter().all(|share| (2.0..4.0).contains(share)));
        for tenth in 0..10 {
            let low = 2.0 + f64::from(tenth) * 0.2;
            let within = shares.iter().filter(|&&share| share >= low && share < low + 0.2).count();
            assert!((60..140).contains(&within), "{within} of 1000 in the tenth from {low}");
        }
    }
}
