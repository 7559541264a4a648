//! How weak the ranks below a subaltern are, and what slips them meanwhile.
//!
//! How weak stands in a rulebook's `judgement.toml`, rank by rank: what makes a child's opponent in one system would
//! hardly be noticed in another.

use std::collections::BTreeMap;

use tricorne_chance::{Seed, Whim, fingerprint};

use crate::near::did_you_mean;
use crate::source::Place;

/// Numbers by rank and name, as a file's `[frailty.RANK]` tables hold them.
pub type Frailties = BTreeMap<String, BTreeMap<String, f64>>;

/// What keeps an officer from the best answer that he could see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frailty {
    /// An answer that promises so much less is e times less likely to be taken. The best promise is about 1.
    pub second_best: f64,
    /// The share of units, his own and the enemy's, that he does not think of; others in the next turn.
    pub forgets: f64,
    /// How far out of proportion he sees the things he weighs: two of three are off by no more than a factor of e to
    /// this, none by more than its square. The same all battle long, so one is rash and another timid.
    pub misjudges: f64,
}

impl Frailty {
    /// The ranks that have any, weakest first.
    pub const RANKS: [&'static str; 3] = ["recruit", "corporal", "sergeant"];

    /// The numbers' names and the most that each may be.
    const NAMES: [(&'static str, f64); 3] = [("second_best", 1.0), ("forgets", 1.0), ("misjudges", 3.0)];

    /// What a rank has where a rulebook says nothing.
    pub fn usual(rank: &str) -> Self {
        match rank {
            "recruit" => Self { second_best: 0.2, forgets: 0.3, misjudges: 0.6 },
            "corporal" => Self { second_best: 0.1, forgets: 0.2, misjudges: 0.4 },
            "sergeant" => Self { second_best: 0.05, forgets: 0.1, misjudges: 0.2 },
            _ => Self::default(),
        }
    }

    /// What a rank has by a file's tables.
    pub fn of(rank: &str, tables: &Frailties) -> Self {
        let usual = Self::usual(rank);
        let Some(own) = tables.get(rank) else { return usual };
        let named = |name: &str, usual: f64| own.get(name).copied().unwrap_or(usual);
        Self {
            second_best: named("second_best", usual.second_best),
            forgets: named("forgets", usual.forgets),
            misjudges: named("misjudges", usual.misjudges),
        }
    }

    /// Says where a file's tables are wrong, and what would be right.
    pub(crate) fn check(tables: &Frailties) -> Result<(), (Vec<Place>, String)> {
        let place = |steps: &[&str]| {
            std::iter::once("frailty").chain(steps.iter().copied()).map(Place::from).collect::<Vec<_>>()
        };
        for (rank, numbers) in tables {
            if !Self::RANKS.contains(&rank.as_str()) {
                let all = format!("those who have are {}", Self::RANKS.join(", "));
                let near = did_you_mean(rank, Self::RANKS, all);
                return Err((place(&[rank]), format!("no rank `{rank}` has weaknesses; {near}")));
            }
            for (name, value) in numbers {
                let Some((_, most)) = Self::NAMES.iter().find(|(known, _)| known == name) else {
                    let names = || Self::NAMES.iter().map(|(known, _)| *known);
                    let all = format!("there is {}", names().collect::<Vec<_>>().join(", "));
                    let near = did_you_mean(name, names(), all);
                    return Err((place(&[rank, name]), format!("there is no weakness `{name}`; {near}")));
                };
                if !(0.0..=*most).contains(value) {
                    return Err((place(&[rank, name]), format!("{value} is not from 0 to {most}")));
                }
            }
        }
        Ok(())
    }

    /// Puts tables of one's own over others, number by number.
    pub fn over(tables: &mut Frailties, own: &Frailties) {
        for (rank, numbers) in own {
            tables.entry(rank.clone()).or_default().extend(numbers.iter().map(|(k, v)| (k.clone(), *v)));
        }
    }
}

/// What slips an officer in one turn of one battle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lapse {
    /// How weak he is.
    pub frailty: Frailty,
    /// What his weaknesses are drawn from: the same all battle long.
    pub seed: Option<Seed>,
    /// The turn.
    pub turn: u32,
}

impl Lapse {
    /// Whether he does not think of a unit or group in this turn.
    pub fn forgets(&self, unit: &str) -> bool {
        self.seed.is_some_and(|seed| {
            self.frailty.forgets > 0.0
                && drawn(seed, u64::from(self.turn), unit).unit() < self.frailty.forgets
        })
    }

    /// How far he has a thing that is weighed out of proportion, as the logarithm of a factor.
    pub fn bias(&self, weight: &str) -> f64 {
        let Some(seed) = self.seed.filter(|_| self.frailty.misjudges > 0.0) else { return 0.0 };
        let mut whim = drawn(seed, u64::MAX, weight);
        // Three dice: a bell of width 1 without far tails.
        let bell = (0..3).map(|_| 2.0 * whim.unit() - 1.0).sum::<f64>().clamp(-2.0, 2.0);
        self.frailty.misjudges * bell
    }
}

/// Luck that stays the same for a name.
fn drawn(seed: Seed, spell: u64, name: &str) -> Whim {
    Whim::new(seed, fingerprint(name.bytes()) ^ spell.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slipping(frailty: Frailty, turn: u32) -> Lapse {
        Lapse { frailty, seed: Some(Seed::from(3)), turn }
    }

    #[test]
    fn some_units_are_forgotten_for_a_turn_and_others_in_the_next() {
        let frailty = Frailty { forgets: 0.25, ..Frailty::default() };
        let gone = |turn| -> Vec<u8> {
            (0..100).filter(|n| slipping(frailty, turn).forgets(&format!("U{n}"))).collect()
        };
        assert_eq!(gone(0), gone(0));
        assert_ne!(gone(0), gone(1));
        let share: usize = (0..40).map(|turn| gone(turn).len()).sum();
        assert!((800..1200).contains(&share), "{share} of 4000");
        assert!(!Lapse::default().forgets("U1"), "nothing slips the strong");
    }

    #[test]
    fn things_are_out_of_proportion_all_battle_long_and_never_without_bounds() {
        let frailty = Frailty { misjudges: 0.5, ..Frailty::default() };
        let biases: Vec<f64> = (0..1000).map(|n| slipping(frailty, 1).bias(&format!("weight {n}"))).collect();
        let later: Vec<f64> = (0..1000).map(|n| slipping(frailty, 9).bias(&format!("weight {n}"))).collect();
        assert_eq!(biases, later);
        assert!(biases.iter().all(|b| b.abs() <= 1.0));
        let within = biases.iter().filter(|b| b.abs() <= 0.5).count();
        assert!((600..740).contains(&within), "{within} of 1000");
        assert!(Lapse::default().bias("danger").abs() < f64::EPSILON);
    }

    #[test]
    fn a_number_left_out_is_as_usual() {
        let tables = Frailties::from([("recruit".into(), [("forgets".into(), 0.5)].into())]);
        let recruit = Frailty::of("recruit", &tables);
        assert_eq!(recruit, Frailty { forgets: 0.5, ..Frailty::usual("recruit") });
        assert_eq!(Frailty::of("sergeant", &tables), Frailty::usual("sergeant"));
        assert_eq!(Frailty::of("general", &tables), Frailty::default());
    }
}
