//! The battle on the table: who is there, and how he stands.

use std::sync::Arc;

use tricorne_game::{InOrder, Side, UnitId};

use crate::generals::counters::General;
use crate::judgement::OfficersMind;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Fixed, Group, Groups, OPEN, Order, Presence, State, Unit, UnitInfo, Units};
use crate::rulebook::{Arm, Class, Distances, Grade, makes_up};

/// A battle of these rules.
#[derive(Clone, Debug)]
pub struct SevenYearsBattle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) s: State,
    /// What the judgement of programs goes by; no rule looks at it.
    pub(crate) mind: Arc<OfficersMind>,
}

impl SevenYearsBattle {
    pub(crate) fn unit(&self, u: UnitIx) -> &Unit {
        &self.s.units[usize::from(u)]
    }

    pub(crate) fn unit_mut(&mut self, u: UnitIx) -> &mut Unit {
        &mut self.s.units[usize::from(u)]
    }

    pub(crate) fn group(&self, g: GroupIx) -> &Group {
        &self.s.groups[usize::from(g)]
    }

    pub(crate) fn group_mut(&mut self, g: GroupIx) -> &mut Group {
        &mut self.s.groups[usize::from(g)]
    }

    pub(crate) fn general(&self, i: GeneralIx) -> &General {
        &self.s.generals[usize::from(i)]
    }

    pub(crate) fn general_mut(&mut self, i: GeneralIx) -> &mut General {
        &mut self.s.generals[usize::from(i)]
    }

    /// The chart of distances.
    pub(crate) fn distances(&self) -> &Distances {
        &self.fixed.book.charts.distances
    }

    pub(crate) fn info(&self, u: UnitIx) -> &UnitInfo {
        self.info_of(self.unit(u))
    }

    pub(crate) fn info_of(&self, unit: &Unit) -> &UnitInfo {
        &self.fixed.infos[usize::from(unit.info)]
    }

    pub(crate) fn group_of(&self, u: UnitIx) -> &Group {
        self.group(self.unit(u).group)
    }

    /// The order a unit acts on (SYW-BREAK-11 apart, that of its group).
    pub(crate) fn order_of(&self, u: UnitIx) -> Order {
        let unit = self.unit(u);
        if unit.on_stand { Order::Stand } else { self.group(unit.group).order }
    }

    pub(crate) fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitIx> + Clone + use<> {
        UnitIx::first(self.s.units.len())
    }

    pub(crate) fn group_ids(&self) -> impl DoubleEndedIterator<Item = GroupIx> + Clone + use<> {
        GroupIx::first(self.s.groups.len())
    }

    pub(crate) fn find_unit(&self, id: UnitId) -> Option<UnitIx> {
        self.s.units.iter().position(|u| u.id == id).map(UnitIx::of)
    }

    pub(crate) fn find_group(&self, id: UnitId) -> Option<GroupIx> {
        self.s.groups.iter().position(|g| g.id == id).map(GroupIx::of)
    }

    /// A unit by its name, as far as whoever is asked may know of it: a hidden enemy is refused as one that does not exist
    /// (SYW-LOS-09, SYW-SHOOT-58).
    pub(crate) fn known_unit(&self, id: UnitId) -> Option<UnitIx> {
        self.find_unit(id).filter(|&u| self.unit(u).side == self.asked() || !self.is_secret(u))
    }

    /// A group by its name, likewise.
    pub(crate) fn known_group(&self, id: UnitId) -> Option<GroupIx> {
        self.find_group(id).filter(|&g| self.group(g).side == self.asked() || !self.is_secret_group(g))
    }

    pub(crate) fn find_general(&self, id: UnitId) -> Option<GeneralIx> {
        self.s.generals.iter().position(|g| g.id == id).map(GeneralIx::of)
    }

