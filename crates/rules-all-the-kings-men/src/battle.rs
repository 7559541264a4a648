//! A battle under the protocol: one judge turns an action into a plan, `check` drops it, `apply` carries it out.

use serde_json::Value;
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::View;
use tricorne_game::{
    Battle, Ending, Event, Illegal, Legal, Log, Pending, Preview, Proposal, Seat, Side, Steer, Wish,
};
use tricorne_table::Point;

use crate::action::{Action, Gift};
use crate::field::{Engagement, army_name, refuse};
use crate::fire::Shot;
use crate::melee::Charge;
use crate::movement::Marched;
use crate::state::{Activation, Benefit, Cause, Grade, Outcome, SeatNo, Stage, State, Unit, UnitNo};

/// A judged action, ready to be carried out.
// Plans live for the length of one action; boxing the larger ones would cost more than it saves.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Plan {
    Deploy(UnitNo, Unit),
    PlaceGeneral(SeatNo, Point),
    Replace(SeatNo, UnitNo),
    Refuge(SeatNo, UnitNo),
    Give(Side, Vec<Gift>),
    Disorder(UnitNo),
    Benefit(SeatNo),
    Next(SeatNo),
    Activate(SeatNo, UnitNo, u8),
    Pass,
    KingRide(SeatNo, Point),
    EndRide(SeatNo, Point),
    Stay,
    Move(Activation, Marched),
    Change(Activation, Unit, bool),
    Split(Activation, Vec<Unit>),
    Gather(Unit, Vec<UnitNo>),
    Fire(Activation, UnitNo, Shot),
    Charge(Activation, UnitNo, Box<Charge>),
    Reform(Activation, Unit),
    End,
    Withdraw,
    Pursue(UnitNo, UnitNo),
    Decline,
    Concede(Side),
}

impl Engagement {
    /// The seat that must decide, and the name of the decision.
    pub(crate) fn asked(&self) -> Option<(SeatNo, &'static str)> {
        if let Some(&seat) = self.state.overrun.first()
            && self.state.stage != Stage::Over
        {
            return Some((seat, "overrun"));
        }
        let play_commander = || self.state.play.as_ref().map_or(0, |p| self.commander(p.army));
        Some(match self.state.stage {
            Stage::Over => return None,
            Stage::Deploy => (self.deployer().map_or(0, |(_, s)| s), "deploy"),
            Stage::PlaceGenerals => (self.general_to_place().unwrap_or(0), "place_general"),
            Stage::Replace => (self.next_vacancy().unwrap_or(0), "replace_general"),
            Stage::Gifts(army) => (self.commander(army), "give"),
            Stage::Disorder(_) => (self.disorderer(), "disorder"),
            Stage::Beneficiary => (play_commander(), "benefit"),
            Stage::Order => (play_commander(), "next"),
            Stage::Choose => (self.acting(), "choose"),
            Stage::Act => (self.state.activation.map_or(0, |a| a.seat), "act"),
            Stage::Pursue(_) => (self.state.activation.map_or(0, |a| a.seat), "pursue"),
            Stage::Ride(i) => (self.riding_order().get(usize::from(i)).copied().unwrap_or(0), "ride"),
            // Not begun yet: whoever drives the battle calls `begin` first.
            Stage::Muster
            | Stage::TurnStart
            | Stage::Command
            | Stage::Draw
            | Stage::Finish
            | Stage::TurnEnd
            | Stage::Reckon => (0, "begin"),
        })
    }

