//! What changes in the course of a battle, and the fixed things it is fought with.

use std::sync::Arc;

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_game::{Ending, Side, UnitId};
use tricorne_table::{Bounds, Edge, Frame, Point, Pose, Rect, Table, angle};

use crate::generals::counters::General;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::options::Options;
use crate::rulebook::{Arm, Class, Drill, Grade, Kind, Rulebook, Weapon};
use crate::sequence::turn::Task;
use crate::terrain::ground::Piece;

/// A unit never has more stands than this (SYW-ARMY-08).
pub const MOST_STANDS: usize = 10;

/// A list of units short enough to stay off the heap.
pub type Units = SmallVec<[UnitIx; 12]>;
/// A list of groups short enough to stay off the heap.
pub type Groups = SmallVec<[GroupIx; 12]>;

/// One of the five orders (SYW-ORDER-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Advance,
    Reserve,
    Stand,
    Retreat,
    Rout,
}

impl Order {
    /// Those that a general, or a group by itself, may give.
    pub const GIVEN: [Self; 4] = [Self::Advance, Self::Reserve, Self::Stand, Self::Retreat];

    /// Its name in logs and facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Advance => "advance",
            Self::Reserve => "reserve",
            Self::Stand => "stand",
            Self::Retreat => "retreat",
            Self::Rout => "rout",
        }
    }
}

/// How a unit's stands are drawn up (SYW-MODEL-06 to -14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    #[default]
    Line,
    /// Two ranks of cavalry or lights.
    DeepLine,
    #[serde(rename = "column_1")]
    Column1,
    #[serde(rename = "column_2")]
    Column2,
    Square,
    /// Turned to face a charge in flank or rear.
    Turned,
    /// Running.
    Routed,
}

impl Formation {
    /// Its name in logs and facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::DeepLine => "deep_line",
            Self::Column1 => "column_1",
            Self::Column2 => "column_2",
            Self::Square => "square",
            Self::Turned => "turned",
            Self::Routed => "routed",
        }
    }

    /// A line of any depth.
    pub fn is_line(self) -> bool {
        matches!(self, Self::Line | Self::DeepLine)
    }

    /// A column of either width.
    pub fn is_column(self) -> bool {
        matches!(self, Self::Column1 | Self::Column2)
    }
}

/// One stand, in its unit's terms: right and forward of the origin, and turned against the unit's facing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stand {
    pub u: f64,
    pub v: f64,
    pub turn: f64,
    /// 0 is the front rank.
    pub rank: u8,
}

/// Whether and where a unit is in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Not yet placed.
    Waiting,
    OnTable,
    /// Marked on the owner's map only (SYW-HIDE-01).
    Hidden,
    /// Gone over the edge, or still to come (SYW-OFF).
    Off,
    /// No stands left, or lost for good.
    Gone,
}

/// From which side a charge comes (SYW-FLANK-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Front,
    Left,
    Right,
    Rear,
}

impl Direction {
    /// Its name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Left => "left flank",
            Self::Right => "right flank",
            Self::Rear => "rear",
        }
    }
}

/// What is fixed about a unit.
#[derive(Clone, Debug)]
pub struct UnitInfo {
    pub name: String,
    pub code: String,
    pub kind: Kind,
    pub arm: Arm,
    pub class: Class,
    pub tests_as: Class,
    pub speed: f64,
    pub march: f64,
    pub melee: i32,
    pub melee_against_infantry: i32,
    pub depth: f64,
    pub drill: Drill,
    pub morale: Grade,
    pub weapon: Weapon,
    pub poor_shots: bool,
    pub upgraded_drill: bool,
    pub upgraded_shots: bool,
    pub tag: String,
    pub price: f64,
}

