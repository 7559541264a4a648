//! Marches: legs walked one after another, the rule near the enemy, the road (VF-MOVE-01 to -11, VF-TERR-01, -02).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, Side};
use tricorne_table::{Point, Pose, Segment, angle, path};

use crate::action::{ActionKind, Leg};
use crate::brief::Objective;
use crate::field::Field;
use crate::model::formation::{Body, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Nr};
use crate::movement::road::ByRoad;
use crate::movement::{Minding, approach, first_within};
use crate::options::{ProximityCheck, RoadBonus, SkirmishProximity};
use crate::rulebook::inch;
use crate::state::Acting;

/// Where a march ends and what it cost.
#[derive(Clone, Debug)]
pub struct Marched {
    pub place: Place,
    pub cost: Mils,
    pub allowance: Mils,
    /// Left by a scenario's exit.
    pub exits: bool,
    /// The whole move keeps to a road.
    pub road: bool,
    /// Leg by leg.
    pub walk: Walk,
}

/// A stretch of a march.
#[derive(Clone, Copy, Debug)]
pub enum Stretch {
    Straight { pose: Pose, way: Point, length: f64 },
    Wheel { pose: Pose, side: path::Side, degrees: f64 },
}

/// The stretches of a march.
pub type Walk = SmallVec<[Stretch; 6]>;

impl Field {
    /// Judges a march (D-PATH).
    pub(crate) fn judge_path(&self, u: Nr, legs: &[Leg]) -> Result<Marched, Illegal> {
        match self.s.acting {
            Some(acting) => self.judge_march(Acting { unit: u, ..acting }, legs),
            None => refuse("VF-CMD-21", "no action has been named"),
        }
    }

    /// Judges a march with what was named and rolled, or might be.
    pub(crate) fn judge_march(&self, acting: Acting, legs: &[Leg]) -> Result<Marched, Illegal> {
        let u = acting.unit;
        let unit = self.unit(u);
        let (stretches, pose) = self.stretches(u, legs)?;
        // The road helps, and spares the ground, only if the whole move keeps to it.
        let ByRoad { whole, any } = self.by_road(&stretches, unit.body.rect.width());
        let goes_by_road = unit.formation == Formation::Column
            || unit.formation == Formation::Limbered
            || unit.formation == Formation::Wagon;
        let helped = match self.o().road_bonus {
            RoadBonus::WholeMove => whole,
            RoadBonus::AnyPart => any,
        };
        let bonus = if helped && goes_by_road { inch(self.p().moves.road) } else { 0 };
        let allowance = acting.allowance + bonus;
        let place = Place::of(pose);
        let body = unit.body_at(place.pose());
        let exits = self.exits(u, &body, &stretches);
        let cost = mils(self.walk(u, &stretches, whole, exits)?);
        if cost > allowance {
            return refuse(
                "VF-MOVE-06",
                format!("that costs {:.3} and {} has {:.3}", exact(cost), self.name(u), exact(allowance)),
            );
        }
        if acting.kind != ActionKind::March && !self.within_half(cost, allowance) {
            return refuse("VF-MOVE-24", self.more_than_half(cost, allowance));
        }
        if !exits {
            if !body.on_table(self.b.width, self.b.height) {
                return refuse("VF-MOVE-28", "that leaves the table");
            }
            // A unit that stays where it is cannot be in the wrong, even if a cloud beside it has grown.
            let blocked = self.present().find(|&o| o != u && body.ends_on(&self.unit(o).body));
            if let Some(o) = blocked.filter(|_| place != unit.place) {
                return refuse("VF-MODEL-44", format!("that ends on top of {}", self.name(o)));
            }
            // A turn of a cloud brings it no nearer than any other part of its move may.
            if body.cloud > 0 && self.comes_too_near(u, &body) {
                let clear = self.p().distance.clear;
                return refuse("VF-MODEL-45", format!("that ends nearer than {clear} to the enemy"));
            }
            self.judge_ground(u, place, &body)?;
        }
        self.judge_march_initiative(acting, place, &stretches)?;
        Ok(Marched { place, cost, allowance, exits, road: whole, walk: stretches })
    }

    /// Whether the initiative check allows a march. The turns of a cloud are free under every result: of its march only
    /// what it walks is an advance or a retreat (VF-CMD-11, -12, VF-MODEL-21).
    fn judge_march_initiative(&self, acting: Acting, end: Place, walk: &Walk) -> Result<(), Illegal> {
        let (u, unit) = (acting.unit, self.unit(acting.unit));
        if unit.formation != Formation::Cloud || end.t == unit.place.t {
            return self.judge_initiative(u, &unit.body, &unit.body_at(end.pose()), acting.nearest);
        }
        let walked = walk.iter().map(|stretch| match *stretch {
            Stretch::Straight { pose, way, length } => {
                let from = unit.body_at(pose);
                self.advance(u, &from, &from.slid(way * length), acting.nearest)
            }
            Stretch::Wheel { .. } => 0,
        });
        self.judge_advance(u, walked.sum())
    }

