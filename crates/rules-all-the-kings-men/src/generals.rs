//! Generals (GEN): where they ride, what endangers them, who takes their place.

use arrayvec::ArrayVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, Side};
use tricorne_table::{Bounds, Point, Segment, Shape, angle, sweep, within};

use crate::field::{ARMIES, Engagement, army_name, refuse, ring_search};
use crate::options::GeneralPath;
use crate::state::{MOST_SEATS, SeatNo, UnitNo, base_at};
use crate::terrain::{CONTACT, Moving, overlap};

impl Engagement {
    /// Whether a general may stand at a place (ATKM-GEN-07).
    pub(crate) fn judge_general_stand(&self, seat: SeatNo, at: Point) -> Result<(), Illegal> {
        if !at.is_finite() {
            return refuse("ATKM-GEN-07", "a place needs two ordinary numbers, x and y in inches");
        }
        let rules = self.rules();
        let base = Shape::Rect(base_at(rules, at));
        if !self.land().holds(&base) {
            return refuse("ATKM-GEN-07", "the general would hang over the edge of the table");
        }
        if self.land().forbids(&base) {
            return refuse("ATKM-GEN-07", "that ground cannot be entered");
        }
        let bounds = base.bounds().grown(rules.march.enemy_gap);
        let army = self.army_of(seat);
        for (_, u) in self.present() {
            if !u.reach(rules).meets(&bounds) {
                continue;
            }
            for r in u.solids(rules) {
                let figure = Shape::Rect(r);
                if overlap(&base, &figure) {
                    return refuse("ATKM-GEN-07", format!("the general would stand on {}", u.id));
                }
                if u.army != army && base.gap(&figure) < rules.march.enemy_gap - 0.001 {
                    return refuse(
                        "ATKM-GEN-07",
                        format!("the general would be within {} of {}", rules.march.enemy_gap, u.id),
                    );
                }
            }
        }
        for (i, g) in self.state.generals.iter().enumerate() {
            if i != usize::from(seat) && g.present() {
                let other = Shape::Rect(g.base(rules));
                if overlap(&base, &other) {
                    return refuse("ATKM-GEN-07", "another general stands there");
                }
                if g.army != army && base.gap(&other) < rules.march.enemy_gap - 0.001 {
                    return refuse("ATKM-GEN-07", "an enemy general is too near");
                }
            }
        }
        Ok(())
    }

    /// ATKM-GEN-05, ATKM-CARD-06: a ride of up to 20 in a straight line.
    pub(crate) fn judge_ride(&self, seat: SeatNo, to: Point) -> Result<f64, Illegal> {
        let Some(general) = self.state.generals.get(usize::from(seat)).filter(|g| g.present()) else {
            return refuse("ATKM-GEN-11", "the general is not on the table");
        };
        if !to.is_finite() {
            return refuse("ATKM-GEN-07", "a place needs two ordinary numbers, x and y in inches");
        }
        let far = general.at.distance(to);
        let most = self.rules().general.ride;
        if !within(far, most) {
            return refuse("ATKM-GEN-05", format!("that is {far:.2} away; a general rides up to {most}"));
        }
        if self.options().general_path == GeneralPath::Blocked {
            let line = Bounds::of_pair(general.at, to);
            let crossed = self.land().features.iter().any(|f| {
                f.moving == Moving::Impassable && f.bounds.meets(&line) && f.ground.met_by(general.at, to)
            });
            let met = self.of_army(general.army.enemy()).any(|(_, u)| {
                u.footprint(self.rules()).iter().any(|r| Shape::Rect(*r).cut_by(general.at, to))
            });
            if crossed || met {
                return refuse("ATKM-GEN-07", "here a general rides round enemies and impassable ground");
            }
        }
        self.judge_general_stand(seat, to)?;
        Ok(far)
    }

