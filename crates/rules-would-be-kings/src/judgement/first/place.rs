//! What a place is worth to a unit: what it could do from there, what could be done to it there, and how near it is
//! to what the battle is about. Distances are taken between middles, so a place costs next to nothing to judge.

use arrayvec::ArrayVec;
use tricorne_game::InOrder;
use tricorne_table::Point;

use super::First;
use super::stakes::{Stakes, ease};
use crate::judgement::place::{Screens, girth};
use crate::model::base::forward;
use crate::state::{Layout, MAX_UNITS, No, Order};
use crate::tables::rulebook::Cover;

/// As near as this a wall is at hand.
const WALL: f64 = 2.0;

/// An enemy as one unit sees it: what each could do to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prey {
    pub(crate) v: No,
    pub(crate) at: Point,
    girth: f64,
    /// What our fire is worth at short and at long range, the chance of the order included.
    pub(crate) short: f64,
    pub(crate) long: f64,
    /// What our attack is worth, without the chance of the order.
    pub(crate) attack: f64,
    /// What its fire costs us in the open at short and long range.
    bite: [f64; 2],
    bite_range: [f64; 2],
    /// What its attack costs us, and from how far it comes.
    pub(crate) maul: f64,
    pub(crate) charge: f64,
    /// Inches it may add At the Double.
    dash: f64,
    /// Whether it is in sight from where we stand.
    open: bool,
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
}

/// A unit that decides, and all it needs to know.
pub(crate) struct Officer<'a> {
    pub(crate) battle: &'a First<'a>,
    pub(crate) stakes: &'a Stakes,
    pub(crate) u: No,
    pub(crate) prey: ArrayVec<Prey, MAX_UNITS>,
    here: Point,
    girth: f64,
    pace: f64,
    attack_chance: f64,
    screens: Screens,
    bold: f64,
}

impl<'a> Officer<'a> {
    /// Studies the enemies of a unit.
    pub(crate) fn new(battle: &'a First<'a>, stakes: &'a Stakes, u: No) -> Self {
        let unit = battle.unit(u);
        let here = unit.anchor.point();
        let mut officer = Officer {
            battle,
            stakes,
            u,
            prey: ArrayVec::new(),
            here,
            girth: girth(battle, u),
            pace: f64::from(battle.pace(u)) / 1000.0,
            attack_chance: battle.order_chance(u, Order::Attack),
            screens: Screens::about(battle, u),
            bold: stakes.bold[unit.side.index()],
        };
        let may_attack = battle.may_attack_at_all(u).is_ok();
        let fire_chance = battle.order_chance(u, Order::Fire);
        for v in battle.enemies(u) {
            let prey = officer.study(v, may_attack, fire_chance);
            officer.prey.push(prey);
        }
        officer
    }

    fn study(&self, v: No, may_attack: bool, fire_chance: f64) -> Prey {
        let (b, stakes, u) = (self.battle, self.stakes, self.u);
        let (unit, target) = (b.unit(u), b.unit(v));
        let cover = match target.garrison {
            Some(_) => Cover::Hard,
            None => b.field.land.cover_at(target.anchor.point()),
        };
        let weapon = &b.card(u).weapon;
        let ours = |short: bool, cover: Cover| {
            let losses = b.volley_losses(u, v, short, cover, unit.close_order, false);
            b.price_of(stakes, v, &losses, true) * fire_chance
        };
        let theirs = |short: bool| {
            let losses = b.volley_losses(v, u, short, Cover::None, target.close_order, false);
            let ready = if target.is_pinned() { 0.3 } else { b.order_chance(v, Order::Fire) };
            b.price_of(stakes, u, &losses, true) * ready
        };
        let attack = if may_attack {
            b.brawl_value(stakes, u, v, &b.brawl(b.fighters(u, v, None)))
        } else {
            f64::NEG_INFINITY
        };
        let (maul, charge) = if b.card(v).is_crewed() || b.may_attack_at_all(v).is_err() {
            (0.0, 0.0)
        } else {
            let ready = if target.is_pinned() { 0.25 } else { b.order_chance(v, Order::Attack).max(0.4) };
            let value = b.brawl_value(stakes, v, u, &b.brawl(b.fighters(v, u, None)));
            (value.max(0.0) * ready, f64::from(b.pace(v)) / 1000.0)
        };
        let arms = &b.card(v).weapon;
        Prey {
            v,
            at: target.anchor.point(),
            girth: girth(b, v),
            short: ours(true, cover),
            long: if weapon.long.is_some() && !target.gone_to_ground { ours(false, cover) } else { 0.0 },
            attack,
            bite: [theirs(true), if arms.long.is_some() { theirs(false) } else { 0.0 }],
            bite_range: [arms.short, arms.long.unwrap_or(arms.short)],
            maul,
            charge,
            dash: if b.doubles_in(v) { 6.0 } else { 0.0 },
            open: self.screens.in_sight(self.battle, self.here, v, target.anchor.point()),
        }
    }

