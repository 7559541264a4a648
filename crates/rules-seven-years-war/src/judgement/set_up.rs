//! Before the battle and at the table edge: counters, sides, deployment, coming back, the facing of rallied troops.

use smallvec::SmallVec;
use tricorne_game::{Side, UnitId, Wish};
use tricorne_table::{Edge, Point, angle, round_to};

use crate::action::Action;
use crate::deployment::placing::Lot;
use crate::judgement::Weighed;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Formation, Order};
use crate::questions::Questions;
use crate::rulebook::{Arm, Class};

impl SevenYearsBattle {
    pub(crate) fn weigh_set_up(&self, question: &Questions, all: &mut Weighed) {
        match question {
            Questions::KeepCounter(q) => {
                let best = q.best(self);
                for &counter in &q.drawn {
                    let worth = if counter == best { 1.0 } else { 0.0 };
                    all.push(Action::KeepCounter { counter }, worth, ("the better man", "SYW-GEN-02"));
                }
            }
            Questions::TableSide(_) => {
                for edge in [Edge::North, Edge::South] {
                    all.push(
                        Action::Side(edge),
                        self.side_worth(edge),
                        ("the ground there", "SYW-DEPLOY-07"),
                    );
                }
            }
            Questions::KeepBack(_) => {
                // The quickest brigade can still be put where it is wanted.
                for &i in &self.brigades(self.first_to_deploy()) {
                    let (mut speed, mut n) = (0.0, 0.0);
                    for g in self.s.groups.iter().filter(|g| g.command == Some(i)) {
                        for &u in &g.units {
                            speed += self.info(u).speed;
                            n += 1.0;
                        }
                    }
                    let general = self.s.generals[usize::from(i)].id;
                    let worth = if n > 0.0 { speed / n / 20.0 } else { 0.0 };
                    all.push(
                        Action::KeepBack { general },
                        worth,
                        ("the quickest can still be put anywhere", "SYW-DEPLOY-09"),
                    );
                }
            }
            Questions::Deploy(q) => self.weigh_deployment(q.side, q.lot, true, all),
            _ => {}
        }
    }

    /// Prizes, and ground that helps those who stand on it, near one's own edge.
    fn side_worth(&self, edge: Edge) -> f64 {
        let depth = self.fixed.table.depth();
        let far = |p: Point| if edge == Edge::South { p.y } else { depth - p.y };
        let prizes: f64 = self
            .fixed
            .objectives
            .iter()
            .filter_map(|o| self.fixed.pieces.get(o.piece).map(|p| o.points * (1.0 - far(p.middle) / depth)))
            .sum();
        let hills: f64 = self
            .fixed
            .pieces
            .iter()
            .filter(|p| p.kind == crate::terrain::ground::PieceKind::Hill)
            .map(|p| 1.0 - far(p.middle) / depth)
            .sum();
        prizes / 5.0 + hills
    }

    /// Foot and guns in the middle, horse on the wings, lights outside the foot or in hiding, group by group
    /// (SYW-DEPLOY-19).
    pub(super) fn weigh_deployment(&self, side: Side, lot: Lot, hiding: bool, all: &mut Weighed) {
        all.push(Action::Done, 0.0, "the others find their own place");
        let waiting = self.units_to_deploy(side, lot);
        if let Some(&u) = waiting.first() {
            let g = self.unit(u).group;
            let begun = self.group(g).units.iter().any(|&v| self.unit(v).is_present());
            let place = if begun { self.beside_mates(u) } else { self.slot_of(g, side) };
            if hiding && !begun {
                self.weigh_secrecy(u, g, side, all);
            }
            let wish =
                Wish { action: None, unit: Some(self.unit(u).id), place, facing: None, by: Vec::new() };
            if let Some(action) = self.steer_deploy(u, lot, &wish).action {
                all.push(action, 1.0, "its place in the line");
            }
            return;
        }
        if let Some(&i) = self.generals_to_deploy(side, lot).first() {
            let place = self.behind_brigade(i, side);
            let id: UnitId = self.s.generals[usize::from(i)].id;
            let wish = Wish { action: None, unit: Some(id), place, facing: None, by: Vec::new() };
            if let Some(action) = self.steer_deploy_general(i, lot, &wish).action {
                all.push(action, 1.0, "behind his brigade");
            }
        }
    }

    /// Light foot lies hidden where it can, light horse marches round the flank where it may (SYW-DEPLOY-14, -16).
    fn weigh_secrecy(&self, u: UnitIx, g: GroupIx, side: Side, all: &mut Weighed) {
        let group = self.group(g);
        if group.units.len() != 1 || self.info(u).class != Class::Light {
            return;
        }
        match group.arm {
            Arm::Infantry => {
                let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
                for piece in self.fixed.pieces.iter().filter(|p| p.conceals) {
                    all.push(
                        Action::Hide {
                            unit: self.unit(u).id,
                            terrain: piece.id.clone(),
                            at: [round_to(piece.middle.x, 0.01), round_to(piece.middle.y, 0.01)],
                            facing,
                            formation: Formation::Line,
                        },
                        1.5,
                        ("nobody will know of it", "SYW-HIDE-01"),
                    );
                }
            }
            Arm::Cavalry => {
                let away = self.s.groups.iter().any(|o| o.side == side && o.off.is_some());
                if !away {
                    for edge in [Edge::East, Edge::West] {
                        all.push(
                            Action::FlankMarch { group: group.id, edge },
                            1.2,
                            ("round the enemy's flank", "SYW-DEPLOY-16"),
                        );
                    }
                }
            }
            Arm::Artillery => {}
        }
    }

