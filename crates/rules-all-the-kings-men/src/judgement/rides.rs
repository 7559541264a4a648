//! Where generals ride and stand: behind the middle of their units, out of harm's way.

use smallvec::SmallVec;
use tricorne_drill::Rules;
use tricorne_game::Seat;
use tricorne_table::Point;

use crate::action::Action;
use crate::field::Engagement;
use crate::rulebook::Kind;
use crate::state::{Unit, UnitNo};

/// A unit as a general reckons with it: both schools see it alike.
struct Troops {
    unit: Unit,
    middle: Point,
    stride: f64,
    charges: bool,
}

/// Who is there to be led, and to be kept away from.
struct Muster {
    own: SmallVec<[Troops; 16]>,
    enemy: SmallVec<[Troops; 16]>,
}

impl Muster {
    /// The units that a general is there for; where there are few, all of them.
    fn of(&self, seat: Seat) -> impl Iterator<Item = &Troops> {
        self.own.iter().filter(move |u| u.unit.owner == seat || self.own.len() < 4)
    }
}

impl Engagement {
    /// D13.
    pub(crate) fn propose_ride(&self, seat: Seat) -> Vec<(f64, Action)> {
        let mut out = self.rides(seat, 1.0);
        out.push((0.02, Action::Stay));
        out
    }

    fn muster_for(&self, seat: Seat) -> Muster {
        let troops = |army| {
            let of = |(_, unit): (UnitNo, &Unit)| Troops {
                unit: *unit,
                middle: unit.middle(self.rules()),
                stride: self.stride(unit).unwrap_or(0.0),
                charges: Self::judge_charger(unit).is_ok(),
            };
            self.of_army(army).map(of).collect()
        };
        let army = self.army_of(seat);
        Muster { own: troops(army), enemy: troops(army.enemy()) }
    }

    /// How well a general stands at a place: his units in reach, and not in harm's way.
    fn command_of(&self, seat: Seat, at: Point, muster: &Muster) -> f64 {
        let rules = self.rules();
        let (radius, risk) = (rules.general.radius, rules.general.risk_radius);
        let mut value = 0.0;
        for us in &muster.own {
            // A unit's nearest man is within half its breadth of its middle.
            let far = us.middle.distance(at) - 2.0;
            if us.unit.kind != Kind::Skirmisher && (us.unit.owner == seat || muster.own.len() < 4) {
                let weight = if us.unit.is_mob() { 0.7 } else { 0.5 };
                value +=
                    weight * if far <= radius { 1.0 } else { (1.0 - (far - radius) / 20.0).max(0.0) * 0.5 };
            }
            if far <= risk + 1.0 && self.options().generals_at_risk {
                value -= 0.4;
            }
        }
        for e in &muster.enemy {
            let far = e.middle.distance(at);
            if e.charges && far < e.stride + 3.0 {
                value -= 0.4;
            }
        }
        value
    }

    /// Rides worth making, against staying.
    pub(super) fn rides(&self, seat: Seat, weight: f64) -> Vec<(f64, Action)> {
        let Some(general) = self.state.generals.get(seat.index()).filter(|g| g.present()) else {
            return Vec::new();
        };
        let muster = &self.muster_for(seat);
        let now = self.command_of(seat, general.at, muster);
        let mut best: Option<(f64, Point)> = None;
        for place in Self::posts(seat, muster) {
            let value = self.command_of(seat, place, muster) - 0.004 * place.distance(general.at);
            if value > now + 0.05 && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, place));
            }
        }
        let Some((_, place)) = best else { return Vec::new() };
        let Some(to) = self.ride_towards(seat, place) else { return Vec::new() };
        let value = weight * (self.command_of(seat, to, muster) - now);
        vec![(value, Action::MoveGeneral { to })]
    }

    /// Places behind the units of a seat.
    fn posts(seat: Seat, muster: &Muster) -> SmallVec<[Point; 12]> {
        let mut out: SmallVec<[Point; 12]> = SmallVec::new();
        let mut sum = Point::ORIGIN;
        let mut count = 0.0;
        for us in muster.of(seat) {
            sum += us.middle;
            count += 1.0;
        }
        if count == 0.0 {
            return out;
        }
        let middle = sum * (1.0 / count);
        out.push(middle);
        let foe = muster.enemy.iter().fold(Point::ORIGIN, |s, e| s + e.middle);
        let back = if muster.enemy.is_empty() {
            Point::new(0.0, -1.0)
        } else {
            (middle - foe * (1.0 / muster.enemy.len() as f64)).unit().unwrap_or(Point::new(0.0, -1.0))
        };
        out.push(middle + back * 5.0);
        for us in muster.own.iter().filter(|u| u.unit.owner == seat).take(10) {
            out.push(us.middle + back * 7.0);
        }
        out
    }

    /// D3, D11: beside the unit from where most are reached in safety.
    pub(crate) fn propose_beside(&self, seat: Seat, units: Vec<UnitNo>) -> Vec<(f64, Action)> {
        let muster = self.muster_for(seat);
        units
            .into_iter()
            .map(|no| {
                let value = self.command_of(seat, self.unit(no).middle(self.rules()), &muster);
                (value, Action::SetGeneral { beside: self.unit(no).id })
            })
            .collect()
    }

    /// D2: behind the middle of his units.
    pub(crate) fn propose_general_places(&self, seat: Seat) -> Vec<(f64, Action)> {
        let muster = self.muster_for(seat);
        let mut out = Vec::new();
        for place in Self::posts(seat, &muster) {
            let wish = tricorne_game::Wish { action: None, unit: None, place, facing: None, by: Vec::new() };
            if let Some(Action::PlaceGeneral { at }) = self.steer(&wish).action {
                out.push((self.command_of(seat, at, &muster), Action::PlaceGeneral { at }));
            }
        }
        out
    }
}