    pub(crate) fn ride(&mut self, seat: SeatNo, to: Point, clause: &str, log: &mut Log) {
        if let Some(g) = self.state.generals.get_mut(usize::from(seat)) {
            g.at = to;
            let army = g.army;
            log.say(|| {
                Event::new("general_moves", clause)
                    .with("seat", seat)
                    .with("army", army_name(army))
                    .with("general", self.field.seats[usize::from(seat)].name.clone())
                    .with(
                        "to",
                        serde_json::json!([crate::movement::round(to.x), crate::movement::round(to.y)]),
                    )
            });
        }
    }

    /// ATKM-GEN-09: the generals near some units of their own, in the order they are rolled for.
    pub(crate) fn at_risk(&self, units: &[UnitNo]) -> ArrayVec<SeatNo, MOST_SEATS> {
        let mut out = ArrayVec::new();
        if !self.options().generals_at_risk.is_on() {
            return out;
        }
        let radius = self.rules().general.risk_radius;
        for &no in units {
            let unit = self.unit(no);
            for (i, g) in self.state.generals.iter().enumerate() {
                if g.present()
                    && g.army == unit.army
                    && !out.contains(&(i as SeatNo))
                    && within(unit.distance(self.rules(), g.at), radius)
                {
                    out.push(i as SeatNo);
                }
            }
        }
        out
    }

    /// ATKM-GEN-09: two dice for each.
    pub(crate) fn risk_generals(
        &mut self,
        seats: &[SeatNo],
        melee: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let killed_on =
            if melee { self.rules().dice.killed_in_melee } else { self.rules().dice.killed_by_fire };
        for &seat in seats {
            let roll = chance.sum("risk", 2, 6);
            let killed = roll.total <= killed_on;
            let (army, name) = (self.army_of(seat), self.field.seats[usize::from(seat)].name.clone());
            log.say(|| {
                Event::new("risk", "ATKM-GEN-09")
                    .faces(&roll.faces)
                    .needed(killed_on)
                    .made(roll.total)
                    .outcome(if killed { "killed" } else { "unhurt" })
                    .with("seat", seat)
                    .with("army", army_name(army))
                    .with("general", name)
            });
            if killed {
                self.state.generals[usize::from(seat)].killed = true;
            }
        }
    }

    /// ATKM-GEN-10: generals under a unit that has just moved get out of its way.
    pub(crate) fn displace_generals(&mut self, no: UnitNo, log: &mut Log) {
        let unit = *self.unit(no);
        let solids = unit.solids(self.rules());
        for seat in 0..self.state.generals.len() as SeatNo {
            let g = self.state.generals[usize::from(seat)];
            if !g.present() {
                continue;
            }
            let base = Shape::Rect(g.base(self.rules()));
            if !solids.iter().any(|r| overlap(&base, &Shape::Rect(*r))) {
                continue;
            }
            if g.army == unit.army {
                let spot =
                    ring_search(g.at, unit.facing, 40.0, |p| self.judge_general_stand(seat, p).is_ok());
                if let Some(spot) = spot {
                    self.ride(seat, spot, "ATKM-GEN-10", log);
                }
            } else if !self.state.overrun.contains(&seat) {
                self.state.overrun.push(seat);
            }
        }
    }