    /// Beside the last of its group that is down.
    fn beside_mates(&self, u: UnitIx) -> Point {
        let mates: SmallVec<[UnitIx; 8]> =
            self.group_of(u).units.iter().copied().filter(|&v| self.unit(v).is_present()).collect();
        let Some(&v) = mates.last() else { return self.unit(u).at };
        let mate = self.unit(v);
        let mine = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u))
            .extent(self.info(u).depth)
            .width();
        let e = mate.extent(self.info(v).depth);
        mate.pose().to_world(Point::new(e.right + 0.5 + mine * 0.5, 0.0))
    }

    /// Where a group's first unit goes: by arm across the front, in the order the groups are named.
    fn slot_of(&self, g: GroupIx, side: Side) -> Point {
        let area = self.deployment_bounds(side);
        let south = self.s.armies[side.index().min(1)].edge == Edge::South;
        let (front, back) = if south { (area.max.y, -1.0) } else { (area.min.y, 1.0) };
        let of_arm = |h: GroupIx| {
            let group = self.group(h);
            let light = group.units.first().is_some_and(|&u| self.info(u).class == Class::Light);
            (group.arm, light && group.arm == Arm::Infantry)
        };
        let kind = of_arm(g);
        let peers: SmallVec<[GroupIx; 16]> =
            self.group_ids().filter(|&h| self.group(h).side == side && of_arm(h) == kind).collect();
        let (k, n) = (peers.iter().position(|&h| h == g).unwrap_or(0) as f64, peers.len() as f64);
        let (middle, width) = (area.centre().x, area.max.x - area.min.x);
        let spread = |share: f64| middle + (share - 0.5) * width;
        match kind {
            // Every other regiment to the other wing.
            (Arm::Cavalry, _) => {
                let rank = libm::floor(k / 2.0);
                let share = if (k as i64) % 2 == 0 { 0.12 } else { 0.88 };
                Point::new(spread(share), front + back * (1.0 + rank * 9.0))
            }
            (Arm::Artillery, _) => Point::new(spread(0.3 + 0.4 * (k + 0.5) / n), front + back * 0.1),
            (Arm::Infantry, true) => {
                let share = if (k as i64) % 2 == 0 { 0.22 } else { 0.78 };
                Point::new(spread(share), front + back * (0.1 + libm::floor(k / 2.0) * 6.0))
            }
            (Arm::Infantry, false) => {
                // Two lines: the first three fifths of the groups in front.
                let first = libm::ceil(n * 0.6);
                if k < first {
                    Point::new(spread(0.25 + 0.5 * (k + 0.2) / first), front + back * 0.1)
                } else {
                    Point::new(spread(0.3 + 0.4 * (k - first + 0.2) / (n - first)), front + back * 11.0)
                }
            }
        }
    }

    fn behind_brigade(&self, i: GeneralIx, side: Side) -> Point {
        let cinc = self.s.generals[usize::from(i)].cinc;
        let units: SmallVec<[UnitIx; 16]> = self
            .unit_ids()
            .filter(|&u| {
                self.unit(u).side == side
                    && self.unit(u).is_present()
                    && (cinc || self.group_of(u).command == Some(i))
            })
            .collect();
        let area = self.deployment_bounds(side);
        if units.is_empty() {
            return area.centre();
        }
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        self.centre_of(&units) - angle::forward(facing) * if cinc { 10.0 } else { 5.0 }
    }

    /// Comes back where it can, a flank march on the side where the enemy is worth most.
    pub(crate) fn weigh_return(&self, g: GroupIx, all: &mut Weighed) {
        all.push(Action::Done, 0.0, ("it may wait", "SYW-OFF-05"));
        let side = self.group(g).side;
        let Some(off) = self.group(g).off else { return };
        let width = self.fixed.table.width();
        let mut places: SmallVec<[Point; 2]> = SmallVec::new();
        if off.march {
            let y = self.middle_of_strip(g).y;
            if off.either || off.edge == Edge::West {
                places.push(Point::new(0.0, y));
            }
            if off.either || off.edge == Edge::East {
                places.push(Point::new(width, y));
            }
        } else {
            places.push(off.at);
        }
        for place in places {
            let worth: f64 = self
                .known_enemies(side)
                .map(|e| self.worth(e) / (10.0 + self.unit(e).at.distance(place)))
                .sum();
            let wish = Wish { action: None, unit: None, place, facing: None, by: Vec::new() };
            if let Some(action) = self.steer_return(g, &wish).action {
                all.push(action, 0.5 + worth, ("where the enemy is worth most", "SYW-DEPLOY-17"));
            }
        }
    }

    /// Rallied troops look at the nearest enemy (SYW-ROUT-17).
    pub(crate) fn weigh_facing(&self, g: GroupIx, all: &mut Weighed) {
        let members = self.members(g);
        let centre = self.centre_of(&members);
        let enemy = self
            .known_enemies(self.group(g).side)
            .filter(|&e| self.order_of(e) != Order::Rout)
            .map(|e| self.unit(e).at)
            .min_by(|a, b| a.distance_squared(centre).total_cmp(&b.distance_squared(centre)));
        let home = Self::inwards(self.s.armies[self.group(g).side.index().min(1)].edge);
        let facing = enemy.map_or(home, |at| angle::bearing(centre, at));
        all.push(Action::Face { facing: round_to(facing, 0.1) }, 1.0, "towards the enemy");
        all.push(Action::Face { facing: home }, 0.5, "towards the field");
    }
}
