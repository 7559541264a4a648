//! What programs weigh in this game, by name; how much stands in `judgement.toml`.

use tricorne_drill::{Mind, terms};

terms! {
    /// What there is in a position, ours less theirs: `Fray::features_of`.
    pub struct Worth {
        /// The lead as the first judgement saw it, in log-odds.
        first_sight,
        /// Points scored already.
        scored,
        /// Points scored, the more the less time is left.
        scored_late,
        /// Points if everything stays as it is to the end, the more the less time is left.
        to_come,
        /// The share of what both sides have left that is ours.
        strength,
        /// The same while there is time to make something of it.
        strength_early,
        /// Foot left, by their price.
        foot,
        /// Horse left.
        horse,
        /// Crewed weapons left.
        guns,
        /// Units in hand that no enemy has weakened yet.
        fresh,
        /// Enemies Pinned less friends Pinned, by their price.
        pinned,
        /// Pinned so badly that the next Rally may be a rout.
        shaken,
        /// Units without a leader.
        leaderless,
        /// How well units obey and stand, by Leadership and price.
        nerve,
        /// What could be shot down next turn.
        fire,
        /// What could be ridden or run down next turn.
        charge,
        /// Places that score and whom they are nearer to.
        goals,
        /// The same, the more the less time is left.
        goals_late,
        /// Units that can still leave by their exit in time.
        exits,
        /// Units behind walls, in houses or in cover, with enemies about.
        cover,
        /// Units that may still act this turn.
        initiative,
    }
}

terms! {
    /// How much an officer makes of each thing he weighs.
    pub struct Weighs {
        /// A unit whose loss scores nothing, for each point of its price.
        unit,
        /// A unit whose loss scores, on top of what it scores.
        unit_scored,
        /// What a unit could still score by leaving, as part of what it is worth.
        exit_at_stake,
        /// What a unit holds, as part of what it is worth.
        goal_at_stake,
        /// A unit's men together, as part of what it is worth.
        men,
        /// The last man, as part of what the unit is worth.
        last_man,
        /// A first Pinned marker, as part of what the unit is worth.
        pinned,
        /// Any further marker.
        pinned_again,
        /// What friends near by suffer when a unit is lost.
        panic,
        /// Being driven back, as part of what the unit is worth.
        driven_back,
        /// Attacking for nothing, as part of what the unit is worth.
        repelled,
        /// Beating those who hold what scores.
        dislodge,
        /// How bold a side is that is neither ahead nor behind.
        bold,
        /// How much bolder it gets by being behind.
        behind,
        /// What could be done from a place.
        chance,
        /// Turns that halve what could be done.
        chance_turns,
        /// What a fight costs the enemy, for those who would lose it.
        hurt,
        /// What could be done to a unit in a place.
        danger,
        /// What a second enemy could do to it.
        second_danger,
        /// What could be done beyond those two.
        third_danger,
        /// How far danger is shared by each friend whom the same enemy could turn on.
        crowd,
        /// Fire from those who do not see the place yet.
        unseen,
        /// A place that scores, for the unit told off to it.
        goal,
        /// Turns that halve it.
        goal_turns,
        /// Turns that it is away, at least, from whoever does not hold it yet.
        goal_short,
        /// The same for all others.
        near_goal,
        /// A house that the enemy must have.
        deny,
        /// Leaving by an exit.
        exit,
        /// Turns that halve it.
        exit_turns,
        /// Turns to spare that make it certain.
        exit_spare,
        /// The part of it that does not hang on the time left.
        exit_anyway,
        /// Fire.
        fire,
        /// An attack that is expected to pay.
        attack,
        /// What the enemy attacked would have done to us.
        forestall,
        /// What the ground is worth to the aims that an attack leads to.
        ground_won,
        /// Others in reach of where an attack ends.
        exposed,
        /// Friends who may attack the same enemy afterwards.
        together,
        /// Shelter that an attack gives up.
        shelter,
        /// At the Double against a Move of the same kind.
        double,
        /// Having the choice of a run or a charge.
        either,
        /// The fire of a Skirmish.
        skirmish_fire,
        /// The walk of a Skirmish.
        skirmish_walk,
        /// Blows that Close Order saves.
        block,
        /// Volleys of Close Order.
        volley,
        /// Fire that Close Order draws.
        drawn_fire,
        /// The pace that Close Order costs.
        block_pace,
        /// Long fire that lying low is spared.
        lie_low,
        /// Blows met lying down.
        lie_low_risk,
        /// Dragging a gun about.
        drag,
        /// Taking over what the beaten enemy defended.
        occupy,
        /// Horse: what could be done from a place, as a factor.
        horse_chance,
        /// Horse: what could be done to it, as a factor.
        horse_danger,
        /// Horse: places that score, as a factor.
        horse_goal,
        /// Horse: its fire, as a factor.
        horse_fire,
        /// Horse: attacks that are expected to pay, as a factor.
        horse_attack,
        /// Tribal foot: what could be done from a place, as a factor.
        tribes_chance,
        /// Tribal foot: what could be done to it, as a factor.
        tribes_danger,
        /// Tribal foot: places that score, as a factor.
        tribes_goal,
        /// Tribal foot: its fire, as a factor.
        tribes_fire,
        /// Tribal foot: attacks that are expected to pay, as a factor.
        tribes_attack,
        /// Foot that forms no Close Order and is no tribe: what could be done from a place, as a factor.
        loose_chance,
        /// Foot that forms no Close Order and is no tribe: what could be done to it, as a factor.
        loose_danger,
        /// Foot that forms no Close Order and is no tribe: places that score, as a factor.
        loose_goal,
        /// Foot that forms no Close Order and is no tribe: its fire, as a factor.
        loose_fire,
        /// Foot that forms no Close Order and is no tribe: attacks that are expected to pay, as a factor.
        loose_attack,
        /// What could be done from a place, by the last round, as a factor.
        chance_late,
        /// What could be done to a unit in a place, by the last round, as a factor.
        danger_late,
        /// Places that score, by the last round, as a factor.
        goal_late,
        /// Attacks that are expected to pay, by the last round, as a factor.
        attack_late,
        /// Turns that horse is from a place that scores when it is asked who is told off to it, as a factor.
        horse_turns,
        /// Fire to be feared of the Pinned, as a chance.
        pinned_fire,
        /// Attacks to be feared of the Pinned, as a chance.
        pinned_attack,
        /// Who acts first: those in range.
        first_shoots,
        /// Who acts first: those in reach of an attack.
        first_strikes,
        /// Who acts first: the others.
        first_others,
        /// Who acts first: the Pinned.
        first_pinned,
        /// Who acts first: for each inch from the enemy, less.
        first_near,
    }
}

/// What a battle of this system goes by.
pub(crate) type WbkMind = Mind<Worth, Weighs>;

#[cfg(test)]
mod tests {
    use tricorne_drill::judgement::seen_as_they_are;

    use super::*;

    #[test]
    fn what_must_be_reached_is_seen_as_it_is() {
        let mind = WbkMind::of(&crate::tables::rulebook::judgement()).unwrap_or_else(|why| panic!("{why}"));
        assert!(seen_as_they_are(&mind).is_empty(), "it only weighs");
    }
}
