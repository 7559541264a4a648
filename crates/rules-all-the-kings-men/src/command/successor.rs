//! D3: beside which unit a killed general's successor stands (ATKM-GEN-12).

use serde::Serialize;
use tricorne_game::{Event, Log, Seat, UnitId};

use crate::command::beside::{Beside, Errand, Hosts};
use crate::field::Engagement;
use crate::state::{General, Stage, UnitNo};

/// Where a new general takes over.
pub type Successor = Beside<Succeeds>;

/// He takes a killed one's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Succeeds;

impl Errand for Succeeds {
    const KIND: &'static str = "replace_general";
    const CLAUSE: &'static str = "ATKM-GEN-12";
    const PROMPT: &'static str = "Beside which unit does the new general stand?";

    fn hosts(battle: &Engagement, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        battle.joinable(seat)
    }

    fn refused(_: &Engagement, _: UnitId) -> String {
        "the new general stands beside a unit of his own command".into()
    }

    fn set(battle: &mut Engagement, seat: Seat, beside: UnitNo, log: &mut Log) {
        let at = battle.beside(seat, beside);
        let rating = battle.rules().general.replacement_rating;
        let g = &mut battle.state.generals[seat.index()];
        g.killed = false;
        g.placed = true;
        g.rating = rating;
        g.at = at;
        let unit = battle.unit(beside).id;
        log.say(|| {
            Event::new("new_general", Self::CLAUSE)
                .whom(unit)
                .with("seat", seat.0)
                .with("rating", rating)
                .with("general", battle.field.seats[seat.index()].name.clone())
        });
    }
}

impl Engagement {
    /// Units a new general may join (ATKM-GEN-12): his own command, or his army if that is gone.
    pub(crate) fn joinable(&self, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        let army = self.army_of(seat);
        let own = self.of_army(army).any(|(_, u)| u.owner == seat);
        self.of_army(army).filter(move |(_, u)| !own || u.owner == seat).map(|(no, _)| no)
    }

    /// The next seat whose killed general must be replaced; one whose army has nobody on the table waits.
    pub(crate) fn next_vacancy(&self) -> Option<Seat> {
        let vacant = |(i, g): (usize, &General)| {
            let seat = Seat(i as u8);
            (g.killed && self.joinable(seat).next().is_some()).then_some(seat)
        };
        self.state.generals.iter().enumerate().find_map(vacant)
    }

    /// Goes on without a question where there is only one unit to stand beside, or none.
    pub(crate) fn step_replace(&mut self, log: &mut Log) -> bool {
        let Some(seat) = self.next_vacancy() else {
            self.state.stage = Stage::Arrive(None);
            return true;
        };
        if let Hosts::One(only) = Successor::hosts(self, seat) {
            Succeeds::set(self, seat, only, log);
            return true;
        }
        false
    }
}
