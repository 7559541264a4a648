//! Who sees whom (WBK-MOD-27 to 31).

use smallvec::SmallVec;
use tricorne_game::{Illegal, Sight};
use tricorne_table::{Bounds, Point, Shape, angle};

use crate::battle::Fray;
use crate::model::base::{FIGURE, TOLERANCE, forward};
use crate::options::{CrewedWeaponArc, UnitBlockShape, UnitsBlockSight};
use crate::state::{Layout, No};

/// A third unit that may stand in the way of a sight line.
struct Screen {
    unit: No,
    bounds: Bounds,
    level: u8,
    shapes: SmallVec<[Shape; 1]>,
}

/// What stands in a sight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hindrance {
    Building(usize),
    Woods,
    Hill(usize),
    Unit(No),
}

impl Fray {
    /// Whether one model of `u` sees one model of `v` (WBK-CONV-02).
    pub(crate) fn sees(&self, u: No, v: No) -> bool {
        let land = &self.field.land;
        let region = self.bounds(u).join(&self.bounds(v));
        let screens = self.screens(u, v, &region);
        let (from, to) = (self.eyes(u), self.seen_at(v));
        let bare = screens.is_empty()
            && land.buildings.is_empty()
            && !land.woods.iter().chain(&land.hills).any(|&i| land.pieces[i].bounds.meets(&region));
        if bare {
            return !from.is_empty() && !to.is_empty();
        }
        // Most views are open between the middles, so the first line mostly settles it.
        from.iter().any(|&a| {
            let level = land.level_at(a);
            to.iter().any(|&b| self.line_is_clear(u, v, a, level, b, &screens))
        })
    }

    fn line_is_clear(&self, u: No, v: No, a: Point, level_a: u8, b: Point, screens: &[Screen]) -> bool {
        self.hindrance(u, v, a, level_a, b, screens).is_none()
    }

    /// What stands in a sight line, if anything does.
    fn hindrance(
        &self,
        u: No,
        v: No,
        a: Point,
        level_a: u8,
        b: Point,
        screens: &[Screen],
    ) -> Option<Hindrance> {
        let land = &self.field.land;
        let (held_u, held_v) = (self.unit(u).garrison, self.unit(v).garrison);
        let holds = |i: usize| [held_u, held_v].iter().flatten().any(|&g| usize::from(g) == i);
        let house = land.buildings.iter().find(|&&i| !holds(i) && land.pieces[i].crossed_by(a, b));
        if let Some(&i) = house {
            return Some(Hindrance::Building(i));
        }
        if !land.woods.is_empty() && land.woods_along(a, b) > land.woods_blind + TOLERANCE {
            return Some(Hindrance::Woods);
        }
        let high = level_a.max(if land.hills.is_empty() { 0 } else { land.level_at(b) });
        // WBK-MOD-29: a hill blocks when both ends lie below its level.
        let hill = land.hills.iter().find(|&&i| {
            let hill = &land.pieces[i];
            high < hill.level && hill.crossed_by(a, b)
        });
        if let Some(&i) = hill {
            return Some(Hindrance::Hill(i));
        }
        let line = Bounds::of_pair(a, b);
        let screen = screens.iter().find(|s| {
            high <= s.level && s.bounds.meets(&line) && s.shapes.iter().any(|shape| shape.cut_by(a, b))
        });
        screen.map(|s| Hindrance::Unit(s.unit))
    }

