//! Moves led by the hand: straight there, as far as that is legal, or round one thing that is in the way.

use smallvec::SmallVec;
use tricorne_drill::steer::{self, Nearest, furthest};
use tricorne_game::{Illegal, InOrder, Steer, Wish};
use tricorne_table::{Bounds, Point, Shape, angle};

use super::{NEAR, amiss, neat, neat_facing, offer, pose};
use crate::action::Action;
use crate::field::Engagement;
use crate::formations::Formation;
use crate::movement::terrain::Moving;
use crate::movement::{Marched, legs};
use crate::state::{Activation, Unit, UnitNo};

/// The ends of some legs.
pub(crate) type Route = SmallVec<[Point; 4]>;

/// A move that was judged.
pub(crate) struct Led {
    pub path: Route,
    pub facing: Option<f64>,
    pub marched: Marched,
}

impl Led {
    /// As an answer.
    pub(crate) fn action(&self) -> Action {
        Action::Move { path: self.path.to_vec(), facing: self.facing, spread: None }
    }
}

/// How much trouble to take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Straight, shortened to what is legal.
    Little,
    /// Round one obstacle too, and to places beside the wish.
    Much,
}

/// A way cut to a length.
fn cut(from: Point, route: &[Point], length: f64) -> Route {
    steer::part(from, route, length).into_iter().map(neat).collect()
}

impl Engagement {
    pub(super) fn steer_move(&self, a: &Activation, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        self.judge_move_slot(a)?;
        let (led, why) = self.lead(a, wish.place, wish.facing, &wish.by, Trouble::Much);
        match led {
            Some(led) => Ok(offer(led.action(), pose(&led.marched.unit), wish, why)),
            None => Err(why.unwrap_or_else(|| Illegal::new("ATKM-ACT-10", "it stands there already"))),
        }
    }

