//! How exactly the table measures.

/// The slack allowed in every comparison of lengths.
pub const TOLERANCE: f64 = 0.001;

/// Whether a measured distance is within a limit; exactly the limit is within it.
#[inline]
pub fn within(distance: f64, limit: f64) -> bool {
    distance <= limit + TOLERANCE
}

/// Rounds to a multiple of `step`, halves away from zero; a step of zero or less changes nothing.
///
/// A millionth of a step is added first, so that 1.005, which binary holds a little low, still rounds to 1.01.
pub fn round_to(value: f64, step: f64) -> f64 {
    if step <= 0.0 || !value.is_finite() {
        return value;
    }
    let per = 1.0 / step;
    let whole = per.round();
    // Steps such as 0.001 are not exact in binary, but a thousand to the unit is.
    if whole >= 1.0 && (per - whole).abs() < 1e-9 * whole {
        let scaled = value * whole;
        ((scaled + 1e-6_f64.copysign(scaled)).round() / whole) + 0.0
    } else {
        let scaled = value / step;
        ((scaled + 1e-6_f64.copysign(scaled)).round() * step) + 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_is_within_it() {
        assert!(within(12.0, 12.0));
        assert!(within(12.001, 12.0));
        assert!(!within(12.002, 12.0));
    }

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(round_to(0.5, 1.0), 1.0);
        assert_eq!(round_to(-0.5, 1.0), -1.0);
        assert_eq!(round_to(1.005, 0.01), 1.01);
        assert_eq!(round_to(-1.005, 0.01), -1.01);
        assert_eq!(round_to(2.1234, 0.001), 2.123);
        assert_eq!(round_to(7.4, 5.0), 5.0);
        assert_eq!(round_to(7.5, 5.0), 10.0);
        assert_eq!(round_to(3.25, 0.0), 3.25);
        assert!(round_to(-0.2, 1.0).is_sign_positive());
    }
}
