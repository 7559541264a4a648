//! D-CONTINUE: the target has fallen back before the fire; the charge goes on or not (VF-CHARGE-07).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat, UnitId};

use crate::action::Action;
use crate::charge::Ended;
use crate::field::Field;
use crate::questions::{Respond, asks, seat};

/// Charge on, or stay?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GoOn;

impl Question<Field> for GoOn {
    /// Whether it does.
    type Judged = bool;

    asks!("continue", "charge", "The target has fallen back: charge on, or stay?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.s.charge.map_or(field.controller(), |c| field.decider(c.charger)))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        field.s.charge.map(|c| field.spec(c.charger).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::ChargeOn, Action::Stay]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::ChargeOn => Ok(true),
            Action::Stay => Ok(false),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, on: bool, now: &mut Now<'_>) {
        if !on {
            return field.end_charge(Ended::Stayed, now.log);
        }
        let Some(mut charge) = field.s.charge else { return };
        let from = field.unit(charge.charger).body;
        charge.path = field.charge_path(charge.charger, charge.target);
        charge.aspect = field.aspect(charge.target, from.reference());
        charge.cover = field.in_hard_cover(charge.target, &from);
        field.s.charge = Some(charge);
        field.ask(Respond);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Stay
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.6) { Action::ChargeOn } else { Action::Stay }
    }
}