    /// The one judge of every action.
    pub(crate) fn judge(&self, action: &Action) -> Result<Plan, Illegal> {
        let Some((seat, _)) = self.asked() else {
            return refuse("ATKM-END-01", "the battle is over");
        };
        if *action == Action::Concede {
            return Ok(Plan::Concede(self.army_of(seat)));
        }
        if !self.state.overrun.is_empty() {
            return self.judge_refuge(seat, action);
        }
        match self.state.stage {
            Stage::Deploy => match action {
                Action::Deploy { unit, at, facing, shape, spread } => self
                    .judge_deploy(seat, *unit, *at, *facing, *shape, spread.as_ref())
                    .map(|(no, unit)| Plan::Deploy(no, unit)),
                _ => self.out_of_place(action),
            },
            Stage::PlaceGenerals => match action {
                Action::PlaceGeneral { at } => {
                    self.judge_place_general(seat, *at).map(|()| Plan::PlaceGeneral(seat, *at))
                }
                _ => self.out_of_place(action),
            },
            Stage::Replace => match action {
                Action::SetGeneral { beside } => {
                    let no = self.named(*beside, "ATKM-GEN-12")?;
                    if self.joinable(seat).any(|u| u == no) {
                        Ok(Plan::Replace(seat, no))
                    } else {
                        refuse("ATKM-GEN-12", "the new general stands beside a unit of his own command")
                    }
                }
                _ => self.out_of_place(action),
            },
            Stage::Gifts(army) => match action {
                Action::Give(gifts) => {
                    self.judge_gifts(army, gifts).map(|()| Plan::Give(army, gifts.clone()))
                }
                _ => self.out_of_place(action),
            },
            Stage::Disorder(army) => match action {
                Action::Disorder { unit } => self.judge_disorder(army, *unit).map(Plan::Disorder),
                _ => self.out_of_place(action),
            },
            Stage::Beneficiary => match action {
                Action::Benefit { seat } => self.judge_seat(*seat, "ATKM-CARD-03").map(Plan::Benefit),
                _ => self.out_of_place(action),
            },
            Stage::Order => match action {
                Action::Next { seat } => self.judge_seat(*seat, "ATKM-TEAM-08").map(Plan::Next),
                _ => self.out_of_place(action),
            },
            Stage::Choose => self.judge_choose(seat, action),
            Stage::Act => match self.state.activation {
                Some(a) => self.judge_act(&a, action),
                None => self.out_of_place(action),
            },
            Stage::Pursue(mob) => match (action, self.state.activation) {
                (Action::Pursue, Some(a)) => Ok(Plan::Pursue(a.unit, mob)),
                (Action::Decline, _) => Ok(Plan::Decline),
                _ => self.out_of_place(action),
            },
            Stage::Ride(_) => match action {
                Action::MoveGeneral { to } => self.judge_ride(seat, *to).map(|_| Plan::EndRide(seat, *to)),
                Action::Stay => Ok(Plan::Stay),
                _ => self.out_of_place(action),
            },
            _ => refuse("ATKM-TURN-01", "the battle has not begun"),
        }
    }

    fn judge_refuge(&self, seat: SeatNo, action: &Action) -> Result<Plan, Illegal> {
        let Action::SetGeneral { beside } = action else { return self.out_of_place(action) };
        let no = self.named(*beside, "ATKM-GEN-10")?;
        if self.refuges(seat).any(|u| u == no) {
            Ok(Plan::Refuge(seat, no))
        } else {
            refuse("ATKM-GEN-10", format!("{beside} is no unit of his army within 20 of the general"))
        }
    }

    fn judge_choose(&self, seat: SeatNo, action: &Action) -> Result<Plan, Illegal> {
        match action {
            Action::Activate { unit } => {
                self.judge_activate(seat, *unit).map(|(no, price)| Plan::Activate(seat, no, price))
            }
            Action::Pass => self.judge_pass().map(|()| Plan::Pass),
            Action::MoveGeneral { to } => {
                if self.benefit() != Benefit::King {
                    let team = self.state.play.as_ref().is_some_and(|p| {
                        crate::cards::benefit_of(p.card) == Benefit::King && p.beneficiary.is_some()
                    });
                    return if team {
                        refuse("ATKM-CARD-02", "the King's effect goes to another teammate")
                    } else {
                        refuse("ATKM-GEN-06", "a general moves only by a King or at the end of a turn")
                    };
                }
                self.judge_ride(seat, *to).map(|_| Plan::KingRide(seat, *to))
            }
            _ => self.out_of_place(action),
        }
    }

