//! Charges, responses, evasion and following, coming into contact (ledger 4.8, VF-MODEL-46, -47).

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::path;
use tricorne_table::{Point, Pose, Segment, Shape, angle};

use crate::action::Flight as HowFar;
use crate::field::{Field, bit, no};
use crate::formation::{Body, Zone, bases, pivoted, touch, turned};
use crate::measure::{Mils, Place, exact, mils};
use crate::model::{Formation, Kind, Nr};
use crate::morale::Flight;
use crate::movement::{Minding, first_within};
use crate::options::FireThenCharge;
use crate::rulebook::inch;
use crate::state::{Charge, ChargePath, Initiative, Response, Step};

impl Field {
    /// Which side of a target somebody comes at (VF-MODEL-25, -30, -46).
    pub(crate) fn aspect(&self, target: Nr, from: Point) -> Zone {
        let unit = self.unit(target);
        match unit.formation {
            Formation::Cloud => Zone::Front,
            Formation::Square => {
                let open = unit.square.is_some_and(|s| s.open_rear);
                if open && unit.body.zone(from) == Zone::Rear { Zone::Rear } else { Zone::Front }
            }
            _ => unit.body.zone(from),
        }
    }

    /// The way of a charge: the cheapest that touches nobody else first (VF-CHARGE-05).
    pub(crate) fn charge_path(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        let unit = self.unit(u);
        let goal = self.unit(target).body;
        if unit.formation == Formation::Cloud {
            return self.cloud_charge_path(u, target);
        }
        let pose = unit.place.pose();
        let width = unit.body.rect.width();
        let near = self.near_enemy(self.side(u), &unit.body);
        let most = if near { 0 } else { i16::from(self.p().moves.charge_wheel) };
        let gap = unit.body.gap_mils(&goal);
        let price = self.wheel_price();
        let mut best: Option<ChargePath> = None;
        for degrees in 0..=most {
            let wheel = mils(path::wheel_cost(width, f64::from(degrees), price));
            if best.is_some_and(|b| wheel >= b.cost) {
                break;
            }
            for sign in [-1_i16, 1] {
                if degrees == 0 && sign > 0 {
                    continue;
                }
                let side = if sign < 0 { path::Side::Left } else { path::Side::Right };
                let start = path::wheel(&pose, width, side, f64::from(degrees));
                let body = Body::new(start, unit.formation, unit.strength);
                let way = start.forward();
                let Some(straight) = touch(&body, way, &goal) else { continue };
                if best.is_some_and(|b| wheel + mils(straight) >= b.cost) {
                    continue;
                }
                if !self.charge_clear(u, target, &body, way, straight) {
                    continue;
                }
                let wheel_cost = if degrees == 0 {
                    0
                } else {
                    match self.wheel(u, pose, side, f64::from(degrees), false, bit(u) | bit(target)) {
                        Ok((_, cost)) => mils(cost),
                        Err(_) => continue,
                    }
                };
                let cost = wheel_cost + mils(self.straight_cost(self.mover(u), &body, way, straight, None));
                if best.is_none_or(|b| cost < b.cost) {
                    best = Some(ChargePath {
                        wheel: sign * degrees,
                        bearing: mils(start.facing),
                        straight: mils(straight),
                        wheel_cost,
                        cost,
                    });
                }
            }
            // Nothing is shorter than the gap itself.
            if best.is_some_and(|b| b.cost <= gap) {
                break;
            }
        }
        best
    }

    /// A cloud goes straight to the nearest touch.
    fn cloud_charge_path(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        let body = self.unit(u).body;
        let goal = self.unit(target).body;
        let mut best = (f64::INFINITY, Point::ORIGIN);
        for a in body.parts() {
            for b in goal.parts() {
                let (a, b) = (Shape::Rect(a), Shape::Rect(b));
                let gap = a.gap(&b);
                if gap < best.0 - 1e-9 {
                    let nearest = a.nearest(&b);
                    best = (gap, nearest.other - nearest.own);
                }
            }
        }
        let (length, step) = best;
        let way = step.unit().unwrap_or_else(|| body.rect.frame().forward);
        if length > 0.0 && !self.charge_clear(u, target, &body, way, length) {
            return None;
        }
        let cost = mils(self.straight_cost(self.mover(u), &body, way, length, None));
        Some(ChargePath {
            wheel: 0,
            bearing: mils(angle::bearing_of(way)),
            straight: mils(length),
            wheel_cost: 0,
            cost,
        })
    }