/// A unit: a battery, a battalion or some squadrons; or stands detached from one (SYW-MOVE-17).
#[derive(Clone, Debug, Serialize)]
pub struct Unit {
    pub id: UnitId,
    pub info: u8,
    pub side: Side,
    pub group: GroupIx,
    pub presence: Presence,
    pub at: Point,
    pub facing: f64,
    pub formation: Formation,
    pub stands: ArrayVec<Stand, MOST_STANDS>,
    pub started: u8,
    /// Disorder that lasts until it is cured; disorder by ground comes on top (SYW-DIS-04).
    pub disordered: bool,
    /// Changed place or facing in the current phase (SYW-SHOOT-12).
    pub moved: bool,
    /// The phase it last moved in, counted from the beginning (SYW-MODEL-24).
    pub stood_since: u32,
    /// The same in the phase before, and in its own side's last phase.
    pub moved_before: bool,
    pub moved_own: bool,
    /// Shot at least once today (SYW-SHOOT-21).
    pub fired: bool,
    /// Shot in this phase, and in the phase before (SYW-LOS-05).
    pub fired_phase: bool,
    pub fired_before: bool,
    /// First shooting of the day is going on: every shot of this sub-phase has the bonus.
    pub first_fire: bool,
    /// Stands that shot in this phase, a bit each, and how many shots were made.
    pub shot: u16,
    pub shots: u8,
    /// Was charged in this phase, and held against it while on Stand (SYW-MELEE-23).
    pub charged: bool,
    /// Charged home in this phase (SYW-BREAK-01).
    pub charging: bool,
    /// Where its charge, pursuit or break-through of this phase began (SYW-FLANK-01).
    pub set_out: Option<Pose>,
    /// Turned stands to meet a charge in this phase (SYW-SHOOT-36), and which side they turned to.
    pub turned_now: bool,
    pub turned: Option<Direction>,
    /// What it stood in before it turned.
    pub was: Formation,
    pub was_at: Point,
    pub was_facing: f64,
    pub surrendered: bool,
    /// Who guards it since its surrender, how each stood when he came up and with how many stands (SYW-ROUT-14).
    pub guards: SmallVec<[(UnitIx, Pose, u8); 2]>,
    /// The enemy has ended a phase of his own without anybody in touch with it (SYW-ROUT-15).
    pub waited: bool,
    /// Did not outscore somebody it fought in this sub-phase (SYW-BREAK-03).
    pub held: bool,
    /// Formation change, shift or pivot done on this phase's move.
    pub changed: bool,
    /// Just drawn up: its owner may still say where the rear rank stands (SYW-MODEL-06).
    pub formed: bool,
    /// Stand it broke through to while its group fights on (SYW-BREAK-11).
    pub on_stand: bool,
    /// The parent, for detached stands.
    pub parent: Option<UnitIx>,
    /// Terrain piece it is marked in while hidden.
    pub lair: Option<u8>,
    /// The piece it was marked in at deployment (SYW-HIDE-07).
    pub first_lair: Option<u8>,
    /// Moved by stealth in this phase (SYW-HIDE-06).
    pub stole: bool,
    /// Units it is split around (SYW-INTER-10).
    pub split: Option<UnitIx>,
    /// Where it stood when movement began (SYW-CHARGE-02).
    pub start_at: Point,
    pub start_facing: f64,
    /// Least distance of each stand from a known massed enemy when its group began to move (SYW-ORDER-26).
    pub began: ArrayVec<f64, MOST_STANDS>,
    #[serde(skip)]
    pub frame: Cached,
}

/// Worked out again whenever the unit is placed.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    pub frame: Frame,
    /// The facing the frame was worked out for.
    pub facing: f64,
    pub bounds: Bounds,
    /// Worst type of ground it stands in; 255 for open ground.
    pub ground: u8,
}

/// Open ground, which is none of the types 0 to 4.
pub const OPEN: u8 = 255;

impl Default for Cached {
    fn default() -> Self {
        let nowhere = Point::ORIGIN;
        Self {
            frame: Frame { at: nowhere, forward: Point::new(0.0, 1.0) },
            facing: 0.0,
            bounds: Bounds { min: nowhere, max: nowhere },
            ground: OPEN,
        }
    }
}

impl Unit {
    /// Works its frame out again after it was moved or turned.
    pub fn reframe(&mut self) {
        self.frame.frame = self.pose().frame();
        self.frame.facing = self.facing;
    }

    /// Stands left.
    pub fn strength(&self) -> usize {
        self.stands.len()
    }

    /// On the table, hidden or not.
    pub fn is_present(&self) -> bool {
        matches!(self.presence, Presence::OnTable | Presence::Hidden) && !self.stands.is_empty()
    }

    /// On the table for everybody to see.
    pub fn is_known(&self) -> bool {
        self.presence == Presence::OnTable && !self.stands.is_empty()
    }

