//! D-RELEASE: which attached commanders leave their units at the start of a turn (VF-TURN-24).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Side, UnitId};

use crate::action::Action;
use crate::field::Field;
use crate::model::Cr;
use crate::model::formation::{Body, touch};
use crate::model::measure::mils;
use crate::questions::asks;

/// Which of a side's commanders leave?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Release {
    /// Whose.
    pub side: Side,
}

impl Question<Field> for Release {
    /// Commanders as bits.
    type Judged = u32;

    asks!("release", "command", "Which attached commanders leave their units?");

    crate::questions::of_side!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        let all: Vec<UnitId> = field.attached(self.side).map(|c| field.chief(c).id).take(8).collect();
        for set in 0..1_u32 << all.len() {
            let some = all.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, id)| *id);
            out.list(Action::Release(some.collect()));
        }
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<u32, Illegal> {
        let ids = match answer {
            Action::Release(ids) => ids,
            Action::Pass => return Ok(0),
            _ => return Err(self.other(field)),
        };
        let mut set = 0;
        for id in ids {
            match field.b.commander_named(*id).filter(|&c| field.attached(self.side).any(|a| a == c)) {
                Some(c) => set |= 1 << c.0,
                None => return refuse("VF-TURN-24", format!("{id} is no attached commander of yours")),
            }
        }
        Ok(set)
    }

    fn carry_out(self, field: &mut Field, set: u32, now: &mut Now<'_>) {
        for i in 0..field.s.commanders.len() {
            if set & (1 << i) != 0 {
                field.release(Cr(i as u8), now.log);
            }
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Release(vec![])
    }

    fn only(&self, field: &Field) -> Option<Action> {
        field.attached(self.side).next().is_none().then(|| self.usual(field))
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let some = field.attached(self.side).filter(|_| whim.chance(0.3)).map(|c| field.chief(c).id);
        Action::Release(some.collect())
    }
}

impl Field {
    /// Puts a commander down behind his host (VF-TURN-24).
    pub(crate) fn release(&mut self, c: Cr, log: &mut Log) {
        let Some(host) = self.commander(c).host else { return };
        let body = self.unit(host).body;
        let (front, forward) = (body.rect.front(), body.rect.frame().forward);
        // He comes up from behind until he touches it: a cloud that has lost its second row ends with its first
        // (VF-MODEL-21), and his base stands square to the table.
        let base = self.chief(c).level.base(self.p());
        let start = front.at - forward * (body.rect.depth() + base);
        let way = touch(&Body::of_commander(start, base), forward, &body).unwrap_or(0.0);
        let behind = start + forward * way;
        self.commander_mut(c).host = None;
        let at = self.free_place(c, behind.round_to(0.001));
        let commander = self.commander_mut(c);
        commander.x = mils(at.x);
        commander.y = mils(at.y);
        let (who, whom) = (self.chief(c).id, self.spec(host).id);
        log.say(|| Event::new("released", "VF-TURN-24").who(who).whom(whom));
    }
}