    /// Whether nobody else and no closed ground is met before the target.
    fn charge_clear(&self, u: Nr, target: Nr, body: &Body, way: Point, length: f64) -> bool {
        let start = body.centroid();
        let track = Segment::new(start, start + way * length);
        let blocked = self.present().any(|o| {
            if o == u || o == target {
                return false;
            }
            let other = &self.unit(o).body;
            let reach = body.radius() + other.radius() + 0.01;
            track.distance_squared(other.centroid()) <= reach * reach
                && touch(body, way, other).is_some_and(|at| at < length - 0.001)
        });
        let minding = Minding { friends: false, edge: true, except: u64::MAX, road: None };
        !blocked && self.free_run(self.side(u), self.mover(u), body, way, length, minding).1.is_none()
    }

    /// Whether a unit may charge at all (VF-CHARGE-01, VF-CMD-12).
    pub(crate) fn can_charge(&self, u: Nr) -> Result<(), Illegal> {
        let unit = self.unit(u);
        if matches!(self.kind(u), Kind::Artillery | Kind::Wagon) || unit.formation == Formation::Square {
            return no(
                "VF-CHARGE-01",
                format!("{} is of a kind or in a formation that never charges", self.name(u)),
            );
        }
        if unit.disordered || unit.shaken {
            return no("VF-MORALE-21", format!("{} is disordered; it must reform first", self.name(u)));
        }
        if self.initiative() == Initiative::RetreatOnly {
            return no("VF-CMD-12", format!("{} may retreat only, so it may not charge", self.name(u)));
        }
        Ok(())
    }

    /// Whether a unit may charge another, and how (VF-CHARGE-01 to -03).
    pub(crate) fn judge_charge(&self, u: Nr, target: Nr) -> Result<ChargePath, Illegal> {
        self.can_charge(u)?;
        if self.side(target) == self.side(u) || !self.unit(target).here() {
            return no("VF-CHARGE-01", format!("{} is no enemy unit on the table", self.name(target)));
        }
        if self.kind(target).is_cavalry() && !self.kind(u).is_cavalry() {
            return no("VF-CHARGE-02", format!("only cavalry may charge {}", self.name(target)));
        }
        let far = self.greatest_move(u);
        let body = &self.unit(target).body;
        let too_far = || {
            let why = format!(
                "{} is beyond the {:.3} that {} could roll",
                self.name(target),
                exact(far),
                self.name(u)
            );
            no("VF-CHARGE-03", why)
        };
        if !self.unit(u).body.may_reach(body, exact(far)) {
            return too_far();
        }
        if self.range(u, 0, body).is_none() {
            return no("VF-CHARGE-01", format!("{} is not in front of {}", self.name(target), self.name(u)));
        }
        if !self.sees(u, 0, target) {
            return no("VF-CHARGE-01", format!("{} does not see {}", self.name(u), self.name(target)));
        }
        match self.charge_path(u, target) {
            Some(path) if path.cost <= far => Ok(path),
            Some(_) => too_far(),
            None => no(
                "VF-CHARGE-05",
                format!("there is no clear way for {} to {}", self.name(u), self.name(target)),
            ),
        }
    }

    /// Whether the charger may fire before it charges (VF-CHARGE-06).
    pub(crate) fn judge_fire_first(&self, u: Nr, target: Nr) -> Result<(), Illegal> {
        if self.o().fire_then_charge == FireThenCharge::NotAllowed {
            return no("VF-CHARGE-06", "by the option chosen a charger does not fire first");
        }
        self.judge_target(u, 0, target).map(drop)
    }

    /// Declares a charge (S-CHARGE).
    pub(crate) fn declare(&mut self, u: Nr, target: Nr, path: ChargePath, fire_first: bool, log: &mut Log) {
        self.s.charge = Some(Charge {
            charger: u,
            target,
            aspect: self.aspect(target, self.unit(u).body.reference()),
            cover: self.in_hard_cover(target, &self.unit(u).body),
            answered: false,
            failed: false,
            fled: false,
            allowance: 0,
            path: Some(path),
        });
        let (who, whom) = (self.spec(u).id, self.spec(target).id);
        log.say(|| {
            Event::new("charge_declared", "VF-CHARGE-01")
                .who(who)
                .whom(whom)
                .outcome(if fire_first { "fire_first" } else { "cold_steel" })
                .with("gap", exact(path.cost))
        });
        self.push(Step::AfterChargeFire);
        if fire_first {
            self.push(Step::Shoot { shooter: u, face: 0, target, returned: false });
        }
    }

