//! D11: an overrun general flees to a unit of his army (ATKM-GEN-10).

use serde::Serialize;
use tricorne_game::{Event, Log, Seat, UnitId};
use tricorne_table::within;

use crate::command::beside::{Beside, Errand, Hosts};
use crate::field::{Engagement, army_name};
use crate::state::{Stage, UnitNo};

/// To whom a general flees.
pub type Refuge = Beside<Flees>;

/// He is overrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Flees;

impl Errand for Flees {
    const KIND: &'static str = "overrun";
    const CLAUSE: &'static str = "ATKM-GEN-10";
    const PROMPT: &'static str = "Your general is overrun: to which unit does he flee?";

    fn hosts(battle: &Engagement, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        battle.refuges(seat)
    }

    fn refused(battle: &Engagement, beside: UnitId) -> String {
        let far = battle.rules().general.refuge;
        format!("{beside} is no unit of his army within {far} of the general")
    }

    /// The unit that rides him down, while it acts.
    fn unit(battle: &Engagement) -> Option<UnitId> {
        let acts = matches!(battle.state.stage, Stage::Act | Stage::Pursue(_));
        battle.state.activation.filter(|_| acts).map(|a| battle.unit(a.unit).id)
    }

    fn set(battle: &mut Engagement, seat: Seat, beside: UnitNo, log: &mut Log) {
        battle.state.overrun.retain(|s| *s != seat);
        let at = battle.beside(seat, beside);
        let refuge = battle.unit(beside).id;
        battle.ride_because(seat, at, Self::CLAUSE, Some(("flees", refuge)), log);
    }
}

impl Engagement {
    /// Units an overrun general may flee to (ATKM-GEN-10), by their distance as fire and danger measure it (M15).
    pub(crate) fn refuges(&self, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        let g = self.state.generals[seat.index()];
        let far = self.rules().general.refuge;
        self.of_army(g.army)
            .filter(move |(_, u)| within(u.distance(self.rules(), g.at), far))
            .map(|(no, _)| no)
    }

    /// Goes on without a question where there is only one refuge, or none.
    pub(crate) fn step_overrun(&mut self, seat: Seat, log: &mut Log) -> bool {
        let general = self.state.generals[seat.index()];
        if !general.present() {
            self.state.overrun.remove(0);
            return true;
        }
        match Refuge::hosts(self, seat) {
            Hosts::None => {
                self.state.overrun.remove(0);
                self.state.generals[seat.index()].killed = true;
                log.say(|| {
                    Event::new("captured", "ATKM-GEN-10")
                        .with("seat", seat.0)
                        .with("army", army_name(general.army))
                        .with("general", self.field.seats[seat.index()].name.clone())
                });
                true
            }
            Hosts::One(only) => {
                Flees::set(self, seat, only, log);
                true
            }
            Hosts::Several => false,
        }
    }
}