    /// The stretches of a march leg by leg, and the pose after the last.
    pub(crate) fn stretches(&self, u: Nr, legs: &[Leg]) -> Result<(Walk, Pose), Illegal> {
        if self.unit(u).formation == Formation::Cloud {
            self.cloud_stretches(u, legs)
        } else {
            self.formed_stretches(u, legs)
        }
    }

    /// Whether a convoy's wagon is out by its exit (VF-SCEN-13).
    pub(crate) fn exits(&self, u: Nr, body: &Body, walk: &[Stretch]) -> bool {
        let Objective::Convoy { wagon, from, to, .. } = self.b.objective else { return false };
        let north = self.b.height;
        // Where the middle of its front goes over the edge, if it does.
        let over = walk.iter().find_map(|stretch| match *stretch {
            Stretch::Straight { pose, way, length }
                if pose.at.y <= north && way.y * length > north - pose.at.y =>
            {
                Some(pose.at + way * ((north - pose.at.y) / way.y))
            }
            _ => None,
        });
        let left = over.unwrap_or(body.rect.front().at);
        // Who commands it by a Jack may not march it off the table (VF-TURN-18).
        u == wagon
            && self.controller() == self.side(u)
            && (from..=to).contains(&mils(left.x))
            && body.rect.corners().iter().any(|c| mils(c.y) > mils(north))
            && body.rect.corners().iter().all(|c| c.x >= 0.0 && c.x <= self.b.width && c.y >= 0.0)
    }

    fn formed_stretches(&self, u: Nr, legs: &[Leg]) -> Result<(Walk, Pose), Illegal> {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let mut pose = unit.place.pose();
        let mut stretches = SmallVec::new();
        for leg in legs {
            match *leg {
                Leg::Forward(d) if d.0 >= 0 => {
                    if d.0 > 0 {
                        let way = pose.forward();
                        stretches.push(Stretch::Straight { pose, way, length: d.get() });
                        pose = pose.ahead(d.get());
                    }
                }
                Leg::WheelLeft(a) | Leg::WheelRight(a) if (0..=180_000).contains(&a.0) => {
                    if a.0 > 0 {
                        let side = if matches!(leg, Leg::WheelLeft(_)) {
                            path::Side::Left
                        } else {
                            path::Side::Right
                        };
                        stretches.push(Stretch::Wheel { pose, side, degrees: a.get() });
                        pose = path::wheel(&pose, width, side, a.get());
                    }
                }
                _ => {
                    return refuse(
                        "VF-MOVE-05",
                        "a march goes straight ahead and wheels by up to 180 degrees",
                    );
                }
            }
        }
        Ok((stretches, pose))
    }

    fn cloud_stretches(&self, u: Nr, legs: &[Leg]) -> Result<(Walk, Pose), Illegal> {
        let mut pose = self.unit(u).place.pose();
        let mut stretches = SmallVec::new();
        for leg in legs {
            let step = match *leg {
                Leg::Go(bearing, d) if d.0 >= 0 => angle::forward(angle::normalise(bearing.get())) * d.get(),
                Leg::To(x, y) => Point::new(x.get(), y.get()) - pose.at,
                Leg::Forward(d) if d.0 >= 0 => pose.forward() * d.get(),
                Leg::Face(facing) => {
                    // Turning about the middle of the envelope is free (VF-MODEL-21).
                    let body = self.unit(u).bases.body(pose, Formation::Cloud, 6);
                    pose = turned(&body, angle::normalise(facing.get()));
                    continue;
                }
                _ => {
                    return refuse(
                        "VF-MOVE-11",
                        "skirmishers go straight, any way: go = [bearing, inches], to = [x, y] or face",
                    );
                }
            };
            let length = step.length();
            if let Some(way) = step.unit() {
                stretches.push(Stretch::Straight { pose, way, length });
                pose = pose.slid(step);
            }
        }
        Ok((stretches, pose))
    }

