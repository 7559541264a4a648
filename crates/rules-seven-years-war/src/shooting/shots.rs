//! Sub-phases 3 and 4: who may shoot at whom, with what, and what is added to the die (SYW-SHOOT).

use arrayvec::ArrayVec;
use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::{Reasons, Refusal, Unread, deny};
use tricorne_game::{Illegal, Side, UnitId};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Formation, GaveWay, MOST_STANDS, Order, SubPhase, within};
use crate::options::{FallbackNoShootSpan, LightsSecondShot, MovedSpan, ShotDie};
use crate::rulebook::{Arm, Class, Cover, Weapon, cm, count};

/// Stands that shoot.
pub type Stands = ArrayVec<u8, MOST_STANDS>;

/// A range band (T2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    Short,
    Long,
    Extreme,
}

impl Band {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Extreme => "extreme",
        }
    }
}

/// Whom a shot is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Mark {
    Unit(UnitIx),
    General(GeneralIx),
}

/// A shot judged and ready.
#[derive(Clone, Debug)]
pub struct Shot {
    pub unit: UnitIx,
    pub mark: Mark,
    pub stands: Stands,
    pub range: f64,
    pub band: Band,
}

impl SevenYearsBattle {
    /// The side that shoots now.
    pub(crate) fn shooting_side(&self) -> Side {
        if self.s.step == SubPhase::Reply { self.s.phasing.enemy() } else { self.s.phasing }
    }

    /// Whether a unit may shoot at all in this sub-phase.
    pub(crate) fn may_shoot(&self, u: UnitIx) -> Result<(), Illegal> {
        self.may_shoot_as(u)
    }

    /// The same for those who do not ask why.
    pub(crate) fn can_shoot(&self, u: UnitIx) -> bool {
        self.may_shoot_as::<Unread>(u).is_ok()
    }

    fn may_shoot_as<E: Refusal>(&self, u: UnitIx) -> Result<(), E> {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let group = self.group(unit.group);
        let id = unit.id;
        if !unit.is_present() {
            return deny("SYW-SHOOT-04", || format!("{id} is not on the table"));
        }
        if self.fixed.book.ranges(info.weapon).greatest() <= 0.0 {
            return deny("SYW-SHOOT-01", || format!("{id} has nothing to shoot with"));
        }
        if unit.surrendered || group.order == Order::Rout {
            return deny("SYW-SHOOT-53", || format!("{id} has run or surrendered and does not shoot"));
        }
        if self.in_melee(u) {
            return deny("SYW-SHOOT-52", || format!("{id} is in melee and does not shoot"));
        }
        if unit.phase.turned_now && info.arm != Arm::Artillery {
            return deny("SYW-SHOOT-36", || {
                format!("{id} turned to meet a charge and has lost its shooting")
            });
        }
        if info.weapon.is_gun() {
            if self.order_of(u) != Order::Stand {
                return deny("SYW-SHOOT-34", || format!("{id} shoots on Stand orders only"));
            }
            if unit.phase.moved || unit.moved_before || unit.phase.turned_now {
                return deny("SYW-SHOOT-33", || {
                    format!("{id} moved or pivoted in this phase or the one before")
                });
            }
        }
        let fell = group.phase.fell_back > 0.0 || group.phase.evaded;
        let span = self.fixed.options.fallback_no_shoot_span;
        let of_before = group
            .gave_way_before
            .filter(|_| span == FallbackNoShootSpan::GameTurn && self.s.phasing != self.s.attacker);
        if fell || of_before.is_some() {
            // SYW-EVADE-12: horse with bows that evaded, be it in the phase before.
            let evaded = if fell { group.phase.evaded } else { of_before == Some(GaveWay::Evaded) };
            if !(info.weapon == Weapon::MountedBow && evaded) {
                return deny("SYW-SHOOT-55", || format!("{id} fell back in this phase and does not shoot"));
            }
        }
        if group.phase.charging && !self.fixed.options.chargers_shoot {
            return deny("SYW-SHOOT-54", || format!("{id} charges and does not shoot"));
        }
        // SYW-SHOOT-48: better than going to Retreat. Who was on Retreat before and stood the charge may shoot.
        if unit.phase.charged && group.phase.shrank && self.s.step == SubPhase::Reply {
            return deny("SYW-SHOOT-48", || format!("{id} gives way before the charge and does not shoot"));
        }
        if self.shots_left(u) == 0 {
            let clause = if unit.phase.shots == u8::MAX {
                "SYW-VIS-05"
            } else if self.is_light_shooter(u) && usize::from(unit.phase.shots) < unit.strength() {
                "SYW-SHOOT-24"
            } else {
                "SYW-SHOOT-04"
            };
            return deny(clause, || format!("{id} has shot with every stand it may"));
        }
        Ok(())
    }

    pub(crate) fn is_light_shooter(&self, u: UnitIx) -> bool {
        self.info(u).class == Class::Light
    }

