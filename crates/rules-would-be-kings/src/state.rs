//! All that changes in the course of a battle.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use tricorne_game::Side;
use tricorne_table::{Bounds, Point, round_to};

use crate::battle::Asked;

/// The most models a unit may have.
pub const MAX_MODELS: usize = 24;
/// The most mounted models: the slots of WBK-MOD-08 for horse.
pub const MAX_MOUNTED: usize = 19;
/// The most units in a battle.
pub const MAX_UNITS: usize = 32;

/// The Imperial side, which sits at seat 0.
pub const IMPERIAL: Side = Side(0);
/// The Native side, which sits at seat 1.
pub const NATIVE: Side = Side(1);

/// A stored place in thousandths of an inch (WBK-MOD-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
}

impl Spot {
    /// The nearest thousandth, halves away from zero.
    pub fn of(point: Point) -> Self {
        let thousandths = |v: f64| round_to(v * 1000.0, 1.0).clamp(-9e8, 9e8) as i32;
        Self { x: thousandths(point.x), y: thousandths(point.y) }
    }

    /// In inches.
    #[inline]
    pub fn point(self) -> Point {
        Point::new(f64::from(self.x) / 1000.0, f64::from(self.y) / 1000.0)
    }

    /// Shifted by so many thousandths.
    #[inline]
    pub fn shifted(self, dx: i32, dy: i32) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }
}

/// How the models of a unit stand (WBK-MOD-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Loose, on a triangular lattice.
    #[default]
    Cluster,
    /// Loose, in ranks.
    Line,
    /// Close Order.
    Block,
    /// A gun with its crew.
    Gun,
    /// Inside a building.
    Garrison,
}

impl Layout {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Cluster => "cluster",
            Layout::Line => "line",
            Layout::Block => "block",
            Layout::Gun => "gun",
            Layout::Garrison => "garrison",
        }
    }
}

/// A leader's character (table 3.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[allow(missing_docs)]
pub enum Character {
    #[default]
    Unremarkable,
    #[serde(rename = "Born to Command")]
    BornToCommand,
    Inspiring,
    #[serde(rename = "Lion-hearted")]
    LionHearted,
    #[serde(rename = "Crack Shot")]
    CrackShot,
    #[serde(rename = "Fine Sabre")]
    FineSabre,
    Martinet,
    #[serde(rename = "Great Walker")]
    GreatWalker,
    #[serde(rename = "Charmed Life")]
    CharmedLife,
    #[serde(rename = "Over-cautious")]
    OverCautious,
    Hothead,
    Hapless,
    Idiot,
    #[serde(rename = "Faint-heart")]
    FaintHeart,
    Drunkard,
    Cad,
    Bully,
}

impl Character {
    /// His name in the rulebook.
    pub fn name(self) -> &'static str {
        match self {
            Character::Unremarkable => "Unremarkable",
            Character::BornToCommand => "Born to Command",
            Character::Inspiring => "Inspiring",
            Character::LionHearted => "Lion-hearted",
            Character::CrackShot => "Crack Shot",
            Character::FineSabre => "Fine Sabre",
            Character::Martinet => "Martinet",
            Character::GreatWalker => "Great Walker",
            Character::CharmedLife => "Charmed Life",
            Character::OverCautious => "Over-cautious",
            Character::Hothead => "Hothead",
            Character::Hapless => "Hapless",
            Character::Idiot => "Idiot",
            Character::FaintHeart => "Faint-heart",
            Character::Drunkard => "Drunkard",
            Character::Cad => "Cad",
            Character::Bully => "Bully",
        }
    }
}

/// Where a unit is in the battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// On the table.
    #[default]
    OnTable,
    /// Still to be placed or to arrive.
    ToCome,
    /// Its last model was removed.
    Destroyed,
    /// It ran.
    Routed,
    /// It was driven off the table.
    OffTable,
    /// It left over its exit edge and is safe.
    Exited,
    /// There was no room to place it.
    LeftOut,
}

impl Fate {
    /// Lost for victory (WBK-SCEN-06).
    pub fn is_lost(self) -> bool {
        matches!(self, Fate::Destroyed | Fate::Routed | Fate::OffTable)
    }
}

/// The places of a unit's models.
pub type Places = ArrayVec<Spot, MAX_MODELS>;

/// A unit's number: its place in the roster, and not the number of anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct No(u8);

impl No {
    /// The number of the unit that a file lists there.
    pub fn of(index: usize) -> Self {
        Self(index as u8)
    }

    /// Its place, for tables that have a row a unit.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What every unit has one of, by its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Roster<T>(ArrayVec<T, MAX_UNITS>);

impl<T> Default for Roster<T> {
    fn default() -> Self {
        Self(ArrayVec::new())
    }
}

impl<T> Roster<T> {
    /// The numbers, in order.
    pub fn numbers(&self) -> impl Iterator<Item = No> + use<T> {
        (0..self.0.len()).map(No::of)
    }

    /// The number of the first that fits.
    pub fn number(&self, fits: impl FnMut(&T) -> bool) -> Option<No> {
        self.0.iter().position(fits).map(No::of)
    }

    /// One of a number that may be none's.
    pub fn get(&self, number: No) -> Option<&T> {
        self.0.get(number.index())
    }

