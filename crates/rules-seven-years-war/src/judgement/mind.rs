//! What programs weigh, under names; how much stands in the rulebook's `judgement.toml`.

use std::sync::LazyLock;

use tricorne_drill::{Mind, terms};
use tricorne_game::{Fault, Judgement, Source};

terms! {
    /// What a position is worth to a side: its own less the enemy's, about 1 where it is much.
    pub struct Worth {
        /// The first school's reckoning, as log-odds.
        first,
        /// Points of foot in close order, as a share of both armies' points.
        foot,
        /// Points of horse in close order.
        horse,
        /// Points of guns.
        guns,
        /// Points of light troops.
        lights,
        /// Stands lost, as a share of what breaks an army (SYW-WIN-02): the enemy's less one's own.
        losses,
        /// The same to the fourth power: the last steps before an army breaks.
        brink,
        /// Victory points ahead, in leads that win (SYW-WIN-06), bent so that twice enough counts little more.
        points,
        /// The same, the more the later it is.
        points_late,
        /// Ground that is worth points and held.
        ground,
        /// The same, the more the later it is.
        ground_late,
        /// Stands on or near such ground that could yet decide it.
        hold,
        /// Points in disorder: the enemy's less one's own.
        disorder,
        /// Points on Retreat or in rout: the enemy's less one's own.
        flight,
        /// Flanks that can be charged now: the enemy's less one's own.
        flanks,
        /// How well generals reach their brigades.
        command,
        /// Whose phase it is.
        tempo,
        /// Groups that have lost half their stands: the enemy's less one's own.
        worn,
    }
}

