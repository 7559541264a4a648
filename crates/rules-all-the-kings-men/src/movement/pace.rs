//! How far a unit may go (ATKM-MOVE-01 to -12): its distance, what halves it, roads and hills (ATKM-TERR-01 to -16).

use tricorne_drill::refuse;
use tricorne_game::Illegal;
use tricorne_table::{Bounds, Point, Shape, angle, brink, within};

use super::{Why, legs};
use crate::field::Engagement;
use crate::formations::{self, Formation};
use crate::movement::terrain::Feature;
use crate::options::{ForwardArc, MobMove, RoadTest, TerrainHalving};
use crate::state::{Benefit, Solids, Unit};

impl Engagement {
    /// The T2 distance of a unit in its present formation (ATKM-MOVE-01).
    pub(crate) fn stride(&self, unit: &Unit) -> Option<f64> {
        let profile = self.rules().profile(unit.kind);
        match unit.formation {
            Formation::Line(_) => profile.line,
            Formation::Column(_) => profile.column,
            Formation::Loose => profile.loose,
            Formation::Square => Some(self.rules().advanced.square_move),
            Formation::Mob => match self.options().mob_move {
                MobMove::None => None,
                MobMove::Half => profile.column.or(profile.loose).map(|d| d * self.rules().march.halved),
            },
        }
    }

    /// Whether a leg is forward (M19, ATKM-MOVE-10). Skirmishers have no backward (ATKM-MOVE-03).
    pub(crate) fn is_forward(&self, unit: &Unit, leg: Point) -> bool {
        let length = leg.length();
        if within(length, 0.0) || unit.is_skirmish_line() {
            return true;
        }
        let ahead = leg.dot(unit.forward);
        match self.options().forward_arc {
            ForwardArc::HalfCircle => !within(ahead, 0.0),
            ForwardArc::QuarterCircle => within(angle::cos(45.0) * length, ahead),
        }
    }

    /// Whether a final facing is within what it may turn at no cost (ATKM-MOVE-07).
    pub(crate) fn within_front(&self, unit: &Unit, facing: f64) -> bool {
        angle::turn(unit.facing, facing).abs() <= self.rules().march.turn + 1e-6
    }

    /// The first reason to halve a move, and the road: everything about its allowance (ATKM-MOVE-08..12,
    /// ATKM-TERR-01..16, ATKM-CARD-04).
    pub(crate) fn allowance(
        &self,
        unit: &Unit,
        end: &Unit,
        path: &[Point],
        length: f64,
        benefit: Benefit,
    ) -> Result<(f64, Option<Why>, bool), Illegal> {
        let rules = self.rules();
        let Some(stride) = self.stride(unit) else {
            return refuse("ATKM-MOVE-21", "a mob does not move; reform it");
        };
        // What a mob may go is half already, and nothing halves it again (ATKM-MOVE-12).
        if unit.is_mob() {
            return Ok((stride, None, false));
        }
        let legs = || legs(unit.at, path);
        let road = matches!(unit.formation, Formation::Column(_))
            && length > 1e-9
            && match self.options().road_test {
                RoadTest::FrontCentre => legs().all(|(a, b)| self.land().on_road(a, b)),
                RoadTest::WholeUnit => self.whole_on_road(unit, path),
            };
        let full = if road { stride * rules.march.road_factor } else { stride };
        if benefit == Benefit::Jack {
            return Ok((full, None, road));
        }
        let half = rules.march.halved;
        let free = unit.is_skirmish_line();
        let mut halved = None;
        if !free && !self.within_front(unit, end.facing) {
            halved = Some(("facing back at the end", "ATKM-MOVE-08"));
        }
        if !free && legs().any(|(a, b)| !self.is_forward(unit, b - a)) {
            halved = halved.or(Some(("going sideways or back", "ATKM-MOVE-09")));
        }
        let ground = if road { None } else { self.slowed(unit, end, path) };
        let remaining = self.options().terrain_halving == TerrainHalving::Remaining;
        if let Some((contact, why)) = ground.filter(|_| remaining) {
            // Only what is left after contact counts double.
            let limit = if halved.is_some() { full * half } else { full };
            let reach = (contact + (limit - contact).max(0.0) * half).min(limit).max(stride * half);
            return Ok((reach, Some(why), road));
        }
        halved = halved.or(ground.map(|(_, why)| why));
        let allowance = if halved.is_some() { (full * half).max(stride * half) } else { full };
        // A move longer than any allowance is refused as such, whatever would halve it.
        if !within(length, full) {
            return Ok((full, None, road));
        }
        Ok((allowance, halved, road))
    }

