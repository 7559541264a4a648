//! What is weighed here, by name. How much each weighs stands in the rulebook's `judgement.toml`.

use tricorne_drill::{Mind, terms};

terms! {
    /// Features of a position, ours less theirs: what a side's standing is reckoned from.
    pub struct Worth {
        /// What the first judgement made of it, in log-odds: points left, army morale, trophies, the objective.
        lead,
        /// Points of the army lists left, as a share of what both sides began with.
        force,
        /// The share of army morale left (VF-SCEN-08).
        morale,
        /// The same lead, times how far through the battle we are.
        morale_late,
        /// One mishap from breaking: they less we.
        brink,
        /// Battalions in order, as a share of all there were.
        foot,
        /// Squadrons in order.
        horse,
        /// Guns in order.
        guns,
        /// Units in disorder that can still reform: they less we.
        disordered,
        /// Shaken units, which hardly ever come back (VF-SHAKEN-09): they less we.
        shaken,
        /// How far units have come on the way to being Shaken: they less we.
        worn,
        /// Units that may still act this turn.
        fresh,
        /// Kings in hand.
        kings,
        /// Units that could strike an enemy at their next activation.
        strikes,
        /// Enemies that have spent their fire within a charge of our fresh horse.
        openings,
        /// Commanders still in play.
        commanders,
        /// How the scenario's objective stands.
        objective,
        /// The same, times how far through the battle we are.
        objective_late,
    }
}

terms! {
    /// How much an officer makes of what he weighs in an answer. Points are those of the army lists (section 3.5).
    pub struct Weighs {
        /// A figure lost: as much of the unit's price as it is of the losses that make it Shaken.
        figure,
        /// A unit that wavers: a share of what is left of it.
        waver,
        /// The same if it was disordered already.
        waver_again,
        /// A rout, besides the army morale it costs.
        rout,
        /// Becoming Shaken and giving way: a share of what is left of it.
        shaken,
        /// A point of army morale: a share of the army's price by the break point.
        mishap,
        /// How much dearer the last points of army morale are.
        brink,
        /// Riding down those who give way before a charge of horse.
        pursuit,
        /// What a place is worth to a unit that charges out of it.
        after_charge,
        /// A charge that falls short.
        short_charge,
        /// A target that evades: a share of what is left of it.
        evaded,
        /// The disorder that a melee brings: a share of what is left of the unit.
        fought,
        /// The activation that being charged costs the target.
        charged,
        /// What one might do to the enemy from a place at the next activation.
        hope,
        /// The same for every target but the best.
        hope_more,
        /// What the enemy might do to one at a place.
        danger,
        /// The same for every enemy but the worst.
        danger_more,
        /// An enemy that has acted this turn is so much less of a danger.
        stale,
        /// So is one that must first reform.
        mending,
        /// So is one that faces elsewhere.
        turned,
        /// What can't be seen from a front is hoped for so much less.
        unseen,
        /// What can be hoped for out of a wood, as a share (VF-TERR-09).
        wood_hope,
        /// What can be hoped for in column or square, as a share.
        shape_hope,
        /// What can be hoped for on the limber, as a share.
        limber_hope,
        /// Boldness of who is behind, or not ahead, as the battle draws to its end.
        hurry,
        /// The same of who is ahead, as a share.
        hurry_ahead,
        /// Boldness of who wins if nothing happens.
        sit,
        /// Danger in a village (VF-MODEL-33).
        town,
        /// Danger behind a wall or a bank.
        wall,
        /// Ground that is slow for horse.
        mire,
        /// A hill to a gun.
        hill,
        /// Guns off the limber before a target, in points.
        unlimber,
        /// Guns brought forward to be unlimbered, in points.
        gun_forward,
        /// Guns with nothing before them turned to where there is, in points.
        gun_turn,
        /// Guns with nothing in range put on the limber, in points.
        gun_limber,
        /// Being out of every commander's reach.
        command,
        /// A column where it can be shot at or charged (VF-FIRE-17).
        column,
        /// A column with a long way before it.
        travel,
        /// An inch nearer to the enemy one hunts.
        hunt,
        /// How near foot goes for that.
        foot_keeps,
        /// How near horse does.
        horse_keeps,
        /// How near guns do.
        gun_keeps,
        /// How much further off than other foot lights stay.
        lights_keep,
        /// How much nearer who is behind goes as the end draws near, as a share.
        closer,
        /// Hunting somebody weak, against somebody whom much can be done to, in points.
        prey_base,
        /// How far off half as much draws a hunter, in inches.
        prey_near,
        /// A flank in choosing whom to hunt, as a share.
        prey_flank,
        /// An inch nearer to what the scenario is about.
        objective,
        /// The same as the end draws near.
        objective_late,
        /// Fire kept, as a share of what threatens.
        kept,
        /// Fire kept on the march, as a share of fire kept standing.
        march_kept,
        /// A shot against no shot.
        shot,
        /// A shot at the end of a march of half a move.
        march_shot,
        /// Fire that may be kept, in points.
        hold,
        /// The answer of a target that holds its fire.
        answer_held,
        /// The answer of a target that has not acted, and pays for it with its activation.
        answer_fresh,
        /// What answering fire costs a unit that has not acted.
        answer_price,
        /// What a march must bring more than standing.
        stir,
        /// The same of a march that ends in a shot, as a share.
        strike_stir,
        /// What a change of facing or formation must bring more than standing.
        shape,
        /// Reforming now: a share of what is left of the unit.
        reform,
        /// Reforming with the enemy near, against reforming far from him.
        reform_near,
        /// A rally passed: a share of the unit's price.
        rally,
        /// Waking a group out of command, against one in command.
        unled,
        /// Waking guns and lights out of command, who may shoot for certain, against a whole group's worth (VF-CMD-12).
        unled_fire,
        /// What waking a group must bring, in points.
        wake: threshold,
        /// Waking a group that can only march, in inches of its hunt.
        far_march,
        /// Waking horse that only wants to come nearer, as a share.
        waits,
        /// What a group must have to do for a King to be played on it.
        king: threshold,
        /// An enemy group forced to act with nothing to do: a share of its danger.
        jack,
        /// The general with a battalion under fire.
        general,
        /// A colonel with his regiment.
        colonel,
        /// What a general who joins a unit costs those who are left without him.
        leave,
        /// A regimental square: a share of the horse that can ride at it.
        square,
        /// Foot and guns that can shoot at a square, as a share of what is left of them.
        square_shot,
        /// What a square must bring, in points.
        square_least: threshold,
    }
}

/// What the battle's programs go by.
pub(crate) type Wits = Mind<Worth, Weighs>;

#[cfg(test)]
mod tests {
    use tricorne_drill::judgement::seen_as_they_are;

    use crate::rulebook::Rulebook;

    #[test]
    fn what_must_be_reached_is_seen_as_it_is() {
        assert_eq!(seen_as_they_are(&Rulebook::own().mind), ["wake", "king", "square_least"]);
    }
}
