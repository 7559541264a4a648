//! The clock of a game, reckoned from the moments of its actions.

use tricorne_game::Seat;

use crate::facts::ClockRule;
use crate::messages::ClockState;

/// What the clocks show at `now`. A seat's first decision is free: a friend may open the link tomorrow.
///
/// `acted` are the seats and moments of the actions so far, `pending` is who must decide.
pub(crate) fn reckon(
    rule: &ClockRule,
    seats: usize,
    acted: &[(Seat, i64)],
    pending: Option<Seat>,
    now: i64,
) -> ClockState {
    let start = i64::try_from(rule.seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
    let increment = i64::try_from(rule.increment.saturating_mul(1000)).unwrap_or_default();
    let mut left = vec![start; seats];
    let mut first = vec![true; seats];
    let mut since = None;
    let mut spend = |seat: Seat, from: Option<i64>, to: i64, gained: i64| {
        let (Some(left), Some(first)) = (left.get_mut(seat.index()), first.get_mut(seat.index())) else {
            return;
        };
        if let (false, Some(from)) = (*first, from) {
            *left = left.saturating_sub((to - from).max(0)).saturating_add(gained);
        }
        *first = false;
    };
    for &(seat, moment) in acted {
        spend(seat, since, moment, increment);
        since = Some(moment);
    }
    let running = pending.filter(|seat| acted.iter().any(|(s, _)| s == seat));
    if let Some(seat) = running {
        spend(seat, since, now, 0);
    }
    ClockState { left, running }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_for_the_seat_that_must_decide() {
        let rule = ClockRule { seconds: 60, increment: 5, then: None };
        let (a, b) = (Seat(0), Seat(1));
        // The first decisions are free.
        assert_eq!(reckon(&rule, 2, &[], Some(a), 1_000_000).running, None);
        let acted = [(a, 10_000), (b, 900_000), (a, 920_000)];
        let clock = reckon(&rule, 2, &acted, Some(b), 930_000);
        assert_eq!(clock.left, [60_000 - 20_000 + 5_000, 60_000 - 10_000]);
        assert_eq!(clock.running, Some(b));
        assert!(reckon(&rule, 2, &acted, Some(b), 990_000).left[1] < 0);
    }
}