    /// Enemy units everybody knows of (SYW-ORDER terms: known enemy).
    pub(crate) fn known_enemies(&self, side: Side) -> impl Iterator<Item = UnitIx> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).side != side && self.unit(u).is_known())
    }

    /// How much of its move a unit has used in this phase: each pays from its own (SYW-CHARGE-05).
    pub(crate) fn used(&self, u: UnitIx) -> f64 {
        (self.group_of(u).phase.used - self.unit(u).phase.spare).max(0.0)
    }

    /// Units of a side on the table.
    pub(crate) fn present(&self, side: Side) -> impl Iterator<Item = UnitIx> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).side == side && self.unit(u).is_present())
    }

    /// Units of a group still on the table, detached stands not among them.
    pub(crate) fn members(&self, g: GroupIx) -> Units {
        self.group(g).units.iter().copied().filter(|&u| self.unit(u).is_present()).collect()
    }

    /// Those of them whom everybody sees: the hidden lie where they are, on Stand (SYW-HIDE-09).
    pub(crate) fn shown(&self, g: GroupIx) -> Units {
        self.members(g).into_iter().filter(|&u| self.unit(u).is_known()).collect()
    }

    /// Groups of a side with somebody on the table.
    pub(crate) fn groups_of(&self, side: Side) -> Groups {
        self.group_ids()
            .filter(|&g| self.group(g).side == side && self.group(g).off.is_none())
            .filter(|&g| self.group(g).units.iter().any(|&u| self.unit(u).is_present()))
            .collect()
    }

    /// Groups in the order of SYW-SEQ-07: the phasing side's first, then by name.
    pub(crate) fn in_order(&self, groups: &mut Groups) {
        let phasing = self.s.phasing;
        groups.put_in_order(|&a, &b| {
            let (x, y) = (self.group(a), self.group(b));
            (x.side != phasing).cmp(&(y.side != phasing)).then_with(|| name_order(&x.id, &y.id))
        });
        groups.dedup();
    }

    /// Units by name.
    pub(crate) fn units_in_order(&self, units: &mut Units) {
        units.put_in_order(|&a, &b| name_order(&self.unit(a).id, &self.unit(b).id));
        units.dedup();
    }

    /// Whether a unit is disordered, by whatever cause (SYW-DIS).
    pub(crate) fn is_disordered(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        unit.disordered || self.in_bad_ground(u) || self.order_of(u) == Order::Rout
    }

    /// In ground that disorders it (SYW-TERR-09), or fighting across some (SYW-MELEE-34).
    pub(crate) fn in_bad_ground(&self, u: UnitIx) -> bool {
        self.in_bad_ground_against(u, None)
    }

    pub(crate) fn in_bad_ground_against(&self, u: UnitIx, enemy: Option<UnitIx>) -> bool {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        unit.is_present()
            && (self.fixed.disorders(self.ground_of(u, enemy), info)
                || (info.class == Class::Massed && self.fights_across(u)))
    }

    /// Whether a unit is disordered in what it does against an enemy (SYW-TERR-19).
    pub(crate) fn is_disordered_against(&self, u: UnitIx, enemy: UnitIx) -> bool {
        let unit = self.unit(u);
        unit.disordered || self.in_bad_ground_against(u, Some(enemy)) || self.order_of(u) == Order::Rout
    }

    /// What a unit in disorder suffers from: what it went through, or only the ground it is in.
    pub(crate) fn disordered_how(&self, u: UnitIx) -> &'static str {
        let lasting = self.unit(u).disordered || self.order_of(u) == Order::Rout;
        if lasting { "disordered" } else { "disordered by the ground" }
    }

    /// Massed by formation class.
    pub(crate) fn is_massed(&self, u: UnitIx) -> bool {
        self.info(u).class == Class::Massed
    }

    /// Whether a group reads the lights' lines of T7 (SYW-GROUP-05, SYW-MORALE-39).
    pub(crate) fn tests_as_lights(&self, g: GroupIx) -> bool {
        use crate::options::MixedGroupClass;
        let (mut light, mut massed) = (0, 0);
        for &u in &self.members(g) {
            match self.info(u).tests_as {
                Class::Light => light += self.unit(u).strength(),
                Class::Massed => massed += self.unit(u).strength(),
            }
        }
        match self.fixed.options.mixed_group_class {
            MixedGroupClass::LightsIfAny | MixedGroupClass::ForbidMixing => light > 0,
            MixedGroupClass::MajorityOfStands => light > massed,
        }
    }

    /// A group's morale grade (SYW-GROUP-04).
    pub(crate) fn group_grade(&self, g: GroupIx) -> Grade {
        let members = self.members(g);
        if members.iter().any(|&u| self.info(u).morale == Grade::Poor) {
            Grade::Poor
        } else if !members.is_empty() && members.iter().all(|&u| self.info(u).morale == Grade::High) {
            Grade::High
        } else {
            Grade::Normal
        }
    }

    /// Stands the group started with and has now (SYW-MORALE-19, -20, SYW-MOVE-19).
    pub(crate) fn group_strength(&self, g: GroupIx) -> (u32, u32) {
        let group = self.group(g);
        let (mut started, mut left) = (u32::from(group.ghosts_started), 0);
        for &u in &group.units {
            let unit = self.unit(u);
            started += u32::from(unit.started);
            if unit.presence != Presence::Gone {
                left += unit.strength() as u32;
            }
        }
        (started, left)
    }

    /// Whether a unit may never be massed-in-open: neither cover nor type 1 or above (SYW-TERR-16).
    pub(crate) fn in_open(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        (unit.frame.ground == OPEN || unit.frame.ground == 0) && !self.in_area_cover(u)
    }

    /// Whether at least half of a unit's stands stand in an area that gives cover, or behind a line that does
    /// against an enemy straight ahead.
    pub(crate) fn in_area_cover(&self, u: UnitIx) -> bool {
        let ahead = self.unit(u).pose().ahead(20.0).at;
        let n = self.unit(u).strength();
        let covered = (0..n)
            .filter(|&i| {
                self.fixed.cover_of(&self.rect(u, i), ahead, |_| true) != crate::rulebook::Cover::None
            })
            .count();
        makes_up(self.fixed.book.charts.shares.covered, covered, n)
    }

    /// Whether at least half of a unit's stands are uphill of another's centre (SYW-MODEL-25).
    pub(crate) fn unit_uphill(&self, a: UnitIx, b: UnitIx) -> bool {
        let enemy = self.centre_of(&[b]);
        let n = self.unit(a).strength();
        let up = (0..n).filter(|&i| self.fixed.uphill(self.rect(a, i).centre(), enemy)).count();
        makes_up(self.fixed.book.charts.shares.uphill, up, n)
    }

    /// The melee factor of a unit against another (SYW-MELEE-29).
    pub(crate) fn factor_against(&self, a: UnitIx, b: UnitIx) -> i32 {
        let info = self.info(a);
        if self.info(b).arm == Arm::Infantry { info.melee_against_infantry } else { info.melee }
    }
}

/// Names in the order a person would list them: p2 before p10.
pub fn name_order(a: &UnitId, b: &UnitId) -> std::cmp::Ordering {
    text_order(a.as_str(), b.as_str())
}

/// The same for names as they are written.
pub fn text_order(a: &str, b: &str) -> std::cmp::Ordering {
    let split = |text: &str| {
        let head = text.trim_end_matches(|c: char| c.is_ascii_digit());
        (head.len(), text[head.len()..].parse::<u64>().unwrap_or(0))
    };
    let ((ha, na), (hb, nb)) = (split(a), split(b));
    a[..ha].cmp(&b[..hb]).then(na.cmp(&nb)).then(a.cmp(b))
}
