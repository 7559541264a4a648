//! What a place is worth to a unit: what it could do from there, what could be done to it there, and how near it is
//! to what the battle is about. Distances are taken between middles, so a place costs next to nothing to judge.

use arrayvec::ArrayVec;
use tricorne_table::{Bounds, Point};

use super::footing::Footing;
use super::mind::Weighs;
use super::stakes::{Goal, Prize, Stakes, ease};
use crate::battle::Fray;
use crate::options::UnitsBlockSight;
use crate::state::{Layout, MAX_UNITS, No, Order};
use crate::tables::rulebook::{Class, Cover};

/// An enemy as one unit sees it: what each could do to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prey {
    pub(crate) v: No,
    pub(crate) at: Point,
    pub(crate) girth: f64,
    pub(crate) level: u8,
    /// What our fire is worth at short and at long range, the chance of the order included.
    pub(crate) short: f64,
    pub(crate) long: f64,
    /// What our attack is worth, without the chance of the order, and what it costs the enemy alone.
    pub(crate) attack: f64,
    pub(crate) toll: f64,
    /// Friends who may still attack it this turn.
    pub(crate) friends: f64,
    /// What its fire costs us in the open at short and long range.
    bite: [f64; 2],
    bite_range: [f64; 2],
    /// What its attack costs us in the open and behind something, and from how far it comes.
    maul: [f64; 2],
    pub(crate) charge: f64,
    /// Inches it may add At the Double.
    dash: f64,
    /// Whether it is in sight from where we stand.
    open: bool,
    /// How many of our friends it could turn on instead.
    others: f64,
}

impl Prey {
    /// How far its fire comes.
    pub(crate) fn bite_reach(&self) -> f64 {
        self.bite_range[1]
    }

    /// How far its best fire comes.
    pub(crate) fn short_reach(&self) -> f64 {
        self.bite_range[0]
    }

    /// What its best fire costs us in the open.
    pub(crate) fn worst_bite(&self) -> f64 {
        self.bite[0]
    }

    /// What its long fire costs us in the open.
    pub(crate) fn long_bite(&self) -> f64 {
        self.bite[1]
    }

    /// What its attack costs us, in the open or behind something.
    pub(crate) fn maul(&self, defended: bool) -> f64 {
        self.maul[usize::from(defended)]
    }

    /// Whether it could strike at all.
    pub(crate) fn strikes(&self) -> bool {
        self.maul[0] > 0.0
    }
}

/// What a place is worth, by what it is worth for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verdict {
    /// What could be done from there.
    pub(crate) chance: f64,
    /// What could be done to the unit there; less than nothing.
    pub(crate) danger: f64,
    /// What is to be held.
    pub(crate) goal: f64,
    /// The way off the table.
    pub(crate) exit: f64,
}

impl Verdict {
    /// All of it together.
    pub(crate) fn sum(&self) -> f64 {
        self.chance + self.danger + self.goal + self.exit
    }

    /// What the scenario pays for alone.
    pub(crate) fn aims(&self) -> f64 {
        self.goal + self.exit
    }
}

/// A unit that decides, and all it needs to know.
pub(crate) struct Officer<'a> {
    pub(crate) battle: &'a Fray,
    pub(crate) stakes: &'a Stakes,
    pub(crate) weighs: &'a Weighs,
    pub(crate) u: No,
    pub(crate) prey: ArrayVec<Prey, MAX_UNITS>,
    /// What we are to the enemy.
    pub(crate) prize: Prize,
    pub(crate) footing: Footing,
    here: Point,
    pub(crate) girth: f64,
    pace: f64,
    stride: f64,
    exit_worth: f64,
    attack_chance: f64,
    screens: Screens,
    pub(crate) bold: f64,
    bent: Bent,
}

/// What an officer of some kind of troops makes of things, by how far the battle has come: factors.
#[derive(Clone, Copy, Debug)]
struct Bent {
    chance: f64,
    danger: f64,
    goal: f64,
    fire: f64,
    attack: f64,
}

