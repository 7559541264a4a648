//! Answers to decisions. Their JSON form is what pages, bots, journals and rule cases write.

use serde::{Deserialize, Serialize};
use tricorne_game::UnitId;

use crate::JsonSchema;
use crate::model::Formation;
use crate::model::measure::Decimal;
use crate::state::{Response, Slide};

/// A leg of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    /// Straight ahead, so far.
    Forward(Decimal),
    /// About the front left corner, so many degrees.
    WheelLeft(Decimal),
    /// About the front right corner.
    WheelRight(Decimal),
    /// Skirmishers and commanders: along a bearing, so far.
    Go(Decimal, Decimal),
    /// Skirmishers and commanders: straight to a place.
    To(Decimal, Decimal),
    /// Skirmishers: turn the cloud, for nothing.
    Face(Decimal),
}

/// Which base a unit turns on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Base {
    /// The right-hand or leading one.
    #[serde(alias = "a")]
    A,
    /// The other.
    #[serde(alias = "b")]
    B,
}

/// Where the other base goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OtherBase {
    /// To the left of the pivot (line).
    Left,
    /// To the right (line).
    Right,
    /// Ahead (column).
    #[serde(alias = "ahead", alias = "in_front")]
    Front,
    /// Behind (column, square).
    #[serde(alias = "rear")]
    Behind,
}

/// What a reform comes with (VF-MORALE-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// Nothing more.
    Stay,
    /// Up to half a move back first.
    Retreat,
    /// Held fire.
    #[serde(alias = "hold_fire")]
    Hold,
}

/// How far an evader goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flight {
    /// Its full move.
    Full,
    /// Only out of the charger's reach.
    OutOfReach,
}

/// Where a unit is put down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutDown {
    /// Which.
    pub id: UnitId,
    /// Where.
    pub at: [Decimal; 2],
    /// Facing which way.
    pub facing: Decimal,
    /// In what formation.
    pub formation: Formation,
}

/// The kinds of action a sub-unit can name (VF-CMD-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the table of D-ACTION explains each")]
pub enum ActionKind {
    Stand,
    Fire,
    March,
    MarchAndFire,
    MarchAndHold,
    Manoeuvre,
    ManoeuvreAndHold,
    UnlimberAndFire,
    MarchUnlimberAndFire,
    Charge,
}

impl ActionKind {
    /// All of them.
    pub const ALL: [ActionKind; 10] = [
        ActionKind::Stand,
        ActionKind::Fire,
        ActionKind::March,
        ActionKind::MarchAndFire,
        ActionKind::MarchAndHold,
        ActionKind::Manoeuvre,
        ActionKind::ManoeuvreAndHold,
        ActionKind::UnlimberAndFire,
        ActionKind::MarchUnlimberAndFire,
        ActionKind::Charge,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ActionKind::Stand => "stand",
            ActionKind::Fire => "fire",
            ActionKind::March => "march",
            ActionKind::MarchAndFire => "march and fire",
            ActionKind::MarchAndHold => "march and hold fire",
            ActionKind::Manoeuvre => "manoeuvre",
            ActionKind::ManoeuvreAndHold => "manoeuvre and hold fire",
            ActionKind::UnlimberAndFire => "unlimber and fire",
            ActionKind::MarchUnlimberAndFire => "march, unlimber and fire",
            ActionKind::Charge => "charge",
        }
    }

    /// Whether it starts with a roll for movement and a path.
    pub fn is_march(self) -> bool {
        use ActionKind::{March, MarchAndFire, MarchAndHold, MarchUnlimberAndFire};
        matches!(self, March | MarchAndFire | MarchAndHold | MarchUnlimberAndFire)
    }
}

