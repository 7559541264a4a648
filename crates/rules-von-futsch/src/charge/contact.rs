//! Riding on, touching and conforming to contact (VF-MODEL-46, -47, VF-CHARGE-19, -20, -23), and who is drawn into a melee
//! (VF-MELEE-34).

use tricorne_game::{Event, InOrder, Log};
use tricorne_table::{Point, Pose, Segment, angle};

use crate::field::{Field, bit};
use crate::model::formation::{Body, Zone, touch, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Nr};
use crate::movement::{Bar, Minding};
use crate::options::MeleeScope;
use crate::state::{Foe, Melee, Step};

/// How a unit comes to touch another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// Where it touches.
    pub at: Pose,
    /// On which side of the other (VF-MODEL-46).
    pub aspect: Zone,
    /// The other is in hard cover (VF-MELEE-32).
    pub cover: bool,
    /// The unit as it stood when the move began.
    pub from: Body,
}

/// Where a follower, a pursuer or an occupier gets to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Course {
    /// Its quarry.
    Touches(Contact),
    /// A place short of it.
    Ends(Place),
}

impl Field {
    /// Turns on the spot and goes straight, up to so much; stops short of enemies other than the quarry.
    pub(crate) fn course(&self, u: Nr, bearing: f64, spend: Mils, quarry: Option<Nr>) -> Course {
        let unit = self.unit(u);
        let from = unit.body;
        let pose = turned(&from, bearing);
        let body = unit.body_at(pose);
        let way = angle::forward(bearing);
        let (side, mover) = (self.side(u), self.mover(u));
        let full = self.distance_for(mover, &body, way, exact(spend));
        let minding = Minding { except: bit(u) | quarry.map_or(0, bit), ..Minding::all(u) };
        let (run, bar) = self.free_run(side, mover, &body, way, full, minding);
        // A turn that would lay it over closed ground is not made (VF-MODEL-43).
        let turns = run > 0.0 || !matches!(bar, Some(Bar::Closed(_)));
        if let Some(q) = quarry.filter(|_| turns)
            && let Some(at) = touch(&body, way, &self.unit(q).body)
            && mils(at) <= mils(run)
        {
            // Both are judged where the move begins, before the turn.
            let aspect = self.aspect(q, from.reference());
            let cover = self.in_hard_cover(q, &from);
            return Course::Touches(Contact { at: pose.slid(way * at), aspect, cover, from });
        }
        let ignored = bit(u) | self.clouds_beside(u);
        let fits = |d: f64| {
            let place = Place::of(pose.slid(way * d));
            self.room_ignoring(&unit.body_at(place.pose()), Some(u), ignored, mover).then_some(place)
        };
        let mut steps = 0..=(run / 0.1) as u32;
        let end = steps.find_map(|step| fits((run - 0.1 * f64::from(step)).max(0.0)));
        Course::Ends(end.unwrap_or(unit.place))
    }

    /// Takes that course. Comes back with how it touches the quarry, if it does; otherwise the unit is put where it got.
    pub(crate) fn ride(&mut self, u: Nr, bearing: f64, spend: Mils, quarry: Option<Nr>) -> Option<Contact> {
        match self.course(u, bearing, spend, quarry) {
            Course::Touches(contact) => Some(contact),
            Course::Ends(place) => {
                self.put(u, place);
                self.set_clouds_back(u);
                None
            }
        }
    }

    /// A charge that falls short comes to rest, off its friends if it is a cloud that went through them.
    pub(crate) fn halt_charge(&mut self, u: Nr, place: Place) {
        let start = self.unit(u).place;
        let (from, to) = (start.at(), place.at());
        let ignored = bit(u) | self.clouds_beside(u);
        let steps = (from.distance(to) / 0.1) as u32;
        let way = (to - from).unit().unwrap_or(Point::ORIGIN);
        let free = |step: &u32| {
            let at = Place::of(place.pose().slid(way * (-0.1 * f64::from(*step))));
            let body = self.unit(u).body_at(at.pose());
            !self.present().any(|o| ignored & bit(o) == 0 && body.overlaps(&self.unit(o).body))
        };
        let back = (0..=steps).find(free).unwrap_or(0);
        let place = Place::of(place.pose().slid(way * (-0.1 * f64::from(back))));
        self.put(u, place);
        self.set_clouds_back(u);
    }

    /// Friendly clouds: no charge is barred by them, and they make room for who comes to rest on them. A cloud makes
    /// no room for another.
    fn clouds_beside(&self, u: Nr) -> u64 {
        if self.unit(u).body.cloud > 0 {
            return 0;
        }
        self.present_of(self.side(u)).filter(|&o| o != u && self.unit(o).body.cloud > 0).map(bit).sum()
    }

