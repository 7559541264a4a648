//! Falling into disorder, and why (SYW-DIS-01 to -03).

use tricorne_game::Log;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;

/// What throws a unit into disorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disorder {
    UnderFire,
    InTheFight,
    /// Routers ran through it.
    RoutersThrough,
    /// Massed troops on Retreat passed through it, or it through others.
    RetreatThrough,
    /// Massed troops passed through massed.
    LinesPassed,
    /// Light and massed passed through each other (option `light_massed_disorder`).
    LightsThrough,
    BrokenThrough,
    /// A result sends it back, and the way is barred.
    FallBackBarred,
    /// It is on Retreat and has no way to go.
    RetreatBarred,
    /// Its group has left Reserve with it in column (option `column_leaves_reserve`).
    OutOfColumn,
}

impl Disorder {
    fn clause(self) -> &'static str {
        match self {
            Self::UnderFire => "SYW-SHOOT-05",
            Self::InTheFight => "SYW-MELEE-04",
            Self::RoutersThrough => "SYW-INTER-02",
            Self::RetreatThrough => "SYW-INTER-03",
            Self::LinesPassed => "SYW-INTER-07",
            Self::LightsThrough => "SYW-INTER-05",
            Self::BrokenThrough => "SYW-BREAK-12",
            Self::FallBackBarred => "SYW-MORALE-41",
            Self::RetreatBarred => "SYW-ORDER-49",
            Self::OutOfColumn => "SYW-ORDER-22",
        }
    }

    /// Why, as a story tells it.
    fn because(self) -> &'static str {
        match self {
            Self::UnderFire => "under fire",
            Self::InTheFight => "in the fight",
            Self::RoutersThrough => "as routers ran through",
            Self::RetreatThrough | Self::LinesPassed | Self::LightsThrough => "in the passage of lines",
            Self::BrokenThrough => "in the break-through",
            Self::FallBackBarred | Self::RetreatBarred => "with the way back barred",
            Self::OutOfColumn => "on leaving column",
        }
    }
}

impl SevenYearsBattle {
    /// Disorders a unit; one that is disordered already stays so (SYW-DIS-06).
    pub(crate) fn disorder(&mut self, u: UnitIx, why: Disorder, log: &mut Log) {
        if self.unit(u).disordered {
            return;
        }
        self.unit_mut(u).disordered = true;
        // Of who is destroyed there is nothing more to tell.
        if self.unit(u).strength() > 0 {
            log.say(|| self.unit_event("disordered", why.clause(), u).with("because", why.because()));
        }
    }
}