impl Bent {
    fn of(battle: &Fray, u: No, stakes: &Stakes) -> Self {
        let (w, card) = (battle.weighs(), battle.card(u));
        let late = |by_the_end: f64| 1.0 + (by_the_end - 1.0) * stakes.gone();
        let [chance, danger, goal, fire, attack] = match card.class {
            Class::Cavalry => [w.horse_chance, w.horse_danger, w.horse_goal, w.horse_fire, w.horse_attack],
            Class::Infantry if card.ignores_ground() => {
                [w.tribes_chance, w.tribes_danger, w.tribes_goal, w.tribes_fire, w.tribes_attack]
            }
            Class::Infantry if !card.closes => {
                [w.loose_chance, w.loose_danger, w.loose_goal, w.loose_fire, w.loose_attack]
            }
            _ => [1.0; 5],
        };
        Self {
            chance: chance * late(w.chance_late),
            danger: danger * late(w.danger_late),
            goal: goal * late(w.goal_late),
            fire,
            attack: attack * late(w.attack_late),
        }
    }
}

/// How far a unit reaches from its middle, roughly.
pub(crate) fn girth(battle: &Fray, u: No) -> f64 {
    let b = battle.bounds(u);
    if b.width().is_finite() && b.width() > 0.0 { (b.width() + b.depth()) * 0.22 } else { 1.5 }
}

/// Boxes of units that may hide an enemy from a unit.
pub(super) struct Screens(ArrayVec<(No, Bounds), MAX_UNITS>);

impl Screens {
    /// Those about a unit.
    pub(super) fn about(battle: &Fray, u: No) -> Self {
        let mut screens = ArrayVec::new();
        if battle.field.options.units_block_sight != UnitsBlockSight::None {
            for w in battle.on_table().filter(|&w| w != u) {
                let other = battle.unit(w);
                if !other.is_pinned() && !other.gone_to_ground && other.garrison.is_none() {
                    screens.push((w, battle.bounds(w)));
                }
            }
        }
        Self(screens)
    }

    /// Whether an enemy would be in sight from a place, by one line between the middles.
    pub(super) fn in_sight(&self, battle: &Fray, from: Point, v: No, to: Point) -> bool {
        let land = &battle.field.land;
        let held = battle.unit(v).garrison.map(usize::from);
        if land.buildings.iter().any(|&i| Some(i) != held && land.pieces[i].crossed_by(from, to)) {
            return false;
        }
        if !land.woods.is_empty() && land.woods_along(from, to) > land.woods_blind {
            return false;
        }
        if !land.hills.is_empty() {
            let high = land.level_at(from).max(land.level_at(to));
            if land.hills.iter().any(|&i| high < land.pieces[i].level && land.pieces[i].crossed_by(from, to))
            {
                return false;
            }
        }
        !self.0.iter().any(|(w, bounds)| *w != v && hides(from, to, bounds))
    }
}

/// Whether a stretch runs through a box well inside it.
fn hides(a: Point, b: Point, bounds: &Bounds) -> bool {
    let middle = bounds.centre();
    let way = b - a;
    let length = way.length();
    if length < 1e-6 {
        return false;
    }
    let along = (middle - a).dot(way) / length;
    let aside = (middle - a).cross(way).abs() / length;
    along > 0.0 && along < length && aside < (bounds.width() + bounds.depth()) * 0.18
}

impl<'a> Officer<'a> {
    /// Studies the enemies of a unit.
    pub(crate) fn new(battle: &'a Fray, stakes: &'a Stakes, u: No) -> Self {
        let unit = battle.unit(u);
        let mut officer = Officer {
            battle,
            stakes,
            weighs: battle.weighs(),
            u,
            prey: ArrayVec::new(),
            prize: battle.prize(stakes, u),
            footing: battle.footing(u),
            here: unit.anchor.point(),
            girth: girth(battle, u),
            pace: f64::from(battle.pace(u)) / 1000.0,
            stride: battle.stride(u),
            exit_worth: battle.exit_worth(u),
            attack_chance: battle.order_chance(u, Order::Attack),
            screens: Screens::about(battle, u),
            bold: stakes.bold[unit.side.index()],
            bent: Bent::of(battle, u, stakes),
        };
        let may_attack = battle.may_attack_at_all(u).is_ok();
        let fire_chance = battle.order_chance(u, Order::Fire);
        for v in battle.enemies(u) {
            let prey = officer.study(v, may_attack, fire_chance);
            officer.prey.push(prey);
        }
        officer
    }

