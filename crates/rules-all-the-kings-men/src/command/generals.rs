//! Generals (GEN): where they ride, what endangers them, who takes their place.

use arrayvec::ArrayVec;
use tricorne_chance::Chance;
use tricorne_drill::{Test, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, UnitId};
use tricorne_table::{Point, Shape, angle, sweep, within};

use crate::field::{ARMIES, Engagement, army_name};
use crate::movement::terrain::{CONTACT, overlap};
use crate::state::{MOST_SEATS, Unit, UnitNo, base_at};

impl Engagement {
    /// Whether a general may stand at a place (ATKM-GEN-07).
    pub(crate) fn judge_general_stand(&self, seat: Seat, at: Point) -> Result<(), Illegal> {
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
            if i != seat.index() && g.present() {
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

    pub(crate) fn ride(&mut self, seat: Seat, to: Point, clause: &str, log: &mut Log) {
        self.ride_because(seat, to, clause, None, log);
    }

    /// He rides, and for whose sake if that was not his own wish (ATKM-GEN-10).
    pub(crate) fn ride_because(
        &mut self,
        seat: Seat,
        to: Point,
        clause: &str,
        sake: Option<(&str, UnitId)>,
        log: &mut Log,
    ) {
        if let Some(g) = self.state.generals.get_mut(seat.index()) {
            let distance = crate::movement::round(g.at.distance(to));
            g.at = to;
            let army = g.army;
            log.say(|| {
                let mut event = Event::new("general_moves", clause);
                event.whom = sake.map(|(_, unit)| unit);
                event
                    .with("seat", seat.0)
                    .with("army", army_name(army))
                    .with("side", self.called(army))
                    .with("general", self.field.seats[seat.index()].name.clone())
                    .with(
                        "to",
                        serde_json::json!([crate::movement::round(to.x), crate::movement::round(to.y)]),
                    )
                    .with("distance", distance)
                    .outcome(match sake {
                        Some((why, _)) => why,
                        None if distance < 0.05 => "stays",
                        None => "rides",
                    })
            });
        }
    }

    /// ATKM-GEN-09: the generals near some units of their own, in the order they are rolled for.
    pub(crate) fn at_risk(&self, units: &[UnitNo]) -> ArrayVec<Seat, MOST_SEATS> {
        let mut out = ArrayVec::new();
        if !self.options().generals_at_risk {
            return out;
        }
        let radius = self.rules().general.risk_radius;
        for &no in units {
            let unit = self.unit(no);
            for (i, g) in self.state.generals.iter().enumerate() {
                if g.present()
                    && g.army == unit.army
                    && !out.contains(&(Seat(i as u8)))
                    && within(unit.distance(self.rules(), g.at), radius)
                {
                    out.push(Seat(i as u8));
                }
            }
        }
        out
    }

    /// ATKM-GEN-09: dice for each.
    pub(crate) fn risk_generals(
        &mut self,
        seats: &[Seat],
        melee: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let killed_on =
            if melee { self.rules().dice.killed_in_melee } else { self.rules().dice.killed_by_fire };
        let test = Test::of(self.rules().dice.risk, 6).at_most(killed_on);
        for &seat in seats {
            let rolled = test.roll("risk", chance);
            let (army, name) = (self.army_of(seat), self.field.seats[seat.index()].name.clone());
            log.say(|| {
                test.event("risk", "ATKM-GEN-09", &rolled)
                    .outcome(if rolled.passed { "killed" } else { "unhurt" })
                    .with("seat", seat.0)
                    .with("army", army_name(army))
                    .with("side", self.called(army))
                    .with("general", name)
            });
            if rolled.passed {
                self.state.generals[seat.index()].killed = true;
            }
        }
    }

    /// ATKM-GEN-10: generals under a unit that has just moved get out of its way.
    pub(crate) fn displace_generals(&mut self, no: UnitNo, log: &mut Log) {
        let unit = *self.unit(no);
        let solids = unit.solids(self.rules());
        for seat in (0..self.state.generals.len() as u8).map(Seat) {
            let g = self.state.generals[seat.index()];
            if !g.present() {
                continue;
            }
            let base = Shape::Rect(g.base(self.rules()));
            if !solids.iter().any(|r| overlap(&base, &Shape::Rect(*r))) {
                continue;
            }
            if g.army == unit.army {
                let spot =
                    self.ring_search(g.at, unit.facing, 40.0, |p| self.judge_general_stand(seat, p).is_ok());
                if let Some(spot) = spot {
                    self.ride_because(seat, spot, "ATKM-GEN-10", Some(("makes_way", unit.id)), log);
                }
            } else if !self.state.overrun.contains(&seat) {
                self.state.overrun.push(seat);
            }
        }
    }

    /// Whether some unit would stand on a general of either army.
    pub(crate) fn stands_on_general(&self, unit: &Unit) -> bool {
        let rules = self.rules();
        let solids = unit.solids(rules);
        self.state.generals.iter().filter(|g| g.present()).any(|g| {
            let base = Shape::Rect(g.base(rules));
            solids.iter().any(|r| overlap(&base, &Shape::Rect(*r)))
        })
    }

    /// A place touching a unit for a general, as near as may be to where he was.
    pub(crate) fn beside(&self, seat: Seat, no: UnitNo) -> Point {
        let rules = self.rules();
        let unit = self.unit(no);
        let middle = unit.middle(rules);
        let solids = unit.solids(rules);
        let before = self.state.generals[seat.index()].at;
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
        self.ring_search(middle, 0.0, 60.0, |p| self.judge_general_stand(seat, p).is_ok()).unwrap_or(middle)
    }

    /// ATKM-GEN-13: a lieutenant takes a dead commander's place; said before command dice are rolled.
    pub(crate) fn succeed(&mut self, log: &mut Log) {
        for army in ARMIES {
            let commander = self.commander(army);
            if !self.state.generals[commander.index()].killed {
                continue;
            }
            let mut heir: Option<Seat> = None;
            for seat in self.seats_of(army) {
                let g = &self.state.generals[seat.index()];
                let better = heir.is_none_or(|h| g.rating > self.state.generals[h.index()].rating);
                if !g.killed && better {
                    heir = Some(seat);
                }
            }
            if let Some(heir) = heir {
                self.state.generals[commander.index()].commander = false;
                self.state.generals[heir.index()].commander = true;
                log.say(|| {
                    Event::new("succession", "ATKM-GEN-13")
                        .with("seat", heir.0)
                        .with("army", army_name(army))
                        .with("side", self.called(army))
                        .with("general", self.field.seats[heir.index()].name.clone())
                });
            }
        }
    }

    /// Whether a place is beside a unit, for invariants and facts.
    pub(crate) fn touches(&self, no: UnitNo, at: Point) -> bool {
        let base = Shape::Rect(base_at(self.rules(), at));
        self.unit(no).solids(self.rules()).iter().any(|r| base.is_within(&Shape::Rect(*r), CONTACT))
    }
}
