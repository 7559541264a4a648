//! What a battle is about, read from the scenario's aims: what each unit is worth, what is to be held or reached,
//! and who is ahead. No scenario is known by name.

use arrayvec::ArrayVec;
use tricorne_game::InOrder;
use tricorne_game::Side;
use tricorne_table::{Edge, Point};

use super::mind::Weighs;
use super::odds::{Brawl, Losses, two_dice};
use crate::battle::Fray;
use crate::field::Worth;
use crate::state::{Fate, IMPERIAL, MAX_UNITS, NATIVE, No, Order};
use crate::tables::rulebook::Class;

/// The points a battle's aims are scaled to: a usual force.
pub(super) const USUAL: f64 = 24.0;

/// Turns that a first marker usually takes a unit out of the battle for.
const USUALLY_OUT: f64 = 2.4;

/// Something to hold.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The side that scores for it; none for either.
    pub(crate) side: Option<Side>,
    pub(crate) at: Point,
    /// How near is near enough.
    pub(crate) within: f64,
    /// Scaled points for each round held, and more at the end.
    each: f64,
    at_end: f64,
    /// Scaled points at once, with the end of the battle.
    at_once: f64,
    from_round: f64,
    /// The building to be in.
    pub(crate) building: Option<usize>,
    /// Who holds it now.
    pub(crate) holder: Option<Side>,
}

/// What is at stake, worked out once for a decision.
#[derive(Clone, Debug)]
pub(crate) struct Stakes {
    /// What the loss of each unit is worth to its enemy.
    pub(crate) worth: [f64; MAX_UNITS],
    pub(crate) goals: ArrayVec<Goal, 16>,
    /// The goal each unit of the side that decides goes for.
    pub(crate) task: [Option<u8>; MAX_UNITS],
    /// Scenario points to ours.
    pub(crate) scale: f64,
    /// Rounds after this one.
    pub(crate) left: f64,
    round: f64,
    rounds: f64,
    /// Above 1 for a side that must do something, below for one that may sit; by side.
    pub(crate) bold: [f64; 2],
    /// How far the Imperial side is ahead if all stays as it is to the end.
    pub(crate) lead: f64,
    /// How far it is ahead by what is scored already.
    pub(crate) banked: f64,
    goal_turns: f64,
    /// What the friends of each unit would suffer by its end (WBK-PIN-03, 04).
    panic: [f64; MAX_UNITS],
}

/// Less for what comes later: 1 now, a half in `half` turns.
pub(crate) fn ease(turns: f64, half: f64) -> f64 {
    half / (half + turns.max(0.0))
}

impl Goal {
    /// Whether it is worth anything to a side.
    pub(crate) fn serves(&self, side: Side) -> bool {
        self.side.is_none_or(|s| s == side)
    }
}

impl Stakes {
    /// How much of the battle has been fought: 0 at its beginning, 1 in its last round.
    pub(crate) fn gone(&self) -> f64 {
        if self.rounds > 1.0 { ((self.round - 1.0) / (self.rounds - 1.0)).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// What a goal is worth to whoever is there in so many turns and stays.
    pub(crate) fn goal_value(&self, goal: &Goal, turns: f64) -> f64 {
        let arrival = self.round + turns;
        if arrival >= self.rounds + 1.0 {
            return 0.0;
        }
        let held = (self.rounds + 1.0 - arrival.max(goal.from_round)).max(0.0);
        // Late comers are worth less the nearer the end is cut.
        let time = (self.rounds + 1.0 - arrival).clamp(0.0, 1.0);
        (goal.each * held + goal.at_end * time + goal.at_once * time) * ease(turns, self.goal_turns)
    }
}

/// A unit as its enemy sees it: what its losses are worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prize {
    models: usize,
    worth: f64,
    man: f64,
    last: f64,
    pin: f64,
    /// What two dice must make for it to stand without losses.
    needs: i32,
}

impl Prize {
    /// The chance that it is Pinned after losing so many (WBK-PIN-05 to 08).
    fn pinned_by(&self, lost: i32) -> f64 {
        1.0 - two_dice(self.needs + lost)
    }