    /// After the shots before a charge: go on, ask, or leave off (VF-CHARGE-07).
    pub(crate) fn after_charge_fire(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        if charge.failed || !self.unit(u).here() || !self.unit(target).here() {
            self.end_charge(log);
            return;
        }
        if !charge.fled {
            self.push(Step::AskResponse);
            return;
        }
        if self.judge_charge(u, target).is_ok() {
            self.push(Step::AskContinue);
        } else {
            self.end_charge(log);
        }
    }

    /// Goes on against a target that fell back.
    pub(crate) fn charge_on(&mut self) {
        let Some(mut charge) = self.s.charge else { return };
        charge.path = self.charge_path(charge.charger, charge.target);
        charge.aspect = self.aspect(charge.target, self.unit(charge.charger).body.reference());
        charge.cover = self.in_hard_cover(charge.target, &self.unit(charge.charger).body);
        self.s.charge = Some(charge);
        self.push(Step::AskResponse);
    }

    pub(crate) fn end_charge(&mut self, log: &mut Log) {
        if let Some(charge) = self.s.charge.take() {
            let id = self.spec(charge.charger).id;
            log.say(|| Event::new("charge_over", "VF-CHARGE-04").who(id));
        }
    }

    /// Whether the target of the charge may answer so (VF-CHARGE-09 to -17, -22).
    pub(crate) fn judge_response(&self, response: Response) -> Result<(), Illegal> {
        let Some(charge) = self.s.charge else { return no("VF-CHARGE-09", "nobody is charged") };
        let (u, target) = (charge.charger, charge.target);
        let unit = self.unit(target);
        let kind = self.kind(target);
        let id = || self.name(target);
        let ordered = !unit.disordered && !unit.shaken;
        let needs_order = || no("VF-CHARGE-22", format!("{} is disordered", id()));
        let ready = unit.held_fire || !unit.activated;
        match response {
            Response::Stand => Ok(()),
            Response::Evade => match kind {
                Kind::Skirmish | Kind::Light => Ok(()),
                _ => no("VF-CHARGE-17", format!("{} is neither skirmishers nor light cavalry", id())),
            },
            _ if !ordered => needs_order(),
            Response::Fire => {
                self.can_fire(target)?;
                if charge.answered {
                    return no("VF-CHARGE-07", format!("{} has spent its fire on the charger already", id()));
                }
                if !ready {
                    return no("VF-CHARGE-10", format!("{} has acted and holds no fire", id()));
                }
                if charge.aspect != Zone::Front {
                    return no("VF-CHARGE-10", format!("{} is not charged in front", id()));
                }
                if unit.formation == Formation::Square
                    && self.facing_base(target, &self.unit(u).body).is_none()
                {
                    return no("VF-FIRE-31", format!("no base of {} has the charger in its arc", id()));
                }
                Ok(())
            }
            Response::Countercharge => {
                if !kind.is_cavalry() {
                    return no("VF-CHARGE-15", format!("{} is no cavalry", id()));
                }
                if charge.aspect != Zone::Front {
                    return no("VF-CHARGE-15", format!("the charger is not in front of {}", id()));
                }
                if unit.activated && !self.o().countercharge_when_activated {
                    return no("VF-CHARGE-15", format!("{} has acted", id()));
                }
                Ok(())
            }
            Response::Square => {
                if kind != Kind::Infantry || unit.formation == Formation::Square {
                    return no("VF-CHARGE-14", format!("{} is no infantry that could form square", id()));
                }
                if !self.kind(u).is_cavalry() {
                    return no("VF-CHARGE-14", "squares are formed against cavalry");
                }
                if charge.answered || !ready || unit.silenced {
                    return no("VF-CHARGE-14", format!("{} could not have fired either", id()));
                }
                if charge.aspect != Zone::Front && !self.o().square_when_flanked {
                    return no("VF-CHARGE-14", format!("{} is not charged in front", id()));
                }
                let place = self.square_place(target, u);
                let body = Body::new(place.pose(), Formation::Square, unit.strength);
                if !self.room_ignoring(&body, bit(target) | bit(u), self.mover(target)) {
                    return no("VF-MODEL-44", format!("there is no room for {} to form square", id()));
                }
                Ok(())
            }
        }
    }

