//! D8: which unit is activated; with a King the general may move instead (D9).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, Reason, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Steer, UnitId, Wish};
use tricorne_table::Point;

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::options::{Passing, SameUnitSameCard};
use crate::state::{Activation, Benefit, General, Play, Stage, UnitNo};
use crate::turn::cards::benefit_of;

/// What a seat does with its activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choose {
    pub(crate) seat: Seat,
}

/// A choice that was judged.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// A unit, for so many command points.
    Activate(UnitNo, u8),
    /// Nothing.
    Pass,
    /// A King's ride.
    Ride(Point),
}

impl Question<Engagement> for Choose {
    type Judged = Choice;

    fn kind(&self, _: &Engagement) -> &'static str {
        "choose"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-TEAM-07"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn prompt(&self, battle: &Engagement) -> String {
        let king = if battle.has_kings_ride(self.seat) { "Move your general, activate" } else { "Activate" };
        let pass = if battle.judge_pass().is_ok() { ", or pass" } else { "" };
        format!("{king} a unit{pass}")
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        let own = battle.of_army(battle.army_of(self.seat));
        out.list_all(own.map(|(_, u)| Action::Activate { unit: u.id }));
        if battle.has_kings_ride(self.seat) {
            battle.ride_space(out);
        }
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Choice, Illegal> {
        match answer {
            Action::Activate { unit } => {
                battle.judge_activate(self.seat, *unit).map(|(no, price)| Choice::Activate(no, price))
            }
            Action::Pass => battle.judge_pass().map(|()| Choice::Pass),
            Action::MoveGeneral { to } => {
                battle.judge_king()?;
                battle.judge_ride(self.seat, *to).map(|_| Choice::Ride(*to))
            }
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, choice: Choice, now: &mut Now<'_>) {
        match choice {
            Choice::Activate(no, price) => battle.do_activate(self.seat, no, price, now.log),
            Choice::Pass => battle.do_pass(false, now.log),
            Choice::Ride(to) => {
                battle.ride(self.seat, to, "ATKM-CARD-06", now.log);
                battle.spend_activation();
            }
        }
    }

    fn usual(&self, battle: &Engagement) -> Action {
        if battle.judge_pass().is_ok() {
            return Action::Pass;
        }
        // `passing` forced: passing is refused only where a unit can be activated.
        let first = battle
            .of_army(battle.army_of(self.seat))
            .find(|(_, u)| battle.judge_activate(self.seat, u.id).is_ok());
        first.map_or(Action::Pass, |(_, u)| Action::Activate { unit: u.id })
    }

    fn preview(&self, battle: &Engagement, choice: &Choice) -> Preview {
        match choice {
            Choice::Activate(no, price) => {
                let reasons = battle.price_by_reasons(self.seat, battle.unit(*no));
                let note = |r: &Reason| format!("{}: {} [{}]", r.reason, r.value, r.clause);
                Preview {
                    cost: Some(f64::from(*price)),
                    allowance: battle.state.generals.get(self.seat.index()).map(|g| f64::from(g.points)),
                    notes: reasons.iter().map(note).collect(),
                    ..Preview::default()
                }
            }
            Choice::Pass => Preview::default(),
            Choice::Ride(to) => battle.preview_ride(self.seat, *to),
        }
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        if battle.benefit() == Benefit::King
            && whim.chance(0.3)
            && let Some(ride) = battle.some_ride(self.seat, whim)
        {
            return ride;
        }
        if whim.chance(0.03) && battle.judge_pass().is_ok() {
            return Action::Pass;
        }
        let army = battle.army_of(self.seat);
        let count = battle.state.units.len();
        let start = whim.below(count);
        for i in 0..count {
            let unit = &battle.state.units[(start + i) % count];
            if unit.present() && unit.army == army && battle.judge_activate(self.seat, unit.id).is_ok() {
                return Action::Activate { unit: unit.id };
            }
        }
        Action::Pass
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        if battle.benefit() == Benefit::King {
            out.extend((0..most).filter_map(|_| battle.some_ride(self.seat, whim)));
        }
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        let steered = match wish.unit.filter(|&id| battle.find(id).is_some()) {
            Some(id) => battle
                .judge_activate(self.seat, id)
                .and_then(|_| refuse("ATKM-TEAM-07", format!("activate {id} first"))),
            // Whether he may ride at all comes first.
            None => battle.judge_king().and_then(|()| battle.steer_ride(self.seat, wish)),
        };
        steered.unwrap_or_else(Steer::refused)
    }

    fn courses(&self, _: &Engagement, unit: UnitId) -> Vec<(String, Action)> {
        vec![("activate".into(), Action::Activate { unit })]
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_unit(self.seat)
    }
}

impl Engagement {
    /// ATKM-CARD-06: whether the card lets the acting seat's general ride.
    fn judge_king(&self) -> Result<(), Illegal> {
        if self.benefit() == Benefit::King {
            return Ok(());
        }
        let kings = |p: &Play| benefit_of(p.card) == Benefit::King && p.beneficiary.is_some();
        if self.state.play.as_ref().is_some_and(kings) {
            refuse("ATKM-CARD-02", "the King's effect goes to another teammate")
        } else {
            refuse("ATKM-GEN-06", "a general moves only by a King or at the end of a turn")
        }
    }