terms! {
    /// What an officer makes of things in an answer, in points of the army lists unless it says otherwise.
    pub struct Weighs {
        /// Foot sent forward with somebody to go for.
        advance_foot,
        /// Foot sent forward to the flank of those before it.
        extend,
        /// Lights sent forward.
        advance_lights,
        /// Horse sent forward.
        advance_horse,
        /// Guns sent forward that have nobody in range.
        advance_guns,
        /// Foot halted with an enemy in range.
        stand_in_range,
        /// Foot halted within a shift of its range.
        stand_near,
        /// Foot halted before enemies that are coming on.
        stand_coming,
        /// Guns halted with a target.
        stand_guns,
        /// Halted on ground that is worth points.
        stand_ground,
        /// Going for ground that is worth points.
        go_for_ground,
        /// On Reserve to march to such ground where an advance may not go.
        reserve_to_ground,
        /// Horse on Reserve to ride for a flank.
        reserve_to_flank,
        /// On Reserve to face an enemy at the flank or rear.
        reserve_to_face,
        /// On Reserve to march round friends, or to their flank.
        reserve_round,
        /// Worn out and on Reserve, to be taken out of reach.
        reserve_worn,
        /// Horse on Reserve to be taken out of the enemy's muskets.
        reserve_from_fire,
        /// Horse halted under muskets, for each battalion that has it in its strip.
        stand_in_fire,
        /// The least chance at which an order is tried at all (a probability).
        least_chance: threshold,
        /// Disorder cured with the enemy near, as a share of the unit's points.
        cure_near,
        /// Disorder cured with the enemy far, as a share of the unit's points.
        cure_far,
        /// Runners brought back, as a share of the group's points.
        rally,
        /// Ground gained towards where it is wanted, for each 12 cm.
        gain,
        /// A place on ground that is worth points, for each lead that it is worth.
        on_ground,
        /// A flank that the enemy could charge, as a share of what that would cost.
        danger,
        /// A charge that would be open from there next time, as a share of its worth.
        hope,
        /// Fire that one comes under, for each point of the group.
        under_fire,
        /// The same for horse.
        fire_on_horse,
        /// Horse drawn back from the enemy's muskets.
        out_of_fire,
        /// Halted behind friends.
        behind_friends,
        /// Close order in ground that disorders it, as a share of the group's points.
        bad_ground,
        /// Far from one's general, for each 10 cm beyond 20.
        out_of_hearing,
        /// Winning or losing a round of melee, as a share of what fights.
        mastery,
        /// A group that runs, as a share of its points.
        rout,
        /// A group that falls back, as a share of its points.
        retreat,
        /// A charge that fails its test.
        balk,
        /// The least that a charge must promise.
        least_charge: threshold,
        /// Stopping with the enemy in range.
        halt_ready,
        /// Volleys at short range instead of long, for each point of the exchange.
        close_in,
        /// The least that such an exchange must promise.
        least_exchange: threshold,
        /// How much less it need promise to those who are behind, by how late it is.
        despair,
        /// Over a crest towards an enemy who is not in sight.
        over_the_crest,
        /// A square before horse, as a share of what a charge in flank would cost.
        square,
        /// A general within hearing of those he may have to order, for each point of theirs.
        ride,
        /// A general beside troops that fight.
        ride_to_fight,
        /// A shot at somebody who charges, as a factor.
        shoot_charger,
        /// A shot at troops on ground that is worth points, as a factor.
        shoot_holder,
        /// How hard a side presses that is well ahead; one that is level presses by 1.
        sit_won,
        /// How hard a side presses that is ahead by just enough.
        sit_ahead,
        /// How much harder a side presses that is not ahead, the less time is left.
        haste,
        /// Twice as far is a quarter as tempting, beyond so many centimetres.
        near: threshold,
        /// Foot sent after horse in close order, against foot sent after foot.
        foot_after_horse,
        /// Lights sent after close order, against foot sent after foot.
        lights_after_line,
        /// Horse sent at a front, as a share of what the charge would be worth.
        front_prey,
        /// Going for somebody whom friends stand before, as a share.
        behind_others,
        /// Going for somebody whom other foot has gone for, as a share.
        taken,
        /// Stands wanted on ground that is worth points, for each of the enemy at hand.
        garrison_share,
        /// Stands wanted there beyond that.
        garrison_more,
        /// Enemies so near to such ground are at hand, in centimetres.
        at_hand: threshold,
        /// Turns before the end in which horse goes for such ground too.
        horse_to_ground: threshold,
        /// Turns before the end from which such ground is gone for more eagerly.
        ground_hurry: threshold,
        /// Foot sent forward from ground that it holds.
        leave_post,
        /// Horse sent forward from ground that it holds.
        leave_post_horse,
        /// Foot sent forward with friends before it, or with nobody to go for.
        blocked,
        /// Foot sent forward with a charge open, for each point that the charge is worth.
        charge_open,
        /// The same for horse.
        charge_open_horse,
        /// Horse sent forward with the enemy near, against with him far off.
        horse_close,
        /// Guns sent forward that have somebody in range.
        guns_keep,
        /// Guns halted with somebody at extreme range.
        stand_guns_far,
        /// Foot halted with nobody about.
        stand_idle,
        /// Horse halted.
        stand_horse,
        /// How near the enemy must come on for foot to halt before him, in centimetres.
        coming_within: threshold,
        /// On Reserve with nothing to march for.
        reserve_idle,
        /// Horse on Reserve with nothing to ride for.
        reserve_idle_horse,
        /// What a charge in flank costs those who turn in time, as a share of a rout.
        turned_anyway,
        /// Guns that one comes under.
        cannon,
        /// Muskets that one comes under.
        muskets,
        /// Horse that can reach guns.
        horse_at_guns,
        /// Horse that can reach foot.
        horse_at_foot,
        /// Runners ridden down, as a share of their points.
        run_down,
        /// How much more a charge tempts those who must press on.
        charge_push,
        /// Sent forward when the enemy has charged: it gains the order only.
        charged_on,
        /// After beaten foes with nobody else about.
        pursue,
        /// Lights that give way before a charge, as a share of their points.
        ground_given,
        /// Disorder that a volley brings, as a share of the points it falls on.
        shot_disorders,
        /// How much more it counts to shoot at those who have lost much.
        shoot_worn,
        /// A shot at runners, as a factor.
        shoot_runners,
        /// A shift into range.
        into_range,
    }
}

/// What an officer judges by.
pub type OfficersMind = Mind<Worth, Weighs>;

/// The rulebook's weights.
pub fn standard() -> &'static Judgement {
    static WEIGHTS: LazyLock<Judgement> = LazyLock::new(|| {
        tricorne_drill::judgement::read(crate::rulebook::JUDGEMENT)
            .expect("the weights compiled in are sound")
    });
    &WEIGHTS
}

/// A mind by a file of weights; what the file leaves out is as in the rulebook.
pub fn mind(file: &Source) -> Result<OfficersMind, Fault> {
    OfficersMind::read(file, standard())
}

#[cfg(test)]
mod tests {
    use tricorne_drill::judgement::seen_as_they_are;

    use super::*;

    #[test]
    fn what_must_be_reached_is_seen_as_it_is() {
        let mind = OfficersMind::of(standard()).unwrap_or_else(|why| panic!("{why}"));
        let reached = [
            ["least_chance", "least_charge", "least_exchange", "near"],
            ["at_hand", "horse_to_ground", "ground_hurry", "coming_within"],
        ];
        assert_eq!(seen_as_they_are(&mind), reached.concat());
    }
}