    /// Where it is and which way it looks.
    pub fn pose(&self) -> Pose {
        Pose { at: self.at, facing: self.facing }
    }

    /// The footprint of a stand in some frame with this unit's layout.
    pub fn rect_in(&self, frame: &Frame, facing: f64, i: usize, depth: f64) -> Rect {
        let stand = self.stands[i];
        if stand.turn == 0.0 {
            Rect::in_frame(frame, facing, Point::new(stand.u, stand.v), 4.0, depth)
        } else {
            let centre = frame.to_world(Point::new(stand.u, stand.v));
            Rect::centred(Pose::new(centre, facing + stand.turn), 4.0, depth)
        }
    }

    /// The outline in the unit's own terms: left, right, rear, front (SYW-MODEL-15).
    pub fn extent(&self, depth: f64) -> Extent {
        let mut e = Extent { left: 0.0, right: 0.0, rear: 0.0, front: 0.0 };
        for (i, s) in self.stands.iter().enumerate() {
            let quarter = (s.turn.abs() - 90.0).abs() < 45.0;
            let (half_u, half_v) = if quarter { (depth * 0.5, 2.0) } else { (2.0, depth * 0.5) };
            if i == 0 {
                e = Extent {
                    left: s.u - half_u,
                    right: s.u + half_u,
                    rear: s.v - half_v,
                    front: s.v + half_v,
                };
            } else {
                e.left = e.left.min(s.u - half_u);
                e.right = e.right.max(s.u + half_u);
                e.rear = e.rear.min(s.v - half_v);
                e.front = e.front.max(s.v + half_v);
            }
        }
        e
    }
}

/// An outline in a unit's own terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub left: f64,
    pub right: f64,
    pub rear: f64,
    pub front: f64,
}

impl Extent {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn depth(&self) -> f64 {
        self.front - self.rear
    }
}

/// One unit's part in a declared charge (SYW-CHARGE-04).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Aim {
    pub unit: UnitIx,
    pub target: UnitIx,
    /// Wheel before going straight ahead, clockwise positive.
    pub wheel: f64,
    pub from: Direction,
    /// How far the target was when the charge was declared (SYW-SHOOT-46).
    pub gap: f64,
    /// How far the stands that make no contact ride on (SYW-MOVE-17); 0 for not at all.
    pub ride_on: f64,
}

/// Where a group went over the edge (SYW-OFF).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Left {
    pub at: Point,
    pub edge: EdgeName,
    pub followed: bool,
    pub routed: bool,
    pub tries: u8,
    /// A flank march that has not come yet, and the edges it may come by.
    pub march: bool,
    pub either: bool,
    /// It may come but there was no room last time (SYW-OFF-11).
    pub ready: bool,
    /// A try was made in this movement sub-phase.
    pub tried: bool,
}

/// A table edge that can be hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeName {
    North,
    East,
    South,
    West,
}

impl EdgeName {
    pub fn edge(self) -> Edge {
        match self {
            Self::North => Edge::North,
            Self::East => Edge::East,
            Self::South => Edge::South,
            Self::West => Edge::West,
        }
    }

    pub fn of(edge: Edge) -> Self {
        match edge {
            Edge::North => Self::North,
            Edge::East => Self::East,
            Edge::South => Self::South,
            Edge::West => Self::West,
        }
    }
}

/// A retreat or rout put off to the next movement (SYW-PURSUE-10), and the way it goes where that is settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Deferred {
    FallBack { distance: f64, way: Option<f64> },
    Rout { way: Option<f64> },
}

/// An evasion that is settled when the charge goes home (SYW-EVADE-09, -18).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chase {
    pub by: GroupIx,
    /// Gap, fall-back and evade together: a charger with so much left of its move catches them.
    pub reach: f64,
    /// They had to go, before massed troops in easy ground (SYW-EVADE-11).
    pub had_to: bool,
}