    fn judge_act(&self, a: &Activation, action: &Action) -> Result<Plan, Illegal> {
        let no = a.unit;
        let mob = self.unit(no).is_mob();
        match action {
            Action::Move { path, facing, spread } => {
                self.judge_move_slot(a)?;
                let marched = self.judge_move(no, a.benefit, path, *facing, spread.as_ref())?;
                Ok(Plan::Move(*a, marched))
            }
            Action::Change { shape } => {
                self.judge_change(a, *shape).map(|(unit, dressing)| Plan::Change(*a, unit, dressing))
            }
            Action::Split { parts } => self.judge_split(a, parts).map(|parts| Plan::Split(*a, parts)),
            Action::Gather { with, shape } => {
                self.judge_gather(a, with, *shape).map(|(whole, parts)| Plan::Gather(whole, parts))
            }
            Action::Fire { target } => {
                self.judge_fire_slot(a)?;
                let target = self.named(*target, "ATKM-FIRE-20")?;
                self.judge_fire(no, target).map(|shot| Plan::Fire(*a, target, shot))
            }
            Action::Charge { target, path, facing } => {
                Self::judge_charge_slot(a)?;
                let target = self.named(*target, "ATKM-MELEE-12")?;
                self.judge_charge(no, a.benefit, target, path, *facing)
                    .map(|charge| Plan::Charge(*a, target, Box::new(charge)))
            }
            Action::Reform { shape, facing } => {
                if a.begun() {
                    return refuse("ATKM-MOB-01", "reforming takes the whole activation");
                }
                let facing = facing.unwrap_or(self.unit(no).facing);
                self.judge_reform(no, *shape, facing).map(|unit| Plan::Reform(*a, unit))
            }
            Action::End if a.begun() => Ok(Plan::End),
            Action::End => refuse("ATKM-ACT-10", "nothing has been done yet; withdraw and pass instead"),
            Action::Withdraw if a.begun() => {
                refuse("ATKM-ACT-09", "a part has been carried out; end the activation")
            }
            Action::Withdraw => Ok(Plan::Withdraw),
            _ if mob => refuse("ATKM-MOB-01", "a mob reforms with its whole activation"),
            _ => self.out_of_place(action),
        }
    }

    /// An action that answers another question than the one asked.
    fn out_of_place(&self, action: &Action) -> Result<Plan, Illegal> {
        let asked = self.asked().map_or("nothing", |(_, kind)| kind);
        let detriment = matches!(self.state.stage, Stage::Disorder(_));
        let clause = match action {
            Action::Deploy { .. } => "ATKM-SETUP-07",
            Action::PlaceGeneral { .. } => "ATKM-GEN-04",
            Action::SetGeneral { .. } => "ATKM-GEN-10",
            Action::Give(_) => "ATKM-CMD-06",
            Action::Activate { .. } if detriment => self.detriment_clause(),
            Action::Pass if detriment => "ATKM-CARD-17",
            Action::Disorder { .. } => "ATKM-CARD-16",
            Action::Benefit { .. } => "ATKM-CARD-03",
            Action::Next { .. } => "ATKM-TEAM-08",
            Action::Activate { .. } => "ATKM-TEAM-07",
            Action::Pass => "ATKM-TURN-10",
            Action::MoveGeneral { .. } => "ATKM-GEN-06",
            Action::Stay => "ATKM-TURN-13",
            Action::Pursue | Action::Decline => "ATKM-ADV-08",
            Action::Withdraw => "ATKM-ACT-09",
            _ => "ATKM-ACT-01",
        };
        refuse(clause, format!("the decision now is `{asked}`"))
    }