    /// The wall or fence that an enemy stands behind as seen from here (WBK-MOD-26).
    fn wall_of(&self, v: No) -> Option<usize> {
        let b = self.battle;
        let land = &b.field.land;
        if b.unit(v).garrison.is_some() {
            return None;
        }
        let near = b.field.rulebook.charts.near.obstacle_defended;
        let around = b.bounds(v).grown(near);
        let to = b.unit(v).anchor.point();
        land.obstacles.iter().copied().find(|&i| {
            let piece = &land.pieces[i];
            piece.bounds.meets(&around) && piece.crossed_by(self.here, to) && b.near_piece(v, i, near)
        })
    }

    fn study(&self, v: No, may_attack: bool, fire_chance: f64) -> Prey {
        let (b, stakes, u, w) = (self.battle, self.stakes, self.u, self.weighs);
        let (unit, target) = (b.unit(u), b.unit(v));
        let at = target.anchor.point();
        let prize = b.prize(stakes, v);
        let weapon = &b.card(u).weapon;
        let girth = girth(b, v);
        let gap = (self.here.distance(at) - girth - self.girth).max(0.0);
        let far = weapon.long.unwrap_or(weapon.short);
        let cover = match target.garrison {
            Some(_) => Cover::Hard,
            None if gap <= far && !b.field.land.obstacles.is_empty() => b.cover(u, v),
            None => b.field.land.cover_at(at),
        };
        let ours = |short: bool, cover: Cover| {
            let losses = b.volley_losses(u, v, short, cover, unit.close_order, false);
            prize.price(&losses, true) * fire_chance
        };
        let theirs = |short: bool| {
            let losses = b.volley_losses(v, u, short, Cover::None, target.close_order, false);
            let ready = if target.is_pinned() { w.pinned_fire } else { b.order_chance(v, Order::Fire) };
            self.prize.price(&losses, true) * ready
        };
        let (attack, toll) = if may_attack {
            let brawl = b.brawl(b.fighters(u, v, self.wall_of(v)));
            b.brawl_value(stakes, (u, v), [&self.prize, &prize], &brawl)
        } else {
            (f64::NEG_INFINITY, 0.0)
        };
        let (maul, charge) = if b.card(v).is_crewed() || b.may_attack_at_all(v).is_err() {
            ([0.0; 2], 0.0)
        } else {
            let ready =
                if target.is_pinned() { w.pinned_attack } else { b.order_chance(v, Order::Attack).max(0.4) };
            let mut sides = b.fighters(v, u, None);
            if unit.gone_to_ground {
                sides[1].dice = unit.models; // whoever goes elsewhere stands up
            }
            let maul = [0, b.field.rulebook.charts.hits.defended].map(|extra| {
                sides[1].extra = extra;
                let value = b.brawl_value(stakes, (v, u), [&prize, &self.prize], &b.brawl(sides)).0;
                value.max(0.0) * ready
            });
            (maul, f64::from(b.pace(v)) / 1000.0)
        };
        let arms = &b.card(v).weapon;
        Prey {
            v,
            at,
            girth,
            level: b.level(v),
            short: self.bent.fire * ours(true, cover),
            long: if weapon.long.is_some() && !target.gone_to_ground {
                self.bent.fire * ours(false, cover)
            } else {
                0.0
            },
            attack: if attack > 0.0 { attack * self.bent.attack } else { attack },
            toll,
            friends: self.friends_against(v, at),
            bite: [theirs(true), if arms.long.is_some() { theirs(false) } else { 0.0 }],
            bite_range: [arms.short, arms.long.unwrap_or(arms.short)],
            maul,
            charge,
            dash: if b.doubles_in(v) { 6.0 } else { 0.0 },
            open: self.screens.in_sight(self.battle, self.here, v, at),
            others: self.others_for(v, at),
        }
    }

    /// How many others of ours an enemy could fire at or charge by its next turn.
    fn others_for(&self, v: No, at: Point) -> f64 {
        let b = self.battle;
        let side = b.unit(self.u).side;
        let arms = &b.card(v).weapon;
        let reach = arms.long.unwrap_or(arms.short).max(f64::from(b.pace(v)) / 1000.0) + 4.0;
        let fit = |w: No| {
            let other = b.unit(w);
            let moves = if other.activated { 0.0 } else { f64::from(b.pace(w)) / 1000.0 };
            w != self.u && other.side == side && other.anchor.point().distance(at) <= reach + moves
        };
        b.on_table().filter(|&w| fit(w)).count() as f64
    }

