//! The turn (TURN): what happens by itself between decisions, state by state as in the ledger's part 5.

pub(crate) mod beneficiary;
pub(crate) mod cards;
pub(crate) mod disorder;
pub(crate) mod next;

use tricorne_chance::Chance;
use tricorne_game::{Event, Log, Seat};

use crate::field::{ARMIES, Engagement};
use crate::options::EligibleMeans;
use crate::state::Stage;

impl Engagement {
    /// Does one thing that is automatic; says whether there may be more before somebody must decide or the battle is over.
    pub(crate) fn go_on(&mut self, chance: &mut dyn Chance, log: &mut Log) -> bool {
        if self.state.stage == Stage::Over {
            return false;
        }
        if let Some(&seat) = self.state.overrun.first() {
            return self.step_overrun(seat, log);
        }
        match self.state.stage {
            Stage::Muster => {
                self.muster(chance, log);
                self.state.stage = Stage::Deploy;
                true
            }
            Stage::Deploy => self.step_deploy(log),
            Stage::PlaceGenerals => self.step_place_general(log),
            Stage::TurnStart => {
                self.state.turn += 1;
                self.state.blood = false;
                let turn = self.state.turn;
                log.say(|| Event::new("turn", "ATKM-TURN-01").with("turn", turn));
                self.succeed(log);
                self.state.stage = Stage::Replace;
                true
            }
            Stage::Replace => self.step_replace(log),
            Stage::Arrive(asked) => self.step_arrive(asked, log),
            Stage::Command => {
                self.roll_command(chance, log);
                self.state.deck.gather();
                self.state.stage = Stage::Gifts(ARMIES[0]);
                true
            }
            Stage::Gifts(army) => {
                if self.has_gifts(army) {
                    return false;
                }
                self.after_gifts(army);
                true
            }
            Stage::Draw => {
                self.draw_card(chance, log);
                true
            }
            Stage::Disorder(army) => self.step_disorder(army, log),
            Stage::Beneficiary => self.step_beneficiary(log),
            Stage::Order => self.step_order(),
            Stage::Choose => self.step_choose(log),
            Stage::Act => self.step_act(),
            Stage::Over | Stage::Pursue(_) => false,
            Stage::Finish => {
                self.finish_activation(log);
                true
            }
            Stage::TurnEnd => {
                self.end_turn(log);
                true
            }
            Stage::Ride(i) => {
                let order = self.riding_order();
                match order.get(usize::from(i)) {
                    Some(&seat) if self.state.generals[seat.index()].present() => false,
                    Some(_) => {
                        self.state.stage = Stage::Ride(i + 1);
                        true
                    }
                    None => {
                        self.state.stage = Stage::Reckon;
                        true
                    }
                }
            }
            Stage::Reckon => {
                self.reckon(log);
                true
            }
        }
    }

    /// The Commanding General of the army whose card is being settled.
    pub(crate) fn card_commander(&self) -> Seat {
        self.commander(self.state.play.as_ref().map_or(ARMIES[0], |p| p.army))
    }

    /// Seats still to act on the card.
    pub(crate) fn queue(&self) -> &[Seat] {
        self.state.play.as_ref().map_or(&[], |p| p.queue.as_slice())
    }

    pub(crate) fn after_gifts(&mut self, army: tricorne_game::Side) {
        self.state.stage = if army == ARMIES[0] { Stage::Gifts(ARMIES[1]) } else { Stage::Draw };
    }

    /// ATKM-TURN-07..09: whether any unit can still be activated.
    pub(crate) fn anybody_left(&self) -> bool {
        self.present().any(|(no, u)| {
            !u.disorder
                && match self.options().eligible_means {
                    EligibleMeans::Unmarked => true,
                    EligibleMeans::Affordable => {
                        self.seats_of(u.army).any(|s| self.judge_price(s, no).is_ok())
                    }
                }
        })
    }

    /// 20: markers off, points gone (ATKM-TURN-12).
    fn end_turn(&mut self, log: &mut Log) {
        if let Some(play) = self.state.play.take() {
            self.state.deck.spend(play.card);
        }
        for unit in &mut self.state.units {
            unit.disorder = false;
        }
        for general in &mut self.state.generals {
            general.points = 0;
        }
        let (turn, left) = (self.state.turn, self.state.deck.left().len());
        log.say(|| {
            let event = Event::new("turn_end", "ATKM-TURN-12").with("turn", turn).with("cards_left", left);
            if left > 0 {
                event.outcome("early").clause("ATKM-TURN-07")
            } else {
                event.clause("ATKM-TURN-06")
            }
        });
        if !self.test_armies(true, log) {
            self.state.stage = Stage::Ride(0);
        }
    }
}
