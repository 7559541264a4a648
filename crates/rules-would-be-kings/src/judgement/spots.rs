//! Places worth a thought: round about, in range, out of reach, at what is to be held, behind walls, in cover.

use arrayvec::ArrayVec;
use tricorne_game::InOrder;
use tricorne_table::Point;

use super::place::Officer;
use crate::model::base::{CONTACT, FIGURE, forward};
use crate::movement::bearing;
use crate::state::Layout;

/// The most places of one decision.
const MOST: usize = 56;

/// A place, how to stand there, and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spotted {
    pub(crate) value: f64,
    pub(crate) at: Point,
    /// A line with this facing, for those who line a wall.
    pub(crate) lined: Option<u16>,
}

/// Places found, judged as they are added.
struct Search<'a, 'b> {
    officer: &'a Officer<'b>,
    found: ArrayVec<Spotted, MOST>,
}

impl Search<'_, '_> {
    fn add(&mut self, at: Point, lined: Option<u16>) {
        let field = &self.officer.battle.field;
        let on = (0.5..=field.width - 0.5).contains(&at.x) && (0.5..=field.height - 0.5).contains(&at.y);
        if on && !self.found.is_full() {
            let layout = if lined.is_some() { Layout::Line } else { Layout::Cluster };
            let value = self.officer.value(at, layout);
            self.found.push(Spotted { value, at, lined });
        }
    }
}

impl Officer<'_> {
    /// Places worth a thought within some inches, the best first.
    pub(crate) fn spots(&self, reach: f64) -> ArrayVec<Spotted, MOST> {
        let b = self.battle;
        let here = self.stands();
        let mut search = Search { officer: self, found: ArrayVec::new() };
        if let Some((_, goal)) = self.task()
            && let Some(aim) = (goal.at - here).unit()
        {
            let far = goal.at.distance(here);
            search.add(here + aim * far.min(reach), None);
            // Just near enough, and no nearer to whoever is on the other side of it.
            let enough = far - goal.within - b.depth_ahead(self.u) - FIGURE + 0.2;
            if goal.building.is_none() && (0.3..=reach).contains(&enough) {
                search.add(here + aim * enough, None);
            }
        }
        if let Some((far, at)) = b.exit_distance(b.unit(self.u).side, here)
            && let Some(aim) = (at - here).unit()
        {
            search.add(here + aim * far.min(reach), None);
        }
        self.behind_walls(reach, &mut search);
        for &i in &b.field.land.covering {
            let Some(area) = b.field.land.pieces[i].area() else { continue };
            if area.bounds().grown(reach).contains(here) && area.distance_to(here) <= reach {
                let edge = area.nearest_boundary(here);
                let way = area.centroid() - edge;
                if let Some(inward) = way.unit() {
                    // So far in that most of the unit is.
                    let p = edge + inward * way.length().min(b.depth_ahead(self.u) * 0.6 + 0.6);
                    if p.distance(here) <= reach {
                        search.add(p, None);
                    }
                }
            }
        }
        let weapon = &b.card(self.u).weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        for e in &self.prey {
            let way = e.at - here;
            let length = way.length();
            let Some(aim) = way.unit() else { continue };
            if length > reach * 2.0 + far + 8.0 {
                continue;
            }
            let around = e.girth + self.girth;
            // Just in range, just out of its charge.
            for stop in [weapon.short - 0.3 + around, e.charge + 0.3 + around] {
                let go = length - stop;
                if (0.5..=reach).contains(&go.abs()) {
                    search.add(here + aim * go, None);
                }
            }
        }
        for turn in 0..12_u16 {
            search.add(here + forward(turn * 30) * reach, None);
        }
        for turn in 0..6_u16 {
            search.add(here + forward(turn * 60 + 30) * (reach * 0.5), None);
        }
        let mut found = search.found;
        found.put_in_order(|a, b| b.value.total_cmp(&a.value));
        found
    }

    /// Places along walls, on the side away from the enemy: lined by loose foot, or with the foremost at them.
    fn behind_walls(&self, reach: f64, search: &mut Search<'_, '_>) {
        let b = self.battle;
        let (unit, here) = (b.unit(self.u), self.stands());
        if !matches!(unit.layout, Layout::Cluster | Layout::Line | Layout::Garrison) {
            return;
        }
        let Some(enemy) = self.prey.iter().min_by(|x, y| self.gap(here, x).total_cmp(&self.gap(here, y)))
        else {
            return;
        };
        let land = &b.field.land;
        for &i in &land.obstacles {
            let piece = &land.pieces[i];
            let Some(line) = piece.line().filter(|_| piece.bounds.grown(reach + 1.0).contains(here)) else {
                continue;
            };
            for segment in line.segments() {
                let near = segment.nearest(here);
                let Some(along) = segment.way().unit() else { continue };
                if near.distance(here) > reach + 1.0 || segment.a.distance(segment.b) < 2.0 {
                    continue;
                }
                let mut away = along.quarter_left();
                if away.dot(enemy.at - near) > 0.0 {
                    away = away * -1.0;
                }
                if b.card(self.u).mounted {
                    continue; // a wall is no place for horse
                }
                search.add(near + away * (FIGURE + CONTACT), Some(bearing(away * -1.0)));
                search.add(near + away * (b.depth_ahead(self.u) + FIGURE + CONTACT), None);
            }
        }
    }
}