    /// Whether one unit sees another, with the line that shows it. There is nothing hidden, so all eyes see the same.
    pub(crate) fn sight_between(&self, u: No, v: No) -> Option<Sight> {
        if u == v || !self.unit(u).is_on_table() || !self.unit(v).is_on_table() {
            return None;
        }
        let land = &self.field.land;
        let screens = self.screens(u, v, &self.bounds(u).join(&self.bounds(v)));
        let (from, to) = (self.eyes(u), self.seen_at(v));
        let mut best: Option<(f64, [Point; 2], Hindrance)> = None;
        for &a in &from {
            let level = land.level_at(a);
            for &b in &to {
                let Some(hindrance) = self.hindrance(u, v, a, level, b, &screens) else {
                    return Some(Sight { clear: true, line: [a, b], why: None });
                };
                // Of the lines that are barred, the shortest tells most.
                let far = a.distance_squared(b);
                if best.as_ref().is_none_or(|best| far < best.0) {
                    best = Some((far, [a, b], hindrance));
                }
            }
        }
        let (_, line, hindrance) = best?;
        let (clause, why) = match hindrance {
            Hindrance::Building(i) => {
                ("WBK-MOD-28", format!("the building {} is in the way", land.pieces[i].id))
            }
            Hindrance::Woods => {
                ("WBK-MOD-28", format!("more than {}\" of wood are in the way", land.woods_blind))
            }
            Hindrance::Hill(i) => ("WBK-MOD-29", format!("the hill {} is in the way", land.pieces[i].id)),
            Hindrance::Unit(w) => ("WBK-MOD-30", format!("{} stands in the way", self.card(w).called())),
        };
        Some(Sight { clear: false, line, why: Some(Illegal::new(clause, why)) })
    }

    /// The units that may be in the way (WBK-MOD-30).
    fn screens(&self, u: No, v: No, region: &Bounds) -> SmallVec<[Screen; 6]> {
        let options = &self.field.options;
        let side = self.unit(u).side;
        if options.units_block_sight == UnitsBlockSight::None {
            return SmallVec::new();
        }
        self.on_table()
            .filter(|&w| {
                let unit = self.unit(w);
                w != u
                    && w != v
                    && !unit.is_pinned()
                    && !unit.gone_to_ground
                    && unit.garrison.is_none()
                    && (options.units_block_sight == UnitsBlockSight::All || unit.side == side)
                    && self.bounds(w).meets(region)
            })
            .map(|w| Screen {
                unit: w,
                bounds: self.bounds(w),
                level: self.level(w),
                shapes: self.screen_shapes(w),
            })
            .collect()
    }

    fn screen_shapes(&self, w: No) -> SmallVec<[Shape; 1]> {
        let bases = self.bases(w);
        match self.field.options.unit_block_shape {
            UnitBlockShape::Bases => bases
                .iter()
                .filter_map(|b| {
                    let core = b.core();
                    Shape::pill(core.a, core.b, b.radius).ok()
                })
                .collect(),
            UnitBlockShape::Hull => self.hull(w).into_iter().collect(),
        }
    }

    /// The convex hull of a unit's bases.
    pub(crate) fn hull(&self, w: No) -> Option<Shape> {
        let mut points: SmallVec<[Point; 64]> = SmallVec::new();
        for base in self.bases(w) {
            if base.radius > FIGURE {
                // The gun's disc is wider than a figure's: its inner circle as a fine polygon, swollen like the rest.
                let spare = base.radius - FIGURE;
                points.extend((0..32).map(|i| base.centre + angle::forward(f64::from(i) * 11.25) * spare));
            } else {
                let core = base.core();
                points.push(core.a);
                if core.b != core.a {
                    points.push(core.b);
                }
            }
        }
        Shape::hull(&points, FIGURE).ok()
    }

    /// The arc of a block or, where it has one, of a crewed weapon (WBK-MOD-31, WBK-FIRE-05).
    pub(crate) fn arc_of(&self, u: No) -> CrewedWeaponArc {
        match self.unit(u).layout {
            Layout::Block => CrewedWeaponArc::Front180,
            Layout::Gun => self.field.options.crewed_weapon_arc,
            _ => CrewedWeaponArc::None,
        }
    }

    /// Whether a target has a model in the arc of a block or a crewed weapon (WBK-MOD-31).
    pub(crate) fn in_arc(&self, u: No, v: No) -> bool {
        let unit = self.unit(u);
        let spread = self.arc_of(u);
        if spread == CrewedWeaponArc::None {
            return true;
        }
        let ahead = forward(unit.facing);
        let right = Point::new(ahead.y, -ahead.x);
        let anchor = unit.anchor.point();
        self.seen_at(v).iter().any(|&p| {
            let way = p - anchor;
            let aside = if spread == CrewedWeaponArc::Front90 { way.dot(right).abs() } else { 0.0 };
            way.dot(ahead) >= aside - TOLERANCE
        })
    }
}