    /// The legal move that ends nearest to a place and facing, and why the wish itself is not legal.
    pub(crate) fn lead(
        &self,
        a: &Activation,
        place: Point,
        facing: Option<f64>,
        by: &[Point],
        trouble: Trouble,
    ) -> (Option<Led>, Option<Illegal>) {
        let unit = self.unit(a.unit);
        let place = neat(place);
        let facing = facing.map(neat_facing);
        if by.is_empty() && place.distance(unit.at) <= NEAR {
            return self.lead_turn(a, facing);
        }
        let mut direct: Route = by.iter().map(|&p| neat(p)).collect();
        direct.push(place);
        let facings = self.facings(unit, &direct, facing);
        let judged =
            |path: &[Point], facing: Option<f64>| self.judge_move(a.unit, a.benefit, path, facing, None);
        let why = match judged(&direct, facings[0]) {
            Ok(marched) => return (Some(Led { path: direct, facing: facings[0], marched }), None),
            Err(why) => why,
        };
        let mut best = Nearest::within(0.0);
        let mut keep = |led: Option<Led>| {
            if let Some(led) = led {
                let off = amiss(&led.marched.unit, place, facing) + 0.001 * led.path.len() as f64;
                best.keep(off, led);
            }
            best.off()
        };
        let mut off = f64::INFINITY;
        for &f in &facings {
            off = keep(self.longest(a, &direct, f));
            if off <= 0.01 {
                break;
            }
        }
        let straight: Route = smallvec::smallvec![place];
        if !by.is_empty() && off > 0.25 {
            off = keep(self.longest(a, &straight, facings[0]));
        }
        let ways_round = trouble == Trouble::Much && off > 0.25;
        if ways_round && blocked(self, a.unit, unit, &direct, place) {
            let corners = self.ways_round(a.unit, unit, place);
            let mut round = |route: Route| {
                let front = self.facings(unit, &route, facing)[0];
                keep(self.longest(a, &route, front))
            };
            for &via in &corners {
                off = round(smallvec::smallvec![via, place]);
            }
            // Along one side: in by its near corner, out by its far one.
            for &near in &corners {
                if off <= 0.5 {
                    break;
                }
                let beside = |far: &&Point| (near.x == far.x) != (near.y == far.y);
                for &far in corners.iter().filter(beside) {
                    off = round(smallvec::smallvec![near, far, place]);
                }
            }
        }
        // A place beside the one that is taken, within reach.
        if trouble == Trouble::Much && off > 0.5 && off < 6.0 {
            'rings: for ring in 1..=4 {
                let mut found = false;
                for k in 0..8 {
                    let beside = neat(place + angle::forward(45.0 * f64::from(k)) * (0.5 * f64::from(ring)));
                    if let Ok(marched) = judged(&[beside], facings[0]) {
                        let path = smallvec::smallvec![beside];
                        keep(Some(Led { path, facing: facings[0], marched }));
                        found = true;
                    }
                }
                if found {
                    break 'rings;
                }
            }
        }
        (best.found(), Some(why))
    }

    /// The facings worth trying for a way, the wished one first.
    fn facings(&self, unit: &Unit, route: &[Point], wished: Option<f64>) -> SmallVec<[Option<f64>; 3]> {
        let mut out: SmallVec<[Option<f64>; 3]> = SmallVec::new();
        if let Some(f) = wished {
            out.push(Some(f));
            let turn = angle::turn(unit.facing, f);
            let most = self.rules().march.turn;
            if turn.abs() > most && !unit.is_skirmish_line() {
                out.push(Some(neat_facing(unit.facing + most * turn.signum())));
            }
        } else if matches!(unit.formation, Formation::Column(_)) {
            // A column looks where it marches.
            let last = legs(unit.at, route).last();
            let way = last.filter(|(a, b)| a.distance(*b) > NEAR).map(|(a, b)| angle::bearing(a, b));
            if let Some(way) = way.filter(|&w| self.within_front(unit, w)) {
                out.push(Some(neat_facing(way)));
            }
        }
        if !out.iter().flatten().any(|&f| angle::turn(f, unit.facing).abs() < 1e-6) {
            out.push(None);
        }
        out
    }

    /// On the spot, as far round as there is room.
    fn lead_turn(&self, a: &Activation, facing: Option<f64>) -> (Option<Led>, Option<Illegal>) {
        let unit = self.unit(a.unit);
        let Some(facing) = facing else { return (None, None) };
        let judged = |facing: f64| self.judge_move(a.unit, a.benefit, &[], Some(facing), None);
        let led = |facing: f64, marched: Marched| Led { path: Route::new(), facing: Some(facing), marched };
        let why = match judged(facing) {
            Ok(marched) => return (Some(led(facing, marched)), None),
            Err(why) => why,
        };
        let turn = angle::turn(unit.facing, facing);
        let turned = |share: f64| {
            let part = neat_facing(unit.facing + turn * share);
            judged(part).ok().map(|marched| led(part, marched))
        };
        let shares = (1..16).rev().map(|k| f64::from(k) / 16.0);
        (furthest(shares, Some(1.0), (5, 0.0), &turned), Some(why))
    }

    /// As far along a way as is legal.
    fn longest(&self, a: &Activation, route: &[Point], facing: Option<f64>) -> Option<Led> {
        let unit = self.unit(a.unit);
        let stride = self.stride(unit)?;
        let whole = steer::length(unit.at, route);
        let road = if matches!(unit.formation, Formation::Column(_)) {
            stride * self.rules().march.road_factor
        } else {
            stride
        };
        let most = whole.min(road);
        let judged = |length: f64| {
            let path = cut(unit.at, route, length);
            let marched = self.judge_move(a.unit, a.benefit, &path, facing, None).ok()?;
            Some(Led { path, facing, marched })
        };
        // The distances of the rules first, then tenths: the longest that is legal.
        let mut lengths: SmallVec<[f64; 16]> = SmallVec::new();
        let half = self.rules().march.halved;
        lengths.extend([most, stride, road * half, stride * half].into_iter().filter(|&l| l <= most + 1e-9));
        lengths.extend((1..10).map(|k| most * f64::from(k) / 10.0));
        lengths.put_in_order(|x, y| y.total_cmp(x));
        lengths.dedup_by(|x, y| (*x - *y).abs() < 1e-9);
        furthest(lengths, None, (6, 0.02), &judged)
    }

    /// Corners of what first stands in the way, far enough out for the unit to pass.
    pub(super) fn ways_round(&self, no: UnitNo, unit: &Unit, place: Point) -> SmallVec<[Point; 4]> {
        let swept = self.swept(unit, unit.at, place);
        let (width, depth) = unit.extent(self.rules());
        let clear = match unit.formation {
            Formation::Loose if unit.is_skirmish_line() => self.rules().loose.file_width / 2.0 + 0.2,
            Formation::Column(_) => width / 2.0 + 0.3,
            _ => f64::midpoint(width, depth) + 0.3,
        };
        let met = self.met(&swept, |other, u| other == no || self.may_pass(unit, u));
        let mut bounds = Bounds::NOTHING;
        if let Some(met) = met {
            for r in self.unit(met).footprint(self.rules()) {
                bounds = bounds.join(&Shape::Rect(r).bounds());
            }
        } else {
            let box_ = swept.bounds();
            let wall = self.land().features.iter().find(|f| {
                f.moving == Moving::Impassable && f.bounds.meets(&box_) && f.ground.entered_by(&swept)
            });
            match wall {
                Some(wall) => bounds = wall.bounds,
                None => return SmallVec::new(),
            }
        }
        let mut corners: SmallVec<[Point; 4]> = bounds.grown(clear).corners().into_iter().collect();
        // The shorter ways first.
        let way = |via: &Point| unit.at.distance(*via) + via.distance(place);
        corners.put_in_order(|a, b| way(a).total_cmp(&way(b)));
        corners
    }
}

/// Whether something else than the distance hinders a move.
fn blocked(battle: &Engagement, no: UnitNo, unit: &Unit, route: &[Point], place: Point) -> bool {
    let stopped = |(a, b): (Point, Point)| battle.obstacle(no, unit, a, b, None).is_some();
    legs(unit.at, route).any(stopped) || stopped((unit.at, place))
}