/// A group: what orders are given to and what tests morale (SYW-GROUP).
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub id: UnitId,
    pub side: Side,
    pub arm: Arm,
    pub order: Order,
    /// Its general; none is un-commanded (SYW-ARMY-23).
    pub command: Option<GeneralIx>,
    pub units: Units,
    /// Has made its move of this phase.
    pub moved: bool,
    /// The share of its greatest speed already used in this phase.
    pub used: f64,
    /// Halted for the phase: by ambush, or because it had to.
    pub halted: bool,
    pub began_on_stand: bool,
    /// Was on Stand when the phase began and is not by order; see SYW-ORDER-27.
    pub tested_charge: bool,
    pub charging: bool,
    pub aims: SmallVec<[Aim; 4]>,
    /// Distance to the nearest known enemy at the start of the phase.
    pub began_gap: f64,
    /// Fallen back by SYW-EVADE this phase, in centimetres of its move.
    pub fell_back: f64,
    pub evaded: bool,
    /// Fell back or evaded in the phase before (for `fallback_no_shoot_span`).
    pub fell_back_before: bool,
    /// Lost stands to shooting in this sub-phase or by ambush, and must test.
    pub shot_losses: bool,
    /// Stands lost and killed in melee this phase, melees won and lost and whether it fought at all.
    pub melee_lost: u8,
    pub melee_killed: u8,
    pub melees_won: u8,
    pub melees_lost: u8,
    pub fought: bool,
    /// Shot at by guns at short range this phase (SYW-MORALE-18).
    pub short_guns: bool,
    /// Enemy units that shot at it this phase (SYW-MORALE-16).
    pub shot_by: Units,
    pub saw_friends: bool,
    pub pursuing: Option<GroupIx>,
    /// Pursuit has gone beyond its first move (SYW-PURSUE-05).
    pub pursued: bool,
    pub off: Option<Left>,
    pub deferred: Option<Deferred>,
    /// It fought as the enemy of pursuers that ran into it in a pursuit move (SYW-PURSUE-10).
    pub met_pursuers: bool,
    /// Retreat move of this phase made; rout move of this phase made.
    pub fled: bool,
    /// Starting stands and killed stands of units that were of it and have gone (SYW-CAS-07).
    pub ghosts_started: u8,
    /// Tried to change its own order this phase (SYW-ORDER-15).
    pub self_tried: bool,
    /// How far each general was when this sub-phase began (SYW-MORALE-13); noted before anything happens to it.
    pub near: Option<SmallVec<[f64; 8]>>,
    /// Went to Retreat by a test in this phase (SYW-CHARGE-09).
    pub gave_way: bool,
    /// Had to fall back in this phase and could not move at all (SYW-FLANK-11).
    pub pinned: bool,
    /// Evaded before a charge that may still catch it (SYW-EVADE-09).
    pub chased: SmallVec<[Chase; 1]>,
    /// Must still answer a charge of this group before it comes home (option `charge_answer_time`).
    pub late_answer: Option<GroupIx>,
}

/// A pair that has met, with what was true when it did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Contact {
    pub attacker: UnitIx,
    pub defender: UnitIx,
    pub from: Direction,
    /// The piece that the defender lined when they met and the attacker came across: a work, or a mere obstacle
    /// (SYW-MELEE-22, -34).
    pub across: Option<u8>,
    /// Stands swung in, when the contact is partial (SYW-CHARGE-16); 0 when it is whole.
    pub partial: u8,
    /// Degrees still to pivot, clockwise positive (SYW-CHARGE-17).
    pub swing: f64,
    /// Fought in this sub-phase already.
    pub fought: bool,
    /// The attacker charged in this phase, or broke through or pursued into it.
    pub charge: bool,
    /// Stands in contact and overlaps of attacker and defender when the sub-phase began (SYW-MELEE-25).
    pub count: [u8; 2],
    pub overlap: [bool; 2],
}

/// A place where friends ran or were wiped out in this phase (SYW-MORALE-06, -07).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disaster {
    pub side: Side,
    pub group: GroupIx,
    pub places: SmallVec<[(Point, f64); 8]>,
    pub depth: f64,
}

/// What is fixed about a side.
#[derive(Clone, Debug)]
pub struct SideInfo {
    pub id: String,
    pub name: String,
    pub nation: usize,
}