    /// What a place is worth in the cover it gives. `still` when the unit stays as it stands.
    pub(crate) fn value(&self, p: Point, still: bool) -> f64 {
        let land = &self.battle.field.land;
        let cover = if still && self.battle.unit(self.u).garrison.is_some() {
            Cover::Hard
        } else if land.covering.is_empty() {
            Cover::None
        } else {
            land.cover_at(p)
        };
        self.value_in(p, still, cover)
    }

    /// What a place is worth in some cover.
    pub(crate) fn value_in(&self, p: Point, still: bool, cover: Cover) -> f64 {
        let b = self.battle;
        let (unit, weapon) = (b.unit(self.u), &b.card(self.u).weapon);
        let far = weapon.long.unwrap_or(weapon.short);
        let fixed = matches!(unit.layout, Layout::Gun | Layout::Block);
        let (mut chance, mut worst, mut next) = (0.0_f64, 0.0_f64, 0.0_f64);
        // Walls at hand shelter from what is beyond them, in fire and in melee (WBK-MOD-25, WBK-ATT-13).
        let land = &b.field.land;
        let walls: ArrayVec<usize, 4> = land
            .obstacles
            .iter()
            .copied()
            .filter(|&i| {
                land.pieces[i].bounds.grown(WALL).contains(p)
                    && land.pieces[i].line().is_some_and(|l| l.distance_to(p) <= WALL)
            })
            .take(4)
            .collect();
        for e in &self.prey {
            let gap = self.gap(p, e);
            if e.short > 0.0 {
                let mut turns = f64::max(0.0, gap - weapon.short) / self.pace;
                let mut long_turns = f64::max(0.0, gap - far) / self.pace;
                let seen = gap > far
                    || if still {
                        e.open && (!fixed || b.in_arc(self.u, e.v))
                    } else {
                        self.screens.in_sight(self.battle, p, e.v, e.at)
                    };
                if !seen {
                    turns += 1.0;
                    long_turns += 1.0;
                }
                chance = chance.max(e.short * ease(turns, 2.0)).max(e.long * ease(long_turns, 2.0));
            }
            if e.attack > 0.0 {
                let turns = (gap - self.pace).max(0.0) / self.pace;
                chance = chance.max(e.attack * self.attack_chance * ease(turns, 2.0));
            }
            let mut danger = 0.0_f64;
            if gap <= e.bite_range[0] {
                danger = e.bite[0] * b.cover_share(cover, true);
            } else if gap <= e.bite_range[1] {
                danger = e.bite[1] * b.cover_share(cover, false);
            }
            if e.maul > 0.0 && gap <= e.charge + e.dash {
                let comes = if gap <= e.charge { 1.0 } else { (e.charge + e.dash - gap) / e.dash };
                danger = danger.max(e.maul * comes);
            }
            if danger > 0.0 && walls.iter().any(|&i| land.pieces[i].crossed_by(p, e.at)) {
                danger *= 0.65;
            }
            if danger > worst {
                next = worst;
                worst = danger;
            } else {
                next = next.max(danger);
            }
        }
        self.bold * 0.75 * chance - (worst + 0.5 * next) * 0.75 / self.bold + self.aims(p)
    }

