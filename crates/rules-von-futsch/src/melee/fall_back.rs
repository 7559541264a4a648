//! D-FALLBACK: how far the attacker of an undecided melee goes back (VF-MELEE-22).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::Pose;

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::measure::{Decimal, Mils, exact};
use crate::morale::Flight;
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
        field.fall_back(distance, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::FallBack(Decimal(self.allowance))
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (self.allowance == 0).then(|| self.usual(field))
    }

    fn end(&self, field: &Field, distance: &Decimal) -> Option<Pose> {
        let (u, after) = Self::after(field, *distance)?;
        after.stands(u)
    }

    fn preview(&self, field: &Field, distance: &Decimal) -> Preview {
        let Some((u, after)) = Self::after(field, *distance) else { return Preview::default() };
        let mut preview = field.preview_outcome(u, &after);
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

impl FallBack {
    fn after(field: &Field, distance: Decimal) -> Option<(Nr, Field)> {
        let mut after = field.clone();
        after.fall_back(distance, &mut Log::off());
        Some((field.s.melee?.attacker, after))
    }
}

impl Field {
    pub(crate) fn fall_back(&mut self, distance: Decimal, log: &mut Log) {
        let Some(m) = self.s.melee else { return };
        let bearing = self.way_back(m.attacker, Some(m.defender));
        let id = self.spec(m.attacker).id;
        log.say(|| Event::new("attacker_falls_back", "VF-MELEE-22").who(id).with("inches", distance.get()));
        let flight = Flight { bearing, spend: distance.0, halts: false, routs: false };
        self.flee(m.attacker, flight, true, log);
    }
}
