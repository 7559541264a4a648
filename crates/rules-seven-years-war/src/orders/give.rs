//! Which order does a general try to give (SYW-ORDER-06 to -20, SYW-ROUT-16)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Steer, UnitId, Wish};

use crate::action::Action;
use crate::generals::counters::General;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Order, Presence, Unit};
use crate::questions::asks;

/// Which order does a general try to give?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Command;

/// What a general tries.
pub enum Attempt {
    Nothing,
    Change(GeneralIx, GroupIx, Order),
    Rally(GeneralIx, GroupIx),
    Cure(GeneralIx, UnitIx),
    Transfer(GeneralIx, UnitIx, GeneralIx),
    Join(GeneralIx, GroupIx, GroupIx),
    /// No order: a hidden unit is declared or set down, as it may be at any time (SYW-HIDE-04).
    SetDown(UnitIx, Box<Unit>, bool),
}

impl Question<SevenYearsBattle> for Command {
    type Judged = Attempt;

    asks!("command", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which order does a general try to give?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.attempts_left()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        let side = b.s.phasing;
        for general in commanding(b) {
            let general = general.id;
            for g in b.groups_of(side) {
                let group = b.group(g).id;
                out.list_all(Order::GIVEN.map(|order| Action::Change { general, group, order }));
                out.list(Action::Rally { general, group });
                let reserve = |g: GroupIx| b.group(g).order == Order::Reserve;
                for t in b.groups_of(side) {
                    if t != g && reserve(g) && reserve(t) {
                        out.list(Action::Join { general, group, to: b.group(t).id });
                    }
                }
            }
            for u in b.present(side) {
                let unit = b.unit(u).id;
                if b.unit(u).disordered {
                    out.list(Action::Cure { general, unit });
                }
                for to in b.s.generals.iter().filter(|t| t.side == side && !t.cinc) {
                    out.list(Action::Transfer { general, unit, to: to.id });
                }
            }
        }
        if !b.hidden_units(side).is_empty() {
            b.offer_reveals(out);
        }
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Attempt, Illegal> {
        match answer {
            Action::Done => Ok(Attempt::Nothing),
            Action::Change { general, group, order } => {
                b.judge_change(*general, *group, *order).map(|(i, g)| Attempt::Change(i, g, *order))
            }
            Action::Rally { general, group } => {
                b.judge_rally(*general, *group).map(|(i, g)| Attempt::Rally(i, g))
            }
            Action::Cure { general, unit } => b.judge_cure(*general, *unit).map(|(i, u)| Attempt::Cure(i, u)),
            Action::Transfer { general, unit, to } => {
                b.judge_transfer(*general, *unit, *to).map(|(i, u, t)| Attempt::Transfer(i, u, t))
            }
            Action::Join { general, group, to } => {
                b.judge_join(*general, *group, *to).map(|(i, g, t)| Attempt::Join(i, g, t))
            }
            Action::Reveal { unit, at, facing, formation } => b
                .judge_reveal(*unit, *at, *facing, *formation)
                .map(|(u, new, elsewhere)| Attempt::SetDown(u, Box::new(new), elsewhere)),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, attempt: Attempt, now: &mut Now<'_>) {
        if matches!(attempt, Attempt::Nothing) {
            return;
        }
        b.ask(self);
        match attempt {
            Attempt::Change(i, g, order) => b.change_order(i, g, order, now),
            Attempt::Rally(i, g) => b.prompt_rally(i, g, now),
            Attempt::Cure(i, u) => b.cure(i, u, now),
            Attempt::Transfer(i, u, to) => b.transfer(i, u, to, now),
            Attempt::Join(i, g, to) => b.join(i, g, to, now),
            Attempt::SetDown(u, new, elsewhere) => b.set_down_hidden(u, *new, elsewhere, now.log),
            Attempt::Nothing => {}
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        let generals: SmallVec<[UnitId; 8]> = commanding(b).map(|g| g.id).collect();
        let groups = b.groups_of(b.s.phasing);
        let Some((&general, &g)) = whim.one_of(&generals).zip(whim.one_of(&groups)) else {
            return Action::Done;
        };
        let group = b.group(g).id;
        if b.group(g).order == Order::Rout {
            return Action::Rally { general, group };
        }
        let disordered: SmallVec<[UnitIx; 4]> =
            b.members(g).into_iter().filter(|&u| b.unit(u).disordered).collect();
        if let Some(&u) = whim.one_of(&disordered).filter(|_| whim.chance(0.5)) {
            return Action::Cure { general, unit: b.unit(u).id };
        }
        if let Some(&t) = whim.one_of(&groups).filter(|_| whim.chance(0.02)) {
            return Action::Join { general, group, to: b.group(t).id };
        }
        // Random armies would dither for ever; Advance is what generals mostly want.
        let order =
            if whim.chance(0.6) { Order::Advance } else { Order::GIVEN[whim.below(Order::GIVEN.len())] };
        Action::Change { general, group, order }
    }

    fn preview(&self, b: &SevenYearsBattle, attempt: &Attempt) -> Preview {
        match attempt {
            Attempt::SetDown(_, new, _) => b.preview_place(new),
            _ => Preview::default(),
        }
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        match wish.unit.and_then(|id| b.known_unit(id)).filter(|&u| b.unit(u).presence == Presence::Hidden) {
            // Stealing away waits for the movement sub-phase.
            Some(u) => b.steer_hidden(u, &Wish { action: Some("reveal".into()), ..wish.clone() }),
            None => Steer::refused(self.other(b)),
        }
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        let Some(general) = b.group_of(u).command.map(|i| b.general(i).id) else { return Vec::new() };
        let group = b.group_of(u).id;
        let orders = Order::GIVEN
            .map(|order| (format!("order: {}", order.name()), Action::Change { general, group, order }));
        let others = [
            ("rally".to_owned(), Action::Rally { general, group }),
            ("put in order".to_owned(), Action::Cure { general, unit }),
        ];
        orders.into_iter().chain(others).collect()
    }
}

/// Generals of the phasing side who may still try something.
fn commanding(b: &SevenYearsBattle) -> impl Iterator<Item = &General> {
    b.s.generals.iter().filter(|g| g.side == b.s.phasing && g.attempts > 0 && g.is_present())
}
