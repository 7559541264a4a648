//! What changes in the course of a battle.

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tricorne_chance::{Deck, Playing};
use tricorne_game::{Seat, Side, UnitId};
use tricorne_table::{Bounds, Frame, Point, Rect, Segment, Shape, angle};

use crate::formations::{self, Block, Formation, Spots};
use crate::movement::terrain::CONTACT;
use crate::rulebook::{Colour, Kind, Rulebook};

/// The most seats at a table.
pub(crate) const MOST_SEATS: usize = 6;
/// A unit, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnitNo(u8);

impl UnitNo {
    /// The most units there can be.
    pub(crate) const MOST: usize = u8::MAX as usize;

    /// The unit at a place in the list.
    pub(crate) fn at(place: usize) -> Self {
        Self(place as u8)
    }

    /// Its place in the list.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Rectangles of bases on the table.
pub(crate) type Solids = ArrayVec<Rect, 14>;

/// Whether a unit is there to fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Still to be deployed.
    Waiting,
    /// Held back; it comes in the course of the battle (ATKM-SETUP-15).
    Due,
    /// On the table.
    Present,
    /// Routed; it never comes back (ATKM-ROUT-07).
    Routed,
    /// Light infantry split into parts, which stand for it (ATKM-ADV-02).
    Split,
    /// A part that has joined its parent again.
    Merged,
}

/// How good a unit is (ATKM-ADV-05).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Like most.
    #[default]
    Line,
    /// Shrugs off the first loss of colour by fire each turn.
    Elite,
    /// Starts each turn yellow.
    Militia,
}

/// A unit (M4).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Unit {
    /// Its name.
    pub id: UnitId,
    /// Its type.
    pub kind: Kind,
    /// Its army.
    pub army: Side,
    /// The seat that commands it.
    pub owner: Seat,
    /// Privates left.
    pub n: u8,
    /// Privates at the start.
    pub n0: u8,
    /// Its shape.
    pub formation: Formation,
    /// Front centre, muzzle, or the centre of skirmishers and mobs.
    pub at: Point,
    /// Which way it faces.
    pub facing: f64,
    /// The way it faces, of length one, kept because working it out costs more than most questions.
    #[serde(skip)]
    pub forward: Point,
    /// Where loose skirmishers stand.
    pub spots: Spots,
    /// Its counter.
    pub colour: Colour,
    /// The disorder marker.
    pub disorder: bool,
    /// Whether it is on the table.
    pub presence: Presence,
    /// How good it is.
    pub quality: Quality,
    /// Elite troops that have already shrugged off a loss this turn.
    pub shrugged: bool,
    /// Named as light infantry before the battle.
    pub light: bool,
    /// The unit it is a part of.
    pub parent: Option<UnitNo>,
}

impl Unit {
    /// Whether it is on the table.
    pub fn present(&self) -> bool {
        self.presence == Presence::Present
    }

    /// Not yet on the table, and counted as left (ATKM-SETUP-15).
    pub fn is_to_come(&self) -> bool {
        matches!(self.presence, Presence::Waiting | Presence::Due)
    }

    /// Loose skirmishers: what friends may walk and fire through.
    pub fn is_skirmish_line(&self) -> bool {
        self.kind == Kind::Skirmisher && self.formation == Formation::Loose
    }

    /// Whether it is a mob.
    pub fn is_mob(&self) -> bool {
        self.formation == Formation::Mob
    }

    pub(crate) fn set_pose(&mut self, at: Point, facing: f64) {
        self.at = at;
        self.facing = angle::normalise(facing);
        self.forward = angle::forward(self.facing);
    }

    /// Makes it a mob about a place (M10).
    pub(crate) fn set_mob(&mut self, at: Point) {
        self.formation = Formation::Mob;
        self.set_pose(at, 0.0);
    }

    pub(crate) fn frame(&self) -> Frame {
        Frame { at: self.at, forward: self.forward }
    }

    fn rect(&self, block: &Block) -> Rect {
        Rect::in_frame(&self.frame(), self.facing, block.centre, block.width, block.depth)
    }

