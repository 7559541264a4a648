//! D-EVADE: how far skirmishers and light horse fall back before a charge (VF-CHARGE-17, -18).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::{Pose, angle, brink};

use crate::action::{Action, Flight as HowFar};
use crate::charge::Ended;
use crate::charge::contact::Contact;
use crate::field::Field;
use crate::model::Nr;
use crate::model::measure::{Mils, Place, exact, mils};
use crate::morale::hindrance::{Friend, Hindrance};
use crate::morale::retreat::{Flight, Flown};
use crate::questions::{Follow, asks, seat};
use crate::state::RED;

/// How far does it fall back?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evade {
    /// What it rolled.
    pub allowance: Mils,
}

impl Question<Field> for Evade {
    type Judged = (HowFar, Nr, Flown);

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

    fn judge(&self, field: &Field, answer: &Action) -> Result<(HowFar, Nr, Flown), Illegal> {
        let Action::Evade(how_far) = answer else { return Err(self.other(field)) };
        let Some(Evasion { unit, full, short }) = field.evasion(self.allowance) else {
            return refuse("VF-CHARGE-18", "nobody is charged");
        };
        match (how_far, short) {
            (HowFar::Full, _) => Ok((HowFar::Full, unit, full)),
            (HowFar::OutOfReach, Some(short)) => Ok((HowFar::OutOfReach, unit, short)),
            (HowFar::OutOfReach, None) => {
                refuse("VF-CHARGE-18", "nothing less than the full move takes it out of reach")
            }
        }
    }

    fn carry_out(self, field: &mut Field, (how_far, u, flown): (HowFar, Nr, Flown), now: &mut Now<'_>) {
        let id = field.spec(u).id;
        let inches = exact(mils(flown.run));
        now.say(|| {
            Event::new("evades", "VF-CHARGE-18").who(id).with("inches", inches).outcome(match how_far {
                HowFar::Full => "full",
                HowFar::OutOfReach => "out_of_reach",
            })
        });
        field.fly(u, &flown, false, now.log);
        field.after_evading(now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Evade(HowFar::Full)
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let choice = field.evasion(self.allowance).is_some_and(|e| e.short.is_some());
        (!choice).then(|| self.usual(field))
    }

    fn end(&self, _: &Field, (_, _, flown): &(HowFar, Nr, Flown)) -> Option<Pose> {
        Some(flown.end.pose())
    }

    fn preview(&self, field: &Field, (_, u, flown): &(HowFar, Nr, Flown)) -> Preview {
        Preview { allowance: Some(exact(self.allowance)), ..field.preview_flight(*u, flown) }
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        Action::Evade([HowFar::Full, HowFar::OutOfReach][whim.below(2)])
    }
}

/// The ways an evader may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evasion {
    /// Who evades.
    unit: Nr,
    /// Its full move.
    full: Flown,
    /// Only out of reach, where that is less (VF-CHARGE-18).
    short: Option<Flown>,
}

impl Field {
    /// The ways of the charge's target with so much to spend: the bearing is found for the full move and kept.
    pub(crate) fn evasion(&self, allowance: Mils) -> Option<Evasion> {
        let charge = self.s.charge?;
        let unit = charge.target;
        let from = self.unit(charge.charger).body;
        let bearing = exact(mils(angle::bearing(from.centroid(), self.unit(unit).body.centroid())));
        let full = self.flown(unit, Flight { bearing, spend: allowance, halts: true, routs: false });
        let safe = charge.allowance + self.p().distance.out_of_reach.0;
        let way = angle::forward(full.bearing);
        let clear = |d: f64| from.gap_mils(&full.body.slid(way * d)) >= safe;
        let short = least(full.run, clear).and_then(|d| {
            let (run, end) = self.come_to_rest(unit, &full.body, full.bearing, d, false)?;
            Some(Flown {
                end,
                run,
                why: Hindrance { friend: Friend::of(d, run), ..Hindrance::default() },
                ..full
            })
        });
        Some(Evasion { unit, full, short })
    }

    /// The evader has fallen back; the charge comes to where it stood (VF-CHARGE-19, -24).
    fn after_evading(&mut self, log: &mut Log) {
        let Some(charge) = self.s.charge else { return };
        let (u, target) = (charge.charger, charge.target);
        let from = self.unit(u).body;
        match charge.path {
            Some(path) if path.cost <= charge.allowance => {
                let at = self.along(u, &path, path.cost);
                let there = self.unit(u).body_at(Place::of(at).pose());
                if self.unit(target).here() && there.gap_mils(&self.unit(target).body) == 0 {
                    // It has not got away: met where it stopped, from where the charge began.
                    let aspect = self.aspect(target, from.reference());
                    let cover = self.in_hard_cover(target, &from);
                    self.contact(u, target, Contact { at, aspect, cover, from }, log);
                } else {
                    self.ask(Follow);
                }
            }
            Some(path) => {
                let place = Place::of(self.along(u, &path, charge.allowance));
                self.halt_charge(u, place);
                self.end_charge(Ended::Short, log);
            }
            None => {
                self.ride(u, exact(self.unit(u).place.t), charge.allowance, None);
                self.end_charge(Ended::NoWay, log);
            }
        }
    }
}

/// The least distance, short of the whole, that will do: looked for every tenth, then to the thousandth.
fn least(whole: f64, will_do: impl Fn(f64) -> bool) -> Option<f64> {
    let tenths = (whole * 10.0) as u32;
    let found =
        (0..=tenths).map(|i| f64::from(i) * 0.1).chain([whole]).find(|&d| d <= whole && will_do(d))?;
    let short = (found - 0.1).max(0.0);
    let first =
        if will_do(short) { short } else { brink([short, found], 64, 0.000_5, &mut |d| will_do(d))[1] };
    let d = exact((first * 1000.0 - 1e-6).ceil() as Mils);
    (d + 0.000_5 < whole).then_some(d)
}
