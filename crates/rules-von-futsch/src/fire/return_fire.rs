//! D-RETURN: a unit that was shot at answers, or not (VF-FIRE-26 to -28).

use crate::model::Formation;
use crate::model::sight::Aim;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::refuse;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, UnitId};

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::questions::{asks, seat};
use crate::state::Step;

/// Return the fire?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReturnFire {
    /// Who was shot at.
    pub unit: Nr,
    /// Who shot.
    pub shooter: Nr,
}

impl Question<Field> for ReturnFire {
    /// The front it fires with, if it does.
    type Judged = Option<u8>;

    asks!("return_fire", "fire", "Return the fire?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.side(self.unit))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        Some(field.spec(self.unit).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Pass, Action::ReturnFire]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<u8>, Illegal> {
        match answer {
            Action::Pass => Ok(None),
            Action::ReturnFire => field.judge_return(self.unit, self.shooter).map(Some),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, face: Option<u8>, _: &mut Now<'_>) {
        let Some(face) = face else { return };
        let Self { unit, shooter } = self;
        field.spend_fire(unit);
        if let Some(charge) = &mut field.s.charge {
            charge.answered |= charge.target == unit;
        }
        field.push(Step::Shoot { shooter: unit, face, target: shooter, returned: true });
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn preview(&self, field: &Field, face: &Option<u8>) -> Preview {
        face.map_or_else(Preview::default, |face| field.preview_volley(self.unit, face, self.shooter))
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.7) { Action::ReturnFire } else { Action::Pass }
    }
}

impl Field {
    /// Whether a unit that was shot at may answer (VF-FIRE-26), and with which front.
    pub(crate) fn judge_return(&self, u: Nr, shooter: Nr) -> Result<u8, Illegal> {
        let unit = self.unit(u);
        if !unit.here() || !self.unit(shooter).here() {
            return refuse("VF-FIRE-26", "one of the two is gone");
        }
        if unit.turn.activated && !unit.turn.held_fire {
            return refuse("VF-FIRE-26", format!("{} has acted and holds no fire", self.name(u)));
        }
        self.any_face(u, shooter).map(|(face, _)| face)
    }

    /// The first front of a unit with a legal target there (VF-FIRE-31).
    pub(crate) fn any_face(&self, u: Nr, target: Nr) -> Result<(u8, Aim), Illegal> {
        let first = self.judge_target(u, 0, target);
        match first {
            Err(_) if self.unit(u).formation == Formation::Square => {
                self.judge_target(u, 1, target).map(|aim| (1, aim))
            }
            other => other.map(|aim| (0, aim)),
        }
    }

    /// Spends held fire, or else the activation (VF-FIRE-27).
    pub(crate) fn spend_fire(&mut self, u: Nr) {
        let unit = self.unit_mut(u);
        if unit.turn.held_fire {
            unit.turn.held_fire = false;
        } else {
            unit.turn.activated = true;
        }
    }
}