    pub(crate) fn extent(&self, rules: &Rulebook) -> (f64, f64) {
        formations::extent(rules, self.kind, self.formation, self.n)
    }

    /// Bases of privates and the cannon; of loose skirmishers officer and ensign too.
    pub(crate) fn solids(&self, rules: &Rulebook) -> Solids {
        let blocks = formations::blocks(rules, self.kind, self.formation, self.n, &self.spots);
        blocks.iter().map(|b| self.rect(b)).collect()
    }

    /// Bases of privates alone, and the cannon.
    pub(crate) fn privates(&self, rules: &Rulebook) -> Solids {
        let mut solids = self.solids(rules);
        let stacked = || self.spots.iter().take(usize::from(self.n)).any(|s| s.is_stacked());
        // Men without room stand at the centre, with officer and ensign.
        if self.is_skirmish_line() && !stacked() {
            solids.drain(..1.min(solids.len()));
        }
        solids
    }

    /// The ground it covers: one rectangle, or the separate bases of loose skirmishers.
    pub(crate) fn footprint(&self, rules: &Rulebook) -> Solids {
        if self.is_skirmish_line() {
            return self.solids(rules);
        }
        let (width, depth) = self.extent(rules);
        let y = if self.is_mob() { 0.0 } else { -depth / 2.0 };
        let mut one = Solids::new();
        one.push(self.rect(&Block { centre: Point::new(0.0, y), width, depth }));
        one
    }

    /// A box that surely holds all of it.
    pub(crate) fn reach(&self, rules: &Rulebook) -> Bounds {
        let (w, d) = self.extent(rules);
        let r = if self.is_skirmish_line() { rules.loose.skirmisher_reach + 1.0 } else { w / 2.0 + d };
        Bounds {
            min: Point::new(self.at.x - r, self.at.y - r),
            max: Point::new(self.at.x + r, self.at.y + r),
        }
    }

    /// The aim point (M13).
    pub(crate) fn centre(&self, rules: &Rulebook) -> Point {
        self.frame().to_world(formations::centre(rules, self.kind, self.formation, self.n))
    }

    /// The middle of its footprint.
    pub(crate) fn middle(&self, rules: &Rulebook) -> Point {
        self.frame().to_world(formations::middle(rules, self.kind, self.formation, self.n))
    }

    /// The cannon of a battery that is no mob.
    pub(crate) fn cannon(&self, rules: &Rulebook) -> Option<Rect> {
        (self.kind.is_artillery() && !self.is_mob())
            .then(|| self.rect(&formations::cannon(rules, self.kind, self.formation, self.n)))
    }

    /// ATKM-TERR-19: whether a straight piece runs through its footprint, more than a touch from the edge; of loose
    /// skirmishers only officer and ensign are looked at.
    pub(crate) fn is_astride(&self, rules: &Rulebook, piece: &Segment) -> bool {
        let (centre, width, depth) = if self.is_skirmish_line() {
            let (w, d) = rules.base_of(self.kind);
            (Point::ORIGIN, 2.0 * w, d)
        } else {
            let (width, depth) = self.extent(rules);
            (Point::new(0.0, if self.is_mob() { 0.0 } else { -depth / 2.0 }), width, depth)
        };
        let inner = Block { centre, width: width - 2.0 * CONTACT, depth: depth - 2.0 * CONTACT };
        Shape::Rect(self.rect(&inner)).cut_by(piece.a, piece.b)
    }

    /// M15: the distance from a place, as fire and danger measure it.
    pub(crate) fn distance(&self, rules: &Rulebook, from: Point) -> f64 {
        if self.is_skirmish_line() {
            return self.at.distance(from);
        }
        if let Some(cannon) = self.cannon(rules) {
            return Shape::Rect(cannon).distance_to(from);
        }
        self.command_distance(rules, from)
    }

