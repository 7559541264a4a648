//! All that changes in the course of a battle, and all that does not.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use tricorne_chance::{Deck, Playing};
use tricorne_game::Side;
use tricorne_table::{Point, Pose};

use crate::action::ActionKind;
use crate::events::EventCard;
use crate::model::formation::{Bases, Body};
use crate::model::measure::{Mils, Place};
use crate::model::{Formation, InSquare, Nr};
use crate::questions::Questions;
use crate::scenario::deployment::Deployment;

pub use crate::fight::{Charge, ChargePath, Foe, Melee, Response, Stand};

/// The most units a battle can have.
pub const UNITS: usize = 64;
/// The most commanders.
pub const COMMANDERS: usize = 32;

/// Red.
pub const RED: Side = Side(0);
/// Black.
pub const BLACK: Side = Side(1);

/// How somebody left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// No figures left.
    Destroyed,
    /// Routed when routed already, or with no way to run.
    Dispersed,
    /// Went off the table.
    LeftTable,
    /// Taken by the enemy: a gun, a wagon, a commander.
    Captured,
    /// Wounded.
    Wounded,
    /// Lost with the unit he rode with.
    LostWithHost,
    /// Left by a scenario's exit.
    Exited,
    /// Still to be deployed.
    Undeployed,
}

impl Fate {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Destroyed => "destroyed",
            Fate::Dispersed => "dispersed",
            Fate::LeftTable => "left_table",
            Fate::Captured => "captured",
            Fate::Wounded => "wounded",
            Fate::LostWithHost => "lost_with_host",
            Fate::Exited => "exited",
            Fate::Undeployed => "undeployed",
        }
    }
}

/// The marks a unit has until the turn ends (VF-TURN-23).
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UnitMarks {
    /// Has had its activation.
    pub activated: bool,
    /// VF-FIRE-24.
    pub held_fire: bool,
    /// VF-EVENT-12.
    pub lost_galloper: bool,
    /// VF-EVENT-13.
    pub forced_march: bool,
    /// VF-EVENT-25.
    pub silenced: bool,
}

/// What changes about a unit.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Debug, Serialize)]
pub struct Unit {
    /// Where it stands.
    pub place: Place,
    /// How.
    pub formation: Formation,
    /// Its part in a regimental square.
    pub square: Option<InSquare>,
    /// Figures left.
    pub strength: u8,
    /// Base B has been taken off (VF-MODEL-51).
    pub one_base: bool,
    /// Gone, and how.
    pub gone: Option<Fate>,
    /// The marks of this turn.
    pub turn: UnitMarks,
    /// VF-MORALE-07.
    pub disordered: bool,
    /// VF-MORALE-09.
    pub routed: bool,
    /// VF-SHAKEN-07.
    pub shaken: bool,
    /// VF-ARMYMORALE-03.
    pub mishap: bool,
    /// VF-CAPTURE-05.
    pub colours_lost: bool,
    /// Trophies it has taken (VF-CAPTURE-04).
    pub trophies: u8,
    /// Figures ever lost and ever restored (VF-TURN-15, `half_restore`).
    pub ever_lost: u16,
    /// See `ever_lost`.
    pub restored: u16,
    /// The ground it covers, worked out from the fields above.
    #[serde(skip)]
    pub body: Body,
    /// The bases it stands on; nothing changes them.
    #[serde(skip)]
    pub bases: Bases,
}

impl Unit {
    /// A fresh unit.
    pub fn new(place: Place, formation: Formation, strength: u8, bases: Bases) -> Self {
        Self {
            place,
            formation,
            square: None,
            strength,
            one_base: false,
            gone: None,
            turn: UnitMarks::default(),
            disordered: false,
            routed: false,
            shaken: false,
            mishap: false,
            colours_lost: false,
            trophies: 0,
            ever_lost: 0,
            restored: 0,
            body: bases.body(place.pose(), formation, strength.max(1)),
            bases,
        }
        .settled()
    }

    /// With its body worked out anew.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.settle();
        self
    }

    /// Works its body out anew, after any change of place, formation or strength.
    pub fn settle(&mut self) {
        self.body = self.body_at(self.place.pose());
    }

    /// The ground it would cover elsewhere.
    pub fn body_at(&self, pose: Pose) -> Body {
        self.body_as(pose, self.formation)
    }

    /// The ground it would cover elsewhere in another formation.
    pub fn body_as(&self, pose: Pose, formation: Formation) -> Body {
        if self.one_base && matches!(formation, Formation::Line | Formation::Column) {
            self.bases.one(pose)
        } else {
            self.bases.body(pose, formation, self.strength.max(1))
        }
    }

    /// On the table.
    pub fn here(&self) -> bool {
        self.gone.is_none()
    }
}

/// The marks a commander has until the turn ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CommanderMarks {
    /// Has had his activation.
    pub activated: bool,
    /// Commands no one (VF-EVENT-17).
    pub dazed: bool,
    /// Commands only within 6 (VF-EVENT-23).
    pub gout: bool,
}

/// What changes about a commander.
#[derive(Clone, Debug, Serialize)]
pub struct Commander {
    /// The centre of his base, while he is not attached.
    pub x: Mils,
    /// North.
    pub y: Mils,
    /// The unit he rides with.
    pub host: Option<Nr>,
    /// Gone, and how.
    pub gone: Option<Fate>,
    /// The marks of this turn.
    pub turn: CommanderMarks,
}