    /// Friendly clouds on which a charge, follow, pursuit or occupation came to rest are set back (VF-CHARGE-23).
    pub(crate) fn set_clouds_back(&mut self, u: Nr) {
        let frame = self.unit(u).body.rect.frame();
        let steps = 10 * u32::from(self.p().distance.set_back);
        for o in crate::field::bits(self.clouds_beside(u)) {
            if !self.unit(o).body.overlaps(&self.unit(u).body) {
                continue;
            }
            let (pose, mover) = (self.unit(o).place.pose(), self.mover(o));
            let ways = [-frame.forward, frame.right(), -frame.right()];
            let free = ways.iter().find_map(|&way| {
                (1..=steps).find_map(|step| {
                    let place = Place::of(pose.slid(way * (0.1 * f64::from(step))));
                    let body = self.unit(o).body_at(place.pose());
                    self.room_for(&body, Some(o), mover).then_some(place)
                })
            });
            if let Some(place) = free {
                let unit = self.unit_mut(o);
                unit.place = place;
                unit.settle();
                self.set_aside(o);
            }
        }
    }

    /// The charger touches: it is set against the edge it came at, and the melee begins (VF-MODEL-47, VF-MELEE-01).
    pub(crate) fn contact(&mut self, u: Nr, target: Nr, contact: Contact, log: &mut Log) {
        let goal = self.unit(target).body;
        let place = self.conform_to(u, target, &goal, contact.at, contact.aspect);
        self.put(u, place.unwrap_or_else(|| Place::of(contact.at)));
        self.set_clouds_back(u);
        self.start_melee(u, target, contact, false, log);
    }

    /// Where a unit stands against an edge of another; none if there is no room anywhere along it.
    pub(crate) fn conform_to(&self, u: Nr, target: Nr, goal: &Body, at: Pose, aspect: Zone) -> Option<Place> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud || goal.cloud > 0 {
            return Some(Place::of(at));
        }
        let touching = unit.body_at(at);
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
        let least = self.p().distance.contact.get();
        let ignored = bit(u) | bit(target) | self.clouds_beside(u);
        for step in 0..200_u32 {
            for sign in [1.0, -1.0] {
                if step == 0 && sign < 0.0 {
                    continue;
                }
                let p = middle + right * (sign * 0.1 * f64::from(step));
                if shared(p) < least - 1e-9 {
                    continue;
                }
                let place = Place::of(Pose::new(p, facing));
                if self.room_ignoring(&unit.body_at(place.pose()), Some(u), ignored, self.mover(u)) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// Two units are in contact, and whoever else is drawn in.
    pub(crate) fn start_melee(&mut self, u: Nr, target: Nr, contact: Contact, counter: bool, log: &mut Log) {
        let facing = self.unit(u).body.rect.frame().forward;
        let depth = |n: Nr| {
            let rect = &self.unit(n).body.rect;
            let (f, r) = (rect.frame().forward, rect.frame().right());
            mils(rect.width() * r.dot(facing).abs() + rect.depth() * f.dot(facing).abs())
        };
        let mut melee = Melee {
            attacker: u,
            defender: target,
            round: 1,
            aspect: contact.aspect,
            cover: contact.cover,
            attacker_charges: true,
            defender_charges: counter,
            countercharged: counter,
            attacker_ordered: !self.unit(u).disordered,
            defender_ordered: !self.unit(target).disordered,
            attacker_depth: depth(u),
            target_depth: depth(target),
            others: [None; 7],
            fought: bit(u) | bit(target),
        };
        if self.o().melee_scope == MeleeScope::AllTouching {
            self.draw_in(&mut melee, &contact.from);
        }
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
                .outcome(side_met(contact.aspect))
        });
        for foe in melee.others.iter().flatten() {
            let whom = self.spec(foe.unit).id;
            let aspect = foe.aspect;
            log.say(|| Event::new("drawn_in", "VF-MELEE-34").who(whom).whom(who).outcome(side_met(aspect)));
        }
        self.push(Step::MeleeRound);
    }