    /// M15: the distance from a place to any base, officer's and ensign's included, or the cannon, as command measures it.
    pub(crate) fn command_distance(&self, rules: &Rulebook, from: Point) -> f64 {
        let (width, depth) = rules.base_of(self.kind);
        let officers = formations::officers(rules, self.kind, self.formation, self.n);
        let officers = officers.map(|centre| Shape::Rect(self.rect(&Block { centre, width, depth })));
        officers.iter().map(|base| base.distance_to(from)).fold(nearest(&self.solids(rules), from), f64::min)
    }
}

/// The distance from a place to the nearest of some bases.
pub(crate) fn nearest(solids: &Solids, from: Point) -> f64 {
    solids.iter().map(|r| Shape::Rect(*r).distance_to(from)).fold(f64::INFINITY, f64::min)
}

/// The gap between two sets of bases.
pub(crate) fn gap(a: &Solids, b: &Solids) -> f64 {
    let mut least = f64::INFINITY;
    for x in a {
        let x = Shape::Rect(*x);
        for y in b {
            least = least.min(x.gap(&Shape::Rect(*y)));
        }
    }
    least
}

/// A general and the seat he sits in.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct General {
    /// His army.
    pub army: Side,
    /// 1, 2 or 3.
    pub rating: u8,
    /// Where he stands.
    pub at: Point,
    /// Whether he has been placed.
    pub placed: bool,
    /// Killed, and not yet replaced.
    pub killed: bool,
    /// Whether he is Commanding General.
    pub commander: bool,
    /// Command points in hand.
    pub points: u8,
}

impl General {
    /// On the table.
    pub fn present(&self) -> bool {
        self.placed && !self.killed
    }

    /// The ground his base covers.
    pub(crate) fn base(&self, rules: &Rulebook) -> Rect {
        base_at(rules, self.at)
    }
}

/// A general's base at a place.
pub(crate) fn base_at(rules: &Rulebook, at: Point) -> Rect {
    let [w, d] = rules.base.general;
    base_rect(Point::new(0.0, 1.0), 0.0, at, w, d)
}

/// A base about a place, with the directions of a unit already worked out.
pub(crate) fn base_rect(forward: Point, facing: f64, at: Point, width: f64, depth: f64) -> Rect {
    Rect::in_frame(&Frame { at, forward }, facing, Point::ORIGIN, width, depth)
}

/// What a special card does for the activation it gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Benefit {
    /// An ordinary activation.
    #[default]
    None,
    /// Full movement.
    Jack,
    /// No downgrade.
    Queen,
    /// The general may move instead.
    King,
    /// Two activations.
    Ace,
}

/// A card being settled.
#[derive(Clone, Debug, Serialize)]
pub struct Play {
    /// The card.
    pub card: Playing,
    /// The army it serves.
    pub army: Side,
    /// Seats still to act, in order; the first is acting.
    pub queue: ArrayVec<Seat, MOST_SEATS>,
    /// Activations left to the first of them.
    pub left: u8,
    /// Who gets a special card's effect.
    pub beneficiary: Option<Seat>,
    /// Units activated on this card, and by whom.
    pub used: ArrayVec<(UnitNo, Seat), 8>,
}

/// A unit being activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
// The parts may come in several orders and each at most once, so each is remembered by itself.
#[allow(clippy::struct_excessive_bools)]
pub struct Activation {
    /// Who activates it.
    pub seat: Seat,
    /// Which unit.
    pub unit: UnitNo,
    /// Its colour before (ATKM-RES-03).
    pub began: Colour,
    /// Command points paid.
    pub paid: u8,
    /// The card's benefit.
    pub benefit: Benefit,
    /// It has fired.
    pub fired: bool,
    /// It has moved.
    pub moved: bool,
    /// It has changed formation.
    pub changed: bool,
    /// It has rearranged its ranks (`rank_change` free).
    pub dressed: bool,
    /// It has fought.
    pub fought: bool,
    /// It fired after moving or changing, so that only the end is left (ATKM-ACT-03).
    pub fired_last: bool,
    /// It went apart into parts, which all end this activation together (ATKM-ADV-02).
    pub split: bool,
}

