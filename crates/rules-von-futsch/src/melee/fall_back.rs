//! D-FALLBACK: how far the attacker of an undecided melee goes back (VF-MELEE-22).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Preview, Seat, UnitId};
use tricorne_table::Pose;

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::measure::{Decimal, Mils, exact, mils};
use crate::morale::retreat::{Flight, Flown};
use crate::questions::{asks, guesses, seat};

/// How far does the attacker fall back?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FallBack {
    /// What it rolled.
    pub allowance: Mils,
}

impl Question<Field> for FallBack {
    type Judged = Decimal;

    asks!("fall_back", "melee", "How far does the attacker fall back?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.s.melee.map_or(field.controller(), |m| field.decider(m.attacker)))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        field.s.melee.map(|m| field.spec(m.attacker).id)
    }

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        let most = Some(exact(self.allowance));
        out.space("fall_back", self.unit(field), most, "inches, at least half");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Decimal, Illegal> {
        let Action::FallBack(d) = answer else { return Err(self.other(field)) };
        if 2 * d.0 < self.allowance || d.0 > self.allowance {
            let all = exact(self.allowance);
            return refuse("VF-MELEE-22", format!("it goes back {:.3} to {all:.3}", all * 0.5));
        }
        Ok(*d)
    }

    fn carry_out(self, field: &mut Field, distance: Decimal, now: &mut Now<'_>) {
        let Some((u, flown)) = field.fallen_back(distance) else { return };
        let id = field.spec(u).id;
        let inches = exact(mils(flown.run));
        now.say(|| {
            let event = Event::new("attacker_falls_back", "VF-MELEE-22").who(id).with("inches", inches);
            if inches > 0.0 { event } else { event.outcome("stays") }
        });
        field.fly(u, &flown, true, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::FallBack(Decimal(self.allowance))
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (self.allowance == 0).then(|| self.usual(field))
    }

    fn end(&self, field: &Field, distance: &Decimal) -> Option<Pose> {
        let (_, flown) = field.fallen_back(*distance)?;
        flown.fate.is_none().then(|| flown.end.pose())
    }

    fn preview(&self, field: &Field, distance: &Decimal) -> Preview {
        let Some((u, flown)) = field.fallen_back(*distance) else { return Preview::default() };
        let mut preview = field.preview_flight(u, &flown);
        preview.cost = Some(distance.get());
        preview.allowance = Some(exact(self.allowance));
        preview
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        let half = self.allowance - self.allowance / 2;
        Action::FallBack(Decimal(half + (whim.unit() * f64::from(self.allowance / 2)) as i32))
    }

    fn ways(&self, field: &Field, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        guesses(self, field, most, whim, out);
    }
}

impl Field {
    /// The way back of the attacker of an undecided melee.
    pub(crate) fn fallen_back(&self, distance: Decimal) -> Option<(Nr, Flown)> {
        let m = self.s.melee?;
        let bearing = self.way_back(m.attacker, Some(m.defender));
        let flight = Flight { bearing, spend: distance.0, halts: self.halts(), routs: false };
        Some((m.attacker, self.flown(m.attacker, flight)))
    }
}