    /// D8: whether a seat may activate a unit.
    pub(crate) fn judge_activate(&self, seat: Seat, id: UnitId) -> Result<(UnitNo, u8), Illegal> {
        let no = self.named(id, "ATKM-TEAM-07")?;
        let price = self.judge_choice(seat, no)?;
        if self.some_part(no, self.benefit()).is_none() {
            let clause = if self.unit(no).is_mob() { "ATKM-MOB-05" } else { "ATKM-ACT-10" };
            return refuse(clause, format!("{id} has no room to do anything"));
        }
        Ok((no, price))
    }

    /// All but whether the unit can do anything.
    pub(crate) fn judge_choice(&self, seat: Seat, no: UnitNo) -> Result<u8, Illegal> {
        let unit = self.unit(no);
        if unit.army != self.army_of(seat) {
            return refuse("ATKM-TEAM-07", format!("{} is an enemy", unit.id));
        }
        if unit.disorder {
            return refuse("ATKM-ACT-06", format!("{} has a disorder marker this turn", unit.id));
        }
        let used = |p: &crate::state::Play| p.used.iter().any(|&(unit, by)| unit == no && by != seat);
        if self.options().same_unit_same_card == SameUnitSameCard::Forbidden
            && self.state.play.as_ref().is_some_and(used)
        {
            return refuse("ATKM-TEAM-13", format!("{} has been activated on this card", unit.id));
        }
        self.judge_price(seat, no)
    }

    /// Whether anything at all can be chosen besides passing.
    pub(crate) fn has_choice(&self) -> bool {
        let seat = self.acting();
        self.has_kings_ride(seat) || self.has_unit_to_activate()
    }

    /// ATKM-CARD-06: whether the acting seat has a King, and a general on the table to ride by it.
    fn has_kings_ride(&self, seat: Seat) -> bool {
        self.benefit() == Benefit::King && self.state.generals.get(seat.index()).is_some_and(General::present)
    }

    fn has_unit_to_activate(&self) -> bool {
        let seat = self.acting();
        self.of_army(self.army_of(seat))
            .any(|(no, u)| self.judge_activate(seat, u.id).is_ok_and(|(n, _)| n == no))
    }

    /// ATKM-TURN-10, ATKM-CARD-10.
    pub(crate) fn judge_pass(&self) -> Result<(), Illegal> {
        let ace = self.benefit() == Benefit::Ace;
        if self.options().passing == Passing::Forced && !ace && self.has_unit_to_activate() {
            return refuse("ATKM-TURN-10", "here a player who can activate a unit must");
        }
        Ok(())
    }

    pub(crate) fn step_choose(&mut self, log: &mut Log) -> bool {
        if self.has_choice() {
            return false;
        }
        self.do_pass(true, log);
        true
    }

    /// The activation is let go; `forced` when there is nobody to activate.
    fn do_pass(&mut self, forced: bool, log: &mut Log) {
        let seat = self.acting();
        let left = self.state.play.as_ref().map_or(1, |p| p.left);
        log.say(|| {
            let event = Event::new("pass", "ATKM-TURN-11")
                .with("seat", seat.0)
                .with("general", self.field.seats[seat.index()].name.clone());
            let nth = ["first", "second", "third", "fourth"];
            let gone = usize::from(self.rules().cards.ace.saturating_sub(left)).min(nth.len() - 1);
            let chance = match self.benefit() {
                Benefit::Ace => format!("the {} chance", nth[gone]),
                _ => "the chance".into(),
            };
            if forced { event.outcome("nobody") } else { event.with("chance", chance) }
        });
        // Whoever has nobody now has nobody for the rest of his activations on this card: all of them go at once.
        if let Some(play) = self.state.play.as_mut().filter(|_| forced) {
            play.left = 1;
        }
        self.spend_activation();
    }

    /// A6: the point is paid and the colour remembered.
    pub(crate) fn do_activate(&mut self, seat: Seat, no: UnitNo, price: u8, log: &mut Log) {
        let benefit = self.benefit();
        let unit = *self.unit(no);
        self.state.generals[seat.index()].points -= price;
        self.state.activation = Some(Activation::new(seat, no, unit.colour, price, benefit));
        self.state.stage = Stage::Act;
        log.say(|| {
            let event = Event::new("activate", "ATKM-TEAM-07")
                .who(unit.id)
                .with("seat", seat.0)
                .with("paid", price)
                .with("colour", unit.colour.name());
            if unit.owner == seat { event } else { event.clause("ATKM-TEAM-09") }
        });
    }
}
