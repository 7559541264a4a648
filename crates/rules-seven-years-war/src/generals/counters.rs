//! Generals: counters, qualities, their moves, their loss and their replacement (SYW-GEN).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_game::{Side, UnitId};
use tricorne_table::{Point, Pose, Rect};

use crate::model::ids::GroupIx;
use crate::model::stands::WIDTH;
use crate::rulebook::Counts;

/// Training (SYW-GEN-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Training {
    Cavalry,
    Average,
    Infantry,
}

/// Psychology (SYW-GEN-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Psychology {
    Brave,
    Neither,
    Cautious,
}

/// Ability (SYW-GEN-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Ability {
    Competent,
    Neither,
    Incompetent,
}

impl Psychology {
    /// In a word, if there is anything to say.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Brave => Some("brave"),
            Self::Neither => None,
            Self::Cautious => Some("cautious"),
        }
    }
}

impl Ability {
    /// In a word, if there is anything to say.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Competent => Some("competent"),
            Self::Neither => None,
            Self::Incompetent => Some("incompetent"),
        }
    }

    /// What it adds to a general's attempts (SYW-GEN-10).
    pub fn bonus(self, chart: &Counts) -> i32 {
        match self {
            Self::Competent => chart.competent.value,
            Self::Neither => 0,
            Self::Incompetent => -chart.incompetent.value,
        }
    }
}

/// A general's counter (T9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counter {
    pub training: Training,
    pub psychology: Psychology,
    pub ability: Ability,
}

impl Counter {
    /// Neither this nor that.
    pub const PLAIN: Counter =
        Counter { training: Training::Average, psychology: Psychology::Neither, ability: Ability::Neither };

    /// Reads the code of T9: `Ab+`, `Cn0`, `Ic-`.
    pub fn parse(code: &str) -> Option<Self> {
        let mut letters = code.chars();
        let training = match letters.next()? {
            'C' => Training::Cavalry,
            'A' => Training::Average,
            'I' => Training::Infantry,
            _ => return None,
        };
        let psychology = match letters.next()? {
            'b' => Psychology::Brave,
            'n' => Psychology::Neither,
            'c' => Psychology::Cautious,
            _ => return None,
        };
        let ability = match letters.next()? {
            '+' => Ability::Competent,
            '0' => Ability::Neither,
            '-' => Ability::Incompetent,
            _ => return None,
        };
        letters.next().is_none().then_some(Self { training, psychology, ability })
    }

    /// What manner of man he is, in words: `a brave, competent cavalryman`.
    pub fn manner(self) -> String {
        let training = match self.training {
            Training::Cavalry => "cavalryman",
            Training::Average => "officer",
            Training::Infantry => "infantryman",
        };
        let virtues: Vec<&str> =
            [self.psychology.name(), self.ability.name()].into_iter().flatten().collect();
        let man =
            if virtues.is_empty() { training.into() } else { format!("{} {training}", virtues.join(", ")) };
        let article = if man.starts_with(['i', 'o']) { "an" } else { "a" };
        format!("{article} {man}")
    }

    /// Why he counts distances twice, as a story tells it (SYW-GEN-04, -06, -09).
    pub fn doubling(self) -> &'static str {
        match (self.psychology, self.training) {
            (Psychology::Cautious, _) | (_, Training::Average) => "a cautious man",
            (_, Training::Cavalry) => "a cavalryman over infantry",
            (_, Training::Infantry) => "an infantryman over cavalry",
        }
    }

    /// The code of T9.
    pub fn code(self) -> String {
        let training = match self.training {
            Training::Cavalry => 'C',
            Training::Average => 'A',
            Training::Infantry => 'I',
        };
        let psychology = match self.psychology {
            Psychology::Brave => 'b',
            Psychology::Neither => 'n',
            Psychology::Cautious => 'c',
        };
        let ability = match self.ability {
            Ability::Competent => '+',
            Ability::Neither => '0',
            Ability::Incompetent => '-',
        };
        [training, psychology, ability].into_iter().collect()
    }
}

/// Whom a general has addressed this phase, and how often (SYW-ORDER-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Addressed {
    pub whom: UnitId,
    pub group: bool,
    pub times: u8,
}

/// A general.
#[derive(Clone, Debug, Serialize)]
pub struct General {
    pub id: UnitId,
    pub side: Side,
    pub cinc: bool,
    pub counter: Counter,
    /// Number of his counter in the nation's mix, from 1; 0 when a position gave him none.
    pub number: u8,
    pub at: Point,
    pub facing: f64,
    pub depth: f64,
    /// The wing commander he serves under (SYW-ARMY-20).
    pub wing: Option<crate::model::ids::GeneralIx>,
    pub placed: bool,
    /// Off the table with a group (SYW-OFF-13).
    pub off_with: Option<GroupIx>,
    /// Lost and not yet replaced.
    pub lost: bool,
    /// Attempts left in this phase (SYW-ORDER-05).
    pub attempts: u8,
    pub addressed: SmallVec<[Addressed; 6]>,
    pub moved: bool,
}

impl General {
    /// On the table and able to act.
    pub fn is_present(&self) -> bool {
        self.placed && !self.lost && self.off_with.is_none()
    }

    /// His stand. He stands at the middle of his front edge.
    pub fn rect(&self) -> Rect {
        self.rect_at(self.at)
    }

    /// His stand somewhere else.
    pub fn rect_at(&self, at: Point) -> Rect {
        Rect::fronted(Pose { at, facing: self.facing }, WIDTH, self.depth)
    }
}
