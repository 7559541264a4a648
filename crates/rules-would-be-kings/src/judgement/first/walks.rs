//! Where a unit would best go: places are judged first, and only the best few are walked to.

use tricorne_game::InOrder;
use tricorne_table::Point;

use super::First;
use super::place::Officer;
use crate::action::{Action, Go};
use crate::judgement::walks::length_of;
use crate::movement::march::Marching;
use crate::movement::{Pace, Walk, bearing};
use crate::state::Layout;
use crate::steer::{part_of_turn, prefix};
use crate::tables::rulebook::Cover;

/// How many of the best places are walked to.
const WALKED: usize = 4;

/// A walk worth proposing.
pub(crate) struct Stroll {
    pub(crate) go: Go,
    pub(crate) value: f64,
}

impl Officer<'_> {
    /// The facing a gun or a block ends with: at the enemy it could do most to.
    fn facing_from(&self, p: Point) -> Option<u16> {
        let unit = self.battle.unit(self.u);
        if !matches!(unit.layout, Layout::Gun | Layout::Block) {
            return None;
        }
        let best = self.prey.iter().max_by(|a, b| {
            let weight =
                |e: &super::place::Prey| (e.short + e.maul) * super::stakes::ease(self.gap(p, e), 8.0);
            weight(a).total_cmp(&weight(b))
        })?;
        Some(bearing(best.at - p))
    }

    /// Judges one way in; what it would come to.
    fn stroll(&self, go: Go, tried: &impl Fn(&Go) -> Option<Walk>) -> Option<Stroll> {
        let walk = tried(&go)?;
        let value = match walk.exit {
            Some(_) => self.stakes.scale * self.battle.exit_worth(self.u),
            // Guns are not dragged about for a trifle.
            None if walk.length > 0.0 && self.battle.card(self.u).is_crewed() => {
                self.value(walk.anchor.point(), false) - 0.15
            }
            None => self.value(walk.anchor.point(), false),
        };
        Some(Stroll { go, value })
    }

    /// A walk towards a place: straight, round what is in the way, or part of it.
    fn towards(&self, to: Point, reach: f64, tried: &impl Fn(&Go) -> Option<Walk>) -> Option<Stroll> {
        let b = self.battle;
        let start = b.path_start(self.u, Some(to));
        let facing = self.facing_from(to);
        let go = |way: &[Point], part: f64| {
            let turned = match b.unit(self.u).layout {
                Layout::Block => facing.map(|f| part_of_turn(b.unit(self.u).facing, f, 0.3)),
                _ => facing,
            };
            Go { path: prefix(start, way, part), layout: None, facing: turned }
        };
        if let Some(found) = self.stroll(go(&[to], 1.0), tried) {
            return Some(found);
        }
        for way in b.ways(self.u, to, None).take(2) {
            let part = (reach / length_of(start, &way).max(0.1)).min(1.0);
            if let Some(mut found) = self.stroll(go(&way, part), tried) {
                // A detour leads to the place in the end, though it may not look nearer yet.
                let there = self.value(to, false);
                found.value = found.value.max(there - (1.0 - part) * 0.6 - 0.1);
                return Some(found);
            }
        }
        self.stroll(go(&[to], 0.6), tried).or_else(|| self.stroll(go(&[to], 0.3), tried))
    }

    /// The best walks within some inches, the best first.
    pub(crate) fn strolls(
        &self,
        reach: f64,
        most: usize,
        tried: impl Fn(&Go) -> Option<Walk>,
    ) -> Vec<Stroll> {
        let b = self.battle;
        let mut found: Vec<Stroll> = Vec::new();
        let off = b.way_off(self.u, self.stands(), reach, 0.0);
        found.extend(off.and_then(|go| self.stroll(go, &tried)));
        let mut turns = b.turns_to(self.u, self.facing_from(self.stands()));
        found.extend(turns.find_map(|go| self.stroll(go, &tried)));
        for (asked, (_, place)) in self.places(reach).into_iter().enumerate() {
            if asked >= most.min(WALKED) + 2 || found.len() >= most {
                break;
            }
            found.extend(self.towards(place, reach, &tried));
        }
        found.put_in_order(|a, b| b.value.total_cmp(&a.value));
        found
    }

    /// The best walk of a kind before it is ordered, and what it gains over staying.
    pub(crate) fn walk_gain(&self, reach: f64, pace: Pace, most: usize) -> f64 {
        let b = self.battle;
        let best = self.strolls(reach, most, |go| b.walk(self.u, go, reach, pace).ok());
        let best = best.first().map_or(f64::NEG_INFINITY, |s| s.value);
        let door = if pace == Pace::Move { self.door().map_or(f64::NEG_INFINITY, |d| d.1) } else { best };
        best.max(door) - self.here()
    }

    /// The best building to go into from here, and what being in it is worth.
    pub(crate) fn door(&self) -> Option<(usize, f64)> {
        let doors = self.battle.doors(self.u).map(|(i, at)| (i, self.value_in(at, false, Cover::Hard)));
        doors.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl First<'_> {
    /// The moves of the pending decision worth weighing, with what each gains over staying.
    pub(crate) fn move_values(&self, officer: &Officer, march: Marching, most: usize) -> Vec<(f64, Action)> {
        let here = officer.here();
        let mut all = vec![(0.0, Action::NoMove)];
        for stroll in officer.strolls(self.inches(), most, |go| march.walk(self, go).ok()) {
            all.push((stroll.value - here, Action::Go(stroll.go)));
        }
        if march.pace == Pace::Move
            && let Some((door, value)) = officer.door()
        {
            all.push((value - here, Action::Enter(self.field.land.pieces[door].id.clone())));
        }
        all
    }
}
