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

/// Where something first holds on the way from where it does not to where it does: the stretch between the two is halved
/// so often, or until it is shorter than `fine`. The last place where it did not hold, and the first where it did.
///
/// ```
/// let [before, from] = tricorne_table::brink([0.0, 8.0], 40, 0.001, &mut |t| t * t >= 2.0);
/// assert!(before < 2.0_f64.sqrt() && 2.0_f64.sqrt() <= from && from - before < 0.001);
/// ```
pub fn brink(
    [mut before, mut from]: [f64; 2],
    times: u32,
    fine: f64,
    holds: &mut dyn FnMut(f64) -> bool,
) -> [f64; 2] {
    for _ in 0..times {
        if from - before < fine {
            break;
        }
        let middle = before.midpoint(from);
        if holds(middle) { from = middle } else { before = middle }
    }
    [before, from]
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
    fn a_brink_is_closed_in_on_from_both_sides() {
        let [before, from] = brink([0.0, 8.0], 3, 0.0, &mut |t| t >= 3.5);
        assert_eq!([before, from], [3.0, 4.0]);
        // So fine already: nothing is asked.
        assert_eq!(brink([1.0, 1.1], 9, 0.5, &mut |_| unreachable!()), [1.0, 1.1]);
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
