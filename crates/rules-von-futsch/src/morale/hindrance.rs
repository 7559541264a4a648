//! Why a way back was longer or shorter than its dice (VF-MORALE-15, -16, -18, -20, -26).

use crate::movement::Bar;

/// What kept a way back from being as long as was rolled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hindrance {
    /// It could not move at all (VF-EVENT-24).
    pub stuck: bool,
    /// Ground on the way took two inches for one (VF-MORALE-20).
    pub slowed: bool,
    /// What barred the best of the ways (VF-MORALE-15).
    pub(crate) barred: Option<Bar>,
    /// The table's edge stopped it (VF-MORALE-26).
    pub edge: bool,
    /// It would have ended on a friend (VF-MORALE-18).
    pub friend: Option<Friend>,
}

/// What was done about a friend where the way would have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Friend {
    /// It went on until it was clear of him.
    Passed,
    /// It stopped short of him.
    Avoided,
}

impl Friend {
    /// What a way of so far was made into.
    pub(crate) fn of(wished: f64, came: f64) -> Option<Self> {
        if came > wished + 0.000_5 {
            Some(Self::Passed)
        } else if came < wished - 0.000_5 {
            Some(Self::Avoided)
        } else {
            None
        }
    }
}

impl Hindrance {
    /// In words, none if there was no hindrance.
    pub(crate) fn told(self) -> String {
        let barred = self.barred.map(|bar| match bar {
            Bar::Enemy(_) => "the enemy barred the way",
            Bar::Friend(_) => "friends barred the way",
            Bar::Closed(_) => "closed ground barred the way",
            Bar::Edge => "the edge of the table barred the way",
        });
        let friend = self.friend.map(|friend| match friend {
            Friend::Passed => "on until clear of friends",
            Friend::Avoided => "short of friends",
        });
        let words = [
            self.stuck.then_some("stuck in the clay"),
            self.slowed.then_some("over slow ground"),
            barred,
            self.edge.then_some("as far as the edge of the table"),
            friend,
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// What held somebody who could not get away at all (VF-MELEE-33).
    pub(crate) fn held(self) -> &'static str {
        match self.barred {
            _ if self.stuck => "the clay held them",
            Some(Bar::Enemy(_)) => "the enemy barred the way",
            Some(Bar::Closed(_)) => "closed ground barred the way",
            Some(Bar::Friend(_)) => "friends barred the way",
            Some(Bar::Edge) => "the edge of the table barred the way",
            None if self.edge => "the edge of the table barred the way",
            None if self.friend.is_some() => "friends stood in the way",
            None if self.slowed => "the ground was too slow",
            None => "they were too slow",
        }
    }
}