    /// ATKM-TERR-10: the middle of each private's base and of the cannon before it moves, and the tracks of its outer
    /// files along every leg.
    fn whole_on_road(&self, unit: &Unit, path: &[Point]) -> bool {
        let rules = self.rules();
        let land = self.land();
        let frame = unit.frame();
        let aside = (unit.extent(rules).0 - rules.base_of(unit.kind).0) / 2.0;
        let tracked = legs(unit.at, path).all(|(a, b)| {
            let off = (b - a).unit().map_or(Point::ORIGIN, |way| way.quarter_left() * aside);
            [off, -off].into_iter().all(|off| land.on_road(a + off, b + off))
        });
        tracked && {
            let figures = formations::figures(rules, unit.kind, unit.formation, unit.n, &unit.spots);
            let mut bodies = figures.iter().filter(|f| f.is_counted()).map(|f| frame.to_world(f.at));
            bodies.all(|p| land.on_road(p, p))
        }
    }

    /// How far a unit gets before ground slows it, and why; none if nothing does.
    fn slowed(&self, unit: &Unit, end: &Unit, path: &[Point]) -> Option<(f64, Why)> {
        let climb = self.climbs(unit, end, path).map(|gone| (gone, ("going up a hill", "ATKM-TERR-13")));
        match (climb, self.meets_slow_ground(unit, end, path)) {
            (Some(climb), Some(slow)) => Some(if slow.0 < climb.0 { slow } else { climb }),
            (climb, slow) => climb.or(slow),
        }
    }

    fn meets_slow_ground(&self, unit: &Unit, end: &Unit, path: &[Point]) -> Option<(f64, Why)> {
        let rules = self.rules();
        let land = self.land();
        if unit.footprint(rules).iter().any(|r| land.slows(&Shape::Rect(*r))) {
            return Some((0.0, ("starting in contact with slow ground", "ATKM-TERR-04")));
        }
        let remaining = self.options().terrain_halving == TerrainHalving::Remaining;
        let mut gone = 0.0;
        for (a, b) in legs(unit.at, path) {
            if land.slows(&self.swept(unit, a, b)) {
                let contact = if remaining { gone + self.first_contact(unit, a, b) } else { gone };
                return Some((contact, ("touching slow ground on the way", "ATKM-TERR-02")));
            }
            gone += a.distance(b);
        }
        if end.footprint(rules).iter().any(|r| land.slows(&Shape::Rect(*r))) {
            return Some((gone, ("ending in contact with slow ground", "ATKM-TERR-02")));
        }
        None
    }

    /// M23: how far a unit gets before it goes up a hill; none if it goes up none.
    fn climbs(&self, unit: &Unit, end: &Unit, path: &[Point]) -> Option<f64> {
        let rules = self.rules();
        if path.is_empty() || !self.land().has_hills() {
            return None;
        }
        let (start, last) = (unit.footprint(rules), end.footprint(rules));
        let mut bounds = Bounds::NOTHING;
        for r in start.iter().chain(&last) {
            bounds = bounds.join(&Shape::Rect(*r).bounds());
        }
        for (a, b) in legs(unit.at, path) {
            bounds = bounds.join(&self.swept(unit, a, b).bounds());
        }
        let climbs = self.land().hills(bounds).filter_map(|hill| self.climb(hill, unit, &start, &last, path));
        climbs.min_by(f64::total_cmp)
    }

    fn climb(
        &self,
        hill: &Feature,
        unit: &Unit,
        start: &Solids,
        end: &Solids,
        path: &[Point],
    ) -> Option<f64> {
        let comes_on = !start.iter().any(|r| hill.overlapped_by(&Shape::Rect(*r)));
        let up = |shape: &Shape, way: Point| {
            // (a) whoever was off the hill comes on to it; (b) whoever is on it comes nearer the top.
            (comes_on && hill.overlapped_by(shape)) || hill.near_part_overlapped_by(shape, way)
        };
        let any = |solids: &Solids, way: Point| solids.iter().any(|r| up(&Shape::Rect(*r), way));
        let remaining = self.options().terrain_halving == TerrainHalving::Remaining;
        let mut gone = 0.0;
        let mut last = None;
        for (a, b) in legs(unit.at, path) {
            let Some(way) = (b - a).unit() else { continue };
            if last.is_none() && any(start, way) {
                return Some(0.0);
            }
            last = Some(way);
            let length = a.distance(b);
            if up(&self.swept(unit, a, b), way) {
                if !remaining {
                    return Some(gone);
                }
                return Some(gone + clear_of(a, b, |part| up(&self.swept(unit, a, part), way)));
            }
            gone += length;
        }
        last.filter(|&way| any(end, way)).map(|_| gone)
    }

    /// How far along a leg slow ground is first touched.
    fn first_contact(&self, unit: &Unit, a: Point, b: Point) -> f64 {
        clear_of(a, b, |part| self.land().slows(&self.swept(unit, a, part)))
    }
}

/// How finely it is found where slow ground begins.
const FINE: f64 = 1e-5;

/// How far along a leg something does not hold yet that holds at its end, finer than any measure (M2).
fn clear_of(a: Point, b: Point, holds: impl Fn(Point) -> bool) -> f64 {
    let length = a.distance(b);
    let [clear, _] = brink([0.0, 1.0], 64, FINE / length, &mut |part| holds(a.lerp(b, part)));
    clear * length
}
