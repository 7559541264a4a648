//! Human weakness: what keeps a recruit from the best answer that he could see.
//!
//! A weak player is not one who does anything at all. He weighs what an officer would weigh, takes the second or third
//! best of it more often than he should (heat), and for a while he does not think of some of his troops, or does not see
//! one of the enemy's (overlooked). What is absurd at first sight he leaves alone, as people do.

use serde_json::Value;
use tricorne_chance::{Seed, Whim};

use crate::field::Field;
use crate::verdict::Verdict;

/// How weak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frailty {
    /// So much less promise makes an answer e times less likely to be taken.
    heat: f64,
    /// The share of units that are overlooked at any time.
    overlooks: f64,
}

/// Answers that are this many heats behind the best are seen for what they are.
const ABSURD: f64 = 4.0;

/// Decisions for which the same units are overlooked.
const SPELL: u64 = 10;

impl Frailty {
    pub(crate) const RECRUIT: Frailty = Frailty { heat: 0.25, overlooks: 0.3 };
    pub(crate) const CORPORAL: Frailty = Frailty { heat: 0.14, overlooks: 0.2 };
    pub(crate) const SERGEANT: Frailty = Frailty { heat: 0.06, overlooks: 0.1 };

    /// Puts another answer first, where weakness has it so. `asked` is how many decisions this player was asked before.
    pub(crate) fn muddle<F: Field>(
        self,
        field: &F,
        verdict: &mut Verdict<F::Order>,
        (seed, asked): (Seed, u64),
        whim: &mut Whim,
    ) {
        let Some(top) = verdict.weighed.first().map(|w| w.promise) else { return };
        let mut best: Option<(bool, f64, usize)> = None;
        for (i, weighed) in verdict.weighed.iter().enumerate() {
            // Drawn for every answer, so that what one hangs on does not shift the others.
            let luck = -libm::log(-libm::log(whim.unit().clamp(1e-12, 1.0 - 1e-12)));
            if weighed.promise < top - ABSURD * self.heat {
                continue;
            }
            let spell = asked / SPELL;
            let seen = about(&field.written(&weighed.order))
                .is_none_or(|unit| drawn(seed, spell, &unit) >= self.overlooks);
            let score = weighed.promise + self.heat * luck;
            if best.is_none_or(|(had, most, _)| (seen, score) > (had, most)) {
                best = Some((seen, score, i));
            }
        }
        if let Some((.., i)) = best {
            verdict.weighed[..=i].rotate_right(1);
        }
    }
}

/// The unit or group that an answer names first: whom it is about.
fn about(action: &Value) -> Option<String> {
    let inner = action.as_object()?.values().next()?;
    let word = |value: &Value| match value {
        Value::String(id) => Some(id.clone()),
        Value::Array(ids) => ids.first()?.as_str().map(str::to_owned),
        _ => None,
    };
    word(inner).or_else(|| ["unit", "group", "units", "target"].iter().find_map(|key| word(inner.get(key)?)))
}

/// A number from 0 to 1 that stays the same for a unit through a spell.
fn drawn(seed: Seed, spell: u64, unit: &str) -> f64 {
    // FNV-1a: small, and the same everywhere.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in unit.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Whim::new(seed, hash ^ spell.wrapping_mul(0x9e37_79b9_7f4a_7c15)).unit()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_about_the_unit_it_names() {
        let of = |action: Value| about(&action);
        assert_eq!(of(json!({ "activate": "I1" })).as_deref(), Some("I1"));
        assert_eq!(of(json!({ "move": { "to": [1, 2], "unit": "K2" } })).as_deref(), Some("K2"));
        assert_eq!(of(json!({ "group": { "units": ["A", "B"] } })).as_deref(), Some("A"));
        assert_eq!(of(json!("end_turn")), None);
        assert_eq!(of(json!({ "reroll": true })), None);
    }

    #[test]
    fn some_units_are_overlooked_for_a_while_and_others_later() {
        let seed = Seed::from(3);
        let gone =
            |spell| -> Vec<u8> { (0..100).filter(|n| drawn(seed, spell, &format!("U{n}")) < 0.25).collect() };
        assert_eq!(gone(0), gone(0));
        assert_ne!(gone(0), gone(1));
        let share: usize = (0..40).map(|spell| gone(spell).len()).sum();
        assert!((800..1200).contains(&share), "{share} of 4000");
    }
}
