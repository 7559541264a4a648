//! Rout (ROUT) of units and armies.

mod reform;
mod retreat;

use tricorne_game::{Event, Log, Side};

use crate::field::{ARMIES, Engagement, army_name};
use crate::options::{ArmyRoutTiming, ArmyStrength};
use crate::state::{Cause, Grade, Outcome, Presence, Stage, Unit, UnitNo};

/// Why a unit leaves the table for good.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broken {
    /// It is down to its break point (ATKM-ROUT-01).
    AtItsBreakPoint,
    /// Nowhere could it fall back to (ATKM-MOB-09).
    NoRoom,
    /// It was driven over the table's edge (ATKM-MOB-10).
    OffTable,
    /// Its crew was beaten and its guns are lost (ATKM-MOB-11).
    GunsLost,
    /// Its parts together are too few (ATKM-ADV-02).
    TooFew,
}

impl Broken {
    fn clause(self) -> &'static str {
        match self {
            Self::AtItsBreakPoint => "ATKM-ROUT-01",
            Self::NoRoom => "ATKM-MOB-09",
            Self::OffTable => "ATKM-MOB-10",
            Self::GunsLost => "ATKM-MOB-11",
            Self::TooFew => "ATKM-ADV-02",
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::AtItsBreakPoint => None,
            Self::NoRoom => Some("no_room"),
            Self::OffTable => Some("off_table"),
            Self::GunsLost => Some("guns_lost"),
            Self::TooFew => Some("too_few"),
        }
    }
}

impl Engagement {
    /// ATKM-ROUT-02; parts of split light infantry have a point of their own (ATKM-ADV-02).
    pub(crate) fn break_point(&self, unit: &Unit) -> u8 {
        if unit.parent.is_some() {
            self.rules().advanced.light_break
        } else {
            self.rules().break_point(unit.n0)
        }
    }

    /// ATKM-ROUT-01: whether a unit breaks; if so it leaves the table, cannon and all (ATKM-ROUT-03).
    pub(crate) fn rout_if_broken(&mut self, no: UnitNo, log: &mut Log) -> bool {
        let unit = self.unit(no);
        let (n, point) = (unit.n, self.break_point(unit));
        if !unit.present() || n > point {
            return false;
        }
        self.rout(no, Broken::AtItsBreakPoint, log);
        true
    }

    /// A unit leaves the table for good.
    pub(crate) fn rout(&mut self, no: UnitNo, why: Broken, log: &mut Log) {
        let point = self.break_point(self.unit(no));
        let unit = self.unit_mut(no);
        unit.presence = Presence::Routed;
        let (id, n) = (unit.id, unit.n);
        // Whoever runs is lost like one who falls (ATKM-END-06).
        self.state.blood = true;
        self.state.loss = true;
        log.say(|| {
            let event = Event::new("rout", why.clause()).who(id).with("left", n).with("point", point);
            let outcome = if n == 0 { Some("destroyed") } else { why.name() };
            outcome.into_iter().fold(event, Event::outcome)
        });
    }

    /// Units an army has left, as its strength counts them: one that went apart is lost when all its parts are.
    pub(crate) fn units_left(&self, army: Side) -> u16 {
        let own = self.state.units.iter().enumerate().filter(|(_, u)| u.army == army && u.parent.is_none());
        own.filter(|(no, u)| u.is_to_come() || self.men_of(UnitNo::at(*no)) > 0).count() as u16
    }

    /// Men that a unit has on the table, those of its parts included (ATKM-ADV-02).
    pub(crate) fn men_of(&self, no: UnitNo) -> u32 {
        let on_table = |(part, u): (UnitNo, &Unit)| {
            if part == no || u.parent == Some(no) { u32::from(u.n) } else { 0 }
        };
        self.present().map(on_table).sum()
    }

    /// Privates an army has left.
    pub(crate) fn privates_left(&self, army: Side) -> u16 {
        self.state
            .units
            .iter()
            .filter(|u| u.army == army && (u.present() || u.is_to_come()))
            .map(|u| u16::from(u.n))
            .sum()
    }

    /// ATKM-ROUT-04, ATKM-ROUT-05.
    pub(crate) fn army_is_broken(&self, army: Side) -> bool {
        let (left, began) = match self.options().army_strength {
            ArmyStrength::Units => (self.units_left(army), self.state.began[army.index()]),
            ArmyStrength::Privates => (self.privates_left(army), self.state.began_privates[army.index()]),
        };
        f64::from(left) <= f64::from(began) * self.rules().breaking.army_share + 1e-9
    }

    /// The test after an activation in which a unit was lost, or at the end of every turn (ATKM-ROUT-06). Says whether the battle is over.
    pub(crate) fn test_armies(&mut self, end_of_turn: bool, log: &mut Log) -> bool {
        let wanted = (self.options().army_rout_timing == ArmyRoutTiming::EndOfTurn) == end_of_turn;
        let counted = end_of_turn
            || self.state.loss
            || (self.state.blood && self.options().army_strength == ArmyStrength::Privates);
        if !wanted || !counted {
            return false;
        }
        self.state.loss = false;
        let broken = ARMIES.map(|a| self.army_is_broken(a));
        let outcome = match broken {
            [false, false] => return false,
            [true, true] => Outcome { winner: None, grade: Grade::Draw, cause: Cause::MutualRout },
            [red, _] => {
                let winner = if red { Side(1) } else { Side(0) };
                let left = f64::from(self.units_left(winner));
                let share =
                    f64::from(self.state.began[winner.index()]) * self.rules().breaking.decisive_share;
                let grade = if left >= share - 1e-9 { Grade::Decisive } else { Grade::Victory };
                Outcome { winner: Some(winner), grade, cause: Cause::Rout }
            }
        };
        for army in ARMIES {
            if broken[army.index()] {
                log.say(|| {
                    Event::new("army_rout", "ATKM-ROUT-04")
                        .clause("ATKM-END-01")
                        .with("army", army_name(army))
                        .with("side", self.called(army))
                });
            }
        }
        self.finish(outcome, log);
        true
    }

    /// The battle is over.
    pub(crate) fn finish(&mut self, outcome: Outcome, log: &mut Log) {
        self.state.outcome = Some(outcome);
        self.state.stage = Stage::Over;
        self.state.activation = None;
        self.state.overrun.clear();
        log.say(|| {
            let ending = self.ending_of(outcome);
            let winner = ending.winner.map_or("nobody", army_name);
            Event::new("ending", &ending.clause)
                .outcome(&ending.grade.replace(' ', "_"))
                .with("winner", winner)
                .with("victor", ending.winner.map_or_else(String::new, |w| self.called(w)))
                .with("reason", ending.reason)
        });
    }
}