    /// Walks the stretches and adds up what they cost.
    fn walk(&self, u: Nr, stretches: &[Stretch], road: bool, exits: bool) -> Result<f64, Illegal> {
        let unit = self.unit(u);
        let side = self.side(u);
        let mover = self.mover(u);
        let minding = Minding { road: Some(road), edge: !exits, ..Minding::all(u) };
        let mut near = unit.formation != Formation::Cloud && self.near_enemy(side, &unit.body);
        let mut cost = 0.0;
        for stretch in stretches {
            match stretch {
                Stretch::Straight { pose, way, length } => {
                    let body = unit.body_at(*pose);
                    self.judge_cloud_proximity(u, &body, *way, *length)?;
                    let (run, bar) = self.free_run(side, mover, &body, *way, *length, minding);
                    if let Some(bar) = bar.filter(|_| run + 0.000_5 < *length) {
                        return self.barred(u, bar, run);
                    }
                    cost += self.straight_cost(mover, &body, *way, *length, Some(road));
                    if self.o().proximity_check == ProximityCheck::Continuous && !near && stretches.len() > 1
                    {
                        near = self.passes_near(side, &body, *way, *length);
                    }
                }
                Stretch::Wheel { pose, side: hand, degrees } => {
                    if near {
                        return refuse(
                            "VF-MOVE-01",
                            format!("{}; it may only go straight", self.too_near(u)),
                        );
                    }
                    let (end, price) = self.wheel(u, *pose, (*hand, *degrees), road, None)?;
                    cost += price;
                    if self.o().proximity_check == ProximityCheck::Continuous {
                        let body = unit.body_at(end);
                        if self.wheel_passes_near(u, *pose, *hand, *degrees) {
                            let near = self.p().distance.near_enemy;
                            return refuse(
                                "VF-MOVE-02",
                                format!(
                                    "the wheel would go on within {near} of the enemy; stop it at {near}"
                                ),
                            );
                        }
                        near = self.near_enemy(side, &body);
                    }
                }
            }
        }
        Ok(cost)
    }

    /// Whether a slide comes near an enemy anywhere (VF-MOVE-02).
    fn passes_near(&self, side: Side, body: &Body, way: Point, length: f64) -> bool {
        let near = inch(self.p().distance.near_enemy);
        let start = body.centroid();
        let track = Segment::new(start, start + way * length);
        self.present_of(side.enemy()).any(|e| {
            let other = &self.unit(e).body;
            let reach = body.radius() + other.radius() + exact(near) + 0.01;
            track.distance_squared(other.centroid()) <= reach * reach
                && self.o().within(mils(approach(body, way, length, other)), near)
        })
    }

    /// Whether a wheel goes on after it has come near an enemy; ending just so near is allowed.
    fn wheel_passes_near(&self, u: Nr, pose: Pose, side: path::Side, degrees: f64) -> bool {
        let unit = self.unit(u);
        let near = inch(self.p().distance.near_enemy);
        let steps = (degrees / 3.0).ceil().max(1.0) as u32;
        let width = unit.body.rect.width();
        let pivot = path::front_corner(&pose, width, side);
        self.present_of(self.side(u).enemy()).any(|e| {
            let other = &self.unit(e).body;
            // All of the wheel is in the circle that its diagonal draws about the corner.
            let reach = 2.0 * unit.body.radius() + other.radius() + exact(near) + 0.1;
            pivot.distance_squared(other.centroid()) <= reach * reach
                && (1..=steps).any(|i| {
                    let by = degrees * f64::from(i) / f64::from(steps);
                    let (at, _) = path::wheel_about(pivot, pose.facing, width, side, by);
                    let body = unit.body_at(at);
                    if !body.may_reach(other, exact(near)) {
                        return false;
                    }
                    let gap = body.gap_mils(other);
                    if i == steps { gap < near } else { self.o().within(gap, near) }
                })
        })
    }

    /// Whether a leg of a cloud goes towards or away from the nearest enemy from where it is near one, as it begins or
    /// on the way (VF-MOVE-04, -02).
    fn judge_cloud_proximity(&self, u: Nr, body: &Body, way: Point, length: f64) -> Result<(), Illegal> {
        if body.cloud == 0 || self.o().skirmish_proximity == SkirmishProximity::Exempt {
            return Ok(());
        }
        let side = self.side(u);
        let begins_near = self.near_enemy(side, body);
        let comes_near = || {
            let near = exact(self.o().most_within(inch(self.p().distance.near_enemy)));
            self.present_of(side.enemy())
                .filter_map(|e| first_within(body, way, length, &self.unit(e).body, near))
                .min_by(f64::total_cmp)
                .filter(|at| mils(*at) < mils(length))
        };
        let at = match self.o().proximity_check {
            _ if begins_near => Some(0.0),
            ProximityCheck::Continuous => comes_near(),
            ProximityCheck::StartOnly => None,
        };
        let Some(body) = at.map(|at| body.slid(way * at)) else { return Ok(()) };
        let Some((enemy, _)) = self.nearest_enemy(side, &body) else { return Ok(()) };
        let line = self.unit(enemy).body.centroid() - body.centroid();
        if line.unit().is_some_and(|line| line.cross(way).abs() > 0.01) {
            return refuse(
                "VF-MOVE-04",
                format!(
                    "within {} it may only go towards or away from {}",
                    self.p().distance.near_enemy,
                    self.name(enemy)
                ),
            );
        }
        Ok(())
    }
}
