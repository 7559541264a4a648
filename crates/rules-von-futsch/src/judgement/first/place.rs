//! What a place is worth to a unit: whom it could hurt from there, who could hurt it, how far it is from what it wants.

use super::First;
use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_game::Side;
use tricorne_table::{Point, Pose, angle};

use crate::brief::Objective;
use crate::fire::Volley;
use crate::model::formation::{Body, Zone};
use crate::model::ground::{Going, GroundKind};
use crate::model::measure::exact;
use crate::model::{Formation, Kind, Nr};
use crate::rulebook::inch;
use crate::state::{Initiative, RED};

/// One enemy as a unit sees it: what each could do to the other, in points, in front and in flank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foe {
    pub nr: Nr,
    pub gain: [f64; 2],
    pub harm: [f64; 2],
    body: Body,
    kind: Kind,
    square: bool,
    /// It can still act this turn.
    fresh: bool,
    ordered: bool,
}

/// What a unit wants and what it must mind; worked out once for a decision.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub unit: Nr,
    kind: Kind,
    strength: u8,
    pub foes: ArrayVec<Foe, 64>,
    /// Where it wants to be, what an inch nearer is worth, and how near is near enough.
    pub goal: Point,
    pull: f64,
    enough: f64,
    /// What hurting counts against being hurt.
    boldness: f64,
    commanders: SmallVec<[Body; 4]>,
    limit: Initiative,
}

/// The far edge of what is looked at closely.
const FAR: f64 = 38.0;
/// The same where neither is a gun.
const NEAR: f64 = 29.0;

/// The chance that somebody who shoots gets to shoot at what is so far off, soon.
fn shoots(kind: Kind, gap: f64) -> f64 {
    match kind {
        Kind::Artillery => {
            if gap <= 12.0 {
                1.0
            } else if gap <= 36.0 {
                0.5
            } else {
                0.05
            }
        }
        Kind::Skirmish if gap <= 6.0 => 1.0,
        Kind::Skirmish if gap <= 12.0 => 0.7,
        Kind::Skirmish => ((20.0 - gap) / 12.0).clamp(0.0, 0.5),
        // Half a move and a volley at short range, or a long shot.
        _ if gap <= 6.0 => 1.0,
        _ if gap <= 9.5 => 0.9,
        _ if gap <= 12.0 => 0.9 - 0.22 * (gap - 9.5),
        _ => (0.35 - 0.04 * (gap - 12.0)).max(0.0),
    }
}

