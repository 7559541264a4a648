//! What the rules have against a set-up.

use smallvec::SmallVec;

use super::{Found, Reader};
use crate::model::field::SevenYearsBattle;
use crate::model::state::Unit;
use crate::options::MixedGroupClass;
use crate::setup::file::{File, UnitFile};

impl Reader<'_> {
    pub(super) fn check_places(&self, f: &File, battle: &SevenYearsBattle) -> Found<()> {
        for u in battle.unit_ids() {
            let unit = battle.unit(u);
            if !unit.is_present() {
                continue;
            }
            let i = usize::from(u);
            let rects = battle.rects(u);
            let bounds = crate::model::footprints::join_bounds(&rects);
            let table = battle.fixed.table.bounds().grown(0.011);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                return Err(self.fault(
                    &["unit".into(), i.into(), "at".into()],
                    format!("{} stands off the table", unit.id),
                ));
            }
            for v in battle.unit_ids().skip(usize::from(u) + 1) {
                if battle.unit(v).is_present() && SevenYearsBattle::any_overlap(&rects, &battle.rects(v)) {
                    return Err(self.fault(
                        &["unit".into(), usize::from(v).into(), "at".into()],
                        format!("{} overlaps {}", battle.unit(v).id, unit.id),
                    ));
                }
            }
            if battle.on_impassable(&rects, u) && !self.position() {
                return Err(self.fault(
                    &["unit".into(), i.into(), "at".into()],
                    format!("{} stands on ground it may not enter", unit.id),
                ));
            }
        }
        for (i, g) in f.own.general.iter().enumerate() {
            if g.at.is_some() {
                let rect = battle.s.generals[i].rect();
                let bounds = crate::model::footprints::bounds_of(&rect);
                let table = battle.fixed.table.bounds().grown(0.011);
                if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                    return Err(
                        self.fault(&["general".into(), i.into(), "at".into()], "stands partly off the table")
                    );
                }
            }
        }
        Ok(())
    }

    /// No more units of a list entry than its limit (SYW-ARMY-02).
    pub(super) fn check_limits(&self, f: &File) -> Found<()> {
        for (i, u) in f.units.iter().enumerate() {
            fn code_of(unit: &UnitFile) -> &str {
                unit.own.code.as_ref().unwrap_or(&unit.kind)
            }
            let code = code_of(u);
            let Some(most) = self.book.entry(code).and_then(|e| e.most) else { continue };
            let same = |o: &&UnitFile| code_of(o) == code && o.side == u.side;
            let so_far = f.units[..=i].iter().filter(same).count();
            if so_far > usize::from(most) {
                return Err(self.fault(
                    &["unit".into(), i.into(), "kind".into()],
                    format!("an army may have {most} of {code} at most [SYW-ARMY-02]"),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn check_groups(&self, battle: &SevenYearsBattle) -> Found<()> {
        for g in battle.group_ids() {
            // All of them, for some may still be to come.
            let members: SmallVec<[Unit; 4]> =
                battle.group(g).units.iter().map(|&u| battle.unit(u).clone()).collect();
            let tag = |u: &Unit| battle.info_of(u).tag.clone();
            if let Some(first) = members.first()
                && let Some(other) = members.iter().find(|u| tag(u) != tag(first))
            {
                return Err(self.fault(
                    &[
                        "unit".into(),
                        battle.find_unit(other.id).map_or(0, usize::from).into(),
                        "group".into(),
                    ],
                    format!("{} and {} do not serve in one group [SYW-GROUP-06]", first.id, other.id),
                ));
            }
            let mixed = members.iter().any(|u| battle.info_of(u).class == crate::rulebook::Class::Massed)
                && members.iter().any(|u| battle.info_of(u).class == crate::rulebook::Class::Light);
            if mixed && battle.fixed.options.mixed_group_class == MixedGroupClass::ForbidMixing {
                return Err(self.fault(
                    &["unit".into()],
                    format!("{} mixes massed and light units [SYW-GROUP-05]", battle.group(g).id),
                ));
            }
            let linked: SmallVec<[&Unit; 4]> = members.iter().filter(|u| u.is_present()).collect();
            if !self.position() && !battle.chained(&linked) {
                return Err(self.fault(
                    &["unit".into()],
                    format!(
                        "the units of {} are more than {} cm apart [SYW-GROUP-07]",
                        battle.group(g).id,
                        battle.distances().group_gap.value
                    ),
                ));
            }
        }
        Ok(())
    }
}
