//! The umpire of a battle: the list of its decisions (part 5), and what goes on between them.

use std::sync::Arc;

use serde_json::Value;
use tricorne_drill::{Asks, Now, Rules, questions, two_schools};
use tricorne_game::view::{Detail, View};
use tricorne_game::{Ending, Illegal, Seat, Side, Sight, UnitId};

use crate::action::{Action, Half};
use crate::activation::declare::Declaring;
use crate::attack::after_melee::AfterMelee;
use crate::attack::charge::Charging;
use crate::close_order::Forming;
use crate::field::Field;
use crate::fire::shoot::Shooting;
use crate::judgement::first::First;
use crate::judgement::mind::WbkMind;
use crate::morale::commander::Commanding;
use crate::morale::rally::Rerolling;
use crate::movement::march::Marching;
use crate::movement::skirmish::Skirmishing;
use crate::scenario::deployment::Placing;
use crate::state::{Finish, No, State};
use crate::turn::pick::Picking;

questions! {
    /// Everything a player is asked: the table of part 5, in its order.
    #[derive(Copy)]
    pub enum Asked for Fray {
        Commanding, Placing, Picking, Declaring, Marching, Skirmishing, Shooting, Charging, Forming, AfterMelee,
        Rerolling,
    }
}

/// A battle of The Men Who Would Be Kings under way.
#[derive(Clone, Debug)]
pub struct Fray {
    pub(crate) field: Arc<Field>,
    pub(crate) state: State,
    /// What the judgement of programs goes by; no rule looks at it.
    pub(crate) mind: Arc<WbkMind>,
}

impl Fray {
    /// Somebody must decide.
    pub(crate) fn ask(&mut self, question: impl Into<Asked>) {
        self.state.asked = Some(question.into());
    }

    /// The side that must decide.
    pub(crate) fn decider(&self) -> Option<Side> {
        self.state.asked.map(|question| Side(question.seat(self).0))
    }

    /// The unit whose activation is under way.
    pub(crate) fn acting(&self) -> No {
        self.state.act.unit
    }

    /// Its id, for the questions that are about it.
    pub(crate) fn acting_id(&self) -> UnitId {
        self.id(self.acting())
    }

    /// Who decides for it: its owner, or the enemy of an Idiot on a bad day.
    pub(crate) fn chooser(&self) -> Seat {
        Seat(self.state.act.chooser)
    }

    /// The acting unit, named for people.
    pub(crate) fn actor(&self) -> String {
        self.card(self.acting()).called()
    }

    /// The inches it has to move.
    pub(crate) fn inches(&self) -> f64 {
        f64::from(self.state.act.allowance) / 1000.0
    }

    /// The short name of what is asked, also before the first question and after the last.
    pub(crate) fn pending_kind(&self) -> &'static str {
        match self.state.asked {
            Some(question) => question.kind(self),
            None if self.state.finish.is_some() => "over",
            None => "muster",
        }
    }

    /// Whether leaders are rolled and forces are still being placed.
    pub(crate) fn is_before_the_first_round(&self) -> bool {
        match self.state.asked {
            Some(question) => matches!(question, Asked::Commanding(_) | Asked::Placing(_)),
            None => self.state.finish.is_none(),
        }
    }
}

impl Rules for Fray {
    type Action = Action;
    type State = State;
    type Questions = Asked;

    const OVER: &'static str = "WBK-TURN-09";

    fn begin(&mut self, now: &mut Now<'_>) {
        self.muster(now);
    }

    fn question(&self) -> Option<Asked> {
        self.state.asked
    }

    fn step(&mut self, now: &mut Now<'_>) -> bool {
        self.go_on(now)
    }

    fn ending(&self) -> Option<Ending> {
        self.how_it_ended()
    }

    fn gives_up(action: &Action) -> bool {
        *action == Action::Concede
    }

    fn concede(&mut self, seat: Seat, now: &mut Now<'_>) {
        self.finish(Finish::Conceded(Side(seat.0)), now);
    }

    fn whose_turn(&self) -> Option<Side> {
        (!self.is_before_the_first_round()).then_some(self.state.active)
    }

    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View {
        self.look(seat, detail)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn facts(&self) -> Value {
        self.all_facts()
    }

    two_schools!(First);

    fn about(action: &Action) -> Option<UnitId> {
        action.about()
    }

    fn sight(&self, from: UnitId, to: UnitId, _eye: Option<Seat>) -> Option<Sight> {
        self.sight_between(self.find(from)?, self.find(to)?)
    }

    fn course(action: &Action) -> Option<&'static str> {
        Some(match action {
            Action::NoMove => "stay put",
            Action::Enter(_) => "enter",
            Action::Charge(_) => "attack",
            Action::Skirmish(Half::Move) => "move first",
            Action::Skirmish(Half::Fire) => "fire first",
            Action::Skirmish(Half::Skip) => "neither",
            Action::Shoot(_) => "fire",
            Action::HoldFire => "hold fire",
            Action::Form(_) => "form close order",
            Action::FollowUp => "follow up",
            Action::Strike(_) => "strike",
            Action::Occupy(_) => "take over",
            Action::Stay => "stay",
            Action::Reroll(true) => "roll again",
            Action::Reroll(false) => "let it stand",
            _ => return None,
        })
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.what_is_broken()
    }
}

/// An attempt at an attack with its end worked out, for whoever steers or weighs it.
pub(crate) type Tried<T> = Result<(Action, T), Illegal>;
