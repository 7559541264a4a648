//! Line of sight (LOS), arcs and zones (M16, M17, M20).

use tricorne_drill::refuse;
use tricorne_game::Illegal;
use tricorne_table::{Bounds, Point, Segment, Shape, within};

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

impl Zone {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Zone::Front => "front",
            Zone::Flank => "flank",
            Zone::Rear => "rear",
        }
    }
}

/// What stands in a line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hidden {
    ByGround,
    ByUnit(UnitNo),
}

impl Engagement {
    /// M17: what hides one place from another, shooter and target left out: ground or a unit.
    fn hidden(
        &self,
        [shooter, target]: [UnitNo; 2],
        us: &Unit,
        them: &Unit,
        ray: [Point; 2],
    ) -> Option<Hidden> {
        let rules = self.rules();
        let [from, to] = ray;
        // ATKM-ADV-03: guns on a hill see over what stands low and far from gun and target.
        let high =
            self.options().adv_high_ground && us.kind.is_artillery() && self.land().hill_at(us.at).is_some();
        let ends = [us.at, them.centre(rules)];
        let clear_by = rules.advanced.high_ground_clear - 0.001;
        let over = |piece: &Segment| {
            high && ends.iter().all(|&end| piece.distance(end) >= clear_by) && !self.land().is_on_hill(piece)
        };
        if self.land().hides_but(from, to, over) {
            return Some(Hidden::ByGround);
        }
        let line = Bounds::of_pair(from, to);
        let blocker = self.present().find(|(no, u)| {
            let no = *no;
            // ATKM-LOS-06: friends fire through their own loose skirmishers.
            if no == shooter || no == target || (u.army == us.army && u.is_skirmish_line()) {
                return false;
            }
            if !u.reach(rules).meets(&line) {
                return false;
            }
            if high
                && self.land().hill_at(u.centre(rules)).is_none()
                && ends.iter().all(|&end| u.distance(rules, end) >= clear_by)
            {
                return false;
            }
            u.solids(rules).iter().any(|r| Shape::Rect(*r).cut_by(from, to))
        });
        blocker.map(|(no, _)| Hidden::ByUnit(no))
    }

    /// ATKM-LOS-01..03: whether a target can be seen from one place.
    pub(crate) fn judge_sight_from(
        &self,
        shooter: UnitNo,
        us: &Unit,
        target: UnitNo,
        them: &Unit,
        from: Point,
    ) -> Result<(), Illegal> {
        let rules = self.rules();
        let hidden = |to: Point| self.hidden([shooter, target], us, them, [from, to]);
        match hidden(them.centre(rules)) {
            None => {}
            Some(Hidden::ByUnit(no)) => {
                return refuse(
                    "ATKM-LOS-06",
                    format!(
                        "{} stands between; only friendly skirmishers are fired through",
                        self.unit(no).id
                    ),
                );
            }
            Some(Hidden::ByGround) => {
                return refuse("ATKM-LOS-01", format!("the centre of {} cannot be seen", them.id));
            }
        }
        let whole = them.cannon(rules).is_none_or(|c| c.corners().iter().all(|&p| hidden(p).is_none()));
        if whole {
            Ok(())
        } else {
            refuse("ATKM-LOS-02", format!("the whole cannon of {} must be seen", them.id))
        }
    }

    /// Whether a unit sees a target.
    pub(crate) fn judge_sight(
        &self,
        shooter: UnitNo,
        us: &Unit,
        target: UnitNo,
        them: &Unit,
    ) -> Result<(), Illegal> {
        let centre = self.judge_sight_from(shooter, us, target, them, us.at);
        if centre.is_ok() || self.options().los_from == LosFrom::MeasuringPoint {
            return centre;
        }
        let frame = us.frame();
        let firing = usize::from(self.firing_privates(us));
        let anybody = formations::figures(self.rules(), us.kind, us.formation, us.n, &us.spots)
            .iter()
            .take(firing)
            .any(|f| self.judge_sight_from(shooter, us, target, them, frame.to_world(f.at)).is_ok());
        if anybody { Ok(()) } else { centre }
    }

    /// M16: whether a target is in a unit's arc of fire (ATKM-FIRE-07, ATKM-FIRE-08).
    pub(crate) fn in_arc(&self, us: &Unit, them: &Unit) -> bool {
        if us.kind == Kind::Skirmisher || us.formation == Formation::Square {
            return true;
        }
        let frame = us.frame();
        let (sine, cosine) = self.rules().arc;
        let ahead = |p: Point| {
            let p = frame.to_local(p);
            p.y * sine >= p.x.abs() * cosine - 0.001
        };
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
        let behind = -d - local.y;
        if within(-local.y, 0.0) {
            Zone::Front
        } else if !within(behind, 0.0) && within(local.x.abs(), w / 2.0 + behind) {
            Zone::Rear
        } else {
            Zone::Flank
        }
    }
}
