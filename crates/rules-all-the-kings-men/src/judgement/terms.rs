//! What is weighed, by name: features of a position, and what an officer makes of things in an answer. How much each
//! weighs stands in `judgement.toml`.

use std::sync::{Arc, LazyLock};

use tricorne_drill::{Mind, judgement, terms};
use tricorne_game::{Choices, Fault, Judgement};

use crate::rulebook;

terms! {
    /// What a position is worth: each is ours less theirs.
    pub struct Worth {
        /// The hand-written reckoning that came before, in log-odds.
        lead,
        /// The share of each army that is gone: men, units, order.
        balance,
        /// How far each army is from breaking.
        nerve,
        /// The score as it stands, in victories (ATKM-END-08, ATKM-END-09).
        score,
        /// The same, the more the later it is.
        score_late,
        /// The grip on what is fought over.
        hold,
        /// The same, the more the later it is.
        hold_late,
        /// Generals on the field, by rating.
        command,
        /// Line infantry, in pairs of whole units.
        foot,
        /// Cavalry.
        horse,
        /// Skirmishers.
        light,
        /// Batteries.
        guns,
        /// Mobs, in pairs.
        mobs,
        /// Units that are tired, exhausted or disordered.
        tired,
        /// Acts that the cards still give this turn.
        cards,
        /// What the best of those acts can do to the enemy, in 20 points of troops.
        now,
        /// What all units can do next turn.
        next,
    }
}

terms! {
    /// What an officer weighs in an answer. All values are in points of troops, or shares of them, unless the line says otherwise.
    pub struct Weighs {
        /// The share of a unit's worth that goes man by man; the rest goes when it routs.
        by_men,
        /// What being a mob takes from a unit's worth.
        as_mob,
        /// What a unit is worth beyond itself when its rout breaks the army.
        breaks,
        /// The same, shared by the units that may yet be lost before.
        last,
        /// What a hit adds to the men it costs: the loss of colour, as a share of the unit's worth.
        shaken,
        /// What a charge costs its maker, against what it costs the charged.
        charger_pays,
        /// What our acts of this turn are worth beforehand.
        now_own,
        /// What theirs are.
        now_enemy,
        /// How much each further act of an army counts against the one before it.
        fade,
        /// What our units can do next turn.
        next_own,
        /// What theirs can.
        next_enemy,
        /// Fire from who must first come within range.
        coming,
        /// A charge by who has but to charge.
        charge_now,
        /// A charge by who must first come near.
        charge_next,
        /// An attack on whom troops or ground hide.
        screened,
        /// What is just out of reach.
        out_of_reach,
        /// Distance at which an enemy promises nothing more, in inches.
        far_off,
        /// A march, so that nobody walks to and fro.
        march,
        /// Any other act.
        spend,
        /// Light infantry that goes apart into skirmishers.
        split,
        /// Its parts forming again when horse is near.
        gather,
        /// What a retreat must bring.
        retreat,
        /// What an act must bring at least to be worth its card.
        least: threshold,
        /// What a command point is worth.
        point,
        /// Of an enemy's loss again when he stands on what is fought over.
        contested,
        /// What is fought over to the end, for each point of the score.
        prize,
        /// What scores turn after turn, for each point that it may still bring.
        toll,
        /// What decides the battle by itself when it is held.
        seize,
        /// Of that to others than the first two there.
        crowd,
        /// Distance from which it no longer draws anybody, in inches.
        draws,
        /// How much of it counts early in the battle.
        early,
        /// Turns before the end from which what counts only then begins to count.
        before_end,
        /// How much being ahead or behind near the end changes how hard one presses.
        press,
        /// An inch nearer than six to the table's edge, as a share of a unit's worth.
        edge,
        /// What a hit may do to a general beside the target.
        general_near,
        /// A ride by a King against an act.
        kings_ride,
        /// The shortest ride that a King is spent on, in inches.
        kings_way: threshold,
        /// What a King's ride must bring.
        kings_least: threshold,
    }
}

/// What a battle's programs of this system go by.
pub(crate) type OwnMind = Mind<Worth, Weighs>;

/// The weights as they come with the rulebook.
pub(crate) static STANDARD: LazyLock<Judgement> =
    LazyLock::new(|| judgement::read(rulebook::JUDGEMENT).unwrap_or_else(|e| panic!("{e}")));

static MIND: LazyLock<Arc<OwnMind>> =
    LazyLock::new(|| Arc::new(Mind::of(&STANDARD).unwrap_or_else(|e| panic!("judgement.toml: {e}"))));

/// The mind of a battle: the rulebook's, or by a player's own `judgement.toml`.
pub(crate) fn mind(choices: &Choices) -> Result<Arc<OwnMind>, Fault> {
    match choices.data.get(rulebook::JUDGEMENT_FILE) {
        None => Ok(Arc::clone(&MIND)),
        Some(own) => {
            let file = tricorne_game::Source::new(rulebook::JUDGEMENT_FILE, own.as_str());
            Mind::read(&file, &STANDARD).map(Arc::new)
        }
    }
}

#[cfg(test)]
mod tests {
    use tricorne_drill::judgement::seen_as_they_are;

    use super::*;

    #[test]
    fn what_must_be_reached_is_seen_as_it_is() {
        assert_eq!(seen_as_they_are(&MIND), ["least", "kings_way", "kings_least"]);
    }
}