    /// Every other enemy that the charger's front touches, from its left to its right (VF-MELEE-34).
    fn draw_in(&self, melee: &mut Melee, from: &Body) {
        let u = melee.attacker;
        let body = self.unit(u).body;
        let front = body.rect.front_edge();
        let right = body.rect.frame().right();
        let least = self.p().distance.contact.get();
        let mut drawn: Vec<(f64, Foe)> = Vec::new();
        for o in self.present_of(self.side(u).enemy()).filter(|&o| o != melee.defender) {
            let other = &self.unit(o).body;
            if !body.may_reach(other, 0.01) {
                continue;
            }
            let touched = if body.cloud > 0 || other.cloud > 0 {
                let front_only = body.cloud == 0;
                let parts = other.parts();
                let to_front = |p: &tricorne_table::Rect| {
                    let c = p.corners();
                    (0..4)
                        .map(|i| front.gap(&Segment::new(c[i], c[(i + 1) % 4])))
                        .fold(f64::INFINITY, f64::min)
                };
                let gap = if front_only {
                    parts.iter().map(|p| mils(to_front(p))).min().unwrap_or(i32::MAX)
                } else {
                    body.gap_mils(other)
                };
                (gap == 0).then(|| other.centroid())
            } else {
                stretch(&front, &other.rect.corners())
                    .filter(|(a, b)| a.distance(*b) >= least - 0.002)
                    .map(|(a, b)| a.midpoint(b))
            };
            let Some(place) = touched else { continue };
            let foe = Foe {
                unit: o,
                aspect: self.touched_side(o, &front),
                cover: self.in_hard_cover(o, from),
                ordered: !self.unit(o).disordered,
            };
            drawn.push(((place - front.a).dot(right), foe));
        }
        drawn.put_in_order(|a, b| a.0.total_cmp(&b.0));
        for (slot, (_, foe)) in melee.others.iter_mut().zip(drawn) {
            melee.fought |= bit(foe.unit);
            *slot = Some(foe);
        }
    }

    /// The side of a unit on which another's front touches it: the longest stretch; front, flank, rear on ties.
    fn touched_side(&self, o: Nr, front: &Segment) -> Zone {
        let unit = self.unit(o);
        let around = self.aspect(o, front.midpoint());
        if matches!(unit.formation, Formation::Cloud | Formation::Square) {
            return around;
        }
        let mut best = (0.002, around);
        for zone in [Zone::Front, Zone::Left, Zone::Right, Zone::Rear] {
            let (edge, _) = unit.body.edge(zone);
            let long = along(front, &edge);
            if long > best.0 + 0.002 {
                best = (long, zone);
            }
        }
        best.1
    }
}

/// A side in the words of events.
fn side_met(aspect: Zone) -> &'static str {
    match aspect {
        Zone::Front => "front",
        Zone::Left | Zone::Right => "flank",
        Zone::Rear => "rear",
    }
}

/// The stretch of a line that touches an outline, if it does.
fn stretch(line: &Segment, outline: &[Point; 4]) -> Option<(Point, Point)> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for i in 0..4 {
        let (a, b) = (outline[i], outline[(i + 1) % 4]);
        let inward = (outline[(i + 2) % 4] - b).unit()?;
        let (p, q) = ((line.a - a).dot(inward) + 0.002, (line.b - a).dot(inward) + 0.002);
        if p < 0.0 && q < 0.0 {
            return None;
        }
        if p < 0.0 {
            from = from.max(p / (p - q));
        } else if q < 0.0 {
            to = to.min(p / (p - q));
        }
    }
    (from < to).then(|| (line.a.lerp(line.b, from), line.a.lerp(line.b, to)))
}

/// How far two lines run along each other.
fn along(line: &Segment, edge: &Segment) -> f64 {
    let Some(way) = edge.way().unit() else { return 0.0 };
    let off = |p: Point| way.cross(p - edge.a).abs();
    if off(line.a) > 0.01 || off(line.b) > 0.01 {
        return 0.0;
    }
    let (p, q) = ((line.a - edge.a).dot(way), (line.b - edge.a).dot(way));
    p.max(q).min(edge.length()) - p.min(q).max(0.0)
}

/// The edge of a square that a charger touches first.
fn first_touched(goal: &Body, touching: &Body, facing: f64) -> Zone {
    let mut best = (f64::INFINITY, Zone::Front);
    let front = touching.rect.front_edge();
    for zone in [Zone::Front, Zone::Right, Zone::Rear, Zone::Left] {
        let (edge, outward) = goal.edge(zone);
        // An edge that is met squarely wins over one met at its corner.
        let slant = 1.0 + angle::cos(outward - facing);
        let score = f64::from(mils(edge.gap(&front)).max(0)) + slant;
        if score < best.0 - 1e-9 {
            best = (score, zone);
        }
    }
    best.1
}
