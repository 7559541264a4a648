//! Giving ground by a morale result: which way, and how far (SYW-MORALE-34, -41, -43).

use smallvec::SmallVec;
use tricorne_game::Log;
use tricorne_table::{Point, angle};

use crate::action::Leg;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Direction, Unit};
use crate::morale::disorder::Disorder;
use crate::morale::tests::Test;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop};

/// Troops that go back within so many degrees of straight back go backwards; others go sideways, or on.
const BACKWARDS: f64 = 45.0;

impl SevenYearsBattle {
    /// The way some enemies go, as a bearing: with several the mean of theirs.
    fn mean_way(ways: impl Iterator<Item = f64>) -> Option<f64> {
        let sum = ways.fold(Point::ORIGIN, |sum, way| sum + angle::forward(way));
        (sum.length() > 1e-6).then(|| angle::normalise(angle::bearing(Point::ORIGIN, sum)))
    }

    /// The line of a charge, as a bearing (SYW-ROUT-02, SYW-MORALE-43).
    pub(crate) fn line_of_charge(&self, aims: &[Aim]) -> Option<f64> {
        Self::mean_way(aims.iter().map(|a| self.unit(a.unit).facing + a.wheel))
    }

    /// All that are aimed at a group by charges still to come home.
    pub(crate) fn charges_at(&self, g: GroupIx) -> SmallVec<[Aim; 4]> {
        let charging = self.s.groups.iter().filter(|o| o.phase.charging);
        charging
            .flat_map(|o| o.phase.aims.iter().copied())
            .filter(|a| self.unit(a.target).group == g)
            .collect()
    }

    /// The way a group runs (SYW-ROUT-01, -02): along the charge, or as its enemies in contact face; none is away from
    /// the nearest enemy.
    pub(crate) fn way_off(&self, g: GroupIx, test: Test, aims: &[Aim]) -> Option<f64> {
        match test {
            Test::BeingCharged => self.line_of_charge(aims),
            Test::Melee => {
                let mut foes: SmallVec<[UnitIx; 8]> =
                    self.members(g).iter().flat_map(|&u| self.opponents(u)).collect();
                foes.sort_unstable();
                foes.dedup();
                Self::mean_way(foes.iter().map(|&e| self.unit(e).facing))
            }
            // Whose charge is still to come home (SYW-CHARGE-10).
            Test::Casualties => self.line_of_charge(&self.charges_at(g)),
            Test::Charging | Test::Seeing | Test::Rally => None,
        }
    }

    /// The way a group falls back that was met in flank or rear only (SYW-MORALE-43); none is straight back.
    pub(crate) fn way_back(&self, g: GroupIx, test: Test, aims: &[Aim]) -> Option<f64> {
        match test {
            Test::BeingCharged if aims.iter().all(|a| a.from != Direction::Front) => {
                self.line_of_charge(aims)
            }
            Test::Melee => {
                let met = &self.group(g).phase.met;
                let aside = met.iter().all(|&(from, _)| from != Direction::Front);
                if aside { Self::mean_way(met.iter().map(|&(_, way)| way)) } else { None }
            }
            _ => None,
        }
    }

    /// Falls back by a morale result, in full whatever the ground (SYW-MODEL-34): only enemies, ground that may not be
    /// entered and the edge cut it short.
    pub(crate) fn fall_back(&mut self, g: GroupIx, distance: f64, way: Option<f64>, log: &mut Log) {
        let members = self.members(g);
        if members.is_empty() {
            return;
        }
        let beside = self.generals_beside(g);
        self.group_mut(g).phase.fled = true;
        let facing = self.group_facing(g);
        // Within half a right angle of straight back it goes backwards, and the badly drilled turn about.
        let backwards = way.is_none_or(|w| angle::turn(facing + 180.0, w).abs() <= BACKWARDS);
        let leg = |length: f64| match way {
            None => Leg::Back(length),
            Some(bearing) => {
                let way = angle::forward(bearing) * length;
                Leg::Shift([way.x, way.y])
            }
        };
        let heed = Heed { back: 1.0, stop_at_enemies: true, ..Heed::default() };
        let walkers = |battle: &Self| -> Movers {
            members.iter().map(|&u| Mover::new(battle, u, f64::INFINITY)).collect()
        };
        let mut movers = walkers(self);
        let Ok(mut walked) = self.walk(&mut movers, &[leg(distance)], &heed, &mut Dice::none()) else {
            return;
        };
        let mut length = movers.first().map_or(0.0, |m| m.gone);
        let mut blocked = matches!(walked.stop, Some(Stop::Enemy(_) | Stop::Barred));
        let mut because = match walked.stop {
            Some(Stop::Enemy(_)) => Some("for the enemy stood in the way"),
            Some(Stop::Barred) => Some("for the ground barred the way"),
            Some(Stop::Ambush(..)) => Some("for hidden enemies lay in the way"),
            _ => None,
        };
        let lurking = match walked.stop {
            Some(Stop::Ambush(hidden, mover)) => Some((hidden, mover)),
            _ => None,
        };
        let lights = members.iter().all(|&u| !self.is_massed(u));
        // Friends do not cut it short (SYW-MODEL-34): where it ends part way through them, stands are set beside them
        // (SYW-INTER-09).
        let rests = !walked.left_table && self.resting_on(&movers, self.group(g).side).is_some();
        if rests && lurking.is_none() {
            self.set_aside(&mut movers, &walked);
        }
        // Not resting on anybody: it stops short of whom it cannot clear.
        while !walked.left_table && self.resting_on(&movers, self.group(g).side).is_some() && length > 0.0 {
            length = (length - 0.5).max(0.0);
            movers = walkers(self);
            match self.walk(&mut movers, &[leg(length)], &heed, &mut Dice::none()) {
                Ok(again) => walked = again,
                Err(_) => break,
            }
            // SYW-INTER-03: lights who do not get past friends are in order; only enemies and the ground bar them.
            blocked |= !lights && lurking.is_none();
            because = because.or(Some("for others stood in the way"));
        }
        let told = tricorne_table::round_to(length, 0.01);
        log.say(|| {
            self.measured_event("fall_back", "SYW-MORALE-34", g)
                .outcome(if told < 0.05 { "stays" } else { "back" })
                .with("distance", told)
                .with("because", because)
        });
        if walked.left_table {
            self.leave_by(g, &movers, log); // SYW-OFF-03
            self.ask_along(g, &beside);
            return;
        }
        self.group_mut(g).phase.pinned = length < 0.01;
        let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
            walked.through.iter().copied().filter(|(_, f)| !members.contains(f)).collect();
        let badly = members.iter().any(|&u| self.info(u).drill == crate::rulebook::Drill::Badly);
        for m in movers {
            let info = self.info(m.u);
            let mut new: Unit = m.new;
            if new.turned.is_some() {
                new = self.unturned(&new);
            }
            if badly && backwards {
                new = crate::model::stands::turned_about(&new, info);
            }
            new.phase.moved = true;
            let u = m.u;
            self.put_as(u, new);
            self.push_generals(u, log);
        }
        self.unstack(&members);
        if let Some((hidden, mover)) = lurking {
            let way = way.unwrap_or(facing + 180.0);
            self.then_goes_on(g, Rest::FallBack { left: distance - length, way });
            self.ambushed(hidden, mover);
        }
        self.ask_along(g, &beside);
        self.passages(&passed, log);
        if blocked {
            for u in self.members(g) {
                self.disorder(u, Disorder::FallBackBarred, log);
            }
        }
        self.sync_contacts();
        self.reveal_by_sight(log);
    }
}