/// What changes about a side.
#[derive(Clone, Debug, Serialize)]
pub struct Army {
    /// The long edge it fights from.
    pub edge: EdgeName,
    pub started: u16,
    /// Points of the whole army, for SYW-WIN-06.
    pub points: f64,
    /// Counters not in use, by number from 1.
    pub counters: SmallVec<[u8; 12]>,
    /// Counters of lost generals.
    pub spent: SmallVec<[u8; 4]>,
    pub generals_lost: u8,
    pub cincs_lost: u8,
    pub ability: u8,
    pub initiative: u8,
    pub die: u8,
    pub conceded: bool,
    /// Strips along the side edges it may deploy in.
    pub strips: u8,
    pub may_march: bool,
    /// The brigade placed last (SYW-DEPLOY-09).
    pub kept_back: Option<GeneralIx>,
    /// What it bought at the table (U2), and the works that are still to be laid out.
    pub bought: Option<crate::points::Army>,
    pub works: SmallVec<[(crate::points::Work, f64); 2]>,
}

/// The six sub-phases (SYW-SEQ-02), and the time before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubPhase {
    SetUp,
    Command,
    Movement,
    Shooting,
    Reply,
    Charges,
    Combat,
}

impl SubPhase {
    pub fn name(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::Command => "command",
            Self::Movement => "movement",
            Self::Shooting => "shooting",
            Self::Reply => "reply",
            Self::Charges => "charges",
            Self::Combat => "combat",
        }
    }
}

/// All that changes.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    pub turn: u32,
    /// Whose phase it is, and who phases first.
    pub phasing: Side,
    pub attacker: Side,
    pub initiative: Side,
    pub step: SubPhase,
    pub armies: [Army; 2],
    pub units: Vec<Unit>,
    pub groups: Vec<Group>,
    pub generals: Vec<General>,
    pub contacts: SmallVec<[Contact; 8]>,
    pub disasters: Vec<Disaster>,
    /// What is being done and what comes after it: the last is next.
    pub tasks: Vec<Task>,
    /// Ground diced for and bought at the table (U3, U7), and works laid out there.
    pub country: Option<crate::terrain_generation::Country>,
    pub works: Vec<crate::deployment::muster::Laid>,
    /// What enemies have had in sight of ground that hides somebody, and where each unit last looked from (SYW-HIDE-05).
    pub seen: Vec<crate::hiding::watch::Seen>,
    pub watched: Vec<Option<Pose>>,
    /// Side that last had a stand near each objective that asks for it.
    pub held: SmallVec<[Option<Side>; 2]>,
    /// Stands whose overlap was counted this sub-phase: unit, stand (SYW-MELEE-12).
    pub overlaps: SmallVec<[(UnitIx, u8, UnitIx); 8]>,
    /// Margins of this sub-phase's melees: winner, loser, by how much.
    pub margins: SmallVec<[(UnitIx, UnitIx, i32); 8]>,
    pub ending: Option<Ending>,
}

/// What wins points at the end (SYW-WIN-05).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectiveKind {
    /// More massed stands whose centre is on it.
    MassedOn,
    /// More stands in it.
    MoreIn,
    /// The side that last had a stand within a distance.
    LastWithin,
}

/// An objective of a scenario.
#[derive(Clone, Debug)]
pub struct Objective {
    pub kind: ObjectiveKind,
    pub piece: usize,
    pub points: f64,
    pub distance: f64,
}

/// Everything that does not change.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub book: Arc<Rulebook>,
    pub options: Options,
    pub title: String,
    pub table: Table,
    pub sides: [SideInfo; 2],
    pub infos: Vec<UnitInfo>,
    pub pieces: Vec<Piece>,
    pub objectives: Vec<Objective>,
    pub turns: u32,
    pub break_percent: u32,
    /// Deployment is decided at the table (U8, U9).
    pub free: bool,
    /// What is bought and diced for at the table (U2, U3, U7).
    pub muster: Option<Arc<crate::deployment::muster::Muster>>,
    /// Counters given in the file, so that none is drawn (positions).
    pub counters_given: bool,
}

/// Rounds to the grain of the table: 0.01 and 0.1 degree (SYW-MODEL-02).
pub fn grain(pose: Pose) -> Pose {
    Pose { at: pose.at.round_to(0.01), facing: angle::normalise(tricorne_table::round_to(pose.facing, 0.1)) }
}

/// Lengths are compared with a hundredth of slack (SYW-MODEL-02).
pub const SLACK: f64 = 0.01;

/// Whether a distance is within a limit (SYW-MODEL-02).
pub fn within(distance: f64, limit: f64) -> bool {
    distance <= limit + SLACK
}
