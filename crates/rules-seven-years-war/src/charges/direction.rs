//! From which side a charge comes, and how a charger stands that is square on to it (SYW-FLANK-01, -02).

use tricorne_table::{Point, Pose, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Aim, Direction, Unit, within};

impl SevenYearsBattle {
    /// From which side a unit charges another, by where it stands (SYW-FLANK-01, -02).
    pub(crate) fn charge_direction(&self, u: UnitIx, target: UnitIx) -> Direction {
        self.direction_from(self.unit(u), self.unit(u).pose(), target)
    }

    /// From which side a unit comes at an enemy it meets on its way: the place where its move began decides
    /// (SYW-FLANK-01).
    pub(crate) fn direction_of_move(&self, u: UnitIx, target: UnitIx) -> Direction {
        let unit = self.unit(u);
        self.direction_from(unit, unit.phase.set_out.unwrap_or_else(|| unit.pose()), target)
    }

    pub(crate) fn direction_from(&self, unit: &Unit, pose: Pose, target: UnitIx) -> Direction {
        let enemy = self.unit(target);
        if !self.has_flanks(target) {
            return Direction::Front;
        }
        let frame = enemy.frame.frame;
        let e = enemy.extent(self.info_of(enemy).depth);
        let (mut behind_front, mut all_behind_rear) = (false, true);
        let (mut centre, mut n) = (Point::ORIGIN, 0.0);
        for r in &self.rects_at(unit, pose) {
            centre += r.centre();
            n += 1.0;
            for c in r.corners() {
                let y = frame.to_local(c).y;
                behind_front |= !within(e.front - y, 0.0);
                all_behind_rear &= within(y - e.rear, 0.0);
            }
        }
        let x = frame.to_local(centre * (1.0 / f64::max(n, 1.0))).x;
        enemy.named_side(match (all_behind_rear, behind_front) {
            (true, _) => Direction::Rear,
            (false, false) => Direction::Front,
            _ if x < (e.left + e.right) * 0.5 => Direction::Left,
            _ => Direction::Right,
        })
    }

    /// The facing that sets a charger edge to edge with the attacked side of a target.
    pub(crate) fn square_on(&self, u: UnitIx, target: UnitIx, from: Direction) -> f64 {
        let enemy = self.unit(target);
        let mine = self.unit(u).facing;
        if !self.has_flanks(target) {
            // Whichever face is the least turn away.
            let mut best = mine;
            let mut least = f64::MAX;
            for k in 0..4 {
                let facing = angle::normalise(enemy.facing + f64::from(k) * 90.0);
                let turn = angle::turn(mine, facing).abs();
                if turn < least {
                    (least, best) = (turn, facing);
                }
            }
            return best;
        }
        let toward = match enemy.own_side(from) {
            Direction::Front => 180.0,
            Direction::Left => 90.0,
            Direction::Right => 270.0,
            Direction::Rear => 0.0,
        };
        angle::normalise(enemy.facing + toward)
    }

    /// The direction a declared charge counts as now: against one who has no sides any more, being in square, it is no
    /// charge on a flank (SYW-FLANK-02).
    pub(crate) fn counts_from(&self, aim: &Aim) -> Direction {
        if self.has_flanks(aim.target) { aim.from } else { Direction::Front }
    }
}
