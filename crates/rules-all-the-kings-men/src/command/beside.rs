//! A general is set beside a unit of his army, by his owner's choice: the successor of a killed one (D3), an overrun one
//! who flees (D11).

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Log, Preview, Seat, UnitId};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::state::UnitNo;

/// Why a general is set beside a unit, and beside which.
pub trait Errand: Copy + Debug + PartialEq + Serialize {
    /// The name of the decision.
    const KIND: &'static str;
    /// The clause that asks.
    const CLAUSE: &'static str;
    /// What is asked.
    const PROMPT: &'static str;

    /// The units he may be set beside.
    fn hosts(battle: &Engagement, seat: Seat) -> impl Iterator<Item = UnitNo> + '_;

    /// Why not beside another.
    fn refused(battle: &Engagement, beside: UnitId) -> String;

    /// The unit that brought it about.
    fn unit(_: &Engagement) -> Option<UnitId> {
        None
    }

    /// He is set there.
    fn set(battle: &mut Engagement, seat: Seat, beside: UnitNo, log: &mut Log);
}

/// Beside which unit a seat's general is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Beside<E> {
    pub(crate) seat: Seat,
    /// One he may be set beside: without one nobody is asked.
    first: UnitNo,
    #[serde(skip)]
    errand: PhantomData<E>,
}

/// How many units a general may be set beside.
pub(crate) enum Hosts {
    None,
    One(UnitNo),
    Several,
}

impl<E: Errand> Beside<E> {
    pub(crate) fn of(battle: &Engagement, seat: Seat) -> Option<Self> {
        E::hosts(battle, seat).next().map(|first| Self { seat, first, errand: PhantomData })
    }

    /// Whether there is anything to choose.
    pub(crate) fn hosts(battle: &Engagement, seat: Seat) -> Hosts {
        let mut hosts = E::hosts(battle, seat);
        match (hosts.next(), hosts.next()) {
            (None, _) => Hosts::None,
            (Some(only), None) => Hosts::One(only),
            _ => Hosts::Several,
        }
    }
}

impl<E: Errand> Question<Engagement> for Beside<E> {
    type Judged = UnitNo;

    fn kind(&self, _: &Engagement) -> &'static str {
        E::KIND
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        E::CLAUSE
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn unit(&self, battle: &Engagement) -> Option<UnitId> {
        E::unit(battle)
    }

    fn prompt(&self, _: &Engagement) -> String {
        E::PROMPT.into()
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list_all(E::hosts(battle, self.seat).map(|no| Action::SetGeneral { beside: battle.unit(no).id }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<UnitNo, Illegal> {
        let Action::SetGeneral { beside } = answer else {
            return out_of_place(answer, E::KIND);
        };
        let no = battle.named(*beside, E::CLAUSE)?;
        if E::hosts(battle, self.seat).any(|host| host == no) {
            Ok(no)
        } else {
            refuse(E::CLAUSE, E::refused(battle, *beside))
        }
    }

    fn carry_out(self, battle: &mut Engagement, beside: UnitNo, now: &mut Now<'_>) {
        E::set(battle, self.seat, beside, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        Action::SetGeneral { beside: battle.unit(self.first).id }
    }

    fn preview(&self, battle: &Engagement, beside: &UnitNo) -> Preview {
        let mut preview = Preview::default();
        battle.preview_general(&mut preview, self.seat, battle.beside(self.seat, *beside));
        preview
    }

    fn courses(&self, _: &Engagement, unit: UnitId) -> Vec<(String, Action)> {
        vec![("take the general".into(), Action::SetGeneral { beside: unit })]
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_beside(self.seat, E::hosts(battle, self.seat).collect())
    }
}
