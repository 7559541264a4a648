//! T1: which unit acts next (WBK-TURN-01 to 05).

use arrayvec::ArrayVec;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Seat, UnitId};

use crate::action::Action;
use crate::battle::Fray;
use crate::options::ActivationSequence;
use crate::state::{MAX_UNITS, No};
use crate::turn::side_name;

/// Activate a unit, or end the turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Picking;

/// What was picked.
pub enum Picked {
    /// A unit.
    Unit(No),
    /// Nobody any more.
    EndTurn,
}

impl Question<Fray> for Picking {
    type Judged = Picked;

    fn kind(&self, _: &Fray) -> &'static str {
        "pick_unit"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-TURN-03"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        Seat(fray.state.active.0)
    }

    fn prompt(&self, _: &Fray) -> String {
        "Activate a unit, or end the turn.".into()
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        out.list_all(fray.ready().map(|u| Action::Activate(fray.id(u))));
        out.list(Action::EndTurn);
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Picked, Illegal> {
        let id = match answer {
            Action::Activate(id) => *id,
            Action::EndTurn => return Ok(Picked::EndTurn),
            _ => return Err(self.other(fray)),
        };
        let side = side_name(fray.state.active);
        let Some(u) = fray.find(id) else {
            return refuse("WBK-TURN-03", format!("there is no unit `{id}`"));
        };
        let unit = fray.unit(u);
        if unit.side != fray.state.active {
            return refuse("WBK-TURN-01", format!("it is the {side} side's turn and `{id}` is not its"));
        }
        if !unit.is_on_table() {
            return refuse("WBK-TURN-03", format!("`{id}` is not on the table"));
        }
        if unit.activated {
            return refuse("WBK-TURN-02", format!("`{id}` has acted this turn"));
        }
        if fray.field.options.activation_sequence == ActivationSequence::RallyFirst
            && !unit.is_pinned()
            && let Some(v) = fray.ready().find(|&v| fray.unit(v).is_pinned())
        {
            let why = format!("Pinned units act first: activate {}", fray.card(v).called());
            return refuse("WBK-TURN-03", why);
        }
        Ok(Picked::Unit(u))
    }

    fn carry_out(self, fray: &mut Fray, picked: Picked, now: &mut Now<'_>) {
        match picked {
            Picked::Unit(u) => fray.activate(u, now),
            Picked::EndTurn => {
                let side = side_name(fray.state.active);
                now.say(|| Event::new("end_turn", "WBK-TURN-05").outcome(side).with("side", side));
                fray.state.ending_turn = true;
            }
        }
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::EndTurn
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        // Now and then a turn ends early.
        if whim.chance(0.02) {
            return Action::EndTurn;
        }
        let ready: ArrayVec<No, MAX_UNITS> = fray.ready().collect();
        whim.one_of(&ready).map_or(Action::EndTurn, |&u| Action::Activate(fray.id(u)))
    }

    fn courses(&self, _: &Fray, unit: UnitId) -> Vec<(String, Action)> {
        vec![("activate".into(), Action::Activate(unit))]
    }

    fn weigh(&self, fray: &Fray, _most: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.weigh_picks(whim)
    }
}
