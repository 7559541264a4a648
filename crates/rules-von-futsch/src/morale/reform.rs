//! D-REFORM: how a disordered unit reforms (VF-MORALE-22).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview};
use tricorne_table::Pose;

use crate::action::{Action, Then};
use crate::field::Field;
use crate::model::measure::{Decimal, Place, exact};
use crate::model::{Formation, Kind, Nr};
use crate::questions::{Bearing, asks};
use crate::state::Initiative;

/// How does it reform?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reform {
    /// Who.
    pub unit: Nr,
}

impl Question<Field> for Reform {
    type Judged = (Then, Decimal);

    asks!("reform", "activation", "How does it reform?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("reform", self.unit(field), None, "then stay, retreat or hold; and a facing");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<(Then, Decimal), Illegal> {
        match answer {
            Action::Reform { then, facing } => {
                field.judge_reform(self.unit, *then, *facing).map(|()| (*then, *facing))
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, (then, facing): (Then, Decimal), now: &mut Now<'_>) {
        field.reform(self.unit, then, facing, now.chance, now.log);
    }

    fn usual(&self, field: &Field) -> Action {
        Action::Reform { then: Then::Stay, facing: Decimal(field.unit(self.unit).place.t) }
    }

    fn end(&self, field: &Field, &(then, facing): &(Then, Decimal)) -> Option<Pose> {
        self.turned(field, then, facing).map(Place::pose)
    }

    fn preview(&self, field: &Field, &(then, facing): &(Then, Decimal)) -> Preview {
        self.turned(field, then, facing)
            .map_or_else(Preview::default, |place| field.preview_turn(self.unit, place))
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let then = [Then::Stay, Then::Hold, Then::Retreat][whim.below(3)];
        Action::Reform { then, facing: field.any_facing(self.unit, whim) }
    }

    crate::questions::guessed!();
}

impl Reform {
    /// Where it stands afterwards, unless it draws back first.
    fn turned(self, field: &Field, then: Then, facing: Decimal) -> Option<Place> {
        if then == Then::Retreat { None } else { field.judge_face(self.unit, facing).ok() }
    }
}

impl Field {
    /// Judges a reform (D-REFORM).
    pub(crate) fn judge_reform(&self, u: Nr, then: Then, facing: Decimal) -> Result<(), Illegal> {
        match then {
            Then::Retreat => {
                if self.initiative() == Initiative::AdvanceOnly {
                    return refuse("VF-CMD-12", "under advance only there is no retreat with a reform");
                }
                self.judge_movable(u)
            }
            Then::Hold => {
                if self.kind(u).is_cavalry()
                    || self.kind(u) == Kind::Wagon
                    || self.unit(u).formation == Formation::Limbered
                    || self.unit(u).turn.silenced
                {
                    return refuse("VF-FIRE-01", format!("{} has no fire to hold", self.name(u)));
                }
                self.judge_face(u, facing).map(drop)
            }
            Then::Stay => self.judge_face(u, facing).map(drop),
        }
    }

    /// Reforms (VF-MORALE-22).
    pub(crate) fn reform(
        &mut self,
        u: Nr,
        then: Then,
        facing: Decimal,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        self.restore_order(u);
        let id = self.spec(u).id;
        if then != Then::Retreat
            && let Ok(place) = self.judge_face(u, facing)
        {
            self.turn_to(u, place);
        }
        let faces = exact(self.unit(u).place.t);
        log.say(|| {
            let event = Event::new("reforms", "VF-MORALE-22").who(id).with("facing", faces);
            event.outcome(match then {
                Then::Stay => "stay",
                Then::Retreat => "retreat",
                Then::Hold => "hold",
            })
        });
        if then == Then::Retreat {
            let roll = self.roll_move(u, "move", false, chance);
            self.act(u, crate::action::ActionKind::Stand, roll.allowance);
            log.say(|| {
                self.tell_move(Event::new("move_roll", "VF-MORALE-23").who(id), u, &roll).outcome("back")
            });
            self.ask(Bearing { unit: u, facing: facing.0 });
            return;
        }
        if then == Then::Hold {
            self.unit_mut(u).turn.held_fire = true;
        }
    }
}
