//! D-ACTIVATE: a card wakes a group or a commander (VF-TURN-04 to -07).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Side, UnitId};

use crate::action::Action;
use crate::field::{Field, bits};
use crate::model::{Cr, Nr};
use crate::questions::asks;

/// Whom does the card wake?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Activate {
    /// Whose card it is.
    pub side: Side,
}

/// Who is woken.
#[derive(Clone, Copy, Debug)]
pub enum Woken {
    /// Nobody.
    Nobody,
    /// A group, as bits.
    Group(u64),
    /// A commander by himself.
    Commander(Cr),
}

impl Question<Field> for Activate {
    type Judged = Woken;

    asks!("activate", "command", "Activate a group or a commander, or pass.");

    crate::questions::of_side!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        out.list_all(field.group_names(self.side).map(Action::Activate));
        out.list_all(field.loose_chiefs(self.side).map(|c| Action::Activate(field.chief(c).id)));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Woken, Illegal> {
        let id = match answer {
            Action::Pass => return Ok(Woken::Nobody),
            Action::Activate(id) => *id,
            _ => return Err(self.other(field)),
        };
        if let Some(c) = field.b.commander_named(id) {
            return field.judge_commander(self.side, c).map(|()| Woken::Commander(c));
        }
        let u = field.named(id)?;
        field.judge_group(self.side, u, "VF-TURN-04").map(Woken::Group)
    }

    fn carry_out(self, field: &mut Field, woken: Woken, now: &mut Now<'_>) {
        match woken {
            Woken::Nobody => field.lets_pass(self.side, field.can_activate(self.side), now.log),
            Woken::Group(group) => field.start_group(group, false, self.side, now.log),
            Woken::Commander(c) => field.start_ride(c, now.chance, now.log),
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (!field.can_activate(self.side)).then_some(Action::Pass)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.05) {
            return Action::Pass;
        }
        let units = field.s.units.len();
        let count = units + field.s.commanders.len();
        let start = whim.below(count);
        for i in (start..count).chain(0..start) {
            if i < units {
                let u = Nr(i as u8);
                if field.unit(u).here() && !field.unit(u).turn.activated && field.side(u) == self.side {
                    return Action::Activate(field.group_name(u));
                }
            } else {
                let c = Cr((i - units) as u8);
                if field.judge_commander(self.side, c).is_ok() && whim.chance(0.3) {
                    return Action::Activate(field.chief(c).id);
                }
            }
        }
        Action::Pass
    }
}

impl Field {
    /// One name for each group that can still be activated.
    pub(crate) fn group_names(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.open_groups(side).into_iter().filter_map(move |g| {
            let first = bits(self.fresh(g)).next()?;
            Some(self.spec(first).id)
        })
    }

    /// The name a group is listed by: its first sub-unit that can still act.
    pub(crate) fn group_name(&self, u: Nr) -> UnitId {
        let first = bits(self.fresh(self.group_of(u))).next().unwrap_or(u);
        self.spec(first).id
    }
}
