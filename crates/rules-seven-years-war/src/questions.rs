//! Everything a player is asked (part 5 of the rulebook): the one list. Each question stands in a file of its own, in the
//! room of its section.

use tricorne_chance::Whim;
use tricorne_drill::{Asks, Question};
use tricorne_game::Side;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::sequence::turn::Task;

pub use crate::charges::carry::Charges;
pub use crate::charges::lights::MeetCharge;
pub use crate::charges::meet_flank::MeetFlank;
pub use crate::charges::misaligned::Misaligned;
pub use crate::deployment::buy_ground::BuyGround;
pub use crate::deployment::deploy::Deploy;
pub use crate::deployment::enlist::Enlist;
pub use crate::deployment::keep_back::KeepBack;
pub use crate::deployment::rotate::Rotate;
pub use crate::deployment::table_side::TableSide;
pub use crate::flight::after_melee::AfterMelee;
pub use crate::flight::facing::Facing;
pub use crate::flight::meet_guns::MeetGuns;
pub use crate::flight::pursuits::Pursuits;
pub use crate::generals::go_along::GoAlong;
pub use crate::generals::keep_counter::KeepCounter;
pub use crate::generals::successor::Successor;
pub use crate::hiding::lurk::Lurk;
pub use crate::melee::next_melee::Combat;
pub use crate::morale::losses::Losses;
pub use crate::morale::resolution::Resolution;
pub use crate::movement::next_move::Movement;
pub use crate::movement::passed::Passed;
pub use crate::off_table::come_back::ComeBack;
pub use crate::off_table::make_room::MakeRoom;
pub use crate::orders::give::Command;
pub use crate::orders::halt::Halt;
pub use crate::orders::retreats::Retreats;
pub use crate::orders::uncommanded::Uncommanded;
pub use crate::sequence::begin::Begin;
pub use crate::shooting::next_shot::Shooting;

tricorne_drill::questions! {
    /// Everything a player is asked.
    pub enum Questions for SevenYearsBattle {
        Begin, Enlist, BuyGround, Rotate, KeepCounter, TableSide, KeepBack, Deploy,
        Command, Facing, Uncommanded,
        ComeBack, MakeRoom, Pursuits, MeetGuns, Retreats, Movement, Halt, Lurk, Passed, GoAlong,
        MeetFlank, MeetCharge, Resolution, Shooting, Losses, Successor,
        Charges, Misaligned, Combat, AfterMelee,
    }
}

/// A question's name, that it is asked at this moment and no other (SYW-SEQ-02), and who decides: the phasing side, or
/// whoever owns the unit, group or general it is about.
macro_rules! asks {
    ($kind:literal, phasing) => {
        crate::questions::asks!($kind);

        fn seat(&self, b: &crate::model::field::SevenYearsBattle) -> tricorne_game::Seat {
            tricorne_game::Seat(b.s.phasing.0)
        }
    };
    ($kind:literal, unit $unit:ident) => {
        crate::questions::asks!($kind);

        fn seat(&self, b: &crate::model::field::SevenYearsBattle) -> tricorne_game::Seat {
            tricorne_game::Seat(b.unit(self.$unit).side.0)
        }

        fn unit(&self, b: &crate::model::field::SevenYearsBattle) -> Option<tricorne_game::UnitId> {
            Some(b.unit(self.$unit).id)
        }
    };
    ($kind:literal, $owned:ident) => {
        crate::questions::asks!($kind);

        fn seat(&self, b: &crate::model::field::SevenYearsBattle) -> tricorne_game::Seat {
            tricorne_game::Seat(b.$owned(self.$owned).side.0)
        }
    };
    ($kind:literal) => {
        fn kind(&self, _: &crate::model::field::SevenYearsBattle) -> &'static str {
            $kind
        }

        fn clause(&self, _: &crate::model::field::SevenYearsBattle) -> &'static str {
            "SYW-SEQ-02"
        }
    };
}
pub(crate) use asks;

/// A handful of answers, all of them legal; the first does least.
macro_rules! choice {
    ($Action:ident: $Choice:ident { $($Way:ident),+ }) => {
        type Judged = $Choice;

        fn answers(
            &self,
            _: &crate::model::field::SevenYearsBattle,
            out: &mut tricorne_drill::Answers<crate::action::Action>,
        ) {
            out.list_all([$($Choice::$Way),+].map(crate::action::Action::$Action));
        }

        fn judge(
            &self,
            b: &crate::model::field::SevenYearsBattle,
            answer: &crate::action::Action,
        ) -> Result<$Choice, tricorne_game::Illegal> {
            match answer {
                crate::action::Action::$Action(way) => Ok(*way),
                _ => Err(self.other(b)),
            }
        }

        fn usual(&self, _: &crate::model::field::SevenYearsBattle) -> crate::action::Action {
            crate::action::Action::$Action([$($Choice::$Way),+][0])
        }
    };
}
pub(crate) use choice;

/// Some answers at random, for questions whose answers have a place in them.
pub(crate) fn guesses<Q: Question<SevenYearsBattle>>(
    question: &Q,
    b: &SevenYearsBattle,
    most: usize,
    whim: &mut Whim,
    out: &mut Vec<Action>,
) {
    out.extend((0..most * 2).map(|_| question.wander(b, whim)));
}

impl SevenYearsBattle {
    /// Somebody is to be asked, before whatever waits already.
    pub(crate) fn ask(&mut self, question: impl Into<Questions>) {
        self.s.tasks.push(Task::ask(question));
    }

    /// Questions of a kind come before all else that waits.
    pub(crate) fn ask_first(&mut self, which: impl Fn(&Questions) -> bool) {
        let (first, rest): (Vec<Task>, Vec<Task>) =
            self.s.tasks.drain(..).partition(|t| matches!(t, Task::Ask(question) if which(question)));
        self.s.tasks.extend(rest);
        self.s.tasks.extend(first);
    }

    /// The question on top, which waits for an answer unless the umpire is at work.
    pub(crate) fn asking(&self) -> Option<&Questions> {
        match self.s.tasks.last() {
            Some(Task::Ask(question)) => Some(question),
            _ => None,
        }
    }

    /// The side that must answer.
    pub(crate) fn asked(&self) -> Side {
        self.asking().map_or(self.s.phasing, |question| Side(question.seat(self).0))
    }

    /// The group that answers for a halt now (SYW-ORDER-32).
    pub(crate) fn halting(&self) -> Option<GroupIx> {
        match self.asking() {
            Some(Questions::Halt(halt)) => Some(halt.group),
            _ => None,
        }
    }
}
