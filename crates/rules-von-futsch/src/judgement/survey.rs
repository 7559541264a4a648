//! What a unit has to reckon with: the enemies as it sees them, what it wants, and the ways there.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::Point;

use super::way::Ways;
use super::weights::Weighs;
use crate::brief::Objective;
use crate::field::Field;
use crate::fire::Volley;
use crate::model::formation::{Body, Zone};
use crate::model::ground::GroundKind;
use crate::model::measure::exact;
use crate::model::{Formation, Kind, Nr};
use crate::rulebook::inch;
use crate::state::{Initiative, RED};

/// What a strike comes to, in points: at somebody who can answer it in front, at somebody who can't, and in flank.
pub(crate) type Strike = [f64; 3];

/// In front, with fire to meet it.
pub(crate) const MET: usize = 0;
/// In front, its fire spent.
pub(crate) const UNMET: usize = 1;
/// In flank, in rear, or in column.
pub(crate) const FLANK: usize = 2;

/// One enemy as a unit sees it: what each could do to the other, in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foe {
    pub nr: Nr,
    pub gain: Strike,
    pub harm: Strike,
    pub body: Body,
    pub kind: Kind,
    /// It has no flank.
    pub all_round: bool,
    /// It can still act this turn.
    pub fresh: bool,
    pub ordered: bool,
}

/// What a unit wants and what it must mind; worked out once for a decision.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub unit: Nr,
    pub kind: Kind,
    pub strength: u8,
    pub foes: ArrayVec<Foe, 64>,
    /// Where it wants to be, what an inch nearer is worth, and how near is near enough.
    pub goal: Point,
    pub pull: f64,
    pub enough: f64,
    /// The ways there, round what is closed to it.
    pub ways: Ways,
    /// What hurting counts against being hurt.
    pub boldness: f64,
    pub commanders: SmallVec<[Body; 4]>,
    pub limit: Initiative,
}

/// The far edge of what is looked at closely.
pub(crate) const FAR: f64 = 38.0;
/// The same where neither is a gun.
const NEAR: f64 = 29.0;

/// The chance that somebody who shoots gets to shoot, at short range or as good as, at what is so far off.
pub(crate) fn shoots(kind: Kind, gap: f64) -> f64 {
    match kind {
        Kind::Artillery if gap <= 12.0 => 1.0,
        Kind::Artillery if gap <= 36.0 => 0.5,
        Kind::Artillery => 0.05,
        // Half a move of 9 + 1d6 and six inches; a long shot is nearly as good to them.
        Kind::Skirmish => {
            let short = ((13.5 - gap) / 2.5).clamp(0.0, 1.0);
            short + (1.0 - short) * 0.6 * ((19.5 - gap) / 2.5).clamp(0.0, 1.0)
        }
        // Half a move of 6 + 1d6 and six inches, or a long shot that hits on sixes.
        _ => {
            let short = ((12.5 - gap) / 3.0).clamp(0.0, 1.0);
            short + (1.0 - short) * 0.2 * ((18.0 - gap) / 2.5).clamp(0.0, 1.0)
        }
    }
}

/// The chance that somebody who charges reaches what is so far off: 9 + 2d6, light horse 3 more.
pub(crate) fn charges(kind: Kind, gap: f64) -> f64 {
    const AT_LEAST: [f64; 13] =
        [1.0, 0.972, 0.917, 0.833, 0.722, 0.583, 0.417, 0.278, 0.167, 0.083, 0.028, 0.0, 0.0];
    let need = match kind {
        Kind::Heavy => gap - 11.0,
        Kind::Light => gap - 14.0,
        _ => return 0.0,
    };
    if need <= 0.0 {
        return 1.0;
    }
    let (whole, part) = (need as usize, need.fract());
    let at = |i: usize| AT_LEAST.get(i).copied().unwrap_or(0.0);
    at(whole) * (1.0 - part) + at(whole + 1) * part
}

impl Field {
    /// What the battle's programs make of things.
    pub(crate) fn weighs(&self) -> &Weighs {
        &self.mind.weighs
    }

    /// A full volley of a unit at short range (a gun: near) as a target of that kind takes it in the open.
    fn usual_volley(&self, u: Nr, target: Nr, vulnerable: bool) -> Volley {
        let f = &self.p().fire;
        let range = inch(if self.kind(u) == Kind::Artillery { f.artillery.near } else { f.short });
        let volley = self.volley(u, target, range);
        let column = matches!(self.unit(target).formation, Formation::Column | Formation::Square);
        let kind = self.kind(target);
        let difficult = kind.is_cavalry() || matches!(kind, Kind::Skirmish | Kind::Artillery);
        Volley { vulnerable: vulnerable || column, halvings: u32::from(difficult), ..volley }
    }

