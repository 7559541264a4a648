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
use crate::questions::{asks, seat};
use crate::rulebook::Share;

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
        let least = field.p().melee.fall_back.told();
        out.space("fall_back", self.unit(field), most, &format!("inches, at least {least}"));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Decimal, Illegal> {
        let Action::FallBack(d) = answer else { return Err(self.other(field)) };
        if d.0 < self.least(field) || d.0 > self.allowance {
            return refuse("VF-MELEE-22", self.limits(field));
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

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let least = self.least(field);
        Action::FallBack(Decimal(least + (whim.unit() * f64::from(self.allowance - least)) as i32))
    }

    crate::questions::guessed!();
}

impl FallBack {
    /// The least it goes back.
    pub(crate) fn least(self, field: &Field) -> Mils {
        field.p().melee.fall_back.least(self.allowance)
    }

    /// How far it may go, in words.
    pub(crate) fn limits(self, field: &Field) -> String {
        format!("it goes back {:.3} to {:.3}", exact(self.least(field)), exact(self.allowance))
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
