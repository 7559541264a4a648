//! Riding on, touching and conforming to contact (VF-MODEL-46, -47, VF-CHARGE-19, -20).

use tricorne_game::{Event, Log};
use tricorne_table::{Point, Pose, angle};

use crate::field::{Field, bit};
use crate::model::formation::{Body, Zone, touch, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Nr};
use crate::movement::Minding;
use crate::state::{Melee, Step};

impl Field {
    /// Turns on the spot and goes straight, up to so much; stops 1 short of enemies other than the quarry. Comes
    /// back with where and on which side it touches the quarry, if it does; otherwise the unit is put where it got to.
    pub(crate) fn ride(
        &mut self,
        u: Nr,
        bearing: f64,
        spend: Mils,
        quarry: Option<Nr>,
    ) -> Option<(Pose, Zone)> {
        let unit = self.unit(u);
        let pose = turned(&unit.body, bearing);
        let body = Body::new(pose, unit.formation, unit.strength);
        let way = angle::forward(bearing);
        let (side, mover) = (self.side(u), self.mover(u));
        let full = self.distance_for(mover, &body, way, exact(spend));
        let minding = Minding { except: bit(u) | quarry.map_or(0, bit), ..Minding::all(u) };
        let (run, _) = self.free_run(side, mover, &body, way, full, minding);
        if let Some(q) = quarry
            && let Some(at) = touch(&body, way, &self.unit(q).body)
            && mils(at) <= mils(run)
        {
            return Some((pose.slid(way * at), self.aspect(q, body.reference())));
        }
        let strength = unit.strength;
        let formation = unit.formation;
        let old = unit.place;
        let fits = |d: f64| {
            let place = Place::of(pose.slid(way * d));
            let body = Body::new(place.pose(), formation, strength);
            self.room_for(&body, Some(u), mover).then_some(place)
        };
        let place = (0..=(run / 0.1) as u32)
            .find_map(|step| fits((run - 0.1 * f64::from(step)).max(0.0)))
            .unwrap_or(old);
        self.put(u, place);
        None
    }

    /// The charger touches: it is set against the edge it came at, and the melee begins (VF-MODEL-47, VF-MELEE-01).
    pub(crate) fn contact(&mut self, u: Nr, target: Nr, at: Pose, aspect: Zone, cover: bool, log: &mut Log) {
        let goal = self.unit(target).body;
        let place = self.conform_to(u, target, &goal, at, aspect).unwrap_or_else(|| Place::of(at));
        self.put(u, place);
        self.start_melee(u, target, aspect, cover, false, log);
    }

    /// Where a unit stands against an edge of another; none if there is no room anywhere along it.
    pub(crate) fn conform_to(&self, u: Nr, target: Nr, goal: &Body, at: Pose, aspect: Zone) -> Option<Place> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud || goal.cloud > 0 {
            return Some(Place::of(at));
        }
        let touching = Body::new(at, unit.formation, unit.strength);
        let zone = if self.unit(target).formation == Formation::Square && aspect == Zone::Front {
            first_touched(goal, &touching, at.facing)
        } else {
            aspect
        };
        let (edge, outward) = goal.edge(zone);
        let facing = angle::normalise(outward + 180.0);
        let middle = edge.nearest(at.at);
        let right = angle::right(facing);
        let length = edge.length();
        let along = edge.way().unit()?;
        let half = unit.body.rect.width() * 0.5;
        let shared = |p: Point| {
            let t = (p - edge.a).dot(along);
            (t + half).min(length) - (t - half).max(0.0)
        };
        for step in 0..200_u32 {
            for sign in [1.0, -1.0] {
                if step == 0 && sign < 0.0 {
                    continue;
                }
                let p = middle + right * (sign * 0.1 * f64::from(step));
                if shared(p) < 0.5 - 1e-9 {
                    continue;
                }
                let place = Place::of(Pose::new(p, facing));
                let body = Body::new(place.pose(), unit.formation, unit.strength);
                if self.room_ignoring(&body, bit(u) | bit(target), self.mover(u)) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// Two units are in contact.
    pub(crate) fn start_melee(
        &mut self,
        u: Nr,
        target: Nr,
        aspect: Zone,
        cover: bool,
        counter: bool,
        log: &mut Log,
    ) {
        let facing = self.unit(u).body.rect.frame().forward;
        let depth = |n: Nr| {
            let rect = &self.unit(n).body.rect;
            let (f, r) = (rect.frame().forward, rect.frame().right());
            mils(rect.width() * r.dot(facing).abs() + rect.depth() * f.dot(facing).abs())
        };
        let melee = Melee {
            attacker: u,
            defender: target,
            round: 1,
            aspect,
            cover,
            attacker_charges: true,
            defender_charges: counter,
            countercharged: counter,
            attacker_ordered: !self.unit(u).disordered,
            defender_ordered: !self.unit(target).disordered,
            attacker_depth: depth(u),
            defender_depth: depth(target),
        };
        self.s.melee = Some(melee);
        let (who, whom) = (self.spec(u).id, self.spec(target).id);
        let at = self.unit(u).place;
        log.say(|| {
            Event::new("contact", "VF-MODEL-47")
                .clause("VF-MELEE-01")
                .who(who)
                .whom(whom)
                .with("x", exact(at.x))
                .with("y", exact(at.y))
                .outcome(match aspect {
                    Zone::Front => "front",
                    Zone::Left | Zone::Right => "flank",
                    Zone::Rear => "rear",
                })
        });
        self.push(Step::MeleeRound);
    }
}

/// The edge of a square that a charger touches first.
fn first_touched(goal: &Body, touching: &Body, facing: f64) -> Zone {
    let mut best = (f64::INFINITY, Zone::Front);
    let front = touching.rect.front_edge();
    for zone in [Zone::Front, Zone::Right, Zone::Rear, Zone::Left] {
        let (edge, outward) = goal.edge(zone);
        // An edge that is met squarely wins over one met at its corner.
        let slant = 1.0 + angle::cos(outward - facing);
        let score = mils(edge.gap(&front)).max(0);
        let score = f64::from(score) + slant;
        if score < best.0 - 1e-9 {
            best = (score, zone);
        }
    }
    best.1
}
