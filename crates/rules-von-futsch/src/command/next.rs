//! D-NEXT: which sub-unit of the group acts next (VF-CMD-14, -18).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::Log;
use tricorne_game::{Illegal, Seat};

use crate::action::{Action, ActionKind};
use crate::field::{Field, bit, bits};
use crate::model::Nr;
use crate::questions::{Act, Reform, asks, seat};

/// Which sub-unit acts next?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Next;

impl Question<Field> for Next {
    /// The next; none ends the activation.
    type Judged = Option<Nr>;

    asks!("next", "activation", "Which sub-unit acts next?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.controller())
    }

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all(bits(field.left_to_act()).map(|u| Action::Next(field.spec(u).id)));
        out.list(Action::End);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Nr>, Illegal> {
        match answer {
            Action::Next(id) => {
                let u = field.named(*id)?;
                field.judge_next(u).map(|()| Some(u))
            }
            Action::End => field.judge_end().map(|()| None),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, next: Option<Nr>, now: &mut Now<'_>) {
        let Some(u) = next else { return field.end_group(now.log) };
        field.name_next(u);
        field.bring_back_base(u);
        if field.s.group.as_ref().is_some_and(|g| g.firing) {
            field.act(u, ActionKind::Fire, 0);
            field.ask_target(u, !field.is_bound_to_fire(u));
        } else if field.unit(u).shaken {
            field.rally(u, now.chance, now.log);
        } else if field.unit(u).disordered {
            field.ask(Reform { unit: u });
        } else {
            field.ask(Act { unit: u });
        }
    }

    fn usual(&self, field: &Field) -> Action {
        bits(field.left_to_act()).next().map_or(Action::End, |u| Action::Next(field.spec(u).id))
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (field.left_to_act().is_power_of_two() && field.judge_end().is_err()).then(|| self.usual(field))
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.06) {
            return Action::End;
        }
        let left = field.left_to_act();
        let n = whim.below(left.count_ones() as usize);
        bits(left).nth(n).map_or(Action::End, |u| Action::Next(field.spec(u).id))
    }
}

impl Field {
    /// The sub-units of the group that may still act.
    pub(crate) fn left_to_act(&self) -> u64 {
        self.s.group.as_ref().map_or(0, |g| g.left)
    }
}

impl Field {
    pub(crate) fn judge_next(&self, u: Nr) -> Result<(), Illegal> {
        match &self.s.group {
            Some(g) if g.left & bit(u) != 0 => Ok(()),
            Some(g) if g.all & bit(u) != 0 => {
                refuse("VF-CMD-06", format!("{} has had its activation this turn", self.name(u)))
            }
            _ => refuse("VF-CMD-05", format!("{} is not of the group that is activated", self.name(u))),
        }
    }

    /// Names a sub-unit: its activation is spent (D-NEXT).
    pub(crate) fn name_next(&mut self, u: Nr) {
        self.unit_mut(u).turn.activated = true;
        if let Some(group) = &mut self.s.group {
            group.left &= !bit(u);
            group.begun = true;
        }
    }

    /// Whether the owner may end the activation: nobody left must test, reform (VF-CMD-18) or fire (VF-CMD-21).
    pub(crate) fn judge_end(&self) -> Result<(), Illegal> {
        let left = self.left_to_act();
        if let Some(u) = bits(left).find(|&u| self.is_bound_to_fire(u)) {
            return refuse(
                "VF-CMD-21",
                format!("{} has named its fire and may not keep it now", self.name(u)),
            );
        }
        match bits(left).find(|&u| self.unit(u).shaken || self.unit(u).disordered) {
            Some(u) => refuse("VF-CMD-18", format!("{} has still to test or reform", self.name(u))),
            None => Ok(()),
        }
    }

    /// The rest of the group stands.
    pub(crate) fn end_group(&mut self, log: &mut Log) {
        let left = self.left_to_act();
        self.bring_back_bases(left);
        for u in bits(left) {
            self.unit_mut(u).turn.activated = true;
            self.stand(u, log);
        }
        if let Some(group) = &mut self.s.group {
            group.left = 0;
        }
    }
}
