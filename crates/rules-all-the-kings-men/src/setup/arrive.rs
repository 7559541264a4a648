//! D14: a unit that was held back comes on (ATKM-SETUP-15).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Side, Steer, UnitId, Wish};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::setup::deploy::{Placing, Spot};
use crate::setup::zone::Zone;
use crate::state::{Presence, Stage, Unit, UnitNo};

/// Where a unit comes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Arrive {
    pub(crate) unit: UnitNo,
    /// A place that it has: without one it waits.
    room: Spot,
}

impl Arrive {
    pub(crate) fn of(battle: &Engagement, unit: UnitNo) -> Option<Self> {
        let found = battle.state.opening.filter(|(no, _)| *no == unit).map(|(_, spot)| spot);
        found.or_else(|| battle.some_spot(unit)).map(|room| Self { unit, room })
    }
}

/// When and where a unit comes.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub turn: u16,
    pub zone: Zone,
}

impl Question<Engagement> for Arrive {
    type Judged = (UnitNo, Unit);

    fn kind(&self, _: &Engagement) -> &'static str {
        "arrive"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-SETUP-15"
    }

    fn seat(&self, battle: &Engagement) -> Seat {
        battle.unit(self.unit).owner
    }

    fn unit(&self, battle: &Engagement) -> Option<UnitId> {
        Some(battle.unit(self.unit).id)
    }

    fn prompt(&self, battle: &Engagement) -> String {
        format!("{} arrives: place it", battle.unit(self.unit).id)
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.space("deploy", self.unit(battle), None, "unit, at, facing and shape where it comes on");
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<(UnitNo, Unit), Illegal> {
        let Action::Deploy { unit, at, facing, shape, spread } = answer else {
            return out_of_place(answer, self.kind(battle));
        };
        let due = |no: &UnitNo| battle.is_due(*no) && battle.unit(*no).owner == self.seat(battle);
        let Some(no) = battle.find(*unit).filter(due) else {
            return refuse(self.clause(battle), format!("{unit} does not arrive now"));
        };
        battle.judge_placing(no, Placing { at: *at, facing: *facing, shape: *shape, spread: spread.as_ref() })
    }

    fn carry_out(self, battle: &mut Engagement, (no, unit): (UnitNo, Unit), now: &mut Now<'_>) {
        battle.do_deploy(no, unit, "ATKM-SETUP-15", now.log);
        battle.state.stage = Stage::Arrive(None);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        battle.placed(self.unit, self.room)
    }

    fn preview(&self, battle: &Engagement, (no, unit): &(UnitNo, Unit)) -> Preview {
        battle.preview_placing(*no, unit)
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        match battle.random_spot(self.unit, whim) {
            Some(spot) => battle.placed(self.unit, spot),
            None => self.usual(battle),
        }
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(battle, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        battle.steer_placing(self.unit, wish).unwrap_or_else(Steer::refused)
    }

    fn weigh(&self, battle: &Engagement, _: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_places(self.unit, whim)
    }
}

impl Engagement {
    /// Whether a unit that was held back comes this turn, or waits for room since an earlier one or since deployment.
    pub(crate) fn is_due(&self, no: UnitNo) -> bool {
        let due = |a: &Arrival| a.turn <= self.state.turn;
        self.unit(no).presence == Presence::Due && self.arrival(no).is_none_or(due)
    }

    pub(crate) fn arrival(&self, no: UnitNo) -> Option<&Arrival> {
        self.field.arrivals.get(no.index()).and_then(Option::as_ref)
    }

    /// Goes on to the next unit that comes and has room; whoever has none waits a turn.
    pub(crate) fn step_arrive(&mut self, asked: Option<UnitNo>, log: &mut Log) -> bool {
        if asked.is_some() {
            return false;
        }
        let first = if self.state.turn % 2 == 1 { Side(0) } else { Side(1) };
        for army in [first, first.enemy()] {
            for no in (0..self.state.units.len()).map(UnitNo::at) {
                if self.unit(no).army == army
                    && self.is_due(no)
                    && let Some(spot) = self.some_spot(no)
                {
                    self.state.opening = Some((no, spot));
                    self.state.stage = Stage::Arrive(Some(no));
                    return false;
                }
            }
        }
        for no in (0..self.state.units.len()).map(UnitNo::at).filter(|&no| self.is_due(no)) {
            let id = self.unit(no).id;
            log.say(|| Event::new("delayed", "ATKM-SETUP-15").who(id));
        }
        self.state.stage = Stage::Command;
        true
    }
}