/// The chance that somebody who charges reaches what is so far off.
fn charges(kind: Kind, gap: f64) -> f64 {
    match kind {
        Kind::Heavy => ((22.0 - gap) / 9.0).clamp(0.0, 1.0),
        Kind::Light => ((25.0 - gap) / 9.0).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

impl First<'_> {
    /// A full volley of a unit at short range (a gun: near) as a target of that kind takes it.
    fn usual_volley(&self, u: Nr, target: Nr, vulnerable: bool) -> Volley {
        let f = &self.p().fire;
        let range = inch(if self.kind(u) == Kind::Artillery { f.artillery.near } else { f.short });
        let volley = self.volley(u, target, range);
        let column = matches!(self.unit(target).formation, Formation::Column | Formation::Square);
        Volley { vulnerable: vulnerable || column, ..volley }
    }

    /// What a unit can expect to gain from another by its usual way of fighting, from front and from flank.
    fn usual_gain(&self, u: Nr, target: Nr) -> [f64; 2] {
        let unit = self.unit(u);
        if unit.shaken {
            return [0.0; 2];
        }
        let order = if unit.disordered { 0.35 } else { 1.0 };
        match self.kind(u) {
            Kind::Wagon => [0.0; 2],
            Kind::Heavy | Kind::Light => {
                let shot = if self.can_fire(target).is_ok() && self.kind(target) != Kind::Skirmish {
                    // In front it has to ride through their fire.
                    self.volley_loss(u, &self.usual_volley(target, u, false))
                } else {
                    (0.0, 0.0)
                };
                let front = self.fight(&self.melee_of(u, target, Zone::Front, false)).worth;
                let flank = self.fight(&self.melee_of(u, target, Zone::Rear, false)).worth;
                [((1.0 - shot.1) * front - shot.0).max(0.0) * order, flank.max(0.0) * order]
            }
            _ => {
                let at = |vulnerable| self.volley_loss(target, &self.usual_volley(u, target, vulnerable)).0;
                let line = self.unit(target).formation == Formation::Line;
                let front = at(false);
                [front * order, if line { at(true) * order } else { front * order }]
            }
        }
    }

    /// What a unit has to reckon with.
    pub(crate) fn survey(&self, u: Nr) -> Survey {
        let side = self.side(u);
        let here = self.unit(u).body;
        let mut foes = ArrayVec::new();
        for e in self.present_of(side.enemy()) {
            let foe = self.unit(e);
            let reach =
                if self.kind(u) == Kind::Artillery || self.kind(e) == Kind::Artillery { FAR } else { NEAR };
            let near = here.centroid().distance(foe.body.centroid()) < reach;
            let (gain, harm) =
                if near { (self.usual_gain(u, e), self.usual_gain(e, u)) } else { ([1.0; 2], [0.0; 2]) };
            foes.push(Foe {
                nr: e,
                gain,
                harm,
                body: foe.body,
                kind: self.kind(e),
                square: matches!(foe.formation, Formation::Square | Formation::Cloud),
                fresh: !foe.turn.activated,
                ordered: !foe.disordered,
            });
        }
        let (goal, pull, enough) = self.goal_of(u, &foes);
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
            boldness: self.boldness(side),
            commanders,
            limit: self.initiative(),
        }
    }

    /// What hurting the enemy counts for against being hurt.
    fn boldness(&self, side: Side) -> f64 {
        if self.may_sit(side) {
            return 0.8;
        }
        // An even battle is drawn: somebody has to go for it, and late is the last chance.
        let behind = self.lead(side) < 0.05;
        let hurry = if behind { 0.8 } else { 0.2 };
        1.35 + hurry * self.progress() - 0.2 * self.lead(side)
    }

    /// Where a unit wants to be, what an inch is worth, and how near is near enough.
    fn goal_of(&self, u: Nr, foes: &[Foe]) -> (Point, f64, f64) {
        let side = self.side(u);
        let here = self.unit(u).body.centroid();
        let kind = self.kind(u);
        let engage = match kind {
            Kind::Infantry => 5.5,
            Kind::Skirmish => 8.0,
            Kind::Artillery => 11.0,
            Kind::Heavy | Kind::Light => 9.0,
            Kind::Wagon => 30.0,
        };
        let worth = |f: &&Foe| {
            let best = f.gain[0].max(0.6 * f.gain[1]);
            (best + 4.0) / (8.0 + here.distance(f.body.centroid()))
        };
        let prey = foes
            .iter()
            .filter(|f| f.kind != Kind::Wagon || kind != Kind::Artillery)
            .max_by(|a, b| worth(a).total_cmp(&worth(b)));
        let hunt = prey.map_or((here, 0.0, 0.0), |f| (f.body.centroid(), 0.45, engage + 2.5));
        let late = self.progress();
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
                match nearer {
                    _ if !takes => hunt,
                    0 | 1 => (at, 0.3 + 1.6 * late * late, exact(within)),
                    2 | 3 => (at, 0.25 + 0.7 * late * late, 5.0),
                    _ => hunt,
                }
            }
            Objective::Storm { attacker, piece, beyond, .. } => {
                let place = self.b.terrain.get(piece).map_or(here, |p| p.area.centroid());
                let turns_left = 1.0 - late;
                if side != attacker {
                    // The defender stands by what he has to hold.
                    let near = here.distance(place) < 16.0;
                    return if near || !kind.is_cavalry() { (place, 0.12, 10.0) } else { hunt };
                }
                match kind {
                    Kind::Infantry => (place, 0.55 + 1.5 * late * late, 0.0),
                    Kind::Heavy | Kind::Light if turns_left < 0.35 => {
                        let over = if attacker == RED { exact(beyond) + 3.0 } else { exact(beyond) - 3.0 };
                        (Point::new(here.x, over), 0.8 + late, 0.0)
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
                    return block.map_or((exit, 0.3, 6.0), |f| (f.body.centroid(), 0.55, engage + 1.0));
                }
                if self.unit(wagon).here() {
                    // The other side bars the road, or rides at the wagon itself.
                    let ambush = cart.lerp(exit, if kind.is_cavalry() { 0.0 } else { 0.4 });
                    return (ambush, 0.45, 3.0);
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
}

impl Survey {
    /// The enemy it would most like to fight, best first.
    pub(crate) fn prey(&self, from: Point) -> SmallVec<[Foe; 3]> {
        let worth = |f: &Foe| {
            let best = f.gain[0].max(0.7 * f.gain[1]);
            (best + 2.0) / (10.0 + from.distance(f.body.centroid()))
        };
        let mut all: SmallVec<[Foe; 16]> = self.foes.iter().copied().filter(|f| f.gain[1] > 0.0).collect();
        all.put_in_order(|a, b| worth(b).total_cmp(&worth(a)));
        all.into_iter().take(3).collect()
    }

    /// How much the unit has to fear where it stands: what kept fire may answer.
    pub(crate) fn threat(&self, body: &Body) -> f64 {
        let near = self.foes.iter().filter(|f| f.kind != Kind::Artillery).map(|f| {
            let gap = body.gap(&f.body);
            if gap > 13.0 {
                return 0.0;
            }
            let able = if f.kind.is_cavalry() { charges(f.kind, gap) } else { shoots(f.kind, gap) };
            able * f.gain[0]
        });
        near.fold(0.0, f64::max)
    }

    /// Whether any enemy is within so many inches.
    pub(crate) fn within(&self, body: &Body, far: f64) -> bool {
        self.foes.iter().any(|f| body.may_reach(&f.body, far))
    }

    /// What it is worth to the unit to stand so.
    pub(crate) fn outlook(&self, field: &First<'_>, pose: Pose, formation: Formation) -> f64 {
        let body = field.p().base.body(pose, formation, self.strength);
        let centre = body.centroid();
        let column = formation == Formation::Column;
        let all_round = matches!(formation, Formation::Cloud | Formation::Square);
        let (mut best, mut more, mut worst, mut other) = (0.0_f64, 0.0, 0.0_f64, 0.0);
        for foe in &self.foes {
            let far = centre.distance(foe.body.centroid());
            if far > FAR {
                continue;
            }
            let gap = body.gap(&foe.body);
            let mine = body.reference();
            let theirs = foe.body.reference();
            // What we could do to it.
            let flank = !foe.square && foe.body.zone(mine, field.p().fire.arc.slope) != Zone::Front;
            let seen =
                formation == Formation::Cloud || body.zone(theirs, field.p().fire.arc.slope) == Zone::Front;
            let facing = if seen { 1.0 } else { 0.4 };
            let able = if self.kind.is_cavalry() { charges(self.kind, gap) } else { shoots(self.kind, gap) };
            let limbered = if formation == Formation::Limbered { 0.5 } else { 1.0 };
            let shape = limbered * if column { 0.6 } else { 1.0 };
            let gain = able * facing * shape * foe.gain[usize::from(flank)];
            more += gain;
            best = best.max(gain);
            // What it could do to us.
            let bare = !all_round && body.zone(theirs, field.p().fire.arc.slope) != Zone::Front;
            let turned = if foe.kind == Kind::Skirmish
                || foe.body.zone(mine, field.p().fire.arc.slope) == Zone::Front
            {
                1.0
            } else {
                0.35
            };
            let able = if foe.kind.is_cavalry() { charges(foe.kind, gap) } else { shoots(foe.kind, gap) };
            let soon = if foe.fresh { 1.0 } else { 0.75 } * if foe.ordered { 1.0 } else { 0.5 };
            let harm = able * turned * soon * foe.harm[usize::from(bare || column)];
            other += harm;
            worst = worst.max(harm);
        }
        let mut danger = worst + 0.3 * (other - worst);
        let hope = best + 0.12 * (more - best);
        let mut sum = 0.0;
        // Ground: houses cover, slow ground hampers the charge.
        for piece in &field.b.terrain {
            if !piece.area.contains(centre) {
                continue;
            }
            match piece.kind {
                GroundKind::Town => danger *= 0.55,
                GroundKind::Woods if self.kind == Kind::Skirmish => danger *= 0.7,
                GroundKind::Hill if self.kind == Kind::Artillery => sum += 0.8,
                _ if self.kind.is_cavalry()
                    && piece.going(field.mover(self.unit), field.o()) == Going::Half =>
                {
                    sum -= 1.5;
                }
                _ => {}
            }
        }
        let reach = f64::from(field.p().distance.command);
        if !self.commanders.is_empty() && !self.commanders.iter().any(|c| c.gap(&body) <= reach) {
            sum -= 1.6;
        }
        let far = (centre.distance(self.goal) - self.enough).max(0.0);
        // A column travels; a line near the enemy fights.
        let travel = if column && worst < 0.5 && far > 14.0 { 1.2 } else { 0.0 };
        sum + travel + 0.55 * (self.boldness * hope - danger) - self.pull * far
    }

    /// Poses worth marching to: the front of what it hunts, its flank, the goal, straight on.
    pub(crate) fn destinations(&self, field: &First<'_>) -> SmallVec<[(Point, Option<f64>); 8]> {
        let unit = field.unit(self.unit);
        let here = unit.body.centroid();
        let mut all: SmallVec<[(Point, Option<f64>); 8]> = SmallVec::new();
        let stand_off = match self.kind {
            Kind::Infantry => 5.6,
            Kind::Artillery => 10.0,
            Kind::Skirmish | Kind::Heavy | Kind::Light => 7.0,
            Kind::Wagon => 24.0,
        };
        let to_goal = self.goal - here;
        if to_goal.length() > self.enough + 1.0 && self.pull > 0.1 {
            let ahead = to_goal.unit().map_or(self.goal, |way| self.goal - way * (self.enough * 0.8));
            all.push((ahead, None));
        }
        if self.limit == Initiative::RetreatOnly {
            let home = if field.side(self.unit) == RED { 180.0 } else { 0.0 };
            all.push((here + angle::forward(home) * 8.0, None));
            return all;
        }
        for foe in self.prey(here).iter().take(2) {
            let at = foe.body.centroid();
            let Some(way) = (here - at).unit() else { continue };
            let facing = angle::bearing_of(-way);
            let deep = foe.body.rect.depth() * 0.5;
            all.push((at + way * (stand_off + deep), Some(facing)));
            if !foe.square && foe.gain[1] > foe.gain[0] * 1.25 {
                // Round to the nearer flank.
                let right = foe.body.rect.frame().right();
                let side = if right.dot(here - at) >= 0.0 { right } else { -right };
                let off = foe.body.rect.width() * 0.5 + stand_off;
                all.push((at + side * off, Some(angle::bearing_of(-side))));
            }
        }
        // Straight on and half of it: what a line does best.
        let front = unit.place.pose();
        all.push((front.ahead(12.0).at, None));
        all.push((front.ahead(4.0).at, None));
        all
    }
}