    /// Units an overrun general may flee to (ATKM-GEN-10).
    pub(crate) fn refuges(&self, seat: SeatNo) -> impl Iterator<Item = UnitNo> + '_ {
        let g = self.state.generals[usize::from(seat)];
        let ride = self.rules().general.ride;
        self.of_army(g.army)
            .filter(move |(_, u)| within(u.command_distance(self.rules(), g.at), ride))
            .map(|(no, _)| no)
    }

    /// Units a new general may join (ATKM-GEN-12): his own command, or his army if that is gone.
    pub(crate) fn joinable(&self, seat: SeatNo) -> impl Iterator<Item = UnitNo> + '_ {
        let army = self.army_of(seat);
        let own = self.of_army(army).any(|(_, u)| u.owner == seat);
        self.of_army(army).filter(move |(_, u)| !own || u.owner == seat).map(|(no, _)| no)
    }

    /// A place touching a unit for a general, as near as may be to where he was.
    pub(crate) fn beside(&self, seat: SeatNo, no: UnitNo) -> Point {
        let rules = self.rules();
        let unit = self.unit(no);
        let middle = unit.middle(rules);
        let solids = unit.solids(rules);
        let before = self.state.generals[usize::from(seat)].at;
        let toward = angle::bearing(middle, before);
        let touching = |direction: f64| {
            let out = angle::forward(direction);
            let start = middle + out * 30.0;
            let base = Shape::Rect(base_at(rules, start));
            let travel = solids
                .iter()
                .filter_map(|r| sweep::travel_to(&base, -out * 30.0, &Shape::Rect(*r)))
                .fold(f64::INFINITY, f64::min);
            travel.is_finite().then(|| start - out * travel)
        };
        for k in 0..48 {
            let step = f64::from((k + 1) / 2) * 7.5 * if k % 2 == 0 { 1.0 } else { -1.0 };
            if let Some(at) = touching(toward + step)
                && self.judge_general_stand(seat, at).is_ok()
            {
                return at;
            }
        }
        ring_search(middle, 0.0, 60.0, |p| self.judge_general_stand(seat, p).is_ok()).unwrap_or(middle)
    }

    /// ATKM-GEN-13: a lieutenant takes a dead commander's place; said before command dice are rolled.
    pub(crate) fn succeed(&mut self, log: &mut Log) {
        for army in ARMIES {
            let commander = self.commander(army);
            if !self.state.generals[usize::from(commander)].killed {
                continue;
            }
            let mut heir: Option<SeatNo> = None;
            for seat in self.seats_of(army) {
                let g = &self.state.generals[usize::from(seat)];
                let better = heir.is_none_or(|h| g.rating > self.state.generals[usize::from(h)].rating);
                if !g.killed && better {
                    heir = Some(seat);
                }
            }
            if let Some(heir) = heir {
                self.state.generals[usize::from(commander)].commander = false;
                self.state.generals[usize::from(heir)].commander = true;
                log.say(|| {
                    Event::new("succession", "ATKM-GEN-13")
                        .with("seat", heir)
                        .with("army", army_name(army))
                        .with("general", self.field.seats[usize::from(heir)].name.clone())
                });
            }
        }
    }

    /// The next seat whose killed general must be replaced.
    pub(crate) fn next_vacancy(&self) -> Option<SeatNo> {
        self.state.generals.iter().position(|g| g.killed).map(|i| i as SeatNo)
    }

    /// ATKM-GEN-12.
    pub(crate) fn do_replace(&mut self, seat: SeatNo, beside: UnitNo, log: &mut Log) {
        let at = self.beside(seat, beside);
        let rating = self.rules().general.replacement_rating;
        let g = &mut self.state.generals[usize::from(seat)];
        g.killed = false;
        g.placed = true;
        g.rating = rating;
        g.at = at;
        let unit = self.unit(beside).id;
        log.say(|| {
            Event::new("new_general", "ATKM-GEN-12")
                .whom(unit)
                .with("seat", seat)
                .with("rating", rating)
                .with("general", self.field.seats[usize::from(seat)].name.clone())
        });
    }

    /// Generals in the order they ride at the end of a turn (ATKM-TURN-13).
    pub(crate) fn riding_order(&self) -> ArrayVec<SeatNo, MOST_SEATS> {
        let first = if self.state.turn % 2 == 1 { Side(0) } else { Side(1) };
        let mut order = ArrayVec::new();
        for army in [first, first.enemy()] {
            let commander = self.commander(army);
            if self.seats_of(army).any(|s| s == commander) {
                order.push(commander);
            }
            order.extend(self.seats_of(army).filter(|&s| s != commander));
        }
        order
    }

    /// Whether a place is beside a unit, for invariants and facts.
    pub(crate) fn touches(&self, no: UnitNo, at: Point) -> bool {
        let base = Shape::Rect(base_at(self.rules(), at));
        self.unit(no).solids(self.rules()).iter().any(|r| base.is_within(&Shape::Rect(*r), CONTACT))
    }

    /// The straight line a general would ride.
    pub(crate) fn ride_line(&self, seat: SeatNo, to: Point) -> Segment {
        Segment::new(self.state.generals[usize::from(seat)].at, to)
    }
}
