//! Line of sight (LOS), arcs and zones (M16, M17, M20).

use tricorne_table::{Bounds, Point, Shape};

use crate::field::Engagement;
use crate::formations::{self, Formation};
use crate::options::{ArcTest, LosFrom};
use crate::rulebook::Kind;
use crate::state::{Unit, UnitNo};

/// From where a unit is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    Front,
    Flank,
    Rear,
}

impl Engagement {
    /// M17: whether a straight line is clear, shooter and target left out.
    fn visible(&self, shooter: UnitNo, target: UnitNo, from: Point, to: Point) -> bool {
        let rules = self.rules();
        let us = self.unit(shooter);
        let high = self.options().adv_high_ground.is_on()
            && us.kind.is_artillery()
            && self.land().hill_at(us.at).is_some();
        if self.land().hides(from, to) {
            return false;
        }
        let line = Bounds::of_pair(from, to);
        let clear_by = rules.advanced.high_ground_clear;
        !self.present().any(|(no, u)| {
            // ATKM-LOS-06: friends fire through their own loose skirmishers.
            if no == shooter || no == target || (u.army == us.army && u.is_skirmish_line()) {
                return false;
            }
            if !u.reach(rules).meets(&line) {
                return false;
            }
            // ATKM-ADV-03: guns on a hill see over what stands low and far from both ends.
            if high
                && self.land().hill_at(u.centre(rules)).is_none()
                && u.distance(rules, from) >= clear_by - 0.001
                && u.distance(rules, to) >= clear_by - 0.001
            {
                return false;
            }
            u.solids(rules).iter().any(|r| Shape::Rect(*r).cut_by(from, to))
        })
    }

    /// ATKM-LOS-01..03: whether a unit sees a target, from one place.
    fn sees_from(&self, shooter: UnitNo, target: UnitNo, from: Point) -> bool {
        let rules = self.rules();
        let them = self.unit(target);
        if !self.visible(shooter, target, from, them.centre(rules)) {
            return false;
        }
        // ATKM-LOS-02: the whole cannon.
        them.cannon(rules).is_none_or(|c| c.corners().iter().all(|&p| self.visible(shooter, target, from, p)))
    }

    /// Whether a unit sees a target.
    pub(crate) fn sees(&self, shooter: UnitNo, target: UnitNo) -> bool {
        let us = self.unit(shooter);
        match self.options().los_from {
            LosFrom::MeasuringPoint => self.sees_from(shooter, target, us.at),
            LosFrom::AnyFigure => {
                let frame = us.frame();
                let firing = usize::from(self.firing_privates(us));
                formations::figures(self.rules(), us.kind, us.formation, us.n, &us.spots)
                    .iter()
                    .take(firing)
                    .any(|f| self.sees_from(shooter, target, frame.to_world(f.at)))
            }
        }
    }

    /// M16: whether a target is in a unit's arc of fire (ATKM-FIRE-07, ATKM-FIRE-08).
    pub(crate) fn in_arc(&self, us: &Unit, them: &Unit) -> bool {
        if us.kind == Kind::Skirmisher || us.formation == Formation::Square {
            return true;
        }
        let frame = us.frame();
        let ahead = |p: Point| frame.to_local(p).y >= -0.001;
        match self.options().arc_test {
            ArcTest::Centre => ahead(them.centre(self.rules())),
            ArcTest::AnyFigure => {
                them.solids(self.rules()).iter().any(|r| r.corners().iter().any(|&c| ahead(c)))
            }
        }
    }

    /// M20: the side of a target that a place lies on.
    pub(crate) fn zone(&self, target: &Unit, from: Point) -> Zone {
        if target.is_mob() || target.is_skirmish_line() || target.formation == Formation::Square {
            return Zone::Front;
        }
        let (w, d) = target.extent(self.rules());
        let local = target.frame().to_local(from);
        if local.y >= -1e-6 {
            Zone::Front
        } else if local.y < -d && local.x.abs() <= w / 2.0 + (-d - local.y) + 1e-6 {
            Zone::Rear
        } else {
            Zone::Flank
        }
    }
}