    /// Shots a unit may still make in this phase (SYW-SHOOT-04, -24).
    pub(crate) fn shots_left(&self, u: UnitIx) -> usize {
        let unit = self.unit(u);
        let fresh = (0..unit.strength()).filter(|i| unit.phase.shot & (1 << i) == 0).count();
        if fresh == 0 {
            return 0;
        }
        if self.is_light_shooter(u) {
            let most = match self.fixed.options.lights_second_shot {
                LightsSecondShot::ShotPerPair => unit.strength().div_ceil(2),
                LightsSecondShot::TwoShots | LightsSecondShot::SecondShotNoExtra => {
                    count(self.fixed.book.charts.counts.lights_shots)
                }
            };
            return most.saturating_sub(usize::from(unit.phase.shots));
        }
        fresh
    }

    /// How many stands may go into one shot (SYW-SHOOT-24).
    pub(crate) fn most_stands(&self, u: UnitIx) -> usize {
        if !self.is_light_shooter(u) {
            return MOST_STANDS;
        }
        match self.fixed.options.lights_second_shot {
            LightsSecondShot::SecondShotNoExtra if self.unit(u).phase.shots > 0 => 1,
            _ => self.most_stands_of_lights(),
        }
    }

    /// Judges a shot; no stands given means all that can.
    pub(crate) fn judge_shot(&self, u: UnitIx, mark: Mark, stands: &[u8]) -> Result<Shot, Illegal> {
        self.judge_shot_as(self.shooting_side(), u, mark, stands)
    }

    /// A shot with all stands that can, for those who do not ask why there is none.
    pub(crate) fn shot_at(&self, u: UnitIx, mark: Mark) -> Option<Shot> {
        self.shot_of(self.shooting_side(), u, mark)
    }

    /// The same for a side that shoots out of its turn (SYW-VIS-04).
    pub(crate) fn shot_of(&self, side: Side, u: UnitIx, mark: Mark) -> Option<Shot> {
        self.judge_shot_as::<Unread>(side, u, mark, &[]).ok()
    }

    fn judge_shot_as<E: Refusal>(&self, side: Side, u: UnitIx, mark: Mark, stands: &[u8]) -> Result<Shot, E> {
        if self.unit(u).side != side {
            return deny("SYW-SEQ-02", || format!("{} is not of the side that shoots now", self.unit(u).id));
        }
        self.may_shoot_as::<E>(u)?;
        let target_rects = self.target_rects::<E>(u, mark)?;
        let wanted: SmallVec<[u8; 10]> = if stands.is_empty() {
            (0..self.unit(u).strength() as u8).collect()
        } else {
            stands.iter().copied().collect()
        };
        let mut found = Stands::new();
        let mut ranges: ArrayVec<f64, MOST_STANDS> = ArrayVec::new();
        let mut why: Option<E> = None;
        for &i in &wanted {
            if found.contains(&i) {
                return deny("SYW-SHOOT-04", || format!("stand {i} is named twice"));
            }
            match self.stand_shot::<E>(u, usize::from(i), mark, &target_rects) {
                Ok(range) => {
                    found.push(i);
                    ranges.push(range);
                }
                // The front rank's reason says more than that the rear rank does not shoot.
                Err(_) if stands.is_empty() && self.rear_holds_fire(u, usize::from(i)) => {}
                Err(e) if stands.is_empty() => {
                    why.get_or_insert(e);
                }
                Err(e) => return Err(e),
            }
        }
        if found.is_empty() {
            let blind =
                || E::of("SYW-SHOOT-37", || format!("no stand of {} has a clear shot", self.unit(u).id));
            return Err(why.unwrap_or_else(blind));
        }
        self.one_shot_a_target::<E>(u, mark)?;
        let most = self.most_stands(u);
        if found.len() > most {
            if !stands.is_empty() {
                return deny("SYW-SHOOT-24", || {
                    format!("{} counts {most} stands at most in one shot", self.unit(u).id)
                });
            }
            found.truncate(most);
            ranges.truncate(most);
        }
        let nearest = ranges.into_iter().fold(f64::MAX, f64::min);
        let Some(band) = band_of(nearest, self.fixed.book.ranges(self.info(u).weapon)) else {
            return deny("SYW-SHOOT-01", || format!("the target is {nearest:.1} cm away, out of range"));
        };
        if self.info(u).weapon.is_gun() {
            self.gun_choice::<E>(u, mark)?;
        }
        Ok(Shot { unit: u, mark, stands: found, range: nearest, band })
    }

    /// All the stands of a unit that shoot at one target are one shot (SYW-SHOOT-02); only lights shoot at it again, with
    /// stands beyond their first two (SYW-SHOOT-24).
    fn one_shot_a_target<E: Refusal>(&self, u: UnitIx, mark: Mark) -> Result<(), E> {
        let again = self.unit(u).phase.shot_at.contains(&mark);
        if !again || self.fixed.options.shot_die == ShotDie::PerStand {
            return Ok(());
        }
        let lights = self.is_light_shooter(u);
        if lights && self.unit(u).phase.shot.count_ones() as usize >= self.most_stands_of_lights() {
            return Ok(());
        }
        let clause = if lights { "SYW-SHOOT-24" } else { "SYW-SHOOT-02" };
        deny(clause, || {
            format!(
                "{} has shot at {} in this phase; name all the stands at once",
                self.unit(u).id,
                self.mark_name(mark)
            )
        })
    }