    /// One more.
    pub fn push(&mut self, one: T) {
        self.0.push(one);
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> FromIterator<T> for Roster<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        Self(all.into_iter().take(MAX_UNITS).collect())
    }
}

impl<T> Index<No> for Roster<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: No) -> &T {
        &self.0[number.index()]
    }
}

impl<T> IndexMut<No> for Roster<T> {
    #[inline]
    fn index_mut(&mut self, number: No) -> &mut T {
        &mut self.0[number.index()]
    }
}

/// A unit on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, clippy::struct_excessive_bools)]
pub struct Unit {
    pub side: Side,
    pub fate: Fate,
    pub models: u8,
    pub anchor: Spot,
    pub facing: u16,
    pub layout: Layout,
    pub places: Places,
    /// The building it holds.
    pub garrison: Option<u8>,
    pub pinned: u8,
    pub gone_to_ground: bool,
    pub close_order: bool,
    pub leader: bool,
    pub commander: bool,
    pub leadership: u8,
    pub character: Character,
    /// Charmed Life has been used up.
    pub charm_spent: bool,
    pub activated: bool,
    /// Came back once by WBK-FORCE-13.
    pub returned: bool,
    /// A program unit whose return test is due (WBK-SOLO-14).
    pub return_due: bool,
    /// How often it was lost.
    pub times_lost: u8,
    /// A jam keeps it from firing in its next turn, counted down (WBK-FIRE-27).
    pub silent: u8,
    /// Hits kept against it this turn (WBK-CONV-07).
    pub carried: u8,
    /// Models when it left over an exit edge.
    pub exit_models: u8,
    /// The exit of the scenario it left by.
    pub exit_by: u8,
    /// The box round its bases; follows from the places.
    #[serde(skip)]
    pub bounds: Extent,
}

/// A box in inches, kept with a unit for quick rejections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent(pub Bounds);

impl Default for Extent {
    fn default() -> Self {
        Self(Bounds::NOTHING)
    }
}

impl Unit {
    /// On the table.
    #[inline]
    pub fn is_on_table(&self) -> bool {
        self.fate == Fate::OnTable
    }

    /// Whether it has a Pinned marker.
    #[inline]
    pub fn is_pinned(&self) -> bool {
        self.pinned > 0
    }
}

/// What a unit does in its activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Order {
    Attack,
    Fire,
    Volley,
    Move,
    Double,
    Skirmish,
    FormCloseOrder,
    GoToGround,
    StandTo,
    LeaveCloseOrder,
}

impl Order {
    /// All of them, in the order of the rulebook's table.
    pub const ALL: [Order; 10] = [
        Order::Attack,
        Order::Fire,
        Order::Volley,
        Order::Move,
        Order::Double,
        Order::Skirmish,
        Order::FormCloseOrder,
        Order::GoToGround,
        Order::LeaveCloseOrder,
        Order::StandTo,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Order::Attack => "attack",
            Order::Fire => "fire",
            Order::Volley => "volley",
            Order::Move => "move",
            Order::Double => "double",
            Order::Skirmish => "skirmish",
            Order::FormCloseOrder => "form_close_order",
            Order::GoToGround => "go_to_ground",
            Order::StandTo => "stand_to",
            Order::LeaveCloseOrder => "leave_close_order",
        }
    }

    /// What it is to do it, for people: orders to …
    pub fn words(self) -> &'static str {
        match self {
            Order::Attack => "attack",
            Order::Fire => "fire",
            Order::Volley => "fire a volley",
            Order::Move => "move",
            Order::Double => "go at the double",
            Order::Skirmish => "skirmish",
            Order::FormCloseOrder => "form Close Order",
            Order::GoToGround => "go to ground",
            Order::StandTo => "stand to",
            Order::LeaveCloseOrder => "leave Close Order",
        }
    }
}

/// The activation under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Activation {
    /// The unit that acts.
    pub unit: No,
    /// The side that decides for it: the enemy of an Idiot on a bad day.
    pub chooser: u8,
    /// The enemy decides (WBK-EX-39).
    pub idiot: bool,
    /// Inches of move it has, in thousandths.
    pub allowance: i32,
    /// How far it has moved in its own action, in thousandths.
    pub moved: i32,
    /// Melees fought.
    pub melees: u8,
    /// A beaten unit whose Pinning test comes after the follow-up, with its casualties (WBK-ATT-34).
    pub due: Option<(No, u8)>,
}

/// How the battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub enum Finish {
    Rounds,
    NobodyLeft(Side),
    Stormed(Side),
    Annihilated(Side),
    ProgramSpent,
    Conceded(Side),
}

/// All that changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct State {
    pub round: u8,
    /// 0 for the first turn of the round, 1 for the second.
    pub turn: u8,
    pub active: Side,
    /// The side that has the first turn of this round.
    pub first: Side,
    /// The decision that waits for an answer: part 5 of the rulebook.
    pub asked: Option<Asked>,
    pub act: Activation,
    pub units: Roster<Unit>,
    /// The active player has ended his turn; Pinned units still rally.
    pub ending_turn: bool,
    /// Program units to come, next first.
    pub pool: ArrayVec<No, MAX_UNITS>,
    /// Points scored as the battle went on (rounds held, markers, storms).
    pub gained: [i16; 2],
    pub finish: Option<Finish>,
}