    /// What losses are worth to its enemy: the models, the test they bring, the end of the unit.
    pub(crate) fn price(&self, losses: &Losses, tests: bool) -> f64 {
        let mut price = 0.0;
        for (lost, &chance) in losses.iter().enumerate().skip(1).take(self.models) {
            if chance > 1e-6 {
                let nerve = if lost == self.models {
                    self.last
                } else if tests {
                    self.pinned_by(lost as i32) * self.pin
                } else {
                    0.0
                };
                price += chance * (self.man * lost as f64 + nerve);
            }
        }
        price
    }
}

impl Fray {
    /// How much this battle's programs make of things.
    pub(crate) fn weighs(&self) -> &Weighs {
        &self.mind.weighs
    }

    /// What a lost unit scores for its enemy, in the scenario's points.
    pub(super) fn lost_worth(&self, u: No) -> f64 {
        let (card, enemy) = (self.card(u), self.unit(u).side.enemy());
        let lost = self.field.victory.lost.iter().filter(|(side, _)| *side == enemy);
        lost.map(|(_, worth)| match worth {
            Worth::Full => card.points,
            Worth::Half => card.points / 2,
            Worth::Points(n) => *n,
        })
        .map(f64::from)
        .sum()
    }

    /// What a unit would score by leaving now, in the scenario's points, what it costs to be left behind included.
    pub(crate) fn exit_worth(&self, u: No) -> f64 {
        let (unit, card) = (self.unit(u), self.card(u));
        let victory = &self.field.victory;
        let Some(exit) = victory.exits.iter().find(|e| e.side == unit.side) else { return 0.0 };
        let halved = exit.halved_scores_half && u32::from(unit.models) * 2 <= u32::from(card.start);
        let points = if halved { card.points / 2 } else { card.points };
        let bonus = if card.is_crewed() { exit.crewed_bonus } else { 0 };
        let left: i32 = victory.left.iter().filter(|(s, _)| *s != unit.side).map(|l| l.1).sum();
        f64::from(points + bonus + left)
    }

