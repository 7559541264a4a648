//! Riding on, touching and conforming to contact (VF-MODEL-46, -47, VF-CHARGE-19, -20, -23), and who is drawn into a melee
//! (VF-MELEE-34).

use tricorne_game::{Event, InOrder, Log};
use tricorne_table::{Bounds, Point, Pose, Rect, Segment, angle};

use crate::field::{Field, bit};
use crate::model::formation::{Body, Zone, touch, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Nr};
use crate::movement::{Bar, Minding};
use crate::options::MeleeScope;
use crate::state::{Foe, Melee, Stand, Step};

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
        let (mut run, bar) = self.free_run(side, mover, &body, way, full, minding);
        // A turn that would lay it over closed ground is not made (VF-MODEL-43).
        let turns = run > 0.0 || !matches!(bar, Some(Bar::Closed(_)));
        if let Some(q) = quarry.filter(|_| turns)
            && let Some(at) = touch(&body, way, &self.unit(q).body)
            && mils(at) <= mils(run)
        {
            let there = pose.slid(way * at);
            // Skirmishers go through friends, but fight nobody from on top of them (VF-CHARGE-05, VF-MODEL-44).
            if body.cloud == 0 || !self.lies_on_somebody(u, &unit.body_at(there)) {
                // Both are judged where the move begins, before the turn.
                let aspect = self.aspect(q, from.reference());
                let cover = self.in_hard_cover(q, &from);
                return Course::Touches(Contact { at: there, aspect, cover, from });
            }
            run = at;
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
        let stood = self.unit(u).place;
        let begun = self.s.charge.map_or(stood, |charge| charge.from);
        // Back along its way: to where it was shot at, if it was, and from there to where it began.
        let free = [(place, stood), (stood, begun)].into_iter().find_map(|(from, to)| {
            let way = (to.at() - from.at()).unit().unwrap_or(Point::ORIGIN);
            let steps = (from.gap(to) / 0.1) as u32;
            (0..=steps)
                .map(|step| Place::of(from.pose().slid(way * (0.1 * f64::from(step)))))
                .find(|at| !self.lies_on_somebody(u, &self.unit(u).body_at(at.pose())))
        });
        self.put(u, free.unwrap_or(place));
        self.set_clouds_back(u);
    }

    /// Whether a unit would lie on another there; friendly clouds make room for it (VF-CHARGE-23).
    fn lies_on_somebody(&self, u: Nr, there: &Body) -> bool {
        let ignored = bit(u) | self.clouds_beside(u);
        self.present().any(|o| ignored & bit(o) == 0 && there.overlaps(&self.unit(o).body))
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
        let (side, mover) = (self.side(u), self.mover(u));
        // It turns where it touched and goes straight to its place, over no closed ground (VF-MODEL-49).
        let turned = unit.body_at(Pose::new(at.at, facing));
        let over_ground = Minding { friends: false, edge: false, except: u64::MAX, ..Minding::all(u) };
        let gets_there = |place: Place| {
            let hop = place.at() - at.at;
            let (way, length) = (hop.unit().unwrap_or(Point::ORIGIN), hop.length());
            let (run, bar) = self.free_run(side, mover, &turned, way, length, over_ground);
            bar.is_none() || run + 0.000_5 >= length
        };
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
                let there = unit.body_at(place.pose());
                if self.room_ignoring(&there, Some(u), ignored, mover) && gets_there(place) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// Two units are in contact, and whoever else is drawn in.
    pub(crate) fn start_melee(&mut self, u: Nr, target: Nr, contact: Contact, counter: bool, log: &mut Log) {
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
            stood: [u, target].map(|n| Stand::of(&self.unit(n).body)),
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

    /// Every other enemy that the charger's front touches, from its left to its right; whatever a base of a charging cloud
    /// touches (VF-MELEE-34).
    fn draw_in(&self, melee: &mut Melee, from: &Body) {
        let u = melee.attacker;
        let body = self.unit(u).body;
        let front = body.rect.front_edge();
        let right = body.rect.frame().right();
        let least = self.p().distance.contact.get();
        let lines: Vec<Segment> =
            if body.cloud > 0 { body.parts().iter().flat_map(outline).collect() } else { vec![front] };
        let mut drawn: Vec<(f64, Foe)> = Vec::new();
        for o in self.present_of(self.side(u).enemy()).filter(|&o| o != melee.defender) {
            let other = &self.unit(o).body;
            if !body.may_reach(other, 0.01) {
                continue;
            }
            // Of skirmishers any base will do, touched however little.
            let loose = body.cloud > 0 || other.cloud > 0;
            let Some(met) = met_along(&lines, other, loose) else { continue };
            if !loose && met.longest < least - 0.002 {
                continue;
            }
            let foe = Foe {
                unit: o,
                aspect: self.touched_side(o, &lines, front.midpoint()),
                cover: self.in_hard_cover(o, from),
                ordered: !self.unit(o).disordered,
            };
            drawn.push(((met.middle - front.a).dot(right), foe));
        }
        drawn.put_in_order(|a, b| a.0.total_cmp(&b.0));
        for (slot, (_, foe)) in melee.others.iter_mut().zip(drawn) {
            melee.fought |= bit(foe.unit);
            *slot = Some(foe);
        }
    }

    /// The side of a unit on which another touches it: the longest stretch; front, flank, rear on ties.
    fn touched_side(&self, o: Nr, lines: &[Segment], from: Point) -> Zone {
        let unit = self.unit(o);
        let around = self.aspect(o, from);
        let zones = [Zone::Front, Zone::Left, Zone::Right, Zone::Rear];
        let edge = |zone: Zone| unit.body.edge(zone).0;
        // Where but a corner touches, it is the edge that it touches.
        let met = |&zone: &Zone| lines.iter().any(|line| mils(line.gap(&edge(zone))) == 0);
        let mut best = (0.002, zones.into_iter().find(met).unwrap_or(around));
        for zone in zones {
            let edge = edge(zone);
            let long: f64 = lines.iter().map(|line| along(line, &edge).max(0.0)).sum();
            if long > best.0 + 0.002 {
                best = (long, zone);
            }
        }
        match unit.formation {
            Formation::Cloud => around,
            // A square has no flank, and a rear only if it is left open (VF-MODEL-25, -30).
            Formation::Square if best.1 == Zone::Rear && unit.square.is_some_and(|s| s.open_rear) => {
                Zone::Rear
            }
            Formation::Square => Zone::Front,
            _ => best.1,
        }
    }
}

/// How lines touch a body.
struct Met {
    /// The longest stretch of any line.
    longest: f64,
    /// The middle of all that is touched.
    middle: Point,
}

/// How lines touch a body, if any of them does; `exactly` to the thousandth.
fn met_along(lines: &[Segment], body: &Body, exactly: bool) -> Option<Met> {
    let parts = body.parts();
    let touches =
        |line: &Segment, part: &Rect| !exactly || outline(part).iter().any(|edge| mils(line.gap(edge)) == 0);
    let mut ends: Vec<Point> = Vec::new();
    let mut longest = 0.0_f64;
    for line in lines {
        for part in parts.iter().filter(|part| touches(line, part)) {
            let Some((a, b)) = stretch(line, &part.corners()) else { continue };
            longest = longest.max(a.distance(b));
            ends.extend([a, b]);
        }
    }
    (!ends.is_empty()).then(|| Met { longest, middle: Bounds::of_points(&ends).centre() })
}

/// The edges of a base.
fn outline(base: &Rect) -> [Segment; 4] {
    let c = base.corners();
    [0, 1, 2, 3].map(|i| Segment::new(c[i], c[(i + 1) % 4]))
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
