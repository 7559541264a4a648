//! A unit (M4): what it is, the ground it covers, how it is measured (M13 to M15).

use serde::{Deserialize, Serialize};
use tricorne_game::view::Role;
use tricorne_game::{Seat, Side, UnitId};
use tricorne_table::{Bounds, Frame, Point, Rect, Segment, Shape, angle};

use crate::JsonSchema;
use crate::formations::{self, Block, Figure, Formation, Spots};
use crate::movement::terrain::CONTACT;
use crate::rulebook::{Colour, Kind, Rulebook};
use crate::state::{Solids, UnitNo};

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

    /// Bases of privates alone.
    pub(crate) fn privates(&self, rules: &Rulebook) -> Solids {
        if self.kind.is_artillery() {
            // The gunners without their cannon.
            let figures = formations::figures(rules, self.kind, self.formation, self.n, &self.spots);
            let gunner = |f: &&Figure| f.role == Role::Crew;
            let base = |f: &Figure| self.rect(&Block { centre: f.at, width: f.width, depth: f.depth });
            return figures.iter().filter(gunner).map(base).collect();
        }
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