    /// What a unit can expect to gain from another by its usual way of fighting.
    fn usual_gain(&self, u: Nr, target: Nr) -> Strike {
        let unit = self.unit(u);
        if unit.shaken {
            return [0.0; 3];
        }
        let order = if unit.disordered { self.weighs().mending } else { 1.0 };
        match self.kind(u) {
            Kind::Wagon => [0.0; 3],
            Kind::Heavy | Kind::Light => {
                let unmet = self.fight(&self.melee_of(u, target, Zone::Front, false)).worth;
                let flank = self.fight(&self.melee_of(u, target, Zone::Rear, false)).worth;
                // In front it has to ride through their fire; clouds are off before it gets there.
                let met = if self.fires_at_all(target) && self.kind(target) != Kind::Skirmish {
                    let shot = self.volley_loss(u, &self.usual_volley(target, u, false));
                    (1.0 - shot.1) * unmet - shot.0
                } else {
                    unmet
                };
                [met, unmet, flank].map(|worth| worth.max(0.0) * order)
            }
            _ => {
                let at = |vulnerable| self.volley_loss(target, &self.usual_volley(u, target, vulnerable)).0;
                let front = at(false) * order;
                let line = self.unit(target).formation == Formation::Line;
                [front, front, if line { at(true) * order } else { front }]
            }
        }
    }

    /// Whether a unit has any fire to give, spent or not.
    pub(crate) fn fires_at_all(&self, u: Nr) -> bool {
        let unit = self.unit(u);
        match self.kind(u) {
            Kind::Infantry | Kind::Skirmish => !unit.disordered,
            Kind::Artillery => !unit.disordered && unit.formation == Formation::Unlimbered,
            Kind::Heavy | Kind::Light | Kind::Wagon => false,
        }
    }

    /// What a unit has to reckon with.
    pub(crate) fn survey(&self, u: Nr) -> Survey {
        let side = self.side(u);
        let here = self.unit(u).body;
        let mut foes = ArrayVec::new();
        for e in self.present_of(side.enemy()) {
            let foe = self.unit(e);
            let gun = self.kind(u) == Kind::Artillery || self.kind(e) == Kind::Artillery;
            let reach = if gun { FAR } else { NEAR };
            let near = here.centroid().distance(foe.body.centroid()) < reach;
            let (gain, harm) =
                if near { (self.usual_gain(u, e), self.usual_gain(e, u)) } else { ([1.0; 3], [0.0; 3]) };
            foes.push(Foe {
                nr: e,
                gain,
                harm,
                body: foe.body,
                kind: self.kind(e),
                all_round: matches!(foe.formation, Formation::Square | Formation::Cloud),
                fresh: !foe.turn.activated,
                ordered: !foe.disordered,
            });
        }
        let (goal, pull, enough) = self.goal_of(u, &foes);
        let ways = if pull > 0.1 { self.ways_round(u, goal) } else { Ways::default() };
        let commanders = self
            .chiefs()
            .filter(|&c| self.chief(c).is_over(self.spec(u)))
            .map(|c| self.commander_body(c))
            .collect();
        Survey {
            unit: u,
            kind: self.kind(u),
            strength: self.unit(u).strength,
            foes,
            goal,
            pull,
            enough,
            ways,
            boldness: self.boldness(side),
            commanders,
            limit: self.initiative(),
        }
    }

    /// How far through the battle we are, from 0 to 1.
    pub(crate) fn progress(&self) -> f64 {
        (f64::from(self.s.turn) / f64::from(self.b.limit.max(1))).clamp(0.0, 1.0)
    }

    /// A side's lead in army morale, from -1 to 1 (VF-SCEN-08).
    pub(crate) fn lead(&self, side: Side) -> f64 {
        let share =
            |s: Side| f64::from(self.army_morale(s)) / f64::from(self.b.break_point[s.index()].max(1));
        share(side) - share(side.enemy())
    }

    /// Whether a side has nothing to gain by attacking: the scenario gives it the win if nothing happens.
    pub(crate) fn may_sit(&self, side: Side) -> bool {
        match self.b.objective {
            Objective::Storm { attacker, .. } | Objective::Convoy { attacker, .. } => attacker != side,
            Objective::Morale => self.lead(side) > 0.05 && self.progress() > 0.6,
            Objective::Hold { .. } => false,
        }
    }

    /// What hurting the enemy counts for against being hurt.
    fn boldness(&self, side: Side) -> f64 {
        let w = self.weighs();
        if self.may_sit(side) {
            return w.sit;
        }
        // An even battle is drawn: somebody has to go for it, and late is the last chance.
        let hurry = if self.lead(side) < 0.05 { w.hurry } else { w.hurry_ahead * w.hurry };
        let late = self.progress();
        1.0 + hurry * late * late
    }

