//! Human weakness: what keeps a recruit from the best answer that he could see.
//!
//! A weak player is not one who does anything at all. He weighs what an officer would weigh, but makes too much of some
//! things and too little of others; he takes the second or third best of it more often than he should; and for a turn he
//! does not think of some of his troops, or does not see one of the enemy's. What is absurd at first sight he leaves
//! alone, as people do. How weak each rank is stands in the rulebook ([`tricorne_game::Frailty`]); what is out of
//! proportion is weighed so by the battle itself, and a system that asks after its units one by one passes over those
//! that are forgotten.

use tricorne_chance::Whim;
use tricorne_game::Lapse;

use crate::field::Field;
use crate::verdict::Verdict;

/// Answers that are so many times `second_best` behind are seen for what they are.
const ABSURD: f64 = 4.0;

/// Puts another answer first, where weakness has it so.
pub(crate) fn muddle<F: Field>(lapse: &Lapse, field: &F, verdict: &mut Verdict<F::Order>, whim: &mut Whim) {
    let thought_of: Vec<bool> = verdict
        .weighed
        .iter()
        .map(|w| field.about(&w.order).is_none_or(|unit| !lapse.forgets(unit.as_str())))
        .collect();
    // Whoever is asked about a unit that he forgot, and about nothing else, is reminded of it.
    let reminded = !thought_of.contains(&true);
    let heat = lapse.frailty.second_best;
    let mut top = None;
    let mut best: Option<(f64, usize)> = None;
    for (i, (weighed, thought_of)) in verdict.weighed.iter().zip(thought_of).enumerate() {
        // Drawn for every answer, so that what one hangs on does not shift the others.
        let luck = -libm::log(-libm::log(whim.unit().clamp(1e-12, 1.0 - 1e-12)));
        if !(thought_of || reminded) || weighed.promise < *top.get_or_insert(weighed.promise) - ABSURD * heat
        {
            continue;
        }
        let score = weighed.promise + heat * luck;
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, i));
        }
    }
    if let Some((_, i)) = best {
        verdict.weighed[..=i].rotate_right(1);
    }
}