    /// What a place is worth for the aims of the scenario.
    pub(crate) fn aims(&self, p: Point) -> f64 {
        let (b, stakes) = (self.battle, self.stakes);
        let side = b.unit(self.u).side;
        let stride = b.stride(self.u);
        let mut value = 0.0;
        if let Some(goal) = stakes.task[self.u.index()].and_then(|g| stakes.goals.get(usize::from(g))) {
            let turns = (p.distance(goal.at) - goal.within - 0.5).max(0.0) / stride;
            value += stakes.goal_value(goal, turns);
        } else {
            // Near enough to help or to take over.
            let near = stakes.goals.iter().filter(|g| g.serves(side)).map(|goal| {
                let turns = (p.distance(goal.at) - goal.within - 4.0).max(0.0) / stride;
                stakes.goal_value(goal, turns + 1.0)
            });
            value += 0.3 * near.fold(0.0, f64::max);
        }
        if let Some((far, _)) = b.exit_distance(side, p) {
            let turns = (far - self.girth).max(0.0) / stride;
            let time = First::in_time(stakes.left, turns);
            value += stakes.scale * b.exit_worth(self.u) * (0.15 + 0.85 * time) * ease(turns, 12.0);
        }
        value
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
    pub(crate) fn here(&self) -> f64 {
        self.value(self.here, true)
    }

    /// Places worth a thought within some inches, the best first.
    pub(crate) fn places(&self, reach: f64) -> ArrayVec<(f64, Point), 48> {
        let b = self.battle;
        let here = self.here;
        let mut found: ArrayVec<(f64, Point), 48> = ArrayVec::new();
        let (w, h) = (b.field.width, b.field.height);
        let mut add = |p: Point| {
            let on = (0.5..=w - 0.5).contains(&p.x) && (0.5..=h - 0.5).contains(&p.y);
            if on && !found.is_full() {
                found.push((self.value(p, false), p));
            }
        };
        for turn in 0..12_u16 {
            add(here + forward(turn * 30) * reach);
        }
        for turn in 0..6_u16 {
            add(here + forward(turn * 60 + 30) * (reach * 0.5));
        }
        let far = b.card(self.u).weapon.long.unwrap_or(b.card(self.u).weapon.short);
        for e in &self.prey {
            let way = e.at - here;
            let length = way.length();
            let Some(aim) = way.unit() else { continue };
            if length > reach * 2.0 + far + 8.0 {
                continue;
            }
            let around = e.girth + self.girth;
            // Just in range, just out of its charge.
            for stop in [b.card(self.u).weapon.short - 0.3 + around, e.charge + 0.3 + around] {
                let go = length - stop;
                if (0.5..=reach).contains(&go.abs()) {
                    add(here + aim * go);
                }
            }
        }
        if let Some(goal) =
            self.stakes.task[self.u.index()].and_then(|g| self.stakes.goals.get(usize::from(g)))
        {
            let way = goal.at - here;
            if let Some(aim) = way.unit() {
                add(here + aim * way.length().min(reach));
            }
        }
        if let Some((far, at)) = b.exit_distance(b.unit(self.u).side, here)
            && let Some(aim) = (at - here).unit()
        {
            add(here + aim * far.min(reach));
        }
        for &i in &b.field.land.covering {
            let Some(area) = b.field.land.pieces[i].area() else { continue };
            if area.distance_to(here) <= reach {
                let edge = area.nearest_boundary(here);
                if let Some(inward) = (area.centroid() - edge).unit() {
                    let p = edge + inward * 1.5;
                    if p.distance(here) <= reach {
                        add(p);
                    }
                }
            }
        }
        found.put_in_order(|a, b| b.0.total_cmp(&a.0));
        found
    }
}
