//! Answers to decisions, as pages, bots, journals and rule cases write them.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_game::UnitId;
use tricorne_table::Edge;

use crate::JsonSchema;
use crate::model::state::{Formation, Order};
use crate::points::{Army, Work};
use crate::terrain_generation::{Nudge, Purchase};

/// A place on the table, in centimetres from its south-west corner.
pub type Place = [f64; 2];

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hand {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Hand {
    /// Clockwise is positive.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }
}

/// A turn on the spot (SYW-MODEL-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// By 90 degrees to the left.
    Left,
    /// By 90 degrees to the right.
    Right,
    /// By 180 degrees.
    About,
}

/// One leg of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Leg {
    /// Straight ahead.
    Forward(f64),
    /// Straight back, facing kept.
    Back(f64),
    /// About a front corner.
    Wheel {
        /// Which corner stays.
        side: Hand,
        /// How far round.
        degrees: f64,
    },
    /// At 45 degrees, facing kept.
    Incline {
        /// To which side.
        side: Hand,
        /// How far.
        distance: f64,
    },
    /// On the spot.
    Turn(Turn),
    /// Into another formation on the same front.
    Form(Formation),
    /// Into another formation with one end of the front edge kept.
    FormOn {
        /// The formation.
        formation: Formation,
        /// Which end of the front edge stays.
        end: Hand,
    },
    /// A battery to a new facing, clockwise positive.
    Pivot(f64),
    /// Any way, facing kept: east and north.
    Shift(Place),
}

impl Leg {
    /// A turn, a pivot or another formation: made on the spot, and no march.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self, Self::Turn(_) | Self::Pivot(_)) || self.forms()
    }

    /// Another formation.
    pub(crate) fn forms(&self) -> bool {
        matches!(self, Self::Form(_) | Self::FormOn { .. })
    }
}

/// The legs of a move.
pub type Legs = SmallVec<[Leg; 3]>;

/// One unit's legs in a group's move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitMove {
    /// The unit.
    pub unit: UnitId,
    /// Its legs.
    #[serde(default)]
    #[schemars(with = "Vec<Leg>")]
    pub legs: Legs,
}

/// One unit's target in a charge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_field_names)] // `target` is what a case file calls it.
pub struct Target {
    /// The charging unit.
    pub unit: UnitId,
    /// Whom it charges.
    pub target: UnitId,
    /// A wheel first, clockwise positive and no more than 45 degrees; the engine finds one when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<f64>,
    /// Cavalry only: the stands that do not make contact ride on by this much (SYW-MOVE-17).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ride_on: Option<f64>,
}

/// Keep the order or go to Advance (SYW-MORALE-33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resolve {
    /// The order stays.
    Keep,
    /// The group goes to Advance.
    Advance,
}

/// How a unit meets a charge in flank or rear (SYW-FLANK-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlankAnswer {
    /// Turns stands to face.
    Turn,
    /// Forms square.
    Square,
    /// Makes no attempt.
    None,
}

/// How lights meet a charge (SYW-EVADE-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LightsAnswer {
    /// They fall back and evade.
    Evade,
    /// They stand and fight.
    Stand,
}

/// What a hidden unit does when an enemy comes near (SYW-VIS-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ambush {
    /// It shoots there and then.
    Shoot,
    /// It holds its fire and is revealed.
    Hold,
}

/// The order of a group that was passed through (SYW-INTER-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PassedOrder {
    /// Stand.
    Stand,
    /// Reserve.
    Reserve,
}

/// A general beside troops that give way (SYW-GEN-17, SYW-OFF-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// Keeps his place beside them.
    Go,
    /// Stays where he is.
    Stay,
}

/// Chargers that cannot align (SYW-CHARGE-15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Oblique {
    /// Halt 3 short, on Stand.
    Halt,
    /// Make partial contact.
    Partial,
}

/// Pursuers that meet artillery (SYW-PURSUE-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guns {
    /// Fight it.
    Fight,
    /// Ride through it.
    Pass,
}