    /// The first base of a square that has a body in its arc.
    fn facing_base(&self, u: Nr, body: &Body) -> Option<u8> {
        (0..2).find(|&face| self.range(u, face, body).is_some())
    }

    /// The square of VF-CHARGE-14: the nearer base stays, the other goes behind it.
    fn square_place(&self, target: Nr, charger: Nr) -> Place {
        let unit = self.unit(target);
        let from = self.unit(charger).body;
        let bases = bases(&unit.body, unit.formation, None);
        let gap = |i: usize| {
            bases.get(i).map_or(i32::MAX, |&(centre, facing)| {
                let half = angle::forward(facing) * 1.25;
                Body::new(Pose::new(centre + half, facing), Formation::Limbered, 1).gap_mils(&from)
            })
        };
        let nearer = usize::from(gap(1) < gap(0));
        let (centre, facing) =
            bases.get(nearer).copied().unwrap_or((unit.body.centroid(), exact(unit.place.t)));
        Place::of(pivoted(centre, facing, Formation::Square, false))
    }

    /// The target answers; dice are rolled and the charge runs (VF-CHARGE-04).
    pub(crate) fn respond(&mut self, response: Response, chance: &mut dyn Chance, log: &mut Log) {
        let Some(mut charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let (who, whom) = (self.spec(target).id, self.spec(u).id);
        log.say(|| {
            Event::new("response", "VF-CHARGE-09").who(who).whom(whom).outcome(match response {
                Response::Stand => "stand",
                Response::Fire => "fire",
                Response::Countercharge => "countercharge",
                Response::Square => "square",
                Response::Evade => "evade",
            })
        });
        self.unit_mut(target).activated = true; // VF-CHARGE-08
        if response == Response::Square {
            let place = self.square_place(target, u);
            let unit = self.unit_mut(target);
            unit.formation = Formation::Square;
            unit.square = None;
            unit.held_fire = false;
            self.put(target, place);
        }
        let roll = self.roll_move(u, "charge_move", false, chance);
        charge.allowance = roll.allowance;
        if response != Response::Stand {
            // The ground may have changed under the charge (VF-CHARGE-05).
            charge.path = self.charge_path(u, target);
        }
        self.s.charge = Some(charge);
        let reach = exact(charge.allowance);
        let cost = charge.path.map_or(0.0, |p| exact(p.cost));
        log.say(|| {
            Event::new("charge_move", "VF-CHARGE-04")
                .who(whom)
                .whom(who)
                .faces(&roll.faces)
                .with("inches", reach)
                .with("gap", cost)
                .outcome(match response {
                    Response::Countercharge | Response::Evade => "rides",
                    _ if cost <= reach => "reaches",
                    _ => "short",
                })
        });
        match response {
            Response::Stand | Response::Square => self.run_home(log),
            Response::Fire => self.run_through_fire(chance, log),
            Response::Countercharge => {
                let d = self.roll_move(target, "countercharge_move", false, chance);
                log.say(|| {
                    Event::new("countercharge_move", "VF-CHARGE-16")
                        .who(who)
                        .faces(&d.faces)
                        .with("inches", exact(d.allowance))
                });
                self.meet(d.allowance, log);
            }
            Response::Evade => {
                let d = self.roll_move(target, "evade_move", false, chance);
                log.say(|| {
                    Event::new("evade_move", "VF-CHARGE-18")
                        .who(who)
                        .faces(&d.faces)
                        .with("inches", exact(d.allowance))
                });
                self.push(Step::AskEvade { allowance: d.allowance });
            }
        }
    }

    /// The pose after so much of a charge.
    pub(crate) fn along(&self, u: Nr, path: &ChargePath, spend: Mils) -> Pose {
        let unit = self.unit(u);
        let pose = unit.place.pose();
        let width = unit.body.rect.width();
        let side = if path.wheel < 0 { path::Side::Left } else { path::Side::Right };
        let degrees = f64::from(path.wheel.abs());
        if spend < path.wheel_cost {
            let share = f64::from(spend) / f64::from(path.wheel_cost.max(1));
            return path::wheel(&pose, width, side, degrees * share);
        }
        let wheeled = if path.wheel == 0 { pose } else { path::wheel(&pose, width, side, degrees) };
        let way = angle::forward(exact(path.bearing));
        let length = if spend >= path.cost {
            exact(path.straight)
        } else {
            let body = Body::new(wheeled, unit.formation, unit.strength);
            let left = exact(spend - path.wheel_cost);
            self.distance_for(self.mover(u), &body, way, left).min(exact(path.straight))
        };
        wheeled.slid(way * length)
    }

    /// The charge runs to contact, or as far as it goes (VF-CHARGE-21).
    fn run_home(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        match charge.path {
            None => {
                self.ride(u, exact(self.unit(u).place.t), charge.allowance, None);
                self.end_charge(log);
            }
            Some(path) if path.cost > charge.allowance => {
                let place = Place::of(self.along(u, &path, charge.allowance));
                self.put(u, place);
                self.end_charge(log);
            }
            Some(path) => {
                let at = self.along(u, &path, path.cost);
                self.contact(u, target, at, charge.aspect, charge.cover, log);
            }
        }
    }

    /// The charge comes under fire on the way (VF-CHARGE-11 to -13).
    fn run_through_fire(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let Some(path) = charge.path else {
            self.run_home(log);
            return;
        };
        let (at, spent, close) = self.firing_point(u, target, &path, charge.allowance);
        let before = self.unit(u).place;
        self.unit_mut(u).place = Place::of(at);
        self.unit_mut(u).settle();
        let gap = self.unit(u).body.gap_mils(&self.unit(target).body);
        let short = inch(self.p().fire.short);
        let range = if close { gap.min(short - i32::from(!self.o().within_inclusive)) } else { gap };
        let far = inch(if self.kind(target) == Kind::Artillery {
            self.p().fire.artillery.far
        } else {
            self.p().fire.long
        });
        if self.o().within(range, far) && self.volley(target, u, range).needed <= 6 {
            self.unit_mut(target).held_fire = false;
            self.shoot(target, u, range, chance, log);
        }
        let failed = self.s.charge.is_none_or(|c| c.failed);
        if failed || !self.unit(u).here() {
            self.end_charge(log);
            return;
        }
        // The rest of the way from here, by the same path.
        if self.unit(u).formation == Formation::Cloud {
            let Some(mut charge) = self.s.charge else { return };
            charge.allowance -= spent;
            charge.path = self.charge_path(u, target);
            self.s.charge = Some(charge);
        } else {
            self.unit_mut(u).place = before;
            self.unit_mut(u).settle();
        }
        self.run_home(log);
    }

    /// The first point of the path within 6 of the target, what it costs to get there, and whether it is that near.
    fn firing_point(&self, u: Nr, target: Nr, path: &ChargePath, allowance: Mils) -> (Pose, Mils, bool) {
        let unit = self.unit(u);
        let goal = self.unit(target).body;
        let short = inch(self.p().fire.short);
        let pose = unit.place.pose();
        let near = |pose: Pose| {
            self.o().within(Body::new(pose, unit.formation, unit.strength).gap_mils(&goal), short)
        };
        if near(pose) {
            return (pose, 0, true);
        }
        let reach = path.cost.min(allowance);
        for degree in 1..=path.wheel.abs() {
            let spend = path.wheel_cost * i32::from(degree) / i32::from(path.wheel.abs());
            if spend > reach {
                break;
            }
            let at = self.along(u, path, spend);
            if near(at) {
                return (at, spend, true);
            }
        }
        let last = self.along(u, path, reach);
        if reach <= path.wheel_cost && path.wheel != 0 {
            return (last, reach, near(last));
        }
        let wheeled = self.along(u, path, path.wheel_cost);
        let body = Body::new(wheeled, unit.formation, unit.strength);
        let way = angle::forward(exact(path.bearing));
        let length = wheeled.at.distance(last.at);
        match first_within(&body, way, length, &goal, exact(short)) {
            Some(d) => {
                let cost = mils(self.straight_cost(self.mover(u), &body, way, d, None));
                (wheeled.slid(way * d), path.wheel_cost + cost, true)
            }
            None => (last, reach, false),
        }
    }

    /// Charger and countercharger ride at each other (VF-CHARGE-16).
    fn meet(&mut self, d: Mils, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let Some(path) = charge.path else {
            self.run_home(log);
            return;
        };
        let (c, g) = (charge.allowance, path.cost);
        let opposite = angle::normalise(exact(path.bearing) + 180.0);
        if c + d < g {
            let place = Place::of(self.along(u, &path, c));
            self.put(u, place);
            self.ride(target, opposite, d, None);
            self.end_charge(log);
            return;
        }
        let x = c.min((g / 2 + g % 2).max(g - d));
        let at = self.along(u, &path, x);
        let place = Place::of(at);
        let body = Body::new(place.pose(), self.unit(u).formation, self.unit(u).strength);
        let met = Pose::new(place.at(), exact(place.t) + 180.0);
        let Some(counter) = self.conform_to(target, u, &body, met, Zone::Front) else {
            // No room to ride out: the charge comes home on it as it stands, if it can.
            self.run_home(log);
            return;
        };
        self.put(u, place);
        self.put(target, counter);
        self.start_melee(u, target, Zone::Front, false, true, log);
    }

    /// The evader falls back; then the charger stops or follows (VF-CHARGE-18, -19).
    pub(crate) fn evade(&mut self, how_far: HowFar, allowance: Mils, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let (from, body) = (self.unit(u).body, self.unit(target).body);
        let bearing = exact(mils(angle::bearing(from.centroid(), body.centroid())));
        let way = angle::forward(bearing);
        let facing_away =
            Body::new(turned(&body, bearing), self.unit(target).formation, self.unit(target).strength);
        let spend = match how_far {
            HowFar::Full => allowance,
            HowFar::OutOfReach => {
                let safe = charge.allowance + 100;
                let (mut low, mut high) = (0, allowance);
                let clear = |d: Mils| from.gap_mils(&facing_away.slid(way * exact(d))) >= safe;
                if clear(0) {
                    high = 0;
                }
                while low < high {
                    let middle = i32::midpoint(low, high);
                    if clear(middle) { high = middle } else { low = middle + 1 }
                }
                mils(self.straight_cost(self.mover(target), &facing_away, way, exact(high), None))
                    .min(allowance)
            }
        };
        let id = self.spec(target).id;
        log.say(|| {
            Event::new("evades", "VF-CHARGE-18").who(id).with("inches", exact(spend)).outcome(match how_far {
                HowFar::Full => "full",
                HowFar::OutOfReach => "out_of_reach",
            })
        });
        if spend == 0 {
            if let Ok(place) = self.judge_face(target, crate::measure::Decimal::of(bearing)) {
                self.put(target, place);
            }
        } else {
            self.flee(target, Flight { bearing, spend, halts: true, routs: false }, false, log);
        }
        match charge.path {
            Some(path) if path.cost <= charge.allowance => self.push(Step::AskFollow),
            _ => self.run_home_after_evade(log),
        }
    }

    fn run_home_after_evade(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let u = charge.charger;
        match charge.path {
            Some(path) => {
                let place = Place::of(self.along(u, &path, charge.allowance));
                self.put(u, place);
            }
            None => {
                self.ride(u, exact(self.unit(u).place.t), charge.allowance, None);
            }
        }
        self.end_charge(log);
    }

    /// Stops at the initial target point, or follows (VF-CHARGE-19, -20).
    pub(crate) fn follow(&mut self, follows: bool, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let Some(path) = charge.path else { return };
        let at = Place::of(self.along(u, &path, path.cost));
        self.put(u, at);
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("follow", "VF-CHARGE-19").who(id).outcome(if follows { "follows" } else { "stops" })
        });
        if !self.unit(target).here() {
            self.end_charge(log);
            return;
        }
        if self.unit(u).body.gap_mils(&self.unit(target).body) == 0 {
            // The evader found no way out of the charge.
            let aspect = self.aspect(target, self.unit(u).body.reference());
            self.contact(u, target, at.pose(), aspect, false, log);
            return;
        }
        if !follows {
            self.end_charge(log);
            return;
        }
        let bearing =
            exact(mils(angle::bearing(self.unit(u).body.centroid(), self.unit(target).body.centroid())));
        if let Some((at, aspect)) = self.ride(u, bearing, charge.allowance - path.cost, Some(target)) {
            self.contact(u, target, at, aspect, false, log);
        } else {
            self.end_charge(log);
        }
    }
}