/// An answer to the pending decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Sets a position of a rule case going.
    Begin,
    /// Gives the battle up (VF-SCEN-09).
    Concede,
    /// No, or nothing: keep the King, let the card go, attach nobody, no target, no return fire.
    Pass,
    /// D-DEPLOY.
    Deploy {
        /// A regiment's name, or the id of a unit or commander.
        piece: String,
        /// Its units.
        #[serde(default)]
        units: Vec<PutDown>,
        /// Its commander.
        #[serde(default)]
        commander: Option<[Decimal; 2]>,
    },
    /// D-RELEASE: these attached commanders.
    Release(Vec<UnitId>),
    /// D-KING: spend a held King.
    Play,
    /// D-KINGNOW: use the King for an activation now.
    UseNow,
    /// Keep: the King for later, or the fire.
    Hold,
    /// D-ACTIVATE: the group of this unit, or this commander.
    Activate(UnitId),
    /// D-JACK: an activation of one's own.
    Own,
    /// D-JACK: force the enemy group of this unit.
    Force(UnitId),
    /// D-QUEEN: this unit gets figures back.
    Restore(UnitId),
    /// D-ACE: draw an event.
    Draw,
    /// D-EVENT: what the card asks to be chosen.
    Choose {
        /// The unit, or a unit of the group.
        unit: UnitId,
        /// The enemy commander aimed at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commander: Option<UnitId>,
        /// The facing taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Decimal>,
    },
    /// D-CMDMOVE, D-PATH, D-ESCAPE.
    Path(Vec<Leg>),
    /// D-ATTACH: to this unit.
    Attach(UnitId),
    /// D-REGSQUARE.
    RegimentalSquare {
        /// The battalion the others form on.
        anchor: UnitId,
        /// The facing of the square.
        facing: Decimal,
        /// A three-sided square.
        #[serde(default)]
        open_rear: bool,
    },
    /// D-NEXT: this sub-unit.
    Next(UnitId),
    /// D-NEXT: the rest stand.
    End,
    /// D-ACTION; also D-RESPONSE and D-CONTINUE have a `respond` of their own.
    Stand,
    /// D-ACTION.
    Fire,
    /// D-ACTION.
    March,
    /// D-ACTION.
    MarchAndFire,
    /// D-ACTION.
    MarchAndHold,
    /// D-ACTION.
    Manoeuvre,
    /// D-ACTION.
    ManoeuvreAndHold,
    /// D-ACTION.
    UnlimberAndFire,
    /// D-ACTION.
    MarchUnlimberAndFire,
    /// D-ACTION.
    Charge,
    /// D-TARGET.
    Target(UnitId),
    /// D-MANOEUVRE: to one side or back; the dice come next, then the distance.
    Slide(Slide),
    /// How far, of a slide.
    Distance(Decimal),
    /// D-MANOEUVRE: a change of facing, formation or both.
    Shape {
        /// The base that stays.
        pivot: Base,
        /// The new facing.
        facing: Decimal,
        /// The new formation.
        formation: Formation,
        /// Where the other base goes.
        other: OtherBase,
    },
    /// D-MANOEUVRE: put the gun on its limber, facing so.
    Limber(Decimal),
    /// D-MANOEUVRE, and the facing of an unlimbering gun.
    Unlimber(Decimal),
    /// D-CHARGE.
    ChargeAt {
        /// Whom.
        target: UnitId,
        /// With fire first.
        #[serde(default)]
        fire_first: bool,
    },
    /// D-FACE, after a rally.
    Face(Decimal),
    /// D-REFORM.
    Reform {
        /// What it comes with.
        then: Then,
        /// The facing taken.
        facing: Decimal,
    },
    /// D-BEARING.
    Bearing {
        /// The way back.
        bearing: Decimal,
        /// How far.
        distance: Decimal,
    },
    /// D-RETURN: yes.
    ReturnFire,
    /// D-CONTINUE: charge on.
    ChargeOn,
    /// D-CONTINUE, D-AFTER: stay.
    Stay,
    /// D-RESPONSE.
    Respond(Response),
    /// D-EVADE.
    Evade(Flight),
    /// D-FOLLOW: stop at the point.
    Stop,
    /// D-FOLLOW: follow.
    Follow,
    /// D-AFTER.
    Occupy,
    /// D-AFTER.
    FollowUp,
    /// D-AFTER: follow up this one of several (VF-MELEE-38).
    Pursue(UnitId),
    /// D-FALLBACK.
    FallBack(Decimal),
}

impl Action {
    /// The unit or commander that it names, whom it is about.
    pub fn about(&self) -> Option<UnitId> {
        match self {
            Action::Activate(unit)
            | Action::Force(unit)
            | Action::Restore(unit)
            | Action::Choose { unit, .. }
            | Action::Attach(unit)
            | Action::Next(unit)
            | Action::Target(unit)
            | Action::ChargeAt { target: unit, .. }
            | Action::Pursue(unit) => Some(*unit),
            Action::Release(some) => some.first().copied(),
            _ => None,
        }
    }

    /// The kind of D-ACTION it names, if it does.
    pub fn kind(&self) -> Option<ActionKind> {
        Some(match self {
            Action::Stand => ActionKind::Stand,
            Action::Fire => ActionKind::Fire,
            Action::March => ActionKind::March,
            Action::MarchAndFire => ActionKind::MarchAndFire,
            Action::MarchAndHold => ActionKind::MarchAndHold,
            Action::Manoeuvre => ActionKind::Manoeuvre,
            Action::ManoeuvreAndHold => ActionKind::ManoeuvreAndHold,
            Action::UnlimberAndFire => ActionKind::UnlimberAndFire,
            Action::MarchUnlimberAndFire => ActionKind::MarchUnlimberAndFire,
            Action::Charge => ActionKind::Charge,
            _ => return None,
        })
    }

    /// The answer that names a kind of D-ACTION.
    pub fn naming(kind: ActionKind) -> Self {
        match kind {
            ActionKind::Stand => Action::Stand,
            ActionKind::Fire => Action::Fire,
            ActionKind::March => Action::March,
            ActionKind::MarchAndFire => Action::MarchAndFire,
            ActionKind::MarchAndHold => Action::MarchAndHold,
            ActionKind::Manoeuvre => Action::Manoeuvre,
            ActionKind::ManoeuvreAndHold => Action::ManoeuvreAndHold,
            ActionKind::UnlimberAndFire => Action::UnlimberAndFire,
            ActionKind::MarchUnlimberAndFire => Action::MarchUnlimberAndFire,
            ActionKind::Charge => Action::Charge,
        }
    }
}
