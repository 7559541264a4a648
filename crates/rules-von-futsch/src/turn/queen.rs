//! D-QUEEN: a unit gets figures back (VF-TURN-14, -15).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Side};

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::options::QueenEffect;
use crate::questions::asks;

/// Which unit gets figures back?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Queen {
    /// Whose card it is.
    pub side: Side,
}

impl Question<Field> for Queen {
    type Judged = Option<Nr>;

    asks!("queen", "cards", "A Queen: which unit gets d3 figures back?");

    crate::questions::of_side!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        out.list_all(field.ids(self.side).map(Action::Restore));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Nr>, Illegal> {
        match answer {
            Action::Pass => Ok(None),
            Action::Restore(id) => {
                let u = field.named(*id)?;
                field.judge_restore(self.side, u).map(|()| Some(u))
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, unit: Option<Nr>, now: &mut Now<'_>) {
        match unit {
            Some(u) => field.restore(u, "VF-TURN-14", now.chance, now.log),
            None => field.lets_pass(self.side, field.can_restore(self.side), now.log),
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (!field.can_restore(self.side)).then_some(Action::Pass)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let hurt: Vec<Nr> = field.present_of(self.side).filter(|&u| field.lost(u) > 0).collect();
        whim.one_of(&hurt).map_or(Action::Pass, |&u| Action::Restore(field.spec(u).id))
    }
}

impl Field {
    /// Whether a Queen finds anybody to restore.
    fn can_restore(&self, side: Side) -> bool {
        self.present_of(side).any(|u| self.judge_restore(side, u).is_ok())
    }

    /// Whether a Queen may restore a unit (VF-TURN-14, -15).
    pub(crate) fn judge_restore(&self, side: Side, u: Nr) -> Result<(), Illegal> {
        if self.side(u) != side || !self.unit(u).here() {
            return refuse("VF-TURN-14", format!("{} is not a unit of yours on the table", self.name(u)));
        }
        if self.room_to_restore(u) == 0 && self.lost(u) > 0 {
            let why = format!("half of what {} has lost is back; no more can be restored", self.name(u));
            return refuse("VF-TURN-15", why);
        }
        if self.room_to_restore(u) == 0 {
            return refuse("VF-TURN-14", format!("{} has no lost figures to get back", self.name(u)));
        }
        Ok(())
    }

    fn room_to_restore(&self, u: Nr) -> u8 {
        let unit = self.unit(u);
        let lost = self.lost(u);
        match self.o().queen_effect {
            QueenEffect::RestoreFigures => lost,
            QueenEffect::HalfRestore => {
                let ever = unit.ever_lost.max(u16::from(lost));
                lost.min(ever.div_ceil(2).saturating_sub(unit.restored) as u8) // VF-MODEL-04
            }
        }
    }

    /// Gives a unit d3 figures back, never beyond its start.
    pub(crate) fn restore(&mut self, u: Nr, clause: &'static str, chance: &mut dyn Chance, log: &mut Log) {
        let die = chance.d6("restore");
        let d3 = die.div_ceil(2);
        let back = d3.min(self.room_to_restore(u));
        let unit = self.unit_mut(u);
        unit.strength += back;
        unit.restored += u16::from(back);
        unit.settle();
        self.push_in(u);
        self.set_aside(u);
        self.bring_back_base(u);
        let (id, now) = (self.spec(u).id, self.unit(u).strength);
        let capped = match self.o().queen_effect {
            QueenEffect::RestoreFigures => "no more were missing",
            QueenEffect::HalfRestore => "no more were to be had",
        };
        log.say(|| {
            Event::new("figures_back", clause)
                .who(id)
                .faces(&[die])
                .made(i32::from(back))
                .with("left", now)
                .with("rounded", back == d3 && !die.is_multiple_of(2))
                .with("more", if back < d3 { d3 } else { 0 })
                .with("capped", capped)
                .clause("VF-SCOPE-02")
        });
    }
}