impl Commander {
    /// The centre of his base.
    pub fn at(&self) -> Point {
        Place { x: self.x, y: self.y, t: 0 }.at()
    }
}

/// What an initiative check allows (VF-CMD-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Initiative {
    /// No limit.
    Free,
    /// May not retreat.
    AdvanceOnly,
    /// May not advance.
    RetreatOnly,
}

/// The group whose activation it is.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Whose it is.
    pub owner: Side,
    /// Who decides for it (VF-TURN-18).
    pub controller: Side,
    /// All its sub-units, as bits.
    pub all: u64,
    /// Those that may still act.
    pub left: u64,
    /// The result of its check.
    pub initiative: Initiative,
    /// Forced by a Jack.
    pub forced: bool,
    /// Woken with one in disorder, it may only reform (`good_order = all_ordered`).
    pub held_back: bool,
    /// Whether anything has been named yet.
    pub begun: bool,
    /// The action of the first sub-unit (`regiment_action = same_for_all`).
    pub same: Option<ActionKind>,
    /// The shared movement dice (`movement_roll = per_regiment`).
    pub dice: Option<u8>,
    /// Forced march (VF-EVENT-13).
    pub forced_march: bool,
    /// Those that have still to fire when all have moved (`regiment_sequence = move_then_fire`).
    pub to_fire: u64,
    /// Those among them that named Fire, and may not keep it now (VF-CMD-21).
    pub bound: u64,
    /// All have moved; now they fire.
    pub firing: bool,
}

/// What one activation has done to a target by fire, tested at its end (`single_firing = regiment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Salvo {
    /// Whom.
    pub target: Nr,
    /// Who shot last.
    pub shooter: Nr,
    /// Kills so far.
    pub kills: u8,
    /// Figures before the first shot.
    pub before: u8,
    /// The losses have made it Shaken.
    pub shaken: bool,
}

/// The sub-unit that acts.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Acting {
    /// Which.
    pub unit: Nr,
    /// What it does.
    pub kind: ActionKind,
    /// What it rolled, in thousandths; the limit of a half move is half of it.
    pub allowance: Mils,
    /// The nearest enemy when the action began, and how far it was (VF-CMD-11).
    pub nearest: Option<(Nr, Mils)>,
}

/// What the battle does or asks next. A question waits for its answer; everything else is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "named after the states of part 5 of the ledger")]
pub enum Step {
    DeployNext,
    TurnStart,
    KingWindow(u8),
    Draw,
    Check,
    EndTurn,
    GroupAttach(u8),
    GroupCheck,
    GroupSquare,
    GroupNext,
    SquareFace {
        unit: Nr,
        face: u8,
    },
    Shoot {
        shooter: Nr,
        face: u8,
        target: Nr,
        returned: bool,
    },
    AfterChargeFire,
    MeleeRound,
    MeleeEnd,
    GroupTests,
    /// What a player decides.
    Ask(Questions),
}

/// A straight manoeuvre (VF-MOVE-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Slide {
    /// To its left.
    Left,
    /// To its right.
    Right,
    /// Straight back.
    Back,
}

impl Slide {
    /// Which way it goes, by an inch.
    pub(crate) fn along(self, pose: &Pose) -> Point {
        match self {
            Self::Left => -pose.right(),
            Self::Right => pose.right(),
            Self::Back => -pose.forward(),
        }
    }
}

/// How it ended.
#[derive(Clone, Debug, Serialize)]
pub struct Over {
    /// The side that won.
    pub winner: Option<Side>,
    /// `victory`, `draw`, `mutual defeat`.
    pub grade: &'static str,
    /// The clause.
    pub clause: &'static str,
    /// Why.
    pub reason: String,
}

/// Effects that last to the end of the turn, for both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spell {
    /// VF-EVENT-15.
    pub cloudburst: bool,
    /// VF-EVENT-16.
    pub smoke: bool,
    /// VF-EVENT-24.
    pub clay: bool,
}

impl Spell {
    /// The effect of a card that lasts; false if it has none.
    pub fn cast(&mut self, card: EventCard) -> bool {
        let lasting = match card {
            EventCard::Cloudburst => &mut self.cloudburst,
            EventCard::BankOfSmoke => &mut self.smoke,
            EventCard::HeavyClay => &mut self.clay,
            _ => return false,
        };
        *lasting = true;
        true
    }
}

/// All that changes.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "each name is the rulebook's own")]
pub struct State {
    pub units: ArrayVec<Unit, UNITS>,
    pub commanders: ArrayVec<Commander, COMMANDERS>,
    pub turn: u32,
    pub deck: Deck<Playing>,
    pub events: Deck<EventCard>,
    pub kings: [ArrayVec<Playing, 4>; 2],
    pub card: Option<Playing>,
    pub last_owner: Option<Side>,
    pub morale_lost: [u8; 2],
    pub spell: Spell,
    pub stack: ArrayVec<Step, 24>,
    pub group: Option<Group>,
    pub acting: Option<Acting>,
    pub charge: Option<Charge>,
    pub melee: Option<Melee>,
    pub moved: u64,
    pub moved_commanders: u32,
    pub deployment: Option<Deployment>,
    pub over: Option<Over>,
    pub salvos: ArrayVec<Salvo, 32>,
}
