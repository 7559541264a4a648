//! Does an un-commanded group change its order, or one of its units put itself in order (SYW-ORDER-15, -18)?

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, UnitId};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::Order;
use crate::questions::asks;

/// Does an un-commanded group change its order?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uncommanded;

/// What troops without a general do by themselves.
pub enum Alone {
    Nothing,
    Order(GroupIx, Order),
    Cure(UnitIx),
}

impl Question<SevenYearsBattle> for Uncommanded {
    type Judged = Alone;

    asks!("uncommanded", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Does an un-commanded group change its order?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        !b.may_order_themselves().is_empty() || !b.may_cure_themselves().is_empty()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        for g in b.may_order_themselves() {
            out.list_all(Order::GIVEN.map(|order| Action::SelfOrder { group: b.group(g).id, order }));
        }
        out.list_all(b.may_cure_themselves().iter().map(|&u| Action::SelfCure { unit: b.unit(u).id }));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Alone, Illegal> {
        match answer {
            Action::Done => Ok(Alone::Nothing),
            Action::SelfOrder { group, order } => {
                let g = b.judge_self_order(*group, *order, &b.may_order_themselves())?;
                Ok(Alone::Order(g, *order))
            }
            Action::SelfCure { unit } => {
                match b.known_unit(*unit).filter(|u| b.may_cure_themselves().contains(u)) {
                    Some(u) => Ok(Alone::Cure(u)),
                    None => refuse("SYW-ORDER-18", format!("{unit} may not cure its disorder by itself")),
                }
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, alone: Alone, now: &mut Now<'_>) {
        match alone {
            Alone::Nothing => {}
            Alone::Order(g, order) => {
                b.ask(self);
                b.self_order(g, order, now);
            }
            Alone::Cure(u) => {
                b.ask(self);
                b.self_cure(u, now);
            }
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        match whim.one_of(&b.may_order_themselves()) {
            Some(&g) => {
                let order = Order::GIVEN[whim.below(Order::GIVEN.len())];
                Action::SelfOrder { group: b.group(g).id, order }
            }
            None => Action::Done,
        }
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        let group = b.group_of(u).id;
        let orders = Order::GIVEN
            .map(|order| (format!("order: {}", order.name()), Action::SelfOrder { group, order }));
        let cure = ("put itself in order".to_owned(), Action::SelfCure { unit });
        orders.into_iter().chain([cure]).collect()
    }
}
