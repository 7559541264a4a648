//! What a place is worth to a unit: whom it could hurt from there, who could hurt it, how far it is from what it wants.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose, angle};

use super::survey::{FAR, FLANK, Foe, MET, Survey, UNMET, charges, shoots};
use super::worth::Shot;
use crate::field::{Field, bits};
use crate::model::formation::{Body, Zone};
use crate::model::ground::{Going, GroundKind};
use crate::model::measure::exact;
use crate::model::{Formation, Kind, Nr};
use crate::state::{Initiative, RED};

/// What is to be said for and against standing somewhere, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outlook {
    /// What it might do to the enemy from there.
    pub hope: f64,
    /// What the enemy might do to it there, its fire kept; and with its fire spent.
    pub danger: [f64; 2],
    /// The ground.
    pub ground: f64,
    /// Out of every commander's reach.
    pub unled: f64,
    /// A column under fire, or on its way.
    pub column: f64,
    /// How far it is from where it wants to be.
    pub way: f64,
    /// Whom it has most to fear from there, and how much less the danger would be without him.
    pub worst: Option<(Nr, f64)>,
}

impl Outlook {
    /// All of it, with its fire kept or spent.
    pub fn worth(&self, kept: bool) -> f64 {
        let danger = self.danger[if kept { MET } else { UNMET }];
        self.hope - danger + self.ground - self.unled + self.column - self.way
    }

    /// What a shot takes off the danger if it drives off whom one has most to fear.
    pub fn relieved_by(&self, shot: Shot) -> f64 {
        self.worst.filter(|(nr, _)| *nr == shot.at).map_or(0.0, |(_, danger)| danger * shot.breaks)
    }
}

impl Survey {
    /// The enemy it would most like to fight, best first.
    pub(crate) fn prey(&self, from: Point) -> SmallVec<[Foe; 3]> {
        let worth = |f: &Foe| {
            let best = f.gain[UNMET].max(0.7 * f.gain[FLANK]);
            (best + 2.0) / (10.0 + from.distance(f.body.centroid()))
        };
        let mut all: SmallVec<[Foe; 16]> =
            self.foes.iter().copied().filter(|f| f.gain[FLANK] > 0.0).collect();
        all.put_in_order(|a, b| worth(b).total_cmp(&worth(a)));
        all.into_iter().take(3).collect()
    }

    /// How much the unit has to fear where it stands: what kept fire may answer.
    pub(crate) fn threat(&self, body: &Body) -> f64 {
        let near = self.foes.iter().filter(|f| f.fresh && f.kind != Kind::Artillery).map(|f| {
            let gap = body.gap(&f.body);
            if gap > 16.0 {
                return 0.0;
            }
            let able = if f.kind.is_cavalry() { charges(f.kind, gap) } else { shoots(f.kind, gap) };
            able * f.gain[MET]
        });
        near.fold(0.0, f64::max)
    }

    /// Whether any enemy is within so many inches.
    pub(crate) fn within(&self, body: &Body, far: f64) -> bool {
        self.foes.iter().any(|f| body.may_reach(&f.body, far))
    }

