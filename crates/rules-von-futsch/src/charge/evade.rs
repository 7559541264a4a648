//! D-EVADE: how far skirmishers and light horse fall back before a charge (VF-CHARGE-17, -18).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::{Pose, angle};

use crate::action::{Action, Flight as HowFar};
use crate::field::Field;
use crate::model::formation::{Body, turned};
use crate::model::measure::{Mils, Place, exact, mils};
use crate::morale::Flight;
use crate::questions::{Follow, asks, seat};
use crate::state::RED;

/// How far does it fall back?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evade {
    /// What it rolled.
    pub allowance: Mils,
}

impl Question<Field> for Evade {
    type Judged = HowFar;

    asks!("evade", "charge", "How far does it fall back?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.s.charge.map_or(RED, |c| field.side(c.target)))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        field.s.charge.map(|c| field.spec(c.target).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([HowFar::Full, HowFar::OutOfReach].map(Action::Evade));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<HowFar, Illegal> {
        match answer {
            Action::Evade(how_far) => Ok(*how_far),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, how_far: HowFar, now: &mut Now<'_>) {
        field.evade(how_far, self.allowance, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Evade(HowFar::Full)
    }

    fn end(&self, field: &Field, how_far: &HowFar) -> Option<Pose> {
        let (u, after) = self.after(field, *how_far)?;
        after.stands(u)
    }

    fn preview(&self, field: &Field, how_far: &HowFar) -> Preview {
        let Some((u, after)) = self.after(field, *how_far) else { return Preview::default() };
        let mut preview = field.preview_outcome(u, &after);
        preview.allowance = Some(exact(self.allowance));
        preview
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        Action::Evade([HowFar::Full, HowFar::OutOfReach][whim.below(2)])
    }
}

impl Evade {
    fn after(self, field: &Field, how_far: HowFar) -> Option<(crate::model::Nr, Field)> {
        let mut after = field.clone();
        after.evade(how_far, self.allowance, &mut Log::off());
        Some((field.s.charge?.target, after))
    }
}

impl Field {
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
            if let Ok(place) = self.judge_face(target, crate::model::measure::Decimal::of(bearing)) {
                self.put(target, place);
            }
        } else {
            self.flee(target, Flight { bearing, spend, halts: true, routs: false }, false, log);
        }
        match charge.path {
            Some(path) if path.cost <= charge.allowance => self.ask(Follow),
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
}