    /// How many others may still go at an enemy this turn.
    fn friends_against(&self, v: No, at: Point) -> f64 {
        let b = self.battle;
        let side = b.unit(self.u).side;
        let fit = |w: No| {
            let other = b.unit(w);
            w != self.u
                && other.side == side
                && !other.activated
                && !other.is_pinned()
                && !b.card(w).is_crewed()
                && other.anchor.point().distance(at) <= f64::from(b.pace(w)) / 1000.0 + girth(b, v) + 2.5
        };
        b.on_table().filter(|&w| fit(w)).count().min(2) as f64
    }

    /// What one enemy could do to us in a place.
    pub(crate) fn threat(&self, footing: &Footing, e: &Prey) -> f64 {
        let gap = self.gap(footing.at, e);
        let reach = e.charge + e.dash;
        let shot = gap <= e.bite_range[1];
        let struck = e.strikes() && gap <= reach;
        if !shot && !struck {
            return 0.0;
        }
        let b = self.battle;
        let (cover, defended) = footing.against(&b.field.land, e.at, e.level);
        let mut danger = 0.0_f64;
        if shot {
            let short = gap <= e.bite_range[0];
            danger = e.bite[usize::from(!short)] * b.cover_share(cover, short);
            let seen = if footing.still {
                e.open
            } else {
                self.screens.in_sight(self.battle, footing.at, e.v, e.at)
            };
            if !seen {
                danger *= self.weighs.unseen;
            }
        }
        if struck {
            let comes = if gap <= e.charge { 1.0 } else { (reach - gap) / e.dash };
            danger = danger.max(e.maul(defended) * comes);
        }
        danger / (1.0 + self.weighs.crowd * e.others)
    }

    /// What all enemies but one could do to us in a place.
    pub(crate) fn peril(&self, footing: &Footing, but: Option<No>) -> f64 {
        let (mut first, mut second, mut rest) = (0.0_f64, 0.0_f64, 0.0_f64);
        for e in self.prey.iter().filter(|e| Some(e.v) != but) {
            let mut danger = self.threat(footing, e);
            if danger > first {
                std::mem::swap(&mut danger, &mut first);
            }
            if danger > second {
                std::mem::swap(&mut danger, &mut second);
            }
            rest += danger;
        }
        let w = self.weighs;
        (first + w.second_danger * second + w.third_danger * rest) * w.danger * self.bent.danger / self.bold
    }

    /// What could be done from a place.
    fn chance(&self, footing: &Footing) -> f64 {
        let b = self.battle;
        let (unit, weapon) = (b.unit(self.u), &b.card(self.u).weapon);
        let far = weapon.long.unwrap_or(weapon.short);
        let fixed = matches!(unit.layout, Layout::Gun | Layout::Block);
        let half = self.weighs.chance_turns.max(0.1);
        let mut chance = 0.0_f64;
        for e in &self.prey {
            let gap = self.gap(footing.at, e);
            let mut turns = f64::max(0.0, gap - weapon.short) / self.pace;
            let mut long_turns = f64::max(0.0, gap - far) / self.pace;
            let best = (e.short * ease(turns, half)).max(e.long * ease(long_turns, half));
            if best > chance {
                let seen = gap > far
                    || if footing.still {
                        e.open && (!fixed || b.in_arc(self.u, e.v))
                    } else {
                        self.screens.in_sight(self.battle, footing.at, e.v, e.at)
                    };
                if !seen {
                    turns += 1.0;
                    long_turns += 1.0;
                }
                chance = chance.max(e.short * ease(turns, half)).max(e.long * ease(long_turns, half));
            }
            let strike = e.attack.max(self.weighs.hurt * e.toll);
            if strike > 0.0 {
                let turns = (gap - self.pace).max(0.0) / self.pace;
                chance = chance.max(strike * self.attack_chance * ease(turns, half));
            }
        }
        self.bold * self.weighs.chance * self.bent.chance * chance
    }