    /// Where a unit wants to be, what an inch is worth, and how near is near enough.
    fn goal_of(&self, u: Nr, foes: &[Foe]) -> (Point, f64, f64) {
        let side = self.side(u);
        let here = self.unit(u).body.centroid();
        let kind = self.kind(u);
        let w = self.weighs();
        let keeps = match kind {
            Kind::Infantry => w.foot_keeps,
            Kind::Skirmish => w.foot_keeps + w.lights_keep,
            Kind::Artillery => w.gun_keeps,
            Kind::Heavy | Kind::Light => w.horse_keeps,
            Kind::Wagon => 30.0,
        };
        let worth = |f: &&Foe| {
            let best = f.gain[UNMET].max(w.prey_flank * f.gain[FLANK]);
            (best + w.prey_base) / (w.prey_near + here.distance(f.body.centroid()))
        };
        let prey = foes
            .iter()
            .filter(|f| f.kind != Kind::Wagon || kind != Kind::Artillery)
            .max_by(|a, b| worth(a).total_cmp(&worth(b)));
        // Who is behind has to come nearer as time runs out.
        let late = self.progress();
        let press = if self.lead(side) < 0.05 { late * late } else { 0.0 };
        let hunt = prey.map_or((here, 0.0, 0.0), |f| {
            (f.body.centroid(), w.hunt * (1.0 + w.hurry * press), keeps * (1.0 - w.closer * press))
        });
        match self.b.objective {
            Objective::Hold { at, within } if kind != Kind::Wagon && kind != Kind::Artillery => {
                // Two or three go for the place, ever more eagerly; the rest clear the way.
                let nearer = self
                    .present_of(side)
                    .filter(|&o| o != u && (self.kind(o) == Kind::Infantry || self.kind(o).is_cavalry()))
                    .filter(|&o| !self.unit(o).shaken)
                    .filter(|&o| self.unit(o).body.centroid().distance(at) < here.distance(at))
                    .count();
                let takes = kind == Kind::Infantry || kind.is_cavalry();
                let late = late * late;
                match nearer {
                    _ if !takes => hunt,
                    0 | 1 => (at, w.objective + w.objective_late * late, exact(within)),
                    2 | 3 => (at, 0.8 * w.objective + 0.4 * w.objective_late * late, 5.0),
                    _ => hunt,
                }
            }
            Objective::Storm { attacker, piece, beyond, .. } => {
                let place = self.b.terrain.get(piece).map_or(here, |p| p.area.centroid());
                if side != attacker {
                    // The defender stands by what he has to hold.
                    let near = here.distance(place) < 16.0;
                    return if near || !kind.is_cavalry() {
                        (place, 0.4 * w.objective, 10.0)
                    } else {
                        (here, 0.05, 0.0)
                    };
                }
                match kind {
                    Kind::Infantry => (place, 1.8 * w.objective + w.objective_late * late * late, 0.0),
                    Kind::Heavy | Kind::Light if late > 0.65 => {
                        let over = if attacker == RED { exact(beyond) + 3.0 } else { exact(beyond) - 3.0 };
                        (Point::new(here.x, over), 2.5 * w.objective + late, 0.0)
                    }
                    _ => hunt,
                }
            }
            Objective::Convoy { attacker, wagon, from, to } => {
                let exit = Point::new((exact(from) + exact(to)) * 0.5, self.b.height);
                let cart = self.unit(wagon).body.centroid();
                if u == wagon {
                    return (exit + Point::new(0.0, 6.0), 4.0, 0.0);
                }
                if side == attacker {
                    // The escort clears the road ahead of the wagon.
                    let on_road = |f: &&Foe| -> f64 {
                        let at = f.body.centroid();
                        at.distance(cart.lerp(exit, 0.35)) + 0.4 * here.distance(at)
                    };
                    let block = foes.iter().min_by(|a, b| on_road(a).total_cmp(&on_road(b)));
                    return block.map_or((exit, w.objective, 6.0), |f| {
                        (f.body.centroid(), 1.8 * w.objective, keeps.min(8.0))
                    });
                }
                if self.unit(wagon).here() {
                    // The other side bars the road, or rides at the wagon itself.
                    let ambush = cart.lerp(exit, if kind.is_cavalry() { 0.0 } else { 0.4 });
                    return (ambush, 1.5 * w.objective, 3.0);
                }
                hunt
            }
            Objective::Morale | Objective::Hold { .. } => {
                if self.may_sit(side) {
                    (here, 0.05, 0.0)
                } else {
                    hunt
                }
            }
        }
    }

    /// Whether a place is in a village, and whether a wall is close by (VF-MODEL-33).
    pub(crate) fn shelter(&self, body: &Body) -> (bool, bool) {
        let at = body.centroid();
        let near = f64::from(self.p().distance.cover);
        let any = |found: &dyn Fn(&crate::model::ground::Piece) -> bool| self.b.terrain.iter().any(found);
        (
            any(&|piece| piece.kind == GroundKind::Town && piece.area.contains(at)),
            any(&|piece| piece.kind == GroundKind::Obstacle && piece.hard && piece.gap(body) <= near),
        )
    }

    /// Whether such a wall stands between a place and somebody.
    pub(crate) fn walled(&self, body: &Body, from: Point) -> bool {
        let (at, near) = (body.centroid(), f64::from(self.p().distance.cover));
        let hard = self.b.terrain.iter().filter(|piece| piece.kind == GroundKind::Obstacle && piece.hard);
        hard.into_iter().any(|piece| piece.area.cut_by(from, at) && piece.gap(body) <= near)
    }
}