    fn detriment_clause(&self) -> &'static str {
        let joker =
            self.state.play.as_ref().is_some_and(|p| matches!(p.card, tricorne_chance::Playing::Joker(_)));
        if joker { "ATKM-CARD-12" } else { "ATKM-CARD-13" }
    }

    /// Carries out a judged action.
    fn carry_out(&mut self, plan: Plan, chance: &mut dyn Chance, log: &mut Log) {
        match plan {
            Plan::Deploy(no, unit) => self.do_deploy(no, unit, log),
            Plan::PlaceGeneral(seat, at) => self.do_place_general(seat, at, log),
            Plan::Replace(seat, no) => self.do_replace(seat, no, log),
            Plan::Refuge(seat, no) => self.do_refuge(seat, no, log),
            Plan::Give(army, gifts) => {
                self.do_give(army, &gifts, log);
                self.after_gifts(army);
            }
            Plan::Disorder(no) => self.do_disorder(no, log),
            Plan::Benefit(seat) => self.do_benefit(seat, true, log),
            Plan::Next(seat) => self.do_next(seat),
            Plan::Activate(seat, no, price) => self.do_activate(seat, no, price, log),
            Plan::Pass => self.do_pass(log),
            Plan::KingRide(seat, to) => {
                self.ride(seat, to, "ATKM-CARD-06", log);
                self.spend_activation();
            }
            Plan::EndRide(seat, to) => {
                self.ride(seat, to, "ATKM-GEN-05", log);
                self.next_ride();
            }
            Plan::Stay => self.next_ride(),
            Plan::Move(a, marched) => self.do_move(a, marched, log),
            Plan::Change(a, unit, dressing) => self.do_change(a, unit, dressing, log),
            Plan::Split(a, parts) => self.do_split(a, parts, log),
            Plan::Gather(whole, parts) => self.do_gather(whole, &parts, log),
            Plan::Fire(a, target, shot) => {
                self.do_fire(a.unit, target, &shot, chance, log);
                if let Some(a) = &mut self.state.activation {
                    a.fired_last = a.moved || a.changed || a.dressed;
                }
            }
            Plan::Charge(a, target, charge) => {
                self.state.stage = Stage::Finish;
                self.do_charge(a, target, &charge, chance, log);
            }
            Plan::Reform(a, unit) => self.do_reform(a, unit, log),
            Plan::End | Plan::Decline => self.state.stage = Stage::Finish,
            Plan::Withdraw => self.do_withdraw(log),
            Plan::Pursue(unit, mob) => {
                self.do_pursue(unit, mob, chance, log);
                self.state.stage = Stage::Finish;
            }
            Plan::Concede(army) => {
                log.say(|| Event::new("concede", "ATKM-END-04").with("army", army_name(army)));
                let outcome =
                    Outcome { winner: Some(army.enemy()), grade: Grade::Victory, cause: Cause::Conceded };
                self.finish(outcome, log);
            }
        }
    }

    fn next_ride(&mut self) {
        if let Stage::Ride(i) = self.state.stage {
            self.state.stage = Stage::Ride(i + 1);
        }
    }
}

impl Battle for Engagement {
    type Action = Action;
    type State = State;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        self.run(chance, log);
    }

    fn pending(&self) -> Pending {
        if let Some(ending) = self.ending() {
            return Pending::Over(ending);
        }
        let (seat, kind) = self.asked().unwrap_or((0, "begin"));
        let unit = match self.state.stage {
            Stage::Act | Stage::Pursue(_) => self.state.activation.map(|a| self.unit(a.unit).id),
            _ => None,
        };
        Pending::Decision { seat: Seat(seat), kind: kind.into(), unit, prompt: self.prompt(kind) }
    }

    fn seat(&self) -> Option<Seat> {
        self.asked().map(|(seat, _)| Seat(seat))
    }

    fn ending(&self) -> Option<Ending> {
        self.state.outcome.map(|o| self.ending_of(o))
    }

    fn legal(&self) -> Legal<Action> {
        let (listed, spaces) = self.listed();
        Legal { listed, spaces }
    }

    fn check(&self, action: &Action) -> Result<(), Illegal> {
        self.judge(action).map(|_| ())
    }

    fn preview(&self, action: &Action) -> Result<Preview, Illegal> {
        self.judge(action).map(|plan| self.previewed(action, &plan))
    }

    fn sample(&self, whim: &mut Whim) -> Action {
        self.sampled(whim)
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        let mut out: Vec<Action> = self.listed().0;
        out.retain(|a| !matches!(a, Action::Concede | Action::Withdraw));
        out.truncate(n);
        for _ in 0..4 * n {
            if out.len() >= n {
                break;
            }
            let one = self.sampled(whim);
            if !out.contains(&one) {
                out.push(one);
            }
        }
        out
    }

    fn apply(&mut self, action: &Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        let plan = self.judge(action)?;
        self.carry_out(plan, chance, log);
        self.run(chance, log);
        Ok(())
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.stands_for(seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        self.proposed(most, whim)
    }

    /// Nothing to imagine: figures, colours, markers and command points are public (ATKM-UNIT-12, ATKM-CMD-17), there
    /// are no hands and no orders, and the deck has no order until a card is drawn.
    fn imagined(&self, _seat: Seat, _whim: &mut Whim) -> Self {
        self.clone()
    }

    fn steer(&self, wish: &Wish) -> Steer<Action> {
        self.steered(wish)
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.seen_by(seat)
    }

    fn sight(
        &self,
        from: tricorne_game::UnitId,
        to: tricorne_game::UnitId,
        _: Option<Seat>,
    ) -> Option<tricorne_game::Sight> {
        self.sight_between(from, to)
    }

    fn courses(&self, unit: tricorne_game::UnitId) -> Vec<(String, Action)> {
        self.courses_of(unit)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn facts(&self) -> Value {
        self.all_facts()
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.broken()
    }
}