    /// What a place is worth.
    pub(crate) fn judge(&self, footing: &Footing) -> Verdict {
        Verdict { chance: self.chance(footing), danger: -self.peril(footing, None), ..self.aims_of(footing) }
    }

    /// What a place is worth, judged by its middle.
    pub(crate) fn value(&self, p: Point, layout: Layout) -> f64 {
        self.judge(&self.battle.footing_at(self.u, p, layout)).sum()
    }

    /// Turns until the unit is where a goal asks it to be. A step short of a marker is as good as a turn short of it: it
    /// scores nothing (WBK-SCEN-09).
    fn turns_to(&self, g: usize, goal: &Goal, footing: &Footing) -> f64 {
        let far = (footing.at.distance(goal.at) - goal.within - 0.5).max(0.0);
        match goal.building {
            None if footing.is_on(g) => 0.0,
            None => (far / self.stride).max(self.weighs.goal_short),
            // In it, or a walk to its door and another through it (WBK-MOD-33).
            Some(_) if footing.housed && footing.at.distance(goal.at) < 0.5 => 0.0,
            Some(_) => (far - 3.0).max(0.0) / self.stride + 1.5,
        }
    }

    /// What a place is worth for the aims of the scenario alone.
    pub(crate) fn aims_of(&self, footing: &Footing) -> Verdict {
        let (b, stakes, w) = (self.battle, self.stakes, self.weighs);
        let side = b.unit(self.u).side;
        let mut verdict = Verdict::default();
        if let Some((g, goal)) = self.task() {
            verdict.goal = w.goal * stakes.goal_value(goal, self.turns_to(g, goal, footing));
        } else {
            // Near enough to help or to take over.
            let near = stakes.goals.iter().enumerate().filter(|(_, g)| g.serves(side)).map(|(g, goal)| {
                let turns = (footing.at.distance(goal.at) - goal.within - 4.0).max(0.0) / self.stride;
                let there = goal.building.is_none() && footing.is_on(g);
                stakes.goal_value(goal, if there { 0.0 } else { turns + 1.0 })
            });
            verdict.goal = w.near_goal * near.fold(0.0, f64::max);
        }
        verdict.goal *= self.bent.goal;
        if footing.housed {
            // As long as we are in it nobody else walks in.
            let wanted = stakes.goals.iter().filter(|g| g.building.is_some() && !g.serves(side));
            let wanted = wanted.filter(|g| g.at.distance(footing.at) < 0.5);
            verdict.goal += w.deny * wanted.map(|g| stakes.goal_value(g, 1.0)).fold(0.0, f64::max);
        }
        if let Some((far, _)) = b.exit_distance(side, footing.at) {
            // Who is still on the table must be woken once more, in a round that is still to come: at the edge is not out.
            let turns = ((far - self.girth).max(0.0) / self.stride).max(1.0);
            let time = if stakes.left < 1.0 { 0.0 } else { b.in_time(self.u, stakes.left, turns) };
            let part = w.exit_anyway + (1.0 - w.exit_anyway) * time;
            verdict.exit = w.exit * stakes.scale * self.exit_worth * part * ease(turns, w.exit_turns);
        }
        verdict
    }

    /// The goal the unit is told off to.
    pub(crate) fn task(&self) -> Option<(usize, &Goal)> {
        let g = usize::from(self.stakes.task[self.u.index()]?);
        Some((g, self.stakes.goals.get(g)?))
    }

    /// The gap to an enemy from a place, roughly.
    pub(crate) fn gap(&self, p: Point, e: &Prey) -> f64 {
        (p.distance(e.at) - e.girth - self.girth).max(0.0)
    }

    /// Where the unit stands.
    pub(crate) fn stands(&self) -> Point {
        self.here
    }

    /// What the unit's place is worth as it stands.
    pub(crate) fn here(&self) -> Verdict {
        self.judge(&self.footing)
    }

    /// What leaving the shelter it has would cost it here.
    pub(crate) fn shelter(&self) -> f64 {
        if !self.footing.shelters() {
            return 0.0;
        }
        (self.peril(&Footing::bare(self.here), None) - self.peril(&self.footing, None)).max(0.0)
    }
}