/// What winners do when their enemies have run (SYW-PURSUE-01, SYW-MELEE-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Pursue.
    Pursue,
    /// Move into the ground left empty.
    Occupy,
    /// Stay.
    Stay,
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// No more of what is asked for; where stands are to be removed, the usual ones.
    Done,
    /// Gives the battle up (SYW-WIN-07).
    Concede,
    /// The army a side buys (SYW-ARMY-02, SYW-POINTS).
    Enlist(Box<Army>),
    /// Ground the defender buys with troops (SYW-POINTS-06 to -09).
    BuyGround {
        /// What.
        ground: Purchase,
        /// On a very large table, which half of it.
        #[serde(default)]
        half: u8,
        /// The sector, 1 to 6.
        sector: u8,
        /// Whole units that pay for it.
        give_up: Vec<UnitId>,
    },
    /// How the rotation die of bought ground is left or changed (SYW-POINTS-08).
    Rotation(Nudge),
    /// Lays out a work that was bought (SYW-POINTS-05).
    Entrench {
        /// Abatis or barricade.
        work: Work,
        /// One end.
        from: Place,
        /// The other.
        to: Place,
    },
    /// The counter a C-in-C keeps, by its number in the nation's mix (SYW-GEN-02).
    KeepCounter {
        /// From 1 to 12.
        counter: u8,
    },
    /// The table side of the army without the initiative (SYW-DEPLOY-07).
    Side(Edge),
    /// The brigade placed last (SYW-DEPLOY-09).
    KeepBack {
        /// Its general.
        general: UnitId,
    },
    /// Places a unit (SYW-DEPLOY).
    Deploy {
        /// The unit.
        unit: UnitId,
        /// The middle of its front.
        at: Place,
        /// Degrees clockwise from north.
        facing: f64,
        /// Line unless it says otherwise.
        #[serde(default)]
        formation: Formation,
        /// First order of an un-commanded group (SYW-ORDER-02).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
    },
    /// Places a general (SYW-DEPLOY-20).
    DeployGeneral {
        /// The general.
        general: UnitId,
        /// The middle of his front.
        at: Place,
    },
    /// Marks a unit on the private map (SYW-HIDE-01).
    Hide {
        /// The unit.
        unit: UnitId,
        /// The piece of ground that hides it.
        terrain: String,
        /// Its marked place.
        at: Place,
        /// Degrees clockwise from north.
        facing: f64,
        /// Line unless it says otherwise.
        #[serde(default)]
        formation: Formation,
    },
    /// Sends a group on a flank march (SYW-DEPLOY-16).
    FlankMarch {
        /// The group.
        group: UnitId,
        /// East or west.
        edge: Edge,
    },
    /// A general tries to change a group's order (SYW-ORDER-06).
    Change {
        /// Who.
        general: UnitId,
        /// Whose order.
        group: UnitId,
        /// The new one.
        order: Order,
    },
    /// A general tries to cure a unit's disorder (SYW-ORDER-14).
    Cure {
        /// Who.
        general: UnitId,
        /// Which unit.
        unit: UnitId,
    },
    /// A general prompts a routing group to rally (SYW-ROUT-16).
    Rally {
        /// Who.
        general: UnitId,
        /// Which group.
        group: UnitId,
    },
    /// A unit passes to another brigade (SYW-ORDER-19).
    Transfer {
        /// Who gives the order.
        general: UnitId,
        /// Which unit.
        unit: UnitId,
        /// The general it goes to.
        to: UnitId,
    },
    /// A group joins another of its brigade (SYW-ORDER-20).
    Join {
        /// Who gives the order.
        general: UnitId,
        /// The group on Reserve that joins.
        group: UnitId,
        /// The group it joins.
        to: UnitId,
    },
    /// The facing of a rallied group (SYW-ROUT-17).
    Face {
        /// Degrees clockwise from north.
        facing: f64,
    },
    /// An un-commanded group tries to change its order (SYW-ORDER-15).
    SelfOrder {
        /// The group.
        group: UnitId,
        /// The new order.
        order: Order,
    },
    /// An un-commanded unit tries to cure its disorder (SYW-ORDER-18).
    SelfCure {
        /// The unit.
        unit: UnitId,
    },
    /// A group comes back to the table (SYW-OFF-09).
    Place {
        /// The middle of its front when it stands on the edge.
        at: Place,
        /// Line unless it says otherwise.
        #[serde(default)]
        formation: Formation,
        /// The edge a flank march comes by, where there is a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edge: Option<Edge>,
    },
    /// Troops make room for a group that comes back (SYW-OFF-10).
    MakeRoom {
        /// The middle of the front.
        at: Place,
        /// Degrees clockwise from north.
        facing: f64,
    },
    /// The next pursuing group to move (SYW-PURSUE-05).
    Pursue {
        /// The group.
        group: UnitId,
    },
    /// Pursuers meet artillery (SYW-PURSUE-11).
    Guns(Guns),
    /// A retreat move (SYW-ORDER-46).
    Retreat {
        /// The group.
        group: UnitId,
        /// How far straight back; half its speed when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        distance: Option<f64>,
        /// Ends facing the other way.
        #[serde(default)]
        about: bool,
        /// A path of its own instead of straight back.
        #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
        #[schemars(with = "Vec<Leg>")]
        legs: Legs,
    },
    /// A group's move (SYW-ORDER-24 to -43): as one line, or unit by unit.
    Move {
        /// The group.
        group: UnitId,
        /// Legs of the whole group.
        #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
        #[schemars(with = "Vec<Leg>")]
        legs: Legs,
        /// Legs of each unit.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        units: Vec<UnitMove>,
        /// On Advance: halts there by choice and goes to Stand (SYW-ORDER-27, -31).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stand: bool,
    },
    /// A group halts and goes to Stand (SYW-ORDER-27, -31, -32).
    Stand {
        /// The group.
        group: UnitId,
    },
    /// A group tests to charge (SYW-CHARGE-04).
    Charge {
        /// The group.
        group: UnitId,
        /// A target for each unit that has one.
        targets: Vec<Target>,
    },
    /// A general rides (SYW-GEN-15).
    General {
        /// Who.
        general: UnitId,
        /// The middle of his front.
        to: Place,
    },
    /// A hidden unit is declared or set down (SYW-HIDE-04, -05).
    Reveal {
        /// The unit.
        unit: UnitId,
        /// Another place in the same piece of ground.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Place>,
        /// Another facing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<f64>,
        /// Another formation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        formation: Option<Formation>,
    },
    /// A hidden unit steals away to a neighbouring piece of ground (SYW-HIDE-06).
    Steal {
        /// The unit.
        unit: UnitId,
        /// The piece of ground.
        terrain: String,
        /// Its marked place there.
        at: Place,
    },
    /// Cavalry or lights in melee move unengaged stands (SYW-MOVE-16).
    Rearrange {
        /// The unit.
        unit: UnitId,
        /// The stand.
        stand: u8,
        /// Its new place: right and forward of the unit's origin.
        to: Place,
    },
    /// A unit in partial contact brings the rest of its stands in (SYW-CHARGE-17).
    Complete {
        /// The unit.
        unit: UnitId,
    },
    /// A hidden unit shoots or holds its fire (SYW-VIS-04).
    Ambush(Ambush),
    /// Keep the order or go to Advance (SYW-MORALE-33).
    Morale(Resolve),
    /// A unit charged in flank or rear answers (SYW-FLANK-03).
    Answer(FlankAnswer),
    /// Lights answer a charge (SYW-EVADE-06).
    Lights(LightsAnswer),
    /// The order after a passage of lines (SYW-INTER-04).
    Passed(PassedOrder),
    /// A general goes with troops that give way, or stays (SYW-GEN-17, SYW-OFF-13).
    Along(Along),
    /// Behind which front stands the rear rank of a line stands, when it has just formed (SYW-MODEL-06).
    RearRank {
        /// The unit.
        unit: UnitId,
        /// Front stands, numbered from 0 at the left.
        #[schemars(with = "Vec<u8>")]
        behind: SmallVec<[u8; 8]>,
    },
    /// A shot (SYW-SHOOT-02).
    Shoot {
        /// Who shoots.
        unit: UnitId,
        /// At which unit or general.
        target: UnitId,
        /// With which stands; all that can when left out.
        #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
        #[schemars(with = "Vec<u8>")]
        stands: SmallVec<[u8; 8]>,
    },
    /// Which stands are removed (SYW-CAS-02).
    Remove {
        /// By their number.
        #[schemars(with = "Vec<u8>")]
        stands: SmallVec<[u8; 8]>,
    },
    /// The next charging group goes home (SYW-CHARGE-10).
    Carry {
        /// The group.
        group: UnitId,
    },
    /// Chargers that cannot align (SYW-CHARGE-15).
    Oblique(Oblique),
    /// The next melee (SYW-SEQ-07).
    Fight {
        /// One unit.
        unit: UnitId,
        /// Its enemy.
        enemy: UnitId,
    },
    /// What winners do (SYW-PURSUE-01, SYW-MELEE-31).
    After(After),
    /// Where a new general takes over (SYW-GEN-23).
    NewGeneral {
        /// The middle of his front.
        at: Place,
    },
}

impl Action {
    /// The unit or group that it names, whom it is about.
    pub fn about(&self) -> Option<UnitId> {
        match self {
            Action::Deploy { unit, .. }
            | Action::Hide { unit, .. }
            | Action::Cure { unit, .. }
            | Action::Transfer { unit, .. }
            | Action::SelfCure { unit }
            | Action::Reveal { unit, .. }
            | Action::Steal { unit, .. }
            | Action::Rearrange { unit, .. }
            | Action::Complete { unit }
            | Action::RearRank { unit, .. }
            | Action::Shoot { unit, .. }
            | Action::Fight { unit, .. } => Some(*unit),
            Action::FlankMarch { group, .. }
            | Action::Change { group, .. }
            | Action::Rally { group, .. }
            | Action::Join { group, .. }
            | Action::SelfOrder { group, .. }
            | Action::Pursue { group }
            | Action::Retreat { group, .. }
            | Action::Move { group, .. }
            | Action::Stand { group }
            | Action::Charge { group, .. }
            | Action::Carry { group } => Some(*group),
            _ => None,
        }
    }
}