    /// From a place to where a unit's side may leave; none if it may not.
    pub(crate) fn exit_distance(&self, side: Side, from: Point) -> Option<(f64, Point)> {
        let exits = self.field.victory.exits.iter().filter(|e| e.side == side);
        exits
            .map(|exit| {
                let (x, y) = (from.x.clamp(exit.from, exit.to), from.y.clamp(exit.from, exit.to));
                let at = match exit.edge {
                    Edge::East => Point::new(self.field.width, y),
                    Edge::West => Point::new(0.0, y),
                    Edge::North => Point::new(x, self.field.height),
                    Edge::South => Point::new(x, 0.0),
                };
                (at.distance(from), at)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Inches a unit may count on in a turn, by a Move or At the Double.
    pub(crate) fn stride(&self, u: No) -> f64 {
        let pace = f64::from(self.card(u).pace) / 1000.0;
        let ordered = two_dice(self.leadership(u)).max(0.15);
        let walks = if self.is_free(u, Order::Move) { pace } else { pace * ordered };
        let runs = if self.card(u).is_crewed() { 0.0 } else { (pace + 3.5) * ordered };
        walks.max(runs).max(0.5)
    }

    /// How likely a way of so many turns is done in time: orders fail and enemies hinder, so time is short early.
    pub(crate) fn in_time(&self, u: No, left: f64, turns: f64) -> f64 {
        let spare = self.weighs().exit_spare;
        let fails = if self.is_free(u, Order::Move) { 0.1 } else { 1.0 - two_dice(self.leadership(u)) };
        let spread = 0.7 + 1.3 * (turns.max(0.0) * fails).sqrt();
        (0.5 + 0.5 * (left + 0.8 - 1.05 * turns) / (spare * spread)).clamp(0.0, 1.0)
    }

    /// What the aims come to at most, in the scenario's points: what they are scaled by.
    fn attainable(&self) -> f64 {
        let victory = &self.field.victory;
        let rounds = f64::from(self.field.rounds);
        let held = rounds + 1.0 - f64::from(victory.marker_from_round);
        let markers = victory.markers.len() as f64
            * (f64::from(victory.marker_each_round) * held.max(0.0) + f64::from(victory.marker_at_end));
        let both = [IMPERIAL, NATIVE].map(|side| {
            let own = self.state.units.numbers().filter(|&u| self.unit(u).side == side);
            let enemies = self.state.units.numbers().filter(|&u| self.unit(u).side != side);
            let lost: f64 = enemies.map(|u| self.lost_worth(u)).sum();
            let exits: f64 = own.map(|u| self.exit_worth(u)).sum();
            let garrisons: f64 = victory
                .garrisons
                .iter()
                .filter(|g| g.0 == side)
                .map(|g| f64::from(g.2) * rounds + f64::from(g.3))
                .sum();
            let storms: f64 = victory.storms.iter().filter(|s| s.0 == side).map(|s| f64::from(s.2)).sum();
            lost + exits * 0.6 + garrisons + storms
        });
        both[0].max(both[1]) + markers * 0.6
    }

    /// What is to be held, and how points are scaled, before anybody's worth is known; either school goes on from there.
    pub(super) fn aims(&self, goal_turns: f64) -> Stakes {
        let attainable = self.attainable();
        let scale = if attainable > 0.0 { (USUAL / attainable).clamp(0.1, 6.0) } else { 1.0 };
        let (round, rounds) = (f64::from(self.state.round.max(1)), f64::from(self.field.rounds));
        let mut stakes = Stakes {
            worth: [0.0; MAX_UNITS],
            goals: ArrayVec::new(),
            task: [None; MAX_UNITS],
            scale,
            left: (rounds - round).max(0.0),
            round,
            rounds,
            bold: [1.0; 2],
            lead: 0.0,
            banked: 0.0,
            goal_turns,
            panic: [0.0; MAX_UNITS],
        };
        self.read_goals(&mut stakes);
        stakes
    }

    /// What is at stake now, with the tasks of one side.
    pub(crate) fn stakes(&self, side: Side) -> Stakes {
        let weighs = self.weighs();
        let mut stakes = self.aims(weighs.goal_turns);
        let scale = stakes.scale;
        for u in self.on_table() {
            let card = self.card(u);
            let lost = self.lost_worth(u);
            // A unit whose loss scores nothing is still one that fights no more.
            let mut worth = f64::from(card.points)
                * if lost > 0.0 { weighs.unit_scored } else { weighs.unit }
                + scale * lost;
            if let Some((far, _)) = self.exit_distance(self.unit(u).side, self.unit(u).anchor.point()) {
                let turns = far / self.stride(u);
                let time = self.in_time(u, stakes.left, turns);
                worth += scale * self.exit_worth(u) * time * weighs.exit_at_stake;
            }
            stakes.worth[u.index()] = worth;
        }
        for goal in &stakes.goals {
            let value = stakes.goal_value(goal, 0.0) * weighs.goal_at_stake;
            for u in self.on_table() {
                let near = self.bounds(u).distance_squared(goal.at) <= goal.within * goal.within;
                if near && goal.holder.is_none_or(|h| h == self.unit(u).side) {
                    stakes.worth[u.index()] += value;
                }
            }
        }
        self.fear_panic(&mut stakes);
        self.who_leads(&mut stakes);
        self.share_out(&mut stakes, side, weighs.horse_turns);
        stakes
    }

    fn read_goals(&self, stakes: &mut Stakes) {
        let victory = &self.field.victory;
        let scale = stakes.scale;
        for (i, marker) in victory.markers.iter().enumerate().take(8) {
            stakes.goals.push(Goal {
                side: None,
                at: marker.at,
                within: victory.marker_within,
                each: scale * f64::from(victory.marker_each_round),
                at_end: scale * f64::from(victory.marker_at_end),
                at_once: 0.0,
                from_round: f64::from(victory.marker_from_round),
                building: None,
                holder: self.holder(i),
            });
        }
        let land = &self.field.land;
        let centre = |b: usize| land.pieces.get(b).and_then(|p| p.area()).map(tricorne_table::Area::centroid);
        let inside = |b: usize| {
            let held = self.on_table().find(|&u| self.unit(u).garrison.map(usize::from) == Some(b));
            held.map(|u| self.unit(u).side)
        };
        let mut add = |side: Side, b: usize, each: i32, at_end: i32, at_once: i32| {
            let Some(at) = centre(b) else { return };
            let goal = Goal {
                side: Some(side),
                at,
                within: 1.0,
                each: scale * f64::from(each),
                at_end: scale * f64::from(at_end),
                at_once: scale * f64::from(at_once),
                from_round: 1.0,
                building: Some(b),
                holder: inside(b),
            };
            let _ = stakes.goals.try_push(goal);
        };
        for &(side, b, each, at_end) in &victory.garrisons {
            add(side, b, each, at_end, 0);
        }
        for &(side, b, points) in &victory.storms {
            add(side, b, 0, 0, points);
        }
    }

    /// What the loss of each unit would do to its friends about it.
    fn fear_panic(&self, stakes: &mut Stakes) {
        let near = self.field.rulebook.charts.tests.friends_within;
        for u in self.on_table() {
            for v in self.on_table().filter(|&v| v != u && self.unit(v).side == self.unit(u).side) {
                if self.bounds(u).gap_squared(&self.bounds(v)) <= near * near {
                    let runs = 1.0 - two_dice(self.nerve(v) - self.card(v).discipline);
                    stakes.panic[u.index()] += stakes.worth[v.index()] * runs * self.weighs().pinned;
                }
            }
        }
    }

    /// Who is ahead if everything stays as it is; and by how much he must be.
    pub(super) fn who_is_ahead(&self, stakes: &mut Stakes) -> f64 {
        let mut sides = [IMPERIAL, NATIVE].map(|side| stakes.scale * f64::from(self.score(side)));
        stakes.banked = sides[0] - sides[1];
        for goal in &stakes.goals {
            if let Some(holder) = goal.holder.filter(|&h| goal.serves(h)) {
                sides[holder.index()] += stakes.goal_value(goal, 0.0);
            }
        }
        for &(side, each) in &self.field.victory.left {
            let left = self.on_table().filter(|&u| self.unit(u).side != side).count();
            sides[side.index()] += stakes.scale * f64::from(each) * left as f64;
        }
        stakes.lead = sides[0] - sides[1];
        stakes.scale * f64::from(self.field.victory.draw_margin)
    }

    /// Who is ahead, and how bold that makes each side.
    fn who_leads(&self, stakes: &mut Stakes) {
        let margin = self.who_is_ahead(stakes);
        let weighs = self.weighs();
        for side in [IMPERIAL, NATIVE] {
            let lead = if side == IMPERIAL { stakes.lead } else { -stakes.lead };
            let behind = weighs.behind * (margin - lead) / USUAL;
            stakes.bold[side.index()] = (weighs.bold + behind).clamp(0.6, 2.0);
        }
    }

    /// Gives each goal to the unit that can be there first, each unit one goal.
    pub(super) fn share_out(&self, stakes: &mut Stakes, side: Side, horse_turns: f64) {
        let mut pairs: ArrayVec<(f64, u8, No), 256> = ArrayVec::new();
        for u in self.on_table().filter(|&u| self.unit(u).side == side) {
            let (unit, card) = (self.unit(u), self.card(u));
            for (g, goal) in stakes.goals.iter().enumerate().filter(|(_, g)| g.serves(side)) {
                if goal.building.is_some() && card.class != Class::Infantry {
                    continue;
                }
                let far = (goal.at.distance(unit.anchor.point()) - goal.within - 1.0).max(0.0);
                let mut turns = far / self.stride(u);
                if card.class == Class::Cavalry {
                    turns *= horse_turns;
                }
                if unit.is_pinned() {
                    turns += 1.5;
                }
                if card.is_crewed() {
                    turns += 2.0; // guns hold ground only when nobody else does
                }
                let _ = pairs.try_push((turns, g as u8, u));
            }
        }
        pairs.put_in_order(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut given = [false; 16];
        for &(_, g, u) in &pairs {
            let (goal, unit) = (usize::from(g), u.index());
            if !given[goal] && stakes.task[unit].is_none() {
                given[goal] = true;
                stakes.task[unit] = Some(g);
            }
        }
    }

    /// What a unit is to the enemy, for the reckoning of losses.
    pub(crate) fn prize(&self, stakes: &Stakes, u: No) -> Prize {
        let weighs = self.weighs();
        let unit = self.unit(u);
        let models = usize::from(unit.models).max(1);
        let worth = stakes.worth[u.index()];
        let calm = self.nerve_test(u, 0);
        let needs = self.nerve(u) - calm.reasons().sum();
        // Turns that a unit with so many markers is out of the battle: until a Rally is passed (WBK-RALLY-03 to 05).
        let out = |markers: u8| {
            if markers == 0 {
                return 0.0;
            }
            (1.0 / two_dice(needs + i32::from(markers)).max(0.08)).min(stakes.left + 1.0)
        };
        let share = if unit.is_pinned() { weighs.pinned_again } else { weighs.pinned };
        let longer = out(unit.pinned.saturating_add(1)) - out(unit.pinned);
        Prize {
            models,
            worth,
            man: worth * weighs.men / models as f64,
            last: worth * weighs.last_man + weighs.panic * stakes.panic[u.index()],
            pin: worth * share * longer / USUALLY_OUT,
            needs,
        }
    }

    /// What an attack is expected to be worth to the attacker, and what it costs the defender alone.
    pub(crate) fn brawl_value(
        &self,
        stakes: &Stakes,
        (a, d): (No, No),
        [attacker, defender]: [&Prize; 2],
        brawl: &Brawl,
    ) -> (f64, f64) {
        let weighs = self.weighs();
        let (won, drawn) = brawl.outcome();
        let lost = (1.0 - won - drawn).max(0.0);
        // The loser retreats and tests; losers have mostly lost more than the average.
        let mean = |losses: &Losses| -> i32 {
            let mean: f64 = losses.iter().enumerate().map(|(n, c)| n as f64 * c).sum();
            mean.round() as i32 + 1
        };
        let routed = |prize: &Prize, losses: &Losses| {
            prize.pinned_by(mean(losses)) * prize.pin + prize.worth * weighs.driven_back
        };
        let mut toll = defender.price(&brawl.defender, false) + won * routed(defender, &brawl.defender);
        let cost = attacker.price(&brawl.attacker, false) + lost * routed(attacker, &brawl.attacker);
        // A beaten garrison or holder gives up what it holds; a storm is won by those who can go in.
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
                toll += won * stakes.goal_value(goal, 0.0) * weighs.dislodge;
            }
        }
        (toll - cost - drawn * stakes.worth[a.index()] * weighs.repelled, toll)
    }

    /// What is left of a side, in points: models, halved by being Pinned or leaderless, weighed by their price.
    pub(crate) fn strength(&self, side: Side) -> f64 {
        let mut sum = 0.0;
        for u in self.state.units.numbers() {
            let (unit, card) = (self.unit(u), self.card(u));
            let here = matches!(unit.fate, Fate::OnTable | Fate::ToCome);
            if unit.side != side || !here {
                continue;
            }
            let share = f64::from(unit.models) / f64::from(card.start.max(1));
            let state = if unit.is_pinned() { 0.75 } else { 1.0 } * if unit.leader { 1.0 } else { 0.92 };
            sum += f64::from(card.points) * (0.25 + 0.75 * share) * state;
        }
        sum
    }
}