    /// What is to be said for and against standing so.
    pub(crate) fn outlook(&self, field: &Field, pose: Pose, formation: Formation) -> Outlook {
        let w = field.weighs();
        let body = field.p().base.body(pose, formation, self.strength);
        let centre = body.centroid();
        let column = formation == Formation::Column;
        let all_round = matches!(formation, Formation::Cloud | Formation::Square);
        let (town, wall) = field.shelter(&body);
        let (mut best, mut more) = (0.0_f64, 0.0);
        let (mut worst, mut other) = ([0.0_f64; 2], [0.0; 2]);
        let mut feared = None;
        for foe in &self.foes {
            let far = centre.distance(foe.body.centroid());
            if far > FAR {
                continue;
            }
            let gap = body.gap(&foe.body);
            let (mine, theirs) = (body.reference(), foe.body.reference());
            // What we could do to it.
            let able = field.able((self.unit, self.kind), (centre, foe.body.centroid()), gap);
            if able > 0.0 {
                let flank = !foe.all_round && foe.body.zone(mine, field.p().fire.arc.slope) != Zone::Front;
                let seen = formation == Formation::Cloud
                    || body.zone(theirs, field.p().fire.arc.slope) == Zone::Front;
                let facing = if seen { 1.0 } else { w.unseen };
                let limbered = if formation == Formation::Limbered { w.limber_hope } else { 1.0 };
                let square = formation == Formation::Square;
                let shape = limbered * if column || square { w.shape_hope } else { 1.0 };
                let gain = able * facing * shape * foe.gain[if flank { FLANK } else { MET }];
                more += gain;
                best = best.max(gain);
            }
            // What it could do to us.
            let able = field.able((foe.nr, foe.kind), (foe.body.centroid(), centre), gap);
            if able > 0.0 && foe.harm[FLANK] > 0.0 {
                // A square is there for horse and bad for everything else (VF-FIRE-17).
                let shot_up = formation == Formation::Square && !foe.kind.is_cavalry();
                let bare = column
                    || shot_up
                    || (!all_round && body.zone(theirs, field.p().fire.arc.slope) != Zone::Front);
                let ahead = foe.kind == Kind::Skirmish
                    || foe.body.zone(mine, field.p().fire.arc.slope) == Zone::Front;
                let turned = if ahead { 1.0 } else { w.turned };
                let soon = if foe.fresh { 1.0 } else { w.stale } * if foe.ordered { 1.0 } else { w.mending };
                // Cover halves what foot suffers from shot, and what anybody does from a charge.
                let cover = match self.kind == Kind::Infantry || foe.kind.is_cavalry() {
                    true if town => w.town,
                    true if wall && field.walled(&body, theirs) => w.wall,
                    _ => 1.0,
                };
                // Whoever acts only next turn finds us with our fire again.
                let met = if bare { FLANK } else { MET };
                let unmet = match () {
                    () if bare => FLANK,
                    () if foe.fresh => UNMET,
                    () => MET,
                };
                for (i, how) in [met, unmet].into_iter().enumerate() {
                    let harm = able * turned * soon * cover * foe.harm[how];
                    other[i] += harm;
                    if harm > worst[i] {
                        worst[i] = harm;
                        if i == UNMET {
                            feared = Some(foe.nr);
                        }
                    }
                }
            }
        }
        let mut danger = [0, 1].map(|i: usize| w.danger * (worst[i] + w.danger_more * (other[i] - worst[i])));
        let mut hope = w.hope * self.boldness * (best + w.hope_more * (more - best));
        let mut ground = 0.0;
        for piece in &field.b.terrain {
            if !piece.area.contains(centre) {
                continue;
            }
            match piece.kind {
                // Nobody sees far into a wood, nor out of it (VF-TERR-09).
                GroundKind::Woods => {
                    danger = danger.map(|d| d * w.town);
                    hope *= w.wood_hope;
                }
                GroundKind::Hill if self.kind == Kind::Artillery => ground += w.hill,
                _ if self.kind.is_cavalry()
                    && piece.going(field.mover(self.unit), field.o()) == Going::Half =>
                {
                    ground -= w.mire;
                }
                _ => {}
            }
        }
        let reach = f64::from(field.p().distance.command);
        let led = self.commanders.is_empty() || self.commanders.iter().any(|c| c.gap(&body) <= reach);
        let far = (field.way_from(self.unit, &self.ways, centre, self.goal).0 - self.enough).max(0.0);
        // Shot at or ridden down in column is what a column is for least (VF-FIRE-17, VF-MELEE-12); a line near the enemy
        // fights, a column travels.
        let exposed = worst[MET] > 0.5;
        let marching = match () {
            () if !column => 0.0,
            () if exposed => -w.column,
            () if far > 14.0 => w.travel,
            () => 0.0,
        };
        Outlook {
            hope,
            danger,
            ground,
            unled: if led { 0.0 } else { w.command },
            column: marching,
            way: self.pull * far,
            worst: feared.map(|nr| (nr, w.danger * (1.0 - w.danger_more) * worst[UNMET])),
        }
    }

