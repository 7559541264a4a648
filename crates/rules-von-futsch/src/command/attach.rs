//! D-ATTACH: a commander joins a unit, or not (VF-CMD-23, -24).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, Refusal, Unread, deny};
use tricorne_game::{Event, Illegal, Log, Seat, UnitId};

use crate::action::Action;
use crate::field::{Field, bit};
use crate::model::measure::exact;
use crate::model::{Cr, Nr};
use crate::questions::{asks, seat};
use crate::rulebook::inch;

/// Does he attach himself to a unit?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attach {
    /// Who.
    pub commander: Cr,
    /// To a unit of the group that is activated (VF-CMD-24).
    pub group: bool,
}

impl Question<Field> for Attach {
    type Judged = Option<Nr>;

    asks!("attach", "command", "Does the commander attach himself to a unit?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.chief(self.commander).side)
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        Some(field.chief(self.commander).id)
    }

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        out.list_all(field.ids(field.chief(self.commander).side).map(Action::Attach));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Nr>, Illegal> {
        match answer {
            Action::Pass => Ok(None),
            Action::Attach(id) => {
                let u = field.named(*id)?;
                field.judge_attach(self.commander, self.group, u).map(|()| Some(u))
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, host: Option<Nr>, now: &mut Now<'_>) {
        if let Some(u) = host {
            field.attach(self.commander, u, now.log);
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn only(&self, field: &Field) -> Option<Action> {
        self.hosts(field).next().is_none().then_some(Action::Pass)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.5) {
            return Action::Pass;
        }
        let hosts: Vec<Nr> = self.hosts(field).collect();
        whim.one_of(&hosts).map_or(Action::Pass, |&u| Action::Attach(field.spec(u).id))
    }
}

impl Attach {
    fn hosts<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = Nr> + 'a {
        let side = field.chief(self.commander).side;
        field.present_of(side).filter(|&u| field.may_host(self.commander, self.group, u))
    }
}

impl Field {
    /// Whether a commander may be attached to a unit (VF-CMD-23, -24).
    pub(crate) fn may_attach<E: Refusal>(&self, c: Cr, u: Nr) -> Result<(), E> {
        let reach = inch(self.p().distance.attach);
        if !self.unit(u).here() || !self.chief(c).is_over(self.spec(u)) {
            return deny("VF-CMD-23", || format!("{} is not under {}", self.name(u), self.chief(c).id));
        }
        let gap = self.commander_body(c).gap_mils(&self.unit(u).body);
        if !self.o().within(gap, reach) {
            return deny("VF-CMD-23", || {
                format!(
                    "{} is {:.3} from {}; at most {}",
                    self.name(u),
                    exact(gap),
                    self.chief(c).id,
                    self.p().distance.attach
                )
            });
        }
        Ok(())
    }

    /// The host a commander may be given, for the pending question.
    pub(crate) fn judge_attach<E: Refusal>(&self, c: Cr, in_group: bool, u: Nr) -> Result<(), E> {
        self.may_attach::<E>(c, u)?;
        if in_group && self.s.group.as_ref().is_some_and(|g| g.all & bit(u) == 0) {
            return deny("VF-CMD-24", || format!("{} is not of the group that is activated", self.name(u)));
        }
        Ok(())
    }

    /// The same, for those who do not ask why not.
    pub(crate) fn may_host(&self, c: Cr, in_group: bool, u: Nr) -> bool {
        self.judge_attach::<Unread>(c, in_group, u).is_ok()
    }

    pub(crate) fn attach(&mut self, c: Cr, u: Nr, log: &mut Log) {
        let commander = self.commander_mut(c);
        commander.host = Some(u);
        commander.turn.activated = true;
        let (who, whom) = (self.chief(c).id, self.spec(u).id);
        log.say(|| Event::new("attached", "VF-CMD-23").who(who).whom(whom));
    }
}
