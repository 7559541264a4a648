//! Everything a player is asked (ledger 5): the one list. Each question stands in a file of its own, in the room of its
//! section.

use tricorne_drill::Question;
use tricorne_game::{Seat, Side, UnitId};

use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::state::RED;

pub(crate) use crate::capture::escape::Escape;
pub(crate) use crate::charge::declare::Declare;
pub(crate) use crate::charge::evade::Evade;
pub(crate) use crate::charge::follow::Follow;
pub(crate) use crate::charge::go_on::GoOn;
pub(crate) use crate::charge::respond::Respond;
pub(crate) use crate::command::act::Act;
pub(crate) use crate::command::attach::Attach;
pub(crate) use crate::command::next::Next;
pub(crate) use crate::command::ride::Ride;
pub(crate) use crate::events::choose::Choose;
pub(crate) use crate::fire::return_fire::ReturnFire;
pub(crate) use crate::fire::target::Target;
pub(crate) use crate::melee::after::After;
pub(crate) use crate::melee::fall_back::FallBack;
pub(crate) use crate::morale::bearing::Bearing;
pub(crate) use crate::morale::face::Face;
pub(crate) use crate::morale::reform::Reform;
pub(crate) use crate::movement::regimental_square::FormSquare;
pub(crate) use crate::movement::shape::Manoeuvre;
pub(crate) use crate::movement::slide::Distance;
pub(crate) use crate::movement::unlimber::Unlimber;
pub(crate) use crate::movement::way::Path;
pub(crate) use crate::scenario::deploy::Deploy;
pub(crate) use crate::turn::ace::Ace;
pub(crate) use crate::turn::activate::Activate;
pub(crate) use crate::turn::begin::Begin;
pub(crate) use crate::turn::jack::Jack;
pub(crate) use crate::turn::king::King;
pub(crate) use crate::turn::king_now::KingNow;
pub(crate) use crate::turn::queen::Queen;
pub(crate) use crate::turn::release::Release;

tricorne_drill::questions! {
    /// Everything a player is asked.
    pub enum Questions for Field {
        Begin, Deploy, Release, King, KingNow, Activate, Jack, Queen, Ace, Choose,
        Ride, Attach, Next, Act, FormSquare, Path, Manoeuvre, Distance, Unlimber,
        Target, ReturnFire, Declare, GoOn, Respond, Evade, Follow, After, FallBack,
        Face, Reform, Bearing, Escape,
    }
}

impl Copy for Questions {}

/// What a question says of itself: its name, the part of the turn it belongs to, and its words. That it is asked at this
/// moment and no other is VF-TURN-25.
macro_rules! asks {
    ($kind:literal, $phase:literal, $prompt:literal) => {
        crate::questions::asks!($kind, $phase, |_| $prompt.to_owned());
    };
    // Words with a number of the charts in them.
    ($kind:literal, $phase:literal, |$field:pat_param| $prompt:expr) => {
        fn kind(&self, _: &crate::field::Field) -> &'static str {
            $kind
        }

        fn clause(&self, _: &crate::field::Field) -> &'static str {
            "VF-TURN-25"
        }

        fn phase(&self, _: &crate::field::Field) -> &'static str {
            $phase
        }

        fn prompt(&self, $field: &crate::field::Field) -> String {
            $prompt
        }
    };
}
pub(crate) use asks;

/// A question about a unit of the group that acts, asked of whoever commands the group.
macro_rules! of_group {
    () => {
        fn seat(&self, field: &crate::field::Field) -> tricorne_game::Seat {
            crate::questions::seat(field.controller())
        }

        fn unit(&self, field: &crate::field::Field) -> Option<tricorne_game::UnitId> {
            Some(field.spec(self.unit).id)
        }
    };
}
pub(crate) use of_group;

/// A question of a side.
macro_rules! of_side {
    () => {
        fn seat(&self, _: &crate::field::Field) -> tricorne_game::Seat {
            crate::questions::seat(self.side)
        }
    };
}
pub(crate) use of_side;

/// A question whose answers have a place in them: some of them at random.
macro_rules! guessed {
    () => {
        fn ways(
            &self,
            field: &crate::field::Field,
            most: usize,
            whim: &mut tricorne_chance::Whim,
            out: &mut Vec<crate::action::Action>,
        ) {
            crate::questions::guesses(self, field, most, whim, out);
        }
    };
}
pub(crate) use guessed;

/// The seat of a side.
pub(crate) fn seat(side: Side) -> Seat {
    Seat(side.0)
}

/// Some answers at random, for questions whose answers have a place in them.
pub(crate) fn guesses<Q: Question<Field>>(
    question: &Q,
    field: &Field,
    most: usize,
    whim: &mut tricorne_chance::Whim,
    out: &mut Vec<Action>,
) {
    out.extend((0..most * 2).map(|_| question.wander(field, whim)));
}

impl Field {
    /// Who commands the group that acts.
    pub(crate) fn controller(&self) -> Side {
        self.s.group.as_ref().map_or(RED, |g| g.controller)
    }

    /// Who decides for a unit: its owner, or whoever commands the group it acts in.
    pub(crate) fn decider(&self, u: Nr) -> Side {
        match &self.s.group {
            Some(g) if g.all & crate::field::bit(u) != 0 => g.controller,
            _ => self.side(u),
        }
    }

    /// The ids of a side's units on the table.
    pub(crate) fn ids(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.present_of(side).map(|u| self.spec(u).id)
    }
}