    /// Poses worth marching to: the front of what it hunts, just beyond its reach, its flank, the goal, straight on.
    pub(crate) fn destinations(&self, field: &Field) -> SmallVec<[(Point, Option<f64>); 12]> {
        let unit = field.unit(self.unit);
        let here = unit.body.centroid();
        let mut all: SmallVec<[(Point, Option<f64>); 12]> = SmallVec::new();
        let to_goal = self.goal - here;
        if let (_, Some(corner)) = field.way_from(self.unit, &self.ways, here, self.goal) {
            all.push((corner, None));
        }
        if to_goal.length() > self.enough + 1.0 && self.pull > 0.1 {
            let ahead = to_goal.unit().map_or(self.goal, |way| self.goal - way * (self.enough * 0.8));
            all.push((ahead, None));
        }
        let home = if field.side(self.unit) == RED { 180.0 } else { 0.0 };
        if self.limit == Initiative::RetreatOnly {
            all.push((here + angle::forward(home) * 8.0, None));
            return all;
        }
        for (i, foe) in self.prey(here).iter().take(2).enumerate() {
            let at = foe.body.centroid();
            let Some(way) = (here - at).unit() else { continue };
            let facing = angle::bearing_of(-way);
            let deep = foe.body.rect.depth() * 0.5;
            let (close, off) = self.distances(foe.kind);
            all.push((at + way * (close + deep), Some(facing)));
            if i == 0 {
                all.push((at + way * (off + deep + 1.3), Some(facing)));
            }
            if !foe.all_round && foe.gain[FLANK] > foe.gain[MET] * 1.25 {
                // Round to the nearer flank.
                let right = foe.body.rect.frame().right();
                let side = if right.dot(here - at) >= 0.0 { right } else { -right };
                let wide = foe.body.rect.width() * 0.5 + close;
                all.push((at + side * wide, Some(angle::bearing_of(-side))));
            }
        }
        // Straight on and half of it: what a line does best.
        let front = unit.place.pose();
        all.push((front.ahead(12.0).at, None));
        all.push((front.ahead(4.0).at, None));
        all
    }

    /// How near a unit goes to an enemy to strike it, and how near it may stand without being struck.
    fn distances(&self, foe: Kind) -> (f64, f64) {
        let close = match self.kind {
            Kind::Infantry => 5.6,
            Kind::Artillery => 10.0,
            Kind::Skirmish => 7.0,
            Kind::Heavy | Kind::Light => 8.0,
            Kind::Wagon => 24.0,
        };
        let off = match foe {
            Kind::Infantry => 12.7,
            Kind::Skirmish => 13.6,
            Kind::Artillery => 12.2,
            Kind::Heavy => 18.5,
            Kind::Light => 21.5,
            Kind::Wagon => 2.0,
        };
        (close, off)
    }
}

impl Field {
    /// The chance that somebody of a kind can strike over a gap; horse rides through no farm.
    fn able(&self, (nr, kind): (Nr, Kind), (from, to): (Point, Point), gap: f64) -> f64 {
        if !kind.is_cavalry() {
            return shoots(kind, gap);
        }
        let able = charges(kind, gap);
        if able > 0.0 && self.is_barred(nr, from, to) { 0.0 } else { able }
    }

    /// The units of the group that acts which have still to be named.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Nr> + '_ {
        bits(self.s.group.as_ref().map_or(0, |g| g.left))
    }

    /// How far a unit's nearest enemy is, in inches.
    pub(crate) fn enemy_gap(&self, u: Nr) -> f64 {
        self.nearest_enemy(self.side(u), &self.unit(u).body).map_or(60.0, |(_, gap)| exact(gap))
    }
}
