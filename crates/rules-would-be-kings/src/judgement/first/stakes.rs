//! What a battle is about, read from the scenario's aims: what each unit is worth, what is to be held or reached,
//! and who is ahead. No scenario is known by name.

use tricorne_game::Side;

use super::First;
use super::odds::Losses;
use crate::judgement::stakes::USUAL;
pub(crate) use crate::judgement::stakes::{Stakes, ease};
use crate::state::{IMPERIAL, NATIVE, No};

impl First<'_> {
    /// How likely a way of so many turns is done in time: orders fail and enemies hinder, so time is short early.
    pub(crate) fn in_time(left: f64, turns: f64) -> f64 {
        (0.5 + 0.5 * (left + 0.5 - 1.15 * turns) / (0.8 + 0.3 * turns)).clamp(0.0, 1.0)
    }

    /// What is at stake now, with the tasks of one side.
    pub(crate) fn stakes(&self, side: Side) -> Stakes {
        let mut stakes = self.aims(8.0);
        let scale = stakes.scale;
        for u in self.on_table() {
            let card = self.card(u);
            let lost = self.lost_worth(u);
            // A unit whose loss scores nothing is still one that fights no more.
            let mut worth = f64::from(card.points) * if lost > 0.0 { 0.45 } else { 0.3 } + scale * lost;
            if let Some((far, _)) = self.exit_distance(self.unit(u).side, self.unit(u).anchor.point()) {
                let turns = far / self.stride(u);
                worth += scale * self.exit_worth(u) * Self::in_time(stakes.left, turns) * 0.5;
            }
            stakes.worth[u.index()] = worth;
        }
        for goal in &stakes.goals {
            let value = stakes.goal_value(goal, 0.0) * 0.3;
            for u in self.on_table() {
                let near = self.bounds(u).distance_squared(goal.at) <= goal.within * goal.within;
                if near && goal.holder.is_none_or(|h| h == self.unit(u).side) {
                    stakes.worth[u.index()] += value;
                }
            }
        }
        self.who_leads(&mut stakes);
        self.share_out(&mut stakes, side, 1.0);
        stakes
    }

    /// Who is ahead if everything stays as it is.
    fn who_leads(&self, stakes: &mut Stakes) {
        let margin = self.who_is_ahead(stakes);
        for side in [IMPERIAL, NATIVE] {
            let lead = if side == IMPERIAL { stakes.lead } else { -stakes.lead };
            stakes.bold[side.index()] = (1.1 - (lead - margin) / USUAL).clamp(0.8, 1.5);
        }
    }

    /// What losses are worth to the enemy of the unit that has them: the models, the test they bring, the end of the
    /// unit.
    pub(crate) fn price_of(&self, stakes: &Stakes, u: No, losses: &Losses, tests: bool) -> f64 {
        let models = usize::from(self.unit(u).models).max(1);
        let worth = stakes.worth[u.index()];
        let each = worth * 0.6 / models as f64;
        let pinned = self.price_of_pin(stakes, u);
        let mut price = 0.0;
        for (lost, &chance) in losses.iter().enumerate().skip(1).take(models) {
            if chance > 1e-6 {
                let nerve = if lost == models {
                    worth * 0.4
                } else if tests {
                    self.pin_chance(u, lost) * pinned
                } else {
                    0.0
                };
                price += chance * (each * lost as f64 + nerve);
            }
        }
        price
    }

    /// What a Pinned marker is worth to the enemy.
    pub(crate) fn price_of_pin(&self, stakes: &Stakes, u: No) -> f64 {
        stakes.worth[u.index()] * if self.unit(u).is_pinned() { 0.12 } else { 0.25 }
    }

    /// What an attack is expected to be worth to the attacker.
    pub(crate) fn brawl_value(&self, stakes: &Stakes, a: No, d: No, brawl: &super::odds::Brawl) -> f64 {
        let (won, drawn) = brawl.outcome();
        let lost = (1.0 - won - drawn).max(0.0);
        let mut value = self.price_of(stakes, d, &brawl.defender, false)
            - self.price_of(stakes, a, &brawl.attacker, false);
        // The loser retreats and tests; losers have mostly lost more than the average.
        let mean = |losses: &Losses| -> usize {
            let mean: f64 = losses.iter().enumerate().map(|(n, c)| n as f64 * c).sum();
            mean.round() as usize + 1
        };
        let routed = |u: No, losses: &Losses| {
            self.pin_chance(u, mean(losses)) * self.price_of_pin(stakes, u) + stakes.worth[u.index()] * 0.06
        };
        value += won * routed(d, &brawl.defender) - lost * routed(a, &brawl.attacker);
        value -= drawn * stakes.worth[a.index()] * 0.05;
        // A beaten garrison or holder gives up what it holds.
        let enemy = self.unit(d).side;
        for goal in &stakes.goals {
            let held = match goal.building {
                Some(b) => self.unit(d).garrison.map(usize::from) == Some(b),
                None => {
                    goal.holder == Some(enemy)
                        && self.bounds(d).distance_squared(goal.at) <= goal.within * goal.within
                }
            };
            if held {
                value += won * stakes.goal_value(goal, 0.0) * 0.4;
            }
        }
        value
    }
}