    /// What a target is called.
    pub(crate) fn mark_name(&self, mark: Mark) -> UnitId {
        match mark {
            Mark::Unit(t) => self.unit(t).id,
            Mark::General(i) => self.general(i).id,
        }
    }

    fn most_stands_of_lights(&self) -> usize {
        count(self.fixed.book.charts.counts.lights_stands)
    }

    /// The modifiers of a shot at a unit.
    pub(crate) fn shot_sums(&self, u: UnitIx, t: UnitIx, stands: usize, range: f64, band: Band) -> Reasons {
        self.shot_sums_if(u, t, stands, range, band, None)
    }

    /// The same, as if it shot standing fast, or not.
    pub(crate) fn shot_sums_if(
        &self,
        u: UnitIx,
        t: UnitIx,
        stands: usize,
        range: f64,
        band: Band,
        steady: Option<bool>,
    ) -> Reasons {
        let chart = &self.fixed.book.charts.shot_modifiers;
        let (unit, info) = (self.unit(u), self.info(u));
        let (target, tinfo) = (self.unit(t), self.info(t));
        let mut sums = Reasons::new();
        let gun = info.weapon.is_gun();
        match band {
            Band::Extreme => sums.line(&chart.extreme_range),
            Band::Long => sums.line(&chart.long_range),
            Band::Short => {}
        }
        sums.line_if(info.poor_shots, &chart.poor_shots);
        if !gun {
            let moved = match self.fixed.options.moved_span {
                MovedSpan::CurrentPhase => unit.phase.moved,
                MovedSpan::OwnLastMove => unit.phase.moved || (unit.side != self.s.phasing && unit.moved_own),
            };
            let not_stand = self.order_of(u) != Order::Stand;
            let lines = match steady {
                Some(steady) => i32::from(!steady),
                None if self.fixed.options.or_lines_stack => i32::from(moved) + i32::from(not_stand),
                None => i32::from(moved || not_stand),
            };
            let why = if not_stand { "not on Stand" } else { "moved" };
            sums.add(lines * chart.unsteady.value, why, chart.unsteady.clause);
        }
        let cover = self.unit_cover(t, u);
        match (cover, gun) {
            (Cover::Soft, false) => sums.line(&chart.soft_cover),
            (Cover::Hard, false) => {
                sums.add(self.fixed.options.hard_cover_small_arms, "hard cover", "SYW-SHOOT-14");
            }
            (Cover::Hard, true) => sums.line_if(
                matches!(info.weapon, Weapon::LightGun | Weapon::MediumGun),
                &chart.hard_cover_from_guns,
            ),
            _ => {}
        }
        sums.line_if(tinfo.kind.is_light_infantry(), &chart.light_target);
        sums.line_if(info.kind.is_light_infantry() || info.kind.is_light_cavalry(), &chart.lights);
        if self.is_disordered_against(u, t) {
            sums.add(chart.disordered.value, self.disordered_how(u), chart.disordered.clause);
        }
        // Stands that turned to face a charge stand in a column as well (SYW-MODEL-14); a battery never does.
        let dense = match target.formation {
            Formation::Column1 | Formation::Column2 | Formation::Square => true,
            Formation::Turned => tinfo.arm != Arm::Artillery,
            Formation::Line | Formation::DeepLine | Formation::Routed => false,
        };
        sums.line_if(gun && info.weapon != Weapon::Howitzer && dense, &chart.dense_target);
        sums.line_if(gun && within(range, cm(self.distances().guns_close)), &chart.guns_close);
        let muskets = matches!(info.weapon, Weapon::Musket | Weapon::MilitiaMusket);
        sums.line_if(
            muskets && info.class == Class::Massed && (!unit.fired || unit.phase.first_fire),
            &chart.first_shooting,
        );
        sums.line_if(muskets && band == Band::Short, &chart.muskets_short);
        if self.fixed.options.shot_die == ShotDie::PerUnitAndTarget {
            sums.line_count(stands.saturating_sub(1) as i32, &chart.extra_stand, "an extra stand");
        }
        sums
    }
}

/// The band a range falls in; none beyond the greatest.
pub(crate) fn band_of(range: f64, ranges: &crate::rulebook::Ranges) -> Option<Band> {
    if ranges.short.is_some_and(|s| within(range, s)) {
        Some(Band::Short)
    } else if ranges.long.is_some_and(|l| within(range, l)) {
        Some(Band::Long)
    } else if ranges.extreme.is_some_and(|e| within(range, e)) {
        Some(Band::Extreme)
    } else {
        None
    }
}
