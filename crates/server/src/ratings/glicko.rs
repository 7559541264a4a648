//! Glicko-2: how strong somebody is, how sure that is, and how steady. After Mark Glickman's paper of 2012, whose letters
//! are kept. No rule depends on these numbers, so that they may be reckoned by the machine's own mathematics.
#![allow(clippy::disallowed_methods, reason = "ratings are no rules: nothing is replayed from them")]

/// How fast steadiness may change: small where upsets are mostly luck, as with dice.
const TAU: f64 = 0.5;
/// Between the scale people read and the one that is reckoned in.
const SCALE: f64 = 173.7178;
/// When the search for the new volatility ends.
const EPSILON: f64 = 1e-6;

/// How strong somebody is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_field_names, reason = "it has a deviation and a volatility besides")]
pub(crate) struct Rating {
    /// 1500 is where everybody begins.
    pub(crate) rating: f64,
    /// The rating is within twice this of the truth, in 95 of 100 cases.
    pub(crate) deviation: f64,
    /// How far it is expected to wander.
    pub(crate) volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self { rating: 1500.0, deviation: 350.0, volatility: 0.06 }
    }
}

/// A game against somebody: how strong they were before it, and what came of it (1 won, ½ drawn, 0 lost).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) against: Rating,
    pub(crate) score: f64,
}

/// g: how much a game against somebody says, by how sure their rating is.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (std::f64::consts::PI * std::f64::consts::PI)).sqrt()
}

/// E: the score to be expected.
fn expected(mu: f64, mu_j: f64, phi_j: f64) -> f64 {
    1.0 / (1.0 + (-weight(phi_j) * (mu - mu_j)).exp())
}

impl Rating {
    /// The rating after a period with these games; without any, it is only less sure.
    pub(crate) fn after(self, games: &[Played]) -> Self {
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        if games.is_empty() {
            let wider = phi.hypot(self.volatility) * SCALE;
            return Self { deviation: wider.min(Self::default().deviation), ..self };
        }
        let (mut informed, mut gained) = (0.0, 0.0);
        for game in games {
            let (mu_j, phi_j) = ((game.against.rating - 1500.0) / SCALE, game.against.deviation / SCALE);
            let (g, e) = (weight(phi_j), expected(mu, mu_j, phi_j));
            informed += g * g * e * (1.0 - e);
            gained += g * (game.score - e);
        }
        let v = 1.0 / informed;
        let volatility = self.volatility_after(phi, v, v * gained);
        let star = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / (star * star) + 1.0 / v).sqrt();
        let mu = mu + phi * phi * gained;
        Self { rating: mu * SCALE + 1500.0, deviation: phi * SCALE, volatility }
    }

    /// Step 5 of the paper: the volatility at which f is nought, between two that have it on either side.
    fn volatility_after(self, phi: f64, v: f64, delta: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let e = x.exp();
            let d = phi * phi + v + e;
            e * (delta * delta - d) / (2.0 * d * d) - (x - a) / (TAU * TAU)
        };
        let mut low = a;
        let mut high = if delta * delta > phi * phi + v {
            (delta * delta - phi * phi - v).ln()
        } else {
            let mut k = 1.0;
            while f(a - k * TAU) < 0.0 {
                k += 1.0;
            }
            a - k * TAU
        };
        let (mut f_low, mut f_high) = (f(low), f(high));
        while (high - low).abs() > EPSILON {
            let next = low + (low - high) * f_low / (f_high - f_low);
            let f_next = f(next);
            if f_next * f_high <= 0.0 {
                (low, f_low) = (high, f_high);
            } else {
                f_low /= 2.0;
            }
            (high, f_high) = (next, f_next);
        }
        (low / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_papers_own_example() {
        let games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
            .map(|(rating, deviation, score)| Played { against: of(rating, deviation), score });
        let after = of(1500.0, 200.0).after(&games);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_01, "{after:?}");
    }

    #[test]
    fn who_does_not_play_is_less_sure_and_never_surer_than_a_beginner() {
        let mut rating = of(1500.0, 50.0);
        for _ in 0..10 {
            let after = rating.after(&[]);
            assert!(after.deviation > rating.deviation && (after.rating - rating.rating).abs() < 1e-9);
            rating = after;
        }
        assert!((Rating::default().after(&[]).deviation - 350.0).abs() < 1e-9);
    }

    #[test]
    fn who_wins_rises_and_more_against_the_strong() {
        let won = |against| of(1500.0, 100.0).after(&[Played { against, score: 1.0 }]).rating;
        assert!(won(of(1300.0, 60.0)) > 1500.0);
        assert!(won(of(1800.0, 60.0)) > won(of(1300.0, 60.0)));
        // An upset far beyond what was expected ends the search, too.
        let games = vec![Played { against: of(2900.0, 30.0), score: 1.0 }; 40];
        assert!(of(800.0, 30.0).after(&games).rating.is_finite());
    }
}
