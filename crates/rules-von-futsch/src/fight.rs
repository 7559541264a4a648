//! A charge and a melee, for as long as they last.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use tricorne_table::{Point, angle};

use crate::model::Nr;
use crate::model::formation::{Body, Zone};
use crate::model::measure::{Mils, Place, exact, mils};

/// What the charged unit does (VF-CHARGE-09).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// Nothing.
    Stand,
    /// Fire at the charger.
    Fire,
    /// Ride to meet it.
    Countercharge,
    /// Form a battalion square.
    Square,
    /// Fall back before it.
    Evade,
}

impl Response {
    /// All of them, the one that is always allowed first.
    pub const ALL: [Response; 5] =
        [Response::Stand, Response::Fire, Response::Countercharge, Response::Square, Response::Evade];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Response::Stand => "stand",
            Response::Fire => "fire",
            Response::Countercharge => "countercharge",
            Response::Square => "square",
            Response::Evade => "evade",
        }
    }
}

/// The way of a charge: a wheel at the start, then straight on (VF-CHARGE-05).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChargePath {
    /// Degrees of the wheel, to the right positive.
    pub wheel: i16,
    /// Bearing and length of the straight part, in thousandths.
    pub bearing: Mils,
    /// Its length.
    pub straight: Mils,
    /// What the wheel costs.
    pub wheel_cost: Mils,
    /// What all of it costs.
    pub cost: Mils,
}

/// A charge.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Charge {
    /// Who charges.
    pub charger: Nr,
    /// Whom.
    pub target: Nr,
    /// Which side of the target it comes at.
    pub aspect: Zone,
    /// The target stood in hard cover from the charger when it was declared.
    pub cover: bool,
    /// Where the charger stood when it was declared.
    pub from: Place,
    /// The target has shot at the charger already (VF-CHARGE-07).
    pub answered: bool,
    /// The charger failed a test.
    pub failed: bool,
    /// The target failed a test.
    pub fled: bool,
    /// What the charger rolled.
    pub allowance: Mils,
    /// The way to the target's first position.
    pub path: Option<ChargePath>,
}

/// Another enemy of the charger, drawn into its melee (VF-MELEE-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Foe {
    /// Who.
    pub unit: Nr,
    /// The side of it that is fought.
    pub aspect: Zone,
    /// In hard cover.
    pub cover: bool,
    /// Its order on contact.
    pub ordered: bool,
}

/// The ground a unit stood on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stand {
    front: Place,
    width: Mils,
    depth: Mils,
}

impl Stand {
    /// The footprint of a unit; of a cloud, its envelope.
    pub(crate) fn of(body: &Body) -> Self {
        let rect = &body.rect;
        Self { front: Place::of(rect.front()), width: mils(rect.width()), depth: mils(rect.depth()) }
    }

    /// Its middle.
    pub(crate) fn middle(&self) -> Point {
        self.front.at() - angle::forward(exact(self.front.t)) * (exact(self.depth) * 0.5)
    }

    /// How far it reaches along a way, from its first point to its last.
    pub(crate) fn depth_along(&self, way: Point) -> f64 {
        let facing = exact(self.front.t);
        let (ahead, aside) = (angle::forward(facing).dot(way).abs(), angle::right(facing).dot(way).abs());
        exact(self.width) * aside + exact(self.depth) * ahead
    }
}

/// A melee: one unit against one, or against all that its front touches (VF-MODEL-48).
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Melee {
    /// The charger.
    pub attacker: Nr,
    /// The charged.
    pub defender: Nr,
    /// From 1.
    pub round: u8,
    /// The side of the defender that is fought.
    pub aspect: Zone,
    /// Hard cover of the defender.
    pub cover: bool,
    /// Whether the attacker has the benefit of charging.
    pub attacker_charges: bool,
    /// Whether the defender has (a countercharger).
    pub defender_charges: bool,
    /// The defender rode to meet the charge.
    pub countercharged: bool,
    /// The attacker's order on contact (VF-MELEE-23).
    pub attacker_ordered: bool,
    /// The defender's order on contact.
    pub defender_ordered: bool,
    /// The attacker and the target as they stood when they met, for taking their ground (VF-MELEE-20).
    pub stood: [Stand; 2],
    /// Who else fights the charger (`melee_scope = all_touching`).
    pub others: [Option<Foe>; 7],
    /// All that have fought in it, as bits.
    pub fought: u64,
}

impl Melee {
    /// The melee as fought against one of the defenders alone.
    fn against(&self, foe: Foe) -> Self {
        Self {
            defender: foe.unit,
            aspect: foe.aspect,
            cover: foe.cover,
            defender_ordered: foe.ordered,
            defender_charges: false,
            countercharged: false,
            others: [None; 7],
            ..*self
        }
    }

    /// Each defender's fight with the charger, the target's first.
    pub fn duels(&self) -> ArrayVec<Self, 8> {
        let first = Self { others: [None; 7], ..*self };
        std::iter::once(first).chain(self.others.iter().flatten().map(|foe| self.against(*foe))).collect()
    }

    /// The melee as it goes on against those of the defenders that are still in place; none if none is.
    pub fn among(&self, in_place: impl Fn(Nr) -> bool) -> Option<Self> {
        let left: ArrayVec<Self, 8> = self.duels().into_iter().filter(|d| in_place(d.defender)).collect();
        let mut melee = *left.first()?;
        for (slot, duel) in melee.others.iter_mut().zip(&left[1..]) {
            *slot = Some(Foe {
                unit: duel.defender,
                aspect: duel.aspect,
                cover: duel.cover,
                ordered: duel.defender_ordered,
            });
        }
        Some(melee)
    }
}
