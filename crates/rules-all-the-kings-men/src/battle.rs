//! A battle under the kit: everything that is asked, who is asked now, and what goes on between.

use serde_json::Value;
use tricorne_drill::{Now, Rules, questions, two_schools};
use tricorne_game::view::{Detail, View};
use tricorne_game::{Ending, Event, Illegal, Seat, Sight, UnitId};

use crate::action::Action;
use crate::activation::act::Act;
use crate::activation::choose::Choose;
use crate::combat::pursue::Pursue;
use crate::command::gifts::Gifts;
use crate::command::refuge::Refuge;
use crate::command::ride::Ride;
use crate::command::successor::Successor;
use crate::field::{Engagement, army_name};
use crate::judgement::first::First;
use crate::setup::arrive::Arrive;
use crate::setup::deploy::Deploy;
use crate::setup::place_general::PlaceGeneral;
use crate::state::{Cause, Grade, Outcome, Stage, State};
use crate::turn::beneficiary::Beneficiary;
use crate::turn::disorder::Disorder;
use crate::turn::next::Next;

questions! {
    /// Everything a player is asked: the decisions of the ledger's part 5.
    pub enum Questions for Engagement {
        Deploy, PlaceGeneral, Arrive, Successor, Gifts, Disorder, Beneficiary, Next, Choose, Act, Pursue, Refuge, Ride,
    }
}

/// An answer to another question than the one that is asked, refused under the clause that speaks of such answers.
pub(crate) fn out_of_place<T>(action: &Action, asked: &str) -> Result<T, Illegal> {
    tricorne_drill::refuse(action.clause(), format!("the decision now is `{asked}`"))
}

impl Rules for Engagement {
    type Action = Action;
    type State = State;
    type Questions = Questions;

    const OVER: &'static str = "ATKM-END-01";

    fn begin(&mut self, _now: &mut Now<'_>) {}

    fn question(&self) -> Option<Questions> {
        if let (Some(&seat), None) = (self.state.overrun.first(), self.state.outcome) {
            return Refuge::of(self, seat).map(Into::into);
        }
        match self.state.stage {
            Stage::Deploy => Deploy::of(self).map(Into::into),
            Stage::PlaceGenerals => {
                self.general_to_place().and_then(|seat| PlaceGeneral::of(self, seat)).map(Into::into)
            }
            Stage::Arrive(unit) => unit.and_then(|unit| Arrive::of(self, unit)).map(Into::into),
            Stage::Replace => self.next_vacancy().and_then(|seat| Successor::of(self, seat)).map(Into::into),
            Stage::Gifts(army) => Some(Gifts { army }.into()),
            Stage::Disorder(army) => Disorder::of(self, army).map(Into::into),
            Stage::Beneficiary => Some(Beneficiary.into()),
            Stage::Order => Some(Next.into()),
            Stage::Choose => Some(Choose { seat: self.acting() }.into()),
            Stage::Act => self.state.activation.map(|a| Act(a).into()),
            Stage::Pursue(mob) => self
                .state
                .activation
                .map(|a| Pursue { seat: self.unit(a.unit).owner, unit: a.unit, mob }.into()),
            Stage::Ride(i) => self.riding_order().get(usize::from(i)).map(|&seat| Ride { seat }.into()),
            // The battle goes on by itself from these; none of them waits.
            Stage::Muster
            | Stage::TurnStart
            | Stage::Command
            | Stage::Draw
            | Stage::Finish
            | Stage::TurnEnd
            | Stage::Reckon
            | Stage::Over => None,
        }
    }

    fn step(&mut self, now: &mut Now<'_>) -> bool {
        self.go_on(now.chance, now.log)
    }

    fn ending(&self) -> Option<Ending> {
        self.state.outcome.map(|o| self.ending_of(o))
    }

    fn gives_up(action: &Action) -> bool {
        *action == Action::Concede
    }

    /// ATKM-END-04.
    fn concede(&mut self, seat: Seat, now: &mut Now<'_>) {
        let army = self.army_of(seat);
        now.say(|| {
            Event::new("concede", "ATKM-END-04")
                .with("army", army_name(army))
                .with("side", self.called(army))
                .with("general", self.general_called(seat))
        });
        let outcome = Outcome { winner: Some(army.enemy()), grade: Grade::Victory, cause: Cause::Conceded };
        self.finish(outcome, now.log);
    }

    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View {
        self.seen_by(seat, detail)
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

    // `imagined` is a plain copy: figures, colours, markers and command points are public (ATKM-UNIT-12, ATKM-CMD-17),
    // there are no hands and no orders, and the deck has no order until a card is drawn.

    fn sight(&self, from: UnitId, to: UnitId, _: Option<Seat>) -> Option<Sight> {
        self.sight_between(from, to)
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.broken()
    }
}