impl Activation {
    /// An activation with nothing done yet.
    pub(crate) fn new(seat: Seat, unit: UnitNo, began: Colour, paid: u8, benefit: Benefit) -> Self {
        Self {
            seat,
            unit,
            began,
            paid,
            benefit,
            fired: false,
            moved: false,
            changed: false,
            dressed: false,
            fought: false,
            fired_last: false,
            split: false,
        }
    }

    /// Whether any part has been carried out.
    pub fn begun(&self) -> bool {
        self.fired || self.moved || self.changed || self.dressed || self.fought
    }
}

/// What the battle waits for, or does next by itself: the states of the ledger's part 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Stage {
    /// Before anything is rolled.
    Muster,
    /// D1: a unit is placed.
    Deploy,
    /// D2: generals are placed.
    PlaceGenerals,
    /// 5: a turn begins.
    TurnStart,
    /// D3: a killed general's successor.
    Replace,
    /// D14: units that come this turn; the one whose owner is asked.
    Arrive(Option<UnitNo>),
    /// 6: command dice.
    Command,
    /// D4: gifts of an army.
    Gifts(Side),
    /// 9: the next card.
    Draw,
    /// D5, D6: a unit of this army is disordered.
    Disorder(Side),
    /// D7: who benefits.
    Beneficiary,
    /// Who acts next (`teammate_order`: `commander_decides`).
    Order,
    /// D8: which unit.
    Choose,
    /// D10: what it does.
    Act,
    /// D12: pursuit of a mob.
    Pursue(UnitNo),
    /// 16: an activation ends.
    Finish,
    /// 20: a turn ends.
    TurnEnd,
    /// D13: generals ride, so many have.
    Ride(u8),
    /// 21: scores.
    Reckon,
    /// Finished.
    Over,
}

/// How well a battle was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// With three quarters of the army left.
    Decisive,
    /// Won.
    Victory,
    /// Just.
    Marginal,
    /// Neither.
    Draw,
}

/// Why a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The other army routed.
    Rout,
    /// Both did.
    MutualRout,
    /// The other side conceded.
    Conceded,
    /// The limit was reached and the scores decide.
    Scores,
    /// The limit was reached and the objective decides.
    Objective,
    /// With no limit, turns without a loss, and the scores decide (ATKM-END-06).
    Quiet,
    /// With no limit, nobody has fallen at all (ATKM-END-10).
    Bloodless,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Who won.
    pub winner: Option<Side>,
    /// How well.
    pub grade: Grade,
    /// Why.
    pub cause: Cause,
}

/// Everything that changes.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// From 1; 0 before the first.
    pub turn: u16,
    /// What comes next.
    pub stage: Stage,
    /// All units, gone ones too.
    pub units: Vec<Unit>,
    /// All generals, by seat.
    pub generals: ArrayVec<General, MOST_SEATS>,
    /// The 28 cards.
    pub deck: Deck<Playing>,
    /// The card being settled.
    pub play: Option<Play>,
    /// The unit being activated.
    pub activation: Option<Activation>,
    /// Generals whose owner must move them out of an enemy's way, by seat.
    pub overrun: ArrayVec<Seat, MOST_SEATS>,
    /// Next to benefit of a special card, by army (`special_beneficiary` rotate).
    pub rotation: [u8; 2],
    /// Units each army began with.
    pub began: [u16; 2],
    /// Privates each army began with.
    pub began_privates: [u16; 2],
    /// Points in units each army began with.
    pub began_points: [i32; 2],
    /// Scenario scores.
    pub scored: [i32; 2],
    /// Turns in a row without a loss.
    pub quiet: u8,
    /// Whether a private fell this turn.
    pub blood: bool,
    /// Whether a unit was lost since the last test for army rout.
    pub loss: bool,
    /// How far the deployment zone has grown for each army's next unit.
    pub grown: [u8; 2],
    /// The army that places next.
    pub placing: Side,
    /// How it ended.
    pub outcome: Option<Outcome>,
}
