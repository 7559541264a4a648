//! How much an officer makes of each thing he weighs, under its name. All values are in points of troops, or shares of
//! them, unless the line says otherwise.

macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        /// What is weighed, and how much.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Weights {
            $($(#[$doc])* pub $name: f64,)*
        }

        /// Found by battles against the judgement before it.
        pub(super) const WEIGHTS: Weights = Weights { $($name: $value,)* };
    };
}

weights! {
    /// The share of a unit's worth that goes man by man; the rest goes when it routs.
    by_men = 0.6;
    /// What being a mob takes from a unit's worth.
    as_mob = 0.25;
    /// How much of that a reform gives back.
    reform = 0.6;
    /// Danger against gain while the enemy has cards to come.
    danger_now = 1.9;
    /// What of it lasts into the next turn.
    danger_later = 0.37;
    /// Danger from who must first come within range.
    danger_coming = 0.5;
    /// Danger from whom a friend stands in the way of.
    danger_screened = 0.5;
    /// What a step of colour takes from an enemy, as a share of his worth.
    tiring = 0.06;
    /// What a loss of colour adds to being hit, as a share of our worth.
    shaken = 0.05;
    /// What a charge that may be thrown back costs its maker in our eyes.
    charger_pays = 0.7;
    /// What somebody to fire at or charge next is worth now.
    outlook = 0.36;
    /// The same for a charge by troops that also fire.
    assault = 0.3;
    /// What somebody to ride at promises beyond the odds of the melee.
    ride_at = 2.0;
    /// Distance at which an enemy promises nothing more.
    far_off = 40.0;
    /// Of what he promises just out of reach.
    out_of_reach = 0.8;
    /// Of what he promises behind one's back.
    behind = 0.6;
    /// A march by fresh troops, as a share of their worth.
    march_fresh = 0.018;
    /// By tired ones.
    march_tired = 0.05;
    /// Fire or a charge that leaves a unit red.
    spend_tired = 0.012;
    /// Any other.
    spend = 0.006;
    /// How much of that is spared when there are more acts than cards.
    wear_spared = 1.0;
    /// Of a march spared to who comes to fire.
    on_purpose = 0.6;
    /// Distance of the nearest enemy from which foot thinks of a column.
    column_foot = 34.0;
    /// The same of horse.
    column_horse = 12.0;
    /// The same of guns.
    column_guns = 40.0;
    /// What a retreat must bring.
    retreat = 0.6;
    /// What an act must bring at least to be worth its card.
    least = -0.4;
    /// What a command point is worth.
    point = 0.15;
    /// What a charge must bring.
    charge = 0.3;
    /// Of an enemy's loss again when he stands on what is fought over.
    contested = 0.3;
    /// What is fought over, for each point of the score.
    prize = 0.6;
    /// Of that to others than the first two there.
    crowd = 0.3;
    /// Distance from which it no longer draws anybody.
    draws = 48.0;
    /// How much of it counts early in the battle.
    early = 0.3;
    /// Turns before the end from which what counts only then begins to count.
    before_end = 8.0;
    /// How much being ahead or behind near the end changes how hard one presses.
    press = 2.0;
    /// What the last unit before the army breaks is worth beyond itself.
    last = 8.0;
    /// A ride by a King against an act.
    kings_ride = 0.6;
    /// The shortest ride that a King is spent on, in inches.
    kings_way = 4.0;
    /// What a King's ride must bring.
    kings_least = 0.3;
}
